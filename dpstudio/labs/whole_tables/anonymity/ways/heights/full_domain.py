"""Each column at one height of its hierarchy, rows of small classes left out: the search among
heights."""

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from dpstudio.charts.figure import Figure
from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence
from dpstudio.labs.whole_tables.anonymity.ways.heights import charts, words
from dpstudio.labs.whole_tables.anonymity.ways.heights.lattice import (
    columns_of,
    everybody,
    held,
    judged_at,
    lattice_of,
    over,
)
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.labs.whole_tables.anonymity.ways.way import Partition, Walked, Way
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.anonymity.column_hierarchies import from_rows, word_at
from dpstudio.privacy.anonymity.columns import Coded, words_of
from dpstudio.privacy.anonymity.lattice import MOST_NODES, Lattice, search
from dpstudio.privacy.anonymity.presence import Bounds
from dpstudio.values.fields import real
from dpstudio.values.lists import Words
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError, param

NODES_JUDGED = 20_000


class FullDomain(Way):
    """Each column at one height of its hierarchy, rows of small classes left out."""

    key = "full_domain"
    label = N_("Hierarchies: one height a column")
    source = "Samarati 2001; Kohlmayer, Prasser, Eckert, Kemper & Kuhn 2012"

    suppressed: float = real(
        0.05,
        N_("Rows left out"),
        N_("The share of rows that may be suppressed, so that others need less hiding."),
        low=0,
        high=1,
        percent=True,
    )
    heights: tuple[str, ...] = param(
        (),
        Words(
            N_("Heights"),
            N_("Column=height, separated by |; the others stand as the search finds best."),
            empty=N_("those of least loss"),
        ),
    )

    def fixed(self, task: Task) -> dict[int, int]:
        """The heights that are named, by the place of their column. Raises ParamError."""
        out, quasi = dict[int, int](), task.lab.quasi
        for each in self.heights:
            name, _, height = each.rpartition("=")
            if name not in quasi or not height.isdigit():
                text = N_("“{each}” is no quasi-identifier and its height, such as age=2.")
                raise ParamError("algorithm.heights", say(text, each=each))
            place = quasi.index(name)
            top = task.hierarchy(task.rows.columns[place]).height
            if int(height) > top:
                text = N_("The hierarchy of “{column}” ends at height {top}.")
                raise ParamError("algorithm.heights", say(text, column=name, top=top))
            out[place] = int(height)
        return out

    def check(self, task: Task) -> None:
        """As `Way` says."""
        self.fixed(task)

    def too_many(self, task: Task) -> int:
        """As `Way` says."""
        nodes = prod(column.height + 1 for column in columns_of(task))
        return nodes if nodes > MOST_NODES else 0

    def empty(self, task: Task) -> bool:
        """As `Way` says."""
        named = self.fixed(task)
        if len(named) < len(task.rows.columns) and not isinstance(task.promise, Presence):
            return False
        judged = judged_at(lattice_of(task), named)
        return not (judged.k and judged.rest)

    def fruitless(self, task: Task) -> bool:
        """As `Way` says: where heights are named, or the whole table keeps no promise."""
        walked = self.made(task).walked if self.heights or not task.keeps else None
        return walked is not None and not walked.judged.k

    def decided(self, task: Task) -> bool:
        """As `Way` says: all heights are named, and no hierarchy follows from the rows."""
        public, columns = task.data.hierarchies, task.rows.columns
        return len(self.heights) >= len(columns) and not any(
            from_rows(public, each.name, task.trees, date=each.date) for each in columns
        )

    def steps(self, task: Task) -> Iterator[Partition]:
        """As `Way` says."""
        lattice = lattice_of(task)
        for walked in self._walk(task, lattice):
            yield Partition(lattice.classes(walked.node), walked.judged.loss, walked.done, walked)

    def _walk(self, task: Task, lattice: Lattice) -> Iterator[Walked]:
        """The best node so far; where all heights are named, that node. Where no node leaves out
        few enough rows the top is given, which keeps every rule that problems let through."""
        named, some = self.fixed(task), lattice
        if len(named) == len(lattice.columns):
            judged = judged_at(lattice, named)
            yield Walked(judged.node, judged, 0.0, 1, lattice.many, True, True)
            return
        if named:
            columns = tuple(
                held(column, named[place]) if place in named else column
                for place, column in enumerate(lattice.columns)
            )
            some = over(task, columns, lattice.crowd and lattice.crowd.held(named))
        last = None
        for found in search(some, self.suppressed, NODES_JUDGED, task.check):
            if found.best is None:
                continue
            node = tuple(named.get(place, height) for place, height in enumerate(found.best.node))
            last = Walked(
                node, found.best, found.bound, found.judged, found.nodes, False, bool(named)
            )
            yield last
        if last is None:
            top = tuple(named.get(i, h) for i, h in enumerate(some.heights))
            last = Walked(top, some.judge(some.heights), 0.0, 0, some.many, False, bool(named))
        yield replace(last, done=True)

    def fit_one(self, task: Task) -> int:
        """As `Way` says: hierarchies end at one word for all."""
        return len(task.register.people)

    def fits(self, task: Task, partition: Partition) -> Codes:
        """As `Way` says."""
        assert partition.walked is not None
        columns, node, there = columns_of(task), partition.walked.node, partition.classes.of >= 0
        at = tuple(held(column, height) for column, height in zip(columns, node, strict=True))
        published = [each.ancestors[0][each.codes[there]] for each in at]
        people = everybody(task, columns, [[height] for height in node], Bounds(0, 1))
        label, many = partition.classes.of[there], partition.classes.many
        return people.fits((0,) * len(node), published, label, many)

    def shown(self, task: Task, partition: Partition, place: int, rows: Codes) -> list[str]:
        """As `Way` says: words of the hierarchy."""
        assert partition.walked is not None
        column = task.rows.columns[place]
        told = word_at(task.hierarchy(column), words_of(column), partition.walked.node[place])
        return [told[code] for code in column.quasi.codes[rows].tolist()]

    def subject(self, task: Task) -> Coded:
        """As `Way` says: the first that is generalised."""
        return task.rows.columns[0]

    def charts(self, task: Task, partition: Partition) -> Iterator[Figure]:
        """As `Way` says."""
        if partition.walked is not None and partition.done:
            yield from charts.lattice_charts(task, partition.walked, self.suppressed)

    def sentences(self, task: Task, partition: Partition) -> Iterator[Sentence]:
        """As `Way` says."""
        if partition.walked is not None:
            yield from words.height_sentences(task.lab.quasi, partition.walked)
