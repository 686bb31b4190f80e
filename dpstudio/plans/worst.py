"""The least worst error at a total: every error the same part of its target."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from dpstudio.plans.exact import share_up
from dpstudio.plans.plan import Plan
from dpstudio.plans.solve import candidates, least_epsilon, meeting, needed, nothing
from dpstudio.plans.spending import LOCKED, Costs, refined, shares, spare, spent
from dpstudio.privacy.accounting.inverse import largest_within
from dpstudio.values.messages import Message
from dpstudio.values.parameters import ParamError

_FAR = 1e6  # targets so far that next to nothing is needed
_ROUNDS, _CLOSE = 6, 1e-4  # totals that are asked for, and as near to the one that is there


def least_factor(plan: Plan) -> float:
    """The least factor on all targets that the total ε pays for, by the quick bounds; where what is
    held by hand alone is too much for these, that counts by the tightest one."""
    locked = any(q.spend is not None for q in plan.questions)
    beyond = spare(plan, candidates(plan, needed(plan, _FAR))[0]) if locked else 0.0
    # What is left of the total is spent afterwards.
    finer = largest_within(
        lambda times: least_epsilon(plan, 1 / times),
        float(plan.terms.epsilon) + beyond,
        1.0,
        1e-6,
        1e6,
        rtol=5e-6,
    )
    return 1 / finer if finer else math.inf


def best_worst(plan: Plan, *, fine: bool = True) -> Plan:
    """The plan with the split of least worst error at its total ε: by the bounds that are worked
    out at once or, where it is `fine`, by the tightest one. Raises ParamError."""
    factor = least_factor(plan)
    if math.isinf(factor):
        raise ParamError("epsilon", Message(LOCKED))
    quick = spent(plan, meeting(plan, factor, fine=False)[0], fine=False)
    return levelled(quick) if fine else quick


def levelled(solved: Plan, check: Callable[[], None] = nothing) -> Plan:
    """The least worst error by the quick bounds made the least by the tightest one: of the splits
    that are the cheapest by that for their targets, as long as `check` raises nothing. Where the
    targets themselves cost no more than its ε, they are met. Raises ParamError."""
    found, factor = [refined(solved)], worst(solved)
    costs = _level(solved, 1.0, check) if factor > 1 else None
    if costs is None and factor > 0:
        costs = _level(solved, factor, check)
    if costs is not None:
        found.append(spent(solved, costs, fine=True))
        just = replace(solved, split=shares(solved, costs, share_up))
        found += [just] if just.keeps else []  # where a total is just enough, nothing is spent
    return min(found, key=worst)


def _level(plan: Plan, factor: float, check: Callable[[], None]) -> Costs | None:
    """The split that meets all targets times a factor, and then times lesser ones while the total
    pays for these; None where it does not pay for the first."""
    budget, best, within, beyond = float(plan.terms.epsilon), None, factor, 0.0
    for _ in range(_ROUNDS):
        check()
        try:
            costs, total = meeting(plan, factor, fine=True)
        except ParamError:  # so near it cannot be at any ε
            break
        if total <= budget:
            best, within = costs, factor
        elif best is None:
            return None
        else:
            beyond = factor
        if 1 - _CLOSE <= total / budget <= 1:
            break
        factor *= total / budget  # nearly in proportion
        if not beyond < factor < within:
            factor = math.sqrt(beyond * within)
    return best


def worst(plan: Plan) -> float:
    """The worst error of a solved plan as a part of its target, of what is not held by hand; 0
    where there is none."""
    given = zip(plan.questions, plan.errors, plan.split, strict=True)
    free = ((q, e.at(s.noise, float(s.cost))) for q, e, s in given if q.spend is None)
    return max((error / float(q.aim) for q, error in free if q.aim), default=0.0)
