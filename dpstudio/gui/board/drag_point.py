"""The point of a chart that a person drags."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QPointF, Qt, Signal

from dpstudio.charts.figure import Figure, Handle
from dpstudio.charts.inks import Stroke
from dpstudio.charts.scaling import beyond
from dpstudio.gui.board.coordinates import edge_places, pen, to_view
from dpstudio.gui.board.strokes import ARROWS
from dpstudio.gui.parts.theme import Look


class DragPoint(pg.TargetItem):  # type: ignore[misc]
    """A point that is dragged along x; it reports where to, first what it picks, and waits to
    be moved there by new data."""

    dragged = Signal(str, float, bool)
    taken = Signal(object, bool)
    sets, symbol = "", "o"
    picks: tuple[tuple[str, Any], ...] = ()

    def __init__(self, layer: Handle, look: Look):
        super().__init__(
            symbol="o",
            size=round(13 * (1 + (look.scale - 1) * 0.6)),
            movable=True,
            pen=pen(look, "surface", Stroke((), 2)),
            brush=look.color(layer.ink),
            hoverPen=pen(look, "text", Stroke((), 2)),
            hoverBrush=look.color(layer.ink),
        )
        self._stands: tuple[Any, ...] = ()
        self.dress = layer.ink, look

    def show_layer(self, layer: Handle, figure: Figure) -> None:
        """Stand where the layer says, or at the edge of the chart nearest to it; and move what it
        moves, which may be another parameter than that of a layer that looked the same."""
        self.sets, self.picks = layer.sets, layer.picks
        stands = layer.x, layer.y, figure.x, figure.y
        if stands == self._stands:
            return
        self._stands = stands
        x, y = float(to_view(figure.x, layer.x)), float(to_view(figure.y, layer.y))
        far = beyond(figure, [layer.x], [layer.y])
        if far:
            across, up, _ = far[0]
            (x,), (y,) = edge_places(figure.x, [across]), edge_places(figure.y, [up])
        self.point(ARROWS[far[0][2]] if far else "o")
        known = bool(np.isfinite(x) and np.isfinite(y))
        self.setVisible(known)
        if known:
            self.setPos(QPointF(x, y))
            self.update()

    def update(self) -> None:
        """Be painted anew, and with it dashed curves as a whole."""
        super().update()
        layers = getattr(self.getViewBox(), "layers", None)  # none before it is in a plot
        if layers is not None and layers.dashed:
            layers.update()

    def point(self, symbol: str) -> None:
        """Look like a point, or, where it lies beyond the chart, an arrow that points there."""
        if symbol != self.symbol:
            self.symbol = symbol
            self.setPath(Symbols[symbol])

    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        event.accept()
        if event.isStart():
            if self.picks:
                self.taken.emit(self.picks, True)
            self._start = self.pos() - self.mapToParent(event.buttonDownPos())
            self._held = self.sets  # to the end, whatever the chart moves by then
        self.dragged.emit(
            self._held, float((self._start + self.mapToParent(event.pos())).x()), event.isFinish()
        )

    def mouseClickEvent(self, event: Any) -> None:
        return
