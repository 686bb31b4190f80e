"""What is read of a chart, beside the pointer: at most five lines, whole, on the side that has room
for them."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from dpstudio.charts.label_folding import folded
from dpstudio.charts.readout import MOST
from dpstudio.gui.parts.theme import Look, frame_color, measuring
from dpstudio.gui.parts.tr import shown
from dpstudio.values.messages import Message

_TYPE, _PAD, _AWAY = 12.0, 6, 14
_SHARE = 0.6  # of the view that a line may be wide


class Callout(QWidget):
    """Lies over one plot, and takes no mouse; hidden until something is said."""

    def __init__(self, view: QWidget):
        super().__init__(view)
        self.view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.look = Look()
        self.lines: tuple[str, ...] = ()
        self.hide()

    def text(self) -> str:
        """What it says, as one line."""
        return " · ".join(self.lines) if self.isVisibleTo(self.view) else ""

    def say(self, told: Sequence[Message], at: QPoint, look: Look) -> None:
        """Say this beside a point of the view, or nothing; what is told last gives way."""
        if not told:
            self.hide()
            return
        view, measure = self.view.rect(), measuring(look, _TYPE)
        pad, away = look.px(_PAD), look.px(_AWAY)
        lines: list[str] = []
        for message in told:
            more = folded(shown(message), _SHARE * view.width() - 2 * pad, measure)
            if len(lines) + len(more) > MOST:
                break
            lines += more
        sizes = [measure(line) for line in lines]
        wide = math.ceil(max(wide for wide, _ in sizes)) + 2 * pad + 1
        high = math.ceil(sum(high for _, high in sizes)) + 2 * pad
        self.look, self.lines = look, tuple(lines)
        self.setGeometry(QRect(beside(at, QSize(wide, high), view, away), QSize(wide, high)))
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(frame_color(self.look, "line"), 1))
        painter.setBrush(self.look.color("surface"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.setFont(self.look.font(_TYPE))
        painter.setPen(self.look.color("text"))
        pad = self.look.px(_PAD)
        high = (self.height() - 2 * pad) / len(self.lines)
        for place, line in enumerate(self.lines):
            room = QRect(pad, round(pad + place * high), self.width(), math.ceil(high))
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, line)
        painter.end()


def beside(at: QPoint, size: QSize, view: QRect, away: int) -> QPoint:
    """The corner of a box to the right of a point and above it, else to its left, else below:
    within the view."""
    x, y = at.x() + away, at.y() - away - size.height()
    if x + size.width() > view.right():
        x = at.x() - away - size.width()
    if y < view.top():
        y = at.y() + away
    return QPoint(
        max(view.left(), min(x, view.right() + 1 - size.width())),
        max(view.top(), min(y, view.bottom() + 1 - size.height())),
    )
