"""The question on a table, the column in order, and the bounds in force."""

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.one_answer.clipping.errors import Question
from dpstudio.labs.one_answer.clipping.parameters import Clipping
from dpstudio.privacy.queries.query import GivenBounds, apart, told
from dpstudio.privacy.queries.total import Sum
from dpstudio.privacy.release.clipped_column import Ordered, ordered
from dpstudio.values.messages import Num

# The ends of the candidates where the column that they should suit is hidden.
STAND_IN = (1.0, 1000.0)


@dataclass(frozen=True)
class Bounds:
    """The bounds in force. `moving` is the one that the charts move, "upper" or "lower", or "both",
    which then stay equally far from `centre`."""

    low: float
    high: float
    centre: float
    moving: str

    @property
    def at(self) -> float:
        """The bound that moves; the upper one where both do."""
        return self.low if self.moving == "lower" else self.high

    @property
    def fixed(self) -> float:
        """What the moving bound cannot pass."""
        return {"upper": self.low, "lower": self.high, "both": self.centre}[self.moving]

    @property
    def floor(self) -> float:
        """What every candidate for the upper bound lies above."""
        return self.centre if self.moving == "both" else self.low

    def below(self, high: Array) -> Array:
        """The lower bound that goes with each upper one; shape of `high`."""
        return 2 * self.centre - high if self.moving == "both" else np.full_like(high, self.low)

    def pairs(self, moved: Array) -> tuple[Array, Array]:
        """(lower, upper) bounds where the moving one stands at each of `moved`, shapes of that."""
        if self.moving == "lower":
            return moved, np.full_like(moved, self.high)
        return self.below(moved), moved


def question_of(lab: Clipping, data: Dataset) -> Question:
    """What the lab asks of the table."""
    whole, most = lab.mechanism.integers, data.contributions
    return Question(lab.statistic, lab.adjacency, data.rows, lab.n_public, lab.centred, whole, most)


def finite(lab: Clipping, data: Dataset) -> bool:
    """Whether no value of the column is infinite."""
    extent, missing = data.extent(lab.column), data.missing(lab.column)
    return extent is not None and extent.present == data.rows - missing


def rows_in_order(lab: Clipping, data: Dataset) -> Ordered | None:
    """The rows that meet the condition, in order; None where there are none. The one place that
    reads the table."""
    powers = 4 if lab.statistic == "variance" else 2

    def sort() -> Ordered | None:
        held = data.ordered(lab.column, lab.where)
        return ordered(held.values, held.counts, powers) if len(held.values) else None

    return data.remember(("clipping rows", lab.column, lab.where, powers), sort)


def told_bounds(lab: Clipping, data: Dataset) -> GivenBounds:
    """What the codebook tells of the column's bounds."""
    return told(None, None, False, data.about(lab.column))


def proposed_bounds(lab: Clipping, data: Dataset) -> tuple[float, float]:
    """The bounds of the codebook; else rounded outward from the data, or, where the exact answer is
    hidden, ones that stand in."""
    known = told_bounds(lab, data)
    if lab.show_truth or known.whole:
        return Sum(column=lab.column).bounds(data)
    start, end = grid_between(lab, *STAND_IN)
    low = known.low if known.low is not None else min(0.0, start)
    high = known.high if known.high is not None else end
    return apart(low, high, keep_low=True)


def grid_between(lab: Clipping, start: float, end: float) -> tuple[float, float]:
    """The ends of the candidates: those given, else `start` and `end`."""
    low = start if lab.grid_low is None else lab.grid_low
    high = end if lab.grid_high is None else lab.grid_high
    if low < high:
        return low, high
    # One end is given, and the other one's proposal lies beyond it.
    if lab.grid_low is not None:
        return low, low + max(1.0, abs(low))
    return high - abs(high) / 2 or -1.0, high


def bounds_in_force(lab: Clipping, data: Dataset) -> Bounds:
    """The bounds that are given, else those proposed. Where both move, the upper one decides and
    the lower one mirrors it: it may then lie above the upper one, which is a problem."""
    low, high = proposed_bounds(lab, data)
    centre = lab.centre if lab.centre is not None else (low + high) / 2
    if lab.mechanism.integers:
        centre = float(np.floor(centre))
    high = lab.high if lab.high is not None else high
    low = lab.low if lab.low is not None else low
    if lab.moving == "both":
        low = 2 * centre - high
    else:
        low, high = apart(low, high, keep_low=lab.low is not None)
    return Bounds(low, high, centre, lab.moving)


def integer_answers(lab: Clipping, data: Dataset) -> bool:
    """Whether every measurement is an integer, by the column's declared type and the bounds in
    force."""
    bounds = bounds_in_force(lab, data)
    return (
        not (question_of(lab, data).direct and lab.statistic != "sum")
        and data.info(lab.column).type == "integer"
        and all(b == int(b) for b in (bounds.low, bounds.high))
    )


def error_num(error: float, *, sign: bool = False) -> Num:
    """An error as it is written wherever it stands, its size rounded up."""
    return Num(error, 3, "up" if error >= 0 else "down", sign=sign)


def bound_num(bound: float) -> Num:
    """A bound as it is written."""
    return Num(bound, 4)
