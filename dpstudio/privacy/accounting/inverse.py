"""What a budget allows: the largest size of something whose cost grows with it."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpstudio.values.roots import bracket

HAIR = 1 + 1e-12  # 7 × 0.1 is a rounding above 0.7
_STRIDE = math.log(4)
_SHORT = 1e-11


def largest_within(
    total: Callable[[float], float],
    budget: float,
    start: float,
    least: float,
    most: float,
    rtol: float = 2e-14,
) -> float:
    """The largest x from `least` to `most` with total(x) ≤ budget, where `total` grows and may
    jump; 0 where `least` costs more, `most` where that does not.

    Looked for from `start` on by factors of four. The value is on the safe side of the passing
    (total(x) ≤ budget, but for a rounding of 1e-12 of it), and one that is larger by 100 `rtol` is
    not. Where `total` is infinite from there on it stops 1e-11 short, so that it is rounded down.
    """

    def gap(log_x: float) -> float:
        # The logarithm of a cost is nearly straight in that of x.
        return math.log(min(max(total(math.exp(log_x)), 1e-300), 1e300)) - log_budget

    log_budget = math.log(budget) + (HAIR - 1) / 2  # half of it is left to the way back
    top, bottom = math.log(most), math.log(least)
    bottom = min(bottom, top)
    low = high = min(max(math.log(start), bottom), top)
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
    short = _SHORT if math.isinf(total(math.exp(beyond))) else 0.0
    return math.exp(max(within - short, low))
