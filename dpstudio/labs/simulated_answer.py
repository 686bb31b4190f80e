"""One simulated answer among those that might be published, put into a picture of bars, dots or
cells."""

import math
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import PART, Array, Axis, Columns, Dots, Figure, Heat, Layer, Rule
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import Message, Num, say

Words = tuple[Message, Message, Message]
ANSWER = (say("this answer"), say("← this answer lies beyond"), say("this answer lies beyond →"))
SURVEY = (say("this survey"), say("← this survey lies beyond"), say("this survey lies beyond →"))

STAR = f"answer{PART}star"  # the foot of its rule


def simulated_columns(
    ink: str, answer: Array, x: Array, bar: float, span: Array, axis: Axis
) -> Columns:
    """The bars of a simulated answer at x, shape (d,), each `bar` wide, with whiskers between the
    ends `span`, shape (2, d); one without an end goes on beyond the `axis`."""
    beyond = 2 * axis.range[0] - axis.range[1]
    low, high = np.where(np.isfinite(span), span, beyond)
    return Columns("answer", ink, say("simulated"), x, answer, bar, low, high)


def told_on(span: float, value: float) -> Message:
    """A value that stands on an axis of this `span`, as exactly as could be seen there; a whole
    number whole."""
    fine = math.floor(math.log10(abs(value) / span)) if value and span > 0 else 0
    digits = len(f"{abs(value):.0f}") if value == round(value) else 4 + fine
    return say("{x}", x=Num(value, min(max(digits, 3), 12)))


def moved(mark: Rule, figure: Figure, value: float, words: Words) -> Rule:
    """The rule of a simulated answer at its value; dotted at the edge of the chart where it lies
    beyond it. The words say what stands there: within, beyond on the left, beyond on the right."""
    low, high = figure.x.range
    if low <= value <= high:
        told = told_on(high - low, value)
        return replace(mark, at=value, dash="solid", label=words[0], told=told)
    label = words[1] if value < low else words[2]
    return replace(mark, at=min(max(value, low), high), dash="dot", label=label, told="")


def with_layers(figure: Figure, *layers: Layer) -> Figure:
    """The figure with these layers in the places of those of the same keys."""
    new = {layer.key: layer for layer in layers}
    return replace(figure, layers=tuple(new.get(layer.key, layer) for layer in figure.layers))


def with_figures(findings: Findings, *figures: Figure) -> Findings:
    """The findings with these figures in the places of those of the same keys."""
    new = {figure.key: figure for figure in figures}
    changed = tuple(new.get(figure.key, figure) for figure in findings.figures)
    return replace(findings, figures=changed)


def told(findings: Findings, value: float, text: Message, note: Message | str) -> Findings:
    """The strip with a simulated answer in it, and the sentence that tells it where there is one.
    `value` is the raw number that `text` shows."""
    fact = replace(findings.fact("answer"), text=text, note=note, value=value)
    return replace(
        findings,
        facts=tuple(fact if f.key == "answer" else f for f in findings.facts),
        sentences=tuple(
            replace(s, say=say(s.say.text, **{**s.say.values, "answer": text}))
            if s.key == "answer"
            else s
            for s in findings.sentences
        ),
    )


def with_answer(findings: Findings, ink: str, index: int) -> Findings:
    """The published chart with another simulated answer in it; bars take the ink of the
    mechanism."""
    answer = findings.replays[index % len(findings.replays)]
    figure = findings.figure("published")
    layer = figure.layer("answer")
    stars = [each for each in figure.layers if each.key == STAR and isinstance(each, Dots)]
    if isinstance(layer, Rule):
        new: Layer = moved(layer, figure, float(answer[0]), ANSWER)
        seen = answer[:1] if figure.x.range[0] <= answer[0] <= figure.x.range[1] else []
        stars = [replace(star, x=seen, y=np.zeros(len(seen))) for star in stars]
    elif isinstance(layer, Heat):
        new = replace(layer, values=np.reshape(answer, layer.values.shape)[::-1])
    else:
        span = findings.spans[index % len(findings.spans)]
        new = simulated_columns(ink, answer, layer.x, layer.width, span, figure.y)
    return with_figures(findings, with_layers(figure, new, *stars))
