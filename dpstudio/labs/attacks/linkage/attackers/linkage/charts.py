"""The charts of linkage."""

from dataclasses import replace

from numpy.typing import ArrayLike

from dpstudio.charts.figure import (
    Array,
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
from dpstudio.labs.attacks.linkage.attackers.linkage import model as linkage
from dpstudio.privacy.attacks.guessing import Guesses
from dpstudio.values.messages import Message, Num, say

_ROWS = 40


def charts(model: linkage.LinkageModel) -> tuple[Figure, ...]:
    """Who is found against what is known, and the scoreboard of one person."""
    axis = Axis(say("ratings known"), range=(0.0, linkage.KNOWN[-1] + 0.5), whole=True)
    known = Rule("known", "target", say("known"), float(model.attacker.known), dash="dot")
    source = model.attacker.source
    hero = found_chart(linkage.found(model), linkage.KNOWN, axis, source)
    return replace(hero, layers=(*hero.layers, known)), scores_chart(
        linkage.scores(model), linkage.clear(model), source
    )


def _curve(key: str, ink: str, name: Message, x: ArrayLike, told: Guesses) -> list[Layer]:
    return [
        Ribbon(f"{key}_band", ink, "", x, 100 * told.low, 100 * told.high),
        Line(key, ink, name, x, 100 * told.share),
        Dots(f"{key}_dots", ink, "", x, 100 * told.share, marker="circle"),
    ]


def found_chart(
    seen: linkage.LinkedShares, x: ArrayLike, axis: Axis, source: str, exact: bool = False
) -> Figure:
    """Who is found against how much is known."""
    layers = (
        *_curve("right", "answer", say("scoreboard"), x, seen.right),
        *(_curve("wrong", "limit", say("somebody else"), x, seen.wrong) if seen.wrong else ()),
        *_curve("joined", "first", say("exact join"), x, seen.joined),
    )
    curves = (seen.right, seen.wrong, seen.joined)
    high = max(float(told.high.max()) for told in curves if told is not None)
    top = min(102.0, nice_above(110 * high))
    return Figure(
        "found",
        say("People found without names"),
        axis,
        Axis(say("% of people"), range=(-0.01 * top, top)),
        layers,
        exact=exact,
        simulated=True,
        source=source,
    )


def scores_chart(scores: Array, clear: float, source: str, exact: bool = False) -> Figure:
    """The rows that fit best what is known of one person, and how clear the best is."""
    best = scores[:_ROWS]
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
        say("{clear} {clear:deviation|deviations} apart", clear=Num(clear, 3)),
        exact=exact,
        simulated=True,
        source=source,
    )
