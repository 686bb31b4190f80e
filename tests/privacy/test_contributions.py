"""Bounded contributions: what one person with up to m rows can do to every measurement and every
score, by brute force over neighbours."""

import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from running import little

from dpstudio.data.codebook import EMPTY, Codebook, codebook_words
from dpstudio.data.conditions import parse
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.naming import every_lab
from dpstudio.labs.one_answer.clipping.law import asked_at
from dpstudio.labs.one_answer.clipping.model import clipping_model
from dpstudio.labs.one_answer.clipping.parameters import Clipping
from dpstudio.labs.one_answer.clipping.private import private_choice
from dpstudio.labs.persons import kept_sentences
from dpstudio.labs.promise.guarantee.model import guarantee_model, row_shifts, seen
from dpstudio.labs.promise.guarantee.parameters import Guarantee
from dpstudio.privacy.mechanisms import MECHANISMS, choosing, discrete_gaussian
from dpstudio.privacy.queries import ADD_REMOVE, CHOICES, QUERIES, REPLACE, Query
from dpstudio.privacy.queries.candidates import Choosing
from dpstudio.privacy.queries.query import Measurement
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, Parameters, put

LABS = every_lab()

# Values beyond the bounds, missing ones, words that are listed and one that is not.
ROWS = [
    {"x": 9, "y": 3, "c": "a", "d": "u"},
    {"x": -9, "y": -3, "c": "b", "d": "v"},
    {"x": 9, "y": -3, "c": "c", "d": "u"},
    {"x": -9, "y": 3, "c": "a", "d": "v"},
    {"x": 0, "y": 3, "c": "z", "d": None},
    {"x": None, "y": None, "c": None, "d": "u"},
]
BOUNDS = {"low": -1.0, "high": 3.0, "column": "x"}
UP = {"low": 1.0, "high": 4.0, "column": "x"}
GROUPS = {"by": "c", "groups": ("a", "b", "c")}
STATES: list[tuple[str, dict[str, Any]]] = [
    ("count", {"where": parse("x > 5")}),
    ("count", {"where": parse("")}),
    ("sum", BOUNDS),
    ("sum", {**UP, "where": parse("c = a")}),
    ("mean", {**BOUNDS, "centred": False}),
    ("mean", {**BOUNDS, "centred": True}),
    ("variance", BOUNDS),
    ("deviation", UP),
    ("histogram", {"column": "x", "edges": (-10.0, 0.0, 5.0, 10.0)}),
    ("histogram", {"column": "c", "categories": ("a",)}),
    ("grouped", {**GROUPS, **BOUNDS, "statistic": "mean"}),
    ("grouped", {**GROUPS, **UP, "statistic": "sum"}),
    ("grouped", {**GROUPS, "statistic": "count"}),
    ("contingency", {"first": "c", "second": "d", "down": ("a", "b"), "across": ("u", "v")}),
    ("counts", {"conditions": (parse("x > 5"), parse("c = a"), parse("y > 0"))}),
    ("counts", {"conditions": (parse("c = a"), parse("c = b"), parse("c = c"))}),
    (
        "counts",
        {
            "conditions": (
                parse("c = a or c != a or c is missing"),
                parse("d = u or d != u or d is missing"),
            )
        },
    ),
    ("covariance", {"columns": ("x", "y"), "ranges": ((-1.0, 3.0), (-2.0, 2.0))}),
    ("most_common", {"column": "c", "categories": ("a", "b", "c")}),
    ("most_met", {"conditions": (parse("x > 5"), parse("c = a"), parse("y > 0"))}),
    ("quantile", {"column": "x", "grid": (-9.0, 0.0, 9.0), "q": 0.25}),
    ("typed", {}),
]
FAMILY: list[type[Parameters]] = [*QUERIES, *CHOICES]


def states(family: list[Any]) -> list[Any]:
    kinds = {kind.key: kind for kind in family}
    return [
        pytest.param(kinds[key](**held), id=f"{key}-{i}")
        for i, (key, held) in enumerate(STATES)
        if key in kinds
    ]


def test_every_question_is_tried_here() -> None:
    assert {key for key, _ in STATES} == {kind.key for kind in FAMILY}


@cache
def table(mine: tuple[int, ...], m: int, seed: int) -> Dataset:
    """Others with up to m + 2 rows, a row that is nobody's, and those of ROWS that are `mine`
    strewn among them, some of them too many."""
    rng = np.random.default_rng(seed)
    others = [{**ROWS[rng.integers(len(ROWS))], "who": f"p{rng.integers(3)}"} for _ in range(8)] + [
        {**ROWS[0], "who": None}
    ]
    at = sorted(rng.integers(0, len(others) + 1, len(mine)))
    for place, row in zip(reversed(at), reversed(mine), strict=True):
        others.insert(int(place), {**ROWS[row], "who": "me"})
    frame = pd.DataFrame(others, columns=["x", "y", "c", "d", "who"])
    frame = frame.astype({"x": "Int64", "y": "Int64", "c": "str", "d": "str", "who": "str"})
    return Dataset(frame, "t").described(Codebook(person="who", most=m))


def persons(m: int) -> Iterator[tuple[int, ...]]:
    """Everyone with up to m rows of those above, and some with one row more."""
    for size in range(m + 1):
        yield from itertools.combinations_with_replacement(range(len(ROWS)), size)
    yield from ((*[row] * m, row + 1) for row in range(len(ROWS) - 1))


def fits(change: tuple[float, ...], move: tuple[float, ...]) -> bool:
    """Whether the sizes of a change are those of a move, or less, with some of them split over
    several coordinates."""
    if not change:
        return True
    return any(
        fits(change[1:], (*move[:i], room - change[0], *move[i + 1 :]))
        for i, room in enumerate(move)
        if room >= change[0] - 1e-9
    )


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("query", states(QUERIES))
def test_no_person_moves_a_measurement_more_and_one_moves_it_as_much(query: Query, m: int) -> None:
    found = []
    for i, mine in enumerate(persons(m)):
        here, there = (
            query.ask(table(rows, m, i % 4), ADD_REMOVE).measurements for rows in (mine, ())
        )
        found.append([np.round(a.values - b.values, 9) for a, b in zip(here, there, strict=True)])
    for adjacency in (ADD_REMOVE, REPLACE):
        asked = query.ask(table((), m, 0), adjacency)
        for place, part in enumerate(asked.measurements):
            # What a person adds does not depend on the others: measurements are sums over rows.
            added = np.unique(np.array([each[place] for each in found]), axis=0)
            if adjacency == REPLACE:
                added = np.unique(
                    (added[:, None] - added[None]).reshape(-1, added.shape[1]), axis=0
                )
            _check(part, np.abs(added), reached=all(move.reached for move in asked.moves))


def _check(part: Measurement, changes: np.ndarray, *, reached: bool) -> None:
    stated = part.sensitivity
    found = {
        "l1": changes.sum(axis=1).max(),
        "l2": np.hypot.reduce(changes, axis=1).max(),
        "linf": changes.max(),
        "l0": np.count_nonzero(changes, axis=1).max(),
    }
    for norm, value in found.items():
        assert value <= getattr(stated, norm) * (1 + 1e-9), norm
        if reached and norm != "l0":
            assert value == pytest.approx(getattr(stated, norm)), norm
    if part.whole and stated.patterns:  # integer noise is calibrated to these
        for sizes in {
            tuple(sorted((float(v) for v in change if v), reverse=True)) for change in changes
        }:
            assert any(fits(sizes, move) for move in stated.patterns), (sizes, stated.patterns)


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("query", states(CHOICES))
def test_no_person_moves_a_score_more(query: Choosing, m: int) -> None:
    """And no choice tells more than ε, with the scores as they are: the worst of all neighbours."""
    everyone = [*list(persons(m))[:: 2 * m - 1], *((row,) * m for row in range(len(ROWS)))]
    farthest = dict.fromkeys((ADD_REMOVE, REPLACE), 0.0)
    for i, mine in enumerate(everyone):
        neighbours = {ADD_REMOVE: table((), m, i % 4), REPLACE: table(everyone[i - 1], m, i % 4)}
        for adjacency, other in neighbours.items():
            here, there = (
                query.ask(data, adjacency).scores for data in (table(mine, m, i % 4), other)
            )
            change = here.values - there.values
            assert np.max(np.abs(change)) <= here.sensitivity * (1 + 1e-9)
            assert not here.monotone or np.all(change >= 0)
            farthest[adjacency] = max(
                farthest[adjacency], float(np.max(np.abs(change))) / here.sensitivity
            )
            for kind in choosing.SELECTIONS:
                assert kind(epsilon=1.5).loss_between(here, there) <= 1.5 * (1 + 1e-9)
    assert query.key == "typed" or farthest[ADD_REMOVE] == pytest.approx(1)


def test_one_coordinate_is_worst() -> None:
    """Splitting a move over two coordinates never loses more under discrete Gaussian noise: δ by
    summing over the plane."""
    k = np.arange(-60, 61)
    for sigma in (0.4, 0.8, 1.7):
        p = np.exp(-(k**2) / (2 * sigma**2))
        p /= p.sum()

        def delta(a: int, b: int, epsilon: float, p: np.ndarray = p) -> float:
            here, there = np.outer(p, p), np.outer(np.roll(p, a), np.roll(p, b))
            return float(np.maximum(here - math.exp(epsilon) * there, 0).sum())

        for epsilon in (0.0, 0.3, 1.0, 3.0, 9.0):
            whole = delta(3, 0, epsilon)
            assert delta(2, 1, epsilon) <= whole * (1 + 1e-9) + 1e-14
            assert delta(1, 1, epsilon) <= delta(2, 0, epsilon) * (1 + 1e-9) + 1e-14
            assert delta(2, -1, epsilon) == pytest.approx(delta(2, 1, epsilon), abs=1e-14)


def test_mixtures_that_nothing_dominates_are_known_by_norms_only() -> None:
    """Three rows may move three overlapping counts by 2 each, which is no part of (3, 3): then zCDP
    bounds the noise."""
    kinds = {kind.key: kind for kind in QUERIES}
    pairs = tuple(map(parse, ("c != a", "c != b", "c != z")))
    where = parse("c in (a, b, z)")
    query = kinds["counts"](conditions=pairs, where=where)
    sensitivity = query.ask(table((), 3, 0), ADD_REMOVE).measurements[0].sensitivity
    assert (sensitivity.l1, sensitivity.l2, sensitivity.linf, sensitivity.l0) == (
        6,
        pytest.approx(3 * math.sqrt(2)),
        3,
        3,
    )
    assert sensitivity.patterns == ()
    noise = discrete_gaussian.DiscreteGaussian(epsilon=1.0, delta=1e-5)
    assert noise.delta_at(1.0, sensitivity) == pytest.approx(1e-5, rel=1e-6)
    crossed = kinds["grouped"](**GROUPS, **BOUNDS, statistic="sum").ask(table((), 2, 0), REPLACE)
    assert crossed.measurements[0].sensitivity.patterns == ()
    assert kinds["grouped"](**GROUPS, **UP, statistic="sum").ask(
        table((), 2, 0), REPLACE
    ).measurements[0].sensitivity.patterns == ((8, 8),)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_noise_grows_with_the_rows_of_a_person(kind: Any) -> None:
    """m like rows of a person are hidden as one row is with 1/m of it: the law of m rows is that of
    one, m times as wide."""
    query = {k.key: k for k in QUERIES}["histogram"](column="c", categories=("a", "b", "c"))
    one, three = (
        query.ask(table((), m, 0), ADD_REMOVE).measurements[0].sensitivity for m in (1, 3)
    )
    assert render(three.why).endswith("L1 = 3, L2 = 3.")
    count = {k.key: k for k in QUERIES}["count"](where=parse("x > 0")).ask(
        table((), 3, 0), ADD_REMOVE
    )
    assert render(count.measurements[0].sensitivity.why).endswith("3 times as much: Δ = 3.")
    mechanism = kind(epsilon=0.5)
    narrow, wide = (math.sqrt(mechanism.law(s).variance) for s in (one, three))
    # Stairs are crossed by small moves in three cells as by a large one in one, so they need more
    # than three times as much.
    assert (
        wide / narrow == pytest.approx(3, rel=0.02)
        if kind.key != "staircase"
        else wide / narrow > 3
    )


def test_a_public_n_is_refused_in_a_sentence() -> None:
    data = table((), 1, 0)
    kinds = {kind.key: kind for kind in QUERIES}
    for key in ("mean", "variance", "deviation"):
        query = kinds[key](**BOUNDS, n_public=True)
        assert [p.field for p in query.problems(data, REPLACE)] == ["query.n_public"]
        (problem,) = query.problems(data, REPLACE)
        assert "person" in render(problem.say)
        with pytest.raises(ParamError, match="person"):
            query.ask(data, REPLACE)
    lab = Clipping(column="x", statistic="mean", adjacency=REPLACE, n_public=True)
    assert [p.field for p in lab.problems(data) if p.stops] == ["n_public"]


@pytest.mark.parametrize("statistic", ["sum", "mean", "variance"])
@pytest.mark.parametrize("adjacency", [ADD_REMOVE, REPLACE])
def test_the_clipping_lab_asks_as_explore_does(statistic: str, adjacency: str) -> None:
    kinds = {kind.key: kind for kind in QUERIES}
    for m in (1, 3):
        data = table((0, 1), m, 0)
        lab = Clipping(column="x", statistic=statistic, adjacency=adjacency, low=-1, high=3)
        uncentred = {"centred": False} if statistic == "mean" else {}
        explored = kinds[statistic](**BOUNDS, **uncentred).ask(data, adjacency)
        asked = asked_at(clipping_model(lab, Context(data)), -1.0, 3.0)
        for mine, theirs in zip(asked.measurements, explored.measurements, strict=True):
            for norm in ("l1", "l2", "linf", "l0"):
                assert getattr(mine.sensitivity, norm) == pytest.approx(
                    getattr(theirs.sensitivity, norm)
                ), mine.name
        assert [move.shifts for move in asked.moves] in (
            [],
            [move.shifts for move in explored.moves],
        )
        assert asked.truth[0] == pytest.approx(explored.truth[0])


@pytest.mark.parametrize("statistic", ["sum", "mean", "variance"])
@pytest.mark.parametrize("adjacency", [ADD_REMOVE, REPLACE])
@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_the_clipping_lab_shares_a_budget_as_every_release_does(
    kind: Any, adjacency: str, statistic: str
) -> None:
    """Its noise at many bounds at once is that of the release at each of them; uneven bounds, whose
    middle is floored for integers, among them."""
    low, high = np.array([-1.0, 0.0, 1.0, -7.0]), np.array([3.0, 1.0, 6.0, 2.0])
    for m, epsilon in ((1, 1.0), (3, 12.0)):
        lab = Clipping(
            column="x", statistic=statistic, adjacency=adjacency, mechanism=kind(epsilon=epsilon)
        )
        model = clipping_model(lab, Context(table((0, 1), m, 0)))
        found = np.array(model.question.spreads(low, high, lab.mechanism))
        for at, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            laws = Release(asked_at(model, a, b), lab.mechanism).laws
            assert found[:, at] == pytest.approx([law.variance for law in laws], rel=2e-6)


def test_a_private_choice_of_a_bound_hides_all_rows_of_a_person() -> None:
    """Exponential mechanism on the clipping lab's ranks: no neighbour changes a chance by more than
    e^(its share of ε)."""
    lab = Clipping(
        column="x", low=-10, grid="equal", grid_low=-8, grid_high=9, points=6, choose_epsilon=0.5
    )
    lab = put(lab, "mechanism.epsilon", 2.0)
    losses = []
    for i in range(len(ROWS)):
        for choose in ("exponential", "noisy"):
            chosen = [
                private_choice(clipping_model(lab.with_(choose=choose), Context(data)))
                for data in (table((i,) * 3, 3, i), table((), 3, i))
            ]
            assert chosen[0] is not None
            assert chosen[1] is not None
            losses.append(float(np.max(np.abs(np.log(chosen[0].chances / chosen[1].chances)))))
    assert 0.3 < max(losses) <= 1.0 + 1e-9


def test_a_row_of_a_person_stands_for_all_of_them() -> None:
    data = table((0, 1, 2), 2, 3)
    frame = pd.DataFrame(data.cells(0, data.rows), columns=["x", "y", "c", "d", "who"])
    row = int(np.flatnonzero(frame["who"] == "me")[0])
    assert data.only(row).cells(0, 9) == [
        tuple(r) for r in frame[frame["who"] == "me"].itertuples(index=False)
    ]


@pytest.mark.parametrize(
    "query",
    [q for q in states(QUERIES) if q.id in ("mean-4", "grouped-10", "counts-14", "covariance-17")],
)
def test_a_row_of_guarantee_is_its_person(query: Query) -> None:
    """What it says the row moves is what leaving out its person, with all rows that are kept,
    moves."""
    with_me, without = table((0, 3, 2, 1), 3, 2), table((), 3, 2)
    row = next(i for i, cells in enumerate(with_me.cells(0, 99)) if cells[4] == "me")
    lab = Guarantee(query=query, neighbour="row", row=row + 1)
    scene = guarantee_model(lab, Context(with_me))
    before, after = (query.ask(data, ADD_REMOVE).measurements for data in (with_me, without))
    for place, (here, there) in enumerate(zip(before, after, strict=True)):
        moved = np.zeros(len(here.values))
        for part, by in row_shifts(scene)[place]:
            moved[part] = by
        assert moved == pytest.approx(here.values - there.values)
    assert "person of row" in render(seen(scene).what)


def test_nothing_told_changes_nothing() -> None:
    data = table((), 1, 0).described(EMPTY)
    assert data.rows == 9
    assert (data.person, data.contributions, data.dropped, data.unowned) == ("", 1, 0, 0)
    assert data.described(codebook_words([])) is data


@pytest.mark.parametrize("kind", ["", "identifier", "number", "integer"])
@pytest.mark.parametrize("gap", [False, True])
def test_people_whom_doubles_take_for_one_are_two(kind: str, gap: bool) -> None:
    """Were they one, each would push rows of the other out, and one person would move 2m rows."""
    first, second = 2**53, 2**53 + 1
    who = pd.array(
        [first, second, first, second, *([None] if gap else [])], dtype="Int64" if gap else "int64"
    )
    table = Dataset(pd.DataFrame({"who": who, "x": range(len(who))}), "t")
    data = table.described(codebook_words([f"who: type={kind}"] if kind else [], "who", 1))
    assert [row[1] for row in data.cells(0, 9)] == [0, 1]
    assert data.only(1).cells(0, 9) == data.cells(1, 2)
    if kind == "identifier":
        assert [row[0] for row in data.cells(0, 9)] == [str(first), str(second)]
        assert dict(data.distinct("who")) == {str(first): 1, str(second): 1}
    if kind == "integer" and not gap:
        words = Dataset(
            pd.DataFrame({"who": ["7", str(first - 1), str(first), str(second)]}), "t"
        ).described(codebook_words(["who: type=integer"]))
        assert words.unread("who") == 2  # no double tells these from their neighbours


def test_answers_about_parts_and_reports_say_what_several_rows_cost() -> None:
    """Parts may share a person, each person sends one local report however many rows other labs
    use, the rank score moves by all rows of a person; what stays is said once."""
    rows = [(f"p{i // 4}", 20 + i % 40, "ab"[i % 2]) for i in range(400)]
    table = Dataset(pd.DataFrame(rows, columns=["who", "age", "word"]), "t")
    labs = {lab.key: lab for lab in LABS}
    for most in (1, 3):
        data = table.described(codebook_words(["age: low=0 high=100 attested=yes"], "who", most))
        said: dict[str, dict[str, str]] = {}
        for key in ("composition", "local_counts", "local_means", "clipping"):
            found = little(labs[key]().suited(data), data)
            said[key] = {s.key: render(s.say) for s in found.sentences} | {
                "problems": " ".join(render(p.say) for p in found.problems)
            }
        assert ("share no person" in said["composition"]["parallel"]) == (most == 3)
        for key in ("local_counts", "local_means"):
            assert "Each “who” is asked once" in said[key]["problems"]
            assert "one person" in said[key]["neighbours"]
            assert "100 people" in said[key]["asked"]
        assert f"its score by at most {0.99 * most:.4g}." in said["clipping"]["private"]
    question = {kind.key: kind for kind in CHOICES}["most_common"](
        column="word", categories=("a", "b")
    )
    asked = kept_sentences(data, question, ADD_REMOVE, 0, show_truth=True)
    assert "the best is a with all of them too" in render(asked[1].say)
