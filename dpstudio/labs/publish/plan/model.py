"""What Plan knows: who pays what and how far off each is; and what it would cost to meet every
target, by the functions of `dpstudio/plans/`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.publish.plan import parameters
from dpstudio.labs.publish.plan.parameters import HAND, LEAST, WORST, Planning
from dpstudio.plans import frontier, words
from dpstudio.plans.frontier import Curve, Dropped, Line
from dpstudio.plans.plan import Plan
from dpstudio.plans.solve import least_total
from dpstudio.plans.spending import FULL
from dpstudio.values.messages import Message
from dpstudio.values.parameters import ParamError


@dataclass(frozen=True)
class Trades:
    """Of the questions with a target, by the tightest bound: the total ε that meets them all;
    without Gaussian noise, adding up; without one of them; and the worst error by ε, as a part of
    its target, of the best shares and of `equal` ones, of which there are none where not all can
    have the same noise."""

    least: float
    added: float
    dropped: tuple[Dropped, ...]
    curve: Curve
    equal: Curve


@dataclass(frozen=True, eq=False)
class PlanModel:
    """A plan with its split. `refused`: why it is not the one that is asked for. `trades` are there
    where they are known and every target can be met, and it `awaits` them elsewhere; where the
    split is `quick`, a finer one spends what of ε it leaves."""

    lab: Planning
    plan: Plan
    refused: ParamError | None
    trades: Trades | None
    awaits: bool = False
    quick: bool = False


def plan_models(lab: Planning, context: Context) -> Iterator[PlanModel]:
    """The quick split first, and with it what is remembered of its trades; then the finest one;
    then these."""
    plan, refused = _split(lab, parameters.split)
    quick = lab.find in (LEAST, WORST) or plan.charge.epsilon < FULL * plan.terms.epsilon
    key = _key(plan)
    known = OF_NO_TABLE.recall(key) if plan.aimed.questions else (None,)
    awaits = known is None
    if awaits or quick:
        yield PlanModel(lab, plan, refused, known and known[0], awaits, quick)
        context.check()
    plan, refused = _split(lab, lambda each: parameters.finest(each, context.check))
    if awaits:
        if quick:
            yield PlanModel(lab, plan, refused, None, awaits)
            context.check()
        known = OF_NO_TABLE.remember(key, lambda: (_trades(plan.aimed, context.check),))
    yield PlanModel(lab, plan, refused, known and known[0])


def refined(model: PlanModel) -> tuple[str, ...]:
    """What a later model tells otherwise."""
    late = ("least", "without", "added") if model.awaits else ()
    return (*late, *(("met", "charged", "digest", "shares", "frontier") if model.quick else ()))


def _split(
    lab: Planning, by: Callable[[Planning], Plan | ParamError]
) -> tuple[Plan, ParamError | None]:
    found = by(lab)
    if isinstance(found, Plan):
        return found, None
    free = lab.with_(find=HAND, given=())
    held = by(free)
    if isinstance(held, Plan):
        return held, found
    loose = tuple(each.with_(spend=None) for each in lab.questions)
    made = by(parameters.at_row(free, loose, lab.row))
    assert isinstance(made, Plan), made
    return made, found


def _key(plan: Plan) -> tuple[object, ...]:
    """What trades depend on: neither the total ε nor the split."""
    terms = plan.terms
    held = (terms.delta, terms.unit, terms.confidence, terms.types)
    return ("trades of a plan", plan.questions, *held)


def _trades(plan: Plan, check: Callable[[], None]) -> Trades | None:
    def total(plan: Plan, factor: float) -> float:
        check()
        return least_total(plan, factor)

    try:
        least = total(plan, 1.0)
        if math.isinf(least):
            return None
        alike = all(question.additive for question in plan.questions)
        equal = frontier.frontier(plan, frontier.equal_epsilon) if alike else ()
        added, dropped = frontier.added_epsilon(plan), frontier.dropping(plan)
        return Trades(least, added, dropped, frontier.frontier(plan, total), equal)
    except ParamError:
        return None


@once
def lines(model: PlanModel) -> tuple[Line, ...]:
    """Each question in its order."""
    return frontier.who_pays(model.plan)


@once
def waiting(model: PlanModel) -> tuple[str, ...]:
    """The questions that are not written to the end; they stand below those."""
    return parameters.waiting(model.lab, model.plan)


@once
def chosen(model: PlanModel) -> int:
    """The place among all of them of the one that is being written."""
    return [*(line.name for line in lines(model)), *waiting(model)].index(model.lab.asked.name)


@once
def aimed(model: PlanModel) -> tuple[Line, ...]:
    """Those with a target."""
    return tuple(line for line in lines(model) if line.met is not None)


def bare(model: PlanModel) -> int:
    """How many have a target that is a part of nothing known."""
    return sum(1 for q in model.plan.questions if q.target is not None and q.aim is None)


def met(model: PlanModel) -> int:
    """How many of their targets are met."""
    return sum(1 for line in aimed(model) if line.met)


@once
def missing(model: PlanModel) -> tuple[Line, float] | None:
    """Of those that are not met the one that is furthest from it, and how many points of the budget
    it needs more; None where all are."""
    far = [(line, 100 * ((line.needs or 0.0) - line.share)) for line in aimed(model)]
    return max(((a, b) for a, b in far if not a.met), key=lambda pair: pair[1], default=None)


@once
def worst(model: PlanModel) -> float:
    """The worst error as a part of its target; 0 where none has one."""
    return max((line.error / line.target for line in aimed(model) if line.target), default=0.0)


def unheld(model: PlanModel) -> tuple[str, ...]:
    """The questions that pay what is left by those that are held."""
    return tuple(q.name for q in model.plan.questions if q.spend is None)


def row_of(model: PlanModel, name: str) -> int:
    """Which question of the lab has that name, counted from 1."""
    return next(k for k, each in enumerate(model.lab.questions, 1) if each.name == name)


@once
def said(model: PlanModel) -> tuple[Message, ...]:
    """What is to be said of the plan wherever it is shown."""
    return tuple(words.sentences(model.plan))
