"""Hierarchies of generalisation: each value has a parent at every height, up to one that is all."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.values.csv_text import csv_text
from dpstudio.values.messages import Message, render, say

ANY = "*"
_ROUNDING = 1e-12  # relative, of a quotient of decimals


class HierarchyError(ValueError):
    """A hierarchy that is none; `sentence` says where."""

    def __init__(self, sentence: Message):
        self.sentence = sentence
        super().__init__(render(sentence))


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
                        "Line {line} has {got} levels, the first has {want}. Give each value as "
                        "many.",
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

    def parents(value: float) -> Iterator[str]:
        for place, width in zip(places(value, widths, start), widths, strict=True):
            yield _interval(start + place * width, width, whole=ends)

    return Hierarchy(tuple((f"{value:.12g}", *parents(value), ANY) for value in values))


def places(value: float, widths: Sequence[float], start: float) -> Iterator[int]:
    """Which interval of each width holds a value, the one that begins at `start` being 0."""
    place = 0
    for i, width in enumerate(widths):
        # By the place in the narrowest: divided anew, a value might not stay where it was.
        place = place // round(width / widths[i - 1]) if i else _place(value - start, width)
        yield place


def _place(value: float, width: float) -> int:
    """How many widths lie below a value; one that is at an end but for rounding, as 0.3/0.1 is,
    lies at it."""
    steps = value / width
    near = round(steps)
    return near if abs(steps - near) <= _ROUNDING * max(abs(steps), 1.0) else math.floor(steps)


def _interval(low: float, width: float, *, whole: bool) -> str:
    if not whole:
        return f"[{low:.12g}, {low + width:.12g})"
    return f"{low:.12g}" if width == 1 else f"{low:.12g}-{low + width - 1:.12g}"


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
