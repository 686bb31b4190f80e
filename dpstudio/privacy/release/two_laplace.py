"""The law of the sum of two independent Laplace variables: what is left of a difference, and of an
average, of two answers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Array, Law

_SAME = 1e-5


def two_laplace(x: Array, a: float, b: float) -> Array:
    """Density at x of the sum of Lap(a) and Lap(b): (a e^(−|x|/a) − b e^(−|x|/b))/2(a² − b²), and
    its limit at a = b."""
    x = np.abs(np.asarray(x, dtype=np.float64))
    if abs(a - b) < 1e-6 * a:
        return np.asarray((1 + x / a) * np.exp(-x / a) / (4 * a))
    return np.asarray((a * np.exp(-x / a) - b * np.exp(-x / b)) / (2 * (a - b) * (a + b)))


@dataclass(frozen=True)
class TwoLaplace(Law):
    """Lap(a) + Lap(b), a, b > 0. By partial fractions of 1/((1 + a²t²)(1 + b²t²)) a difference of
    two Laplace densities.

    Scales that agree to 1e-5 are taken as equal, which is right to 1e-10.
    """

    a: float
    b: float

    @property
    def _equal(self) -> bool:
        return abs(self.a - self.b) <= _SAME * (self.a + self.b)

    @property
    def _middle(self) -> float:
        return (self.a + self.b) / 2

    def density(self, x: ArrayLike) -> Array:
        return two_laplace(np.asarray(x, dtype=np.float64), self.a, self.b)

    def _tail(self, size: Array) -> Array:
        """P(X > size), size ≥ 0."""
        if self._equal:
            z = size / self._middle
            return np.asarray((2 + z) * np.exp(-z) / 4)
        a, b = self.a, self.b
        return np.asarray(
            (a * a * np.exp(-size / a) - b * b * np.exp(-size / b)) / (2 * (a * a - b * b))
        )

    def cdf(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        tail = self._tail(np.abs(x))
        return np.where(x < 0, tail, 1 - tail)

    def quantile(self, u: ArrayLike) -> Array:
        u = np.asarray(u, dtype=np.float64)
        target = np.maximum(np.minimum(u, 1 - u), 1e-300)
        wide = max(self.a, self.b)
        low, high = np.zeros_like(target), np.full_like(target, wide) * (10 - np.log(target))
        for _ in range(80):
            middle = (low + high) / 2
            above = self._tail(middle) > target
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return np.asarray(np.where(u < 0.5, -1.0, 1.0) * (low + high) / 2)

    @property
    def mean_abs(self) -> float:
        a, b = self.a, self.b
        return (a * a + a * b + b * b) / (a + b)

    @property
    def variance(self) -> float:
        return 2 * self.a**2 + 2 * self.b**2

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        return LaplaceLaw(self.a).sample(rng, size) + LaplaceLaw(self.b).sample(rng, size)
