"""The error law of a ratio of two noisy answers, by quadrature over the noise of the lower one."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms.law import Law, legendre, narrowest
from dpstudio.privacy.release.ratio_moments import ratio_moments

PANELS = (0.0, 1e-9, 1e-6, 1e-4, 1e-2, 0.1, 0.5, 0.9, 0.99, 1 - 1e-4, 1 - 1e-6, 1 - 1e-9, 1.0)
_MOST_ATOMS = 600
_WINDOWS = np.linspace(0.7, 1.3, 3)
_MOST_KINKS = 24
# Where the cdf is tabulated, in units of the scale about the truth.
_AROUND = np.concatenate(
    [np.linspace(-1.5, 1.5, 241), [-32, -16, -8, -4, -3, -2.5, -2, 2, 2.5, 3, 4, 8, 16, 32]]
)


@dataclass(frozen=True, eq=False)
class Ratio(Law):
    """Error of clamp((S + X) / max(N + Y, 1), low, high) about `truth`, X and Y independent, by
    quadrature over Y.

    `scale` is about the width of the error, `floors` are the values of max(N + Y, 1) at the nodes,
    in the units of S, `weights` their probabilities. Clamping puts atoms on the two ends, which the
    density leaves out.
    """

    numerator: Law
    total: float
    low: float
    high: float
    truth: float
    scale: float
    floors: Array
    weights: Array

    @cached_property
    def tabulated(self) -> tuple[Array, Array]:
        """(errors, the cdf there before clamping), from which quantiles are taken."""

        def cdf(values: Array) -> Array:
            return _ratio_cdf(self.numerator, self.total, self.floors, self.weights, values)

        inner = self.truth + self.scale * _AROUND
        points = np.concatenate([inner, np.linspace(self.low, self.high, 129), [self.truth]])
        values = np.unique(np.clip(points, self.low, self.high))
        values, table = _refined(values, cdf(values), self.truth, cdf)
        return values - self.truth, table

    def cdf(self, x: ArrayLike) -> Array:
        value = np.asarray(x, dtype=np.float64) + self.truth
        inside = _ratio_cdf(self.numerator, self.total, self.floors, self.weights, value)
        return np.where(value < self.low, 0.0, np.where(value >= self.high, 1.0, inside))

    def density(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        value = x + self.truth
        if self.numerator.discrete:
            # Atoms on a lattice that the noisy count smears out, but not next to the truth: their
            # share of a hundredth of the law's width, by windows of several widths, as one alone
            # may hold an atom more or less everywhere.
            step = max(0.01 * self.scale, 1e-12 * max(1.0, abs(self.truth)))
            steps = step * _WINDOWS
            inside = np.mean(
                (self.cdf(x[..., None] + steps) - self.cdf(x[..., None] - steps)) / (2 * steps),
                axis=-1,
            )
        else:
            inside = self.numerator.density(np.multiply.outer(value, self.floors) - self.total) @ (
                self.floors * self.weights
            )
        return np.where((value <= self.low) | (value >= self.high), 0.0, inside)

    def quantile(self, u: ArrayLike) -> Array:
        u, (grid, table) = np.asarray(u, dtype=np.float64), self.tabulated
        place = np.clip(np.searchsorted(table, u, side="left"), 1, len(grid) - 1)
        low, high = grid[place - 1], grid[place]
        f_low, f_high = table[place - 1], table[place]
        # A lattice of atoms is no straight line at any scale: there only halving is sure.
        straight = not self.numerator.discrete
        for turn in range(6 if straight else 14):
            # Inside one cell of the table the cdf is nearly straight; halving now and then keeps
            # corners honest.
            slope = np.where(f_high > f_low, f_high - f_low, 1.0)
            part = (
                np.clip(_share(u - f_low, slope), 0.02, 0.98)
                if straight and turn % 3 < 2
                else np.full_like(u, 0.5)
            )
            middle = low + (high - low) * part
            f = self.cdf(middle)
            below = f < u
            low, f_low = np.where(below, middle, low), np.where(below, f, f_low)
            high, f_high = np.where(below, high, middle), np.where(below, f_high, f)
        slope = np.where(f_high > f_low, f_high - f_low, 1.0)
        inside = low + (high - low) * np.clip(_share(u - f_low, slope), 0, 1) if straight else high
        return np.asarray(
            np.where(u <= table[0], grid[0], np.where(u > table[-1], grid[-1], inside))
        )

    @cached_property
    def _moments(self) -> tuple[float, float, float]:
        ends = (self.low, self.truth, self.high)
        return ratio_moments(self.numerator, self.total, self.floors, self.weights, ends)

    @property
    def mean(self) -> float:
        return self._moments[0]

    @property
    def mean_abs(self) -> float:
        return self._moments[1]

    @property
    def variance(self) -> float:
        return self._moments[2]

    def half_width(self, confidence: float) -> float:
        high = self.scale or self.high - self.low
        while self.inside(high) < confidence:
            high *= 2
        return narrowest(self.inside, confidence, high)

    def inside(self, width: float) -> float:
        both = self.cdf(np.array([width, np.nextafter(-width, -np.inf)]))
        return float(both[0] - both[1])


def _share(part: Array, slope: Array) -> Array:
    """part/slope, which may be beyond all floats where the cdf hardly rises: it is clipped
    anyhow."""
    with np.errstate(over="ignore"):
        return np.asarray(part / slope)


def _ratio_cdf(numerator: Law, total: float, floors: Array, weights: Array, value: Array) -> Array:
    return np.asarray(numerator.cdf(np.multiply.outer(value, floors) - total) @ weights)


def ratio_law(
    total: float,
    count: float,
    numerator: Law,
    denominator: Law,
    low: float,
    high: float,
    truth: float,
    step: float = 1.0,
) -> Ratio:
    """The law of a noisy sum, in units of `step`, over a noisy count; relative error of
    probabilities and moments about 1e-6 where the count is not tiny, 1e-5 of moments where
    it is noisy by hundreds of whole numbers."""
    noise, weights = _nodes(denominator, 1.0 - count)
    floors = np.maximum(count + noise, 1.0) / step
    # The scale of the error: the two noises, carried through the ratio.
    wide = step * numerator.half_width(0.99) + abs(truth) * denominator.half_width(0.99)
    scale = wide / max(count, 1.0)
    return Ratio(numerator, total, low, high, truth, scale, floors, weights)


def _refined(
    values: Array, table: Array, truth: float, cdf: Callable[[Array], Array]
) -> tuple[Array, Array]:
    """Cells halved until none of them alone decides the first or the second moment: steps of
    integer noise are narrow."""
    for _ in range(60):
        x, wide = values - truth, np.diff(values)
        size = np.maximum(np.abs(x[1:]), np.abs(x[:-1]))
        open_ = wide * np.diff(table)
        sure = np.where(x[1:] <= 0, table[:-1], 1 - table[1:]) * wide
        coarse = (open_ > 1e-3 * (sure.sum() + open_.sum())) | (
            open_ * size > 1e-3 * ((sure * size).sum() + (open_ * size).sum())
        )
        coarse &= wide > 1e-15 * np.maximum(1e-300, np.abs(values[1:]))
        if not coarse.any():
            break
        middle = ((values[1:] + values[:-1]) / 2)[coarse]
        values, table = np.concatenate([values, middle]), np.concatenate([table, cdf(middle)])
        order = np.argsort(values, kind="stable")
        values, table = values[order], table[order]
    return values, table


@lru_cache(maxsize=64)  # a sweep of bounds has one noisy count at all of them
def _nodes(law: Law, kink: float) -> tuple[Array, Array]:
    """Noise values and probabilities: every atom of a narrow discrete law, else Gauss–Legendre over
    panels of the quantile.

    A panel ends at `kink`, where the floor of the count sets in: no panel then has to bend.
    """
    if law.discrete:
        reach = law.half_width(1 - 1e-12)
        if 2 * reach + 1 <= _MOST_ATOMS:
            k = np.arange(-reach, reach + 1)
            pmf = law.density(k)
            return array(k), array(pmf / pmf.sum())
    nodes, weights = legendre(10)
    ends = panels(law, kink)
    middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
    # In a panel next to 1 a node may be rounded to 1, whose quantile has no end.
    u = np.clip((middle[:, None] + half[:, None] * nodes).ravel(), 2.0**-1000, 1 - 2.0**-53)
    noise = law.quantile(u)
    if law.discrete:  # each step as wide as a whole number: else the nodes fall on either side
        mass = np.maximum(law.density(noise), 1e-300)
        noise = noise - 0.5 + np.clip((u - law.cdf(noise - 1)) / mass, 0, 1)
    return array(noise), array((half[:, None] * weights).ravel())


def panels(law: Law, *places: float) -> Array:
    """Ends in [0, 1] between which the quantile of a law is smooth: at `places`, at jumps of the
    density and at both sides of atoms."""
    reach = law.half_width(1 - 1e-9)
    bends = law.kinks(-reach, reach)
    if len(bends) > _MOST_KINKS:  # so many that no single one is seen
        bends = bends[np.argsort(np.abs(bends), kind="stable")[:_MOST_KINKS]]
    atoms = [float(law.cdf(np.array([place]))[0]) - mass for place, mass in law.atoms]
    at = law.cdf(np.concatenate([bends, np.asarray(places, dtype=np.float64)]))
    return np.unique(np.clip(np.concatenate([PANELS, at, atoms]), 0.0, 1.0))
