"""Reports that a shuffler mixes: how much larger the ε₀ of each report may be than the ε of all of
them together."""

import math
from collections.abc import Iterable

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma, special
from dpstudio.values.roots import bracket

_MOST = 50.0  # the largest ε₀ that is looked for
_NEAR = 1e-6  # how near ε₀ is found, in its own size
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
    low = max(0, math.floor(others * fair - reach))
    high = min(others, math.ceil(others * fair + reach))
    # The other way round for what lies below the window: Bin(m, p) = m − Bin(m, 1 − p).
    outside = _beyond(others - low, others, 1 - fair) + _beyond(high, others, fair)
    weights = _weights(low, high, others, fair)
    inside = float(weights @ _above(low, high, epsilon0, epsilon)) / float(weights.sum())
    return (1 - outside) * inside + outside


def _weights(low: int, high: int, trials: int, chance: float) -> Array:
    """P(Bin(trials, chance) = k) for k from low to high, in units of the likeliest of them: by the
    ratio of each to the next, so that none is lost to the logarithms of large factorials."""
    k = np.arange(low, high, dtype=np.float64)
    ratio = (trials - k) / (k + 1) * (chance / (1 - chance))
    likeliest = min(max(math.floor((trials + 1) * chance), low), high) - low
    rising, falling = ratio[:likeliest][::-1], ratio[likeliest:]
    return np.concatenate([(1 / rising.cumprod())[::-1], [1.0], falling.cumprod()])


def _beyond(k: float, trials: int, chance: float) -> float:
    """P(Bin(trials, chance) > k)."""
    if k >= trials:
        return 0.0
    return 1.0 if k < 0 else float(special().betainc(k + 1, trials - k, chance))


def _above(low: int, high: int, epsilon0: float, epsilon: float) -> Array:
    """The hockey stick of the number of yes and its mirror where C answer by a fair coin, for C
    from low to high.

    It is up·P(Bin(C, ½) ≥ f − 1) − down·P(Bin(C, ½) ≥ f), where f is the first k with k/(C + 1 − k)
    > down/up. From C + 1 to C, f stays or falls by one, and both chances follow from those before:
    incomplete beta functions are worked out for the largest C alone. Where they are too small for
    floats there, what they add up to is.
    """
    grown, factor = math.exp(epsilon0), math.exp(epsilon)
    up, down = (grown - factor) / (1 + grown), (factor * grown - 1) / (1 + grown)
    c = np.arange(high, low - 1, -1, dtype=np.float64)
    # Where that ratio rounds to 1, k = C + 1 still exceeds it: its mirror has no chance at all.
    f = np.minimum(np.floor((c + 1) * (down / (up + down))) + 1, c + 1)
    stays, count, first = f[1:] == f[:-1], c[1:], f[1:]
    least = _beyond(float(f[0]) - 1, high, 0.5)
    # P(Bin(C, ½) = f − 1), and from it P(Bin(C, ½) ≥ f).
    there = np.empty(len(c))
    there[0] = _beyond(float(f[0]) - 2, high, 0.5) - least
    there[1:] = 2 / (count + 1) * np.where(stays, count + 2 - first, first)
    there = there.cumprod()
    beyond = np.empty(len(c))
    beyond[0] = least
    beyond[1:] = there[1:] / 2 * np.where(stays, -1.0, (count + 1 - first) / first)
    beyond = beyond.cumsum()
    return np.asarray(np.maximum(up * there + (up - down) * beyond, 0.0)[::-1])


def coins_budget(epsilon: float, delta: float, n: int) -> float:
    """The largest ε₀ of Warner’s coins that `coins_delta` allows for (ε, δ) of all n; at least ε,
    since mixing reports costs nothing. Rounded down."""
    return coins_budgets(epsilon, delta, [n])[0]


def coins_budgets(epsilon: float, delta: float, counts: Iterable[int]) -> list[float]:
    """The same for several n, each looked for from where the one before lay: above ε, in units of
    where normal noise of the same variance would lie."""
    sigma, times, grown, slope, found = analytic_sigma(epsilon, delta), 1.0, 1.0, 4.0, list[float]()
    for n in counts:
        normal = max(_normal_budget(sigma, n) - epsilon, 1e-6 * epsilon)
        ahead = times * grown**0.8 if 0.8 < grown < 1.25 else times
        here, slope = _coins_budget(epsilon, delta, n, epsilon + ahead * normal, slope)
        found.append(here)
        if epsilon < here < _MOST:
            times, grown = (here - epsilon) / normal, (here - epsilon) / normal / times
    return found


def _coins_budget(
    epsilon: float, delta: float, n: int, here: float, slope: float
) -> tuple[float, float]:
    """ε₀, looked for along a line between logarithms of what is spent above ε and of δ; and how
    steep that is there."""

    def gap(epsilon0: float) -> float:
        return math.log(max(coins_delta(epsilon0, epsilon, n), 1e-300) / delta)

    least, here, before = epsilon * (1 + 1e-7), min(_MOST, here), list[tuple[float, float]]()
    low, high = least, math.inf
    while least < here:
        off = gap(here)
        low, high = (here, high) if off <= 0 else (low, here)
        for at, was in before:
            slope = max(1.0, (off - was) / math.log((here - epsilon) / (at - epsilon)))
        step = min(2.0, max(-2.0, -off / slope))
        there = min(_MOST, epsilon + (here - epsilon) * math.exp(step))
        if off <= 0 and (there == here or (before and there <= here * (1 + 2 * _NEAR))):
            return here, slope
        if abs(step) < 0.01:  # so near that it shall be the last, and no less than δ be kept
            there *= 1 - _NEAR / 2
        if low > least:
            there = max(there, low * (1 + _NEAR))
        if there >= high:
            return bracket(gap, low, high, _NEAR)[0], slope
        here, before = there, [(here, off)]
    return epsilon, slope


def _normal_budget(sigma: float, n: int) -> float:
    """The ε₀ at which the number of yes, were it normal with its own variance, kept what noise of
    that deviation does: one person moves its mean by t = tanh(ε₀/2), and its variance is (n − 1)(1
    − t)/4."""
    a = (n - 1) / sigma**2
    return 2 * math.atanh((math.sqrt(a * a + 16 * a) - a) / 8)
