"""The columns of a table whose reading is told: each value as the type of its column, by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpstudio.data.columns import Columns
from dpstudio.data.spelling import Spelling
from dpstudio.data.typed_columns import Retyped
from dpstudio.files.arrow_columns import from_table
from dpstudio.files.read.told import PICTURES

if TYPE_CHECKING:
    import pyarrow as pa

    from dpstudio.files.read.outcome import Read

_HELD = {"words": "category", "yes/no": "category"}
_WHOLE = 2.0**53  # from here on a double does not tell one whole number from the next


def told_types(read: Read) -> dict[str, str]:
    """What is told of the columns; "" of others, which are words but where the file has types of
    its own."""
    told = read.choices.forced()
    own = read.format in ("columnar", PICTURES)
    names = [name for name in read.table.column_names if name in told or not own]
    kinds = {name: told.get(name, "") for name in names}
    return {name: _HELD.get(kind, kind) for name, kind in kinds.items()}


def told_columns(table: pa.Table, spelling: Spelling) -> Columns:
    """The columns of a table as they are told: words as numbers at once, as other types when they
    are asked for."""
    import pyarrow as pa

    held = dict(spelling.types)
    if not held:
        return retyped(from_table(table), spelling)
    made = [
        _numbers(table.column(name), held[name], spelling)
        if held.get(name) in ("number", "integer") and pa.types.is_string(table.column(name).type)
        else table.column(name)
        for name in table.column_names
    ]
    return retyped(from_table(pa.table(made, table.column_names)), spelling)


def retyped(columns: Columns, spelling: Spelling) -> Columns:
    """The same of columns that are read when they are asked for."""
    columns.spelling = spelling
    held = dict(spelling.types)
    wanted = {p: kind for p, name in enumerate(columns.names) if (kind := held.get(name, ""))}
    return Retyped(columns, wanted) if wanted else columns


def _numbers(words: pa.ChunkedArray, kind: str, spelling: Spelling) -> pa.ChunkedArray:
    """What words are as numbers, null where they are none: digits and a point by Arrow, which
    rounds as Python does, and others one by one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tenths = "" if spelling.decimal == "comma" else r"(\.\d{1,15})?"
    plain = pc.match_substring_regex(words, rf"^-?\d{{1,15}}{tenths}$")
    none = pa.scalar(None, pa.string())
    easy = pc.cast(pc.if_else(plain, words, none), pa.float64())
    odd = pc.if_else(plain, none, words)
    known = pc.drop_null(pc.unique(odd))
    read = pa.array([spelling.read(word, kind) for word in known.to_pylist()], pa.float64())
    found = pc.coalesce(easy, pc.take(read, pc.index_in(odd, value_set=known)))
    gone = pa.scalar(None, pa.float64())
    found = pc.if_else(pc.is_nan(found), gone, found)
    if kind == "number":
        return found
    whole = pc.and_(pc.equal(pc.floor(found), found), pc.less(pc.abs(found), _WHOLE))
    return pc.cast(pc.if_else(whole, found, gone), pa.int64())
