"""What a question measures, and how far one person can move it."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.values.messages import Message

Shift = tuple[tuple[int, float], ...]
EVERYWHERE, COUNTED = (-math.inf, math.inf), (0.0, math.inf)


@dataclass(frozen=True)
class Move:
    """One of the largest changes that one person can make: `what` says in words how, `shifts` gives
    for each measurement the coordinates that change and by how much. `reached` is False for a bound
    that no single person need reach. `row` is the value of the row in the column asked for, before
    and after; None where it is not there, or the question has no such column."""

    what: Message
    shifts: tuple[Shift, ...]
    reached: bool = True
    row: tuple[float | None, float | None] = (None, None)

    def sizes(self, place: int) -> tuple[float, ...]:
        """How far measurement `place` moves, coordinate by coordinate, largest first."""
        return tuple(sorted((abs(by) for _, by in self.shifts[place] if by), reverse=True))


@dataclass(frozen=True, eq=False)
class Measurement:
    """A vector query and its sensitivity; `whole` says that its answers are integers. `part` is its
    share of the budget: of ε and δ, or of μ² where noise is one Gaussian (release.sharing). `slip`
    bounds, in parts of Δ∞, by how much more than Δ doubles let two neighbours differ whose sums are
    exact. `exact` are the values where doubles do not hold them finely enough beside Δ; it is never
    kept of an answer that left. `about` is what it is called in a sentence where its name says too
    little."""

    name: str
    values: Array
    sensitivity: Sensitivity
    whole: bool
    part: float = 1.0
    slip: float = 2**-21  # a sum rounded to a double, of fewer than 2^31 rows
    exact: tuple[Fraction, ...] | None = None
    about: str = ""


class Formula(Protocol):
    """A pure function of noisy measurements, each of shape (answers, coordinates); `limits` are the
    ends between which each coordinate of what it makes lies, whatever the noise."""

    def __call__(self, noisy: list[Array]) -> Array: ...

    @property
    def limits(self) -> tuple[Array, Array]:
        """(least, largest) value that each part of the answer can have."""
        ...


@dataclass(frozen=True, eq=False)
class MeasuredQuestion:
    """The exact answer (vector `truth`), what is measured to publish it, and how to name it.

    `ratio` is (low, high) where each coordinate of the answer is that of the first measurement over
    that of the second, times `step`, clamped to these bounds; `offset` is added to a ratio.
    `formula` is any other pure function of the noisy measurements. `extent` is between which each
    coordinate of an exact answer lies that is neither, whatever the table. `edges` are those of a
    histogram over numbers, `table` the (row words, column words) of a two-way table, whose
    coordinates run row by row. `openness` says which choices come from the data; `notes` also says
    what holds exact counts. `moves` are the largest moves that one person can make. `unit` says
    what each coordinate is, `across` what the coordinates of a vector are: an axis each.
    """

    truth: Array
    labels: tuple[str, ...]
    unit: Message
    measurements: tuple[Measurement, ...]
    ratio: tuple[float, float] | None = None
    offset: float = 0.0
    step: float = 1.0
    edges: tuple[float, ...] = ()
    notes: tuple[Message, ...] = ()
    openness: tuple[Message, ...] = ()
    moves: tuple[Move, ...] = ()
    formula: Formula | None = None
    table: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    across: Message = Message("")
    extent: tuple[float, float] = EVERYWHERE

    @property
    def vector(self) -> bool:
        """Whether the answer has parts with names."""
        return bool(self.labels)

    @property
    def limits(self) -> tuple[Array, Array]:
        """Between which each coordinate of the exact answer lies, whatever the table; shape
        (coordinates,) each."""
        if self.formula is not None:
            return self.formula.limits
        low, high = self.ratio or self.extent
        return array(np.full(len(self.truth), low)), array(np.full(len(self.truth), high))

    @property
    def linear(self) -> bool:
        """Whether the answer is one noisy measurement as it is, so that its error law does not
        depend on the data."""
        return self.ratio is None and self.formula is None
