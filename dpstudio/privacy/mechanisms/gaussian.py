"""Gaussian noise: as the textbooks calibrate it, and exactly (Balle & Wang 2018)."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.privacy.mechanisms.additive import DELTA, Additive, Guarantee, Sensitivity
from dpstudio.privacy.mechanisms.law import Array, Law
from dpstudio.privacy.mechanisms.loss import Loss, Worst
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param
from dpstudio.values.roots import root


@lru_cache(maxsize=1)
def special() -> Any:
    """scipy.special, imported when it is first needed: it costs 0.2 s."""
    from scipy import special as library

    return library


def library_loaded() -> bool:
    """Whether Gaussian laws answer at once, or import scipy.special first."""
    return "scipy.special" in sys.modules


def gaussian_log_delta(epsilon: float, ratio: float) -> float:
    """ln δ(ε) of N(0, σ²) against its shift by Δ, with ratio = Δ/σ > 0 (Balle & Wang 2018, Theorem
    8); −∞ where no digits of it are left.

    δ = Φ(a) − e^ε Φ(b), a = ratio/2 − ε/ratio, b = −ratio/2 − ε/ratio. Since e^ε φ(b) = φ(a), both
    terms share the factor φ(a) and what is left is a difference of Mills ratios, which neither
    underflows nor cancels far in the tail.
    """
    library = special()
    a, b = ratio / 2 - epsilon / ratio, -ratio / 2 - epsilon / ratio
    if a < 5:
        gap = float(library.erfcx(-a / math.sqrt(2)) - library.erfcx(-b / math.sqrt(2)))
        return -a * a / 2 - math.log(2) + math.log(gap) if gap > 0 else -math.inf
    return math.log1p(-math.exp(float(library.log_ndtr(-a)))) + math.log1p(
        -math.exp(min(-1e-300, epsilon + float(library.log_ndtr(b) - library.log_ndtr(a))))
    )


def analytic_sigma(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """The smallest σ for which N(0, σ²) noise is (ε, δ)-DP at this L2 sensitivity (Balle & Wang
    2018, Algorithm 1).

    ε ≥ 0, 0 < δ < 1; relative error below 1e-10 from ε = 5e-5 on (at ε = 0 and δ = 5e-14 it is 1
    %). ValueError outside.
    """
    if not (epsilon >= 0 and 0 < delta < 1 and sensitivity > 0):
        raise ValueError("analytic Gaussian needs ε ≥ 0, 0 < δ < 1 and a positive sensitivity")
    target = math.log(delta)

    def gap(log_ratio: float) -> float:
        return gaussian_log_delta(epsilon, math.exp(log_ratio)) - target

    # The textbook σ is within a small factor of the answer wherever it is not tiny; widen from
    # there.
    guess = math.log(max(epsilon, 1e-3) / textbook_factor(delta))
    low, high = guess - 1, guess + 1
    while gap(low) > 0:
        low -= 2
    while gap(high) < 0:
        high += 2
    return sensitivity * math.exp(-root(gap, low, high, 1e-13))


def textbook_factor(delta: float) -> float:
    """√(2 ln(1.25/δ)), the σε/Δ₂ of the textbooks (Dwork & Roth 2014, Theorem 3.22)."""
    return math.sqrt(2 * math.log(1.25 / delta))


@dataclass(frozen=True)
class GaussianLaw(Law):
    """N(0, σ²), σ > 0."""

    sigma: float

    @property
    def standard(self) -> GaussianLaw:
        return GaussianLaw(1.0)

    def density(self, x: ArrayLike) -> Array:
        z = np.asarray(x, dtype=np.float64) / self.sigma
        return np.exp(-z * z / 2) / (self.sigma * math.sqrt(2 * math.pi))

    def cdf(self, x: ArrayLike) -> Array:
        return np.asarray(special().ndtr(np.asarray(x, dtype=np.float64) / self.sigma))

    def quantile(self, u: ArrayLike) -> Array:
        return np.asarray(special().ndtri(u) * self.sigma)

    @property
    def mean_abs(self) -> float:
        return self.sigma * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> float:
        return self.sigma**2

    def half_width(self, confidence: float) -> float:
        # The lower tail keeps its digits when confidence is close to 1.
        return -float(special().ndtri((1 - confidence) / 2)) * self.sigma

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        out = rng.standard_normal(size)
        out *= self.sigma
        return out

    def leave(
        self, chance: ReleaseRandom, count: int, step: Fraction, wider: Fraction
    ) -> list[int]:
        """Discrete Gaussian noise on the grid, of deviation `wider`·σ: with a σ of 2^29 steps and
        more it is this law but for a factor 1 ± 10^−16 (Poisson summation)."""
        variance = (Fraction(self.sigma) * wider / step) ** 2
        return [chance.discrete_gaussian(variance) for _ in range(count)]

    def delta(self, epsilon: float, shift: float) -> float:
        """Φ(a) − e^ε Φ(b) of `gaussian_log_delta` (Balle & Wang 2018, Theorem 8)."""
        return (
            math.exp(gaussian_log_delta(epsilon, shift / self.sigma))
            if shift > 0
            else max(0.0, -math.expm1(epsilon))
        )


def gaussian_worst(law: GaussianLaw, sensitivity: Sensitivity, people: int) -> Worst:
    """The loss of a move by Δ₂ a person, in whatever direction; attained where some move is known
    to be so long."""
    full = any(math.isclose(math.hypot(*move), sensitivity.l2) for move in sensitivity.patterns)
    return Worst(Loss(ratio=people * sensitivity.l2 / law.sigma), full)


class AnalyticGaussian(Additive):
    """N(0, σ²) on every coordinate with the smallest σ that is (ε, δ)-DP for L2 sensitivity Δ₂; any
    ε > 0."""

    key = "gaussian"
    label = N_("Gaussian")
    formula = N_("N(0, σ²), σ exact for (ε, δ)")
    source = "Balle & Wang 2018, Theorem 8"
    norm = "l2"
    one_vector = True
    pure = False
    ink = "gaussian"

    delta: float = param(1e-5, DELTA)

    @property
    def scale(self) -> float:
        return analytic_sigma(self.epsilon, self.delta)

    @classmethod
    def sketch(cls) -> GaussianLaw:
        """A law that needs no search for σ."""
        return GaussianLaw(1.0)

    def law(self, sensitivity: Sensitivity) -> GaussianLaw:
        """N(0, σ²) with the smallest σ for (ε, δ) at Δ₂ (`analytic_sigma`)."""
        return GaussianLaw(analytic_sigma(self.epsilon, self.delta, sensitivity.l2))

    def worst(self, sensitivity: Sensitivity, people: int = 1) -> Worst:
        return gaussian_worst(self.law(sensitivity), sensitivity, people)


class TextbookGaussian(Additive):
    """N(0, 2Δ₂² ln(1.25/δ)/ε²) as printed in textbooks: proven for 0 < ε < 1 only, and false for
    large ε."""

    key = "textbook"
    label = N_("Textbook")
    formula = "N(0, 2Δ₂² ln(1.25/δ)/ε²)"
    source = "Dwork & Roth 2014, Theorem 3.22 (0 < ε < 1)"
    norm = "l2"
    one_vector = True
    pure = False
    ink = "textbook"

    delta: float = param(1e-5, DELTA)

    @property
    def scale(self) -> float:
        return textbook_factor(self.delta) / self.epsilon

    def epsilon_of(self, scale: float) -> float:
        return textbook_factor(self.delta) / scale

    @classmethod
    def sketch(cls) -> GaussianLaw:
        """A law that needs no search for σ."""
        return GaussianLaw(1.3)

    def law(self, sensitivity: Sensitivity) -> GaussianLaw:
        """N(0, σ²) with σ = Δ₂·√(2 ln(1.25/δ))/ε, for any ε."""
        return GaussianLaw(sensitivity.l2 * textbook_factor(self.delta) / self.epsilon)

    def worst(self, sensitivity: Sensitivity, people: int = 1) -> Worst:
        return gaussian_worst(self.law(sensitivity), sensitivity, people)

    def guarantee(self, sensitivity: Sensitivity) -> Guarantee:
        """Proven for ε < 1 alone, always with its exact δ, which tells where it is false."""
        bare = Guarantee(
            self.epsilon, self.delta, self.epsilon < 1, self.delta_at(self.epsilon, sensitivity)
        )
        instead = N_("Choose Gaussian noise instead, whose σ is exact for every ε.")
        return replace(bare, note=self.remark(bare), instead=Message(instead))

    def remark(self, guarantee: Guarantee) -> Message:
        true, promised = (
            Num(guarantee.true_delta or 0.0, rounding="up"),
            Num(guarantee.delta, 3, "up"),
        )
        if guarantee.violated:
            text = N_(
                "The textbook Gaussian is false here: too little noise. Its exact δ at ε = "
                "{epsilon} is {true}, above {delta}."
            )
            return say(text, epsilon=Num(guarantee.epsilon, 5), true=true, delta=promised)
        if not guarantee.proven:
            text = N_(
                "The textbook Gaussian is unproven here: it needs ε < 1. Its exact δ is {true}, so "
                "{delta} happens to hold."
            )
            return say(text, true=true, delta=promised)
        return say(
            "The textbook Gaussian is proven here, but wasteful: its exact δ is only {true}.",
            true=true,
        )
