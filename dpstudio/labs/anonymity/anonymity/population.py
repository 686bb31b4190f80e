"""Who is found in a population: the rows of the table that are not published stand for it, or else
the sizes of classes let one estimate it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel, before, n, risk_before
from dpstudio.labs.anonymity.anonymity.table import population_codes
from dpstudio.labs.once import once
from dpstudio.privacy.anonymity.classes import Codes, Mask, classes_of, grouped, journalist
from dpstudio.privacy.anonymity.population import Pitman, fitted, matches, shares_of

_LEAST, _POINTS = 0.001, 25


@once
def register(model: AnonymityModel) -> Codes:
    """Everybody, published or not, by the quasi-identifiers, (people, columns)."""
    return population_codes(model.lab, model.data)


@once
def people(model: AnonymityModel) -> int:
    """How many people the population has: those of the table, where not all are published, else
    what the share says."""
    if not model.lab.whole:
        return len(register(model))
    return max(n(model), round(n(model) / model.lab.sampled))


def _codes(model: AnonymityModel) -> Codes:
    return np.stack([each.codes for each in model.rows.quasi], axis=1)


def _allowed(model: AnonymityModel) -> list[list[Mask]]:
    """For each class and column, which codes its published value stands for: numbers between its
    ends, or its words."""
    out: list[list[Mask]] = [[] for _ in range(model.classes.many)]
    there = model.classes.of >= 0
    of = model.classes.of[there]
    for column in model.rows.quasi:
        codes = column.codes[there]
        sizes = int(max(register(model)[:, len(out[0])].max(), codes.max())) + 1 if out else 0
        held = np.zeros((model.classes.many, sizes), dtype=np.bool_)
        held[of, codes] = True
        if column.at is not None:
            held = (
                np.logical_or.accumulate(held, axis=1)
                & np.logical_or.accumulate(held[:, ::-1], axis=1)[:, ::-1]
            )
        for place, mask in enumerate(held):
            out[place].append(mask)
    return out


@once
def fits(model: AnonymityModel) -> Codes:
    """How many people of the population each class fits, (classes,)."""
    if model.walked is None:
        return matches(model.classes, _allowed(model), register(model))
    from dpstudio.labs.anonymity.anonymity.heights import lattice_of

    lattice = lattice_of(model.lab, model.data, model.rows, model.lab.promise)
    told = [
        column.ancestors[height]
        for column, height in zip(lattice.columns, model.walked.node, strict=True)
    ]
    here, all_ = (
        np.stack([words[part[:, i]] for i, words in enumerate(told)], axis=1)
        for part in (_codes(model), register(model))
    )
    of, many = grouped(np.concatenate((here, all_)))
    held = np.bincount(of[n(model) :], minlength=many)
    out = np.zeros(model.classes.many, dtype=np.int64)
    there = model.classes.of >= 0
    out[model.classes.of[there]] = held[of[: n(model)]][there]
    return out


def journalist_before(model: AnonymityModel) -> float:
    """The highest risk in the table as it is, for who does not know who is in it."""
    return journalist(_codes(model), register(model))


@once
def journalist_after(model: AnonymityModel) -> float:
    """The same in what is published: 1 over the people whom a class fits."""
    return float((1 / fits(model)).max(initial=0.0))


@once
def presence(model: AnonymityModel) -> tuple[float, float]:
    """The least and the largest share of the people whom a class fits that are in it: how sure one
    can be that somebody is in the table."""
    shares = shares_of(model.classes.sizes, fits(model))
    return float(shares.min(initial=1.0)), float(shares.max(initial=0.0))


@once
def law(model: AnonymityModel) -> Pitman | None:
    """The law of the sizes of classes of the table as it is, remembered."""
    asked = "anonymity law", model.lab.table
    return model.data.remember(asked, lambda: fitted(before(model).sizes))


def _law(model: AnonymityModel) -> Pitman:
    found = law(model)
    assert found is not None
    return found


@once
def alone_estimated(model: AnonymityModel) -> float:
    """The share of the population that is alone in it, as the published rows let one think."""
    return _law(model).alone(before(model).sizes, people(model))


@once
def stay_alone(model: AnonymityModel) -> float:
    """Of those alone in the table the share that is alone in the population too, estimated."""
    return _law(model).stays(n(model), people(model))


@dataclass(frozen=True)
class Alone:
    """The share of the population that is alone, and of those alone in the table the share that is
    alone there as well; NaN where nobody is alone in the table."""

    all: float
    stay: float


@once
def alone(model: AnonymityModel) -> Alone:
    """The same as it is, counted in the population."""
    of, many = grouped(np.concatenate((_codes(model), register(model))))
    held = np.bincount(of[n(model) :], minlength=many)
    here = np.bincount(of[: n(model)], minlength=many) == 1
    kept = np.count_nonzero(here & (held == 1)) / here.sum() if here.any() else float("nan")
    return Alone(classes_of(register(model)).unique / len(register(model)), float(kept))


@once
def by_share(model: AnonymityModel) -> tuple[Array, Array]:
    """Of the rows alone in the table the share alone in a population, against what share of it the
    table is; shapes (shares,)."""
    rows = n(model)
    shares = np.geomspace(min(_LEAST, here_share(model)), 1.0, _POINTS)
    stay = [_law(model).stays(rows, round(rows / share)) for share in shares.tolist()]
    return array(shares), array(stay)


def anybody_alone(model: AnonymityModel) -> bool:
    """Whether anybody is alone in the table."""
    return risk_before(model).unique > 0


def here_share(model: AnonymityModel) -> float:
    """What share of the population the table is."""
    return n(model) / people(model)
