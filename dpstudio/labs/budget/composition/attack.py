"""The averaging attack: the same question asked k times, and the mean of the noisy answers closing
in on the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.budget.composition.releases import Line
from dpstudio.privacy.mechanisms.additive import Sensitivity

UNIT = Sensitivity(1.0, 1.0, 1.0)
PATHS, DRAWN = 1_000, 6
# So many answers are drawn one by one; sums of later ones are drawn from the normal law of the same
# variance, which nobody can tell apart.
SINGLE = 200


@dataclass(frozen=True, eq=False)
class Attack:
    """Means after `k` answers, shape (paths, len(k)), their exact standard deviation `spread`, and
    the share of paths whose mean lies on the right side of 1/2 when the truth is 0 and the
    neighbour's is 1."""

    k: Array
    means: Array
    spread: Array
    right: Array


def grid(most: int) -> Array:
    """Whole numbers from 1 to `most`: all up to 20, then evenly on a logarithmic scale."""
    steps = np.geomspace(1, most, 12 * max(1, math.ceil(math.log10(max(most, 2)))) + 1)
    return np.unique(np.round(np.concatenate([np.arange(1, min(most, 20) + 1), steps, [most]])))


def weights(asked: Sequence[Line], k: Array) -> Array:
    """Σ 1/variance over the first k answers in order: the best linear guess weighs each answer by
    its precision."""
    ends = np.cumsum([0, *(line.times for line in asked)])
    precisions = [1 / line.mechanism.law(UNIT).variance for line in asked]
    counted = np.clip(k[:, None] - ends[None, :-1], 0, [line.times for line in asked])
    return np.asarray(counted @ np.array(precisions))


def spread(asked: Sequence[Line], k: Array) -> Array:
    """The exact standard deviation of the weighted mean of the first k answers; √(2/k)/ε for equal
    Laplace answers."""
    return np.asarray(1 / np.sqrt(weights(asked, k)))


def attack(asked: Sequence[Line], k: Array, seed: int) -> Attack:
    """Simulated means of the first k answers about a truth of 0, at increasing whole k; the same
    seed draws the same noise."""
    rng = np.random.Generator(np.random.SFC64([seed, 4]))
    total = np.zeros(PATHS)
    means = np.empty((PATHS, len(k)))
    laws = [line.mechanism.law(UNIT) for line in asked]
    ends = np.cumsum([0, *(line.times for line in asked)])
    weight = weights(asked, k)
    first = min(SINGLE, int(k[-1]))
    # One call for each mechanism, not one for each step: inverting a cdf has a price to start with.
    singles = np.zeros((PATHS, first))
    for law, low, high in zip(laws, ends[:-1], ends[1:], strict=True):
        if low < first:
            stop = min(int(high), first)
            singles[:, low:stop] = (
                law.sample(rng, PATHS * (stop - int(low))).reshape(PATHS, -1) / law.variance
            )
    sums = np.cumsum(singles, axis=1)
    before = 0
    for at, end in enumerate(k.astype(np.int64)):
        if end <= first:
            total = sums[:, end - 1]
        else:
            low = max(before, first)
            precision = float(weight[at] - weights(asked, np.array([float(low)]))[0])
            total = (sums[:, -1] if before < first else total) + math.sqrt(
                precision
            ) * rng.standard_normal(PATHS)
        means[:, at] = total / weight[at]
        before = int(end)
    # The noise is symmetric: with the mirrored path beside each, a guess is right in half of all
    # cases and wherever |mean| < 1/2.
    size = np.abs(means)
    right = 0.5 + ((size < 0.5) + (size == 0.5) / 2).mean(axis=0) / 2
    return Attack(array(k), array(means), array(1 / np.sqrt(weight)), array(right))


def most_right(epsilon: float, delta: float) -> float:
    """The largest chance of telling two neighbours apart at even odds that (ε, δ) allows: (e^ε +
    δ)/(1 + e^ε)."""
    return min(1.0, (1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon)))
