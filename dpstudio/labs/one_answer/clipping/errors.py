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
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.privacy.release.clipped_column import Clips, Ordered
from dpstudio.privacy.release.noise_spread import noise_spread
from dpstudio.privacy.release.sharing import number_of_vector


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
