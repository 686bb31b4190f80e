"""From where on something holds, of values that were tried in an order: a search knows two of them
between which it begins, and of the ends of its range that it went no further."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.values.roots import bracket

T = TypeVar("T")


@dataclass(frozen=True)
class Passing:
    """`at` is the first value tried from which on it holds at all, None where it does not hold at
    the last; `before` is the one tried before it, None where it holds at all of them: where it
    begins is then not known."""

    before: float | None
    at: float | None

    def said(
        self,
        between: Callable[[float, float], T],
        always: Callable[[float], T],
        never: Callable[[float], T],
    ) -> T:
        """What is said of it: of a beginning between two values tried, told (before, at); where it
        holds at all of them, told the first; at not even the last, told that."""
        if self.before is not None and self.at is not None:
            return between(self.before, self.at)
        return always(self.at) if self.at is not None else never(self.before or 0.0)


def passing(values: ArrayLike, holds: ArrayLike) -> Passing:
    """Where it begins, of values in their order and whether it `holds` at each, both (n,)."""
    tried, wrong = np.asarray(values), np.flatnonzero(np.logical_not(holds))
    if not len(wrong):
        return Passing(None, float(tried[0]))
    last = int(wrong[-1])
    return Passing(float(tried[last]), float(tried[last + 1]) if last + 1 < len(tried) else None)


def passing_beside(values: ArrayLike, holds: ArrayLike, own: float, fits: bool) -> Passing:
    """Where it begins, of increasing values and the one in use, which `fits` or does not."""
    tried, held = np.append(values, own), np.append(holds, fits)
    order = np.argsort(tried, kind="stable")
    return passing(tried[order], held[order])


def solved(gap: Callable[[float], float], low: float, high: float, rtol: float) -> Passing:
    """Where what falls comes to be at most 0 between two positive ends: looked for in logarithms,
    of which the two found lie 2·`rtol` apart (`bracket`)."""
    if gap(low) <= 0:
        return Passing(None, low)
    if gap(high) > 0:
        return Passing(high, None)
    ends = bracket(lambda log_x: gap(math.exp(log_x)), math.log(low), math.log(high), rtol)
    return Passing(*map(math.exp, ends))
