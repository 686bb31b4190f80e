"""Arrow arrays from a few Python values and numpy arrays of theirs, by way of their bytes.

`pyarrow.array`, `scalar` and `to_numpy` import pandas (a quarter of a second) to find out whether
they have to do with something of it; what is read at the start goes this way instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


def integers(values: Iterable[int]) -> pa.Array:
    """64-bit integers without missing values, such as places in a column."""
    import pyarrow as pa

    held = np.fromiter(values, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(held), [None, pa.py_buffer(held)])


def strings(values: Iterable[str], type_: pa.DataType | None = None) -> pa.Array:
    """Words without missing ones, as `string` or, where asked for, `large_string`."""
    import pyarrow as pa

    coded = [value.encode() for value in values]
    wide = type_ is not None and pa.types.is_large_string(type_)
    ends = np.cumsum([0, *map(len, coded)], dtype=np.int64 if wide else np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(coded))]
    return pa.Array.from_buffers(pa.large_string() if wide else pa.string(), len(coded), buffers)


def no_value(type_: pa.DataType) -> pa.Scalar:
    """The missing value of a type."""
    import pyarrow as pa

    return pa.nulls(1, type_)[0]


def numpy_of(column: pa.ChunkedArray, absent: float = np.nan) -> NDArray[Any]:
    """The numbers of a column as one array: a view of it where that is in one piece and has no
    missing values, else a copy with `absent` in their place. Raises TypeError for other types than
    whole numbers and floats."""
    pieces = [_piece(chunk, absent) for chunk in column.chunks]
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate(pieces) if pieces else np.empty(0, _dtype(column.type))


def lettered(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column whose words are of letters that there are: of bytes that are no UTF-8, which no
    format of typed columns checks, the mark U+FFFD, in each word by itself. Views, of which Arrow
    takes no rows, are made whole."""
    import pyarrow as pa

    views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    if pa.types.is_dictionary(column.type):
        parts = [(part.indices, pa.chunked_array([part.dictionary])) for part in column.chunks]
        made = [(at, lettered(words)) for at, words in parts]
        if all(new is old for (_, new), (_, old) in zip(made, parts, strict=True)):
            return column
        kind = column.type
        return pa.chunked_array(
            [pa.DictionaryArray.from_arrays(at, words.combine_chunks()) for at, words in made]
        ).cast(pa.dictionary(kind.index_type, kind.value_type))
    if column.type in views:
        bare = column.cast(pa.binary_view()).cast(pa.large_binary())
        kind = views[column.type]
        parts = [
            pa.Array.from_buffers(kind, len(a), a.buffers(), a.null_count) for a in bare.chunks
        ]
        column = pa.chunked_array(parts, kind)
    bare = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}
    held = bare.get(column.type)
    if held is None:
        return column
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        words = column.cast(held).to_pylist()
        told = [None if word is None else word.decode("utf-8", "replace") for word in words]
        return pa.chunked_array([pa.array(told, column.type)])
    return column


_NAMES = {"double": "float64", "float": "float32", "halffloat": "float16"}


def _dtype(type_: pa.DataType) -> np.dtype[Any]:
    return np.dtype(_NAMES.get(str(type_), str(type_)))


def _piece(array: pa.Array, absent: float) -> NDArray[Any]:
    valid, held = array.buffers()
    kind = _dtype(array.type)
    if held is None:
        return np.full(len(array), absent, dtype=kind)
    at = array.offset
    values = np.frombuffer(held, kind, count=len(array), offset=at * kind.itemsize)
    if not array.null_count:
        return values
    bits = np.unpackbits(np.frombuffer(valid, np.uint8), bitorder="little")
    return np.where(bits[at : at + len(array)], values, kind.type(absent))
