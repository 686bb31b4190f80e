"""NumPy arrays (.npy) as tables: a row for each entry of the first axis. Pictures have a column for
each pixel, and labels stand beside them in an array of named fields, or in another array of the
same archive (.npz)."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.formats.columnar import typed_table
from dpstudio.files.read.outcome import Doubt, Read, TableError, quoted
from dpstudio.files.read.packing import Packed, archived
from dpstudio.files.read.source import Watch
from dpstudio.values.messages import N_, Message, Num, of_library, say

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS_MOST = 10_000
_ENDING = ".npy"
_KINDS = "biufUS"  # yes or no, whole numbers, floats, words
_BROKEN = N_("{path} is not a NumPy array that can be read: {why}. Save it again with numpy.save.")


def read_numpy(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """Shapes (n,), (n, columns) and (n, rows, columns of pixels), of numbers or words, or of named
    fields of these. Raises TableError for others, for Python objects, and where it is broken."""
    path = packed.source.name
    array = _array(b"".join(packed.blocks()), path)
    watch.ask()
    return _table(packed, _columns(array, path), choices)


def read_archive(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The arrays of an archive that have as many rows as the chosen one, else as the largest, side
    by side under their names. Raises TableError where none can be read."""
    path = packed.source.name
    arrays, refused = dict[str, NDArray[Any]](), list[TableError]()
    for member in archived(packed):
        watch.ask()
        try:
            array = _array(b"".join(member.blocks()), path)
            list(_columns(array, path))
        except TableError as error:
            refused.append(error)
            continue
        arrays[member.part.removesuffix(_ENDING)] = array
    if not arrays:
        raise refused[0]
    if choices.part and choices.part not in arrays:
        names = quoted(", ".join(arrays), 200)
        text = N_("{path} holds no array {part}; it holds: {names}.")
        raise TableError(say(text, path=path, part=choices.part, names=names))
    first = choices.part or max(arrays, key=lambda name: arrays[name].size)
    beside = {name: a for name, a in arrays.items() if len(a) == len(arrays[first])}
    columns = [pair for name, a in _pictures_first(beside) for pair in _columns(a, path, name)]
    doubts = () if choices.part else _doubts(arrays, first)
    read = _table(replace(packed, part=first, doubts=doubts), columns, choices)
    if not refused:
        return read
    note = say(
        "{n} {n:array that is no table was|arrays that are no tables were} left out.",
        n=Num(len(refused)),
    )
    return replace(read, notes=(*read.notes, note))


def _pictures_first(arrays: dict[str, NDArray[Any]]) -> list[tuple[str, NDArray[Any]]]:
    """Arrays with more axes stand before labels of them."""
    return sorted(arrays.items(), key=lambda one: -one[1].ndim)


def _doubts(arrays: dict[str, NDArray[Any]], first: str) -> tuple[Doubt, ...]:
    """Where the arrays have different numbers of rows, which of them are the table."""
    heads = {len(array): name for name, array in reversed(_pictures_first(arrays))}
    heads[len(arrays[first])] = first
    if len(heads) == 1:
        return ()
    why = say("the archive holds arrays of {n} different {n:length|lengths}", n=Num(len(heads)))
    return (Doubt("part", why, (first, *(name for name in heads.values() if name != first))),)


def _table(packed: Packed, columns: Iterable[tuple[str, NDArray[Any]]], choices: Choices) -> Read:
    import pyarrow as pa

    held = list(columns)
    table = pa.table([_arrow(column) for _, column in held], [name for name, _ in held])
    return typed_table(packed, table, choices, "columnar")


def _array(body: bytes, path: str) -> NDArray[Any]:
    """All of it; nothing in it is run, and no more is read than its header says."""
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
        raise TableError(say(_BROKEN, path=path, why=of_library(error))) from None


def _columns(
    array: NDArray[Any], path: str, called: str = ""
) -> Iterator[tuple[str, NDArray[Any]]]:
    """(name, (n,)) of each column of an array that may be `called` something."""
    names = array.dtype.names
    if array.ndim == 0 or (names and array.ndim > 1):
        raise _refused(path, say("its first axis has to be its rows"))
    fields = [(name, array[name]) for name in names] if names else [(called, array)]
    wide = sum(math.prod(part.shape[1:]) for _, part in fields)
    if wide > COLUMNS_MOST:
        text = N_("it has {n:# column|# columns}, and at most {most} {most:is|are} read")
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


def _refused(path: str, why: Message) -> TableError:
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
