"""What a way is: how a table is made under a promise. A way is one file beside this one and one
name in `WAYS`; it gives arrays alone, which the lab draws and says."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.cells import Axis
from dpstudio.data.memory import Memory, Sized
from dpstudio.privacy.mechanisms.concentrated import concentrated_rho
from dpstudio.privacy.queries import REPLACE
from dpstudio.privacy.synthetic import clusters, marginals, tree
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import Parameters

T = TypeVar("T")
_ROOM = 64_000_000


@dataclass(frozen=True)
class SynthesisFacts:
    """What is public: the `axes`, which tables are neighbours, how many rows one person has at
    most, and ε. `rows` that are written are public, or None where the noisy counts tell; `people`
    are those of the table, where neighbours have as many."""

    axes: tuple[Axis, ...]
    adjacency: str
    most: int
    epsilon: float
    rows: int | None
    people: int | None

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cells each column has."""
        return tuple(axis.size for axis in self.axes)

    @property
    def replace(self) -> bool:
        """Whether a neighbour has another person in the place of one."""
        return self.adjacency == REPLACE

    @property
    def steps(self) -> int:
        """How many rows come or go, one after the other, from a table to its neighbour."""
        return self.most * (2 if self.replace else 1)


@dataclass(frozen=True, eq=False)
class Task(Sized):
    """What is made into another table: `codes` (n, columns) over the axes that are known. What was
    worked out of them is kept with them. `alive` is called within long work, and raises where
    nobody waits for it any more; `told` hears how much of a table is made, from 0 to 1."""

    codes: marginals.Codes
    kept: Memory = field(default_factory=lambda: Memory(_ROOM))
    alive: Callable[[], None] = clusters.unasked
    told: tree.ProgressCallback = tree.quiet

    def remember(self, question: Hashable, answer: Callable[[], T]) -> T:
        """The answer to a question about these rows, worked out once."""
        return self.kept.remember(question, answer)

    def counted(
        self, codes: marginals.Codes, sizes: Sequence[int], columns: Sequence[int]
    ) -> Array:
        """The counts of the cells of some columns of its rows, which are `codes`; remembered."""
        asked = "counted", tuple(columns)
        return self.remember(asked, lambda: array(marginals.counted(codes, sizes, columns)))


@dataclass(frozen=True)
class Claim:
    """What is promised of the whole table: (ε, δ), by which theorem. `rho` is what it is in zCDP,
    where it is worked out so. `cost` is the ε that it costs in truth: larger where it is as
    printed, infinite where nothing is known to hold."""

    epsilon: float
    delta: float
    theorem: Message
    cost: float
    rho: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the promise is kept."""
        return self.cost <= self.epsilon * (1 + 1e-9)


@dataclass(frozen=True, eq=False)
class SyntheticTable(Sized):
    """A table that was made: `codes` (rows, columns). `noisy` are for each column the counts of its
    cells as they were measured, before anything was mended, or None where it was not counted."""

    codes: marginals.Codes
    noisy: tuple[Array | None, ...]


class Way(Parameters):
    """Base of every way. `ink` is that of its curves; `source` names the theorem. One that needs a
    δ has it as the parameter `delta`. `only_one`: of all columns it makes the one looked at.
    `rounds`: how many steps it takes on the
    screen. `leaves`: there is an exact sampler for all that it draws of a table. `quick`: it is
    made at many ε for a curve."""

    editor = "strokes"
    ink: ClassVar[str]
    only_one: ClassVar[bool] = False
    rounds: ClassVar[int] = 1
    stays: ClassVar[str] = ""
    quick: ClassVar[bool] = True

    def refusal(self, known: SynthesisFacts) -> Message | None:
        """Why there is no table for what is known, and what to choose instead."""
        return None

    def claim(self, known: SynthesisFacts) -> Claim:
        """What is promised."""
        raise NotImplementedError

    def steps(
        self,
        task: Task,
        known: SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
        rounds: int,
    ) -> Iterator[SyntheticTable]:
        """Tables, each better than the one before; `chance` is what is paid for, `rng` draws the
        rest."""
        raise NotImplementedError

    def variants(self) -> tuple[tuple[int, Way], ...]:
        """The same way with other numbers, each beside its number, to be set side by side."""
        return ()

    def deviations(self, known: SynthesisFacts, *, drawn: bool = False) -> tuple[float, ...]:
        """For each column the standard deviation of the noise on the count of a cell, of what is
        `drawn` exactly that of its law on the integers; NaN where it is not counted."""
        return (math.nan,) * len(known.axes)


def concentrated(known: SynthesisFacts, delta: float, theorem: Message) -> Claim:
    """The promise of what is measured with ρ in all."""
    rho = concentrated_rho(known.epsilon, delta)
    return Claim(known.epsilon, delta, theorem, known.epsilon, rho)


def rows_of(known: SynthesisFacts, total: float) -> int:
    """How many rows are written: the public number, or what the noisy counts tell."""
    return known.rows if known.rows is not None else max(1, round(total))


TOO_MANY = N_(
    "All cells of these columns together are more than {most}. Choose fewer columns, fewer bins, "
    "or another way."
)


def too_many(most: int) -> Message:
    """That there are too many cells."""
    return say(TOO_MANY, most=Num(most))
