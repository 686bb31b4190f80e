"""What the sensitivity inspector knows: the moves of one question under both adjacencies."""

import math
from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs.memo import once
from dpstudio.labs.one_answer.sensitivity.parameters import SensitivityLab
from dpstudio.labs.question import measured, measured_as
from dpstudio.labs.winners import level, tiers
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import Additive, Guarantee, Sensitivity
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES
from dpstudio.privacy.queries.query import MeasuredQuestion, Measurement, Move
from dpstudio.values.messages import Message


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
    def adding(self) -> bool:
        """Whether neighbours differ by a person who comes or goes."""
        return self.lab.adjacency == ADD_REMOVE

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


def sensitivity_under(model: SensitivityModel, adjacency: str) -> Sensitivity | None:
    """How far one person moves what is looked at under one of the adjacencies; None where it cannot
    be asked so."""
    asked = under(model, adjacency)
    if asked is None:
        return None
    return asked.measurements[min(model.place, len(asked.measurements) - 1)].sensitivity


def other_adjacency(model: SensitivityModel) -> str:
    """The one that is not chosen."""
    return next(key for key in ADJACENCIES if key != model.lab.adjacency)


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


def measured_name(model: SensitivityModel) -> Message:
    """What is looked at, in the middle of a sentence."""
    name, many = model.measurement.name, len(model.measurement.values) > 1
    if model.measurement.about:
        return Message(model.measurement.about)
    alone = {"counts": "count", "sums": "sum"}
    return measured_as(name if many else alone.get(name, name))


def shift(model: SensitivityModel) -> float | None:
    """By how much the neighbour changes the one number of a measurement; None of several."""
    if len(model.measurement.values) > 1:
        return None
    return dict(mover(model).shifts[model.place]).get(0, 0.0)


def ends(model: SensitivityModel) -> tuple[float, float]:
    """The one number of a measurement on this table, and on the neighbour."""
    here = float(model.measurement.values[0])
    return here, here + (shift(model) or 0.0)


def digits(model: SensitivityModel) -> int:
    """How many digits of the number tell it from that of the neighbour."""
    size, by = max(map(abs, ends(model))), abs(shift(model) or 0.0)
    parts = math.log10(size / by) if size > 0 and by > 0 else 0.0
    return min(15, max(3, 2 + math.ceil(parts)))


def labels(model: SensitivityModel) -> tuple[str, ...]:
    """Names of the coordinates of the measurement looked at."""
    dims = len(model.measurement.values)
    named = model.asked.labels
    return named if len(named) == dims else tuple(str(i + 1) for i in range(dims))


@once
def noises(model: SensitivityModel) -> tuple[tuple[Additive, float], ...]:
    """(mechanism, standard deviation on one coordinate) of all that can be used on this measurement
    alone, each with the whole budget. What may be tuned is tuned for squares, as deviations are: a
    staircase of least E|X| has 1.6 times the least deviation at ε = 10, and 47 times at 50."""
    lab = model.lab
    kinds = [m for m in MECHANISMS if not m.integers or model.measurement.whole]
    made = [kind().of_least_deviation().at(lab.epsilon, lab.delta) for kind in kinds]
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
    lower = ((m, sd) for m, sd in noises(model) if sd < least and not level(sd, least))
    less = [(m, sd) for m, sd in lower if _remarked(model, m)]
    return tuple((m, sd, m.guarantee(model.sensitivity)) for m, sd in less)


def _remarked(model: SensitivityModel, mechanism: Additive) -> bool:
    promise = mechanism.guarantee(model.sensitivity)
    return not promise.sound or bool(promise.note.text)
