"""What groups of people are left by the composition lab's releases, and what disjoint parts of them
cost."""

import math
from bisect import bisect_left
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.many_answers.composition.model import CompositionModel, tightest, tightest_delta
from dpstudio.labs.memo import once
from dpstudio.labs.series_model import NOTHING, known, smaller, supposed, touched_by_one
from dpstudio.privacy.accounting import Accountant, GroupPromise, Sequential, group_privacy
from dpstudio.privacy.accounting import group_promise as promise_to

ENDLESS = 300 * math.log(10)  # an ε by which odds may grow 10³⁰⁰ times


def group_at(model: CompositionModel, people: int, epsilon: float) -> GroupPromise:
    """What so many people together keep at this ε, by the best of the bounds."""
    key = ("composition group", known(model), model.ledger, people, epsilon)
    return OF_NO_TABLE.remember(
        key, lambda: promise_to(known(model), model.ledger, people, epsilon)
    )


def group(model: CompositionModel, people: int) -> GroupPromise:
    """What so many people together keep at as many times the tightest ε of one person."""
    best = tightest(model)
    found = group_at(model, people, people * best.epsilon)
    _, stepped = group_privacy(best.epsilon, tightest_delta(model), people)
    if found.delta <= stepped or not best.counts:
        return found
    return replace(found, delta=stepped, bound=best.bound)


def group_by_adding(model: CompositionModel, people: int) -> GroupPromise:
    """The same at as many times the ε by adding up what one person may touch, which leaves δ = 0
    where the answers have none."""
    return group_at(model, people, people * touched_by_one(model))


@once
def group_promise(model: CompositionModel) -> GroupPromise:
    """What the group of this state keeps: at the ε by adding up where that is no larger to the eye,
    where the smaller one leaves next to nothing, or where no δ is needed there and the share of ε
    that is saved is less than the δ that is paid for it; but where adding up supposes a promise
    that is broken at as many times the tightest."""
    people = model.lab.people
    if supposed(model) and tightest(model).counts:
        return group(model, people)
    added = group_by_adding(model, people)
    if not smaller(tightest(model).epsilon, touched_by_one(model)):
        return added
    found = group(model, people)
    paid = added.delta > 0 or found.epsilon <= (1 - found.delta) * added.epsilon
    return found if found.delta < NOTHING and paid else added


def hollow(promise: GroupPromise) -> bool:
    """Whether a promise leaves next to nothing: a δ near 1, or odds that may grow without end."""
    return promise.bound is None or promise.delta >= NOTHING or promise.epsilon > ENDLESS


def group_curves(model: CompositionModel) -> list[tuple[str, Accountant, Array, Array]]:
    """(key, bound, people, ε) of groups of one to ten by the tightest bound, and by adding up where
    that is another; NaN from where on next to nothing is left. Those that promise nothing to
    anybody are left out."""
    people = np.arange(1.0, 11.0)
    routes = [("best", tightest(model).bound, tightest(model).epsilon)]
    if tightest(model).bound.key != "sequential" and not supposed(model):
        routes.append(("added", Sequential(), touched_by_one(model)))
    made = []
    for key, bound, one in routes:
        # More people never keep more.
        most = 1 + bisect_left(range(1, 11), True, key=lambda m: not _keeps(model, m, m * one))
        epsilons = np.where(people < most, people * one, np.nan)
        if most > 1:
            made.append((key, bound, people, epsilons))
    return made


def _keeps(model: CompositionModel, people: int, epsilon: float) -> bool:
    """Whether any bound leaves so many people more than next to nothing: the quickest first, and
    the numeric one where all releases are of one kind."""
    if (people, epsilon) == (1, tightest(model).epsilon) and tightest(model).counts:
        return tightest_delta(model) < NOTHING
    return any(
        promise_to((bound,), model.ledger, people, epsilon).delta < NOTHING
        for bound in known(model)
        if not bound.numeric or len(model.ledger.spends) == 1
    )


def in_parts(model: CompositionModel) -> tuple[float, float]:
    """(ε, δ) of the equal answers, each asked of a part of its own: one counts, two where a person
    is replaced, who may leave one part and enter another."""
    count, one = min(model.answers, model.ledger.touched), model.spend
    return count * one.epsilon, min(1.0, count * one.delta)
