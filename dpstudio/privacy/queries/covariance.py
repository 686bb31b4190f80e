"""The covariance matrix of a few columns, from one noisy vector of second moments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.eigenvectors import eigh
from dpstudio.privacy.queries import query
from dpstudio.values.fields import flag
from dpstudio.values.messages import N_, Message, Num, listed, say
from dpstudio.values.parameters import ParamError, Ranges, Words, param
from dpstudio.values.problem import Problem

_COLUMNS = 8


@dataclass(frozen=True)
class CovarianceFormula:
    """Covariances in the units of the columns from the upper triangle of noisy Z Zᵀ, z = (1, z₁ …
    z_p) scaled to [−1, 1].

    Where `repair` is set, negative eigenvalues, which noise can make, are raised to 0:
    post-processing, so it is free.
    """

    scales: tuple[float, ...]
    repair: bool

    @property
    def limits(self) -> tuple[Array, Array]:
        """Between which each coordinate of the answer lies, shape (coordinates,) each: a repaired
        matrix has no negative variance."""
        p = len(self.scales)
        rows, columns = np.triu_indices(p)
        variance = (rows == columns) & self.repair
        return array(np.where(variance, 0.0, -np.inf)), array(np.full(len(rows), np.inf))

    def __call__(self, noisy: list[Array]) -> Array:
        p = len(self.scales)
        rows, columns = np.triu_indices(p + 1)
        full = np.zeros((len(noisy[0]), p + 1, p + 1))
        full[:, rows, columns] = noisy[0]
        n = np.maximum(full[:, 0, 0], 1.0)
        means = full[:, 0, 1:] / n[:, None]
        second = full[:, 1:, 1:] + np.transpose(np.triu(full[:, 1:, 1:], 1), (0, 2, 1))
        cov = second / n[:, None, None] - means[:, :, None] * means[:, None, :]
        if self.repair:
            hurt = not_positive(cov)  # few, and to find them takes no eigenvalues
            values, vectors = eigh(cov[hurt])
            raised = vectors * np.maximum(values, 0)[:, None, :]
            cov[hurt] = raised @ np.transpose(vectors, (0, 2, 1))
        scales = np.asarray(self.scales)
        upper = np.triu_indices(p)
        return np.asarray((cov * scales[:, None] * scales[None, :])[:, upper[0], upper[1]])


def not_positive(matrices: Array) -> NDArray[np.bool_]:
    """Which of the symmetric matrices, shape (n, p, p), are not positive definite: those with a
    pivot of Gaussian elimination that is not above 0."""
    left, found = matrices.copy(), np.zeros(len(matrices), dtype=bool)
    for i in range(left.shape[1]):
        pivot, row = left[:, i, i], left[:, i, i + 1 :]
        found |= pivot <= 0
        steps = row / np.where(pivot > 0, pivot, np.inf)[:, None]  # one that is found stays
        left[:, i + 1 :, i + 1 :] -= steps[:, :, None] * row[:, None, :]
    return found


def moment_moves(p: int, adjacency: str) -> tuple[query.Move, ...]:
    """Moves of the upper triangle of Z Zᵀ, z in {1} × [−1, 1]^p: 1 + p + p(p + 1)/2 entries, all of
    them up to 1.

    Replace one: with m signs flipped, the m means and the m(p − m) products of a flipped with an
    unflipped column move by 2, so L2² = 4m(p + 1 − m), largest at m = (p + 1)/2. In each coordinate
    the squared distance is largest at ±1, so no person inside the box moves L2 more. In L1 a person
    inside may move the entries but the first by p(p + 3)/2 + p/(2(p + 1)) in all, which stays below
    the 1 + p(p + 3)/2 of one who comes or goes.
    """
    rows, columns = np.triu_indices(p + 1)
    every = tuple((i, 1.0) for i in range(len(rows)))
    if adjacency == query.ADD_REMOVE:
        return (
            query.Move(
                say("a person with every value at its upper bound is added or removed"), (every,)
            ),
        )
    come = query.Move(
        say("a person with every value at its upper bound is replaced by one who does not count"),
        (tuple((i, -by) for i, by in every),),
    )
    m = (p + 1) // 2
    flipped = np.array([1.0] + [-1.0] * m + [1.0] * (p - m))
    change = (np.outer(flipped, flipped) - 1)[rows, columns]
    across = query.Move(
        say(
            "{m} {m:value of a person changes|values of a person change} from one bound to the "
            "other",
            m=m,
        ),
        (tuple((int(i), float(change[i])) for i in np.flatnonzero(change)),),
    )
    return across, come


class Covariance(query.Query):
    """Population covariances of the rows that have every value. One vector of counts, sums and
    products with L2 noise."""

    key = "covariance"
    label = N_("Covariance")
    asks = N_("The covariance of")
    asked = N_("How do {columns} vary together")

    columns: tuple[str, ...] = param(
        ("age", "education-num", "hours-per-week"),
        Words(N_("Columns"), N_("Columns of numbers, separated by |.")),
    )
    ranges: tuple[tuple[float, float], ...] = param(
        (),
        Ranges(
            N_("Bounds"),
            N_("lowest..highest for each column, separated by |; values beyond are clipped."),
            empty=N_("from the data"),
        ),
        of=("columns",),
    )
    attested: bool = param(False, query.ATTESTED, of=("columns",))
    repair: bool = flag(
        True,
        N_("Raise negative eigenvalues to 0"),
        N_("Noise can make a matrix that no data has; this mends it."),
    )

    def named(self) -> Mapping[str, Message]:
        return {"columns": listed(self.columns)}

    def agree(self) -> None:
        if self.ranges and len(self.ranges) != len(self.columns):
            text = N_(
                "There {columns:is|are} {columns} {columns:column|columns} and {ranges:# pair|# "
                "pairs} of bounds. Write one pair for each."
            )
            raise ParamError(
                "ranges", say(text, columns=len(self.columns), ranges=len(self.ranges))
            )

    def bounds(self, data: Dataset) -> tuple[tuple[float, float], ...]:
        """(low, high) of each column: those given, here or in the codebook, else rounded outward
        from the data."""
        if self.ranges:
            return self.ranges
        return tuple(self._bounds(column, data) for column in self.columns)

    def _bounds(self, column: str, data: Dataset) -> tuple[float, float]:
        given, extent = self._told(column, data), None
        if not given.whole:
            extent = data.extent(column)
        low, high = query.outward(extent.low, extent.high) if extent else (0.0, 1.0)
        low = given.low if given.low is not None else low
        high = given.high if given.high is not None else high
        return query.apart(low, high, keep_low=given.high is None)

    def _told(self, column: str, data: Dataset) -> query.GivenBounds:
        return query.told(None, None, False, data.about(column))

    def measure_rows(self, data: Dataset, adjacency: str) -> query.MeasuredQuestion:
        bounds, p = self.bounds(data), len(self.columns)
        full = data.moments(self.columns, bounds, self.where)
        values = array(full[np.triu_indices(p + 1)])
        formula = CovarianceFormula(tuple((high - low) / 2 for low, high in bounds), self.repair)
        truth = array(formula([values[None, :]])[0])
        rows, columns = np.triu_indices(p)
        labels = tuple(
            f"{self.columns[i]} · {self.columns[j]}" if i != j else f"var {self.columns[i]}"
            for i, j in zip(rows, columns, strict=True)
        )
        moves = moment_moves(p, adjacency)
        bare = query.sensitivity_of(moves, 0, len(values), Message(""))
        text = N_(
            "One person moves the {k} scaled {k:moment|moments} by at most {l2} in L2 and {l1} in "
            "L1."
        )
        why = say(text, k=len(values), l2=Num(bare.l2, 4, "up"), l1=Num(bare.l1, 4, "up"))
        part = query.Measurement(
            N_("moments"), values, query.sensitivity_of(moves, 0, len(values), why), whole=False
        )
        public = (
            self.attested
            if self.ranges
            else all(self._told(column, data).public for column in self.columns)
        )
        notes = (
            () if public else (say("The bounds come from the data: this choice is not private."),)
        )
        return query.MeasuredQuestion(
            truth,
            labels,
            say("covariance"),
            (part,),
            formula=formula,
            notes=notes,
            openness=notes,
            moves=moves,
            across=say("pairs of columns"),
        )

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from super().problems(data, adjacency)
        if not 2 <= len(self.columns) <= _COLUMNS:
            yield Problem(
                "query.columns",
                say("Name 2 to {most} columns of numbers, separated by |.", most=_COLUMNS),
            )
            return
        for column in self.columns:
            problem = _column_problem(
                column, bool(self.ranges) or self._told(column, data).whole, data
            )
            if problem:
                yield problem
                return
        if data.moments(self.columns, self.bounds(data), self.where)[0, 0] == 0:
            yield Problem(
                "query.where",
                say("No row meets the condition and has all these values. Widen the condition."),
            )


def _column_problem(column: str, bounded: bool, data: Dataset) -> Problem | None:
    if problem := query.no_column(column, data, "query.columns"):
        return problem
    if not data.info(column).numeric:
        return Problem("query.columns", query.no_numbers(column, data))
    extent = data.extent(column)
    if extent is None:
        return Problem(
            "query.columns",
            say("“{column}” holds no finite number. Choose another column.", column=column),
        )
    if not bounded and max(abs(extent.low), abs(extent.high)) > query.WIDEST:
        text = N_(
            "“{column}” reaches beyond ±10¹⁵. Type the lowest and the highest value that may count."
        )
        return Problem("query.ranges", say(text, column=column))
    return None
