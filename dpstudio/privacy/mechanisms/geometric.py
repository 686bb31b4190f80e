"""The geometric mechanism: discrete Laplace noise on integers (Ghosh, Roughgarden & Sundararajan
2012)."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.privacy.mechanisms.additive import OverEpsilon, Sensitivity
from dpstudio.privacy.mechanisms.law import Array, Law
from dpstudio.privacy.mechanisms.loss import MOST_ATOMS, Loss, Worst
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.messages import N_


@dataclass(frozen=True)
class DiscreteLaplaceLaw(Law):
    """pmf tanh(t/2) e^(−t|k|) on the integers, t > 0 the loss for a shift of 1 (t = ln α)."""

    discrete = True
    t: float

    @property
    def _r(self) -> float:
        return math.exp(-self.t)

    def density(self, x: ArrayLike) -> Array:
        return math.tanh(self.t / 2) * np.exp(-self.t * np.abs(np.asarray(x, dtype=np.float64)))

    def cdf(self, x: ArrayLike) -> Array:
        k = np.floor(np.asarray(x, dtype=np.float64))
        top = 1 / (1 + self._r)
        # P(X ≤ k) is r^−k/(1+r) below zero and 1 − r^(k+1)/(1+r) from zero on.
        tail = top * np.exp(-self.t * np.where(k < 0, -k, k + 1))
        return np.where(k < 0, tail, 1 - tail)

    def quantile(self, u: ArrayLike) -> Array:
        u = np.asarray(u, dtype=np.float64)
        with np.errstate(divide="ignore"):
            side = np.log(np.where(u < 0.5, u, 1 - u) * (1 + self._r)) / -self.t
        k = np.where(u < 0.5, np.ceil(-side - 1e-12), np.ceil(side - 1 - 1e-12))
        # The logarithm may miss a step of the cdf by one; mend it so that this is the exact
        # generalised inverse.
        k = np.where(self.cdf(k) < u, k + 1, k)
        return np.where(self.cdf(k - 1) >= u, k - 1, k) + 0.0

    @property
    def mean_abs(self) -> float:
        return 1 / math.sinh(self.t) if self.t < 700 else 0.0

    @property
    def variance(self) -> float:
        return 0.5 / math.sinh(self.t / 2) ** 2 if self.t < 700 else 2 * self._r

    def half_width(self, confidence: float) -> float:
        """Smallest integer w with P(|X| ≤ w) ≥ confidence: 2 r^(w+1) ≤ (1 − confidence)(1 + r)."""
        exact = math.log(2 / ((1 - confidence) * (1 + self._r))) / self.t - 1
        return float(max(0, math.ceil(exact - 1e-9)))

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        """⌊E/t⌋ of a unit exponential E is geometric; the difference of two is discrete Laplace."""
        out = rng.standard_exponential(size)
        other = rng.standard_exponential(size)
        np.floor(np.divide(out, self.t, out=out), out=out)
        np.floor(np.divide(other, self.t, out=other), out=other)
        out -= other
        return out

    def leave(
        self, chance: ReleaseRandom, count: int, step: Fraction, wider: Fraction
    ) -> list[int]:
        scale = wider / Fraction(self.t)
        return [chance.discrete_laplace(scale) for _ in range(count)]

    def delta(self, epsilon: float, shift: float) -> float:
        """Sum of the positive part: the loss t(|k − s| − |k|) exceeds ε exactly below k = (s −
        ε/t)/2."""
        s = round(shift)
        if epsilon >= s * self.t:
            return 0.0
        last = math.ceil((s - epsilon / self.t) / 2) - 1
        here, there = self.cdf(np.array([last, last - s], dtype=np.float64))
        return max(0.0, float(here - math.exp(epsilon) * there))


class Geometric(OverEpsilon):
    """Integer noise with α = e^(ε/Δ₁): ε-DP for integer answers, and the best there is for
    counts."""

    key = "geometric"
    label = N_("Geometric")
    formula = "Geom(exp(ε/Δ₁))"
    source = "Ghosh, Roughgarden & Sundararajan 2012"
    ink = "geometric"
    integers = True

    def law(self, sensitivity: Sensitivity) -> DiscreteLaplaceLaw:
        """Discrete Laplace noise that loses ε for a move of Δ₁, which is an integer."""
        return DiscreteLaplaceLaw(self.epsilon / sensitivity.l1)

    def worst(self, sensitivity: Sensitivity, people: int = 1) -> Worst | None:
        """The whole L1 sensitivity in one coordinate, as for Laplace noise: one loss for each
        integer between the two answers, where these are integers."""
        shift = people * sensitivity.l1
        if shift != round(shift) or shift > MOST_ATOMS:
            return None
        law, k = self.law(sensitivity), np.arange(0, round(shift) + 1, dtype=np.float64)
        masses = law.density(k)
        # All below 0, all from the shift on.
        masses[0], masses[-1] = float(law.cdf(0.0)), float(law.cdf(-shift))
        places = law.t * (shift - 2 * k)
        loss = Loss(tuple(places[::-1].tolist()), tuple(masses[::-1].tolist()), 2 * law.t)
        return Worst(loss, sensitivity.alone)
