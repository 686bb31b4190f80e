"""Shares in percent: as numbers in words, and as an axis of a chart."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Axis, nice_above
from dpstudio.values.messages import Message, Num, say, worded


def percent(value: float, width: float, rounding: str = "near") -> Num:
    """A share in percent, to as many places as an interval of such a half-width makes
    meaningful."""
    places = max(0, math.ceil(-math.log10(max(width, 1e-9) * 20)))
    size, step = abs(value) * 100, 10.0**-places
    inward = rounding == ("down" if value > 0 else "up")
    if size < step and (inward or (rounding == "near" and size < step / 2)):
        return Num(0.0, percent=True)
    power = math.floor(math.log10(size) + 1e-9) if size > 0 else 0
    return Num(value, max(0 if power >= -4 else 1, power + 1 + places), rounding, percent=True)


def points(value: float, width: float, rounding: str = "near") -> Message:
    """A difference of shares as `percent` gives it, in percentage points: “30 % ± 5 %” might be 5 %
    of the 30 %."""
    return in_points(percent(value, width, rounding))


def in_points(share: Num) -> Message:
    """The same of a share as it is shown."""
    return say("{x} {x:point|points}", x=replace(share, bare=True))


def percent_ticks(low: float, high: float, about: int = 7) -> tuple[tuple[float, str], ...]:
    """Shares as percentages on the 1-2-5 ladder."""
    least = (high - low) / about
    power = 10.0 ** math.floor(math.log10(least))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))
    places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    shares = {k * step: Num(float(f"{k * step:.12g}"), 4, percent=True) for k in places}
    return tuple((at, worded(say("{x}", x=share))) for at, share in shares.items())


def shares_end(most: float) -> float:
    """Where an axis of shares from 0 on ends, of which `most` is the largest: none is above 1."""
    return min(1.02, nice_above(max(1.05 * most, 0.01)))


def shares_axis(label: Message, *shares: ArrayLike) -> Axis:
    """An axis that holds all of these shares, from 0 on."""
    high = shares_end(float(np.nanmax(np.concatenate([np.ravel(each) for each in shares]))))
    return Axis(label, range=(0.0, high), ticks=percent_ticks(0.0, high))


def percent_axis(label: Message, low: float, high: float, about: int = 7) -> Axis:
    """An axis of shares from low to high, with about so many ticks in percent."""
    return Axis(label, range=(low, high), ticks=percent_ticks(low, high, about))
