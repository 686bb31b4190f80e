"""The pages on adding: their code runs as it stands there, and does what they say."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from contracts import CHECKS, even
from label_meanings import misplaced
from running import LEAST, little

from dpstudio.data.dataset import Dataset
from dpstudio.labs import budget
from dpstudio.labs.page import Lab
from dpstudio.values.messages import render
from dpstudio.values.parameters import get, put

ADD = Path(__file__).parents[2] / "assets" / "help" / "add"
SPLIT = "dpstudio.labs.budget.split"


def blocks(page: str) -> list[str]:
    return re.findall(
        r"^```python\n(.*?)^```", (ADD / page).read_text(encoding="utf-8"), re.M | re.S
    )


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """The lab of the page, its files written where the page says."""
    folder = tmp_path / "split"
    folder.mkdir()
    for block in blocks("lab.md"):
        name = block.partition("\n")[0].removeprefix("# ")
        (folder / name).write_text(block, encoding="utf-8")
    monkeypatch.setattr(budget, "__path__", [*budget.__path__, str(tmp_path)])
    yield import_module(f"{SPLIT}.parameters").Split()
    for module in [each for each in sys.modules if each.startswith(SPLIT)]:
        del sys.modules[module]
    del budget.split


def test_the_lab_of_the_page_runs(lab: Lab, adult: Dataset) -> None:
    found = little(lab, adult, LEAST)
    told = render(found.sentence("errors").say)
    assert told == "The first count errs by 2.83, the second by 2.83."
    less = render(little(put(lab, "share", 0.8), adult, LEAST).sentence("errors").say)
    assert less == "The first count errs by 1.77, the second by 7.07."
    assert list(misplaced(lab, adult, found)) == []
    paths = [row for section in lab.beside("panel").PANEL for row in section.rows]
    assert [get(lab, path) for path in paths] == [1.0, 0.5]


def test_the_mechanism_of_the_page_keeps_its_promise() -> None:
    (code,) = blocks("mechanism.md")
    module = ModuleType("secant")
    sys.modules["secant"] = module
    try:
        exec(compile(code, "secant", "exec"), vars(module))
        for check in CHECKS:
            for epsilon in (0.1, 1.0):
                check(module.Secant(epsilon=epsilon), even(1))
    finally:
        del sys.modules["secant"]
