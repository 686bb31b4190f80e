"""The chance that measuring a table needs, for looking and for leaving alike."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.post import Simplex
from dpstudio.privacy.mechanisms.choosing import Exponential
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.sampling import ReleaseRandom

# Scores are sums of up to a million distances in doubles, which numpy adds up in pairs: each is off
# by some 40·2⁻⁵³ of the people in it at most, 2⁻¹⁷ for 5·10⁸ of them, and two neighbours by twice.
ROUNDING = 2.0**-16
# What scales that were worked out in doubles, and added up, may have lost.
_WIDER = 1 + Fraction(1, 1 << 32)
_DRAWN, _DRAWS = 100_000, (8, 400)  # cells of all simulated tables, and how many of these


class Chance(Protocol):
    """Noise of whole vectors, and one choice by the exponential mechanism."""

    def laplace(self, scale: float, size: int) -> Array:
        """Noise of density ∝ e^(−|x|/scale), or its like on the integers; shape (size,)."""
        ...

    def gaussian(self, sigma: float, size: int) -> Array:
        """Noise of density ∝ e^(−x²/2σ²), or its like on the integers; shape (size,)."""
        ...

    def choose(self, scores: Array, sensitivity: float, epsilon: float) -> int:
        """An index drawn with chance ∝ e^(ε·score/(2·sensitivity)) (McSherry & Talwar 2007)."""
        ...


@dataclass(frozen=True)
class Seeded:
    """For looking: numpy's noise in floats."""

    rng: np.random.Generator

    def laplace(self, scale: float, size: int) -> Array:
        """As `Chance` says."""
        return np.asarray(self.rng.laplace(0.0, scale, size))

    def gaussian(self, sigma: float, size: int) -> Array:
        """As `Chance` says."""
        return np.asarray(self.rng.normal(0.0, sigma, size))

    def choose(self, scores: Array, sensitivity: float, epsilon: float) -> int:
        """As `Chance` says: the largest of the scores with Gumbel noise."""
        noise = self.rng.gumbel(0.0, 1.0, len(scores))
        return int(np.argmax(epsilon / (2 * sensitivity) * scores + noise))


@dataclass(frozen=True)
class Exact:
    """For leaving: integers, exactly drawn. Counts of people stay counts, and each scale is a hair
    wider than the double that was worked out."""

    leaving: ReleaseRandom

    def laplace(self, scale: float, size: int) -> Array:
        """As `Chance` says: the geometric mechanism (Ghosh, Roughgarden & Sundararajan 2012), which
        keeps the ε of the Laplace law of this scale on counts."""
        exact = Fraction(scale) * _WIDER
        return np.array([float(self.leaving.discrete_laplace(exact)) for _ in range(size)])

    def gaussian(self, sigma: float, size: int) -> Array:
        """As `Chance` says: the discrete Gaussian, which keeps the ρ of the Gaussian law of this σ
        on counts (Canonne, Kamath & Steinke 2020, Theorem 4)."""
        variance = (Fraction(sigma) * _WIDER) ** 2
        return np.array([float(self.leaving.discrete_gaussian(variance)) for _ in range(size)])

    def choose(self, scores: Array, sensitivity: float, epsilon: float) -> int:
        """As `Chance` says, without any rounding of the odds against the promise; the rounding of
        the scores is paid for."""
        moves = sensitivity * (1 + ROUNDING)
        return Exponential(epsilon=epsilon).leave(self.leaving, Scores(scores, moves))


def laplace_gain(
    scale: float, counts: Array, least: float = 0.0, times: Array | float = 1.0
) -> float:
    """How many people it adds on average to `counts` ≥ 0 with Laplace noise of this scale b that
    those below `least` t ≥ 0 become 0: Σ (b/2) e^(−c/b) for t = 0, else for each c ≥ t
    (b − t)/2·e^(−(c − t)/b), for c < t (b + t)/2·e^(−(t − c)/b) − c.
    Each count is there so many `times`."""
    c = np.asarray(counts, dtype=np.float64)
    far = np.exp(-np.abs(c - least) / scale) / 2
    gain = np.where(c >= least, (scale - least) * far, (scale + least) * far - c)
    return float(np.sum(times * gain))


def simplex_moved(scale: float, counts: Array, times: Array | float = 1.0) -> float:
    """How many people are on average in cells where they are not, Σ max(0, o − c), when counts c
    get Laplace noise of this scale and become the nearest counts o ≥ 0 with the sum of the noisy
    ones. Simulated, always by the same draws: which cells stay moves with all of them. Each count
    is there so many `times`."""
    cells = np.repeat(np.asarray(counts, dtype=np.float64), np.asarray(times, dtype=np.int64))
    draws = int(np.clip(_DRAWN // max(cells.size, 1), *_DRAWS))
    noise = np.random.Generator(np.random.SFC64(20261123)).laplace(0.0, scale, (draws, cells.size))
    noisy = cells + noise
    near = Simplex().apply(noisy, np.maximum(noisy.sum(axis=1, keepdims=True), 1.0))
    return float(np.maximum(near - cells, 0.0).sum(axis=1).mean())
