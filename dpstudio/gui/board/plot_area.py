"""The plot area: the part of a plot that shows the curves."""

from collections.abc import Callable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QTransform

from dpstudio.charts.figure import Figure, Handle
from dpstudio.gui.board import bounds, drag_point, layers
from dpstudio.gui.parts.theme import Look

_ABOVE = 6  # the curves


class PlotArea(bounds.Bounds, pg.ViewBox):  # type: ignore[misc]
    """It shows the range that it is given, no more: what pyqtgraph asks besides (limits, aspects,
    padding, ranges found by itself) is not asked for here, at every step of a slider."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False, defaultPadding=0)
        self.setMouseEnabled(x=True, y=False)
        self.disableAutoRange()
        self.layers = layers.Layers(self)
        self.knobs: dict[str, drag_point.DragPoint] = {}

    beyond = layers.BLEED

    def seen(self) -> QRectF:
        """Its room in the scene."""
        return QRectF(self.mapRectToScene(self.rect()))

    def renew_knobs(
        self,
        figure: Figure,
        look: Look,
        drag: Callable[[str, float, bool], None],
        take: Callable[[object, bool], None],
    ) -> None:
        """Make the points of a figure that are dragged; those that look as they do already stay:
        under a hand other layers come and go, and a point costs as much as a paint."""
        wanted = {layer.key: layer for layer in figure.layers if isinstance(layer, Handle)}
        dress = {key: (layer.ink, look) for key, layer in wanted.items()}
        stay = {key: knob for key, knob in self.knobs.items() if knob.dress == dress.get(key)}
        for key in self.knobs.keys() - stay.keys():
            knob = self.knobs[key]
            knob.dragged.disconnect()
            knob.taken.disconnect()
            self.removeItem(knob)
        self.knobs = {
            key: stay.get(key) or drag_point.DragPoint(layer, look) for key, layer in wanted.items()
        }
        for place, (key, knob) in enumerate(self.knobs.items()):
            knob.setZValue(_ABOVE + place / 1000)  # the last above the others, whichever came first
            if key not in stay:
                # Straight to a method: a closure here would keep view and items alive for ever.
                knob.dragged.connect(drag)
                knob.taken.connect(take)
                self.addItem(knob, ignoreBounds=True)

    def show_figure(self, figure: Figure, hidden: frozenset[str], look: Look) -> None:
        """Show the layers of a figure without the curves that are `hidden`, and its points."""
        self.layers.show_figure(figure, hidden, look)
        for layer in figure.layers:
            if isinstance(layer, Handle):
                self.knobs[layer.key].show_layer(layer, figure)

    def show_range(self, x: list[float], y: list[float]) -> None:
        """Show these ends, in the plot's own coordinates."""
        shown = self.state["viewRange"]
        changed = [shown[0] != x, shown[1] != y]
        self.state["targetRange"] = [x[:], y[:]]
        if not any(changed):
            return
        self.state["viewRange"] = [x[:], y[:]]
        self._matrixNeedsUpdate, self._viewPixelSizeCache = True, None
        for axis, signal in enumerate((self.sigXRangeChanged, self.sigYRangeChanged)):
            if changed[axis]:
                signal.emit(self, tuple(self.state["viewRange"][axis]))
        self.sigRangeChanged.emit(self, self.state["viewRange"], changed)
        self.update()

    def resizeEvent(self, event: Any) -> None:
        self._viewPixelSizeCache, self._matrixNeedsUpdate = None, True
        self.sigResized.emit(self)

    def updateMatrix(self, changed: Any = None) -> None:
        if not self._matrixNeedsUpdate:
            return
        (left, right), (low, high) = self.state["viewRange"]
        if left == right or low == high:
            return
        size = self.size()
        across, up = size.width() / (right - left), size.height() / (high - low)
        self.childGroup.setTransform(QTransform(across, 0, 0, -up, -left * across, high * up))
        self._matrixNeedsUpdate = False
        self.layers.update()
        self.sigTransformChanged.emit(self)
