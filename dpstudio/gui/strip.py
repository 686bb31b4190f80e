"""The strip of plain numbers above the charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.core.wording import N_
from dpstudio.gui.theme import Look
from dpstudio.gui.tr import shown, tr

if TYPE_CHECKING:
    from dpstudio.core.findings import Fact, Findings
from dpstudio.gui.widgets import Elided, Live


class _Tile(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.name, self.value, self.note = Elided("muted"), Live("value"), Elided("muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        for widget in (self.name, self.value, self.note):
            layout.addWidget(widget)
        self.ink = ""

    def show_fact(self, fact: Fact, look: Look) -> None:
        self.name.show_text(shown(fact.label))
        self.note.show_text(shown(fact.note))
        self.value.show_text(shown(fact.text))
        ink = look.color(fact.ink).name()
        if ink != self.ink:
            self.value.setStyleSheet(f"color: {ink};")
            self.ink = ink


class Strip(QFrame):
    """Facts in a row. `fresh()` asks for new draws."""

    fresh = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.tiles: list[_Tile] = []
        self.row = QHBoxLayout()
        self.row.setSpacing(18)
        self.new = QPushButton()
        self.new.setAccessibleName(tr(N_("New draws")))
        self.new.setToolTip(tr(N_("Draw the noise anew: the next seed")))
        self.new.clicked.connect(self.fresh)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.addLayout(self.row, 1)
        layout.addWidget(self.new)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Where room is short the word gives way to the numbers.
        wide = self.width() > 112 * QFontMetrics(self.font()).horizontalAdvance("0")
        self.new.setText(tr(N_("New draws")) if wide else "↻")

    def offer_draws(self, drawn: bool) -> None:
        """New draws, in a lab that draws anything."""
        self.new.setVisible(drawn)

    @property
    def empty(self) -> bool:
        return all(tile.isHidden() for tile in self.tiles) if self.tiles else False

    def show_findings(self, findings: Findings, look: Look) -> None:
        while len(self.tiles) < len(findings.facts):
            tile = _Tile()
            self.tiles.append(tile)
            self.row.addWidget(tile)
        for tile, fact in zip(self.tiles, findings.facts, strict=False):
            tile.show_fact(fact, look)
        for place, tile in enumerate(self.tiles):
            tile.setVisible(place < len(findings.facts))
