"""The engine of tables that are opened: Arrow columns in memory, or those of a Parquet file, each
read when it is asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.columns import DAY, Columns, Mask, distinct_words
from dpstudio.files.read.outcome import TableError
from dpstudio.files.read.typing.arrays import lettered, numpy_of
from dpstudio.values.messages import N_, of_library, say

if TYPE_CHECKING:
    import pyarrow as pa

_PART = 20_000
_MANY = 1 << 20  # rows that are read at a time
_YES_NO = ("False", "True")


class ArrowColumns(Columns):
    """Columns that `fetch(place)` gives as Arrow arrays of `rows` values; `page(start, stop)` gives
    rows as a small table.

    A source with `parts(place)`, which gives a column piece by piece, is `lazy`: it reads a column
    anew each time; what is asked for again is remembered by the Dataset.
    """

    def __init__(
        self,
        schema: pa.Schema,
        rows: int,
        fetch: Callable[[int], pa.ChunkedArray],
        page: Callable[[int, int], pa.Table],
        parts: Callable[[int], Iterator[pa.ChunkedArray]] | None = None,
    ):
        self.names = tuple(schema.names)
        self.types = tuple(_type(field.type) for field in schema)
        self.rows, self.lazy = rows, parts is not None
        self._fetch, self._page, self._parts = fetch, page, parts

    def numbers(self, place: int) -> NDArray[Any]:
        if self._parts is None:
            return _numbers(self._fetch(place), self.types[place])
        out: NDArray[Any] | None = None
        done = 0
        # Into one array: the whole column as Arrow's and as ours would be twice the memory.
        for part in self._parts(place):
            found = _numbers(part, self.types[place])
            if out is None or out.dtype != np.result_type(out, found):
                wider = np.empty(self.rows, dtype=found.dtype)
                wider[:done] = 0 if out is None else out[:done]
                out = wider
            out[done : done + len(found)] = found
            done += len(found)
        return out if out is not None else np.empty(0)

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        if self._parts is None:
            return distinct_words(*_coded(self._fetch(place)))
        out, done, known = np.empty(self.rows, dtype=np.int32), 0, dict[str, int]()
        for part in self._parts(place):
            indices, words = _coded(part)
            same = np.array(
                [known.setdefault(word, len(known)) for word in words] + [-1], dtype=np.int32
            )
            np.take(same, indices, out=out[done : done + len(part)], mode="wrap")
            done += len(part)
        return out, tuple(known)

    def moments(self, place: int) -> NDArray[np.datetime64]:
        parts = [self._fetch(place)] if self._parts is None else self._parts(place)
        found = [_micro(part, np.iinfo(np.int64).min) for part in parts]
        return np.concatenate([*found, np.empty(0, np.int64)]).astype("datetime64[us]")

    def absent(self, place: int) -> Mask:
        import pyarrow as pa

        column = self._fetch(place)
        missing = (
            column.is_null(nan_is_null=True)
            if pa.types.is_floating(column.type)
            else column.is_null()
        )
        return numpy_of(missing.cast(pa.int8())).astype(np.bool_)

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        page = self._page(start, stop)
        return list(zip(*(column.to_pylist() for column in page.columns), strict=True))


class _Held:
    """The columns of a table in memory, each made over when it is first asked for, and kept so:
    what nobody asks for costs nothing."""

    def __init__(self, table: pa.Table):
        self.names, self.columns = table.column_names, list(table.columns)
        self.locks = [threading.Lock() for _ in self.columns]
        self.over: set[int] = set()

    def fetch(self, place: int) -> pa.ChunkedArray:
        with self.locks[place]:
            if place not in self.over:
                self.columns[place] = _made_over(self.columns[place])
                self.over.add(place)
            return self.columns[place]

    def page(self, start: int, stop: int) -> pa.Table:
        import pyarrow as pa

        return pa.table(
            [column.slice(start, stop - start) for column in self.columns], names=self.names
        )


def from_table(table: pa.Table) -> ArrowColumns:
    """The columns of a table in memory; words are kept once each from when they are first asked
    for."""
    held = _Held(table)
    return ArrowColumns(table.schema, table.num_rows, held.fetch, held.page)


def _made_over(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Words once each, whole numbers in one piece, so that they are seen and not copied."""
    import pyarrow as pa

    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = column.dictionary_encode()
    if column.num_chunks > 1 and not pa.types.is_nested(column.type):
        one = (
            column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
        ).combine_chunks()
        column = one if isinstance(one, pa.ChunkedArray) else pa.chunked_array([one])
    return column


def from_parquet(
    source: Any,
    names: Sequence[str] = (),
    converters: Sequence[Callable[[pa.ChunkedArray], pa.ChunkedArray]] = (),
) -> ArrowColumns:
    """The columns of an open pyarrow ParquetFile, which are read when they are asked for. `names`
    take the place of its own, and what the `converters`, one a column, make of each of its parts
    that of its values."""

    import pyarrow as pa

    lock = threading.Lock()
    schema, groups = source.schema_arrow, source.metadata

    def over(place: int, column: pa.ChunkedArray) -> pa.ChunkedArray:
        return converters[place](lettered(column)) if converters else lettered(column)

    empty = enumerate(schema.empty_table().columns)
    held = zip(names or schema.names, (over(*each).type for each in empty), strict=True)
    named = pa.schema(list(held))
    ends = np.cumsum([groups.row_group(i).num_rows for i in range(groups.num_row_groups)])

    def fetch(place: int) -> pa.ChunkedArray:
        with lock, _said(named.names[place]):
            return over(place, source.read(columns=[schema.names[place]]).column(0))

    def parts(place: int) -> Iterator[pa.ChunkedArray]:
        first = 0
        while first < len(ends):
            before = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + _MANY, side="right")))
            with lock, _said(named.names[place]):
                part = source.read_row_groups(
                    list(range(first, last)), columns=[schema.names[place]]
                ).column(0)
            yield over(place, part)
            first = last

    def page(start: int, stop: int) -> pa.Table:
        first, last = (int(np.searchsorted(ends, at, side="right")) for at in (start, stop - 1))
        with lock, _said(named.names[0]):
            table = source.read_row_groups(list(range(first, min(last, len(ends) - 1) + 1)))
        before = int(ends[first - 1]) if first else 0
        page = table.slice(start - before, stop - start)
        columns = [over(*each) for each in enumerate(page.columns)]
        return pa.Table.from_arrays(columns, page.column_names)

    return ArrowColumns(named, groups.num_rows, fetch, page, parts)


@contextmanager
def _said(column: str) -> Iterator[None]:
    """What goes wrong with a file that was opened long ago, as a sentence."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException) as error:
        text = N_(
            "The column “{column}” could not be read any more: {why}. The file has changed or is "
            "gone; open the table again."
        )
        raise TableError(say(text, column=column, why=of_library(error))) from None


def _numbers(column: pa.ChunkedArray, kind: str) -> NDArray[Any]:
    import pyarrow as pa

    if kind == "date":
        return _days(column)
    if pa.types.is_integer(column.type) and not column.null_count:
        return numpy_of(column)
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.string())  # of decimals Arrow makes doubles that are an ulp off
    # Missing numbers become NaN; decimals and short floats become doubles.
    return numpy_of(column.cast(pa.float64(), safe=False))


def _coded(column: pa.ChunkedArray) -> tuple[NDArray[np.int32], list[str]]:
    """For each row the place of its word, −1 where it is missing; words may stand there twice."""
    import pyarrow as pa

    if not len(column):  # which may have no type either
        return np.empty(0, dtype=np.int32), []
    if pa.types.is_boolean(column.type):
        return numpy_of(column.cast(pa.int8()), -1).astype(np.int32), list(_YES_NO)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if column.num_chunks > 1:
        column = column.unify_dictionaries()
    array = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if isinstance(array, pa.ChunkedArray):  # no chunks at all, or too many words for one
        array = array.unify_dictionaries().combine_chunks()
    indices = numpy_of(pa.chunked_array([array.indices.cast(pa.int32(), safe=False)]), -1)
    # In parts: all at once, a million words would hold every other thread up for a third of a
    # second.
    words = [
        word
        for at in range(0, len(array.dictionary), _PART)
        for word in array.dictionary.slice(at, _PART).to_pylist()
    ]
    # A missing value may also stand in the dictionary itself; one that is no number is missing.
    absent = [i for i, word in enumerate(words) if word is None or word != word]
    if absent:
        indices = np.where(np.isin(indices, absent), np.int32(-1), indices)
    return indices, ["" if word is None else str(word) for word in words]


def release_unused() -> None:
    """Give back what Arrow, and through its allocator the C library, keep of tables that are gone;
    10 ms."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()


def _days(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """Days since 1970 by the clock, NaN where missing."""
    import pyarrow as pa

    if pa.types.is_date(column.type):
        return numpy_of(column.cast(pa.date32()).cast(pa.int32()).cast(pa.float64()))
    return np.asarray(_micro(column) / (DAY * 1e6))


def _micro(column: pa.ChunkedArray, missing: int | None = None) -> NDArray[Any]:
    """Microseconds since 1970 by the clock; where none is `missing`, doubles with NaN for it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        column = pc.local_timestamp(column)
    if column.type == pa.timestamp("ns"):  # of which Arrow cuts those before 1970 upwards
        column = pc.floor_temporal(column, unit="microsecond")
    micro = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
    if missing is not None:
        return numpy_of(micro, missing)
    return numpy_of(micro.cast(pa.float64(), safe=False))


def _type(kind: pa.DataType) -> str:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_integer(kind):
        return "integer"
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "number"
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return "date"
    if (
        pa.types.is_boolean(kind)
        or pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_null(kind)
    ):
        return "category"
    if pa.types.is_string_view(kind):
        return "category"
    return "other"
