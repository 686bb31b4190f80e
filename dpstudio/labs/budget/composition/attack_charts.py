"""The averaging attack as figures: the mean closing in on the truth, and how often it tells two
neighbours apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.labs.budget.composition.attack import DRAWN, most_right
from dpstudio.labs.budget.composition.charts import short_of
from dpstudio.values.messages import Num, say

if TYPE_CHECKING:
    from dpstudio.labs.budget.composition.model import CompositionModel


def attack_chart(model: CompositionModel) -> Figure:
    """Running means of simulated answers to one question, between twice their exact standard
    deviation."""
    found = model.attack
    seen = found.k <= max(_reach(model), 2)
    k = found.k[seen]
    layers: list[Layer] = []
    for path in range(DRAWN):
        layers.append(Line(f"path_{path}", "answer", "", k, found.means[path, seen], width=1.0))
    deviation = found.spread[seen]
    label = say("± 2 standard deviations (exact)")
    layers.append(Line("high", "accent", label, k, 2 * deviation, dash="dash", width=1.5))
    layers.append(Line("low", "accent", "", k, -2 * deviation, dash="dash", width=1.5))
    layers.append(Rule("truth", "truth", say("truth without the person"), 0.0, axis="y"))
    layers.append(Rule("neighbour", "good", say("with"), 1.0, axis="y", dash="dash"))
    here = model.deviation
    words = say("k {k}: ± {deviation}", k=Num(model.total_asked), deviation=Num(here))
    if model.equal:
        layers.append(Handle("here", "accent", words, float(model.answers), here, "answers"))
    else:
        layers.append(Dots("here", "accent", words, [model.total_asked], [here]))
    reach = max(nice_above(2.2 * float(deviation[0])), 1.5)
    return Figure(
        "attack",
        say("The averaging attack"),
        Axis(say("answers averaged"), log=True, range=(0.85, 1.25 * _reach(model)), whole=True),
        Axis(say("mean of the answers"), range=(-reach, reach)),
        tuple(layers),
        say("one count asked again and again, truth 0: simulated means, exact deviation"),
        simulated=True,
        source="sd of the mean: √(2/k)/ε for Laplace noise on a count",
    )


def _reach(model: CompositionModel) -> int:
    return model.top if model.equal else max(model.answers, 2)


def right_chart(model: CompositionModel) -> Figure:
    """How often the averaging attacker names the right neighbour, below what the bounds let anyone
    be right."""
    found = model.attack
    seen = found.k <= max(_reach(model), 2)
    layers: list[Layer] = [Rule("even", "muted", say("guessing"), 0.5, axis="y", dash="dot")]
    for key in dict.fromkeys(("sequential", model.best.bound.key)):
        if key in model.curves:
            k, total = model.curves[key]
            bound = next(a for a in model.drawn if a.key == key)
            right = [
                most_right(float(e), _delta(model, float(n), key)) if np.isfinite(e) else np.nan
                for n, e in zip(k, total, strict=True)
            ]
            words = say("most by {bound}", bound=short_of(bound))
            layers.append(Line(key, bound.ink, words, k, right))
    layers.append(
        Dots("right", "answer", say("averaging (simulated)"), found.k[seen], found.right[seen])
    )
    return Figure(
        "right",
        say("How often the attacker is right"),
        Axis(say("answers averaged"), log=True, range=(0.85, 1.25 * _reach(model)), whole=True),
        Axis(say("share of right guesses"), range=(0.4, 1.03)),
        tuple(layers),
        say("in or out at even odds: the mean is held against 1/2"),
        simulated=True,
        source="Kairouz, Oh & Viswanath 2015: success at most (e^ε + δ)/(1 + e^ε)",
    )


def _delta(model: CompositionModel, k: float, key: str) -> float:
    own = model.spend.delta * k if model.equal else model.own_delta
    return min(1.0, own + (0.0 if key == "sequential" else model.lab.delta_prime))
