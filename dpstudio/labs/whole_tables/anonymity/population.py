"""Whom of a population the classes fit: the table beside this one stands for it, or the rows that
are not published."""

from __future__ import annotations

import numpy as np

from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity.choices.algorithms import Mondrian
from dpstudio.labs.whole_tables.anonymity.heights import columns_of
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, suppressed
from dpstudio.labs.whole_tables.anonymity.presence_population import words_above
from dpstudio.labs.whole_tables.rows.model import n, register
from dpstudio.privacy.anonymity import classes, mondrian, population
from dpstudio.privacy.anonymity.presence import shares_of


def _allowed(model: AnonymityModel) -> list[list[classes.Mask]]:
    """For each class and column, which codes its published value stands for: numbers between its
    ends, or its words."""
    out: list[list[classes.Mask]] = [[] for _ in range(model.classes.many)]
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
def fits(model: AnonymityModel) -> classes.Codes:
    """How many people of the population each class fits, (classes,)."""
    known = register(model)
    if model.walked is None:
        return population.matches(model.classes, _allowed(model), known.people)
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
    of, many = classes.grouped(np.concatenate((here, all_)))
    held = np.bincount(of[n(model) :], minlength=many)
    out = np.zeros(model.classes.many, dtype=np.int64)
    there = model.classes.of >= 0
    out[model.classes.of[there]] = held[of[: n(model)]][there]
    return out


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
    return isinstance(algorithm, Mondrian) and algorithm.way == mondrian.RELAXED


@once
def others(model: AnonymityModel) -> int:
    """How many people of the population no class fits."""
    return len(register(model).people) - int(fits(model).sum())


def presence_of_others(model: AnonymityModel) -> float:
    """How sure one can be of each of them: the suppressed rows are theirs."""
    return suppressed(model) / others(model)
