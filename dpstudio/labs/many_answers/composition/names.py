"""The composition lab's bounds and factors by name, as charts, sentences and tables say them."""

from dpstudio.labs.bound_names import name_of, short_of, total_of
from dpstudio.labs.many_answers.composition import budget, certificate, keeping
from dpstudio.labs.many_answers.composition.model import CompositionModel, tightest, valued
from dpstudio.labs.series_model import smaller
from dpstudio.labs.supposed import supposing
from dpstudio.labs.winners import listed
from dpstudio.values.messages import N_, Message, Num, say


def tightest_names(model: CompositionModel, *, short: bool = False) -> Message:
    """The tightest bound by name, and all that are as tight to the eye; of several the short
    names."""
    best = tightest(model)
    if not best.counts:
        return supposing(short_of(best.bound) if short else name_of(best.bound))
    as_tight = (v.bound for v in valued(model) if v.counts and not smaller(best.epsilon, v.epsilon))
    bounds = [best.bound, *(bound for bound in as_tight if bound.key != best.bound.key)]
    name = short_of if short or bounds[1:] else name_of
    return listed([name(bound) for bound in bounds])


def told_total(model: CompositionModel) -> Message:
    """The tightest total ε; “≤” while a chosen bound that takes a while may still lower it."""
    text = N_("≤ {total}") if certificate.awaited(model) else N_("{total}")
    return say(text, total=total_of(tightest(model).epsilon))


def told_cost(model: CompositionModel) -> Message:
    """The same inside a sentence."""
    text = N_("ε ≤ {total}") if certificate.awaited(model) else N_("ε = {total}")
    return say(text, total=total_of(tightest(model).epsilon))


def loose_of(factor: float) -> Num:
    """How many times looser than the tightest a bound is, as it is shown everywhere."""
    return Num(factor, 3, "up")


def bought(model: CompositionModel) -> Message:
    """How many answers the budget buys; where a bound was looked at no further this says so."""
    text = N_("{k} or more") if budget.at_an_end(model) else N_("{k}")
    return say(text, k=Num(budget.most_affordable(model)))


def times(model: CompositionModel, one: keeping.Kept) -> Message:
    """The factor that a budget leaves; what goes beyond the largest ε there is says so."""
    text = N_("≥ × {factor}") if one.factor >= keeping.cap(model.entries) else N_("× {factor}")
    return say(text, factor=Num(one.factor, 4, "down"))
