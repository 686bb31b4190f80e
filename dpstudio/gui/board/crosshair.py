"""Hairlines through the pointer, with its two values at their ends: what a speaker points at is
read from the last row."""

from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from dpstudio.charts.figure import Figure
from dpstudio.charts.readout import axis_value
from dpstudio.gui.board.coordinates import from_view
from dpstudio.gui.parts.theme import Look, measured
from dpstudio.gui.parts.tr import shown

_TYPE, _PAD = 12.0, 4


class Crosshair(QGraphicsItem):
    """For one plot; hidden until it is moved."""

    def __init__(self, plot: Any):
        super().__init__(plot)
        self.plot, self.look = plot, Look()
        self.at = QPointF()
        self.words: tuple[str, ...] = ("", "")
        self.setZValue(60)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.hide()

    def follow(self, scene: QPointF, figure: Figure, look: Look) -> None:
        """Stand at a point of the scene, with its value on each axis that is seen."""
        self.at, self.look = self.mapFromScene(scene), look
        at = self.plot.vb.mapSceneToView(scene)
        self.words = tuple(
            "" if axis.hidden else shown(axis_value(axis, from_view(axis, float(value))))
            for axis, value in ((figure.x, at.x()), (figure.y, at.y()))
        )
        self.show()
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(self.plot.boundingRect())

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        area = self.mapRectFromScene(self.plot.vb.seen())
        x, y = self.at.x(), self.at.y()
        painter.setPen(QPen(self.look.color("muted"), max(1.0, self.look.scale)))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        across, up = self.words
        size, pad = measured(self.look, _TYPE, 600), self.look.px(_PAD)
        high = size.height()
        wide = size.horizontalAdvance(across) + 2 * pad
        left = min(max(x - wide / 2, area.left()), area.right() - wide)
        self._word(painter, QRectF(left, area.bottom() - high, wide, high), across)
        wide = size.horizontalAdvance(up) + 2 * pad
        top = min(max(y - high / 2, area.top()), area.bottom() - 2 * high)
        self._word(painter, QRectF(area.left(), top, wide, high), up)

    def _word(self, painter: QPainter, box: QRectF, words: str) -> None:
        """Words on a ground of their own, which hides what lies below."""
        if not words:
            return
        painter.fillRect(box, self.look.color("text"))
        painter.setFont(self.look.font(_TYPE, 600))
        painter.setPen(self.look.color("surface"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
