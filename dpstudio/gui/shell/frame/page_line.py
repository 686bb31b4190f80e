"""The line above a page: its name, and the question that it answers."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpstudio.gui.parts.labels import ElidedLabel, label


class PageLine(QWidget):
    """Where the page is narrow the question gives way, and is told in its tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self.name, self.asks = label("", "page-name"), ElidedLabel("muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(12)
        row.addWidget(self.name)
        row.addWidget(self.asks, 1)

    def show_page(self, name: str, asks: str) -> None:
        """Name another page."""
        self.name.setText(name)
        self.asks.set_text(asks)
