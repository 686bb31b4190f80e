"""What would be published, as plain figures: dots, bars or cells, and one simulated answer among
them."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Columns,
    Dots,
    Figure,
    Heat,
    Layer,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.central.explore.model import ExploreModel
from dpstudio.labs.simulated_answer import simulated_columns
from dpstudio.values.messages import N_, Num, Say, plain, say

COLUMNS = 26


def published_chart(model: ExploreModel) -> Figure:
    """What would be published: equally likely answers as dots, or true bars beside simulated
    ones."""
    if model.asked.table:
        return heat_chart(model)
    return bars_chart(model) if model.asked.vector else dots_chart(model)


def dots_chart(model: ExploreModel) -> Figure:
    """A quantile dot plot: dot i stands at the quantile (i − ½)/n of the published answer, stacked
    in columns.

    Where the exact answer is hidden the dots stand about a simulated answer, as its reader must see
    it.
    """
    lab, law = model.lab, model.part_law
    centre = float(model.truth[0])
    u = (np.arange(lab.dots) + 0.5) / lab.dots
    width = 2 * model.reach / COLUMNS
    if model.whole:
        width = max(1.0, float(np.ceil(width)))
        # Halves go away from 0 on both sides, so that a symmetric law makes a symmetric picture.
        steps = law.quantile(u) / width
        columns = np.sign(steps) * np.floor(np.abs(steps) + 0.5) * width
    else:
        columns = (np.floor(law.quantile(u) / width) + 0.5) * width
    if not lab.show_truth:
        columns = -columns  # an answer that is too high by x means an exact one that is lower by x
    level = np.empty(lab.dots)
    for column in np.unique(columns):
        members = columns == column
        level[members] = np.arange(np.count_nonzero(members)) + 0.5
    dots = Dots("dots", lab.mechanism.ink, "", centre + columns, level, width)
    layers: tuple[Layer, ...] = (dots,)
    if lab.show_truth:
        layers += (Rule("truth", "truth", say("truth"), centre),)
    layers += (Rule("answer", "answer", say("this answer"), float(model.replays[0, 0])),)
    subtitle = (
        say("{n} equally likely answers", n=lab.dots)
        if lab.show_truth
        else say("a simulated answer, and where the exact one may be")
    )
    high = max(float(level.max()) + 2.5, 12.0)
    x = Axis(model.asked.unit, range=(centre - model.reach, centre + model.reach))
    return Figure(
        "published",
        say("What would be published"),
        x,
        Axis(say("answers"), range=(0.0, high), hidden=True),
        layers,
        subtitle,
        notes=model.asked.notes,
        exact=lab.show_truth,
        simulated=True,
        source=lab.mechanism.source,
    )


def bars_chart(model: ExploreModel) -> Figure:
    """True against simulated counts, with whiskers of the half-width on the simulated ones."""
    lab, asked = model.lab, model.asked
    if asked.edges:
        edges = np.array(asked.edges)
        x, unit_width = (edges[1:] + edges[:-1]) / 2, float(np.diff(edges).min())
        axis = Axis(asked.unit, range=(float(edges[0]), float(edges[-1])))
    else:
        # Words have no order of their own: the largest first, and labelled first where room is
        # short.
        unit_width = 1.0
        x = np.empty(len(asked.labels))
        order = np.argsort(-model.truth, kind="stable")
        x[order] = np.arange(len(order))
        axis = Axis(
            asked.across or asked.unit,
            range=(-0.6, len(order) - 0.4),
            ticks=tuple((float(x[i]), asked.labels[i]) for i in order),
        )
    widths = model.widths
    low, high = asked.ratio or (-np.inf, np.inf)
    tops = np.minimum(np.abs(model.truth) + widths, max(abs(low), abs(high)))
    top = nice_above(1.08 * float(np.max(tops)))
    lowest = float(np.min(np.maximum(model.truth - widths, low)))
    bottom = -nice_above(-lowest) if lowest < -0.04 * top else 0.0
    layers: list[Layer] = []
    if lab.show_truth:
        layers.append(
            Columns(
                "truth",
                "truth",
                say("exact"),
                x - 0.21 * unit_width,
                model.truth,
                0.38 * unit_width,
            )
        )
    layers.append(
        simulated_columns(
            lab.mechanism.ink,
            model.replays[0],
            array(x + (0.21 * unit_width if lab.show_truth else 0)),
            0.38 * unit_width,
            widths,
        )
    )
    text = (
        N_("whiskers: ±{width}, all parts at once at {confidence}")
        if lab.largest
        else N_("whiskers: ±{width} at {confidence}")
    )
    values = {
        "width": Num(model.half_width, 3, "up"),
        "confidence": Num(lab.confidence, 4, "down", percent=True),
    }
    if np.ptp(widths) > 1e-9 * float(np.max(widths)):
        text = N_("whiskers: what {confidence} of answers keep, each bar its own (simulated)")
    how = Say(text, values)
    if asked.edges:
        how = say("{n} intervals, {how}", n=len(asked.labels), how=how)
    each = say("rows") if asked.across is None else asked.unit
    return Figure(
        "published",
        say("What would be published"),
        axis,
        Axis(each, range=(bottom, top)),
        tuple(layers),
        how,
        notes=asked.notes,
        exact=lab.show_truth,
        simulated=True,
        source=lab.mechanism.source,
    )


def heat_chart(model: ExploreModel) -> Figure:
    """A two-way table as cells: one simulated answer, on a scale that the exact one sets where it
    is shown."""
    lab, asked = model.lab, model.asked
    assert asked.table is not None
    rows, columns = asked.table
    top = nice_above(1.02 * (float(np.max(np.abs(model.truth))) + model.half_width))
    edges = [array(np.arange(len(words) + 1) - 0.5) for words in (columns, rows)]
    cells = _cells(model.replays[0], rows)
    layers: tuple[Layer, ...] = (
        Heat("answer", lab.mechanism.ink, say("simulated"), edges[0], edges[1], cells, 0.0, top),
    )
    text = N_("a simulated answer; each cell ±{width} at {confidence}")
    how = say(
        text,
        width=Num(model.half_width, 3, "up"),
        confidence=Num(lab.confidence, 4, "down", percent=True),
    )
    axes = (
        Axis(
            plain(words),
            range=(-0.5, len(names) - 0.5),
            ticks=tuple((float(i), name) for i, name in places),
        )
        for words, names, places in (
            (lab.query.second, columns, list(enumerate(columns))),  # type: ignore[attr-defined]
            (lab.query.first, rows, [(len(rows) - 1 - i, name) for i, name in enumerate(rows)]),  # type: ignore[attr-defined]
        )
    )
    x, y = axes
    return Figure(
        "published",
        say("What would be published"),
        x,
        y,
        layers,
        how,
        asked.notes,
        lab.show_truth,
        True,
        lab.mechanism.source,
    )


def _cells(answer: Array, rows: tuple[str, ...]) -> Array:
    """The answer row by row, the first row on top as in a printed table."""
    return array(np.reshape(answer, (len(rows), -1))[::-1])
