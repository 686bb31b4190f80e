"""Text whose reading is told, record by record: what a record holds decides about its own row.

A record is a line, whatever it holds. Where values are told to hold line ends, what follows the
rules of quotes (RFC 4180) is one record over all of its lines: so one that breaks them may take in
the rows up to another that does, and nothing of such a reading leaves.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO

from dpstudio.files.read import packing, signs, source
from dpstudio.files.read.choices import OPEN, Choices
from dpstudio.files.read.text.encodings import BAD, ERRORS, mark, text_blocks
from dpstudio.files.read.text.encodings import Encoding as Found
from dpstudio.files.read.text.headers import named
from dpstudio.files.read.text.layout import joined
from dpstudio.files.read.text.rows import LONGEST_RECORD, WIDE, Dialect, loose, narrowed
from dpstudio.files.read.text.tolerant import Fitting
from dpstudio.files.read.told import rows_first

Cells = list[str] | None  # the values of one record; None where it has none
_BLOCK = 1 << 20
_MOST = 1000  # lines of one record
_ENDS = ("\n", "\r")
_OVER = "no more"  # this very text: a line of a file is another


def told_lines(packed: packing.Packed, choices: Choices) -> Iterator[str | None]:
    """The lines without their ends; None for one that is longer than any row.

    They end with \\n, before which \\r is no letter; with \\r alone where the first line does, if
    that is no row. What stands behind the last end is a line of a text that is told to be open
    there, even if it is blank, and of JSON lines, where it is not; else none: a file that holds a
    blank record there is that of one record less."""
    name, skipped = choices.encoding, _marked(packed, choices)
    head = packed.head[skipped:].decode(name, "replace")
    place = min((head.find(end) for end in _ENDS if end in head), default=-1)
    returns = head[place : place + 2].startswith("\r") and head[place : place + 2] != "\r\n"
    end = "\r" if returns and not rows_first(choices) else "\n"
    if name.startswith(("utf-16", "utf-32")):
        texts = text_blocks(packed, Found(name, skipped), _BLOCK)
        wide = (text.replace(BAD, "\ufffd").encode() for text in texts)
        yield from _decoded(wide, "utf-8", end, choices)
        return
    with packing.broken(packed.source.name), packed.open() as stream:
        stream.read(skipped)
        yield from _decoded(_blocks(stream), name, end, choices)


def told_text(packed: packing.Packed, choices: Choices) -> str:
    """All of it, for formats whose records are no lines, and may all stand in one."""
    name, skipped = choices.encoding, _marked(packed, choices)
    if name.startswith(("utf-16", "utf-32")):
        text = "".join(text_blocks(packed, Found(name, skipped), _BLOCK))
    else:
        text = b"".join(packed.blocks())[skipped:].decode(name, ERRORS)
    return text.replace("\0", "").replace(BAD, "\ufffd")


def _marked(packed: packing.Packed, choices: Choices) -> int:
    """How many bytes at the start mark the encoding that is told."""
    marked = mark(packed.head)
    return marked[1] if marked and marked[0] == choices.encoding else 0


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block


def _parted(blocks: Iterable[bytes], end: bytes, choices: Choices) -> Iterator[list[bytes | None]]:
    """Lines by their ends; of one that is too long nothing is kept."""
    rest, cut, ended = b"", False, False
    for block in blocks:
        *lines, rest = (rest + block).split(end)
        parts = [None if len(line) > LONGEST_RECORD else line for line in lines]
        if cut and parts:
            parts[0], cut = None, False
        if len(rest) > LONGEST_RECORD:
            rest, cut = b"", True
        ended = ended or bool(parts)
        yield parts
    named = not ended and not rows_first(choices)  # a header, and no record
    blank_too = choices.format == "text" and not named
    if choices.rows == OPEN if blank_too else (rest or cut):
        yield [None if cut else rest]


def _decoded(
    blocks: Iterable[bytes], name: str, end: str, choices: Choices
) -> Iterator[str | None]:
    """Lines as text; each by itself where not all of them are valid."""
    for parts in _parted(blocks, end.encode(), choices):
        whole = [part for part in parts if part is not None]
        try:
            texts: list[str | None] = [*end.encode().join(whole).decode(name).split(end)]
        except UnicodeError:
            texts = []
        if len(texts) != len(parts):
            texts = [None if part is None else part.decode(name, ERRORS) for part in parts]
        yield from map(_cleaned, texts)


def _cleaned(line: str | None) -> str | None:
    if line is None:
        return None
    line = line.removesuffix("\r").replace("\0", "") if "\0" in line or "\r" in line else line
    return line.replace(BAD, "\ufffd") if BAD in line else line


def told_table(
    packed: packing.Packed, choices: Choices, watch: source.Watch
) -> tuple[list[str], Iterator[Cells], Splitter]:
    """The names of the columns, and of every record behind the header its values, as many as there
    are names; and who parts them."""
    lines = told_lines(packed, choices)
    for _ in islice(lines, int(choices.skip or 0)):
        pass
    dialect = Dialect(
        choices.delimiter,
        signs.QUOTES[choices.quote],
        choices.escape == "backslash",
        signs.COMMENTS[choices.comment],
    )
    splitter = Splitter(dialect, choices.newlines == "quoted")
    records = splitter.records(lines)
    head = _names(records, choices)
    names, _ = named(head, len(head))
    if choices.header == "no":
        names = [f"column {place}" for place in range(1, 1 + len(choices.types))]
    sign = " " if choices.delimiter in ("spaces", "wide") else dialect.sign
    fitting = Fitting(len(names), choices.ragged, sign, trailing=False)
    return names, _fitted(records, fitting, watch), splitter


def _names(records: Iterator[Cells], choices: Choices) -> list[str]:
    """The names as they stand in the first one or two records that hold anything."""
    told = (cells for cells in records if cells and any(cell.strip() for cell in cells))
    heads = list(islice(told, {"no": 0, "two": 2}.get(choices.header, 1)))
    if len(heads) == 2:
        width = max(map(len, heads))
        return list(joined(*(head + [""] * (width - len(head)) for head in heads)))
    shifted = [""] if choices.header == "shifted" else []
    return [*shifted, *heads[0]] if heads else []


def _fitted(records: Iterator[Cells], fitting: Fitting, watch: source.Watch) -> Iterator[Cells]:
    for number, cells in enumerate(records):
        if number % 10_000 == 0:
            watch.ask()
        odd = cells is not None and len(cells) != fitting.width
        yield fitting.fit(cells)[0] if cells is not None and odd else cells


class Splitter:
    """Lines to records, and these to values. `left_open` of them opened a quote that did not end,
    where each line is a record."""

    def __init__(self, dialect: Dialect, over_lines: bool):
        self.left_open = 0
        self.dialect, self.options, self.over_lines = dialect, dialect.options(), over_lines
        self.sign = str(self.options["delimiter"])
        # One letter parts values: a line without quote and escape is nothing else.
        self.plain = dialect.delimiter not in ("spaces", "wide") and len(dialect.sign) < 2
        self.whole = re.compile(_record(dialect, self.sign), re.DOTALL)
        csv.field_size_limit(1 << 24)

    def records(self, lines: Iterator[str | None]) -> Iterator[Cells]:
        """The values of each record: none of a comment, or of one that is too long."""
        ahead: deque[str | None] = deque()
        quote = self.dialect.quote if self.dialect.delimiter != "wide" else ""
        comment = self.dialect.comment
        while True:
            line = ahead.popleft() if ahead else next(lines, _OVER)
            if line is _OVER:
                return
            if line is None or (comment and line.startswith(comment)):
                yield None
                continue
            quoted = (quote and quote in line) or (self.dialect.backslash and "\\" in line)
            if self.plain and not quoted:
                yield line.split(self.sign)
                continue
            is_open = bool(quote) and self._open(line)
            self.left_open += is_open and not self.over_lines
            if is_open and self.over_lines:
                more = self._rest(line, lines, ahead)
                if more:
                    yield more
                    continue
            yield self.cells(line)

    def _open(self, line: str) -> bool:
        """Whether a quote is open at the end of a line that began outside of one."""
        if self.dialect.backslash and "\\" in line:
            line = re.sub(r"\\.", "", line)
        return bool(line.count(self.dialect.quote) % 2)

    def _rest(
        self, line: str, lines: Iterator[str | None], ahead: deque[str | None]
    ) -> list[str] | None:
        """The values of a record that goes on over lines, which are taken from what is `ahead`;
        None where its quotes do not follow the rules."""
        held, size = [line], len(line)
        for place in range(_MOST):
            if place == len(ahead):
                ahead.append(next(lines, _OVER))
            more = ahead[place]
            size += len(more or "")
            if more is None or more is _OVER or size > LONGEST_RECORD:
                return None
            held.append(more)
            if self._open(more):
                break
        else:
            return None
        text = "\n".join(self._narrow(each) for each in held)
        if not self.whole.fullmatch(text):
            return None
        parts = (f"{part}\n" for part in text.split("\n"))
        cells = next(csv.reader(parts, **self.options))
        for _ in held[1:]:
            ahead.popleft()
        return cells

    def _narrow(self, line: str) -> str:
        """With one letter between values, and no spaces at the ends where they are delimiters."""
        if self.dialect.delimiter == "spaces":
            quote = self.dialect.quote
            return (line if quote and quote in line else line.replace("\t", " ")).strip(" ")
        return narrowed(self.dialect.sign, line) if len(self.dialect.sign) > 1 else line

    def cells(self, line: str) -> list[str]:
        """The values of a record of one line, its quotes read loosely where they follow no rule."""
        if self.dialect.delimiter == "wide":
            return WIDE.split(line.strip(" "))
        line = self._narrow(line)
        quote = self.dialect.quote
        if "\r" in line or (quote and quote in line and self._open(line)):
            return loose(line, self.sign, quote)
        try:
            return next(csv.reader([line], **self.options), [""]) or [""]
        except csv.Error:
            return loose(line, self.sign, quote)


def _record(dialect: Dialect, sign: str) -> str:
    """The pattern of a record whose quotes follow the rules: they enclose a whole value, in which
    they are doubled, or stand behind a backslash. No way back is taken into what matched."""
    quote, sign = re.escape(dialect.quote), re.escape(sign)
    if not quote:
        return ""
    inner = rf"[^{quote}\\]|\\." if dialect.backslash else rf"[^{quote}]|{quote}{quote}"
    value = rf" *+{quote}(?:{inner})*+{quote}|[^{quote}{sign}\r\n]*+"
    return rf"(?:{value})(?:{sign}(?:{value}))*+"
