"""What is asked as a picture: the rows of its column, or of its parts, and where the row stands
that moves the answer most."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.named_rows import NamedRows, named_rows
from dpstudio.labs.one_answer.sensitivity.model import SensitivityModel, labels, mover
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.histogram import NUMBERS
from dpstudio.privacy.queries.query import Clipping
from dpstudio.values.messages import say, worded

BARS = 60


@dataclass(frozen=True, eq=False)
class ColumnPicture:
    """A column of numbers in intervals between `edges`: the rows that count, and the `others`; None
    where exact numbers are hidden. `before` and `after`: where the row stands that moves; None
    where it is not there."""

    column: str
    edges: Array
    counted: Array | None
    others: Array | None
    before: float | None
    after: float | None


@dataclass(frozen=True, eq=False)
class PartsPicture:
    """The numbers of an answer as rows with names: what each holds (None where that is hidden, or
    is no sum over rows), and by how much the neighbour changes it."""

    laid: NamedRows
    labels: tuple[str, ...]
    values: Array | None
    shifts: Array


@once
def column_picture(model: SensitivityModel) -> ColumnPicture | None:
    """The picture of a question about one column of numbers; None of all others."""
    query, asked = model.lab.query, model.asked
    if asked.edges:
        return _intervals(model)
    if isinstance(query, Clipping) and not asked.vector:
        return _clipped(model, query)
    return _met(model, query) if isinstance(query, Count) and model.lab.show_truth else None


def _intervals(model: SensitivityModel) -> ColumnPicture:
    """A histogram: its row leaves one interval, enters another, or does one of both."""
    edges = array(model.asked.edges)
    middles, shift = (edges[1:] + edges[:-1]) / 2, mover(model).shifts[0]
    before, after = (
        next((float(middles[i]) for i, by in shift if by * way > 0), None) for way in (-1, 1)
    )
    counted = model.measurement.values if model.lab.show_truth else None
    column = str(getattr(model.lab.query, "column", ""))
    return ColumnPicture(column, edges, counted, None, before, after)


def _steps(low: float, high: float, whole: bool) -> Array:
    """Edges of at most BARS intervals from low to high; about integers where values are `whole`."""
    if not whole:
        return array(np.linspace(low, high, BARS + 1))
    step = math.ceil((high - low + 1) / BARS)
    return array(np.minimum(np.arange(low - 0.5, high + 0.5 + step, step), high + 0.5))


def _clipped(model: SensitivityModel, query: Clipping) -> ColumnPicture:
    """A statistic of clipped values: a row beyond a bound stands at it."""
    data, (low, high) = model.data, query.bounds(model.data)
    whole = data.info(query.column).type == "integer" and low == int(low) and high == int(high)
    edges = _steps(low, high, whole)

    def rows() -> Array:
        counts = data.histogram(query.column, tuple(edges.tolist()), query.where).astype(np.float64)
        clipped = data.clipped(query.column, low, high, query.where)
        counts[0] += clipped.below
        counts[-1] += clipped.above
        return array(counts)

    shown = model.lab.show_truth
    counted = data.remember(("column picture", query, low, high), rows) if shown else None
    return ColumnPicture(query.column, edges, counted, None, *mover(model).row)


def _met(model: SensitivityModel, query: Count) -> ColumnPicture | None:
    """A count whose condition is about one column of numbers: the row is one of the most frequent
    kind on its side."""
    data, columns = model.data, {test.column for test in query.where.tests()}
    column = next(iter(columns), "")
    extent = data.extent(column) if columns == {column} else None
    if extent is None or data.info(column).type not in NUMBERS or not mover(model).reached:
        return None
    low, high = extent.low, max(extent.high, extent.low + 1)
    edges = _steps(low, high, extent.whole)
    ends = tuple(edges.tolist())
    every = data.histogram(column, ends, type(query.where)()).astype(np.float64)
    counted = data.histogram(column, ends, query.where).astype(np.float64)
    middles, sides = (edges[1:] + edges[:-1]) / 2, (counted, every - counted)
    middles = np.floor(middles) if extent.whole else middles
    inside, outside = (float(middles[side.argmax()]) if side.any() else None for side in sides)
    if inside is None:
        return None
    # One who comes or goes has no place outside; one who is replaced goes there.
    before, after = (None, inside) if model.adding else (inside, outside)
    return ColumnPicture(column, edges, array(counted), array(every - counted), before, after)


@once
def parts_picture(model: SensitivityModel) -> PartsPicture:
    """The numbers of an answer in rows, the largest on top; of a single count, the rows that meet
    its condition and all others."""
    shift = np.zeros(len(model.measurement.values))
    for place, by in mover(model).shifts[model.place]:
        shift[place] = by
    values, names = np.asarray(model.measurement.values), labels(model)
    query = model.lab.query
    if isinstance(query, Count) and query.where:
        values = np.append(values, model.data.rows - values)
        names = (str(query.where), worded(say("all other rows")))
        shift = np.append(shift, 0.0) if model.adding else np.array([1.0, -1.0]) * shift
    elif isinstance(query, Count):
        names = (worded(say("all rows")),)
    shown, moved = model.lab.show_truth, np.flatnonzero(shift).tolist()
    laid = named_rows(values if shown else np.zeros(len(values)), moved)
    additive = model.measurement.name in ("count", "counts", "sum", "sums")
    held = laid.together(values) if additive or not laid.others else None
    return PartsPicture(laid, names, held if shown else None, laid.together(shift))


def contributions(model: SensitivityModel) -> Callable[[Array], Array] | None:
    """What a row with a clipped value adds to the number that is looked at; None where no row tells
    it."""
    query, name = model.lab.query, model.measurement.name
    if isinstance(query, Count) or (name == "count" and isinstance(query, Clipping)):
        return np.ones_like
    if not isinstance(query, Clipping) or model.asked.vector:
        return None
    low, high = query.bounds(model.data)
    if name == "mean":
        return lambda x: x / max(1, model.data.rows)
    if name not in ("sum", "squares"):
        return None
    centred = query.key != "sum" and getattr(query, "centred", True)
    middle = (low + high) / 2 if centred else 0.0
    if name == "squares":
        return lambda x: (x - middle) ** 2
    return lambda x: (x - middle) / model.asked.step


@once
def reach(model: SensitivityModel) -> float | None:
    """How far the rows of this table move one number: one of them that comes or goes, or one that
    takes the place of another; None where that is hidden or no row tells it."""
    query, data, adds = model.lab.query, model.data, contributions(model)
    if adds is None or not model.lab.show_truth or data.contributions > 1:
        return None
    if isinstance(query, Clipping):
        values = data.ordered(query.column, query.where)
        used, x = int(values.counts.sum()), np.clip(values.values, *query.bounds(data))
    else:
        used = data.count(query.where)
        x = np.zeros(min(1, used))
    # A row that does not count adds nothing.
    given = np.append(adds(x), np.zeros(int(used < data.rows)))
    if model.adding:
        return float(np.max(np.abs(given), initial=0.0))
    return float(np.ptp(given)) if len(given) else 0.0
