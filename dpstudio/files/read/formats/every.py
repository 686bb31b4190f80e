"""Every record of a file as one row, by choices that are all told: no record decides whether it is
read, how many rows there are, or how another one is read. So n, which is public where neighbours
have as many rows, follows from the file alone that holds so many records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from dpstudio.files.read.choices import EVERY, Choices
from dpstudio.files.read.formats.documents import WHOLE, at, row_of, turned
from dpstudio.files.read.formats.values import word
from dpstudio.files.read.outcome import ColumnRead, Counts, Read, TableError
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.source import Watch
from dpstudio.files.read.text.encodings import open_end
from dpstudio.files.read.text.headers import named
from dpstudio.files.read.text.told_lines import told_lines, told_table, told_text
from dpstudio.files.read.told import NAMED_RECORDS, NO_RECORDS, WORKBOOK
from dpstudio.files.read.typing.arrays import no_value, strings
from dpstudio.files.read.typing.marks import CLEAR
from dpstudio.values.messages import N_, Message, Num, say

if TYPE_CHECKING:
    import pyarrow as pa

Cells = Sequence[str | None] | None  # the values of one record; None where it has none
WITHOUT_VALUES = N_("Rows without values: {n}, of records that hold none or cannot be read.")
LEFT_OPEN = N_(
    "Lines that open a quote and do not close it: {n}. Each line is a row as it is told "
    "(newlines=none): if a value goes on in the next line, it became several rows."
)
NO_END = N_(
    "The last line has no line end, so it is no row as it is told (rows=every); rows=open makes it "
    "one."
)
# The column of the names of rows, as it is called where it is found.
_NAMES = named([""], 1)[0][0]
_BATCH = 5_000
_LONGEST_INT = 400  # digits; more is endless as a double, and Python's int refuses very many
# What parts the elements of an array, and names from values: signs outside of texts, and these.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]', re.DOTALL)
_NAMED = re.compile(r'\s*("(?:[^"\\]|\\.)*+")\s*:(.*)', re.DOTALL)


def read_every(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The table of words, a row for each record. Raises TableError where the file is none of its
    format: of text, JSON lines, and the elements of a JSON array never for what a record holds."""
    form = choices.format
    records: Iterable[Cells]
    splitter = None
    if form == "text":
        names, records, splitter = told_table(packed, choices, watch)
    elif form in ("lines", "json"):
        names = [entry.rpartition("=")[0].strip() for entry in choices.types]
        lines = (_parsed(line or "") for line in told_lines(packed, choices))
        items = lines if form == "lines" else _items(packed, choices)
        first = 1 if form == "json" and choices.header == "yes" else 0  # a list of the names
        records = (_values(item, names, choices) for item in islice(items, first, None))
    elif form == WORKBOOK:
        raise TableError(Message(NO_RECORDS))
    else:
        names, records = _database(packed, choices, watch)
    if not names:
        text = N_("{path} holds no table: no columns were found. Choose another file.")
        raise TableError(say(text, path=packed.source.name))
    read = _read(packed, names, records, choices, watch)
    notes = list(read.notes)
    if splitter is not None and splitter.left_open:
        notes.append(say(LEFT_OPEN, n=Num(splitter.left_open)))
    if form == "text" and choices.rows == EVERY and open_end(packed, choices.encoding):
        notes.append(Message(NO_END))
    return replace(read, notes=tuple(notes))


def _read(
    packed: Packed, names: Sequence[str], records: Iterable[Cells], choices: Choices, watch: Watch
) -> Read:
    import pyarrow as pa

    parts: list[list[pa.Array]] = [[] for _ in names]
    none, odd, records = [None] * len(names), 0, iter(records)
    while held := list(islice(records, _BATCH)):
        watch.ask()
        odd += sum(not cells or not any(cells) for cells in held)
        for part, column in zip(parts, zip(*(c or none for c in held), strict=True), strict=True):
            part.append(pa.array(column, pa.string()))
    columns = [valued(pa.chunked_array(part, pa.string()), choices) for part in parts]
    table = pa.table(columns, names=list(names))
    footer = min(int(choices.footer or 0), len(table))
    table = table.slice(0, len(table) - footer)
    kinds = choices.forced()
    return Read(
        table,
        packed.source.name,
        {"lines": "records", "json": "records"}.get(choices.format, choices.format),
        choices.with_(part=packed.part or choices.part),
        Counts(kept=len(table), footer=footer),
        tuple(ColumnRead(name, kinds.get(name, "words")) for name in names),
        (say(WITHOUT_VALUES, n=Num(odd)),) if odd else (),
    )


def valued(words: pa.ChunkedArray, choices: Choices) -> pa.ChunkedArray:
    """Without spaces at the ends, and without the words that mean missing, each by itself."""
    import pyarrow.compute as pc

    words = pc.utf8_trim_whitespace(words)
    marks = () if choices.missing == "blank" else CLEAR
    meant = strings(sorted({"", *choices.missing_words, *marks}), words.type)
    return pc.if_else(pc.is_in(words, value_set=meant), no_value(words.type), words)


# JSON


def _parsed(text: str) -> Any:
    """A JSON value, or a text, which is no record, where it is none."""
    try:
        return json.loads(text, parse_int=lambda d: int(d) if len(d) < _LONGEST_INT else float(d))
    except (ValueError, RecursionError):
        return ""


def _document(text: str, levels: int) -> Any:
    """A JSON value; where it breaks the rules, what is within so many levels of lists and objects
    is read by itself, and what is none is "", so that no value decides about another."""
    whole = _parsed(text)
    if whole != "" or not levels or text.strip()[:1] not in ("[", "{"):
        return whole
    begin = len(text) - len(text.lstrip())
    try:
        members = list(_members(text, begin, _TOKEN.finditer(text, begin + 1)))
    except _OpenError:
        return ""
    if text[begin] == "[":
        return [_document(each, levels - 1) for each in members]
    pairs = (_NAMED.match(each) for each in members)
    held = ((_parsed(each[1]), each[2]) for each in pairs if each)
    return {name: _document(value, levels - 1) for name, value in held}


class _OpenError(ValueError):
    """A list or an object that does not end."""


def _members(text: str, begin: int, tokens: Iterable[re.Match[str]]) -> Iterator[str]:
    """The texts between the commas of the list or object that begins there. Raises _OpenError."""
    end, deep = "]" if text[begin : begin + 1] == "[" else "}", 1
    for token in tokens:
        sign = token.group()
        if deep == 1 and sign in (",", end):
            member = text[begin + 1 : token.start()]
            last, begin = text[begin], token.start()
            if sign == "," or last == "," or member.strip():
                yield member
            if sign == end:
                return
        deep += sign in ("[", "{")
        deep = max(1, deep - (sign in ("]", "}")))
    raise _OpenError


def _values(item: Any, names: Sequence[str], choices: Choices) -> Cells:
    """The values of an object at these names, or of a list in their order; None of all else."""
    if isinstance(item, list):
        item = dict(zip(names, item, strict=False))
    held = isinstance(item, dict)
    return [_word(item.get(name), choices) for name in names] if held else None


def _word(value: Any, choices: Choices) -> str | None:
    """A value as text of letters that there are."""
    if value is None or value != value:  # NaN is missing
        return None
    try:
        text = value if isinstance(value, str) else word(value, choices)
    except (ValueError, RecursionError):
        return None
    return text.encode("utf-8", "replace").decode()


def _items(packed: Packed, choices: Choices) -> Iterator[Any]:
    """The elements of the array that the file is, or that is the `part` of its object, or the pairs
    of an object of rows; or of what an object is told to be. Raises TableError where there is no
    whole array or object: then no element is known to be one; and for columns of named records."""
    text = told_text(packed, choices)
    path = choices.part.split(".") if choices.part not in ("", WHOLE) else []
    if choices.outer in ("columns", "fields"):
        held = at(_document(text, len(path) + 2), choices.part)
        if held is not None:
            if choices.outer == "columns" and not _by_place(held):
                raise TableError(Message(NAMED_RECORDS))
            yield from turned(held, choices.outer)
            return
    tokens = _TOKEN.finditer(text)
    begin = _begin(tokens, ["", *path], "[{" if choices.outer == "rows" else "[")
    read = _named_row if text[begin : begin + 1] == "{" else _parsed
    try:
        yield from map(read, _members(text, begin, tokens))
    except _OpenError:
        broken = N_("{path} is no whole JSON list or object of records. Fetch or write it again.")
        raise TableError(say(broken, path=packed.source.name)) from None


def _by_place(held: dict[str, Any]) -> bool:
    """Whether what columns hold is lists, and values that all rows share."""
    kinds = {type(value) for value in held.values()}
    return list in kinds and dict not in kinds


def _named_row(member: str) -> Any:
    """A pair of an object of rows as one, whatever its name: another may bear it too, or it may
    count rows or not."""
    pair = _NAMED.match(member)
    return {_NAMES: _parsed(pair[1]), **row_of(_document(pair[2], 1))} if pair else ""


def _begin(tokens: Iterable[re.Match[str]], wanted: list[str], opens: str) -> int:
    """Where the list or object at the `wanted` names begins, by one of these signs, the first name
    being that of the whole; −1 where there is none."""
    names, name, text = list[str](), "", ""
    for token in tokens:
        sign = token.group()
        if sign in opens and [*names, name] == wanted:
            return token.start()
        if sign in ("[", "{"):
            names.append(name)
            name = ""
        elif sign in ("]", "}"):
            del names[-1:]
        elif sign == ":":
            name = str(_parsed(text))
        text = sign
    return -1


# Files that say themselves what a record is


def _database(packed: Packed, choices: Choices, watch: Watch) -> tuple[list[str], Iterator[Cells]]:
    from dpstudio.files.read.formats.databases import columns_of

    names, columns = columns_of(packed, choices.part, watch)
    return names, ([_word(value, choices) for value in row] for row in zip(*columns, strict=True))
