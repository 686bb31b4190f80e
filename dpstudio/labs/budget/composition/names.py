"""The composition lab's bounds and factors by name, as charts, sentences and tables say them."""

from __future__ import annotations

from dpstudio.labs.budget.composition.keeping import Kept, cap
from dpstudio.labs.budget.composition.model import CompositionModel
from dpstudio.privacy.accounting import Accountant, GroupPrivacy
from dpstudio.values.messages import N_, Num, Say, say

SHORT = {
    "sequential": N_("adding up"),
    "drv": N_("DRV 2010"),
    "kov35": N_("KOV 3.5"),
    "kov33": N_("KOV 3.3"),
    "optimal": N_("optimum"),
    "zcdp": N_("zCDP"),
    "zcdp_tight": N_("tight zCDP"),
    "gdp": N_("Gaussian DP"),
    "gdp_clt": N_("GDP limit"),
    "pld": N_("numeric"),
    "shortcut": N_("texts"),
}


def name_of(bound: Accountant) -> Say:
    """The name of a bound; that on groups with their size."""
    if isinstance(bound, GroupPrivacy):
        return say("group of {people}", people=bound.people)
    return Say(bound.label)


def short_of(bound: Accountant) -> Say:
    """The name that stands at a curve."""
    return Say(SHORT[bound.key]) if bound.key in SHORT else name_of(bound)


def times(model: CompositionModel, one: Kept) -> Say:
    """The factor that a budget leaves; what goes beyond the largest ε there is says so."""
    text = N_("≥ × {factor}") if one.factor >= cap(model.entries) else N_("× {factor}")
    return say(text, factor=Num(one.factor, 3, "down"))
