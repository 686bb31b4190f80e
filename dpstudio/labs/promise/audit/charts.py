"""The audit's four charts as plain figures."""

import math
from typing import Any

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Array,
    Axis,
    Band,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Ribbon,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.audit_bounds import SOURCE, bounds_by_draws, found_bound
from dpstudio.labs.promise.audit import model as audit
from dpstudio.labs.promise.audit.phrases import event_words, score_words, verdict_ink
from dpstudio.privacy.attacks.audit import ABOVE, BELOW, inside
from dpstudio.privacy.attacks.lists import Chosen
from dpstudio.privacy.attacks.subject import Catalogued, Subject, score
from dpstudio.values.messages import N_, Message, Num, say, worded

_BARS = 80
_FEW = 24
_ALONG = 200  # points of what lies between the claim and what is proved
_BROKEN = 0.1  # how opaque it is that is


def _top(model: audit.AuditModel) -> float:
    """The end of an ε axis: above the claim and the bound, and above the exact ε unless that is far
    away."""
    known = max(model.claim, audit.bound(model), 0.01)
    return nice_above(1.12 * max(known, model.exact if model.exact < 4 * known else 0.0))


def _rules(model: audit.AuditModel) -> tuple[Layer, ...]:
    claim = Rule(
        "claim",
        "target",
        say("claimed"),
        model.claim,
        axis="y",
        told=say("{n}", n=Num(model.claim, 4)),
    )
    if not model.exact < _top(model) or abs(model.exact - model.claim) < 0.02 * _top(model):
        return (claim,)
    return claim, Rule(
        "exact",
        "truth",
        say("exact"),
        model.exact,
        axis="y",
        dash="dash",
        told=say("{n}", n=Num(model.exact, 4)),
    )


def bounds_chart(model: audit.AuditModel) -> Figure:
    """The lower bound as the number of draws grows, with the claim and the exact ε; what lies above
    the claim and is proved cannot be if the claim holds."""
    confidence, found, ink = model.lab.confidence, audit.bound(model), verdict_ink(model)
    least = say("{n}", n=found_bound(found, model.claim))
    words = say("{n} → ε ≥ {bound}", n=Num(model.trials), bound=found_bound(found, model.claim))
    handle = Handle("here", ink, words, float(model.trials), found, "trials")
    x, y = bounds_by_draws(model.steps, confidence, model.delta)
    along = np.geomspace(x[0], x[-1], model.effort.of_points(_ALONG))
    above = np.maximum(np.interp(np.log(along), np.log(x), y), model.claim)
    broken = Ribbon("broken", ink, "", along, np.full_like(above, model.claim), above, _BROKEN)
    return Figure(
        "bounds",
        say("What the draws prove"),
        Axis(say("draws on each side"), log=True, range=(150.0, 1.3e6)),
        Axis(Message("ε"), range=(0.0, _top(model))),
        (
            *((broken,) if audit.exposed(model) else ()),
            Line("bound", ink, say("lower bound"), x, y, width=3.0, told=least),
            *_rules(model),
            # The first, quick picture has fewer draws than were asked for: nothing to drag there.
            *((handle,) if model.trials == model.lab.trials else ()),
        ),
        say(
            "each point is a whole audit, at {confidence} confidence",
            confidence=Num(confidence, 4, "down", percent=True),
        ),
        simulated=True,
        source=SOURCE,
        told=Message("ε"),
    )


def outputs_chart(model: audit.AuditModel) -> Figure:
    """Histograms under D and D′, with the bars shaded whose outputs lie in the chosen event."""
    some = audit.sample(model)
    shown = tuple(each[: audit.many_shown(model)] for each in some or audit.all_scores(model))
    finite = np.concatenate([values[np.isfinite(values)] for values in shown])
    whole = some is not None and model.subject.integers
    low, high = (
        (float(v) for v in np.quantile(finite, [0.002, 0.998])) if len(finite) else (0.0, 1.0)
    )
    if whole:
        step = max(1, math.ceil((high - low + 1) / _BARS))
        edges = np.arange(math.floor(low), math.ceil(high) + step + 1, step) - 0.5
    else:
        gap = max(high - low, 1e-9)
        edges = np.linspace(low - 0.02 * gap, high + 0.02 * gap, _BARS + 1)
    heights = [np.histogram(values, edges)[0] / (len(values) * np.diff(edges)) for values in shown]
    bands = _shaded(model, array(edges), whole)
    # The few outputs of a listed mechanism stand under their bars.
    ticks = (
        tuple((float(k), str(int(k))) for k in edges[:-1] + 0.5)
        if whole and len(edges) <= _FEW
        else ()
    )
    axis = say("output") if some is not None else score_words(model)
    return Figure(
        "outputs",
        say("Outputs, and the event"),
        Axis(axis, range=(float(edges[0]), float(edges[-1])), whole=whole, ticks=ticks),
        Axis(Message(N_("share of outputs") if whole else N_("density")), room=1.05, hidden=True),
        (
            *bands,
            Area("d", "first", say("under D"), edges, heights[0]),
            Area("d_prime", "second", say("under D′"), edges, heights[1]),
        ),
        say(
            "{n} {n:draw|draws} of each; shaded: the event {event}",
            n=Num(audit.many_shown(model)),
            event=event_words(model),
        ),
        simulated=True,
        source=model.subject.source,
    )


def _shaded(model: audit.AuditModel, edges: Array, whole: bool) -> tuple[Band, ...]:
    """One band for each run of bars that lie in the event."""
    middles = (edges[1:] + edges[:-1]) / 2
    at = np.round(middles) if whole else middles
    some = audit.sample(model)
    if some is not None:
        if not whole or model.lab.events == "lines":
            values = score(model.subject, model.lab.events, at)
        else:  # only outputs that came: a listed mechanism has no others
            came = np.isin(at, np.unique(np.concatenate(some)))
            values = np.full(len(at), np.nan)
            values[came] = score(model.subject, model.lab.events, at[came])
    else:
        values = at
    hit = np.append(np.insert(inside(model.trial.event, values), 0, False), False)
    starts, ends = np.flatnonzero(~hit[:-1] & hit[1:]), np.flatnonzero(hit[:-1] & ~hit[1:])
    label = say("event")
    return tuple(
        Band(f"event_{i}", "band", label if i == 0 else "", float(edges[a]), float(edges[b]))
        for i, (a, b) in enumerate(zip(starts, ends, strict=True))
    )


def events_chart(model: audit.AuditModel) -> Figure:
    """The bound by threshold, on the draws that choose (dashed) and on those that test, where one
    dot counts."""
    curves, found = audit.events_curves(model), audit.bound(model)
    event = model.trial.event
    layers: list[Layer] = []
    every = np.unique(np.concatenate([at for at, _, _ in curves.values()]))
    finite = every[np.isfinite(every)]
    low, high = (float(finite[0]), float(finite[-1])) if len(finite) else (0.0, 0.0)
    # What only one side can give has the loss ±∞, which stands beyond all others.
    far = 0.25 * max(high - low, 1.0)
    ends = {-math.inf: low - far, math.inf: high + far}
    low, high = (
        ends[end] if end in every else edge for end, edge in ((-math.inf, low), (math.inf, high))
    )
    gap = max(high - low, 0.1)
    for tail, ink, label in ((ABOVE, "first", N_("at least")), (BELOW, "second", N_("at most"))):
        at, chosen, tested = curves[tail]
        x = array(np.clip(at, low, high))
        layers.append(Line(f"chosen_{tail}", ink, "", x, chosen, dash="dot", width=1.2))
        layers.append(Line(f"tested_{tail}", ink, Message(label), x, tested))
    words = say("chosen: ε ≥ {bound}", bound=found_bound(found, model.claim))
    layers.append(
        Dots("event", verdict_ink(model), words, [min(max(event.at, low), high)], [found])
    )
    return Figure(
        "events",
        say("Which event proves most"),
        Axis(
            score_words(model),
            range=(low - 0.05 * gap, high + 0.05 * gap),
            ticks=_ticks(finite, every, ends),
        ),
        Axis(say("lower bound on ε"), range=(0.0, _top(model))),
        (*layers, *_rules(model)),
        say("dotted: the draws that choose; solid: those that test, of which the dot alone counts"),
        simulated=True,
        source=SOURCE,
    )


def _ticks(finite: Array, every: Array, ends: dict[float, float]) -> tuple[tuple[float, str], ...]:
    """Words for an axis that has ∞ on it; numbers as usual elsewhere."""
    if len(finite) == len(every):
        return ()
    inner = finite if len(finite) <= _FEW // 4 else np.array([finite[0], finite[-1]])
    marks = [
        (ends[end], name) for end, name in ((math.inf, "∞"), (-math.inf, "−∞")) if end in every
    ]
    return (*marks, *((float(x), str(Num(float(x), 3))) for x in inner))


def picks(subject: Subject) -> tuple[tuple[str, Any], ...]:
    """The parameters that open a subject of the catalogue."""
    itself = (("subject", subject.key),)
    # Those that are built on them have a mechanism too, which is not theirs to choose.
    if isinstance(subject, Catalogued | Chosen) and type(subject) in (Catalogued, Chosen):
        return (*itself, ("subject.mechanism", subject.mechanism.key))
    return itself


def catalogue_chart(model: audit.AuditModel) -> Figure:
    """Every subject as it is by default: the claim, and what an audit proves, all at the joint
    confidence."""
    rows = model.catalogue
    y = np.arange(len(rows), 0, -1, dtype=np.float64)
    claims = np.array([one.subject.claim[0] for one in rows])
    bounds = np.array(audit.joint_bounds(model))
    exposed = bounds > claims
    clicks = [picks(one.subject) for one in rows]
    layers: list[Layer] = [Dots("claims", "target", say("claimed"), claims, y, picks=tuple(clicks))]
    for key, ink, label, held in (
        ("cleared", "first", N_("lower bound"), ~exposed),
        ("exposed", "bad", N_("exposed"), exposed),
    ):
        chosen = tuple(click for click, kept in zip(clicks, held, strict=True) if kept)
        layers.append(Dots(key, ink, Message(label), bounds[held], y[held], picks=chosen))
    names = tuple((float(at), worded(one.subject.name)) for at, one in zip(y, rows, strict=True))
    return Figure(
        "catalogue",
        say("Everyone’s claim and audit"),
        Axis(Message("ε"), log=True, range=(0.05, 20.0), floored=True),
        Axis(say("mechanism"), range=(0.3, len(rows) + 0.7), ticks=names),
        tuple(layers),
        say(
            "{n} {n:draw|draws} each; all bounds hold together at {confidence} (Bonferroni)",
            n=Num(rows[0].trial.draws),
            confidence=Num(model.lab.confidence, 4, "down", percent=True),
        ),
        simulated=True,
        source=SOURCE,
    )
