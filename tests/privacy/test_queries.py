"""Queries: answers equal plain pandas, and the declared sensitivity is the supremum over all
neighbours of small tables."""

import functools
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.data.conditions import parse
from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import open_table
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES, QUERIES, REPLACE, Query, count, total
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.values.parameters import roles

NUMBERS = (math.nan, -3.0, -1.0, 0.5, 2.0, 9.0)
WORDS = ("a", "b", "z", None)
ROWS = tuple(itertools.product(NUMBERS, WORDS))
# Every table has this row, so that the column always holds a number.
ANCHOR = (2.0, "a")


def table(rows: tuple) -> Dataset:
    frame = pd.DataFrame(list(rows), columns=["x", "c"]).astype({"x": "float64", "c": "str"})
    return Dataset(frame, "small")


@functools.cache
def small() -> dict[tuple, Dataset]:
    """Every unordered table of at most two free rows, by these: made when first asked for, as not
    every process of a run does."""
    return {
        rows: table((ANCHOR, *rows))
        for n in (0, 1, 2)
        for rows in itertools.combinations_with_replacement(ROWS, n)
    }


def neighbours(adjacency: str):
    """All unordered tables of at most two free rows with each of their neighbours of at most
    two."""
    order = {row: i for i, row in enumerate(ROWS)}
    for rows in small():
        for at in range(len(rows)):
            rest = rows[:at] + rows[at + 1 :]
            if adjacency == ADD_REMOVE:
                yield rows, rest
            else:
                for other in ROWS:
                    yield rows, tuple(sorted((*rest, other), key=order.__getitem__))


def furthest(query: Query, adjacency: str) -> list[tuple[float, float, float]]:
    """For each measurement the largest L1, L2 and L∞ distance between neighbours."""
    asked = {rows: query.ask(data, adjacency).measurements for rows, data in small().items()}
    values = [{rows: m[i].values for rows, m in asked.items()} for i in range(len(asked[()]))]
    pairs = list(neighbours(adjacency))
    out = []
    for of in values:
        gaps = np.array([of[a] - of[b] for a, b in pairs])
        out.append(
            (
                np.abs(gaps).sum(axis=1).max(),
                np.sqrt((gaps**2).sum(axis=1)).max(),
                np.abs(gaps).max(),
            )
        )
    return out


BOUNDS = [(-3.0, 2.0), (-1.0, 9.0), (0.5, 2.0), (2.0, 9.0), (-3.0, -1.0), (-1.0, 0.5)]
ASKED: list[Query] = [
    count.Count(where='x > 0 and c != "b"'),
    *(
        total.Sum(column="x", low=low, high=high, where=where)
        for low, high in BOUNDS
        for where in ("", 'c = "a"')
    ),
    *(
        total.Mean(column="x", low=low, high=high, centred=centred)
        for low, high in BOUNDS[:4]
        for centred in (False, True)
    ),
    total.Mean(column="x", low=-1, high=9, where="c in (a, z)", centred=True),
    Histogram(column="x", edges=(-3, 0, 3)),
    Histogram(column="x", edges=(-3, 0, 1, 2.5, 9), where="c is not missing"),
    Histogram(column="c", categories=("a", "b")),
    Histogram(column="c", categories=("b", "z", "unheard"), where="x < 5"),
]


def describe(query: Query) -> str:
    bounds = f"{query.low:g},{query.high:g}" if isinstance(query, total.Sum | total.Mean) else ""
    return "-".join(
        filter(
            None,
            (
                query.key,
                bounds,
                "centred" if getattr(query, "centred", False) else "",
                str(query.where),
            ),
        )
    )


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("query", ASKED, ids=describe)
def test_sensitivity_is_the_supremum(query: Query, adjacency: str) -> None:
    """Nothing neighbours can do is larger than declared, and something is as large."""
    declared = [m.sensitivity for m in query.ask(small()[()], adjacency).measurements]
    for found, d in zip(furthest(query, adjacency), declared, strict=True):
        assert found == pytest.approx((d.l1, d.l2, d.linf), rel=1e-12)


def test_public_mean_under_replace() -> None:
    """With n public and no value missing, one noisy mean: (U − L)/n."""
    full = [v for v in NUMBERS if not math.isnan(v)]
    for low, high in ((-1.0, 9.0), (0.5, 2.0)):
        query = total.Mean(column="x", low=low, high=high, n_public=True)
        means = {
            rows: query.ask(table(tuple((v, "a") for v in rows)), REPLACE)
            for rows in itertools.product(full, repeat=3)
        }
        gaps = [abs(means[a].truth[0] - means[(v, *a[1:])].truth[0]) for a in means for v in full]
        (part,) = next(iter(means.values())).measurements
        assert (
            max(gaps)
            == pytest.approx(part.sensitivity.l1, rel=1e-12)
            == pytest.approx((high - low) / 3)
        )


def test_public_mean_is_refused_where_a_row_can_drop_out() -> None:
    """Add/remove, a condition, a missing value: each at its field, with one sentence."""
    query = total.Mean(column="x", low=0, high=9, n_public=True)
    whole, holed = table(((1.0, "a"), (2.0, "b"))), table(((1.0, "a"), (math.nan, "b")))
    assert not list(query.problems(whole, REPLACE))
    for asked, data, adjacency in (
        (query, whole, ADD_REMOVE),
        (query.with_(where=parse("c = a")), whole, REPLACE),
        (query, holed, REPLACE),
    ):
        (problem,) = asked.problems(data, adjacency)
        assert problem.stops
        assert problem.field == "query.n_public"


def truth(query: Query, data: Dataset) -> np.ndarray:
    return query.ask(data, ADD_REMOVE).truth


def test_answers_on_adult(adult: Dataset) -> None:
    """Against pandas on the same file."""
    frame = pd.read_csv("assets/tables/adult.csv.xz", na_values=["?"]).head(32_561)
    assert truth(count.Count(), adult) == [6460]
    assert truth(count.Count(where="age >= 50"), adult) == [(frame.age >= 50).sum()] == [7062]
    assert truth(count.Count(where="workclass is missing"), adult) == [frame.workclass.isna().sum()]
    rich = (frame.sex == "Female") & (
        frame.race.isin(["Black", "Other"]) | (frame["hours-per-week"] > 60)
    )
    where = 'sex = "Female" and (race in (Black, Other) or hours-per-week > 60)'
    assert truth(count.Count(where=where), adult) == [rich.sum()]
    clipped = frame["hours-per-week"].clip(10, 60)
    assert truth(total.Sum(column="hours-per-week", low=10, high=60, where=where), adult) == [
        clipped[rich].sum()
    ]
    assert truth(total.Mean(column="hours-per-week", low=10, high=60), adult) == pytest.approx(
        [clipped.mean()], rel=1e-12
    )
    assert truth(total.Sum(column="age", low=0, high=100), adult) == [1_256_257]
    counts = truth(
        Histogram(
            column="age", edges=(17, 24.3, 31.6, 38.9, 46.2, 53.5, 60.8, 68.1, 75.4, 82.7, 90)
        ),
        adult,
    )
    assert counts.tolist() == [5570, 5890, 6048, 6163, 3967, 2591, 1595, 496, 174, 67]
    assert dict(zip(*_parts(Histogram(column="race"), adult), strict=True)) == {
        "White": 27816, "Black": 3124, "Asian-Pac-Islander": 1039, "Amer-Indian-Eskimo": 311, "Other": 271
    }  # fmt: skip


def _parts(query: Query, data: Dataset) -> tuple[tuple[str, ...], list[float]]:
    asked = query.ask(data, ADD_REMOVE)
    return asked.labels, asked.truth.tolist()


def test_marital_counts_of_all_rows() -> None:
    """The seven counts over training and test rows."""
    data = open_table("adult_all")
    assert data.rows == 48_842
    assert dict(zip(*_parts(Histogram(column="marital-status"), data), strict=True)) == {
        "Married-civ-spouse": 22379, "Never-married": 16117, "Divorced": 6633, "Separated": 1530, "Widowed": 1518,
        "Married-spouse-absent": 628, "Married-AF-spouse": 37,
    }  # fmt: skip


@given(
    st.lists(
        st.tuples(st.one_of(st.just(math.nan), st.floats(-50, 50)), st.sampled_from(WORDS)),
        min_size=1,
        max_size=25,
    ),
    st.floats(-20, 0),
    st.floats(1, 30),
)
def test_answers_on_random_tables(rows: list, low: float, high: float) -> None:
    """Count, sum, mean and histogram with values that are missing, outside the bounds or on an
    edge."""
    rows = [*rows, ANCHOR, (low, "b"), (high, None)]
    data, frame = table(tuple(rows)), pd.DataFrame(rows, columns=["x", "c"])
    chosen = frame[(frame.x > low) & frame.c.isin(["a", "z"])]
    where = f"x > {low!r} and c in (a, z)"
    assert truth(count.Count(where=where), data) == [len(chosen)]
    clipped = chosen.x.clip(low, high)
    assert truth(total.Sum(column="x", low=low, high=high, where=where), data) == pytest.approx(
        [clipped.sum()], rel=1e-12, abs=1e-9
    )
    assert truth(total.Mean(column="x", low=low, high=high, where=where), data) == pytest.approx(
        [clipped.mean()], rel=1e-12, abs=1e-9
    )
    edges = (low, 0.5 * (low + high), high)
    inside = [
        ((frame.x >= a) & ((frame.x < b) | ((b == high) & (frame.x == b)))).sum()
        for a, b in itertools.pairwise(edges)
    ]
    assert truth(Histogram(column="x", edges=edges), data).tolist() == inside
    assert truth(Histogram(column="c", categories=("z", "a", "q")), data).tolist() == [
        (frame.c == w).sum() for w in ("z", "a", "q")
    ]


def test_answers_are_remembered_by_the_question(adult: Dataset, touched: list[str]) -> None:
    """The same question again does not touch the table, another one does."""
    fresh = Dataset(adult._frame, "fresh")
    for _ in range(3):
        truth(count.Count(where="age > 33 and sex = Male"), fresh)
    assert touched.count("mask") == 1
    truth(count.Count(where="age > 34 and sex = Male"), fresh)
    assert touched.count("mask") == 2


@pytest.mark.parametrize("kind", QUERIES, ids=lambda kind: kind.key)
def test_every_question_opens_its_sentence_and_knows_whose_its_bounds_are(
    kind: type[Query],
) -> None:
    """Words and bounds belong to columns that the question names."""
    assert kind.asks
    for name, role in roles(kind).items():
        assert set(role.of) <= set(roles(kind)), name
        if name in ("low", "high", "edges", "dates", "categories", "groups", "down", "across"):
            assert role.of, name
