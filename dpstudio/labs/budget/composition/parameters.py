"""Composition: what many answers cost, by every bound that the field knows, on equal answers or on
a list of different ones."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.budget.composition import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.labs.release_list import Entry, Releases
from dpstudio.privacy.accounting import ACCOUNTANTS, K_CLOSED
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Choice, Integer, OneOf, Real, Several, param

GIVEN = {"equal": N_("k equal answers"), "list": N_("a list of answers")}
SCALES = {"log": N_("logarithmic"), "linear": N_("linear")}
EQUAL, LIST = ("given", "equal"), ("given", "list")
STARTED = "3 x laplace 0.1 | gaussian 0.5 1e-6 | (laplace 0.2 + laplace 0.3)"
# One bound of each idea; the other ten are a click away.
SHOWN = ("sequential", "drv", "kov35", "zcdp_tight", "pld")
MECHANISM = OneOf(N_("Mechanism"), family=lambda: MECHANISMS)
ANSWERS = Integer(
    N_("Answers k"),
    N_("How many such answers are published in all."),
    low=1,
    high=K_CLOSED,
    log=True,
)
RELEASES = Releases(
    N_("Releases"),
    N_(
        "Each as: how many x mechanism ε δ. “sampled 0.01” behind one draws everybody with that "
        "chance first. Brackets hold disjoint parts of the table, joined by +. "
        "“locked” at the end keeps a release as it is. All are fixed before the first is seen."
    ),
)
DELTA_PRIME = Real(
    N_("δ′"),
    N_(
        "What composition may add to the δ of the answers, once for all of them; 0 for nothing "
        "beyond theirs."
    ),
    low=1e-12,
    high=0.1,
    log=True,
    zero=True,
)
PEOPLE = Integer(
    N_("Group of"), N_("How many people a group has whose privacy is looked at."), low=1, high=10
)
BOUNDS = Several(
    N_("Bounds"),
    N_("Which are drawn and compared."),
    options=lambda: {a.key: a.label for a in ACCOUNTANTS},
    tips=lambda: {a.key: (a.formula, a.source) for a in ACCOUNTANTS},
)
BUDGET = Real(
    N_("Budget ε"),
    N_("The total ε that all answers may cost together."),
    low=0.01,
    high=10_000,
    log=True,
)
DRAWN_TO = Integer(
    N_("Draw k up to"), N_("How far the charts reach, at least."), low=10, high=K_CLOSED, log=True
)

ORDER = Real(
    N_("Order α"),
    N_("The Rényi divergence of the whole is worked out at this order."),
    low=1.001,
    high=1e6,
    log=True,
)


@dataclass(frozen=True)
class Composition(Lab, about=ABOUT):
    """Total ε of many answers by every bound, what a budget buys, and what whoever averages the
    answers learns."""

    given: str = param(
        "equal",
        Choice(N_("Answers"), N_("Equal ones, or a list of different ones."), options=GIVEN),
    )
    mechanism: Additive = param(Laplace(epsilon=1.0), MECHANISM, active_when=EQUAL)
    answers: int = param(500, ANSWERS, active_when=EQUAL)
    releases: tuple[Entry, ...] = param(STARTED, RELEASES, active_when=LIST)
    delta_prime: float = param(1e-5, DELTA_PRIME)
    adjacency: str = shared.adjacency()
    people: int = param(2, PEOPLE)
    bounds: tuple[str, ...] = param(SHOWN, BOUNDS)
    budget: float = param(10.0, BUDGET)
    at_epsilon: float = shared.at_epsilon()
    order: float = param(2.0, ORDER, look=True)
    scale: str = param("linear", Choice(N_("Axes"), options=SCALES))
    view_k: int = param(120, DRAWN_TO, active_when=EQUAL)
    seed: int = shared.seed()
