"""Projections under a promise: directions from noisy second moments, and noise on each row that is
projected on them, without which its numbers leave as they are."""

import math
from collections.abc import Sequence

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.learning.components import leading, moved
from dpstudio.privacy.learning.ways import Way
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma
from dpstudio.privacy.sampling import SimulationRandom


def noisy_directions(
    way: Way,
    scatter: Array,
    length: float,
    k: int,
    adjacency: str,
    most: int,
    looking: Sequence[int],
) -> Array:
    """The k leading directions of scatters about the mean, (splits, p, p), of rows of at most that
    length of whom one person has at most `most`; the noise of each is drawn by itself. Orthonormal
    columns, (splits, p, k)."""
    splits, p, _ = scatter.shape
    reach = moved(True, adjacency, most)
    # Noise about no scatter at all is the noise itself.
    noise = way.noisy(np.zeros((p, p)), reach, splits, looking)  # type: ignore[attr-defined]
    return leading(scatter / length**2 + noise, k)


def row_deviation(way: Way, length: float, k: int, most: int) -> float:
    """The standard deviation of noise on each of k numbers along orthonormal directions, for whom
    all of a person's `most` rows of at most that length are replaced: the way's ε and δ."""
    if way.pure:
        return math.sqrt(2) * 2 * length * most * math.sqrt(k) / way.epsilon
    delta = float(getattr(way, "delta", 0.0))
    return analytic_sigma(way.epsilon, delta, 2 * length * math.sqrt(most))


def row_noise(
    way: Way, deviation: float, shape: tuple[int, ...], looking: SimulationRandom
) -> Array:
    """Noise of that standard deviation: Laplace for a way whose δ is 0, else normal."""
    rng = looking.generator
    if way.pure:
        return np.asarray(rng.laplace(0.0, deviation / math.sqrt(2), shape))
    return np.asarray(rng.normal(0.0, deviation, shape))


def halved(way: Way) -> Way:
    """The same way with half of its ε and δ: directions and rows are then both within it."""
    return way.at(way.epsilon / 2, float(getattr(way, "delta", 0.0)) / 2)
