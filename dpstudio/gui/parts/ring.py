"""A ring around a part of the window that is spoken of."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from dpstudio.gui.parts.theme import Look

OUT, THICK = 3, 3  # px outside of what it is around, and of its line


class Ring(QWidget):
    """Lies in the parent of what it is `around`, and so scrolls with it; it takes no mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.around: QWidget | None = None
        self.look = Look()
        self.hide()

    def show_around(self, widget: QWidget | None, look: Look) -> None:
        """Lie around a widget, or nowhere."""
        self.look = look
        if self.around is not None and widget is not self.around:
            self.around.removeEventFilter(self)
            self.around.destroyed.disconnect(self._lost)
        if widget is not None and widget is not self.around:
            widget.installEventFilter(self)
            widget.destroyed.connect(self._lost)
            self.setParent(widget.parentWidget())
        self.around = widget
        self._follow()

    def _lost(self) -> None:
        self.around = None
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (
            QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide,
        ):  # fmt: skip
            self._follow()
        return False

    def _follow(self) -> None:
        around = self.around
        parent = around.parentWidget() if around is not None else None
        if around is None or parent is None or around.isHidden():
            self.hide()
            return
        self.setGeometry(around.geometry().adjusted(-OUT, -OUT, OUT, OUT) & parent.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.look.color("accent"), THICK))
        half = THICK / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), 6, 6)
        painter.end()
