"""What a budget allows: the largest size of something whose cost grows with it."""

import math
from collections.abc import Callable
from functools import cache

from dpstudio.values.roots import bracket

HAIR = 1 + 1e-12  # 7 × 0.1 is a rounding above 0.7
_STRIDE = math.log(4)
_SHORT = 1e-11
_ENDLESS = 600.0  # ln of a cost that is infinite over a budget
_SECANTS = 8


def largest_within(
    total: Callable[[float], float],
    budget: float,
    start: float,
    least: float,
    most: float,
    rtol: float = 2e-14,
    slope: float = 1.0,
) -> float:
    """The largest x from `least` to `most` with total(x) ≤ budget, where `total` grows and may
    jump; 0 where `least` costs more, `most` where that does not.

    Looked for from `start` on, first by secants: about there ln total rises by `slope` for each of
    ln x. Where that does not get there, by factors of four. The value is on the safe side of the
    passing (total(x) ≤ budget, but for a rounding of 1e-12 of it), and one that is larger by
    100 `rtol` is not. Where `total` is infinite from there on it stops 1e-11 short, so that it is
    rounded down.
    """

    @cache  # the ends of a bracket are asked for again and again
    def gap(log_x: float) -> float:
        # The logarithm of a cost is nearly straight in that of x.
        return math.log(min(max(total(math.exp(log_x)), 1e-300), 1e300)) - log_budget

    log_budget = math.log(budget) + (HAIR - 1) / 2  # half of it is left to the way back
    top, bottom = math.log(most), math.log(least)
    bottom = min(bottom, top)
    low = high = min(max(math.log(start), bottom), top)
    if near := _straight(gap, low, slope, bottom, top, rtol):
        return math.exp(near[0] - (_SHORT if gap(near[1]) > _ENDLESS else 0.0))
    if gap(low) <= 0:
        while gap(high) <= 0:
            if high >= top:
                return most
            low, high = high, min(high + _STRIDE, top)
    else:
        while gap(low) > 0:
            if low <= bottom:
                return 0.0
            low, high = max(low - _STRIDE, bottom), low
    within, beyond = bracket(gap, low, high, rtol)
    short = _SHORT if gap(beyond) > _ENDLESS else 0.0
    return math.exp(max(within - short, low))


def _straight(
    gap: Callable[[float], float], x: float, slope: float, bottom: float, top: float, rtol: float
) -> tuple[float, float] | None:
    """Two ends about where `gap` passes 0, 2·`rtol` apart, by a few secants of what is nearly
    straight; None where that does not get there. The last guess is one of them: what is costly is
    asked as seldom as can be."""
    at, width = gap(x), 2 * rtol
    for _ in range(_SECANTS):
        if abs(at) <= width * slope:
            low, high = (x, x + width) if at <= 0 else (x - width, x)
            inside = bottom <= low and high <= top and gap(low) <= 0 < gap(high)
            return (low, high) if inside else None
        if abs(at) > _ENDLESS:
            return None  # a cost of 0 or ∞ has no slope
        new = min(max(x - at / slope, bottom), top)
        then = gap(new)
        if new == x or not 0.1 < (slope := (then - at) / (new - x)) < 10:
            return None
        x, at = new, then
    return None
