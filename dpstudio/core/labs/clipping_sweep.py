"""The question, the bounds in force and the axis along which a bound moves."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.core.dataset import Dataset
from dpstudio.core.figure import Array, array, nice_above
from dpstudio.core.labs.clipping_errors import Ordered, Parts, Question, error_parts, ordered
from dpstudio.core.mechanisms import Additive
from dpstudio.core.queries.total import Sum
from dpstudio.core.wording import N_, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.core.labs.clipping import Clipping

SWEEP = 161
UNITS = {"sum": N_("sum of {column}"), "mean": N_("mean of {column}"), "variance": N_("variance of {column}")}


class Sweep:
    """One state of Clipping on one table. Everything is worked out when it is first asked for.

    Where the exact answer is hidden, nothing but the noise is asked for, and bounds left empty stand at 0 and the grid's end.
    """

    def __init__(self, lab: Clipping, data: Dataset):
        self.lab, self.data = lab, data

    # The question.

    @cached_property
    def question(self) -> Question:
        lab = self.lab
        return Question(lab.statistic, lab.adjacency, self.data.rows, lab.n_public, lab.centred, lab.mechanism.integers)

    @property
    def finite(self) -> bool:
        """Whether no value is infinite."""
        extent, missing = self.data.extent(self.lab.column), self.data.missing(self.lab.column)
        return extent is not None and extent.present == self.data.rows - missing

    @cached_property
    def column(self) -> Ordered | None:
        """The rows that meet the condition, in order; None where there are none. The one place that reads the table."""
        lab, powers = self.lab, 4 if self.lab.statistic == "variance" else 2

        def sort() -> Ordered | None:
            values = self.data._chosen(lab.column, lab.where)
            return ordered(values, powers) if np.any(~np.isnan(values)) else None

        return self.data.remember(("ordered", lab.column, lab.where, powers), sort)

    @property
    def rows(self) -> Ordered:
        assert self.column is not None
        return self.column

    @cached_property
    def proposed(self) -> tuple[float, float]:
        """Bounds from outside the data where the exact answer is hidden, else rounded outward from it."""
        lab = self.lab
        if lab.show_truth:
            return Sum(column=lab.column).bounds(self.data)
        return min(0.0, lab.grid_low), lab.grid_high

    @cached_property
    def centre(self) -> float:
        low, high = self.proposed
        middle = self.lab.centre if self.lab.centre is not None else (low + high) / 2
        return float(np.floor(middle)) if self.lab.mechanism.integers else middle

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The bounds in force. Where both move, the upper one decides and the lower one mirrors it."""
        lab, (low, high) = self.lab, self.proposed
        high = lab.high if lab.high is not None else high
        if lab.moving == "both":
            return 2 * self.centre - high, high
        low = lab.low if lab.low is not None else low
        return (low, high) if low < high else (low, low + 1) if lab.low is not None else (high - 1, high)

    @property
    def integers(self) -> bool:
        """Whether every measurement is an integer, by the column's declared type and the bounds in force."""
        direct = self.question.direct and self.lab.statistic != "sum"
        return not direct and self.data.info(self.lab.column).type == "integer" and all(b == int(b) for b in self.bounds)

    @cached_property
    def unit(self) -> Say:
        return say(UNITS[self.lab.statistic], column=plain(self.lab.column))

    @cached_property
    def truth(self) -> float:
        """The statistic without clipping and noise."""
        return float(self.question.answer(self.rows.whole())[0])

    # The sweep.

    @property
    def at(self) -> float:
        """The bound that moves."""
        return self.bounds[0] if self.lab.moving == "lower" else self.bounds[1]

    def pair(self, moved: Array) -> tuple[Array, Array]:
        """(low, high) where the moving bound stands at each of `moved`."""
        low, high = self.bounds
        if self.lab.moving == "lower":
            return moved, np.full_like(moved, high)
        return (np.full_like(moved, low), moved) if self.lab.moving == "upper" else (2 * self.centre - moved, moved)

    @property
    def fixed(self) -> float:
        """What the moving bound cannot pass."""
        low, high = self.bounds
        return {"upper": low, "lower": high, "both": self.centre}[self.lab.moving]

    @cached_property
    def extremes(self) -> tuple[float, float]:
        """What the sweep must reach."""
        low, high = self.bounds
        if not self.lab.show_truth:
            return min(low, self.lab.grid_low), max(high, self.lab.grid_high)
        return min(low, float(self.rows.values[0])), max(high, float(self.rows.values[-1]))

    @cached_property
    def log(self) -> bool:
        """Whether bounds stand on a logarithmic axis: those above (about) zero, as of money."""
        return self.lab.moving == "upper" and 0 <= self.bounds[0] <= 0.002 * self.extremes[1]

    @cached_property
    def range(self) -> tuple[float, float]:
        """The axis of the moving bound, with ends that jump rarely."""
        low, high = self.extremes
        fixed = self.fixed
        if self.log:
            top = nice_above(1.15 * high)
            return max(min(top / 200, self.at / 2), 2 * self.bounds[0]), top
        if self.lab.moving == "lower":
            return fixed - nice_above(1.1 * (fixed - low)), fixed
        reach = max(high - fixed, fixed - low) if self.lab.moving == "both" else high - fixed
        return fixed, fixed + nice_above(1.15 * reach)

    def steps(self, low: float, high: float, points: int) -> Array:
        """Bounds from `low` to `high` strictly on the right side of the fixed one; integers where the noise needs them."""
        x = np.geomspace(low, high, points) if self.log else np.linspace(low, high, points)
        if self.lab.mechanism.integers:
            x = np.unique(np.round(x))
        return x[x < self.fixed] if self.lab.moving == "lower" else x[x > self.fixed]

    @cached_property
    def ladder(self) -> Array:
        return array(self.steps(*self.range, SWEEP))

    def parts(self, moved: Array, mechanism: Additive | None = None) -> Parts:
        return error_parts(self.question, self.rows, mechanism or self.lab.mechanism, *self.pair(moved), self.lab.sampling)

    @cached_property
    def sweep(self) -> Parts:
        return self.parts(self.ladder)

    @cached_property
    def here(self) -> Parts:
        return self.parts(np.array([self.at]))
