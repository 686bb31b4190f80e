"""The bounds that only add up: sequential and parallel."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.accountant import Accountant, Delta, WithDeltaPrime, unsampled
from dpstudio.privacy.accounting.spend import ADD_REMOVE, PURE, Ledger, Spend, touched
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Integer, param

ROWS = Integer(
    N_("Rows"), N_("How many rows one person may have."), low=1, high=1_000_000, log=True
)


def added(world: tuple[Spend, ...]) -> tuple[float, float]:
    """(Σε, Σδ)."""
    return math.fsum(s.count * s.epsilon for s in world), math.fsum(
        s.count * s.delta for s in world
    )


def enough(needed: ArrayLike, delta: ArrayLike) -> NDArray[np.bool_]:
    """Whether the total δ covers what the releases need; a sum of k floats may miss its own value
    by a few roundings."""
    return np.less_equal(needed, np.multiply(delta, 1 + 1e-12))


class Sequential(WithDeltaPrime):
    """Σ ε and Σ δ (Dwork & Roth 2014, Theorem 3.16). It knows of no groups: parts over disjoint
    data are added up too."""

    key = "sequential"
    label = N_("sequential (adding up)")
    formula = N_("Σε, at a total δ of Σδ")
    source = "Dwork & Roth 2014, Theorem 3.16"
    ink = "sequential"
    adaptive = "Rogers, Roth, Ullman & Vadhan 2016"
    needs_delta_prime = False

    def of_delta_prime(self, k: Array, epsilon: float, delta_prime: float) -> Array:
        return k * epsilon

    def refuse(self, ledger: Ledger) -> Message | None:
        return unsampled(ledger)

    def _worlds(self, ledger: Ledger) -> tuple[tuple[Spend, ...], ...]:
        return (ledger.spends,)

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        epsilon, needed = added(world)
        return epsilon if enough(needed, delta) else math.inf

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        total, needed = added(world)
        return min(1.0, needed) if total <= epsilon * (1 + 1e-15) else 1.0

    def curve(self, spend: Spend, k: Array, delta: Delta, adjacency: str = ADD_REMOVE) -> Array:
        k = np.asarray(k, dtype=np.float64)
        return np.where(enough(k * spend.delta, delta), k * spend.epsilon, np.inf)


class Parallel(Accountant):
    """The largest ε (and δ) over parts of disjoint data counts once for the group (McSherry 2009,
    Theorem 4).

    A person with one row is in a single part, if neighbours differ by a row that is there or not.
    Who is replaced may leave one part and enter another: then the two largest parts add up, twice
    the largest where all are equal. Who has several `rows` may be in as many parts.
    """

    key = "parallel"
    label = N_("parallel")
    formula = N_("the largest ε among the parts, at the largest δ")
    source = "McSherry 2009, Theorem 4"
    ink = "parallel"
    adaptive = Sequential.adaptive

    rows: int = param(1, ROWS)

    def refuse(self, ledger: Ledger) -> Message | None:
        if not ledger.groups:
            return say("No releases here are parts over disjoint data.")
        return super().refuse(ledger)

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        return Sequential().world_epsilon(world, delta)

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        return Sequential().world_delta(world, epsilon)

    def curve(self, spend: Spend, k: Array, delta: Delta, adjacency: str = ADD_REMOVE) -> Array:
        """Total ε of one release on each of k disjoint parts."""
        parts = np.minimum(np.asarray(k, dtype=np.float64), touched(adjacency, self.rows))
        return Sequential().curve(spend, parts, delta)

    def per_release(
        self, k: int, budget: float, delta: float, like: Spend = PURE, near: float = 0.0
    ) -> float:
        return max(0.0, budget) if enough(like.delta, delta) else 0.0
