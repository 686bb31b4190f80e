"""The contract of typed files without the exact answer: the type of a column in its file, which one
record may set, moves no value of another as it is told to be read."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from neighbours import TYPED
from test_hidden_files import Replayed, spoken

from dpstudio.data.columns import spelled
from dpstudio.data.dataset import Dataset
from dpstudio.files.read.told import told_words
from dpstudio.files.tables import open_table

_DAY = dt.datetime(2020, 5, 3)
_WHOLE = [0, 3, -7, 2020, 20200331, 10**15 - 1, 10**15, 2**53 - 1, None]
# Whole numbers that a column of doubles has lost, or would have.
_LONG = [2**53, -(2**53), 10**17, -(2**60), 12345678901234567, 10**17 + 1, -(2**53) - 1, 5, None]
_TENTHS = [0.1, -2.5, 1e-7, 3.0, 123456.789, 1e300, float("inf"), None]
_CLOCKS = [_DAY, _DAY.replace(hour=12, microsecond=7), dt.datetime(1601, 1, 1, 1, 1, 1, 1), None]
_AT_0 = dt.time()
_FAR = dt.datetime(9999, 12, 31, 23, 59, 59, 999999)
_NATIVE, _TEXT = (lambda value: value), (lambda value: None if value is None else str(value))
# Of the same values, the types that a column of them may have, and how they stand in it.
HOLD: dict[str, tuple[list[Any], dict[pa.DataType, Callable[[Any], Any]]]] = {
    "whole": (
        _WHOLE,
        {
            pa.int64(): _NATIVE,
            pa.float64(): lambda value: None if value is None else float(value),
            pa.decimal128(38, 2): lambda value: None if value is None else Decimal(value),
            pa.string(): _TEXT,
            pa.large_string(): _TEXT,
            pa.string_view(): _TEXT,
            pa.dictionary(pa.int8(), pa.string()): _TEXT,
            pa.dictionary(pa.int8(), pa.int64()): _NATIVE,
        },
    ),
    "long": (
        _LONG,
        {
            pa.decimal128(38, 2): lambda value: None if value is None else Decimal(value),
            pa.string(): _TEXT,
        },
    ),
    "long, and doubles": (
        _LONG,
        {
            pa.int64(): _NATIVE,
            pa.float64(): lambda value: None if value is None else float(value),
            pa.dictionary(pa.int8(), pa.int64()): _NATIVE,
        },
    ),
    "fine decimals": (
        [Decimal("123456789012345678.5"), Decimal("0.1234567890123456789"), Decimal("0.00001")],
        {pa.decimal128(38, 19): _NATIVE, pa.decimal256(60, 30): _NATIVE, pa.string(): _TEXT},
    ),
    "unsigned": (
        [0, 9, 2**63 + 1, 2**64 - 1, None],
        {pa.uint64(): _NATIVE, pa.float64(): lambda value: None if value is None else float(value)},
    ),
    "short": (
        [0, 9, 0.5, None],
        {pa.float32(): _NATIVE, pa.float64(): _NATIVE, pa.string(): _TEXT},
    ),
    "half": ([np.float16(1.5), np.float16(3), None], {pa.float16(): _NATIVE, pa.string(): _TEXT}),
    "tenths": (_TENTHS, {pa.float64(): _NATIVE, pa.string(): _TEXT}),
    "exact": (
        [Decimal("0.10"), Decimal("-12345678901234.57"), Decimal("20200331.00"), None],
        {
            pa.decimal128(38, 2): _NATIVE,
            pa.decimal256(60, 9): _NATIVE,
            pa.float64(): lambda value: None if value is None else float(value),
        },
    ),
    "truth": ([True, False, None], {pa.bool_(): _NATIVE, pa.string(): _TEXT}),
    "days": (
        [_DAY.date(), dt.date(1, 1, 1), dt.date(9999, 12, 31), None],
        {
            pa.date32(): _NATIVE,
            pa.date64(): _NATIVE,
            pa.string(): _TEXT,
            pa.timestamp("s"): lambda value: value and dt.datetime.combine(value, _AT_0),
        },
    ),
    "clocks": ([*_CLOCKS, _FAR], {pa.timestamp("us"): _NATIVE, pa.string(): _TEXT}),
    "fine": (_CLOCKS[:2], {pa.timestamp("ns"): _NATIVE, pa.timestamp("us"): _NATIVE}),
    "zoned": (
        [clock and clock.replace(tzinfo=dt.timezone(dt.timedelta(hours=2))) for clock in _CLOCKS],
        {pa.timestamp("us", "+02:00"): _NATIVE, pa.string(): _TEXT},
    ),
    "times": (
        [dt.time(8), dt.time(9, 30, 1, 7), None],
        {
            pa.time64("us"): _NATIVE,
            pa.time64("ns"): _NATIVE,
            pa.string(): lambda value: None if value is None else value.isoformat(),
        },
    ),
    "nothing": (
        [None, None],
        dict.fromkeys(
            (
                *(pa.null(), pa.int8(), pa.string(), pa.bool_(), pa.date32(), pa.time64("us")),
                *(pa.duration("s"), pa.binary(), pa.binary(3), pa.binary_view(), pa.large_binary()),
                *(pa.list_(pa.int8()), pa.list_(pa.string_view()), pa.struct([("a", pa.int8())])),
            ),
            _NATIVE,
        ),
    ),
}
# Of each type one more record, which is why a column has it.
ODD: dict[pa.DataType, Any] = {pa.time64("us"): dt.time(1, 2), pa.duration("s"): dt.timedelta(1)}
KINDS = ("integer", "number", "date", "words", "yes/no")


TOLD = TYPED.with_(types=tuple(f"{name}={kind}" for name, kind in zip("abcde", KINDS, strict=True)))


def _opened(column: pa.Array, path: Path) -> Dataset:
    """A table that holds a column once for each type that it is told to be."""
    table = pa.table(dict.fromkeys("abcde", column))
    if path.suffix == ".feather":
        pa.feather.write_feather(table, str(path))
    else:
        pq.write_table(table, path)
    return open_table(str(path), choices=TOLD)


def _held(data: Dataset) -> list[Any]:
    """All that a table says of its columns but of the last row, words as they are compared."""
    made: list[Any] = [[column.type for column in data.columns]]
    for place, kind in enumerate(KINDS):
        codes, words = spelled(*data._table.codes(place), data.spelling)
        made.append([words[code] if code >= 0 else None for code in codes[:-1]])
        made.append(list(data._table.absent(place)[:-1]))
        if kind not in ("words", "yes/no"):
            made.append(data._table.numbers(place)[:-1].astype(np.float64).tobytes())
    return made


def _in_parquet(type_: pa.DataType) -> bool:
    """Whether this Arrow writes such a column: no short floats, and no views where it is old."""
    try:
        pq.write_table(pa.table({"t": pa.nulls(1, type_)}), pa.BufferOutputStream())
    except pa.ArrowNotImplementedError:
        return False
    return not pa.types.is_float16(type_)


@pytest.mark.parametrize("name", ["t.parquet", "late.parquet", "t.feather"])
def test_the_type_that_a_column_has_in_its_file_moves_no_value(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read at once, or when it is asked for."""
    if name.startswith("late"):
        monkeypatch.setattr("dpstudio.files.read.formats.columnar._LATE", 1)
    for values, ways in HOLD.values():
        made = {}
        for type_, way in ways.items():
            if name.endswith("parquet") and not _in_parquet(type_):
                continue
            column = pa.array([*map(way, values), ODD.get(type_)], type_)
            made[type_] = _held(_opened(column, tmp_path / name))
        for one, other in combinations(made, 2):
            assert made[one] == made[other], (one, other)


def test_values_are_kept_as_they_are_told(tmp_path: Path) -> None:
    """But for whole numbers that doubles do not tell apart, as words or whole ones."""
    values = [*_WHOLE[:-1], *_LONG]
    data = _opened(pa.array(values, pa.int64()), tmp_path / "t.parquet")
    made = dict(zip(KINDS, map(list, zip(*data.cells(0, 99), strict=True)), strict=True))
    small = [None if value is None or abs(value) >= 2**53 else value for value in values]
    assert made["integer"] == small
    assert made["number"] == [None if value is None else float(value) for value in values]
    words = [None if value is None else str(value) for value in small]
    assert made["words"] == made["yes/no"] == words
    assert made["date"] == [None, None, None, "2020", "20200331", *[None] * (len(values) - 5)]


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_no_row_changes_how_another_one_is_read(ending: str, tmp_path: Path) -> None:
    """pandas makes doubles of whole numbers where one is missing or has decimals."""
    rows = [0, 5, -7, 20200331, 2**53 - 1, 2**53, 2**53 + 1, -(2**60) - 3, 10**17 + 1]
    path, heard = tmp_path / f"t.{ending}", []
    for last in (1, None, 0.5, -1e300, 2**62 + 1, float("inf")):
        frame = pd.DataFrame({kind: [*rows, last] for kind in KINDS})
        getattr(frame, f"to_{ending}")(path)
        told = TYPED.with_(types=tuple(f"{kind}={kind}" for kind in KINDS))
        heard.append(open_table(str(path), choices=told).cells(0, len(rows)))
    assert all(each == heard[0] for each in heard)
    assert heard[0][1] != heard[0][2]


ASKED = (
    "histogram query.column=t query.categories=a|b query.attested=yes",
    "mean query.column=t query.low=0 query.high=9 query.attested=yes query.n_public=yes "
    "adjacency=replace",
    "count query.where=t>5",
)


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.split(" ")[0])
def test_no_type_of_a_column_keeps_an_answer_from_leaving(asked: str, tmp_path: Path) -> None:
    path, ledger, heard = tmp_path / "t.feather", Replayed(), set()
    told = told_words(TYPED.with_(types=("t=words" if "a|b" in asked else "t=number",)))
    call = ["run", "explore", *f"query={asked}".split(" "), "--data", str(path), "--read", told]
    for type_ in (pa.string(), *ODD, pa.list_(pa.string_view()), pa.binary_view()):
        column = pa.array([None] * 59 + [ODD.get(type_)], type_)
        pa.feather.write_feather(pa.table({"t": column, "x": range(60)}), str(path))
        heard.add(spoken([*call, "--json"], ledger))
    (said,) = heard
    assert said.startswith("0 "), said
