"""What a plan trades: the total ε against the worst error, which target is the dearest, and who
pays what."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from dpstudio.plans.charge import added
from dpstudio.plans.plan import Plan
from dpstudio.plans.question import GAUSSIAN
from dpstudio.plans.solve import candidates, distance, least_total, meeting, needed
from dpstudio.plans.spending import Costs, fast, tight, tightest

T = TypeVar("T")
_POINTS = 13
_ALIKE = 1.0005  # three digits do not tell them apart


@dataclass(frozen=True)
class Line:
    """One question of a solved plan: what it pays, its part of what all pay, how far off it is at
    the confidence; and where it has a target, whether that is met and which part it takes, ∞ where
    none is enough."""

    name: str
    noise: str
    cost: float
    share: float
    error: float
    target: float | None
    met: bool | None
    needs: float | None


@dataclass(frozen=True)
class Dropped:
    """A total ε that meets the other targets, and what that saves."""

    name: str
    epsilon: float
    saved: float


def who_pays(plan: Plan) -> tuple[Line, ...]:
    """The lines of a solved plan. Shares are of what adds up: ε where no noise is Gaussian, which
    the tightest bound adds up to a little less, else ρ; parts over disjoint rows are shown with
    what they pay alone."""
    noises = [s.noise for s in plan.split]
    parts = plan.parts(noises, [s.cost for s in plan.split])
    pure = GAUSSIAN not in noises
    paid = [float(p.epsilon if pure else p.rho) for p in parts]
    whole, found = math.fsum(paid), []
    for question, errors, share, pays in zip(
        plan.questions, plan.errors, plan.split, paid, strict=True
    ):
        error = errors.at(share.noise, float(share.cost))
        target = None if question.aim is None else float(question.aim)
        met = None if target is None else error <= target
        needs, cost = None, float(share.cost)
        if target is not None:
            by = errors.needs(share.noise, target) / cost
            squared = not pure and share.noise != GAUSSIAN
            needs = pays / whole * (by * by if squared else by)
        line = Line(question.name, share.noise, cost, pays / whole, error, target, met, needs)
        found.append(line)
    return tuple(found)


def dropping(plan: Plan) -> tuple[Dropped, ...]:
    """For each question an ε that meets the targets of all others, with the noise that they have
    where all are met, or with the one that suits them without it; the dearest first. Every question
    has a target that can be met."""
    costs, whole = meeting(plan, fine=True)
    parts, by_noise, found = costs.parts(plan), needed(plan), []
    for i, question in enumerate(plan.questions):
        others = replace(plan, questions=_without(plan.questions, i), split=())
        left = min(whole, tightest(_without(parts, i), plan.terms))
        if others.questions:
            best = candidates(others, _without(by_noise, i))[0]
            if best.noises != _without(costs.noises, i):
                left = min(left, tight(others, best))
        found.append(Dropped(question.name, left, whole - left))
    return tuple(sorted(found, key=lambda one: one.epsilon))


def _without(each: Sequence[T], place: int) -> tuple[T, ...]:
    return (*each[:place], *each[place + 1 :])


def dearest(found: Sequence[Dropped]) -> tuple[Dropped, ...]:
    """The one without which the least ε is enough, first; and those as dear, by three digits."""
    least = min(one.epsilon for one in found)
    return tuple(one for one in found if one.epsilon <= least * _ALIKE)


Curve = tuple[tuple[float, float], ...]


def frontier(
    plan: Plan,
    epsilon: Callable[[Plan, float], float] = least_total,
    low: float = 0.2,
    high: float = 5.0,
) -> Curve:
    """(total ε, worst error as a part of its target), the worst error falling: of the best splits,
    or with another `epsilon` that is needed. Every question has a target."""
    steps = (high * (low / high) ** (i / (_POINTS - 1)) for i in range(_POINTS))
    found = ((epsilon(plan, factor), factor) for factor in steps)
    return tuple((total, factor) for total, factor in found if math.isfinite(total))


def equal_epsilon(plan: Plan, factor: float = 1.0) -> float:
    """The total ε at which equal shares of Gaussian noise meet every target times a factor: each
    pays what the dearest needs, ∞ where none is enough. Every question can have that noise."""
    needs = [e.needs(GAUSSIAN, factor * distance(e.question)) for e in plan.errors]
    if math.isinf(max(needs)):
        return math.inf
    return fast(plan, Costs((GAUSSIAN,) * len(needs), (max(needs),) * len(needs)))


def added_epsilon(plan: Plan) -> float:
    """The total ε that meets every target without Gaussian noise, adding up alone. Every question
    has a target that can be met."""
    pure = [next((n for n in each if n != GAUSSIAN), GAUSSIAN) for each in needed(plan)]
    costs = [each[n] for each, n in zip(needed(plan), pure, strict=True)]
    return added(plan.parts(pure, costs), plan.terms.unit, float(plan.terms.delta))
