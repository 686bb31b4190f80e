"""JSON: one object a line, or one array of objects; a line that is no object is told with its
number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.formats.documents import DocumentRows, table_in
from dpstudio.files.read.formats.values import column_of, marked, read_values
from dpstudio.files.read.outcome import Counts, Read, TableError
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.source import Watch
from dpstudio.files.read.text.encodings import Encoding, detect, text_blocks
from dpstudio.files.read.text.headers import named, refuse_wide
from dpstudio.files.read.text.oversized_cells import giant_value, too_long
from dpstudio.files.read.text.rows import LONGEST_RECORD, Lines, LongLineError
from dpstudio.files.read.told import NAMED
from dpstudio.values.messages import N_, Message, Num, of_library, say

_LARGEST_ARRAY = 1 << 30  # characters of one array, which is held whole
_BATCH = 20_000
# So many cells are held for each that holds a value, and so many besides.
_SPARSE, _FEW_CELLS = 64, 10_000_000


def looks_like_json(head: bytes) -> bool:
    """An object, or an array of objects or arrays, at the very start."""
    start = head.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"")[:4096].lstrip()
    return re.match(rb'\{\s*("|\}|$)|\[\s*(\{|\[\s*["\d\[\-tfn]|\]\s*$)', start) is not None


def read_json(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The table in a list of JSON objects or lists, or in one object a line. Raises TableError
    where there is none."""
    giant = giant_value(packed, watch)
    if giant is not None:
        raise too_long(packed, giant)
    encoding = detect(packed, choices.encoding)
    try:
        return _read(packed, choices, encoding, watch)
    except LongLineError as error:
        raise too_long(packed, error.args[0]) from None


def _read(packed: Packed, choices: Choices, encoding: Encoding, watch: Watch) -> Read:
    start = packed.head[encoding.mark :].decode(encoding.name, "replace").lstrip("\ufeff \t\r\n")
    counts = Counts()
    path = packed.source.name
    store = _Store(path)
    whole = _array if start.startswith("[") else partial(_document, start=start)
    document = whole(packed, encoding)
    if document is None:
        found = DocumentRows([])
        _lines(packed, encoding, store, counts, watch)
    else:
        found = table_in(packed, document, choices)
        store.columns = {f"column {i}": [] for i, _ in enumerate(found.names, 1)}
        _rows(found.items, 2 if found.header == "yes" else 1, store, counts, watch)
    store.flush()
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
    names, _ = named([*found.names, *list(store.columns)[len(found.names) :]], len(store.columns))
    sign, vague = marked(names, [*store.columns.values()], choices)
    columns = watch.each([partial(_chunks, values, sign) for values in store.columns.values()])
    packed = replace(packed, part=found.part or packed.part)
    told = {"outer": found.outer, "header": found.header}
    told |= {"format": "lines" if document is None else "json", "encoding": encoding.name}
    made = choices.with_(**{name: value for name, value in told.items() if value != "auto"})
    doubts = (*encoding.doubts, *found.doubts, *vague)
    form = NAMED if found.by_name else "records"
    return read_values(packed, form, names, columns, counts, choices, doubts, (), watch, made)


def _rows(items: Iterable[Any], first: int, store: _Store, counts: Counts, watch: Watch) -> None:
    for number, item in enumerate(items, first):
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


class _Store:
    """Objects as columns: a name that comes late is missing in the rows before."""

    def __init__(self, path: str):
        self.path = path
        self.columns: dict[str, list[Any]] = {}
        self.rows = self.values = 0
        self.lists: bool | None = None  # whether rows are lists, as the first one is

    def add(self, item: Any, line: int, counts: Counts) -> None:
        """One more row. Raises TableError where rows are wider than those of any table, or next to
        no cell holds a value: then cells would be as the square of the file."""
        if isinstance(item, dict | list):
            refuse_wide(self.path, len(item))
            self.values += len(item)
        of_list = isinstance(item, list)
        if isinstance(item, list):
            item = {f"column {i}": v for i, v in enumerate(item, 1)}
        if not isinstance(item, dict):
            counts.refused.add(line, say("it is no JSON object"))
            return
        if self.lists not in (None, of_list):
            of = N_("it is an object among lists"), N_("it is a list among objects")
            counts.refused.add(line, Message(of[of_list]))
            return
        self.lists = of_list
        for name, value in item.items():
            if len(name) > LONGEST_RECORD or (
                isinstance(value, str) and len(value) > LONGEST_RECORD
            ):
                raise LongLineError(line)
            column = self.columns.get(name)
            if column is None:
                self.columns[name] = column = []
                refuse_wide(self.path, len(self.columns))
            if len(column) < self.rows:
                column.extend([None] * (self.rows - len(column)))
            column.append(value if value == value else None)  # NaN is missing
        self.rows += 1
        counts.kept += 1
        if self.rows * len(self.columns) > _FEW_CELLS + _SPARSE * self.values:
            raise self._sparse()

    def _sparse(self) -> TableError:
        return TableError(
            say(
                "{path} has {n:# different key|# different keys} in its first {rows:# row|# rows}, "
                "and at most one cell in {times} holds a value, which is no table that can be "
                "shown. Choose another file.",
                path=self.path,
                n=Num(len(self.columns)),
                rows=Num(self.rows),
                times=Num(self.rows * len(self.columns) // self.values),
            )
        )

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
                start, say("it is no JSON: {why}", why=of_library(str(error).split(":")[0].lower()))
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


def _array(packed: Packed, encoding: Encoding) -> Any:
    text = _text(packed, encoding)
    try:
        return _parsed(text)
    except ValueError as error:
        place = getattr(error, "pos", 0)
        raise TableError(
            say(
                "{path} is not whole JSON: line {line}, column {column}: {why}. Fetch or write it "
                "again.",
                path=packed.source.name,
                line=getattr(error, "lineno", text.count("\n", 0, place) + 1),
                column=getattr(error, "colno", 1),
                why=of_library(str(error).split(":")[0].lower()),
            )
        ) from None
