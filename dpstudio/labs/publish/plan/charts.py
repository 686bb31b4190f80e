"""Plan's charts: who pays what, the frontier of total ε against the worst error, and what dropping
one target saves."""

from __future__ import annotations

import math

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
from dpstudio.labs.named_rows import bar
from dpstudio.labs.publish.plan import cells
from dpstudio.labs.publish.plan import model as plans
from dpstudio.labs.publish.plan.model import PlanModel, Trades
from dpstudio.plans.frontier import Curve
from dpstudio.values.messages import Message, Num, say, worded

_INK, _FAINT = "pld", 0.45
_SOURCE = "Dong, Roth & Su 2022, Corollary 3.3; Bun & Steinke 2016, Proposition 1.6"
_NOTHING, _MOST = 1e-3, 1e3  # of a total ε, beyond which nothing is drawn
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)  # percents from tick to tick
_TICK = 0.3  # of a lane: half a tick
_TRACK = "grid"  # what is left of a lane, as of a slider
# A padlock in its cell, from the free end of its shackle on: open, and locked.
_BODY = ((0.0, 0.5), (0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.2, 0.5))
_OPEN = ((0.8, 0.68), (0.75, 0.85), (0.5, 0.92), (0.25, 0.85), (0.2, 0.5), *_BODY)
_LOCKED = ((0.8, 0.5), *_OPEN)


def shares_chart(model: PlanModel) -> Figure:
    """A lane for each question with its bar, its knob, and the tick that its target takes; above
    all of them the whole budget, each with its part of it."""
    lines, waiting, chosen = plans.lines(model), plans.waiting(model), plans.chosen(model)
    names = [*(line.name for line in lines), *waiting]
    count = len(names)
    at = [float(count - 1 - k) for k in range(count)]
    ends = [max(line.share, min(line.needs or 0.0, 1.0)) for line in lines]
    top = min(1.0, nice_above(1.12 * max(ends)))
    picks = [(("row", plans.row_of(model, name)),) for name in names]
    layers: list[Layer] = [bar(f"track {k}", _TRACK, top, y, count) for k, y in enumerate(at)]
    for k, (line, y) in enumerate(zip(lines, at[: len(lines)], strict=True)):
        opacity = 1.0 if k == chosen else _FAINT
        layers.append(bar(f"share {k}", _INK, line.share, y, count, opacity))
        if line.needs is not None and line.needs <= top:
            tick = [y - _TICK, y + _TICK]
            layers.append(Line(f"needs {k}", "text", "", [line.needs] * 2, tick, "solid", 2.0))
        if line.name in plans.unheld(model) and len(lines) > 1:
            layers.append(Handle(f"knob {k}", "text", "", line.share, y, "share", picks[k]))
    targets = Dots("lanes", "text", "", [0.0] * count, at, picks=tuple(picks))
    across = Axis(say("share"), range=(0.0, top), ticks=_percents(top))
    return Figure(
        "shares",
        say("Who pays what"),
        across,
        Axis("", range=(-0.5, count - 0.5), ticks=tuple(zip(at, names, strict=True))),
        tuple(layers),
        say("share of the budget; the tick is what the target takes"),
        source=_SOURCE,
        lanes=Lanes(
            _columns(model),
            chosen,
            targets=targets,
            under=(*cells.asked(model), *("" for _ in waiting)),
            whole=tuple(line.share for line in lines),
            ink=_INK,
        ),
    )


def _columns(model: PlanModel) -> tuple[Column, ...]:
    """What stands beside the lanes."""
    none = ("",) * len(plans.waiting(model))
    said, inks = zip(*cells.verdicts(model), strict=True)
    late = (say("not finished"),) * len(none)
    columns: tuple[Column, ...] = (  # where there is little room the last give way first
        Column(cells.kept(model), (*cells.errors(model), *none), strong=True),
        Column("", (*said, *late), (*inks, *("muted" for _ in none))),
        _locks(model),
        Column(say("target"), (*cells.targets(model), *none), left=True),
    )
    laws = (*cells.inks(model), *("text" for _ in none))
    curves = (*cells.curves(model), *(() for _ in none))
    noise = Column(say("noise"), (*cells.noises(model), *none), laws, left=True, curves=curves)
    return (*columns, noise)


def _locks(model: PlanModel) -> Column:
    """A padlock for each question, locked where its share is held."""
    free, none = plans.unheld(model), plans.waiting(model)
    held = [line.name not in free for line in plans.lines(model)]
    words = (*(say("locked") if one else "" for one in held), *("" for _ in none))
    inks = (*("text" if one else "muted" for one in held), *("text" for _ in none))
    curves = (*(_LOCKED if one else _OPEN for one in held), *(() for _ in none))
    return Column("", words, inks, curves=curves, wide=0.8)


def _percents(top: float) -> tuple[tuple[float, str], ...]:
    step = next(s for s in _STEPS if 5 * s >= 100 * top)
    places = (k * step / 100 for k in range(6) if k * step <= 100 * top * (1 + 1e-9))
    return tuple((x, worded(say("{x}", x=Num(x, 3, percent=True)))) for x in places)


def _alone(model: PlanModel) -> Message | str:
    """What a chart of targets leaves out, where some question has none."""
    alone = len(plans.aimed(model)) < len(plans.lines(model))
    return say("of those with a target alone") if alone else ""


def _seen(curve: Curve) -> tuple[list[float], list[float]]:
    """What of it is drawn, as x and y."""
    seen = [(e, w) for e, w in curve if _NOTHING < e < _MOST]
    return [e for e, _ in seen], [w for _, w in seen]


def _equal(trades: Trades) -> list[Layer]:
    """The same by equal shares of one noise."""
    x, y = _seen(trades.equal)
    return [Line("equal", "muted", say("equal shares, Gaussian"), x, y, "dash")] if x else []


def frontier_chart(model: PlanModel, trades: Trades) -> Figure | None:
    """The worst error as a part of its target, by total ε: of the best shares, and here; None where
    next to no ε is needed."""
    x, y = _seen(trades.curve)
    if not x:
        return None
    here = float(model.plan.charge.epsilon), plans.worst(model)
    layers: list[Layer] = [
        Rule("target", "muted", say("target"), 1.0, "y", "dash"),
        *_equal(trades),
        Line("best", _INK, say("best shares"), x, y),
        Dots("least", _INK, "", [trades.least], [1.0], marker="diamond"),
        Dots("here", "text", say("here"), [here[0]], [here[1]], marker="circle"),
    ]
    low = 10 ** math.floor(math.log10(min(*x, here[0])))
    return Figure(
        "frontier",
        say("Frontier"),
        Axis(say("total ε"), log=True, range=(min(low, 0.1), max(10.0, *x))),
        Axis(say("worst error, in targets"), log=True, range=(0.1, 10.0)),
        tuple(layers),
        _alone(model) or say("the least worst error at each ε"),
        source=_SOURCE,
    )


def dropping_chart(model: PlanModel, trades: Trades) -> Figure | None:
    """For each question the ε that meets all others; None where there is one alone."""
    found = trades.dropped
    if len(found) < 2:
        return None
    at = [float(len(found) - 1 - k) for k in range(len(found))]
    here = next((k for k, one in enumerate(found) if one.name == model.lab.asked.name), -1)
    layers: list[Layer] = [Rule("all", _INK, say("all"), trades.least)]
    for k, (one, y) in enumerate(zip(found, at, strict=True)):
        opacity = 1.0 if k == here else _FAINT
        layers.append(bar(f"without {k}", _INK, one.epsilon, y, len(at), opacity))
    told = tuple(say("{e}", e=Num(one.epsilon, 3, "up")) for one in found)
    names = tuple(zip(at, (one.name for one in found), strict=True))
    return Figure(
        "dropping",
        say("What dropping one saves"),
        Axis(say("ε that meets all others"), range=(0.0, nice_above(1.1 * trades.least))),
        Axis("", range=(-0.5, len(found) - 0.5), ticks=names),
        tuple(layers),
        _alone(model),
        source=_SOURCE,
        lanes=Lanes((Column("ε", told, strong=True),), here),
    )
