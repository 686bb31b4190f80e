"""What a question measures, and how far one person can move it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.values.messages import Say

Shift = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Move:
    """One of the largest changes that one person can make: `what` says in words how, `shifts` gives
    for each measurement the coordinates that change and by how much. `reached` is False for a bound
    that no single person need reach."""

    what: Say
    shifts: tuple[Shift, ...]
    reached: bool = True

    def sizes(self, place: int) -> tuple[float, ...]:
        """How far measurement `place` moves, coordinate by coordinate, largest first."""
        return tuple(sorted((abs(by) for _, by in self.shifts[place] if by), reverse=True))


@dataclass(frozen=True, eq=False)
class Measurement:
    """A vector query and its sensitivity; `whole` says that its answers are integers. `part` is its
    share of the budget."""

    name: str
    values: Array
    sensitivity: Sensitivity
    whole: bool
    part: float = 1.0


@dataclass(frozen=True, eq=False)
class MeasuredQuestion:
    """The exact answer (vector `truth`), what is measured to publish it, and how to name it.

    `ratio` is (low, high) where each coordinate of the answer is that of the first measurement over
    that of the second, clamped to these bounds; `offset` is added to a ratio. `formula` is any
    other pure function of the noisy measurements, each of shape (answers, coordinates). `edges` are
    those of a histogram over numbers, `table` the (row words, column words) of a two-way table,
    whose coordinates run row by row. `openness` says which choices come from the data; `notes` also
    says what holds exact counts. `moves` are the largest moves that one person can make. `across`
    says what the coordinates are, where `unit` only says what each of them is.
    """

    truth: Array
    labels: tuple[str, ...]
    unit: Say
    measurements: tuple[Measurement, ...]
    ratio: tuple[float, float] | None = None
    offset: float = 0.0
    edges: tuple[float, ...] = ()
    notes: tuple[Say, ...] = ()
    openness: tuple[Say, ...] = ()
    moves: tuple[Move, ...] = ()
    formula: Callable[[list[Array]], Array] | None = None
    table: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    across: Say | None = None

    @property
    def vector(self) -> bool:
        return bool(self.labels)

    @property
    def linear(self) -> bool:
        """Whether the answer is one noisy measurement as it is, so that its error law does not
        depend on the data."""
        return self.ratio is None and self.formula is None
