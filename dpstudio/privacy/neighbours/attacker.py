"""What ε and δ allow an attacker at most, and what an answer of a given privacy loss does to a
belief."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array


def power_bound(alpha: ArrayLike, epsilon: float, delta: float) -> Array:
    """The most true positives that (ε, δ)-DP allows a test with false positives `alpha` in [0, 1];
    shape of `alpha` (Kairouz, Oh & Viswanath 2015, Theorem 2.1)."""
    alpha = np.asarray(alpha, dtype=np.float64)
    return np.minimum(
        np.minimum(1.0, math.exp(epsilon) * alpha + delta),
        1 - math.exp(-epsilon) * np.maximum(0.0, 1 - delta - alpha),
    )


def advantage_bound(epsilon: float, delta: float) -> float:
    """The most that true positives less false ones can be under (ε, δ)-DP: (e^ε − 1 + 2δ)/(e^ε +
    1), the largest distance of `power_bound` from guessing (Kairouz, Oh & Viswanath 2015)."""
    return min(1.0, math.tanh(epsilon / 2) + 2 * delta / (math.exp(epsilon) + 1))


def posterior(prior: ArrayLike, loss: float) -> Array:
    """p e^ℓ / (1 − p + p e^ℓ), by Bayes: what an attacker believes after an answer of privacy loss
    ℓ, which may be ±∞, who believed p before; shape of `prior`. NaN where p = 0 meets ℓ = ∞, or p =
    1 meets −∞."""
    prior = np.asarray(prior, dtype=np.float64)
    shrunk = math.exp(-abs(loss))
    return (
        prior / (prior + (1 - prior) * shrunk)
        if loss >= 0
        else prior * shrunk / (prior * shrunk + (1 - prior))
    )


def loss_needed(prior: float, threshold: float) -> float:
    """The privacy loss from which on an attacker who believed `prior` believes at least
    `threshold`, both in (0, 1): the inverse of `posterior`."""
    return math.log(threshold / (1 - threshold)) - math.log(prior / (1 - prior))


def naming_bound(epsilon: ArrayLike, delta: ArrayLike, people: float) -> Array:
    """Chance to name the right one of n people, each as likely before, where (ε, δ) holds between
    any two of them: at most (e^ε + (n − 1)δ)/(e^ε + n − 1). Shape of `epsilon` and `delta`.

    A guess i has P_i(i) ≤ e^ε P_j(i) + δ for every other j, averaged over all i and j. With δ = 0
    it is Lee & Clifton's bound, with n = 2 that of `advantage_bound`.
    """
    odds = (people - 1) * np.exp(-np.asarray(epsilon, dtype=np.float64))
    return np.asarray(np.minimum(1.0, (1 + np.asarray(delta) * odds) / (1 + odds)))


def lee_clifton(epsilon: float, people: float) -> float:
    """Chance to name the right one of n people: at most 1/(1 + (n − 1) e^−ε) (Lee & Clifton 2011,
    Δv = Δf)."""
    return 1 / (1 + (people - 1) * math.exp(-epsilon))
