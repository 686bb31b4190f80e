"""The two axes of a plot as they are painted."""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from dpstudio.charts.tick_names import moved_in
from dpstudio.gui.board.bounds import Bounds

_LEFT = Qt.AlignmentFlag.AlignRight.value | Qt.AlignmentFlag.AlignVCenter.value
_BELOW = Qt.AlignmentFlag.AlignHCenter.value | Qt.AlignmentFlag.AlignTop.value
_WHOLE = Qt.TextFlag.TextDontClip.value
Written = tuple[list[QLineF], list[QLineF], list[tuple[QRectF, str]], QRectF]


class SideAxis(Bounds, pg.AxisItem):  # type: ignore[misc]
    """An axis without SI prefixes or a title, painted anew where its range moved and only there.

    All its ticks are given: what pyqtgraph does to find them costs more than the curves. It paints
    the words that pyqtgraph would paint of them; that at the left has no line of its own.
    """

    turned = False  # whether its words read upwards
    picture: Any = None  # which pyqtgraph forgets where it has to be painted anew
    hair: Any = None  # the pen of the hairlines that cross the plot
    # In the coordinates of the plot; how far they reach into it, and px beyond both ends of the
    # axis into which words may reach.
    hairs: tuple[float, ...] = ()
    reach = 0.0
    # Of lanes: the ends of the chosen one, whether hairlines begin at the words, and the colours of
    # a wash and of the bar before it, so many px wide.
    lane: tuple[float, float] | None = None
    whole = False
    wash: Any = None
    ends = (0.0, 0.0)

    def setRange(self, mn: float, mx: float) -> None:
        if [mn, mx] != getattr(self, "range", None):  # it is asked for before there is one
            super().setRange(mn, mx)

    def updateAutoSIPrefix(self) -> None:
        self.picture = None
        self.update()

    def _updateLabel(self) -> None:
        """It has none."""
        self.updateAutoSIPrefix()

    def _adjustSize(self) -> None:
        """It has the room that it was given."""
        self.picture = None

    _updateWidth = _updateHeight = _adjustSize

    def room(self) -> float:
        """The px that it takes from the plot."""
        given = self.fixedWidth if self.orientation == "left" else self.fixedHeight
        return float(given or 0) if self.isVisible() else 0.0

    def setStyle(self, **kwds: Any) -> None:
        super().setStyle(**kwds)
        self._sized = QSizeF(-1, -1)

    def cross(
        self,
        hairs: tuple[float, ...],
        reach: float,
        lane: tuple[float, float] | None = None,
        whole: bool = False,
    ) -> None:
        """Let hairlines cross the plot, which is so many px wide or high; of lanes also the words,
        and a wash lie under the chosen `lane`."""
        asked = hairs, reach, lane, whole
        if asked != (self.hairs, self.reach, self.lane, self.whole):
            self.prepareGeometryChange()
            self.hairs, self.reach, self.lane, self.whole = asked
            self._adjustSize()
            self.update()

    def boundingRect(self) -> QRectF:
        box, left = super().boundingRect(), self.orientation == "left"
        return box.adjusted(0, 0, self.reach, 0) if left else box.adjusted(0, -self.reach, 0, 0)

    def paint(self, p: QPainter, opt: Any, widget: Any) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        p.setFont(self.style["tickFont"] or p.font())
        if self.picture is None:
            self.picture = self._written(p)
        hairs, lines, words, lane = self.picture
        if not lane.isEmpty():
            wash, bar, wide = self.wash
            p.fillRect(lane, wash)
            p.fillRect(QRectF(lane.left(), lane.top(), wide, lane.height()), bar)
        for pen, strokes in ((self.hair, hairs), (self.pen(), lines)):
            if strokes:
                p.setPen(pen)
                p.drawLines(strokes)
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
        """The hairlines, the axis and its ticks, and the words that are seen whole, each with its
        room."""
        across, high = self.size().width(), self.size().height()
        left, tick = self.orientation == "left", -self.style["tickLength"]
        span = self.range[1] - self.range[0] or 1.0
        scale = -high / span if left else across / span
        start = self.range[0] * scale - (high if left else 0.0)
        ends = sorted(end * scale - start for end in self.range)
        away = self.style["tickTextOffset"][0 if left else 1]
        lines = [] if left else [QLineF(-1, 1, across + 1, 1)]
        words, bounds = [], self.boundingRect()
        for value, text in (self._tickLevels or [()])[0]:
            at = value * scale - start
            if not (text or not left) or not ends[0] <= at <= ends[1]:
                continue
            room = p.boundingRect(QRectF(0, 0, 100, 100), Qt.AlignmentFlag.AlignCenter, text)
            wide, tall = room.width(), 0.8 * room.height()
            if left:
                rect = QRectF(across - away - wide, at - tall / 2, wide, tall)
            else:
                lines.append(QLineF(at, 0, at, -tick))
                wide, tall = (tall, wide) if self.turned else (wide, tall)
                rect = QRectF(moved_in(at, wide, across, self.ends) - wide / 2, away, wide, tall)
            # `contains` would suffer from rounding.
            if bounds & rect == rect:
                words.append((rect, text))
        hairs = [
            QLineF(0 if self.whole else across, at, across + self.reach, at)
            if left
            else QLineF(at, -self.reach, at, 0)
            for at in (value * scale - start for value in self.hairs)
            if ends[0] - 0.5 <= at <= ends[1] + 0.5
        ]
        lane = QRectF()
        if self.lane is not None:
            low, high_ = sorted(value * scale - start for value in self.lane)
            lane = QRectF(0, low, across + self.reach, high_ - low)
        return hairs, lines, words, lane
