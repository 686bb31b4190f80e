"""Who is found in a population: the table beside this one stands for it, or the rows that are not
published, or else the sizes of classes let one estimate it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.anonymity.anonymity.choices.algorithms import Mondrian
from dpstudio.labs.anonymity.anonymity.heights import columns_of
from dpstudio.labs.anonymity.anonymity.model import (
    AnonymityModel,
    before,
    n,
    risk_before,
    suppressed,
)
from dpstudio.labs.anonymity.anonymity.presence_population import words_above
from dpstudio.labs.anonymity.anonymity.register import Register, register_of
from dpstudio.labs.memo import once
from dpstudio.privacy.anonymity.classes import Codes, Mask, classes_of, grouped, journalist
from dpstudio.privacy.anonymity.mondrian import RELAXED
from dpstudio.privacy.anonymity.population import Pitman, fitted, matches
from dpstudio.privacy.anonymity.presence import shares_of

_LEAST, _POINTS = 0.001, 25


@once
def register(model: AnonymityModel) -> Register:
    """Everybody, published or not, by the quasi-identifiers."""
    return register_of(model.lab, model.data, model.second)


@once
def people(model: AnonymityModel) -> int:
    """How many people the population has: those of its table, where it is there, else what the
    share says."""
    if model.listed:
        return len(register(model).people)
    return max(n(model), round(n(model) / model.lab.sampled))


def _allowed(model: AnonymityModel) -> list[list[Mask]]:
    """For each class and column, which codes its published value stands for: numbers between its
    ends, or its words."""
    out: list[list[Mask]] = [[] for _ in range(model.classes.many)]
    there = model.classes.of >= 0
    of = model.classes.of[there]
    codes = register(model).here[there]
    for place, (column, sizes) in enumerate(
        zip(model.rows.quasi, map(len, register(model).values), strict=True)
    ):
        held = np.zeros((model.classes.many, sizes), dtype=np.bool_)
        held[of, codes[:, place]] = True
        if column.at is not None:
            held = (
                np.logical_or.accumulate(held, axis=1)
                & np.logical_or.accumulate(held[:, ::-1], axis=1)[:, ::-1]
            )
        for each, mask in enumerate(held):
            out[each].append(mask)
    return out


@once
def fits(model: AnonymityModel) -> Codes:
    """How many people of the population each class fits, (classes,)."""
    known = register(model)
    if model.walked is None:
        return matches(model.classes, _allowed(model), known.people)
    columns = columns_of(model.lab, model.data, model.rows)
    told = [
        words_above(
            model.data, model.lab.trees, known, model.rows.columns[i], i, columns[i], height
        )
        for i, height in enumerate(model.walked.node)
    ]
    here, all_ = (
        np.stack([words[part[:, i]] for i, words in enumerate(told)], axis=1)
        for part in (known.here, known.people)
    )
    all_ = all_[np.all(all_ >= 0, axis=1)]
    of, many = grouped(np.concatenate((here, all_)))
    held = np.bincount(of[n(model) :], minlength=many)
    out = np.zeros(model.classes.many, dtype=np.int64)
    there = model.classes.of >= 0
    out[model.classes.of[there]] = held[of[: n(model)]][there]
    return out


def journalist_before(model: AnonymityModel) -> float:
    """The highest risk in the table as it is, for who does not know who is in it."""
    return journalist(register(model).here, register(model).people)


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


def overlaps(model: AnonymityModel) -> bool:
    """Whether boxes may share people, so that a class alone does not say how sure anybody is."""
    algorithm = model.lab.algorithm
    return isinstance(algorithm, Mondrian) and algorithm.way == RELAXED


@once
def others(model: AnonymityModel) -> int:
    """How many people of the population no class fits."""
    return people(model) - int(fits(model).sum())


def presence_of_others(model: AnonymityModel) -> float:
    """How sure one can be of each of them: the suppressed rows are theirs."""
    return suppressed(model) / others(model)


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
    known = register(model)
    of, many = grouped(np.concatenate((known.here, known.people)))
    held = np.bincount(of[n(model) :], minlength=many)
    here = np.bincount(of[: n(model)], minlength=many) == 1
    kept = np.count_nonzero(here & (held == 1)) / here.sum() if here.any() else float("nan")
    return Alone(classes_of(known.people).unique / len(known.people), float(kept))


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
