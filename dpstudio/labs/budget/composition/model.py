"""What the composition lab knows: the ledger, what it costs by every bound, and which of them is
the tightest."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.budget.composition.ledger import ledger_of, own_delta
from dpstudio.labs.budget.composition.parameters import Composition
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.labs.once import once
from dpstudio.labs.release_list import Entry, Line
from dpstudio.privacy.accounting import (
    ACCOUNTANTS,
    REPLACE,
    Accountant,
    GroupPrivacy,
    Ledger,
    Numeric,
    Sequential,
    Spend,
    group_privacy,
)
from dpstudio.values.messages import Say

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

    @property
    def spend(self) -> Spend:
        """One of the equal releases."""
        return Spend.of(self.lab.mechanism)

    @property
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
    one person's loss, of which this is one if it `counts`."""

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
    return CompositionModel(lab, data, entries, ledger_of(entries, lab.adjacency), fine, effort)


# The bounds


def bound_of(model: CompositionModel, key: str) -> Accountant:
    """The bound of that name; that on groups for the people of this state."""
    people = model.lab.people
    return GroupPrivacy(people=people) if key == "group_privacy" else KINDS[key]()


def why_not(model: CompositionModel, bound: Accountant, ledger: Ledger | None = None) -> Say | None:
    """Why a bound says nothing about these releases (or those of another ledger), or None; that a δ
    is below what the numeric one can see shows in a fine model only."""
    ledger = ledger or model.ledger
    why = bound.refuse(ledger)
    if why is None and isinstance(bound, Numeric) and model.fine:
        delta = own_delta(ledger) + model.lab.delta_prime
        key = ("composition refused", ledger, delta)
        why = model.data.remember(key, lambda: bound.refuse_delta(ledger, delta))
    return why


@once
def bounds(model: CompositionModel) -> tuple[Accountant, ...]:
    """The chosen bounds that apply, in the order of the catalogue."""
    made = (bound_of(model, key) for key in model.lab.bounds)
    return tuple(a for a in made if (model.fine or not a.numeric) and why_not(model, a) is None)


@once
def proved(model: CompositionModel) -> tuple[Accountant, ...]:
    """Those of them that bound what one person loses."""
    return tuple(a for a in bounds(model) if a.envelope)


@once
def refused(model: CompositionModel) -> dict[str, Say]:
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
    """Total ε of all releases by a bound."""
    return total_epsilon(model, bound, model.ledger, model.delta)


@once
def valued(model: CompositionModel) -> tuple[Valued, ...]:
    """Every bound that applies with its total ε, the tightest first; without those that promise
    nothing."""
    found = [(a, total_here(model, a)) for a in bounds(model)]
    least = min((e for a, e in found if a.envelope), default=math.inf)
    made = [
        Valued(a, e, e / least if 0 < least < math.inf else 1.0, a.envelope)
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
    """The tightest bound on what one person loses; adding up where nothing is visibly better."""
    added = Valued(Sequential(), by_adding(model), 1.0, True)
    best = next((v for v in valued(model) if v.counts), added)
    plain = next((v for v in valued(model) if v.bound.key == "sequential"), None)
    return plain if plain is not None and plain.epsilon <= best.epsilon * (1 + 1e-9) else best


def tightest_delta(model: CompositionModel) -> float:
    """The total δ that goes with the tightest bound."""
    return model.own_delta if tightest(model).bound.key == "sequential" else model.delta


def saved(model: CompositionModel) -> float:
    """The share of the ε by adding up that the tightest bound saves; 0 where it saves nothing."""
    best = tightest(model)
    worse = best.bound.key == "sequential" or best.epsilon >= by_adding(model) * (1 - 1e-9)
    return 0.0 if worse else 1 - best.epsilon / by_adding(model)


def certified(model: CompositionModel) -> tuple[float, float, float] | None:
    """(lower, upper, step): between which values the total ε of these very mechanisms lies, and how
    finely their losses were cut; None where the numeric bound is not there, or finds no end."""
    if not any(a.numeric for a in bounds(model)):
        return None
    ledger, delta, numeric = model.ledger, model.delta, Numeric()

    def found() -> tuple[float, float, float] | None:
        low, high = numeric.bracket(ledger, delta)
        return (low, high, numeric.step(ledger, delta)) if math.isfinite(high) else None

    return model.data.remember(("composition certified", ledger, delta), found)


def delta_of(model: CompositionModel, bound: Accountant) -> float:
    """The total δ that goes with a bound's ε: adding up needs no δ′, a group has more."""
    if bound.key in ("sequential", "parallel"):
        return model.own_delta
    if bound.key == "group_privacy":
        return group_by_adding(model, model.lab.people)[1]
    return model.delta


# Groups of people, and disjoint parts of them


def group(model: CompositionModel, people: int) -> tuple[float, float]:
    """(ε, δ) of a group of that many people, by the tightest bound for one person (Vadhan 2017,
    Lemma 2.2)."""
    return group_privacy(tightest(model).epsilon, tightest_delta(model), people)


def group_by_adding(model: CompositionModel, people: int) -> tuple[float, float]:
    """The same by adding up, which keeps δ = 0 where the answers have none."""
    return group_privacy(by_adding(model), model.own_delta, people)


def group_promise(model: CompositionModel) -> tuple[float, float, bool]:
    """(ε, δ, whether adding up says so) of the group of this state. The δ′ of a tighter bound is
    multiplied by e^((m − 1)ε): where that reaches 1, adding up, which has none, is left."""
    epsilon, delta = group(model, model.lab.people)
    if delta < 1:
        return epsilon, delta, False
    return *group_by_adding(model, model.lab.people), True


def group_curves(model: CompositionModel) -> list[tuple[str, Accountant, Array, Array]]:
    """(key, bound, people, ε) of groups of one to ten by the tightest bound, and by adding up where
    that is another; NaN where the δ is 1. Those that promise nothing to anybody are left out."""
    people = np.arange(1.0, 11.0)
    routes = [("best", tightest(model).bound, group)]
    if tightest(model).bound.key != "sequential":
        routes.append(("added", Sequential(), group_by_adding))
    made = []
    for key, bound, route in routes:
        both = np.array([route(model, int(m)) for m in people])
        epsilons = np.where(both[:, 1] < 1, both[:, 0], np.nan)
        if np.isfinite(epsilons).any():
            made.append((key, bound, people, epsilons))
    return made


def in_parts(model: CompositionModel) -> float:
    """What the equal answers would cost, each asked of a part of its own: one counts, two where a
    person is replaced, who may leave one part and enter another."""
    counted = 2 if model.lab.adjacency == REPLACE else 1
    return min(model.answers, counted) * model.spend.epsilon
