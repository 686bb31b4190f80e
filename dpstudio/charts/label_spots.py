"""Where the label of a layer may stand: candidates in the order of liking."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, Band, Dots, Handle, Layer, Rule

Spots = list[tuple[float, float]]
# Around a point, by steps of a label's width and height: upper right first.
_AROUND = ((1, -1), (1, 0), (-1, -1), (1, 1), (-1, 1), (-1, 0), (0, -1), (0, 1))
# Where along a curve, by shares of its length, the best liked first.
_ALONG = np.array(
    [0.72, 0.77, 0.66, 0.82, 0.6, 0.87, 0.52, 0.92, 0.44, 0.97, 0.35, 0.26, 0.17, 0.09, 0.03]
)


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


def along(cut: Array, w: float, h: float) -> Array | None:
    """Rows as `beside` for a curve whose visible segments are `cut`, rows (x, y, x, y): touching it
    from above and below at places along it, then the same a line away. None where none is
    visible."""
    length = np.hypot(cut[:, 2] - cut[:, 0], cut[:, 3] - cut[:, 1])
    ends = np.cumsum(length)
    if not len(ends) or ends[-1] <= 0:
        return None
    s = _ALONG * ends[-1]
    near = np.clip(np.concatenate((s, s - 8, s + 8)), 0, ends[-1])
    i = np.minimum(np.searchsorted(ends, near), len(ends) - 1)
    t = (near - (ends[i] - length[i])) / np.where(length[i] > 0, length[i], 1)
    x, y = cut[i, 0] + t * (cut[i, 2] - cut[i, 0]), cut[i, 1] + t * (cut[i, 3] - cut[i, 1])
    n = len(s)
    tx, ty = x[2 * n :] - x[n : 2 * n], y[2 * n :] - y[n : 2 * n]
    size = np.hypot(tx, ty)
    tx, ty = (
        np.where(size > 0, tx / np.where(size > 0, size, 1), 1.0),
        np.where(size > 0, ty / np.where(size > 0, size, 1), 0.0),
    )
    # The normal that points up; a box of half sizes w/2, h/2 just touches the tangent at that
    # reach.
    up = np.where(tx < 0, -1.0, 1.0)
    nx, ny = ty * up, -tx * up
    reach = np.abs(nx) * w / 2 + np.abs(ny) * h / 2 + h / 5
    liked = 0.03 * np.arange(n)
    rows = [
        np.stack(
            (
                x[:n] + side * nx * (reach + far) - w / 2,
                y[:n] + side * ny * (reach + far) - h / 2,
                liked + worse,
            ),
            axis=1,
        )
        for far, side, worse in ((0.0, 1, 0.0), (0.0, -1, 0.02), (h, 1, 1.0), (h, -1, 1.02))
    ]
    return np.concatenate(rows)
