"""Who gets how much by hand: costs in given proportions, and one that gets more or less."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from dpstudio.plans.exact import share_down
from dpstudio.plans.frontier import who_pays
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.question import GAUSSIAN
from dpstudio.plans.solve import choices, climbed
from dpstudio.plans.spending import FULL, Costs, filled, spent
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError

_LEAST = 1e-3  # of what can be given, that each keeps
_RIGHT = 1e-9  # a choice that errs by nothing


def in_proportion(plan: Plan, given: Mapping[str, Share]) -> Plan:
    """The plan with costs in the proportions of those that are given by the names of questions, all
    of its total ε spent; who is given none pays as much ρ as the others do on average, with the
    first of its noises, or another by which no question errs more, or others come nearer to their
    targets. What is held by hand stays. Raises ParamError."""
    if not plan.questions:
        raise ParamError("", say("This plan has no question yet."))
    if (whole := _as_given(plan, given)) is not None:
        return whole
    options = []
    for question in plan.questions:
        can, held = choices(plan, question), given.get(question.name)
        options.append((held.noise,) if held is not None and held.noise in can else can)
    first = _off(plan, _divided(plan, given, tuple(each[0] for each in options)))
    best = climbed(
        plan, options, lambda noises: _divided(plan, given, noises), partial(_errs, first)
    )
    return spent(plan, best, fine=False)


def _off(plan: Plan, costs: Costs) -> list[float]:
    """How far off each question is, in logarithms. A mean of which nobody says of how many rows it
    is gains by no noise."""
    given = zip(plan.questions, plan.errors, costs.noises, costs.costs, strict=True)
    off = ((e.at if q.counted else e.smooth)(noise, cost) for q, e, noise, cost in given)
    return [math.log(max(each, _RIGHT)) for each in off]


def _errs(first: Sequence[float], plan: Plan, costs: Costs) -> tuple[float, float]:
    """How far all are beyond what is asked of them, in proportion: their targets, or that they are
    as near as at first; and then how far off they are."""
    off, beyond = _off(plan, costs), []
    for question, was, now in zip(plan.questions, first, off, strict=True):
        beyond.append(max(0.0, now - (was if question.aim is None else math.log(question.aim))))
    return _weighed(plan, beyond), _weighed(plan, off)


def _weighed(plan: Plan, each: Sequence[float]) -> float:
    return math.fsum(float(q.importance) * x for q, x in zip(plan.questions, each, strict=True))


def _divided(plan: Plan, given: Mapping[str, Share], noises: tuple[str, ...]) -> Costs:
    """These proportions with this noise."""
    names = [question.name for question in plan.questions]
    same = [n in given and given[n].noise == noise for n, noise in zip(names, noises, strict=True)]
    costs = [float(given[n].cost) if held else 1.0 for n, held in zip(names, same, strict=True)]
    parts = plan.parts(noises, costs)
    known = [float(p.rho) for p, n in zip(parts, names, strict=True) if n in given]
    mean = math.fsum(known) / len(known) if known else 1.0
    for i, part in enumerate(parts):
        if not same[i]:
            by = mean / float(part.rho)
            costs[i] = by if noises[i] == GAUSSIAN else math.sqrt(by)
        spend = plan.questions[i].spend
        costs[i] = costs[i] if spend is None else float(spend)
    return filled(plan, Costs(noises, tuple(costs)))


def _as_given(plan: Plan, given: Mapping[str, Share]) -> Plan | None:
    """The plan with exactly these costs, to the last digit, where they spend all of its ε and no
    more."""
    split = tuple(given[q.name] for q in plan.questions if q.name in given)
    if len(split) < len(plan.questions):
        return None
    held = zip(plan.questions, split, strict=True)
    if any(
        share.noise not in choices(plan, q) or (q.spend or share.cost) != share.cost
        for q, share in held
    ):
        return None
    whole = replace(plan, split=split)
    return whole if whole.keeps and whole.charge.epsilon >= FULL * plan.terms.epsilon else None


def redivided(plan: Plan, name: str, share: float) -> tuple[tuple[str, Share], ...]:
    """What each question of a solved plan is given where one gets that part of all: who is not held
    by hand pays more or less for it, each by the same factor."""
    lines = who_pays(plan)
    free = {q.name for q in plan.questions if q.spend is None} - {name}
    left = math.fsum(line.share for line in lines if line.name in free)
    spare = left + next(line.share for line in lines if line.name == name)
    share = min(max(share, _LEAST * spare), (1 - _LEAST) * spare) if free else spare
    linear = all(s.noise != GAUSSIAN for s in plan.split)
    found = []
    for line, pays in zip(lines, plan.split, strict=True):
        by = share / line.share if line.name == name else (spare - share) / left
        by = 1.0 if line.name not in free | {name} else by
        by = by if linear or pays.noise == GAUSSIAN else math.sqrt(by)
        found.append((line.name, Share(pays.noise, share_down(float(pays.cost) * by))))
    return tuple(found)
