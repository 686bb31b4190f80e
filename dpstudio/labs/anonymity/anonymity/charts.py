"""Anonymity's charts: classes in the plane, who can be found, what is learnt of them, what is
lost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from dpstudio.charts.figure import (
    Axis,
    Columns,
    Dots,
    Figure,
    Heat,
    Layer,
    Line,
    Ribbon,
    Rule,
    nice_above,
)
from dpstudio.labs.anonymity.anonymity.choices.promises import Closeness
from dpstudio.labs.anonymity.anonymity.curves import (
    Point,
    by_dial,
    by_k,
    here,
    known_by,
    questions,
    suda_steps,
)
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel, dial, many, prior
from dpstudio.labs.anonymity.anonymity.plane import (
    BINS,
    Side,
    boxed,
    mosaic,
    outlines,
    people,
    sides,
    size_shares,
    sureness,
)
from dpstudio.labs.anonymity.anonymity.released import beforehand, seen, ungrouped
from dpstudio.labs.percents import percent_ticks, shares_end
from dpstudio.values.messages import Message, Num, plain, say

_INKS = ("first", "second", "third", "staircase", "discrete_gaussian", "l2norm")
_MOST = 500  # boxes beyond which their edges would hide all else
_EPSILONS = (0.01, 0.1, 1.0)


def axis_of(side: Side) -> Axis:
    """A side of the plane."""
    ends = float(side.edges[0]), float(side.edges[-1])
    whole = bool(np.all(np.diff(side.edges) == 1))
    return Axis(plain(side.name), range=ends, ticks=side.words, hidden=not side.name, whole=whole)


def source(model: AnonymityModel) -> str:
    """Where the promise and the algorithm come from."""
    return f"{model.lab.promise.source}; {model.lab.algorithm.source}"


def plane_chart(model: AnonymityModel) -> Figure:
    """Classes over the first two quasi-identifiers, coloured by how sure an attacker is."""
    across, up = sides(model)
    heat = Heat(
        "sure", "gaussian", "", across.edges, up.edges, sureness(model), prior(model), 1.0
    )  # fmt: skip
    layers: list[Layer] = [heat]
    if boxed(model) and many(model) <= _MOST:
        x, y = outlines(model)
        layers.append(Line("boxes", "text", "", x, y, dash="solid", width=1.0))
    x, y = people(model)
    layers.append(Dots("people", "truth", say("somebody"), x, y, diameter=_diameter(across)))
    text = say(
        "coloured where an attacker is surer of “{column}” than {prior}, as of anybody",
        column=model.lab.sensitive,
        prior=Num(prior(model), 3, percent=True),
    )
    return Figure(
        "plane",
        say("{classes} classes", classes=Num(many(model))),
        axis_of(across),
        axis_of(up),
        tuple(layers),
        dated(model, text),
        exact=True,
        source=source(model),
    )


def _diameter(side: Side) -> float:
    return float(side.edges[-1] - side.edges[0]) / 400


def sizes_chart(model: AnonymityModel) -> Figure:
    """How many people share their quasi-identifiers, before and after."""
    raw, after = size_shares(model if ungrouped(model) else seen(model))
    name = say("in classes") if ungrouped(model) else say("published")
    at = np.arange(len(BINS), dtype=np.float64)
    names = [f"{low}–{end - 1}" if end - low > 1 else f"{low}" for low, end in pairwise(BINS)]
    names.append(f"{BINS[-1]:,}+")
    # The highest bars keep their names where not all have room.
    ticks = tuple((float(i), names[i]) for i in np.argsort(-(raw + after), kind="stable"))
    high = shares_end(float(max(raw.max(), after.max())))
    return Figure(
        "sizes",
        say("Who looks like whom"),
        Axis(say("people who look alike"), range=(-0.6, len(BINS) - 0.4), ticks=ticks),
        Axis(say("share of people"), range=(0.0, high), ticks=percent_ticks(0.0, high)),
        (
            Columns("before", "truth", say("as it is"), at - 0.2, raw, 0.38),
            Columns("after", "first", name, at + 0.2, after, 0.38),
        ),
        exact=True,
        source="Dankar & El Emam 2010",
    )


def known_chart(model: AnonymityModel) -> Figure | None:
    """The share of unique people by how many columns are known."""
    known = known_by(model)
    if not known:
        return None
    at = [float(each.columns) for each in known]
    most = np.array([each.most for each in known])
    high = shares_end(float(most.max()))
    layers = (
        Ribbon("spread", "first", "", at, [each.least for each in known], most),
        Line("mean", "first", say("on average"), at, [each.mean for each in known]),
        Line("most", "gaussian", say("the most telling"), at, most),
        Dots("marks", "gaussian", "", at, most),
    )
    return Figure(
        "known",
        say("Unique by what is known"),
        Axis(say("columns that are known"), range=(0.7, max(at) + 0.3), whole=True),
        Axis(say("share of unique people"), range=(0.0, high), ticks=percent_ticks(0.0, high)),
        layers,
        say("in the table as it is, over all sets of so many columns"),
        exact=True,
        source="Sweeney 2000",
    )


def suda_chart(model: AnonymityModel) -> Figure | None:
    """How many people small sets of columns single out, by their SUDA2 score."""
    x, y = suda_steps(model)
    if not len(x):
        return None
    high = shares_end(float(y.max()))
    low, top = 0.8 * float(x.min()), max(1.1, 1.2 * float(x.max()))
    return Figure(
        "suda",
        say("Singled out by few columns"),
        Axis(say("SUDA2 score, 1 at most"), log=True, range=(low, top)),
        Axis(say("people with at least this"), range=(0.0, high), ticks=percent_ticks(0.0, high)),
        (Line("people", "gaussian", "", x, y), Dots("scores", "gaussian", "", x, y)),
        say("sets of at most 3 of the columns that might be known"),
        exact=True,
        source="Elliot, Manning & Ford 2002",
    )


def mosaic_chart(model: AnonymityModel) -> Figure:
    """The sensitive values of each class, stacked, classes as wide as they have people."""
    ends, stacked, sure = mosaic(model)
    x = np.repeat(np.concatenate([[0.0], ends]), 2)[1:-1]
    step = np.repeat(stacked, 2, axis=1)
    words = model.rows.sensitive.words
    shares = np.round(np.diff(stacked, axis=0) @ np.diff(ends, prepend=0.0), 12)
    named = np.argsort(-shares, kind="stable")[: len(_INKS)]
    layers: list[Layer] = []
    for value, word in enumerate(words):
        place = np.flatnonzero(named == value)
        ink = _INKS[int(place[0])] if len(place) else "muted"
        label = plain(word) if len(place) else ""
        low, high = step[value], step[value + 1]
        layers.append(Ribbon(f"value{value}", ink, label, x, low, high, opacity=0.5))
    layers.append(Line("sure", "text", say("surest guess"), x, np.repeat(sure, 2), width=2.0))
    layers.append(Rule("prior", "muted", say("of anybody"), prior(model), axis="y", dash="dash"))
    return Figure(
        "mosaic",
        say("What a class tells"),
        Axis(say("people, surest first"), range=(0.0, 1.0), ticks=percent_ticks(0.0, 1.0)),
        Axis(plain(model.lab.sensitive), range=(0.0, 1.02), ticks=percent_ticks(0.0, 1.0)),
        tuple(layers),
        dated(model, say("shares of “{column}” in each class", column=model.lab.sensitive)),
        exact=True,
        source="Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam 2007",
    )


def dated(model: AnonymityModel, text: Message) -> Message:
    """The line under a chart of classes, which says so where these are not what leaves."""
    before = beforehand(model)
    return text if before is None else say("{shown}, {before}", shown=text, before=before)


def loss_charts(model: AnonymityModel) -> Iterator[Figure]:
    """What is lost against k, and against l or t."""
    yield _loss_chart(model, "k", by_k(model), float(model.lab.promise.k))
    key = dial(model.lab.promise)
    if key:
        yield _loss_chart(model, key, by_dial(model), float(getattr(model.lab.promise, key)))


def _loss_chart(model: AnonymityModel, key: str, points: Sequence[Point], at: float) -> Figure:
    x = [point.at for point in points]
    rows = float(len(model.rows.kept))
    curves = {
        "loss": [point.loss for point in points],
        "dm": [point.dm / rows**2 for point in points],
        "same": [point.same / rows for point in points],
    }
    floor = 1e-5
    layers: tuple[Layer, ...] = (
        Line("loss", "first", say("width lost (NCP)"), x, curves["loss"]),
        Line("dm", "second", say("discernibility / n²"), x, curves["dm"]),
        Line("same", "gaussian", say("people in classes of one value"), x, curves["same"]),
        Rule("here", "text", say("{key} = {at}", key=key, at=Num(at)), at, dash="dot"),
    )
    ends = (min(x) * 0.9, max(x) * 1.1) if len(x) > 1 else (at * 0.5, at * 2)
    return Figure(
        f"loss_{key}",
        say("What {key} costs", key=key),
        Axis(say("{key}", key=key), log=not isinstance(model.lab.promise, Closeness) or key == "k",
             range=ends),
        Axis(say("share, 1 at worst"), log=True, range=(floor, 1.3), floored=True),
        layers,
        exact=True,
        source="Xu, Wang, Pei, Wang, Shi & Fu 2006; Bayardo & Agrawal 2005",
    )  # fmt: skip


def count_chart(model: AnonymityModel) -> Figure | None:
    """The error of counts against k, beside that of Laplace noise."""
    points, point = by_k(model), here(model)
    if point is None or not points or math.isnan(point.error):
        return None
    x, y = [p.at for p in points], [p.error for p in points]
    high = nice_above(1.3 * max(*y, 1 / min(_EPSILONS)))
    layers: list[Layer] = [
        Line("classes", "first", say("from classes"), x, y),
        Dots("here", "first", "", [point.at], [point.error]),
    ]
    layers += [
        Rule(f"laplace{i}", "laplace" if i else "target", say("Laplace, ε = {e}", e=Num(epsilon)),
             1 / epsilon, axis="y", dash="dash")
        for i, epsilon in enumerate(_EPSILONS)
    ]  # fmt: skip
    return Figure(
        "counts",
        say("Wrong counts, beside noise"),
        Axis(say("k"), log=True, range=(min(x) * 0.9, max(x) * 1.1)),
        Axis(say("mean error of a count"), log=True, range=(0.3, high), floored=True),
        tuple(layers),
        say("{many} ranges drawn by lot; noise is for one of them", many=Num(questions(model))),
        exact=True,
        simulated=True,
        source="LeFevre, DeWitt & Ramakrishnan 2006, section 5",
    )
