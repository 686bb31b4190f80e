"""Dates cut into intervals, in days since 1970."""

import math

import numpy as np


def whole_date(text):
    """A year or a month by its first day."""
    return text + {4: "-01-01", 7: "-01"}.get(len(text), "")


def calendar_edges(low, high, bins):
    """Edges at the shortest unit of the calendar that covers both in at most so many intervals:
    days, weeks from Monday on, months, quarters, years, and so on."""
    for unit, start in ((1, 0), (7, 4)):
        first, last = math.floor((low - start) / unit), math.floor((high - start) / unit)
        if last - first + 1 <= max(1, bins):
            return [float(start + unit * k) for k in range(first, last + 2)]
    ends = np.array([math.floor(low), math.floor(high)]).astype("datetime64[D]")
    first, last = ends.astype("datetime64[M]").astype(int)
    for unit in (1, 3, 12, 60, 120, 600, 1200):
        edges = np.arange(first // unit, last // unit + 2) * unit
        if len(edges) - 1 <= max(1, bins):
            break
    return edges.astype("datetime64[M]").astype("datetime64[D]").astype(float).tolist()
