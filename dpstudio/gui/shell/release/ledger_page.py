"""The page of a ledger: what was asked of a population, what it cost, what is left; and whether a
certificate is of it. Here its cap is raised, and answers are withdrawn."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout

from dpstudio.files.booked.telling import fixed, titled
from dpstudio.files.booked.verify import Found
from dpstudio.files.tables import example
from dpstudio.gui.parts.buttons import Words, push
from dpstudio.gui.parts.labels import ElidedLabel, ProblemLabel, label
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.release.budget import Budget
from dpstudio.gui.shell.release.changes import Changes
from dpstudio.gui.shell.release.entries import Entries
from dpstudio.gui.shell.release.work import Opened
from dpstudio.values.messages import N_, Message, plain, say

_WIDEST = 720  # px at normal type: a line that is longer is not read
_HOLDS, _FAILS = "✓ {told}", "✗ {told}"
_FROM_NOW = N_(
    "From now on what leaves of “{table}” without a plan is booked below the cap of: {population}. "
    "Its rows are to be of these people; what was booked elsewhere stays there."
)
_EXAMPLE = N_("“{table}” is an example of this program, and no table of yours. {told}")
_LEDGER_TOO = N_(
    "Whether it was written by a ledger, and that ledger still holds the answers, is not checked: "
    "open that ledger here, and verify it again."
)


class LedgerPage(QScrollArea):
    """`opening`: another ledger is to be opened; `own`: that of the user; `checking`: a certificate
    is to be verified against it; `named`: what leaves of the open table is to be booked in it;
    `desk`: to the desk. `rearranged`: widgets came or went."""

    opening = Signal()
    own = Signal()
    checking = Signal()
    named = Signal()
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
        self.of_table, self.of_this = (
            label("", "", wrap=True),
            push(tr(N_("Book it here …")), "link"),
        )
        self.asked, self.not_now = QFrame(), push(tr(N_("Not now")))
        self.means, self.book = label("", "muted", wrap=True), push(tr(N_("Book it here")))
        self._ask_lays_out()
        ways = Words()
        for way in (self.open, self.check, self.to_own, self.to_desk):
            ways.add(way)
        self.column.addWidget(label(tr(N_("Ledger")), "page-name"))
        for part in (self.headline, self.path, ways, self.trouble, self.found, self.budget):
            self.column.addWidget(part)
        beside = Words()
        beside.add(self.of_this)
        for part in (self.told, self.of_table, beside, self.asked, self.changes, self.entries):
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.open.clicked.connect(self.opening)
        self.check.clicked.connect(self.checking)
        self.to_own.clicked.connect(self.own)
        self.to_desk.clicked.connect(self.desk)
        self.of_this.clicked.connect(self.asked.show)
        self.show_nothing()

    def _ask_lays_out(self) -> None:
        """What booking a table here means, before that is done."""
        column, acts = QVBoxLayout(self.asked), Words()
        column.setContentsMargins(0, 0, 0, 8)
        for act in (self.book, self.not_now):
            acts.add(act)
        self.book.clicked.connect(self.named)
        self.not_now.clicked.connect(self.asked.hide)
        column.addWidget(self.means)
        column.addWidget(acts)
        self.asked.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beyond = self.viewport().width() - self.theme.look.px(_WIDEST)
        self.column.setContentsMargins(24, 16, max(24, beyond), 16)

    def show_nothing(self) -> None:
        """No ledger is open."""
        self.headline.setText(tr(N_("What left before, and how much budget is left?")))
        self.path.show_text(tr(N_("Open a ledger, or make one at the release desk.")))
        self.of_table.hide()
        self.of_this.hide()

    def show_opened(self, path: Path, opened: Opened, table: str) -> None:
        """A ledger that was opened, what holds of a certificate, and which is that of the table."""
        self._show(str(path), opened)
        here = (opened.of_table or opened.own) == path.absolute()
        text = N_("What leaves of “{table}” is booked here.")
        if not here and opened.of_table is None:
            text = N_(
                "No ledger was named for “{table}”: what leaves of it is booked without a cap."
            )
        values = {"table": plain(table)}
        if not here and opened.of_table is not None:
            text = N_("What leaves of “{table}” is booked in {ledger}.")
            values["ledger"] = plain(opened.of_table.name)
        self.of_table.setToolTip("" if opened.of_table is None else str(opened.of_table))
        self.of_table.setText(shown(Message(text, values)))
        self.of_table.setVisible(bool(table))
        self.of_this.setVisible(bool(table) and not here)
        named = {"table": plain(table), "population": titled(opened.state)}
        meant = Message(_FROM_NOW, named)
        if opened.state.cap.none:
            text = N_(
                "From now on what leaves of “{table}” without a plan is booked without a cap."
            )
            meant = say(text, table=plain(table))
        if example(table) is not None:
            meant = say(_EXAMPLE, told=meant, table=plain(table))
        self.means.setText(shown(meant))
        self.asked.hide()
        self.rearranged.emit()

    def _show(self, path: str, opened: Opened) -> None:
        state = opened.state
        self.trouble.say("")
        self.changes.show_state(state)
        self.headline.setText(shown(titled(state)))
        self.path.show_text(path)
        self.check.setEnabled(True)
        self.budget.show_state(state)
        self.budget.cap.hide()  # all of them are told below
        self.entries.show_state(state)
        told = [(each, "warn") for each in opened.beside]
        self.told = self._lines(self.told, [*told, *((each, "") for each in fixed(state))])
        self.show_found(opened.found)

    def show_found(self, found: tuple[Found, ...], alone: bool = False) -> None:
        """What holds of a certificate; `alone`: no ledger is open, and its entries need one."""
        judged = (
            (say(_HOLDS if each.holds else _FAILS, told=each.say), "good" if each.holds else "bad")
            for each in found
        )
        said: list[tuple[Message, str]] = [*judged]
        if alone and all(each.holds for each in found):
            said.append((say(_LEDGER_TOO), "muted"))
        self.found = self._lines(self.found, said)
        self.rearranged.emit()

    def show_trouble(self, path: str, why: Message) -> None:
        """Why one could not be opened: nothing of another stands below it."""
        self.headline.setText(tr(N_("This ledger cannot be shown.")))
        self.path.show_text(path)
        self.check.setEnabled(False)
        self.budget.show_state(None)
        self.entries.show_state(None)
        self.changes.show_state(None)
        self.of_table.hide()
        self.of_this.hide()
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
