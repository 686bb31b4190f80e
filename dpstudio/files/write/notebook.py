"""Pages as a notebook (nbformat 4.5): of each what it asks and one cell that makes its numbers."""

import json
import re
from collections.abc import Iterable
from typing import Any

from dpstudio import __version__
from dpstudio.data.dataset import Dataset
from dpstudio.files.session import Session
from dpstudio.files.write.script import CELL, numbers_shown, parts, script_of
from dpstudio.files.write.tabular import as_markdown
from dpstudio.labs import LABS
from dpstudio.labs.page import Lab
from dpstudio.labs.scripting.scripted import NoScript
from dpstudio.values.messages import Translate, render, unchanged


def notebook(
    labs: Iterable[Lab],
    data: Dataset,
    second: Dataset | None = None,
    translate: Translate = unchanged,
) -> str:
    """The notebook of these pages on a table; of a page without a script it says why. Raises
    NoScript where none has one."""
    cells: list[dict[str, Any]] = []
    refused: NoScript | None = None
    made = 0
    for lab in labs:
        title = next(render(about.label, translate) for about in LABS if about.key == lab.key)
        try:
            script = script_of(lab, data, second=second)
            head, _, body = parts(lab, data, script, numbers_shown(script), CELL, translate)
        except NoScript as why:
            refused = refused or why
            said = as_markdown(render(why.sentence, translate))
            cells.append(_cell(len(cells), "markdown", f"# {title}\n\n{said}"))
            continue
        made += 1
        told = head.removeprefix("r").strip('"').strip()
        cells.append(_cell(len(cells), "markdown", f"# {title}\n\n{_as_it_is(told)}"))
        cells.append(_cell(len(cells), "code", body))
    if refused is not None and not made:
        raise refused
    about = {
        "dpstudio": __version__,
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    held = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(held, ensure_ascii=False, indent=1) + "\n"


def _as_it_is(text: str) -> str:
    """A text with its lines, in which no name is markup: Jupyter would load a picture that a name
    of a column calls for."""
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{fence}text\n{text}\n{fence}"


def opened(session: Session) -> list[Lab]:
    """The labs of a session that were opened, in the order of the catalogue; that which is open
    among them."""
    wanted = {session.active, *map(str, session.view.get("opened", ()))}
    held = {lab.key: lab for lab in session.labs}
    kinds = (about.kind for about in LABS if about.key in wanted)
    return [held.get(kind.key) or kind() for kind in kinds]


def _cell(place: int, kind: str, text: str) -> dict[str, Any]:
    lines = text.splitlines(keepends=True)
    cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{place}", "metadata": {}}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return {**cell, "source": lines}
