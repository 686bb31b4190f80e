"""Text to rows, tolerantly: every row comes with its line, and with what was mended in it."""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from dpstudio.files.read.signs import DELIMITERS
from dpstudio.files.read.text.encodings import BAD
from dpstudio.files.read.typing.marks import MARKS, is_value
from dpstudio.values.messages import Message, say

LONGEST_RECORD = 1 << 23  # letters of one line; more is no row
_LONGEST = 1000  # lines of one quoted value; more is a quote that is never closed
_SHORTER = 20  # the same after ten of those, so that a file full of them takes no time
_INNER = "\x1f"  # stands for a delimiter of two letters while the row is split
_ENDS = re.compile(r"\r\n|\n|\r")
WIDE = re.compile(DELIMITERS["wide"])
BAD_LETTER = say("bytes that stand for no letter were replaced by �")
ZERO_BYTES = say("zero bytes were removed")
NEVER_CLOSED = say("a quote is opened and never closed, so it was kept as a letter")
HIDDEN_SIGN = say(
    "a quote in the middle of a value stands before another delimiter, so one may be lost there"
)
INNER_QUOTE = say("a quote inside a quoted value is not doubled, so it was kept as a letter")


class LongLineError(Exception):
    """A line is longer than any row of a table: its number."""


@dataclass(frozen=True)
class Dialect:
    """How a row is split. `delimiter` is a name of DELIMITERS or "none"; `quote`, `comment` are the
    signs, "" for none."""

    delimiter: str
    quote: str = '"'
    backslash: bool = False
    comment: str = ""

    @property
    def sign(self) -> str:
        """The delimiter itself; empty for "none"."""
        return DELIMITERS.get(self.delimiter, "")

    def options(self) -> dict[str, Any]:
        """What csv.reader is told."""
        sign = {"spaces": " ", "none": "\ufdd0"}.get(
            self.delimiter, _INNER if len(self.sign) > 1 else self.sign
        )
        quoting: dict[str, Any] = {"quoting": csv.QUOTE_NONE}
        if self.quote:
            escape = (
                {"doublequote": False, "escapechar": "\\"}
                if self.backslash
                else {"doublequote": True}
            )
            quoting = {"quotechar": self.quote, **escape}
        # A space after the delimiter is no part of a value: it may stand before a quote.
        return {
            "delimiter": sign,
            "skipinitialspace": self.delimiter not in ("tab", "space", "none"),
            "strict": True,
            **quoting,
        }


Row = tuple[int, list[str], Message | None]


class Lines:
    """Physical lines with their ends, numbered from 1; \\n, \\r\\n and \\r end a line. Counts
    comments and blank lines passed over."""

    def __init__(
        self,
        blocks: Iterable[str],
        skip: int = 0,
        comment: str = "",
        blank: bool = False,
        longest: int = LONGEST_RECORD,
        *,
        newlines: str = "auto",
    ):
        self.longest = longest
        self.number, self.comments, self.blanks = 0, 0, 0
        self.comment, self.keep_blank = comment, blank
        self.taken: list[tuple[int, str]] = []
        self.odd: dict[int, Message] = {}
        self.limit, self.unclosed = 1 if newlines == "none" else _LONGEST, 0
        self._ready: deque[tuple[int, str]] = deque()
        self._source = self._split(blocks, skip)

    def _split(self, blocks: Iterable[str], skip: int) -> Iterator[tuple[int, str]]:
        rest = ""
        for block in _ended(blocks):
            text = rest + (block or "")
            lines = io.StringIO(text, newline="").readlines()
            rest = ""
            # A line without its end, or a \r that may be half of \r\n, waits for the next block.
            if block is not None and lines and not lines[-1].endswith("\n"):
                rest = lines.pop()
                if len(rest) > self.longest:
                    raise LongLineError(self.number + len(lines) + 1)
            strange = BAD in text or "\0" in text
            for line in lines:
                self.number += 1
                if self.number > skip:
                    yield self.number, self._mended(line) if strange else line

    def _mended(self, line: str) -> str:
        if BAD in line:
            self.odd[self.number] = BAD_LETTER
            line = line.replace(BAD, "\ufffd")
        if "\0" in line:
            if line.strip("\0\r\n \t"):
                self.odd[self.number] = ZERO_BYTES
            line = line.replace("\0", "")
        return line

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        taken = self.taken
        while True:
            pair = self._ready.popleft() if self._ready else next(self._source)
            if not taken:
                if self.comment and pair[1].startswith(self.comment):
                    self.comments += 1
                    continue
                if not self.keep_blank and not pair[1].strip(" \r\n"):
                    self.blanks += 1
                    continue
            taken.append(pair)
            if len(taken) > self.limit:
                raise csv.Error("never closed")
            return pair[1]

    def back(self, lines: list[tuple[int, str]]) -> None:
        """Lines that are to be read again."""
        self._ready.extendleft(reversed(lines))


def _ended(blocks: Iterable[str]) -> Iterator[str | None]:
    yield from blocks
    yield None


def swallows(
    cell: str, place: int, width: int, sign: str, numeric: frozenset[int] = frozenset()
) -> bool:
    """Whether a quoted value of several lines is whole rows that a stray quote swallowed: each line
    has the delimiters of a row, and numbers where the `numeric` columns are. `place` is its
    column."""
    parts = [part.split(sign) for part in _ENDS.split(cell)]
    first, *between, last = parts
    if len(first) != width - place or len(last) != place + 1:
        return False
    if any(len(row) != width for row in between):
        return False
    told = [c.strip() for k, c in enumerate(first, place) if k in numeric]
    told += [c.strip() for row in (*between, last) for k, c in enumerate(row) if k in numeric]
    told = [c.strip("\"' ") for c in told if c]
    if told:
        return all(is_value(c) or c in MARKS for c in told)
    # Without numbers: people write a space behind a comma, programs do not.
    return not numeric and not any(c.startswith(" ") for row in parts for c in row[1:])


def rows(
    lines: Lines, dialect: Dialect, width: int = 0, numeric: frozenset[int] = frozenset()
) -> Iterator[Row]:
    """Every record as (line, values, what was mended). `width`, and which columns are `numeric`,
    help to mend where they are known."""
    if dialect.delimiter == "wide":
        yield from _by_pattern(lines)
        return
    csv.field_size_limit(1 << 24)
    feed = _translated(lines, dialect)
    reader = csv.reader(feed, **dialect.options())
    while True:
        lines.taken.clear()
        why = None
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if not lines.taken:
                return
            cells, why = _mend(
                lines, dialect, width, "never closed" in str(error) or "end of data" in str(error)
            )
        if width > 1 and len(lines.taken) > 1 and why is None:
            sign = str(dialect.options()["delimiter"])
            if any("\n" in c and swallows(c, i, width, sign, numeric) for i, c in enumerate(cells)):
                cells, why = _mend(lines, dialect, width, True)
        if why is None and dialect.quote and width != 1 and _hides(cells, lines.taken, dialect):
            why = HIDDEN_SIGN
        line = lines.taken[0][0] if lines.taken else lines.number
        if lines.odd:
            why = why or next((lines.odd.pop(n) for n, _ in lines.taken if n in lines.odd), None)
        if len(lines.taken) == 1 and not cells:  # a blank line that counts as a row
            cells = [""]
        yield line, cells, why


def _hides(cells: list[str], taken: list[tuple[int, str]], dialect: Dialect) -> bool:
    """Whether a quote opens in the middle of a value that is not quoted, and closes at the end of
    one behind it: a delimiter lost before it is made up for by one that it encloses."""
    quote = dialect.quote
    plain = not dialect.backslash and dialect.delimiter not in ("spaces", "space", "none")
    if not plain or not any(quote in cell[1:-1] for cell in cells):
        return False
    sign, text = dialect.sign, "".join(line for _, line in taken)
    ends = rf"(?=[ ]*(?:{re.escape(sign)}|\s*$))"
    inner = rf"{quote}(?:[^{quote}]|{quote}{quote})*{quote}"
    # What is quoted as it should be, its quotes doubled, hides nothing.
    bare = re.sub(rf"(^|{re.escape(sign)})[ ]*{inner}{ends}", r"\1", text)
    opened = rf"[^{quote}{re.escape(sign[0])}\s][ ]*{quote}([^{quote}]*){quote}{ends}"
    held = (found[1].strip() for found in re.finditer(opened, bare))
    return any(sign in text.removeprefix(sign).removesuffix(sign) for text in held)


def _translated(lines: Lines, dialect: Dialect) -> Iterator[str]:
    """The lines as csv.reader can split them: one letter between values, no spaces at the ends
    where spaces are delimiters."""
    # By map and not by a generator, which would end for good where a line raises.
    if dialect.delimiter == "spaces":
        return map(partial(_closer, dialect.quote), lines)
    if len(dialect.sign) > 1:
        return map(partial(narrowed, dialect.sign), lines)
    return lines


def narrowed(sign: str, line: str) -> str:
    """A line with one letter in the place of a delimiter of several."""
    return line.replace(sign, _INNER)


def _closer(quote: str, line: str) -> str:
    spaced = line if quote and quote in line else line.replace("\t", " ")
    return spaced.strip(" \r\n") + "\n"


def _by_pattern(lines: Lines) -> Iterator[Row]:
    for text in lines:
        line = lines.taken[0][0]
        why = lines.odd.pop(line, None)
        lines.taken.clear()
        yield line, WIDE.split(text.strip(" \r\n")), why


def _mend(lines: Lines, dialect: Dialect, width: int, open_end: bool) -> tuple[list[str], Message]:
    """The first line of what was taken, its quotes read loosely; the lines after it are read again
    unless they belong to it."""
    taken = list(lines.taken)
    sign = dialect.options()["delimiter"]

    def text(part: list[tuple[int, str]]) -> str:
        joined = "".join(line for _, line in part).rstrip("\r\n")
        return (
            joined.replace(dialect.sign, sign)
            if len(dialect.sign) > 1 and dialect.delimiter != "spaces"
            else joined
        )

    if not open_end and width:
        cells = loose(text(taken), sign, dialect.quote)
        if len(cells) == width:
            return cells, INNER_QUOTE
    if open_end:
        lines.unclosed += 1
        if lines.unclosed >= 10:
            lines.limit = min(lines.limit, _SHORTER)
    lines.back(taken[1:])
    lines.taken = taken[:1]
    alone = text(taken[:1])
    readings = [loose(alone, sign, dialect.quote), alone.split(sign)]
    cells = next((r for r in readings if len(r) == width), readings[0])
    return cells, NEVER_CLOSED if open_end else INNER_QUOTE


def loose(text: str, sign: str, quote: str) -> list[str]:
    """A row whose quotes do not follow the rules: a quoted value ends only where a delimiter or the
    end follows its quote."""
    cells, place, size = [], 0, len(text)
    closed = bool(quote)  # whether a quote that ends a value may still come: each is sought once
    while True:
        end = -1
        if closed and text.startswith(quote, place):
            end = text.find(quote, place + 1)
            while end >= 0 and end + 1 < size and text[end + 1] != sign:
                end = text.find(quote, end + 1)
            closed = end >= 0
        if end >= 0:
            cells.append(text[place + 1 : end].replace(quote * 2, quote))
            place = end + 1
        else:
            end = text.find(sign, place)
            end = size if end < 0 else end
            cells.append(text[place:end])
            place = end
        if place >= size:
            return cells
        place += 1
