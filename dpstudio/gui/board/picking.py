"""Dots that can be taken: which lies under the pointer, and the ring that the arrow keys carry from
one to the next."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF

from dpstudio.charts.figure import Dots, Figure
from dpstudio.charts.inks import Stroke
from dpstudio.charts.scaling import to_unit
from dpstudio.gui.board.coordinates import pen, to_view
from dpstudio.gui.parts.theme import Look


class Picking:
    """For one plot. A dot is a layer and a place in it."""

    def __init__(self, plot: Any):
        self.plot = plot
        self._at: tuple[str, int] | None = None
        self._ring: Any = None
        self._look = Look()

    def at(self, figure: Figure, scene: QPointF, reach: float) -> tuple[Dots, int] | None:
        """The nearest dot within `reach` px of a point of the scene."""
        box = self.plot.vb.seen()
        best: tuple[float, Dots, int] | None = None
        for layer in _pickable(figure):
            x, y = _pixels(figure, layer, box.width(), box.height())
            across = x - (scene.x() - box.left())
            if figure.lanes is not None:  # a lane is taken anywhere along it
                across, reach = 0.0 * np.nan_to_num(across), _half(figure, box.height())
            away = np.hypot(across, y - (scene.y() - box.top()))
            away = np.where(np.isfinite(away), away, np.inf)
            place = int(np.argmin(away))
            if away[place] <= (best[0] if best else reach):
                best = float(away[place]), layer, place
        return (best[1], best[2]) if best else None

    def step(self, figure: Figure, by: int) -> tuple[Dots, int] | None:
        """Carry the ring to the next dot to the right (+1) or left (−1); of lanes, the next one
        down or up."""
        down = figure.lanes is not None
        dots = [(layer, place) for layer in _pickable(figure) for place in range(len(layer.x))]
        width, height = self.plot.vb.width(), self.plot.vb.height()
        spots = {layer.key: _pixels(figure, layer, width, height) for layer in _pickable(figure)}
        dots = [
            (layer, k)
            for layer, k in dots
            if down
            or (0 <= spots[layer.key][0][k] <= width and 0 <= spots[layer.key][1][k] <= height)
        ]
        if not dots:
            return None

        def along(dot: tuple[Dots, int]) -> tuple[float, float]:
            x, y = spots[dot[0].key][0][dot[1]], spots[dot[0].key][1][dot[1]]
            return (y, x) if down else (x, -y)

        dots.sort(key=along)
        names = [(layer.key, place) for layer, place in dots]
        here = names.index(self._at) + by if self._at in names else 0 if by > 0 else len(names) - 1
        layer, place = dots[min(max(here, 0), len(dots) - 1)]
        self._at = (layer.key, place)
        self._draw(figure)
        return layer, place

    def ringed(self, figure: Figure) -> tuple[Dots, int] | None:
        """The dot that has the ring."""
        for layer in _pickable(figure):
            if self._at is not None and layer.key == self._at[0] and self._at[1] < len(layer.x):
                return layer, self._at[1]
        return None

    def show_figure(self, figure: Figure, look: Look) -> None:
        """The ring goes with its dot."""
        if look != self._look and self._ring is not None:
            self.plot.vb.removeItem(self._ring)
            self._ring = None
        self._look = look
        if self._at is not None:
            self._draw(figure)

    def forget(self) -> None:
        """Nobody goes from dot to dot any more."""
        self._at = None
        if self._ring is not None:
            self._ring.setVisible(False)

    def _draw(self, figure: Figure) -> None:
        dot = self.ringed(figure)
        if self._ring is None:
            self._ring = pg.ScatterPlotItem(
                pen=pen(self._look, "text", Stroke((), 2)),
                brush=None,
                size=16 * self._look.scale,
                pxMode=True,
            )
            self._ring.setZValue(8)
            self.plot.vb.addItem(self._ring, ignoreBounds=True)
        self._ring.setVisible(dot is not None)
        if dot is not None:
            layer, place = dot
            self._ring.setData(
                x=to_view(figure.x, layer.x[place : place + 1]),
                y=to_view(figure.y, layer.y[place : place + 1]),
            )


def _pickable(figure: Figure) -> list[Dots]:
    if figure.lanes is not None:
        targets = figure.lanes.targets
        return [targets] if targets is not None and targets.picks else []
    return [
        layer for layer in figure.layers if isinstance(layer, Dots) and layer.picks and len(layer.x)
    ]


def _half(figure: Figure, height: float) -> float:
    """Half the height of a lane, in px of a plot area so high."""
    low, high = figure.y.range
    return height / max(1.0, high - low) / 2


def _pixels(
    figure: Figure, layer: Dots, width: float, height: float
) -> tuple[np.ndarray, np.ndarray]:
    """The dots in px of the plot area, y down."""
    return to_unit(figure.x, layer.x) * width, (1 - to_unit(figure.y, layer.y)) * height
