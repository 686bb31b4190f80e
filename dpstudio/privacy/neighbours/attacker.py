"""What ε and δ allow an attacker at most, and what an answer of a given privacy loss does to a
belief."""

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


def share_right(epsilon: float, delta: float) -> float:
    """The most guesses at one of two neighbours, as likely before, that are right on average under
    (ε, δ)-DP: (e^ε + δ)/(1 + e^ε), half of 1 + `advantage_bound`. Where δ(0) is known, ε = 0 gives
    (1 + δ(0))/2, which no other point of the curve is below."""
    odds = math.exp(-epsilon)
    return min(1.0, (1 + delta * odds) / (1 + odds))


def right_of_100(epsilon: float, delta: float) -> int:
    """Of 100 such guesses, how many are right on average at most: `share_right`, rounded up."""
    return min(100, math.ceil(100 * share_right(epsilon, delta) - 1e-9))


def posterior(prior: ArrayLike, loss: float) -> Array:
    """p e^ℓ / (1 − p + p e^ℓ), by Bayes: what an attacker believes after an answer of privacy loss
    ℓ, which may be ±∞, who believed p before; shape of `prior`. Who is certain stays so, also
    where an answer of loss ±∞ says what they held to be impossible."""
    prior = np.asarray(prior, dtype=np.float64)
    shrunk = math.exp(-abs(loss))
    part = prior if loss >= 0 else prior * shrunk
    rest = (1 - prior) * shrunk if loss >= 0 else 1 - prior
    whole = part + rest
    return np.asarray(np.divide(part, whole, out=np.array(prior), where=whole > 0))


def loss_needed(prior: float, threshold: float) -> float:
    """The privacy loss from which on an attacker who believed `prior` believes at least
    `threshold`, both in (0, 1): the inverse of `posterior`."""
    return math.log(threshold / (1 - threshold)) - math.log(prior / (1 - prior))


def naming_bound(epsilon: ArrayLike, delta: ArrayLike, people: float) -> Array:
    """Chance to name the right one of n people, each as likely before, where (ε, δ) holds between
    any two of them: at most (e^ε + (n − 1)δ)/(e^ε + n − 1). Shape of `epsilon` and `delta`.

    A guess i has P_i(i) ≤ e^ε P_j(i) + δ for every other j, averaged over all i and j. With δ = 0
    it is the bound of Lee & Clifton 2011 (Δv = Δf), which then holds of the belief after each
    answer; with n = 2 that of `share_right`. With δ > 0 it is our own.
    """
    odds = (people - 1) * np.exp(-np.asarray(epsilon, dtype=np.float64))
    return np.asarray(np.minimum(1.0, (1 + np.asarray(delta) * odds) / (1 + odds)))


def naming_bound_absent(epsilon: ArrayLike, delta: ArrayLike, people: float) -> Array:
    """The same chance where (ε, δ) holds between each of them and a world O without any: at most
    e^ε/n + δ. Shape of `epsilon` and `delta`.

    P_i(i) ≤ e^ε O(i) + δ, and ΣO(i) ≤ 1: success on average over the answers, of which some may
    tell more. Our own.
    """
    log_share = np.asarray(epsilon, dtype=np.float64) - math.log(people)
    return np.asarray(np.minimum(1.0, np.exp(np.minimum(log_share, 0.0)) + np.asarray(delta)))
