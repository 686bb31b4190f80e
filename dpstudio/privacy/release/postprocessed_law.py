"""Error laws of answers that were worked on after the noise: clamped, rounded, or any function of
them, by simulation."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.law import Law, legendre
from dpstudio.privacy.release.ratio_law import panels
from dpstudio.values.messages import N_

NONE, CLAMP, ROUND, BOTH = "none", "clamp", "round", "both"
AFTER = {
    NONE: N_("as it is"),
    CLAMP: N_("at least 0"),
    ROUND: N_("rounded"),
    BOTH: N_("at least 0, rounded"),
}
_MOST_ATOMS = 200_000


def worked(answers: Array, post_processing: str) -> Array:
    """The published answers: a pure function of the noisy ones, so the guarantee stays as it is
    (post-processing)."""
    out = answers
    if post_processing in (ROUND, BOTH):
        out = np.floor(out + 0.5)
    if post_processing in (CLAMP, BOTH):
        out = np.maximum(out, 0.0)
    return out + 0.0


@dataclass(frozen=True)
class Processed(Law):
    """Error about `truth` of an answer truth + X that is clamped to ≥ 0, rounded to an integer, or
    both (`after`).

    Both are increasing functions, so cdf and quantile follow exactly from those of X; moments are
    integrated. The law is not symmetric: clamping lifts it.
    """

    base: Law
    truth: float
    post_processing: str

    @property
    def _clamps(self) -> bool:
        return self.post_processing in (CLAMP, BOTH)

    def cdf(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        inside = self.base.cdf(x)
        return np.where(x + self.truth < 0, 0.0, inside) if self._clamps else inside

    def density(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        inside = self.base.density(x)
        return np.where(x + self.truth <= 0, 0.0, inside) if self._clamps else inside

    def quantile(self, u: ArrayLike) -> Array:
        return worked(self.truth + self.base.quantile(u), self.post_processing) - self.truth

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        if not self._clamps:
            return self.base.atoms
        kept = tuple((place, mass) for place, mass in self.base.atoms if self.truth + place > 0)
        return (*kept, (-self.truth, float(self.base.cdf(np.array([-self.truth]))[0])))

    def kinks(self, low: float, high: float) -> Array:
        bends = np.append(
            self.base.kinks(low, high),
            -self.truth if self._clamps and low <= -self.truth <= high else [],
        )
        return np.unique(bends)

    def inside(self, width: float) -> float:
        both = self.cdf(np.array([width, np.nextafter(-width, -np.inf)]))
        return float(both[0] - both[1])

    @cached_property
    def _nodes(self) -> tuple[Array, Array]:
        """Errors and their probabilities, by Gauss–Legendre over panels of the quantile that end
        where it bends."""
        nodes, weights = legendre(24)
        ends = panels(self.base, -self.truth, 0.0)
        middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
        u = (middle[:, None] + half[:, None] * nodes).ravel()
        return self.quantile(u), (half[:, None] * weights).ravel()

    @property
    def mean(self) -> float:
        errors, weights = self._nodes
        return float(errors @ weights)

    @property
    def lift(self) -> float:
        """By how much this work moves the answer on average: what lies below 0 is lifted to it, by
        −truth − q(u) for every u up to P(X ≤ −truth), here that times e^(−v). Rounding moves
        symmetric noise by nothing. No part is below 0, so that none hides what another adds."""
        if not self._clamps:
            return 0.0
        share = float(self.base.cdf(np.array([-self.truth]))[0])
        if share > 0.5:
            return self.mean - self.base.mean
        v, weights = np.polynomial.laguerre.laggauss(64)
        below = -self.truth - self.base.quantile(np.maximum(share * np.exp(-v), 1e-300))
        return share * float(np.maximum(below, 0.0) @ weights) if share else 0.0

    @property
    def mean_abs(self) -> float:
        errors, weights = self._nodes
        return float(np.abs(errors) @ weights)

    @property
    def variance(self) -> float:
        """E of the squared error: the bias counts."""
        errors, weights = self._nodes
        return float(errors**2 @ weights)

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        return worked(self.truth + self.base.sample(rng, size), self.post_processing) - self.truth


@dataclass(frozen=True)
class ProcessedInteger(Processed):
    """The same where the published answer is an integer; `truth` must be one too."""

    discrete = True

    def cdf(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        k = np.floor(x)
        # An answer rounds to k or less when the noisy one is below k + ½.
        inside = self.base.cdf(k if self.base.discrete else k + 0.5)
        return np.where(k + self.truth < 0, 0.0, inside) if self._clamps else inside

    def density(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        half = 0.0 if self.base.discrete else 0.5
        # Above 0 from the far side (the noise is symmetric), so that a small tail keeps its digits.
        upper = self.base.cdf(half - x) - self.base.cdf(half - 1 - x)
        return np.maximum(
            np.where((x > 0) & (x + self.truth > 0), upper, self.cdf(x) - self.cdf(x - 1)), 0.0
        )

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        return ()

    def kinks(self, low: float, high: float) -> Array:
        return np.zeros(0)

    def inside(self, width: float) -> float:
        both = self.cdf(np.array([math.floor(width), math.ceil(-width) - 1.0]))
        return float(both[0] - both[1])

    def half_width(self, confidence: float) -> float:
        low, high = -1, 1
        while self.inside(float(high)) < confidence:
            low, high = high, high * 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (
                (low, middle) if self.inside(float(middle)) >= confidence else (middle, high)
            )
        return float(high)

    @property
    def lift(self) -> float:
        below = np.arange(1.0, 50 * math.sqrt(self.base.variance) + 51)
        if not self._clamps or self.truth < 0 or len(below) > _MOST_ATOMS:
            return super().lift
        return float(np.sum(self.base.cdf(-self.truth - below + (not self.base.discrete) / 2)))

    @cached_property
    def _nodes(self) -> tuple[Array, Array]:
        first, last = self.quantile(np.array([1e-16, 1 - 1e-16]))
        if last - first > _MOST_ATOMS:
            # The step of 1 is nothing beside such noise.
            return Processed(self.base, self.truth, CLAMP if self._clamps else NONE)._nodes
        k = np.arange(first - 1, last + 2)
        return k, self.density(k)


def processed(law: Law, truth: float, post_processing: str, whole: bool) -> Law:
    """The error law of a worked answer; `whole` says that the answer is an integer, without which
    nothing is rounded."""
    if post_processing in (ROUND, BOTH) and not whole:
        post_processing = CLAMP if post_processing == BOTH else NONE
    if post_processing == NONE or (post_processing == ROUND and law.discrete):
        return law
    if law.discrete or post_processing in (ROUND, BOTH):
        # What a reader of a hidden answer has seen need not be an integer; the nearest one is then
        # the middle of the law.
        return ProcessedInteger(law, math.floor(truth + 0.5), post_processing)
    return Processed(law, truth, post_processing)


@dataclass(frozen=True, eq=False)
class Sampled(Law):
    """A law known from sorted draws, shape (n,): probabilities are right to about 1/√n, moments to
    about 1 % where no tail is heavy."""

    draws: Array

    def cdf(self, x: ArrayLike) -> Array:
        return np.searchsorted(self.draws, np.asarray(x, dtype=np.float64), side="right") / len(
            self.draws
        )

    def density(self, x: ArrayLike) -> Array:
        at, height = self._smooth
        return np.interp(np.asarray(x, dtype=np.float64), at, height, left=0.0, right=0.0)

    @cached_property
    def _smooth(self) -> tuple[Array, Array]:
        """(x, density) of the draws between the atoms at the ends: a normal kernel of Silverman's
        width on a fine histogram."""
        kept = self.draws[(self.draws > self.draws[0]) & (self.draws < self.draws[-1])]
        low, high = np.quantile(kept, [0.001, 0.999]) if len(kept) > 1 else (0.0, 0.0)
        if not high > low:
            return np.array([0.0, 1.0]), np.zeros(2)
        spread = min(
            float(np.std(kept)), float(np.subtract(*np.quantile(kept, [0.75, 0.25]))) / 1.34
        ) or float(high - low)
        width = 0.9 * spread * len(kept) ** -0.2
        edges = np.linspace(low - 4 * width, high + 4 * width, 1025)
        counts = np.histogram(kept, edges)[0] / (len(self.draws) * (edges[1] - edges[0]))
        z = np.arange(-512, 513) * (edges[1] - edges[0]) / width
        kernel = np.exp(-z * z / 2)
        return (edges[1:] + edges[:-1]) / 2, np.convolve(
            counts, kernel / kernel.sum(), mode="same"
        )[: len(counts)]

    @cached_property
    def _ends(self) -> tuple[tuple[float, float], ...]:
        n = len(self.draws)
        low, high = float(self.draws[0]), float(self.draws[-1])
        counts = {
            low: np.searchsorted(self.draws, low, side="right"),
            high: n - np.searchsorted(self.draws, high, side="left"),
        }
        return tuple(
            (place, float(count) / n) for place, count in counts.items() if count > max(3, 1e-4 * n)
        )

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        return self._ends

    def kinks(self, low: float, high: float) -> Array:
        return np.zeros(0)

    def quantile(self, u: ArrayLike) -> Array:
        n = len(self.draws)
        place = np.clip(np.ceil(np.asarray(u, dtype=np.float64) * n) - 1, 0, n - 1)
        return np.asarray(self.draws[place.astype(np.intp)])

    @property
    def mean(self) -> float:
        return float(np.mean(self.draws))

    @property
    def mean_abs(self) -> float:
        return float(np.mean(np.abs(self.draws)))

    def deviation(self, measure: str, confidence: float = 0.95) -> float:
        """The standard error of a measure of the error ("half_width" at a confidence, "mean_abs",
        "rmse") as a share of it: far more than 1 % where a few draws are most of it. That of a
        half-width is half of what lies between the draws a standard error of their rank apart."""
        size, n = np.abs(self.draws), len(self.draws)
        if measure == "half_width":
            of_rank = math.sqrt(confidence * (1 - confidence) / n)
            low, middle, high = np.quantile(
                size, np.clip(confidence + of_rank * np.array([-1, 0, 1]), 0, 1)
            )
            return float((high - low) / 2 / middle) if middle > 0 else 0.0
        of = size**2 if measure == "rmse" else size
        mean, share = float(np.mean(of)), 0.5 if measure == "rmse" else 1.0
        return share * float(np.std(of)) / math.sqrt(n) / mean if mean > 0 else 0.0

    @property
    def variance(self) -> float:
        return float(np.mean(self.draws**2))

    @cached_property
    def _sizes(self) -> Array:
        return np.sort(np.abs(self.draws))

    def inside(self, width: float) -> float:
        return float(np.searchsorted(self._sizes, width, side="right")) / len(self.draws)

    def half_width(self, confidence: float) -> float:
        return float(
            self._sizes[min(len(self.draws) - 1, math.ceil(confidence * len(self.draws)) - 1)]
        )

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        return self.draws[rng.integers(0, len(self.draws), size)]
