"""The columns of a table whose reading is told: each value as the type of its column, by itself,
whatever type the column has in its file: one other record could have given it another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dpstudio.data.columns import Columns
from dpstudio.data.spelling import Spelling
from dpstudio.data.typed_columns import Retyped
from dpstudio.files.arrow_columns import from_parquet, from_table
from dpstudio.files.read.formats.every import valued
from dpstudio.files.read.told import PICTURES
from dpstudio.files.read.typing import native
from dpstudio.files.read.typing.arrays import no_value

if TYPE_CHECKING:
    import pyarrow as pa

    from dpstudio.files.read.choices import Choices
    from dpstudio.files.read.outcome import Read

_HELD = {"words": "category", "yes/no": "category"}


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
    kinds = [held.get(name, "") for name in table.column_names]
    choices = read.choices if typed else None
    made = [partial(_told, kind, spelling, choices) for kind in kinds]
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


def _told(
    kind: str, spelling: Spelling, choices: Choices | None, column: pa.ChunkedArray
) -> pa.ChunkedArray:
    """A column as numbers or words, the latter also of dates: of a file of texts, and of one that
    has types, by the same rule for each value; of the latter by what its `choices` say is
    missing."""
    import pyarrow.compute as pc

    if not kind:
        return column
    if kind in ("number", "integer"):
        found = _numbers(column, kind, spelling)
        if choices is None or not choices.missing_words:
            return found
        kept = pc.is_valid(valued(native.words(column, spelling.mark), choices))
        return pc.if_else(kept, found, no_value(found.type))
    if choices is None:
        return column
    words = native.words(column, spelling.mark)
    words = pc.if_else(native.untold_digits(column), no_value(words.type), words)
    return valued(words, choices)


def _numbers(column: pa.ChunkedArray, kind: str, spelling: Spelling) -> pa.ChunkedArray:
    """What values of any type are as numbers, null where they are none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = native.plain(column)
    found = native.floats(column)
    if found is None:
        found = _read(native.words(column, spelling.mark), kind, spelling)
    gone = pa.scalar(None, pa.float64())
    found = pc.if_else(pc.is_nan(found), gone, found)
    if kind == "number":
        return found
    whole = pc.and_(pc.equal(pc.floor(found), found), pc.less(pc.abs(found), native.WHOLE))
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
