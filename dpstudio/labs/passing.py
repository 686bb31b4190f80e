"""From where on something holds, of values that were tried in an order: a search of a few values
knows two of them between which it begins, and of its ends that it went no further."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Passing:
    """`at` is the first value tried from which on it holds at all, None where it does not hold at
    the last; `before` is the one tried before it, None where it holds at all of them: where it
    begins is then not known."""

    before: float | None
    at: float | None


def passing(values: ArrayLike, holds: ArrayLike) -> Passing:
    """Where it begins, of values in their order and whether it `holds` at each, both (n,)."""
    tried, wrong = np.asarray(values), np.flatnonzero(np.logical_not(holds))
    if not len(wrong):
        return Passing(None, float(tried[0]))
    last = int(wrong[-1])
    return Passing(float(tried[last]), float(tried[last + 1]) if last + 1 < len(tried) else None)
