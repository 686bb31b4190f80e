"""Values that have names, as rows: what a survey says of each, and what one report does to belief
in it."""

from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Layer, Line
from dpstudio.labs.nobody.local_counts.errors import deviations
from dpstudio.labs.nobody.local_counts.model import CountsModel, laid_out
from dpstudio.labs.nobody.local_counts.surveys import posterior, prior
from dpstudio.values.messages import Message, say

_BAR, _TICK, _LOWER = 10.0, 0.34, 0.3


def rows_axis(model: CountsModel) -> Axis:
    """A row for each value, the largest on top; the smallest share one where they are many."""
    laid = laid_out(model)
    ticks = laid.ticks(model.population.labels)
    return Axis(model.population.across, range=(-0.75, laid.count - 0.4), ticks=ticks)


def _own(rows: Array) -> Array:
    """1 for what has a row of its own, NaN for what shares one; shape of `rows`."""
    shared = np.bincount(rows.astype(np.int64))[rows.astype(np.int64)] > 1
    return np.where(shared, np.nan, 1.0)


def _bars(key: str, ink: str, ends: Array, rows: Array) -> Line:
    """A bar from 0 to its end for each that has a row of its own."""
    gaps = np.full(len(rows), np.nan)
    x = np.column_stack([np.zeros(len(rows)), ends * _own(rows), gaps])
    return Line(key, ink, "", x.ravel(), np.repeat(rows, 3), width=_BAR)


def _whiskers(low: Array, high: Array, rows: Array) -> Line:
    """Around each that has a row of its own."""
    x = np.column_stack([low * _own(rows), high * _own(rows), np.full(len(rows), np.nan)])
    return Line("whiskers", "text", "", x.ravel(), np.repeat(rows, 3), width=1.2)


def survey_rows(model: CountsModel) -> tuple[Layer, ...]:
    """The estimate of each value as a bar with its whiskers, what is exact as an upright tick, what
    was reported as a dot below. What a survey brings is filled in by `surveyed`."""
    rows, none = laid_out(model).rows, np.zeros(model.d)
    half = model.z * deviations(model)
    layers: list[Layer] = [
        _bars("bars", model.lab.protocol.ink, none, rows),
        _whiskers(-half, half, rows),
        Dots("answer", model.lab.protocol.ink, say("estimated"), none, rows),
        Dots("reported", "reported", say("reported"), none, rows - _LOWER),
    ]
    if model.lab.show_truth:
        x = np.column_stack([model.counts, model.counts, np.full(model.d, np.nan)])
        y = np.column_stack([rows - _TICK, rows + _TICK, rows])
        tick = Line("truth_ticks", "truth", "", x.ravel(), y.ravel(), width=2.5)
        layers += [tick, Dots("truth", "truth", say("exact"), model.counts, rows + _TICK)]
    return tuple(layers)


def surveyed(published: Figure, totals: Array, span: Array, shown: Array) -> tuple[Layer, ...]:
    """Those layers with one survey in them: its totals and its estimates as they are shown, shape
    (d,), and the ends of the whiskers, shape (2, d)."""
    answer = published.layer("answer")
    rows = answer.y
    return (
        _bars("bars", answer.ink, shown, rows),
        _whiskers(span[0], span[1], rows),
        replace(answer, x=shown),
        replace(published.layer("reported"), x=totals),
    )


def belief_rows(model: CountsModel) -> tuple[Layer, ...]:
    """Belief in each value after a report as a bar, before it as a dot."""
    rows, ink = laid_out(model).rows, model.lab.protocol.ink
    after: Message = say("after")
    return (
        _bars("bars", ink, posterior(model), rows),
        Dots("posterior", ink, after, posterior(model), rows),
        Dots("prior", "reported", say("before"), prior(model), rows - _LOWER),
    )
