"""Hierarchies of generalisation: each value has a parent at every height, up to one that is all."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from itertools import pairwise

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.values.csv_text import csv_text
from dpstudio.values.messages import SentenceError, say

ANY = "*"
_DIGITS = Context(prec=700)  # of any quotient of two doubles, and of any difference


class HierarchyError(SentenceError, ValueError):
    """A hierarchy that is none; `sentence` says where."""


@dataclass(frozen=True)
class Hierarchy:
    """`rows` has one tuple a value: itself, its parent, … up to the top. All have the same height,
    the top is one word for all, and values that share a parent share all ancestors. HierarchyError
    on anything else."""

    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if not self.rows:
            raise HierarchyError(say("The hierarchy holds no value."))
        wide, seen = len(self.rows[0]), set[str]()
        for number, row in enumerate(self.rows, 1):
            if len(row) != wide:
                raise HierarchyError(
                    say(
                        "Line {line} has {got} {got:level|levels}, the first has {want}. Give each "
                        "value as many.",
                        line=number,
                        got=len(row),
                        want=wide,
                    )
                )
            if row[0] in seen:
                raise HierarchyError(
                    say("“{value}” is there twice. Keep one of them.", value=row[0])
                )
            seen.add(row[0])
        for height in range(1, wide):
            above: dict[str, str] = {}
            for row in self.rows if height < wide - 1 else ():
                if above.setdefault(row[height], row[height + 1]) != row[height + 1]:
                    raise HierarchyError(
                        say(
                            "“{value}” has two parents, “{one}” and “{two}”. Give it one.",
                            value=row[height],
                            one=above[row[height]],
                            two=row[height + 1],
                        )
                    )
        if len({row[-1] for row in self.rows}) > 1:
            raise HierarchyError(
                say("The highest level has several values. End it with one, such as *.")
            )

    @property
    def height(self) -> int:
        """How many steps there are above the values themselves; 0 for a single value."""
        return len(self.rows[0]) - 1

    @property
    def values(self) -> tuple[str, ...]:
        """The values at the bottom."""
        return tuple(row[0] for row in self.rows)

    def with_values(self, values: Iterable[str]) -> Hierarchy:
        """The same with those of `values` that it lacks: one that names a parent is what lies under
        that parent, and any other is itself up to the top."""
        parents: dict[str, tuple[str, ...]] = {}
        for height in range(1, self.height):
            for row in self.rows:
                parents.setdefault(row[height], (*(row[height],) * height, *row[height:]))
        there, top = set(self.values), self.rows[0][-1:]
        lacking = [each for each in dict.fromkeys(values) if each not in there]
        more = (parents.get(each, (*(each,) * self.height, *top)) for each in lacking)
        return Hierarchy((*self.rows, *more)) if lacking else self

    def words(self, height: int) -> tuple[str, ...]:
        """The words at a height, in the order of the values below them."""
        return tuple(dict.fromkeys(row[height] for row in self.rows))

    def codes(self, values: Sequence[str], height: int) -> Codes:
        """For each of `values` the number of its ancestor in `words(height)`, shape (values,).
        HierarchyError for one that the hierarchy does not hold."""
        place = {word: i for i, word in enumerate(self.words(height))}
        of = {row[0]: place[row[height]] for row in self.rows}
        for value in values:
            if value not in of:
                raise HierarchyError(
                    say("The hierarchy has no line for “{value}”. Add one.", value=value)
                )
        return np.array([of[value] for value in values], dtype=np.int64)

    def penalty(self, values: Sequence[str], height: int) -> Array:
        """What generalising each of `values` to this height costs, from 0 to 1: (leaves of its
        ancestor − 1)/(all leaves − 1), shape (values,)."""
        at = self.codes(values, height)
        leaves = np.bincount(self.codes(self.values, height))
        return np.asarray((leaves[at] - 1) / max(len(self.rows) - 1, 1), dtype=np.float64)


def from_csv(text: str) -> Hierarchy:
    """A hierarchy as ARX writes it: a line a value, its parents to the right, semicolons between,
    words that hold one in quotes (Prasser, Kohlmayer, Lautenschläger & Kuhn 2014); commas or tabs
    where there is no semicolon. HierarchyError where it is none."""
    text = text.removeprefix("\ufeff")
    first = re.sub(r'"(?:[^"]|"")*"', "", text).split("\n", 1)[0]
    between = next((mark for mark in ";\t," if mark in first), ";")
    lines = csv.reader(io.StringIO(text), delimiter=between, skipinitialspace=True)
    return Hierarchy(tuple(tuple(cell.strip() for cell in line) for line in lines if line))


def to_csv(hierarchy: Hierarchy) -> str:
    """The same as ARX reads it."""
    return csv_text(hierarchy.rows, ";")


def of_intervals(
    values: Iterable[float], widths: Sequence[float], start: float = 0.0, *, whole: bool
) -> Hierarchy:
    """Numbers in intervals of growing `widths`, each a multiple of the one before, from `start` on;
    then all. Where they are `whole`, and widths and start are, intervals have both ends; else they
    are closed below. HierarchyError for widths that do not fit into one another, which would give a
    value two parents."""
    for small, large in pairwise(widths):
        if small <= 0 or abs(large / small - round(large / small)) > 1e-9 or large <= small:
            raise HierarchyError(say("Each width must be a multiple of the one before."))
    ends = whole and all(float(each).is_integer() for each in (*widths, start))
    steps, begin = [_decimal(each) for each in widths], _decimal(start)
    times = [1, *(round(large / small) for small, large in pairwise(widths))][: len(steps)]

    def parents(value: float) -> Iterator[str]:
        # In decimals, as numbers are written: 0.3 lies at an end of 0.1, and intervals that are
        # written alike are one, else they could not have two parents.
        place, rest = divmod(_decimal(value) - begin, steps[0]) if steps else (0, 0)
        place = int(place) - (rest < 0)  # which was cut towards 0
        for step, many in zip(steps, times, strict=True):
            place //= many
            yield _interval(begin + place * step, step, whole=ends)

    with localcontext(_DIGITS):
        return Hierarchy(tuple((number_word(value), *parents(value), ANY) for value in values))


def number_word(value: float) -> str:
    """A number as it is published: two that differ are written so, and 0 has no sign."""
    short = f"{value + 0.0:.12g}"
    return short if float(short) == value else repr(float(value)).removesuffix(".0")


def _decimal(value: float) -> Decimal:
    return Decimal(repr(float(value)))


def _interval(low: Decimal, width: Decimal, *, whole: bool) -> str:
    if not whole:
        return f"[{_end(low)}, {_end(low + width)})"
    return _end(low) if width == 1 else f"{_end(low)}-{_end(low + width - 1)}"


def _end(at: Decimal) -> str:
    return number_word(float(at)) if _decimal(float(at)) == at else str(at)


def of_prefixes(values: Iterable[str], long: int = 0, mark: str = ANY) -> Hierarchy:
    """Words, such as postcodes, of which one character less is shown at each height: 33617, 3361*,
    336**, … They are taken for words of `long` characters, or as many as the longest has: of longer
    ones the first characters are shown, and shorter ones are whole until it is their turn. So what
    is shown of a word follows from no other one, where `long` is told."""
    words = list(values)
    long = long or max(map(len, (*words, ANY)))

    def shown(word: str, cut: int) -> str:
        whole = cut < long and len(word) <= long - cut
        return word if whole or not cut else word[: long - cut] + mark * cut

    return Hierarchy(tuple(tuple(shown(word, cut) for cut in range(long + 1)) for word in words))


def of_dates(days: Iterable[str]) -> Hierarchy:
    """Days as 2026-11-22: the month, the year, the decade, all."""

    def parents(day: str) -> tuple[str, ...]:
        return day, day[:7], day[:4], f"{day[:3]}0s", ANY

    return Hierarchy(tuple(parents(day) for day in days))


def of_words(values: Iterable[str], parent: Callable[[str], str] | None = None) -> Hierarchy:
    """Words that are themselves or anything, with one level of parents between where `parent` names
    them."""
    rows = [(word, *((parent(word),) if parent else ()), ANY) for word in values]
    return Hierarchy(tuple(rows))
