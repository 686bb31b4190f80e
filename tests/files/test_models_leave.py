"""Models that leave: nothing of a row is in them but noise, the ledger has their cost, a refusal
names what it is about, and scikit-learn loads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forgotten import forgotten
from test_hidden_files import HERE, MORE, OTHER, ROWS, Replayed, table

from dpstudio.data.codebook import EMPTY, MERGED, About
from dpstudio.data.dataset import Dataset
from dpstudio.files.ledger import Ledger
from dpstudio.files.ledgers.book import BOOKED, Book
from dpstudio.files.tables import open_table
from dpstudio.files.write.leave_notes import notes_of
from dpstudio.files.write.leaving import (
    ColumnsStayError,
    MergedError,
    StaysError,
    UntoldError,
    leave_model,
)
from dpstudio.files.write.model_file import model_files
from dpstudio.labs import LABS
from dpstudio.labs.models.learn.learners import LEARNERS
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.worded import lab_of_words
from dpstudio.privacy.learning.exact_models import MOST
from dpstudio.values.messages import render

WORDS = {
    "learn": ("features=age | education-num | sex", "predicts=income", "epsilon=1"),
    "clusters": ("points=table", "points.features=age | education-num", "epsilon=1", "k=3"),
    "components": ("mechanism=laplace_matrix", "features=age | education-num", "k=1"),
}
MAKERS = [about.key for about in LABS if lab_kind(about.key).page().releases is not None]


def test_every_page_that_lets_a_model_leave_is_tried_here() -> None:
    assert set(MAKERS) == set(WORDS)


@pytest.mark.parametrize("key", WORDS)
@pytest.mark.parametrize("adjacency", ["add_remove", "replace"])
def test_a_model_is_drawn_once_and_booked(
    key: str, adjacency: str, adult: Dataset, tmp_path: Path
) -> None:
    """The same is drawn again for nothing, and the files are JSON and Python."""
    lab = lab_of_words([key, *WORDS[key], f"adjacency={adjacency}"])
    ledger = Ledger(tmp_path / "ledger.json")
    first, again = leave_model(lab, adult, ledger), leave_model(lab, adult, ledger)
    assert first.model == again.model
    state = Book(ledger.path).state()
    assert [float(each.amount) for each in map(state.priced, state.of(BOOKED))] == [
        first.model.values["epsilon"]
    ]
    assert "costs nothing more" in render(again.told[0])
    path, loader = model_files(first.model, tmp_path / "model.json")
    held = json.loads(path.read_text("utf-8"))
    assert {"statement", "epsilon", "columns", "drawn", "noise"} <= held.keys()
    assert not {"rows", "seed", "digest"} & held.keys()
    made: dict[str, Any] = {}
    exec(compile(loader.read_text("utf-8"), str(loader), "exec"), made)
    _loads(key, made, path, held)


def _loads(key: str, made: dict[str, Any], path: Path, held: dict[str, Any]) -> None:
    """scikit-learn takes it, and says what the parameters say."""
    if key == "learn":
        model = made["Model"](path)
        rows = [[30, 9, "Male"], [55, 14, "Male"], [20, 8, "Female"]]
        assert list(model.predict(rows)) == ["<=50K", ">50K", "<=50K"]
    elif key == "clusters":
        model, centres = made["load"](path), np.array(held["centres"])
        near = ((np.array([[40.0, 10.0]]) - centres) ** 2).sum(axis=1).argmin()
        assert model.predict([[40.0, 10.0]]) == near
    else:
        model = made["load"](path)
        z = np.array([[0.25, -0.5]])
        along = (z - held["middle"]) @ np.array(held["directions"]).T
        assert np.allclose(model.transform(z), along)


TOLD = (
    EMPTY.with_about("x", About(low=0.0, high=8.0, attested=True, type="number"))
    .with_about("y", About(low=0.0, high=5.0, attested=True, type="number"))
    .with_about("c", About(categories=("a", "b", "c"), attested=True, type="category"))
    .with_about("g", About(categories=("u", "v"), attested=True, type="category"))
)


@pytest.mark.parametrize(
    "words",
    [
        ["learn", "features=x | c | y", "predicts=g"],
        ["clusters", "points=table", "points.features=x | y", "k=2"],
        ["components", "mechanism=laplace_matrix", "features=x | y"],
    ],
)
@pytest.mark.parametrize("adjacency", ["add_remove", "replace"])
def test_of_neighbours_with_one_draw_the_same_leaves(words: list[str], adjacency: str) -> None:
    """Values beyond the ends, words of nobody, missing ones, and no row at all: but for the draw
    nothing differs. Where nothing is attested, each is refused in the same words."""
    lab, rows = lab_of_words([*words, f"adjacency={adjacency}"]), ROWS[2:]
    tables = [HERE, OTHER] if adjacency == "replace" else [HERE, MORE, OTHER, table(rows, "4")]
    memory, left = Replayed(), set[str]()
    for each in (*tables, table(ROWS[:0], "5")) if adjacency == "add_remove" else tables:
        model = leave_model(lab, each.described(TOLD), memory).model  # type: ignore[arg-type]
        left.add(json.dumps([model.values, [render(line) for line in model.statement]]))
        with pytest.raises(ColumnsStayError) as stays:
            leave_model(lab, each, memory)  # type: ignore[arg-type]
        assert stays.value.columns[0] == "x"
    assert len(left) == 1
    assert len(memory.memory) == 1


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_whose_noise_is_not_exact_says_so_by_name(learner: Any, adult: Dataset) -> None:
    lab = lab_of_words(["learn", *WORDS["learn"], f"learner={learner.key}"])
    if learner.key == "naive_bayes":
        assert not notes_of(lab, adult).missing
        return
    with pytest.raises(StaysError) as stays:
        leave_model(lab, adult, forgotten())
    assert f"“{learner.label}”" in render(stays.value.sentence)


def test_a_refusal_names_the_columns_that_are_missing_and_no_other(adult: Dataset) -> None:
    lab = lab_of_words(["learn", "features=age | capital-loss", "predicts=income"])
    notes = notes_of(lab, adult)
    (missing,) = notes.missing
    assert isinstance(missing, ColumnsStayError)
    assert missing.columns == ("capital-loss",)
    assert "age" not in render(missing.sentence).split()
    whole = notes_of(lab.with_(features=("age",)), adult)
    assert not whole.missing
    assert "age (17 to 90)" in render(whole.attested or "")
    assert "ε = 0.1" in render(whole.costs)
    made = lab_of_words(["synthesis", "columns=age | sex", "epsilon=0.3"])
    assert "told when nothing is missing" in render(notes.costs)
    assert render(notes_of(made, adult).costs).startswith("ε = 0.3 with δ = 10⁻⁶, written")
    lacking = notes_of(made.with_(columns=("age", "capital-loss")), adult)
    assert lacking.missing
    assert render(lacking.costs).startswith("Set here: ε = 0.3.")


class Still:
    """A ledger that draws no noise: what is left is what rows alone decide."""

    told = ()

    def draws_of(self, data: Dataset, export: Any = None) -> Still:
        self.data = data
        return self

    def draw(self, asked: Any, cost: Any, make: Any) -> Any:
        return make(self.data, self)

    def discrete_laplace(self, scale: Any) -> int:
        return 0

    def words(self, count: int) -> Any:
        return np.arange(count)


@pytest.mark.parametrize("key", WORDS)
def test_bounds_and_words_that_nobody_attests_have_no_part(key: str, adult: Dataset) -> None:
    """The page may look with ends of its own: the file is of those that are published."""
    looks = (
        EMPTY.with_about("age", About(low=60.0, high=61.0))
        .with_about("sex", About(categories=("Male", "x", "Female")))
        .with_about("income", About(categories=(">50K", "<=50K")))
    )
    lab, left = lab_of_words([key, *WORDS[key]]), []
    for each in (adult, adult.described(looks)):
        left.append(leave_model(lab, each, Still()).model.values)  # type: ignore[arg-type]
    assert left[0] == left[1]


def test_ends_without_a_double_between_them_move_nothing_beyond_the_grid(adult: Dataset) -> None:
    """Half their distance is 0: a row at an end is no number then."""
    lab = lab_of_words(["components", *WORDS["components"]])
    for low, high in ((0.0, 5e-324), (17.0, np.nextafter(17.0, 18.0))):
        told = EMPTY.with_about("age", About(low=low, high=float(high), attested=True))
        left = leave_model(lab, adult.described(told), Still()).model  # type: ignore[arg-type]
        rows, most = left.values["drawn"][0], MOST**2 * adult.rows
        assert rows == most
        assert all(abs(each) <= most for each in left.values["drawn"])


def test_a_synthetic_table_that_stays_names_the_columns_of_which_something_is_to_be_told(
    adult: Dataset,
) -> None:
    """So that the sheet leads to each of them."""
    lab = lab_of_words(["synthesis", "columns=age | capital-loss"])
    (missing,) = notes_of(lab, adult).missing
    assert isinstance(missing, ColumnsStayError)
    assert missing.columns == ("capital-loss",)


@pytest.mark.parametrize(
    "words", [["synthesis", "columns=ward | cost"], ["learn", "predicts=ward", "features=cost"]]
)
def test_all_that_keeps_it_here_is_said_at_once(words: list[str], tmp_path: Path) -> None:
    """How the file is read, spellings that are merged, and what nobody told of columns; each that
    is mended leaves the others."""
    path = tmp_path / "visits.csv"
    rows = (f"{ward},{k % 7}\n" for k, ward in enumerate(["Ward A", "ward a", "Ward B"] * 20))
    path.write_text("".join(("ward,cost\n", *rows)), "utf-8")
    data, lab = open_table(str(path)), lab_of_words(words)
    merged = data.described(data.codebook.with_about("ward", About(type=MERGED)))
    kinds = [type(each) for each in notes_of(lab, merged).missing]
    assert kinds == [UntoldError, MergedError, ColumnsStayError]
    assert [type(each) for each in notes_of(lab, data).missing] == kinds[::2]
