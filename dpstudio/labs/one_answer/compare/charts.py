"""Compare's charts as plain figures: the frontier, overlaid laws, error against ε, and the
tails."""

from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.charts.inks import OUTSIDE
from dpstudio.labs.answer_charts import error_words
from dpstudio.labs.answer_model import AnswerModel, error, error_curve, error_law
from dpstudio.labs.law_curves import atoms_drawn, law_curve, only
from dpstudio.labs.one_answer.compare.model import (
    LADDER,
    Comparison,
    cdf_curve,
    dots,
    error_range,
    hull,
    kept,
    tail_curve,
    worse,
)
from dpstudio.values.messages import N_, Message, Num, say


def _line(key: str, scene: AnswerModel, curve: tuple[np.ndarray, np.ndarray]) -> Line:
    """A curve of one mechanism, pale where its promise is not proven or not kept."""
    mechanism = scene.mechanism
    drawn = "" if scene.release.guarantee.sound else OUTSIDE
    return Line(
        f"{key}_{mechanism.key}", mechanism.ink, Message(mechanism.label), *curve, dash=drawn
    )


def _figure(
    model: Comparison,
    key: str,
    title: Message,
    x: Axis,
    y: Axis,
    layers: list[Layer],
    subtitle: Message,
) -> Figure:
    """A chart of all mechanisms, with the sources of all."""
    telling = model.lab.show_truth and model.focus.law_depends_on_answer
    sources = "; ".join(dict.fromkeys(scene.mechanism.source for scene in model.scenes))
    return Figure(key, title, x, y, tuple(layers), subtitle, exact=telling, source=sources)


def frontier_chart(model: Comparison) -> Figure:
    """One dot for each mechanism and ε: how much error for how much privacy, and the line below
    which there is nothing."""
    x, y, _ = hull(model)
    layers: list[Layer] = [Line("hull", "muted", say("lower hull"), x, y, dash="dash", width=1.5)]
    for scene in model.scenes:
        key, mechanism = scene.mechanism.key, scene.mechanism
        picks = tuple((("focus", key), ("epsilon", epsilon)) for epsilon in LADDER)
        label = Message(mechanism.label)
        layers.append(Dots(f"dots_{key}", mechanism.ink, label, LADDER, dots(scene), picks=picks))
    epsilon, here, looked_at = model.lab.epsilon, error(model.focus), model.focus.mechanism
    text = N_("{mechanism} at ε = {epsilon}")
    words = say(text, mechanism=Message(looked_at.label), epsilon=Num(epsilon, 5))
    layers.append(Handle("here", looked_at.ink, words, epsilon, here, "epsilon"))
    return _figure(
        model,
        "frontier",
        say("The frontier"),
        Axis(Message("ε"), log=True, range=(0.007, 15.0)),
        Axis(say("± error"), log=True, floored=True),
        layers,
        error_words(model.lab),
    )


def density_chart(model: Comparison) -> Figure:
    """The exact error laws over each other."""
    ends = error_range(model)
    layers: list[Layer] = []
    peaks = []
    for scene in model.scenes:
        law = error_law(scene)
        x, y = law_curve(law, *ends, scene.effort)
        peaks.append(float(np.max(y[np.isfinite(y)], initial=0)))
        layers.append(_line("law", scene, (x, y)))
        if scene.mechanism.key == "catastrophe":
            layers += atoms_drawn(law, *ends)
    # One needle must not flatten all the others.
    top = min(max(peaks), 4 * float(np.median(peaks)))
    return _figure(
        model,
        "densities",
        say("The error laws"),
        Axis(say("error of one answer"), range=ends),
        Axis(say("how likely"), range=(0.0, nice_above(1.04 * top)), hidden=True),
        layers,
        _equal(model),
    )


def _equal(model: Comparison) -> Message:
    epsilon = Num(model.lab.epsilon, 5)
    if all(scene.mechanism.pure for scene in model.scenes):
        return say("all at ε = {epsilon}", epsilon=epsilon)
    text = N_("all at ε = {epsilon}; δ = {delta} where one is needed")
    return say(text, epsilon=epsilon, delta=Num(model.lab.delta, 3, "up"))


def cdf_chart(model: Comparison) -> Figure:
    """The cdf of the error: P(error ≤ x)."""
    ends = error_range(model)
    layers: list[Layer] = [Rule("half", "grid", "", 0.5, axis="y")] if ends[0] < 0 else []
    layers += [_line("cdf", scene, cdf_curve(model, scene)) for scene in model.scenes]
    exact = model.focus.how == "exact"
    return _figure(
        model,
        "cdfs",
        say("Share of answers below"),
        Axis(say("error of one answer"), range=ends),
        Axis(say("P(error ≤ x)"), range=(0.0, 1.02)),
        layers,
        say("share of answers up to each value, exact")
        if exact
        else say("share of answers up to each value"),
    )


def error_chart(model: Comparison) -> Figure:
    """Error against ε for each mechanism, over the whole range of the slider; pale where the
    theorem does not hold."""
    curves = [error_curve(scene, scene.mechanism) for scene in model.scenes]
    layers: list[Layer] = []
    for scene, (x, y) in zip(model.scenes, curves, strict=True):
        holds = kept(scene, x)
        label, line = Message(scene.mechanism.label), _line("trade", scene, (x, y))
        if not holds.all():
            said = "" if holds.any() else label
            key = line.key + "_unproven"
            layers.append(replace(line, key=key, label=said, y=only(y, ~holds), dash=OUTSIDE))
        if holds.any():
            layers.append(replace(line, y=only(y, holds), dash=""))
    epsilon = model.lab.epsilon
    named = say("ε = {epsilon}", epsilon=Num(epsilon, 5))
    layers.append(Rule("epsilon", "muted", named, epsilon, dash="dot"))
    return _figure(
        model,
        "tradeoff",
        say("Error against ε"),
        Axis(Message("ε"), log=True, range=(0.0009, 57.0)),
        Axis(say("± error"), log=True, floored=True),
        layers,
        error_words(model.lab),
    )


def tail_chart(model: Comparison) -> Figure:
    """Error quantiles: how wide an interval must be to keep all but a given share of answers."""
    curves = [tail_curve(scene) for scene in model.scenes]
    layers: list[Layer] = [
        _line("tail", scene, curve) for scene, curve in zip(model.scenes, curves, strict=True)
    ]
    level = worse(model)
    named = say("{share} worse", share=Num(level, 3, percent=True))
    layers.append(Rule("level", "muted", named, level, dash="dot"))
    return _figure(
        model,
        "quantiles",
        say("Error quantiles"),
        Axis(say("share of answers that are worse"), log=True, range=(8e-7, 0.6)),
        Axis(say("± error"), room=1.02),
        layers,
        say("how far off the unlucky answers are"),
    )
