"""What Guarantee's charts and words share: whose row it is, the one number that is looked at, its pair of laws and its promise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dpstudio.core.dataset import Dataset
from dpstudio.core.figure import nice_above
from dpstudio.core.labs.guarantee_bounds import loss_needed
from dpstudio.core.labs.guarantee_pair import Pair, pair_of
from dpstudio.core.labs.kept import settled
from dpstudio.core.mechanisms import Additive
from dpstudio.core.mechanisms.additive import Guarantee as Promise
from dpstudio.core.mechanisms.catastrophe import Catastrophe
from dpstudio.core.mechanisms.gaussian import AnalyticGaussian
from dpstudio.core.mechanisms.law import Law
from dpstudio.core.queries import ADD_REMOVE
from dpstudio.core.queries.query import Asked, Measurement
from dpstudio.core.release import Release
from dpstudio.core.wording import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.core.labs.guarantee import Guarantee

WORST, ROW = "worst", "row"
_DEEP = 1e-15
LEAST_DELTA = 1e-5  # for the two mechanisms that need a δ, where the one that is looked at has none


@dataclass(frozen=True)
class Seen:
    """The one number that is looked at: coordinate `part` of measurement `place`, which moves by `shift`; `moved` numbers move."""

    what: Say
    place: int
    part: int
    shift: float
    moved: int
    reached: bool


class Scene:
    """One state of the lab on one table. Everything is worked out when it is first asked for."""

    def __init__(self, lab: Guarantee, data: Dataset):
        self.lab, self.data = lab, data

    @cached_property
    def asked(self) -> Asked:
        lab = self.lab
        return self.data.remember(("asked", lab.query, lab.adjacency), lambda: lab.query.ask(self.data, lab.adjacency))

    @property
    def in_row(self) -> bool:
        """Whether it is a row of the table, and not the worst that could be, that is there or not."""
        return self.lab.neighbour == ROW and self.lab.show_truth and self.lab.adjacency == ADD_REMOVE

    @cached_property
    def seen(self) -> Seen:
        """Of all numbers that the person moves, the one that moves most against its noise."""
        if self.in_row:
            shifts = self._row_shifts
            text = N_("all rows of the person of row {row} are taken out") if self.data.person else N_("row {row} is taken out")
            what = say(text, row=Num(self.lab.row))
            found = self._farthest(((what, shifts, True),))
            return found or Seen(what, 0, 0, 0.0, 0, True)
        found = self._farthest(tuple((move.what, move.shifts, move.reached) for move in self.asked.moves))
        assert found is not None  # every question moves by something
        return found

    def _farthest(self, moves: tuple[tuple[Say, tuple[tuple[tuple[int, float], ...], ...], bool], ...]) -> Seen | None:
        best, found = 0.0, None
        for what, shifts, reached in moves:
            moved = sum(1 for shift in shifts for _, by in shift if by)
            for place, shift in enumerate(shifts):
                scale = self.laws[place].half_width(0.9)
                for part, by in shift:
                    # Of two that move alike, the one that the person moves up; the other is its mirror image.
                    ratio = abs(by) / max(scale, 1e-300) * (1 + 1e-6 * (by > 0))
                    if by and (found is None or ratio > best * (1 + 1e-9)):
                        best, found = ratio, Seen(what, place, part, by, moved, reached)
        return found

    @cached_property
    def _row_shifts(self) -> tuple[tuple[tuple[int, float], ...], ...]:
        """What the row, or all those of its person, adds to each measurement: sums over rows, so a table of these alone tells."""
        lab = self.lab

        def added() -> tuple[tuple[tuple[int, float], ...], ...]:
            one = settled(lab.query, self.data).ask(self.data.only(lab.row - 1), lab.adjacency)
            return tuple(tuple((i, float(by)) for i, by in enumerate(m.values) if by) for m in one.measurements)

        return self.data.remember(("row alone", lab.query, lab.row), added)

    @cached_property
    def laws(self) -> tuple[Law, ...]:
        return self.release.laws

    @cached_property
    def release(self) -> Release:
        return Release(self.asked, self.lab.mechanism)

    @property
    def measurement(self) -> Measurement:
        return self.asked.measurements[self.seen.place]

    @cached_property
    def mechanism(self) -> Additive:
        """The mechanism with the share of the budget that the number looked at gets."""
        return self.lab.mechanism.share(self.measurement.part)

    @property
    def law(self) -> Law:
        return self.laws[self.seen.place]

    @cached_property
    def promise(self) -> Promise:
        """What is promised for the measurement that the number belongs to."""
        return self.mechanism.guarantee(self.measurement.sensitivity)

    @property
    def epsilon(self) -> float:
        return self.promise.epsilon

    @property
    def delta(self) -> float:
        return self.promise.delta

    @cached_property
    def pair(self) -> Pair:
        return pair_of(self.law, self.seen.shift)

    @property
    def value(self) -> float:
        """The exact number with the person in; 0 stands for it where exact answers are hidden."""
        shown = self.lab.show_truth and self.seen.part < len(self.measurement.values)
        return float(self.measurement.values[self.seen.part]) if shown else 0.0

    @cached_property
    def loss_reach(self) -> float:
        """Half the width of the axis of losses."""
        return nice_above(1.12 * max(self.epsilon, min(self.pair.typical, 100 * self.epsilon)))

    @property
    def needed(self) -> float:
        """The loss above which the attacker believes."""
        return loss_needed(self.lab.prior, self.lab.threshold)

    @cached_property
    def believing(self) -> tuple[float, float]:
        """Share of answers that make the attacker believe: with you, without you."""
        return self.pair.above(self.needed, strictly=True)

    @cached_property
    def beyond(self) -> float:
        """P(ℓ > ε) with the person in; what is left by rounding of nothing is nothing."""
        found = self.pair.above(self.epsilon * (1 + 1e-9), strictly=True)[0]
        return found if found > _DEEP else 0.0

    @cached_property
    def hits(self) -> float:
        """True positives of the best test at the chosen rate of false ones."""
        return float(self.pair.power(self.lab.false_positives))

    @cached_property
    def fates(self) -> tuple[tuple[Additive, Law, Pair], ...]:
        """Gaussian noise and the catastrophe mechanism at the same (ε, δ), for the number that is looked at."""
        delta = self.delta or LEAST_DELTA
        made = [kind().at(self.epsilon, delta) for kind in (AnalyticGaussian, Catastrophe)]
        laws = [mechanism.law(self.measurement.sensitivity) for mechanism in made]
        return tuple((m, law, pair_of(law, self.seen.shift)) for m, law in zip(made, laws, strict=True))

    @property
    def partial(self) -> bool:
        """Whether the answer shows more of the person than the one number that is looked at."""
        return self.seen.moved > 1 or len(self.asked.measurements) > 1


def decade_below(value: float) -> float:
    """The power of ten at or below a positive value."""
    return float(10.0 ** math.floor(math.log10(value) + 1e-9))
