"""A quantile of a column, chosen from a grid."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.queries import query
from dpstudio.privacy.queries.candidates import Candidates, ColumnChoosing
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import Column, Edges, ParamError, param
from dpstudio.values.problem import Problem


class Quantile(ColumnChoosing):
    """The value below which a share q of the values lies, chosen from a public grid.

    The score of a grid value g is −dist(q·n, [#{x < g}, #{x ≤ g}]): by how many people g misses
    rank q·n; 0 exactly where g is a q-quantile, also where many share a value. n counts the rows
    that meet the condition and have a finite value. One person more below g moves #−qn by 1 − q,
    one above moves it by −q, one who is not counted by 0; a person replaced moves it by at most 1
    (from one side to the other), and a distance to an interval moves no more than its ends. So Δ =
    max(q, 1 − q) for add/remove and 1 for replace. Scores on both sides of the quantile move
    against each other: they are not monotone.
    """

    key = "quantile"
    label = N_("Quantile")

    column: str = param("age", Column(N_("Column"), N_("A column of numbers."), numeric=True))
    q: float = real(
        0.5,
        N_("Share below"),
        N_("0.5 is the median, 0.25 the lower quartile."),
        low=0.001,
        high=0.999,
    )
    low: float | None = param(
        None, query.range_end(N_("From"), N_("The lowest value of the grid.")), of=("column",)
    )
    high: float | None = param(
        None, query.range_end(N_("To"), N_("The highest value of the grid.")), of=("column",)
    )
    points: int = integer(
        80,
        N_("Grid values"),
        N_("How many values, evenly spaced, may be chosen."),
        low=2,
        high=1001,
    )
    grid: tuple[float, ...] = param(
        (),
        Edges(N_("Grid"), N_("Typed values take the place of from, to and how many.")),
        of=("column",),
    )
    attested: bool = param(False, query.ATTESTED, of=("column",))

    def agree(self) -> None:
        query.refuse_crossed(self.low, self.high)

    def _told(self, data: Dataset) -> query.GivenBounds:
        return query.told(self.low, self.high, self.attested, data.about(self.column))

    def values(self, data: Dataset) -> Array:
        """The grid, ascending, shape (n,): that which is typed, equal steps between ends that are
        told, or one that suits the data. Raises ParamError where there is no number."""
        if self.grid:
            return np.array(self.grid)
        given = self._told(data)
        low, high = given.low, given.high
        if low is None or high is None:
            extent = data.extent(self.column)
            if extent is None:
                raise ParamError(
                    "column",
                    say(
                        "“{column}” holds no finite number. Choose another column.",
                        column=self.column,
                    ),
                )
            if low is None and high is None:
                # Round numbers, at most as many as asked for; whole where the values are.
                step = nice_above((extent.high - extent.low or 1.0) / max(1, self.points - 2))
                step = float(max(1, np.ceil(step))) if extent.whole else step
                first, last = np.floor(extent.low / step), np.ceil(extent.high / step)
                return np.array(
                    [float(f"{k * step:.12g}") for k in np.arange(first, max(last, first + 1) + 1)]
                )
            low = low if low is not None else min(extent.low, (high or 0.0) - 1)
            high = high if high is not None else max(extent.high, low + 1)
        # One end from here and one from the codebook need not fit together.
        low, high = query.apart(low, high, keep_low=True)
        return np.array([float(f"{value:.15g}") for value in np.linspace(low, high, self.points)])

    def _edges(self, grid: Array) -> tuple[float, ...]:
        """Edges between which lie: what is below the grid, each grid value itself, and what is
        between two of them."""
        ends = np.stack([grid, np.nextafter(grid, np.inf)], axis=1).ravel()
        if np.any(np.diff(ends) <= 0):
            raise ParamError(
                "points",
                say("The grid is too fine for its values to be told apart. Ask for fewer."),
            )
        return (-sys.float_info.max, *map(float, ends), sys.float_info.max)

    def measure_rows(self, data: Dataset, adjacency: str) -> Candidates:
        grid = self.values(data)
        parts = np.cumsum(data.histogram(self.column, self._edges(grid), self.where))
        target = self.q * float(parts[-1])
        below, up_to = parts[0:-1:2], parts[1::2]
        miss = np.maximum(np.maximum(below - target, target - up_to), 0.0)
        public = self.attested if self.grid else self._told(data).public
        openness = (
            () if public else (say("The grid comes from the data: this choice is not private."),)
        )
        delta = max(self.q, 1 - self.q) if adjacency == query.ADD_REMOVE else 1.0
        text = N_(
            "One person changes the rank error of each value by at most {delta}, the larger of q "
            "and 1 − q."
        )
        replaced = N_("One person replaced changes the rank error of each value by at most 1.")
        return Candidates(
            tuple(str(Num(value, 12)) for value in grid),
            array(grid),
            Scores(array(0.0 - miss), delta, False),
            say("ranks"),
            N_("{n} {n:rank|ranks}"),
            plain(self.column),
            say(text if adjacency == query.ADD_REMOVE else replaced, delta=Num(delta, 4, "up")),
            openness,
            openness,
            metric=True,
            named=say("quantile"),
        )

    def settled(self, data: Dataset) -> Quantile:
        return self.with_(grid=tuple(self.values(data).tolist()))

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        found = list(super().problems(data, adjacency))
        problem = query.number_problem(self.column, data)
        if problem is None and not self.grid and not self._told(data).whole:
            problem = query.range_problem(self.column, data)
        if problem is None:
            try:
                edges = self._edges(self.values(data))
                if not found and not data.histogram(self.column, edges, self.where).any():
                    text = N_(
                        "No row meets the condition and has a value, so there is no quantile. "
                        "Widen the condition."
                    )
                    problem = Problem("query.where", Message(text))
            except ParamError as error:
                problem = Problem(f"query.{error.field}", error.sentence)
        yield from found
        if problem:
            yield problem
