"""Anonymity's charts of the lattice: every way to generalise, and what each risks and loses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Line
from dpstudio.labs.percents import percent_ticks, shares_end
from dpstudio.labs.whole_tables.anonymity import nodes as anonymity_nodes
from dpstudio.labs.whole_tables.anonymity.heights import named_heights
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.labs.whole_tables.anonymity.trees import Drawn, first_drawn
from dpstudio.privacy.anonymity.lattice import Judged
from dpstudio.values.messages import N_, Message, Num, plain, say

_SOURCE = "Samarati 2001; Kohlmayer, Prasser, Eckert, Kemper & Kuhn 2012"
_WHO = N_("a click publishes a node")


def lattice_charts(model: AnonymityModel) -> Iterator[Figure]:
    """The lattice and its scatter, where it is small enough to be drawn."""
    if anonymity_nodes.nodes(model):
        yield _lattice(model)
        yield _scatter(model)
    drawn = first_drawn(model)
    if drawn is not None:
        yield _tree(model, drawn)


def _tree(model: AnonymityModel, drawn: Drawn) -> Figure:
    """The hierarchy of the first quasi-identifier, and the height that is published."""
    wide, high = float(drawn.x.max()) + 0.6, float(drawn.y.max())
    heights = tuple((float(each), str(each)) for each in range(round(high) + 1))
    at = np.full(len(drawn.published), float(drawn.height))
    text = say("its words at height {height} are named", height=Num(drawn.named))
    return Figure(
        "tree",
        say("The hierarchy of “{column}”", column=model.lab.quasi[0]),
        Axis(plain(model.lab.quasi[0]), range=(-0.6, wide), ticks=drawn.names),
        Axis(say("height"), range=(-0.3, high + 0.3), ticks=heights),
        (
            Line("edges", "grid", "", *drawn.edges, dash="solid", width=1.0, behind=True),
            Dots("nodes", "first", "", drawn.x, drawn.y),
            Dots("here", "gaussian", say("published"), drawn.published, at, marker="star"),
        ),
        text,
        exact=True,
        source=_SOURCE,
    )


def _picks(
    model: AnonymityModel, shown: list[Judged]
) -> tuple[tuple[tuple[str, object], ...], ...]:
    path = "algorithm.heights"
    return tuple(((path, named_heights(model.lab, each.node)),) for each in shown)


def _marked(model: AnonymityModel, x: np.ndarray, y: np.ndarray) -> tuple[Dots, ...]:
    """The nodes at these places: those that leave out few enough rows, the others, and the one that
    is published."""
    every, fits, here = (
        list(anonymity_nodes.nodes(model)),
        anonymity_nodes.allowed(model),
        anonymity_nodes.published(model),
    )
    out = []
    for key, ink, label, chosen in (
        ("others", "muted", say("leaves out too many"), ~fits),
        ("fits", "first", say("allowed"), fits),
    ):
        which = np.flatnonzero(chosen)
        picks = _picks(model, [every[i] for i in which])
        out.append(Dots(key, ink, label, x[which], y[which], picks=picks))
    return (*out, Dots("here", "gaussian", say("published"), [x[here]], [y[here]], marker="star"))


def _lattice(model: AnonymityModel) -> Figure:
    x, y = anonymity_nodes.places(model)
    drawn = anonymity_nodes.edges(model)
    reach = float(np.abs(x).max()) + 0.8
    return Figure(
        "lattice",
        say("Ways to generalise"),
        Axis(_names(model), range=(-reach, reach), hidden=True),
        Axis(say("heights together"), range=(-0.6, float(y.max()) + 0.6), whole=True),
        (Line("edges", "grid", "", *drawn, dash="solid", width=1.0, behind=True),
         *_marked(model, x, y)),
        Message(_WHO),
        exact=True,
        source=_SOURCE,
    )  # fmt: skip


def _names(model: AnonymityModel) -> Message:
    return say("from the table as it is, below, to one class, above")


def _scatter(model: AnonymityModel) -> Figure:
    """What each node loses against the highest risk in it."""
    every = anonymity_nodes.nodes(model)
    loss = np.array([each.loss for each in every])
    risk = np.array([1 / each.k if each.k else 1e-5 for each in every])
    low = float(min(risk.min(), 0.1)) / 2
    x, y = anonymity_nodes.frontier(model)
    high = shares_end(float(loss.max()))
    return Figure(
        "tradeoff",
        say("Risk and loss of each"),
        Axis(say("highest risk to be found"), log=True, range=(low, 1.3)),
        Axis(say("lost"), range=(-0.02, high), ticks=percent_ticks(0.0, high)),
        (Line("best", "first", say("none is better in both"), x, y, behind=True),
         *_marked(model, risk, loss)),
        say("{n} {n:node|nodes}, {who}", n=Num(len(every)), who=Message(_WHO)),
        exact=True,
        source=_SOURCE,
    )  # fmt: skip
