"""The pages on adding: their code runs as it stands there, and does what they say."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from contracts import CHECKS, even
from label_meanings import misplaced
from running import LEAST, little

from dpstudio.data.dataset import Dataset
from dpstudio.labs import many_answers
from dpstudio.labs.one_answer.selection.parameters import Selection
from dpstudio.labs.page import Lab
from dpstudio.labs.persons import settled
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.queries import CHOICES, candidates, query
from dpstudio.values.messages import N_, Message, plain, render, say
from dpstudio.values.parameters import Column, Edges, get, param, put
from dpstudio.values.problem import Problem

ADD = Path(__file__).parents[2] / "assets" / "help" / "add"
SPLIT = "dpstudio.labs.many_answers.split"


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
    monkeypatch.setattr(many_answers, "__path__", [*many_answers.__path__, str(tmp_path)])
    yield import_module(f"{SPLIT}.parameters").Split()
    for module in [each for each in sys.modules if each.startswith(SPLIT)]:
        del sys.modules[module]
    del many_answers.split


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


class Largest(candidates.ColumnChoosing):
    """The largest value of a grid."""

    key = "largest"
    label = N_("Largest")

    column: str = param("x", Column(N_("Column"), "", numeric=True))
    grid: tuple[float, ...] = param((), Edges(N_("Grid"), ""), of=("column",))

    def measure_rows(self, data: Dataset, adjacency: str) -> candidates.Candidates:
        values = np.array(self.settled(data).grid)
        labels = tuple(f"{value:g}" for value in values)
        why, unit = say("As the test says."), say("points")
        scores = Scores(values, 1.0, False)
        return candidates.Candidates(
            labels,
            values,
            scores,
            unit,
            "{n} points",
            plain("x"),
            why,
            metric=True,
            named=Message("largest"),
        )

    def settled(self, data: Dataset) -> Largest:
        return self.with_(grid=self.grid or (0.0, data.extent(self.column).high))

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        if problem := query.number_problem(self.column, data):
            yield problem


def test_a_query_that_chooses_is_called_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """In no sentence by that of another; in the menu it is refused where its column cannot be."""
    grown = [*CHOICES, Largest]
    monkeypatch.setattr("dpstudio.labs.one_answer.selection.parameters.CHOICES", grown)
    monkeypatch.setattr("dpstudio.labs.one_answer.selection.page.CHOICES", grown)
    numbers = Dataset(pd.DataFrame({"x": [1.0, 4.0, 9.0]}), "numbers")
    words = Dataset(pd.DataFrame({"c": ["a", "b", "b"]}), "words")
    lab = Selection(query=Largest(grid=(0.0, 1.0, 9.0)))
    found = little(lab, numbers, LEAST)
    said = [render(each.say) for each in found.sentences]
    said += [render(part) for fact in found.facts for part in (fact.label, fact.note)]
    assert not [each for each in said if "quantile" in each.lower()]
    assert "Exact largest" in said
    assert any(each.startswith("9, the exact largest on this grid, is named in") for each in said)
    assert set(lab.refused(words)["query"]) == {"quantile", "largest"}
    assert lab.suited(words).query.key == "most_common"  # what words can be asked
    assert settled(Largest(), numbers).grid == (0.0, 9.0)
