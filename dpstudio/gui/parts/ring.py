"""A ring around a part of the window that is spoken of."""

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from dpstudio.gui.parts.theme import Look

OUT, THICK, ROUND = 6, 3, 6  # px outside of what it is around, of its line, and of its corners


class Ring(QWidget):
    """Lies in the nearest part of the window around what it is `around` that has room beside it,
    and so scrolls, and goes, with it; it takes no mouse."""

    def __init__(self, around: QWidget, look: Look) -> None:
        chain = _within(around)
        super().__init__(chain[-1])
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.around, self.look, self._host = around, look, chain[-1]
        for widget in chain[:-1]:
            widget.installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (
            QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide,
        ):  # fmt: skip
            self._follow()
        return False

    def _follow(self) -> None:
        if not self.around.isVisibleTo(self._host):
            self.hide()
            return
        self.setGeometry(_beside(self.around, self._host) & self._host.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.look.color("accent"), THICK))
        half = THICK / 2
        box = QRectF(self.rect()).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(box, ROUND, ROUND)
        painter.end()


def _beside(around: QWidget, parent: QWidget) -> QRect:
    place = around.mapTo(parent, QPoint())
    return QRect(place, around.size()).adjusted(-OUT, -OUT, OUT, OUT)


def _within(around: QWidget) -> list[QWidget]:
    """A widget and those around it, up to the first that has room for a ring, or that scrolls."""
    chain, further = [around], around.parentWidget()
    while further is not None and not isinstance(further.parentWidget(), QAbstractScrollArea):
        chain.append(further)
        if further.rect().contains(_beside(around, further)):
            break
        further = further.parentWidget()
    return chain


class WindowRing:
    """The one ring of a window."""

    def __init__(self) -> None:
        self.ring: Ring | None = None

    @property
    def at(self) -> QWidget | None:
        """What the ring is around; None where there is none, or what it was around is gone."""
        alive = self.ring is not None and shiboken6.isValid(self.ring)
        return self.ring.around if alive and self.ring is not None else None

    def point(self, widget: QWidget | None, look: Look) -> None:
        """Lay the ring around a widget, or take it away."""
        if widget is not None and widget is self.at and self.ring is not None:
            self.ring.look = look
            self.ring.update()
            return
        if self.at is not None and self.ring is not None:
            self.ring.hide()
            self.ring.deleteLater()
        self.ring = Ring(widget, look) if widget is not None else None
