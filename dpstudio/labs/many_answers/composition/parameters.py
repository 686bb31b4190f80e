"""Composition: what many answers cost, by every bound that the field knows, on equal answers or on
a list of different ones."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.many_answers.composition import ABOUT
from dpstudio.labs.series import Series
from dpstudio.privacy.accounting import ACCOUNTANTS
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_, of_source
from dpstudio.values.parameters import Integer, Real, Several, param

SCALES = {"log": N_("logarithmic"), "linear": N_("linear")}
# One bound of each idea; the other ten are a click away.
SHOWN = ("sequential", "drv", "kov35", "zcdp_tight", "pld")
PEOPLE = Integer(
    N_("Group of"), N_("How many people a group has whose privacy is looked at."), low=1, high=10
)
BOUNDS = Several(
    N_("Bounds"),
    N_("Which are drawn and compared."),
    options=lambda: {a.key: a.label for a in ACCOUNTANTS},
    tips=lambda: {a.key: (a.formula, of_source(a.source)) for a in ACCOUNTANTS},
)
BUDGET = Real(
    N_("Budget ε"),
    N_("The total ε that all answers may cost together."),
    low=0.01,
    high=10_000,
    log=True,
)
ORDER = Real(
    N_("Order α"),
    N_("The Rényi divergence of the whole is worked out at this order."),
    low=1.001,
    high=1e6,
    log=True,
)


class Composition(Series, about=ABOUT):
    """Total ε of many answers by every bound, and what a budget buys."""

    people: int = param(2, PEOPLE)
    bounds: tuple[str, ...] = param(SHOWN, BOUNDS)
    budget: float = param(10.0, BUDGET)
    at_epsilon: float = shared.at_epsilon()
    order: float = param(2.0, ORDER, look=True)
    scale: str = choice("linear", N_("Axes"), options=SCALES)
