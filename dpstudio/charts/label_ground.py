"""The ground on which labels are laid: what is drawn there, and what it costs a label to lie on
it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import (
    Area,
    Array,
    Band,
    Columns,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
)
from dpstudio.charts.label_spots import along, beside
from dpstudio.charts.scaling import clip, thin, to_unit

_Box = tuple[float, float, float, float]


_Found = tuple[float, float, int]


# What it costs to cross a layer; a label that costs less than _FINE crosses nothing that matters.
_CROSSED: dict[type[Layer], float] = {Area: 6.0, Band: 6.0, Handle: 20.0}


_FINE = 5.0


# A label that lies nearer to another curve than to its own is read as that one's.
_MISREAD = 2.5


@dataclass(frozen=True)
class _Spots:
    """Candidate top left corners, what each costs by itself, and the size of the box, all in px."""

    x: Array
    y: Array
    cost: Array
    width: float
    height: float


class Ground:
    """What labels must keep clear of: segments and boxes (centre, half sizes, unit normal) in
    groups, one group a layer."""

    def __init__(self, figure: Figure, width: float, height: float) -> None:
        self.figure, self.width, self.height = figure, width, height
        self.segments: dict[str, Array] = {}
        blocks: list[Array] = []
        weights: list[float] = []
        keys: list[str] = []
        self._curves()
        for layer in figure.layers:
            rows = self._boxes(layer)
            if layer.key in self.segments:
                rows = _as_blocks(self.segments[layer.key])
            if len(rows):
                blocks.append(rows)
                keys.append(layer.key)
                weights.append(_CROSSED.get(type(layer), 10.0))
        self.keys, self.weights = keys, np.array(weights)
        self.lines = np.array([key in self.segments for key in keys], dtype=bool)
        self.starts = np.cumsum([0] + [len(rows) for rows in blocks[:-1]])
        self.blocks = np.concatenate(blocks).T.copy() if blocks else np.zeros((7, 0))

    def px(self, x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
        """Data -> px in the plot area, y down."""
        return to_unit(self.figure.x, x) * self.width, (1 - to_unit(self.figure.y, y)) * self.height

    def _curves(self) -> None:
        lines = [
            (layer.key, *thin(layer.x, layer.y, 64))
            for layer in self.figure.layers
            if isinstance(layer, Line) and len(layer.x) > 1
        ]
        if not lines:
            return
        # All curves at once, apart by NaN: numpy's cost is mostly one a call.
        gap = np.array([np.nan])
        x, y = self.px(
            *(
                np.concatenate([part for line in lines for part in (line[axis], gap)])
                for axis in (1, 2)
            )
        )
        cut, seen = clip(x, y, self.width, self.height)
        at = 0
        for key, xs, _ in lines:
            part = slice(at, at + len(xs) - 1)
            self.segments[key] = cut[part][seen[part]]
            at += len(xs) + 1

    def _boxes(self, layer: Layer) -> Array:
        """Rows of blocks of a layer that is no curve; columns as `_as_blocks`."""
        w, h = self.width, self.height
        if isinstance(layer, Rule):
            (x,), (y,) = self.px([layer.at], [layer.at])
            edges = [(x, x, 0, h)] if layer.axis == "x" else [(0, w, y, y)]
        elif isinstance(layer, Band):
            edges = [(x, x, 0, h) for x in self.px([layer.low, layer.high], [])[0]]
        elif isinstance(layer, Handle):
            (x,), (y,) = self.px([layer.x], [layer.y])
            edges = [(x - 7, x + 7, y - 7, y + 7)]
        elif isinstance(layer, Dots):
            x, y = self.px(layer.x, layer.y)
            r = (
                3.0
                if self.figure.x.log
                else max(
                    3.0, layer.diameter / (self.figure.x.range[1] - self.figure.x.range[0]) * w / 2
                )
            )
            every = slice(None, None, -(-len(x) // 128) or 1)
            return _solid(np.stack((x - r, x + r, y - r, y + r), axis=1)[every], w, h)
        elif isinstance(layer, Area | Columns):
            return _solid(self._bars(layer), w, h)
        else:
            return np.zeros((0, 7))
        return _solid(np.array(edges, dtype=np.float64), w, h)

    def _bars(self, layer: Area | Columns) -> Array:
        """Rows (left, right, top, bottom) in px of columns with their whiskers, or of a histogram
        in at most 64 parts."""
        tops = layer.heights
        if isinstance(layer, Columns):
            low, high = layer.x - layer.width / 2, layer.x + layer.width / 2
            tops = tops if layer.high is None else np.fmax(tops, layer.high)
        else:
            low, high = layer.edges[:-1], layer.edges[1:]
            if len(low) > 64:
                every = np.linspace(0, len(low), 65).astype(np.int64)
                low, high, tops = (
                    low[every[:-1]],
                    high[every[1:] - 1],
                    np.fmax.reduceat(tops, every[:-1]),
                )
        (left, top), (right, _) = self.px(low, tops), self.px(high, [])
        return np.stack((left, right, top, np.full_like(top, self.height)), axis=1)

    def spots(self, layer: Layer, w: float, h: float) -> _Spots | None:
        """The candidates for a label of w x h px, the best liked first; None where nothing of the
        layer is in sight."""
        if isinstance(layer, Line):
            made = along(self.segments.get(layer.key, np.zeros((0, 4))), w, h)
        elif layer.key in self.keys or isinstance(layer, Band):
            made = beside(self, layer, w, h)
        else:
            made = None
        if made is None or not len(made):
            return None
        x, y = np.clip(made[:, 0], 0, self.width - w), np.clip(made[:, 1], 0, self.height - h)
        moved = np.abs(made[:, 0] - x) + np.abs(made[:, 1] - y)
        return _Spots(x, y, made[:, 2] + moved / 20, w, h)

    def _cost(self, layer: Layer, spots: _Spots, which: slice, taken: list[_Box]) -> Array:
        """What candidates cost: ∞ where a label is already, more than _FINE where something is
        crossed."""
        x, y, w, h = spots.x[which], spots.y[which], spots.width, spots.height
        cost = spots.cost[which].copy()
        if self.keys:
            cx, cy, ex, ey, nx, ny, off = self.blocks
            mx, my = (x + w / 2)[:, None], (y + h / 2)[:, None]
            # Separating axes: the largest of the distances along x, along y and across the segment.
            apart = np.abs(mx * nx + my * ny - (cx * nx + cy * ny)) - (
                np.abs(nx) * (w / 2) + np.abs(ny) * (h / 2) + off
            )
            np.maximum(apart, np.abs(mx - cx) - (ex + w / 2), out=apart)
            np.maximum(apart, np.abs(my - cy) - (ey + h / 2), out=apart)
            clear = np.minimum.reduceat(apart, self.starts, axis=1)
            near = np.clip(1 - clear / 14, 0, 1)
            if layer.key in self.keys:
                own = self.keys.index(layer.key)
                near[:, own] = 0
                cost += (
                    _MISREAD
                    * ((clear < clear[:, own : own + 1] - 1) & self.lines).sum(axis=1)
                    * self.lines[own]
                )
            cost += (clear < 1) @ self.weights + near.sum(axis=1)
        for left, top, right, bottom in taken:
            cost[(x < right + 2) & (x + w > left - 2) & (y < bottom) & (y + h > top)] = np.inf
        return cost

    def kept(
        self, layer: Layer, spots: _Spots, taken: list[_Box], before: Placed | None
    ) -> _Found | None:
        """The spot of the last time, where that is still fine."""
        if before is None or not 0 <= before.spot < len(spots.x):
            return None
        k = before.spot
        if self._cost(layer, spots, slice(k, k + 1), taken)[0] - spots.cost[k] >= _FINE:
            return None
        return float(spots.x[k]), float(spots.y[k]), k

    def best(
        self, layer: Layer, spots: _Spots, taken: list[_Box], before: Placed | None
    ) -> _Found | None:
        """The cheapest spot, or else the nearest free place; None where the area is full."""
        half = len(spots.x) // 2 if isinstance(layer, Line) else len(spots.x)
        cost = self._cost(layer, spots, slice(0, half), taken)
        if half < len(spots.x) and cost.min() >= _FINE:
            cost = np.concatenate((cost, self._cost(layer, spots, slice(half, None), taken)))
        if before is not None and 0 <= before.spot < len(cost):
            cost[before.spot] -= 3
        k = int(cost.argmin())
        if np.isfinite(cost[k]):
            return float(spots.x[k]), float(spots.y[k]), k
        x, y = (
            (before.x, before.y) if before is not None else (float(spots.x[0]), float(spots.y[0]))
        )
        return self._free(spots, taken, x, y)

    def _free(self, spots: _Spots, taken: list[_Box], x: float, y: float) -> _Found | None:
        """The free place nearest to (x, y). If there is any, one touches the border or labels with
        its left and its top."""
        lefts = np.unique(
            np.clip(
                [0, self.width - spots.width, x] + [box[2] + 2 for box in taken],
                0,
                self.width - spots.width,
            )
        )
        tops = np.unique(
            np.clip(
                [0, self.height - spots.height, y] + [box[3] for box in taken],
                0,
                self.height - spots.height,
            )
        )
        best = min(
            (
                (abs(left - x) + abs(top - y), left, top)
                for left in lefts
                for top in tops
                if not any(
                    left < b[2]
                    and left + spots.width > b[0]
                    and top < b[3]
                    and top + spots.height > b[1]
                    for b in taken
                )
            ),
            default=None,
        )
        return None if best is None else (float(best[1]), float(best[2]), -1)


def _as_blocks(cut: Array) -> Array:
    """Segments (n, 4) as blocks (n, 7): centre x, y; half sizes x, y; unit normal x, y; 0 (a box
    has no third axis: 10⁹)."""
    dx, dy = cut[:, 2] - cut[:, 0], cut[:, 3] - cut[:, 1]
    length = np.hypot(dx, dy)
    size = np.where(length > 0, length, 1)
    half = np.abs(dx) / 2, np.abs(dy) / 2
    off = np.where(length > 0, 0.0, 1e9)
    return np.stack(
        (
            (cut[:, 0] + cut[:, 2]) / 2,
            (cut[:, 1] + cut[:, 3]) / 2,
            *half,
            -dy / size,
            dx / size,
            off,
        ),
        axis=1,
    )


def _solid(edges: Array, width: float, height: float) -> Array:
    """Boxes (left, right, top, bottom) as blocks; those without a part inside the area are left
    out."""
    left, right, top, bottom = edges.T
    with np.errstate(invalid="ignore"):
        edges = edges[
            (left <= width)
            & (right >= 0)
            & (top <= height)
            & (bottom >= 0)
            & np.isfinite(edges).all(axis=1)
        ]
    left, right, top, bottom = edges.T
    none = np.zeros_like(left)
    return np.stack(
        (
            (left + right) / 2,
            (top + bottom) / 2,
            (right - left) / 2,
            (bottom - top) / 2,
            none,
            none,
            none + 1e9,
        ),
        axis=1,
    )


@dataclass(frozen=True)
class Placed:
    """A label: px top left of its text box inside the plot area, y down. `spot` numbers the
    candidate it took (−1: a free place)."""

    key: str
    text: str
    x: float
    y: float
    ink: str
    spot: int = 0
