"""How far off an answer is at a cost, and what being no further off costs: of every cell of a
question at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from dpstudio.plans import charge
from dpstudio.plans.laws import monotone, pair, size_public
from dpstudio.plans.question import EXPONENTIAL, GAUSSIAN, LAPLACE, Question, Reach
from dpstudio.privacy.mechanisms.choosing import Exponential, NoisyMax
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.selection import Scores, worst_loss

KNOWN = {LAPLACE: charge.PURE, GAUSSIAN: charge.GAUSSIAN, EXPONENTIAL: charge.RANGED}
LEAST, MOST = 1e-12, 1e6  # of what a cost is looked for between
_FINE = 1 + 2e-9  # what a grid of 2^−30 of the noise adds to an error


@dataclass(frozen=True)
class Errors:
    """Of one question, for one person and at one confidence."""

    question: Question
    unit: charge.Unit
    confidence: float

    @cached_property
    def reach(self) -> Reach:
        """How far one person moves it."""
        return self.question.reach(self.unit)

    @cached_property
    def each(self) -> float:
        """The confidence of one cell: its noise is independent of that of the others."""
        return math.exp(math.log(self.confidence) / self.reach.cells)

    def known(self, noise: str) -> str:
        """What is known of an answer with this noise, as it is charged."""
        return KNOWN.get(noise, charge.PURE)

    def steps(self, noise: str) -> int:
        """By how many steps of the grid one person moves a geometric number; 0 for other noise."""
        whole = noise == LAPLACE and self.reach.whole and not self.question.counted
        return int(self.reach.l1) if whole else 0

    def at(self, noise: str, cost: float) -> float:
        """The least w for which all cells at once are off by at most w, with the confidence, where
        it pays so much: ρ of Gaussian noise, else ε."""
        if self.question.counted:
            low, high = self.question.bounds
            return min(float(high - low), self._ratio(noise, cost))
        if not self.question.additive:
            return self._chosen(noise) / cost
        if noise == GAUSSIAN:
            return GaussianLaw(self._sigma(cost)).half_width(self.each) * _FINE
        if self.reach.whole:
            return DiscreteLaplaceLaw(cost / float(self.reach.l1)).half_width(self.each)
        return LaplaceLaw(float(self.reach.l1) / cost).half_width(self.each) * _FINE

    def smooth(self, noise: str, cost: float) -> float:
        """The same before it is rounded up to a whole number, or ends at the span of a mean, for
        who looks for the best split: it falls at every cost, so that none is stuck where it is."""
        if self.question.counted:
            return self._ratio(noise, cost, least=0.1)
        if noise != LAPLACE or not self.reach.whole:
            return self.at(noise, cost)
        return _unrounded(cost / float(self.reach.l1), self.each)

    def needs(self, noise: str, distance: float) -> float:
        """The least cost at which it is off by at most so much; ∞ where no cost will do. Where the
        error is in proportion to 1/ε, or 1/√ρ, that is known at once."""
        if not self.question.counted and (noise != LAPLACE or not self.reach.whole):
            ratio = self.at(noise, 1.0) / distance * (1 + 1e-12)
            return ratio**2 if noise == GAUSSIAN else ratio
        return _least_cost(self, noise, distance)

    def _sigma(self, rho: float) -> float:
        return math.sqrt(float(self.reach.l2_squared) / (2 * rho))

    @cached_property
    def _gaps(self) -> dict[str, float]:
        return {}

    def _chosen(self, noise: str) -> float:
        """The loss of the choice at ε = 1: its worst over all scores is in proportion to 1/ε."""
        if noise not in self._gaps:
            kind = Exponential if noise == EXPONENTIAL else NoisyMax
            scores = Scores(
                np.zeros(self.reach.cells), float(self.reach.l1), monotone(self.question, self.unit)
            )
            self._gaps[noise] = worst_loss(kind(epsilon=1.0), scores, self.confidence)
        return self._gaps[noise]

    def _ratio(self, noise: str, cost: float, least: float = 0.0) -> float:
        """Of a mean of values within `half` of their middle, from a noisy sum about that and a
        noisy count, where that is above 0: |(S + a)/(n + b) − S/n| ≤ w where |a − (S/n)b| ≤
        w(n + b), |S/n| ≤ half. No published mean is off by more than the span, since it is put
        between the bounds. `least`: the count is taken for so large a part of it at least, and what
        it misses is not rounded."""
        low, high = (float(bound) for bound in self.question.bounds)
        half, size = (high - low) / 2, float(self.question.size or 1)
        total, count = self.pair(noise, cost)
        if size_public(self.question, self.unit):  # the sum moves from bound to bound
            law = GaussianLaw(total / size) if noise == GAUSSIAN else LaplaceLaw(total / size)
            return law.half_width(self.each)
        if noise == GAUSSIAN:
            wide = _gaussian_ratio(total, count, half, size, self.each, least)
        else:
            apart = math.sqrt(self.each)
            off = LaplaceLaw(total).half_width(apart)
            missed = (
                _unrounded(1 / count, apart)
                if least
                else DiscreteLaplaceLaw(1 / count).half_width(apart)
            )
            there = max(size - missed, least * size)
            wide = (off + half * missed) / there if there >= 1 or least else math.inf
        return wide * _FINE

    def pair(self, noise: str, cost: float) -> tuple[float, float]:
        """The scales of the noise on the sum about the middle and on the count of a mean: together
        they cost what is paid (`laws.pair`)."""
        low, high = (float(bound) for bound in self.question.bounds)
        half, rows = (high - low) / 2, self.unit.rows
        each = pair(self.question, self.unit)
        if noise == GAUSSIAN:
            total, count = (math.sqrt(float(variance) / cost) for _, variance in each)
        else:
            total, count = (float(scale) / cost for scale, _ in each)
        return rows * half * total, rows * count


def _unrounded(t: float, confidence: float) -> float:
    """What geometric noise of scale 1/t keeps, before it is rounded up to a whole number."""
    return max(math.log(2 / ((1 - confidence) * (1 + math.exp(-t)))) / t - 0.5, 0.5)


def _gaussian_ratio(
    total: float, count: float, half: float, size: float, each: float, least: float
) -> float:
    """The least w with z·√(σ² + (half + w)²τ²) = w·n, both sides of the interval together beyond it
    with 1 − `each` at most; ∞ where the count is too noisy."""
    z = GaussianLaw(1.0).half_width(each)
    a = max(size**2 - (z * count) ** 2, (least * size) ** 2)
    b, c = (z * count) ** 2 * half, z * z * (total**2 + (half * count) ** 2)
    return (b + math.sqrt(b * b + a * c)) / a if a > 0 else math.inf


@lru_cache(maxsize=256)
def _least_cost(errors: Errors, noise: str, distance: float) -> float:
    # The same at every total ε, and so at every step of a drag of it.
    return least_cost(lambda cost: errors.at(noise, cost), distance)


def least_cost(error: Callable[[float], float], distance: float) -> float:
    """The least cost, to 1e-10 of it, at which a falling error is at most so much."""
    low, high = math.log(LEAST), math.log(MOST)
    if error(MOST) > distance:
        return math.inf
    if error(LEAST) <= distance:
        return LEAST
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if error(math.exp(middle)) > distance else (low, middle)
    return math.exp(high)
