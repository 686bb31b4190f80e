"""The bound of the least total error, and where it moves with ε."""

from dataclasses import replace
from typing import Any

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.one_answer.clipping import law
from dpstudio.labs.one_answer.clipping import model as known
from dpstudio.labs.one_answer.clipping.errors import Parts
from dpstudio.labs.one_answer.clipping.model import ClippingModel
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.additive import EPSILON

FINE, FINE_BY_LAW = 41, 9
CURVE_POINTS, LAW_POINTS = 48, 16
_LEAST_POINTS = 4  # of a curve by the law, each of which is a search


def search(model: ClippingModel, mechanism: Additive, turns: int = 3) -> float:
    """The bound of the least total error: the best of the sweep, then of finer ones between its
    neighbours, so many times."""
    x = law.dots(model) if model.by_law else known.sweep(model)
    found, least = float(x[0]), np.inf
    for turn in range(turns + 1):
        total = law.errors_at(model, x, mechanism).total
        best = int(np.argmin(total))
        if total[best] < least:
            found, least = float(x[best]), float(total[best])
        if turn == turns or len(x) < 3:
            break
        low, high = float(x[max(0, best - 1)]), float(x[min(len(x) - 1, best + 1)])
        x = known.steps(model, low, high, FINE_BY_LAW if model.by_law else FINE)
    return found


@once
def best_bound(model: ClippingModel) -> float:
    """The best moving bound on the axis, or the one in force where no other is better."""
    turns = 0 if model.level == known.ROUGH else 4 if model.by_law else 3
    found = search(model, model.lab.mechanism, turns)
    better = law.errors_at(model, np.array([found])).total[0] < law.errors_here(model).total[0]
    return found if better else model.bounds.at


@once
def errors_at_best(model: ClippingModel) -> Parts:
    """The errors at the best bound."""
    return law.errors_at(model, np.array([best_bound(model)]))


def times_the_least(model: ClippingModel, error: float) -> float:
    """A total error in units of the least one on the axis; infinite where that is 0."""
    least = float(errors_at_best(model).total[0])
    return error / least if least else float("inf")


def kept_by_best(model: ClippingModel) -> float:
    """The share of rows that the best bounds leave as they are."""
    return 1 - float(errors_at_best(model).clips.clipped[0]) / model.rows.rows


def best_at_edge(model: ClippingModel) -> bool:
    """Whether the best bound is the outermost of the axis, where a wider one clips nothing more."""
    return best_bound(model) in (known.sweep(model)[0], known.sweep(model)[-1])


@once
def drawn_errors(model: ClippingModel) -> tuple[Array, Parts]:
    """Where the curves of the errors have their points, and the errors there: the ladder, or the
    dots with the best bound and that in force."""
    if not model.by_law:
        return known.ladder(model), known.first_order_along(model)
    low, high = known.axis_range(model)
    x = np.unique(np.concatenate([law.dots(model), known.in_force(model), [best_bound(model)]]))
    x = array(x[(x >= low) & (x <= high)])
    return x, law.law_at(model, x)


@once
def best_by_epsilon(model: ClippingModel) -> Array | None:
    """(ε, best bound), shape (2, points), remembered, as it does not depend on the current ε; None
    while it waits. Raises Stopped.

    It takes a while where laws differ from bound to bound, as those of integer noise do, and where
    first order is off.
    """
    by_law, key = model.by_law, _curve_key(model)
    slow = (
        model.lab.mechanism.integers or by_law or (model.level == known.FIRST and law.noisy(model))
    )
    if slow and not model.patient and not model.data.known(key):
        return None
    return model.data.remember(key, lambda: _curve(model))


def _points(model: ClippingModel) -> int:
    effort = model.context.effort
    if model.by_law:
        return effort.of_points(LAW_POINTS, _LEAST_POINTS)
    return effort.of_points(CURVE_POINTS)


def _curve_key(model: ClippingModel) -> tuple[Any, ...]:
    mechanism = model.lab.mechanism
    how = ("law", law.draws_of(model)) if model.by_law else ("first",)
    axis = (
        model.bounds.moving,
        model.bounds.fixed,
        known.axis_range(model),
        known.logarithmic(model),
    )
    at_one = mechanism.at(1.0, mechanism.total_delta)
    return (*law.whose(model, at_one), *axis, how, _points(model), "curve")


def _curve(model: ClippingModel) -> Array:
    rows, mechanism = [], model.lab.mechanism
    first = replace(model, level=known.FIRST)
    ends = law.dots(model)[[0, len(law.dots(model)) // 2, -1]]
    for epsilon in np.geomspace(EPSILON.low, EPSILON.high, _points(model)):
        at = mechanism.at(float(epsilon), mechanism.total_delta)
        bound = search(first, at, 1)
        if model.by_law:
            x = np.append(ends, bound)
            # Where ε is large first order holds.
            if law.differ(model, known.first_order(model, x, at), law.law_at(model, x, at)):
                bound = search(model, at, 1)
        rows.append((epsilon, bound))
    return array(np.array(rows).T)
