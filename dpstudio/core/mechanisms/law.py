"""The exact law of additive noise: what every mechanism of the additive family provides, and what follows from it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.core.roots import root

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Law(ABC):
    """A law on the real line, symmetric about 0 unless it says otherwise.

    A continuous law gives its density with respect to length, a `discrete` one its pmf on the integers. All array
    methods take and give arrays of any one shape.
    """

    discrete: ClassVar[bool] = False

    @abstractmethod
    def density(self, x: ArrayLike) -> Array:
        """Density at x (1 / unit of the answer); for a discrete law the pmf at the integers x."""

    @abstractmethod
    def cdf(self, x: ArrayLike) -> Array:
        """P(X ≤ x)."""

    @abstractmethod
    def quantile(self, u: ArrayLike) -> Array:
        """Smallest x with cdf(x) ≥ u, for 0 < u < 1."""

    @property
    @abstractmethod
    def mean_abs(self) -> float:
        """E|X|."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """E X²  (the laws here have mean 0, a biased one counts its bias in)."""

    def inside(self, width: float) -> float:
        """P(|X| ≤ width)."""
        below = self.cdf(np.array([width, math.ceil(-width) - 1.0 if self.discrete else -width]))
        return float(below[0] - below[1])

    def half_width(self, confidence: float) -> float:
        """Smallest w with P(|X| ≤ w) ≥ confidence, 0 < confidence < 1."""
        high = max(float(self.quantile(np.array([(1 + confidence) / 2]))[0]), 1e-300)
        while self.inside(high) < confidence:
            high *= 2
        if self.inside(0.0) >= confidence:
            return 0.0
        return root(lambda w: self.inside(w) - confidence, 0.0, high)

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        """Draws by inversion. For looking, not for releases: floats leak."""
        return self.quantile(rng.random(size))

    def delta(self, epsilon: float, shift: float) -> float:
        """Hockey-stick divergence sup_S P(S) − e^ε P(S + shift), by summing the positive part numerically."""
        return hockey_stick(self, epsilon, shift)


def hockey_stick(law: Law, epsilon: float, shift: float, points: int = 400_001) -> float:
    """∫ (p(x) − e^ε p(x − shift))₊ dx by brute force (a sum over the integers for a discrete law); needs only the density."""
    reach = float(law.quantile(np.array([1 - 1e-13]))[0]) + abs(shift)
    if law.discrete:
        x = np.arange(-math.ceil(reach), math.ceil(reach) + 1, dtype=np.float64)
        return float(np.maximum(law.density(x) - math.exp(epsilon) * law.density(x - shift), 0).sum())
    x = np.linspace(-reach, reach, points)
    gap = np.maximum(law.density(x) - math.exp(epsilon) * law.density(x - shift), 0)
    return float(np.sum((gap[1:] + gap[:-1]) / 2) * (x[1] - x[0]))


@lru_cache(maxsize=2)
def _legendre(points: int) -> tuple[Array, Array]:
    # Nodes and weights are constants that cost 20 ms.
    return np.polynomial.legendre.leggauss(points)


@dataclass(frozen=True)
class Largest:
    """The law of the largest |error| over `count` independent coordinates of one law, on [0, ∞)."""

    law: Law
    count: int

    @property
    def discrete(self) -> bool:
        return self.law.discrete

    def _inside(self, x: Array) -> Array:
        lower = -np.floor(x) - 1 if self.discrete else -x
        return np.where(x < 0, 0.0, np.clip(self.law.cdf(np.abs(x)) - self.law.cdf(lower), 0, 1))

    def cdf(self, x: ArrayLike) -> Array:
        return self._inside(np.asarray(x, dtype=np.float64)) ** self.count

    def density(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        if self.discrete:
            return self.cdf(x) - self.cdf(x - 1)
        slope = self.law.density(x) + self.law.density(-x)
        return np.where(x < 0, 0.0, self.count * self._inside(x) ** (self.count - 1) * slope)

    def quantile(self, u: ArrayLike) -> Array:
        return np.array([self.half_width(float(p)) for p in np.atleast_1d(u)])

    def half_width(self, confidence: float) -> float:
        """Simultaneous: P(every |error| ≤ w) ≥ confidence. The root is taken in log space so that 10,000 coordinates work."""
        return self.law.half_width(math.exp(math.log(confidence) / self.count))

    @property
    def mean_abs(self) -> float:
        top = self.half_width(1 - 1e-9)
        if self.discrete:
            return float(np.sum(1 - self.cdf(np.arange(0.0, min(math.ceil(top), 2_000_000) + 1))))
        nodes, weights = _legendre(200)
        x = (nodes + 1) / 2 * top
        return float(np.sum(weights * (1 - self.cdf(x))) * top / 2)

    @property
    def variance(self) -> float:
        """E X², of the largest error."""
        top = self.half_width(1 - 1e-9)
        if self.discrete:
            k = np.arange(0.0, min(math.ceil(top), 2_000_000) + 1)
            return float(np.sum((2 * k + 1) * (1 - self.cdf(k))))
        nodes, weights = _legendre(200)
        x = (nodes + 1) / 2 * top
        return float(np.sum(weights * 2 * x * (1 - self.cdf(x))) * top / 2)
