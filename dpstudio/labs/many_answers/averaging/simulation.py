"""The averaging attack: the same question asked k times, and the mean of the noisy answers closing
in on the truth."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.release_list import Line
from dpstudio.labs.series_ledger import counted
from dpstudio.privacy.mechanisms.law import Law

PATHS = 1_000
# So many answers are drawn one by one; sums of later ones are drawn from the normal law of the same
# variance, which nobody can tell apart.
SINGLE = 200


@dataclass(frozen=True, eq=False)
class Attack:
    """Means after `k` answers, shape (paths, len(k)), their exact standard deviation `spread`, and
    the share of paths whose mean lies on the right side of the middle when the truth is 0 and the
    neighbour's is as many as a person has rows."""

    k: Array
    means: Array
    spread: Array
    right: Array


def grid(most: int) -> Array:
    """Whole numbers from 1 to `most`: all up to 20, then evenly on a logarithmic scale."""
    steps = np.geomspace(1, most, 12 * max(1, math.ceil(math.log10(max(most, 2)))) + 1)
    return np.unique(np.round(np.concatenate([np.arange(1, min(most, 20) + 1), steps, [most]])))


def weights(asked: Sequence[Line], k: Array, rows: int = 1) -> Array:
    """Σ v/variance over the first k answers in order, v that of the first, about persons with at
    most so many `rows`: the best linear guess weighs each answer by its precision. k where all are
    alike, so that a mean of whole numbers may lie in the middle itself."""
    of_one = 1 / np.array(_sizes(asked, rows))
    return np.asarray(_of_first([line.times for line in asked], k) @ of_one)


def _sizes(asked: Sequence[Line], rows: int) -> list[float]:
    """The variance of an answer of each line over that of the first."""
    return [variance(line, rows) / variance(asked[0], rows) for line in asked]


def variance(line: Line, rows: int) -> float:
    """That of one answer as a guess of a person's part: the noise, and of a sample, where an answer
    y is taken as y/q, whether the person was drawn, (1 − q)/q of the rows squared."""
    q = line.chance
    return float(line.mechanism.law(counted(rows)).variance) / q**2 + rows**2 * (1 - q) / q


def _of_first(times: Sequence[int], k: Array) -> Array:
    """How many of the first k answers are of each kind, of which there are so many, shape (k,
    kinds)."""
    ends = np.cumsum([0, *times])
    return np.asarray(np.clip(k[:, None] - ends[None, :-1], 0, times))


def _drawn(
    asked: Sequence[Line], k: Array, rng: np.random.Generator, paths: int, rows: int
) -> np.ndarray:
    """What being drawn or not adds to the sums of guesses about a person who is there, shape
    (paths, len(k)); 0 where nothing is sampled."""
    total = np.zeros((paths, len(k)))
    new = np.diff(_of_first([line.times for line in asked], k), axis=0, prepend=0)
    for line, times, size in zip(asked, new.T.astype(np.int64), _sizes(asked, rows), strict=True):
        if line.chance < 1:
            often = np.cumsum(rng.binomial(times, line.chance, (paths, len(k))), axis=1)
            off = rows * (often / line.chance - np.cumsum(times))
            total += off / size
    return total


def spread(asked: Sequence[Line], k: Array, rows: int = 1) -> Array:
    """The exact standard deviation of the weighted mean of the first k answers; √(2/k)·rows/ε for
    equal Laplace answers."""
    return np.asarray(np.sqrt(variance(asked[0], rows) / weights(asked, k, rows)))


def attack(asked: Sequence[Line], k: Array, seed: int, paths: int = PATHS, rows: int = 1) -> Attack:
    """Simulated means of the first k answers about a truth of 0, at increasing whole k; the same
    seed draws the same noise. Whoever averages answers about samples knows who of all others was
    drawn."""
    rng, weight = drawing(seed), weights(asked, k, rows)
    of_lines = [
        Part(line.mechanism.law(counted(rows)), line.times, line.chance * size)
        for line, size in zip(asked, _sizes(asked, rows), strict=True)
    ]
    means = running_sums(of_lines, k, rng, paths) / weight
    right = right_guesses(means, rows)
    if any(line.chance < 1 for line in asked):  # who is there is not always drawn
        half, off = rows / 2, _drawn(asked, k, rng, paths, rows) / weight
        right = right / 2 + (_below(means - off, half) + _below(-means - off, half)) / 4
    return Attack(array(k), array(means), array(spread(asked, k, rows)), array(right))


def drawing(seed: int) -> np.random.Generator:
    """Where the noise of a seed comes from."""
    return np.random.Generator(np.random.SFC64([seed, 4]))


def right_guesses(means: np.ndarray, rows: int) -> Array:
    """The share of right guesses at each k. The noise is symmetric: with the mirrored path beside
    each, a guess is right in half of all cases and wherever the mean is nearer to its truth."""
    away, half = np.abs(means), rows / 2
    nearer = np.count_nonzero(away < half, axis=0) + np.count_nonzero(away <= half, axis=0)
    return array(0.5 + nearer / (4 * len(means)))


def _below(means: np.ndarray, half: float) -> np.ndarray:
    """The share of paths below half, of each k; who lies on it is on either side."""
    return np.asarray(((means < half) + (means == half) / 2).mean(axis=0))


class Part(NamedTuple):
    """So many draws from a law one after the other, each taken `over` a number."""

    law: Law
    times: int
    over: float


def running_sums(
    parts: Sequence[Part], k: Array, rng: np.random.Generator, paths: int
) -> np.ndarray:
    """Sums of the first k draws, at increasing whole k; shape (paths, len(k))."""
    first, times = min(SINGLE, int(k[-1])), [part.times for part in parts]
    of_one = np.array([float(part.law.variance) / part.over**2 for part in parts])
    spread = _of_first(times, k) @ of_one
    before_each = _of_first(times, np.maximum(np.append(0.0, k[:-1]), first)) @ of_one
    singles = _single_sums(parts, first, rng, paths)
    sums = np.empty((paths, len(k)))
    total, before = np.zeros(paths), 0
    for at, end in enumerate(k.astype(np.int64)):
        if end <= first:
            total = singles[:, end - 1]
        else:
            more = math.sqrt(max(float(spread[at] - before_each[at]), 0.0))
            total = singles[:, -1] if before < first else total
            total = total + more * rng.standard_normal(paths)
        sums[:, at] = total
        before = int(end)
    return sums


def _single_sums(
    parts: Sequence[Part], first: int, rng: np.random.Generator, paths: int
) -> np.ndarray:
    """Running sums of the first draws; shape (paths, first). One call for each law, not one for
    each step: inverting a cdf has a price to start with."""
    singles = np.zeros((paths, first))
    low = 0
    for law, times, over in parts:
        high = min(low + times, first)
        if low < high:
            singles[:, low:high] = law.sample(rng, paths * (high - low)).reshape(paths, -1) / over
        low += times
    return np.cumsum(singles, axis=1)
