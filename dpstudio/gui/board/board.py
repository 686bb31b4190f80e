"""The charts and tables of a lab: a hero, its small multiples, and what waits; any can fill the
window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from dpstudio.gui.board import grid
from dpstudio.gui.board.card_pool import CardPool
from dpstudio.gui.board.cards import Card, ChartCard
from dpstudio.gui.board.header import Header
from dpstudio.gui.board.more_line import MORE, MoreLine, entries
from dpstudio.gui.parts.layout_pass import laid_out_later
from dpstudio.gui.parts.overlay_bar import OVERLAY, OverlayBar
from dpstudio.gui.parts.theme import Look

if TYPE_CHECKING:
    from dpstudio.charts.figure import Figure
    from dpstudio.gui.board.table_card import TableCard
    from dpstudio.labs.findings import Table

PLAY_MS = 600
# A board at least that wide, in px at normal type, has the multiples beside the hero.
WIDE, GAP, ASIDE = 1080, 8, 28
EDGE = 2  # px by which a card reaches beyond its words: the ring of the focus
_ANY = 16777215  # Qt's "as high as you like"
# A chart whose rows have names, more than this many, is high enough to show them all: px for each,
# and for what is around them.
MANY_ROWS, ROW, AROUND = 6, 22, 101


class _Scroll(QScrollArea):
    """It follows the focus; keys are for the charts, and for the window while one is presented."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()


class Board(QWidget):
    """The cards of the lab on the screen; those of other labs are kept. `replayed(index)`: which
    simulated answer is to be shown; `folded`: other things are `opened`; `lowered(low)`: from now
    on the hero is there alone, and what stood above it belongs into `notes`, or no more."""

    dragged = Signal(str, float, bool, object)
    nudged = Signal(str, int, object, float)
    picked = Signal(object, bool)
    wanted = Signal(str, str)
    replayed = Signal(int)
    rearranged = Signal()
    folded = Signal()
    lowered = Signal(bool)

    def __init__(self, look: Look):
        super().__init__()
        self.look, self.sheet, self.lab = look, "", ""
        self.hidden: dict[tuple[str, str], frozenset[str]] = {}
        self.opened: set[tuple[str, str]] = set()
        self.first = ("", "")  # the chart of a lab that stands first, where that is not its hero
        self.filled: int | None = None
        self.locked = False
        self.beside = grid.ASIDE
        self.low = False
        self.index = 0
        self._led = False  # the first chart came ahead of what is shown next, and was another
        self._leads = True  # it changes under this hand, and so is worth coming ahead
        self.timer = QTimer(self)
        self.timer.setInterval(PLAY_MS)
        self.timer.timeout.connect(self._next)
        self.ground = QWidget()
        self.ground.installEventFilter(self)
        self.column = QVBoxLayout(self.ground)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(GAP)
        self.head, self.grid = Header(), QGridLayout()  # both scroll: a low window cuts neither
        self.head.column.setContentsMargins(EDGE, 0, EDGE, 0)
        self.column.addWidget(self.head)
        self.column.addLayout(self.grid, 1)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setVerticalSpacing(GAP)
        self.grid.setHorizontalSpacing(ASIDE)
        self.under = self._covered = 0  # px below it, and over it, that something else stands in
        self.foot = MoreLine(self.ground)
        self.foot.flipped.connect(self.unfold)
        self.notes = QWidget(self.ground)  # under the line that names what waits
        self.noted = False
        QVBoxLayout(self.notes).setContentsMargins(EDGE, 0, EDGE, 0)
        self.area = _Scroll()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self.ground)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, OVERLAY, 0)
        layout.addWidget(self.area)
        self.bar = OverlayBar(self.area, self)
        self._plan: tuple[Any, ...] = ()
        self._placed: list[QWidget] = []
        self.card_pool = CardPool(self, self._make_chart, self._make_table)
        # Empty cards are there from the first paint on; the first findings move in.
        self.items: list[Card] = list(self.card_pool.spare)
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
        card.setParent(self.ground)  # one that waits is in no layout yet
        card.dragged.connect(self.dragged)
        card.nudged.connect(self.nudged)
        card.picked.connect(self.picked)
        card.wanted.connect(self.wanted)
        card.flipped.connect(self._on_flip)
        card.stepped.connect(self._next)
        card.played.connect(self._on_play)
        return card

    # What is shown

    def show_lab(self, lab: str, *, at_once: bool = False) -> None:
        """Turn to the cards of another lab, which `show_figures` brings, `at_once` or later."""
        if lab == self.lab:
            return
        self.stop()
        self.let_go()
        self.head.give_back()
        first, self.lab = not self.lab, lab
        if not (first or at_once):
            self.items = []
            self._arrange()
        self.area.verticalScrollBar().setValue(0)

    def put_first(self, lab: str, key: str) -> None:
        """From now on let this chart of a lab be its hero; the one that was so follows it."""
        self.first = lab, key
        keys = [card.key for card in self.cards]
        if lab == self.lab and key in keys[1:]:
            tables = self.items[len(keys) :]
            self._take([*sorted(self.cards, key=lambda card: card.key != key), *tables])

    def show_figures(
        self,
        figures: Sequence[Figure],
        replays: int,
        tables: Sequence[Table] = (),
        beside: int = grid.ASIDE,
        fresh: bool = False,
        later: bool = False,
    ) -> list[Card]:
        """Show charts, at most `beside` small ones with the first, then tables; `replays` simulated
        answers can be stepped through on the first chart that has some, or that has stages. All
        that are `fresh` come one after the other, and what was drawn stands until then. With
        `later` what the eye follows is shown alone; the others are left, for who asked to wake
        them."""
        self.beside = beside
        lab, first = self.first
        if lab == self.lab:
            figures = sorted(figures, key=lambda figure: figure.key != first)
        charts = self.card_pool.charts_for(self.lab, [figure.key for figure in figures])
        lists = self.card_pool.tables_for(self.lab, [table.key for table in tables])
        items: list[Card] = [*charts, *lists]
        later = later and items == self.items
        # Nor does what was left before it was drawn come all at once.
        undrawn = [card for card in items if fresh or not card.drawn]
        self.card_pool.missing[:] = undrawn
        if items != self.items:
            self._take(items)
        stepped = next((i for i, one in enumerate(figures) if one.simulated or one.staged), -1)
        for place, (card, figure) in enumerate(zip(charts, figures, strict=True)):
            card.hide_layers(self.hidden.get((self.lab, figure.key), frozenset()))
            card.lock(self.locked)
            if fresh and card.view is not None:
                (card.view.reset_zoom if card.view.zoomed else card.view.held.forget)()
            card.replays = replays if place == stepped else 0
            card.hold_figure(figure)
        for listed, table in zip(lists, tables, strict=True):
            listed.hold_table(table)
        drawn = [one for one in items if one not in undrawn]
        followed = self._followed(drawn) if later else drawn
        left, self._led = [one for one in drawn if one not in followed], False
        self._leads = self._leads or self.items[:1] == followed[:1]
        for one in drawn:
            if one not in left:
                one.show_held()
        self.card_pool.later([card for card in undrawn if not card.waits])
        self._arrange()
        return left

    def show_hero(self, figure: Figure) -> bool:
        """Show another state of the first chart alone; False where another one stands there."""
        hero = self.items[0] if self.items else None
        if not isinstance(hero, ChartCard) or hero.key != figure.key or self.busy:
            return False
        hero.hold_figure(figure)
        self._led = self._leads = self._led or hero.changes
        hero.show_held()
        return True

    def mark(self, coarse: frozenset[str]) -> None:
        """Which of the charts hold values that a finer result may tell otherwise, by key."""
        for item in self.items:
            item.title.mark(item.key in coarse)

    def _followed(self, cards: Sequence[Card]) -> list[Card]:
        """Those that an eye or a hand is on: the one that fills the board, else the first that
        changes, though it came ahead, and what has the focus."""
        changed = (card for card in cards if card.changes and not card.waits)
        first = self.items[0] if self._led else next(changed, None)
        if self.filled is not None:
            first = self.items[self.filled]
        hearts = [card.heart() for card in cards]
        return [
            card
            for card, heart in zip(cards, hearts, strict=True)
            if card is first or (heart is not None and heart.hasFocus())
        ]

    @property
    def on_hero(self) -> bool:
        """Whether neither an eye nor a hand is on another chart than the first, which changes."""
        others = (card.heart() for card in self.items[1:])
        held = any(heart is not None and heart.hasFocus() for heart in others)
        return self._leads and self.filled in (None, 0) and not held

    @property
    def busy(self) -> bool:
        """Whether charts are still missing."""
        return bool(self.card_pool.missing)

    def _take(self, items: list[Card]) -> None:
        alone = [] if self.filled is None else self.items[self.filled : self.filled + 1]
        self.items = items
        if self.filled is not None:
            still = (items.index(card) for card in alone if card in items)
            self.filled = next(still, 0 if items else None)
        self._arrange()

    def _make_table(self) -> TableCard:
        from dpstudio.gui.board.table_card import TableCard

        card = TableCard(self.look)
        card.setParent(self.ground)
        card.wanted.connect(self.wanted)
        # Soon, not now: it grows while the grid lays its cards out, which may not lose them then.
        card.grown.connect(self._arrange, Qt.ConnectionType.QueuedConnection)
        return card

    def hold(self) -> None:
        """A hand was laid on something: the axes of all charts stand still until it is lifted."""
        self.card_pool.held = self._leads = True
        for card in self.cards:
            if card.view is not None:
                card.view.hold()

    def let_go(self) -> None:
        """The hand was lifted, and what it left is shown."""
        self.card_pool.held = False
        for card in self.card_pool.charts.values():
            if card.view is not None:
                card.view.let_go()

    def lock(self, locked: bool) -> None:
        """From now on all axes stand as they are seen, or as they are first seen; or go again."""
        self.locked = locked
        for card in self.card_pool.charts.values():
            card.lock(locked)

    def hide_layers(self, hidden: dict[tuple[str, str], frozenset[str]]) -> None:
        """Hide just these curves, by lab and figure."""
        self.hidden = dict(hidden)
        for place, card in self.card_pool.charts.items():
            card.hide_layers(hidden.get(place, frozenset()))

    def _on_flip(self, key: str, hidden: frozenset[str]) -> None:
        self.hidden[self.lab, key] = hidden

    # Where it is shown

    def unfold(self, key: str, open_: bool = True) -> None:
        """Show the charts that wait (MORE), or a table, or put them away."""
        (self.opened.add if open_ else self.opened.discard)((self.lab, key))
        self._arrange()
        self.folded.emit()
        if open_ and self.card(key) is not None:  # once all is laid out
            QTimer.singleShot(0, partial(self._reveal, key))

    def _reveal(self, key: str) -> None:
        """Scroll to what was asked for where it lies below the fold; its head is seen before its
        foot."""
        card = self.card(key)
        if card is not None and not card.isHidden():
            box, bar = card.geometry(), self.area.verticalScrollBar()
            foot = box.bottom() + 1 - self.area.viewport().height()
            bar.setValue(max(bar.value(), min(box.top(), foot)))

    def note(self, noted: bool) -> None:
        """Whether what stands in `notes` is asked for."""
        self.noted = noted
        self._arrange()

    def _wide(self) -> bool:
        return self.width() >= self.look.px(WIDE)

    def _places(self) -> tuple[list[grid.GridCell | None], int]:
        """A place for each of the items, None for those that are not to be seen; and the row of the
        line that names what waits."""
        if self.filled is not None:
            return [
                grid.GridCell(0, 0) if k == self.filled else None for k in range(len(self.items))
            ], -1
        charts, wide = len(self.cards), self._wide()
        beside = 0 if self.low else self.beside
        titles = [(card.key, card.title.text()) for card in self.items[charts:] if charts]
        opened = {key for lab, key in self.opened if lab == self.lab}
        waits = grid.waiting(charts, wide, beside)
        self.foot.offer(entries(waits, titles, opened, self.low))
        room = self.height() - self.head.need(self.ground.width()) - GAP
        multiples = charts - 1 - waits
        across, least = self.ground.width(), self.look.px(grid.NARROW)
        under = (self.foot.height() + GAP) * (not self.foot.empty)
        seen = room, self.height() + self.under, under
        abreast, narrow = max(1, (across + ASIDE) // (least + ASIDE)), across < least
        lead = self.cards[0].figure if self.cards else None
        low = lead is not None and lead.low
        hero, small = grid.heights_for(
            multiples, wide, seen, self.look.scale, GAP, abreast, narrow, low
        )
        hero = max(hero, min(room - under, self._named(self.items[0]))) if self.items else hero
        sizes = (hero, small, self.look.px(grid.EASY))
        tables = [card.key in opened for card in self.items[charts:]]
        return grid.places_for(charts, MORE in opened, tables, wide, sizes, beside, abreast, low)

    def _arrange(self) -> None:
        """Put the cards into the grid, where they or the room have changed."""
        low = self.filled is None and self.height() < self.look.px(grid.LOW)
        if low != self.low and self.filled is None:
            self.low = low
            self.lowered.emit(low)
        places, foot = self._places()
        heights = [
            0 if place is None or self.filled is not None else place.height or card.need()
            for card, place in zip(self.items, places, strict=True)
        ]
        notes = self.low and foot >= 0 and self.noted
        plan = (tuple(places), tuple(map(id, self.items)), tuple(heights), self.look.scale, notes)
        if plan == self._plan:
            return
        self._plan = plan
        with laid_out_later(self.column):
            self._place(places, heights, foot)
            self.notes.setVisible(notes)
        self.column.activate()
        self.rearranged.emit()

    def _place(self, places: list[grid.GridCell | None], heights: list[int], foot: int) -> None:
        seen = [c for c, place in zip(self.items, places, strict=True) if place is not None]
        for card in self.card_pool.every:
            card.waits = card not in seen
            if card.waits and card.parentWidget() is not None and not card.isHidden():
                card.hide()
        self._empty_grid()
        self._placed = [*seen, self.foot, self.notes] if foot >= 0 else [*seen]
        for card, place, high in zip(self.items, places, heights, strict=True):
            if place is None:
                continue
            row = place.row + (place.row > foot >= 0)  # below the notes
            self.grid.addWidget(card, row, place.column, place.rows, place.columns)
            card.setMinimumHeight(high)
            card.setMaximumHeight(high or _ANY)
        self.foot.setVisible(foot >= 0 and not self.foot.empty)
        if foot >= 0:
            self.grid.addWidget(self.foot, foot, 0, 1, grid.COLUMNS)
            self.grid.addWidget(self.notes, foot + 1, 0, 1, grid.COLUMNS)
        self.grid.setRowStretch(self.grid.rowCount() if self.filled is None else 0, 1)
        for column in range(grid.COLUMNS):
            self.grid.setColumnStretch(column, 1)
        for card in seen:
            self._clothe(card)
            card.enlarge(self.filled is not None)
            if card not in self.card_pool.missing:
                card.wake()
            if card.isHidden():
                card.show()

    def _named(self, card: Card) -> int:
        """The height that a chart with a name for each of its rows needs."""
        figure = card.figure if isinstance(card, ChartCard) else None
        rows = len(figure.y.ticks) if figure is not None else 0
        return self.look.px(ROW * rows + AROUND) if rows > MANY_ROWS else 0

    def _empty_grid(self) -> None:
        for widget in self._placed:
            self.grid.removeWidget(widget)
        for row in range(self.grid.rowCount()):
            self.grid.setRowStretch(row, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()  # what stands above may have grown
        return False

    def cover(self, high: int) -> None:
        """Something lies over so many px of the page: as much can be scrolled further, so that the
        last row comes out of it. Nothing moves."""
        self._covered = high
        free = 0 if self.filled is not None else max(0, high - self.under)
        if self.column.contentsMargins().bottom() != free:
            self.column.setContentsMargins(0, 0, 0, free)

    # One fills it

    def fill(self, place: int | None, look: Look | None = None, sheet: str = "") -> None:
        """Let one card (the first, where there are none yet) fill the board, or all; `dress` it."""
        self.filled = place if place in range(max(1, len(self.items))) else None
        self.cover(self._covered)
        held = self.focusWidget()
        if self.filled is not None and held is not None and held.hasFocus():
            self.setFocus()  # else Qt looks for where the focus of the card that goes could go
        self.dress(look or self.look, sheet if look else self.sheet)
        heart = self.items[place].heart() if place is not None and place < len(self.items) else None
        if heart is not None:
            heart.setFocus()

    def turn(self, by: int) -> None:
        """The next or previous card, while one fills the board."""
        if self.filled is not None and self.items:
            self.fill((self.filled + by) % len(self.items))

    def focused(self) -> int:
        """The card that has the focus, else the first."""
        hearts = [card.heart() for card in self.items]
        return next((i for i, heart in enumerate(hearts) if heart and heart.hasFocus()), 0)

    def dress(self, look: Look, sheet: str = "") -> None:
        """Take another look, and a style sheet beside the window's; cards that are not to be seen
        take them when they are: those of every lab at once would be felt."""
        if look != self.look:
            self.head.give_back()
        self.look, self.sheet = look, sheet
        self._arrange()
        for place, card in enumerate(self.items):
            if self.filled in (None, place):
                self._clothe(card)

    def _clothe(self, card: Card) -> None:
        if card.styleSheet() != self.sheet:
            card.setStyleSheet(self.sheet)
        card.dress(self.look)

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
