"""JSON: one object a line, or one array of objects; a line that is no object is told with its
number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.encodings import Encoding, detect, text_blocks
from dpstudio.files.read.giants import too_long
from dpstudio.files.read.headers import named
from dpstudio.files.read.outcome import Counts, Doubt, Read, TableError, quoted
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.rows import LONGEST_RECORD, Lines, LongLineError
from dpstudio.files.read.source import Watch
from dpstudio.files.read.values import column_of, read_values
from dpstudio.values.messages import say

_LARGEST_ARRAY = 1 << 30  # characters of one array, which is held whole
_BATCH = 20_000
WHOLE = "$"  # the part that is the whole object, as JSONPath has it


def looks_like_json(head: bytes) -> bool:
    """An object, or an array of objects or arrays, at the very start."""
    start = head.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"")[:4096].lstrip()
    return re.match(rb'\{\s*("|\}|$)|\[\s*(\{|\[\s*["\d\[\-tfn]|\]\s*$)', start) is not None


def read_json(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The table in a list of JSON objects or lists, or in one object a line. Raises TableError
    where there is none."""
    encoding = detect(packed, choices.encoding)
    try:
        return _read(packed, choices, encoding, watch)
    except LongLineError as error:
        raise too_long(packed, error.args[0]) from None


def _read(packed: Packed, choices: Choices, encoding: Encoding, watch: Watch) -> Read:
    start = packed.head[encoding.mark :].decode(encoding.name, "replace").lstrip("\ufeff \t\r\n")
    counts = Counts()
    store = _Store(choices)
    part, doubts, form = "", list(encoding.doubts), "json"
    if start.startswith("["):
        _rows(_array(packed, encoding), store, counts, watch)
    else:
        document = _document(packed, encoding, start)
        tables = _tables(document)
        if tables and choices.part != WHOLE:
            part = _chosen(packed, tables, choices.part)
            doubts.append(_which(tables))
            _rows(tables[part], store, counts, watch)
        elif document is not None:
            part = choices.part
            _rows([document], store, counts, watch)
        else:
            form = "lines"
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
    packed = replace(packed, part=part or packed.part)
    made = choices.with_(format=form, encoding=encoding.name)
    return read_values(packed, "records", names, columns, counts, choices, doubts, (), watch, made)


def _rows(items: Iterable[Any], store: _Store, counts: Counts, watch: Watch) -> None:
    for number, item in enumerate(items, 1):
        store.add(item, number, counts)
        if number % _BATCH == 0:
            watch.ask()


def _document(packed: Packed, encoding: Encoding, start: str) -> Any:
    """The one object that the whole text is; None where it is an object a line, or broken."""
    first, _, rest = start.partition("\n")
    try:
        _parsed(first)
        alone = not rest.strip()
    except ValueError:
        alone = True  # it goes on over several lines, or is longer than the start
    if not alone:
        return None
    try:
        return _parsed(_text(packed, encoding))
    except (ValueError, TableError):  # the reader of lines says what is wrong, or reads it
        return None


def _tables(held: Any, above: str = "", deep: int = 3) -> dict[str, list[Any]]:
    """The lists of objects, or of rows, inside an object, the longest first, by their path."""
    found: dict[str, list[Any]] = {}
    for name, value in held.items() if isinstance(held, dict) else ():
        path = f"{above}.{name}" if above else str(name)
        if isinstance(value, list) and value and all(isinstance(v, dict | list) for v in value):
            found[path] = value
        elif deep > 1:
            found |= _tables(value, path, deep - 1)
    return dict(sorted(found.items(), key=lambda pair: -len(pair[1])))


def _chosen(packed: Packed, tables: dict[str, list[Any]], part: str) -> str:
    if part and part not in tables:
        raise TableError(
            say(
                "{path} has no table {part}; it has: {names}.",
                path=packed.source.name,
                part=part,
                names=quoted(", ".join(tables), 200),
            )
        )
    return part or next(iter(tables))


def _which(tables: dict[str, list[Any]]) -> Doubt:
    why = say(
        "the object holds {n} lists that may be the table: {names}",
        n=len(tables),
        names=quoted(", ".join(list(tables)[:8]), 200),
    )
    if len(tables) == 1:
        why = say(
            "the list “{name}” in the object may be the table", name=quoted(next(iter(tables)))
        )
    return Doubt("part", why, (*tables, WHOLE))


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
            if len(name) > LONGEST_RECORD or (
                isinstance(value, str) and len(value) > LONGEST_RECORD
            ):
                raise LongLineError(line)
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


def _text(packed: Packed, encoding: Encoding) -> str:
    """All of it. Raises TableError where that is more than can be held."""
    parts, size = [], 0
    for block in text_blocks(packed, encoding):
        parts.append(block)
        size += len(block)
        if size > _LARGEST_ARRAY:
            raise TableError(
                say(
                    "{path} is one JSON value of more than 1 GB. Save it as JSON lines or Parquet.",
                    path=packed.source.name,
                )
            )
    return "".join(parts).lstrip("\ufeff")


def _array(packed: Packed, encoding: Encoding) -> Iterator[Any]:
    text = _text(packed, encoding)
    try:
        held = _parsed(text)
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
