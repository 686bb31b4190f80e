"""What the sensitivity inspector knows: the moves of one question under both adjacencies."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.central.sensitivity.parameters import SensitivityLab
from dpstudio.labs.once import once
from dpstudio.labs.question import measured
from dpstudio.labs.winners import tiers
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import Additive, Guarantee, Sensitivity
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.privacy.queries.query import Clipping, MeasuredQuestion, Measurement, Move

EDGES = 60


@dataclass(frozen=True, eq=False)
class SensitivityModel:
    """One question on one table: its answer, and which of its measurements is looked at."""

    lab: SensitivityLab
    data: Dataset
    asked: MeasuredQuestion
    place: int

    @property
    def measurement(self) -> Measurement:
        """The measurement that is looked at."""
        return self.asked.measurements[self.place]

    @property
    def sensitivity(self) -> Sensitivity:
        """By how much a neighbour moves it, in three norms."""
        return self.measurement.sensitivity


def sensitivity_model(lab: SensitivityLab, data: Dataset) -> SensitivityModel:
    """The state of the lab on a table that can answer its question."""
    asked = measured(lab.query, data, lab.adjacency)
    return SensitivityModel(lab, data, asked, min(int(lab.measured), len(asked.measurements) - 1))


def under(model: SensitivityModel, adjacency: str) -> MeasuredQuestion | None:
    """The question under one of the adjacencies; None where it cannot be asked so (a public n needs
    replace one)."""
    query, data = model.lab.query, model.data
    if adjacency == model.lab.adjacency:
        return model.asked
    stopped = any(p.stops for p in query.problems(data, adjacency))
    return None if stopped else measured(query, data, adjacency)


@once
def mover(model: SensitivityModel) -> Move:
    """The reached move that is longest in L2 (then in L1), or the bound where none is known to be
    reached."""
    place = model.place
    reached = [m for m in model.asked.moves if m.reached and m.sizes(place)]
    return max(
        reached or model.asked.moves,
        key=lambda m: (math.hypot(*m.sizes(place)), sum(m.sizes(place))),
    )


def labels(model: SensitivityModel) -> tuple[str, ...]:
    """Names of the coordinates of the measurement looked at."""
    dims = len(model.measurement.values)
    named = model.asked.labels
    return named if len(named) == dims else tuple(str(i + 1) for i in range(dims))


@once
def noises(model: SensitivityModel) -> tuple[tuple[Additive, float], ...]:
    """(mechanism, standard deviation on one coordinate) of all that can be used on this measurement
    alone, each with the whole budget."""
    lab = model.lab
    kinds = [m for m in MECHANISMS if not m.integers or model.measurement.whole]
    made = [kind().at(lab.epsilon, lab.delta) for kind in kinds]
    return tuple((m, math.sqrt(m.law(model.sensitivity).variance)) for m in made)


@once
def recommended(model: SensitivityModel) -> list[tuple[Additive, float]]:
    """Those with the least noise, as equal ones are, of all whose promise is proven and kept, and
    needs no remark; of all where there is none."""
    plain = [pair for pair in noises(model) if not _remarked(model, pair[0])]
    ranked = sorted(plain or noises(model), key=lambda pair: pair[1])
    return tiers(ranked, lambda pair: pair[1])[0]


@once
def tempting(model: SensitivityModel) -> tuple[tuple[Additive, float, Guarantee], ...]:
    """Those with less noise than the recommended ones, and what is to be said of their promise."""
    least = min(sd for _, sd in recommended(model))
    less = [(m, sd) for m, sd in noises(model) if sd < least and _remarked(model, m)]
    return tuple((m, sd, m.guarantee(model.sensitivity)) for m, sd in less)


def _remarked(model: SensitivityModel, mechanism: Additive) -> bool:
    promise = mechanism.guarantee(model.sensitivity)
    return not promise.sound or bool(promise.note.text)


def counted_column(model: SensitivityModel) -> Clipping | None:
    """The question, where it tells how far each person of this table moves a sum; None elsewhere.

    How far a replacement moves a sum depends on who comes, not only on who is here; and of a person
    with several rows no row tells it.
    """
    lab, query = model.lab, model.lab.query
    told = lab.show_truth and lab.adjacency == ADD_REMOVE and model.data.contributions == 1
    summed = (
        model.measurement.name in ("sum", "sums") and getattr(query, "statistic", "") != "count"
    )
    if not (told and summed and isinstance(query, Clipping)):
        return None
    return query if model.data.extent(query.column) is not None else None


def middle_and_bound(model: SensitivityModel, query: Clipping) -> tuple[float, float]:
    """(middle, bound): a person moves the sum by |clipped value − middle|, at most the bound."""
    low, high = query.bounds(model.data)
    centred = getattr(query, "centred", False) or query.key in ("variance", "deviation")
    middle = (low + high) / 2 if centred else 0.0
    return middle, max(abs(low - middle), abs(high - middle))


def people(model: SensitivityModel, query: Clipping) -> Array:
    """Rows by |clipped value − middle|, in equal steps up to the bound; shape (60,)."""
    low, high = query.bounds(model.data)
    middle, bound = middle_and_bound(model, query)

    def counted() -> Array:
        step = bound / EDGES
        edges = np.unique(np.clip(np.arange(-EDGES, EDGES + 1) * step + middle, low, high))
        inside = model.data.histogram(query.column, tuple(map(float, edges)), query.where)
        clipped = model.data.clipped(query.column, low, high, query.where)
        # A value below the lowest bound stands at it, one above the highest at that.
        places = np.append((edges[1:] + edges[:-1]) / 2, [low, high])
        rows = np.append(inside, [clipped.below, clipped.above]).astype(np.float64)
        steps = np.minimum((np.abs(places - middle) / step).astype(np.intp), EDGES - 1)
        return array(np.bincount(steps, weights=rows, minlength=EDGES))

    return model.data.remember(("moves of people", query, low, high), counted)
