"""One state of Clipping on one table, the axis of the moving bound, and the errors along it to
first order."""

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.one_answer.clipping.bounds import (
    STAND_IN,
    Bounds,
    bounds_in_force,
    grid_between,
    question_of,
    rows_in_order,
)
from dpstudio.labs.one_answer.clipping.errors import Parts, Question, error_parts
from dpstudio.labs.one_answer.clipping.parameters import Clipping
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.privacy.release.clipped_column import Ordered

# How a model knows its errors: by formulas of first order, by those and checked, by the law at a
# few bounds, by the law.
FIRST, CHECKED, ROUGH, LAW = "first", "checked", "rough", "law"
SWEEP = 161


@dataclass(frozen=True, eq=False)
class ClippingModel:
    """One question about the rows of a column in order, with the bounds in force.

    `level` says how errors are known; a model that is not `patient` leaves the curve out that takes
    a while. Where the exact answer is hidden, nothing but the noise is asked for.
    """

    lab: Clipping
    context: Context
    question: Question
    rows: Ordered
    bounds: Bounds
    level: str = FIRST
    patient: bool = True

    @property
    def data(self) -> Dataset:
        """The rows that are asked."""
        return self.context.data

    @property
    def by_law(self) -> bool:
        """Whether the numbers are those of the law of the published answer, as first order is
        off."""
        return self.level in (ROUGH, LAW)

    @property
    def trials(self) -> int:
        """How many draws stand for a law that is not known."""
        return self.context.effort.of_draws(self.lab.trials)


def clipping_model(lab: Clipping, context: Context) -> ClippingModel:
    """The state of the lab on a table that can answer its question, to first order."""
    data = context.data
    rows = rows_in_order(lab, data)
    assert rows is not None
    return ClippingModel(lab, context, question_of(lab, data), rows, bounds_in_force(lab, data))


# The axis.


@once
def extremes(model: ClippingModel) -> tuple[float, float]:
    """What the axis must reach: the bounds, and the column or, where it is hidden, the grid."""
    bounds, values = model.bounds, model.rows.values
    if model.lab.show_truth:
        low, high = float(values[0]), float(values[-1])
    else:
        low, high = grid_between(model.lab, *STAND_IN)
    return min(bounds.low, low), max(bounds.high, high)


def logarithmic(model: ClippingModel) -> bool:
    """Whether bounds stand on a logarithmic axis: those above (about) zero, as of money."""
    bounds = model.bounds
    return bounds.moving == "upper" and 0 <= bounds.low <= 0.002 * extremes(model)[1]


@once
def axis_range(model: ClippingModel) -> tuple[float, float]:
    """The axis of the moving bound, with ends that jump rarely."""
    (low, high), bounds = extremes(model), model.bounds
    fixed = bounds.fixed
    if logarithmic(model):
        top = nice_above(1.15 * high)
        return max(min(top / 200, bounds.at / 2), 2 * bounds.low), top
    if bounds.moving == "lower":
        return fixed - nice_above(1.1 * (fixed - low)), fixed
    reach = max(high - fixed, fixed - low) if bounds.moving == "both" else high - fixed
    return fixed, fixed + nice_above(1.15 * reach)


def steps(model: ClippingModel, low: float, high: float, points: int) -> Array:
    """At most so many bounds from `low` to `high`, strictly on the right side of the fixed one;
    integers where the noise needs them."""
    x = np.geomspace(low, high, points) if logarithmic(model) else np.linspace(low, high, points)
    if model.lab.mechanism.integers:
        x = np.unique(np.round(x))
    fixed = model.bounds.fixed
    return x[x < fixed] if model.bounds.moving == "lower" else x[x > fixed]


@once
def sweep(model: ClippingModel) -> Array:
    """The moving bounds at which the best one is looked for first."""
    return array(steps(model, *axis_range(model), SWEEP))


@once
def ladder(model: ClippingModel) -> Array:
    """The moving bounds at which curves are drawn."""
    return array(steps(model, *axis_range(model), model.context.effort.of_points(SWEEP)))


def lower_bound_idle(model: ClippingModel) -> bool:
    """Whether a higher lower bound gains nothing: add or remove one moves a sum about 0 by
    max(|L|, |U|), which is U here."""
    question, bounds = model.question, model.bounds
    about_zero = question.statistic == "sum" or (
        question.statistic == "mean" and not question.centred and not question.direct
    )
    joins = about_zero and question.adjacency == ADD_REMOVE
    return joins and bounds.moving == "lower" and -bounds.high <= bounds.low < bounds.high


# The errors to first order.


def first_order(model: ClippingModel, moved: Array, mechanism: Additive | None = None) -> Parts:
    """The parts of the error where the moving bound stands at each of `moved`, with the noise of
    the lab or of another mechanism."""
    return error_parts(
        model.question,
        model.rows,
        mechanism or model.lab.mechanism,
        *model.bounds.pairs(moved),
        model.lab.sampling,
    )


@once
def first_order_along(model: ClippingModel) -> Parts:
    """The same along the ladder."""
    return first_order(model, ladder(model))


def in_force(model: ClippingModel) -> Array:
    """The moving bound in force, shape (1,)."""
    return np.array([model.bounds.at])


@once
def unclipped(model: ClippingModel) -> float:
    """The statistic without clipping and noise."""
    return float(model.question.answer(model.rows.whole())[0])


@once
def noises(model: ClippingModel) -> tuple[tuple[str, Array, float], ...]:
    """Each measurement's name, its noise along the ladder, and that at the bounds in force
    (standard deviations). No part of it depends on the rows."""
    low, high = model.bounds.pairs(np.append(ladder(model), model.bounds.at))
    names = [name for name, _, _ in model.question.reaches(low, high)]
    spreads = map(np.sqrt, model.question.spreads(low, high, model.lab.mechanism))
    return tuple((n, array(s[:-1]), float(s[-1])) for n, s in zip(names, spreads, strict=True))
