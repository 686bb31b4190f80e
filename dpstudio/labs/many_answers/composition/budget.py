"""What a budget buys of the composition lab's answers: how many equal ones, the ε of each, and what
it leaves to the unlocked releases of a list."""

import numpy as np

from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.many_answers.composition.curves import curves, drawn
from dpstudio.labs.many_answers.composition.keeping import Kept, kept
from dpstudio.labs.many_answers.composition.model import CompositionModel, bound_of, proved
from dpstudio.labs.memo import once
from dpstudio.labs.release_list import Entry, refitted
from dpstudio.labs.series_ledger import ledger_of
from dpstudio.labs.series_model import Curve, crowded, in_time, reach, why_not
from dpstudio.privacy.accounting import ACCOUNTANTS, Accountant, Sequential
from dpstudio.privacy.accounting.inverse import HAIR
from dpstudio.privacy.mechanisms import Additive
from dpstudio.values.messages import safely
from dpstudio.values.parameters import ParamError

# Equal answers


@once
def applying(model: CompositionModel) -> tuple[Accountant, ...]:
    """Every bound of the catalogue on what one person loses by these releases, chosen or not: what
    a budget buys does not depend on what is drawn."""
    made = (bound_of(model, kind.key) for kind in ACCOUNTANTS if kind.envelope)
    return tuple(a for a in made if in_time(model, a) and why_not(model, a) is None)


@once
def holding(model: CompositionModel) -> tuple[Accountant, ...]:
    """Those of them that suppose no promise that is broken."""
    return tuple(a for a in applying(model) if not a.supposes(model.ledger))


def affordable(model: CompositionModel, bound: Accountant) -> int:
    """The largest k whose total by a bound stays within the budget; 0 where one is too many."""
    lab, spend = model.lab, model.spend

    def solve() -> int:
        budget, between = lab.budget * HAIR, (0, 0)
        if bound in drawn(model):
            # Between which two points of its curve the budget is passed is known already.
            k, total = curves(model)[bound.key]
            fits = np.append(total <= budget, False)
            first = int(np.argmin(fits))
            known = [0, *k.astype(int).tolist(), 0]
            between = known[first], known[first + 1]
        return bound.affordable(spend, budget, lab.delta_prime, lab.adjacency, between)

    key = ("composition affordable", bound, spend, lab.budget, lab.delta_prime, lab.adjacency)
    return int(OF_NO_TABLE.remember(key, solve))


@once
def best_buyer(model: CompositionModel) -> tuple[Accountant, int]:
    """The bound by which the budget buys the most answers, and how many."""
    found = [(a, affordable(model, a)) for a in holding(model)]
    return max(found, key=lambda pair: pair[1], default=(Sequential(), 0))


def most_affordable(model: CompositionModel) -> int:
    """The most answers that the budget buys, by any bound."""
    return best_buyer(model)[1]


@once
def at_an_end(model: CompositionModel) -> bool:
    """Whether a bound may buy more than it was looked at for."""
    return any(affordable(model, a) >= a.most for a in holding(model))


def afford_curves(model: CompositionModel) -> dict[Accountant, Curve]:
    """(k, total ε) of every chosen bound on one person's loss, up to the budget where that lies
    beyond what the other charts show."""
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
    """The largest ε of each of k equal releases by this mechanism, with its δ, that stay within the
    budget by a bound, at the total δ of this state."""
    k, lab, spend, delta = model.answers, model.lab, model.spend, model.delta
    # What takes long to work out starts from what is known at once.
    quick = (a for a in applying(model) if bound.numeric and not a.numeric)
    near = max((epsilon_each(model, a) for a in quick), default=0.0)
    # It is looked for whatever ε they have now, so long as their promise is kept there.
    key = ("composition each", bound, k, spend.at(1.0), lab.budget, delta)
    return float(
        OF_NO_TABLE.remember(key, lambda: bound.per_release(k, lab.budget, delta, spend, near))
    )


@once
def best_each(model: CompositionModel) -> tuple[Accountant, float]:
    """The bound that leaves the largest ε to each of k equal releases, and that ε; 0 where none
    does. Of bounds that are equal but for roundings the first."""
    found = [(a, epsilon_each(model, a)) for a in applying(model)]
    most = max(each for _, each in found)
    return next((a, each) for a, each in found if each >= most * (1 - 1e-9))


@once
def each_by_bound(model: CompositionModel) -> dict[Accountant, float]:
    """That ε by every chosen bound on one person's loss."""
    return {a: epsilon_each(model, a) for a in proved(model)}


def least_scale(model: CompositionModel) -> float | None:
    """The smallest scale of this noise, for each unit that one person can move the answer, with
    which k answers stay within the budget; None where it has no scale, or nothing is left."""
    each = best_each(model)[1]
    return model.lab.mechanism.at(each, model.spend.delta).scale if each > 0 else None


def stopped_by_promise(model: CompositionModel) -> bool:
    """Whether the answers may have no larger ε because their noise would not keep its promise."""
    return not model.spend.at(best_each(model)[1] * (1 + 1e-6)).kept


# A list


def keep(model: CompositionModel, bound: Accountant) -> Kept:
    """What the budget leaves to the unlocked releases of the list by one bound."""
    entries, delta, lab, rows = model.entries, model.delta, model.lab, model.data.contributions
    key = ("composition keep", bound, entries, lab.budget, delta, lab.adjacency, rows)
    return OF_NO_TABLE.remember(
        key, lambda: kept(entries, lab.adjacency, rows, delta, lab.budget, bound)
    )


def all_locked(model: CompositionModel) -> bool:
    """Whether no release of the list may be changed."""
    return all(entry.locked for entry in model.entries)


@once
def sought(model: CompositionModel) -> tuple[Accountant, ...]:
    """The bounds on one person's loss by which it is worked out what the budget leaves; none where
    every release is locked, or in equal ones."""
    if model.equal or all_locked(model):
        return ()
    # The optimum of many different releases goes through all their outcomes, and that at every
    # step of the search; no numeric bound is further from these very releases.
    late = ("optimal", "pld") if crowded(model) else ("optimal",)
    # What is locked keeps its promise, broken or not.
    locked = tuple(entry for entry in model.entries if entry.locked)
    held = ledger_of(locked, model.lab.adjacency, model.data.contributions)
    return tuple(
        a
        for a in proved(model)
        if not a.supposes(held) and (a.key not in late or not a.slow(model.ledger))
    )


@once
def kept_by_bound(model: CompositionModel) -> tuple[Kept, ...]:
    """What it leaves by each of them."""
    return tuple(keep(model, a) for a in sought(model))


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
