"""What is made of published numbers afterwards: fitted to each other, and rounded."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from dpstudio.files.booked.releasing import Finish, base_of
from dpstudio.files.ledgers.amounts import LedgerError
from dpstudio.gui.parts.labels import ProblemLabel, label
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.release.work import Seen
from dpstudio.values.messages import N_

_WIDE = 26  # letters of a base


class Finishing(QFrame):
    """`chosen(Finish)`: the numbers are to be shown, certified and saved so."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.finish = Finish()
        self.fit = QCheckBox(tr(N_("Fit tables and totals to each other, by least squares")))
        tip = N_(
            "It takes every row to have one of the typed words of each. No row is read for it."
        )
        self.fit.setToolTip(tr(tip))
        self.base, self.complaint = QLineEdit(), ProblemLabel()
        name = tr(N_("Rounded to whole steps of"))
        self.base.setAccessibleName(name)
        self.base.setPlaceholderText(tr(N_("1, or as fine as fits")))
        self.base.setMaximumWidth(_WIDE * self.base.fontMetrics().averageCharWidth())
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(0, 4, 0, 0)
        row.addWidget(label(name, "muted"))
        row.addWidget(self.base)
        row.addStretch()
        column.addWidget(self.fit)
        column.addLayout(row)
        column.addWidget(self.complaint)
        self.fit.clicked.connect(self._choose)
        self.base.editingFinished.connect(self._choose)
        self.hide()

    def _choose(self) -> None:
        try:
            found = Finish(self.fit.isChecked(), base_of(self.base.text()))
        except LedgerError as error:
            return self.complaint.say(error.sentence)
        self.complaint.say("")
        if found != self.finish:
            self.finish = found
            self.chosen.emit(found)

    def show_seen(self, seen: Seen) -> None:
        """Where numbers were published; the fit where some of them add up to others."""
        self.setVisible(seen.made is not None)
        self.fit.setVisible(seen.fits)
