"""What is left to find where all else is given: ε, an error, a size, or how often."""

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
_NEVER = N_("There is none at ε = {epsilon}: the other questions of the plan take too much.")


def least_error(plan: Plan, name: str) -> float:
    """The least error of one question at the total ε, where all others keep their targets. Raises
    ParamError where there is none."""
    start = plan.question(name)

    def fits(error: float) -> bool:
        return _fits(plan, start.with_(target=Target(Fraction(error))))

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

    def fits(size: float) -> bool:
        rows, target = Fraction(math.ceil(size)), start.target
        if relative and target is not None and not start.counted:
            target = replace(target, of=rows)
        return _fits(plan, start.with_(target=target, size=rows))

    return math.ceil(_smallest(plan, fits, 1.0, _MOST_SIZE))


def most_times(plan: Plan, name: str, most: int = 10_000) -> int:
    """How often a question can be asked at the total ε, where all targets are met each time; 0
    where once is too often."""
    start = plan.question(name)

    def fits(times: int) -> bool:
        return _fits(plan, start.with_(times=times))

    if not fits(1):
        return 0
    low, high = 1, 2
    while high <= most and fits(high):
        low, high = high, 2 * high
    high = min(high, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _fits(plan: Plan, question: Question) -> bool:
    new = tuple(question if q.name == question.name else q for q in plan.questions)
    return least_epsilon(replace(plan, questions=new, split=())) <= float(plan.terms.epsilon)


def _smallest(plan: Plan, fits: Callable[[float], bool], low: float, high: float) -> float:
    """The smallest number at which it fits, to 1e-9, where it fits from some number on."""
    if not fits(high):
        raise ParamError("epsilon", say(_NEVER, epsilon=Num(float(plan.terms.epsilon), 4)))
    if fits(low):
        return low
    a, b = math.log(low), math.log(high)
    while b - a > 1e-9:
        middle = (a + b) / 2
        a, b = (a, middle) if fits(math.exp(middle)) else (middle, b)
    return math.exp(b)
