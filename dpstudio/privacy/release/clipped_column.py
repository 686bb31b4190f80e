"""A column in order, and what clipping to many bounds at once makes of its sums and moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array, array

_HELD = 24_000_000


@dataclass(frozen=True, eq=False)
class Ordered:
    """A column in order, of which every clipped moment follows by two look-ups.

    `values` are distinct and increase, shape (m,). `ranks[i]` rows lie among the first i of them,
    and differences of `sums[k − 1]` are sums of (x − shift)ᵏ over the rows between, both of shape
    (m + 1,).
    """

    values: Array
    ranks: Array
    sums: tuple[Array, ...]
    shift: float

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.ranks[-1])

    @property
    def nbytes(self) -> int:
        """For the store of answers: less than it holds, so that a column of many rows does not push
        itself out."""
        return min(_HELD, self.values.nbytes * (2 + len(self.sums)))

    def at_or_below(self, bound: ArrayLike) -> Array:
        """How many rows do not exceed each bound; shape of `bound`."""
        return np.asarray(self.ranks[np.searchsorted(self.values, bound, "right")])

    def median_above(self, bound: float) -> float:
        """The median of the values above the bound; the largest value where there is none."""
        below = float(self.ranks[np.searchsorted(self.values, bound, "right")])
        place = int(np.searchsorted(self.ranks[1:], (below + self.rows) / 2))
        return float(self.values[min(place, len(self.values) - 1)])

    def clip(self, low: ArrayLike, high: ArrayLike) -> Clips:
        """The column clipped to each [low, high]; shapes (b,)."""
        low, high = np.broadcast_arrays(
            np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        )
        first = np.searchsorted(self.values, low, "left")
        last = np.maximum(np.searchsorted(self.values, high, "right"), first)
        below, above = self.ranks[first], self.rows - self.ranks[last]
        a, b = low - self.shift, high - self.shift
        moments = tuple(
            below * a**k + (s[last] - s[first]) + above * b**k for k, s in enumerate(self.sums, 1)
        )
        one = self.sums[0]
        # The change is summed itself: a difference of two totals would lose the small ones.
        lift, cut = (
            np.maximum(below * a - (one[first] - one[0]), 0),
            np.maximum(one[-1] - one[last] - above * b, 0),
        )
        return Clips(low, high, below, above, lift, cut, moments, self.rows, self.shift)

    def whole(self) -> Clips:
        """The column as it is."""
        return self.clip(self.values[:1], self.values[-1:])


@dataclass(frozen=True, eq=False)
class Clips:
    """One column at many bounds, all arrays of shape (b,): rows `below` and `above` the bounds, by
    how much clipping lifts and cuts their sum, and the power sums of (clipped value − shift)."""

    low: Array
    high: Array
    below: Array
    above: Array
    lift: Array
    cut: Array
    moments: tuple[Array, ...]
    rows: int
    shift: float

    @property
    def clipped(self) -> Array:
        """How many rows lie beyond either bound."""
        return self.below + self.above

    @property
    def mean(self) -> Array:
        """The mean of the clipped values at each bound."""
        return self.shift + self.moments[0] / self.rows

    @property
    def total(self) -> Array:
        """Their sum at each bound."""
        return self.rows * self.shift + self.moments[0]

    @property
    def variance(self) -> Array:
        """(1/n) Σ (c − mean)², never below 0 and, as rounding might have it, never above (U −
        L)²/4."""
        drift = self.moments[0] / self.rows
        return np.clip(self.moments[1] / self.rows - drift**2, 0, (self.high - self.low) ** 2 / 4)

    @property
    def fourth(self) -> Array:
        """(1/n) Σ (c − mean)⁴."""
        d, (m2, m3, m4) = self.moments[0] / self.rows, (m / self.rows for m in self.moments[1:4])
        return np.maximum(m4 - 4 * d * m3 + 6 * d**2 * m2 - 3 * d**4, self.variance**2)


def ordered(distinct: NDArray[np.float64], counts: NDArray[np.int64], powers: int) -> Ordered:
    """The column from its distinct values in order and the rows of each; `powers` is 2, or 4 for
    the sampling error of a variance."""
    ranks = np.concatenate([[0.0], np.cumsum(counts)])
    # Powers about the median, summed from there outwards in long doubles, keep their digits where
    # the rows are.
    place = int(np.searchsorted(ranks[1:], ranks[-1] / 2))
    z = (distinct - distinct[place]).astype(np.longdouble)
    sums = tuple(_outward(counts * z**k, place) for k in range(1, powers + 1))
    return Ordered(array(distinct), array(ranks), sums, float(distinct[place]))


def _outward(terms: NDArray[np.longdouble], place: int) -> Array:
    """Running sums that are 0 before term `place`; shape (m,) to (m + 1,)."""
    left = -np.cumsum(terms[:place][::-1])[::-1]
    return array(np.concatenate([left, [0.0], np.cumsum(terms[place:])]))
