"""The ways to generalise as a lattice: every column at every height, and whom of a population they
fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.anonymity.column_hierarchies import word_at
from dpstudio.privacy.anonymity.columns import Coded, words_of
from dpstudio.privacy.anonymity.hierarchy import HierarchyError
from dpstudio.privacy.anonymity.lattice import Column, Judged, Lattice
from dpstudio.privacy.anonymity.presence import Bounds, Heights
from dpstudio.privacy.anonymity.written import typed
from dpstudio.values.parameters import ParamError

NODES_DRAWN = 400


def judged_at(lattice: Lattice, named: Mapping[int, int]) -> Judged:
    """What the table is at these heights, all others at their top."""
    return lattice.judge(tuple(named.get(i, top) for i, top in enumerate(lattice.heights)))


def held(column: Column, height: int) -> Column:
    """A column that stands at one height alone."""
    return Column(column.codes, (column.ancestors[height],), (column.penalties[height],))


def columns_of(task: Task) -> tuple[Column, ...]:
    """The quasi-identifiers as the lattice takes them. Raises ParamError at “quasi” where one has
    no hierarchy."""
    return tuple(_column(task, column) for column in task.rows.columns)


def _column(task: Task, column: Coded) -> Column:
    try:
        hierarchy, words = task.hierarchy(column), words_of(column)
        heights = range(hierarchy.height + 1)
        return Column(
            column.quasi.codes,
            tuple(hierarchy.codes(words, height) for height in heights),
            tuple(column.quasi.weight * hierarchy.penalty(words, height) for height in heights),
        )
    except HierarchyError as error:
        field = "trees" if typed(task.trees, column.name) else "quasi"
        raise ParamError(field, error.sentence) from None


def everybody(
    task: Task, columns: tuple[Column, ...], heights: Sequence[Sequence[int]], bounds: Bounds
) -> Heights:
    """Everybody among hierarchies, each column at these heights."""
    words = tuple(
        tuple(words_above(task, place, column.ancestors, height) for height in at)
        for place, (column, at) in enumerate(zip(columns, heights, strict=True))
    )
    return Heights(task.register.people, words, bounds)


def lattice_of(task: Task) -> Lattice:
    """The nodes over a table, remembered."""

    def make() -> Lattice:
        columns, crowd = columns_of(task), None
        if isinstance(task.promise, Presence):
            heights = [range(column.height + 1) for column in columns]
            crowd = everybody(task, columns, heights, task.promise.bounds)
        return over(task, columns, crowd)

    return task.data.remember(("anonymity lattice", task.key), make)


def over(task: Task, columns: tuple[Column, ...], crowd: Heights | None) -> Lattice:
    """The nodes over these columns of a table."""
    rows, promise = task.rows, task.promise
    if rows.sensitive is rows.every:
        return Lattice(columns, rows.sensitive.quasi.codes, rows.values, task.rule, crowd)
    # Of other frequent values at each node no hierarchy is at hand: it brings none farther apart.
    rule, codes = promise.rule(rows.overall, None), rows.every.quasi.codes
    return Lattice(columns, codes, rows.every.values + 1, rule, crowd, rows.sensitive.values)


def drawn_nodes(task: Task) -> tuple[Judged, ...]:
    """Every node with what it loses and who stays, where there are at most 400; else none."""
    lattice = lattice_of(task)
    if lattice.many > NODES_DRAWN:
        return ()

    def judge() -> tuple[Judged, ...]:
        out = []
        for node in product(*(range(height + 1) for height in lattice.heights)):
            task.check()
            out.append(lattice.judge(node))
        return tuple(out)

    return task.data.remember(("anonymity nodes", task.key), judge)


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
