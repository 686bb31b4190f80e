"""A new ledger: whom it is about, which tables are neighbours, and the cap, all fixed for good."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout

from dpstudio.files.ledgers.amounts import EPSILON, RHO, Cap, LedgerError, Terms, amount
from dpstudio.files.ledgers.book import make_ledger
from dpstudio.gui.parts.buttons import Segments, push
from dpstudio.gui.parts.labels import ProblemLabel, label
from dpstudio.gui.parts.tr import tr
from dpstudio.plans.exact import typed
from dpstudio.plans.plan import ADJACENCIES, Plan
from dpstudio.values.messages import N_

_CAPS = {EPSILON: N_("ε"), RHO: N_("ρ")}


class LedgerForm(QFrame):
    """`made(Path)`: there is one now. `ask` gives the path that a person chose, or none."""

    made = Signal(object)

    def __init__(self, ask: Callable[[], Path | None]):
        super().__init__()
        self.ask = ask
        self.setAccessibleName(tr(N_("A new ledger")))
        self.population = QLineEdit()
        self.population.setPlaceholderText(tr(N_("such as: residents of Newcastle in 2026")))
        self.adjacency, self.measure = Segments(ADJACENCIES, columns=1), Segments(_CAPS, line=True)
        self.most, self.delta = QLineEdit(), QLineEdit()
        self.complaint, self.make = ProblemLabel(), push(tr(N_("Make this ledger …")), "primary")
        self.back = push(tr(N_("Not now")))
        self.adjacency.chosen.connect(self._choose_adjacency)
        self.measure.chosen.connect(self._choose_measure)
        self._terms, self._cap = next(iter(ADJACENCIES)), EPSILON
        self._lay_out()
        self.make.clicked.connect(self._make)
        self.back.clicked.connect(self.hide)
        self.hide()

    def _lay_out(self) -> None:
        column, caps, foot = QVBoxLayout(self), QGridLayout(), QHBoxLayout()
        column.setContentsMargins(0, 8, 0, 8)
        column.addWidget(label(tr(N_("A new ledger")), "title"))
        for name, box in (
            (N_("Population: everybody it is about"), self.population),
            (N_("What is hidden: one person"), self.adjacency),
        ):
            column.addWidget(label(tr(name), "muted", wrap=True))
            box.setAccessibleName(tr(name))
            column.addWidget(box)
        said = N_("Cap: no more than this in all. Raising it later is told on each certificate.")
        column.addWidget(label(tr(said), "muted", wrap=True))
        column.addWidget(self.measure)
        for row, (name, line) in enumerate(((N_("Amount"), self.most), (N_("δ"), self.delta))):
            caps.addWidget(label(tr(name), "muted"), row, 0)
            line.setAccessibleName(tr(N_("Cap")) if line is self.most else tr(name))
            caps.addWidget(line, row, 1)
        column.addLayout(caps)
        column.addWidget(self.complaint)
        foot.addWidget(self.make)
        foot.addWidget(self.back)
        foot.addStretch()
        column.addLayout(foot)

    def begin(self, plan: Plan | None) -> None:
        """Open it with what a plan needs, which may be changed."""
        if plan is not None:
            self._terms = plan.terms.adjacency
            self.population.setText(plan.terms.population)
            self.most.setText(typed(plan.terms.epsilon))
            self.delta.setText(typed(plan.terms.delta))
        self._choose_adjacency(self._terms)
        self._choose_measure(EPSILON)
        self.complaint.say("")
        self.show()
        self.population.setFocus()

    def _choose_adjacency(self, key: str) -> None:
        self._terms = key
        self.adjacency.show_choice(key)

    def _choose_measure(self, key: str) -> None:
        self._cap = key
        self.measure.show_choice(key)

    def _make(self) -> None:
        """Make it, where what is typed will do; else the sentence stands below."""
        try:
            cap = Cap(self._cap, amount(self.most.text()), amount(self.delta.text() or "0"))
            terms = Terms(adjacency=self._terms)
            if not self.population.text().strip():
                make_ledger(Path(), "", terms, cap)  # says what is missing before a place is asked
            path = self.ask()
            if path is None:
                return
            make_ledger(path, self.population.text(), terms, cap)
        except LedgerError as error:
            self.complaint.say(error.sentence)
            return
        self.hide()
        self.made.emit(path)
