"""Chances as people read them: never 0 and never 1, for every candidate can win."""

import math

from dpstudio.labs.one_answer.selection import model as selection
from dpstudio.labs.percents import percent
from dpstudio.values.messages import Message, Num, by_log, say

_TENTH = 0.0005  # half of a tenth of a percent


def chance(log_missed: float) -> Message:
    """A probability near 1 by what it lacks, of which this is the logarithm: 1 − 6.14·10⁻⁶; and
    1 − 10⁻⁴⁰⁰, where no float holds it. 100 % only where nothing is lacking."""
    if log_missed == -math.inf or log_missed > math.log(0.001):
        return say("{p}", p=Num(selection.reached(log_missed), 4, percent=True))
    return say("1 − {missed}", missed=by_log(log_missed, 3, "up"))


def cell(log_chance: float, log_rest: float) -> Num | Message:
    """A probability as people read it: near 1 by what it lacks, and never 0, for every candidate
    can win."""
    return chance(log_rest) if log_rest < math.log(0.0005) else small(log_chance)


def lane_chances(model: selection.SelectionModel, key: str) -> tuple[Message, ...]:
    """The chance of each row to win, the highest first: to a tenth of a percent, and what would be
    0 or 100 % by its logarithm or by what it lacks."""
    found = zip(
        selection.row_chances(model)[key].tolist(),
        selection.log_row_chances(model, key),
        strict=True,
    )
    return tuple(reversed([in_tenths(*each) for each in found]))


def in_tenths(chance: float, logs: tuple[float, float]) -> Message:
    """A probability to a tenth of a percent; where that would be 0 or 100 %, by the logarithms of
    itself and of its rest."""
    many = min(logs) >= math.log(_TENTH)
    return say("{p}", p=percent(chance, 10 * _TENTH) if many else cell(*logs))


def small(log_chance: float) -> Num | Message:
    """A probability by its logarithm, rounded up where it may be what `chance` lacks."""
    return by_log(log_chance, 3, "up" if log_chance < math.log(0.0005) else "near")
