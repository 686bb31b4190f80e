"""What the composition lab knows: the ledger, what it costs by every bound, and which of them is
the tightest."""

import math
from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.memo import once
from dpstudio.labs.series_ledger import counted
from dpstudio.labs.series_model import (
    SeriesModel,
    by_adding,
    delta_of,
    in_time,
    known,
    smaller,
    supposed,
    total_here,
    touched_by_one,
    why_not,
)
from dpstudio.privacy.accounting import ACCOUNTANTS, Accountant, GroupPrivacy, Parallel, Sequential
from dpstudio.values.messages import Message

KINDS: dict[str, type[Accountant]] = {kind.key: kind for kind in ACCOUNTANTS}


@dataclass(frozen=True, eq=False)
class CompositionModel(SeriesModel):
    """The releases of one state, and the bounds by which they are looked at."""

    lab: Composition


@dataclass(frozen=True)
class Valued:
    """A bound with its total ε here: `loose` is the factor over the tightest of those that bound
    one person's loss, of which this is one if it `counts` (`standing`)."""

    bound: Accountant
    epsilon: float
    loose: float
    counts: bool


def composition_model(
    lab: Composition, data: Dataset, fine: bool = False, effort: Effort = SCREEN
) -> CompositionModel:
    """The releases of a state of the lab."""
    return CompositionModel(lab, data, fine, effort)


# The bounds


def bound_of(model: CompositionModel, key: str) -> Accountant:
    """The bound of that name; that on groups for the people of this state, that on parts for the
    rows that one of them may have."""
    if key == "group_privacy":
        return GroupPrivacy(people=model.lab.people)
    return Parallel(rows=model.data.contributions) if key == "parallel" else KINDS[key]()


@once
def bounds(model: CompositionModel) -> tuple[Accountant, ...]:
    """The chosen bounds that apply, in the order of the catalogue."""
    made = (bound_of(model, key) for key in model.lab.bounds)
    return tuple(a for a in made if in_time(model, a) and why_not(model, a) is None)


@once
def proved(model: CompositionModel) -> tuple[Accountant, ...]:
    """Those of them that bound what one person loses."""
    return tuple(a for a in bounds(model) if a.envelope)


@once
def standing(model: CompositionModel) -> tuple[Accountant, ...]:
    """Those of these that suppose no promise that is broken."""
    return tuple(a for a in proved(model) if not a.supposes(model.ledger))


@once
def refused(model: CompositionModel) -> dict[str, Message]:
    """The chosen bounds that say nothing here, with the reason."""
    why = {key: why_not(model, bound_of(model, key)) for key in model.lab.bounds}
    return {key: said for key, said in why.items() if said is not None}


# What the releases cost


@once
def valued(model: CompositionModel) -> tuple[Valued, ...]:
    """Every bound that applies with its total ε, the tightest first; without those that promise
    nothing."""
    found = [(a, total_here(model, a)) for a in bounds(model)]
    least = min((e for a, e in found if a in standing(model)), default=math.inf)
    made = [
        Valued(a, e, e / least if 0 < least < math.inf else 1.0, a in standing(model))
        for a, e in found
        if math.isfinite(e)
    ]
    return tuple(sorted(made, key=lambda v: (v.epsilon, not v.counts)))


def left_by_averaging(model: CompositionModel) -> float:
    """The exact standard deviation of the mean of all equal answers."""
    law = model.lab.mechanism.law(counted(model.data.contributions))
    return math.sqrt(law.variance / model.answers)


@once
def tightest(model: CompositionModel) -> Valued:
    """The tightest bound on what one person loses; adding up, which needs no δ′, where nothing is
    visibly better. Where a promise is broken, and no bound stands that is chosen, one that is not;
    where there is none, adding up, which does not count then."""
    counting = [v for v in valued(model) if v.counts]
    if supposed(model):
        others = [] if counting else [(a, total_here(model, a)) for a in known(model)]
        counting += [Valued(a, e, 1.0, True) for a, e in others if math.isfinite(e)]
        added = Valued(Sequential(), by_adding(model), 1.0, False)
        return min(counting, key=lambda v: v.epsilon, default=added)
    best = next(iter(counting), Valued(Sequential(), by_adding(model), 1.0, True))
    plain = [v for v in counting if v.bound.key in ("sequential", "parallel")]
    touched = touched_by_one(model)
    if model.ledger.groups and touched < by_adding(model):  # chosen or not: it needs no δ
        plain.append(Valued(bound_of(model, "parallel"), touched, 1.0, True))
    return next((v for v in plain if not smaller(best.epsilon, v.epsilon)), best)


def tightest_delta(model: CompositionModel) -> float:
    """The total δ that goes with the tightest bound."""
    return delta_of(model, tightest(model).bound)


def saves(model: CompositionModel) -> bool:
    """Whether the tightest bound is visibly below adding up, and all promises are kept."""
    return smaller(tightest(model).epsilon, by_adding(model)) and not supposed(model)
