"""The composition lab's charts of a budget: how many answers it buys, the ε of each, and what it
leaves to a list."""

import math

from dpstudio.charts.figure import Axis, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.charts.inks import OUTSIDE
from dpstudio.labs.bound_names import name_here
from dpstudio.labs.many_answers.composition import charts, names
from dpstudio.labs.many_answers.composition.budget import (
    afford_curves,
    best_buyer,
    each_by_bound,
    kept_by_bound,
)
from dpstudio.labs.many_answers.composition.curves import drawn
from dpstudio.labs.many_answers.composition.model import CompositionModel, standing
from dpstudio.labs.series_model import by_adding, reach
from dpstudio.values.messages import Message, Num, say


def afford_chart(model: CompositionModel) -> Figure:
    """How many answers a total budget buys, by every bound."""
    budget, epsilon = model.lab.budget, model.spend.epsilon
    best, most = best_buyer(model)
    top = max(nice_above(1.1 * budget), nice_above(by_adding(model)))
    log = model.lab.scale == "log"
    low = 10 ** math.floor(math.log10(min(budget, epsilon)) + 1e-9)
    high = 1.25 * max(reach(model), 1.3 * most)
    up = Axis(say("answers k"), log=log, range=(0.8 if log else 0.0, high))
    across = Axis(say("total ε"), log=log, range=(low if log else 0.0, 1.2 * top))
    curves = afford_curves(model)
    layers: list[Layer] = [
        Line(a.key, a.ink, name_here(model, a), total, k, "" if a in standing(model) else OUTSIDE)
        for a, (k, total) in curves.items()
    ]
    words = say("ε {budget} buys k = {k}", budget=Num(budget, 4), k=names.bought(model))
    layers.append(Handle("here", best.ink, words, budget, float(max(most, 1)), "budget"))
    return Figure(
        "afford",
        say("What a budget buys"),
        across,
        up,
        tuple(layers),
        say("answers with ε = {epsilon} each", epsilon=Num(epsilon, 4)),
        source=charts.sources_of(drawn(model)),
    )


def each_chart(model: CompositionModel) -> Figure:
    """The inverse: what each of k equal answers may spend."""
    found = sorted(each_by_bound(model).items(), key=lambda pair: -pair[1])
    bars = [charts.Bar(a, e, say("{each}", each=Num(e, 3, "down"))) for a, e in found if e > 0]
    top = nice_above(1.3 * max((bar.value for bar in bars), default=1.0))
    return charts.bars_chart(
        "each",
        say("What each answer may spend"),
        Axis(say("ε of each answer"), range=(0.0, top)),
        bars,
        say(
            "{k} equal {k:answer|answers} by {mechanism} noise, ε = {budget} and δ = {delta} in "
            "all",
            k=Num(model.answers),
            mechanism=Message(model.lab.mechanism.label),
            budget=Num(model.lab.budget, 4),
            delta=Num(model.delta, 3, "up"),
        ),
        charts.sources_of(a for a, _ in found),
    )


def keep_chart(model: CompositionModel) -> Figure:
    """The factor on the ε of every unlocked release with which the whole list meets the budget, by
    every bound."""
    found = sorted(kept_by_bound(model), key=lambda one: -one.factor)
    bars = [charts.Bar(one.bound, one.factor, names.times(model, one)) for one in found]
    top = nice_above(1.3 * max([1.0, *(one.factor for one in found)]))
    return charts.bars_chart(
        "keep",
        say("What the budget leaves"),
        Axis(say("times the ε of each unlocked release"), range=(0.0, top)),
        bars,
        say("so that the whole list costs ε = {budget}", budget=Num(model.lab.budget, 4)),
        charts.sources_of(one.bound for one in found),
        (Rule("now", "muted", say("as it is"), 1.0, dash="dot"),),
    )
