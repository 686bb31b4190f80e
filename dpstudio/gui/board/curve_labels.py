"""The words that stand where curves run, written by the same placing as in the exported picture."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetricsF
from PySide6.QtWidgets import QGraphicsSimpleTextItem

from dpstudio.charts.figure import Figure, Handle, Rule
from dpstudio.charts.label_ground import Placed
from dpstudio.charts.label_layout import place_labels
from dpstudio.charts.scaling import to_unit
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown


class CurveLabels:
    """For one plot."""

    def __init__(self, plot: Any):
        self.plot = plot
        self.items: dict[str, QGraphicsSimpleTextItem] = {}
        self._placed: tuple[Placed, ...] = ()
        self._placed_for: Figure | None = None

    def begin_anew(self) -> None:
        """The next ones are placed without regard to where these stand."""
        self._placed = ()
        self._placed_for = None

    def carry(self, figure: Figure) -> bool:
        """Let the labels go with their points and rules, without placing them anew.

        False where they must be placed at once, because there are other axes, or other words.
        """
        before = self._placed_for
        if before is None or not comparable(before, figure):
            return False
        layers = {layer.key: layer for layer in figure.layers}
        if any(placed.key not in layers for placed in self._placed):
            return False
        for placed in self._placed:
            item, layer, old = (
                self.items[placed.key],
                layers[placed.key],
                before.layer(placed.key),
            )
            text = shown(layer.label)
            if item.text() != text:
                item.setText(text)
            if isinstance(layer, Handle | Rule):
                (x0, y0), (x1, y1) = self._spot(before, old), self._spot(figure, layer)
                room, size = self.plot.vb.rect(), item.boundingRect()
                x = min(max(placed.x + x1 - x0, 0.0), room.width() - size.width())
                item.setPos(x, min(max(placed.y + y1 - y0, 0.0), room.height() - size.height()))
        return True

    def _spot(self, figure: Figure, layer: Handle | Rule) -> tuple[float, float]:
        """Where a point or a rule is, in pixels of the plot area; a rule counts along its own axis
        only."""
        across, up = figure.x.range[0], figure.y.range[0]
        if isinstance(layer, Handle):
            across, up = layer.x, layer.y
        elif layer.axis == "x":
            across = layer.at
        else:
            up = layer.at
        box = self.plot.vb.rect()
        x = float(to_unit(figure.x, across)) * box.width()
        y = (1 - float(to_unit(figure.y, up))) * box.height()
        return (x if math.isfinite(x) else 0.0), (y if math.isfinite(y) else 0.0)

    def write(self, figure: Figure, look: Look) -> None:
        """Place and write the labels of a figure as it is seen."""
        box, written = self.plot.vb.rect(), look.font(12.5, 500)
        if box.width() < 20 or box.height() < 20:
            return
        name = written.toString()
        self._placed = place_labels(
            figure,
            box.width(),
            box.height(),
            lambda text: _text_size(text, name),
            self._placed,
            shown,
        )
        self._placed_for = figure
        wanted = {placed.key for placed in self._placed}
        for key in [k for k in self.items if k not in wanted]:
            self.plot.scene().removeItem(self.items.pop(key))
        for placed in self._placed:
            item = self.items.get(placed.key)
            if item is None:
                item = self.items[placed.key] = QGraphicsSimpleTextItem(self.plot.vb)
                item.setZValue(50)
                item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
            color = look.color(placed.ink)
            if item.font() != written:
                item.setFont(written)
            if item.brush().color() != color:
                item.setBrush(QBrush(color))
            if item.text() != placed.text:
                item.setText(placed.text)
            if item.pos() != QPointF(placed.x, placed.y):
                item.setPos(placed.x, placed.y)


def comparable(old: Figure, new: Figure) -> bool:
    """Whether a place in one still means something in the other: the same axis, and ranges that
    overlap."""
    same = (old.x.label, old.x.log, old.x.ticks) == (new.x.label, new.x.log, new.x.ticks)
    return same and old.x.range[0] < new.x.range[1] and new.x.range[0] < old.x.range[1]


@lru_cache(maxsize=4000)
def _text_size(text: str, font: str) -> tuple[float, float]:
    # Measuring text, not data: the same words are measured in every frame of a drag.
    made = QFont()
    made.fromString(font)
    size = QFontMetricsF(made)
    return size.horizontalAdvance(text), size.height()
