"""Classes as boxes that are halved."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.labs.whole_tables.anonymity.ways.way import Partition, Way
from dpstudio.privacy.anonymity.classes import Classes, Codes, Kinds, Mask, kinds_of
from dpstudio.privacy.anonymity.columns import Coded, words_of
from dpstudio.privacy.anonymity.loss import certainty_penalty
from dpstudio.privacy.anonymity.mondrian import RELAXED, STRICT, TIES, joined, mondrian
from dpstudio.privacy.anonymity.population import matches
from dpstudio.privacy.anonymity.presence import Bounds, Crowd
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_

_ROUGH = 3  # levels of halving that a first picture waits for
_SLOW = 200_000  # cells from which on there is one


class Mondrian(Way):
    """Boxes, halved again and again."""

    key = "mondrian"
    label = N_("Mondrian: boxes halved")
    source = "LeFevre, DeWitt & Ramakrishnan 2006"
    boxes = True

    way: str = choice(
        STRICT,
        N_("Cut"),
        N_(
            "Below the median, as printed; on either side of it; or through it, rows of one "
            "value in two boxes."
        ),
        options={
            STRICT: N_("below the median"),
            TIES: N_("on either side"),
            RELAXED: N_("through it"),
        },
    )

    @property
    def overlaps(self) -> bool:
        """As `Way` says."""
        return self.way == RELAXED

    def steps(self, task: Task) -> Iterator[Partition]:
        """As `Way` says: rough ones where it takes long."""
        rows = task.rows
        slow = len(rows.kept) * len(rows.columns) > _SLOW
        for level, classes in enumerate(self._levels(task)):
            if slow and level == _ROUGH:
                yield Partition(classes, certainty_penalty(rows.quasi, classes), done=False)
        yield Partition(classes, certainty_penalty(rows.quasi, classes))

    def _levels(self, task: Task) -> Iterator[Classes]:
        """The classes level by level. Rows that are alike are counted once where they are cut
        alike, and nobody else is counted."""
        rows, promise, rule = task.rows, task.promise, task.rule
        secret, crowd = rows.sensitive.quasi.codes, None
        if isinstance(promise, Presence):
            crowd = _crowd(task, promise.bounds)
        if crowd is not None or self.overlaps:
            for made in mondrian(
                rows.quasi, secret, rows.values, rule, self.way, task.check, crowd
            ):
                yield joined(rows.quasi, made) if self.overlaps else made
            return

        def make() -> Kinds:
            return kinds_of(np.stack([*(each.codes for each in rows.quasi), secret], axis=1))

        kinds = task.data.remember(("anonymity kinds", task.lab.table), make)
        quasi = [replace(each, codes=kinds.codes[:, i]) for i, each in enumerate(rows.quasi)]
        secret, check = kinds.codes[:, -1], task.check
        for made in mondrian(quasi, secret, rows.values, rule, self.way, check, rows=kinds.rows):
            yield Classes(made.of[kinds.of], made.many)

    def fit_one(self, task: Task) -> int:
        """As `Way` says: boxes end at their outermost rows."""
        return int(np.count_nonzero(_crowd(task, Bounds(0, 1)).first() >= 0))

    def fits(self, task: Task, partition: Partition) -> Codes:
        """As `Way` says."""
        return matches(partition.classes, _allowed(task, partition.classes), task.register.people)

    def shown(self, task: Task, partition: Partition, place: int, rows: Codes) -> list[str]:
        """As `Way` says: what a class holds."""
        numbers, which = np.unique(partition.classes.of[rows], return_inverse=True)
        told = _of_classes(task.rows.columns[place], partition.classes, numbers)
        return [told[each] for each in which.tolist()]


def _of_classes(column: Coded, classes: Classes, numbers: Codes) -> list[str]:
    """What is published of a column in the classes with these numbers, in ascending order: the ends
    of its numbers, or all of its words."""
    there = np.isin(classes.of, numbers)
    of, codes = np.searchsorted(numbers, classes.of[there]), column.quasi.codes[there]
    if column.quasi.at is None:
        pairs = np.unique(np.stack([of, codes], axis=1), axis=0)
        cuts = np.searchsorted(pairs[:, 0], np.arange(1, len(numbers)))
        parts = np.split(pairs[:, 1], cuts)
        return ["|".join(column.words[code] for code in each) for each in parts]
    low, high = np.full(len(numbers), len(column.quasi.at)), np.full(len(numbers), -1)
    np.minimum.at(low, of, codes)
    np.maximum.at(high, of, codes)
    words = words_of(column)
    return [
        words[a] if a == b else f"{words[a]}..{words[b]}"
        for a, b in zip(low.tolist(), high.tolist(), strict=True)
    ]


def _crowd(task: Task, bounds: Bounds) -> Crowd:
    """Everybody beside the boxes."""
    ordered = tuple(each.at is not None for each in task.rows.quasi)
    return Crowd(task.register.here, task.register.people, ordered, bounds)


def _allowed(task: Task, classes: Classes) -> list[list[Mask]]:
    """For each class and column, which codes its published value stands for: numbers between its
    ends, or its words."""
    there = classes.of >= 0
    out: list[list[Mask]] = [[] for _ in range(classes.many)]
    for codes, values, column in zip(
        task.register.here[there].T, task.register.values, task.rows.quasi, strict=True
    ):
        held = np.zeros((classes.many, len(values)), dtype=np.bool_)
        held[classes.of[there], codes] = True
        if column.at is not None:
            from_low = np.logical_or.accumulate(held, axis=1)
            held = from_low & np.logical_or.accumulate(held[:, ::-1], axis=1)[:, ::-1]
        for each, mask in zip(out, held, strict=True):
            each.append(mask)
    return out
