"""The exact optimal composition of pure and approximate guarantees, equal or not, in log space and
for many k at once."""

import math
from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.memory import Memory
from dpstudio.privacy.accounting import accountant, adding
from dpstudio.privacy.accounting.spend import ADD_REMOVE, Ledger, Spend
from dpstudio.values.messages import N_, Message, Num, say

# Of randomised responses, gone through one by one: all of 20 unequal releases.
MOST_OUTCOMES = 1 << 20
_FEW_OUTCOMES = 1 << 12  # in a frame, again and again
# Bytes of them that are remembered: room for the most, 24 MB, and for many of fewer.
_ROOM = 32 << 20
_AT_ONCE = 1 << 14  # terms of binomials in one table
_LARGE = 0.9
_UNSEEN = 40.0  # e to the minus this is below the last digit
_NEAR = 1e-3
_MOST = 650.0  # of this size e^x can be summed a million times


def _log_factorials(most: int) -> Array:
    """ln 0!, ln 1!, … ln most!."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, most + 1, dtype=np.float64)))])


class Optimal(accountant.WithDeltaPrime):
    """The least ε that (εᵢ, δᵢ)-DP releases can promise at δ, exactly: k equal ones in closed form
    (Kairouz, Oh & Viswanath 2015, Theorem 3.3), unequal ones by going through all outcomes (Murtagh
    & Vadhan 2016, Theorem 1.5) while these are at most 2^20, as with any 20 releases; beyond that a
    certified upper value on a lattice of losses."""

    key = "optimal"
    label = N_("exact optimum")
    formula = N_(
        "the least ε of any answers that keep these promises: that of k randomised responses"
    )
    source = "Kairouz, Oh & Viswanath 2015, Theorem 3.3; Murtagh & Vadhan 2016"
    ink = "optimal"

    def undrawn(self, epsilon: float, delta: float) -> Message | None:
        if delta > 0:
            return say(
                "The exact optimum is drawn for pure ε; each answer here has δ = {delta}.",
                delta=Num(delta, 3, "up"),
            )
        return None

    def slow(self, ledger: Ledger) -> bool:
        try:
            return any(_outcomes_of(_counts(world)) > _FEW_OUTCOMES for world in ledger.worlds())
        except ValueError:  # which it refuses
            return False

    def of_delta_prime(self, k: Array, epsilon: float, delta_prime: float) -> Array:
        return optimal_epsilon(k, epsilon, delta_prime)

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        delta_prime = 0.0 if delta <= 0 else accountant.largest_delta_prime(world, delta)
        if delta_prime <= 0:
            # What the releases need for themselves alone may miss the target by a rounding; it then
            # buys nothing more.
            return adding.Sequential().world_epsilon(world, delta)
        counts = _counts(world)
        if not counts or delta_prime >= 1:
            return 0.0
        if len(counts) == 1:
            return float(
                optimal_epsilon(
                    np.array([float(k) for k in counts.values()]), next(iter(counts)), delta_prime
                )[0]
            )
        if _exact(counts):
            return outcomes_epsilon(tuple(sorted(counts.items())), delta_prime)
        from dpstudio.privacy.accounting.numeric import upper_epsilon

        return upper_epsilon(tuple(Spend(e, count=n) for e, n in counts.items()), delta_prime)

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        counts = _counts(world)
        most, exact = math.fsum(n * e for e, n in counts.items()), _exact(counts)
        if epsilon >= most:
            log_prime = -math.inf
        elif exact and epsilon >= (1 - _NEAR) * most:
            # One loss is left above ε, and their distance loses its digits: the inverse keeps them.
            return super().world_delta(world, epsilon)
        elif len(counts) == 1:
            ((each, k),) = counts.items()
            log_prime = optimal_log_delta(epsilon, k, each)
        elif exact:
            log_prime = outcomes_log_delta(tuple(sorted(counts.items())), epsilon)
        else:
            from dpstudio.privacy.accounting.numeric import Numeric

            bare = tuple(Spend(e, count=n) for e, n in counts.items())
            log_prime = math.log(max(Numeric().world_delta(bare, epsilon), 1e-300))
        if any(s.delta == 1 for s in world):
            return 1.0
        kept = math.fsum(s.count * math.log1p(-s.delta) for s in world)
        prime = min(1.0, math.exp(log_prime))
        return -math.expm1(kept + math.log1p(-prime)) if prime < 1 else 1.0

    def curve(
        self, spend: Spend, k: Array, delta: accountant.Delta, adjacency: str = ADD_REMOVE
    ) -> Array:
        return optimal_curve(spend, np.asarray(k, dtype=np.float64), delta)


def _outcomes_of(counts: dict[float, int]) -> int:
    """How many outcomes there are to go through; one of equal releases."""
    return math.prod(n + 1 for n in counts.values()) if len(counts) > 1 else 1


def _exact(counts: dict[float, int]) -> bool:
    return _outcomes_of(counts) <= MOST_OUTCOMES


def _counts(world: tuple[Spend, ...]) -> dict[float, int]:
    """How many releases there are of each ε."""
    counts: dict[float, int] = {}
    for s in world:
        if s.epsilon > 0:
            counts[s.epsilon] = counts.get(s.epsilon, 0) + s.count
    return counts


def optimal_curve(spend: Spend, k: Array, delta: accountant.Delta) -> Array:
    """The exact optimum for k releases that are (ε, δ)-DP each at a total δ, for each k; inf where
    δ is not enough."""
    whole, given = np.round(k), np.broadcast_to(np.asarray(delta, dtype=np.float64), k.shape)
    prime = np.where(given > 0, accountant.largest_delta_primes(spend, whole, given), 0.0)
    out = np.where(prime > 0, 0.0, adding.Sequential().curve(spend, whole, given))
    solved = (prime > 0) & (prime < 1) & (spend.epsilon > 0)
    out[solved] = _solve(whole[solved].astype(np.int64), spend.epsilon, prime[solved])
    return out


_REMEMBERED = Memory(_ROOM)


def _outcomes(releases: tuple[tuple[float, int], ...]) -> Array:
    """Losses of all outcomes of randomised responses, largest first, with ln P and ln Q of being at
    or above each: shape (3, outcomes)."""
    return _REMEMBERED.remember(releases, lambda: _gone_through(releases))


def _gone_through(releases: tuple[tuple[float, int], ...]) -> Array:
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
    above = np.logaddexp.accumulate(log_p), np.logaddexp.accumulate(log_p - loss)
    return np.stack((loss, *above))


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
    # What lies 40 √k from the largest term, at the mean or the last one, is e^−800 of it.
    end = math.floor((k - epsilon_total / epsilon) / 2) + 1
    centre, wide = min(end, math.floor(k / (1 + math.exp(min(epsilon, 700))))), 40 * math.isqrt(k)
    i = np.arange(max(0, centre - wide - 50), min(k, end, centre + wide + 50) + 1)
    j = i.astype(np.float64)
    gap = epsilon_total - (k - 2 * j) * epsilon
    kept = gap < 0
    if not kept.any():
        return -math.inf
    f = _factorials(_round_up(k))
    log_pmf = (
        f[k]
        - f[i]
        - f[k - i]
        + (k - j) * -math.log1p(math.exp(-epsilon))
        + j * (-epsilon - math.log1p(math.exp(-epsilon)))
    )
    terms = log_pmf[kept] + np.log(-np.expm1(gap[kept]))
    top = terms.max()
    return float(top + math.log(np.exp(terms - top).sum()))


def optimal_epsilon(k: Array, epsilon: float, delta_prime: float) -> Array:
    """Least ε with δ(ε) ≤ slack for k-fold composition of pure ε-DP, for each k ≥ 1; shape of k.

    With q = 1/(1 + e^ε), δ(ε_t) = P(Bin(k, q) ≤ i) − e^ε_t P(Bin(k, 1 − q) ≤ i) on ε_t ∈ [(k −
    2(i+1))ε, (k − 2i)ε]: find the segment on which δ crosses the slack and solve it in closed form.
    Only a window of i around the crossing is summed (Hoeffding bounds where it starts), so that k =
    10,000 costs little more than k = 100.
    """
    ks = np.asarray(k, dtype=np.int64)
    return _solve(ks.ravel(), epsilon, np.full(ks.size, delta_prime)).reshape(ks.shape)


def _solve(k: np.ndarray, epsilon: float, delta_prime: Array) -> Array:
    """`optimal_epsilon` for each k with a δ′ of its own, both of shape (n,)."""
    # Nearer to 1 the sums have no digits left; a smaller δ′ costs no less.
    delta_prime = np.minimum(delta_prime, 1 - np.maximum(1e-7, 1e-11 * k))
    q = 1 / (1 + math.exp(epsilon)) if epsilon < 700 else 0.0
    mean, spread, log_delta_prime = k * q, np.sqrt(k * q * (1 - q)), np.log(delta_prime)
    # P(Bin ≤ mean − t) ≤ exp(−2t²/k) (Hoeffding) and exp(−t²/2kq) (Chernoff): what lies below
    # `first` is less than e^−40 of δ′.
    reach = np.sqrt((_UNSEEN - log_delta_prime) * k * min(0.5, 2 * q))
    first = np.maximum(0, np.floor(mean - reach)).astype(np.int64)
    last = np.minimum(k, np.ceil(mean + 3 * spread + 3)).astype(np.int64)
    # A δ′ near 1 is crossed further up; from the middle on ε_t is 0.
    last = np.where(delta_prime > _LARGE, np.maximum(last, np.minimum(k, k // 2 + 1)), last)
    # Windows of nearly the same width make one table, the widest first.
    order, out = np.argsort(first - last, kind="stable"), np.empty(len(k))
    while len(order):
        width = int(last[order[0]] - first[order[0]]) + 1
        rows, order = np.split(order, [max(1, _AT_ONCE // width)])
        i = first[rows, None] + np.arange(width)
        out[rows] = _crossed(k[rows, None], i, epsilon, log_delta_prime[rows, None])
    return out


def _crossed(k: np.ndarray, i: np.ndarray, epsilon: float, log_delta_prime: Array) -> Array:
    """The ε_t of each row, where `i` runs over its window, one by one.

    In units of δ′, with b_j the probability that Bin(k, q) is j: P(Bin(k, q) ≤ i) is B = Σ b_j, and
    e^ε_t P(Bin(k, 1 − q) ≤ i) is H e^(ε_t − (k − 2m)ε) with H = Σ b_j e^(2(j − m)ε), for any m;
    with the first m for which B ≥ 1 nothing is too large or too small near the crossing.
    """
    f = _factorials(_round_up(int(k.max())))
    log_keep, along = -math.log1p(math.exp(-epsilon)), np.arange(i.shape[1], dtype=np.float64)
    log_b = f[k] - f.take(i) - f.take(k - i)  # −∞ above k
    log_b += k * log_keep - i[:, :1] * epsilon - log_delta_prime
    log_b -= along * epsilon
    rows, end = np.arange(len(i)), i.shape[1] - 1
    b = np.exp(np.minimum(log_b, _MOST)).cumsum(axis=1)
    m = np.where(b[:, -1] >= 1, (b >= 1).argmax(axis=1), end)
    growth = (along - m[:, None]) * (2 * epsilon)
    h = np.exp(np.minimum(log_b + growth, _MOST)).cumsum(axis=1)
    # δ at the lower end of segment i, ε_t = (k − 2(i + 1))ε; the first end at or above the slack
    # holds the crossing.
    held = b - h * np.exp(np.minimum(-2 * epsilon - growth, 0.0)) >= 1
    at = held.argmax(axis=1)
    at = np.where(held[rows, at], at, end)
    over, scale = b[rows, at] - 1, h[rows, at]
    least = i[:, 0] + np.where(over > 0, m, at)
    solved = np.log(np.where(over > 0, over / scale, 1.0))
    return np.asarray(np.maximum(0.0, (k[:, 0] - 2 * least) * epsilon + solved))


def _round_up(k: int) -> int:
    return 1 << max(10, (k - 1).bit_length())


@lru_cache(maxsize=4)
def _factorials(most: int) -> Array:
    # A table of constants, not an answer about data. The last places, which numbers below 0 reach,
    # are infinite: 1/n! is 0 there.
    return np.concatenate([_log_factorials(most), np.full(most, np.inf)])
