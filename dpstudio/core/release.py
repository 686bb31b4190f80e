"""What would be published: measurements, each with its share of the budget, and a pure function of their noisy answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.core.figure import Array, array
from dpstudio.core.mechanisms.additive import Additive, Guarantee
from dpstudio.core.mechanisms.gaussian import GaussianLaw
from dpstudio.core.mechanisms.law import Law
from dpstudio.core.queries.query import Asked

_PANELS = (0.0, 1e-9, 1e-6, 1e-4, 1e-2, 0.1, 0.5, 0.9, 0.99, 1 - 1e-4, 1 - 1e-6, 1 - 1e-9, 1.0)
_MOST_ATOMS = 600


@dataclass(frozen=True, eq=False)
class Release:
    """One question answered through one mechanism. `asked` holds the exact answer; `mechanism` the whole budget."""

    asked: Asked
    mechanism: Additive

    @property
    def how(self) -> str:
        """How the error law is known: "exact" for one measurement, "quadrature" for a ratio of two."""
        return "quadrature" if self.asked.ratio else "exact"

    @cached_property
    def laws(self) -> tuple[Law, ...]:
        """The noise law of each measurement."""
        return tuple(self.mechanism.share(m.part).law(m.sensitivity) for m in self.asked.measurements)

    @cached_property
    def law(self) -> Law:
        """The law of the error of one coordinate of the published answer."""
        if not self.asked.ratio:
            return self.laws[0]
        low, high = (bound - self.asked.offset for bound in self.asked.ratio)
        total, count = (float(m.values[0]) for m in self.asked.measurements)
        return ratio_law(total, count, self.laws[0], self.laws[1], low, high, float(self.asked.truth[0]) - self.asked.offset)

    @cached_property
    def guarantee(self) -> Guarantee:
        """The budgets of the measurements added up (sequential composition); flags of any part are kept."""
        parts = [self.mechanism.share(m.part).guarantee(m.sensitivity) for m in self.asked.measurements]
        if len(parts) == 1:
            return parts[0]
        whole = Guarantee(
            sum(p.epsilon for p in parts), sum(p.delta for p in parts), all(p.proven for p in parts), self._joint_delta(parts)
        )
        return replace(whole, note=self.mechanism.remark(whole))

    def _joint_delta(self, parts: list[Guarantee]) -> float | None:
        """δ at the summed ε for the worst that one person can do to all measurements at once: exact for Gaussians, whose
        losses add up to one Gaussian loss; else the sum of the parts, which is a bound. None where no part states its own."""
        known = [p.true_delta for p in parts if p.true_delta is not None]
        if len(known) < len(parts):
            return None
        laws = [law for law in self.laws if isinstance(law, GaussianLaw)]
        if len(laws) < len(parts) or not self.asked.moves:
            return sum(known)
        epsilon = sum(p.epsilon for p in parts)
        shifts = [math.hypot(*(move / law.sigma for move, law in zip(moves, laws, strict=True))) for moves in self.asked.moves]
        return max(GaussianLaw(1.0).delta(epsilon, shift) for shift in shifts)

    def simulate(self, rng: np.random.Generator, answers: int) -> Array:
        """Simulated published answers, shape (answers, coordinates). For looking: numpy noise is not for releases."""
        return self.publish(self.measure(rng, answers))

    def measure(self, rng: np.random.Generator, answers: int) -> list[Array]:
        """The noisy measurements themselves, each of shape (answers, coordinates)."""
        out = []
        for measurement, law in zip(self.asked.measurements, self.laws, strict=True):
            noise = law.sample(rng, answers * len(measurement.values)).reshape(answers, -1)
            out.append(measurement.values + noise)
        return out

    def publish(self, noisy: list[Array]) -> Array:
        """The pure function of the noisy measurements that is the answer."""
        if not self.asked.ratio:
            return noisy[0]
        low, high = self.asked.ratio
        return np.clip(noisy[0] / np.maximum(noisy[1], 1.0) + self.asked.offset, low, high)

    def as_read(self, rng: np.random.Generator) -> Asked:
        """What a reader of one simulated answer knows: the question with the noisy measurements in the place of the exact ones."""
        noisy = self.measure(rng, 1)
        parts = tuple(replace(m, values=array(n[0])) for m, n in zip(self.asked.measurements, noisy, strict=True))
        return replace(self.asked, truth=array(self.publish(noisy)[0]), measurements=parts, notes=self.asked.openness)


@dataclass(frozen=True, eq=False)
class Ratio(Law):
    """Error of clamp((S + X) / max(N + Y, 1), low, high) about `truth`, X and Y independent, by quadrature over Y.

    `scale` is about the width of the error, `floors` are the values of max(N + Y, 1) at the nodes, `weights` their
    probabilities, `grid` and `table` the tabulated cdf before clamping, from which quantiles and moments are taken. Clamping
    puts atoms on the two ends, which the density leaves out.
    """

    numerator: Law
    total: float
    low: float
    high: float
    truth: float
    scale: float
    floors: Array
    weights: Array
    grid: Array
    table: Array

    def cdf(self, x: ArrayLike) -> Array:
        value = np.asarray(x, dtype=np.float64) + self.truth
        inside = _ratio_cdf(self.numerator, self.total, self.floors, self.weights, value)
        return np.where(value < self.low, 0.0, np.where(value >= self.high, 1.0, inside))

    def density(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        value = x + self.truth
        if self.numerator.discrete:
            # Atoms on a lattice that the noisy count smears out: their share of a hundredth of the law's width.
            step = 0.01 * self.scale
            inside = (self.cdf(x + step) - self.cdf(x - step)) / (2 * step)
        else:
            inside = self.numerator.density(np.multiply.outer(value, self.floors) - self.total) @ (self.floors * self.weights)
        return np.where((value <= self.low) | (value >= self.high), 0.0, inside)

    def quantile(self, u: ArrayLike) -> Array:
        u = np.asarray(u, dtype=np.float64)
        place = np.clip(np.searchsorted(self.table, u, side="left"), 1, len(self.grid) - 1)
        low, high = self.grid[place - 1], self.grid[place]
        f_low, f_high = self.table[place - 1], self.table[place]
        # A lattice of atoms is no straight line at any scale: there only halving is sure.
        straight = not self.numerator.discrete
        for turn in range(6 if straight else 14):
            # Inside one cell of the table the cdf is nearly straight; halving now and then keeps corners honest.
            slope = np.where(f_high > f_low, f_high - f_low, 1.0)
            part = np.clip((u - f_low) / slope, 0.02, 0.98) if straight and turn % 3 < 2 else np.full_like(u, 0.5)
            middle = low + (high - low) * part
            f = self.cdf(middle)
            below = f < u
            low, f_low = np.where(below, middle, low), np.where(below, f, f_low)
            high, f_high = np.where(below, high, middle), np.where(below, f_high, f)
        slope = np.where(f_high > f_low, f_high - f_low, 1.0)
        inside = low + (high - low) * np.clip((u - f_low) / slope, 0, 1) if straight else high
        return np.asarray(np.where(u <= self.table[0], self.grid[0], np.where(u > self.table[-1], self.grid[-1], inside)))

    @property
    def mean_abs(self) -> float:
        return self._tails(np.ones_like(self.grid))

    @property
    def variance(self) -> float:
        return self._tails(2 * np.abs(self.grid))

    def _tails(self, slope: Array) -> float:
        """∫ slope · P(beyond) over both sides of 0: the mean of the antiderivative of `slope` in |X|."""
        left, right = self.grid <= 0, self.grid >= 0
        below = _integrate(self.grid[left], (slope * self.table)[left])
        return below + _integrate(self.grid[right], (slope * (1 - self.table))[right])

    def inside(self, width: float) -> float:
        both = self.cdf(np.array([width, np.nextafter(-width, -np.inf)]))
        return float(both[0] - both[1])


def _integrate(x: Array, y: Array) -> float:
    return float(np.sum((y[1:] + y[:-1]) / 2 * np.diff(x)))


def _ratio_cdf(numerator: Law, total: float, floors: Array, weights: Array, value: Array) -> Array:
    return np.asarray(numerator.cdf(np.multiply.outer(value, floors) - total) @ weights)


def ratio_law(total: float, count: float, numerator: Law, denominator: Law, low: float, high: float, truth: float) -> Ratio:
    """The law of a noisy sum over a noisy count; relative error of probabilities about 1e-6 where the count is not tiny."""
    noise, weights = _nodes(denominator, 1.0 - count)
    floors = np.maximum(count + noise, 1.0)
    # The scale of the error: the two noises, carried through the ratio.
    scale = (numerator.half_width(0.99) + abs(truth) * denominator.half_width(0.99)) / max(count, 1.0)
    inner = truth + scale * np.concatenate(
        [np.linspace(-1.5, 1.5, 241), np.array([-32, -16, -8, -4, -3, -2.5, -2, 2, 2.5, 3, 4, 8, 16, 32])]
    )
    points = np.concatenate([inner, np.linspace(low, high, 129), [truth]])
    values = np.unique(np.clip(points, low, high))
    table = _ratio_cdf(numerator, total, floors, weights, values)
    return Ratio(numerator, total, low, high, truth, scale, floors, weights, values - truth, table)


def _nodes(law: Law, kink: float) -> tuple[Array, Array]:
    """Noise values and probabilities: every atom of a narrow discrete law, else Gauss–Legendre over panels of the quantile.

    A panel ends at `kink`, where the floor of the count sets in: no panel then has to bend.
    """
    if law.discrete:
        reach = law.half_width(1 - 1e-12)
        if 2 * reach + 1 <= _MOST_ATOMS:
            k = np.arange(-reach, reach + 1)
            pmf = law.density(k)
            return k, pmf / pmf.sum()
    nodes, weights = np.polynomial.legendre.leggauss(10)
    ends = np.unique(np.clip(np.append(_PANELS, law.cdf(kink)), 0.0, 1.0))
    middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
    u = (middle[:, None] + half[:, None] * nodes).ravel()
    return law.quantile(u), (half[:, None] * weights).ravel()
