"""The sensitivity inspector's charts: the largest move, its norms, the noise it asks for, and the
people of this table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Array,
    Axis,
    Columns,
    Dots,
    Figure,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.central.sensitivity.words import MEASURED
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES
from dpstudio.privacy.queries.query import Clipping
from dpstudio.values.messages import N_, Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.central.sensitivity.words import Inspected

_BARS = 24
_EDGES = 60


def move_chart(seen: Inspected) -> Figure:
    """By how much the worst neighbour changes each number of the answer."""
    shift = dict(seen.mover.shifts[seen.place])
    labels = seen.labels
    # What moves, and where there is room what does not.
    places = sorted(shift)[:_BARS]
    places += [i for i in range(len(labels)) if i not in shift][
        : max(0, min(_BARS, len(labels)) - len(places))
    ]
    places.sort()
    change = np.array([shift.get(i, 0.0) for i in places])
    top = nice_above(1.1 * float(np.max(np.abs(change), initial=0.5)))
    low = -top if change.min(initial=0) < 0 else 0.0
    x = np.arange(len(places), dtype=np.float64)
    ticks = (
        tuple((float(i), labels[place]) for i, place in enumerate(places))
        if len(labels) > 1
        else ((0.0, ""),)
    )
    bars = Columns("change", "accent", "", x, change, 0.6 if len(places) > 1 else 0.25)
    return Figure(
        "move",
        say("The neighbour that moves it most"),
        Axis(Say(MEASURED[seen.measurement.name]), range=(-0.6, len(places) - 0.4), ticks=ticks),
        Axis(say("change by one person"), range=(low, top)),
        (bars,),
        seen.mover.what,
        source=type(seen.lab.query).source,
    )


def norms_chart(seen: Inspected) -> Figure:
    """L1, L2 and L∞ under both adjacencies, side by side."""
    layers: list[Layer] = []
    tops = []
    for i, (key, label) in enumerate(ADJACENCIES.items()):
        asked = seen.under(key)
        if asked is None:
            continue
        s = asked.measurements[min(seen.place, len(asked.measurements) - 1)].sensitivity
        heights = array([s.l1, s.l2, s.linf])
        tops.append(float(heights.max()))
        ink = "accent" if key == ADD_REMOVE else "textbook"
        layers.append(
            Columns(f"norms_{key}", ink, Say(label), np.arange(3) + (i - 0.5) * 0.36, heights, 0.32)
        )
    return Figure(
        "norms",
        say("Sensitivity"),
        Axis(say("norm"), range=(-0.6, 2.6), ticks=((0.0, "L1"), (1.0, "L2"), (2.0, "L∞"))),
        Axis(
            say("largest change of the {name}", name=Say(MEASURED[seen.measurement.name])),
            range=(0.0, nice_above(1.15 * max(tops))),
        ),
        tuple(layers),
        say("under both kinds of neighbours"),
    )


def noise_chart(seen: Inspected) -> Figure:
    """What the sensitivity costs: the noise that each mechanism puts on one number, the least on
    top."""
    ranked = sorted(seen.noises, key=lambda pair: -pair[1])
    layers: list[Layer] = []
    for i, (m, sd) in enumerate(ranked):
        layers.append(Line(f"stem_{m.key}", m.ink, "", [0.0, sd], [i, i]))
        layers.append(Dots(f"noise_{m.key}", m.ink, "", [sd], [i]))
    ticks = tuple((float(i), m.label) for i, (m, _) in reversed(list(enumerate(ranked))))
    text = N_("at ε = {epsilon}, δ = {delta}, all of it for this measurement")
    return Figure(
        "noise",
        say("The noise it asks for"),
        Axis(say("standard deviation of one number"), range=(0.0, nice_above(1.08 * ranked[0][1]))),
        Axis("", range=(-0.7, len(ranked) - 0.3), ticks=ticks),
        tuple(layers),
        say(text, epsilon=Num(seen.lab.epsilon, 5), delta=Num(seen.lab.delta)),
        source="; ".join(m.source for m, _ in seen.noises),
    )


def people_chart(seen: Inspected) -> tuple[Figure, ...]:
    """How far each person of this table moves a sum, against the bound that must hold for everyone
    who could be in it."""
    query = seen.lab.query
    if (
        not seen.lab.show_truth
        or not isinstance(query, Clipping)
        or seen.measurement.name not in ("sum", "sums")
    ):
        return ()
    if (
        seen.lab.adjacency != ADD_REMOVE
    ):  # how far a replacement moves a sum depends on who comes, not only on who is here
        return ()
    if (
        seen.data.contributions > 1
    ):  # the rows are counted here one by one, and a person has several
        return ()
    extent = seen.data.extent(query.column)
    if extent is None or getattr(query, "statistic", "") == "count":
        return ()
    low, high = query.bounds(seen.data)
    middle = (
        (low + high) / 2
        if getattr(query, "centred", False) or query.key in ("variance", "deviation")
        else 0.0
    )
    bound = max(abs(low - middle), abs(high - middle))
    counts = _moves(seen, query, low, high, middle, bound)
    width = bound / _EDGES
    edges = np.arange(_EDGES + 1) * width
    layers: tuple[Layer, ...] = (
        Area("people", "truth", "", edges, counts),
        Rule("bound", "accent", say("bound {bound}", bound=Num(bound, 5, "up")), bound),
    )
    return (
        Figure(
            "people",
            say("The people of this table"),
            Axis(
                say("how far one person moves the sum of {column}", column=plain(query.column)),
                range=(0.0, nice_above(1.05 * bound)),
            ),
            Axis(say("rows"), range=(0.0, nice_above(1.05 * float(max(1, counts.max()))))),
            layers,
            say("noise must hide the bound, not the people who happen to be here"),
            exact=True,
        ),
    )


def _moves(
    seen: Inspected, query: Clipping, low: float, high: float, middle: float, bound: float
) -> Array:
    """Rows by |clipped value − middle|, in equal steps up to the bound; shape (60,)."""

    def counted() -> Array:
        step = bound / _EDGES
        edges = np.unique(np.clip(np.arange(-_EDGES, _EDGES + 1) * step + middle, low, high))
        inside = seen.data.histogram(query.column, tuple(map(float, edges)), query.where)
        clipped = seen.data.clipped(query.column, low, high, query.where)
        # A value below the lowest bound stands at it, one above the highest at that.
        places = np.append((edges[1:] + edges[:-1]) / 2, [low, high])
        rows = np.append(inside, [clipped.below, clipped.above]).astype(np.float64)
        steps = np.minimum((np.abs(places - middle) / step).astype(np.intp), _EDGES - 1)
        return array(np.bincount(steps, weights=rows, minlength=_EDGES))

    return seen.data.remember(("moves of people", query, low, high), counted)
