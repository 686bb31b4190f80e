"""Hierarchies of columns, and the search among their heights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from dpstudio.data.dataset import Dataset
from dpstudio.labs.whole_tables.anonymity.choices.algorithms import FullDomain
from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence, Promise
from dpstudio.labs.whole_tables.anonymity.choices.trees import typed
from dpstudio.labs.whole_tables.anonymity.hierarchies import hierarchy_of
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.presence_population import crowd_at_heights, kept_by
from dpstudio.labs.whole_tables.rows.columns import Coded, words_of
from dpstudio.labs.whole_tables.rows.table import SensitiveRows
from dpstudio.privacy.anonymity.hierarchy import HierarchyError
from dpstudio.privacy.anonymity.lattice import MOST_NODES, Column, Judged, Lattice, Node, search
from dpstudio.privacy.anonymity.models import Rule
from dpstudio.privacy.anonymity.presence import Heights
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

NODES_DRAWN = 400
NODES_JUDGED = 20_000


@dataclass(frozen=True)
class Walked:
    """Where the search stands: the node that is published, what it loses, the bound below which
    nothing can be, how many nodes were looked at, and whether it is `done`. `chosen`: the heights
    were named."""

    node: Node
    judged: Judged
    bound: float
    looked: int
    nodes: int
    done: bool
    chosen: bool

    @property
    def loss(self) -> float:
        """The loss of the node, from 0 to 1."""
        return self.judged.loss

    @property
    def gap(self) -> float:
        """How much less another node could lose at the most."""
        return max(0.0, self.loss - self.bound)


def columns_of(lab: Anonymity, data: Dataset, rows: SensitiveRows) -> tuple[Column, ...]:
    """The quasi-identifiers as the lattice takes them. Raises ParamError at “quasi” where one has
    no hierarchy."""
    return tuple(_column(data, column, lab.trees) for column in rows.columns)


def too_many(lab: Anonymity, data: Dataset, rows: SensitiveRows) -> int:
    """How many ways to generalise there are, where they are more than are searched; else 0. Raises
    ParamError as `columns_of` does."""
    if not isinstance(lab.algorithm, FullDomain):
        return 0
    nodes = prod(column.height + 1 for column in columns_of(lab, data, rows))
    return nodes if nodes > MOST_NODES else 0


def _column(data: Dataset, column: Coded, trees: tuple[str, ...]) -> Column:
    try:
        hierarchy, words = hierarchy_of(data.hierarchies, column, trees), words_of(column)
        heights = range(hierarchy.height + 1)
        return Column(
            column.quasi.codes,
            tuple(hierarchy.codes(words, height) for height in heights),
            tuple(column.quasi.weight * hierarchy.penalty(words, height) for height in heights),
        )
    except HierarchyError as error:
        field = "trees" if typed(trees, column.name) else "quasi"
        raise ParamError(field, error.sentence) from None


def lattice_of(
    lab: Anonymity,
    data: Dataset,
    rows: SensitiveRows,
    promise: Promise,
    second: Dataset | None = None,
) -> Lattice:
    """The nodes over a table, remembered; `second` is the table of the population."""
    # Of other frequent values at each node no hierarchy is at hand: it brings none farther apart.
    root = rows.root if rows.sensitive is rows.every else None
    rule = promise.rule(rows.overall, root)

    def make() -> Lattice:
        columns = columns_of(lab, data, rows)
        crowd = crowd_at_heights(lab, data, second, promise, rows, columns)
        return _lattice(columns, rows, rule, crowd)

    return data.remember(("anonymity lattice", lab.table, kept_by(promise, second)), make)


def _lattice(
    columns: tuple[Column, ...], rows: SensitiveRows, rule: Rule, crowd: Heights | None
) -> Lattice:
    codes, values = rows.every.quasi.codes, rows.every.values + 1
    most = None if rows.sensitive is rows.every else rows.sensitive.values
    return Lattice(columns, codes, values if most else rows.values, rule, crowd, most)


def fixed(lab: Anonymity, data: Dataset, rows: SensitiveRows) -> dict[int, int]:
    """The heights that are named, by the place of their column. Raises ParamError."""
    out = dict[int, int]()
    assert isinstance(lab.algorithm, FullDomain)
    for each in lab.algorithm.heights:
        name, _, height = each.rpartition("=")
        if name not in lab.quasi or not height.isdigit():
            text = N_("“{each}” is no quasi-identifier and its height, such as age=2.")
            raise ParamError("algorithm.heights", say(text, each=each))
        place = lab.quasi.index(name)
        top = hierarchy_of(data.hierarchies, rows.columns[place], lab.trees).height
        if int(height) > top:
            text = N_("The hierarchy of “{column}” ends at height {top}.")
            raise ParamError("algorithm.heights", say(text, column=name, top=top))
        out[place] = int(height)
    return out


def empty(
    lab: Anonymity, data: Dataset, rows: SensitiveRows, second: Dataset | None = None
) -> bool:
    """Whether the heights that are named, all others at their top, leave no class of what is
    promised, or people whom none fits that break it."""
    named = fixed(lab, data, rows)
    if len(named) < len(lab.quasi) and not isinstance(lab.promise, Presence):
        return False
    lattice = lattice_of(lab, data, rows, lab.promise, second)
    judged = lattice.judge(tuple(named.get(i, top) for i, top in enumerate(lattice.heights)))
    return not (judged.k and judged.rest)


def walk(
    lab: Anonymity,
    data: Dataset,
    rows: SensitiveRows,
    promise: Promise,
    check: Callable[[], None],
    second: Dataset | None = None,
) -> Iterator[Walked]:
    """The best node so far, better and better, the last one `done` and remembered; where all
    heights are named, that node."""
    asked = "anonymity walked", lab.table, kept_by(promise, second), lab.algorithm
    if not data.known(asked):
        for walked in _walk(lab, data, rows, promise, check, second):
            if not walked.done:
                yield walked
        data.remember(asked, lambda: walked)
    yield data.remember(asked, lambda: walked)


def _walk(
    lab: Anonymity,
    data: Dataset,
    rows: SensitiveRows,
    promise: Promise,
    check: Callable[[], None],
    second: Dataset | None,
) -> Iterator[Walked]:
    """As `walk`. Where no node leaves out few enough rows the top is given, which keeps every rule
    that `problems` lets through."""
    assert isinstance(lab.algorithm, FullDomain)
    lattice = lattice_of(lab, data, rows, promise, second)
    named = fixed(lab, data, rows)
    if len(named) == len(lab.quasi):
        node = tuple(named[place] for place in range(len(lab.quasi)))
        yield Walked(node, lattice.judge(node), 0.0, 1, lattice.many, True, True)
        return
    if named:
        columns = tuple(
            _held(column, named[place]) if place in named else column
            for place, column in enumerate(lattice.columns)
        )
        crowd = lattice.crowd and lattice.crowd.held(named)
        lattice = _lattice(columns, rows, lattice.rule, crowd)
    last = None
    for found in search(lattice, lab.algorithm.suppressed, NODES_JUDGED, check):
        if found.best is None:
            continue
        node = tuple(named.get(place, height) for place, height in enumerate(found.best.node))
        best = found.best
        last = Walked(node, best, found.bound, found.judged, found.nodes, False, bool(named))
        yield last
    if last is None:
        top = tuple(named.get(i, h) for i, h in enumerate(lattice.heights))
        last = Walked(top, lattice.judge(lattice.heights), 0.0, 0, lattice.many, False, bool(named))
    yield Walked(last.node, last.judged, last.bound, last.looked, last.nodes, True, last.chosen)


def _held(column: Column, height: int) -> Column:
    """A column that stands at one height alone."""
    return Column(column.codes, (column.ancestors[height],), (column.penalties[height],))


def drawn_nodes(
    lab: Anonymity,
    data: Dataset,
    rows: SensitiveRows,
    check: Callable[[], None],
    second: Dataset | None = None,
) -> tuple[Judged, ...]:
    """Every node with what it loses and who stays, where there are at most 400; else none."""
    lattice = lattice_of(lab, data, rows, lab.promise, second)
    if lattice.many > NODES_DRAWN:
        return ()

    def judge() -> tuple[Judged, ...]:
        out = []
        for node in product(*(range(height + 1) for height in lattice.heights)):
            check()
            out.append(lattice.judge(node))
        return tuple(out)

    return data.remember(("anonymity nodes", lab.table, kept_by(lab.promise, second)), judge)


def named_heights(lab: Anonymity, node: Node) -> tuple[str, ...]:
    """A node as the parameter names it."""
    return tuple(f"{name}={height}" for name, height in zip(lab.quasi, node, strict=True))
