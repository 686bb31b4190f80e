"""A table whose sums are exact: what leaves the program is drawn of it. A sum of floats depends on
the order of its rows and on what cancels, so neighbours may move it by more than Δ."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.codebook import IDENTIFIER
from dpstudio.data.columns import Filled, Mask, spelled
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Clipped, Dataset
from dpstudio.data.held_columns import HeldColumns
from dpstudio.data.typed_columns import Retyped

# Bits that a value keeps of the larger bound: of a product each factor has half of a double.
_BITS, _HALF = 52, 26
_LOW = (1 << _HALF) - 1
_INTEGER = "integer"
NONE: Mapping[str, str] = MappingProxyType({})


def exact_sum(steps: NDArray[np.int64]) -> int:
    """The sum of integers below 2^53 in size, of fewer than 2^36 of them, without an error."""
    return (int((steps >> _HALF).sum()) << _HALF) + int((steps & _LOW).sum())


def _added(places: NDArray[np.int64], steps: NDArray[np.int64], cells: int) -> list[int]:
    """The sum of the integers in each cell without an error: halves of 26 bits add up exactly as
    doubles, of fewer than 2^26 rows."""
    high, low = (
        np.bincount(places, weights=part, minlength=cells + 1)[:cells].tolist()
        for part in (steps >> _HALF, steps & _LOW)
    )
    return [(int(a) << _HALF) + int(b) for a, b in zip(high, low, strict=True)]


def on_grid(
    x: NDArray[Any], low: float, high: float, bits: int = _BITS
) -> tuple[NDArray[np.int64], float]:
    """Each value clipped to [low, high] in steps of a grid that the bounds alone decide: the whole
    steps, at most 2^bits in size and never beyond a bound, and the size of a step, a power of
    two."""
    step = math.ldexp(1.0, math.frexp(max(abs(low), abs(high)))[1] - bits)
    steps = np.rint(np.clip(x, low, high) / step)
    return np.clip(steps, math.ceil(low / step), math.floor(high / step)).astype(np.int64), step


class _AsTold(Retyped):
    """Columns as the types that are told of them. Those of whole numbers are of any, where nobody
    said that they are whole; a word that is a number is written as in a column of numbers: one
    value could change either."""

    def __init__(self, data: Dataset, asked: Mapping[str, str], compared: Mapping[str, str]):
        told = {
            info.name: told_type(data, info.name, asked) or compared.get(info.name, "")
            for info in data.columns
        }
        super().__init__(
            data._table,
            {
                place: told[info.name]
                for place, info in enumerate(data.columns)
                if told[info.name] and _SORT[told[info.name]] != _SORT.get(info.type)
            },
        )
        self.types = tuple(
            "number" if kind == _INTEGER and not told_whole(data, name) else kind
            for name, kind in zip(self.names, self.types, strict=True)
        )
        self.worded = frozenset(
            place
            for place, name in enumerate(self.names)
            if self.types[place] == "category" and _SORT.get(told[name]) == "words"
        )

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        codes, words = super().codes(place)
        if place not in self.worded:
            return codes, words
        return spelled(codes, words, self.spelling)

    def absent(self, place: int) -> Mask:
        return self.codes(place)[0] < 0 if place in self.worded else super().absent(place)


class _ByValue(HeldColumns):
    """Words that are told are found by the number that they are, if they are one."""

    def code(self, column: str, word: str) -> int | None:
        table = self.table
        told = isinstance(table, _AsTold) and self.at(column) in table.worded
        public = table.spelling.public(word) if told else word
        return None if public is None else super().code(column, public)


# What one value can make of a column, and what can not become another by one.
_SORT = {
    "integer": "number",
    "number": "number",
    "date": "date",
    "category": "words",
    "text": "words",
    "identifier": "words",
}


def sort_of(kind: str) -> str:
    """What a type is a kind of: "number", "date" or "words"; "" of none of these."""
    return _SORT.get(kind, "")


def told_whole(data: Dataset, column: str) -> bool:
    """Whether a person, what is told of the reading, or what is published of the table says that a
    column holds integers; else one row could change it."""
    told = data.about(column), data.documented.about(column)
    read = (column, _INTEGER) in data.spelling.types
    return read or any(about.type == _INTEGER for about in told)


def told_type(data: Dataset, column: str, asked: Mapping[str, str]) -> str:
    """What is public of the type of a column: what a person tells, else what a question asks for
    (`asked`, by name), else what is told of the reading, or attested or published bounds or words
    say; "" where nothing does."""
    here, published = data.about(column), data.documented.about(column)
    read = dict(data.spelling.types).get(column, "")
    return here.type or asked.get(column, "") or read or here.holds or published.holds


def persons_named(data: Dataset) -> Dataset:
    """`data` with the column that says whose row it is read as one of names, whatever they are made
    of: one word among numbers would be another coin for everybody."""
    book, person = data.codebook, data.codebook.person
    if not person or book.about(person).type:
        return data
    told = replace(book.about(person), type=IDENTIFIER)
    return data.described(book.with_about(person, told))


def so_many_persons(data: Dataset) -> Dataset:
    """`data` of one row for each of as many persons as are told: the first of them, and rows
    without values where there are fewer. So nobody whose rows name nobody, or others, moves n."""
    people = data.codebook.people
    if people is None or data.contributions > 1:
        return data
    made = Dataset(Filled(data._table, people), data.name, data.origin, lambda: data.digest)
    made.codebook, made.documented = data.codebook, data.documented
    made._file, made._whole = data._file, data._whole
    return made


class Exact(Dataset):
    """A table whose sums are exact."""

    @abstractmethod
    def in_steps(
        self,
        column: str,
        ends: tuple[Fraction, Fraction, Fraction],
        step: Fraction,
        where: Where,
        by: str = "",
        words: tuple[str, ...] = (),
    ) -> tuple[list[int], list[int]]:
        """For each of the words of `by`, or for all rows where none is named: how many rows have a
        value, and the sum of min(max(x, low), high) − middle of these (low, middle and high are the
        `ends`) in whole steps of a power of two. Each row is put on that grid by itself, and never
        beyond an end."""


class ExactSums(Exact):
    """`data` with sums over rows that are each put on a public grid first, and added up as
    integers. So every sum is a function of the rows that moves by no more than the sensitivity of
    its question, whatever the rows are and however many; it is rounded once, to a double.

    Columns are read as what is told of them, or `asked` for (types by name), or else `compared`
    with: so one word among numbers is a value less, and no other table."""

    def __init__(
        self, data: Dataset, asked: Mapping[str, str] = NONE, compared: Mapping[str, str] = NONE
    ):
        table = _AsTold(data, asked, compared)
        super().__init__(table, data.name, data.origin, lambda: data.digest)
        self._held = _ByValue(table, self._about_rows)
        self.codebook, self.documented = data.codebook, data.documented
        self._file, self._whole = data._file, data._whole

    def _present(self, column: str, where: Where) -> tuple[NDArray[Any], int]:
        x = self._held.chosen(column, where)
        kept = x[~np.isnan(x)] if x.dtype.kind == "f" else x
        return kept, len(x) - len(kept)

    def clipped(
        self, column: str, low: float, high: float, where: Where, middle: float = 0.0
    ) -> Clipped:
        """The clipped sum of values of 52 bits."""
        x, missing = self._present(column, where)
        steps, step = on_grid(np.clip(x, low, high) - middle, low - middle, high - middle)
        below, above = int(np.count_nonzero(x < low)), int(np.count_nonzero(x > high))
        return Clipped(exact_sum(steps) * step, len(x), below, above, missing)

    def powers(
        self, column: str, low: float, high: float, where: Where
    ) -> tuple[float, float, float, int]:
        """Sums of z, z² and (z − z̄)² of values of 26 bits, so that each square is exact too."""
        x, _ = self._present(column, where)
        half = (high - low) / 2
        z, step = on_grid(np.clip(x, low, high) - (low + high) / 2, -half, half, _HALF)
        total, squares, n = exact_sum(z), exact_sum(z * z), len(z)
        apart = float(Fraction(n * squares - total * total, n)) * step * step if n else 0.0
        return total * step, squares * step * step, apart, n

    def grouped(
        self, by: str, words: tuple[str, ...], column: str, low: float, high: float, where: Where
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Clipped sums of values of 52 bits, for each of the words."""
        places, x = self._held.places(by, words), self._held.numbers(column)
        kept = self._held.mask(where) if where else np.ones(self.rows, dtype=np.bool_)
        if x.dtype.kind == "f":
            kept = kept & ~np.isnan(x)
        places, d = places[kept], len(words)
        steps, step = on_grid(x[kept], low, high)
        sums = [total * step for total in _added(places, steps, d)]
        counts = np.bincount(places, minlength=d + 1)[:d]
        return counts.astype(np.int64), np.array(sums, dtype=np.float64)

    def in_steps(
        self,
        column: str,
        ends: tuple[Fraction, Fraction, Fraction],
        step: Fraction,
        where: Where,
        by: str = "",
        words: tuple[str, ...] = (),
    ) -> tuple[list[int], list[int]]:
        low, middle, high = ends
        x = np.asarray(self._held.numbers(column), dtype=np.float64)
        kept = (
            self._held.mask(where) if where else np.ones(self.rows, dtype=np.bool_)
        ) & ~np.isnan(x)
        places = self._held.places(by, words)[kept] if by else np.zeros(int(kept.sum()), np.int64)
        cells = len(words) if by else 1
        z = np.rint((np.clip(x[kept], float(low), float(high)) - float(middle)) / float(step))
        z += round((Fraction(float(middle)) - middle) / step)  # which the double is beside it
        z = np.clip(z, math.ceil((low - middle) / step), math.floor((high - middle) / step))
        steps = z.astype(np.int64)
        counts = np.bincount(places, minlength=cells + 1)[:cells].tolist()
        return counts, _added(places, steps, cells)

    def moments(
        self, columns: tuple[str, ...], bounds: tuple[tuple[float, float], ...], where: Where
    ) -> NDArray[np.float64]:
        """Sums of products of values of 26 bits."""
        parts = [self._held.numbers(column) for column in columns]
        kept = self._held.mask(where) if where else np.ones(self.rows, dtype=np.bool_)
        for x in parts:
            if x.dtype.kind == "f":
                kept = kept & ~np.isnan(x)
        step = math.ldexp(1.0, -_HALF + 1)
        z = [np.full(int(np.count_nonzero(kept)), 1 << (_HALF - 1), dtype=np.int64)]
        for x, (low, high) in zip(parts, bounds, strict=True):
            middle, half = (low + high) / 2, (high - low) / 2
            z.append(on_grid((np.clip(x[kept], low, high) - middle) / half, -1.0, 1.0, _HALF)[0])
        return np.array([[exact_sum(a * b) * step * step for b in z] for a in z])
