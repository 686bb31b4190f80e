"""A table whose sums are exact: what leaves the program is drawn of it. A sum of floats depends on
the order of its rows and on what cancels, so neighbours may move it by more than Δ."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.columns import Columns, Mask
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Clipped, Dataset

# Bits that a value keeps of the larger bound: of a product each factor has half of a double.
_BITS, _HALF = 52, 26
_LOW = (1 << _HALF) - 1
_INTEGER = "integer"


def exact_sum(steps: NDArray[np.int64]) -> int:
    """The sum of integers below 2^53 in size, of fewer than 2^36 of them, without an error."""
    return (int((steps >> _HALF).sum()) << _HALF) + int((steps & _LOW).sum())


def on_grid(
    x: NDArray[Any], low: float, high: float, bits: int = _BITS
) -> tuple[NDArray[np.int64], float]:
    """Each value clipped to [low, high] in steps of a grid that the bounds alone decide: the whole
    steps, at most 2^bits in size and never beyond a bound, and the size of a step, a power of
    two."""
    step = math.ldexp(1.0, math.frexp(max(abs(low), abs(high)))[1] - bits)
    steps = np.rint(np.clip(x, low, high) / step)
    return np.clip(steps, math.ceil(low / step), math.floor(high / step)).astype(np.int64), step


class _AnyNumber(Columns):
    """Columns of which those of whole numbers are of any, where nobody said that they are whole:
    one value could change that."""

    def __init__(self, of: Columns, types: tuple[str, ...]):
        self.of, self.names, self.rows, self.lazy, self.types = (
            of,
            of.names,
            of.rows,
            of.lazy,
            types,
        )

    def numbers(self, place: int) -> NDArray[Any]:
        return self.of.numbers(place)

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        return self.of.codes(place)

    def absent(self, place: int) -> Mask:
        return self.of.absent(place)

    def exact_codes(self, place: int) -> NDArray[np.int32]:
        return self.of.exact_codes(place)

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        return self.of.cells(start, stop)


def told_whole(data: Dataset, column: str) -> bool:
    """Whether a person, or what is published of the table, says that a column holds integers; else
    one row could change it."""
    told = data.about(column), data.documented.about(column)
    return any(about.type == _INTEGER for about in told)


def read_as_told(data: Dataset) -> Dataset:
    """`data` with columns of words read as the numbers, or dates, that attested bounds say they are
    and most of them can be read as: so one word among numbers is a value less, and no other table.
    """
    book = data.codebook
    for column in data.columns:
        about = data.about(column.name)
        bounded = about.attested and about.low is not None and about.high is not None
        if column.type != "category" or about.type or about.categories or not bounded:
            continue
        for kind in ("number", "date"):
            told = book.with_about(column.name, replace(about, type=kind))
            read = data.described(told)
            if 2 * read.unread(column.name) < read.rows - data.missing(column.name):
                book = told
                break
    return data if book == data.codebook else data.described(book)


def public_types(data: Dataset) -> tuple[str, ...]:
    """What each column holds, as far as that is no matter of its rows: whole numbers only where
    that is told."""
    return tuple(
        "number" if c.type == _INTEGER and not told_whole(data, c.name) else c.type
        for c in data.columns
    )


class ExactSums(Dataset):
    """`data` with sums over rows that are each put on a public grid first, and added up as
    integers. So every sum is a function of the rows that moves by no more than the sensitivity of
    its question, whatever the rows are and however many; it is rounded once, to a double."""

    def __init__(self, data: Dataset):
        super().__init__(
            _AnyNumber(data._table, public_types(data)), data.name, data.origin, lambda: data.digest
        )
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
        # Halves of 26 bits add up exactly as doubles, of fewer than 2^26 rows.
        halves = [
            np.bincount(places, weights=part, minlength=d + 1)[:d].tolist()
            for part in (steps >> _HALF, steps & _LOW)
        ]
        sums = [((int(a) << _HALF) + int(b)) * step for a, b in zip(*halves, strict=True)]
        counts = np.bincount(places, minlength=d + 1)[:d]
        return counts.astype(np.int64), np.array(sums, dtype=np.float64)

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
