"""Columns that have a type in their file as words and as doubles: each value by itself, whatever
type its column has, which one other record could have given it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from dpstudio.files.read.typing.arrays import no_value, strings
from dpstudio.values.written import number_text

if TYPE_CHECKING:
    import pyarrow as pa

WHOLE = 2.0**53  # from here on a double does not tell one whole number from the next
# The years that words can name, in seconds since 1970.
_FIRST, _LAST = -62_135_596_800, 253_402_300_799


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values of a column of codes."""
    import pyarrow as pa

    coded = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if coded else column


def without(column: pa.ChunkedArray, meant: Sequence[str]) -> pa.ChunkedArray:
    """The column without the values that are one of these words, which mean missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not meant or pa.types.is_nested(column.type):
        return column
    written = words(column, ".")
    hit = pc.is_in(written, value_set=strings(meant, written.type))
    return pc.if_else(hit, no_value(column.type), column) if pc.any(hit).as_py() else column


def words(column: pa.ChunkedArray, mark: str) -> pa.ChunkedArray:
    """Values of any type as words, null where they are none: times of day, dates as their days in
    UTC, numbers to the last digit that their column holds, with this `mark` before the tenths."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column, types = plain(column), pa.types
    if types.is_string(column.type) or types.is_large_string(column.type):
        return column
    if types.is_boolean(column.type):
        return pc.if_else(column, "True", "False")
    if types.is_date(column.type):
        return _stamped(column.cast(pa.date32()).cast(pa.timestamp("s")))
    if types.is_timestamp(column.type):
        return _stamped(column.cast(pa.timestamp(column.type.unit)))
    if types.is_integer(column.type):
        return column.cast(pa.string())
    if types.is_time(column.type):
        clock = column.cast(pa.time64("us"), safe=False).cast(pa.string())
        return pc.replace_substring_regex(clock, r"\.0+$", "")
    exact = types.is_decimal(column.type)
    x = column.cast(pa.string()) if exact else floats(column)
    if x is None:
        return pa.chunked_array([pa.nulls(len(column), pa.string())])
    known = pc.drop_null(pc.unique(x))
    values = map(Decimal, known.to_pylist()) if exact else known.to_pylist()
    written = pa.array([number_text(v, mark) if v == v else None for v in values], pa.string())
    return pc.take(written, pc.index_in(x, value_set=known))


def untold_digits(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Which values are missing as words: whole numbers whose last digits a column of doubles has
    lost, up to the largest of any type of such, in a column of either, since one other row gives it
    the one or the other."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column, types = plain(column), pa.types
    if not types.is_integer(column.type) and not types.is_floating(column.type):
        return pa.chunked_array([pa.repeat(False, len(column))])
    size = pc.abs(floats(column))
    return pc.and_(pc.greater_equal(size, WHOLE), pc.less_equal(size, 2.0**64))


def floats(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The numbers of a column of such as doubles; None of others."""
    import pyarrow as pa

    types = pa.types
    if types.is_decimal(column.type):
        column = column.cast(pa.string())  # since Arrow rounds no decimal as it does its digits
    elif not types.is_integer(column.type) and not types.is_floating(column.type):
        return None
    return column.cast(pa.float64(), safe=False)


def _stamped(stamps: pa.ChunkedArray) -> pa.ChunkedArray:
    """Times as words, to the microsecond, and days without one; null beyond the years of four
    digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    seconds = pc.floor_temporal(stamps, unit="second").cast(pa.timestamp("s"), safe=False)
    count = seconds.cast(pa.int64())
    known = pc.and_(pc.greater_equal(count, _FIRST), pc.less_equal(count, _LAST))
    stamps = pc.if_else(known, stamps, pa.scalar(None, stamps.type))
    if stamps.type.unit == "ns":
        stamps = pc.floor_temporal(stamps, unit="microsecond")
    words = stamps.cast(pa.timestamp("us"), safe=False).cast(pa.string())
    return pc.replace_substring_regex(words, r"( 00:00:00)?\.0+$", "")
