"""The exact optimal composition of pure and approximate guarantees, equal or not, in log space and
for many k at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.accountant import WithDeltaPrime, largest_delta_prime
from dpstudio.privacy.accounting.adding import Sequential
from dpstudio.privacy.accounting.spend import ADD_REMOVE, Spend
from dpstudio.values.messages import N_, Num, Say, say

MOST_OUTCOMES = (
    1 << 20
)  # of randomised responses that are gone through one by one: all of 20 unequal releases


def _log_factorials(most: int) -> Array:
    """ln 0!, ln 1!, … ln most!."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, most + 1, dtype=np.float64)))])


@dataclass(frozen=True)
class Optimal(WithDeltaPrime):
    """The least ε that (εᵢ, δᵢ)-DP releases can promise at δ, exactly: k equal ones in closed form
    (Kairouz, Oh & Viswanath 2015, Theorem 3.3), unequal ones by going through all outcomes (Murtagh
    & Vadhan 2016, Theorem 1.5) while these are at most 2^20, as with any 20 releases; beyond that a
    certified upper value on a lattice of losses."""

    key: ClassVar[str] = "optimal"
    label: ClassVar[str] = N_("exact optimum")
    source: ClassVar[str] = "Kairouz, Oh & Viswanath 2015, Theorem 3.3; Murtagh & Vadhan 2016"
    ink: ClassVar[str] = "optimal"

    def undrawn(self, epsilon: float, delta: float) -> Say | None:
        if delta > 0:
            return say(
                "The exact optimum is drawn for pure ε; each answer here has δ = {delta}.",
                delta=Num(delta),
            )
        return None

    def of_delta_prime(self, k: Array, epsilon: float, delta_prime: float) -> Array:
        return optimal_epsilon(k, epsilon, delta_prime)

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        delta_prime = 0.0 if delta <= 0 else largest_delta_prime(world, delta)
        if delta_prime <= 0:
            # What the releases need for themselves alone may miss the target by a rounding; it then
            # buys nothing more.
            return Sequential().world_epsilon(world, delta)
        counts: dict[float, int] = {}
        for s in world:
            if s.epsilon > 0:
                counts[s.epsilon] = counts.get(s.epsilon, 0) + s.count
        if not counts or delta_prime >= 1:
            return 0.0
        if len(counts) == 1:
            return float(
                optimal_epsilon(
                    np.array([float(k) for k in counts.values()]), next(iter(counts)), delta_prime
                )[0]
            )
        if math.prod(n + 1 for n in counts.values()) <= MOST_OUTCOMES:
            return outcomes_epsilon(tuple(sorted(counts.items())), delta_prime)
        from dpstudio.privacy.accounting.numeric import upper_epsilon

        return upper_epsilon(tuple(Spend(e, count=n) for e, n in counts.items()), delta_prime)

    def curve(self, spend: Spend, k: Array, delta: float, adjacency: str = ADD_REMOVE) -> Array:
        return optimal_curve(spend, np.asarray(k, dtype=np.float64), delta)


def optimal_curve(spend: Spend, k: Array, delta: float) -> Array:
    """The exact optimum for k releases that are (ε, δ)-DP each at a total δ, for each k; inf where
    δ is not enough."""
    primes = [
        largest_delta_prime((spend.one.times(round(float(each))),), delta) if delta > 0 else 0.0
        for each in k.flat
    ]
    out = np.empty(k.size)
    for at, (each, delta_prime) in enumerate(zip(k.flat, primes, strict=True)):
        if delta_prime > 0:
            out[at] = (
                _solve(round(float(each)), spend.epsilon, delta_prime)
                if spend.epsilon > 0 and delta_prime < 1
                else 0.0
            )
        else:
            out[at] = Sequential().world_epsilon((spend.one.times(round(float(each))),), delta)
    return out.reshape(k.shape)


@lru_cache(maxsize=4)
def _outcomes(releases: tuple[tuple[float, int], ...]) -> tuple[Array, Array, Array]:
    """Losses of all outcomes of randomised responses, largest first, with ln P and ln Q of being at
    or above each."""
    loss, log_p = np.zeros(1), np.zeros(1)
    for epsilon, count in releases:
        flips = np.arange(count + 1, dtype=np.float64)
        f = _log_factorials(count)
        keep = -math.log1p(math.exp(-epsilon))
        each = f[count] - f - f[::-1] + count * keep - flips * epsilon
        loss = (loss[:, None] + (count - 2 * flips) * epsilon).ravel()
        log_p = (log_p[:, None] + each).ravel()
    order = np.argsort(-loss, kind="stable")
    loss, log_p = loss[order], log_p[order]
    return loss, np.logaddexp.accumulate(log_p), np.logaddexp.accumulate(log_p - loss)


def outcomes_epsilon(releases: tuple[tuple[float, int], ...], delta_prime: float) -> float:
    """Least ε with δ(ε) ≤ slack, for (ε, count) of each kind of release: δ(ε) = P(L > ε) − e^ε Q(L
    > ε), solved on its segment."""
    loss, above_p, above_q = _outcomes(releases)
    # δ at the next smaller loss, where all outcomes down to this one are above it.
    ahead = np.append(loss[1:], -np.inf)
    with np.errstate(divide="ignore"):
        log_delta = above_p + np.log(-np.expm1(np.minimum(ahead + above_q - above_p, 0.0)))
    at = int(np.argmax(log_delta >= math.log(delta_prime)))
    a, b, log_delta_prime = float(above_p[at]), float(above_q[at]), math.log(delta_prime)
    if a <= log_delta_prime:
        return max(0.0, float(ahead[at]))
    return max(0.0, a + math.log(-math.expm1(log_delta_prime - a)) - b)


def outcomes_log_delta(releases: tuple[tuple[float, int], ...], epsilon: float) -> float:
    """ln δ(ε) of unequal pure releases, for (ε, count) of each kind; −inf where it is 0."""
    loss, above_p, above_q = _outcomes(releases)
    at = int(np.searchsorted(-loss, -epsilon, side="left")) - 1
    if at < 0:
        return -math.inf
    return float(above_p[at]) + math.log(
        -math.expm1(min(-1e-300, epsilon + float(above_q[at] - above_p[at])))
    )


def optimal_log_delta(epsilon_total: float, k: int, epsilon: float) -> float:
    """ln δ(ε_total) of k-fold randomised response, by the plain sum: the reference for
    `optimal_epsilon`.

    δ = Σ_j Binom(k, j; q) (1 − e^(ε_total − (k − 2j)ε))₊ with q = 1/(1 + e^ε); −inf where δ = 0.
    """
    j = np.arange(k + 1, dtype=np.float64)
    gap = epsilon_total - (k - 2 * j) * epsilon
    kept = gap < 0
    if not kept.any():
        return -math.inf
    f = _log_factorials(k)
    log_pmf = (
        f[k]
        - f
        - f[::-1]
        + (k - j) * -math.log1p(math.exp(-epsilon))
        + j * (-epsilon - math.log1p(math.exp(-epsilon)))
    )
    terms = log_pmf[kept] + np.log(-np.expm1(gap[kept]))
    top = terms.max()
    return float(top + math.log(np.exp(terms - top).sum()))


def optimal_epsilon(k: Array, epsilon: float, delta_prime: float) -> Array:
    """Least ε with δ(ε) ≤ slack for k-fold composition of pure ε-DP, for each k ≥ 1.

    With q = 1/(1 + e^ε), δ(ε_t) = P(Bin(k, q) ≤ i) − e^ε_t P(Bin(k, 1 − q) ≤ i) on ε_t ∈ [(k −
    2(i+1))ε, (k − 2i)ε]: find the segment on which δ crosses the slack and solve it in closed form.
    Only a window of i around the crossing is summed (Hoeffding bounds where it starts), so that k =
    10,000 costs as little as k = 100.
    """
    ks = np.atleast_1d(np.asarray(k, dtype=np.int64))
    out = np.empty(ks.shape)
    for at, each in np.ndenumerate(ks):
        out[at] = _solve(int(each), epsilon, delta_prime)
    return out.reshape(np.shape(k))


def _solve(k: int, epsilon: float, delta_prime: float) -> float:
    q = 1 / (1 + math.exp(epsilon)) if epsilon < 700 else 0.0
    mean, spread = k * q, math.sqrt(k * q * (1 - q))
    # P(Bin ≤ mean − t) ≤ exp(−2t²/k): the crossing lies above `first`; terms 9 spreads below it no
    # longer count.
    reach = min(
        math.sqrt(-k * math.log(delta_prime) / 2),
        spread * (math.sqrt(-2 * math.log(delta_prime)) + 3) + 40,
    )
    first = max(0, math.floor(mean - reach - 9 * spread - 40))
    last = min(k, math.ceil(mean + 3 * spread + 3))
    i = np.arange(first, last + 1, dtype=np.float64)
    f = _factorials(_round_up(k))
    choose = f[k] - f[first : last + 1] - f[k - last : k - first + 1][::-1]
    log_keep = -math.log1p(math.exp(-epsilon))
    below = np.logaddexp.accumulate(choose + i * (log_keep - epsilon) + (k - i) * log_keep)
    mirrored = np.logaddexp.accumulate(choose + i * log_keep + (k - i) * (log_keep - epsilon))
    # δ at the lower end of segment i, ε_t = (k − 2(i + 1))ε; the first end at or above the slack
    # holds the crossing.
    log_delta_prime = math.log(delta_prime)
    loss = (k - 2 * (i + 1)) * epsilon + mirrored - below
    log_delta = below + np.log(-np.expm1(np.minimum(loss, -1e-300)))
    segment = (
        int(np.argmax(log_delta >= log_delta_prime))
        if (log_delta >= log_delta_prime).any()
        else len(i) - 1
    )
    a, b = float(below[segment]), float(mirrored[segment])
    if a <= log_delta_prime:
        return max(0.0, (k - 2 * (first + segment)) * epsilon)
    return max(0.0, a + math.log(-math.expm1(log_delta_prime - a)) - b)


def _round_up(k: int) -> int:
    return 1 << max(10, (k - 1).bit_length())


@lru_cache(maxsize=4)
def _factorials(most: int) -> Array:
    # A table of constants, not an answer about data.
    return _log_factorials(most)
