"""A plot's own coordinates: those of the data, or powers of ten on a logarithmic axis; and its
pens."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QPen

from dpstudio.charts.figure import Axis
from dpstudio.gui.parts.theme import Look

_DASHES = {"solid": Qt.PenStyle.SolidLine, "dash": Qt.PenStyle.DashLine, "dot": Qt.PenStyle.DotLine}

_BROAD = 6.0  # px from which on a line is a bar


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


def pen(look: Look, ink: str, width: float = 2.0, dash: str = "solid") -> QPen:
    made = cast(
        QPen,
        pg.mkPen(
            look.color(ink),
            width=max(1.0, width * (1 + (look.scale - 1) * 0.6)),
            style=_DASHES[dash],
        ),
    )
    if width > _BROAD:
        made.setCapStyle(Qt.PenCapStyle.FlatCap)  # a bar ends at its value, not half its width on
    return made
