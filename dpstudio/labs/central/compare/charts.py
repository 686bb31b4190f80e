"""Compare's charts as plain figures: the frontier, overlaid laws, error against ε, and the
tails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.labs.central.compare.model import LADDER
from dpstudio.labs.central.explore.charts import error_words
from dpstudio.labs.central.explore.model import ExploreModel
from dpstudio.labs.law_curves import atoms_drawn, decades, law_curve, only
from dpstudio.privacy.mechanisms.law import Largest
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.central.compare.model import Comparison

_LEVELS = np.concatenate([[0.5, 0.4, 0.3, 0.2], np.geomspace(0.1, 1e-6, 51)])


def _drawn(model: ExploreModel) -> str:
    """Dashed where the promise is not proven or not kept."""
    return "solid" if model.release.guarantee.sound else "dash"


def _said(model: ExploreModel) -> Say:
    return Say(model.lab.mechanism.label)


def _sources(comparison: Comparison) -> str:
    return "; ".join(dict.fromkeys(model.lab.mechanism.source for model in comparison.scenes))


def _telling(comparison: Comparison) -> bool:
    return comparison.lab.show_truth and comparison.focus.law_depends_on_answer


def frontier_chart(comparison: Comparison) -> Figure:
    """One dot for each mechanism and ε: how much error for how much privacy, and the line below
    which there is nothing."""
    layers: list[Layer] = []
    x, y, _ = comparison.hull
    layers.append(Line("hull", "muted", say("lower hull"), x, y, dash="dash", width=1.5))
    for model in comparison.scenes:
        key = model.lab.mechanism.key
        errors = comparison.dots(model)
        picks = tuple((("focus", key), ("epsilon", epsilon)) for epsilon in LADDER)
        layers.append(
            Dots(f"dots_{key}", model.lab.mechanism.ink, _said(model), LADDER, errors, picks=picks)
        )
    here = comparison.errors[comparison.focus.lab.mechanism.key]
    words = say(
        "{mechanism} at ε = {epsilon}",
        mechanism=_said(comparison.focus),
        epsilon=Num(comparison.lab.epsilon, 5),
    )
    layers.append(
        Handle(
            "here",
            comparison.focus.lab.mechanism.ink,
            words,
            comparison.lab.epsilon,
            here,
            "epsilon",
        )
    )
    low, high = decades(
        np.concatenate([*(comparison.dots(model) for model in comparison.scenes), [here]])
    )
    return Figure(
        "frontier",
        say("The frontier"),
        Axis(Say("ε"), log=True, range=(0.007, 15.0)),
        Axis(say("± error"), log=True, range=(low, high), floored=True),
        tuple(layers),
        error_words(comparison.lab),
        exact=_telling(comparison),
        source=_sources(comparison),
    )


def density_chart(comparison: Comparison) -> Figure:
    """The exact error laws over each other."""
    low, high = (
        (0.0 if isinstance(comparison.focus.law, Largest) else -comparison.reach),
        comparison.reach,
    )
    layers: list[Layer] = []
    peaks = []
    for model in comparison.scenes:
        mechanism = model.lab.mechanism
        x, y = law_curve(model.law, low, high)
        peaks.append(float(np.max(y[np.isfinite(y)], initial=0)))
        layers.append(
            Line(f"law_{mechanism.key}", mechanism.ink, _said(model), x, y, dash=_drawn(model))
        )
        if mechanism.key == "catastrophe":
            layers += atoms_drawn(model.law, low, high)
    # One needle must not flatten all the others.
    top = min(max(peaks), 4 * float(np.median(peaks)))
    return Figure(
        "densities",
        say("The error laws"),
        Axis(say("error of one answer"), range=(low, high)),
        Axis(say("density or pmf"), range=(0.0, nice_above(1.04 * top)), hidden=True),
        tuple(layers),
        _equal(comparison),
        exact=_telling(comparison),
        source=_sources(comparison),
    )


def _equal(comparison: Comparison) -> Say:
    if all(model.lab.mechanism.pure for model in comparison.scenes):
        return say("all at ε = {epsilon}", epsilon=Num(comparison.lab.epsilon, 5))
    return say(
        "all at ε = {epsilon}; δ = {delta} where one is needed",
        epsilon=Num(comparison.lab.epsilon, 5),
        delta=Num(comparison.lab.delta),
    )


def cdf_chart(comparison: Comparison) -> Figure:
    """The cdf of the error: P(error ≤ x)."""
    low, high = (
        (0.0 if isinstance(comparison.focus.law, Largest) else -comparison.reach),
        comparison.reach,
    )
    layers: list[Layer] = [Rule("half", "grid", "", 0.5, axis="y")] if low < 0 else []
    for model in comparison.scenes:
        law, mechanism = model.law, model.lab.mechanism
        if law.discrete and high - low <= 400:
            k = np.arange(np.ceil(low), np.floor(high) + 1)
            x = np.append(np.repeat(k, 2), high)
            y = np.concatenate([law.cdf(k[:1] - 1), np.repeat(law.cdf(k), 2)])
        else:
            x = (
                np.unique(
                    np.concatenate(
                        [np.linspace(low, high, 361), np.floor(np.linspace(low, high, 201))]
                    )
                )
                if law.discrete
                else (np.linspace(low, high, 361))
            )
            y = law.cdf(x)
        layers.append(
            Line(f"cdf_{mechanism.key}", mechanism.ink, _said(model), x, y, dash=_drawn(model))
        )
    return Figure(
        "cdfs",
        say("Share of answers below"),
        Axis(say("error of one answer"), range=(low, high)),
        Axis(say("P(error ≤ x)"), range=(0.0, 1.02)),
        tuple(layers),
        Say(
            N_("the exact cdf of each law")
            if comparison.focus.how == "exact"
            else N_("the cdf of each law")
        ),
        exact=_telling(comparison),
        source=_sources(comparison),
    )


def error_chart(comparison: Comparison) -> Figure:
    """Error against ε for each mechanism, over the whole range of the slider."""
    curves = {
        model.lab.mechanism.key: model.curve(model.lab.mechanism) for model in comparison.scenes
    }
    low, high = decades(np.concatenate([y for _, y in curves.values()]))
    layers: list[Layer] = []
    for key, model in zip(curves, comparison.scenes, strict=True):
        x, y = curves[key]
        kept = comparison.kept(model, x)
        label = _said(model)
        if not kept.all():  # dashed where the theorem does not hold
            said = "" if kept.any() else label
            layers.append(
                Line(
                    f"trade_{key}_unproven",
                    model.lab.mechanism.ink,
                    said,
                    x,
                    only(y, ~kept),
                    dash="dash",
                )
            )
        if kept.any():
            layers.append(Line(f"trade_{key}", model.lab.mechanism.ink, label, x, only(y, kept)))
    layers.append(
        Rule(
            "epsilon",
            "muted",
            say("ε = {epsilon}", epsilon=Num(comparison.lab.epsilon, 5)),
            comparison.lab.epsilon,
            dash="dot",
        )
    )
    return Figure(
        "tradeoff",
        say("Error against ε"),
        Axis(Say("ε"), log=True, range=(0.0009, 57.0)),
        Axis(say("± error"), log=True, range=(low, high), floored=True),
        tuple(layers),
        error_words(comparison.lab),
        exact=_telling(comparison),
        source=_sources(comparison),
    )


def tail_chart(comparison: Comparison) -> Figure:
    """Error quantiles: how wide an interval must be to keep all but a given share of answers."""
    layers: list[Layer] = []
    tops, lows = [], []
    for model in comparison.scenes:
        mechanism = model.lab.mechanism
        # A simulated law has no tail beyond its draws.
        levels = _LEVELS if model.how != "simulation" else _LEVELS[_LEVELS > 1e-3]
        widths = np.array([model.law.half_width(1 - float(level)) for level in levels])
        tops.append(float(widths.max()))
        lows.append(float(widths[0]))
        layers.append(
            Line(
                f"tail_{mechanism.key}",
                mechanism.ink,
                _said(model),
                levels,
                widths,
                dash=_drawn(model),
            )
        )
    level = 1 - comparison.lab.confidence
    layers.append(
        Rule(
            "level",
            "muted",
            say("{share} worse", share=Num(level, 3, percent=True)),
            level,
            dash="dot",
        )
    )
    return Figure(
        "quantiles",
        say("Error quantiles"),
        Axis(say("share of answers that are worse"), log=True, range=(8e-7, 0.6)),
        Axis(say("± error"), range=(0.0, nice_above(1.02 * max(tops)))),
        tuple(layers),
        say("how far off the unlucky answers are"),
        exact=_telling(comparison),
        source=_sources(comparison),
    )
