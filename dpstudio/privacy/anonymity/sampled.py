"""From one dial to the other: k-anonymity of a random sample, by a way to generalise that no row
decides, is differentially private (Li, Qardaji & Su 2012; used as SafePub by Bild, Kuhn
& Prasser 2018)."""

import math
from functools import lru_cache

import numpy as np

_FIRST = 32  # of them are looked at, then twice as many
_MOST = 700.0  # an ε that e^ε still holds
_HALVINGS = 50


def least_epsilon(beta: float) -> float:
    """The least ε that a sample of this share can have: −ln(1 − β)."""
    return -math.log1p(-beta)


def delta(k: int, beta: float, epsilon: float) -> float:
    """The δ of a table in which each row was kept with chance β, and classes with fewer than k of
    the rows that were are left out, where the classes are fixed beforehand: the largest Σ_{j > γn}
    Bin(j; n, β) over n ≥ ⌈k/γ − 1⌉, γ = 1 − (1 − β)·e^{−ε}. 1 below `least_epsilon`.

    The sums fall as fast as Chernoff's bound, which says when no larger n can matter.
    """
    from scipy.special import bdtrc

    if epsilon < least_epsilon(beta) * (1 - 1e-12):
        return 1.0
    gamma = 1 - (1 - beta) * math.exp(-epsilon)
    apart = gamma * math.log(gamma / beta)
    if gamma < 1:
        apart += (1 - gamma) * math.log((1 - gamma) / (1 - beta))
    first, best = max(math.ceil(k / gamma - 1), k), 0.0  # γ < 1, though a float may round it
    block = _FIRST
    while math.exp(-first * apart) > best:
        n = np.arange(first, first + block)
        most = np.floor(gamma * n * (1 - 1e-15))
        tails = np.where(most >= n, 0.0, bdtrc(np.minimum(most, n - 1), n, beta))
        best = max(best, float(tails.max()))
        first, block = first + block, 2 * block
    return best


@lru_cache(maxsize=1024)
def epsilon(k: int, beta: float, delta_: float) -> float:
    """The smallest ε with at most this δ, rounded up; ∞ where there is none below 700. δ falls as ε
    grows: more of each sum is cut, and an n that is let in only counts j ≥ k, of which a larger n
    has more."""
    low, high = least_epsilon(beta), _MOST
    if delta(k, beta, low) <= delta_:
        return low
    if delta(k, beta, high) > delta_:
        return math.inf
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if delta(k, beta, middle) <= delta_ else (middle, high)
    return high
