"""What Guarantee knows of the answer: who is there or not, all numbers that they move, the one that
is drawn, and the two laws of the whole."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import SCREEN, Context, Effort
from dpstudio.labs.memo import once
from dpstudio.labs.persons import settled
from dpstudio.labs.promise.guarantee.parameters import ROW, Guarantee
from dpstudio.labs.question import measured
from dpstudio.privacy.deployments import Deployment
from dpstudio.privacy.mechanisms.additive import Guarantee as Promise
from dpstudio.privacy.mechanisms.l2norm import NormLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.neighbours.joint import Moved, joint
from dpstudio.privacy.neighbours.pair import Pair
from dpstudio.privacy.neighbours.worst import worst
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.privacy.queries.query import MeasuredQuestion, Measurement, Move, Shift
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import N_, Message, Num, say


@dataclass(frozen=True, eq=False)
class GuaranteeModel:
    """One state of the lab on a table that can answer its question. `late`: the comparison with
    Gaussian noise, which needs a library, belongs to it."""

    lab: Guarantee
    data: Dataset
    release: Release
    effort: Effort = SCREEN
    late: bool = True
    register: tuple[Deployment, ...] = ()

    @property
    def asked(self) -> MeasuredQuestion:
        """The exact answer, and how far one person moves it."""
        return self.release.asked

    @property
    def promise(self) -> Promise:
        """What is promised for the whole answer."""
        return self.release.guarantee

    @property
    def epsilon(self) -> float:
        """The promised ε, of all measurements together."""
        return self.promise.epsilon

    @property
    def delta(self) -> float:
        """The promised δ, 0 for pure noise."""
        return self.promise.delta


def guarantee_model(lab: Guarantee, context: Context) -> GuaranteeModel:
    """The state of the lab on a table that can answer its question with its mechanism."""
    asked = measured(lab.query, context.data, lab.adjacency)
    release = Release(asked, lab.mechanism)
    register = context.deployments()
    return GuaranteeModel(lab, context.data, release, context.effort, register=register)


def in_row(model: GuaranteeModel) -> bool:
    """Whether it is a row of the table, and not the worst that could be, that is there or not."""
    lab = model.lab
    return lab.neighbour == ROW and lab.show_truth and lab.adjacency == ADD_REMOVE


def farthest(moves: tuple[Move, ...]) -> list[Move]:
    """The moves that no other one outdoes in every number; of several alike the last."""
    return [
        a for i, a in enumerate(moves) if not any(outdone(a, b, i > j) for j, b in enumerate(moves))
    ]


def outdone(one: Move, other: Move, later: bool) -> bool:
    """Whether `other` moves every measurement at least as far as `one`, number by number; of two
    that move alike the later one is."""
    pairs = [(one.sizes(place), other.sizes(place)) for place in range(len(one.shifts))]
    if any(len(a) > len(b) or any(x > y for x, y in zip(a, b, strict=False)) for a, b in pairs):
        return False
    return later or any(a != b for a, b in pairs)


def row_shifts(model: GuaranteeModel) -> tuple[Shift, ...]:
    """What the row, or all those of its person, adds to each measurement: sums over rows, so a
    table of these alone tells."""
    lab, data = model.lab, model.data

    def added() -> tuple[Shift, ...]:
        one = settled(lab.query, data).ask(data.only(lab.row - 1), lab.adjacency)
        return tuple(
            tuple((i, float(by)) for i, by in enumerate(m.values) if by) for m in one.measurements
        )

    return data.remember(("row alone", lab.query, lab.row), added)


def pair_of_whole(data: Dataset, laws: tuple[Law, ...], shifts: tuple[Shift, ...]) -> Pair:
    """Both laws of all noisy numbers together, remembered by the table."""
    moved: tuple[Moved, ...] = tuple(
        (law, tuple(by for _, by in shift)) for law, shift in zip(laws, shifts, strict=True)
    )
    return data.remember(("guarantee", "joint", moved), lambda: joint(moved))


@dataclass(frozen=True, eq=False)
class Person:
    """Someone who is there or not, by how much they move the numbers of each measurement, and the
    two laws of the whole answer."""

    move: Move
    pair: Pair


@once
def people(model: GuaranteeModel) -> tuple[Person, ...]:
    """Whoever may move the answer most, first the one to whom most is lost; with a row of the table
    that row alone."""
    moves = farthest(model.asked.moves)
    if in_row(model):
        text = N_("row {row} is taken out")
        if model.data.person:
            text = N_("all rows of the person of row {row} are taken out")
        moves = [Move(say(text, row=Num(model.lab.row)), row_shifts(model))]
    laws = model.release.laws
    found = [Person(move, pair_of_whole(model.data, laws, move.shifts)) for move in moves]
    return tuple(sorted(found, key=lambda p: -p.pair.advantage) if len(found) > 1 else found)


@once
def whole_pair(model: GuaranteeModel) -> Pair:
    """Both laws of the whole answer; where no one person is the worst in every respect, their
    largest risks."""
    return worst([person.pair for person in people(model)])


@dataclass(frozen=True)
class Seen:
    """The one number that is drawn: coordinate `part` of measurement `place`, which moves by
    `shift`; `moved` numbers move."""

    what: Message
    place: int
    part: int
    shift: float
    moved: int
    reached: bool


@once
def seen(model: GuaranteeModel) -> Seen:
    """Of all numbers that the person moves, the one that moves most against its noise."""
    move = people(model)[0].move
    best, found = 0.0, Seen(move.what, 0, 0, 0.0, 0, move.reached)
    moved = sum(1 for shift in move.shifts for _, by in shift if by)
    for place, shift in enumerate(move.shifts):
        scale = model.release.laws[place].half_width(0.9)
        for part, by in shift:
            # Of two that move alike, the one that the person moves up; the other is its mirror
            # image.
            ratio = abs(by) / max(scale, 1e-300) * (1 + 1e-6 * (by > 0))
            if by and ratio > best * (1 + 1e-9):
                best, found = ratio, Seen(move.what, place, part, by, moved, move.reached)
    return found


def measurement(model: GuaranteeModel) -> Measurement:
    """The measurement that holds the number drawn."""
    return model.asked.measurements[seen(model).place]


def drawn_law(model: GuaranteeModel) -> Law:
    """The noise of the number drawn."""
    return model.release.laws[seen(model).place]


def drawn_value(model: GuaranteeModel) -> float:
    """The exact number with the person in; 0 stands for it where exact answers are hidden."""
    values, part = measurement(model).values, seen(model).part
    return float(values[part]) if model.lab.show_truth and part < len(values) else 0.0


def partial(model: GuaranteeModel) -> bool:
    """Whether the one number that is drawn is not all that tells of the person."""
    moved = seen(model).moved
    return moved > 1 or (moved == 1 and isinstance(drawn_law(model), NormLaw))


def made_for(model: GuaranteeModel) -> float:
    """The farthest that anyone moves the number drawn: what its noise is made for."""
    place = seen(model).place
    return max(sizes[0] for m in model.asked.moves if (sizes := m.sizes(place)))
