"""Advanced composition in closed form: 2010, its tanh form, and the two theorems of Kairouz, Oh and
Viswanath."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting import accountant, adding
from dpstudio.privacy.accounting.spend import ADD_REMOVE, PURE, Ledger, Spend
from dpstudio.values.messages import N_, Message, say


def growth(epsilon: float) -> float:
    """e^ε − 1, inf beyond floats."""
    return math.expm1(epsilon) if epsilon < 700 else math.inf


class Summed(accountant.WithDeltaPrime):
    """Bounds of the form √(2 ln(1/δ′) Σε²) + Σ drift(ε); unequal releases by their sums (Rogers,
    Roth, Ullman & Vadhan 2016)."""

    @staticmethod
    def drift(epsilon: float) -> float:
        """A bound on the mean loss of one ε-DP release."""
        raise NotImplementedError

    def of_delta_prime(self, k: Array, epsilon: float, delta_prime: float) -> Array:
        return epsilon * np.sqrt(2 * k * -math.log(delta_prime)) + k * self.drift(epsilon)

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        delta_prime = accountant.delta_prime_left(world, delta)
        if delta_prime <= 0:
            return math.inf
        spread = math.fsum(s.count * s.epsilon**2 for s in world)
        return math.sqrt(2 * spread * -math.log(delta_prime)) + math.fsum(
            s.count * self.drift(s.epsilon) for s in world
        )

    def curve(
        self, spend: Spend, k: Array, delta: accountant.Delta, adjacency: str = ADD_REMOVE
    ) -> Array:
        k = np.asarray(k, dtype=np.float64)
        log_delta_prime = logs(delta - k * spend.delta)
        return np.where(
            np.isnan(log_delta_prime),
            np.inf,
            spend.epsilon * np.sqrt(2 * k * -log_delta_prime) + k * self.drift(spend.epsilon),
        )


def crossover(bound: Summed, epsilon: float, most: int = accountant.K_MOST) -> int | None:
    """The smallest k ≤ `most` from which the closed form is strictly below adding up k equal
    releases; None if there is none.

    √(2k ln(1/δ′)) ε + k·drift < kε from k = 2 ln(1/δ′)/(1 − drift/ε)² on; about there it is asked
    of the form itself.
    """
    won = 1 - 1e-12 - bound.drift(epsilon) / epsilon
    root = math.sqrt(-2 * math.log(bound.delta_prime)) / won if won > 0 else math.inf
    if root * root > most + 1:
        return None
    k = max(1.0, math.floor(root * root) - 1.0) + np.arange(4)
    won_at = k[bound.total(k, epsilon) < k * epsilon * (1 - 1e-12)]
    return int(won_at[0]) if len(won_at) and won_at[0] <= most else None


def logs(delta_prime: Array) -> Array:
    """ln δ′, NaN where there is no slack left."""
    return np.log(np.where(delta_prime > 0, delta_prime, 1.0)) + np.where(
        delta_prime > 0, 0.0, np.nan
    )


class Advanced(Summed):
    """ε√(2k ln 1/δ′) + kε(e^ε − 1) (Dwork, Rothblum & Vadhan 2010, Theorem III.3).

    It is never below √(2 ln(1/δ′) Σε²) + Σε²/2, at which a filter stops.
    """

    key = "drv"
    label = N_("advanced (2010)")
    formula = N_("ε√(2k ln 1/δ′) + kε(e^ε − 1)")
    source = "Dwork, Rothblum & Vadhan 2010, Theorem III.3"
    ink = "drv"
    adaptive = "Whitehouse, Ramdas, Rogers & Wu 2023, Theorem 1"

    @staticmethod
    def drift(epsilon: float) -> float:
        return epsilon * growth(epsilon)


class AdvancedTanh(Summed):
    """ε√(2k ln 1/δ′) + kε·tanh(ε/2): the mean loss of randomised response in the place of ε(e^ε −
    1).

    (Kairouz, Oh & Viswanath 2015, Theorem 3.4, third term.)
    """

    key = "tanh"
    label = N_("tanh form")
    formula = N_("ε√(2k ln 1/δ′) + kε·tanh(ε/2)")
    source = "Kairouz, Oh & Viswanath 2015, Theorem 3.4"
    ink = "tanh"

    @staticmethod
    def drift(epsilon: float) -> float:
        return epsilon * math.tanh(epsilon / 2)


class KOV35(accountant.Accountant):
    """The least of Σε, the tanh form, and the tanh form with ln(e + √Σε²/δ′) for ln(1/δ′); total δ
    = 1 − (1 − δ′)Π(1 − δᵢ)."""

    key = "kov35"
    label = N_("advanced (2015)")
    formula = N_(
        "the least of kε, the tanh form, and the tanh form with ln(e + √(kε²)/δ′) for ln 1/δ′"
    )
    source = "Kairouz, Oh & Viswanath 2015, Theorem 3.5"
    ink = "kov35"

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        total, needed = adding.added(world)
        out = total if adding.enough(needed, delta) else math.inf
        delta_prime = accountant.largest_delta_prime(world, delta)
        if delta_prime <= 0:
            return out
        spread = math.fsum(s.count * s.epsilon**2 for s in world)
        drift = math.fsum(s.count * AdvancedTanh.drift(s.epsilon) for s in world)
        log_one = -math.log(delta_prime)
        return min(
            out,
            drift
            + math.sqrt(
                2 * spread * min(log_one, float(_log_e_plus(np.array(spread), np.array(log_one))))
            ),
        )

    def curve(
        self, spend: Spend, k: Array, delta: accountant.Delta, adjacency: str = ADD_REMOVE
    ) -> Array:
        k = np.asarray(k, dtype=np.float64)
        basic = np.where(adding.enough(k * spend.delta, delta), k * spend.epsilon, np.inf)
        log_delta_prime = logs(accountant.largest_delta_primes(spend, k, delta))
        spread = k * spend.epsilon**2
        root = np.sqrt(
            2 * spread * np.minimum(-log_delta_prime, _log_e_plus(spread, -log_delta_prime))
        )
        return np.where(
            np.isnan(log_delta_prime),
            basic,
            np.minimum(basic, root + k * AdvancedTanh.drift(spend.epsilon)),
        )

    def branch(self, spend: Spend, k: Array, delta: float) -> Array:
        """The third term alone, with ln(e + √(kε²)/δ′), for k equal pure releases."""
        k = np.asarray(k, dtype=np.float64)
        spread = k * spend.epsilon**2
        return k * AdvancedTanh.drift(spend.epsilon) + np.sqrt(
            2 * spread * _log_e_plus(spread, np.full(k.shape, -math.log(delta)))
        )


def _log_e_plus(spread: Array, log_one: Array) -> Array:
    """ln(e + √spread/δ′) with ln(1/δ′) given: 1/δ′ may be beyond floats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.logaddexp(1.0, np.log(spread) / 2 + log_one)


class KOV33(accountant.Accountant):
    """k equal (ε, δ) releases exactly, but only at total ε = (k − 2i)ε, as the theorem is
    printed."""

    key = "kov33"
    label = N_("Kairouz et al. 2015, Theorem 3.3")
    formula = N_("(k − 2i)ε, at the δ that k randomised responses have there")
    source = "Kairouz, Oh & Viswanath 2015, Theorem 3.3"
    ink = "kov33"

    def refuse(self, ledger: Ledger) -> Message | None:
        why = super().refuse(ledger)
        if why or all(len({(s.epsilon, s.delta) for s in world}) <= 1 for world in ledger.worlds()):
            return why
        return say("Theorem 3.3 is about equal releases; these have different ε or δ.")

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        if not world:
            return 0.0
        return float(self.curve(world[0], np.array([float(sum(s.count for s in world))]), delta)[0])

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        """The δ of the last place of the grid at or below ε; 1 where none is."""
        from dpstudio.privacy.accounting.optimal import Optimal

        each, k = (world[0].epsilon, sum(s.count for s in world)) if world else (0.0, 0)
        if each == 0:
            return super().world_delta(world, epsilon)
        place = min(0, math.floor((epsilon / each - k) / 2 + 1e-9))
        if (2 * place + k) * each > epsilon:
            place -= 1
        return Optimal().world_delta(world, (2 * place + k) * each) if 2 * place + k >= 0 else 1.0

    def curve(
        self, spend: Spend, k: Array, delta: accountant.Delta, adjacency: str = ADD_REMOVE
    ) -> Array:
        from dpstudio.privacy.accounting.optimal import optimal_curve

        k = np.asarray(k, dtype=np.float64)
        if spend.epsilon == 0:
            return np.asarray(optimal_curve(spend, k, delta))
        steps = optimal_curve(spend, k, delta) / spend.epsilon
        # The first place of the grid at or above the exact ε; what misses it by rounding alone is
        # on it.
        return np.asarray((np.ceil((steps - k) / 2 - 1e-9) * 2 + k) * spend.epsilon)

    def per_release(
        self, k: int, budget: float, delta: float, like: Spend = PURE, near: float = 0.0
    ) -> float:
        """The largest of budget/(k − 2i) whose total is the budget: between these the printed total
        jumps up and down with ε."""
        from dpstudio.privacy.accounting.optimal import Optimal

        exact = Optimal().per_release(k, budget, delta, like)
        if exact <= 0:
            return 0.0
        steps = math.ceil((budget / exact * (1 - 1e-9) - k) / 2) * 2 + k
        return budget / max(steps, 2 - k % 2)
