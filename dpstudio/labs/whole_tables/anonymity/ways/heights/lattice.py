"""The ways to generalise as a lattice: every column at every height, and whom of a population they
fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence
from dpstudio.labs.whole_tables.anonymity.ways.heights.everybody import words_above
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
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
