"""Shares in percent, and numbers in their own unit, to as many places as their interval allows."""

import math

from dpstudio.charts.figure import Axis
from dpstudio.labs.nobody.room.model import RoomModel, aim
from dpstudio.labs.nobody.room.parameters import RoomSurvey
from dpstudio.labs.percents import in_points, percent, percent_axis
from dpstudio.privacy.room.question import NUMBER
from dpstudio.values.messages import N_, Message, Num, plain, say

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
    return say("“{option}”", option=plain(model.question.options[place]))
