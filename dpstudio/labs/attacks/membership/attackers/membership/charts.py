"""The charts of membership."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Area, Axis, Dots, Figure, Layer, Line, Rule, nice_above
from dpstudio.labs.attacks.attackers.success_charts import by_promise, hero
from dpstudio.labs.attacks.membership.attackers.membership import model as membership
from dpstudio.labs.law_curves import law_curve
from dpstudio.values.messages import say


def charts(model: membership.MembershipModel) -> Iterator[Figure]:
    """Right guesses against ε, the trade-off of the attack, and both laws of the answer."""
    right = membership.here(model)[0]
    yield hero(model, membership.success(model), right, right)
    yield _roc_chart(model)
    yield from _laws_chart(model)


def _roc_chart(model: membership.MembershipModel) -> Figure:
    """Found against false alarms, in the region that ε and δ leave."""
    seen, ink = membership.roc(model), model.asked.mechanism.ink
    layers: list[Layer] = [
        Line("guess", "muted", say("guessing"), [0, 1], [0, 1], "dot", width=1.5),
        Line("promised", "limit", by_promise(model.asked.mechanism), seen.alpha, seen.allowed,
             "dash"),
        Line("best", ink, say("best test"), seen.alpha, seen.power),
    ]  # fmt: skip
    if len(seen.seen[0]):
        layers.append(Dots("measured", "answer", say("measured"), *seen.seen, marker="circle"))
    return Figure(
        "roc",
        say("Found against false alarms"),
        Axis(say("false alarms"), range=(0.0, 1.0)),
        Axis(say("found"), range=(0.0, 1.02)),
        tuple(layers),
        simulated=True,
        source=model.attacker.source,
    )


def _laws_chart(model: membership.MembershipModel) -> tuple[Figure, ...]:
    """The answer with the person and without, and from where on the attacker says “in”."""
    seen = membership.one_number(model, model.asked.mechanism)
    if seen is None:
        return ()
    law, shift = seen
    half = law.half_width(0.97)
    low, high = -half, shift + half
    if law.discrete:
        low, high = float(np.floor(low)) - 0.5, float(np.ceil(high)) + 0.5
    out = law_curve(law, low, high, model.looked.effort)
    within = law_curve(law, low - shift, high - shift, model.looked.effort)
    top = nice_above(1.1 * float(max(out[1].max(), within[1].max())))
    edges = np.linspace(shift / 2, high, 60)
    middle = (edges[1:] + edges[:-1]) / 2
    alarms = np.interp(middle, out[0], out[1])
    layers: tuple[Layer, ...] = (
        Area("alarms", "limit", say("false alarms"), edges, alarms),
        Line("without", "target", say("without"), *out, named="head"),
        Line("with", "answer", say("with"), within[0] + shift, within[1]),
        Rule("threshold", "text", say("says “in”"), shift / 2, dash="dash"),
    )
    figure = Figure(
        "laws",
        say("The answer with and without"),
        Axis(say("answer, from that without the person"), range=(low, high)),
        Axis("", range=(0.0, top), hidden=True),
        layers,
        source=model.attacker.source,
    )
    return (figure,)
