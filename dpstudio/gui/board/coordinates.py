"""A plot's own coordinates: those of the data, or powers of ten on a logarithmic axis; where these
stand in px; and its pens."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from dpstudio.charts.figure import Array, Axis, Figure
from dpstudio.charts.inks import Stroke
from dpstudio.gui.parts.theme import Look


def to_view(axis: Axis, values: Any) -> np.ndarray:
    """Data to the plot's own coordinates: powers of ten on a log axis."""
    out = np.asarray(values, dtype=np.float64)
    if not axis.log:
        return out
    with np.errstate(divide="ignore", invalid="ignore"):
        # A gap in a curve stays a gap; only 0 and less stand on the floor.
        return np.log10(
            np.where(np.isnan(out) | (out > 0), out, axis.floor if axis.floored else np.nan)
        )


@dataclass(frozen=True)
class PlotCoordinates:
    """Where a plot area of width x height px is: what it shows of its axes, in the plot's own
    coordinates, as (left, right) and (low, high)."""

    axes: tuple[Axis, Axis]
    seen_x: tuple[float, float]
    seen_y: tuple[float, float]
    width: float
    height: float

    def across(self, values: Any) -> Array:
        """The plot's own coordinates along x, in px."""
        left, right = self.seen_x
        with np.errstate(over="ignore", invalid="ignore"):  # beyond all floats
            return (np.asarray(values) - left) * (self.width / ((right - left) or 1.0))

    def down(self, values: Any) -> Array:
        """The plot's own coordinates along y, in px."""
        low, high = self.seen_y
        with np.errstate(over="ignore", invalid="ignore"):
            return (high - np.asarray(values)) * (self.height / ((high - low) or 1.0))

    def x(self, values: Any) -> Array:
        """Data along x, in px; what has no place on the axis is NaN."""
        return self.across(to_view(self.axes[0], values))

    def y(self, values: Any) -> Array:
        """Data along y, in px."""
        return self.down(to_view(self.axes[1], values))


def comparable(old: Figure, new: Figure) -> bool:
    """Whether a place in one still means something in the other: the same axis, and ranges that
    overlap."""
    same = (old.x.label, old.x.log, old.x.ticks) == (new.x.label, new.x.log, new.x.ticks)
    return same and old.x.range[0] < new.x.range[1] and new.x.range[0] < old.x.range[1]


def edge_places(axis: Axis, shares: Any) -> np.ndarray:
    """Shares of an axis, 0 … 1, in the plot's own coordinates; those at its ends a hair inside, so
    that what stands there is seen."""
    low, high = to_view(axis, axis.range)
    return np.asarray(low + (high - low) * np.clip(np.asarray(shares, np.float64), 0.012, 0.988))


def risen(axis: Axis, heights: Any) -> tuple[float, np.ndarray]:
    """Where bars start and where they end, in the plot's own coordinates: what is nothing has no
    height, on a log axis either."""
    foot = float(to_view(axis, axis.range[0])) if axis.log else 0.0
    heights = np.asarray(heights, dtype=np.float64)
    risen = heights > 0 if axis.log else np.isfinite(heights)
    return foot, np.where(risen, to_view(axis, np.where(risen, heights, 1.0)), foot)


def from_view(axis: Axis, value: float) -> float:
    return float(10.0**value) if axis.log else value


@lru_cache(maxsize=512)
def pen(look: Look, ink: str, drawn: Stroke) -> QPen:
    """The pen of a stroke; it is shared, and not to be changed."""
    color = look.color(ink)
    color.setAlphaF(drawn.opacity)
    least = min(1.0, drawn.width)  # a hair stays one where it was asked for
    made = cast(QPen, pg.mkPen(color, width=max(least, drawn.width * (1 + (look.scale - 1) * 0.6))))
    if drawn.dashes:
        made.setDashPattern(drawn.dashes)
    # A bar or a dash ends at its value, not half its width on.
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    return made


def faded(look: Look, ink: str, opacity: float) -> QColor:
    """The colour of an ink that lets through what lies behind it."""
    color = look.color(ink)
    color.setAlphaF(opacity)
    return color
