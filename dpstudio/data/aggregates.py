"""Sums, counts and moments of a table: the only numbers of its rows that leave it.

Every function takes the held columns, and the rows that meet a condition; each row counts once.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.column_counts import Spread, most_common, spread_of_numbers, spread_of_words
from dpstudio.data.conditions import Where
from dpstudio.data.held_columns import HeldColumns, rows_of_codes
from dpstudio.data.memory import Sized


@dataclass(frozen=True)
class Cost:
    """What a statement reads where a table stays, at most; None of what is not known. Rows that
    are `guessed` by who holds them may be more."""

    rows: int | None = None
    bytes: int | None = None
    guessed: bool = False

    def __add__(self, other: "Cost") -> "Cost":
        rows = None if None in (self.rows, other.rows) else (self.rows or 0) + (other.rows or 0)
        size = None if None in (self.bytes, other.bytes) else (self.bytes or 0) + (other.bytes or 0)
        return Cost(rows, size, self.guessed or other.guessed)


@dataclass(frozen=True)
class Asked:
    """One statement that was sent to what holds a table: which one it was, its SQL, how long it
    took, how many rows came back, and what it may have read, where that was asked."""

    number: int
    sql: str
    seconds: float
    rows: int
    cost: Cost = Cost()


@dataclass(frozen=True)
class Clipped:
    """A clipped sum and what went into it. `used` rows met the condition and had a value; the
    others add 0."""

    total: float
    used: int
    below: int
    above: int
    missing: int


@dataclass(frozen=True)
class Extent:
    """What a numeric column holds, read from the data and so not private."""

    low: float
    high: float
    present: int
    whole: bool


@dataclass(frozen=True, eq=False)
class Ordered(Sized):
    """The distinct numbers of a column in order and the rows of each, both of shape (m,)."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]


def ordered(held: HeldColumns, column: str, where: Where) -> Ordered:
    """The distinct numbers of the rows that meet a condition, and how often each is there."""
    x = np.asarray(held.chosen(column, where), dtype=np.float64)
    values, counts = np.unique(x[~np.isnan(x)], return_counts=True)
    return Ordered(values, counts.astype(np.int64))


def extent(held: HeldColumns, column: str) -> Extent | None:
    """The ends of a column that has an order; None where it has no value, or no order."""
    if not held.info(column).ordered:
        return None
    x = held.numbers(column)
    x = x[np.isfinite(x)] if x.dtype.kind == "f" else x
    if not len(x):
        return None
    whole = x.dtype.kind in "iu" or bool(np.all(x == np.floor(x)))
    return Extent(float(x.min()), float(x.max()), len(x), whole)


def spread(held: HeldColumns, column: str) -> Spread:
    """How many different values a column has, where they lie, and how often."""
    if held.info(column).ordered:
        return spread_of_numbers(held.numbers(column), dates=held.info(column).type == "date")
    codes, words = held.codes(column)
    return spread_of_words(codes, list(words), held.word_counts(column))


def distinct(held: HeldColumns, column: str, limit: int) -> tuple[tuple[str, int], ...]:
    """The most frequent words with their counts, at most `limit` of them."""
    _, words = held.codes(column)
    return most_common(list(words), held.word_counts(column), limit)


def clipped(
    held: HeldColumns, column: str, low: float, high: float, where: Where, middle: float = 0.0
) -> Clipped:
    """The sum of min(max(x, low), high) − middle over the rows that meet a condition and have a
    value."""
    x = held.chosen(column, where)
    whole = x.dtype.kind in "iu"
    if not whole:
        present = ~np.isnan(x)
        used = int(np.count_nonzero(present))
        kept = x if used == len(x) else x[present]
    else:
        used, kept = len(x), x
    ends = np.clip(kept, low, high)
    total = float((ends - middle if middle else ends).sum(dtype=np.float64)) if used else 0.0
    below, above = int(np.count_nonzero(kept < low)), int(np.count_nonzero(kept > high))
    return Clipped(total, used, below, above, len(x) - used)


def powers(
    held: HeldColumns, column: str, low: float, high: float, where: Where
) -> tuple[float, float, float, int]:
    """(Σ z, Σ z², Σ (z − z̄)², rows used) of z = min(max(x, low), high) − (low + high)/2."""
    x = held.chosen(column, where)
    kept = x[~np.isnan(x)] if x.dtype.kind == "f" else x
    z = np.clip(kept, low, high) - (low + high) / 2
    total = float(z.sum(dtype=np.float64))
    apart = z - total / max(1, len(z))
    return total, float(np.dot(z, z)), float(np.dot(apart, apart)), len(z)


def grouped(
    held: HeldColumns,
    by: str,
    words: tuple[str, ...],
    column: str,
    low: float,
    high: float,
    where: Where,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(rows used, clipped sum) for each of the words, shapes (len(words),)."""
    places, x = held.places(by, words), held.numbers(column)
    if where:
        mask = held.mask(where)
        places, x = places[mask], x[mask]
    if x.dtype.kind == "f":
        present = ~np.isnan(x)
        if not present.all():
            places, x = places[present], x[present]
    counts = np.bincount(places, minlength=len(words) + 1)[: len(words)]
    totals = np.bincount(places, weights=np.clip(x, low, high), minlength=len(words) + 1)[
        : len(words)
    ]
    return counts.astype(np.int64), totals.astype(np.float64)


def crossed(
    held: HeldColumns,
    first: str,
    rows: tuple[str, ...],
    second: str,
    columns: tuple[str, ...],
    where: Where,
) -> NDArray[np.int64]:
    """Rows for each pair of words, shape (len(rows), len(columns))."""
    down, across = held.places(first, rows), held.places(second, columns)
    if where:
        mask = held.mask(where)
        down, across = down[mask], across[mask]
    wide = len(columns) + 1
    cells = np.bincount(down * wide + across, minlength=(len(rows) + 1) * wide)
    return cells.reshape(len(rows) + 1, wide)[:-1, :-1].astype(np.int64)


def moments(
    held: HeldColumns,
    columns: tuple[str, ...],
    bounds: tuple[tuple[float, float], ...],
    where: Where,
) -> NDArray[np.float64]:
    """Z Zᵀ of z = (1, z₁ … z_p), each zᵢ clipped to its bounds and scaled to [−1, 1]; shape (p + 1,
    p + 1)."""
    parts = [held.numbers(column) for column in columns]
    kept = held.mask(where) if where else np.ones(held.rows, dtype=np.bool_)
    for x in parts:
        if x.dtype.kind == "f":
            kept = kept & ~np.isnan(x)
    z = np.empty((len(parts) + 1, int(np.count_nonzero(kept))))
    z[0] = 1.0
    every = z.shape[1] == held.rows
    for i, (x, (low, high)) in enumerate(zip(parts, bounds, strict=True)):
        np.clip(x if every else x[kept], low, high, out=z[i + 1])
        z[i + 1] -= (low + high) / 2
        z[i + 1] /= (high - low) / 2
    return np.asarray(z @ z.T)


def histogram(
    held: HeldColumns, column: str, edges: tuple[float, ...], where: Where
) -> NDArray[np.int64]:
    """Rows per interval [eᵢ, eᵢ₊₁), the last one closed, but of dates; shape (len(edges) − 1,)."""
    x = held.chosen(column, where)
    x = x[np.isfinite(x)] if x.dtype.kind == "f" else x
    ends = np.array(edges, dtype=np.float64)
    if held.info(column).type == "date":
        ends[-1] = np.nextafter(ends[-1], -np.inf)  # 2021-01-01 is no day of 2020
    weights = None
    if np.can_cast(x.dtype, np.int64) and len(x):
        low, high = int(x.min()), int(x.max())
        if high - low < len(x):  # count each number once rather than look for its interval
            weights = np.bincount(np.subtract(x, low, dtype=np.int64))
            x = np.arange(low, high + 1)
    return np.histogram(x, bins=ends, weights=weights)[0].astype(np.int64)


def tally(
    held: HeldColumns, column: str, words: tuple[str, ...], where: Where
) -> NDArray[np.int64]:
    """Rows per word, shape (len(words),); of words that mean one value the first has its rows."""
    codes, known = held.codes(column)
    counts = (
        rows_of_codes(codes[held.mask(where)], len(known)) if where else held.word_counts(column)
    )
    found = [held.code(column, word) for word in words]
    first = {code: i for i, code in reversed(list(enumerate(found)))}
    kept = (code if first[code] == i else None for i, code in enumerate(found))
    return np.array([0 if code is None else counts[code] for code in kept], dtype=np.int64)
