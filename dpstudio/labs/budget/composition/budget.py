"""What a budget buys of the composition lab's answers: how many equal ones, the ε of each, and what
it leaves to the unlocked releases of a list."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.labs.budget.composition.curves import Curve, curves, reach, total_at
from dpstudio.labs.budget.composition.keeping import Kept, kept
from dpstudio.labs.budget.composition.model import CompositionModel, proved
from dpstudio.labs.once import once
from dpstudio.labs.release_list import Entry, lines, refitted
from dpstudio.privacy.accounting import Accountant
from dpstudio.privacy.mechanisms import Additive
from dpstudio.values.messages import safely
from dpstudio.values.params import ParamError

QUICK_LINES = 10
HAIR = 1 + 1e-12  # 7 × 0.1 is a rounding above 0.7

# Equal answers


def affordable(model: CompositionModel, bound: Accountant) -> int:
    """The largest k whose total by a bound stays within the budget; 0 where one is too many."""
    lab, spend = model.lab, model.spend

    def solve() -> int:
        if spend.delta == 0:
            return bound.affordable(spend, lab.budget * HAIR, lab.delta_prime, lab.adjacency)
        low, high = 0, bound.most + 1
        while high - low > 1:
            middle = (low + high) // 2
            fits = total_at(model, bound, float(middle)) <= lab.budget * HAIR
            low, high = (middle, high) if fits else (low, middle)
        return low

    key = ("composition affordable", bound, spend, lab.budget, lab.delta_prime, lab.adjacency)
    return int(model.data.remember(key, solve))


@once
def most_affordable(model: CompositionModel) -> int:
    """The most answers that the budget buys, by any bound."""
    return max((affordable(model, a) for a in proved(model)), default=0)


def afford_curves(model: CompositionModel) -> dict[Accountant, Curve]:
    """(k, total ε) of every bound on one person's loss, up to the budget where that lies beyond
    what the other charts show."""
    made = {}
    for bound in proved(model):
        k, total = curves(model)[bound.key]
        if not len(k):
            continue
        if reach(model) < affordable(model, bound) < bound.most:
            k = np.append(k, affordable(model, bound))
            total = np.append(total, model.lab.budget)
        made[bound] = k, total
    return made


def epsilon_each(model: CompositionModel, bound: Accountant) -> float:
    """The largest ε of each of k equal pure releases that stay within the budget by a bound."""
    k, lab = model.answers, model.lab
    key = ("composition each", bound, k, lab.budget, lab.delta_prime)
    found = model.data.remember(key, lambda: bound.per_release(k, lab.budget, lab.delta_prime))
    return float(found)


@once
def each_by_bound(model: CompositionModel) -> dict[Accountant, float]:
    """That ε by every bound on what is known of pure answers alone."""
    named = ("gdp", "parallel")
    told = (a for a in proved(model) if not a.numeric and a.key not in named)
    return {a: e for a in told if math.isfinite(e := epsilon_each(model, a))}


def best_each(model: CompositionModel) -> float:
    """The largest of them; 0 where there is none."""
    return max(each_by_bound(model).values(), default=0.0)


# A list


def keep(model: CompositionModel, bound: Accountant) -> Kept:
    """What the budget leaves to the unlocked releases of the list by one bound."""
    entries, delta, lab = model.entries, model.delta, model.lab
    key = ("composition keep", bound, entries, lab.budget, delta, lab.adjacency)
    return model.data.remember(key, lambda: kept(entries, lab.adjacency, delta, lab.budget, bound))


def all_locked(model: CompositionModel) -> bool:
    """Whether no release of the list may be changed."""
    return all(entry.locked for entry in model.entries)


@once
def kept_by_bound(model: CompositionModel) -> tuple[Kept, ...]:
    """That by every bound on one person's loss; none where every release is locked, or in equal
    ones."""
    if model.equal or all_locked(model):
        return ()
    # The optimum of many different releases goes through all their outcomes, and that at every
    # step of the search.
    quick = model.fine or sum(len(lines(entry)) for entry in model.entries) <= QUICK_LINES
    return tuple(keep(model, a) for a in proved(model) if quick or a.key != "optimal")


def best_kept(model: CompositionModel) -> Kept | None:
    """What is left by the bound that leaves most; None where no bound says anything."""
    return max(kept_by_bound(model), key=lambda one: one.factor, default=None)


def kept_by_adding(model: CompositionModel) -> Kept | None:
    """What is left by adding up; None where that is not chosen."""
    return next((one for one in kept_by_bound(model) if one.bound.key == "sequential"), None)


def epsilon_left(entry: Entry, mechanism: Additive, one: Kept) -> float:
    """The ε that the budget leaves to an answer of an entry; a locked one keeps its own."""
    return mechanism.epsilon if entry.locked else mechanism.epsilon * one.factor


@once
def fitted(model: CompositionModel) -> tuple[Entry, ...]:
    """The list with the largest factor on what is unlocked, each ε rounded down to four digits;
    empty where nothing is left, or an ε would lie outside of what can be typed."""
    best = best_kept(model)
    if best is None or best.factor == 0:
        return ()
    factor = best.factor

    def typed(mechanism: Additive) -> Additive:
        return mechanism.with_(epsilon=safely(mechanism.epsilon * factor, 4, "down"))

    try:
        return tuple(refitted(entry, typed) for entry in model.entries)
    except ParamError:
        return ()
