"""What one column holds, counted in one pass over a sorted copy: how many different values, where
they lie, and how often."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.values.dates import calendar_edges

# Shares of the rows whose values are given, the smallest and the largest among them.
SHARES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
COMMON = 100
_LONG, _GAPS = 20, 3  # letters and gaps of what somebody wrote in words of their own
_BINS, _WHOLE = 60, 80
_WIDTHS = 3000  # tried at most
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Spread:
    """`present` rows have a value, of which `infinite` are ±∞ and in nothing below; `runs` counts
    the stretches of equal neighbours.

    Numbers and dates (in days) have `quantiles`, one of SHARES each (the smallest value that so
    many of the rows do not exceed), a `mean`, and `counts` of rows between `edges`; words have the
    most `common` ones. `most` is how often the commonest occurs.
    """

    present: int
    distinct: int
    runs: int
    most: int
    infinite: int = 0
    quantiles: tuple[float, ...] = ()
    mean: float = float("nan")
    edges: tuple[float, ...] = ()
    counts: Counts = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    common: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Persons:
    """Of a table of so many `rows`: `kept` has for m = 1, 2, … how many are left where each person
    keeps at most m, up to the most that one has."""

    rows: int
    kept: Counts

    def left_out(self, m: int) -> int:
        """How many rows go where each person keeps at most m."""
        return self.rows - int(self.kept[min(m, len(self.kept)) - 1]) if len(self.kept) else 0


def persons_of(who: NDArray[Any], absent: NDArray[np.bool_]) -> Persons:
    """The persons who are told apart by `who`, that of no row which is `absent`."""
    sizes = np.unique(who[~absent], return_counts=True)[1]
    having = np.bincount(sizes)[1:]  # so many rows
    return Persons(len(who), np.cumsum(np.cumsum(having[::-1])[::-1]))


def prose(spread: Spread) -> bool:
    """Whether the words are sentences: most of those looked at have several words of their own."""
    seen = [word for word, _ in spread.common]
    return 2 * sum(len(word) > _LONG and word.count(" ") >= _GAPS for word in seen) > len(seen)


def counts_on(spread: Spread) -> bool:
    """Whether the values are whole numbers without a gap, as rows are numbered."""
    return spread.quantiles[-1] - spread.quantiles[0] == spread.distinct - 1


def spread_of_numbers(x: NDArray[Any], *, dates: bool = False) -> Spread:
    """`x` has shape (rows,), NaN where a value is missing; one sort, about 10 ms for a million
    rows."""
    if x.dtype.kind == "f":
        x = x[~np.isnan(x)]
    present = len(x)
    finite = x[np.isfinite(x)] if x.dtype.kind == "f" else x
    if not len(finite):
        return Spread(present, 0, 0, 0, infinite=present)
    values, counts = np.unique(finite, return_counts=True)
    found = spread_of_ordered(values, counts, dates=dates)
    runs = 1 + int(np.count_nonzero(finite[1:] != finite[:-1]))
    return replace(
        found, present=present, runs=runs, infinite=present - len(finite), mean=_mean(finite)
    )


def spread_of_ordered(values: NDArray[Any], rows: Counts, *, dates: bool = False) -> Spread:
    """Of different finite numbers in order, and how many rows have each; their rows have no order,
    so each is a stretch of its own."""
    upto = np.cumsum(rows)
    n = int(upto[-1])
    places = [min(n, max(1, int(np.ceil(share * n - 1e-9)))) for share in SHARES]
    low, high = float(values[0]), float(values[-1])
    whole = not dates and (values.dtype.kind in "iu" or bool(np.all(values == np.floor(values))))
    edges = calendar_edges(low, high, _BINS) if dates else _edges(low, high, whole)
    ends = np.searchsorted(values, np.asarray(edges[1:-1]), side="left")
    below = np.concatenate(([0], np.concatenate(([0], upto))[ends], [n]))
    return Spread(
        n,
        len(values),
        n,
        int(rows.max()),
        0,
        tuple(float(values[at]) for at in np.searchsorted(upto, places)),
        float(np.dot(values, rows / n)),
        edges,
        np.diff(below).astype(np.int64),
    )


def spread_of_words(codes: NDArray[np.int32], words: list[str], counts: Counts) -> Spread:
    """`codes` has for each row the place of its word, −1 where it is missing; `counts` the rows of
    each word."""
    held = codes[codes >= 0] if len(codes) and codes.min() < 0 else codes
    runs = 1 + int(np.count_nonzero(held[1:] != held[:-1])) if len(held) else 0
    most = int(counts.max()) if len(counts) else 0
    return Spread(
        len(held),
        int(np.count_nonzero(counts)),
        runs,
        most,
        common=most_common(words, counts, COMMON),
    )


def most_common(words: list[str], counts: Counts, limit: int) -> tuple[tuple[str, int], ...]:
    """The `limit` most frequent words, alike ones by name; only those that can be among them are
    sorted."""
    near = np.arange(len(words))
    if len(words) > limit:
        least = np.partition(counts, len(words) - limit)[len(words) - limit]
        above, alike = np.flatnonzero(counts > least), np.flatnonzero(counts == least)
        if len(alike) > 4096:
            # An identifier: no word is commoner than another, so the first ones stand for all.
            alike = alike[:limit]
        near = np.concatenate((above, alike))
    named = sorted(
        ((words[i], int(counts[i])) for i in near.tolist() if counts[i]),
        key=lambda pair: (-pair[1], pair[0]),
    )
    return tuple(named[:limit])


def _edges(low: float, high: float, whole: bool) -> tuple[float, ...]:
    """Equal steps, of whole numbers where all are whole; the ends may lie further apart than a
    float can say."""
    if whole and max(abs(low), abs(high)) < 2**50:
        width = 1 if high - low < _WHOLE else _step(int(high - low) + 1)
        return tuple((low - 0.5 + width * np.arange((high - low) // width + 2)).tolist())
    shares = np.linspace(0, 1, _BINS + 1)
    edges = low * (1 - shares) + high * shares
    if np.all(np.diff(edges / 2) > 0):
        return tuple(edges.tolist())
    # All values are alike, or nearly so.
    room = max(1.0, abs(low) * 1e-9)
    return tuple((low - room / 2 + room * shares).tolist())


def _step(many: int) -> int:
    """How many whole numbers each step holds: about a sixtieth of them, such that the last step is
    nearly full. Of wide ones the first are tried, a column of phone numbers has 10^10: where
    a step holds thousands, the narrowest leaves at most a hundredth of the last one empty."""
    least = -(-many // _BINS)
    widths = range(least, least + min(least // 2 + 2, _WIDTHS))
    return min(widths, key=lambda width: (-many % width) / width)


def _mean(x: NDArray[Any]) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(np.mean(x, dtype=np.float64))
    return mean if np.isfinite(mean) else float(np.sum(x / len(x)))
