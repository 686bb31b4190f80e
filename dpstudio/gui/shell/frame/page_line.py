"""The line above a page: its name, and the question that it answers."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpstudio.gui.board.board import EDGE
from dpstudio.gui.parts.labels import ElidedLabel, label
from dpstudio.gui.parts.overlay_bar import OVERLAY


class PageLine(QWidget):
    """Where the page is narrow the question gives way, and is told in its tooltip. At its end stand
    the `buttons` of the page, whose height it keeps while they are hidden: the page stays where it
    is."""

    def __init__(self, *buttons: QWidget) -> None:
        super().__init__()
        self.buttons = buttons
        self.name, self.asks = label("", "page-name"), ElidedLabel("muted")
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 0, EDGE + OVERLAY, 0)
        row.setSpacing(12)
        row.addWidget(self.name)
        row.addWidget(self.asks, 1)
        for button in buttons:
            row.addWidget(button)

    def add(self, button: QWidget) -> None:
        """Another button, before the others."""
        self._row.insertWidget(2, button)

    def _high(self, size: QSize) -> QSize:
        return size.expandedTo(QSize(0, max(one.sizeHint().height() for one in self.buttons)))

    def sizeHint(self) -> QSize:
        return self._high(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._high(super().minimumSizeHint())

    def show_page(self, name: str, asks: str, useful: str) -> None:
        """Name another page; to whom it is useful, and what to do first, is its tooltip."""
        self.setToolTip(useful)
        self.name.setAccessibleDescription(useful)
        self.name.setText(name)
        self.asks.set_text(asks)
