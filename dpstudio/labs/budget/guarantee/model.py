"""What Guarantee's charts and words share: who is there or not, all numbers that they move, the one
that is drawn, the promise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.persons import settled
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.additive import Guarantee as Promise
from dpstudio.privacy.mechanisms.catastrophe import Catastrophe
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian
from dpstudio.privacy.mechanisms.l2norm import NormLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.neighbours.attacker import loss_needed, naming_bound
from dpstudio.privacy.neighbours.joint import Moved, joint, worst
from dpstudio.privacy.neighbours.pair import Pair
from dpstudio.privacy.queries import ADD_REMOVE, REPLACE
from dpstudio.privacy.queries.query import MeasuredQuestion, Measurement, Move, Shift
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.budget.guarantee.parameters import Guarantee

WORST, ROW = "worst", "row"
LEAST_DELTA = 1e-5  # for the two mechanisms that need a δ, where the one that is looked at has none


@dataclass(frozen=True)
class Seen:
    """The one number that is drawn: coordinate `part` of measurement `place`, which moves by
    `shift`; `moved` numbers move."""

    what: Say
    place: int
    part: int
    shift: float
    moved: int
    reached: bool


@dataclass(frozen=True, eq=False)
class Person:
    """Someone who is there or not, by how much they move the numbers of each measurement, and the
    two laws of the whole answer."""

    move: Move
    pair: Pair


class GuaranteeModel:
    """One state of the lab on one table. Everything is worked out when it is first asked for."""

    def __init__(self, lab: Guarantee, data: Dataset):
        self.lab, self.data = lab, data

    @cached_property
    def asked(self) -> MeasuredQuestion:
        lab = self.lab
        return self.data.remember(
            ("asked", lab.query, lab.adjacency), lambda: lab.query.ask(self.data, lab.adjacency)
        )

    @property
    def in_row(self) -> bool:
        """Whether it is a row of the table, and not the worst that could be, that is there or
        not."""
        return (
            self.lab.neighbour == ROW and self.lab.show_truth and self.lab.adjacency == ADD_REMOVE
        )

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """Whoever may move the answer most, first the one to whom most is lost; with a row of the
        table that row alone."""
        if self.in_row:
            text = (
                N_("all rows of the person of row {row} are taken out")
                if self.data.person
                else N_("row {row} is taken out")
            )
            moves = [Move(say(text, row=Num(self.lab.row)), self._row_shifts)]
        else:
            moves = [
                a
                for i, a in enumerate(self.asked.moves)
                if not any(_inside(a, b, i > j) for j, b in enumerate(self.asked.moves))
            ]
        people = [Person(move, self._joint(self.laws, move.shifts)) for move in moves]
        return (
            tuple(sorted(people, key=lambda person: -person.pair.advantage))
            if len(people) > 1
            else tuple(people)
        )

    def _joint(self, laws: tuple[Law, ...], shifts: tuple[Shift, ...]) -> Pair:
        """Both laws of all noisy numbers together."""
        measured: tuple[Moved, ...] = tuple(
            (law, tuple(by for _, by in shift)) for law, shift in zip(laws, shifts, strict=True)
        )
        return self.data.remember(("guarantee", "joint", measured), lambda: joint(measured))

    @cached_property
    def seen(self) -> Seen:
        """Of all numbers that the person moves, the one that moves most against its noise."""
        move = self.people[0].move
        best, found = 0.0, Seen(move.what, 0, 0, 0.0, 0, move.reached)
        moved = sum(1 for shift in move.shifts for _, by in shift if by)
        for place, shift in enumerate(move.shifts):
            scale = self.laws[place].half_width(0.9)
            for part, by in shift:
                # Of two that move alike, the one that the person moves up; the other is its mirror
                # image.
                ratio = abs(by) / max(scale, 1e-300) * (1 + 1e-6 * (by > 0))
                if by and ratio > best * (1 + 1e-9):
                    best, found = ratio, Seen(move.what, place, part, by, moved, move.reached)
        return found

    @cached_property
    def _row_shifts(self) -> tuple[Shift, ...]:
        """What the row, or all those of its person, adds to each measurement: sums over rows, so a
        table of these alone tells."""
        lab = self.lab

        def added() -> tuple[Shift, ...]:
            one = settled(lab.query, self.data).ask(self.data.only(lab.row - 1), lab.adjacency)
            return tuple(
                tuple((i, float(by)) for i, by in enumerate(m.values) if by)
                for m in one.measurements
            )

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

    @property
    def law(self) -> Law:
        return self.laws[self.seen.place]

    @property
    def promise(self) -> Promise:
        """What is promised for the whole answer."""
        return self.release.guarantee

    @property
    def epsilon(self) -> float:
        return self.promise.epsilon

    @property
    def delta(self) -> float:
        return self.promise.delta

    @cached_property
    def pair(self) -> Pair:
        """Both laws of the whole answer; where no one person is the worst in every respect, their
        largest risks."""
        return worst([person.pair for person in self.people])

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
        """P(ℓ > ε) with the person in."""
        return max(
            person.pair.above(self.epsilon * (1 + 1e-9), strictly=True)[0] for person in self.people
        )

    @cached_property
    def _swaps(self) -> tuple[tuple[Move, ...], int]:
        """How the answer moves when another person is there instead, and how many neighbours' steps
        that is: one where nobody moves the answer farther by it than someone does by coming, else
        two."""
        lab, own = self.lab, self.asked.moves
        if lab.adjacency != ADD_REMOVE:
            return own, 1
        other = self.data.remember(
            ("asked", lab.query, REPLACE), lambda: lab.query.ask(self.data, REPLACE)
        ).moves
        if any(len(move.shifts) != len(own[0].shifts) for move in other):
            return (), 2
        return other, 1 if all(
            any(_inside(swap, move, True) for move in own) for swap in other
        ) else 2

    @property
    def swap_steps(self) -> int:
        return self._swaps[1]

    @cached_property
    def swap_promise(self) -> tuple[float, float]:
        """(ε, δ) of two tables in which one person stands for another."""
        if self.swap_steps == 1:
            return self.epsilon, self.delta
        return 2 * self.epsilon, min(1.0, self.delta * (1 + math.exp(self.epsilon)))

    @cached_property
    def named(self) -> tuple[float, float]:
        """Chance to name the right one of the people: at most so much by the exact law of this
        noise, and by ε and δ."""
        moves, _ = self._swaps
        epsilon, delta = self.swap_promise
        allowed = float(naming_bound(epsilon, delta, self.lab.people))
        if not moves:
            return (1.0 if self.promise.violated else allowed), allowed
        pair = worst([self._joint(self.laws, move.shifts) for move in moves])
        key = ("guarantee", "swap", self.laws, tuple(move.shifts for move in moves), epsilon)
        at, needed = self.data.remember(key, lambda: pair.delta_curve(1.1 * epsilon))
        found = float(np.min(naming_bound(at, needed, self.lab.people)))
        return (found if self.promise.violated else min(found, allowed)), allowed

    @cached_property
    def hits(self) -> float:
        """True positives of the best test at the chosen rate of false ones."""
        return float(self.pair.power(self.lab.false_positives))

    @cached_property
    def fates(self) -> tuple[tuple[Additive, Law, Pair], ...]:
        """Gaussian noise and the catastrophe mechanism at the same (ε, δ): noise of the number that
        is drawn, pair of the whole."""
        delta = self.delta or LEAST_DELTA
        made = [kind().at(self.epsilon, delta) for kind in (AnalyticGaussian, Catastrophe)]
        shifts = self.people[0].move.shifts
        out = []
        for mechanism in made:
            laws = Release(self.asked, mechanism).laws
            out.append((mechanism, laws[self.seen.place], self._joint(laws, shifts)))
        return tuple(out)

    @property
    def partial(self) -> bool:
        """Whether the one number that is drawn is not all that tells of the person."""
        return self.seen.moved > 1 or (self.seen.moved == 1 and isinstance(self.law, NormLaw))


def _inside(one: Move, other: Move, later: bool) -> bool:
    """Whether `other` moves every measurement at least as far, number by number; of two that move
    alike the later one is."""
    pairs = [(one.sizes(place), other.sizes(place)) for place in range(len(one.shifts))]
    if any(len(a) > len(b) or any(x > y for x, y in zip(a, b, strict=False)) for a, b in pairs):
        return False
    return later or any(a != b for a, b in pairs)


def decade_below(value: float) -> float:
    """The power of ten at or below a positive value."""
    return float(10.0 ** math.floor(math.log10(value) + 1e-9))
