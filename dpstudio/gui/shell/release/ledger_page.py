"""The page of a ledger: what was asked of a population, what it cost, what is left; and whether a
certificate is of it. Here its cap is raised, and answers are withdrawn."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout

from dpstudio.files.booked.telling import fixed, titled
from dpstudio.files.booked.verify import Found
from dpstudio.files.ledgers.book import State
from dpstudio.gui.parts.buttons import Words, push
from dpstudio.gui.parts.labels import ElidedLabel, ProblemLabel, label
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.release.budget import Budget
from dpstudio.gui.shell.release.changes import Changes
from dpstudio.gui.shell.release.entries import Entries
from dpstudio.values.messages import N_, Message, say

_WIDEST = 720  # px at normal type: a line that is longer is not read
_HOLDS, _FAILS = "✓ {told}", "✗ {told}"


class LedgerPage(QScrollArea):
    """`opening`: another ledger is to be opened; `own`: that of the user; `checking`: a certificate
    is to be verified against it; `desk`: to the desk. `rearranged`: widgets came or went."""

    opening = Signal()
    own = Signal()
    checking = Signal()
    desk = Signal()
    rearranged = Signal()

    def __init__(self, theme: Theme):
        super().__init__()
        self.theme, ground = theme, QFrame()
        ground.setObjectName("sheet")
        self.column = QVBoxLayout(ground)
        self.column.setSpacing(8)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(ground)
        self.headline, self.path = label("", "headline", wrap=True), ElidedLabel("muted")
        self.open, self.check = (
            push(tr(N_("Open a ledger …"))),
            push(tr(N_("Verify a certificate …"))),
        )
        self.to_desk = push(tr(N_("Release desk")))
        self.to_own = push(tr(N_("Without a ledger of its own")))
        self.to_own.setToolTip(tr(N_("What left of tables that no ledger was named for")))
        self.changes = Changes()
        self.trouble, self.budget, self.entries = (
            ProblemLabel(),
            Budget(theme, whole=True),
            Entries(dated=True),
        )
        self.told, self.found = QFrame(), QFrame()
        ways = Words()
        for way in (self.open, self.check, self.to_own, self.to_desk):
            ways.add(way)
        self.column.addWidget(label(tr(N_("Ledger")), "page-name"))
        for part in (self.headline, self.path, ways, self.trouble, self.found, self.budget):
            self.column.addWidget(part)
        for part in (self.told, self.changes, self.entries):
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.open.clicked.connect(self.opening)
        self.check.clicked.connect(self.checking)
        self.to_own.clicked.connect(self.own)
        self.to_desk.clicked.connect(self.desk)
        self.show_nothing()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beyond = self.viewport().width() - self.theme.look.px(_WIDEST)
        self.column.setContentsMargins(24, 16, max(24, beyond), 16)

    def show_nothing(self) -> None:
        """No ledger is open."""
        self.headline.setText(tr(N_("What left before, and how much budget is left?")))
        self.path.show_text(tr(N_("Open a ledger, or make one at the release desk.")))
        self.check.setEnabled(False)

    def show_state(self, path: str, state: State, found: Sequence[Found]) -> None:
        """A ledger that was opened, and what holds of a certificate."""
        self.trouble.say("")
        self.changes.show_state(state)
        self.headline.setText(shown(titled(state)))
        self.path.show_text(path)
        self.check.setEnabled(True)
        self.budget.show_state(state)
        self.budget.cap.hide()  # all of them are told below
        self.entries.show_state(state)
        self.told = self._lines(self.told, [(each, "") for each in fixed(state)])
        judged = (
            (say(_HOLDS if each.holds else _FAILS, told=each.say), "good" if each.holds else "bad")
            for each in found
        )
        self.found = self._lines(self.found, [*judged])
        self.rearranged.emit()

    def show_trouble(self, path: str, why: Message) -> None:
        """Why one could not be opened: nothing of another stands below it."""
        self.headline.setText(tr(N_("This ledger cannot be shown.")))
        self.path.show_text(path)
        self.check.setEnabled(False)
        self.budget.show_state(None)
        self.entries.show_state(None)
        self.changes.show_state(None)
        self.told, self.found = self._lines(self.told, ()), self._lines(self.found, ())
        self.trouble.say(why)
        self.rearranged.emit()

    def _lines(self, before: QFrame, said: Sequence[tuple[Message, str]]) -> QFrame:
        """Sentences one below the other, where others stood."""
        body = QFrame()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        for text, style in said:
            column.addWidget(label(shown(text), style, wrap=True))
        self.column.replaceWidget(before, body)
        before.hide()
        before.deleteLater()
        return body
