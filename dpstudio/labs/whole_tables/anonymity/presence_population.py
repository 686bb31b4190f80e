"""A population as classes are made in it: where δ-presence is promised, everybody counts."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.whole_tables.anonymity.choices.algorithms import Mondrian
from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence, Promise
from dpstudio.labs.whole_tables.anonymity.hierarchies import hierarchy_of, word_at
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.weighed import rows_of
from dpstudio.labs.whole_tables.rows.columns import Coded, words_of
from dpstudio.labs.whole_tables.rows.register import Register, register_of
from dpstudio.labs.whole_tables.rows.table import SensitiveRows
from dpstudio.privacy.anonymity import classes, hierarchy, lattice, presence


def kept_by(promise: Promise, second: Dataset | None) -> Hashable:
    """What decides whether classes keep a promise, besides the table."""
    beside = second._rows_of if second is not None and isinstance(promise, Presence) else None
    return promise, beside


def one_class(lab: Anonymity, data: Dataset, second: Dataset | None) -> tuple[int, int]:
    """How many people of the population all rows as one class fit, and how many not: boxes end at
    their outermost rows, hierarchies at one word for all."""
    known = register_of(lab, rows_of(lab, data), data, second)
    if not isinstance(lab.algorithm, Mondrian):
        return len(known.people), 0
    ordered = tuple(each.at is not None for each in rows_of(lab, data).quasi)
    where = presence.Crowd(known.here, known.people, ordered, presence.Bounds(0, 1)).first()
    fit = int(np.count_nonzero(where >= 0))
    return fit, len(where) - fit


def hides(lab: Anonymity, data: Dataset, promise: Promise, second: Dataset | None) -> bool:
    """Whether the whole table as one class hides who of the population is in it as well as is
    promised: else no classes can."""
    if not isinstance(promise, Presence):
        return True
    boxes = isinstance(lab.algorithm, Mondrian)
    asked = "anonymity hides", lab.table, kept_by(promise, second), boxes

    def make() -> bool:
        rows = np.array([len(rows_of(lab, data).kept), 0])
        people = np.array(one_class(lab, data, second))
        return bool(promise.bounds.kept(rows, people).all())

    return data.remember(asked, make)


def boxed_crowd(
    lab: Anonymity, data: Dataset, second: Dataset | None, promise: Promise, rows: SensitiveRows
) -> presence.Crowd | None:
    """Everybody beside the boxes of a promise that asks for a population, else none."""
    if not isinstance(promise, Presence):
        return None
    known = register_of(lab, rows_of(lab, data), data, second)
    ordered = tuple(each.at is not None for each in rows.quasi)
    return presence.Crowd(known.here, known.people, ordered, promise.bounds)


def crowd_at_heights(
    lab: Anonymity,
    data: Dataset,
    second: Dataset | None,
    promise: Promise,
    rows: SensitiveRows,
    columns: tuple[lattice.Column, ...],
) -> presence.Heights | None:
    """Everybody among hierarchies, for the same promises."""
    if not isinstance(promise, Presence):
        return None
    known = register_of(lab, rows_of(lab, data), data, second)
    told = tuple(
        tuple(
            words_above(data, lab.trees, known, rows.columns[i], i, column, height)
            for height in range(column.height + 1)
        )
        for i, column in enumerate(columns)
    )
    return presence.Heights(known.people, told, promise.bounds)


def words_above(
    data: Dataset,
    trees: tuple[str, ...],
    known: Register,
    mine: Coded,
    place: int,
    column: lattice.Column,
    height: int,
) -> classes.Codes:
    """The ancestor at a height of each value of a column of both tables, (values,), in the codes of
    `column`, the one at this `place` of the first table. A value that it lacks has that of the
    hierarchy of them all, or of the numbers on both sides, where these agree; a top that is above
    values stands for all; else −1: it is taken to fit no class, which makes the risk
    no smaller."""
    there, values, ancestors = known.place[place], known.values[place], column.ancestors[height]
    out = np.full(len(values), ancestors[0] if 0 < height == column.height else -1)
    out[there] = ancestors
    if out.min() >= 0:
        return out
    out = np.where(out < 0, _of_hierarchy(data, trees, known, mine, place, ancestors, height), out)
    if mine.quasi.at is None:
        return out
    each = np.arange(len(values))
    below = np.searchsorted(there, each, side="right") - 1
    above = np.minimum(below + 1, len(there) - 1)
    alike = (below >= 0) & (each < there[-1]) & (ancestors[below] == ancestors[above])
    return np.where((out < 0) & alike, ancestors[below], out)


def _of_hierarchy(
    data: Dataset,
    trees: tuple[str, ...],
    known: Register,
    mine: Coded,
    column: int,
    ancestors: classes.Codes,
    height: int,
) -> classes.Codes:
    """The same by the hierarchy of the values of both tables, −1 where that is not the one of the
    table, or gives a word that is not published."""
    values = known.values[column]
    both = replace(mine, words=tuple(values.tolist()))
    if mine.quasi.at is not None:
        both = replace(mine, words=(), quasi=replace(mine.quasi, at=values))
    try:
        told, wide = (
            word_at(hierarchy_of(data.hierarchies, each, trees), words_of(each), height)
            for each in (mine, both)
        )
    except hierarchy.HierarchyError:
        return np.full(len(values), -1)
    codes = dict(zip(told, ancestors.tolist(), strict=True))
    if tuple(wide[place] for place in known.place[column]) != told:
        return np.full(len(values), -1)
    return np.array([codes.get(word, -1) for word in wide])
