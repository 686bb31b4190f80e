"""Disclosure risk: who is alone, in the table and in its population, counted again."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from running import first_rows, lab_of, little, opened

from dpstudio.charts.tick_names import tick_names
from dpstudio.data.codebook import EMPTY
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.leave_notes import notes_of
from dpstudio.files.write.text_width import text_width
from dpstudio.labs.context import LITTLE, SECOND, Context
from dpstudio.labs.whole_tables.anonymity.model import stages
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.published import report
from dpstudio.labs.whole_tables.risk import model, population
from dpstudio.labs.whole_tables.risk.model import known_codes
from dpstudio.labs.whole_tables.risk.parameters import Risk
from dpstudio.labs.whole_tables.rows.model import risk_before
from dpstudio.privacy.anonymity.classes import uniqueness
from dpstudio.values.messages import render

TOY = pd.DataFrame(
    {
        "age": [21, 22, 23, 24, 51, 52, 53, 54],
        "zip": ["33617", "33618", "33617", "33613", "33617", "33620", "33620", "33613"],
    }
)
NAMES = ("age", "sex", "race", "education-num", "workclass", "hours-per-week")


def made(lab: Risk, context: Context) -> model.RiskModel:
    *_, last = model.stages(lab, context)
    return last


def test_unique_by_eight_columns() -> None:
    (found,) = uniqueness(known_codes(Risk(), opened("adult_all")), (8,))
    assert found.most == pytest.approx(20_593 / 48_842)


@pytest.mark.parametrize("seed", range(3))
def test_every_number_of_a_random_state_by_pandas(seed: int) -> None:
    rng, frame = np.random.default_rng(seed), first_rows(2000)._frame
    names = rng.permutation(NAMES)[: rng.integers(1, 4)].tolist()
    known = rng.permutation(NAMES)[:3].tolist()
    lab = Risk(quasi=tuple(names), known=tuple(known))
    found = made(lab, Context(Dataset(frame, "some of Adult"), effort=LITTLE))

    def alone(columns: list[str]) -> np.ndarray:
        return ~frame.duplicated(columns, keep=False).to_numpy()

    sizes = frame.groupby(names, dropna=False, observed=True).size()
    raw = risk_before(found)
    assert raw.unique == alone(names).mean()
    assert (raw.highest, raw.marketer) == (1 / sizes.min(), len(sizes) / len(frame))
    sets = [list(map(list, combinations(known, size))) for size in (1, 2, 3)]
    for told in model.known_by(found):
        assert told.most == max(alone(each).mean() for each in sets[told.columns - 1])
    width = set(known[: LITTLE.of_points(3, 2)])
    few = [alone(each) for size in sets for each in size if set(each) <= width]
    assert model.special(found)[0] == np.any(few, axis=0).mean()


def test_a_share_of_the_population_says_how_large_that_is() -> None:
    found = made(Risk(quasi=("age", "zip"), sampled=0.1), Context(Dataset(TOY, "toy")))
    assert population.people(found) == 80


def test_the_chance_in_each_cell_is_that_of_its_people() -> None:
    frame = pd.DataFrame({"age": [20, 20, 20, 21, 22], "years": [3, 3, 3, 3, 5]})
    found = made(Risk(quasi=("age", "years")), Context(Dataset(frame, "five")))
    chance = model.found(found)
    assert chance[0].tolist()[:2] == [pytest.approx(1 / 3), 1.0]
    assert np.isnan(chance[1]).all()


def test_the_rest_of_the_table_and_a_table_beside_are_the_same_population() -> None:
    """The same people twice: as the rows that are not published, and in a second table, in another
    order and with ages that the first lacks."""
    lab, _ = lab_of(["risk", "quasi=age | zip", "known=age", "among=age < 24 or age > 51"])
    one = made(lab, Context(Dataset(TOY, "toy"), effort=LITTLE))
    few = Dataset(TOY[(TOY["age"] < 24) | (TOY["age"] > 51)], "few")
    people = Dataset(TOY.sample(frac=1, random_state=1), "people", "people")
    context = Context(few, {SECOND: people}, effort=LITTLE)
    two = made(lab.with_(among=type(lab.among)()), context)
    for found in (one, two):
        assert (len(found.rows.kept), population.people(found)) == (6, 8)
        assert population.alone(found) == population.Alone(1.0, 1.0)
    shown = lab.with_(among=type(lab.among)()).last(context)
    assert shown.fact("journalist").value == 1.0
    assert [sentence.key for sentence in shown.sentences].count("journalist") == 1


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_rows_are_singled_out_by_no_more_columns_than_there_are(columns: int) -> None:
    """“3 of these columns or fewer” was said of two, and of one."""
    frame = pd.DataFrame(np.random.default_rng(columns).integers(0, 4, (40, 4)), columns=[*"abcd"])
    lab = Risk(quasi=("a",), known=tuple("abcd"[:columns]))
    told = lab.last(Context(Dataset(frame, "four"))).sentence("suda").say.values
    said = int(told["n"].value)
    sets = [list(each) for n in range(1, said + 1) for each in combinations("abcd"[:columns], n)]
    alone = np.any([~frame.duplicated(each, keep=False) for each in sets], axis=0)
    assert said == min(3, columns)
    assert told["share"].value == alone.mean()


@pytest.mark.parametrize("lab", [Risk(), Anonymity()])
def test_rows_of_one_person_are_not_called_people(lab: Risk | Anonymity) -> None:
    """Five visits of one patient, alike in all that is known of them, are no five people."""
    frame = pd.DataFrame({"patient": [k // 5 for k in range(100)]})
    frame["age"], frame["sex"] = 20 + frame["patient"] % 7, "m"
    frame["diagnosis"] = ["a", "b"] * 50
    data = Dataset(frame, "visits")
    for most, told in ((0, False), (1, False), (5, True)):
        described = data.described(EMPTY.with_person("patient", most)) if most else data
        suited = lab.suited(described).with_(quasi=("age", "sex"))
        problems = [str(p.say.text) for p in suited.problems(described) if p.grave]
        assert any("k rows may be fewer people" in text for text in problems) == told
        found = suited.last(Context(described, effort=LITTLE))
        axes = [axis.label for figure in found.figures for axis in (figure.x, figure.y)]
        said = {render(text) for text in (*axes, *(each.say for each in found.sentences))}
        called = {text for text in said if re.search("people|person", text)}
        assert all(re.search("000 people an|names and numbers of people", text) for text in called)
        if isinstance(suited, Anonymity):
            leaves = [note.text for note in notes_of(suited, described).leaves]
            assert any("k rows may be fewer people" in text for text in leaves) == told
            beside = report(next(m for m in stages(suited, Context(described)) if m.done))
            assert ("k rows may be fewer people" in beside["warning"]) == told


def test_the_sizes_of_classes_stand_in_one_row(adult: Dataset) -> None:
    """In two they left the plot less than 100 px; of more sizes every second had no name."""
    across = little(Risk(), adult).figure("sizes").x
    made = tick_names(across, 318.0, 70, lambda text: (text_width(text, 12), 14.6), 40.0)
    assert [text for _, text in made.marks] == [text for _, text in across.ticks]
    assert made.tall == 14.6
