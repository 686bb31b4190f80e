"""What the composition lab knows: the ledger, what it costs by every bound, and which of them is
the tightest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from dpstudio.data.dataset import Dataset
from dpstudio.labs.budget.composition.ledger import counted, ledger_of, own_delta
from dpstudio.labs.budget.composition.parameters import Composition
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.labs.memo import once
from dpstudio.labs.release_list import Entry, Line
from dpstudio.privacy.accounting import (
    ACCOUNTANTS,
    K_NUMERIC,
    Accountant,
    GaussianDP,
    GroupPrivacy,
    Ledger,
    Numeric,
    Optimal,
    Parallel,
    Renyi,
    Sequential,
    Spend,
    ZCDPTight,
    group_privacy,
)
from dpstudio.values.messages import Message, safely

DIGITS = 4  # of a total ε, as it is said
CROWDED = 4  # sets of releases
NOTHING = 0.9995  # a δ from there on promises next to nothing
KINDS: dict[str, type[Accountant]] = {kind.key: kind for kind in ACCOUNTANTS}


@dataclass(frozen=True, eq=False)
class CompositionModel:
    """The releases of one state, as they are listed and as the accountants read them. A `fine` one
    has the slow, numeric bound too, and more points."""

    lab: Composition
    data: Dataset
    entries: tuple[Entry, ...]
    ledger: Ledger
    fine: bool
    effort: Effort

    @property
    def equal(self) -> bool:
        """Whether these are k equal answers rather than a list."""
        return self.lab.given == "equal"

    @property
    def answers(self) -> int:
        """How many answers there are in all."""
        return self.ledger.answers

    @cached_property
    def spend(self) -> Spend:
        """One of the equal releases."""
        return Spend.of(self.lab.mechanism, counted(self.data.contributions))

    @cached_property
    def own_delta(self) -> float:
        """The δ of the releases, all added up."""
        return own_delta(self.ledger)

    @property
    def delta(self) -> float:
        """The total δ at which every bound is judged: that of the releases, and δ′ on top."""
        return self.own_delta + self.lab.delta_prime


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
    equal = (Line(lab.answers, lab.mechanism),)
    entries = equal if lab.given == "equal" else lab.releases
    ledger = ledger_of(entries, lab.adjacency, data.contributions)
    return CompositionModel(lab, data, entries, ledger, fine, effort)


# The bounds


def bound_of(model: CompositionModel, key: str) -> Accountant:
    """The bound of that name; that on groups for the people of this state, that on parts for the
    rows that one of them may have."""
    if key == "group_privacy":
        return GroupPrivacy(people=model.lab.people)
    return Parallel(rows=model.data.contributions) if key == "parallel" else KINDS[key]()


def why_not(
    model: CompositionModel, bound: Accountant, ledger: Ledger | None = None
) -> Message | None:
    """Why a bound says nothing about these releases (or those of another ledger), or None; that a δ
    is below what the numeric one can see shows in a fine model only."""
    ledger = ledger or model.ledger
    why = bound.refuse(ledger)
    if why is None and isinstance(bound, Numeric) and model.fine:
        delta = own_delta(ledger) + model.lab.delta_prime
        key = ("composition refused", ledger, delta)
        why = model.data.remember(key, lambda: bound.refuse_delta(ledger, delta))
    return why


def in_time(model: CompositionModel, bound: Accountant) -> bool:
    """Whether a bound is worked out in this picture: what is slow is left to the refined one."""
    return model.fine or not bound.slow(model.ledger)


@once
def crowded(model: CompositionModel) -> bool:
    """Whether one person may touch so many sets of these releases that what is slow is told of all
    of them together alone: each total takes as many times as long."""
    try:
        return len(model.ledger.worlds()) > CROWDED
    except ValueError:  # more than any bound goes through
        return False


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


def total_epsilon(
    model: CompositionModel, bound: Accountant, ledger: Ledger, delta: float
) -> float:
    """Total ε of a ledger at total δ by a bound; inf where it promises nothing."""
    if delta >= 1:
        return math.inf
    key = ("composition total", bound, ledger, delta)
    return float(model.data.remember(key, lambda: bound.epsilon(ledger, delta)))


def total_here(model: CompositionModel, bound: Accountant) -> float:
    """Total ε of all releases by a bound; of a group at the δ that it has by adding up."""
    delta = delta_of(model, bound) if isinstance(bound, GroupPrivacy) else model.delta
    return total_epsilon(model, bound, model.ledger, delta)


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


@once
def by_adding(model: CompositionModel) -> float:
    """Total ε by adding up."""
    return total_here(model, Sequential())


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
    if model.ledger.groups and touched_by_one(model) < by_adding(
        model
    ):  # chosen or not: it needs no δ
        plain.append(Valued(bound_of(model, "parallel"), touched_by_one(model), 1.0, True))
    return next((v for v in plain if not smaller(best.epsilon, v.epsilon)), best)


@once
def supposed(model: CompositionModel) -> bool:
    """Whether what adding up says holds only if a promise were kept that is broken."""
    return Sequential().supposes(model.ledger)


def smaller(epsilon: float, other: float) -> bool:
    """Whether a total ε is smaller than another one to the eye, as both are said."""
    return safely(epsilon, DIGITS, "up") < safely(other, DIGITS, "up")


def tightest_delta(model: CompositionModel) -> float:
    """The total δ that goes with the tightest bound."""
    return delta_of(model, tightest(model).bound)


def saves(model: CompositionModel) -> bool:
    """Whether the tightest bound is below adding up, which holds if all promises are kept."""
    best = tightest(model)
    worse = best.bound.key == "sequential" or best.epsilon >= by_adding(model) * (1 - 1e-9)
    return not worse and not supposed(model)


def delta_of(model: CompositionModel, bound: Accountant) -> float:
    """The total δ that goes with a bound's ε: adding up needs no δ′, a group has more."""
    if bound.key in ("sequential", "parallel"):
        return model.own_delta
    if bound.key == "group_privacy":
        return group_privacy(by_adding(model), model.own_delta, model.lab.people)[1]
    return model.delta


# What adding up says of disjoint parts, and which bounds are asked


@once
def known(model: CompositionModel) -> tuple[Accountant, ...]:
    """The bounds on one person's loss that apply, whether chosen or not, of those that no other
    outdoes: what is said of all bounds is said of these."""
    made: list[Accountant] = [Sequential(), ZCDPTight(), GaussianDP()]
    optimum, numeric = Optimal(), model.fine and why_not(model, Numeric()) is None
    # What knows the noise outdoes what goes through all outcomes of a coarser one.
    quick = not optimum.slow(model.ledger) and (model.fine or model.answers <= K_NUMERIC)
    if quick or (model.fine and not numeric):
        made.append(optimum)
    if model.fine:
        made.append(Numeric() if numeric else Renyi())
    fit = (a for a in made if why_not(model, a) is None)
    return tuple(a for a in fit if not a.supposes(model.ledger))


@once
def touched_by_one(model: CompositionModel) -> float:
    """Total ε by adding up what one person may touch; of all parts where these are too many."""
    parts = Parallel()
    return total_here(model, parts) if why_not(model, parts) is None else by_adding(model)
