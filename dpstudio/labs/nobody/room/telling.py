"""What one report tells about one person, and what a collector who is trusted would do instead."""

import math
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, Axis
from dpstudio.labs.nobody.room.model import RoomModel, aim, half, level, place, scale
from dpstudio.labs.nobody.room.parameters import RoomSurvey
from dpstudio.labs.percents import in_points, percent, percent_axis
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.neighbours.attacker import right_of_100
from dpstudio.privacy.room import ReportOdds, needed, reach, told
from dpstudio.privacy.room.question import CHOICE, NUMBER
from dpstudio.values.messages import N_, Message, Num, named, say


def chosen(model: RoomModel) -> tuple[float, ...]:
    """Of the ε that are offered the least, the middle one and the largest."""
    offered = model.question.epsilons
    return tuple(dict.fromkeys((offered[0], offered[len(offered) // 2], offered[-1])))


def tells(model: RoomModel, epsilon: float) -> ReportOdds:
    """What one report at this ε tells."""
    return told(model.question, epsilon)


def used(model: RoomModel) -> tuple[float, ...]:
    """Every ε that is offered, and those in a table."""
    return (*model.question.epsilons, *(g.epsilon for g in model.groups if g.epsilon))


def largest(model: RoomModel) -> float:
    """The largest ε of them. A report spends no more, since its chances are rounded to the private
    side."""
    return max(used(model))


# Who does not throw the coins


def moved(model: RoomModel) -> float | None:
    """By how much one phone that sends what it likes can move the estimate, at any ε in use, in the
    unit of the answer; None without a report."""
    n = len(model.reports)
    return reach(model.question, used(model)) / n if n else None


def hidden(model: RoomModel) -> bool:
    """Whether that is within the interval."""
    return model.whole is None or (moved(model) or 0.0) <= half(model, model.whole)


def outweighed(model: RoomModel) -> int:
    """Up to how many people one phone can move the estimate by the half-width that is wanted."""
    return math.floor(reach(model.question, used(model)) / aim(model.lab))


def outweighing(lab: RoomSurvey) -> tuple[int, float] | None:
    """(people, by how much) where one phone at a small ε moves the estimate by more than the half-
    width that is wanted, of so many people as make it wide so, and as none moves by more, where all
    choose the largest ε; None where the ε offered are near enough to one another."""
    asked, wanted = lab.question, aim(lab)
    alone = replace(asked, epsilons=asked.epsilons[-1:])
    fewest = math.ceil(reach(alone, alone.epsilons) / wanted)
    people = max(needed(alone, (), wanted, level(lab)), fewest)
    by = reach(asked, asked.epsilons) / people
    return (people, by) if by > wanted else None


def most(model: RoomModel) -> ReportOdds:
    """What one at the largest ε tells."""
    return tells(model, largest(model))


def guesses(model: RoomModel) -> int:
    """Of 100 even guesses between two answers, how many are right after a report at the largest ε
    on average at most."""
    return right_of_100(most(model).epsilon, 0.0)


def belief(model: RoomModel, epsilon: float, prior: Array) -> Array:
    """How sure one may be, after a report that speaks for an answer and for no other, that it is
    the person's, by Bayes; shape of `prior`."""
    true = prior * tells(model, epsilon).odds
    return np.asarray(true / (true + 1 - prior))


def sensitivity(model: RoomModel) -> float:
    """By how much one person who answers otherwise moves the exact totals: one yes, two of the
    counts of options, or the sum of numbers by its whole range."""
    return 2.0 if model.question.kind == CHOICE else scale(model)


def trusted(model: RoomModel) -> float | None:
    """Standard error of a trusted collector who knows every answer and adds Laplace noise to the
    totals of each ε's people, at that ε; or throws the coins for them, where that is off by less.
    None without a report."""
    own, other = untrusted(model), _laplace(model)
    return None if own is None or other is None else min(own, other)


def _laplace(model: RoomModel) -> float | None:
    if model.whole is None:
        return None
    laws = [LaplaceLaw(sensitivity(model) / (group.epsilon or 1)) for group in model.groups]
    return math.sqrt(sum(law.variance for law in laws)) / model.whole.n


def untrusted(model: RoomModel) -> float | None:
    """That of the room's own noise."""
    return None if model.whole is None else model.whole.errors[place(model)]


def times(model: RoomModel) -> float:
    """How many times that of the trusted collector it is."""
    own, other = untrusted(model), trusted(model)
    return own / other if own and other else math.nan


def halves(model: RoomModel, people: Array) -> tuple[Array, Array]:
    """Half-widths (of the room, of a trusted collector) with so many people who choose ε as those
    before them; shape of `people`."""
    own, other, n = untrusted(model), _laplace(model), len(model.reports)
    if own is None or other is None:
        return np.full(people.shape, math.nan), np.full(people.shape, math.nan)
    room = model.z * own * np.sqrt(n / people)
    return room, np.minimum(room, model.z * other * (n / people))


def together(model: RoomModel, more: int) -> int:
    """How many people there are with so many more."""
    return len(model.reports) + more


Asking = RoomModel | RoomSurvey  # what holds a question


def counts(asking: Asking) -> bool:
    """Whether a number is asked for, and not a share."""
    return asking.question.kind == NUMBER


def amount(asking: Asking, value: float, width: float, rounding: str = "near") -> Num:
    """A share or a number, where its interval has such a half-width."""
    if not counts(asking):
        return percent(value, width, rounding)
    places = max(0, math.ceil(-math.log10(max(width, 1e-9) / 5)))
    power = math.floor(math.log10(abs(value))) if value else 0
    return Num(value, max(1, power + 1 + places), rounding)


def spread(asking: Asking, width: float, rounding: str = "near") -> Num | Message:
    """A half-width, or an error: of a share in points."""
    found = amount(asking, width, width, rounding)
    return found if counts(asking) else in_points(found)


def wanted(lab: RoomSurvey) -> Num | Message:
    """The half-width that is wanted, as it is typed: people are counted for no rounded one."""
    found = Num(aim(lab), 3, percent=not counts(lab))
    return found if counts(lab) else in_points(found)


def axis(model: RoomModel, label: Message, beyond: float = 0.2) -> Axis:
    """All that can be answered, and as much beyond it, as a part of it, as estimates may be."""
    if not counts(model):
        return percent_axis(label, -beyond, 1 + beyond, 6)
    asked = model.question
    more = beyond * (asked.high - asked.low)
    return Axis(label, range=(asked.low - more, asked.high + more))


def looked_at(model: RoomModel, place: int) -> Message:
    """What the estimate is of."""
    if counts(model):
        return Message(N_("mean"))
    return say("“{option}”", option=named(model.question.options[place]))
