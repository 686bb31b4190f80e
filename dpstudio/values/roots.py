"""One bracketed root finder: scipy.optimize costs a third of a second to import and we need no more
than this."""

from __future__ import annotations

import math
from collections.abc import Callable


def root(f: Callable[[float], float], low: float, high: float, rtol: float = 1e-13) -> float:
    """A root of `f` in [low, high], where f(low) and f(high) have opposite signs: the middle of its
    `bracket`."""
    a, b = bracket(f, low, high, rtol)
    return (a + b) / 2


def bracket(
    f: Callable[[float], float], low: float, high: float, rtol: float = 1e-13
) -> tuple[float, float]:
    """Two ends about a root of `f` in [low, high], at most 2·`rtol` of their size apart: f keeps
    the sign of f(low) at the first and that of f(high) at the second, or is 0 at both.

    ITP method (Oliveira & Takahashi 2020, Algorithm 1): never slower than bisection, superlinear on
    smooth functions. Raises ValueError when the signs do not differ.
    """
    a, b, fa, fb = low, high, f(low), f(high)
    if fa == 0:
        return a, a
    if fb == 0:
        return b, b
    if (fa > 0) == (fb > 0):
        raise ValueError(f"no sign change between {low} and {high}")
    tolerance = rtol * max(abs(a), abs(b)) or 5e-324
    most = math.ceil(math.log2(max(2.0, (b - a) / (2 * tolerance)))) + 1
    span = b - a
    for step in range(most + 1):
        tolerance = rtol * max(abs(a), abs(b))
        if b - a <= 2 * tolerance:
            break
        middle = (a + b) / 2
        radius = max(0.0, tolerance * 2.0 ** (most - step) - (b - a) / 2)
        guess = (fb * a - fa * b) / (fb - fa) if math.isfinite(fa) and math.isfinite(fb) else middle
        nudge = min(0.2 / span * (b - a) ** 2, abs(middle - guess))
        toward = math.copysign(1.0, middle - guess)
        truncated = guess + toward * nudge
        x = truncated if abs(truncated - middle) <= radius else middle - toward * radius
        x = min(max(x, a), b)
        fx = f(x)
        if fx == 0:
            return x, x
        if (fx > 0) == (fb > 0):
            b, fb = x, fx
        else:
            a, fa = x, fx
    return a, b
