"""JSON: one object a line, or one array of objects; a line that is no object is told with its
number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.encodings import Encoding, detect, text_blocks
from dpstudio.files.read.headers import named
from dpstudio.files.read.outcome import Counts, Doubt, Read, TableError
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.rows import Lines
from dpstudio.files.read.source import Watch
from dpstudio.files.read.values import column_of, read_values
from dpstudio.values.messages import say

_LARGEST_ARRAY = 1 << 30  # characters of one array, which is held whole
_BATCH = 20_000


def looks_like_json(head: bytes) -> bool:
    """An object, or an array of objects or arrays, at the very start."""
    start = head.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"")[:4096].lstrip()
    return re.match(rb'\{\s*("|\}|$)|\[\s*(\{|\[\s*["\d\[\-tfn]|\]\s*$)', start) is not None


def read_json(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The table in a list of JSON objects or lists, or in one object a line. Raises TableError
    where there is none."""
    encoding = detect(packed, choices.encoding)
    start = packed.head[encoding.mark :].decode(encoding.name, "replace").lstrip("\ufeff \t\r\n")
    counts = Counts()
    store = _Store(choices)
    if start.startswith("["):
        for number, item in enumerate(_array(packed, encoding), 1):
            store.add(item, number, counts)
            if number % _BATCH == 0:
                watch.ask()
    else:
        _lines(packed, encoding, store, counts, watch)
    store.flush()
    path = packed.source.name
    if not store.columns:
        if counts.refused:
            odd = counts.refused.first[0]
            raise TableError(
                say(
                    "{path} holds no JSON objects; line {line}: {why}.",
                    path=path,
                    line=odd.line,
                    why=odd.why,
                )
            )
        raise TableError(say("{path} holds no rows. Choose another file.", path=path))
    names, _ = named(list(store.columns), len(store.columns))
    columns = watch.each([partial(_chunks, values, choices) for values in store.columns.values()])
    doubts: list[Doubt] = list(encoding.doubts)
    return read_values(packed, "records", names, columns, counts, choices, doubts, (), watch)


class _Store:
    """Objects as columns: a name that comes late is missing in the rows before."""

    def __init__(self, choices: Choices):
        self.choices = choices
        self.columns: dict[str, list[Any]] = {}
        self.rows = 0

    def add(self, item: Any, line: int, counts: Counts) -> None:
        if isinstance(item, list):
            item = {f"column {i}": v for i, v in enumerate(item, 1)}
        if not isinstance(item, dict):
            counts.refused.add(line, say("it is no JSON object"))
            return
        for name, value in item.items():
            column = self.columns.get(name)
            if column is None:
                self.columns[name] = column = []
            if len(column) < self.rows:
                column.extend([None] * (self.rows - len(column)))
            column.append(value if value == value else None)  # NaN is missing
        self.rows += 1
        counts.kept += 1

    def flush(self) -> None:
        for column in self.columns.values():
            column.extend([None] * (self.rows - len(column)))


def _chunks(values: list[Any], choices: Choices) -> Any:
    import pyarrow as pa

    array, missing = column_of(values, choices)
    return pa.chunked_array([array]), missing


def _lines(packed: Packed, encoding: Encoding, store: _Store, counts: Counts, watch: Watch) -> None:
    lines = Lines(text_blocks(packed, encoding))
    held: str = ""
    began = 0
    for number, text in enumerate(lines, 1):
        line = lines.taken[0][0]
        lines.taken.clear()
        if number % _BATCH == 0:
            watch.ask()
        # An object over several lines goes on until it is whole.
        whole, start = (held + text, began) if held else (text, line)
        try:
            store.add(_parsed(whole), start, counts)
            held = ""
        except ValueError as error:
            if (
                _goes_on(whole)
                and whole.count("\n") < 10_000
                and (held or not text.rstrip().endswith("}"))
            ):
                held, began = whole, start
                continue
            counts.refused.add(
                start, say("it is no JSON: {why}", why=str(error).split(":")[0].lower())
            )
            held = ""
    if held:
        counts.refused.add(began, say("the object is not closed"))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("too deep") from None


def _goes_on(text: str) -> bool:
    return text.lstrip().startswith("{") and text.count("{") > text.count("}")


def _array(packed: Packed, encoding: Encoding) -> Iterator[Any]:
    parts, size = [], 0
    for block in text_blocks(packed, encoding):
        parts.append(block)
        size += len(block)
        if size > _LARGEST_ARRAY:
            raise TableError(
                say(
                    "{path} is one JSON array of more than 1 GB. Save it as JSON lines or Parquet.",
                    path=packed.source.name,
                )
            )
    text = "".join(parts)
    try:
        held = _parsed(text.lstrip("\ufeff"))
    except ValueError as error:
        place = getattr(error, "pos", 0)
        raise TableError(
            say(
                "{path} is not whole JSON: line {line}, column {column}: {why}. Fetch or write it "
                "again.",
                path=packed.source.name,
                line=getattr(error, "lineno", text.count("\n", 0, place) + 1),
                column=getattr(error, "colno", 1),
                why=str(error).split(":")[0].lower(),
            )
        ) from None
    yield from held
