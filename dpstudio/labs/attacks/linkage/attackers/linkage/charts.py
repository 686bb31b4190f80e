"""The charts of linkage."""

from typing import Any

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Column,
    Dots,
    Figure,
    Lanes,
    Layer,
    Line,
    decades,
    nice_above,
)
from dpstudio.labs.attacks.attackers.success_charts import percent
from dpstudio.labs.attacks.linkage.attackers.linkage import model as linkage
from dpstudio.labs.named_rows import bar, brackets, slim
from dpstudio.labs.percents import shares_axis
from dpstudio.privacy.attacks.guessing import Guesses
from dpstudio.values.messages import Message, Num, say, worded

_SCORES = 200  # of them that are drawn, at most
_ASIDE = 0.27  # of a lane: the marks above and below its bar


def charts(model: linkage.LinkageModel) -> tuple[Figure, ...]:
    """Who is found against what is known, and the scoreboard of one person."""
    known, source = linkage.KNOWN, model.attacker.source
    named = tuple(worded(say("{n} {n:rating|ratings}", n=Num(n))) for n in known)
    picks = tuple((("attacker.known", n),) for n in known)
    chosen = known.index(model.attacker.known) if model.attacker.known in known else -1
    hero = found_chart(
        linkage.found(model),
        named,
        say("ratings known"),
        source,
        model.looked.confidence,
        chosen=chosen,
        picks=picks,
    )
    return hero, scores_chart(linkage.scores(model), linkage.clear(model), source)


def found_chart(
    seen: linkage.LinkedShares,
    names: tuple[str, ...],
    what: Message,
    source: str,
    confidence: float,
    *,
    chosen: int,
    picks: tuple[tuple[tuple[str, Any], ...], ...] = (),
    exact: bool = False,
) -> Figure:
    """Who is found, a lane for each of what is known, the least on top: found by the scoreboard as
    bars with brackets, by a join and wrongly as marks, and all of them as numbers."""
    many = len(names)
    lanes = np.arange(many, dtype=np.float64)[::-1]
    aside = _ASIDE * slim(many)
    marks = [("joined", "first", say("by a join"), seen.joined, aside)]
    if seen.wrong is not None:
        marks.append(("wrong", "limit", say("somebody else"), seen.wrong, -aside))
    layers: list[Layer] = [
        bar(f"bar/{lane:.0f}", "answer", float(share), float(lane), many)
        for lane, share in zip(lanes, seen.right.share, strict=True)
    ]
    layers.append(brackets("right_band", "answer", seen.right.low, seen.right.high, lanes, many))
    head = say("one fits best") if seen.wrong is None else say("found")
    columns = [Column(head, _shares(seen.right), ("answer",), strong=True)]
    for key, ink, name, found, off in marks:
        layers.append(Dots(key, ink, name, found.share, lanes + off))
        columns.append(Column(name, _shares(found), (ink,)))
    x = shares_axis(
        say("share of those looked for"), seen.right.high, *(each[3].share for each in marks)
    )
    targets = Dots("lanes", "text", head, seen.right.share, lanes, picks=picks)
    return Figure(
        "found",
        say("People found without names"),
        x,
        Axis(what, range=(-0.5, many - 0.5), ticks=tuple(zip(lanes.tolist(), names, strict=True))),
        tuple(layers),
        say("bar: found; bracket: {x} confidence", x=Num(confidence, 4, "down", percent=True)),
        exact=exact,
        simulated=True,
        source=source,
        lanes=Lanes(tuple(columns), chosen, (), targets),
    )


def _shares(told: Guesses) -> tuple[Message, ...]:
    return tuple(say("{x}", x=percent(float(share))) for share in told.share)


def scores_chart(scores: Array, clear: float, source: str, exact: bool = False) -> Figure:
    """How many rows fit at least so well with what is known of one person, and how clear the best
    is."""
    values, counts = np.unique(scores, return_counts=True)
    many = counts[::-1].cumsum()[::-1].astype(np.float64)
    seen = np.unique(np.linspace(0, len(values) - 1, _SCORES).round().astype(np.int64))
    x, y = values[seen], many[seen]
    best = say("best: {n:# row|# rows}", n=Num(int(counts[-1])))
    return Figure(
        "scores",
        say("Scoreboard of one person"),
        Axis(say("score"), range=(min(0.0, float(x[0])), nice_above(1.02 * max(1e-3, x[-1])))),
        Axis(say("rows with at least that score"), log=True, range=decades(many)),
        (
            Line(
                "rows",
                "target",
                say("all rows"),
                np.repeat(x, 2)[:-1],
                np.repeat(y, 2)[1:],
                dash="solid",
            ),
            Dots("best", "answer", best, x[-1:], y[-1:]),
        ),
        say("{clear} {clear:deviation|deviations} apart", clear=Num(clear, 3)),
        exact=exact,
        simulated=True,
        source=source,
    )
