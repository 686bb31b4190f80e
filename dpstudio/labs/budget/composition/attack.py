"""The averaging attack: the same question asked k times, and the mean of the noisy answers closing
in on the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.budget.composition.curves import Curve, beginning, curves, reach
from dpstudio.labs.budget.composition.ledger import averaged, counted, own_delta
from dpstudio.labs.budget.composition.model import (
    CompositionModel,
    delta_of,
    known,
    proved,
    total_here,
)
from dpstudio.labs.once import once
from dpstudio.labs.release_list import Line
from dpstudio.privacy.accounting import K_CLOSED, Accountant
from dpstudio.privacy.neighbours.attacker import share_right

PATHS = 1_000
# So many answers are drawn one by one; sums of later ones are drawn from the normal law of the same
# variance, which nobody can tell apart.
SINGLE = 200
# Bounds whose δ at ε = 0 is the distance that they know of; of others points of the curve say less.
EXACT, CURVED = ("optimal", "gdp", "pld"), ("zcdp_tight",)


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
    """Σ 1/variance over the first k answers in order, about persons with at most so many `rows`:
    the best linear guess weighs each answer by its precision."""
    return np.asarray(_of_first(asked, k) @ np.array([1 / variance(line, rows) for line in asked]))


def variance(line: Line, rows: int) -> float:
    """That of one answer as a guess of a person's part: the noise, and of a sample, where an answer
    y is taken as y/q, whether the person was drawn, (1 − q)/q of the rows squared."""
    q = line.chance
    return float(line.mechanism.law(counted(rows)).variance) / q**2 + rows**2 * (1 - q) / q


def _noise(asked: Sequence[Line], k: Array, rows: int) -> Array:
    """The variance that noise alone gives the sum of guesses, each over its variance."""
    of_one = [
        float(line.mechanism.law(counted(rows)).variance)
        / (line.chance * variance(line, rows)) ** 2
        for line in asked
    ]
    return np.asarray(_of_first(asked, k) @ np.array(of_one))


def _of_first(asked: Sequence[Line], k: Array) -> Array:
    """How many of the first k answers are of each line, shape (k, lines)."""
    ends = np.cumsum([0, *(line.times for line in asked)])
    return np.asarray(np.clip(k[:, None] - ends[None, :-1], 0, [line.times for line in asked]))


def _drawn(
    asked: Sequence[Line], k: Array, rng: np.random.Generator, paths: int, rows: int
) -> np.ndarray:
    """What being drawn or not adds to the sums of guesses about a person who is there, shape
    (paths, len(k)); 0 where nothing is sampled."""
    total = np.zeros((paths, len(k)))
    new = np.diff(_of_first(asked, k), axis=0, prepend=0).astype(np.int64)
    for line, times in zip(asked, new.T, strict=True):
        if line.chance < 1:
            often = np.cumsum(rng.binomial(times, line.chance, (paths, len(k))), axis=1)
            off = rows * (often / line.chance - np.cumsum(times))
            total += off / variance(line, rows)
    return total


def spread(asked: Sequence[Line], k: Array, rows: int = 1) -> Array:
    """The exact standard deviation of the weighted mean of the first k answers; √(2/k)·rows/ε for
    equal Laplace answers."""
    return np.asarray(1 / np.sqrt(weights(asked, k, rows)))


def attack(asked: Sequence[Line], k: Array, seed: int, paths: int = PATHS, rows: int = 1) -> Attack:
    """Simulated means of the first k answers about a truth of 0, at increasing whole k; the same
    seed draws the same noise. Whoever averages answers about samples knows who of all others was
    drawn."""
    rng = np.random.Generator(np.random.SFC64([seed, 4]))
    first = min(SINGLE, int(k[-1]))
    weight = weights(asked, k, rows)
    noise = _noise(asked, k, rows)
    before_each = _noise(asked, np.maximum(np.append(0.0, k[:-1]), first), rows)
    sums = _single_sums(asked, first, rng, paths, rows)
    means = np.empty((paths, len(k)))
    total, before = np.zeros(paths), 0
    for at, end in enumerate(k.astype(np.int64)):
        if end <= first:
            total = sums[:, end - 1]
        else:
            more = math.sqrt(max(float(noise[at] - before_each[at]), 0.0)) * rng.standard_normal(
                paths
            )
            total = (sums[:, -1] if before < first else total) + more
        means[:, at] = total / weight[at]
        before = int(end)
    # The noise is symmetric: with the mirrored path beside each, a guess is right in half of all
    # cases and wherever the mean is nearer to its truth.
    half = rows / 2
    right = (_below(means, half) + _below(-means, half)) / 2
    if any(line.chance < 1 for line in asked):  # who is there is not always drawn
        off = _drawn(asked, k, rng, paths, rows) / weight
        right = right / 2 + (_below(means - off, half) + _below(-means - off, half)) / 4
    return Attack(array(k), array(means), array(1 / np.sqrt(weight)), array(right))


def _below(means: np.ndarray, half: float) -> np.ndarray:
    """The share of paths below half, of each k; who lies on it is on either side."""
    return np.asarray(((means < half) + (means == half) / 2).mean(axis=0))


def _single_sums(
    asked: Sequence[Line], first: int, rng: np.random.Generator, paths: int, rows: int
) -> np.ndarray:
    """Running sums of the first answers, each over its variance; shape (paths, first). One call
    for each mechanism, not one for each step: inverting a cdf has a price to start with."""
    singles = np.zeros((paths, first))
    low = 0
    for line in asked:
        high = min(low + line.times, first)
        if low < high:
            law = line.mechanism.law(counted(rows))
            drawn = law.sample(rng, paths * (high - low)).reshape(paths, -1)
            singles[:, low:high] = drawn / (line.chance * variance(line, rows))
        low += line.times
    return np.cumsum(singles, axis=1)


# The attack on the answers of a state


@once
def asked_lines(model: CompositionModel) -> tuple[Line, ...]:
    """The answers that an attacker can average."""
    return averaged(model.entries)


def count_asked(model: CompositionModel) -> int:
    """How many these are."""
    return sum(line.times for line in asked_lines(model))


@once
def deviation(model: CompositionModel) -> float:
    """The exact standard deviation of the mean of all of them."""
    k = np.array([float(count_asked(model))])
    return float(spread(asked_lines(model), k, model.data.contributions)[0])


@once
def averaging(model: CompositionModel) -> Attack:
    """The attack on them, simulated. Equal answers have one simulation for every k: the slider only
    says how far it is looked at."""
    lab, paths, rows = model.lab, model.effort.of_draws(PATHS), model.data.contributions
    asked = (Line(K_CLOSED, lab.mechanism),) if model.equal else asked_lines(model)
    k = grid(K_CLOSED if model.equal else count_asked(model))
    key = ("composition attack", asked, lab.seed, paths, rows)
    return model.data.remember(key, lambda: attack(asked, k, lab.seed, paths, rows))


def seen(model: CompositionModel) -> np.ndarray:
    """Which of its k lie within the charts."""
    return np.asarray(averaging(model).k <= reach(model))


def right_simulated(model: CompositionModel) -> tuple[float, float]:
    """(share of right guesses after all answers, twice its standard error), between the simulated k
    next to them; a path and its mirror image are right once, or both. What a bound rules out is the
    error of the simulation, not a share."""
    found, paths = averaging(model), len(averaging(model).means)
    right = float(np.interp(math.log(count_asked(model)), np.log(found.k), found.right))
    both = 2 * right - 1
    # Where all of n paths are, up to 3 of n + 3 may not be (the rule of three).
    wide = math.sqrt(max(both * (1 - both), 2 / paths) / paths)
    return min(right, promised(model)), wide


def right_below(model: CompositionModel, curves: Sequence[Curve]) -> Curve:
    """(k, simulated share of right guesses) within the charts, none above what the bounds of these
    curves leave at their next k, where no fewer guesses are right."""
    k = averaging(model).k[seen(model)]
    right = averaging(model).right[seen(model)]
    for at, most in (each for each in curves if len(each[0])):
        here = np.minimum(np.searchsorted(at, k), len(at) - 1)
        right = np.where(k <= at[here], np.fmin(right, most[here]), right)
    return k, array(right)


@once
def most_right(model: CompositionModel) -> tuple[Accountant, float]:
    """(bound, the largest share of right guesses between two neighbours at even odds that it leaves
    on average), by the bound that leaves least."""
    chosen = (a for a in proved(model) if a not in known(model))
    left = ((a, right_by(model, a)) for a in (*known(model), *chosen))
    return min(left, key=lambda one: one[1])


def right_by(model: CompositionModel, bound: Accountant) -> float:
    """That share by one bound: at its total ε here, and where it says it, at any ε of its curve."""

    def found() -> float:
        total = total_here(model, bound)
        at = delta_of(model, bound)
        shares = [share_right(total, at)] if math.isfinite(total) else [1.0]
        if bound.key in EXACT:
            shares.append(share_right(0.0, bound.delta(model.ledger, 0.0)))
        elif bound.key in CURVED and math.isfinite(total):
            for epsilon in np.geomspace(1e-3, 1, 25) * total:
                shares.append(share_right(epsilon, bound.delta(model.ledger, float(epsilon))))
        return min(shares)

    delta = model.lab.delta_prime
    key = ("composition right", bound, model.ledger, delta)
    return model.data.remember(key, found)


def promised(model: CompositionModel) -> float:
    """The most that any bound lets anyone be right on average, of two neighbours at even odds."""
    return most_right(model)[1]


def most_right_curve(model: CompositionModel, bound: Accountant) -> Curve:
    """(k, the most that a bound lets anyone be right after k answers); NaN where it promises
    nothing. A beginning of a list is judged at its own δ."""
    k, epsilons = curves(model)[bound.key]
    slack = 0.0 if bound.key in ("sequential", "parallel") else model.lab.delta_prime

    def right(answers: float, epsilon: float) -> float:
        if not math.isfinite(epsilon):
            return math.nan
        ledger = beginning(model, round(answers))
        share = share_right(epsilon, min(1.0, own_delta(ledger) + slack))
        if bound.key not in EXACT:
            return share
        return min(share, share_right(0.0, bound.delta(ledger, 0.0)))

    asked = model.spend if model.equal else model.ledger
    key = ("composition right curve", bound, asked, k.tobytes(), model.lab.delta_prime)
    both = list(zip(k.tolist(), epsilons.tolist(), strict=True))
    return k, model.data.remember(key, lambda: array([right(n, e) for n, e in both]))
