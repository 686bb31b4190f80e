"""Where the label of a layer that is no curve may stand: candidates in the order of liking."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, Band, Dots, Handle, Layer, Rule

Spots = list[tuple[float, float]]
# Around a point, by steps of a label's width and height: upper right first.
_AROUND = ((1, -1), (1, 0), (-1, -1), (1, 1), (-1, 1), (-1, 0), (0, -1), (0, 1))


class Area(Protocol):
    """The area of a chart in pixels, and where data stand in it."""

    width: float
    height: float

    def px(self, x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
        """The pixels of data."""
        ...


def beside(area: Area, layer: Layer, w: float, h: float) -> Array:
    """Rows (left, top, cost) for a label of w × h pixels; a later spot costs a little more."""
    rows = _spots(area, layer, w, h)
    return np.array([(left, top, 0.05 * k) for k, (left, top) in enumerate(rows)])


def _spots(area: Area, layer: Layer, w: float, h: float) -> Spots:
    down = [2 + k * (h + 2) for k in range(max(1, int(area.height * 0.97 / (h + 2))))]
    gap = 0.45 * h
    if isinstance(layer, Rule) and layer.axis == "x":
        x = float(area.px([layer.at], [])[0][0])
        return [(left, top) for top in down for left in (x + gap, x - w - gap)]
    if isinstance(layer, Rule):
        y = float(area.px([], [layer.at])[1][0])
        shares = (1.0, 0.85, 0.7, 0.5, 0.3, 0.15, 0.0)
        return [((area.width - w - 6) * f, top) for f in shares for top in (y - h - 2, y + 3)]
    if isinstance(layer, Band):
        return [(left, top) for top in down for left in _beside_band(area, layer, w, gap)]
    if isinstance(layer, Handle):
        return _around_point(area, layer, w, h)
    ends = [(left, top) for top in down for left in (area.width - w - 6, 6.0)]
    if isinstance(layer, Dots) and not layer.diameter:
        return _beside_dots(area, layer, w, h) + ends
    return ends


def _beside_band(area: Area, layer: Band, w: float, gap: float) -> tuple[float, ...]:
    low, high = np.clip(area.px([layer.low, layer.high], [])[0], 0, area.width)
    if not high > low:
        return ()
    if high - low > w + 2 * gap:
        return high - w - gap, low + gap, (low + high - w) / 2
    return high + gap, low - w - gap


def _around_point(area: Area, layer: Handle, w: float, h: float) -> Spots:
    (x,), (y,) = area.px([layer.x], [layer.y])
    return [
        (
            float(x + a * (0.6 * h + ring) + (a - 1) * w / 2),
            float(y + b * (0.55 * h + ring) + (b - 1) * h / 2),
        )
        for ring in (0.0, 10.0, 24.0, 48.0)
        for a, b in _AROUND
    ]


def _beside_dots(area: Area, layer: Dots, w: float, h: float) -> Spots:
    """Beside single dots, the ones furthest to the right first."""
    xs, ys = area.px(layer.x, layer.y)
    seen = np.flatnonzero((xs >= 0) & (xs <= area.width) & (ys >= 0) & (ys <= area.height))
    rows: Spots = []
    for k in seen[np.argsort(-xs[seen], kind="stable")][:24]:
        x, y = float(xs[k]), float(ys[k])
        rows += [(x + 8, y - h / 2), (x - w / 2, y - h - 7), (x - w / 2, y + 7)]
        rows.append((x - w - 8, y - h / 2))
    return rows
