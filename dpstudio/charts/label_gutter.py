"""The gutter at the right of a chart: names of curves at their ends, in their order, moved as
little as possible."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

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
    # Of a few names numbers are quicker than arrays.
    half = [size / 2 for size in sizes]
    offset = [0.0, *accumulate(a + b for a, b in pairwise(half))]
    blocks: list[tuple[float, int]] = []
    for want, off in zip(wanted, offset, strict=True):
        mean, many = want - off, 1
        while blocks and blocks[-1][0] > mean:
            before, number = blocks.pop()
            mean, many = (mean * many + before * number) / (many + number), many + number
        blocks.append((mean, many))
    low, high = top + half[0], bottom - half[-1] - offset[-1]
    high = max(low, high)
    flat = [min(max(mean, low), high) for mean, many in blocks for _ in range(many)]
    return np.array([place + off for place, off in zip(flat, offset, strict=True)])


def room_for_names(width: float) -> float:
    """The px that names may take of a picture of `width` px before they are folded."""
    return max(_SHARE * width, min(_LEAST_PX, 0.5 * width))
