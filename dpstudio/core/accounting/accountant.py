"""Bounds on the cost of k answers, each with its source and its domain."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.core.figure import Array
from dpstudio.core.params import Kind, Real, param
from dpstudio.core.wording import N_, Num, Say, say

SLACK = Real(N_("δ′"), N_("What advanced composition adds to the total δ, once for all answers."), low=1e-12, high=0.1, log=True)
K_MOST = 10_000


@dataclass(frozen=True)
class Accountant(Kind):
    """A composition theorem for k answers that are (ε, δ)-DP each, chosen adaptively or not.

    The result holds with total δ = kδ + δ′ (kδ alone where the theorem needs no slack).
    """

    ink: ClassVar[str] = "muted"
    needs_slack: ClassVar[bool] = True

    slack: float = param(1e-5, SLACK)

    def refuse(self, epsilon: float, delta: float) -> Say | None:
        """Why the theorem does not apply to these releases, or None."""
        return None

    def total(self, k: ArrayLike, epsilon: float, delta: float = 0.0) -> Array:
        """Total ε for each k ≥ 1 (same shape as `k`); inf where it is beyond floats."""
        raise NotImplementedError

    def total_delta(self, k: int, delta: float) -> float:
        return min(1.0, k * delta + (self.slack if self.needs_slack else 0.0))


@dataclass(frozen=True)
class Sequential(Accountant):
    """Σ ε and Σ δ (Dwork & Roth 2014, Theorem 3.16)."""

    key: ClassVar[str] = "sequential"
    label: ClassVar[str] = N_("sequential")
    source: ClassVar[str] = "Dwork & Roth 2014, Theorem 3.16"
    ink: ClassVar[str] = "sequential"
    needs_slack: ClassVar[bool] = False

    def total(self, k: ArrayLike, epsilon: float, delta: float = 0.0) -> Array:
        return np.asarray(k, dtype=np.float64) * epsilon


@dataclass(frozen=True)
class Advanced(Accountant):
    """ε√(2k ln 1/δ′) + kε(e^ε − 1) (Dwork, Rothblum & Vadhan 2010, Theorem III.3)."""

    key: ClassVar[str] = "drv"
    label: ClassVar[str] = N_("advanced (DRV 2010)")
    source: ClassVar[str] = "Dwork, Rothblum & Vadhan 2010, Theorem III.3"
    ink: ClassVar[str] = "drv"

    def total(self, k: ArrayLike, epsilon: float, delta: float = 0.0) -> Array:
        k = np.asarray(k, dtype=np.float64)
        growth = math.expm1(epsilon) if epsilon < 700 else math.inf
        return epsilon * np.sqrt(2 * k * -math.log(self.slack)) + k * epsilon * growth


@dataclass(frozen=True)
class AdvancedTanh(Accountant):
    """ε√(2k ln 1/δ′) + kε·tanh(ε/2): the mean loss of randomised response in the place of ε(e^ε − 1).

    (Kairouz, Oh & Viswanath 2015, Theorem 3.4, third term.)
    """

    key: ClassVar[str] = "tanh"
    label: ClassVar[str] = N_("tanh form")
    source: ClassVar[str] = "Kairouz, Oh & Viswanath 2015, Theorem 3.4"
    ink: ClassVar[str] = "tanh"

    def total(self, k: ArrayLike, epsilon: float, delta: float = 0.0) -> Array:
        k = np.asarray(k, dtype=np.float64)
        return epsilon * np.sqrt(2 * k * -math.log(self.slack)) + k * epsilon * math.tanh(epsilon / 2)


@dataclass(frozen=True)
class Optimal(Accountant):
    """The least ε that k pure ε-DP answers can promise at δ′, exactly (Kairouz, Oh & Viswanath 2015, Theorem 3.3;
    Murtagh & Vadhan 2016 for the continuous value)."""

    key: ClassVar[str] = "optimal"
    label: ClassVar[str] = N_("exact optimum")
    source: ClassVar[str] = "Kairouz, Oh & Viswanath 2015, Theorem 3.3; Murtagh & Vadhan 2016"
    ink: ClassVar[str] = "optimal"

    def refuse(self, epsilon: float, delta: float) -> Say | None:
        if delta > 0:
            return say(N_("The exact optimum is drawn for pure ε; each answer here has δ = {delta}."), delta=Num(delta))
        return None

    def total(self, k: ArrayLike, epsilon: float, delta: float = 0.0) -> Array:
        from dpstudio.core.accounting.optimal import optimal_epsilon

        return optimal_epsilon(np.asarray(k, dtype=np.float64), epsilon, self.slack)


def crossover(accountant: Accountant, epsilon: float, delta: float = 0.0, most: int = K_MOST) -> int | None:
    """The smallest k ≤ `most` from which the closed form is strictly below sequential composition; None if there is none."""
    k = np.arange(1, most + 1, dtype=np.float64)
    better = accountant.total(k, epsilon, delta) < Sequential().total(k, epsilon, delta) * (1 - 1e-12)
    return int(k[np.argmax(better)]) if better.any() else None
