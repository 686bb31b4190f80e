"""The first minute: four doors and three hints at the foot of the first page, until they were
closed or gone through once. They lie over no chart: the page keeps room for them below its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout

from dpstudio.files.tables import example
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.waiting import WaitingBar
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.pages import GROUP_PAGES, LESSONS, Pages
from dpstudio.gui.state.store import Store
from dpstudio.labs import LABS
from dpstudio.values.messages import N_

HINTS = (
    N_("Drag ε: the curve follows."),
    N_("Space lets simulated answers fall."),
    N_("Ctrl+Z takes back every step."),
)
_AROUND = 16  # px around the bar
Do = Callable[[], object]


class DoorsBar(WaitingBar):
    """A button for each door, by its words, in one line or two, and the hints, which give way."""

    def __init__(self, doors: Mapping[str, Do], shut: Do):
        super().__init__()
        self.setAccessibleName(tr(N_("First minute")))
        column, row, told = QVBoxLayout(self), QHBoxLayout(), QHBoxLayout()
        self.lines, self._across = QGridLayout(), 0
        column.setContentsMargins(12, 6, 6, 6)
        column.setSpacing(6)
        self.lines.setSpacing(8)
        self.doors = {words: push(words) for words in doors}
        for words, button in self.doors.items():
            button.clicked.connect(doors[words])
        self._lie(len(doors))
        row.addLayout(self.lines)
        row.addStretch()
        self.shut = push("×", "quiet", tr(N_("Close the doors of the first minute")))
        self.shut.clicked.connect(shut)
        row.addWidget(self.shut)
        self.hints = [label(tr(hint), "muted") for hint in HINTS]
        for hint in self.hints:
            told.addWidget(hint)
            told.addSpacing(16)
        told.addStretch()
        column.addLayout(row)
        column.addLayout(told)

    def fold(self, wide: int) -> None:
        """All doors in one line, or where that is not so wide in two."""
        self._lie(len(self.doors) if self._least(len(self.doors)) <= wide else 2)

    def _lie(self, across: int) -> None:
        if across != self._across:
            self._across = across
            for place, button in enumerate(self.doors.values()):
                self.lines.addWidget(button, *divmod(place, across))

    def need(self, hinted: bool) -> int:
        """The height that it needs with its hints, or without."""
        lines = -(-len(self.doors) // self._across)
        high = lines * (self.shut.sizeHint().height() + 8) + 6
        return high + (self.hints[0].sizeHint().height() + 6 if hinted else 0)

    def wide(self, hinted: bool) -> int:
        """The width below which words would be cut."""
        hints = sum(each.sizeHint().width() + 16 for each in self.hints) if hinted else 0
        return max(self._least(self._across), hints + 18)

    def _least(self, across: int) -> int:
        """That of so many doors in a line."""
        wide = [each.sizeHint().width() + 8 for each in self.doors.values()]
        columns = (max(wide[place::across]) for place in range(across))
        return sum(columns) + self.shut.sizeHint().width() + 18

    def hint(self, hinted: bool) -> None:
        """Show the hints, or not."""
        for each in self.hints:
            if each.isHidden() == hinted:
                each.setVisible(hinted)


class FirstMinute(QObject):
    """Shows the doors where there is room for them: on the first page, while nothing is presented.
    `talking` tells whether a talk or a lesson is gone through."""

    def __init__(
        self, window: Window, pages: Pages, doors: Mapping[str, Do], talking: Callable[[], bool]
    ):
        super().__init__(window)
        self.window, self.pages, self.talking = window, pages, talking
        self.on = not window.kept.begun
        self._kept = 0  # px, below the charts
        gone = {words: self._through(do) for words, do in doors.items()}
        self.bar = DoorsBar(gone, self.close)
        window.bars.add(self.bar)
        window.style_sheets.add(self.bar)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._fit)
        window.presented.connect(self.look)
        window.resized.connect(self.look)
        window.theme.changed.connect(self.look)
        window.board.rearranged.connect(self.look)
        pages.turned.connect(self.look)
        for other in (window.question, window.message):
            other.installEventFilter(self)
        if self.on:
            pages.turned.connect(self._unfold)
            pages.store.changed.connect(self._on_table)

    def _unfold(self) -> None:
        """At the first launch the group Start is open, whichever page is shown."""
        self.pages.turned.disconnect(self._unfold)
        self.pages.nav.unfold(LESSONS.question)

    def _on_table(self, store: Store) -> None:
        """Who has opened a table of their own has begun."""
        if store.data is not None and example(store.data.origin) is None:
            self.pages.store.changed.disconnect(self._on_table)
            self.close()

    def _through(self, do: Do) -> Do:
        def go() -> None:
            self.close()
            do()

        return go

    def close(self) -> None:
        """Closed once, gone for good."""
        self.on = False
        self.window.kept.keep_begun()
        self._fit()

    def again(self) -> None:
        """Back, as the menu of help asks; where they have no room, the page Start has the same."""
        self.on = True
        self.pages.bring(LABS[0].key)
        self._fit()
        if self.bar.isHidden() and self.pages.page == LABS[0].key:
            self.on = False
            start = next(key for key, name in GROUP_PAGES.items() if name == LESSONS.question)
            self.pages.bring(start)

    def look(self, _: object = None) -> None:
        """There may be another room for them, or none."""
        if self.on:
            self._soon.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self.look()
        return False

    def _fit(self) -> None:
        here = self.on and self.pages.page == LABS[0].key
        here = here and not self.window.presenting and not self.talking()
        found = self._room() if here else None
        if found is None:
            self._stand(False, 0)
            return
        self.bar.fold(found)
        hinted, fits = self.bar.wide(True) <= found, self.bar.wide(False) <= found
        self.bar.hint(hinted)
        # What asks or tells stands in their room meanwhile, and covers no chart either.
        others = any(not bar.isHidden() for bar in (self.window.question, self.window.message))
        self._stand(fits and not others, self.bar.need(hinted) + _AROUND if fits else 0)

    def _stand(self, seen: bool, kept: int) -> None:
        """Be seen, in so much room that the page keeps below its charts, or not."""
        if kept != self._kept:
            self._kept = kept
            self.window.keep_foot(kept)
        self.bar.fill(seen)

    def _room(self) -> int | None:
        """The width of the page; None where there is no chart yet."""
        view = next((card.view for card in self.window.board.cards), None)
        seen = view is not None and view.isVisible()
        return self.window.sheet.width() - _AROUND if seen else None
