"""How far off a sum of noises is, by their laws convolved on a grid to which each is rounded up."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.privacy.mechanisms.gaussian import GaussianLaw

Floats = NDArray[np.float64]
# Beyond the grid lies less than this, where Chernoff's bound says so; what else doubles may lose.
LOST, _DOUBLES = 1e-14, 1e-12
# Steps to the bound that is known, for each noise, fewer where these are more than a few.
_FINE, _COARSE, _FEW, _MOST_POINTS = 100, 25, 20, 1 << 18
_BITS, _TINY = 30, 1e-3


def alike(by: Floats) -> list[tuple[float, int]]:
    """How much of a noise is taken, and how often: on a grid by which alike ones are the same."""
    unit = 2.0 ** (math.floor(math.log2(np.abs(by).max(initial=0.0) or 1.0)) - _BITS)
    found, counts = np.unique(np.ceil(np.abs(by) / unit - _TINY), return_counts=True)
    return [(float(n) * unit, int(k)) for n, k in zip(found, counts, strict=True) if n > 0]


@lru_cache(maxsize=512)
def half_width(
    parts: tuple[tuple[float, float, int], ...],
    variance: float,
    bound: float,
    far: float,
    missed: float,
) -> float:
    """What a sum keeps but for `missed`: of `parts`, each geometric noise by scale and step with
    how many are alike, and of Gaussian noise. `bound`: a half-width that is known; `far`: beyond
    it lies at most LOST. ∞ where that needs too fine a grid."""
    count = sum(times for *_, times in parts) + (variance > 0)
    grid = bound / (min(_FINE, max(_COARSE, _FINE * _FEW / count)) * count)
    points = 1 << math.ceil(math.log2(2.2 * far / grid + 2 * count))
    most = missed / 2 - LOST * (2 * count + 4) - _DOUBLES
    if points > _MOST_POINTS or most <= 0:
        return math.inf
    ends = np.arange(-points // 2, points // 2) * grid
    whole = np.ones(points // 2 + 1, dtype=np.complex128)
    for scale, step, times in parts:
        whole *= _rounded_up(_geometric(ends, scale, step)) ** times
    if variance > 0:
        whole *= _rounded_up(GaussianLaw(math.sqrt(variance)).cdf(ends))
    law = np.roll(np.fft.irfft(whole, points), points // 2)
    above = np.append(np.cumsum(law[::-1])[::-1][1:], 0.0)
    return max(0.0, float(ends[int(np.argmax(above <= most))]))


def _rounded_up(below: Floats) -> NDArray[np.complex128]:
    """The transform of the chances of a grid's values, of those that lie at or below each."""
    law = np.diff(below, prepend=0.0)
    return np.fft.rfft(np.roll(law, -(len(law) // 2)))


def _geometric(ends: NDArray[Any], scale: float, step: float) -> Floats:
    places, ratio = np.floor(ends / step), step / scale
    tails = np.exp(-ratio * np.where(places < 0, -places, places + 1)) / (1 + math.exp(-ratio))
    return np.where(places < 0, tails, 1 - tails)
