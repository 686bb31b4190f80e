"""Compare's charts as plain figures: the frontier, overlaid laws, error against ε, and the
tails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.labs.central.compare.model import LADDER
from dpstudio.labs.central.explore.charts import atoms_drawn, decades, error_words, law_curve, only
from dpstudio.labs.central.explore.model import Scene
from dpstudio.privacy.mechanisms.law import Largest
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.central.compare.model import Field

_LEVELS = np.concatenate([[0.5, 0.4, 0.3, 0.2], np.geomspace(0.1, 1e-6, 51)])


def _drawn(scene: Scene) -> str:
    """Dashed where the promise is not proven or not kept."""
    return "solid" if scene.release.guarantee.sound else "dash"


def _said(scene: Scene) -> Say:
    return Say(scene.lab.mechanism.label)


def _sources(field: Field) -> str:
    return "; ".join(dict.fromkeys(scene.lab.mechanism.source for scene in field.scenes))


def _telling(field: Field) -> bool:
    return field.lab.show_truth and field.focus.telling


def frontier_chart(field: Field) -> Figure:
    """One dot for each mechanism and ε: how much error for how much privacy, and the line below
    which there is nothing."""
    layers: list[Layer] = []
    x, y, _ = field.hull
    layers.append(Line("hull", "muted", say("lower hull"), x, y, dash="dash", width=1.5))
    for scene in field.scenes:
        key = scene.lab.mechanism.key
        errors = field.dots(scene)
        picks = tuple((("focus", key), ("epsilon", epsilon)) for epsilon in LADDER)
        layers.append(
            Dots(f"dots_{key}", scene.lab.mechanism.ink, _said(scene), LADDER, errors, picks=picks)
        )
    here = field.errors[field.focus.lab.mechanism.key]
    words = say(
        "{mechanism} at ε = {epsilon}",
        mechanism=_said(field.focus),
        epsilon=Num(field.lab.epsilon, 5),
    )
    layers.append(
        Handle("here", field.focus.lab.mechanism.ink, words, field.lab.epsilon, here, "epsilon")
    )
    low, high = decades(np.concatenate([*(field.dots(scene) for scene in field.scenes), [here]]))
    return Figure(
        "frontier",
        say("The frontier"),
        Axis(Say("ε"), log=True, range=(0.007, 15.0)),
        Axis(say("± error"), log=True, range=(low, high), floored=True),
        tuple(layers),
        error_words(field.lab),
        exact=_telling(field),
        source=_sources(field),
    )


def density_chart(field: Field) -> Figure:
    """The exact error laws over each other."""
    low, high = (0.0 if isinstance(field.focus.law, Largest) else -field.reach), field.reach
    layers: list[Layer] = []
    peaks = []
    for scene in field.scenes:
        mechanism = scene.lab.mechanism
        x, y = law_curve(scene.law, low, high)
        peaks.append(float(np.max(y[np.isfinite(y)], initial=0)))
        layers.append(
            Line(f"law_{mechanism.key}", mechanism.ink, _said(scene), x, y, dash=_drawn(scene))
        )
        if mechanism.key == "catastrophe":
            layers += atoms_drawn(scene.law, low, high)
    # One needle must not flatten all the others.
    top = min(max(peaks), 4 * float(np.median(peaks)))
    return Figure(
        "densities",
        say("The error laws"),
        Axis(say("error of one answer"), range=(low, high)),
        Axis(say("density or pmf"), range=(0.0, nice_above(1.04 * top)), hidden=True),
        tuple(layers),
        _equal(field),
        exact=_telling(field),
        source=_sources(field),
    )


def _equal(field: Field) -> Say:
    if all(scene.lab.mechanism.pure for scene in field.scenes):
        return say("all at ε = {epsilon}", epsilon=Num(field.lab.epsilon, 5))
    return say(
        "all at ε = {epsilon}; δ = {delta} where one is needed",
        epsilon=Num(field.lab.epsilon, 5),
        delta=Num(field.lab.delta),
    )


def cdf_chart(field: Field) -> Figure:
    """The cdf of the error: P(error ≤ x)."""
    low, high = (0.0 if isinstance(field.focus.law, Largest) else -field.reach), field.reach
    layers: list[Layer] = [Rule("half", "grid", "", 0.5, axis="y")] if low < 0 else []
    for scene in field.scenes:
        law, mechanism = scene.law, scene.lab.mechanism
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
            Line(f"cdf_{mechanism.key}", mechanism.ink, _said(scene), x, y, dash=_drawn(scene))
        )
    return Figure(
        "cdfs",
        say("Share of answers below"),
        Axis(say("error of one answer"), range=(low, high)),
        Axis(say("P(error ≤ x)"), range=(0.0, 1.02)),
        tuple(layers),
        Say(
            N_("the exact cdf of each law")
            if field.focus.how == "exact"
            else N_("the cdf of each law")
        ),
        exact=_telling(field),
        source=_sources(field),
    )


def error_chart(field: Field) -> Figure:
    """Error against ε for each mechanism, over the whole range of the slider."""
    curves = {scene.lab.mechanism.key: scene.curve(scene.lab.mechanism) for scene in field.scenes}
    low, high = decades(np.concatenate([y for _, y in curves.values()]))
    layers: list[Layer] = []
    for key, scene in zip(curves, field.scenes, strict=True):
        x, y = curves[key]
        kept = field.kept(scene, x)
        label = _said(scene)
        if not kept.all():  # dashed where the theorem does not hold
            said = "" if kept.any() else label
            layers.append(
                Line(
                    f"trade_{key}_unproven",
                    scene.lab.mechanism.ink,
                    said,
                    x,
                    only(y, ~kept),
                    dash="dash",
                )
            )
        if kept.any():
            layers.append(Line(f"trade_{key}", scene.lab.mechanism.ink, label, x, only(y, kept)))
    layers.append(
        Rule(
            "epsilon",
            "muted",
            say("ε = {epsilon}", epsilon=Num(field.lab.epsilon, 5)),
            field.lab.epsilon,
            dash="dot",
        )
    )
    return Figure(
        "tradeoff",
        say("Error against ε"),
        Axis(Say("ε"), log=True, range=(0.0009, 57.0)),
        Axis(say("± error"), log=True, range=(low, high), floored=True),
        tuple(layers),
        error_words(field.lab),
        exact=_telling(field),
        source=_sources(field),
    )


def tail_chart(field: Field) -> Figure:
    """Error quantiles: how wide an interval must be to keep all but a given share of answers."""
    layers: list[Layer] = []
    tops, lows = [], []
    for scene in field.scenes:
        mechanism = scene.lab.mechanism
        # A simulated law has no tail beyond its draws.
        levels = _LEVELS if scene.how != "simulation" else _LEVELS[_LEVELS > 1e-3]
        widths = np.array([scene.law.half_width(1 - float(level)) for level in levels])
        tops.append(float(widths.max()))
        lows.append(float(widths[0]))
        layers.append(
            Line(
                f"tail_{mechanism.key}",
                mechanism.ink,
                _said(scene),
                levels,
                widths,
                dash=_drawn(scene),
            )
        )
    level = 1 - field.lab.confidence
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
        exact=_telling(field),
        source=_sources(field),
    )
