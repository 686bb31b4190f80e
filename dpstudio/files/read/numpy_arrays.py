"""NumPy arrays (.npy) as tables: a row for each entry of the first axis. Pictures have a column for
each pixel, and labels stand beside them in an array of named fields."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.columnar import typed_table
from dpstudio.files.read.outcome import Read, TableError, quoted
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.source import Watch
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS_MOST = 10_000
_KINDS = "biufUS"  # yes or no, whole numbers, floats, words
_BROKEN = N_("{path} is not a NumPy array that can be read: {why}. Save it again with numpy.save.")


def read_numpy(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """Shapes (n,), (n, columns) and (n, rows, columns of pixels), of numbers or words, or of named
    fields of these. Raises TableError for others, for Python objects, and where it is broken."""
    import pyarrow as pa

    path = packed.source.name
    array = _array(packed, path)
    watch.ask()
    columns = list(_columns(array, path))
    table = pa.table([_arrow(column) for _, column in columns], [name for name, _ in columns])
    return typed_table(packed, table, choices, "columnar")


def _array(packed: Packed, path: str) -> NDArray[Any]:
    """All of it; nothing in it is run, and no more is read than its header says."""
    body = b"".join(packed.blocks())
    stream = io.BytesIO(body)
    try:
        version = npy.read_magic(stream)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, kind = read(stream)
        if kind.hasobject:
            raise ValueError("it holds Python objects")
        if not kind.itemsize or not all(type(size) is int and size >= 0 for size in shape):
            raise ValueError("its header promises no numbers and no words")
        if math.prod(shape) * kind.itemsize > len(body) - stream.tell():
            raise ValueError("it ends too early")
        stream.seek(0)
        return np.asarray(npy.read_array(stream, allow_pickle=False))
    except (ValueError, EOFError, OSError) as error:
        why = quoted(str(error).split("\n")[0].rstrip("."))
        raise TableError(say(_BROKEN, path=path, why=why)) from None


def _columns(array: NDArray[Any], path: str) -> Iterator[tuple[str, NDArray[Any]]]:
    """(name, (n,)) of each column."""
    names = array.dtype.names
    if array.ndim == 0 or (names and array.ndim > 1):
        raise _refused(path, say("its first axis has to be its rows"))
    fields = [(name, array[name]) for name in names] if names else [("", array)]
    wide = sum(math.prod(part.shape[1:]) for _, part in fields)
    if wide > COLUMNS_MOST:
        text = N_("it has {n} columns, and at most {most} are read")
        raise _refused(path, say(text, n=Num(wide), most=Num(COLUMNS_MOST)))
    for name, part in fields:
        if part.dtype.names or part.dtype.kind not in _KINDS:
            raise _refused(path, say("it holds something else than numbers and words"))
        if part.ndim > 3:
            raise _refused(path, say("pictures in more than one colour are not read"))
        stem = name or ("pixel" if part.ndim == 3 else "x")
        if part.ndim == 1:
            yield stem, part
        for place in np.ndindex(*part.shape[1:]) if part.ndim > 1 else ():
            yield "_".join((stem, *map(str, place))), part[(slice(None), *place)]


def _words(column: NDArray[Any]) -> NDArray[Any]:
    """Words of letters that there are."""
    if column.dtype.kind == "S":
        return np.char.decode(column, "utf-8", "replace")
    held = np.array(column, dtype=column.dtype.newbyteorder("="))
    if held.itemsize:  # a field may hold words of no letter
        letters = held.view(np.uint32)
        letters[(letters > sys.maxunicode) | ((letters >= 0xD800) & (letters < 0xE000))] = 0xFFFD
    return held


def _refused(path: str, why: Say) -> TableError:
    return TableError(say(_BROKEN, path=path, why=why))


def _arrow(column: NDArray[Any]) -> pa.Array:
    """Native, contiguous, as Arrow holds it."""
    import pyarrow as pa

    if column.dtype.kind in "US":
        return pa.array(_words(column).tolist(), pa.string())
    if column.dtype.kind == "f":
        column = column.astype(np.float64)
    held = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("="))
    return pa.array(held.tolist()) if held.dtype.kind == "b" else pa.array(held)
