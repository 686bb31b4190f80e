"""Synthesis: the counts of the facts, that no way spends more than it claims, what is as printed, and
that the table that leaves tells neighbours apart by nothing and opens again."""

from __future__ import annotations

import json
import math
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from forgotten import forgotten
from running import LEAST, PLAIN, first_rows, lab_of, little, opened
from scipy.stats import ks_2samp, wasserstein_distance

from dpstudio.data.cells import cells_of
from dpstudio.data.codebook import EMPTY, About
from dpstudio.data.dataset import Dataset
from dpstudio.files.read.choices import Choices
from dpstudio.files.tables import open_table, open_with_report
from dpstudio.files.write import leaving
from dpstudio.files.write.jsonout import findings_json
from dpstudio.files.write.leaving import StaysError, leave
from dpstudio.files.write.published import published_files
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.naming import every_lab
from dpstudio.labs.whole_tables.synthesis import distances, problems, ways
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel, known_of, stages
from dpstudio.labs.whole_tables.synthesis.parameters import Synthesis
from dpstudio.labs.whole_tables.synthesis.uses import _lot, uses
from dpstudio.labs.whole_tables.synthesis.ways import histogram, one_table, records
from dpstudio.labs.whole_tables.synthesis.ways.independent import Independent
from dpstudio.labs.whole_tables.synthesis.ways.tree import SpanningTree
from dpstudio.labs.whole_tables.synthesis.ways.way import Task
from dpstudio.labs.whole_tables.synthesis.words import sentences
from dpstudio.privacy.mechanisms.concentrated import concentrated_rho
from dpstudio.privacy.queries.total import Sum
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.privacy.synthetic import graphical
from dpstudio.privacy.synthetic.chance import Exact, Seeded
from dpstudio.privacy.synthetic.marginals import counted, total_variation
from dpstudio.privacy.synthetic.records import DIFFERENCE_MOVES, STEPS
from dpstudio.values.messages import render
from dpstudio.values.parameters import domains


def model_of(words: str, data: Dataset) -> SynthesisModel:
    lab, _ = lab_of(["synthesis", *words.split(" ")])
    *_, model = stages(lab, Context(data, effort=LEAST))
    return model


def test_adult_has_the_numbers_of_the_facts():
    adult = opened("adult")
    zero = adult.described(EMPTY.with_about("age", About(low=0, high=99, attested=True)))
    model = model_of("way=histogram columns=age bins=100 missing=nowhere low=44 high=55", zero)
    asked, found = distances.asked_range(model), distances.histograms(model)
    assert (asked.low, asked.high, asked.true) == (44, 55, 6577)
    assert asked.deviation == pytest.approx(math.sqrt(22))
    assert "“age” from 44 to 54: 6,577 in truth" in render(sentences(model)[0].say)
    assert found.true is not None
    assert (found.true[36], np.count_nonzero(found.true)) == (898, 73)
    assert distances.phantom_people(model) == pytest.approx(13.9, abs=0.05)
    assert distances.sampling_floor(model) == pytest.approx(0.0167, abs=3e-4)
    words = "way=one_table columns=age|marital-status bins=100 way.printed=occurring"
    pair = model_of(words, adult)
    assert distances.singles(pair) == 38
    figures = distances.pair_figures(pair)
    assert figures is not None
    assert (figures.apart, figures.information) == pytest.approx((0.2615, 0.246), abs=5e-4)


def nearest(noisy: np.ndarray) -> np.ndarray:
    """The nearest counts from 0 on with their sum, at least 1, by what is taken off each of the
    largest so many: the most that leaves something of each."""
    falling = np.sort(noisy)[::-1]
    off = (np.cumsum(falling) - max(noisy.sum(), 1.0)) / np.arange(1, len(noisy) + 1)
    return np.maximum(noisy - off[np.flatnonzero(falling > off)[-1]], 0.0)


@pytest.mark.parametrize("seed", range(6))
def test_so_many_rows_are_where_they_are_not_after_the_nearest_counts(seed: int):
    """The sentence, at random states of the ways that repair counts, against noise that those ways
    draw anew for tables of their own."""
    rng = np.random.default_rng(seed)
    way = ("independent", "one_table")[seed % 2]
    columns = rng.permutation(["age", "race", "sex", "education", "income"])[: 1 + seed // 2]
    words = f"way={way} way.repair=simplex columns={'|'.join(columns)} bins={rng.integers(3, 20)}"
    model = model_of(f"{words} epsilon={10 ** rng.uniform(-1.5, 0.5):.3g}", first_rows(900))
    way, task = model.lab.way, model.task
    where = distances.clamped(model)
    exact = counted(task.codes, model.known.sizes, where).ravel()
    moved = []
    for _ in range(200):
        noisy = way.noisy(task, model.known, where, Seeded(rng)).ravel()
        near = nearest(noisy)
        assert way.positive(noisy, model.known) == pytest.approx(near, abs=1e-6)
        moved.append(np.maximum(near - exact, 0).sum())
    told = next(s for s in sentences(model) if s.key == "phantoms").say.values["rows"]
    drawn = np.clip(100_000 // exact.size, 8, 400)
    error = np.std(moved) * math.sqrt(1 / 200 + 1 / drawn)
    assert told.value == pytest.approx(np.mean(moved), abs=4 * error)
    assert float(str(told).replace(",", "")) == pytest.approx(told.value, rel=0.05)


def test_pairs_are_told_by_their_correlation_and_association():
    """Against numpy's r of the codes, and against the same pair among all pairs."""
    model = model_of("way=independent columns=age|education-num missing=nowhere", opened("adult"))
    assert model.task is not None
    one, other = (np.corrcoef(held.T)[0, 1] for held in (model.task.codes, model.made.codes))
    assert distances.column_scores(model)[0][-1] == pytest.approx(1 - abs(one - other) / 2)
    pair, every = distances.pair_figures(model), distances.all_pairs(model)
    assert pair is not None
    assert every is not None
    assert (pair.true_v, pair.made_v) == pytest.approx((every.true_v[0, 1], every.made_v[0, 1]))
    assert pair.made_v < pair.true_v / 2


@dataclass
class Spy:
    """Chance that adds up what is spent: ρ of Gaussian noise and choices, ε of Laplace noise and
    choices. `first` is by how much one row moves each coordinate of the first Gaussian vector, all
    of which it moves; of any other one coordinate moves by 1."""

    first: float = 0.0
    rho: float = 0.0
    epsilon: float = 0.0
    chance: Seeded = field(default_factory=lambda: Seeded(np.random.default_rng(1)))

    def laplace(self, scale: float, size: int) -> np.ndarray:
        self.epsilon += 1 / scale
        return self.chance.laplace(scale, size)

    def gaussian(self, sigma: float, size: int) -> np.ndarray:
        self.rho += (self.first**2 * size if self.first else 1.0) / (2 * sigma**2)
        self.first = 0.0
        return self.chance.gaussian(sigma, size)

    def choose(self, scores: np.ndarray, sensitivity: float, epsilon: float) -> int:
        self.rho += epsilon**2 / 8
        self.epsilon += epsilon
        return self.chance.choose(scores, sensitivity, epsilon)


PROVED = [kind for kind in ways.WAYS if not kind.stays]


@pytest.mark.parametrize("kind", PROVED, ids=lambda kind: kind.key)
@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_no_way_spends_more_than_it_claims(kind: Any, neighbours: str):
    """For as many rows as lie between neighbours: where one person has two, that many times ε for
    noise on counts, that many times squared for ρ."""
    frame = first_rows(900)._frame.assign(who=lambda f: np.arange(len(f)) // 2)
    data = Dataset(frame, "two each").described(EMPTY.with_person("who", 2))
    columns = ("income",) if kind.only_one else ("income", "sex", "race")
    lab = Synthesis(
        columns=columns, way=kind(), epsilon=0.7, adjacency=neighbours, size="typed", written=500
    )
    *_, model = stages(lab, Context(data, effort=LEAST))
    known = known_of(lab, data, model.axes)
    assert known.steps == (2 if neighbours == "add_remove" else 4)
    spy = Spy(DIFFERENCE_MOVES * STEPS if kind is records.Records else 0.0)
    assert model.task is not None
    *_, made = lab.way.steps(model.task, known, spy, np.random.default_rng(2), 1)
    assert len(made.codes) == 500
    claim = lab.way.claim(known)
    assert claim.holds
    if claim.rho is not None:
        assert spy.rho * known.steps**2 == pytest.approx(concentrated_rho(0.7, 1e-6))
        assert claim.delta == 1e-6
    else:
        # A choice is counted as if its score moved by 1 for a row replaced as for one that comes.
        rows = 2 if kind.key == "weights" else known.steps
        assert spy.epsilon * rows == pytest.approx(0.7)
    # The noise that is said of a column is the noise that it has.
    if made.noisy[0] is not None:
        many = [next(iter(lab.way.steps(Task(model.task.codes[:0]), known,
                Seeded(np.random.default_rng(i)), np.random.default_rng(i), 1))).noisy[0]
                for i in range(60)]  # fmt: skip
        assert np.std(many) == pytest.approx(lab.way.deviations(known)[0], rel=0.3)


@pytest.mark.parametrize(("kind", "epsilon"), [(one_table.OneTable, 3.0), (SpanningTree, 14.0)])
def test_what_is_drawn_exactly_has_the_deviation_that_is_said(kind: Any, epsilon: float):
    lab = Synthesis(columns=("c",), way=kind(), epsilon=epsilon)
    axes = cells_of(table(ROWS, "1"), lab.columns).axes
    known, chance = (
        known_of(lab, table(ROWS, "1"), axes),
        Exact(ReleaseRandom(random.Random(3).randrange)),
    )
    empty, rng = Task(np.zeros((0, 1), np.int64)), np.random.default_rng(1)
    made = [next(iter(lab.way.steps(empty, known, chance, rng, 1))).noisy[0] for _ in range(400)]
    for drawn, right in ((True, True), (False, False)):
        said = lab.way.deviations(known, drawn=drawn)[0]
        assert (abs(np.std(made) / said - 1) < 0.08) == right


@pytest.mark.parametrize(
    ("low", "said"), [("80", "“age” from 80 to 90 or missing:"), ("1000", "“age” missing:")]
)
def test_a_range_may_reach_beyond_the_last_value(low: str, said: str, adult: Dataset):
    assert "empty: a third" in render(domains(Synthesis)["low"].describe())
    assert "not private" in render(domains(Sum)["low"].describe())
    model = model_of(f"way=histogram columns=age low={low} high=2000", adult)
    assert render(sentences(model)[0].say).startswith(said)


def test_a_column_of_too_many_values_is_not_told_and_says_so():
    """scikit-learn warned of 189 values among 150 rows, which is an error here."""
    frame = pd.DataFrame(
        {"a": [i % 7 for i in range(300)], "w": [f"w{i % 189}" for i in range(300)]}
    )
    lab, _ = lab_of(["synthesis", "columns=a|w", "column=a", "other=w", "missing=nowhere"])
    found = little(lab, Dataset(frame, "many words"), LEAST)
    assert "it can have 189 values, and 100 rows learn" in render(found.sentence("used").say)
    fewer = little(lab.with_(other="a", column="w"), Dataset(frame, "many words"), LEAST)
    assert "accuracy" in render(fewer.sentence("used").say)


def test_what_is_missing_has_no_place_in_an_order():
    """Here a word tells each number, and a fourth of the numbers is missing."""
    rows = [(None if i % 4 == 1 else 8.5 * (i % 2), "c", "uv"[i % 2]) for i in range(400)]
    lab = Synthesis(columns=("x", "w"), column="x", epsilon=0.1)
    context = Context(table(rows, "1"), effort=LEAST)
    *_, model = stages(lab, context)
    assert uses(model, context).real.error == pytest.approx(0, abs=1e-4)
    assert model.task is not None
    columns = [codes[:, 0] for codes in (model.task.codes, model.made.codes)]
    there = [column[column < 20] for column in columns]  # of 20 bins and one more
    far = distances.column_distances(model)
    assert far is not None
    assert (
        far[1] == pytest.approx(ks_2samp(*there).statistic) == distances.column_scores(model)[0][0]
    )
    assert far[2] == pytest.approx(wasserstein_distance(*there) / 19)


@pytest.mark.parametrize(("split", "people"), [("half", 75), ("0.3", 45), ("0.8", 120)])
def test_nobody_is_in_both_parts(split: str, people: int):
    """Of whom tables are made, nobody is among those that attackers are tried on for control; they
    are as many people as the split says."""
    rows = [(i % 9, "abc"[i % 3], "uv"[i % 2], f"p{i % 150}") for i in range(450)]
    frame = pd.DataFrame(rows, columns=["x", "c", "w", "who"])
    data = Dataset(frame, "three each").described(BOOK.with_person("who", 3))
    lab = Synthesis(columns=("x", "c"), column="x", split=split)
    *_, model = stages(lab, Context(data, effort=LEAST))
    used, others = _lot(model)
    who = frame["who"].to_numpy()
    assert set(who[used]) | set(who[others]) == set(who)
    assert not set(who[used]) & set(who[others])
    assert len(set(who[used])) == people
    assert sorted([*used, *others]) == list(range(450))


def test_a_column_of_one_cell_alone_stays_in_it():
    frame = pd.DataFrame({"a": range(300), "b": ["x"] * 300, "c": ["u", "v"] * 150})
    model = model_of("columns=a|b|c way=groups missing=nowhere", Dataset(frame, "one word"))
    assert set(model.made.codes[:, 1].tolist()) == {0}


@pytest.mark.parametrize("words", ["", " size=typed written=700"])
def test_groups_in_a_public_order_pay_for_how_many_rows_a_class_has(words: str):
    lab, _ = lab_of(
        f"synthesis columns=sex|age|income way=groups way.noise=insensitive{words}".split()
    )
    adult = opened("adult")
    data = first_rows(900).described(adult.codebook)
    *_, model = stages(lab, Context(data, effort=LEAST))
    spy, known = Spy(), known_of(lab, data, model.axes)
    assert model.task is not None
    (made,) = lab.way.steps(model.task, known, spy, np.random.default_rng(2), 1)
    assert spy.epsilon == pytest.approx(0.1 * lab.epsilon)
    assert lab.way.claim(known).holds
    assert (len(made.codes) == 700) == bool(words)
    assert "700" not in words or len(model.made.codes) == 700


def test_what_is_as_printed_says_what_it_costs(adult: Dataset):
    for words, cost in (("one", math.inf), ("occurring", math.inf), ("twice", 2.0)):
        lab, _ = lab_of(["synthesis", "way=histogram", f"way.printed={words}", "epsilon=1"])
        found = little(lab, adult, LEAST)
        assert [p.grave for p in found.problems] == [True]
        assert found.sentence("theorem").tone == found.sentence("printed").tone == "bad"
        assert lab.way.claim(known_of(lab, adult, ())).cost == cost
    # Columns that are counted one by one give away who is alone in any of them.
    alone = model_of("way=independent way.printed=occurring columns=age|native-country", adult)
    assert (
        distances.singles(alone)
        == np.count_nonzero(adult._frame["native-country"].value_counts() == 1)
        > 0
    )
    # Where one is replaced their number is free: every two tables of up to three rows that one
    # replaced row tells apart, in two cells and out of both.
    lab, _ = lab_of(["synthesis", "way=histogram", "way.printed=twice", "adjacency=replace"])
    known = known_of(lab, adult, ())
    moved = [
        sum(abs(here.count(cell) - more.count(cell)) for cell in (0, 1))
        + abs(here.count(2) - more.count(2))
        for here in product(range(3), repeat=3)
        for more in ((*here[:2], last) for last in range(3))
    ]
    claim = lab.way.claim(known)
    assert max(moved) / lab.way.scale(known) == claim.cost == 1
    found = little(lab, adult, LEAST)
    assert not found.problems
    assert found.sentence("size").tone == "plain"
    whole = model_of("way=histogram way.printed=one columns=age", adult)
    apart = distances.histograms(whole)
    assert apart.noisy is not None
    assert np.ptp(np.asarray(apart.noisy) - np.asarray(apart.true)) < 1e-9


def test_a_first_table_comes_before_the_best_and_a_range_makes_none_anew(
    monkeypatch: pytest.MonkeyPatch, adult: Dataset
):
    data, made = Dataset(adult._table, "fresh"), list[int]()
    steps = records.Records.steps

    def counted(self: records.Records, *given: Any) -> Any:
        made.append(given[-1])
        return steps(self, *given)

    monkeypatch.setattr(records.Records, "steps", counted)
    lab = Synthesis(columns=("sex", "income"), way=records.Records())
    told = []
    context = Context(data, effort=LITTLE, progress=lambda share, doing: told.append(share))
    pages = list(lab.run(context))
    assert len(pages) >= 3
    assert told[0] == 0
    many = len(made)
    moved = lab.with_(low=1.0, high=2.0).last(context)
    assert len(made) == many
    assert moved.figures


def test_groups_of_few_rows_have_a_first_table_of_some_of_them(adult: Dataset):
    """With the noise of all rows, and as many rows; the last table is the one without a first."""
    lab, _ = lab_of(
        ["synthesis", "way=groups", "way.noise=none", "way.k=25", "columns=age|sex|income"]
    )
    data = first_rows(12_000).described(adult.codebook)
    *_, model = stages(lab, Context(data, effort=LEAST))
    assert model.task is not None
    known, rows = known_of(lab, data, model.axes), list[int]()
    task = Task(model.task.codes, alive=lambda: rows.append(1))
    chance, worked, made = Seeded(np.random.default_rng(1)), list[int](), []
    for each in lab.way.steps(task, known, chance, np.random.default_rng(1), 2):
        worked.append(len(rows))
        made.append(each.codes)
    assert worked[0] < worked[1] / 3
    assert [len(codes) for codes in made] == [12_000, 12_000]
    true = counted(model.task.codes, known.sizes, (0,))
    for codes in made:
        assert total_variation(counted(codes, known.sizes, (0,)), true) < 0.05
    (alone,) = lab.way.steps(task, known, chance, np.random.default_rng(1), 1)
    np.testing.assert_array_equal(alone.codes, made[1])


def test_a_way_that_reads_a_column_that_is_not_there_is_refused_and_no_more():
    """The histogram reads one column; the others were the end of the run."""
    data = Dataset(pd.DataFrame({"who": [1.0, 2.0, 2.0]}), "toy", "toy", "9" * 64)
    made = Synthesis(columns=("who", "gone"), column="who").with_(way=histogram.Histogram())
    assert "gone" in str(problems.refused(made, data)["way"]["independent"].values)


def test_a_way_that_needs_a_public_number_of_rows_is_offered_with_one(adult: Dataset):
    lab, _ = lab_of(["synthesis", "columns=sex|race|income", "way=weights"])
    found = little(lab, adult, LEAST)
    (problem,) = found.problems
    assert (problem.field, problem.mend.changes if problem.mend else None) == (
        "size",
        (("size", "typed"),),
    )
    assert "weights" not in found.refused["way"]
    wide = little(lab.with_(columns=("age", "education", "occupation")), adult, LEAST)
    assert wide.problems[0].field == "way"
    assert "weights" in wide.refused["way"]


def test_a_graphical_model_is_an_extra_that_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, adult: Dataset
):
    monkeypatch.setattr(graphical, "find_spec", lambda name: None)
    lab, _ = lab_of(["synthesis", "columns=sex|income", "way=graphical"])
    (problem,) = lab.problems(adult)
    assert problem.stops
    assert "pip install dpstudio[mbi]" in render(problem.say)


@pytest.mark.skipif(not graphical.there(), reason="the extra dpstudio[mbi] is not installed")
@pytest.mark.parametrize("algorithm", ["aim", "mst"])
def test_a_graphical_model_keeps_brothers_apart_and_can_be_ended(algorithm: str, adult: Dataset):
    """Two columns that a third one tells, and that are independent where it is known."""
    rng = np.random.default_rng(1)
    told = rng.integers(0, 3, 3000)
    codes = np.stack([told, *((told + (rng.random(3000) < 0.3)) % 3 for _ in range(2))], 1)
    shares = list[float]()
    made = graphical.fitted(codes, (3, 3, 3), 10.0, algorithm, 3000, 1, shares.append)
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.5, abs=1e-6)  # half of the budget is for columns alone
    assert shares[-1] == pytest.approx(0.95, abs=1e-3)  # a tenth of the rest is for choosing
    for pair in ((0, 1), (0, 2), (1, 2)):
        assert total_variation(*(counted(c, (3, 3, 3), pair) for c in (codes, made))) < 0.05

    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        graphical.modelled(codes, (3, 3, 3), 1.0, algorithm, None, 1, stop)


# What leaves

BOOK = (
    EMPTY.with_about("x", About(low=0, high=8, attested=True))
    .with_about("c", About(categories=("a", "b", "c"), attested=True))
    .with_about("w", About(categories=("u", "v"), attested=True))
)
ROWS = [(i % 9, "abc"[i % 3], "uv"[i % 2]) for i in range(80)]


def table(rows: list[tuple[Any, ...]], digest: str) -> Dataset:
    frame = pd.DataFrame(rows, columns=["x", "c", "w"])
    return Dataset(frame, "people", "/home/me/people.csv", digest * 64).described(BOOK)


@dataclass
class Replayed:
    """A ledger that gives every table what was drawn of the first."""

    memory: dict[str, Any] = field(default_factory=dict)
    told: tuple[Any, ...] = ()

    def draws_of(self, data: Dataset, export: Any = None) -> Replayed:
        self.data = data
        return self

    def draw(self, asked: Any, cost: Any, make: Callable[[Dataset, ReleaseRandom], Any]) -> Any:
        made = make(self.data, ReleaseRandom(secrets.randbelow))
        json.dumps(made)
        return self.memory.setdefault(json.dumps(asked), made)


CAME = [(9e6, "zzz", None), *ROWS]  # the first of all, a word that is not listed, a value less


@pytest.mark.parametrize("kind", PROVED, ids=lambda kind: kind.key)
@pytest.mark.parametrize(
    ("adjacency", "size", "rows"),
    [("add_remove", "typed", CAME), ("replace", "counted", [CAME[0], *ROWS[1:]])],
)
def test_tables_of_neighbours_with_one_draw_are_the_same_files(
    kind: Any,
    adjacency: str,
    size: str,
    rows: list[Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    here, more = table(ROWS, "1"), table(rows, "2")
    lab = Synthesis(columns=("x", "c", "w"), column="x", way=kind(), size=size, written=60)
    lab = lab.with_(adjacency=adjacency)
    ledger, sides = Replayed(), []
    for data in (here, more):
        left = leave(lab, data, ledger, LEAST)
        monkeypatch.setattr(leaving, "_check", lambda *given: None)
        (made,) = left.findings.outcomes
        paths = published_files(made, data.digest[:1], tmp_path)
        sides.append([path.read_bytes() for path in paths])
        sides[-1].append(json.dumps(findings_json(left.findings)).encode())
        assert not any(figure.exact for figure in left.findings.figures)
    assert sides[0] == sides[1]
    told = json.loads(sides[0][2])
    assert told["epsilon"] == 1
    assert not {"seed", "n", "sha256", "digest"} & set(told)
    assert here.digest.encode() not in b"".join(sides[0])
    # What is drawn may be words throughout: that the first row names the columns is told.
    again = open_table(str(tmp_path / "1.csv"), choices=Choices(header="yes"))
    assert size == "counted" or again.rows == 60
    assert [c.name for c in again.columns] == (["x"] if kind.only_one else ["x", "c", "w"])


@pytest.mark.parametrize("odd", ["none", "2.5", "1e5"])
def test_one_odd_value_is_one_value_less_and_no_other_table(odd: str, tmp_path: Path):
    """A word among numbers would make them words, and be refused; a fraction among numbers that are
    categories would write them all anew, and none would be found."""
    book = BOOK.with_about("k", About(categories=("0", "1"), attested=True))
    lab, sides, books = Synthesis(columns=("x", "k"), column="x", way=Independent()), [], []
    for name, value in (("here", "1"), ("more", odd)):
        cells = [(str(i % 9), str(i % 2)) for i in range(300)]
        cells[151] = (value, cells[151][1]) if odd == "none" else (cells[151][0], value)
        path = tmp_path / f"{name}.csv"
        path.write_text("x,k\n" + "".join(f"{x},{k}\n" for x, k in cells))
        told = PLAIN.with_(types=("x=number", "k=number"))
        data = open_with_report(str(path), choices=told).data.described(book)
        many = data.tally("k", ("0", "1"), ())
        assert many.tolist() == [150, 149 if name == "more" and odd != "none" else 150]
        left = leave(lab.with_(epsilon=50.0), data, forgotten(), LEAST)
        (made,) = left.findings.outcomes
        books.append(left.data.codebook)
        sides.append({name: list(values) for name, values in made.make().columns})
    assert books[0] == books[1]  # which files name
    for column in ("x", "k"):
        gone = [side[column].count(None) for side in sides]
        assert max(gone) <= 3
    assert abs(sides[0]["k"].count("0") - sides[1]["k"].count("0")) <= 3


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        ("way=groups", "another way"),
        ("way=histogram way.printed=one", "another way"),
        ("way=groups way.noise=insensitive", SpanningTree.label),
        ("way=graphical", SpanningTree.label),
    ],
)
def test_what_has_no_proof_or_no_exact_noise_stays_and_says_what_to_choose(
    words: str, instead: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(graphical, "find_spec", lambda name: name)
    lab, _ = lab_of(["synthesis", "columns=x|c", "column=x", *words.split(" ")])
    # Nor does it where what is from the data makes the cells, and then nothing says that it does.
    found = little(lab.with_(way=SpanningTree()), table(ROWS, "1").described(EMPTY), LEAST)
    assert "cannot be published" in render(found.sentence("publish").say)
    with pytest.raises(StaysError) as caught:
        leave(lab, table(ROWS, "1"), forgotten(), LEAST)
    said = render(caught.value.sentence)
    assert instead in said.partition("Choose")[2]
    if lab.way.key != "graphical":
        found = little(lab, table(ROWS, "1"), LEAST)
        assert render(found.sentence("publish").say) == said
        assert not found.outcomes


@pytest.mark.parametrize(("low", "kind"), [(18_000, "date"), (-(10**7), "category")])
def test_dates_are_dates_again(low: int, kind: str, tmp_path: Path):
    """In both files, where the calendar has all of them: of 20 bins 19 lie before it, so that the
    chance that nothing is drawn there is one in half a million."""
    days = pd.DataFrame({"d": pd.to_datetime(["2020-01-05", "2021-03-04"] * 150)})
    book = EMPTY.with_about("d", About(type="date", low=low, high=19_000, attested=True))
    lab = Synthesis(columns=("d",), column="d", way=Independent())
    data = Dataset(days, "days", "", "1" * 64).described(book)
    (made,) = leave(lab, data, forgotten(), LEAST).findings.outcomes
    again = [open_table(str(path)) for path in published_files(made, "days", tmp_path)[:2]]
    assert [each.info("d").type for each in again] == [kind] * 2
    if kind == "date":
        assert again[0].extent("d") == again[1].extent("d")
    assert len(render(little(lab, data, LEAST).tables[-1].columns[0][1][0])) >= 10


def test_every_lab_runs_on_the_table_that_was_written(tmp_path: Path):
    adult = opened("adult")
    lab = Synthesis(size="typed", written=400, columns=("age", "sex", "hours-per-week", "income"))
    (made,) = leave(lab, adult, forgotten(), LEAST).findings.outcomes
    paths = published_files(made, "made", tmp_path)
    domain = json.loads(paths[2].read_text())["domain"]
    *_, preview = stages(lab, Context(adult, effort=LEAST))
    assert [tuple(each["edges"]) for each in domain] == [axis.edges for axis in preview.axes]
    assert '"edges": [1.0, 5.95, 10.9, 15.85, 20.8,' in json.dumps(domain[2])
    tables = [open_table(str(path)) for path in paths[:2]]
    assert [t.rows for t in tables] == [400, 400]
    assert [c.name for c in tables[0].columns] == [c.name for c in tables[1].columns]
    # What is published of Adult says that ages are whole, so no row of a neighbour decides it.
    assert [t.info("age").type for t in tables] == ["integer", "integer"]
    for kind in every_lab():
        found = little(kind().suited(tables[0]), tables[0], LEAST)
        assert found.figures, (kind.key, [render(p.say) for p in found.problems])
