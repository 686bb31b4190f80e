"""What may be written into a ledger by hand: a cap that is raised, and an answer that is withdrawn
or superseded; each with a reason, and with what it means."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from dpstudio.files.booked.telling import raising, withdrawing
from dpstudio.files.ledgers.amounts import RHO, Cap, LedgerError, amount
from dpstudio.files.ledgers.book import DRAWN, Book, State
from dpstudio.gui.parts.boxes import combo
from dpstudio.gui.parts.buttons import Words, push
from dpstudio.gui.parts.labels import ProblemLabel, label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.plans.exact import typed
from dpstudio.values.messages import N_, Message, plain, say

Change = Callable[[Book], Any]


class _Form(QFrame):
    """Fields one below the other, a reason, and the act."""

    def __init__(self, title: str, act: str, fields: tuple[tuple[str, QWidget], ...]):
        super().__init__()
        self.setAccessibleName(tr(title))
        self.means, self.complaint = label("", "muted", wrap=True), ProblemLabel()
        self.because, self.act = QLineEdit(), push(tr(act), "primary")
        self.back, column, self.grid = push(tr(N_("Not now"))), QVBoxLayout(self), QGridLayout()
        column.setContentsMargins(0, 8, 0, 8)
        column.addWidget(label(tr(title), "title"))
        column.addWidget(self.means)
        self.names = []
        for row, (name, field) in enumerate((*fields, (N_("Reason, in words"), self.because))):
            self.names.append(label(tr(name), "muted"))
            field.setAccessibleName(tr(name))
            self.grid.addWidget(self.names[-1], row, 0)
            self.grid.addWidget(field, row, 1)
        column.addLayout(self.grid)
        column.addWidget(self.complaint)
        foot = Words()
        foot.add(self.act)
        foot.add(self.back)
        column.addWidget(foot)
        self.back.clicked.connect(self.hide)
        self.hide()

    def begin(self, means: Message, focus: QWidget) -> None:
        """Show it anew."""
        self.means.setText(shown(means))
        self.because.clear()
        self.complaint.say("")
        self.show()
        focus.setFocus()


class Changes(QFrame):
    """`wanted(Change)`: that is to be done to the ledger that is shown."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.state: State | None = None
        self.most, self.delta, self.apart = QLineEdit(), QLineEdit(), QLineEdit()
        self.answer, self.by = combo(), combo()
        self.raised = _Form(
            N_("Raise the cap"),
            N_("Raise the cap"),
            (
                (N_("New amount"), self.most),
                (N_("δ"), self.delta),
                (N_("Room for other δ"), self.apart),
            ),
        )
        self.withdrawn = _Form(
            N_("Withdraw an answer"),
            N_("Withdraw it"),
            ((N_("Answer"), self.answer), (N_("Superseded by"), self.by)),
        )
        self.forms = self.raised, self.withdrawn
        self.to_raise, self.to_withdraw = (
            push(tr(N_("Raise the cap …")), "link"),
            push(tr(N_("Withdraw an answer …")), "link"),
        )
        column, ways = QVBoxLayout(self), Words()
        column.setContentsMargins(0, 0, 0, 0)
        for way in (self.to_raise, self.to_withdraw):
            ways.add(way)
        for part in (ways, *self.forms):
            column.addWidget(part)
        self.to_raise.clicked.connect(self._begin_raise)
        self.to_withdraw.clicked.connect(self._begin_withdraw)
        self.raised.act.clicked.connect(self._raise)
        self.withdrawn.act.clicked.connect(self._withdraw)
        self.hide()

    def show_state(self, state: State | None) -> None:
        """What may be changed of a ledger; nothing of one that has no cap."""
        if state is None or self.state is None or state.head != self.state.head:
            for form in self.forms:
                form.hide()
        self.state = state
        self.setVisible(state is not None and not state.cap.none)
        self.to_withdraw.setEnabled(state is not None and bool(state.of(DRAWN)))

    @property
    def idle(self) -> bool:
        """Whether no form is open, below which something could be said."""
        return all(form.isHidden() for form in self.forms)

    def say(self, why: Message) -> None:
        """Why it was not done."""
        for form in self.forms:
            if not form.isHidden():
                form.complaint.say(why)
            form.act.setEnabled(True)

    def _begin_raise(self) -> None:
        assert self.state is not None
        cap = self.state.cap
        for line, value in ((self.most, cap.amount), (self.delta, cap.delta)):
            line.setText(typed(value))
        self.apart.setText(typed(cap.apart))
        self.withdrawn.hide()
        for part in (self.apart, self.raised.names[2]):
            part.setVisible(cap.measure == RHO)
        self.raised.begin(raising(self.state), self.most)
        self.raised.act.setEnabled(True)

    def _begin_withdraw(self) -> None:
        assert self.state is not None
        self.raised.hide()
        for box in (self.answer, self.by):
            box.clear()
        self.by.addItem(tr(N_("none")), None)
        for entry in reversed(self.state.of(DRAWN)):
            text = say("{n}: {name}", n=plain(str(entry.n)), name=plain(entry.body["name"]))
            for box in (self.answer, self.by):
                box.addItem(shown(text), entry.n)
        self.withdrawn.begin(withdrawing(), self.answer)
        self.withdrawn.act.setEnabled(True)

    def _raise(self) -> None:
        assert self.state is not None
        try:
            most, delta, apart = (
                amount(line.text().strip() or "0") for line in (self.most, self.delta, self.apart)
            )
            cap = Cap(self.state.cap.measure, most, delta, apart)
        except LedgerError as error:
            self.raised.complaint.say(error.sentence)
            return
        because = self.raised.because.text()
        self._want(self.raised, partial(Book.raise_cap, cap=cap, reason=because))

    def _withdraw(self) -> None:
        answer, by = self.answer.currentData(), self.by.currentData()
        because = self.withdrawn.because.text()
        self._want(self.withdrawn, partial(Book.withdraw, n=answer, reason=because, by=by))

    def _want(self, form: _Form, change: Change) -> None:
        """Once: until it is done nothing else can be wanted."""
        form.act.setEnabled(False)
        self.wanted.emit(change)
