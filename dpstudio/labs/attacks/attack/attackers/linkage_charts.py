"""The charts of linkage."""

from __future__ import annotations

from dpstudio.charts.figure import (
    Axis,
    Columns,
    Dots,
    Figure,
    Layer,
    Line,
    Ribbon,
    Rule,
    nice_above,
)
from dpstudio.labs.attacks.attack.attackers.linkage import KNOWN, LinkageModel, clear, found, scores
from dpstudio.privacy.attacks.guessing import Guesses
from dpstudio.values.messages import Num, Say, say

_ROWS = 40


def charts(model: LinkageModel) -> tuple[Figure, ...]:
    """Who is found against what is known, and the scoreboard of one person."""
    return _found_chart(model), _scores_chart(model)


def _curve(key: str, ink: str, name: Say, told: Guesses) -> list[Layer]:
    return [
        Ribbon(f"{key}_band", ink, "", KNOWN, 100 * told.low, 100 * told.high),
        Line(key, ink, name, KNOWN, 100 * told.share),
        Dots(f"{key}_dots", ink, "", KNOWN, 100 * told.share, marker="circle"),
    ]


def _found_chart(model: LinkageModel) -> Figure:
    seen = found(model)
    layers = (
        *_curve("right", "answer", say("scoreboard"), seen.right),
        *_curve("wrong", "limit", say("somebody else"), seen.wrong),
        *_curve("joined", "first", say("exact join"), seen.joined),
        Rule("known", "target", say("known"), float(model.attacker.known), dash="dot"),
    )
    return Figure(
        "found",
        say("People found without names"),
        Axis(say("ratings known"), range=(0.0, KNOWN[-1] + 0.5), whole=True),
        Axis(say("% of people"), range=(-1.0, 102.0)),
        layers,
        simulated=True,
        source=model.attacker.source,
    )


def _scores_chart(model: LinkageModel) -> Figure:
    best = scores(model)[:_ROWS]
    x = [float(i + 1) for i in range(len(best))]
    layers: tuple[Layer, ...] = (
        Columns("rows", "target", say("rows"), x[1:], best[1:], 0.8),
        Columns("best", "answer", say("best row"), x[:1], best[:1], 0.8),
    )
    return Figure(
        "scores",
        say("Scoreboard of one person"),
        Axis(say("rows, the best first"), range=(0.0, _ROWS + 1.0), whole=True),
        Axis(say("score"), range=(0.0, nice_above(1.1 * max(1e-3, float(best[0]))))),
        layers,
        say("{clear} deviations apart", clear=Num(clear(model), 3)),
        simulated=True,
        source=model.attacker.source,
    )
