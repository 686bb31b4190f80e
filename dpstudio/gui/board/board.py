"""The charts and tables of a lab: cards in rows, one of which can fill the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from dpstudio.gui.board.cards import Card, ChartCard
from dpstudio.gui.parts.theme import Look

if TYPE_CHECKING:
    from dpstudio.charts.figure import Figure
    from dpstudio.gui.board.table_card import TableCard
    from dpstudio.labs.findings import Table

PLAY_MS = 600
FIRST = 4
# Heights in px at normal type: two rows share what there is down to LOWEST; more are at least
# LOWEST at the size of the type, and EASY where that takes a scroll bar anyhow.
LOWEST, EASY, NARROWEST = 190, 240, 290
# A chart whose rows have names, more than this many, is high enough to show them all: px for each,
# and for what is around them.
MANY_ROWS, ROW, AROUND = 10, 17, 96
_FINE = 12  # columns of the grid: rows of 1, 2, 3 and 4 cards share them evenly


def rows_for(charts: int, tables: int, wide: bool) -> list[int]:
    """How many cards stand in each row: charts, then tables. A table stands beside one chart at
    most, for it needs room.

    Where charts do not fill the rows and no table follows, the first, the most important one, has
    more room.
    """
    if charts + tables <= 2:
        return [charts + tables] if wide or charts + tables == 1 else [1] * (charts + tables)
    across = 3 if wide and charts + bool(tables) > 4 else 2
    if not tables:
        first = charts % across
        if across == 3 and first:
            return [
                *([2] if first == 2 else [2, 2]),
                *[3] * ((charts - (2 if first == 2 else 4)) // 3),
            ]
        return [*([first] if first else []), *[across] * (charts // across)]
    rows = [across] * (charts // across)
    left = charts % across
    if left == 1:
        rows, tables = [*rows, 2], tables - 1
    elif left:
        rows.append(left)
    return [*rows, *[2] * (tables // 2), *[1] * (tables % 2)]


class _Scroll(QScrollArea):
    """It follows the focus; keys belong to the charts and, while one is presented, to the
    window."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()


class Board(QWidget):
    """The cards of the lab on the screen; those of other labs are kept. `replayed(index)`: which
    simulated answer is to be shown."""

    dragged = Signal(str, float, bool, object)
    nudged = Signal(str, int, object, float)
    picked = Signal(object)
    wanted = Signal(str, str)
    replayed = Signal(int)
    rearranged = Signal()

    def __init__(self, look: Look):
        super().__init__()
        self.look = look
        self.lab = ""
        self.hidden: dict[tuple[str, str], frozenset[str]] = {}
        self.filled: int | None = None
        self.index = 0
        self.timer = QTimer(self)
        self.timer.setInterval(PLAY_MS)
        self.timer.timeout.connect(self._next)
        self.ground = QWidget()
        self.grid = QGridLayout(self.ground)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setSpacing(10)
        self.area = _Scroll()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self.ground)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        self._charts: dict[tuple[str, str], ChartCard] = {}
        self._tables: dict[tuple[str, str], TableCard] = {}
        self._plan: tuple[Any, ...] = ()
        # Empty cards are there from the first paint on; the first findings move in.
        self._spare = [self._make_chart() for _ in range(FIRST)]
        self.items: list[Card] = list(self._spare)
        self._arrange()

    @property
    def cards(self) -> list[ChartCard]:
        """The charts on the board, in order."""
        return [card for card in self.items if isinstance(card, ChartCard)]

    def card(self, key: str) -> Card | None:
        """The chart or table of that key."""
        return next((card for card in self.items if card.key == key), None)

    def _make_chart(self) -> ChartCard:
        card = ChartCard(self.look)
        card.dragged.connect(self.dragged)
        card.nudged.connect(self.nudged)
        card.picked.connect(self.picked)
        card.wanted.connect(self.wanted)
        card.flipped.connect(self._on_flip)
        card.stepped.connect(self._next)
        card.played.connect(self._on_play)
        return card

    # What is shown

    def show_lab(self, lab: str) -> None:
        """Turn to the cards of another lab; they stand empty-handed until `show_figures` brings
        what they show."""
        if lab == self.lab:
            return
        self.stop()
        first, self.lab = not self.lab, lab
        if not first:
            self.items = []
            self._arrange()
        self.area.verticalScrollBar().setValue(0)

    def show_figures(
        self, figures: Sequence[Figure], replays: int, tables: Sequence[Table] = ()
    ) -> None:
        """Show charts, then tables; `replays` simulated answers can be stepped through on the first
        simulated chart."""
        charts = self._cards_for([figure.key for figure in figures], self._charts, self._chart)
        lists = self._cards_for([table.key for table in tables], self._tables, self._table)
        items = [*charts, *lists]
        if items != self.items:
            self._take(items)
        stepped = next((place for place, figure in enumerate(figures) if figure.simulated), -1)
        for place, (card, figure) in enumerate(zip(charts, figures, strict=True)):
            card.replays = replays if place == stepped else 0
            card.show_figure(figure)
        for listed, table in zip(lists, tables, strict=True):
            listed.show_table(table)
        self._arrange()

    def _take(self, items: list[Card]) -> None:
        alone = (
            self.items[self.filled]
            if self.filled is not None and self.filled < len(self.items)
            else None
        )
        self.items = items
        if self.filled is not None:
            self.filled = items.index(alone) if alone in items else 0 if items else None
        self._arrange()

    def _cards_for(self, keys: list[str], held: dict[tuple[str, str], Any], make: Any) -> list[Any]:
        """A card for each key: its own, else one of this lab that is out of use, else a new one."""
        idle = [place for place in held if place[0] == self.lab and place[1] not in keys]
        for key in keys:
            place = (self.lab, key)
            if place in held:
                continue
            held[place] = held.pop(idle.pop()) if idle else make()
            if isinstance(held[place], ChartCard):
                held[place].hide_layers(self.hidden.get(place, frozenset()))
        return [held[self.lab, key] for key in keys]

    def _chart(self) -> ChartCard:
        return self._spare.pop(0) if self._spare else self._make_chart()

    def _table(self) -> TableCard:
        from dpstudio.gui.board.table_card import TableCard

        card = TableCard(self.look)
        card.wanted.connect(self.wanted)
        return card

    def hide_layers(self, hidden: dict[tuple[str, str], frozenset[str]]) -> None:
        """Hide just these curves, by lab and figure."""
        self.hidden = dict(hidden)
        for place, card in self._charts.items():
            card.hide_layers(self.hidden.get(place, frozenset()))

    def _on_flip(self, key: str, hidden: frozenset[str]) -> None:
        self.hidden[self.lab, key] = hidden

    # Where it is shown

    def _rows(self) -> list[int]:
        if self.filled is not None or not self.items:
            return [1] if self.items else []
        many = len(self.cards) + (len(self.items) > len(self.cards)) > 4
        wide = self.width() >= self.look.px(NARROWEST) * (3 if many else 2) + 20
        return rows_for(len(self.cards), len(self.items) - len(self.cards), wide)

    def _arrange(self) -> None:
        """Put the cards into the grid, where they or the room have changed."""
        rows = self._rows()
        seen = self.items if self.filled is None else self.items[self.filled : self.filled + 1]
        roomy = self.width() >= 2 * self.look.px(NARROWEST)
        least = LOWEST if len(rows) <= 2 else max(LOWEST, self.look.px(LOWEST))
        if len(rows) * (least + 10) - 10 > self.height() > LOWEST:
            least = self.look.px(EASY)
        heights = [max(least, self._named(card)) for card in seen]
        plan = (tuple(rows), tuple(map(id, seen)), self.look.scale, roomy, tuple(heights))
        if plan == self._plan:
            return
        self._plan = plan
        for card in self._every():
            if card not in seen and card.parentWidget() is not None and not card.isHidden():
                card.hide()
        self._empty_grid()
        place = 0
        for row, across in enumerate(rows):
            spans = [_FINE // across] * across
            if (
                roomy
                and across == 2
                and isinstance(seen[place], ChartCard) != isinstance(seen[place + 1], ChartCard)
            ):
                spans = [
                    _FINE // 2 - 1,
                    _FINE // 2 + 1,
                ]  # a table needs more room than the chart beside it
            for column in range(across):
                self.grid.addWidget(seen[place], row, sum(spans[:column]), 1, spans[column])
                seen[place].setMinimumHeight(heights[place] if self.filled is None else 0)
                place += 1
            self.grid.setRowStretch(row, 1)
        for column in range(_FINE):
            self.grid.setColumnStretch(column, 1)
        for card in seen:
            card.dress(self.look)
            if card.isHidden():
                card.show()
        self.rearranged.emit()

    def _named(self, card: Card) -> int:
        """The height that a chart with a name for each of its rows needs."""
        rows = (
            len(card.figure.y.ticks)
            if isinstance(card, ChartCard) and card.figure is not None
            else 0
        )
        return self.look.px(ROW * rows + AROUND) if rows > MANY_ROWS else 0

    def _empty_grid(self) -> None:
        while self.grid.count():
            self.grid.takeAt(0)
        for row in range(self.grid.rowCount()):
            self.grid.setRowStretch(row, 0)

    def _every(self) -> list[Card]:
        return [*self._spare, *self._charts.values(), *self._tables.values()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    # One fills it

    def fill(self, place: int | None) -> None:
        """Let one card fill the board, or show all."""
        self.filled = place if place is None or 0 <= place < len(self.items) else None
        self._arrange()
        heart = self.items[place].heart() if place is not None and place < len(self.items) else None
        if heart is not None:
            heart.setFocus()

    def turn(self, by: int) -> None:
        """The next or previous card, while one fills the board."""
        if self.filled is not None and self.items:
            self.fill((self.filled + by) % len(self.items))

    def focused(self) -> int:
        """The card that has the focus, else the first."""
        return next(
            (
                i
                for i, card in enumerate(self.items)
                if (heart := card.heart()) is not None and heart.hasFocus()
            ),
            0,
        )

    def dress(self, look: Look) -> None:
        """Take another look; cards that are not to be seen take it when they are."""
        self.look = look
        self._arrange()
        for place, card in enumerate(self.items):
            if self.filled in (None, place):
                card.dress(look)

    # Replay

    def _on_play(self, playing: bool) -> None:
        if playing:
            self.timer.start()
        else:
            self.timer.stop()

    def _next(self) -> None:
        self.index += 1
        self.replayed.emit(self.index)

    def stop(self) -> None:
        """End every replay."""
        for card in self.cards:
            card.play.setChecked(False)
        self.timer.stop()
