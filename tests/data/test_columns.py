"""Dates, and that every engine answers alike: a pandas frame, an Arrow table in pieces, a Parquet
file, and some rows of either."""

import io
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.data.columns import Columns, FrameColumns
from dpstudio.data.conditions import parse
from dpstudio.data.dataset import Dataset
from dpstudio.files.arrow_columns import from_parquet, from_table
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.values.dates import Dates, calendar_edges, date_text, days_of, interval_labels
from dpstudio.values.parameters import ParamError

N = 40
RNG = np.random.default_rng(5)


def _gaps(values: list[Any], every: int) -> list[Any]:
    return [None if i % every == 0 else v for i, v in enumerate(values)]


WORDS = [["red", "green", "", "blue", "Größe"][i] for i in RNG.integers(0, 5, N)]
DATES = [np.datetime64("2019-11-28") + np.timedelta64(int(i), "D") for i in RNG.integers(0, 900, N)]
VALUES: dict[str, pa.Array] = {
    "whole": pa.array(RNG.integers(-5, 90, N)),
    "short": pa.array(RNG.integers(-5, 90, N).astype(np.int8)),
    "holes": pa.array(_gaps(RNG.integers(0, 9, N).tolist(), 7), pa.int64()),
    "number": pa.array(_gaps(RNG.normal(size=N).tolist(), 5), pa.float64()),
    "single": pa.array(RNG.normal(size=N).astype(np.float32)),
    "word": pa.array(_gaps(WORDS, 6), pa.string()),
    "coded": pa.array(_gaps(WORDS, 9), pa.string()).dictionary_encode(),
    "yes": pa.array(_gaps([bool(i) for i in RNG.integers(0, 2, N)], 8), pa.bool_()),
    "day": pa.array(_gaps([d.astype(object) for d in DATES], 11), pa.date32()),
    "moment": pa.array(
        _gaps([d.astype("datetime64[us]").astype(object) for d in DATES], 13), pa.timestamp("us")
    ),
    "nothing": pa.nulls(N, pa.string()),
}
TABLE = pa.table(VALUES)
PIECES = pa.concat_tables(
    [TABLE.slice(0, 7), TABLE.slice(7, 0), TABLE.slice(7, 20), TABLE.slice(27)]
)


def parquet(table: pa.Table) -> Columns:
    file = io.BytesIO()
    pq.write_table(table, file, row_group_size=9)
    return from_parquet(pq.ParquetFile(file))


ENGINES: dict[str, Callable[[], Columns]] = {
    "pandas": lambda: FrameColumns(TABLE.to_pandas()),
    "arrow": lambda: from_table(TABLE),
    "pieces": lambda: from_table(PIECES),
    "parquet": lambda: parquet(TABLE),
    "taken": lambda: from_table(pa.concat_tables([TABLE, TABLE])).take(np.arange(N, 2 * N)),
    "taken frame": lambda: FrameColumns(TABLE.to_pandas().iloc[::-1]).take(np.arange(N)[::-1]),
}


@pytest.mark.parametrize("name", ENGINES)
def test_engines_answer_alike(name: str) -> None:
    columns = ENGINES[name]()
    assert columns.names == tuple(VALUES)
    assert columns.rows == N
    types = dict(zip(columns.names, columns.types, strict=True))
    assert types["whole"] == types["short"] == "integer"
    assert types["number"] == types["single"] == "number"
    assert types["word"] == types["coded"] == types["yes"] == types["nothing"] == "category"
    assert types["day"] == types["moment"] == "date"
    for place, (column, array) in enumerate(VALUES.items()):
        plain = array.to_pylist()
        assert columns.absent(place).tolist() == [v is None for v in plain], column
        if types[column] == "category":
            codes, words = columns.codes(place)
            assert codes.dtype == np.int32
            assert [None if c < 0 else words[c] for c in codes] == [
                None if v is None else str(v) for v in plain
            ], column
        else:
            x = columns.numbers(place)
            wanted = [
                np.nan
                if v is None
                else (
                    np.datetime64(v, "us").astype(np.int64) / 86_400e6
                    if types[column] == "date"
                    else v
                )
                for v in plain
            ]
            np.testing.assert_array_equal(x, np.array(wanted))
            assert x.dtype.kind == ("i" if column in ("whole", "short") else "f"), column
    shown = columns.cells(7, 12)
    assert len(shown) == 5
    assert [row[0] for row in shown] == VALUES["whole"].to_pylist()[7:12]
    assert [row[5] for row in shown] == VALUES["word"].to_pylist()[7:12]


@pytest.mark.parametrize("name", ENGINES)
def test_datasets_answer_alike(name: str) -> None:
    data, frame = Dataset(ENGINES[name](), name), TABLE.to_pandas()
    where = parse("day >= 2020-02-29 and whole > 20 or word = green")
    day = pd.to_datetime(frame["day"])
    met = ((day >= "2020-02-29") & (frame["whole"] > 20)) | (frame["word"] == "green")
    assert data.count(where) == int(met.sum())
    assert data.clipped("number", -1, 1, where).total == pytest.approx(
        frame["number"][met].clip(-1, 1).sum()
    )
    assert data.missing("nothing") == N
    asked = Histogram(column="moment", bins=12).ask(data, ADD_REMOVE)
    quarters = frame["moment"].dropna().dt.to_period("Q").value_counts().sort_index()
    assert {
        label.split(" ")[0][:7]: n for label, n in zip(asked.labels, asked.truth, strict=True) if n
    } == {str(q.start_time.date())[:7]: n for q, n in quarters.items()}
    assert asked.truth.sum() == frame["moment"].notna().sum()


def test_dates_in_conditions() -> None:
    frame = pd.DataFrame(
        {"t": pd.to_datetime(["2020-01-31 00:00", "2020-01-31 23:59", "2020-02-01 00:00", None])}
    )
    data = Dataset(frame, "t")
    for text, met in (
        ("t = 2020-01-31", 2),
        ("t != 2020-01-31", 1),
        ("t <= 2020-01-31", 2),
        ("t > 2020-01-31", 1),
        ('t >= "2020-01-31 23:59"', 2),
        ("t in (2020-01-31, 2020-02-01)", 3),
        ("t is missing", 1),
        ('t = "2020"', 3),
        ("t = 2020", 3),
        ("t > 2020", 0),
        ("t <= 2019", 0),
        ('t < "2020-02"', 2),
        ('t >= "2020-02"', 1),
        ('t > "2020-01"', 1),
        ('t != "2020-01"', 1),
        ("t = 2020-01-31T23:59", 1),
        ("t = 2020-01-31T23:59:01", 0),
        ("t in (2020-01-31T23:59, 2020-02-01)", 2),
        ('t not in ("2020-01")', 1),
        ("t < 2020-02", 2),
        ("t in (2020-01, 2020-02)", 3),
    ):
        assert data.count(parse(text)) == met, text
        assert parse(str(parse(text))) == parse(text)
    with pytest.raises(ParamError, match="2020-02-30"):
        data.count(parse("t > 2020-02-30"))
    with pytest.raises(ParamError, match="character 9"):
        parse("t > 2020-02-3")


@given(st.floats(-700_000, 2_900_000), st.floats(0, 60_000), st.integers(1, 200))
def test_the_calendar_covers_everything(low: float, span: float, bins: int) -> None:
    edges = calendar_edges(low, low + span, bins)
    assert edges[0] <= low
    assert edges[-1] > min(low + span, 2_932_895)
    assert all(b > a for a, b in pairwise(edges))
    assert len(edges) - 1 <= max(bins, 17)
    labels = interval_labels(edges)
    assert len(set(labels)) == len(labels) == len(edges) - 1
    assert days_of(date_text(edges[0])) == edges[0]


@pytest.mark.parametrize("kind", ["int8", "uint8", "int64", "uint64"])
def test_a_histogram_of_whole_numbers_counts_every_row(kind: str) -> None:
    """Against each row and interval by itself; numbers that are near each other and far apart."""
    rng, whole = np.random.default_rng(3), np.iinfo(kind)
    for low, high in ((3, 9), (max(-100, whole.min), 110), (max(-(2**50), whole.min), whole.max)):
        for _ in range(6):
            x = rng.integers(low, min(high, 2**52), 150).astype(kind)
            data = Dataset(pd.DataFrame({"x": x, "even": x % 2}), "t")
            edges = np.unique(rng.choice([*x.tolist(), *(x + 0.5).tolist(), low - 2.0], 6))
            above = np.append(edges[1:-1], np.nextafter(edges[-1], np.inf))
            for where, kept in (("", x), ("even = 0", x[x % 2 == 0])):
                asked = [
                    sum(start <= value < stop for value in kept.tolist())
                    for start, stop in zip(edges[:-1].tolist(), above.tolist(), strict=True)
                ]
                counts = data.histogram("x", tuple(edges.tolist()), parse(where))
                assert counts.tolist() == asked


def test_whole_numbers_beyond_those_with_a_sign_are_counted() -> None:
    data = Dataset(pd.DataFrame({"x": np.array([2**63, 2**63 + 1], dtype="uint64")}), "t")
    assert data.histogram("x", (0.0, 1e19, 1e308), parse("")).tolist() == [2, 0]


def test_the_last_day_of_a_histogram_belongs_to_no_part() -> None:
    """A day on the last edge is not in the interval before it, which is named by its year."""
    days = [
        *pd.date_range("2019-12-31", "2021-01-01", freq="D"),
        pd.Timestamp("2020-12-31 23:59:59"),
        None,
    ]
    data = Dataset(pd.DataFrame({"t": days}), "t")
    asked = Histogram(column="t", dates=("2019-01-01", "2020-01-01", "2021-01-01")).ask(
        data, "add_remove"
    )
    assert (asked.labels, asked.truth.tolist()) == (("2019", "2020"), [1, 367])
    counted = [data.count(parse(f"t = {year}")) for year in asked.labels]
    assert counted == asked.truth.tolist()


def test_dates_that_are_typed_stay_as_they_are_meant() -> None:
    """To the second, where minutes would tell them no more apart."""
    domain = Dates("")
    assert domain.check("2020-01-01 00:00:10, 2020-01-01 00:00:20") == (
        "2020-01-01 00:00:10",
        "2020-01-01 00:00:20",
    )
    assert domain.check("2020, 2021-03") == ("2020-01-01", "2021-03-01")


def test_intervals_are_named_shortly() -> None:
    assert interval_labels(calendar_edges(days_of("2019-05-05"), days_of("2021-01-01"), 15))[
        :2
    ] == ("2019-04-01 – 2019-07-01", "2019-07-01 – 2019-10-01")
    assert interval_labels(calendar_edges(days_of("2019-05-05"), days_of("2019-08-30"), 15)) == (
        "2019-05",
        "2019-06",
        "2019-07",
        "2019-08",
    )
    assert (
        interval_labels(calendar_edges(days_of("1990-05-05"), days_of("2001-01-01"), 15))[0]
        == "1990"
    )
    assert interval_labels((days_of("2020-03-31"), days_of("2020-04-01"))) == ("2020-03-31",)
