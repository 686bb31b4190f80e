"""The layers of a chart as one item: an item for each, which pyqtgraph would keep, costs more than
what is painted of it."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem

from dpstudio.charts.figure import (
    Area,
    Axis,
    Band,
    Columns,
    Dots,
    Figure,
    Handle,
    Heat,
    Lanes,
    Layer,
    Line,
    Ribbon,
    Rule,
    Words,
)
from dpstudio.charts.inks import dashed
from dpstudio.gui.board.coordinates import PlotCoordinates
from dpstudio.gui.board.strokes import Piece, pieces
from dpstudio.gui.parts.theme import Look

BLEED = 12  # px beyond the edge of a plot in which a mark that stands there is seen
_DEPTH: dict[type[Layer], float] = {
    Heat: -20,
    Band: -10,
    Area: 0,
    Ribbon: 0.5,
    Columns: 1,
    Dots: 2,
    Line: 3,
    Rule: 4,
    Words: 5,
}


class Layers(QGraphicsItem):
    """For one plot. What of a layer is painted is kept while the layer stays as it is."""

    def __init__(self, view_box: pg.ViewBox):
        super().__init__(view_box)
        self.view_box, self.look = view_box, Look()
        self.layers: dict[str, Layer] = {}
        self._stands: tuple[Any, ...] = ()
        self._place: PlotCoordinates | None = None
        self._axes: tuple[Axis, Axis] = (Axis(""), Axis(""))
        self._made: dict[str, list[Piece]] = {}
        # Below what pyqtgraph itself holds: points to be dragged, the ring, the crosshair.
        self.setZValue(-1)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_figure(self, figure: Figure, hidden: frozenset[str], look: Look) -> None:
        """Show the layers of a figure without those `hidden`; what is shown already as it should be
        is not made anew."""
        axes = (figure.x, figure.y)
        if look != self.look or axes != self._axes:
            self._made.clear()
            self._axes, self._place = axes, None
        self.look = look
        before = self.layers
        seen = [each for each in figure.without(hidden).layers if not isinstance(each, Handle)]
        depths = [
            0 if getattr(each, "behind", False) else _DEPTH.get(type(each), 0) for each in seen
        ]
        order = sorted(range(len(seen)), key=depths.__getitem__)
        self.layers = {seen[place].key: seen[place] for place in order}
        for key, layer in self.layers.items():
            held = before.get(key)
            if held is None or type(held) is not type(layer) or not alike(held, layer):
                self._made.pop(key, None)
        for key in self._made.keys() - self.layers.keys():
            del self._made[key]
        if list(self.layers) != list(before) or len(self._made) < len(self.layers):
            self.update()

    @property
    def dashed(self) -> bool:
        """Whether a curve has dashes."""
        return dashed(self.layers.values())

    def boundingRect(self) -> QRectF:
        return self._room(BLEED)

    def _room(self, beyond: float) -> QRectF:
        """That of the plot, and so many px more on each side."""
        size = self.view_box.size()
        return QRectF(-beyond, -beyond, size.width() + 2 * beyond, size.height() + 2 * beyond)

    @property
    def place(self) -> PlotCoordinates:
        """Where the plot stands now."""
        size, (x, y) = self.view_box.size(), self.view_box.state["viewRange"]
        stands = (x[0], x[1]), (y[0], y[1]), size.width(), size.height()
        if self._place is None or stands != self._stands:
            self._made.clear()
            self._stands, self._place = stands, PlotCoordinates(self._axes, *stands)
        return self._place

    def pieces(self, key: str) -> list[Piece]:
        """What paints a layer where the plot stands now."""
        return self._all_pieces()[key]

    def _all_pieces(self) -> dict[str, list[Piece]]:
        place = self.place  # first: where the plot moved, nothing that was made stays
        if new := {key: layer for key, layer in self.layers.items() if key not in self._made}:
            self._made |= pieces(new, place, self.look)
        return self._made

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        made, room = self._all_pieces(), self._room(1.0)
        for key, layer in self.layers.items():
            marks = isinstance(layer, Words) or (isinstance(layer, Dots) and not layer.diameter)
            if not marks:
                painter.save()
                painter.setClipRect(room, Qt.ClipOperation.IntersectClip)
            for piece in made[key]:
                piece(painter)
            if not marks:
                painter.restore()


def same_picture(old: Figure | None, new: Figure) -> bool:
    """Whether two figures look and read alike, titles aside."""
    if old is None or len(old.layers) != len(new.layers):
        return old is new
    if (old.key, old.x, old.y, old.square) != (new.key, new.x, new.y, new.square):
        return False
    if not same_lanes(old.lanes, new.lanes):
        return False
    for a, b in zip(old.layers, new.layers, strict=True):
        if type(a) is not type(b) or (a.key, a.label) != (b.key, b.label) or not alike(a, b):
            return False
    return True


def same_lanes(old: Lanes | None, new: Lanes | None) -> bool:
    """Whether the words of two figures' lanes are the same, and where they can be taken."""
    if old is None or new is None:
        return old is new
    said = (old.columns, old.chosen, old.inks) == (new.columns, new.chosen, new.inks)
    said = said and old.under == new.under
    for one, other in ((old.targets, new.targets), (old.star, new.star)):
        said = said and (one is other or (not (one is None or other is None) and alike(one, other)))
    return said


def structure(figure: Figure) -> tuple[Any, ...]:
    """What must stay the same for the figure not to be another one."""
    return tuple([(type(layer), layer.key, layer.ink) for layer in figure.layers])


def alike(old: Layer, new: Layer) -> bool:
    """Whether two layers of a kind are drawn alike; what is only said of a layer is left out."""
    if old is new:
        return True
    before, now = vars(old), vars(new)
    for name, held in now.items():  # at each step, of each layer: calls would cost more
        was = before[name]
        if was is held or name in _SAID:
            continue
        if not (isinstance(was, np.ndarray) and isinstance(held, np.ndarray)):
            if type(was) is not type(held) or was != held:
                return False
        elif was.shape != held.shape or was.tobytes() != held.tobytes():
            return False
    return True


# What a layer says and nobody paints.
_SAID = ("key", "label")
