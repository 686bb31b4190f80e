"""People of a population among hierarchies: the word of each of their values at a height."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.anonymity.column_hierarchies import word_at
from dpstudio.privacy.anonymity.columns import words_of
from dpstudio.privacy.anonymity.hierarchy import HierarchyError


def words_above(task: Task, place: int, above: Sequence[Codes], height: int) -> Codes:
    """The ancestor at a height of each value of the column at this `place` in both tables,
    (values,), in the codes of `above`, the ancestors of those of the first table at each height. A
    value that it lacks has that of the hierarchy of them all, or of the numbers on both sides,
    where these agree; a top that is above values stands for all; else −1: it is taken to fit no
    class, which makes the risk no smaller."""
    known, ancestors = task.register, above[height]
    there, many = known.place[place], len(known.values[place])
    out = np.full(many, ancestors[0] if 0 < height == len(above) - 1 else -1)
    out[there] = ancestors
    if out.min() >= 0:
        return out
    out = np.where(out < 0, _of_hierarchy(task, place, ancestors, height), out)
    if task.rows.columns[place].quasi.at is None:
        return out
    each = np.arange(many)
    low = np.searchsorted(there, each, side="right") - 1
    high = np.minimum(low + 1, len(there) - 1)
    alike = (low >= 0) & (each < there[-1]) & (ancestors[low] == ancestors[high])
    return np.where((out < 0) & alike, ancestors[low], out)


def _of_hierarchy(task: Task, place: int, ancestors: Codes, height: int) -> Codes:
    """The same by the hierarchy of the values of both tables, −1 where that is not the one of the
    table, or gives a word that is not published."""
    mine, values = task.rows.columns[place], task.register.values[place]
    both = replace(mine, words=tuple(values.tolist()))
    if mine.quasi.at is not None:
        both = replace(mine, words=(), quasi=replace(mine.quasi, at=values))
    try:
        told, wide = (
            word_at(task.hierarchy(each), words_of(each), height) for each in (mine, both)
        )
    except HierarchyError:
        return np.full(len(values), -1)
    codes = dict(zip(told, ancestors.tolist(), strict=True))
    if tuple(wide[each] for each in task.register.place[place]) != told:
        return np.full(len(values), -1)
    return np.array([codes.get(word, -1) for word in wide])
