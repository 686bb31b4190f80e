"""The discrete Gaussian mechanism on integers (Canonne, Kamath & Steinke 2020), with the smallest σ
that its exact δ allows."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.privacy.mechanisms.additive import DELTA, Additive, Guarantee, Sensitivity
from dpstudio.privacy.mechanisms.concentrated import concentrated_log_delta, concentrated_rho
from dpstudio.privacy.mechanisms.gaussian import gaussian_log_delta, special
from dpstudio.privacy.mechanisms.law import Array, Law, power_of
from dpstudio.privacy.mechanisms.loss import MOST_ATOMS, Loss, Worst
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import param
from dpstudio.values.roots import root

# Up to this σ everything is summed term by term, above by Euler and Maclaurin's formula.
_TABLE = 60.0
# How many standard deviations a loss is followed down; the rest, 1e-23, is rounded up to there.
_BELOW = 10.0
# From this σ on a sum of discrete Gaussians is one, but for a factor 1 ± e^−88 (Poisson summation).
_SMOOTH = 3.0


def _normaliser(sigma: float) -> float:
    """Σ e^(−k²/2σ²) over the integers; either of its two forms converges at once."""
    if sigma >= 1:
        return sigma * math.sqrt(2 * math.pi) * (1 + 2 * math.exp(-2 * (math.pi * sigma) ** 2))
    return 1 + 2 * sum(math.exp(-(k * k) / (2 * sigma * sigma)) for k in range(1, 12))


@lru_cache(maxsize=128)
def _tails(sigma: float) -> Array:
    """P(X ≥ k) for k = 0, 1, …, summed from far out so that each keeps its digits."""
    k = np.arange(0, math.ceil(40 * sigma) + 3, dtype=np.float64)
    return np.asarray(
        np.cumsum(np.exp(-k * k / (2 * sigma * sigma))[::-1])[::-1] / _normaliser(sigma)
    )


@lru_cache(maxsize=16)
def _alias(sigma: float) -> tuple[Array, NDArray[np.intp]]:
    """Walker's alias table of the pmf on −m … m: place i keeps its own value with the first, else
    takes the second's."""
    tails = _tails(sigma)
    half = -np.diff(np.append(tails, 0.0))
    pmf = np.concatenate([half[:0:-1], half])
    pmf = pmf[pmf > 0] / pmf.sum()
    share = pmf * len(pmf)
    keep, other = np.ones(len(pmf)), np.arange(len(pmf))
    small, large = (
        [int(i) for i in np.flatnonzero(share < 1)],
        [int(i) for i in np.flatnonzero(share >= 1)],
    )
    while small and large:
        poor, rich = small.pop(), large[-1]
        keep[poor], other[poor] = share[poor], rich
        share[rich] -= 1 - share[poor]
        if share[rich] < 1:
            small.append(large.pop())
    return keep, other


@dataclass(frozen=True)
class DiscreteGaussianLaw(Law):
    """pmf ∝ e^(−k²/2σ²) on the integers, σ > 0."""

    discrete = True
    sigma: float

    def density(self, x: ArrayLike) -> Array:
        z = np.asarray(x, dtype=np.float64) / self.sigma
        return np.exp(-z * z / 2) / _normaliser(self.sigma)

    def _beyond(self, k: Array) -> Array:
        """P(X ≥ k) for integers k ≥ 0."""
        if self.sigma <= _TABLE:
            tails = _tails(self.sigma)
            return np.asarray(
                np.where(k < len(tails), tails[np.minimum(k, len(tails) - 1).astype(np.intp)], 0.0)
            )
        z = (k - 0.5) / self.sigma
        density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return np.asarray(
            special().ndtr(-z)
            - density * z / (24 * self.sigma**2)
            + 7 * density * (z**3 - 3 * z) / (5760 * self.sigma**4)
        )

    def cdf(self, x: ArrayLike) -> Array:
        k = np.floor(np.asarray(x, dtype=np.float64))
        tail = self._beyond(np.where(k < 0, -k, k + 1))
        return np.where(k < 0, tail, 1 - tail)

    def quantile(self, u: ArrayLike) -> Array:
        u = np.asarray(u, dtype=np.float64)
        k = np.round(special().ndtri(u) * self.sigma)
        for _ in range(80):
            low, high = self.cdf(k) < u, self.cdf(k - 1) >= u
            if not (low.any() or high.any()):
                break
            k = k + low - high
        return np.asarray(k + 0.0)

    @property
    def mean_abs(self) -> float:
        if self.sigma <= _TABLE:
            return 2 * float(np.sum(_tails(self.sigma)[1:]))
        first = 1 / _normaliser(self.sigma)
        return 2 * (
            self.sigma / math.sqrt(2 * math.pi) - first / 12 - first / (240 * self.sigma**2)
        )

    @property
    def variance(self) -> float:
        if self.sigma <= _TABLE:
            tails = _tails(self.sigma)[1:]
            return 2 * float(np.sum((2 * np.arange(1.0, len(tails) + 1) - 1) * tails))
        return self.sigma**2

    def half_width(self, confidence: float) -> float:
        """Smallest integer w with 2 P(X > w) ≤ 1 − confidence."""
        w = max(0.0, math.floor(-float(special().ndtri((1 - confidence) / 2)) * self.sigma) - 3.0)
        while 2 * float(self._beyond(np.array(w + 1.0))) > 1 - confidence:
            w += 1
        return w

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        """By an alias table (Walker 1977) where σ is small, else by inversion."""
        if self.sigma > _TABLE:
            return super().sample(rng, size)
        keep, other = _alias(self.sigma)
        place = rng.integers(0, len(keep), size)
        return np.where(rng.random(size) < keep[place], place, other[place]) - (len(keep) - 1) / 2

    def leave(
        self, chance: ReleaseRandom, count: int, step: Fraction, wider: Fraction
    ) -> list[int]:
        variance = (Fraction(self.sigma) * wider) ** 2
        return [chance.discrete_gaussian(variance) for _ in range(count)]

    def delta(self, epsilon: float, shift: float) -> float:
        """`discrete_log_delta` for the shift rounded to an integer."""
        if shift <= 0:
            return max(0.0, -math.expm1(epsilon))
        return math.exp(discrete_log_delta(epsilon, self.sigma, round(shift)))


def discrete_log_delta(epsilon: float, sigma: float, shift: int) -> float:
    """ln δ(ε) of the discrete Gaussian against its shift by an integer `shift` ≥ 1 (Canonne, Kamath
    & Steinke 2020, Theorem 7); −∞ where no digits of it are left.

    δ = Σ p(k) (1 − e^(ε − loss(k))) over the k > τ whose loss is above ε: positive terms, nothing
    cancels.
    """
    tau = epsilon * sigma * sigma / shift - shift / 2
    first = max(math.floor(tau) + 1, -math.ceil(40 * sigma) - 2)
    rate = shift / sigma**2
    if sigma <= _TABLE:
        k = np.arange(first, max(first, math.ceil(40 * sigma)) + 3, dtype=np.float64)
        power = -k * k / (2 * sigma * sigma)
        peak = float(power.max())
        total = float(np.sum(np.exp(power - peak) * -np.expm1(-(k - tau) * rate)))
        return peak + math.log(total) - math.log(_normaliser(sigma)) if total > 0 else -math.inf
    a, d = first / sigma, shift / sigma
    if a > 1000:  # e^−500,000: no digits are left of what follows, and none are wanted
        return -a * a / 2
    if a < -5:
        # The shift is far beyond the noise: the two hardly overlap, and the continuous curve has
        # all digits.
        return gaussian_log_delta(epsilon, d)
    left = math.exp(-(first - tau) * rate)
    mills = math.sqrt(math.pi / 2) * special().erfcx(np.array([a, a + d]) / math.sqrt(2))
    # The sum by Euler and Maclaurin from `first` on, in units of the density there.
    c, s2 = first / sigma**2, 1 / sigma**2
    slope = -c * (1 - left) + rate * left
    third = (3 * c * s2 - c**3) * (1 - left) + (
        3 * (c * c - s2) * rate + 3 * c * rate**2 + rate**3
    ) * left
    inner = float(mills[0] - left * mills[1]) * sigma + (1 - left) / 2 - slope / 12 + third / 720
    return -a * a / 2 - math.log(sigma * math.sqrt(2 * math.pi)) + math.log(inner)


def _sum_log_delta(epsilon: float, sigma: float, move: int, count: int) -> float:
    """ln δ(ε) where one person moves `count` coordinates by `move` each: the losses add up to one
    of their sum."""
    if count == 1 or sigma >= _SMOOTH:
        return discrete_log_delta(epsilon, sigma * math.sqrt(count), move * count)
    pmf = _sum_pmf(sigma, count)
    k = np.arange(len(pmf)) - (len(pmf) - 1) / 2
    loss = (2 * k * move + count * move**2) / (2 * sigma * sigma)
    total = float(np.sum(pmf * np.maximum(-np.expm1(np.minimum(0.0, epsilon - loss)), 0)))
    return math.log(total) if total > 0 else -math.inf


@lru_cache(maxsize=256)
def _sum_pmf(sigma: float, count: int) -> Array:
    """pmf of the sum of `count` discrete Gaussians, centred."""
    reach = math.ceil(14 * sigma) + 1
    k = np.arange(-reach, reach + 1, dtype=np.float64)
    return power_of(np.exp(-k * k / (2 * sigma * sigma)) / _normaliser(sigma), count)


@lru_cache(maxsize=4096)
def discrete_sigma(epsilon: float, delta: float, moves: tuple[tuple[float, ...], ...]) -> float:
    """The smallest σ from which on the exact δ(ε) is at most δ for every one of the `moves`, at
    least one; a move changes all its coordinates by one and the same integer (Canonne, Kamath &
    Steinke 2020, Theorem 7)."""
    return max(_sigma_for(epsilon, delta, round(move[0]), len(move)) for move in moves)


def _sigma_for(epsilon: float, delta: float, move: int, count: int) -> float:
    """δ(σ) has dents where ε is large, so the last crossing is looked for, from a σ down that is
    proven to be enough."""
    target = math.log(delta)

    def gap(log_sigma: float) -> float:
        return _sum_log_delta(epsilon, math.exp(log_sigma), move, count) - target

    high = math.log(move * math.sqrt(count / 2 / concentrated_rho(epsilon, delta))) + 1e-9
    low = high
    while gap(low) <= 0:
        high = low
        low -= (
            min(0.02, move / (16 * epsilon * math.exp(2 * low)))
            if epsilon > move * count / 4
            else 0.02
        )
    at = root(gap, low, high, 1e-13)
    while gap(at) > 0:
        at += 1e-13
    return math.exp(at)


class DiscreteGaussian(Additive):
    """Integer noise N_Z(0, σ²) with the smallest σ from which on it is (ε, δ)-DP: floats have no
    part in it, so nothing leaks by rounding.

    Exact where one person moves every coordinate by the same amount or none; else by ρ-zCDP with ρ
    = Δ₂²/2σ², as that paper proves too.
    """

    key = "discrete_gaussian"
    label = N_("Discrete Gaussian")
    formula = N_("N_Z(0, σ²), σ exact for (ε, δ)")
    source = "Canonne, Kamath & Steinke 2020, Theorem 7"
    norm = "l2"
    one_vector = True
    pure = False
    ink = "discrete_gaussian"
    integers = True

    delta: float = param(1e-5, DELTA)

    @property
    def scale(self) -> float:
        return discrete_sigma(self.epsilon, self.delta, ((1.0,),))

    @classmethod
    def sketch(cls) -> Law:
        """A law that needs no search for σ."""
        return DiscreteGaussianLaw(1.0)

    def law(self, sensitivity: Sensitivity) -> DiscreteGaussianLaw:
        """The smallest σ: exact where every largest move is even, else by ρ-zCDP at Δ₂."""
        if _even(sensitivity):
            return DiscreteGaussianLaw(
                discrete_sigma(self.epsilon, self.delta, sensitivity.patterns)
            )
        return DiscreteGaussianLaw(
            sensitivity.l2 / math.sqrt(2 * concentrated_rho(self.epsilon, self.delta))
        )

    def delta_at(self, epsilon: float, sensitivity: Sensitivity) -> float:
        """Exact for even moves, else the bound by zCDP."""
        sigma = self.law(sensitivity).sigma
        if not _even(sensitivity):
            return min(
                1.0, math.exp(concentrated_log_delta(epsilon, (sensitivity.l2 / sigma) ** 2 / 2))
            )
        return max(
            math.exp(_sum_log_delta(epsilon, sigma, round(m[0]), len(m)))
            for m in sensitivity.patterns
        )

    def worst(self, sensitivity: Sensitivity, people: int = 1) -> Worst | None:
        """Of a single even move with few enough losses; else no one pair is known as the worst."""
        moves = sensitivity.patterns
        if len(moves) != 1 or not _even(sensitivity):
            return None
        move, count, sigma = people * moves[0][0], len(moves[0]), self.law(sensitivity).sigma
        if 38 * sigma * math.sqrt(count) > MOST_ATOMS or (count > 1 and sigma > 500):
            return None
        one = np.arange(-math.ceil(38 * sigma), math.ceil(38 * sigma) + 1, dtype=np.float64)
        masses = power_of(np.asarray(DiscreteGaussianLaw(sigma).density(one)), count)
        k = np.arange(len(masses)) - (len(masses) - 1) / 2
        near = k >= -math.ceil(_BELOW * sigma * math.sqrt(count)) - 1
        places = ((2 * k * move + count * move**2) / (2 * sigma**2))[near]
        return Worst(Loss(tuple(places.tolist()), tuple(masses[near].tolist()), move / sigma**2))

    def guarantee(self, sensitivity: Sensitivity) -> Guarantee:
        """(ε, δ), proven; a note says where more noise is added than is needed."""
        bare = super().guarantee(sensitivity)
        if _even(sensitivity):
            return bare
        return replace(
            bare,
            note=say(
                "Calibrated by concentrated DP, which is a little more noise than needed here."
            ),
        )


def _even(sensitivity: Sensitivity) -> bool:
    """Whether every largest move changes its coordinates by one and the same integer."""
    moves = sensitivity.patterns
    return bool(moves) and all(len(set(m)) == 1 and m[0] == round(m[0]) for m in moves)
