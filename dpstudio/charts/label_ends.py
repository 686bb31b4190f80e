"""Where curves end, and which of them are one: all in shares of the plot area, y down."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, Axis, Figure, Line
from dpstudio.charts.scaling import clip, thin, to_unit

_GRID = np.linspace(0, 1, 65)
_CORNERS = 512  # of a curve at most
_LOST = 1e-9  # of a value, that computing it in two ways may lose
# Curves that stay nearer than this, in px, are one to the eye.
ONE_PX = 3.0


class Anchor(NamedTuple):
    """Where a name points to; how high the curve was where it last ran `alone`, which it may do at
    its end."""

    x: float
    y: float
    parted: float
    alone: bool = True


@dataclass(frozen=True)
class Traces:
    """Curves as they are seen. `heights` has a row a curve over 65 columns of equal width (NaN
    where it is not seen or is no function of x), `points` the visible corners of each."""

    points: tuple[Array, ...]
    heights: Array

    @cached_property
    def gaps(self) -> Array:
        """Between any two curves at every column, in shares of the height; ∞ where one is not."""
        out = np.abs(self.heights[:, None] - self.heights[None])
        out[np.isnan(out)] = np.inf
        return out

    @cached_property
    def ends(self) -> tuple[tuple[float, float], ...]:
        """The corner of each curve that is furthest to the right."""
        found = [
            points[points[:, 0].argmax()].tolist() if len(points) else (math.nan, math.nan)
            for points in self.points
        ]
        return tuple([(x, y) for x, y in found])

    @cached_property
    def boxes(self) -> tuple[list[float], ...]:
        """The extent of each curve: its least x and y and its largest."""
        boxes = np.full((len(self.points), 4), np.nan)
        drawn = [k for k, points in enumerate(self.points) if len(points)]
        if drawn:
            sizes = [len(self.points[k]) for k in drawn]
            corners = np.concatenate([self.points[k] for k in drawn])
            starts = [0, *accumulate(sizes[:-1])]
            boxes[drawn, :2] = np.minimum.reduceat(corners, starts)
            boxes[drawn, 2:] = np.maximum.reduceat(corners, starts)
        return tuple(boxes.tolist())

    def alone_in_row(self, which: int) -> bool:
        """Whether no other curve runs level where this one does."""
        _, top, _, bottom = self.boxes[which]
        return not any(
            k != which and abs(box[1] - top) + abs(box[3] - bottom) < _LOST
            for k, box in enumerate(self.boxes)
        )

    def leads(self, height: float) -> list[int]:
        """For each curve the one that is drawn for it: the last of those nearer than ONE_PX
        everywhere in a plot of `height` px."""
        n = len(self.points)
        out = list(range(n))
        if n < 2:
            return out
        known = np.isfinite(self.heights)
        far = ((self.gaps >= ONE_PX / height) & (self.gaps < np.inf)).any(axis=2)
        one = ~far & (known.sum(axis=1) > 2)[:, None]
        if not known.all():
            one &= (known[:, None] != known[None]).sum(axis=2) <= 2
        one = one.tolist()
        for i in range(n - 1, -1, -1):
            # One by one against the lead: a chain of near neighbours may be wide.
            out[i] = next((j for j in range(n - 1, i, -1) if out[j] == j and one[i][j]), i)
        return out

    def leaves(self, which: int) -> str:
        """Whether a curve leaves through the "top" or the "bottom" before its end; "" if not."""
        x, y = self.ends[which]
        return "" if x > 1 - 1e-3 or 0.005 < y < 0.995 else "top" if y < 0.5 else "bottom"

    def at_height(self, which: int, y: float) -> tuple[float, float]:
        """The last place where a curve is as high as this, or its end."""
        points = self.points[which]
        below = points[:, 1] >= y
        turns = np.flatnonzero(below[1:] != below[:-1])
        if not len(turns):
            return float(points[-1, 0]), float(points[-1, 1])
        (x0, y0), (x1, y1) = points[turns[-1] : turns[-1] + 2]
        return float(x0 + (x1 - x0) * (y - y0) / (y1 - y0)), y

    def anchors(self, which: Sequence[int], height: float) -> dict[int, Anchor]:
        """Where the labels of these curves point to: their ends. Where others of them end there
        too, they are in the order of the last place where each runs alone."""
        seen = np.isfinite(self.heights)
        nearest = np.full((len(which), len(_GRID)), np.inf)
        if len(which) > 1:
            gaps = self.gaps[np.ix_(which, which)]
            gaps[range(len(which)), range(len(which))] = np.inf
            nearest = gaps.min(axis=1) * height
        out = {}
        for row, k in enumerate(which):
            points = self.points[k]
            if seen[k].sum() < 2 and len(points) > 3:
                x, y = points[points[:, 1].argmin()]  # a closed curve has no end
                out[k] = Anchor(float(x), float(y), float(y))
            else:
                out[k] = self._alone(k, seen[k], nearest[row])
        return out

    def _alone(self, which: int, seen: NDArray[np.bool_], nearest: Array) -> Anchor:
        """The end of a curve, with its height at the last column where it is far enough from the
        `nearest`."""
        x, y = self.ends[which]
        last = min(round(x * (len(_GRID) - 1)), len(_GRID) - 1)
        if nearest[last] >= ONE_PX + 1 or not seen.any():
            return Anchor(x, y, y)
        alone = np.flatnonzero(seen & (nearest >= ONE_PX + 1))
        return Anchor(x, y, float(self.heights[which, alone[-1]]) if len(alone) else y, False)


def coincide(a: Line, b: Line) -> bool:
    """Whether two curves are equal, to within what computing them may lose: over the x that both
    are drawn at, or the y, which must be most of those of each."""
    (ax, ay), (bx, by) = (
        (line.x[known], line.y[known])
        for line in (a, b)
        for known in [np.isfinite(line.x + line.y)]
    )
    for one, other, at, at_other in ((ax, bx, ay, by), (ay, by, ax, bx)):
        _, first, second = np.intersect1d(one, other, return_indices=True)
        if len(first) > 1 and 2 * len(first) > max(len(np.unique(one)), len(np.unique(other))):
            return np.allclose(at[first], at_other[second], rtol=_LOST, atol=0.0)
    return False


def traces(figure: Figure, lines: Sequence[Line]) -> Traces:
    """The curves of a figure, read off once for all that is asked of them."""
    if not lines:
        return Traces((), np.zeros((0, len(_GRID))))
    x, y = (Axis("", a.log, a.range, floored=a.floored) for a in (figure.x, figure.y))
    return _traced(x, y, tuple([(line.x.tobytes(), line.y.tobytes()) for line in lines]))


@lru_cache(maxsize=8)
def _traced(x_axis: Axis, y_axis: Axis, lines: tuple[tuple[bytes, bytes], ...]) -> Traces:
    # Of a chart, not of data: under the hand some charts move their point alone, not their curves.
    gap = np.array([np.nan])
    thinned = [thin(np.frombuffer(x), np.frombuffer(y), _CORNERS) for x, y in lines]
    # All curves at once, apart by NaN: numpy's cost is mostly one a call.
    x, y = (
        to_unit(axis, np.concatenate([part for one in thinned for part in (one[k], gap)]))
        for k, axis in enumerate((x_axis, y_axis))
    )
    y = 1 - y
    cut, seen = clip(x, y, 1, 1)
    with np.errstate(invalid="ignore"):
        there, back, high = np.isfinite(x), np.diff(x) < 0, np.clip(y, -9, 9)
    points, heights, at = [], np.full((len(lines), len(_GRID)), np.nan), 0
    for row, (xs, _) in enumerate(thinned):
        own, segments = slice(at, at + len(xs)), slice(at, at + len(xs) - 1)
        points.append(_corners(cut[segments][seen[segments]]))
        if there[own].all():
            _sample(x[own], high[own], bool(back[segments].any()), heights[row])
        else:
            known = x[own][there[own]]
            _sample(known, high[own][there[own]], bool((np.diff(known) < 0).any()), heights[row])
        at += len(xs) + 1
    with np.errstate(invalid="ignore"):
        heights[~((heights > -0.02) & (heights < 1.02))] = np.nan
    return Traces(tuple(points), heights)


def _corners(cut: Array) -> Array:
    return np.concatenate((cut[:1, :2], cut[:, 2:])) if len(cut) else np.zeros((0, 2))


def _sample(x: Array, y: Array, back: bool, out: Array) -> None:
    """Fill in a curve at the columns, where it is a function of x; `back` where x ever falls."""
    if len(x) > 1 and x[0] > x[-1]:
        x, y = x[::-1], y[::-1]
        back = bool((np.diff(x) < 0).any())
    if len(x) > 1 and not back and x[-1] - x[0] >= 1e-6:
        out[:] = np.interp(_GRID, x, y, left=np.nan, right=np.nan)
