"""The columns of a table whose reading is told: each value as the type of its column, by itself,
whatever type the column has in its file: one other record could have given it another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dpstudio.data.columns import Columns
from dpstudio.data.spelling import Spelling, number_text
from dpstudio.data.typed_columns import Retyped
from dpstudio.files.arrow_columns import from_parquet, from_table
from dpstudio.files.read.told import PICTURES

if TYPE_CHECKING:
    import pyarrow as pa

    from dpstudio.files.read.outcome import Read

_HELD = {"words": "category", "yes/no": "category"}
_WHOLE = 2.0**53  # from here on a double does not tell one whole number from the next
# As words numbers are written in digits below, and some types of columns hold no more of them.
_LONG = 1e15
_LONG_WORD = r"^-?([1-9]\d{15,}(\.\d*)?|\d(\.\d+)?[eE]\+?(1[5-9]|[2-9]\d|[1-9]\d\d))$"
# The years that words can name, in seconds since 1970.
_FIRST, _LAST = -62_135_596_800, 253_402_300_799


def told_types(read: Read) -> dict[str, str]:
    """What is told of the columns; others are words, "" where the file holds nothing else. Pixels
    are numbers."""
    told, own = read.choices.forced(), read.format == PICTURES
    names = [name for name in read.table.column_names if name in told or not own]
    # The type of a column in a file with types follows from all of its rows.
    rest = "words" if read.format == "columnar" else ""
    kinds = {name: told.get(name, rest) for name in names}
    return {name: _HELD.get(kind, kind) for name, kind in kinds.items()}


def told_columns(read: Read, spelling: Spelling) -> Columns:
    """The columns of a table as they are told: as numbers or words at once, as dates when they are
    asked for; those of a table that is read late, when they are asked for."""
    import pyarrow as pa

    table, typed = read.table, read.format == "columnar"
    held = dict(spelling.types)
    made = [partial(_told, held.get(name, ""), spelling, typed) for name in table.column_names]
    if read.late is not None:
        columns = from_parquet(read.late, table.column_names, made)
    elif held:
        told = [each(column) for each, column in zip(made, table.columns, strict=True)]
        columns = from_table(pa.table(told, table.column_names))
    else:
        columns = from_table(table)
    columns.spelling = spelling
    wanted = {p: kind for p, name in enumerate(columns.names) if (kind := held.get(name, ""))}
    return Retyped(columns, wanted) if wanted else columns


def _told(kind: str, spelling: Spelling, typed: bool, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column as numbers or words, the latter also of dates: of a file of texts, and of one that
    is `typed`, by the same rule for each value."""
    if not kind:
        return column
    if kind in ("number", "integer"):
        return _numbers(column, kind, spelling)
    return _words(column, kind) if typed else column


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values of a column of codes."""
    import pyarrow as pa

    coded = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if coded else column


def _words(column: pa.ChunkedArray, kind: str) -> pa.ChunkedArray:
    """Values of any type as words, null where they are none: dates as their days in UTC, and
    numbers as columns of floats hold them, so that long ones are missing where they are told to be
    words."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column, types = _plain(column), pa.types
    if types.is_string(column.type) or types.is_large_string(column.type):
        gone = pa.scalar(None, column.type)
        long = kind == "category"
        return (
            pc.if_else(pc.match_substring_regex(column, _LONG_WORD), gone, column)
            if long
            else column
        )
    if types.is_boolean(column.type):
        return pc.if_else(column, "True", "False")
    if types.is_date(column.type):
        return _stamped(column.cast(pa.date32()).cast(pa.timestamp("s")))
    if types.is_timestamp(column.type):
        return _stamped(column.cast(pa.timestamp(column.type.unit)))
    x = _floats(column)
    if x is None:
        return pa.chunked_array([pa.nulls(len(column), pa.string())])
    short = pc.or_(pc.less(pc.abs(x), _LONG), pc.is_inf(x))
    x = pc.if_else(short, x, pa.scalar(None, pa.float64()))
    known = pc.drop_null(pc.unique(x))
    written = pa.array([number_text(value) for value in known.to_pylist()], pa.string())
    return pc.take(written, pc.index_in(x, value_set=known))


def _stamped(stamps: pa.ChunkedArray) -> pa.ChunkedArray:
    """Times as words, to the microsecond, null beyond the years of four digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    seconds = pc.floor_temporal(stamps, unit="second").cast(pa.timestamp("s"), safe=False)
    count = seconds.cast(pa.int64())
    known = pc.and_(pc.greater_equal(count, _FIRST), pc.less_equal(count, _LAST))
    stamps = pc.if_else(known, stamps, pa.scalar(None, stamps.type))
    if stamps.type.unit == "ns":
        stamps = pc.floor_temporal(stamps, unit="microsecond")
    return stamps.cast(pa.timestamp("us"), safe=False).cast(pa.string())


def _floats(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The numbers of a column of such as doubles; None of others."""
    import pyarrow as pa

    types = pa.types
    if types.is_decimal(column.type):
        column = column.cast(pa.string())  # since Arrow rounds no decimal as it does its digits
    elif not types.is_integer(column.type) and not types.is_floating(column.type):
        return None
    return column.cast(pa.float64(), safe=False)


def _numbers(column: pa.ChunkedArray, kind: str, spelling: Spelling) -> pa.ChunkedArray:
    """What values of any type are as numbers, null where they are none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = _plain(column)
    found = _floats(column)
    if found is None:
        found = _read(_words(column, kind), kind, spelling)
    gone = pa.scalar(None, pa.float64())
    found = pc.if_else(pc.is_nan(found), gone, found)
    if kind == "number":
        return found
    whole = pc.and_(pc.equal(pc.floor(found), found), pc.less(pc.abs(found), _WHOLE))
    return pc.cast(pc.if_else(whole, found, gone), pa.int64())


def _read(words: pa.ChunkedArray, kind: str, spelling: Spelling) -> pa.ChunkedArray:
    """Words as numbers: digits and a point by Arrow, which rounds as Python does, and others one by
    one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tenths = "" if spelling.decimal == "comma" else r"(\.\d{1,15})?"
    plain = pc.match_substring_regex(words, rf"^-?\d{{1,15}}{tenths}$")
    none = pa.scalar(None, words.type)
    easy = pc.cast(pc.if_else(plain, words, none), pa.float64())
    odd = pc.if_else(plain, none, words)
    known = pc.drop_null(pc.unique(odd))
    read = pa.array([spelling.read(word, kind) for word in known.to_pylist()], pa.float64())
    return pc.coalesce(easy, pc.take(read, pc.index_in(odd, value_set=known)))
