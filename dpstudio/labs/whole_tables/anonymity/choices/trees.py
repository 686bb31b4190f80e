"""Hierarchies that somebody writes or loads: lines of text, each of which begins with its
column."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dpstudio.privacy.anonymity.hierarchy import HierarchyError, from_csv
from dpstudio.values.lists import WordLines, quoted, separated, unquoted
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

DATES, WORDS = "dates", "words"
_MARKS, _OPENS = '=|;"', "=|;"
_LINE = re.compile(r'\s*(?P<column>"(?:[^"]|"")*"|[^=]*?)\s*=\s*(?P<rest>.*?)\s*', re.DOTALL)
_PREFIXES = re.compile(r"prefixes(?: +([1-9][0-9]?))?")
_FILE = re.compile(r"(?:.*hierarch(?:y|ies)[-_ ])?(?P<column>.+)", re.IGNORECASE)


def column_of(line: str) -> str:
    """The column that a line is of."""
    return _parted(line)[0]


def _parted(line: str) -> tuple[str, str]:
    """The column of a line, which stands in quotes where its name holds =, and the rest."""
    found = _LINE.fullmatch(line)
    return (unquoted(found["column"]), found["rest"]) if found else (line.strip(), "")


def typed(trees: Iterable[str], column: str) -> tuple[str, ...]:
    """What is written of a column, without its name."""
    return tuple(rest for name, rest in map(_parted, trees) if name == column)


def widths_of(text: str) -> tuple[tuple[float, ...], float] | None:
    """The widths of intervals and where they begin, as in “5, 10 from 17”; None for a text that
    is none."""
    steps, _, start = text.partition(" from ")
    try:
        widths = tuple(float(part) for part in steps.split(","))
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


@dataclass(frozen=True)
class Trees(WordLines):
    """Such lines; a file of ARX becomes those of the column that its name ends with."""

    loads = "CSV (*.csv)"

    def check(self, value: Any) -> tuple[str, ...]:
        several = separated(value, _OPENS) if isinstance(value, str) and value.strip() else value
        lines = super().check(several)
        for line in lines:
            if len(separated(line, _OPENS)) > 1:
                text = N_('Put a word that holds | or ; in quotes, such as job = "a|b"; health; *')
                raise ParamError("", say(text))
            if not all(_parted(line)):
                text = N_("Begin each line with its column, such as age = 5, 10, 20.")
                raise ParamError("", say(text))
        return lines

    def show(self, value: Any) -> str:
        return " | ".join(value)

    def loaded(self, value: Any, name: str, text: str) -> tuple[str, ...]:
        """As `Domain` says: adult_hierarchy_age.csv is of the column age, and takes the place of
        what was written of it. Raises ParamError where it is no hierarchy."""
        found = _FILE.fullmatch(name)
        column = found["column"] if found else name
        try:
            rows = from_csv(text).rows
        except HierarchyError as error:
            raise ParamError("", error.sentence) from None
        others = tuple(line for line in value if column_of(line) != column)
        return self.check((*others, *lines_of(column, rows)))

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "a||b", "no column", "= 5")
