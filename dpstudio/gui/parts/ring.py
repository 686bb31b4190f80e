"""A ring around a part of the window that is spoken of."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from dpstudio.gui.parts.theme import Look

OUT, THICK, ROUND = 3, 3, 6  # px outside of what it is around, of its line, and of its corners


class Ring(QWidget):
    """Lies in the parent of what it is `around`, and so scrolls, and goes, with it; it takes no
    mouse."""

    def __init__(self, around: QWidget, look: Look) -> None:
        super().__init__(around.parentWidget())
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.around, self.look = around, look
        around.installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (
            QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide,
        ):  # fmt: skip
            self._follow()
        return False

    def _follow(self) -> None:
        parent = self.around.parentWidget()
        if parent is None or self.around.isHidden():
            self.hide()
            return
        self.setGeometry(self.around.geometry().adjusted(-OUT, -OUT, OUT, OUT) & parent.rect())
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


class Pointing:
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
