"""What a panel says between its editors: sentences of the findings, with a button where they hold a
value to be set, and what the ends of a slider mean."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from dpstudio.gui.panel.form import Field
from dpstudio.gui.parts.declared import plays
from dpstudio.gui.parts.labels import LiveLabel, label, retone
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.labs.findings import Sentence
from dpstudio.labs.panel import Says
from dpstudio.values.messages import N_, Message, Num, safely, say
from dpstudio.values.parameters import Domain, ParamError, domains, get

_TONES = ("good", "warn", "bad")


class SaysLine(QWidget):
    """A sentence of the findings, and the button that takes over its value."""

    def __init__(self, store: Store, row: Says):
        super().__init__()
        self.store, self.row = store, row
        self.words = LiveLabel(row.style or "says", wrap=True)
        self.words.setToolTip(tr(row.tip))
        self.use = QPushButton(tr(N_("Use")), self)
        self.use.clicked.connect(self._use)
        if not row.sets:  # beside a button words stand in the middle
            self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.value: Any = None
        self._shown: tuple[Any, ...] = ()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.use)
        self.hide()

    def text(self) -> str:
        return self.words.text()

    def tone(self) -> str:
        """That of its words."""
        return self.words.objectName()

    def show_sentence(self, found: Sentence | None) -> None:
        """Show its sentence as it is in the findings, None where it is not there."""
        there = bool(self.row.sets) and plays(self.store.lab, self.row.sets, self.store.data)
        shown_now = (found, there, self._domain() if there else None)
        if shown_now == self._shown:
            return
        self._shown = shown_now
        self.words.show_text(shown(found.say) if found else "")
        if self.isHidden() == (found is not None):
            self.setVisible(found is not None)
        if found is not None:
            retone(self.words, found.tone if found.tone in _TONES else self.row.style or "says")
        self.use.setVisible(there)
        if there:
            self._offer(found.say.values.get(self.row.value) if found else None)

    def _offer(self, value: Any) -> None:
        domain = self._domain()
        if isinstance(value, Num):
            # To the safe side as the sentence is: what is set keeps what it says, in its digits.
            digits = 4 if value.rounding == "near" else value.digits
            value = safely(value.value, digits, value.rounding)
        tip = say("Set {name} to this value", name=Message(domain.label))
        try:
            self.value = None if value is None else domain.check(value)
        except ParamError as error:
            self.value, tip = None, error.sentence
        self.use.setEnabled(self.value is not None)
        self.use.setToolTip(shown(tip))

    def _domain(self) -> Domain:
        above, _, name = self.row.sets.rpartition(".")
        return domains(type(get(self.store.lab, above) if above else self.store.lab))[name]

    def _use(self) -> None:
        if self.value is not None:
            self.store.set(self.row.sets, self.value)


class SliderEnds(QWidget):
    """What both ends of the slider of ε mean; there while the slider is."""

    def __init__(self, field: Field):
        super().__init__()
        self.field = field
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        ends = tuple(
            label(tr(words), "muted", wrap=True)
            for words in (N_("more private"), N_("more accurate"))
        )
        ends[1].setAlignment(Qt.AlignmentFlag.AlignRight)
        for end in ends:
            row.addWidget(end, 1)

    def show_state(self) -> None:
        if self.isHidden() != self.field.isHidden():
            self.setVisible(not self.field.isHidden())


class DeltaTip(LiveLabel):
    """What δ would be small: 1/n² of the table."""

    def __init__(self, field: Field):
        super().__init__("muted", wrap=True)
        self.field = field
        self._rows = 0

    def show_state(self) -> None:
        store = self.field.store
        rows = store.lab.counted(store.data) if store.data is not None else 0
        there = rows > 0 and not self.field.isHidden()
        if self.isHidden() == there:
            self.setVisible(there)
        if there and rows != self._rows:
            self._rows = rows
            self.show_text(shown(say("1/n² = {delta} for this table", delta=Num(1 / rows**2))))
