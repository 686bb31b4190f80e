"""Hierarchies as somebody writes them: lines of text, each of which begins with its column."""

import math
import re
from collections.abc import Iterable

from dpstudio.values.lists import parts, quoted, unquoted

DATES, WORDS = "dates", "words"
_MARKS = '=|;"'
_LINE = re.compile(r'\s*(?P<column>"(?:[^"]|"")*"|[^=]*?)\s*=\s*(?P<rest>.*?)\s*', re.DOTALL)
_PREFIXES = re.compile(r"prefixes(?: +([1-9][0-9]?))?")


def column_of(line: str) -> str:
    """The column that a line is of."""
    return parted(line)[0]


def parted(line: str) -> tuple[str, str]:
    """The column of a line, which stands in quotes where its name holds =, and the rest."""
    found = _LINE.fullmatch(line)
    return (unquoted(found["column"]), found["rest"]) if found else (line.strip(), "")


def typed(trees: Iterable[str], column: str) -> tuple[str, ...]:
    """What is written of a column, without its name."""
    return tuple(rest for name, rest in map(parted, trees) if name == column)


def widths_of(text: str) -> tuple[tuple[float, ...], float] | None:
    """The widths of intervals and where they begin, as in “5, 10 from 17”; None for a text that
    is none."""
    steps, _, start = text.partition(" from ")
    try:
        widths = tuple(float(part) for part in parts(steps))
        from_ = float(start or 0)
        there = min(widths) > 0 and all(map(math.isfinite, (*widths, from_)))
        return (widths, from_) if there else None
    except ValueError:
        return None


def length_of(text: str) -> int | None:
    """How many characters prefixes are of, as in “prefixes 5”, 0 where that is not told; None for a
    text that is none."""
    found = _PREFIXES.fullmatch(text)
    return int(found[1] or 0) if found else None


def lines_of(column: str, rows: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The lines of a hierarchy, a value each."""
    return tuple(line_of(column, "; ".join(quoted(cell, _MARKS) for cell in row)) for row in rows)


def line_of(column: str, rest: str) -> str:
    """A line of a column."""
    return f"{quoted(column, _MARKS)} = {rest}"
