"""What labs know of a series of answers: the ledger, its beginnings, and what they cost by a
bound."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.context import Effort
from dpstudio.labs.memo import once
from dpstudio.labs.release_list import Entry, Line, lines
from dpstudio.labs.series import Series
from dpstudio.labs.series_ledger import counted, first_answers, ledger_of, own_delta
from dpstudio.privacy import accounting
from dpstudio.privacy.accounting.accountant import unsampled
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.values.messages import N_, Message, Num, safely, say
from dpstudio.values.problem import Problem

DIGITS = 4  # of a total ε, as it is said
CROWDED = 4  # sets of releases
NOTHING = 0.9995  # a δ from there on promises next to nothing
Curve = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class SeriesModel:
    """The releases of one state, as they are listed and as the accountants read them. A `fine` one
    has the slow, numeric bound too, and more points."""

    lab: Series
    data: Dataset
    fine: bool
    effort: Effort

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The releases, as they are listed."""
        lab = self.lab
        return (Line(lab.answers, lab.mechanism),) if self.equal else lab.releases

    @cached_property
    def ledger(self) -> accounting.Ledger:
        """The releases, as the accountants read them."""
        return ledger_of(self.entries, self.lab.adjacency, self.data.contributions)

    @property
    def equal(self) -> bool:
        """Whether these are k equal answers rather than a list."""
        return self.lab.given == "equal"

    @property
    def answers(self) -> int:
        """How many answers there are in all."""
        return self.ledger.answers

    @cached_property
    def spend(self) -> accounting.Spend:
        """One of the equal releases."""
        return accounting.Spend.of(self.lab.mechanism, counted(self.data.contributions))

    @cached_property
    def own_delta(self) -> float:
        """The δ of the releases, all added up."""
        return own_delta(self.ledger)

    @property
    def delta(self) -> float:
        """The total δ at which every bound is judged: that of the releases, and δ′ on top."""
        return self.own_delta + self.lab.delta_prime


def reach(model: SeriesModel) -> int:
    """How far the axis of k reaches."""
    return max(model.lab.view_k, model.answers, 2) if model.equal else max(model.answers, 2)


def why_not(
    model: SeriesModel, bound: accounting.Accountant, ledger: accounting.Ledger | None = None
) -> Message | None:
    """Why a bound says nothing about these releases (or those of another ledger), or None; that a δ
    is below what the numeric one can see shows in a fine model only."""
    ledger = ledger or model.ledger
    why = bound.refuse(ledger)
    if why is None and isinstance(bound, accounting.Numeric) and model.fine:
        delta = own_delta(ledger) + model.lab.delta_prime
        key = ("composition refused", ledger, delta)
        why = OF_NO_TABLE.remember(key, lambda: bound.refuse_delta(ledger, delta))
    return why


def in_time(model: SeriesModel, bound: accounting.Accountant) -> bool:
    """Whether a bound is worked out in this picture: what is slow is left to the refined one."""
    return model.fine or not bound.slow(model.ledger)


@once
def crowded(model: SeriesModel) -> bool:
    """Whether one person may touch so many sets of these releases that what is slow is told of all
    of them together alone: each total takes as many times as long."""
    try:
        return len(model.ledger.worlds()) > CROWDED
    except ValueError:  # more than any bound goes through
        return False


def beginning(model: SeriesModel, k: int) -> accounting.Ledger:
    """The ledger of the first k answers: of the list, or of so many equal ones."""
    if model.equal:
        return replace(model.ledger, spends=(model.spend.times(k),))
    entries = first_answers(model.entries, k)
    return ledger_of(entries, model.lab.adjacency, model.data.contributions)


def total_epsilon(
    model: SeriesModel, bound: accounting.Accountant, ledger: accounting.Ledger, delta: float
) -> float:
    """Total ε of a ledger at total δ by a bound; inf where it promises nothing."""
    if delta >= 1:
        return math.inf
    key = ("composition total", bound, ledger, delta)
    return float(OF_NO_TABLE.remember(key, lambda: bound.epsilon(ledger, delta)))


def total_here(model: SeriesModel, bound: accounting.Accountant) -> float:
    """Total ε of all releases by a bound; of a group at the δ that it has by adding up."""
    delta = delta_of(model, bound) if isinstance(bound, accounting.GroupPrivacy) else model.delta
    return total_epsilon(model, bound, model.ledger, delta)


def total_of_first(model: SeriesModel, bound: accounting.Accountant, k: int) -> float:
    """Total ε of the first k answers of the list; inf where the bound promises nothing."""
    ledger = beginning(model, k)
    delta = own_delta(ledger) + model.lab.delta_prime
    return math.inf if why_not(model, bound, ledger) else total_epsilon(model, bound, ledger, delta)


@once
def by_adding(model: SeriesModel) -> float:
    """Total ε by adding up."""
    return total_here(model, accounting.Sequential())


@once
def supposed(model: SeriesModel) -> bool:
    """Whether what adding up says holds only if a promise were kept that is broken."""
    return accounting.Sequential().supposes(model.ledger)


def smaller(epsilon: float, other: float) -> bool:
    """Whether a total ε is smaller than another one to the eye, as both are said."""
    return safely(epsilon, DIGITS, "up") < safely(other, DIGITS, "up")


def delta_of(model: SeriesModel, bound: accounting.Accountant) -> float:
    """The total δ that goes with a bound's ε: adding up needs no δ′, a group has more."""
    if bound.key in ("sequential", "parallel"):
        return model.own_delta
    if isinstance(bound, accounting.GroupPrivacy):
        return accounting.group_privacy(by_adding(model), model.own_delta, bound.people)[1]
    return model.delta


@once
def known(model: SeriesModel) -> tuple[accounting.Accountant, ...]:
    """The bounds on one person's loss that apply, whether chosen or not, of those that no other
    outdoes: what is said of all bounds is said of these."""
    made: list[accounting.Accountant] = [
        accounting.Sequential(),
        accounting.ZCDPTight(),
        accounting.GaussianDP(),
    ]
    optimum, numeric = (
        accounting.Optimal(),
        model.fine and why_not(model, accounting.Numeric()) is None,
    )
    # What knows the noise outdoes what goes through all outcomes of a coarser one.
    quick = not optimum.slow(model.ledger) and (model.fine or model.answers <= accounting.K_NUMERIC)
    if quick or (model.fine and not numeric):
        made.append(optimum)
    if model.fine:
        made.append(accounting.Numeric() if numeric else accounting.Renyi())
    fit = (a for a in made if why_not(model, a) is None)
    return tuple(a for a in fit if not a.supposes(model.ledger))


@once
def touched_by_one(model: SeriesModel) -> float:
    """Total ε by adding up what one person may touch; of all parts where these are too many."""
    parts = accounting.Parallel()
    return total_here(model, parts) if why_not(model, parts) is None else by_adding(model)


def delta_at(model: SeriesModel, k: Array) -> Array:
    """The total δ at which k equal answers are judged: kδ + δ′."""
    return np.asarray(k * model.spend.delta + model.lab.delta_prime)


def total_at(model: SeriesModel, bound: accounting.Accountant, k: Array) -> Array:
    """Total ε of k equal answers, for each k; inf where the bound promises nothing."""
    delta, total = delta_at(model, k), np.full(k.shape, np.inf)
    kept = delta < 1
    total[kept] = bound.curve(model.spend, k[kept], delta[kept], model.lab.adjacency)
    return total


def totals(model: SeriesModel, bound: accounting.Accountant, k: Array) -> Curve:
    """(k, total ε of the first k answers by a bound); NaN where it promises nothing."""

    def points() -> Array:
        if not model.equal:
            y = np.array([total_of_first(model, bound, int(each)) for each in k])
        else:
            y = total_at(model, bound, k)
        return array(np.where(np.isfinite(y), y, np.nan))

    asked = model.spend if model.equal else (model.entries, model.data.contributions)
    key = ("series totals", bound, asked, model.lab.delta_prime, model.lab.adjacency, k.tobytes())
    return array(k), OF_NO_TABLE.remember(key, points)


def series_problems(model: SeriesModel) -> Iterator[Problem]:
    """What stops or qualifies a series: a δ of 1 in all, samples of who is replaced, too many parts
    in brackets, promises that do not hold."""
    if model.delta >= 1:
        text = N_(
            "These answers have a δ of {delta} in all, which promises nothing. Take fewer "
            "answers, or a smaller δ."
        )
        field = "mechanism.delta" if model.equal else "releases"
        yield Problem(field, say(text, delta=Num(min(model.delta, 1.0))))
        return
    if why := unsampled(model.ledger):
        yield Problem("adjacency", why)
        return
    try:
        model.ledger.worlds()
    except ValueError:
        text = N_("There are too many different parts in brackets; write fewer of them.")
        yield Problem("releases", say(text))
    said = (line.mechanism for entry in model.entries for line in lines(entry))
    for mechanism in dict.fromkeys(said):
        promise = mechanism.guarantee(UNIT)
        if not promise.sound:
            yield Problem("mechanism" if model.equal else "releases", promise.note, stops=False)
