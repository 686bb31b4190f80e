"""Who is alone in a population: the table beside this one stands for it, or the rows that are not
published, or else the sizes of classes let one estimate it."""

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.risk.model import RiskModel
from dpstudio.labs.whole_tables.rows.model import before, n, register, risk_before
from dpstudio.privacy.anonymity.classes import classes_of, grouped
from dpstudio.privacy.anonymity.population import Pitman, fitted

_LEAST, _POINTS = 0.001, 25


@once
def people(model: RiskModel) -> int:
    """How many people the population has: those of its table, where it is there, else what the
    share says."""
    if model.listed:
        return len(register(model).people)
    return max(n(model), round(n(model) / model.lab.sampled))


@once
def law(model: RiskModel) -> Pitman | None:
    """The law of the sizes of classes of the table as it is, remembered."""
    asked = "pitman law", model.lab.table
    return model.data.remember(asked, lambda: fitted(before(model).sizes))


def _law(model: RiskModel) -> Pitman:
    found = law(model)
    assert found is not None
    return found


@once
def alone_estimated(model: RiskModel) -> float:
    """The share of the population that is alone in it, as the published rows let one think."""
    return _law(model).alone(before(model).sizes, people(model))


@once
def stay_alone(model: RiskModel) -> float:
    """Of those alone in the table the share that is alone in the population too, estimated."""
    return _law(model).stays(n(model), people(model))


@dataclass(frozen=True)
class Alone:
    """The share of the population that is alone, and of those alone in the table the share that is
    alone there as well; NaN where nobody is alone in the table."""

    all: float
    stay: float


@once
def alone(model: RiskModel) -> Alone:
    """The same as it is, counted in the population."""
    known = register(model)
    of, many = grouped(np.concatenate((known.here, known.people)))
    held = np.bincount(of[n(model) :], minlength=many)
    here = np.bincount(of[: n(model)], minlength=many) == 1
    kept = np.count_nonzero(here & (held == 1)) / here.sum() if here.any() else float("nan")
    return Alone(classes_of(known.people).unique / len(known.people), float(kept))


@once
def by_share(model: RiskModel) -> tuple[Array, Array]:
    """Of the rows alone in the table the share alone in a population, against what share of it the
    table is; shapes (shares,)."""
    rows = n(model)
    shares = np.geomspace(min(_LEAST, here_share(model)), 1.0, _POINTS)
    stay = [_law(model).stays(rows, round(rows / share)) for share in shares.tolist()]
    return array(shares), array(stay)


def anybody_alone(model: RiskModel) -> bool:
    """Whether anybody is alone in the table."""
    return risk_before(model).unique > 0


def here_share(model: RiskModel) -> float:
    """What share of the population the table is."""
    return n(model) / people(model)
