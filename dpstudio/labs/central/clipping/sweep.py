"""The question, the bounds in force and the axis along which a bound moves."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.central.clipping.choice import doubling_ends, equal_ends
from dpstudio.labs.central.clipping.errors import Ordered, Parts, Question, error_parts, ordered
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.queries.query import Told, told
from dpstudio.privacy.queries.total import Sum
from dpstudio.values.messages import N_, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.central.clipping.parameters import Clipping

SWEEP = 161
STAND_IN = (1.0, 1000.0)
UNITS = {
    "sum": N_("sum of {column}"),
    "mean": N_("mean of {column}"),
    "variance": N_("variance of {column}"),
}


class Sweep:
    """One state of Clipping on one table. Everything is worked out when it is first asked for.

    Where the exact answer is hidden, nothing but the noise is asked for, and bounds left empty
    stand at 0 and the grid's end.
    """

    def __init__(self, lab: Clipping, data: Dataset):
        self.lab, self.data = lab, data

    # The question.

    @cached_property
    def question(self) -> Question:
        lab = self.lab
        most = self.data.contributions
        return Question(
            lab.statistic,
            lab.adjacency,
            self.data.rows,
            lab.n_public,
            lab.centred,
            lab.mechanism.integers,
            most,
        )

    @property
    def finite(self) -> bool:
        """Whether no value is infinite."""
        extent, missing = self.data.extent(self.lab.column), self.data.missing(self.lab.column)
        return extent is not None and extent.present == self.data.rows - missing

    @cached_property
    def column(self) -> Ordered | None:
        """The rows that meet the condition, in order; None where there are none. The one place that
        reads the table."""
        lab, powers = self.lab, 4 if self.lab.statistic == "variance" else 2

        def sort() -> Ordered | None:
            held = self.data.ordered(lab.column, lab.where)
            return ordered(held.values, held.counts, powers) if len(held.values) else None

        return self.data.remember(("clipping rows", lab.column, lab.where, powers), sort)

    @property
    def rows(self) -> Ordered:
        assert self.column is not None
        return self.column

    @cached_property
    def proposed(self) -> tuple[float, float]:
        """The bounds of the codebook; else, where the exact answer is hidden, ones that stand in,
        or rounded outward from the data."""
        lab = self.lab
        if lab.show_truth or self.told.whole:
            return Sum(column=lab.column).bounds(self.data)
        low = self.told.low if self.told.low is not None else min(0.0, self.grid[0])
        high = self.told.high if self.told.high is not None else self.grid[1]
        return (low, high) if low < high else (low, low + 1)

    @property
    def told(self) -> Told:
        """What the codebook tells of the column's bounds."""
        return told(None, None, False, self.data.about(self.lab.column))

    @cached_property
    def grid(self) -> tuple[float, float]:
        """The ends of the candidates: those given, else fitted to the column, or, where it is
        hidden, ones that stand in."""
        lab = self.lab
        low, high = lab.grid_low, lab.grid_high
        start, end = STAND_IN if low is None or high is None else (low, high)
        if lab.show_truth and (low is None or high is None):
            start, end = self._fitted_grid()
        low, high = start if low is None else low, end if high is None else high
        if low < high:
            return low, high
        # One end is given, and the other one's proposal lies beyond it.
        return (
            (low, low + max(1.0, abs(low)))
            if lab.grid_low is not None
            else (high - abs(high) / 2 or -1.0, high)
        )

    def _fitted_grid(self) -> tuple[float, float]:
        lab, fixed = self.lab, self.centre if self.lab.moving == "both" else self.bounds[0]
        if lab.grid == "doubling":
            return doubling_ends(fixed, self.proposed[1], self.rows.median_above(fixed))
        return equal_ends(*self.proposed, lab.points, lab.mechanism.integers)[:2]

    @property
    def grid_points(self) -> int:
        """How many equal steps there are: those asked for, or fewer where they are fitted to the
        column."""
        lab = self.lab
        if lab.show_truth and lab.grid_low is None and lab.grid_high is None:
            return equal_ends(*self.proposed, lab.points, lab.mechanism.integers)[2]
        return lab.points

    @cached_property
    def centre(self) -> float:
        low, high = self.proposed
        middle = self.lab.centre if self.lab.centre is not None else (low + high) / 2
        return float(np.floor(middle)) if self.lab.mechanism.integers else middle

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The bounds in force. Where both move, the upper one decides and the lower one mirrors
        it."""
        lab, (low, high) = self.lab, self.proposed
        high = lab.high if lab.high is not None else high
        if lab.moving == "both":
            return 2 * self.centre - high, high
        low = lab.low if lab.low is not None else low
        return (
            (low, high)
            if low < high
            else (low, low + 1)
            if lab.low is not None
            else (high - 1, high)
        )

    @property
    def integers(self) -> bool:
        """Whether every measurement is an integer, by the column's declared type and the bounds in
        force."""
        direct = self.question.direct and self.lab.statistic != "sum"
        return (
            not direct
            and self.data.info(self.lab.column).type == "integer"
            and all(b == int(b) for b in self.bounds)
        )

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
        return (
            (np.full_like(moved, low), moved)
            if self.lab.moving == "upper"
            else (2 * self.centre - moved, moved)
        )

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
            return min(low, self.grid[0]), max(high, self.grid[1])
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
        """Bounds from `low` to `high` strictly on the right side of the fixed one; integers where
        the noise needs them."""
        x = np.geomspace(low, high, points) if self.log else np.linspace(low, high, points)
        if self.lab.mechanism.integers:
            x = np.unique(np.round(x))
        return x[x < self.fixed] if self.lab.moving == "lower" else x[x > self.fixed]

    @cached_property
    def ladder(self) -> Array:
        return array(self.steps(*self.range, SWEEP))

    def parts(self, moved: Array, mechanism: Additive | None = None) -> Parts:
        return error_parts(
            self.question,
            self.rows,
            mechanism or self.lab.mechanism,
            *self.pair(moved),
            self.lab.sampling,
        )

    @cached_property
    def sweep(self) -> Parts:
        return self.parts(self.ladder)

    @cached_property
    def here(self) -> Parts:
        return self.parts(np.array([self.at]))
