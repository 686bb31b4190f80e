"""`dpstudio script`: a state as a file that works without the program."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpstudio.data.dataset import Dataset
    from dpstudio.labs import Lab


def of_session(words: list[str]) -> int:
    """The pages of a saved session that were opened, as a notebook. Raises NoScript, SessionError
    and TableError."""
    from dpstudio.cli.parsing import notebook_parser
    from dpstudio.cli.tables import described, opened, unchanged
    from dpstudio.files.language import tr
    from dpstudio.files.session import read_session
    from dpstudio.files.write import notebook as notebooks

    given = notebook_parser().parse_args(words)
    session = read_session(Path(given.session))
    data = opened(session.table, given.read, session.reading, leaves=False)
    unchanged(session.table, session.digest, data)
    data = described(data, session.codebook, leaves=False)
    return _out(notebooks.notebook(notebooks.opened(session), data, translate=tr), given.out)


def scripted(lab: Lab, data: Dataset, given: argparse.Namespace) -> int:
    """Print the script of a state, or write it to the file that was named. Raises NoScript and
    SessionError."""
    from dpstudio.files.language import tr
    from dpstudio.files.write.notebook import notebook
    from dpstudio.files.write.script import OPENDP, PYTHON, python_script

    if given.form == "notebook":
        text = notebook([lab], data, translate=tr)
    else:
        form = OPENDP if given.form == "opendp" else PYTHON
        text = python_script(lab, data, form, translate=tr)
    return _out(text, given.out)


def _out(text: str, out: str | None) -> int:
    from dpstudio.files.session import write_text

    if out:
        write_text(Path(out), text)
        print(out)
    else:
        print(text, end="")
    return 0
