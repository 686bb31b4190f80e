"""Full-domain generalisation: every quasi-identifier at one height of its hierarchy, classes that
break the rule suppressed (Samarati 2001). The best node of the lattice of heights, exactly or with
the gap that is left."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.anonymity.classes import Classes, Codes, Mask, dense, frequent, kinds_of
from dpstudio.privacy.anonymity.models import Rule, among, upward_part
from dpstudio.privacy.anonymity.presence import Heights

Node = tuple[int, ...]
MOST_NODES = 300_000


@dataclass(frozen=True, eq=False)
class Column:
    """A quasi-identifier: `codes` (n,), and for each height from 0 on the code of each value's
    ancestor, (values,), and what generalising it there costs, (values,) from 0 to 1."""

    codes: Codes
    ancestors: tuple[Codes, ...]
    penalties: tuple[Array, ...]

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.ancestors) - 1


@dataclass(frozen=True)
class Judged:
    """A node: how many rows its classes that break the rule hold, how many of them break a part of
    it that every node below breaks as well, how many classes are left, the rows of the smallest of
    them, and its loss: the mean penalty of all cells, a suppressed row counting 1 in each, from 0
    to 1. `rest`: whether those of a population whom no class fits keep its bounds, the suppressed
    rows being theirs."""

    node: Node
    suppressed: int
    lost_below: int
    classes: int
    k: int
    loss: float
    rest: bool = True


@dataclass(frozen=True)
class BestSoFar:
    """The best node so far, none before one is found; `bound`: no node can have a smaller loss, so
    that it is the best where `bound` ≥ its loss; `judged` nodes were looked at, of `nodes`."""

    best: Judged | None
    bound: float
    judged: int
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether nothing better exists."""
        return self.best is not None and self.bound >= self.best.loss - 1e-12


class Lattice:
    """The nodes over a table's `columns`. Rows that are alike in all of them are counted once. A
    class keeps the rule, and the bounds of the `crowd`, where there is one. `sensitive` (n,) are
    codes below `values`, the one for what is missing among them. Where `most` is given only so
    many of them count, and others are as missing as the last one: those most frequent in what is
    published, which no row that is left out decides."""

    def __init__(
        self,
        columns: Sequence[Column],
        sensitive: Codes,
        values: int,
        rule: Rule,
        crowd: Heights | None = None,
        most: int | None = None,
    ):
        self.columns, self.rule, self.rows = tuple(columns), rule, len(sensitive)
        self.crowd, self._values, self._most = crowd, values, most
        self._core = upward_part(rule)
        codes = np.stack([column.codes for column in columns], axis=1)
        alike = kinds_of(codes)
        self._of, kinds = alike.of, alike.codes
        self._sizes = alike.rows
        # Only the sensitive values that a kind of row has.
        pairs, many = np.unique(alike.of * values + sensitive, return_counts=True)
        self._kind, self._value = np.divmod(pairs, values)
        self._many = many.astype(np.float64)
        self._mapped = [
            [ancestor[kinds[:, i]] for ancestor in column.ancestors]
            for i, column in enumerate(columns)
        ]
        # What all rows of a kind lose. Sums of these, and no products of matrices, whose threads
        # wait for one another on a busy machine.
        self._cost = [
            [penalty[kinds[:, i]] * self._sizes for penalty in column.penalties]
            for i, column in enumerate(columns)
        ]

    @cached_property
    def heights(self) -> Node:
        """The highest level of each column."""
        return tuple(column.height for column in self.columns)

    @property
    def prunes(self) -> bool:
        """Whether some part of the rule, once broken, is broken at all nodes below."""
        return self._core is not None

    @property
    def joins(self) -> bool:
        """Whether a node keeps rule and bounds above one that does so, where none is suppressed."""
        return self.rule.monotone and (self.crowd is None or self.crowd.nested)

    @property
    def many(self) -> int:
        """How many nodes there are."""
        return int(np.prod([height + 1.0 for height in self.heights]))

    def at_least(self, node: Node) -> float:
        """What a node loses by generalising alone: no less can be lost there, nor at any node above
        it."""
        costs = (self._cost[i][height].sum() for i, height in enumerate(node))
        return float(sum(costs)) / max(self.rows * len(node), 1)

    def judge(self, node: Node) -> Judged:
        """What the table is at this node."""
        label, counts = self._classes(node)
        kept, rest = self._kept(node, label, counts)
        sizes = counts.sum(1)
        stay = kept[label]
        gone = int(sizes[~kept].sum())
        costs = (self._cost[i][h].sum(where=stay) for i, h in enumerate(node))
        total = float(sum(costs)) + gone * len(node)
        left = sizes[kept]
        return Judged(
            node,
            gone,
            gone
            if self._core is self.rule and self.crowd is None and self._most is None
            else self._breaking(counts, sizes),
            len(left),
            int(left.min()) if len(left) else 0,
            total / max(self.rows * len(node), 1),
            rest,
        )

    def _kept(self, node: Node, label: Codes, counts: Codes) -> tuple[Mask, bool]:
        """Which classes keep rule and bounds, and whether the rest of the crowd does. What is left
        out is not there to be compared with: classes go until all keep the rule among themselves.
        """
        kept, sizes, held = self.rule.kept(counts), counts.sum(1), counts
        if self.crowd is not None:
            published = [self._mapped[i][height] for i, height in enumerate(node)]
            fit = self.crowd.fits(node, published, label, len(counts))
            kept &= self.crowd.bounds.kept(sizes, fit)
        while True:
            if self._most is not None:
                held = self._counts(label, len(kept), kept)
            rule = among(self.rule, held[kept])
            stay = kept if rule is self.rule and held is counts else kept & rule.kept(held)
            if np.array_equal(stay, kept):
                break
            kept = stay
        if self.crowd is None:
            return kept, True
        gone, people = sizes[~kept].sum(), len(self.crowd.people) - fit[kept].sum()
        return kept, bool(self.crowd.bounds.kept(np.array([gone]), np.array([people])).all())

    def _breaking(self, counts: Codes, sizes: Codes) -> int:
        return int(sizes[~self._core.kept(counts)].sum()) if self._core else 0

    def classes(self, node: Node) -> Classes:
        """The class of each row at this node, −1 where it is suppressed."""
        label, counts = self._classes(node)
        kept, _ = self._kept(node, label, counts)
        name = np.where(kept, np.cumsum(kept) - 1, -1)
        return Classes(name[label][self._of], int(np.count_nonzero(kept)))

    def _classes(self, node: Node) -> tuple[Codes, Codes]:
        """The class of each kind of row, and the counts of each class, shape (classes, values)."""
        label, many = np.zeros(len(self._sizes), dtype=np.int64), 1
        for i, height in enumerate(node):
            mapped = self._mapped[i][height]
            size = int(mapped.max(initial=0)) + 1
            if many * size > 1 << 31:
                label, many = dense(label)
            label, many = label * size + mapped, many * size
        label, many = dense(label)
        return label, self._counts(label, many, np.ones(many, dtype=np.bool_))

    def _counts(self, label: Codes, many: int, kept: Mask) -> Codes:
        """The counts of each class where those `kept` are published, shape (classes, values)."""
        value, values = self._value, self._values
        if self._most is not None:
            there = self._many * kept[label[self._kind]]
            rows = np.bincount(value, weights=there, minlength=values)[:-1]
            name = np.full(values, self._most)
            chosen = frequent(rows.astype(np.int64), self._most)
            name[chosen] = np.arange(len(chosen))
            value, values = name[value], self._most + 1
        place = label[self._kind] * values + value
        counts = np.bincount(place, weights=self._many, minlength=many * values)
        return counts.astype(np.int64).reshape(many, -1)


def search(
    lattice: Lattice, limit: float, most: int = 100_000, check: Callable[[], None] = lambda: None
) -> Iterator[BestSoFar]:
    """The node of least loss that suppresses at most the share `limit` of the rows, and not all of
    them, better and better; the last `BestSoFar` is exact unless `most` nodes were judged before.

    Nodes are taken by what they lose at the least, so that all that is left is worse once that
    exceeds the best (branch and bound: right for every rule). Where a class that keeps a part of
    the rule keeps it in any company (k-anonymity, distinct l), or where nothing may be suppressed
    and the rule is monotone, a node that fails it rules out all below it, and chains upwards are
    halved to find such nodes early (as Flash does: Kohlmayer, Prasser, Eckert, Kemper & Kuhn 2012).
    ValueError for more than MOST_NODES nodes.
    """
    if lattice.many > MOST_NODES:
        raise ValueError(f"more than {MOST_NODES:,} nodes")
    nodes = np.array(list(product(*(range(h + 1) for h in lattice.heights))), dtype=np.int64)
    bounds = np.array([0.0] * len(nodes))
    for i, column in enumerate(lattice.columns):
        unit = [0] * len(lattice.columns)
        alone = []
        for height in range(column.height + 1):
            unit[i] = height
            alone.append(lattice.at_least(tuple(unit)))
        bounds += np.array(alone)[nodes[:, i]]
    # What all columns lose at height 0, mostly nothing, was counted once for each column.
    bounds -= (len(lattice.columns) - 1) * lattice.at_least((0,) * len(lattice.columns))
    yield from _Search(lattice, limit, nodes, bounds, most, check).run()


class _Search:
    """One run of the search: what is open, and the best so far."""

    def __init__(
        self,
        lattice: Lattice,
        limit: float,
        nodes: NDArray[np.int64],
        bounds: Array,
        most: int,
        check: Callable[[], None],
    ):
        self.lattice, self.nodes, self.bounds = lattice, nodes, bounds
        self.allowed = int(np.floor(limit * lattice.rows + 1e-9))
        # Where nothing may be suppressed, a node that fails what joins fails at all below it.
        self.whole = limit == 0 and lattice.joins
        self.most, self.check = most, check
        self.open = np.ones(len(nodes), dtype=np.bool_)
        self.order = np.argsort(bounds, kind="stable")
        self.place = {tuple(node): i for i, node in enumerate(nodes.tolist())}
        self.best: Judged | None = None
        self.judged = 0

    def run(self) -> Iterator[BestSoFar]:
        before: Judged | None = None
        for index in self.order:
            if not self.open[index]:
                continue
            if self.best is not None and self.bounds[index] >= self.best.loss - 1e-12:
                break
            if self.judged >= self.most:
                break
            if self.whole or self.lattice.prunes:
                self._halve(tuple(self.nodes[index].tolist()))
            if self.open[index]:
                self._look(int(index))
            if self.best is not before:
                before = self.best
                yield self._found()
        yield self._found()

    def _found(self) -> BestSoFar:
        left = self.bounds[self.open]
        bound = float(left.min()) if len(left) else np.inf
        if self.best is not None:
            bound = min(bound, self.best.loss)
        return BestSoFar(self.best, bound, self.judged, len(self.nodes))

    def _look(self, index: int) -> bool:
        """Judge a node, and keep it where it is the best; whether it is allowed."""
        self.check()
        node: Node = tuple(self.nodes[index].tolist())
        judged = self.lattice.judge(node)
        self.judged += 1
        self.open[index] = False
        # One that leaves nobody loses no more than the top, which may keep all.
        fits = judged.rest and judged.classes > 0 and judged.suppressed <= self.allowed
        if fits and (self.best is None or judged.loss < self.best.loss):
            self.best = judged
        hopeless = judged.suppressed if self.whole else judged.lost_below
        if hopeless > self.allowed:
            self.open &= ~(self.nodes <= self.nodes[index]).all(1)
        return fits

    def _halve(self, node: Node) -> None:
        """Go up from a node step by step, always to the cheapest neighbour above, and look for the
        place on this chain from which on nodes are allowed."""
        chain = [self.place[node]]
        while True:
            now = self.nodes[chain[-1]]
            above = [
                self.place[tuple((now + step).tolist())]
                for step in np.eye(len(now), dtype=np.int64)
                if np.all(now + step <= self.lattice.heights)
            ]
            if not above:
                break
            chain.append(min(above, key=lambda i: float(self.bounds[i])))
        low, high = 0, len(chain) - 1
        while low < high:
            middle = (low + high) // 2
            if not self.open[chain[middle]]:
                # Judged before, or below one that failed: which of them is not kept, and the chain
                # goes on above it.
                low = middle + 1
                continue
            if self._look(chain[middle]):
                high = middle
            else:
                low = middle + 1
