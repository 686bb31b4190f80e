"""The names beside and above a plot, placed as in the exported picture and painted by one item."""

from functools import lru_cache
from operator import is_
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QStaticText
from PySide6.QtWidgets import QGraphicsItem

from dpstudio.charts.axis_titles import HERO, Titles, laid_out
from dpstudio.charts.figure import Figure
from dpstudio.charts.inks import dashed
from dpstudio.charts.label_layout import GROUND, Layout, Placed, Points
from dpstudio.charts.lanes import SIZE, STRONG, USUAL
from dpstudio.gui.board.coordinates import faded, pen
from dpstudio.gui.parts.theme import Look, measuring, word_color
from dpstudio.gui.parts.tr import shown

_TYPE, _TITLE = (12, 500), (12, 400)  # size and weight of names, and of titles of axes
_TYPES = (_TYPE, _TITLE, (SIZE, USUAL), (SIZE, STRONG), HERO)
_NONE = Titles(None, None, False, 0.0)


class CurveLabels(QGraphicsItem):
    """For one plot."""

    def __init__(self, plot: Any):
        super().__init__(plot)
        self.plot, self.look = plot, Look()
        self.layout, self.titles, self.row = Layout(), _NONE, 0.0
        self._of: Any = None  # what they were placed for
        self.setZValue(50)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    @property
    def standing(self) -> tuple[Layout, Titles, Any]:
        """The names and titles, and what they were placed for."""
        return self.layout, self.titles, self._of

    @standing.setter
    def standing(self, stood: tuple[Layout, Titles, Any]) -> None:
        self.layout, self.titles, self._of = stood
        self.update()

    def begin_anew(self) -> None:
        """The next names take the room that they need, whatever these took."""
        self.layout, self._of = Layout(), None
        self.update()

    def place(
        self, figure: Figure, look: Look, width: float, height: float, left: float = 0.0
    ) -> tuple[float, float]:
        """Place the names of a figure as it is seen, and the titles of its axes, in a plot that has
        this room with them and numbers `left` px wide at its side; the px that they take at the
        right and above."""
        if width < 40 or height < 40:
            return self.layout.gutter, self.layout.head
        if self._placed((figure, look, width, height, left)):
            return self.layout.gutter, self.layout.head
        before, self.look = (self.layout, self.titles), look
        measures = tuple([measuring(look, *type_) for type_ in _TYPES])
        # Without names there the last number of the axis below needs some room.
        end = 0 if figure.x.hidden else look.px(14)
        least = max(self.layout.gutter, end), self.layout.head
        self.layout, self.titles = laid_out(figure, (width, height), left, measures, least, shown)
        if (self.layout, self.titles) != before:
            self.update(self._touched(*before, figure))
        return self.layout.gutter, self.layout.head

    def _placed(self, of: tuple[Figure, Look, float, float, float]) -> bool:
        """Whether the names stand for just these layers on these axes: a plot that gave way to them
        asks once more."""
        before, self._of = self._of, of
        if before is None or before[1:] != of[1:]:
            return False
        old, new = before[0], of[0]
        alike = (old.key, old.x, old.y, old.hushed) == (new.key, new.x, new.y, new.hushed)
        same = len(old.layers) == len(new.layers) and all(map(is_, old.layers, new.layers))
        return alike and same and old.lanes is new.lanes and old.told == new.told

    def lower(self, row: float) -> None:
        """Let the title of x stand so many px below the plot."""
        if row != self.row:
            self.row = row
            self.update()

    def _touched(self, before: Layout, titles: Titles, figure: Figure) -> QRectF:
        """Where names came, went or moved, with what leads to them: under the hand often but one
        of them moves, and the chart is painted there alone, unless a curve is dashed."""
        moved = (before.gutter, before.head) != (self.layout.gutter, self.layout.head)
        if moved or titles != self.titles or dashed(figure.layers):
            return self.boundingRect()
        out = QRectF()
        for label in {*before.grounds, *before.labels} ^ {
            *self.layout.grounds,
            *self.layout.labels,
        }:
            out |= _around(label)
        return out.translated(self.plot.vb.pos())

    def boundingRect(self) -> QRectF:
        return QRectF(self.plot.boundingRect())

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self.plot.vb.pos())
        for label in (*self.layout.grounds, *self.layout.labels):
            type_ = label.type if label.type[0] else _TYPE
            painter.setFont(_font(self.look, *type_))
            self._lines(painter, label)
            if label.swatch:
                self._swatch(painter, label)
            painter.setPen(word_color(self.look, label.ink))
            high = label.height / len(label.lines)
            for number, line in enumerate(label.lines):
                painter.drawStaticText(QPointF(label.x, label.y + number * high), _still(line))
            if label.value:
                right = label.x + label.width - measuring(self.look, *type_)(label.value)[0]
                painter.drawStaticText(QPointF(right, label.y), _still(label.value))
        painter.setFont(_font(self.look, *_TITLE))
        painter.setPen(self.look.color("muted"))
        for title, down in (
            (self.titles.y, 0.0),
            (self.titles.x, self.plot.vb.height() + self.row),
        ):
            if title is not None:
                painter.drawStaticText(QPointF(title.x, title.y + down), _still(title.text))

    def words_at(self, at: QPointF) -> str:
        """The name of a curve, or the title of an axis, at a place of the plot."""
        at = at - self.plot.vb.pos()
        down = self.plot.vb.height() + self.row
        named = [(label, " ".join(label.lines), 0.0) for label in self.layout.labels]
        titles = ((self.titles.y, 0.0), (self.titles.x, down))
        named += [(title, title.text, moved) for title, moved in titles if title is not None]
        for label, text, moved in named:
            if QRectF(label.x, label.y + moved, label.width, label.height).contains(at):
                return text
        return ""

    def _lines(self, painter: QPainter, label: Placed) -> None:
        """What leads to a name, or the sample before it."""
        ink = "muted" if label.ink == "text" else label.ink
        leader = label.leader if label.sample is None else ()
        for points, dotted in ((leader, False), (label.dotted, True)):
            if points:
                painter.setPen(_thin(self.look, ink, dotted))
                painter.drawPolyline(_polygon(points))
        if label.sample is not None:
            painter.setPen(pen(self.look, label.ink, label.sample))
            painter.drawPolyline(_polygon(label.sampled))

    def _swatch(self, painter: QPainter, label: Placed) -> None:
        """The mark of what fills, or of dots, left of its name."""
        high = label.height / len(label.lines)
        side = 0.62 * high
        box = QRectF(label.x - 0.35 * high - side, label.y + 0.19 * high, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        if label.swatch == GROUND:
            room = QRectF(label.x, label.y, label.width, label.height)
            painter.fillRect(room, faded(self.look, label.ink, label.opacity))
        elif label.swatch == "dot":
            painter.setBrush(self.look.color(label.ink))
            middle, across = box.center(), [QPointF(x, -y) * side for x, y in label.corners]
            if across:
                painter.drawPolygon([middle + corner for corner in across])
            else:
                painter.drawEllipse(box)
        else:
            painter.setBrush(faded(self.look, label.ink, label.opacity))
            painter.drawRect(box)


def _around(label: Placed) -> QRectF:
    """The room of a name, of the mark or sample before it, and of what leads to it."""
    line = label.height / len(label.lines)
    box = QRectF(label.x, label.y, label.width, label.height).adjusted(-1.3 * line, 0, 0, 0)
    for x, y in (*label.leader, *label.dotted):
        box = box.united(QRectF(x, y, 1, 1))
    return box.adjusted(-line / 2, -line / 2, line / 2, line / 2)


def _polygon(points: Points) -> list[QPointF]:
    return [QPointF(x, y) for x, y in points]


@lru_cache(maxsize=64)
def _font(look: Look, size: float, weight: int) -> QFont:
    return look.font(size, weight)


@lru_cache(maxsize=256)
def _thin(look: Look, ink: str, dotted: bool) -> QPen:
    style = Qt.PenStyle.DotLine if dotted else Qt.PenStyle.SolidLine
    return QPen(look.color(ink), 1.0, style)


@lru_cache(maxsize=1000)
def _still(text: str) -> QStaticText:
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    return made
