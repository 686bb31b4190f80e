"""The strip of plain numbers above the charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.parts.labels import Elided, Live
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import N_

if TYPE_CHECKING:
    from dpstudio.labs.findings import Fact, Findings

# A tile is at least as wide as its number; its name may end in an ellipsis, but not after a letter
# or two.
_NAME = 72
_GAP, _SLACK = 18, 40
_ROWS = 2


def simulates(findings: Findings) -> bool:
    """Whether anything that is shown is drawn from a seed."""
    return bool(len(findings.replays)) or any(figure.simulated for figure in findings.figures)


def columns_for(needs: Sequence[int], room: int, gap: int) -> tuple[int, int]:
    """(tiles, columns): how many of the tiles, the first ones, fit into one row or two, and in how
    many columns, in `room` px."""
    for tiles in range(len(needs), 0, -1):
        for rows in range(1, _ROWS + 1):
            columns = -(-tiles // rows)
            widths = [
                max(needs[place] for place in range(column, tiles, columns))
                for column in range(columns)
            ]
            if sum(widths) + gap * (columns - 1) <= room:
                return tiles, columns
    return min(1, len(needs)), 1


class _Value(Live):
    """A number. Where not even one has room it ends in an ellipsis, so that it is not read as
    another."""

    def words(self) -> str:
        return self.fontMetrics().elidedText(
            self.whole, Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )


class _Tile(QWidget):
    def __init__(self, strip: QWidget) -> None:
        super().__init__(strip)
        self.name, self.value, self.note = Elided("muted"), _Value("value"), Elided("muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        for widget in (self.name, self.value, self.note):
            layout.addWidget(widget)
        self.ink = ""
        self._told: tuple[object, ...] = ()
        self._needs: tuple[tuple[str, str, Look], int] | None = None

    def show_fact(self, fact: Fact, look: Look) -> None:
        """Show a fact; nothing is touched where it is told as before."""
        told = (fact.label, fact.note, fact.text, fact.ink, look)
        if told == self._told:
            return
        self._told = told
        self.name.show_text(shown(fact.label))
        self.note.show_text(shown(fact.note))
        self.value.show_text(shown(fact.text))
        ink = look.color(fact.ink).name()
        if ink != self.ink:
            self.value.setStyleSheet(f"color: {ink};")
            self.ink = ink

    def need(self, look: Look) -> int:
        """The width in px below which its number would be cut, or its name could not be told."""
        told = (self.value.text(), self.name.text(), look)
        if self._needs is None or self._needs[0] != told:
            number = QFontMetrics(look.font(20, 500)).horizontalAdvance(told[0]) + 4
            name = QFontMetrics(look.font(12)).horizontalAdvance(told[1]) + 4
            name = min(name, look.px(_NAME))
            if self.name.minimumWidth() != name:
                self.name.setMinimumWidth(name)
            self._needs = told, max(number, name)
        return self._needs[1]


class Strip(QFrame):
    """Facts in a row, or in two where they need it; what has no room then is left out, the last
    first. `fresh()` asks for new draws."""

    fresh = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.tiles: list[_Tile] = []
        self.look = Look()
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(_GAP)
        self.grid.setVerticalSpacing(6)
        self.new = QPushButton()
        self.new.setAccessibleName(tr(N_("New draws")))
        self.new.setToolTip(tr(N_("Draw the noise anew: the next seed")))
        self.new.clicked.connect(self.fresh)
        self.box = QHBoxLayout(self)
        self.box.setContentsMargins(16, 8, 16, 8)
        self.box.addLayout(self.grid, 1)
        self.box.addWidget(self.new)
        self._facts = 0
        self._plan = (0, 0)

    def minimumSizeHint(self) -> QSize:
        """As wide as one number: the rest is left out where there is no room."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Where room is short the word gives way to the numbers.
        wide = self.width() > 112 * QFontMetrics(self.font()).horizontalAdvance("0")
        self.new.setText(tr(N_("New draws")) if wide else "↻")
        self._arrange(anew=True)

    def offer_draws(self, drawn: bool) -> None:
        """New draws, where anything is drawn."""
        if self.new.isHidden() == drawn:
            self.new.setVisible(drawn)
            self._arrange(anew=True)

    @property
    def empty(self) -> bool:
        return self._facts == 0 and bool(self.tiles)

    def show_findings(self, findings: Findings, look: Look) -> None:
        while len(self.tiles) < len(findings.facts):
            self.tiles.append(_Tile(self))
        for tile, fact in zip(self.tiles, findings.facts, strict=False):
            tile.show_fact(fact, look)
        anew = look != self.look or self._facts != len(findings.facts)
        self.look, self._facts = look, len(findings.facts)
        self._arrange(anew)

    def _arrange(self, anew: bool) -> None:
        """Put the tiles where they fit. While a slider moves they go back to fewer rows only where
        there is room to spare."""
        margins = self.box.contentsMargins()
        room = self.width() - margins.left() - margins.right() - 2
        if not self.new.isHidden():
            room -= self.new.sizeHint().width() + max(0, self.box.spacing())
        needs = [tile.need(self.look) for tile in self.tiles[: self._facts]]
        plan = columns_for(needs, room, _GAP)
        if not anew and plan > self._plan:
            plan = max(self._plan, columns_for(needs, room - _SLACK, _GAP))
        if plan == self._plan:
            return
        tiles, columns = self._plan = plan
        for place, tile in enumerate(self.tiles):
            self.grid.removeWidget(tile)
            if place < tiles:
                self.grid.addWidget(tile, place // columns, place % columns)
            tile.setVisible(place < tiles)
