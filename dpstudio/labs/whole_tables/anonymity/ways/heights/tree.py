"""The hierarchy of a column as it is drawn and as it is written."""

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.privacy.anonymity.column_hierarchies import intervals
from dpstudio.privacy.anonymity.columns import Coded
from dpstudio.privacy.anonymity.hierarchy import Hierarchy, of_intervals, of_prefixes
from dpstudio.privacy.anonymity.written import column_of, line_of, lines_of, typed

_NAMED = 10  # words that fit below a tree
_LEAVES = 400


@dataclass(frozen=True, eq=False)
class Drawn:
    """A tree: where its nodes stand and at which height, (nodes,), the curve from each to its
    parent, with gaps, where the nodes stand that are published, and at which height, and the names
    of nodes of one height by where they stand."""

    x: Array
    y: Array
    edges: tuple[Array, Array]
    published: Array
    height: int
    names: tuple[tuple[float, str], ...]
    named: int


def drawn_tree(tree: Hierarchy, height: int) -> Drawn | None:
    """A hierarchy of which this height is published; None with too many values to be drawn."""
    if len(tree.rows) > _LEAVES:
        return None
    paths = [row[::-1] for row in tree.rows]
    first: dict[tuple[str, ...], int] = {}
    for i, path in enumerate(paths):
        for deep in range(1, len(path) + 1):
            first.setdefault(path[:deep], i)
    below: dict[tuple[str, ...], list[int]] = {}
    for leaf, path in enumerate(sorted(paths, key=lambda path: _turns(path, first))):
        for deep in range(1, len(path) + 1):
            below.setdefault(path[:deep], []).append(leaf)
    x = {node: float(np.mean(leaves)) for node, leaves in below.items()}
    y = {node: float(tree.height + 1 - len(node)) for node in below}
    named = height
    while len(tree.words(named)) > _NAMED and named < tree.height:
        named += 1
    ends = [(node, node[:-1]) for node in below if len(node) > 1]
    edges = tuple(
        array([part for low, high in ends for part in (at[low], at[high], np.nan)]) for at in (x, y)
    )
    published = array([x[node] for node in below if y[node] == height])
    names = tuple((x[node], node[-1]) for node in below if y[node] == named)
    at = array(list(x.values())), array(list(y.values()))
    return Drawn(*at, (edges[0], edges[1]), published, height, names, named)


def _turns(path: tuple[str, ...], first: dict[tuple[str, ...], int]) -> tuple[int, ...]:
    """Where the nodes of a path first come up, from the top."""
    return tuple(first[path[:deep]] for deep in range(1, len(path) + 1))


def written(task: Task, column: Coded) -> str:
    """The hierarchy of a column as text to be changed, beside those of other columns that are
    written already."""
    others = (line for line in task.trees if column_of(line) != column.name)
    return " | ".join((*others, *_lines(task, column)))


def _lines(task: Task, column: Coded) -> tuple[str, ...]:
    if mine := typed(task.trees, column.name):
        return tuple(line_of(column.name, line) for line in mine)
    tree = task.hierarchy(column)
    if column.quasi.at is not None and not column.date:
        widths, at = intervals(column), column.quasi.at.tolist()
        if widths and of_intervals(at, widths, whole=column.whole) == tree:
            told = ", ".join(f"{width:.12g}" for width in widths)
            return (line_of(column.name, told),)
    words = tree.values[: column.values]
    if tree.height > 1 and tree == of_prefixes(words).with_values(tree.values):
        return (line_of(column.name, f"prefixes {tree.height}"),)
    return lines_of(column.name, tree.rows)
