"""Into which interval a value falls, and which few digits stand for it, as expressions of Ibis: of
columns with so many different values that these do not come here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.aggregates import Ordered
from dpstudio.files.engines.expressions import floor
from dpstudio.labs.row_sample import DIGITS

Floats = NDArray[np.float64]
_NEAR = 8  # doubles on either side of an edge
_DECADES = 8  # below the largest value; what is smaller has fewer digits
_SMALLEST = -250  # power of ten, below which a double has no digits to leave out


def place(x: Any, edges: Floats) -> Any:
    """The place of the interval [eᵢ, eᵢ₊₁) that holds x, the last one closed; x is a double in one
    of them."""
    import ibis

    ends, last = edges.tolist(), len(edges) - 2
    # Equal steps are found by one division, which rounds some neighbours of an edge across it.
    start, step = ends[0], (ends[-1] - ends[0]) / (last + 1)
    inner = edges[1:-1, None]
    near = inner + np.spacing(np.abs(inner)) * np.arange(-_NEAR, _NEAR + 1)
    where = np.arange(1, last + 1)[:, None]
    with np.errstate(all="ignore"):
        off = np.floor((near - start) / step) - (where - (near < inner))
    if not (np.isfinite(off).all() and not off[:, [0, -1]].any() and np.all(np.abs(off) <= 1)):
        return _halved(x, ends, 0, last + 1)
    found = ibis.least(_divided(x - start, step, step).floor(), last)
    for by in (-1, 1):
        if (wrong := near[off == by]).size:
            found = found - by * x.isin(wrong.tolist()).ifelse(1, 0)
    return found


def _divided(x: Any, by: Any, least: float) -> Any:
    """x / by, of which PostgreSQL refuses one that is too small for a double: what is far below the
    least that `by` may be is taken for 0."""
    if x.get_backend().name == "postgres":
        x = (x.abs() < least * 1e-5).ifelse(0.0, x)
    return x / by


def _halved(x: Any, ends: list[float], first: int, last: int) -> Any:
    """The same by halves: a chain of all edges compares each row with half of them."""
    import ibis

    if last - first == 1:
        return ibis.literal(first)
    middle = (first + last) // 2
    return (x < ends[middle]).ifelse(
        _halved(x, ends, first, middle), _halved(x, ends, middle, last)
    )


def digits(x: Any, low: float, high: float) -> Any:
    """A whole number for the first DIGITS digits of x, where all values lie from `low` to `high`:
    an engine groups by whole numbers sooner than by doubles."""
    import ibis

    x = x.cast("float64")
    size = x if low >= 0 else x.abs()
    smallest, largest = max(low, -high, 0.0), max(-low, high)
    top = max(_SMALLEST, math.floor(math.log10(largest)) if largest else 0)
    first = next((k for k in range(_DECADES - 1) if smallest >= 10.0 ** (top - k)), _DECADES - 1)
    steps = [10.0 ** (top - k - DIGITS + 1) for k in range(_DECADES)]
    # Whole and below 10^13, which a double holds.
    cut = [
        floor(_divided(x, step, step) if k == first else x / step) * 10.0 ** (_DECADES - 1 - k)
        for k, step in enumerate(steps[: first + 1])
    ]
    branches = [(size < 10.0 ** (top - k), cut[k + 1]) for k in range(first - 1, -1, -1)]
    return (ibis.cases(*branches, else_=cut[0]) if branches else cut[0]).cast("int64")


def with_ends(mean: Floats, rows: Floats, low: Floats, high: Floats) -> Ordered:
    """Numbers in order, of which so many rows stand for each mean, between a low and a high; the
    smallest and the largest of all are there as they are."""
    order = np.argsort(low, kind="stable")
    low, high, rows = low[order], high[order], rows[order]
    mean = np.clip(mean[order], low, high)
    if not len(mean):
        return Ordered(mean, rows.astype(np.int64))
    for at, end in ((0, low[0]), (-1, high[-1])):
        if rows[at] > 1 and low[at] < high[at]:
            rest = (mean[at] * rows[at] - end) / (rows[at] - 1)
            mean[at], rows[at] = min(max(rest, low[at]), high[at]), rows[at] - 1
            place_ = 0 if at == 0 else len(mean)
            mean, rows = np.insert(mean, place_, end), np.insert(rows, place_, 1)
            low, high = np.insert(low, place_, end), np.insert(high, place_, end)
    values, where = np.unique(mean, return_inverse=True)
    return Ordered(values, np.bincount(where, rows).astype(np.int64))
