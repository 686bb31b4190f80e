"""The entries of a ledger, one below the other: what each holds, its cost, and the beginning of its
hash."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout

from dpstudio.files.booked import telling
from dpstudio.files.ledgers.book import BOOKED, DRAWN, MADE, State
from dpstudio.files.ledgers.chained import Entry
from dpstudio.gui.parts.labels import hair, label
from dpstudio.gui.parts.tr import shown
from dpstudio.gui.shell.release.budget import exactly
from dpstudio.values.messages import Message, listed, plain, say

_DIGITS = 16


def title_of(state: State, entry: Entry) -> str:
    """What an entry holds, in a line."""
    kind = Message(telling.KINDS[entry.body["kind"]])
    held = telling.what(state, entry)
    if entry.body["kind"] == BOOKED:
        held = listed(name for name, _ in entry.body["lines"])
    elif entry.body["kind"] == MADE:
        held = telling.titled(state)
    elif entry.body["kind"] == DRAWN:
        held = plain(entry.body["name"])
    return shown(say("{kind}: {held}", kind=kind, held=held))


class Entries(QFrame):
    """All of them, and below them, greyed, what would come next."""

    def __init__(self, dated: bool = False):
        super().__init__()
        self.dated = dated
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.body = QFrame()
        self.column.addWidget(self.body)
        self._shown: tuple[object, ...] = ()

    def show_state(self, state: State | None, to_come: str = "") -> None:
        """The entries of a ledger."""
        now = (None if state is None else state.head, to_come)
        if now == self._shown:
            return
        self._shown, before, self.body = now, self.body, QFrame()
        grid = QGridLayout(self.body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(0)
        grid.setHorizontalSpacing(12)
        entries = () if state is None else state.entries
        for entry in entries:
            assert state is not None
            self._add(grid, state, entry)
        if to_come:
            number = str(len(entries) + 1)
            _place(grid, grid.rowCount(), number, to_come, style="cell-muted")
        self.column.replaceWidget(before, self.body)
        before.hide()
        before.deleteLater()

    def _add(self, grid: QGridLayout, state: State, entry: Entry) -> None:
        row, taken = grid.rowCount(), state.withdrawn(entry.n)
        title = title_of(state, entry)
        cost = shown(telling.cost(state, entry)) if entry.body["kind"] == BOOKED else ""
        _place(grid, row, str(entry.n), title, style="cell-muted" if taken else "cell")
        under = entry.mac[:_DIGITS]
        if self.dated:
            under = f"{under} · {entry.body['at'][:16].replace('T', ' ')}"
        if taken is not None:
            under = f"{under} · {shown(telling.what(state, taken))}"
        grid.addWidget(label(under, "muted", wrap=True), row + 1, 1)
        if cost:
            costs = label(cost, "muted", wrap=True)
            costs.setToolTip(exactly(state.priced(entry)))
            grid.addWidget(costs, row + 2, 1)
        grid.setRowMinimumHeight(row + 3, 8)
        grid.addWidget(hair(), row + 4, 0, 1, 2)


def _place(grid: QGridLayout, row: int, number: str, title: str, style: str) -> None:
    for column, words in enumerate((label(number, "cell-muted"), label(title, style, wrap=True))):
        words.setIndent(0)  # else as wide as half a letter, where a style gives room around
        grid.addWidget(words, row, column, Qt.AlignmentFlag.AlignTop)
