"""Compare's charts as plain figures: a lane for each mechanism, overlaid laws, error against ε,
and the tails."""

from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import (
    Axis,
    Column,
    Dots,
    Figure,
    Handle,
    Lanes,
    Layer,
    Line,
    Rule,
    nice_above,
)
from dpstudio.charts.inks import OUTSIDE
from dpstudio.labs.answer_charts import curve_words, error_words
from dpstudio.labs.answer_model import AnswerModel, error, error_law, half_width
from dpstudio.labs.law_curves import atoms_drawn, law_curve, only
from dpstudio.labs.named_rows import bar, brackets
from dpstudio.labs.one_answer.compare.model import (
    MOST,
    Comparison,
    cdf_curve,
    error_range,
    of_least,
    ranking,
    relative_curves,
    standing,
    tail_curve,
    worse,
)
from dpstudio.labs.winners import factor
from dpstudio.values.messages import N_, Message, Num, say, worded

_PALE = 0.35  # how opaque the bar of a promise is that is not proven or not kept
_BELOW = 0.5  # times the least error
_HEADS = {
    "mean_abs": N_("± on average"),
    "rmse": N_("± root mean square"),
    "half_width": N_("± at {confidence}"),
}


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


def lanes_chart(model: Comparison) -> Figure:
    """A lane for each mechanism, that with the least error first: its error by the measure of the
    lab as a bar, the ± that keeps the confidence as a thin line, and both as numbers."""
    ranked, lab = ranking(model), model.lab
    rows = [float(len(ranked) - 1 - place) for place in range(len(ranked))]
    layers: list[Layer] = []
    for row, scene in zip(rows, ranked, strict=True):
        key, ink = scene.mechanism.key, scene.mechanism.ink
        pale = 1.0 if scene.release.guarantee.sound else _PALE
        end = half_width(scene)
        start = [min(error(scene), end)]
        layers.append(brackets(f"width_{key}", ink, start, [end], [row], len(ranked), begin=False))
        layers.append(
            replace(
                bar(f"bar_{key}", ink, error(scene), row, len(ranked), pale), label=_name(scene)
            )
        )
    inks = tuple(scene.mechanism.ink for scene in ranked)
    words = tuple(say("{error}", error=Num(error(scene), 3, "up")) for scene in ranked)
    confidence = Num(lab.confidence, 4, "down", percent=True)
    head = say(_HEADS[lab.measure], confidence=confidence)
    picks = tuple(((("focus", scene.mechanism.key)),) for scene in ranked)
    lanes = Lanes(
        (
            Column(head, words, inks, strong=True),
            Column(say("of the least"), tuple(_of_least(model, s) for s in ranked), ("muted",)),
        ),
        ranked.index(model.focus),
        inks,
        Dots("lanes", "text", head, [error(scene) for scene in ranked], rows, picks=picks),
    )
    names = tuple((row, worded(s.mechanism.label)) for row, s in zip(rows, ranked, strict=True))
    text = N_("{what} at ε = {epsilon}; thin: {confidence} stay within")
    values = {"what": error_words(lab), "epsilon": Num(lab.epsilon, 5), "confidence": confidence}
    made = _figure(
        model,
        "errors",
        say("How far off an answer is"),
        Axis(say("error of one answer")),
        Axis(say("Mechanism"), range=(-0.5, len(ranked) - 0.5), ticks=names),
        layers,
        Message(text, values),
    )
    return replace(made, lanes=lanes)


def _name(scene: AnswerModel) -> Message:
    return Message(scene.mechanism.label)


def _of_least(model: Comparison, scene: AnswerModel) -> Message:
    """How many times the least error this one is, in a word or a number."""
    if scene.release.guarantee.violated:
        return say("promise broken")
    if scene in standing(model)[0]:
        return say("the least")
    far = of_least(model, scene)
    return Message("–") if far is None else say("× {times}", times=factor(far))


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


def relative_chart(model: Comparison) -> Figure:
    """How many times the least error each mechanism's is, at every ε; pale where its theorem does
    not hold."""
    layers: list[Layer] = []
    for scene in model.scenes:
        curve, label = relative_curves(model)[scene.mechanism.key], _name(scene)
        x, y, proven = curve.epsilons, curve.times, curve.proven
        seen = y < MOST
        line = _line("trade", scene, (x, y))
        if not proven.all():
            said = "" if proven.any() else label
            key = line.key + "_unproven"
            layers.append(
                replace(line, key=key, label=said, y=only(y, ~proven & seen), dash=OUTSIDE)
            )
        if proven.any():
            layers.append(replace(line, y=only(y, proven & seen), dash=""))
    here, epsilon = of_least(model, model.focus), model.lab.epsilon
    if here is not None:
        text = N_("ε {epsilon} → × {times}")
        words = say(text, epsilon=Num(epsilon, 5), times=factor(here))
        layers.append(Handle("here", model.focus.mechanism.ink, words, epsilon, here, "epsilon"))
    return _figure(
        model,
        "tradeoff",
        say("At every ε"),
        Axis(Message("ε"), log=True, range=(0.0009, 57.0)),
        Axis(say("× the least error"), log=True, range=(_BELOW, MOST)),
        layers,
        curve_words(model.focus),
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
