"""The averaging attack as figures: the mean closing in on the truth, and how often it tells two
neighbours apart."""

from __future__ import annotations

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.labs.budget.composition.attack import (
    averaging,
    count_asked,
    deviation,
    most_right_curve,
    seen,
)
from dpstudio.labs.budget.composition.curves import drawn, reach
from dpstudio.labs.budget.composition.model import CompositionModel, tightest
from dpstudio.labs.budget.composition.names import short_of
from dpstudio.values.messages import Num, say

DRAWN = 6


def attack_chart(model: CompositionModel) -> Figure:
    """Running means of simulated answers to one question, between twice their exact standard
    deviation."""
    found, inside = averaging(model), seen(model)
    k, spread = found.k[inside], found.spread[inside]
    layers: list[Layer] = [
        Line(f"path_{path}", "answer", "", k, found.means[path, inside], width=1.0)
        for path in range(DRAWN)
    ]
    label = say("± 2 standard deviations (exact)")
    layers.append(Line("high", "accent", label, k, 2 * spread, dash="dash", width=1.5))
    layers.append(Line("low", "accent", "", k, -2 * spread, dash="dash", width=1.5))
    layers.append(Rule("truth", "truth", say("truth without the person"), 0.0, axis="y"))
    layers.append(Rule("neighbour", "good", say("with"), 1.0, axis="y", dash="dash"))
    asked, here = count_asked(model), deviation(model)
    words = say("k {k}: ± {deviation}", k=Num(asked), deviation=Num(here))
    if model.equal:
        layers.append(Handle("here", "accent", words, float(model.answers), here, "answers"))
    else:
        layers.append(Dots("here", "accent", words, [asked], [here]))
    high = max(nice_above(2.2 * float(spread[0])), 1.5)
    return Figure(
        "attack",
        say("The averaging attack"),
        _averaged(model),
        Axis(say("mean of the answers"), range=(-high, high)),
        tuple(layers),
        say("one count asked again and again, truth 0: simulated means, exact deviation"),
        simulated=True,
        source="sd of the mean: √(2/k)/ε for Laplace noise on a count",
    )


def _averaged(model: CompositionModel) -> Axis:
    across = (0.85, 1.25 * reach(model))
    return Axis(say("answers averaged"), log=True, range=across, whole=True)


def right_chart(model: CompositionModel) -> Figure:
    """How often the averaging attacker names the right neighbour, below what the bounds let anyone
    be right."""
    found, inside = averaging(model), seen(model)
    layers: list[Layer] = [Rule("even", "muted", say("guessing"), 0.5, axis="y", dash="dot")]
    for bound in sorted(drawn(model), key=lambda a: a.key != "sequential"):
        if bound.key in ("sequential", tightest(model).bound.key):
            words = say("most by {bound}", bound=short_of(bound))
            layers.append(Line(bound.key, bound.ink, words, *most_right_curve(model, bound.key)))
    words = say("averaging (simulated)")
    layers.append(Dots("right", "answer", words, found.k[inside], found.right[inside]))
    return Figure(
        "right",
        say("How often the attacker is right"),
        _averaged(model),
        Axis(say("share of right guesses"), range=(0.4, 1.03)),
        tuple(layers),
        say("in or out at even odds: the mean is held against 1/2"),
        simulated=True,
        source="Kairouz, Oh & Viswanath 2015: success at most (e^ε + δ)/(1 + e^ε)",
    )
