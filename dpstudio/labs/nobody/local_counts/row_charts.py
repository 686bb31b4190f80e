"""Values that have names, as rows: what a survey says of each, and what one report does to belief
in it."""

from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, Axis, Column, Dots, Figure, Lanes, Layer, Line
from dpstudio.labs.named_rows import brackets
from dpstudio.labs.nobody.local_counts.errors import deviations
from dpstudio.labs.nobody.local_counts.model import CountsModel, laid_out
from dpstudio.labs.nobody.local_counts.surveys import (
    estimate_of_others,
    estimate_words,
    posterior,
    prior,
)
from dpstudio.labs.simulated_answer import with_layers
from dpstudio.values.messages import Message, Num, say

_BAR, _TICK, _LOWER = 10.0, 0.34, 0.3
_SQUARE = "sequential"  # an ink whose marker is a square


def rows_axis(model: CountsModel) -> Axis:
    """A row for each value, the largest on top; the smallest share one where they are many."""
    laid = laid_out(model)
    ticks = laid.ticks(model.population.labels)
    return Axis(model.population.across, range=(-0.75, laid.count - 0.4), ticks=ticks)


def lanes_axis(model: CountsModel) -> Axis:
    """The same, as high above the first lane as below the last."""
    return replace(rows_axis(model), range=(-0.5, laid_out(model).count - 0.5))


def _own(rows: Array) -> Array:
    """1 for what has a row of its own, NaN for what shares one; shape of `rows`."""
    shared = np.bincount(rows.astype(np.int64))[rows.astype(np.int64)] > 1
    return np.where(shared, np.nan, 1.0)


def _bars(key: str, ink: str, ends: Array, rows: Array) -> Line:
    """A bar from 0 to its end for each that has a row of its own."""
    gaps = np.full(len(rows), np.nan)
    x = np.column_stack([np.zeros(len(rows)), ends * _own(rows), gaps])
    return Line(key, ink, "", x.ravel(), np.repeat(rows, 3), width=_BAR)


def survey_lanes(model: CountsModel) -> tuple[tuple[Layer, ...], Lanes]:
    """Each value in a lane: its estimate as a square in a bracket, what is exact as an upright
    stroke, both as numbers. What a survey brings is filled in by `surveyed`."""
    laid, ink, shown = laid_out(model), model.lab.protocol.ink, model.lab.show_truth
    rows, none = laid.rows[laid.named], np.zeros(len(laid.named))
    half = (model.z * deviations(model))[laid.named]
    layers: list[Layer] = [
        brackets("whiskers", ink, -half, half, rows),
        brackets("missed", "answer", [], [], []),
        Dots("answer", ink, say("estimated"), none, rows, marker=_SQUARE),
        Dots("missing", "answer", say("misses the truth"), [], [], marker=_SQUARE),
    ]
    blank = (Message(""),) * laid.count
    columns = [Column(say("estimate"), blank, (ink,), strong=True)]
    if shown:
        exact = laid.together(model.counts)
        at = np.arange(laid.count, dtype=np.float64)
        x = np.column_stack([exact, exact, np.full(laid.count, np.nan)])
        y = np.column_stack([at - _TICK, at + _TICK, at])
        layers.append(Line("truth", "truth", "", x.ravel(), y.ravel(), width=2.5))
        told = tuple(say("{x}", x=Num(float(count))) for count in exact[::-1])
        columns.append(Column(say("truth"), told))
    chosen = laid.named.tolist().index(model.part) if model.part in laid.named else -1
    picks = tuple((("part", int(value)),) for value in laid.named)
    targets = Dots("lanes", "text", say("estimate"), none, rows, picks=() if model.asks else picks)
    return tuple(layers), Lanes(tuple(columns), chosen, (), targets)


def surveyed(published: Figure, truth: Array | None, span: Array, shown: Array) -> Figure:
    """The chart with one survey in it: its estimates as they are shown, shape (d,), and the ends of
    the brackets, shape (2, d), of which those that do not hold the truth are another ink."""
    lanes, answer = published.lanes, published.layer("answer")
    assert lanes is not None
    assert lanes.targets is not None
    # Yes and no, of which none can be picked, stand in their order.
    values = np.array([value for ((_, value),) in lanes.targets.picks] or [1, 0], dtype=np.int64)
    rows, ((low, high), at) = lanes.targets.y, (span[:, values], shown[values])
    off = np.zeros(len(values), dtype=bool)
    if truth is not None:
        off = (truth[values] < low) | (truth[values] > high)
    others = estimate_of_others(shown, values)
    cells = [estimate_words(value) for value in (*at.tolist(), *others)]
    column = replace(lanes.columns[0], cells=tuple(cells))
    held = replace(answer, x=at[~off], y=rows[~off])
    if others:
        held = replace(held, x=[*held.x, *others], y=[*held.y, 0.0])
    drawn = with_layers(
        published,
        brackets("whiskers", answer.ink, low[~off], high[~off], rows[~off]),
        brackets("missed", "answer", low[off], high[off], rows[off]),
        held,
        replace(published.layer("missing"), x=at[off], y=rows[off]),
    )
    targets = replace(lanes.targets, x=at)
    told = replace(lanes, columns=(column, *lanes.columns[1:]), targets=targets)
    return replace(drawn, lanes=told)


def belief_rows(model: CountsModel) -> tuple[Layer, ...]:
    """Belief in each value after a report as a bar, before it as a dot."""
    rows, ink = laid_out(model).rows, model.lab.protocol.ink
    after: Message = say("after")
    return (
        _bars("bars", ink, posterior(model), rows),
        Dots("posterior", ink, after, posterior(model), rows),
        Dots("prior", "reported", say("before"), prior(model), rows - _LOWER),
    )
