"""What one report tells about one person, and what a collector who is trusted would do instead."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.local.room.model import RoomModel, place, scale
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.neighbours.attacker import right_of_100
from dpstudio.privacy.room import Told, told
from dpstudio.privacy.room.question import CHOICE


def chosen(model: RoomModel) -> tuple[float, ...]:
    """Of the ε that are offered the least, the middle one and the largest."""
    offered = model.question.epsilons
    return tuple(dict.fromkeys((offered[0], offered[len(offered) // 2], offered[-1])))


def tells(model: RoomModel, epsilon: float) -> Told:
    """What one report at this ε tells."""
    return told(model.question, epsilon)


def largest(model: RoomModel) -> float:
    """The largest ε: of those that are offered, and those in a table. A report spends no more,
    since its chances are rounded to the private side."""
    return max(model.question.epsilons[-1], *(g.epsilon or 0.0 for g in model.groups), 0.0)


def most(model: RoomModel) -> Told:
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
