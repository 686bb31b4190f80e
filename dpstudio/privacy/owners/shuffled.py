"""Reports that a shuffler mixes: how much larger the ε₀ of each report may be than the ε of all of
them together."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.values.roots import bracket

_MOST = 50.0  # the largest ε₀ that is looked for
_REACH = 8.5  # standard deviations on either side that are added up; the rest counts in full


def clones_most(delta: float, n: int) -> float:
    """The largest ε₀ for which the theorem of `clones` is proved, ln(n/(16 ln(4/δ))); below 0 for
    none. (The authors’ code has 4/δ where the paper has 2/δ: the narrower domain is taken.)"""
    return math.log(n / (16 * math.log(4 / delta)))


def clones(epsilon0: float, delta: float, n: int) -> float:
    """The ε that n shuffled reports of ε₀ keep together at δ, whatever their protocol (Feldman,
    McMillan & Talwar 2021, Hiding among the clones, Theorem 3.1). NaN outside `clones_most`. (The
    authors’ code divides by 1 + e^(−ε₀−ε) for 1 + e^(−ε₀): .5378 for .5346 at ε₀ = 4, δ = 1e−6, n =
    1e5.)"""
    if epsilon0 > clones_most(delta, n):
        return math.nan
    grown = math.exp(epsilon0)
    spread = 8 * math.sqrt(grown * math.log(4 / delta) / n) + 8 * grown / n
    return math.log1p(math.tanh(epsilon0 / 2) * spread)


def clones_budget(epsilon: float, delta: float, n: int) -> float:
    """The largest ε₀ that this theorem allows for (ε, δ) of all n, up to where it ends; NaN where
    it holds for none."""
    most = clones_most(delta, n)
    if most <= 0:
        return math.nan
    if clones(most, delta, n) <= epsilon:
        return most
    return bracket(lambda e: clones(e, delta, n) - epsilon, 0.0, most, 1e-12)[0]


def coins_delta(epsilon0: float, epsilon: float, n: int) -> float:
    """An upper bound on the δ at ε of n shuffled answers by Warner’s coins of ε₀: who says the
    truth and who lets a fair coin answer is told to the attacker, all but of one person.

    Of the n − 1 others C ~ Bin(n − 1, 2/(e^ε₀ + 1)) answer by a fair coin, so k yes come with b(k −
    1)·w + b(k)·(1 − w), b = Bin(C, ½), where the person says yes with w = e^ε₀/(1 + e^ε₀). The
    ratio to its mirror grows in k: δ is what lies above the k from which it exceeds e^ε, and what
    C leaves outside its window (Balle, Bell, Gascón & Nissim 2019).
    """
    if epsilon >= epsilon0:
        return 0.0
    fair = 2 / (math.exp(epsilon0) + 1)
    others = n - 1
    reach = _REACH * math.sqrt(others * fair * (1 - fair)) + 5 * _REACH
    low, high = max(0, math.floor(others * fair - reach)), math.ceil(others * fair + reach)
    counts = np.arange(low, min(others, high) + 1, dtype=np.float64)
    # The other way round for what lies below the window: Bin(m, p) = m − Bin(m, 1 − p).
    below = _beyond(others - counts[:1], others, 1 - fair)
    outside = float(below[0] + _beyond(counts[-1:], others, fair)[0])
    return float(_weights(counts, others, fair) @ _above(counts, epsilon0, epsilon)) + outside


def _weights(k: Array, trials: int, chance: float) -> Array:
    """P(Bin(trials, chance) = k), 0 < chance < 1."""
    from scipy.special import gammaln

    ways = gammaln(trials + 1.0) - gammaln(k + 1) - gammaln(trials - k + 1)
    logs = ways + k * math.log(chance) + (trials - k) * math.log1p(-chance)
    return np.asarray(np.exp(logs))


def _beyond(k: Array, trials: ArrayLike, chance: float) -> Array:
    """P(Bin(trials, chance) > k)."""
    from scipy.special import betainc

    trials = np.broadcast_to(np.asarray(trials, dtype=np.float64), k.shape)
    inside = (k >= 0) & (k < trials)
    a, b = np.where(inside, k + 1, 1.0), np.where(inside, trials - k, 1.0)
    return np.where(inside, betainc(a, b, chance), (k < 0).astype(np.float64))


def _above(counts: Array, epsilon0: float, epsilon: float) -> Array:
    """The hockey stick of the number of yes and its mirror where so many answer by a fair coin."""
    w, factor = 1 / (1 + math.exp(-epsilon0)), math.exp(epsilon)
    up, down = w - factor * (1 - w), factor * w - (1 - w)
    # The ratio exceeds e^ε where k/(C + 1 − k) > down/up.
    first = np.floor((counts + 1) * down / (up + down)) + 1
    one_more, as_many = _beyond(first - 2, counts, 0.5), _beyond(first - 1, counts, 0.5)
    return np.asarray(np.maximum(up * one_more - down * as_many, 0.0))


def coins_budget(epsilon: float, delta: float, n: int) -> float:
    """The largest ε₀ of Warner’s coins that `coins_delta` allows for (ε, δ) of all n; at least ε,
    since mixing reports costs nothing. Rounded down."""

    def gap(epsilon0: float) -> float:
        return coins_delta(epsilon0, epsilon, n) - delta

    high = epsilon
    while gap(high) <= 0:
        low, high = high, high + 1.0
        if high > _MOST:
            return max(low, epsilon)
    return bracket(gap, low, high, 1e-6)[0]
