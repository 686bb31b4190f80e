"""What a way is: how rows are put into classes. A way is a file or a folder beside this one and one
name in `WAYS`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Figure
from dpstudio.data.memory import Sized
from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.privacy.anonymity.classes import Classes, Codes
from dpstudio.privacy.anonymity.columns import Coded
from dpstudio.privacy.anonymity.lattice import Judged, Node
from dpstudio.values.parameters import Parameters


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
    def gap(self) -> float:
        """How much less another node could lose at the most."""
        return max(0.0, self.judged.loss - self.bound)


@dataclass(frozen=True, eq=False)
class Partition(Sized):
    """Classes, and what they lose, from 0 to 1: better ones follow unless they are `done`. `walked`
    is where a search among heights stands."""

    classes: Classes
    loss: float
    done: bool = True
    walked: Walked | None = None


class Way(Parameters):
    """Base of every way. `boxes`: no row is left out, and counts of ranges can be asked."""

    boxes: ClassVar[bool] = False

    @property
    def overlaps(self) -> bool:
        """Whether classes may share a value, so that somebody may fit several."""
        return False

    def steps(self, task: Task) -> Iterator[Partition]:
        """Classes, better and better, the last ones `done`."""
        raise NotImplementedError

    def made(self, task: Task) -> Partition:
        """The last of them, remembered."""
        *_, last = self.remembered(task)
        return last

    def remembered(self, task: Task) -> Iterator[Partition]:
        """`steps`, of which the last is remembered; that one alone where it is."""
        asked = "anonymity classes", task.key, self
        for made in () if task.data.known(asked) else self.steps(task):
            if not made.done:
                yield made
        yield task.data.remember(asked, lambda: made)

    def fits(self, task: Task, partition: Partition) -> Codes:
        """How many people of the population each class fits, (classes,)."""
        raise NotImplementedError

    def fit_one(self, task: Task) -> int:
        """How many people of the population all rows as one class fit."""
        raise NotImplementedError

    def shown(self, task: Task, partition: Partition, place: int, rows: Codes) -> list[str]:
        """What is published of the quasi-identifier at a place, for each of these rows, none of
        which is left out."""
        raise NotImplementedError

    def subject(self, task: Task) -> Coded:
        """The column whose hierarchy is looked at."""
        return task.rows.sensitive

    def charts(self, task: Task, partition: Partition) -> Iterable[Figure]:
        """What is drawn of this way alone."""
        return ()

    def sentences(self, task: Task, partition: Partition) -> Iterable[Sentence]:
        """What is said of this way alone."""
        return ()

    def hides(self, task: Task) -> bool:
        """Whether the whole table as one class hides who of the population is in it as well as is
        promised: else no classes can."""
        promise = task.promise
        if not isinstance(promise, Presence):
            return True

        def make() -> bool:
            fit, rows = self.fit_one(task), np.array([len(task.rows.kept), 0])
            people = np.array([fit, len(task.register.people) - fit])
            return bool(promise.bounds.kept(rows, people).all())

        return task.data.remember(("anonymity hides", task.key, self.boxes), make)

    def check(self, task: Task) -> None:
        """Raises ParamError for parameters that do not fit the table."""

    def too_many(self, task: Task) -> int:
        """How many ways to generalise there are, where they are more than are searched; else 0.
        Raises ParamError where a column has no hierarchy."""
        return 0

    def empty(self, task: Task) -> bool:
        """Whether the heights that are named, all others at their top, leave no class of what is
        promised, or people whom none fits that break it."""
        return False

    def fruitless(self, task: Task) -> bool:
        """Whether the search leaves no class, where that is not plain before."""
        return False

    def decided(self, task: Task) -> bool:
        """Whether no row decides what classes there are."""
        return False
