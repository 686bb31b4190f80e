"""Rényi differential privacy: divergences of every order add up, and the best order is taken at the
end."""

import math
from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.accountant import Accountant, Delta
from dpstudio.privacy.accounting.amplified import sampled_rdp
from dpstudio.privacy.accounting.concentrated import converted, gaussian_ratio, rho
from dpstudio.privacy.accounting.losses import loss_of
from dpstudio.privacy.accounting.spend import ADD_REMOVE, Ledger, Spend
from dpstudio.values.messages import N_, Message, Num, say

ORDERS = np.geomspace(1e-6, 1e12, 361)  # α − 1
FINER = np.linspace(-1, 1, 25)
_AT_ONCE = 2000  # numbers of releases in one table of all orders


def response_rdp(epsilon: float, u: Array) -> Array:
    """Rényi divergence of order α = 1 + u > 1 of randomised response: the most that any pure ε-DP
    release has.

    ln(cosh((2α−1)ε/2)/cosh(ε/2))/(α−1), as ln(1 + 2 sinh(αε/2) sinh((α−1)ε/2)/cosh(ε/2)) so that
    nothing cancels. (Mironov 2017, Proposition 5; Bun & Steinke 2016.)
    """
    if epsilon == 0:
        return np.zeros(np.shape(u))
    half = epsilon / 2
    log_ratio = (
        math.log(2)
        + _log_sinh((1 + u) * half)
        + _log_sinh(u * half)
        - (half + math.log1p(math.exp(-epsilon)) - math.log(2))
    )
    return np.asarray(np.logaddexp(0.0, log_ratio) / u)


def _log_sinh(x: Array) -> Array:
    return np.asarray(x + np.log(-np.expm1(-2 * x)) - math.log(2))


def laplace_rdp(ratio: float, u: Array) -> Array:
    """Rényi divergence of order α = 1 + u of Laplace noise of scale b against its shift by ratio·b:
    ln((αe^(u·ratio) + ue^(−α·ratio))/(2u + 1))/u (Mironov 2017, Proposition 6).

    As ln(1 + (αr(u·ratio) + ur(−α·ratio))/(2u + 1)) with r(x) = eˣ − 1 − x, since what is linear
    cancels, where both are small; elsewhere as u·ratio + ln(1 − u(1 − e^(−(2u + 1)ratio))/(2u +
    1)). In neither is a part large beside the whole, which holds to a few last digits.
    """
    whole = 2 * u + 1
    lost = np.log1p(u * np.expm1(-ratio * whole) / whole)
    near = np.minimum(ratio, 1 / whole)  # both arguments of r below 1
    gained = np.log1p(((1 + u) * _rest(u * near) + u * _rest(-(1 + u) * near)) / whole)
    return np.asarray(np.where(ratio * whole < 1, gained, u * ratio + lost) / u)


def _rest(x: Array) -> Array:
    """eˣ − 1 − x for |x| ≤ 1, by its series."""
    total = np.ones(np.shape(x))
    for n in range(18, 2, -1):
        total = 1 + total * x / n
    return x * x / 2 * total


@lru_cache(maxsize=256)
def _known(spend: Spend) -> tuple[str, float]:
    """Which divergence a kind of release has, and its parameter. A constant of the release, not an
    answer about data."""
    if spend.sampled:
        return "sampled", 0.0
    ratio = gaussian_ratio(spend)
    if ratio is not None:
        return "gaussian", ratio
    if not spend.pure:
        return "none", 0.0
    loss = loss_of(spend)
    return ("laplace", loss.width) if loss.width > 0 else ("response", spend.epsilon)


def rdp(spend: Spend, u: Array) -> Array:
    """Rényi divergence of order 1 + u > 1 of one release, as `rdp_of` gives it."""
    return rdp_of(spend)(u)


def rdp_of(spend: Spend) -> Callable[[Array], Array]:
    """Rényi divergence of one release, of order 1 + u > 1 for each u: Gaussian αΔ²/2σ², Laplace its
    own, randomised response for other pure ε; of a sample by `sampled_rdp`."""
    kind, parameter = _known(spend.one)
    if kind == "sampled":
        return partial(_of_sample, spend.one)
    if kind == "gaussian":
        return lambda u: np.asarray((1 + u) * parameter**2 / 2)
    return partial(laplace_rdp if kind == "laplace" else response_rdp, parameter)


def _of_sample(spend: Spend, u: Array) -> Array:
    if u is ORDERS:
        return _over_orders(spend)
    return sampled_rdp(loss_of(spend), spend.chance, u)


@lru_cache(maxsize=64)
def _over_orders(spend: Spend) -> Array:
    # A constant of the release, asked for again and again.
    return sampled_rdp(loss_of(spend), spend.chance, ORDERS)


class Renyi(Accountant):
    """The least over orders α of Σ Dα + ln(1 − 1/α) + (ln 1/δ − ln α)/(α − 1); for pure ε also α =
    ∞, which is Σε."""

    key = "renyi"
    label = N_("Rényi")
    formula = N_("the least over α > 1 of ΣD_α + ln(1 − 1/α) + (ln 1/δ − ln α)/(α − 1)")
    source = (
        "Mironov 2017, Propositions 1, 5, 6 and 7; Canonne, Kamath & Steinke 2020, Proposition 12"
    )
    ink = "renyi"

    def slow(self, ledger: Ledger) -> bool:
        return any(s.sampled for s in ledger.spends)

    def unfit(self, spend: Spend) -> Message | None:
        if spend.sampled and gaussian_ratio(spend.whole, discrete=False) is None and not spend.pure:
            return say(
                "The Rényi divergence of a sample is known of Gaussian noise and of releases with "
                "δ = 0."
            )
        if rho(spend.whole) is not None:
            return None
        return say(
            "No Rényi divergence is known of a release of which only ({epsilon}, {delta}) is.",
            epsilon=Num(spend.epsilon),
            delta=Num(spend.delta, 3, "up"),
        )

    def of_law(self, spend: Spend) -> bool:
        return _known(spend.whole.one)[0] in ("gaussian", "laplace")

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        pure = (
            math.fsum(s.count * s.epsilon for s in world)
            if all(s.pure for s in world)
            else math.inf
        )
        if delta <= 0:
            return pure
        value = least_epsilon(lambda u: _summed(world, u), delta)
        return float(max(0.0, min(pure, value)))

    def curve(self, spend: Spend, k: Array, delta: Delta, adjacency: str = ADD_REMOVE) -> Array:
        k = np.asarray(k, dtype=np.float64)
        pure = k * spend.epsilon if spend.pure else np.full(k.shape, np.inf)
        # One δ for all k is converted once for all of them.
        given = np.asarray(delta, dtype=np.float64).reshape(-1, 1)
        if (given <= 0).all():
            return pure
        paid, flat = np.where(given > 0, given, 0.5), k.reshape(-1, 1)
        one, rows, value = rdp_of(spend), np.arange(len(flat)), np.inf
        at = np.log(ORDERS[_best_orders(flat, one(ORDERS), paid)])
        for width in (0.12, 0.01, 0.0008):
            near = np.exp(at[:, None] + width * FINER)
            costs = flat * one(near) + converted(near, paid)
            pick = costs.argmin(axis=1)
            at = at + width * FINER[pick]
            value = np.minimum(value, costs[rows, pick])
        promised = np.where(given[:, 0] > 0, value, np.inf).reshape(k.shape)
        return np.asarray(np.maximum(0.0, np.minimum(pure, promised)))


def _best_orders(k: Array, one: Array, paid: Array) -> NDArray[np.int64]:
    """The place among `ORDERS` of the best one for each k, a column, where a single release costs
    `one` of each; δ is `paid`, one for all or a column too."""
    if len(k) > _AT_ONCE:
        paid = np.broadcast_to(paid, k.shape)
        halves = zip(np.array_split(k, 2), np.array_split(paid, 2), strict=True)
        return np.concatenate([_best_orders(half, one, pays) for half, pays in halves])
    return np.asarray((k * one + converted(ORDERS, paid)).argmin(axis=1))


def least_epsilon(total: Callable[[Array], Array], delta: float) -> float:
    """The least over orders α = 1 + u of `total`(u), a sum of divergences, and what its conversion
    pays at 0 < δ < 1; not below 0."""
    at = np.log(ORDERS[int(np.argmin(total(ORDERS) + converted(ORDERS, delta)))])
    value = math.inf
    for width in (0.12, 0.01, 0.0008):
        near = np.exp(at + width * FINER)
        costs = total(near) + converted(near, delta)
        at = math.log(float(near[int(np.argmin(costs))]))
        value = min(value, float(costs.min()))
    return max(0.0, value)


def divergence(world: tuple[Spend, ...], order: float) -> float:
    """Σ Dα of releases that may all touch the same person, α = `order` > 1 (Mironov 2017,
    Proposition 1); exact for Gaussian and Laplace noise, for other pure ε a bound."""
    return float(_summed(world, np.array([order - 1]))[0])


def _summed(world: tuple[Spend, ...], u: Array) -> Array:
    return np.asarray(sum((s.count * rdp(s, u) for s in world), np.zeros(u.shape)))
