"""The averaging attack as figures: the mean closing in on the truth, and how often it tells two
neighbours apart."""

from __future__ import annotations

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.charts.inks import OUTSIDE
from dpstudio.labs.budget.composition.attack import (
    averaging,
    count_asked,
    deviation,
    most_right,
    most_right_curve,
    right_below,
    seen,
)
from dpstudio.labs.budget.composition.curves import drawn, reach
from dpstudio.labs.budget.composition.model import CompositionModel, tightest
from dpstudio.labs.budget.composition.names import name_here, tightest_names
from dpstudio.values.messages import Num, say

DRAWN = 6


def attack_chart(model: CompositionModel) -> Figure:
    """Running means of simulated answers to one question, between twice their exact standard
    deviation."""
    found, inside = averaging(model), seen(model)
    k, spread, moved = found.k[inside], found.spread[inside], float(model.data.contributions)
    layers: list[Layer] = [
        Line(f"path_{path}", "answer", "", k, found.means[path, inside], width=1.0)
        for path in range(DRAWN)
    ]
    label = say("± 2 standard deviations (exact)")
    layers.append(Line("high", "first", label, k, 2 * spread, width=1.5))
    layers.append(Line("low", "first", "", k, -2 * spread, width=1.5))
    layers.append(Rule("truth", "truth", say("truth without the person"), 0.0, axis="y"))
    layers.append(Rule("neighbour", "third", say("with"), moved, axis="y", dash="dash"))
    asked, here = count_asked(model), deviation(model)
    words = say("k {k}: ± {deviation}", k=Num(asked), deviation=Num(here))
    if model.equal:
        layers.append(Handle("here", "first", words, float(model.answers), here, "answers"))
    else:
        layers.append(Dots("here", "first", words, [asked], [here]))
    high = max(nice_above(2.2 * float(spread[0])), 1.5 * moved)
    return Figure(
        "attack",
        say("The averaging attack"),
        _averaged(model),
        Axis(say("mean of the answers"), range=(-high, high)),
        tuple(layers),
        say("one count asked again and again, truth 0: simulated means, exact deviation"),
        simulated=True,
        source="sd of the mean: √(2/k)·Δ/ε for Laplace noise on a count",
    )


def _averaged(model: CompositionModel) -> Axis:
    across = (0.85, 1.25 * reach(model))
    return Axis(say("answers averaged"), log=True, range=across, whole=True)


def right_chart(model: CompositionModel) -> Figure:
    """How often the averaging attacker names the right neighbour, below what the bounds let anyone
    be right."""
    layers, curves = list[Layer](), []
    layers.append(Rule("even", "muted", say("guessing"), 0.5, axis="y", dash="dot"))
    for bound in sorted(drawn(model), key=lambda a: a.key != "sequential"):
        if bound.key in ("sequential", tightest(model).bound.key, most_right(model)[0].key):
            best, broken = bound.key == tightest(model).bound.key, bound.supposes(model.ledger)
            name = tightest_names(model, short=True) if best else name_here(model, bound)
            words, curve = say("most by {bound}", bound=name), most_right_curve(model, bound)
            curves += [] if broken else [curve]
            layers.append(Line(bound.key, bound.ink, words, *curve, OUTSIDE if broken else ""))
    words = say("averaging (simulated)")
    layers.append(Dots("right", "muted", words, *right_below(model, curves), marker="answer"))
    return Figure(
        "right",
        say("How often the attacker is right"),
        _averaged(model),
        Axis(say("share of right guesses"), range=(0.49, 1.03)),
        tuple(layers),
        say("in or out at even odds: the nearer of the two is named"),
        simulated=True,
        source="Kairouz, Oh & Viswanath 2015: success at most (eᵋ + δ)/(1 + eᵋ)",
    )
