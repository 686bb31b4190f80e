"""The plain numbers below the sentence that opens a lab."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.board.headline import unbroken, waiting
from dpstudio.gui.parts.labels import LiveLabel
from dpstudio.gui.parts.theme import Look, measuring, word_color
from dpstudio.gui.parts.tr import Again, shown, tr
from dpstudio.gui.parts.wrapping import WrappingButton
from dpstudio.values.messages import N_, Num, say

if TYPE_CHECKING:
    from dpstudio.labs.findings import Fact, Findings

LEAD = 3  # columns
FOLDS = "▸", "▾"  # before what is folded, and what is open
_GAP, _SLACK = 24, 40
_NAME = 96  # px at normal type that a name needs, which may take several lines


def simulates(findings: Findings) -> bool:
    """Whether anything that is shown is drawn from a seed."""
    if len(findings.replays) and not any(figure.staged for figure in findings.figures):
        return True
    return any(figure.simulated for figure in findings.figures)


def columns_for(needs: Sequence[int], room: int, gap: int) -> int:
    """In how many equal columns, at most LEAD, tiles of these widths fit into `room` px. One always
    stands below the other rather than being cut."""
    for columns in range(min(LEAD, len(needs)), 1, -1):
        if max(needs) <= (room - gap * (columns - 1)) // columns:
            return columns
    return 1


class _Tile(QWidget):
    def __init__(self, strip: QWidget) -> None:
        super().__init__(strip)
        self.name, self.value, self.words = (
            "",
            LiveLabel("value", wrap=True),
            LiveLabel("muted", wrap=True),
        )
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(self.value)
        layout.addWidget(self.words)
        layout.addStretch(1)
        self.ink = self.whole = ""
        self.unfolded = False
        self._told: tuple[object, ...] = ()
        self._needs: tuple[tuple[str, Look], int] | None = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            for words in (self.value, self.words):  # what was put off was measured in the old room
                words.setText(words.text())
            self._fit_words(at_once=True)

    def unfold(self, whole: bool) -> None:
        """Tell of a number all that there is, or what has room in one line below it."""
        self.unfolded = whole
        self._fit_words()

    def _fit_words(self, at_once: bool = False) -> None:
        fits = self.words.fontMetrics().horizontalAdvance(self.whole) <= self.width()
        words = self.whole if fits or self.unfolded else unbroken(self.name)
        (self.words.set_text if at_once else self.words.show_text)(words)
        tip = "" if words == self.whole else self.whole
        if self.words.toolTip() != tip:
            self.words.setToolTip(tip)

    def retell(self, _: Again) -> None:
        """The next fact is said anew, also where it is the same."""
        self._told = ()

    def show_fact(self, fact: Fact, look: Look) -> None:
        """Show a fact; nothing is touched where it is told as before."""
        told, before = (fact.label, fact.note, fact.text, fact.ink, look), self._told
        if told == before:
            return
        self._told = told
        if told[:2] != before[:2]:  # under the hand the number alone changes
            self.name, note = shown(fact.label), shown(fact.note)
            self.whole = unbroken(f"{self.name} · {note}" if note else self.name)
            self._fit_words()
        self.value.show_text(shown(fact.text))
        ink = word_color(look, fact.ink).name()
        if ink != self.ink:
            self.value.setStyleSheet(f"color: {ink};")
            self.ink = ink

    def need(self, look: Look) -> int:
        """The width in px below which a word of it would be cut."""
        told = (self.value.text(), look)
        if self._needs is None or self._needs[0] != told:
            measure = measuring(look, 20, 500)
            words = math.ceil(max([measure(w)[0] for w in told[0].split()], default=0)) + 4
            self._needs = told, max(words, look.px(_NAME))
        return self._needs[1]


class Strip(QFrame):
    """The facts that lead in a row, or in several where they need them; the button `more`, which
    stands elsewhere, shows all. In a `low` window it shows the sentences, none of the facts leads,
    and all wait behind `numbers`. `fresh()` asks for new draws, `folded()`: all are to be seen, or
    these alone."""

    fresh = Signal()
    folded = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("facts")
        self.tiles: list[_Tile] = []
        self.look = Look()
        self.whole = self.said = self.low = False  # all numbers, and all sentences, are asked for
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(_GAP)
        self.grid.setVerticalSpacing(8)
        self.new, self.more = QPushButton("↻"), QPushButton()
        self.new.setAccessibleName(tr(N_("New draws")))
        self.new.setToolTip(tr(N_("Draw the noise anew: the next seed")))
        self.new.clicked.connect(self.fresh)
        self.more.setToolTip(tr(N_("All numbers and sentences of this page")))
        self.more.setCheckable(True)
        self.more.clicked.connect(self._on_more)
        self.numbers = WrappingButton()
        self.numbers.setToolTip(tr(N_("A press shows what is folded here, or folds it away.")))
        self.numbers.setObjectName("fold")
        self.numbers.setCheckable(True)
        self.numbers.clicked.connect(self._on_numbers)
        self.numbers.hide()
        for button in (self.more, self.new):
            button.setObjectName("quiet")
            button.hide()
        self.box = QHBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addLayout(self.grid, 1)
        self._facts = self._leading = self._sentences = 0
        self._plan = (0, 0)
        self._told: tuple[Fact, ...] = ()
        self._coarse: frozenset[str] = frozenset()

    def minimumSizeHint(self) -> QSize:
        """As wide as one number: what has no room stands below."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(anew=True)

    def give_way(self, low: bool) -> None:
        """Give way in a low window, or stand there again."""
        self.low = low
        if not low:
            self.said = self.whole
        self._tell()
        self._arrange(anew=True)

    def unfold(self, whole: bool) -> None:
        """Show all, or what leads."""
        self._show(whole, whole)

    def _on_more(self, said: bool) -> None:
        self._show(self.whole if self.low else said, said)

    def _on_numbers(self, whole: bool) -> None:
        self._show(whole, self.said)

    def _show(self, whole: bool, said: bool) -> None:
        self.whole, self.said = whole, said
        self._tell()
        self._arrange(anew=True)
        self._lay_out()
        self.folded.emit()

    def offer_draws(self, drawn: bool) -> None:
        """New draws, where anything is drawn."""
        if self.new.isHidden() == drawn:
            self.new.setVisible(drawn)

    @property
    def empty(self) -> bool:
        return (self._facts == 0 and bool(self.tiles)) or (self.low and not self.whole)

    def show_findings(self, findings: Findings, look: Look) -> None:
        while len(self.tiles) < len(findings.facts):
            self.tiles.append(_Tile(self))
        sizes = (len(findings.facts), min(findings.leading, len(findings.facts)))
        anew = look != self.look or sizes != (self._facts, self._leading)
        anew |= waiting(findings) != self._sentences
        self.look, (self._facts, self._leading) = look, sizes
        self._sentences, self._told = waiting(findings), findings.facts
        self._coarse = findings.coarse
        self._tell()
        self._arrange(anew)
        self._lay_out()

    def _tell(self) -> None:
        """Let those tiles that are to be seen show their facts."""
        seen = self._told if self.whole else self._told[: self._leads]
        for tile, fact in zip(self.tiles, seen, strict=False):
            if tile.unfolded != self.whole:
                tile.unfold(self.whole)
            tile.show_fact(fact, self.look)
            for words in (tile.value, tile.words):  # which say how the number was found
                words.mark(fact.key in self._coarse)

    @property
    def _leads(self) -> int:
        """How many of the numbers are seen unasked."""
        return 0 if self.low else self._leading

    def _lay_out(self) -> None:
        """Give new words their lines at once: until the events that ask for them come round by
        themselves, the last line would be cut."""
        for widget in (self, *self.tiles[: self._plan[0]], self, self.parentWidget()):
            QCoreApplication.sendPostedEvents(widget, QEvent.Type.LayoutRequest.value)

    def _planned(self, room: int) -> tuple[int, int]:
        """How many tiles are seen, and in how many columns."""
        tiles = self._facts if self.whole else self._leads
        needs = [tile.need(self.look) for tile in self.tiles[:tiles]]
        columns = columns_for(needs, room, _GAP) if needs else 1
        return tiles if self.whole else min(tiles, columns), columns

    def _arrange(self, anew: bool) -> None:
        """Put the tiles where they fit: in one row unless all are to be seen. While a slider moves
        they go back to more columns only where there is room to spare."""
        plan = self._planned(self.width())
        if not anew and plan > self._plan:
            plan = max(self._plan, self._planned(self.width() - _SLACK))
        waits = self._facts + self._sentences - (self._leading if self.whole else plan[0])
        if self.low:
            waits = self._sentences
        self.more.setVisible(waits > 0)
        self.numbers.setVisible(self.low and self._facts > 0)
        if anew or plan != self._plan:
            self.more.setChecked(self.said)
            self.more.setText(f"− {waits}" if self.said else f"+ {waits}")
            self.more.setAccessibleName(self.more.toolTip())
            self.numbers.setChecked(self.whole)
            words = say("{n} {n:number|numbers}", n=Num(self._facts))
            self.numbers.setText(f"{FOLDS[self.whole]} {shown(words)}")
            self.numbers.setAccessibleName(shown(words))
        if plan == self._plan:
            return
        self._plan, (tiles, columns) = plan, plan
        for place, tile in enumerate(self.tiles):
            self.grid.removeWidget(tile)
            if place < tiles:
                self.grid.addWidget(tile, place // columns, place % columns)
            tile.setVisible(place < tiles)
        for column in range(LEAD):
            self.grid.setColumnStretch(column, int(column < columns))
