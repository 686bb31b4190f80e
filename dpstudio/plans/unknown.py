"""What is left to find where all else is given: ε, an error, a size, or how often. By the bounds
that are worked out at once, then nearer by the tightest one, which is charged."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpstudio.plans.plan import Plan
from dpstudio.plans.question import Question
from dpstudio.plans.solve import least_epsilon
from dpstudio.plans.target import Target
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import ParamError

_MOST_SIZE, _MOST_ERROR = 1e12, 1e15
# How near, in logarithms: by the quick bounds, and by the tightest one, of which each try takes as
# long as a thousand; and how far that first looks.
_NEAR, _NEARER, _REACH = 1e-9, 1e-5, 0.02
_NEVER = N_("There is none at ε = {epsilon}: the other questions of the plan take too much.")


def least_error(plan: Plan, name: str) -> float:
    """The least error of one question at the total ε, where all others keep their targets. Raises
    ParamError where there is none."""
    start = plan.question(name)

    def fits(error: float, *, fine: bool) -> bool:
        return _fits(plan, start.with_(target=Target(Fraction(error))), fine=fine)

    return _smallest(plan, fits, 1e-9, _MOST_ERROR)


def least_size(plan: Plan, name: str) -> int:
    """The least number of rows that a question is about with which all targets are met at the total
    ε: of a mean its size, and of a relative target that of which it is a part. Raises
    ParamError."""
    start = plan.question(name)
    relative = start.target is not None and start.target.relative
    if not (relative or start.counted):
        text = N_(
            "The error of “{name}” is the same whatever its size: give it a target such as 5 % of "
            "1000."
        )
        raise ParamError("", say(text, name=name))

    def fits(size: float, *, fine: bool) -> bool:
        rows, target = Fraction(math.ceil(size)), start.target
        if relative and target is not None and not start.counted:
            target = replace(target, of=rows)
        return _fits(plan, start.with_(target=target, size=rows), fine=fine)

    return math.ceil(_smallest(plan, fits, 1.0, _MOST_SIZE))


def most_times(plan: Plan, name: str, most: int = 10_000) -> int:
    """How often a question can be asked at the total ε, where all targets are met each time; 0
    where once is too often."""
    start = plan.question(name)

    def fits(times: int, *, fine: bool) -> bool:
        return times <= most and _fits(plan, start.with_(times=times), fine=fine)

    found = 0
    for fine in (False, True):
        step = 1
        while fits(found + step, fine=fine):
            found, step = found + step, 2 * step
        while step > 1:
            step //= 2
            found += step if fits(found + step, fine=fine) else 0
    return found


def _fits(plan: Plan, question: Question, *, fine: bool) -> bool:
    new = tuple(question if q.name == question.name else q for q in plan.questions)
    total = least_epsilon(replace(plan, questions=new, split=()), fine=fine)
    return total <= float(plan.terms.epsilon)


def _smallest(plan: Plan, fits: Callable[..., bool], low: float, high: float) -> float:
    """The smallest number at which it fits, to a part in so many of it, where it fits from some
    number on; one that fits."""
    if fits(low, fine=False):
        return low
    a, b = math.log(low), math.log(high)
    if fits(high, fine=False):
        b = _between(fits, a, b, _NEAR, fine=False)
        reach = _REACH
        while b - reach > a and fits(math.exp(b - reach), fine=True):
            b, reach = b - reach, 2 * reach
        a = max(a, b - reach)
    elif not fits(high, fine=True):
        raise ParamError("epsilon", say(_NEVER, epsilon=Num(float(plan.terms.epsilon), 4)))
    return math.exp(_between(fits, a, b, _NEARER, fine=True))


def _between(fits: Callable[..., bool], a: float, b: float, near: float, *, fine: bool) -> float:
    """Where it begins to fit between two logarithms, of which the second does."""
    while b - a > near:
        middle = (a + b) / 2
        a, b = (a, middle) if fits(math.exp(middle), fine=fine) else (middle, b)
    return b
