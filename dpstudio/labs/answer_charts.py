"""What would be published, as plain figures: dots, bars or cells, and one simulated answer among
them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from dpstudio.charts.figure import (
    PART,
    Area,
    Array,
    Axis,
    Columns,
    Dots,
    Figure,
    Heat,
    Layer,
    Line,
    Rule,
    nice_above,
)
from dpstudio.labs import answer_model
from dpstudio.labs.law_curves import law_curve
from dpstudio.labs.question import Judging
from dpstudio.labs.simulated_answer import STAR, simulated_columns, told_on
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import N_, Message, Num, plain, say

DOTS = 50
_TAIL = np.geomspace(1.02, 12.0, 32)  # of half an axis: where a law is drawn beyond it
_COLUMNS = 26
# Bars of the exact and the simulated answer: their width and their distance from the middle, in
# steps of the axis.
_BAR, _ASIDE = 0.38, 0.21
_BELOW = 0.04  # the least part of the height below 0, where anything lies there
_TIP = 0.015  # how long an arrow is that points beyond the axis, in halves of the axis
_ROOM = 1.08  # of the axis of errors, so that what ends at its end is seen
_ROW = 0.08  # of the height, for a bracket below the dots
_UNDER = 0.12  # how strong the area under a law is behind the dots


def error_words(lab: Judging) -> Message:
    """What the error is, as a subtitle."""
    if lab.measure == "half_width":
        text = N_("half-width that {confidence} of answers keep")
        return say(text, confidence=Num(lab.confidence, 4, "down", percent=True))
    return Message(
        N_("mean absolute error") if lab.measure == "mean_abs" else N_("root mean square error")
    )


def curve_words(model: answer_model.AnswerModel) -> Message:
    """The same of an error at every ε, where few draws stand for a law without a formula."""
    told = error_words(model.lab)
    if model.how == "simulation":
        return say("{told} (simulated)", **{**told.values, "told": told})
    return told


def published_chart(
    model: answer_model.AnswerModel, dots: int = DOTS, other: Release | None = None, rows: int = 1
) -> Figure:
    """What would be published: equally likely answers as dots, with another release of the same
    question behind them and room for so many `rows` of what they keep at least, or true bars beside
    simulated ones."""
    if model.asked.table:
        return _heat_chart(model, *model.asked.table)
    return _bars_chart(model) if model.asked.vector else _dots_chart(model, dots, other, rows)


def _published(
    model: answer_model.AnswerModel, x: Axis, y: Axis, layers: tuple[Layer, ...], subtitle: Message
) -> Figure:
    shown, source = model.lab.show_truth, model.mechanism.source
    title, notes = say("What would be published"), model.asked.notes
    return Figure("published", title, x, y, layers, subtitle, notes, shown, True, source)


def _dots_chart(
    model: answer_model.AnswerModel, dots: int, other: Release | None, rows: int
) -> Figure:
    """A quantile dot plot: dot i stands at the quantile (i − ½)/n of the published answer, stacked
    in columns, before its exact law and above the ± that the confidence of the lab keeps. Heights
    are shares of that of the chart.

    Where the exact answer is hidden the dots stand about a simulated answer, as its reader must see
    it.
    """
    lab, centre = model.lab, float(model.truth[0])
    errors = _quantiles(model, dots)
    low, high = answer_model.limits_of(model)[0 if lab.show_truth else 1]
    places = np.clip(centre + errors, low[0], high[0])
    reach = _ROOM * answer_model.reach(model)
    ends, width = (centre - reach, centre + reach), 2 * reach / _COLUMNS
    highest = float(np.unique(np.floor(errors / width), return_counts=True)[1].max())
    releases = (model.release, *([other] if other else []))
    behind, peak = _laws(model, releases, ends)
    # In dots of a column of middling width: a spike far above all dots leaves the chart.
    top = max(highest + 1.0, min(1.06 * dots * width * peak, 2.0 * highest), 12.0)
    area = dots * width / top
    layers: list[Layer] = [
        *(_risen(layer, area) for layer in behind),
        *_brackets(model, releases, _ROW, reach),
        Dots("dots", model.mechanism.ink, "", places, np.zeros(dots), width, stack=(area, centre)),
        Rule("answer", "answer", say("this answer"), float(answer_model.replays(model)[0, 0])),
        Dots(STAR, "answer", "", [], [], marker="star"),
    ]
    subtitle = say("a simulated answer, and where the exact one may be")
    if lab.show_truth:
        layers.insert(
            -2,
            Rule(
                "truth",
                "truth",
                say("true answer"),
                centre,
                told=told_on(ends[1] - ends[0], centre),
            ),
        )
        subtitle = say("{n} equally likely {n:answer|answers}; behind them the exact law", n=dots)
        far = answer_model.outside(places, *ends)
        if far:
            text = N_("{n} equally likely {n:answer|answers}, {far} of them beyond the axis")
            subtitle = say(text, n=dots, far=far)
    x = Axis(model.asked.unit, range=ends)
    y = Axis(say("answers"), range=(-_ROW * (max(rows, len(releases)) + 0.6), 1.0), hidden=True)
    return _published(model, x, y, tuple(layers), subtitle)


def _laws(
    model: answer_model.AnswerModel, releases: tuple[Release, ...], ends: tuple[float, float]
) -> tuple[list[Layer], float]:
    """The exact laws of the published answer and the highest density of the first; the others by
    their outlines."""
    layers: list[Layer] = [Rule("floor", "grid", "", 0.0, axis="y")]
    centre, sign, peak = float(model.truth[0]), 1 if model.lab.show_truth else -1, 0.0
    for place, release in enumerate(releases):
        law, key, ink = release.law_at(model.part), f"law_{place}", release.mechanism.ink
        x, density = law_curve(law, ends[0] - centre, ends[1] - centre, model.effort)
        if not law.discrete:  # seen where a wider axis stands still under a hand
            far = _TAIL * (ends[1] - centre)
            x = np.concatenate([-far[::-1], x, far])
            density = np.concatenate([law.density(-far[::-1]), density, law.density(far)])
        x, y = (centre + sign * x)[::sign], density[::sign]
        layers.append(Line(key, ink, "", x, y, width=1.5, behind=True))
        if not place:
            peak = float(np.max(y[np.isfinite(y)], initial=0.0))
            layers.append(Area("law_area", ink, "", x, (y[1:] + y[:-1]) / 2, _UNDER))
    return layers, peak


def _brackets(
    model: answer_model.AnswerModel, releases: tuple[Release, ...], high: float, most: float
) -> Iterator[Layer]:
    """Below the dots, in rows so high: between which ends so many answers of each lie, named with
    the ±. Ends in sight have caps; where they lie beyond the axis arrows point there."""
    centre, cap = float(model.truth[0]), 0.22 * high
    for place, release in enumerate(releases):
        width = answer_model.error_of(model, answer_model.judged(model, release), "half_width")
        name, told = Message(release.mechanism.label), say("±{width}", width=Num(width, 3, "up"))
        key, ink, row = f"within_{place}", release.mechanism.ink, -(place + 1) * high
        x, y = centre + width * np.array([-1, 1]), np.array([row, row])
        yield Line(key, ink, name, x, y, told=told)
        end, back = (width, width) if width <= most else (most, (1 - _TIP) * most)
        x = np.array([-back, -end, -back, np.nan, back, end, back])
        y = row + cap * np.array([-1, 0, 1, np.nan, -1, 0, 1])
        yield Line(f"{key}{PART}ends", ink, "", centre + x, y, dash="solid")


def _risen(layer: Layer, area: float) -> Layer:
    """A law whose area is 1, with another one."""
    if isinstance(layer, Line):
        return replace(layer, y=area * layer.y)
    return replace(layer, heights=area * layer.heights) if isinstance(layer, Area) else layer


def _quantiles(model: answer_model.AnswerModel, dots: int) -> Array:
    """Where each dot stands, as a distance from the answer. On whole numbers the law is drawn in
    steps, over half a unit to both sides, and so are its quantiles: the dots fill the steps."""
    law, share = answer_model.part_law(model), (np.arange(dots) + 0.5) / dots
    errors = np.asarray(law.quantile(share))
    if law.discrete:
        before, after = law.cdf(errors - 1), law.cdf(errors)
        errors = errors - 0.5 + np.clip((share - before) / (after - before), 0, 1)
    # An answer that is too high by x means an exact one that is lower by x.
    return errors if model.lab.show_truth else -errors


def _bars_chart(model: answer_model.AnswerModel) -> Figure:
    """True against simulated counts, with whiskers of the half-width on the simulated ones."""
    lab, asked = model.lab, model.asked
    x, step, axis = _bar_places(asked)
    ends = np.array(answer_model.spans(model, model.truth))
    ends = np.where(np.isfinite(ends), ends, model.truth)
    top = nice_above(1.08 * float(np.max(np.abs(ends))))
    lowest = float(np.min(ends[0]))
    # A whisker that goes a little below 0 is seen whole: cut there, −12 looked like 0.
    bottom = -max(nice_above(-lowest), _BELOW * top) if lowest < 0 else 0.0
    layers: list[Layer] = []
    if lab.show_truth:
        exact = say("exact")
        layers = [Columns("truth", "truth", exact, x - _ASIDE * step, model.truth, _BAR * step)]
    places = x + (_ASIDE * step if lab.show_truth else 0)
    ink, answer = model.mechanism.ink, answer_model.replays(model)[0]
    y, span = Axis(asked.unit, range=(bottom, top)), np.array(answer_model.spans(model, answer))
    layers.append(simulated_columns(ink, answer, places, _BAR * step, span, y))
    return _published(model, axis, y, tuple(layers), _bar_words(model))


def _bar_places(asked: MeasuredQuestion) -> tuple[Array, float, Axis]:
    """(the middle of each bar, the least distance between two, the axis)."""
    if asked.edges:
        edges = np.array(asked.edges)
        axis = Axis(asked.across, range=(float(edges[0]), float(edges[-1])))
        return (edges[1:] + edges[:-1]) / 2, float(np.diff(edges).min()), axis
    # Words have no order of their own: the largest first, and labelled first where room is short.
    x, order = np.empty(len(asked.labels)), np.argsort(-asked.truth, kind="stable")
    x[order] = np.arange(len(order))
    ticks = tuple((float(x[i]), asked.labels[i]) for i in order)
    return x, 1.0, Axis(asked.across, range=(-0.6, len(order) - 0.4), ticks=ticks)


def _bar_words(model: answer_model.AnswerModel) -> Message:
    lab, widths, labels = model.lab, answer_model.whiskers(model), model.asked.labels
    text = (
        N_("whiskers: ±{width}, all parts at once at {confidence}")
        if lab.largest
        else N_("whiskers: ±{width} at {confidence}")
    )
    if np.ptp(widths) > 1e-9 * float(np.max(widths)):
        text = N_("whiskers: what {confidence} of answers keep, each bar its own (simulated)")
    how = Message(text, _width_and_confidence(model))
    return (
        say("{n} {n:interval|intervals}, {how}", n=len(labels), how=how)
        if model.asked.edges
        else how
    )


def _width_and_confidence(model: answer_model.AnswerModel) -> dict[str, Any]:
    return {
        "width": Num(answer_model.half_width(model), 3, "up"),
        "confidence": Num(model.lab.confidence, 4, "down", percent=True),
    }


def _heat_chart(
    model: answer_model.AnswerModel, rows: tuple[str, ...], columns: tuple[str, ...]
) -> Figure:
    """A two-way table as cells, the first row on top as in a printed one: one simulated answer, on
    a scale that the exact one sets where it is shown."""
    top = nice_above(1.02 * (float(np.max(np.abs(model.truth))) + answer_model.half_width(model)))
    x, y = (np.arange(len(words) + 1) - 0.5 for words in (columns, rows))
    cells = np.reshape(answer_model.replays(model)[0], (len(rows), -1))[::-1]
    heat = Heat("answer", model.mechanism.ink, say("simulated"), x, y, cells, 0.0, top)
    text = N_("a simulated answer; each cell ±{width} at {confidence}")
    across, down = (
        Axis(
            plain(getattr(model.lab.query, name)),
            range=(-0.5, len(words) - 0.5),
            ticks=tuple((float(place), word) for place, word in zip(places, words, strict=True)),
        )
        for name, words, places in (
            ("second", columns, range(len(columns))),
            ("first", rows, reversed(range(len(rows)))),
        )
    )
    how = Message(text, _width_and_confidence(model))
    return _published(model, across, down, (heat,), how)
