"""One bracketed root finder: scipy.optimize costs a third of a second to import and we need no more
than this."""

import math
from collections.abc import Callable

_SMALLER = 60  # halves by which a root may be smaller than the ends before it is taken as 0


def root(f: Callable[[float], float], low: float, high: float, rtol: float = 1e-13) -> float:
    """A root of `f` in [low, high], where f(low) and f(high) have opposite signs: the middle of its
    `bracket`."""
    a, b = bracket(f, low, high, rtol)
    return (a + b) / 2


def bracket(
    f: Callable[[float], float], low: float, high: float, rtol: float = 1e-13
) -> tuple[float, float]:
    """Two ends about a root of `f` in [low, high], at most 2·`rtol` of their size apart: f keeps
    the sign of f(low) at the first and that of f(high) at the second, or is 0 at both. About a root
    at 0 they are so near in units of the larger end that was given.

    Inverse quadratic steps where three points allow them, else halves (Chandrupatla 1997); and a
    half after four that did not halve. It asks half as often as ITP on what is solved here. Raises
    ValueError when the signs do not differ.
    """
    a, b, fa, fb = low, high, float(f(low)), float(f(high))
    if fa == 0:
        return a, a
    if fb == 0:
        return b, b
    if (fa > 0) == (fb > 0):
        raise ValueError(f"no sign change between {low} and {high}")
    first = rtol * max(abs(a), abs(b))
    most = math.ceil(math.log2(max(2.0, (b - a) / (2 * first)))) + 1 if first else 1100
    share, before = 0.5, math.inf  # of the way from a, where it was last, to b; the width then
    step = 0
    while True:
        step += 1
        x = a + share * (b - a)
        fx = float(f(x))
        if fx == 0:
            return x, x
        c, fc = (a, fa) if (fx > 0) == (fa > 0) else (b, fb)
        if c == b:
            b, fb = a, fa
        a, fa = x, fx
        width, near = abs(b - a), rtol * max(abs(a), abs(b))
        if width <= 2 * (near if step < most + _SMALLER else max(near, first)):
            return min(a, b), max(a, b)
        share, slow = 0.5, step % 4 == 0 and width > before / 2
        before = width if step % 4 == 0 else before
        along, up = (a - b) / (c - b), (fa - fb) / (fc - fb)
        if not slow and up * up < along and (1 - up) * (1 - up) < 1 - along:
            share = fa / (fb - fa) * fc / (fb - fc)
            share += (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            least = near / width
            share = min(max(share, least), 1 - least)
