"""What a fixed list of answers costs one person: the one place where it is worked out, for a plan,
the ledger and the certificate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from dpstudio.plans.exact import rounded_up
from dpstudio.privacy.accounting import REPLACE
from dpstudio.privacy.accounting.concentrated import ZCDPTight
from dpstudio.privacy.accounting.gdp import gdp_epsilon
from dpstudio.privacy.accounting.numeric import values_of
from dpstudio.privacy.accounting.spend import touched
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.mechanisms.concentrated import concentrated_rho
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma, gaussian_log_delta
from dpstudio.privacy.mechanisms.geometric import Geometric
from dpstudio.privacy.mechanisms.loss import Loss, response
from dpstudio.values.messages import N_
from dpstudio.values.roots import bracket

# What is known of one answer. PURE: ε alone. RANGED: ε, and that its loss has a range of ε, as that
# of the exponential mechanism has (Cesar & Rogers 2021, Lemma 3.4: ρ = ε²/8). GAUSSIAN: ρ = Δ²/2σ²,
# on a grid of 2^−29 of σ or finer, where it is Gaussian noise but for a factor 1 ± 10^−16 (SLACK
# pays for that). On whole numbers only Σρ would hold: who draws on a coarser grid charges by that.
PURE, RANGED, GAUSSIAN = "pure", "ranged", "gaussian"
ADDED, ZCDP, NUMERIC = "sequential", "zcdp_tight", "pld"
BOUNDS = {ADDED: N_("adding up"), ZCDP: N_("zCDP (tight conversion)"), NUMERIC: N_("numeric bound")}


@dataclass(frozen=True)
class Part:
    """`times` answers that cost `cost` each: ρ where the noise is Gaussian, else ε. Parts of one
    `lot` are about rows of which none belongs to two of them. `steps`: by how many steps of its
    grid one person moves a number with geometric noise, 0 where that is not known."""

    known: str
    cost: Any
    times: int = 1
    lot: int | None = None
    steps: int = 0

    @property
    def epsilon(self) -> Any:
        """Of all of them, added up; 0 where they are Gaussian."""
        return 0 if self.known == GAUSSIAN else self.times * self.cost

    @property
    def gaussian_rho(self) -> Any:
        """ρ of all of them; 0 where they are not Gaussian."""
        return self.times * self.cost if self.known == GAUSSIAN else 0

    @property
    def rho(self) -> Any:
        """ρ of all of them (Bun & Steinke 2016, Propositions 1.4 and 1.6)."""
        if self.known == GAUSSIAN:
            return self.times * self.cost
        return self.times * self.cost**2 / (8 if self.known == RANGED else 2)


@dataclass(frozen=True)
class Unit:
    """Whom the promise is to: a person with at most so many rows, who comes or goes, or is
    replaced."""

    adjacency: str = REPLACE
    rows: int = 1

    @property
    def touched(self) -> int:
        """How many parts over disjoint rows one person may touch: one for each row, and where a
        person is replaced those that come as well as those that go."""
        return touched(self.adjacency, self.rows)


@dataclass(frozen=True)
class Charge:
    """What is charged: rationals. (ε, δ) holds by `bound`; `rho` is the sum of ρ of the same
    answers."""

    epsilon: Fraction
    delta: Fraction
    rho: Fraction
    bound: str


def dearest(costs: Sequence[Any], touched: int) -> Any:
    """What one person pays of parts over disjoint rows of which they touch so many at most: the
    dearest of them together (McSherry 2009, Theorem 4, where they touch one)."""
    return sum(sorted(costs, reverse=True)[:touched])


def summed(parts: Sequence[Part], unit: Unit, cost: Callable[[Part], Any]) -> Any:
    """The most that `cost` comes to for one person: all parts that stand alone, and of each lot the
    dearest that one person may touch. Exact where the costs are fractions."""
    held: dict[int, list[Any]] = {}
    total: Any = 0
    for part in parts:
        if part.lot is None:
            total += cost(part)
        else:
            held.setdefault(part.lot, []).append(cost(part))
    return total + sum(dearest(costs, unit.touched) for costs in held.values())


def added(parts: Sequence[Part], unit: Unit, delta: float) -> float:
    """Σε of what is pure, and the exact ε at δ of all Gaussian noise as one (Dong, Roth & Su 2022,
    Corollary 3.3): those two add up."""
    rho = float(summed(parts, unit, lambda p: p.gaussian_rho))
    pure = float(summed(parts, unit, lambda p: p.epsilon))
    if rho == 0:
        return pure
    return pure + float(gdp_epsilon(np.array(math.sqrt(2 * rho)), delta)) if delta > 0 else math.inf


def concentrated(parts: Sequence[Part], unit: Unit, delta: float) -> float:
    """ε at δ of Σρ (Canonne, Kamath & Steinke 2020, Corollary 13)."""
    rho = float(summed(parts, unit, lambda p: p.rho))
    if rho == 0 or delta <= 0:
        return 0.0 if rho == 0 else math.inf
    return max(0.0, float(ZCDPTight().of_rho(np.array(rho), np.array(delta))))


def quick(parts: Sequence[Part], unit: Unit, delta: float) -> float:
    """The least ε at δ of the bounds that are worked out at once."""
    return min(added(parts, unit, delta), concentrated(parts, unit, delta))


def growth(parts: Sequence[Part], unit: Unit, epsilon: float, delta: float) -> float:
    """By how much every ε may grow, and ρ by its square, until `quick` comes to that ε."""
    pure = float(summed(parts, unit, lambda p: p.epsilon))
    mu = math.sqrt(2 * float(summed(parts, unit, lambda p: p.gaussian_rho)))
    if delta <= 0:
        return 0.0 if mu else epsilon / pure
    by_rho = math.sqrt(
        concentrated_rho(epsilon, delta) / float(summed(parts, unit, lambda p: p.rho))
    )
    if not mu:
        return max(by_rho, epsilon / pure)
    most = 1 / (analytic_sigma(epsilon, delta) * mu)
    if pure:

        def over(by: float) -> float:
            left = max(0.0, epsilon - pure * by)  # for the Gaussian noise, whose δ is known at once
            return max(gaussian_log_delta(left, by * mu), -1e4) - math.log(delta)

        most = min(most, epsilon / pure)
        most = bracket(over, most * 1e-6, most, 1e-9)[0] if over(most) > 0 else most
    return max(by_rho, most)


def excess(parts: Sequence[Part], unit: Unit, epsilon: float, delta: float) -> float:
    """Above 0 where `quick` comes to more than nearly that ε, and rising as costs do: known at
    once, while the ε that they come to is searched for."""
    pure = float(summed(parts, unit, lambda p: p.epsilon))
    mu = math.sqrt(2 * float(summed(parts, unit, lambda p: p.gaussian_rho)))
    adding = math.log(max(pure, _NOTHING) / epsilon)
    if delta <= 0:
        return _FAR if mu else adding
    if mu:
        left = epsilon - pure  # for the Gaussian noise
        loss = gaussian_log_delta(left, mu) if left > 0 else 0.0
        adding = max(loss, -_FAR) - math.log(delta)
    rho = float(summed(parts, unit, lambda p: p.rho))
    return min(adding, math.log(max(rho, _NOTHING) / _most_rho(epsilon, delta)))


_FAR, _NOTHING = 1e4, 1e-300


@lru_cache(maxsize=64)
def _most_rho(epsilon: float, delta: float) -> float:
    return concentrated_rho(epsilon, delta)


def numeric(parts: Sequence[Part], unit: Unit, delta: float) -> float:
    """The certified upper ε at δ of all losses convolved; ∞ where there is none, or too many
    answers. Of a lot those count that one person may touch and that lose most: of Gaussian noise by
    ρ, of all other by ε, of which nothing else is used there."""
    if delta <= 0:
        return math.inf
    counts: dict[Loss, int] = {}
    for part in _worst(parts, unit):
        loss = _loss(part)
        counts[loss] = counts.get(loss, 0) + part.times
    if not counts or sum(counts.values()) > _MOST:
        return math.inf if counts else 0.0
    return float(values_of(tuple(counts.items()), np.ones(1), delta, up=True)[0])


_MOST = 1_000


def _worst(parts: Sequence[Part], unit: Unit) -> list[Part]:
    """Parts that lose at least as much as what one person touches. A part asked several times
    counts so many, each by its own."""
    found = [p for p in parts if p.lot is None]
    for lot in dict.fromkeys(p.lot for p in parts if p.lot is not None):
        for gaussian in (True, False):
            held = [p for p in parts if p.lot == lot and (p.known == GAUSSIAN) == gaussian]
            most = sorted((p.cost for p in held), reverse=True)[: unit.touched]
            times = max((p.times for p in held), default=1)
            found += [Part(GAUSSIAN if gaussian else PURE, cost, times) for cost in most]
    return found


def _loss(part: Part) -> Loss:
    if part.known == GAUSSIAN:
        return Loss(ratio=math.sqrt(2 * float(part.cost)))
    epsilon = float(part.cost)
    if part.steps:
        by = float(part.steps)
        worst = Geometric().at(epsilon, 0.0).worst(Sensitivity(by, by, by))
        if worst is not None:
            return worst.loss
    return response(epsilon)


def charge(parts: Sequence[Part], unit: Unit, delta: Fraction, *, fine: bool = True) -> Charge:
    """What these parts, whose costs are fractions, cost together: the least ε of all bounds at δ,
    rounded up. Adding up alone is exact. `fine`: the numeric bound is asked too."""
    rho = Fraction(summed(parts, unit, lambda p: p.rho))
    pure = Fraction(summed(parts, unit, lambda p: p.epsilon))
    gaussian = any(p.known == GAUSSIAN for p in parts)
    found = [(ADDED, rounded_up(added(parts, unit, float(delta))))] if delta > 0 else []
    if not gaussian:
        found = [(ADDED, pure)]
    elif delta <= 0:
        raise ValueError("Gaussian noise needs a δ")
    if delta > 0 and parts:
        found.append((ZCDP, rounded_up(concentrated(parts, unit, float(delta)))))
        if fine and any(p.known != GAUSSIAN for p in parts):
            value = numeric(parts, unit, float(delta))
            if math.isfinite(value):
                found.append((NUMERIC, rounded_up(value)))
    bound, epsilon = min(found, key=lambda each: each[1])
    used = Fraction(0) if bound == ADDED and not gaussian else delta
    return Charge(epsilon, used, rho, bound)
