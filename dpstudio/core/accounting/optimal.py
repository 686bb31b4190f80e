"""The exact optimal composition of k equal pure guarantees, in log space and for many k at once."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpstudio.core.figure import Array


def _log_factorials(most: int) -> Array:
    """ln 0!, ln 1!, … ln most!."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, most + 1, dtype=np.float64)))])


def optimal_log_delta(epsilon_total: float, k: int, epsilon: float) -> float:
    """ln δ(ε_total) of k-fold randomised response, by the plain sum: the reference for `optimal_epsilon`.

    δ = Σ_j Binom(k, j; q) (1 − e^(ε_total − (k − 2j)ε))₊ with q = 1/(1 + e^ε); −inf where δ = 0.
    """
    j = np.arange(k + 1, dtype=np.float64)
    gap = epsilon_total - (k - 2 * j) * epsilon
    kept = gap < 0
    if not kept.any():
        return -math.inf
    f = _log_factorials(k)
    log_pmf = f[k] - f - f[::-1] + (k - j) * -math.log1p(math.exp(-epsilon)) + j * (-epsilon - math.log1p(math.exp(-epsilon)))
    terms = log_pmf[kept] + np.log(-np.expm1(gap[kept]))
    top = terms.max()
    return float(top + math.log(np.exp(terms - top).sum()))


def optimal_epsilon(k: Array, epsilon: float, slack: float) -> Array:
    """Least ε with δ(ε) ≤ slack for k-fold composition of pure ε-DP, for each k ≥ 1.

    With q = 1/(1 + e^ε), δ(ε_t) = P(Bin(k, q) ≤ i) − e^ε_t P(Bin(k, 1 − q) ≤ i) on ε_t ∈ [(k − 2(i+1))ε, (k − 2i)ε]:
    find the segment on which δ crosses the slack and solve it in closed form. Only a window of i around the crossing
    is summed (Hoeffding bounds where it starts), so that k = 10,000 costs as little as k = 100.
    """
    ks = np.atleast_1d(np.asarray(k, dtype=np.int64))
    out = np.empty(ks.shape)
    for at, each in np.ndenumerate(ks):
        out[at] = _solve(int(each), epsilon, slack)
    return out.reshape(np.shape(k))


def _solve(k: int, epsilon: float, slack: float) -> float:
    q = 1 / (1 + math.exp(epsilon)) if epsilon < 700 else 0.0
    mean, spread = k * q, math.sqrt(k * q * (1 - q))
    # P(Bin ≤ mean − t) ≤ exp(−2t²/k): the crossing lies above `first`; terms 9 spreads below it no longer count.
    reach = min(math.sqrt(-k * math.log(slack) / 2), spread * (math.sqrt(-2 * math.log(slack)) + 3) + 40)
    first = max(0, math.floor(mean - reach - 9 * spread - 40))
    last = min(k, math.ceil(mean + 3 * spread + 3))
    i = np.arange(first, last + 1, dtype=np.float64)
    f = _factorials(_round_up(k))
    choose = f[k] - f[first : last + 1] - f[k - last : k - first + 1][::-1]
    log_keep = -math.log1p(math.exp(-epsilon))
    below = np.logaddexp.accumulate(choose + i * (log_keep - epsilon) + (k - i) * log_keep)
    mirrored = np.logaddexp.accumulate(choose + i * log_keep + (k - i) * (log_keep - epsilon))
    # δ at the lower end of segment i, ε_t = (k − 2(i + 1))ε; the first end at or above the slack holds the crossing.
    log_slack = math.log(slack)
    loss = (k - 2 * (i + 1)) * epsilon + mirrored - below
    log_delta = below + np.log(-np.expm1(np.minimum(loss, -1e-300)))
    segment = int(np.argmax(log_delta >= log_slack)) if (log_delta >= log_slack).any() else len(i) - 1
    a, b = float(below[segment]), float(mirrored[segment])
    if a <= log_slack:
        return max(0.0, (k - 2 * (first + segment)) * epsilon)
    return max(0.0, a + math.log(-math.expm1(log_slack - a)) - b)


def _round_up(k: int) -> int:
    return 1 << max(10, (k - 1).bit_length())


@lru_cache(maxsize=4)
def _factorials(most: int) -> Array:
    # A table of constants, not an answer about data.
    return _log_factorials(most)
