"""One simulated answer among those that might be published, put into a picture of bars, dots or cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, Columns, Heat, Layer, Rule, array
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import say


def simulated_columns(ink: str, answer: Array, x: Array, bar: float, widths: Array) -> Columns:
    answer = array(answer)
    return Columns(
        "answer", ink, say("simulated"), x, answer, bar, answer - widths, answer + widths
    )


def with_answer(findings: Findings, ink: str, index: int) -> Findings:
    """The published chart with another simulated answer in it; bars take the ink of the
    mechanism."""
    answer = findings.replays[index % len(findings.replays)]
    figure = findings.figure("published")
    layer = figure.layer("answer")
    if isinstance(layer, Rule):
        low, high = figure.x.range
        value = float(answer[0])
        moved: Layer = replace(layer, at=value)
        if not low <= value <= high:
            label = (
                say("this answer lies beyond →")
                if value > high
                else say("← this answer lies beyond")
            )
            moved = replace(layer, at=min(max(value, low), high), dash="dot", label=label)
        else:
            moved = replace(layer, at=value, dash="solid", label=say("this answer"))
    elif isinstance(layer, Heat):
        moved = replace(layer, values=array(np.reshape(answer, layer.values.shape)[::-1]))
    else:
        moved = simulated_columns(ink, answer, layer.x, layer.width, layer.high - layer.heights)
    changed = replace(figure, layers=tuple(moved if old is layer else old for old in figure.layers))
    return replace(findings, figures=tuple(changed if f is figure else f for f in findings.figures))
