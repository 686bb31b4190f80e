"""Words that stand in a chart, as they are painted."""

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPolygonF

from dpstudio.charts.figure import Words
from dpstudio.charts.inks import shape
from dpstudio.charts.written import Written, size_of, written
from dpstudio.gui.board.coordinates import PlotCoordinates
from dpstudio.gui.parts.theme import Look, measured, measuring, word_color
from dpstudio.gui.parts.tr import shown

_USUAL, _STRONG = 500, 600  # weights, of names beside a plot and of what is said loudly


def words_painted(
    layer: Words, place: PlotCoordinates, look: Look
) -> list[Callable[[QPainter], None]]:
    """What paints the words of a layer."""
    weight = _STRONG if layer.strong else _USUAL
    places = np.stack((place.x(layer.x), place.y(layer.y)), axis=1)
    room = place.width, place.height
    size = size_of(layer, room, look.scale)
    measure = measuring(look, size, weight)
    lines = tuple(written(layer, places, place.axes, room, measure, shown))
    rise = measured(look, size, weight).ascent()
    color = word_color(look, layer.ink)
    return [partial(_said, lines, rise, look.font(size, weight), color, layer.mark)]


def _said(
    lines: tuple[Written, ...],
    rise: float,
    font: QFont,
    color: QColor,
    mark: str,
    painter: QPainter,
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setFont(font)
    for line in lines:
        painter.setPen(color)
        painter.drawText(QPointF(line.left, line.top + rise), line.text)
        if line.mark is not None:
            x, y, side = line.mark
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            corners = [QPointF(x + side * across, y - side * up) for across, up in shape(mark)]
            painter.drawPolygon(QPolygonF(corners), Qt.FillRule.WindingFill)
