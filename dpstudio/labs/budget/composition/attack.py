"""The averaging attack: the same question asked k times, and the mean of the noisy answers closing
in on the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.budget.composition.curves import Curve, curves, reach
from dpstudio.labs.budget.composition.ledger import averaged
from dpstudio.labs.budget.composition.model import CompositionModel, tightest, tightest_delta
from dpstudio.labs.once import once
from dpstudio.labs.release_list import Line
from dpstudio.privacy.accounting import K_CLOSED
from dpstudio.privacy.accounting.spend import UNIT

PATHS = 1_000
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


def attack(asked: Sequence[Line], k: Array, seed: int, paths: int = PATHS) -> Attack:
    """Simulated means of the first k answers about a truth of 0, at increasing whole k; the same
    seed draws the same noise."""
    rng = np.random.Generator(np.random.SFC64([seed, 4]))
    weight = weights(asked, k)
    first = min(SINGLE, int(k[-1]))
    sums = _single_sums(asked, first, rng, paths)
    means = np.empty((paths, len(k)))
    total, before = np.zeros(paths), 0
    for at, end in enumerate(k.astype(np.int64)):
        if end <= first:
            total = sums[:, end - 1]
        else:
            drawn = weights(asked, np.array([float(max(before, first))]))[0]
            more = math.sqrt(float(weight[at] - drawn)) * rng.standard_normal(paths)
            total = (sums[:, -1] if before < first else total) + more
        means[:, at] = total / weight[at]
        before = int(end)
    # The noise is symmetric: with the mirrored path beside each, a guess is right in half of all
    # cases and wherever |mean| < 1/2.
    size = np.abs(means)
    right = 0.5 + ((size < 0.5) + (size == 0.5) / 2).mean(axis=0) / 2
    return Attack(array(k), array(means), array(1 / np.sqrt(weight)), array(right))


def _single_sums(
    asked: Sequence[Line], first: int, rng: np.random.Generator, paths: int
) -> np.ndarray:
    """Running sums of the first answers, each over its variance; shape (paths, first). One call
    for each mechanism, not one for each step: inverting a cdf has a price to start with."""
    singles = np.zeros((paths, first))
    low = 0
    for line in asked:
        high = min(low + line.times, first)
        if low < high:
            law = line.mechanism.law(UNIT)
            drawn = law.sample(rng, paths * (high - low)).reshape(paths, -1)
            singles[:, low:high] = drawn / law.variance
        low += line.times
    return np.cumsum(singles, axis=1)


def most_right(epsilon: float, delta: float) -> float:
    """The largest chance of telling two neighbours apart at even odds that (ε, δ) allows: (e^ε +
    δ)/(1 + e^ε)."""
    return min(1.0, (1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon)))


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
    return float(spread(asked_lines(model), np.array([float(count_asked(model))]))[0])


@once
def averaging(model: CompositionModel) -> Attack:
    """The attack on them, simulated. Equal answers have one simulation for every k: the slider only
    says how far it is looked at."""
    lab, paths = model.lab, model.effort.of_draws(PATHS)
    asked = (Line(K_CLOSED, lab.mechanism),) if model.equal else asked_lines(model)
    k = grid(K_CLOSED if model.equal else count_asked(model))
    key = ("composition attack", asked, lab.seed, paths)
    return model.data.remember(key, lambda: attack(asked, k, lab.seed, paths))


def seen(model: CompositionModel) -> np.ndarray:
    """Which of its k lie within the charts."""
    return np.asarray(averaging(model).k <= reach(model))


def right_near(model: CompositionModel) -> tuple[float, float]:
    """(k, share of right guesses) at the simulated k that is nearest to the number of answers."""
    found = averaging(model)
    at = int(np.argmin(np.abs(np.log(found.k / count_asked(model)))))
    return found.k[at], found.right[at]


def promised(model: CompositionModel) -> float:
    """The most that the tightest bound lets anyone be right, of two neighbours at even odds."""
    return most_right(tightest(model).epsilon, tightest_delta(model))


def most_right_curve(model: CompositionModel, key: str) -> Curve:
    """(k, the most that a bound lets anyone be right after k answers); NaN where it promises
    nothing. Of a list every beginning is judged at the δ of the whole."""
    k, epsilons = curves(model)[key]
    slack = 0.0 if key == "sequential" else model.lab.delta_prime

    def right(answers: float, epsilon: float) -> float:
        own = model.spend.delta * answers if model.equal else model.own_delta
        return most_right(epsilon, min(1.0, own + slack)) if math.isfinite(epsilon) else math.nan

    return k, array([right(float(n), float(e)) for n, e in zip(k, epsilons, strict=True)])
