"""Costs while a split is looked for, and all of a total ε spent by them, but no more."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpstudio.plans.charge import GAUSSIAN, Part, excess, growth, numeric, quick
from dpstudio.plans.exact import share_down, share_up
from dpstudio.plans.plan import Plan, Share, Terms
from dpstudio.values.messages import N_, Message
from dpstudio.values.parameters import ParamError
from dpstudio.values.roots import bracket

_STEPS = 36
_HAIR = 1e-12
_LEAST = -20  # of what is not held: the logarithm of next to nothing
FULL = Fraction(99_999, 100_000)  # of an ε: all but for roundings
LOCKED = N_("What is held by hand costs more than the plan has: let go of some of it.")


@dataclass(frozen=True)
class Costs:
    """Noise and cost of each question, in doubles, while a split is looked for."""

    noises: tuple[str, ...]
    costs: tuple[float, ...]

    def parts(self, plan: Plan) -> tuple[Part, ...]:
        """As they are charged."""
        return plan.parts(self.noises, self.costs)

    def grown(self, plan: Plan, by: float) -> Costs:
        """Every ε times so much, and ρ by its square; what is held by hand stays."""
        given = zip(plan.questions, self.noises, self.costs, strict=True)
        return replace(
            self,
            costs=tuple(
                c if q.spend is not None else c * (by * by if noise == GAUSSIAN else by)
                for q, noise, c in given
            ),
        )


def fast(plan: Plan, costs: Costs) -> float:
    """The total ε by the bounds that are worked out at once."""
    return quick(costs.parts(plan), plan.terms.unit, float(plan.terms.delta))


def tight(plan: Plan, costs: Costs) -> float:
    """The total ε by the tightest bound."""
    return tightest(costs.parts(plan), plan.terms)


def tightest(parts: Sequence[Part], terms: Terms) -> float:
    """The same of some parts."""
    unit, delta = terms.unit, float(terms.delta)
    found = quick(parts, unit, delta)
    if all(part.known == GAUSSIAN for part in parts):
        return found  # there the one that is worked out at once is exact
    return min(found, numeric(parts, unit, delta))


def filled(
    plan: Plan, costs: Costs, total: Callable[[Plan, Costs], float] = fast, steps: int = _STEPS
) -> Costs:
    """The same proportions with all of the total ε spent, and not more. Raises ParamError where
    what is held by hand costs more alone."""
    budget = float(plan.terms.epsilon)
    locked = any(q.spend is not None for q in plan.questions)
    if locked:
        bare = costs.grown(plan, 1e-9)
        beyond = spare(plan, bare)
        if total is fast:
            budget += beyond
        elif total(plan, bare) > budget:
            raise ParamError("epsilon", Message(LOCKED))
    if all(q.spend is not None for q in plan.questions):
        return costs
    if total is fast and not locked:
        parts, delta = costs.parts(plan), float(plan.terms.delta)
        return costs.grown(plan, growth(parts, plan.terms.unit, budget, delta))

    def over(log_by: float) -> float:
        grown = costs.grown(plan, math.exp(log_by))
        if total is fast:
            more = excess(grown.parts(plan), plan.terms.unit, budget, float(plan.terms.delta))
            return more - _HAIR  # where what is held is the dearest, others cost nothing more
        return total(plan, grown) - budget

    low, high = 0.0, 0.0
    while over(low) > 0 and low > _LEAST:
        low, high = low - 1, low
    if low <= _LEAST:
        return costs.grown(plan, math.exp(low))  # nothing is left but for roundings
    while over(high) <= 0:
        low, high = high, high + 1
    if total is fast:
        return costs.grown(plan, math.exp(bracket(over, low, high, 1e-9)[0]))
    # To a part of ln(growth) that is small beside what is lost by rounding shares.
    return costs.grown(plan, math.exp(_within(over, low, high, steps)))


def spare(plan: Plan, bare: Costs) -> float:
    """What quick bounds ask too much of what is held by hand, where that alone costs more than the
    plan has by them. Raises ParamError where it does so by the tightest one."""
    budget, quickly = float(plan.terms.epsilon), fast(plan, bare)
    if quickly <= budget:
        return 0.0
    tightly = tight(plan, bare)
    if tightly > budget:
        raise ParamError("epsilon", Message(LOCKED))
    return quickly - tightly


def _within(over: Callable[[float], float], low: float, high: float, steps: int) -> float:
    """Where what rises passes 0, by secants that stay inside, on the side that is within."""
    at_low, at_high = over(low), over(high)
    for _ in range(steps):
        x = low - at_low * (high - low) / (at_high - at_low)
        x = min(max(x, low + 0.02 * (high - low)), high - 0.02 * (high - low))
        value = over(x)
        low, at_low, high, at_high = (
            (x, value, high, at_high) if value <= 0 else (low, at_low, x, value)
        )
        if high - low < 1e-7:
            break
    return low


def spent(plan: Plan, costs: Costs, *, fine: bool) -> Plan:
    """The plan with this split, grown to what the tightest bound allows, rounded down and no more
    than its ε: by what is charged, exactly."""
    if fine and tight(plan, costs) < float(plan.terms.epsilon):
        costs = filled(plan, costs, tight, 12)
    near = _paid(plan, costs, share_up)
    if near.keeps:  # where a share is as large as a whole number needs, a hair less gives the next
        return near
    for _ in range(40):
        solved = _paid(plan, costs, share_down)
        if solved.keeps:
            return solved
        over = float(solved.charge.epsilon / plan.terms.epsilon)
        costs = costs.grown(plan, (1 - 1e-7) / max(over, 1.0))
    raise ParamError("epsilon", Message(LOCKED))


def refined(solved: Plan) -> Plan:
    """A plan with its split, of which all of the total ε is spent, by the tightest bound."""
    if solved.charge.epsilon >= FULL * solved.terms.epsilon:
        return solved
    return spent(solved, paid(solved), fine=True)


def paid(solved: Plan) -> Costs:
    """What each question of a solved plan pays."""
    return Costs(tuple(s.noise for s in solved.split), tuple(float(s.cost) for s in solved.split))


def _paid(plan: Plan, costs: Costs, rounding: Callable[[float], Fraction]) -> Plan:
    try:
        return replace(plan, split=shares(plan, costs, rounding))
    except ParamError:  # next to nothing is left
        raise ParamError("epsilon", Message(LOCKED)) from None


def shares(plan: Plan, costs: Costs, rounding: Callable[[float], Fraction]) -> tuple[Share, ...]:
    """What each pays, its cost rounded so; what is held by hand as it is."""
    given = zip(plan.questions, costs.noises, costs.costs, strict=True)
    return tuple(Share(n, q.spend if q.spend is not None else rounding(c)) for q, n, c in given)
