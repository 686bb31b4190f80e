"""Bounds on a series of answers by name, as charts, sentences and tables say them."""

from dpstudio.labs.series_model import SeriesModel
from dpstudio.labs.supposed import supposing
from dpstudio.privacy.accounting import Accountant, GroupPrivacy
from dpstudio.values.messages import N_, Message, Num, say

SHORT = {
    "sequential": N_("Sequential (adding up)"),
    "drv": N_("Advanced (2010)"),
    "kov35": N_("Advanced (2015)"),
    "kov33": N_("Theorem 3.3 (2015)"),
    "optimal": N_("Optimum"),
    "zcdp": N_("zCDP (2016)"),
    "zcdp_tight": N_("zCDP (tight)"),
    "gdp": N_("Gaussian DP"),
    "gdp_clt": N_("GDP limit"),
    "pld": N_("Numeric"),
    "shortcut": N_("texts"),
}


def name_of(bound: Accountant) -> Message:
    """The name of a bound; that on groups with their size."""
    if isinstance(bound, GroupPrivacy):
        return say("group of {people}, adding up", people=bound.people)
    return Message(bound.label)


def short_of(bound: Accountant) -> Message:
    """The name that stands at a curve."""
    return Message(SHORT[bound.key]) if bound.key in SHORT else name_of(bound)


def name_here(model: SeriesModel, bound: Accountant, *, short: bool = True) -> Message:
    """The name of a bound, and that what it says of these releases holds only if their promise
    did, which it does not."""
    name = short_of(bound) if short else name_of(bound)
    return supposing(name) if bound.supposes(model.ledger) else name


def total_of(epsilon: float, bound: Accountant | None = None) -> Num:
    """A total ε as it is shown everywhere: rounded up, but what the texts print, which bounds
    nothing, as it is."""
    return Num(epsilon, 4, "near" if bound is not None and bound.key == "shortcut" else "up")
