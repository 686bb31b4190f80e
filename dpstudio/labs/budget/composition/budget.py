"""What a budget buys: how many equal answers, the ε of each, and what it leaves to the unlocked
releases of a list."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Handle, Layer, Rule, array, nice_above
from dpstudio.charts.figure import Line as Curve
from dpstudio.labs.budget.composition.charts import bars_chart, shared_names, short_of, sources_of
from dpstudio.labs.budget.composition.keeping import Kept, cap
from dpstudio.labs.budget.composition.releases import Line, lines, refitted
from dpstudio.labs.findings import Sentence, Table
from dpstudio.privacy.mechanisms import Additive
from dpstudio.values.messages import N_, Num, Say, plain, safely, say
from dpstudio.values.params import ParamError

if TYPE_CHECKING:
    from dpstudio.labs.budget.composition.model import CompositionModel


def afford_chart(model: CompositionModel) -> Figure:
    """How many answers a total budget buys, by every bound."""
    layers: list[Layer] = []
    counted = {a.key: model.affordable(a) for a in model.bounds if a.envelope}
    best = max(counted, key=lambda key: counted[key], default="sequential")
    most = counted.get(best, 0)
    reach = max(nice_above(1.1 * model.lab.budget), nice_above(model.plain))
    log = model.lab.scale == "log"
    low = 10 ** math.floor(math.log10(min(model.lab.budget, model.spend.epsilon)) + 1e-9)
    up = Axis(
        say("answers k"), log=log, range=(0.8 if log else 0.0, 1.25 * max(model.top, 1.3 * most))
    )
    across = Axis(say("total ε"), log=log, range=(low if log else 0.0, 1.2 * reach))
    curves = {}
    for bound in model.bounds:
        if bound.envelope and bound.key in model.curves and len(model.curves[bound.key][0]):
            k, total = model.curves[bound.key]
            if (
                model.top < counted[bound.key] < bound.most
            ):  # a budget beyond what the other charts show
                k, total = (
                    array(np.append(k, counted[bound.key])),
                    array(np.append(total, model.lab.budget)),
                )
            curves[bound] = k, total
    # Half way along the chart at the height of the tightest there: near ones share their words.
    height = max(
        (float(np.interp(0.5 * across.range[1], total, k)) for k, total in curves.values()),
        default=1.0,
    )
    names = shared_names(
        list(curves),
        {a.key: float(np.interp(height, k, total)) for a, (k, total) in curves.items()},
        across,
    )
    layers += [Curve(a.key, a.ink, names[a.key], total, k) for a, (k, total) in curves.items()]
    ink = next((a.ink for a in model.bounds if a.key == best), "muted")
    words = say("ε {budget} buys k = {k}", budget=Num(model.lab.budget, 4), k=Num(most))
    layers.append(Handle("here", ink, words, model.lab.budget, float(max(most, 1)), "budget"))
    return Figure(
        "afford",
        say("What a budget buys"),
        across,
        up,
        tuple(layers),
        say("answers with ε = {epsilon} each", epsilon=Num(model.spend.epsilon, 4)),
        source=sources_of(model),
    )


def each_chart(model: CompositionModel) -> Figure:
    """The inverse: what each of k equal answers may spend."""
    found = [(a, model.each(a)) for a in model.inverted]
    found = sorted(
        ((a, e) for a, e in found if math.isfinite(e) and e > 0), key=lambda pair: -pair[1]
    )
    bars = [(short_of(a), e, a.ink, a.key, say("{each}", each=Num(e, 3, "down"))) for a, e in found]
    top = nice_above(1.3 * max((e for _, e in found), default=1.0))
    return bars_chart(
        "each",
        say("What each answer may spend"),
        Axis(say("ε of each answer"), range=(0.0, top)),
        bars,
        say("{k} equal answers with δ = 0 of their own, ε = {budget} in all, δ′ = {delta}",
            k=Num(model.answers), budget=Num(model.lab.budget, 4), delta=Num(model.lab.delta_prime)),
        sources_of(model),
    )  # fmt: skip


def keep_chart(model: CompositionModel) -> Figure:
    """The factor on the ε of every unlocked release with which the whole list meets the budget, by
    every bound."""
    found = sorted(model.kept, key=lambda one: -one.factor)
    bars = []
    for one in found:
        bars.append(
            (
                short_of(one.bound),
                one.factor,
                one.bound.ink if one.factor else "bad",
                one.bound.key,
                times(model, one),
            )
        )
    top = nice_above(1.3 * max([1.0, *(one.factor for one in found)]))
    return bars_chart(
        "keep",
        say("What the budget leaves"),
        Axis(say("times the ε of each unlocked release"), range=(0.0, top)),
        bars,
        say("so that the whole list costs ε = {budget}", budget=Num(model.lab.budget, 4)),
        "; ".join(dict.fromkeys(one.bound.source for one in found if one.bound.source)),
        (Rule("now", "muted", say("as it is"), 1.0, dash="dot"),),
    )


def times(model: CompositionModel, one: Kept) -> Say:
    """The factor in words; what goes beyond the largest ε there is says so."""
    text = N_("≥ × {factor}") if one.factor >= cap(model.entries) else N_("× {factor}")
    return say(text, factor=Num(one.factor, 3, "down"))


def keep_sentence(model: CompositionModel) -> Sentence:
    """How much of their ε the unlocked releases may have, by adding up and by the tightest bound,
    or why none."""
    values: dict[str, Num | Say | str] = {
        "budget": Num(model.lab.budget, 4),
        "cost": Num(model.best.epsilon, 4, "up"),
    }
    if all(entry.locked for entry in model.entries):
        text = N_(
            "Every release is locked, so none can be fitted to the budget: they cost ε = {cost} of "
            "{budget}."
        )
        return Sentence(
            "keeps", Say(text, values), "plain" if model.best.epsilon <= model.lab.budget else "bad"
        )
    best = max(model.kept, key=lambda one: one.factor, default=None)
    if best is None:
        return Sentence(
            "keeps", say("Choose a bound, and it says what a budget leaves to each release.")
        )
    some = any(entry.locked for entry in model.entries)
    if best.factor == 0:
        least = min(model.kept, key=lambda one: one.locked)
        values |= {"bound": short_of(least.bound), "locked": Num(least.locked, 4, "up")}
        text = (
            N_("The locked releases alone cost ε = {locked} by the tightest bound ({bound}): more than the budget of {budget}. Unlock one, "
               "or allow more.")
            if least.locked > model.lab.budget
            else N_("A budget of ε = {budget} leaves nothing to the releases that are not locked.")
        )  # fmt: skip
        return Sentence("keeps", Say(text, values), "bad")
    plainly = next((one for one in model.kept if one.bound.key == "sequential"), best)
    more = (
        N_("{factor} times or more") if best.factor >= cap(model.entries) else N_("{factor} times")
    )
    values |= {"bound": short_of(best.bound), "most": say(more, factor=Num(best.factor, 3, "down"))}
    values |= {"plain": Num(plainly.factor, 3, "down")}
    values |= {"who": Say(N_("the unlocked releases") if some else N_("the releases"))}
    offer = offered(model, best.factor)
    values |= {"releases": offer} if offer else {}
    tone = "good" if best.factor >= 1 else "warn"
    if best.factor <= plainly.factor * (1 + 1e-3):
        return Sentence(
            "keeps",
            say("Within ε = {budget} in all, {who} may have {most} their ε.", **values),
            tone,
        )
    text = N_(
        "Within ε = {budget} in all, {who} may have {plain} times their ε by adding up, and {most} "
        "by the tightest bound ({bound})."
    )
    if plainly.factor == 0:
        values["locked"] = Num(plainly.locked, 4, "up")
        text = N_(
            "Within ε = {budget} in all, adding up leaves nothing: the locked releases cost "
            "{locked}. "
            "By the tightest bound ({bound}) {who} may have {most} their ε."
        )
    return Sentence("keeps", Say(text, values), tone)


def offered(model: CompositionModel, factor: float) -> str:
    """The list with that factor on what is unlocked, each ε rounded down to four digits; "" where
    one is outside of what can be typed."""

    def typed(mechanism: Additive) -> Additive:
        return mechanism.with_(epsilon=safely(mechanism.epsilon * factor, 4, "down"))

    try:
        return " | ".join(str(refitted(entry, typed)) for entry in model.entries)
    except ParamError:
        return ""


def keep_table(model: CompositionModel) -> Table:
    """Each release with its ε, and with what the budget leaves to it by the tightest bound and by
    adding up."""
    best = max(model.kept, key=lambda one: one.factor, default=None)
    added = next((one for one in model.kept if one.bound.key == "sequential"), None)
    rows: list[tuple[Say | Num, ...]] = []
    for entry in model.entries:
        for line in lines(entry):
            now = line.mechanism.epsilon
            then = [
                Num(now if entry.locked else now * one.factor, 4, "down") if one else Say("–")
                for one in (best, added)
            ]
            rows.append((plain(Line(line.times, line.mechanism, entry.locked)), Num(now, 4), *then))
    heads = (
        say("release"),
        say("ε now"),
        short_of(best.bound) if best else Say("–"),
        say("adding up"),
    )
    names = ("release", "epsilon", "tightest", "added")
    title = say("ε of each for ε = {budget} in all", budget=Num(model.lab.budget, 4))
    return Table(
        "keeps",
        title,
        tuple((n, tuple(row[i] for row in rows)) for i, n in enumerate(names)),
        shown=True,
        heads=heads,
    )
