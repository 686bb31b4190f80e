"""What clipping, noise and sampling each add to the error of a clipped sum, mean or variance, at
many bounds at once.

The table's rows are taken as drawn from a population like the table. Then the published answer
misses the population's statistic by the sum of three parts that are uncorrelated: a fixed one,
because values were clipped (bias); the noise; and the sampling error of the *clipped* statistic. So
bias² + noise² + sampling² = the mean square error, which is why nothing else than the root mean
square error is used here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.labs.central.clipping.noise import noise_spread
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.privacy.release.sharing import number_of_vector

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


@dataclass(frozen=True)
class Question:
    """What is asked: the statistic, who is a neighbour, and what is public. `rows` is the table's
    number of rows, of which one person has `most` at most.

    A sum is one measurement. A mean or a variance with public n (no row can drop out) is one too;
    else a mean is a noisy sum (half of the budget, as `shared` takes it) over a noisy count, and a
    variance is made of a noisy sum, sum of squares and count (a third each), both sums about the
    middle of the bounds, which is floored to an integer where noise is `whole`.
    """

    statistic: str
    adjacency: str
    rows: int
    n_public: bool = False
    centred: bool = False
    whole: bool = False
    most: int = 1

    @property
    def direct(self) -> bool:
        """Whether one measurement is the answer, so that its error law is exact."""
        return self.statistic == "sum" or self.n_public

    def middle(self, low: ArrayLike, high: ArrayLike) -> Array:
        """What is subtracted before summing; shape of the bounds."""
        middle: Array = (np.asarray(low, dtype=np.float64) + np.asarray(high, dtype=np.float64)) / 2
        if (
            self.statistic == "sum"
            or self.n_public
            or not (self.centred or self.statistic == "variance")
        ):
            return np.zeros_like(middle)
        return np.floor(middle) if self.whole else middle

    def reaches(self, low: ArrayLike, high: ArrayLike) -> tuple[tuple[str, Array, float], ...]:
        """Each measurement: its name, by how much one person moves it at each bound, and its share
        of the budget."""
        return tuple(
            (name, self.most * reach, share) for name, reach, share in self.measure_rows(low, high)
        )

    def measure_rows(self, low: ArrayLike, high: ArrayLike) -> tuple[tuple[str, Array, float], ...]:
        """The same for one row.

        The variance with public n moves by at most (n − 1)/n² · (U − L)² when one value is
        replaced: reached by n − 1 values at one bound and one that jumps to the other (checked by
        brute force).
        """
        low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        n = max(1, self.rows)
        if self.statistic == "sum":
            return (("sum", self._sum(low, high), 1.0),)
        if self.n_public and self.statistic == "mean":
            return (("mean", (high - low) / n, 1.0),)
        if self.n_public:
            return (("variance", (n - 1) / n**2 * (high - low) ** 2, 1.0),)
        middle = self.middle(low, high)
        a, b = low - middle, high - middle
        one = np.ones_like(a + b)
        if self.statistic == "mean":
            return (("sum", self._sum(a, b), 0.5), ("count", one, 0.5))
        squares = np.maximum(np.abs(a), np.abs(b)) ** 2
        return (("sum", self._sum(a, b), 1 / 3), ("squares", squares, 1 / 3), ("count", one, 1 / 3))

    def _sum(self, low: Array, high: Array) -> Array:
        """`sum_sensitivity` for arrays."""
        largest = np.maximum(np.abs(low), np.abs(high))
        return largest if self.adjacency == ADD_REMOVE else np.maximum(high - low, largest)

    def spreads(self, low: ArrayLike, high: ArrayLike, mechanism: Additive) -> tuple[Array, ...]:
        """Variance of the noise of each measurement at each bound, calibrated as `shared` does it:
        as one vector where the mechanism does so, else with parts of the budget."""
        parts = self.reaches(low, high)
        apart = tuple(noise_spread(mechanism.share(part), reach) for _, reach, part in parts)
        if self.direct or not mechanism.one_vector:
            return apart
        most = self._most_squared(low, high)
        wide = [np.sqrt(most / part) * reach for _, reach, part in parts]
        one = tuple(noise_spread(mechanism, reach, number_of_vector) for reach in wide)
        if not mechanism.integers:
            return one
        less = np.all([a <= b for a, b in zip(apart, one, strict=True)], axis=0)
        return tuple(np.where(less, a, b) for a, b in zip(apart, one, strict=True))

    def _most_squared(self, low: ArrayLike, high: ArrayLike) -> Array:
        """`most_squared` for arrays: who comes or goes moves all measurements; a changed value the
        sum alone, or, of a spread, nothing that counts (`spread_moves`)."""
        (_, total, part), *others = self.measure_rows(low, high)
        middle = self.middle(low, high)
        low, high = np.asarray(low) - middle, np.asarray(high) - middle
        far = np.maximum(np.abs(low), np.abs(high))
        come = part * (far / total) ** 2 + sum(share for _, _, share in others)
        if self.adjacency == ADD_REMOVE:
            return np.asarray(come)
        return np.asarray(np.maximum(come, part * ((high - low) / total) ** 2))

    def answer(self, clips: Clips) -> Array:
        """The clipped statistic without noise; shape (b,)."""
        return {"sum": clips.total, "mean": clips.mean, "variance": clips.variance}[self.statistic]

    def bias(self, clips: Clips, column: Ordered) -> Array:
        """Clipped minus unclipped statistic, with its sign; shape (b,)."""
        if self.statistic == "variance":
            return clips.variance - float(column.whole().variance[0])
        moved = clips.lift - clips.cut
        return moved / clips.rows if self.statistic == "mean" else moved

    def noise_variance(self, clips: Clips, mechanism: Additive) -> Array:
        """Var of the published answer for this very table: exact where one measurement is the
        answer, else to first order."""
        spreads = self.spreads(clips.low, clips.high, mechanism)
        if self.direct:
            return spreads[0]
        n, drift = clips.rows, clips.mean - self.middle(clips.low, clips.high)
        if self.statistic == "mean":
            return (spreads[0] + drift**2 * spreads[1]) / n**2
        # V = Q/n − (S/n)²: derivatives −2·drift/n by S, 1/n by Q and (2·drift² − Q/n)/n by n.
        square = clips.variance + drift**2
        return (
            4 * drift**2 * spreads[0] + spreads[1] + (square - 2 * drift**2) ** 2 * spreads[2]
        ) / n**2

    def sampling_variance(self, clips: Clips) -> Array:
        """Var of the clipped statistic over tables of as many rows drawn from one like this, with
        replacement.

        A sum is over tables of `rows` rows, of which other ones may meet the condition; a mean and
        a variance are over the rows that do. The variance of a variance is exact but for its own
        bias of −1/n: (n−1)/n³ ((n−1)μ₄ − (n−3)μ₂²).
        """
        n, variance = clips.rows, clips.variance
        if self.statistic == "sum":
            return n * variance + n * (1 - n / max(n, self.rows)) * clips.mean**2
        if self.statistic == "mean":
            return variance / n
        return np.maximum((n - 1) / n**3 * ((n - 1) * clips.fourth - (n - 3) * variance**2), 0)


@dataclass(frozen=True, eq=False)
class Parts:
    """The error at many bounds, in units of the answer: bias with its sign, the others as standard
    deviations; shapes (b,)."""

    clips: Clips
    bias: Array
    noise: Array
    sampling: Array

    @property
    def total(self) -> Array:
        """Root mean square error."""
        return np.sqrt(self.bias**2 + self.noise**2 + self.sampling**2)

    def within(self, reach: Array) -> Parts:
        """The same where no answer can lie further than `reach` from the truth: what is too much is
        left off, sampling error first.

        The sampling error is added as if the noise were the same in every sample, which clamping
        makes too much.
        """
        bias = np.clip(self.bias, -reach, reach)
        left = reach**2 - bias**2
        noise = np.sqrt(np.minimum(self.noise**2, left))
        return Parts(
            self.clips,
            bias,
            noise,
            np.sqrt(np.minimum(self.sampling**2, np.maximum(left - noise**2, 0))),
        )


def error_parts(
    question: Question,
    column: Ordered,
    mechanism: Additive,
    low: ArrayLike,
    high: ArrayLike,
    sampling: bool,
) -> Parts:
    """The three parts of the error at each pair of bounds; without `sampling` the answer is about
    this table alone."""
    clips = column.clip(low, high)
    noise = np.sqrt(question.noise_variance(clips, mechanism))
    drawn = np.sqrt(question.sampling_variance(clips)) if sampling else np.zeros_like(noise)
    return Parts(clips, question.bias(clips, column), noise, drawn)
