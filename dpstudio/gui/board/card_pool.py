"""The cards that there are: those of each lab that was opened, and some that are made ahead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal

from dpstudio.gui.board.cards import Card, ChartCard
from dpstudio.gui.parts.layout_pass import IdleStep

if TYPE_CHECKING:
    from dpstudio.gui.board.table_card import TableCard

Key = tuple[str, str]  # of a lab, and of a figure or table in it
C = TypeVar("C", bound=Card)
IDLE_MS = 1000
# At the start of the window, and ahead of the next lab: with a plot, without one, tables.
FIRST, PLOTS, BARE, TABLES = 3, 4, 4, 1


class CardPool(QObject):
    """Cards by lab and key. A plot takes so long to make that several at once would be felt: those
    that are missing come one after the other, and a few are made when nothing else is to be done,
    for the lab that is opened next. `complete`: the last that was missing shows what it holds."""

    complete = Signal()

    def __init__(
        self, parent: QObject, chart: Callable[[], ChartCard], table: Callable[[], TableCard]
    ):
        super().__init__(parent)
        self.charts: dict[Key, ChartCard] = {}
        self.tables: dict[Key, TableCard] = {}
        self.missing: list[Card] = []
        self.held = False  # a hand moves what is drawn: nothing is made ahead
        self._make_chart, self._make_table = partial(_unseen, chart), partial(_unseen, table)
        self.making, self._idle = IdleStep(self, self.make_next), IdleStep(self, self._when_idle)
        self.spare = [self._make_chart() for _ in range(FIRST)]
        self.spare_tables: list[TableCard] = []

    @property
    def every(self) -> list[Card]:
        """All cards that there are."""
        return [*self.spare, *self.spare_tables, *self.charts.values(), *self.tables.values()]

    def charts_for(self, lab: str, keys: Sequence[str]) -> list[ChartCard]:
        """A card for each chart of a lab: its own, else one of this lab that is out of use, else
        one that was made ahead, else a new one."""
        return _cards(self.charts, lab, keys, self._chart)

    def tables_for(self, lab: str, keys: Sequence[str]) -> list[TableCard]:
        """The same for tables."""
        return _cards(self.tables, lab, keys, self._table)

    def make_for(self, lab: str, charts: int, tables: int) -> bool:
        """Make one of the cards that a lab with so many charts and tables lacks; False where it
        lacks none."""
        return self._fill(charts - _of(lab, self.charts), tables - _of(lab, self.tables))

    def _fill(self, charts: int, tables: int) -> bool:
        """Make one card where fewer than so many wait; False where there are enough of them."""
        if len(self.spare) < charts:
            self.spare.append(self._make_chart())
        elif len(self.spare_tables) < tables:
            self.spare_tables.append(self._make_table())
        else:
            return False
        return True

    def _chart(self) -> ChartCard:
        return self.spare.pop(0) if self.spare else self._make_chart()

    def _table(self) -> TableCard:
        return self.spare_tables.pop(0) if self.spare_tables else self._make_table()

    def keep(self, lab: str) -> None:
        """Give up the cards of all other labs; they are made anew when one is turned to."""
        for held in (self.charts, self.tables):
            for key in [key for key in held if key[0] != lab]:
                card: Card = held.pop(key)
                card.hide()
                card.deleteLater()
                QCoreApplication.sendPostedEvents(card, QEvent.Type.DeferredDelete.value)

    def later(self, cards: Sequence[Card]) -> None:
        """Let these show what they hold one after the other."""
        self.missing[:] = cards
        if self.missing:
            self.making.start()

    def make_next(self) -> None:
        """Let the next show what it holds."""
        card = self.missing.pop(0) if self.missing else None
        if self.missing:
            self.making.start()
        else:
            self._idle.start(IDLE_MS)
        if card is not None:
            card.wake()
            if not self.missing:
                self.complete.emit()

    def make_spare(self) -> bool:
        """Make a card, or the plot of one, for the lab that is opened next; False where there are
        enough of them."""
        bare = next((card for card in self.spare[:PLOTS] if card.view is None), None)
        if bare is None:
            return self._fill(PLOTS + BARE, TABLES)
        bare.make_view()
        return True

    def _when_idle(self) -> None:
        if self.held or self.make_spare():
            self._idle.start(IDLE_MS)


def _unseen(make: Callable[[], C]) -> C:
    """A card that is not to be seen yet: one that is made while the page is hidden would else come
    with it."""
    card = make()
    card.hide()
    return card


def _of(lab: str, held: Collection[Key]) -> int:
    return sum(key[0] == lab for key in held)


def _cards(held: dict[Key, C], lab: str, keys: Sequence[str], make: Callable[[], C]) -> list[C]:
    idle = [place for place in held if place[0] == lab and place[1] not in keys]
    for key in keys:
        if (lab, key) not in held:
            held[lab, key] = held.pop(idle.pop()) if idle else make()
    return [held[lab, key] for key in keys]
