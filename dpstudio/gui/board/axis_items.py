"""The two axes of a plot as they are painted."""

from __future__ import annotations

import html
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QTextOption

from dpstudio.gui.board.bounds import Bounds

_LEFT = Qt.AlignmentFlag.AlignRight.value | Qt.AlignmentFlag.AlignVCenter.value
_BELOW = Qt.AlignmentFlag.AlignHCenter.value | Qt.AlignmentFlag.AlignTop.value
_WHOLE = Qt.TextFlag.TextDontClip.value
Written = tuple[list[QLineF], list[tuple[QRectF, str]]]


class SideAxis(Bounds, pg.AxisItem):  # type: ignore[misc]
    """An axis without SI prefixes, painted anew where its range moved and only there; its title
    stays, which pyqtgraph would lay out again.

    All its ticks are given: what pyqtgraph does to find them costs more than the curves. It paints
    what pyqtgraph would paint of them.
    """

    turned = False  # whether its words read upwards
    picture: Any = None  # which pyqtgraph forgets where it has to be painted anew

    def setRange(self, mn: float, mx: float) -> None:
        if [mn, mx] != getattr(self, "range", None):  # it is asked for before there is one
            super().setRange(mn, mx)

    def updateAutoSIPrefix(self) -> None:
        self.picture = None
        self.update()

    def _updateLabel(self) -> None:
        """Pens and ranges leave the title as it is, which would else be read anew for each."""
        self.updateAutoSIPrefix()

    def _adjustSize(self) -> None:
        """It has the room that it was given."""
        self.picture = None

    _updateWidth = _updateHeight = _adjustSize

    def room(self) -> float:
        """The px that it takes from the plot."""
        given = self.fixedWidth if self.orientation == "left" else self.fixedHeight
        return float(given or 0) if self.isVisible() else 0.0

    def entitle(self, lines: tuple[str, ...], color: QColor, size: int) -> None:
        """Take a title of type `size` px high."""
        self.label.setTextWidth(-1)
        self.label.document().setDefaultTextOption(QTextOption(Qt.AlignmentFlag.AlignHCenter))
        self.setLabel("<br>".join(map(html.escape, lines)))
        style = f"color: {color.name()};font-size: {size}px"
        self.label.setHtml(f"<span style='{style}'>{self.labelText} </span>")
        if len(lines) > 1:
            # Lines are centred about each other only in a document that has a width.
            self.label.setTextWidth(self.label.document().idealWidth())
        self.resizeEvent(None)  # which places it

    def setStyle(self, **kwds: Any) -> None:
        super().setStyle(**kwds)
        self._sized = QSizeF(-1, -1)

    def paint(self, p: QPainter, opt: Any, widget: Any) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        p.setFont(self.style["tickFont"] or p.font())
        if self.picture is None:
            self.picture = self._written(p)
        lines, words = self.picture
        p.setPen(self.pen())
        p.drawLines(lines)
        p.setPen(self.textPen())
        flags = (_LEFT if self.turned or self.orientation == "left" else _BELOW) | _WHOLE
        for rect, text in words:
            if self.turned:
                p.save()
                p.translate(rect.bottomLeft())
                p.rotate(-90)
                rect = QRectF(0, 0, rect.height(), rect.width())
            p.drawText(rect, flags, text)
            if self.turned:
                p.restore()

    def _written(self, p: QPainter) -> Written:
        """The axis and its ticks, and the words that are seen whole, each with its room."""
        across, high = self.size().width(), self.size().height()
        left, tick = self.orientation == "left", -self.style["tickLength"]
        span = self.range[1] - self.range[0] or 1.0
        scale = -high / span if left else across / span
        start = self.range[0] * scale - (high if left else 0.0)
        ends = sorted(end * scale - start for end in self.range)
        away = self.style["tickTextOffset"][0 if left else 1]
        lines = [
            QLineF(across - 1, -1, across - 1, high + 1) if left else QLineF(-1, 1, across + 1, 1)
        ]
        words, bounds = [], self.boundingRect()
        for value, text in (self._tickLevels or [()])[0]:
            at = value * scale - start
            if not ends[0] <= at <= ends[1]:
                continue
            room = p.boundingRect(QRectF(0, 0, 100, 100), Qt.AlignmentFlag.AlignCenter, text)
            wide, tall = room.width(), 0.8 * room.height()
            if left:
                lines.append(QLineF(across, at, across + tick, at))
                rect = QRectF(across - away - wide, at - tall / 2, wide, tall)
            else:
                lines.append(QLineF(at, 0, at, -tick))
                wide, tall = (tall, wide) if self.turned else (wide, tall)
                rect = QRectF(at - wide / 2, away, wide, tall)
            # `contains` would suffer from rounding.
            if bounds & rect == rect:
                words.append((rect, text))
        return lines, words


class BottomAxis(SideAxis):
    """The bottom axis. Its title stands below the middle, or as near to it as it is seen whole."""

    right = 0

    def resizeEvent(self, event: Any = None) -> None:
        super().resizeEvent(event)
        if self.label is not None:
            most = self.size().width() + self.right - self.label.boundingRect().width()
            self.label.setX(min(self.label.x(), most))
