"""A table as whole numbers: each column one of a few cells that are known from outside, words or
bins of a range. What synthetic tables are measured on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Feature, column_of, feature_of
from dpstudio.data.memory import Sized
from dpstudio.values.dates import as_year
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError

Codes = NDArray[np.int64]
NOWHERE, EVERYWHERE = "nowhere", "everywhere"
EDGE_DIGITS = 15  # that a double keeps: an edge is shown and written as it is used


@dataclass(frozen=True)
class Axis:
    """The cells of one column: its words, or the bins between `edges`, ascending, closed below, the
    last one at both ends. `type` is the column's: integers and dates (days since 1970) have whole
    values. `missing`: one more cell, the last, for rows without a value or with a word that is not
    listed."""

    feature: Feature
    edges: tuple[float, ...]
    type: str
    missing: bool

    @property
    def whole(self) -> bool:
        """Whether its values are integers."""
        return self.type in ("integer", "date")

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.feature.name

    @property
    def size(self) -> int:
        """How many cells there are."""
        return (len(self.feature.words) or len(self.edges) - 1) + self.missing

    @property
    def values(self) -> int:
        """How many of them hold values: all but that of what is missing, the last."""
        return self.size - self.missing

    @property
    def labels(self) -> tuple[str, ...]:
        """What each cell is called: a word, or its range."""
        bins = zip(self.edges, self.edges[1:], strict=False)
        named = self.feature.words or tuple(self._bin(low, high) for low, high in bins)
        return (*named, "?") if self.missing else named

    def ends(self, first: int, last: int) -> tuple[str, str]:
        """What the least and the greatest value of the bins `first` to `last`, without it, are
        called."""
        return self.labels[first].partition("–")[0], self.labels[last - 1].rpartition("–")[2]

    def _bin(self, low: float, high: float) -> str:
        if not self.whole:
            return "–".join(f"{edge:.{EDGE_DIGITS}g}" for edge in (low, high))
        ends = dict.fromkeys((int(np.ceil(low)), max(int(np.ceil(high)) - 1, int(np.ceil(low)))))
        if self.type == "date":
            return "–".join(day(end) for end in ends)
        return "–".join(as_year(self.name, end, f"{end:,}") for end in ends)


@dataclass(frozen=True, eq=False)
class Cells(Sized):
    """`codes` (n, columns): the number of the cell of each value. `left_out` rows have no cell.
    `whose` (n,): the number of the person of each row, from 0 on; None where each is one."""

    axes: tuple[Axis, ...]
    codes: Codes
    left_out: int
    whose: Codes | None = None

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cells each column has."""
        return tuple(axis.size for axis in self.axes)

    @property
    def unattested(self) -> tuple[str, ...]:
        """The columns whose bounds or words nobody says are public."""
        return tuple(axis.name for axis in self.axes if not axis.feature.attested)


def cells_of(
    data: Dataset, columns: Sequence[str], bins: int = 20, missing: str = EVERYWHERE
) -> Cells:
    """The cells of these columns, remembered with the table: numbers in at most `bins` bins of the
    same width over their bounds, to a thousandth of it, so that edges are short; those that are
    integers of a short range one bin each.

    With `missing` = "everywhere" a value that is missing has a cell of its own, and no row is left
    out; "nowhere" leaves such rows out. Raises ParamError at “columns”, as `sample_of` does.
    """
    question = ("cells", tuple(columns), bins, missing)
    return data.remember(question, lambda: _cells(data, tuple(columns), bins, missing))


def _cells(data: Dataset, columns: tuple[str, ...], bins: int, missing: str) -> Cells:
    if not columns:
        raise ParamError("columns", say("Name at least one column."))
    if len(set(columns)) < len(columns):
        raise ParamError("columns", say("A column is named twice. Name each once."))
    axes = tuple(_axis(data, column, bins, missing == EVERYWHERE) for column in columns)
    return cells_on(data, axes)


def cells_on(data: Dataset, axes: tuple[Axis, ...]) -> Cells:
    """The cells of these axes, which may be those of another table with the same columns."""
    codes = np.stack([placed(axis, column_of(data, axis.feature)) for axis in axes], axis=1)
    there, whose = (codes >= 0).all(axis=1), None
    if data.person:
        whose = np.unique(data._who(data.person)[there], return_inverse=True)[1].astype(np.int64)
    return Cells(axes, codes[there], int(len(codes) - np.count_nonzero(there)), whose)


def _axis(data: Dataset, column: str, bins: int, missing: bool) -> Axis:
    feature = feature_of(data, column, "columns")
    if feature.words:
        return Axis(feature, (), "category", missing)
    type_ = "integer" if data.all_integers(column) else data.info(column).type
    whole = type_ in ("integer", "date")
    span = feature.high - feature.low
    if whole and span < bins:
        edges = np.arange(int(span) + 2) + feature.low
    else:
        # Integers lie in the middle of their unit, so that no bin has one more than its neighbour
        # because of its end alone.
        edges = _short(feature.low, feature.high + whole, bins)
    return Axis(feature, tuple(float(edge) for edge in edges), type_, missing)


def _short(low: float, high: float, bins: int) -> NDArray[np.float64]:
    """Edges of bins with as many decimals as a thousandth of one needs, the outer ones as they are;
    fewer bins where doubles lie further apart."""
    edges = np.unique(np.linspace(low, high, bins + 1))
    if len(edges) < 2:
        return np.array([low, np.nextafter(low, np.inf)])
    decimals = 3 - math.floor(math.log10((edges[-1] - edges[0]) / bins))
    inner = [round(edge, decimals) for edge in edges[1:-1].tolist()]
    return np.array([edges[0], *inner, edges[-1]])


def placed(axis: Axis, values: NDArray[np.float64]) -> Codes:
    """The cells of values, (n,), as `column_of` gives them: −1 where there is none."""
    none = axis.size - 1 if axis.missing else -1
    there = ~np.isnan(values)
    if axis.feature.words:
        found = np.where(there, values, 0.0).astype(np.int64)
    else:
        found = (
            np.searchsorted(axis.edges, np.where(there, values, axis.edges[0]), side="right") - 1
        )
        found = np.clip(found, 0, len(axis.edges) - 2).astype(np.int64)
    return np.where(there, found, none)


def values_of(axis: Axis, codes: Codes, rng: np.random.Generator) -> list[Any]:
    """A value for each code, (n,): its word, a number drawn from its bin, an integer or a date
    where the column holds such, None for what is missing."""
    none = axis.size - 1 if axis.missing else -1
    if axis.feature.words:
        words = (*axis.feature.words, None)
        return [words[code] if code != none else None for code in codes.tolist()]
    edges = np.array(axis.edges)
    at = np.where(codes == none, 0, codes)
    low, high = edges[at], edges[at + 1]
    shares = rng.random(len(codes))
    if axis.whole:
        first = np.ceil(low)
        many = np.maximum(np.ceil(high) - first, 1)
        drawn = np.minimum(first + np.floor(shares * many), axis.feature.high).astype(np.int64)
    else:
        drawn = np.minimum(low + shares * (high - low), np.nextafter(high, low))
        # Digits beyond a hundredth of a bin would say nothing.
        short = np.round(drawn, 2 - int(np.floor(np.log10(np.min(np.diff(edges))))))
        drawn = np.where((short >= low) & (short < high), short, drawn)
    told = drawn.tolist()
    if axis.type == "date":
        # A column is all dates or, where the calendar lacks some of its years, all words.
        ends = np.array([axis.feature.low, axis.feature.high]).astype("datetime64[D]")
        lacking = any(isinstance(each, int) for each in ends.tolist())
        told = [*map(day, told)] if lacking else drawn.astype("datetime64[D]").tolist()
    known = (codes != none).tolist()
    return [value if there else None for value, there in zip(told, known, strict=True)]


def day(days: int) -> str:
    """A day since 1970 as it is written: 2026-11-22."""
    return str(np.datetime64(days, "D"))
