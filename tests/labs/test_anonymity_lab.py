"""Anonymity: the numbers of the texts on Adult, attacks against brute force, what is written, and
values of another library."""

import json
import math
import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from running import first_rows, lab_of, little, opened

from dpstudio.charts.inks import stroke
from dpstudio.data.dataset import Dataset
from dpstudio.files.machine import MACHINE
from dpstudio.files.tables import open_table
from dpstudio.files.write.published import published_files
from dpstudio.gui.board.coordinates import pen
from dpstudio.gui.parts.theme import Look
from dpstudio.labs.context import LITTLE, SECOND, Context
from dpstudio.labs.outcome import PublishedTable
from dpstudio.labs.whole_tables.anonymity import attack_words, attacked, bridge, model, population
from dpstudio.labs.whole_tables.anonymity.choices.promises import (
    Closeness,
    Diversity,
    Presence,
    Size,
)
from dpstudio.labs.whole_tables.anonymity.choices.trees import Trees
from dpstudio.labs.whole_tables.anonymity.parameters import ANOTHER, Anonymity
from dpstudio.labs.whole_tables.anonymity.published import beside, published_table, report
from dpstudio.labs.whole_tables.anonymity.ways.boxes import Mondrian
from dpstudio.labs.whole_tables.anonymity.ways.heights import tree as trees
from dpstudio.labs.whole_tables.anonymity.ways.heights.full_domain import FullDomain
from dpstudio.labs.whole_tables.anonymity.ways.heights.lattice import columns_of, drawn_nodes
from dpstudio.labs.whole_tables.anonymity.ways.heights.nodes import allowed, frontier
from dpstudio.labs.whole_tables.anonymity.ways.way import Partition
from dpstudio.labs.whole_tables.anonymity.weighed import task_of
from dpstudio.labs.whole_tables.risk.parameters import Risk
from dpstudio.labs.whole_tables.rows import model as model_of_rows
from dpstudio.labs.whole_tables.rows.columns import coded
from dpstudio.privacy.anonymity.column_hierarchies import hierarchy_of
from dpstudio.privacy.anonymity.hierarchy import Hierarchy, from_csv, to_csv
from dpstudio.privacy.anonymity.lattice import Judged
from dpstudio.privacy.anonymity.loss import homogeneous
from dpstudio.privacy.anonymity.models import EQUAL, ORDERED, entropy
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError

REFERENCE = Path(__file__).parent.parent / "reference" / "anonymity.json"
HERE = Anonymity(known=("age", "sex"))


def classes(lab: Anonymity, data: Dataset) -> Partition:
    return lab.algorithm.made(task_of(lab, data))


def allowed_nodes(found: model.AnonymityModel) -> list[Judged]:
    task = model.task(found)
    fits = allowed(task, found.lab.algorithm.suppressed)
    return [each for each, ok in zip(drawn_nodes(task), fits, strict=True) if ok]


def tree_of(found: model.AnonymityModel) -> str:
    task = model.task(found)
    return trees.written(task, found.lab.algorithm.subject(task))


def made(lab: Anonymity, data: Dataset) -> model.AnonymityModel:
    *_, last = model.stages(lab, Context(data, effort=LITTLE))
    return last


@pytest.mark.parametrize(
    ("promise", "classes", "lines", "loss"),
    [
        (Size(), 500, 822, 0.0377),
        (Diversity(l=2.0), 309, 618, 0.0450),
        (Closeness(t=0.2), 114, 228, 0.267),
    ],
)
def test_the_classes_of_the_texts(promise: Size, classes: int, lines: int, loss: float) -> None:
    found = made(HERE.with_(promise=promise), opened("adult_all"))
    assert (found.classes.many, model.lines(found)) == (classes, lines)
    assert found.made.loss == pytest.approx(loss, abs=5e-5 if loss < 0.1 else 5e-4)
    assert found.classes.k >= 3


SWEEP = {2: (532, 0.0376, 207), 5: (460, 0.0379, 144), 10: (401, 0.0384, 94),
         25: (285, 0.0402, 31), 50: (212, 0.0438, 13), 100: (167, 0.0480, 9),
         250: (116, 0.0597, 5), 500: (57, 0.0866, 2), 1000: (30, 0.1373, 0)}  # fmt: skip


def worded(name: str) -> Dataset:
    """A table in which somebody wrote a word where one was missing: that is a value."""
    frame = opened(name)._frame
    words = {each: "unknown" for each in frame if not pd.api.types.is_numeric_dtype(frame[each])}
    return Dataset(frame.astype(dict.fromkeys(words, object)).fillna(words), name)


def test_the_tables_of_the_texts_by_k_l_and_t() -> None:
    """All of Adult by age and years of school: classes, what is lost and classes of one value by k;
    classes by t, and by l and t of occupations, of which one is unknown."""
    data = worded("adult_all")
    codes = coded(data, "income", "sensitive").quasi.codes
    for k, (many, loss, alike) in SWEEP.items():
        found = classes(HERE.with_(promise=Size(k=k)), data)
        assert (found.classes.many, round(found.loss, 4)) == (many, loss)
        assert homogeneous(found.classes.counts(codes, 2))[0] == alike
    jobs = HERE.with_(sensitive="occupation")
    for lab, promise, many in (
        *((HERE, Closeness(t=t), n) for t, n in zip((0.05, 0.1, 0.15), (1, 1, 16), strict=True)),
        *((HERE, Closeness(t=t), n) for t, n in zip((0.3, 0.4, 0.5), (462, 488, 497), strict=True)),
        *((jobs, Diversity(l=l), n) for l, n in ((2, 499), (3, 479), (5, 415))),
        *((jobs, Diversity(l=l), n) for l, n in ((8, 311), (10, 238), (12, 184))),
        (jobs, Closeness(t=0.2), 20),
    ):
        assert classes(lab.with_(promise=promise), data).classes.many == many, promise


def test_the_largest_gap_passes_what_is_three_times_as_far() -> None:
    lab = HERE.with_(sensitive="occupation", promise=Closeness(t=0.2, ground="printed"))
    found = made(lab, worded("adult_all"))
    assert found.classes.many == 187
    assert model.farthest(found, EQUAL) == pytest.approx(0.634, abs=5e-4)


def test_a_hierarchy_brings_alike_jobs_together() -> None:
    """Occupations of one kind lie nearer than others: more classes pass, and none is farther."""
    data = opened("adult")
    lab = HERE.with_(sensitive="occupation", promise=Closeness(t=0.2, ground="hierarchical"))
    near, apart = made(lab, data), made(lab.with_(promise=Closeness(t=0.2)), data)
    assert near.classes.many >= apart.classes.many
    assert model.farthest(near, "hierarchical") <= 0.2 < model.farthest(near, EQUAL)


@pytest.mark.parametrize("asked", json.loads(REFERENCE.read_text()), ids=lambda a: a["table"])
def test_tables_as_they_are_against_pycanon(asked: dict) -> None:
    """k, l and t of the table itself. pyCANON takes the ordered distance for numbers."""
    data = worded(asked["table"])
    lab = Anonymity(quasi=tuple(asked["quasi"]), sensitive=asked["sensitive"], known=("none",))
    start = made(lab.with_(promise=Size(k=2), algorithm=Mondrian()), data)
    raw = model.AnonymityModel(
        lab=lab, data=data, rows=start.rows, made=Partition(model_of_rows.before(start), 0.0)
    )
    assert raw.classes.k == asked["k"]
    assert model.least_diverse(raw) == asked["l"]
    ground = ORDERED if data.info(asked["sensitive"]).ordered else EQUAL
    assert model.farthest(raw, ground) == pytest.approx(asked["t"], abs=1e-12)
    assert math.floor(math.exp(entropy(model.counts(raw)).min()) + 1e-9) == asked["entropy_l"]


TOY = pd.DataFrame(
    {
        "age": [21, 22, 23, 24, 51, 52, 53, 54],
        "zip": ["33617", "33618", "33617", "33613", "33617", "33620", "33620", "33613"],
        "ill": ["flu", "flu", "cold", "flu", "heart", "heart", "heart", "heart"],
    }
)
SMALL = Dataset(TOY, "toy", "toy", "7" * 64)
TOY_LAB = Anonymity(quasi=("age", "zip"), sensitive="ill", known=("age", "zip"), again=3)


def test_attacks_on_a_toy_table(monkeypatch: pytest.MonkeyPatch) -> None:
    found = made(TOY_LAB.with_(promise=Size(k=4)), SMALL)
    assert found.classes.many == 2
    assert model.same(found) == (1, 4)
    assert attacked.ruled_out(found).tolist() == [0.5, 1.0, 1.0]
    word, share, inside = attacked.skewed(found)
    assert (share, inside, word in ("flu", "cold", "heart")) == (share, 2 * share, True)
    assert attacked.times_likelier(found) == 2
    assert attacked.k_of_sensitive(found) == TOY["ill"].value_counts().min()
    both_told = [s for s in attack_words.attack_sentences(found) if s.key == "both"]
    few = attacked.laid(found).fewest < min(4, found.lab.again)
    assert [s.tone for s in both_told] == ["bad" if few else "plain"]
    monkeypatch.setattr(population, "suppressed", lambda found: 2)
    monkeypatch.setattr(population, "others", lambda found: 8)
    assert population.presence_of_others(found) == 0.25
    # Where all values are of one kind, so are those of the class that has several.
    monkeypatch.setattr(attacked, "parents", lambda found: ("kind",) * found.rows.values)
    assert attacked.similar(found) == (1, 4)
    first, second, both = attacked.laid(found).certain
    assert first == 4
    assert both >= max(first, second)


def candidates(found: model.AnonymityModel, data: Dataset) -> list[tuple[int, int, int]]:
    """Of each row how many sensitive values are possible by the first release, the second, and
    both: sets of what is seen in tables that are really published."""
    other = made(attacked.second_lab(found.lab), data)
    sets, rows = [], [dict(zip(each.rows.kept.tolist(), each.classes.of.tolist(), strict=True))
                      for each in (found, other)]  # fmt: skip
    values = dict(zip(found.rows.kept.tolist(), model.sensitive(found).tolist(), strict=True))
    everything = set(range(found.rows.sensitive.values))
    for each in rows:
        held: dict[int, set[int]] = {}
        for row, of in each.items():
            held.setdefault(of, set()).update({values[row]} & everything)
        sets.append(
            {
                row: everything if each.get(row, -1) < 0 else held[each[row]] or everything
                for row in values
            }
        )
    return [(len(sets[0][r]), len(sets[1][r]), len(sets[0][r] & sets[1][r])) for r in values]


@pytest.mark.parametrize(
    "again", [{}, {"again_quasi": ("hours-per-week", "sex")}, {"again_by": ANOTHER, "again": 30}]
)
def test_what_two_releases_leave_possible(again: dict[str, Any]) -> None:
    """Of one alone by sets of what is seen; of both no more than those sets leave."""
    data = first_rows(3000)
    found = made(HERE.with_(sensitive="occupation", **again), data)
    left = candidates(found, data)
    valued = model.sensitive(found) < found.rows.sensitive.values
    first, second, both = ((np.array(left)[valued, i] == 1).sum() for i in range(3))
    assert attacked.laid(found).certain[:2] == (first, second)
    assert attacked.laid(found).certain[2] >= both
    narrowed = sum(both < min(first, second) for first, second, both in left) / len(left)
    assert attacked.laid(found).narrowed >= narrowed > 0
    other = attacked.again(found).of
    pairs = pd.Series(list(zip(found.classes.of.tolist(), other.tolist(), strict=True)))
    alike = pairs[other >= 0].map(pairs[other >= 0].value_counts())
    assert attacked.laid(found).fewest == alike.min() < 3
    assert attacked.laid(found).alone == (alike == 1).sum() / len(left)


def test_people_left_out_of_one_release_are_known_by_the_other() -> None:
    """Two nodes that are one: who is certain from each alone is certain from both."""
    lab = TOY_LAB.with_(quasi=("zip",), promise=Size(k=2), again=3)
    found = made(lab.with_(algorithm=FullDomain(heights=("zip=0",))), SMALL)
    assert model.suppressed(found) == 1
    assert int((attacked.again(found).of >= 0).sum()) == 3
    assert attacked.laid(found).certain == (2, 0, 2)
    assert (attacked.laid(found).narrowed, attacked.laid(found).fewest) == (0.0, 2)
    # Where none is narrowed nothing is said of “at least 0 % of rows”.
    assert all("fewer values" not in render(told.say) for told in attack_words._twice(found))


def test_boxes_that_show_the_same_are_one_class() -> None:
    """Of rows shared out between boxes the table tells no more than that they look alike."""
    lab = HERE.with_(quasi=("age", "sex"), algorithm=Mondrian("relaxed"))
    data = first_rows(2000)
    found = made(lab, data)
    table = pd.DataFrame(dict(published_table(found).columns))
    seen = table.groupby(["age", "sex"])["income"].agg(["size", "nunique"])
    one = seen["nunique"] == 1
    assert (found.classes.many, found.classes.k) == (len(seen), seen["size"].min())
    assert model.same(found) == (one.sum(), seen["size"][one].sum())


def test_who_is_in_one_of_two_boxes_is_not_said_to_be_certain() -> None:
    """Three of one age in two boxes, each with values of its own: nobody tells who is where."""
    frame = pd.DataFrame({"age": [1, 2, 2, 2], "ill": ["a", "a", "b", "b"]})
    lab = TOY_LAB.with_(
        quasi=("age",), known=(), promise=Size(k=2), algorithm=Mondrian("relaxed"), again=2
    )
    data = Dataset(frame, "toy", "toy", "9" * 64)
    assert [words for _, words in published_table(made(lab, data)).columns] == [
        ("1..2", "1..2", "2", "2"), ("a", "a", "b", "b"),
    ]  # fmt: skip
    told = little(lab, data)
    said = render(told.sentence("twice").say)
    assert all(words in said for words in ("leave open", "at least 4 rows", "to others fewer"))
    assert not any(each.key == "both" for each in told.sentences)


def test_columns_that_serve_no_second_release_are_a_problem() -> None:
    for quasi in (("ill",), ("none",)):
        (told,) = little(TOY_LAB.with_(again_quasi=quasi, promise=Size(k=2)), SMALL).problems
        assert told.field == "again_quasi"


def test_heights_that_leave_nobody_are_a_problem() -> None:
    named = FullDomain(heights=("age=0", "zip=0"), suppressed=1.0)
    (told,) = little(TOY_LAB.with_(promise=Size(k=2), algorithm=named), SMALL).problems
    assert told.field == "algorithm.heights"


_APART = pd.DataFrame({"age": range(1, 49, 4), "zip": [*"aaabcdefghij"], "ill": [*"xyz"] * 4})
_TYPED = ("age = 5, 10, 20", "zip = prefixes 5")
_PROMISES = (Size(), Diversity(), Closeness(t=0.01), Presence())


@pytest.mark.parametrize("heights", [("age=0",), ("zip=0", "age=3"), ("age=0", "zip=0"), ()])
@pytest.mark.parametrize("again", [2, 12])
def test_a_release_of_nobody_is_said(heights: tuple[str, ...], again: int) -> None:
    """By some heights, all, or none, in the first release or the second, whatever is promised:
    it ended in a traceback."""
    nobody, data = 0, Dataset(_APART, "apart", "apart", "6" * 64)
    for promise in _PROMISES:
        algorithm = FullDomain(heights=heights, suppressed=1.0)
        lab = TOY_LAB.with_(promise=promise, algorithm=algorithm, trees=_TYPED)
        lab = lab.with_(again=again)
        found = lab.last(Context(data, {SECOND: data}, effort=LITTLE, machine=MACHINE))
        nobody += [each.field for each in found.problems] == ["algorithm.heights"]
        assert found.problems or next(o for o in found.outcomes if o.key == "published").make()
        if not found.problems and again == 12 and heights:
            assert "nothing would be published" in render(found.sentence("twice").say)
    assert (nobody > 0) == ("age=0" in heights)


def test_a_search_that_may_leave_all_out_leaves_somebody() -> None:
    """A node without any class loses as much as the top, and was taken."""
    frame = pd.DataFrame({"age": [1, 2, 3, 4], "zip": [*"abcd"], "ill": [*"xyxy"]})
    data = Dataset(frame, "four", "four", "4" * 64)
    lab = TOY_LAB.with_(promise=Size(k=4), algorithm=FullDomain(suppressed=1.0), trees=_TYPED)
    assert made(lab, data).classes.many == 1


def test_one_class_tells_no_more_than_the_table() -> None:
    found = little(TOY_LAB.with_(promise=Closeness(t=0.01)), SMALL)
    (told,) = (each for each in found.sentences if each.key == "skew")
    assert told.tone == "good"


def fitting(found: model.AnonymityModel, of: int, people: pd.DataFrame = TOY) -> int:
    """How many of some people what is published of a class fits, row by row."""
    rows = np.flatnonzero(found.classes.of == of)[:1]
    age, place = (model.shown(found, column, rows)[0] for column in (0, 1))
    if found.walked is None:
        low, _, high = age.partition("..")
        ages, zips = range(int(low), int(high or low) + 1), place.split("|")
        return sum(
            a in ages and z in zips for a, z in zip(people["age"], people["zip"], strict=True)
        )
    whole = Dataset(people, "whole")
    words = [hierarchy_of({}, coded(whole, name, "quasi"), ()) for name in ("age", "zip")]
    above = [
        {row[0]: row[height] for row in each.rows}
        for each, height in zip(words, found.walked.node, strict=True)
    ]
    pairs = zip(people["age"].astype(str), people["zip"], strict=True)
    return sum(above[0][a] == age and above[1][z] == place for a, z in pairs)


@pytest.mark.parametrize("algorithm", [Mondrian(), FullDomain(suppressed=0.2)])
def test_the_rest_of_the_table_is_a_population(algorithm: Mondrian | FullDomain) -> None:
    lab, _ = lab_of(["anonymity", "quasi=age | zip", "sensitive=ill", "known=age", "promise.k=2",
                     "among=age < 24 or age > 51"])  # fmt: skip
    found = made(lab.with_(algorithm=algorithm), SMALL)
    assert (model_of_rows.n(found), len(model_of_rows.register(found).people)) == (6, 8)
    assert population.fits(found).tolist() == [fitting(found, i) for i in range(found.classes.many)]
    assert population.journalist_after(found) == 1 / population.fits(found).min()
    low, high = population.presence(found)
    shares = found.classes.sizes / population.fits(found)
    assert (low, high) == (shares.min(), shares.max())


@pytest.mark.parametrize("algorithm", [Mondrian(), FullDomain(suppressed=0.2)])
def test_a_table_beside_is_the_population_that_the_unpublished_rows_are(
    algorithm: Mondrian | FullDomain,
) -> None:
    """The same people twice: as the rows that are not published, and in a second table, in another
    order and with ages that the first lacks."""
    lab, _ = lab_of(["anonymity", "quasi=age | zip", "sensitive=ill", "known=age", "promise.k=2",
                     "among=age < 24 or age > 51"])  # fmt: skip
    lab = lab.with_(algorithm=algorithm)
    one = made(lab, SMALL)
    few = Dataset(TOY[(TOY["age"] < 24) | (TOY["age"] > 51)], "few", "few", "8" * 64)
    people = Dataset(TOY.sample(frac=1, random_state=1).drop(columns="ill"), "people", "people")
    context = Context(few, {SECOND: people}, effort=LITTLE)
    *_, two = model.stages(lab.with_(among=type(lab.among)()), context)
    assert (model_of_rows.n(two), len(model_of_rows.register(two).people)) == (6, 8)
    for value in (model_of_rows.journalist_before, population.presence):
        assert value(two) == value(one), value
    assert population.fits(two).tolist() == population.fits(one).tolist()


def test_words_that_read_as_missing_are_one_value_or_another(tmp_path: Path) -> None:
    """What is missing is published as “?”: who wrote that beside it adds no value to a class. Of
    the words for an empty cell one is taken that the table lacks."""
    asked = [None, "?", "NA", "NaN", ""]
    frame = pd.concat([TOY] * 5).assign(ill=["flu", *["?", None] * 19, "?"], zip=asked * 8)
    lab = TOY_LAB.with_(quasi=("zip",), known=(), promise=Size(k=2))
    found = made(lab, Dataset(frame, "toy", "toy", "7" * 64))
    assert found.rows.sensitive.words == ("flu", "?")
    assert (model.least_diverse(found), model.surest(found)) == (0, 1)
    assert found.rows.columns[0].words == ("", "NA", "NaN", "?")
    (outcome,) = little(lab, found.data).outcomes
    table, _, told, *_ = published_files(outcome, "toy", tmp_path)
    assert json.loads(told.read_text())["missing"] == "?"
    cells = pd.read_csv(table, dtype=str, keep_default_na=False)["zip"]
    assert set(cells) == {"", "?", "NA", "NaN"}


@pytest.mark.parametrize("promise", [Diversity(k=4), Diversity(k=4, sense="entropy"),
                                     Diversity(k=4, sense="recursive"), Closeness(k=4, t=0.4)])  # fmt: skip
def test_a_missing_value_makes_no_class_diverse(promise: Size) -> None:
    """A class of four times HIV and one missing was published as 2-diverse."""
    ill = ["HIV"] * 4 + [None] + ["flu", "cold", "flu", "cold", None]
    data = Dataset(pd.DataFrame({"age": [30] * 5 + [50] * 5, "ill": ill}), "ten")
    lab = TOY_LAB.with_(quasi=("age",), known=())
    apart = made(lab.with_(promise=Size(k=4)), data)
    assert (apart.classes.many, apart.classes.k) == (2, 5)  # to k they count
    assert (model.same(apart), model.surest(apart)) == ((1, 4), 1)
    assert made(lab.with_(promise=promise), data).classes.many == 1
    found = little(lab.with_(promise=Size(k=4)), data)
    assert render(found.sentence("valueless").say).startswith("2 rows lack “ill”")
    assert "all rows with a “ill”" in render(found.sentence("same").say)


def test_a_minimality_attack_is_spoken_of() -> None:
    """Classes that are searched for depend on all rows; where heights are named, who is left out
    does."""
    for algorithm, told in (
        (Mondrian(), "which classes are made depends"),
        (FullDomain(suppressed=0.3), "which classes are made depends"),
        (FullDomain(heights=("zip=1",)), "rows decide only which classes are left out"),
    ):
        lab = TOY_LAB.with_(quasi=("zip",), algorithm=algorithm, promise=Size(k=2))
        found = little(lab.with_(trees=("zip = prefixes 5",)), SMALL)
        assert told in render(found.sentence("minimality").say)
        assert "which classes" in render(little(lab, SMALL).sentence("minimality").say)


def test_a_table_beside_that_is_no_population_is_not_read() -> None:
    lab, _ = lab_of(["anonymity", "quasi=age | zip", "sensitive=ill", "known=age", "promise.k=2"])
    others = {
        "1 row": TOY.iloc[1:],
        "no column “zip”": TOY[["age"]],
        "“age” holds other": TOY.assign(age=TOY["age"].astype(str) + " years"),
    }
    for why, frame in others.items():
        second = Dataset(frame, "second", "second", "9" * 64)
        found = lab.last(Context(SMALL, {SECOND: second}, effort=LITTLE))
        assert why in render(found.problems[0].say)
        assert not found.problems[0].stops
        assert found.second is None
        assert not any(sentence.key == "journalist" for sentence in found.sentences)


def test_prefixes_intervals_and_shipped_hierarchies() -> None:
    assert hierarchy_of({}, coded(SMALL, "zip", "quasi"), ()).rows[0][2] == "336**"
    adult = opened("adult")
    for name, text in adult.hierarchies.items():
        hierarchy = from_csv(text)
        assert from_csv(to_csv(hierarchy)) == hierarchy, name
    assert hierarchy_of(adult.hierarchies, coded(adult, "marital-status", "quasi"), ()).height == 2
    assert (
        hierarchy_of(adult.hierarchies, coded(adult, "education-num", "quasi"), ()).rows[0][1]
        == "0-4"
    )


ARX = Path(__file__).parents[2] / "assets" / "hierarchies" / "adult_marital-status.csv"


def test_a_hierarchy_of_arx_is_read_written_and_used(tmp_path: Path) -> None:
    text = ARX.read_text("utf-8")
    file = tmp_path / "adult_hierarchy_marital-status.csv"
    file.write_text(text.replace("spouse not present", "alone"), "utf-8")
    words = ["anonymity", "quasi=age | marital-status", "algorithm=full_domain",
             "algorithm.heights=age=3 | marital-status=1", f"trees=@{file}"]  # fmt: skip
    found = made(lab_of(words)[0].with_(known=("age",)), opened("adult"))
    kept = beside(found)["hierarchy-marital-status.csv"]
    assert kept == to_csv(from_csv(file.read_text("utf-8")))
    assert "alone" in model.shown(found, 1)
    again = Trees("").loaded(found.lab.trees, "hierarchy-marital-status", kept)
    assert again == found.lab.trees
    assert Trees("").check(tree_of(found)) == (
        *found.lab.trees, *(f"age = {'; '.join(row)}" for row in model.task(found).hierarchy(found.lab.algorithm.subject(model.task(found))).rows)
    )  # fmt: skip


def test_intervals_grow_until_few_are_left() -> None:
    """Decimals went from intervals of 0.8 to one of all at once."""
    frame = pd.DataFrame({"price": np.arange(998) / 100, "gain": np.arange(998) * 100})
    for name in frame:
        tree = hierarchy_of({}, coded(Dataset(frame, "t"), name, "quasi"), ())
        many = [len(tree.words(height)) for height in range(tree.height + 1)]
        assert many[-2] <= 5, many
        assert max(a / b for a, b in pairwise(many)) <= 5.2
    same = Dataset(frame.assign(price=2.5), "t")
    assert hierarchy_of({}, coded(same, "price", "quasi"), ()).rows == (("2.5", "*"),)


def test_a_hierarchy_of_rows_tells_no_more_than_the_table() -> None:
    """Only words of classes that are published, and what is above them."""
    lab = TOY_LAB.with_(promise=Size(k=2), algorithm=FullDomain(heights=("age=1", "zip=0")))
    found = made(lab, SMALL)
    assert model.suppressed(found) > 0
    table = dict(published_table(found).columns)
    for name in ("age", "zip"):
        told = from_csv(beside(found)[f"hierarchy-{name}.csv"])
        assert set(told.values) == set(table[name])
        assert told.rows[0][-1] in ("*", "*****")


def test_hierarchies_of_columns_with_names_alike_are_files_of_their_own() -> None:
    frame = TOY.rename(columns={"zip": "a b"}).assign(a_b=TOY["zip"])
    lab = TOY_LAB.with_(quasi=("a b", "a_b"), promise=Size(k=2), algorithm=FullDomain())
    found = made(lab, Dataset(frame, "toy"))
    assert list(beside(found)) == ["hierarchy-a_b.csv", "hierarchy-a_b_.csv"]


def test_widths_prefixes_dates_and_trees_are_typed() -> None:
    days = TOY.assign(born=pd.to_datetime(["2019-05-01", "2020-01-31"] * 4))
    data = Dataset(days, "toy", "toy", "8" * 64)
    column = {name: coded(data, name, "quasi") for name in days}
    own = ("age = 10, 20 from 1", "zip = prefixes", "ill = flu; lungs; *", "ill = cold; lungs; *",
           "ill = heart; heart; *")  # fmt: skip
    first = {name: hierarchy_of({}, each, own).rows[0] for name, each in column.items()}
    assert first["age"] == ("21", "21-30", "21-40", "*")
    assert first["zip"][1] == "3361*"
    assert first["born"] == ("2019-05-01", "2019-05", "2019", "2010s", "*")
    lab = TOY_LAB.with_(algorithm=FullDomain(), promise=Size(k=2))
    assert tree_of(made(lab, SMALL)) == "age = 5, 20"
    typos = (
        "age = 5, 7",
        "age = words",
        "zip = prefixes 0",
        "zip = dates",
        "none = 5",
        "age = 5, nan",
        "age = inf",
        "age = 5 from nan",
    )
    for wrong in typos:
        (told,) = little(lab.with_(trees=(wrong,)), SMALL).problems
        assert (told.field, told.stops) == ("trees", True), wrong
    (lacks,) = little(lab.with_(trees=own[2:4]), SMALL).problems
    assert (lacks.field, lacks.stops) == ("trees", False)
    assert "no line for 1 of its values, such as “heart”" in render(lacks.say)
    short = lab.with_(trees=("zip = prefixes 3",))
    assert hierarchy_of({}, column["zip"], short.trees).rows[0][1:] == ("33*", "3**", "***")
    assert hierarchy_of({}, column["zip"], ("zip = words",)).rows[0] == ("33613", "*")


ODD = ["a|b", "c; d", '"e"', "f = g", ' "h" | i; j']


def test_words_that_hold_the_marks_of_a_hierarchy_come_and_go() -> None:
    frame = TOY.assign(**{"o=d|d": (ODD * 2)[:8]})
    words = sorted(set(frame["o=d|d"]))
    rows = [(word.strip(), f"x;{place // 3}", "*") for place, word in enumerate(words)]
    text = to_csv(Hierarchy(tuple(rows)))
    loaded = Trees("").loaded(("age = 5, 10",), "hierarchy-o=d|d", text)
    domain = Trees("")
    assert domain.check(domain.show(loaded)) == loaded == domain.check(list(loaded))
    known = hierarchy_of(
        {},
        coded(
            Dataset(frame.map(lambda cell: cell.strip() if isinstance(cell, str) else cell), "toy"),
            "o=d|d",
            "quasi",
        ),
        loaded,
    )
    assert set(known.rows) == set(rows)
    with pytest.raises(ParamError, match="quotes"):
        domain.check(["job = a|b; *"])
    assert domain.check('job = "a|b"; * | age = 5') == ('job = "a|b"; *', "age = 5")


def test_the_best_node_is_the_least_of_all_that_are_allowed() -> None:
    lab = TOY_LAB.with_(promise=Size(k=2), algorithm=FullDomain(suppressed=0.25))
    found = made(lab, SMALL)
    fits = allowed_nodes(found)
    assert found.made.loss == pytest.approx(min(each.loss for each in fits))
    risks, losses = frontier(model.task(found), found.lab.algorithm.suppressed)
    assert losses.min() == pytest.approx(found.made.loss)
    assert np.all(np.diff(risks) > 0)
    assert np.all(np.diff(losses) < 0)
    named = lab.with_(algorithm=FullDomain(heights=("age=1", "zip=5")))
    assert made(named, SMALL).walked.node == (1, 5)


@pytest.mark.parametrize("algorithm", [Mondrian(), Mondrian("ties"), FullDomain(suppressed=0.3)])
def test_what_is_written_keeps_k_and_is_made_again(
    algorithm: Mondrian | FullDomain, tmp_path: Path
) -> None:
    source = tmp_path / "toy.csv"
    TOY.to_csv(source, index=False)
    data = open_table(str(source))
    lab = Anonymity(
        quasi=("age", "zip"), sensitive="ill", known=("age",), promise=Size(k=2),
        algorithm=algorithm,
    )  # fmt: skip
    (outcome,) = little(lab, data).outcomes
    assert isinstance(outcome, PublishedTable)
    paths = published_files(outcome, "toy", tmp_path)
    table = pd.read_csv(paths[0], dtype=str)
    assert table.groupby(["age", "zip"]).size().min() >= 2
    assert pq.read_table(paths[1]).to_pydict() == table.to_dict("list")
    told = json.loads(paths[2].read_text())
    assert told["k"] >= 2
    assert len(table) == told["rows"]
    sizes = table.groupby(["age", "zip"]).size()
    assert (told["k"], told["classes"]) == (sizes.min(), len(sizes))
    assert told["loss"] == {
        "discernibility": (sizes**2).sum(),
        "c_avg": pytest.approx(sizes.mean() / 2),
    }
    again = runpy.run_path(str(paths[3]))["columns"](data)
    assert {name: list(values) for name, values in again} == table.to_dict("list")


def test_a_heavier_column_is_generalised_less() -> None:
    lab = TOY_LAB.with_(promise=Size(k=2), algorithm=FullDomain(suppressed=0.25))
    for weights in (("age=20",), ("zip=20",)):
        found = made(lab.with_(weights=weights), SMALL)
        columns = columns_of(model.task(found))
        total = sum(column.penalties[-1].max() for column in columns)
        assert total == pytest.approx(len(columns))
        fits = allowed_nodes(found)
        assert found.made.loss == pytest.approx(min(each.loss for each in fits))
    plain, light = (made(TOY_LAB.with_(promise=Size(k=3), weights=w), SMALL)
                    for w in ((), ("age=0.01",)))  # fmt: skip
    assert len({model.shown(plain, 0)[0], *model.shown(plain, 0)}) == 2  # cut by age
    assert set(model.shown(light, 0)) != set(model.shown(plain, 0))


def test_hidden_it_shows_nothing() -> None:
    found = little(HERE.with_(show_truth=False), opened("adult"))
    assert not found.figures
    assert "Choose" in render(found.problems[0].say)


def test_a_count_over_the_bridge_by_hand() -> None:
    named = FullDomain(heights=("age=4", "education-num=2"), suppressed=1.0)
    lab = HERE.with_(algorithm=named, promise=Size(k=100), trees=("education-num = 5",))
    found = made(lab, opened("adult"))
    assert bridge.named_before(found)
    assert bridge.bridged(found) == pytest.approx(-math.log(0.9))
    assert bridge.laplace_error(found) == pytest.approx(-1 / math.log(0.9))
    # One class of all: what is read is the count in the sample, times ten.
    rows = model_of_rows.n(found) * model_of_rows.prior(found)
    deviation = math.sqrt(rows * 0.1 * 0.9) / 0.1
    assert bridge.sample_error(found) == pytest.approx(deviation * math.sqrt(2 / math.pi), rel=0.3)
    assert not bridge.named_before(made(HERE, opened("adult")))
    assert not bridge.named_before(made(lab.with_(trees=()), opened("adult")))  # rows say how wide
    small = HERE.with_(algorithm=named, failure=2e-6)  # 0.1^6 is less, 0.1^5 more
    few, enough = (made(small.with_(promise=Size(k=k)), opened("adult")) for k in (5, 6))
    assert bridge.needed(few) == 6
    assert math.isinf(bridge.bridged(few))
    assert math.isfinite(bridge.bridged(enough))


def test_an_identifier_is_told_and_dropped() -> None:
    data = Dataset(TOY.assign(id=range(len(TOY)), town="x"), "toy", "toy", "6" * 64)
    for quasi, told in (("zip", "3 other columns are not"), ("id | zip", "“id”: another value")):
        lab, _ = lab_of(["anonymity", f"quasi={quasi}", "sensitive=ill", "promise.k=2"])
        found = little(lab, data)
        assert render(found.sentence("dropped").say).startswith(told)
        (table,) = (o for o in found.outcomes if isinstance(o, PublishedTable))
        assert [name for name, _ in table.make().columns] == [*quasi.split(" | "), "ill"]


ALL = pd.concat([TOY, TOY.assign(age=TOY["age"] + 1).head(7), TOY.tail(2)])
PEOPLE = Dataset(ALL, "people", "people")
PRESENCE = TOY_LAB.with_(promise=Presence(k=2, most=0.5))


@pytest.mark.parametrize("algorithm", [Mondrian(), FullDomain(suppressed=0.3)])
def test_presence_is_kept_where_it_is_promised(algorithm: Mondrian | FullDomain) -> None:
    """Without a promise somebody is surely in the table, with it nobody more surely than promised;
    the curves and the second release keep it as well."""
    context = Context(SMALL, {SECOND: PEOPLE}, effort=LITTLE)
    for promise, least, most in ((Size(k=2), 0, 1), (Presence(k=2, least=0.2, most=0.5), 0.2, 0.5)):
        lab = PRESENCE.with_(promise=promise, algorithm=algorithm)
        *_, found = model.stages(lab, context)
        shares = [size / fit for size, fit in zip(found.classes.sizes, population.fits(found), strict=True)]  # fmt: skip
        if population.others(found):
            shares.append(population.presence_of_others(found))
        assert least <= min(shares) <= max(shares) <= most
        assert population.fits(found).tolist() == [
            fitting(found, i, PEOPLE._frame) for i in range(found.classes.many)
        ]
        shown_ = lab.last(context)
        assert not shown_.problems
        assert shown_.sentence("presence").tone != "bad" or most == 1
    told = little(lab, SMALL).problems
    assert [(each.field, "its table beside" in render(each.say)) for each in told] == [
        ("promise", True)
    ]


def test_a_report_of_presence_does_not_say_whose_rows_they_are() -> None:
    lab, _ = lab_of(["anonymity", "quasi=zip", "sensitive=ill", "known=zip | age", "promise.k=2",
                     "among=age < 24"])  # fmt: skip
    for promise, where in ((Presence(k=2, most=0.9), None), (Size(k=2), "age < 24")):
        found = made(lab.with_(promise=promise), SMALL)
        assert report(found)["published_where"] == where
        told = {each.key for each in little(found.lab, SMALL).sentences}
        assert ("dimension" in told) == (where is not None)  # of age nothing hides who is in it


def test_one_word_below_the_top_is_not_everybody() -> None:
    """A column that holds one word, or numbers of one interval: who holds another fits no class."""
    frame = TOY.assign(town="x", age=[21, 22, 23, 24] * 2)
    others = frame.assign(town="y", age=91).drop(columns="ill")
    data, people = Dataset(frame, "few"), Dataset(pd.concat([frame, others]), "people")
    for name, height in (("town", 0), ("age", 1)):
        named = FullDomain(heights=(f"{name}={height}",))
        lab = PRESENCE.with_(quasi=(name,), algorithm=named, trees=("age = 10, 20 from 20",))
        *_, found = model.stages(lab.with_(promise=Size(k=2)), Context(data, {SECOND: people}))
        assert (population.fits(found).tolist(), population.others(found)) == ([8], 8)
        told = lab.last(Context(data, {SECOND: people}, effort=LITTLE))
        assert [each.field for each in told.problems] == ["algorithm.heights"]


def test_presence_that_cannot_be_kept_is_a_problem() -> None:
    context = Context(SMALL, {SECOND: PEOPLE}, effort=LITTLE)
    outside = Dataset(pd.concat([ALL, TOY.assign(age=99).head(1)]), "others", "others")
    cut = Presence(k=2), Mondrian("relaxed")
    heights = FullDomain(heights=("age=0", "zip=0"), suppressed=1.0)
    for promise, algorithm, field, words in (
        (Presence(k=2, most=0.3), Mondrian(), "promise.most", "fit 17 people"),
        (Presence(k=2, least=0.6), Mondrian(), "promise.least", "fit 17 people"),
        (Presence(k=2, least=0.9, most=0.1), Mondrian(), "promise.least", "above the most"),
        (*cut, "algorithm.way", "overlap"),
        (Presence(k=2, most=0.5), heights, "algorithm.heights", "At these heights"),
    ):
        found = PRESENCE.with_(promise=promise, algorithm=algorithm).last(context)
        first = found.problems[0]
        assert (first.field, words in render(first.say)) == (field, True), render(first.say)
    lab = PRESENCE.with_(promise=Presence(k=2, least=0.1))
    found = lab.last(Context(SMALL, {SECOND: outside}, effort=LITTLE))
    assert "hold (1)" in render(found.problems[0].say)


def test_identifiers_are_suggested_chosen_counted_and_not_published() -> None:
    frame = TOY.assign(
        id=range(len(TOY)), name=list("abcdefgg"), weight=np.linspace(0, 1, len(TOY))
    )
    data = Dataset(pd.concat([frame] * 3).assign(id=range(24)), "toy", "toy", "5" * 64)
    lab, _ = lab_of(["anonymity", "quasi=zip", "sensitive=ill", "promise.k=2"])
    found = little(lab, data)
    assert found.sentence("suggested").say.values["named"] == "id"
    assert "33.4 % before" not in render(found.fact("risk").note)
    lab = lab.with_(identifiers=("id", "name"))
    found = little(lab, data)
    assert not any(sentence.key == "suggested" for sentence in found.sentences)
    assert render(found.sentence("dropped").say).startswith(
        "“id” and “name”: one of these alone finds 100 %"
    )
    assert render(found.fact("risk").note) == "100 % before"
    (table,) = (o for o in found.outcomes if isinstance(o, PublishedTable))
    assert [name for name, _ in table.make().columns] == ["zip", "ill"]
    assert table.to_json()["identifiers"] == ["id", "name"]
    assert (
        little(lab.with_(identifiers=("name",)), data).fact("risk").note != found.fact("risk").note
    )
    for names in (("zip",), ("ill",), ("none",)):
        (told,) = little(lab.with_(identifiers=names), data).problems
        assert told.field == "identifiers"


def test_somebody_is_drawn_only_where_there_are_few_classes(adult: Dataset) -> None:
    """Edges are hairs in the colour of the ground, on the screen too; dots would be a grain, which
    Disclosure risk has no more."""
    found = little(Risk(known=()), adult).figure("plane")
    assert "people" not in {layer.key for layer in found.layers}
    for k, few in ((3, False), (1_000, True)):
        plane = little(Anonymity(promise=Size(k=k)), adult).figure("plane")
        assert ("people" in {layer.key for layer in plane.layers}) == few
        boxes = plane.layer("boxes")
        assert (boxes.ink, stroke(boxes).width) == ("surface", 0.5)
        assert pen(Look(), boxes.ink, stroke(boxes)).widthF() == 0.5


def test_days_beside_classes_are_days_of_the_calendar() -> None:
    days = pd.date_range("2023-09-01", periods=700)
    frame = pd.DataFrame({"day": days, "zip": ["a", "b"] * 350, "ill": ["x", "y", "y", "z"] * 175})
    data = Dataset(frame, "visits", "")
    for lab in (Anonymity(quasi=("zip", "day"), sensitive="ill"), Risk(quasi=("zip", "day"))):
        axis = little(lab, data).figure("plane").y
        assert (19723.0, "2024-01-01") in axis.ticks
        assert len(axis.ticks) > 3
        assert all(axis.range[0] <= at <= axis.range[1] for at, _ in axis.ticks)
