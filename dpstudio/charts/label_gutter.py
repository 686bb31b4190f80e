"""The gutter at the right of a chart: names of curves at their ends, in their order, moved as
little as possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpstudio.charts.figure import Array

# The most of a picture's width that names take before they are folded.
_SHARE, _LEAST_PX = 0.33, 96.0


def spread(wanted: Sequence[float], sizes: Sequence[float], top: float, bottom: float) -> Array:
    """The middles nearest to those wanted (least squares) that keep their order, of boxes of these
    heights, none over another, between top and bottom.

    Pool adjacent violators (Ayer et al. 1955), O(n). Too many for the room start at the top.
    """
    if not len(wanted):
        return np.zeros(0)
    half = np.asarray(sizes, dtype=np.float64) / 2
    offset = np.concatenate(([0.0], np.cumsum(half[1:] + half[:-1])))
    blocks: list[tuple[float, int]] = []
    for want, off in zip(wanted, offset.tolist(), strict=True):
        mean, many = want - off, 1
        while blocks and blocks[-1][0] > mean:
            before, number = blocks.pop()
            mean, many = (mean * many + before * number) / (many + number), many + number
        blocks.append((mean, many))
    flat = np.repeat([mean for mean, _ in blocks], [many for _, many in blocks])
    low, high = top + half[0], bottom - half[-1] - offset[-1]
    return np.asarray(np.clip(flat, low, max(low, high)) + offset, dtype=np.float64)


def room_for_names(width: float) -> float:
    """The px that names may take of a picture of `width` px before they are folded."""
    return max(_SHARE * width, min(_LEAST_PX, 0.5 * width))
