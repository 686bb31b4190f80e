"""Arrow to pandas, in this one place: an engine that answers from Arrow will not need it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from dpstudio.files.reading.source import Watch

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def to_pandas(held: list[pa.Table], format_: str, watch: Watch) -> pd.DataFrame:
    """The one table in `held` as a frame, shape (rows, columns); `held` is emptied, and each column let go once it is made over.

    Column by column and not by Table.to_pandas, which holds the interpreter's lock for seconds on ten million rows.
    Dates of a text are its words until the dataset knows dates: as they were before they were recognised, written 2020-12-31.
    Dates of a file that is typed stay dates.
    """
    import pandas as pd

    table = held.pop()
    names, columns, rows = table.column_names, list(table.columns), table.num_rows
    del table
    made = watch.each([partial(_made_over, columns, place, format_ != "columnar") for place in range(len(names))])
    return pd.DataFrame(dict(zip(names, made, strict=True)), index=pd.RangeIndex(rows), copy=False)


def _made_over(columns: list[Any], place: int, dates_as_words: bool) -> Any:
    """One column as pandas has it, taken out of the list; numbers without a missing value share the memory of their array."""
    import pyarrow as pa
    import pyarrow.compute as pc

    t = pa.types
    column, columns[place] = columns[place], None
    if dates_as_words and (t.is_date(column.type) or t.is_timestamp(column.type)):
        column = _written(column)
    if t.is_integer(column.type) or t.is_float32(column.type) or t.is_float64(column.type):
        if column.null_count:
            number = pa.float64() if t.is_integer(column.type) else column.type
            column = pc.fill_null(pc.cast(column, number, safe=False), pa.scalar(float("nan"), number))
        whole = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        return whole.to_numpy(zero_copy_only=True)
    if t.is_string(column.type):
        column = pc.cast(column, pa.large_string())  # which pandas would do with the lock held
    # Without pandas' notes in the file, so that what was an index is a column like any other.
    return column.to_pandas()


def _written(dates: pa.ChunkedArray) -> pa.ChunkedArray:
    """Dates as words. There are few different ones, so each is written once."""
    import pyarrow as pa
    import pyarrow.compute as pc

    coded = dates.dictionary_encode()
    return pa.chunked_array([pc.cast(c.dictionary, pa.string()).take(c.indices) for c in coded.chunks], pa.string())
