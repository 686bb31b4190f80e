"""Sums of many independent losses on a lattice, and how far to tilt their law towards the tail."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array


@dataclass(frozen=True, eq=False)
class Part:
    """`count` equal losses with these masses at start, start + step, …, or at the places number
    `at`, which increase from there."""

    start: float
    masses: Array
    count: int = 1
    at: NDArray[np.int64] | None = None

    @cached_property
    def held(self) -> tuple[Array, Array]:
        """The places that hold a mass, and its logarithm: of choices these are few."""
        kept = np.flatnonzero(self.masses)
        places = kept if self.at is None else self.at[kept]
        return places.astype(np.float64), np.asarray(np.log(self.masses[kept]))

    @property
    def last(self) -> int:
        """The number of the last place."""
        return len(self.masses) - 1 if self.at is None else int(self.at[-1])

    def weighted(self, theta: float, step: float) -> tuple[Array, float, float]:
        """The masses there times e^(θ·step·place) over e^top, their sum, and this top."""
        places, log_masses = self.held
        w = theta * step * places
        w += log_masses
        top = float(w.max())
        w -= top
        np.exp(w, out=w)
        return w, float(w.sum()), top

    def tilted(self, theta: float, step: float) -> tuple[Array, float]:
        """These masses over their sum, and the logarithm of that sum."""
        w, total, top = self.weighted(theta, step)
        return w / total, top + math.log(total)


@dataclass(frozen=True, eq=False)
class Round:
    """Independent losses on one lattice; a whole is this round k times."""

    step: float
    parts: tuple[Part, ...]

    @property
    def start(self) -> float:
        """The smallest sum."""
        return math.fsum(p.count * p.start for p in self.parts)

    @property
    def places(self) -> int:
        """How many steps lie between the smallest and the largest sum."""
        return sum(p.count * p.last for p in self.parts)

    def log_mean(self, theta: float) -> float:
        """K(θ) = ln E e^(θL)."""
        sums = ((p, p.weighted(theta, self.step)[1:]) for p in self.parts)
        return float(
            sum(p.count * (top + math.log(total) + theta * p.start) for p, (total, top) in sums)
        )

    def slope(self, theta: float) -> tuple[float, float]:
        """K(θ) and K′."""
        value = slope = 0.0
        for p in self.parts:
            w, total, top = p.weighted(theta, self.step)
            value += p.count * (top + math.log(total) + theta * p.start)
            slope += p.count * (self.step * float(w @ p.held[0]) / total + p.start)
        return value, slope

    def cumulants(self, theta: float) -> tuple[float, float, float]:
        """K(θ), K′ and K″."""
        value = slope = bend = 0.0
        for p in self.parts:
            w, log_total = p.tilted(theta, self.step)
            x = self.step * p.held[0]
            mean = float(w @ x)
            value += p.count * (log_total + theta * p.start)
            slope += p.count * (mean + p.start)
            bend += p.count * float(w @ (x - mean) ** 2)
        return value, slope, bend

    def tilt_for_delta(self, k: float, log_delta: float) -> float:
        """θ that makes e^(kK − θε) θ^θ/(1 + θ)^(1 + θ), a bound on δ(ε), equal to δ at its least:
        k(K − θK′) − ln(1 + θ) = ln δ."""

        def above(theta: float) -> bool:
            value, slope = self.slope(theta)
            return k * (value - theta * slope) - math.log1p(theta) > log_delta

        return self._tilt(above)

    def tilt_for_epsilon(self, k: float, epsilon: float) -> float:
        """θ at which the same bound is least at ε: kK′ + ln(θ/(1 + θ)) = ε."""
        return self._tilt(lambda theta: k * self.slope(theta)[1] - math.log1p(1 / theta) < epsilon)

    def _tilt(self, above: Callable[[float], bool]) -> float:
        """The θ up to which `above` holds, within 1 % (at most 60 steps)."""
        low, most = 0.0, 60.0 / self.step
        high = 1.0 / math.sqrt(max(self.cumulants(0.0)[2], 1e-300))
        while high < most and above(high):
            low, high = high, 3 * high
        if high >= most:
            return most
        for _ in range(40):
            if high - low <= 0.02 * high:
                break
            middle = (low + high) / 2
            low, high = (middle, high) if above(middle) else (low, middle)
        return (low + high) / 2
