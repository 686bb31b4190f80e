"""Anonymity's charts of the lattice: every way to generalise, and what each risks and loses."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Line
from dpstudio.labs.percents import percent_ticks, shares_end
from dpstudio.labs.whole_tables.anonymity.ways.heights import nodes
from dpstudio.labs.whole_tables.anonymity.ways.heights.lattice import drawn_nodes
from dpstudio.labs.whole_tables.anonymity.ways.heights.tree import Drawn, drawn_tree
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.labs.whole_tables.anonymity.ways.way import Walked
from dpstudio.privacy.anonymity.classes import Mask
from dpstudio.values.messages import N_, Message, Num, plain, say

_SOURCE = "Samarati 2001; Kohlmayer, Prasser, Eckert, Kemper & Kuhn 2012"
_WHO = N_("a click publishes a node")


def lattice_charts(task: Task, walked: Walked, suppressed: float) -> Iterator[Figure]:
    """The lattice and its scatter, where it is small enough to be drawn, and the first tree."""
    if drawn_nodes(task):
        fits = nodes.allowed(task, suppressed)
        yield _lattice(task, walked, fits)
        yield _scatter(task, walked, fits, nodes.frontier(task, suppressed))
    if (tree := drawn_tree(task.hierarchy(task.rows.columns[0]), walked.node[0])) is not None:
        yield _tree(task.lab.quasi[0], tree)


def _lattice(task: Task, walked: Walked, fits: Mask) -> Figure:
    """Every way to generalise."""
    x, y = nodes.places(task)
    drawn = nodes.edges(task)
    reach = float(np.abs(x).max()) + 0.8
    across = say("from the table as it is, below, to one class, above")
    return Figure(
        "lattice",
        say("Ways to generalise"),
        Axis(across, range=(-reach, reach), hidden=True),
        Axis(say("heights together"), range=(-0.6, float(y.max()) + 0.6), whole=True),
        (
            Line("edges", "grid", "", *drawn, dash="solid", width=1.0, behind=True),
            *_marked(task, walked, fits, x, y),
        ),
        Message(_WHO),
        exact=True,
        source=_SOURCE,
    )


def _scatter(task: Task, walked: Walked, fits: Mask, best: tuple[Array, Array]) -> Figure:
    """What each node loses against the highest risk in it."""
    every = drawn_nodes(task)
    loss = np.array([each.loss for each in every])
    risk = np.array([1 / each.k if each.k else 1e-5 for each in every])
    low, high = float(min(risk.min(), 0.1)) / 2, shares_end(float(loss.max()))
    return Figure(
        "tradeoff",
        say("Risk and loss of each"),
        Axis(say("highest risk to be found"), log=True, range=(low, 1.3)),
        Axis(say("lost"), range=(-0.02, high), ticks=percent_ticks(0.0, high)),
        (
            Line("best", "first", say("none is better in both"), *best, behind=True),
            *_marked(task, walked, fits, risk, loss),
        ),
        say("{n} {n:node|nodes}, {who}", n=Num(len(every)), who=Message(_WHO)),
        exact=True,
        source=_SOURCE,
    )


def _marked(task: Task, walked: Walked, fits: Mask, x: Array, y: Array) -> Iterator[Dots]:
    """The nodes at these places: those that leave out few enough rows, the others, and the one that
    is published."""
    every = [each.node for each in drawn_nodes(task)]
    for key, ink, label, chosen in (
        ("others", "muted", say("leaves out too many"), ~fits),
        ("fits", "first", say("allowed"), fits),
    ):
        which = np.flatnonzero(chosen)
        named = (nodes.named(task.lab.quasi, every[i]) for i in which)
        picks = tuple((("algorithm.heights", each),) for each in named)
        yield Dots(key, ink, label, x[which], y[which], picks=picks)
    here = [every.index(walked.node)]
    yield Dots("here", "gaussian", say("published"), x[here], y[here], marker="star")


def _tree(column: str, drawn: Drawn) -> Figure:
    """The hierarchy of a column, and the height that is published."""
    wide, high = float(drawn.x.max()) + 0.6, float(drawn.y.max())
    heights = tuple((float(each), str(each)) for each in range(round(high) + 1))
    at = np.full(len(drawn.published), float(drawn.height))
    return Figure(
        "tree",
        say("The hierarchy of “{column}”", column=column),
        Axis(plain(column), range=(-0.6, wide), ticks=drawn.names),
        Axis(say("height"), range=(-0.3, high + 0.3), ticks=heights),
        (
            Line("edges", "grid", "", *drawn.edges, dash="solid", width=1.0, behind=True),
            Dots("nodes", "first", "", drawn.x, drawn.y),
            Dots("here", "gaussian", say("published"), drawn.published, at, marker="star"),
        ),
        say("its words at height {height} are named", height=Num(drawn.named)),
        exact=True,
        source=_SOURCE,
    )
