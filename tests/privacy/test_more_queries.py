"""Every query of the catalogue: sensitivities by brute force over all neighbours of small tables,
answers against pandas."""

import itertools
import json
import math
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special

from dpstudio.data.conditions import parse
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES, CHOICES, QUERIES, REPLACE, Query
from dpstudio.privacy.queries.candidates import Choosing
from dpstudio.privacy.queries.contingency import Contingency
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.covariance import Covariance, moment_moves
from dpstudio.privacy.queries.grouped import Grouped
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.mode import MostCommon, MostMet
from dpstudio.privacy.queries.quantile import Quantile
from dpstudio.privacy.queries.query import MeasuredQuestion, Move, sensitivity_of
from dpstudio.privacy.queries.several import Counts, memberships
from dpstudio.privacy.queries.total import Mean, Sum
from dpstudio.privacy.queries.variance import Deviation, Variance
from dpstudio.privacy.release.answerable import answerable, refused_mechanisms, refused_queries
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import Message, render
from dpstudio.values.parameters import domains, from_json, to_json

NAN = math.nan
TYPES = {"x": "float64", "y": "float64", "i": "int64", "c": "str", "d": "str"}
LINE = {"x": (NAN, -2.0, -1.0, 0.25, 1.0, 3.0, 5.0), "c": ("a", "z")}
CROSS = {"c": ("a", "b", "z", None), "d": ("p", "q", None)}
GROUPS = {"x": (NAN, -3.0, -1.0, 0.5, 3.0, 4.0), "c": ("a", "b", "z", None)}
BOX = {"x": (NAN, -2.0, -1.0, 1.5, 3.0), "y": (NAN, -5.0, 0.0, 2.0, 3.0)}
MIXED = {"i": (-1, 0, 1, 2, 5), "c": ("a", "b", None)}


@dataclass(frozen=True)
class Trial:
    """A query, and the values of each column whose product is all the people there are; one of them
    is in every table."""

    query: Query
    columns: dict[str, tuple]


def _trials(
    query: type[Query], columns: dict[str, tuple], *settings: dict[str, object]
) -> list[Trial]:
    return [Trial(query(**setting), columns) for setting in settings]


# The middle of these bounds is a value of the table, too.
SPREADS = (
    {"column": "x", "low": -1, "high": 3},
    {"column": "x", "low": 1, "high": 5, "where": "c = a"},
)
BOUNDED = (
    *SPREADS,
    {"column": "x", "low": -2, "high": 1},
    {"column": "x", "low": -2, "high": -1, "where": "c = a"},
)
PLACED = {"column": "x", "by": "c", "groups": "a|b"}

# A query that is not listed here has not been tried: test_every_query_is_tried says so.
TRIALS: dict[type[Query], list[Trial]] = {
    Count: _trials(Count, LINE, {"where": "x > 0 and c = a"}),
    Sum: _trials(Sum, LINE, *BOUNDED) + _trials(Sum, MIXED, {"column": "i", "low": 0, "high": 2}),
    Mean: [
        *_trials(Mean, LINE, *BOUNDED, *({**setting, "centred": False} for setting in BOUNDED)),
        # About a half: twice the sum is an integer.
        *_trials(Mean, MIXED, {"column": "i", "low": 0, "high": 1, "where": "c = a"}),
    ],
    Variance: _trials(Variance, LINE, *SPREADS),
    Deviation: _trials(Deviation, LINE, *SPREADS),
    Histogram: [
        *_trials(
            Histogram,
            LINE,
            {"column": "x", "edges": "-1, 0, 3"},
            {"column": "x", "edges": "0, 9", "where": "c = a"},
        ),
        *_trials(
            Histogram,
            CROSS,
            {"column": "c", "categories": "b|a|unheard"},
            {"column": "c", "categories": "b"},
        ),
    ],
    Grouped: [
        *_trials(
            Grouped,
            GROUPS,
            {**PLACED, "statistic": "count"},
            {**PLACED, "groups": "b", "statistic": "count"},
        ),
        *(
            Trial(Grouped(**PLACED, statistic=statistic, low=low, high=high), GROUPS)
            for statistic in ("sum", "mean")
            for low, high in ((-1, 3), (0.5, 3), (-3, 3))
        ),
        *_trials(
            Grouped, GROUPS, {**PLACED, "groups": "b", "low": -1, "high": 3, "where": "x > -2"}
        ),
    ],
    Contingency: _trials(
        Contingency,
        CROSS,
        {"first": "c", "second": "d", "down": "a|b", "across": "q|p|unheard"},
        {"first": "c", "second": "d", "down": "b", "across": "p", "where": "d != q"},
    ),
    Counts: _trials(
        Counts,
        MIXED,
        {"conditions": "i > 0 | i > 1 | c = a"},
        {"conditions": "i < 1 | i = 1 | i > 1"},
        {"conditions": "i > 1 and i < 2 | c != a | c is missing", "where": "i >= 0"},
        {"conditions": "c = a | c = b | i < 0 | i in (1, 2, 5)"},
    ),
    Covariance: _trials(
        Covariance,
        BOX,
        {"columns": "x|y", "ranges": "-1..3|0..2"},
        {"columns": "y|x", "ranges": "0..3|1..2"},
    ),
}
ALL = [trial for trials in TRIALS.values() for trial in trials]
PUBLIC: dict[type[Query], list[Query]] = {
    kind: [
        kind(column="x", low=-1, high=3, n_public=True),
        kind(column="x", low=1, high=3, n_public=True),
    ]
    for kind in (Mean, Variance, Deviation)
}
both = pytest.mark.parametrize("adjacency", ADJACENCIES)


def describe(trial: Trial) -> str:
    shown = {
        name: domain.show(getattr(trial.query, name))
        for name, domain in domains(type(trial.query)).items()
    }
    start = {
        name: domain.show(getattr(type(trial.query)(), name))
        for name, domain in domains(type(trial.query)).items()
    }
    return "-".join(
        [
            trial.query.key,
            *(value or "none" for name, value in shown.items() if value != start[name]),
        ]
    )


def test_every_query_is_tried() -> None:
    """A new query is tested as soon as it has a small table here."""
    assert set(TRIALS) == set(QUERIES)
    assert all(type(trial.query) is kind for kind, trials in TRIALS.items() for trial in trials)
    assert set(PUBLIC) == {kind for kind in QUERIES if "n_public" in domains(kind)}


def table(columns: dict[str, tuple], rows: tuple) -> Dataset:
    cells = zip(*rows, strict=True) if rows else [()] * len(columns)
    held = zip(columns, cells, strict=True)
    # By columns: a frame of rows is typed in three times the time.
    frame = pd.DataFrame({name: pd.array(list(c), dtype=TYPES[name]) for name, c in held})
    return Dataset(frame, "small")


@lru_cache
def tables(columns: tuple[tuple[str, tuple], ...]) -> dict[tuple[int, ...], Dataset]:
    """Every unordered table of at most two people beside one who is always there, by the numbers of
    these two."""
    people = list(itertools.product(*(values for _, values in columns)))
    everyone = table(dict(columns), tuple(people))._frame
    free = (
        rows
        for n in (0, 1, 2)
        for rows in itertools.combinations_with_replacement(range(len(people)), n)
    )
    return {rows: Dataset(everyone.iloc[[len(people) - 1, *rows]], "small") for rows in free}


@lru_cache
def neighbours(people: int, adjacency: str) -> np.ndarray:
    """Places in the list of tables of the pairs that one person tells apart, shape (pairs, 2)."""
    free = [
        rows
        for n in (0, 1, 2)
        for rows in itertools.combinations_with_replacement(range(people), n)
    ]
    place = {rows: i for i, rows in enumerate(free)}
    pairs = set()
    for rows in free:
        for at in range(len(rows)):
            rest = rows[:at] + rows[at + 1 :]
            others = (
                [rest]
                if adjacency == ADD_REMOVE
                else [tuple(sorted((*rest, other))) for other in range(people)]
            )
            pairs |= {(place[rows], place[other]) for other in others}
    return np.array(sorted(pairs))


def steps(trial: Trial, adjacency: str) -> tuple[list[np.ndarray], MeasuredQuestion]:
    """For each measurement its differences between neighbours, shape (differences, coordinates),
    the same pair in the same row of each; and the question as it is put to one of the tables."""
    asked = [
        trial.query.ask(data, adjacency) for data in tables(tuple(trial.columns.items())).values()
    ]
    assert all(
        not m.whole or np.all(m.values == np.round(m.values)) for a in asked for m in a.measurements
    )
    index = neighbours(math.prod(map(len, trial.columns.values())), adjacency)
    values = np.stack([np.concatenate([m.values for m in a.measurements]) for a in asked])
    gaps = np.unique(np.round(values[index[:, 0]] - values[index[:, 1]], 12), axis=0)
    return np.split(
        gaps, np.cumsum([len(m.values) for m in asked[0].measurements])[:-1], axis=1
    ), asked[0]


def norms(gaps: np.ndarray) -> np.ndarray:
    """The largest L1, L2, L∞ norm and number of coordinates over the rows."""
    size = np.abs(gaps)
    return np.array(
        [
            size.sum(axis=1).max(),
            np.sqrt((size**2).sum(axis=1)).max(),
            size.max(),
            (size > 0).sum(axis=1).max(),
        ]
    )


def vectors(moves: tuple[Move, ...], place: int, dims: int) -> np.ndarray:
    """The shifts of one measurement as vectors, shape (moves, dims)."""
    out = np.zeros((len(moves), dims))
    for row, move in zip(out, moves, strict=True):
        for coordinate, by in move.shifts[place]:
            row[coordinate] += by
    return out


@both
@pytest.mark.parametrize("trial", ALL, ids=describe)
def test_sensitivity_over_all_neighbours(trial: Trial, adjacency: str) -> None:
    """Never more than stated, in any norm; as much as the moves that are said to be reached; the
    rest is said to be a bound."""
    found, asked = steps(trial, adjacency)
    for place, (gaps, m) in enumerate(zip(found, asked.measurements, strict=True)):
        s, dims = m.sensitivity, len(m.values)
        stated = np.array([s.l1, s.l2, s.linf, s.l0])
        assert np.all(norms(gaps) <= stated * (1 + 1e-9)), (m.name, norms(gaps), stated)
        assert stated == pytest.approx(norms(vectors(asked.moves, place, dims)), rel=1e-12)
        reached = tuple(move for move in asked.moves if move.reached)
        assert norms(gaps) == pytest.approx(norms(vectors(reached, place, dims)), rel=1e-9)
        assert s.dims == dims or (s.dims, dims) == (1, 1)
        assert len(reached) == len(asked.moves) or trial.query.key in (
            "variance",
            "deviation",
            "covariance",
        )

    # Each reached move is one that some pair of neighbours makes, in all measurements at once
    # (whichever the coordinates).
    made = {
        tuple(tuple(np.sort(np.round(np.abs(row), 9))) for row in pair)
        for pair in zip(*found, strict=True)
    }
    for move in (move for move in asked.moves if move.reached):
        shape = tuple(
            tuple(np.sort(np.round(np.abs(vectors((move,), place, len(m.values))[0]), 9)))
            for place, m in enumerate(asked.measurements)
        )
        assert shape in made, move.what.text
    check_joint_delta(found, asked)


def check_joint_delta(found: list[np.ndarray], asked: MeasuredQuestion) -> None:
    """The true δ of all Gaussian measurements together is exactly that of the worst pair of
    neighbours: the textbook's as it says, the calibrated one's the δ that was given.

    Of a spread too: with equal shares for sum and count the person who comes or goes is worse than
    any change of a value.
    """
    for epsilon, kind in itertools.product((0.5, 2.0, 8.0), (TextbookGaussian, AnalyticGaussian)):
        made = Release(asked, kind(epsilon=epsilon))
        apart = sum(
            (gaps**2).sum(axis=1) / law.sigma**2 for gaps, law in zip(found, made.laws, strict=True)
        )
        shift = float(np.sqrt(apart.max()))
        worst = special.ndtr(shift / 2 - epsilon / shift) - math.exp(epsilon) * special.ndtr(
            -shift / 2 - epsilon / shift
        )
        told = made.guarantee.true_delta if kind is TextbookGaussian else made.guarantee.delta
        assert told == pytest.approx(worst, rel=1e-6, abs=0)


@pytest.mark.parametrize(
    "query", [q for queries in PUBLIC.values() for q in queries], ids=lambda q: f"{q.key}-{q.low:g}"
)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_public_n_under_replace(query: Query, n: int) -> None:
    """With n public and no value missing one noisy answer; Δ of (n − 1)/n² (U − L)² and √(n − 1)/n
    (U − L) is attained."""
    values = [v for v in LINE["x"] if not math.isnan(v)]
    rows = list(itertools.combinations_with_replacement(values, n))
    asked = {row: query.ask(table({"x": ()}, tuple((v,) for v in row)), REPLACE) for row in rows}
    furthest = max(
        abs(asked[row].truth[0] - asked[tuple(sorted((v, *row[1:])))].truth[0])
        for row in rows
        for v in values
    )
    furthest = max(
        furthest,
        *(
            abs(asked[row].truth[0] - asked[tuple(sorted((*row[:-1], v)))].truth[0])
            for row in rows
            for v in values
        ),
    )
    (part,) = asked[rows[0]].measurements
    width = query.high - query.low
    expected = {
        "mean": width / n,
        "variance": (n - 1) / n**2 * width**2,
        "deviation": math.sqrt(n - 1) / n * width,
    }[query.key]
    assert (
        part.sensitivity.l1
        == part.sensitivity.l2
        == part.sensitivity.linf
        == pytest.approx(expected, rel=1e-12, abs=1e-200)
    )
    assert furthest == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert asked[rows[0]].moves[0].shifts[0] == ((0, part.sensitivity.l1),)


@pytest.mark.parametrize("p", [2, 3, 4, 5])
def test_second_moments_over_the_whole_box(p: int) -> None:
    """Replace one: L2 = 2√(m(p + 1 − m)) is the maximum, and no change inside the box moves L1 or
    L∞ more than is stated."""
    rows, columns = np.triu_indices(p + 1)
    rng = np.random.default_rng(p)

    def gap(v: np.ndarray) -> np.ndarray:
        z, w = (
            np.concatenate([np.ones((*v.shape[:-1], 1)), half], axis=-1)
            for half in np.split(v, 2, axis=-1)
        )
        return z[..., rows] * z[..., columns] - w[..., rows] * w[..., columns]

    corners = np.array(list(itertools.product((-1.0, 1.0), repeat=2 * p)))
    tried = [corners, rng.uniform(-1, 1, (20_000, 2 * p))]
    for size in (lambda g: (g**2).sum(axis=-1), lambda g: np.abs(g).sum(axis=-1)):
        for _ in range(4):
            start = rng.uniform(-1, 1, 2 * p)
            found = optimize.minimize(
                lambda v, size=size: -size(gap(v)),
                start,
                bounds=[(-1, 1)] * 2 * p,
                method="L-BFGS-B",
            )
            tried.append(found.x[None, :])
    worst = norms(gap(np.concatenate(tried)))
    s = sensitivity_of(moment_moves(p, REPLACE), 0, len(rows), Message(""))
    m = (p + 1) // 2
    assert (
        s.l2
        == pytest.approx(2 * math.sqrt(m * (p + 1 - m)), rel=1e-12)
        == pytest.approx(worst[1], rel=1e-9)
    )
    assert s.linf == pytest.approx(worst[2])
    assert worst[0] <= s.l1
    # sup of the L1 norm over changes of values is known: α = |z + w|/2, |z − w|/2 = 1 − α give a
    # convex problem.
    assert worst[0] == pytest.approx(len(rows) - 1 + p / (2 * (p + 1)), rel=2e-2)


@pytest.mark.parametrize("p", [2, 5, 8])
def test_l1_of_second_moments_is_attained(p: int) -> None:
    """A change of values moves L1 by N − 1 + p/(2p + 2) < N at most, so the person who comes or
    goes (N) is the worst."""
    entries = (p + 1) * (p + 2) // 2
    assert sensitivity_of(moment_moves(p, REPLACE), 0, entries, Message("")).l1 == pytest.approx(
        entries
    )


# --- who can be in several counts at once ---

POOL = {
    "i": [None, *range(-4, 6)],
    "x": [None, *np.arange(-4, 5, 0.25).tolist()],
    "c": [None, "a", "b", "q", "elsewhere"],
}
EVERYONE = pd.DataFrame(list(itertools.product(*POOL.values())), columns=list(POOL)).astype(
    {"i": "Int64", "x": "float64", "c": "str"}
)
WORLD = Dataset(EVERYONE, "everyone")
KINDS_OF = {info.name: info.type for info in WORLD.columns}


def _comparisons() -> st.SearchStrategy[str]:
    whole, half = st.integers(-3, 3), st.integers(-6, 6).map(lambda k: k / 2)
    sign = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
    words = st.lists(st.sampled_from("abq"), min_size=1, max_size=2, unique=True).map(", ".join)
    listed = st.lists(half, min_size=1, max_size=3).map(lambda v: ", ".join(map(str, v)))
    membership = st.sampled_from(["in", "not in"])
    return st.one_of(
        st.builds("i {} {}".format, sign, st.one_of(whole, half)),
        st.builds("x {} {}".format, sign, half),
        st.builds("{} {} ({})".format, st.sampled_from("ix"), membership, listed),
        st.builds("c {} {}".format, st.sampled_from(["=", "!="]), st.sampled_from("abq")),
        st.builds("c {} ({})".format, membership, words),
        st.builds("{} is {}missing".format, st.sampled_from("ixc"), st.sampled_from(["", "not "])),
    )


CONDITIONS = st.recursive(
    _comparisons(),
    lambda inner: st.builds(
        lambda parts, word: "(" + f") {word} (".join(parts) + ")",
        st.lists(inner, min_size=2, max_size=3),
        st.sampled_from(["and", "or"]),
    ),
    max_leaves=4,
)


DAYS = [
    "2019-12-31",
    "2020-01-01",
    "2020-01-01 00:00:01",
    "2020-01-01 23:59",
    "2020-01-02",
    "2020-05-31 12:00",
    "2021-01-01",
    None,
]
DATED = Dataset(
    pd.DataFrame([{"t": t, "x": x} for t in map(pd.Timestamp, DAYS) for x in (0, 1)]), "t"
)
ABOUT_DAYS = st.builds(
    lambda sign, days: f"t {sign} ({', '.join(days)})" if "in" in sign else f"t {sign} {days[0]}",
    st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "in", "not in"]),
    st.lists(
        st.sampled_from(["2020", '"2020-05"', "2020-01-01", "2020-01-01T00:00:01", "2021-01-01"]),
        min_size=1,
        max_size=2,
    ),
)


@given(st.lists(ABOUT_DAYS | st.just("x = 1 or t is missing"), min_size=1, max_size=3, unique=True))
def test_memberships_of_dates_cover_everyone(texts: list[str]) -> None:
    """As the table evaluates them; moments that no row here has may add sets, which costs noise and
    never privacy."""
    wheres = tuple(map(parse, texts))
    met = np.stack([DATED._held.mask(where) for where in wheres], axis=1)
    held = memberships(wheres, {"t": "date", "x": "integer"})
    assert held is not None
    assert held >= {tuple(np.flatnonzero(row).tolist()) for row in np.unique(met, axis=0)}
    for adjacency in ADJACENCIES:
        asked = Counts(conditions=wheres).ask(DATED, adjacency)
        assert asked.measurements[0].sensitivity.l1 == max(
            1,
            *(
                len(set(a) ^ set(b))
                for a in held
                for b in held | {()}
                if adjacency == "replace" or not b
            ),
        )
        assert asked.truth.tolist() == met.sum(axis=0).tolist()


@given(st.lists(CONDITIONS, min_size=1, max_size=4))
def test_memberships_are_those_of_everyone(texts: list[str]) -> None:
    """Exactly the sets that people with every combination of values are in, as the table itself
    evaluates the conditions."""
    wheres = tuple(map(parse, texts))
    met = np.stack([WORLD._held.mask(where) for where in wheres], axis=1)
    everyone = {tuple(np.flatnonzero(row).tolist()) for row in np.unique(met, axis=0)}
    assert memberships(wheres, KINDS_OF) == everyone
    if len(set(map(str, wheres))) == len(wheres):
        asked = {
            adjacency: Counts(conditions=wheres).ask(WORLD, adjacency).measurements[0].sensitivity
            for adjacency in ADJACENCIES
        }
        rows = np.unique(met, axis=0).astype(int)
        apart = np.abs(rows[:, None] - rows[None]).sum(axis=2).max()
        for adjacency, most in ((ADD_REMOVE, rows.sum(axis=1).max()), (REPLACE, apart)):
            s = asked[adjacency]
            assert (s.l1, s.l2, s.linf, s.l0) == pytest.approx(
                (max(1, most), math.sqrt(max(1, most)), 1, max(1, most))
            )


@pytest.mark.parametrize(
    ("conditions", "enters", "replaced"),
    [
        ("i > 1 and i < 2 | c = a", 1, 1),  # no integer lies between
        ("x > 1 and x < 2 | c = a", 2, 2),
        ("i < 0 | i = 0 | i > 0", 1, 2),  # one after another: as a histogram
        ("i > 0 | i > 1 | i > 2 | i > 3", 4, 4),
        ("c = a | c != a | c is missing", 1, 2),
        ("i > 0 | i <= 0 | x > 0 | x <= 0", 2, 4),
        ("i > 1 and i < 2", 1, 1),  # nobody: asked with noise for one
    ],
)
def test_sensitivity_of_overlaps(conditions: str, enters: int, replaced: int) -> None:
    for adjacency, most in ((ADD_REMOVE, enters), (REPLACE, replaced)):
        s = Counts(conditions=conditions).ask(WORLD, adjacency).measurements[0].sensitivity
        assert (s.l1, s.l2, s.linf, s.l0) == pytest.approx((most, math.sqrt(most), 1, most))


def test_too_many_combinations_take_the_bound() -> None:
    """Past 60,000 kinds of people nothing is tried: all k counts at once, said to be a bound."""
    wide = Dataset(pd.DataFrame({f"c{i}": ["a", "b"] for i in range(11)}), "wide")
    query = Counts(conditions=" | ".join(f"c{i} = a" for i in range(11)))
    assert memberships(query.conditions, {f"c{i}": "category" for i in range(11)}) is None
    for adjacency in ADJACENCIES:
        asked = query.ask(wide, adjacency)
        s = asked.measurements[0].sensitivity
        assert (s.l1, s.l2, s.linf, s.l0) == pytest.approx((11, math.sqrt(11), 1, 11))
        assert [move.reached for move in asked.moves] == [False]


@pytest.mark.parametrize(
    "conditions",
    [
        "i > 1e17 | i >= 1e17",
        "x < 1e17 | x <= 1e17",
        "x > 1e308 | x > 1.2e308 and x < 1.5e308",
        "x < inf | x <= inf",
    ],
)
def test_overlaps_of_very_large_numbers(conditions: str) -> None:
    """Somebody meets both."""
    assert Counts(conditions=conditions).ask(WORLD, ADD_REMOVE).measurements[0].sensitivity.l1 == 2


@pytest.mark.parametrize("condition", ["i < inf", "i = nan", "i != nan"])
def test_counts_about_no_number(condition: str) -> None:
    """The words inf and nan read as numbers: a count answers them, so several counts must answer or
    refuse by name."""
    query = Counts(conditions=condition)
    assert (
        any(p.stops for p in query.problems(WORLD, ADD_REMOVE))
        or query.ask(WORLD, ADD_REMOVE).measurements[0].sensitivity.l1 == 1
    )


# --- conditions ---


@cache
def crowd() -> tuple[Dataset, Dataset]:
    """Rows that differ in every column that the trials ask about, and in one that none does; and
    those of them that it says yes of."""
    rng = np.random.default_rng(5)
    pools = {"x": [-3, -1, 0.5, 3, 4], "y": [-5, 0, 2, 3], "i": [-1, 0, 1, 2, 5]}
    pools |= {"c": ["a", "b", "z"], "d": ["p", "q"]}
    halves = []
    for free, turn in (("yes", 1), ("no", -1)):  # what one half often has, the other seldom has
        made = {}
        for name, pool in pools.items():
            often = np.arange(1, len(pool) + 1)[::turn] ** 2
            made[name] = rng.choice(pool, 200, p=often / often.sum())
        halves.append(pd.DataFrame(made).astype(TYPES).assign(free=free))
    frame = pd.concat(halves, ignore_index=True)
    some = frame[frame["free"] == "yes"].reset_index(drop=True)
    return Dataset(frame, "all"), Dataset(some, "some")


ASKED = [
    *((trial.query, adjacency) for trial in ALL for adjacency in ADJACENCIES),
    *((query, REPLACE) for queries in PUBLIC.values() for query in queries),
    (MostCommon(column="c", categories="a|b|z"), ADD_REMOVE),
    (MostMet(conditions="c = a | x > 0 | i > 1"), ADD_REMOVE),
    (Quantile(column="x", grid="-3, 0, 1, 3", q=0.5), ADD_REMOVE),
]


def test_every_kind_of_question_meets_a_condition() -> None:
    conditional = {kind for kind in (*QUERIES, *CHOICES) if "where" in domains(kind)}
    assert {type(query) for query, _ in ASKED} == conditional


@pytest.mark.parametrize(
    ("query", "adjacency"),
    ASKED,
    ids=[f"{i}-{query.key}-{adjacency}" for i, (query, adjacency) in enumerate(ASKED)],
)
def test_a_condition_does_what_leaving_rows_out_does(query: Any, adjacency: str) -> None:
    """The answer under a condition is that of the table of the rows that meet it, in every
    measurement and score: no question forgets its condition in one of them."""
    every, some = crowd()
    here = query.with_(where=parse('free = "yes"')).ask(every, adjacency)
    there = query.with_(where=parse("")).ask(some, adjacency)
    whole = query.with_(where=parse("")).ask(every, adjacency)
    if isinstance(query, Choosing):
        assert here.scores.values == pytest.approx(there.scores.values)
        assert here.scores.values != pytest.approx(whole.scores.values)
        return
    assert here.truth == pytest.approx(there.truth)
    assert here.truth != pytest.approx(whole.truth)
    for one, other in zip(here.measurements, there.measurements, strict=True):
        assert one.values == pytest.approx(other.values), one.name


# --- exact answers ---


def truth(query: Query, data: Dataset) -> np.ndarray:
    return query.ask(data, ADD_REMOVE).truth


def check_answers(
    frame: pd.DataFrame,
    data: Dataset,
    x: str,
    y: str,
    g: str,
    h: str,
    chosen: pd.Series,
    where: str,
) -> None:
    """Each query of this file against pandas; x and y are columns of numbers, g and h of words,
    `chosen` is the condition."""
    low, high = 10.0, 40.0
    some = frame[chosen]
    clipped = some[x].clip(low, high)
    bounds = {"column": x, "low": low, "high": high, "where": where}
    if clipped.notna().any():
        assert truth(Variance(**bounds), data) == pytest.approx(
            [clipped.var(ddof=0)], rel=1e-9, abs=1e-9
        )
        assert truth(Deviation(**bounds), data) == pytest.approx(
            [clipped.std(ddof=0)], rel=1e-6, abs=1e-6
        )
    words = (*sorted(frame[g].dropna().unique(), reverse=True), "nobody")
    by = clipped.groupby(some[g])
    means = by.mean().reindex(words)
    assert truth(Grouped(by=g, groups=words, statistic="count", where=where), data).tolist() == [
        (some[g] == w).sum() for w in words
    ]
    assert truth(Grouped(by=g, groups=words, statistic="sum", **bounds), data) == pytest.approx(
        by.sum().reindex(words, fill_value=0)
    )
    assert truth(Grouped(by=g, groups=words, **bounds), data) == pytest.approx(
        means.fillna(low).to_numpy(), rel=1e-12
    )
    across = (*sorted(frame[h].dropna().unique()), "nobody")
    cells = Counter(zip(some[g], some[h], strict=True))
    asked = Contingency(first=g, second=h, down=words, across=across, where=where).ask(
        data, REPLACE
    )
    assert asked.truth.tolist() == [cells[pair] for pair in itertools.product(words, across)]
    assert asked.table == (words, across)
    assert asked.labels[1] == f"{words[0]} · {across[1]}"
    counted = truth(Counts(conditions=(f"`{x}` > 20", f'`{g}` = "{words[0]}"'), where=where), data)
    assert counted.tolist() == [(some[x] > 20).sum(), (some[g] == words[0]).sum()]
    full = some[[x, y]].dropna()
    if len(full):
        limits = ((low, high), (-1.5, 12.25))
        z = np.stack(
            [
                full[name].to_numpy(dtype=float).clip(*limit)
                for name, limit in zip((x, y), limits, strict=True)
            ]
        )
        found = np.cov(z, ddof=0)[np.triu_indices(2)]
        assert truth(Covariance(columns=(x, y), ranges=limits, where=where), data) == pytest.approx(
            found, rel=1e-9, abs=1e-7
        )


def test_answers_on_adult(adult: Dataset) -> None:
    frame = pd.read_csv("assets/tables/adult.csv.xz", na_values=["?"]).head(32_561)
    everyone = pd.Series(data=True, index=frame.index)
    check_answers(frame, adult, "age", "education-num", "occupation", "workclass", everyone, "")
    rich = (frame.sex == "Female") & (
        frame.race.isin(["Black", "Other"]) | (frame["hours-per-week"] > 60)
    )
    where = 'sex = "Female" and (race in (Black, Other) or hours-per-week > 60)'
    check_answers(frame, adult, "hours-per-week", "age", "marital-status", "income", rich, where)


@given(
    st.lists(
        st.tuples(
            st.one_of(st.just(NAN), st.floats(-50, 90)),
            st.one_of(st.none(), st.integers(-5, 20)),
            st.sampled_from(["u", "v", None]),
            st.sampled_from(["r", "s", None]),
        ),
        max_size=12,
    )
)
def test_answers_on_random_tables(rows: list) -> None:
    frame = pd.DataFrame([(30.0, 3, "u", "r"), *rows], columns=["x", "y", "g", "h"])
    frame = frame.astype({"x": "float64", "y": "Int64", "g": "str", "h": "str"})
    data = Dataset(frame, "random")
    check_answers(frame, data, "x", "y", "g", "h", pd.Series(data=True, index=frame.index), "")
    chosen = (frame.y >= 3).fillna(value=False).astype(bool) & (frame.g != "v") & frame.g.notna()
    check_answers(frame, data, "x", "y", "g", "h", chosen, "y >= 3 and g != v")


def test_one_group_is_told_as_one() -> None:
    """Groups typed with commas are one group that no row is in, which nothing said; and of one
    group it was said that a replaced person is in at most 2 of it."""
    by = {"by": "c", "statistic": "count", "attested": True}
    data = Dataset(pd.DataFrame({"c": ["a", "b"]}), "two")
    for words, notes in ((("a, b",), 1), (("a",), 0), (("a, b", "c"), 0)):
        asked = Grouped(**by, groups=words)
        assert [p.stops for p in asked.problems(data, REPLACE)] == [False] * notes
        for adjacency in (ADD_REMOVE, REPLACE):
            (part,) = asked.ask(data, adjacency).measurements
            assert ("groups" in render(part.sensitivity.why)) == (len(words) > 1)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_short_floats_are_summed_as_long_ones(dtype: str) -> None:
    """The same numbers give the same answers, and none is above the bound it is clipped to."""
    x = np.array([300.0, 200.0, 0.125] * 50)
    short, long = (
        Dataset(pd.DataFrame({"x": x.astype(t), "g": "a"}), "x") for t in (dtype, "float64")
    )
    everyone = parse("")
    assert short.clipped("x", 0, 0.1, everyone) == long.clipped("x", 0, 0.1, everyone)
    assert short.grouped("g", ("a",), "x", 0, 0.1, everyone) == long.grouped(
        "g", ("a",), "x", 0, 0.1, everyone
    )
    assert short.powers("x", 0, 300.1, everyone) == pytest.approx(
        long.powers("x", 0, 300.1, everyone), rel=1e-12
    )


# --- what a table can answer ---

ODD: dict[str, dict[str, object]] = {
    "words": {"w": ["a", "b", "c"]},
    "two words": {"w": ["a", "b"], "v": ["c", "d"]},
    "one number": {"x": [1.0, 2, 3]},
    "two numbers": {"x": [1.0, 2, 3], "n": [4, 5, 6]},
    "no rows": {"x": np.array([], dtype=float), "w": np.array([], dtype=str)},
    "no columns": {},
    "all missing": {"x": [NAN] * 3, "y": [NAN] * 3, "w": [None] * 3},
    "a column missing": {
        "x": [NAN] * 3,
        "y": [1.0, 2, 3],
        "z": [1, 2, 4],
        "u": pd.Series([None] * 3, dtype="str"),
        "w": ["a", "b", "a"],
    },
    "never both": {"x": [1.0, NAN], "y": [NAN, 2.0], "w": ["a", "b"]},
    "far": {"x": [1e16, 1e17], "w": ["a", "b"]},
    "infinite": {"x": [math.inf, -math.inf], "w": ["a", "b"]},
    "names": {"w": [f"id{i}" for i in range(300)], "x": np.arange(300.0)},
    "dates": {"t": pd.to_datetime(["2020-01-01", "2021-01-01"])},
    "age in words": {"age": ["old", "young"], "sex": ["m", "f"], "income": ["h", "l"]},
    "yes and no": {"b": [True, False], "x": [1, 2]},
}
WISHES: list[Query] = [
    *(kind() for kind in QUERIES),
    *(kind(where="age > 5 and sex = Male") for kind in QUERIES),
    Mean(column="x", where="x > 1e6"),
    Histogram(column="w"),
    Covariance(columns=()),
    Covariance(columns="x|y", ranges="0..1|0..1"),
    Counts(conditions="nowhere > 3 | w = a"),
]
odd = pytest.mark.parametrize("name", ODD)


@odd
def test_fitting_never_raises(name: str) -> None:
    """Whatever the table: a query, and reasons in words; what it is said to answer it does
    answer."""
    data = Dataset(pd.DataFrame(ODD[name]), name)
    assert all(isinstance(reason, Message) for reason in refused_queries(data).values())
    for wish, adjacency in itertools.product(WISHES, ADJACENCIES):
        found = answerable(wish, data, adjacency)
        assert isinstance(found, Query)
        if not any(problem.stops for problem in found.problems(data, adjacency)):
            asked = found.ask(data, adjacency)
            assert np.all(np.isfinite(asked.truth))
            assert bool(refused_mechanisms(asked)) == (not all(m.whole for m in asked.measurements))
            assert found.key not in refused_queries(data)
    assert refused_mechanisms(None) == {}


@odd
def test_refused_queries_have_no_columns(name: str) -> None:
    """A refused kind is one for which nothing fits: the default of it becomes a count."""
    data = Dataset(pd.DataFrame(ODD[name]), name)
    assert {
        answerable(kind(), data, REPLACE).key
        for kind in QUERIES
        if kind.key in refused_queries(data)
    } <= {"count"}


def test_fitted_queries_can_be_answered() -> None:
    stopped = []
    for name, columns in ODD.items():
        data = Dataset(pd.DataFrame(columns), name)
        for wish, adjacency in itertools.product(WISHES, ADJACENCIES):
            found = answerable(wish, data, adjacency)
            stopped += [
                (name, wish.key, found.key, p.field)
                for p in found.problems(data, adjacency)
                if p.stops
            ]
    assert stopped == []


# --- texts and JSON ---


@pytest.mark.parametrize("trial", ALL, ids=describe)
def test_json_and_text_round_trip(trial: Trial) -> None:
    """Not the defaults only, which the contract of all Kinds tries."""
    query = trial.query
    assert from_json(QUERIES, json.loads(json.dumps(to_json(query), allow_nan=False))) == query
    for name, domain in domains(type(query)).items():
        value = getattr(query, name)
        assert domain.parse(domain.show(value)) == (
            pytest.approx(value, rel=1e-11) if isinstance(value, float) else value
        )
