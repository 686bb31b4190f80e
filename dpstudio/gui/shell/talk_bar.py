"""The bar of a talk: back and on, what is said of the step, what it asks; and, for who makes it,
all that can be written of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDoubleValidator, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from dpstudio.files.talk import Ask
from dpstudio.gui.parts.buttons import plain_text, push
from dpstudio.gui.parts.labels import Elided, Live, label
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.talk_editor import TalkEditor
from dpstudio.gui.state.player import Player
from dpstudio.values.messages import N_


class Asking(QWidget):
    """A question with its options as buttons, or a box for a number. `answered(float)`: the place
    of an option, or the number."""

    answered = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.text, self.box = label("", "sentence", wrap=True), QLineEdit()
        self.box.setValidator(QDoubleValidator(self.box))
        self.box.setAccessibleName(tr(N_("Your answer, a number")))
        self.box.setFixedWidth(140)
        self.give = push(tr(N_("Answer")), "primary")
        self.options: list[QPushButton] = []
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.addWidget(self.text, 1)
        self.row.addWidget(self.box)
        self.row.addWidget(self.give)
        self.box.returnPressed.connect(self._give)
        self.give.clicked.connect(self._give)
        self._asked: Ask | None = None

    def ask(self, ask: Ask) -> None:
        """Show a question."""
        if ask == self._asked:
            return
        self._asked = ask
        self.text.setText(tr(ask.text))
        self.box.clear()
        for part in (self.box, self.give):
            part.setVisible(not ask.options)
        while len(self.options) < len(ask.options):
            button = push("")
            button.clicked.connect(partial(self._choose, len(self.options)))
            self.options.append(button)
            self.row.addWidget(button)
        for place, button in enumerate(self.options):
            button.setVisible(place < len(ask.options))
            if place < len(ask.options):
                button.setText(plain_text(tr(ask.options[place])))
                button.setAccessibleName(tr(ask.options[place]))

    def first(self) -> QWidget:
        """What the keyboard goes to."""
        return self.box if not self.box.isHidden() else self.options[0]

    def _choose(self, place: int, _: bool = False) -> None:
        self.answered.emit(float(place))

    def _give(self) -> None:
        number, known = self.box.locale().toDouble(self.box.text())
        if known:
            self.answered.emit(number)


class _Words(QWidget):
    """What is said of a step keeps the room of the longest so far: from step to step the charts
    above stand still."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        same = event.size().width() == event.oldSize().width()
        self.setMinimumHeight(event.size().height() if same else 0)


class TalkBar(QFrame):
    """Stands below the pages while a talk is open. `added`: what is set is to be a step; `saved`,
    `saved_as`; `left`: the talk is to be closed; `rearranged`: widgets came or
    went."""

    added = Signal()
    saved = Signal()
    saved_as = Signal()
    left = Signal()
    rearranged = Signal()

    def __init__(self, player: Player):
        super().__init__()
        self.setObjectName("foot")
        self.player = player
        self.mine = True  # it may be changed
        self.back = push("◂", tip=tr(N_("The step before, Page Up")))
        self.on = push("▸", tip=tr(N_("The next step, Page Down")))
        self.place, self.name = label("", "muted"), Elided("title")
        self.sentence, self.verdict = Live("sentence", wrap=True), label("", "good", wrap=True)
        self.words, self.asking, self.editor = _Words(), Asking(), TalkEditor(player)
        self.add = push(tr(N_("Add this step")), tip=tr(N_("Add what is set now, Ctrl+Shift+A")))
        self.edit, self.leave = push(tr(N_("Edit"))), push(tr(N_("Back to my work")))
        self.edit.setCheckable(True)
        self._lay_out()
        self.back.clicked.connect(partial(player.turn, -1))
        self.on.clicked.connect(self._go_on)
        self.asking.answered.connect(player.answer)
        self.edit.toggled.connect(self._unfold)
        for button, signal in (
            (self.add, self.added),
            (self.leave, self.left),
            (self.editor.save, self.saved),
            (self.editor.save_as, self.saved_as),
        ):
            button.clicked.connect(signal)
        player.changed.connect(self.show_state)

    def _lay_out(self) -> None:
        column, row, words = QVBoxLayout(self), QHBoxLayout(), QVBoxLayout(self.words)
        words.setContentsMargins(0, 0, 0, 0)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.editor)
        self.editor.hide()
        row.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.place)
        head.addWidget(self.name, 1)
        words.setSpacing(2)
        words.addLayout(head)
        for part in (self.sentence, self.asking, self.verdict):
            words.addWidget(part)
        row.addWidget(self.back, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.on, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addSpacing(8)
        row.addWidget(self.words, 1)
        for button in (self.add, self.edit, self.leave):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_state(self) -> None:
        """The talk, the step and what it asks, as they are now."""
        player, step = self.player, self.player.step
        talk = player.talk
        if talk is None:
            self.words.setMinimumHeight(0)
            return
        last = player.place + 1 >= len(talk.steps)
        self.place.setText(f"{player.place + 1} / {len(talk.steps)}" if talk.steps else "")
        self.name.set_text(_named(talk.name, step.title if step is not None else ""))
        asks = step.ask if step is not None and player.asking else None
        seen = self.asking.isHidden(), self.add.isHidden()
        if asks is not None:
            self.asking.ask(asks)
        self.asking.setVisible(asks is not None)
        self.sentence.setVisible(asks is None)
        self.back.setEnabled(player.place > 0)
        self.on.setEnabled(not last or player.asking or talk.lesson)
        self.on.setText(self._words_of_on(last) if talk.lesson else "▸")
        for button in (self.add, self.edit):
            button.setVisible(self.mine)
        self.editor.show_state()
        if seen != (self.asking.isHidden(), self.add.isHidden()):
            self.rearranged.emit()

    def _words_of_on(self, last: bool) -> str:
        if self.player.asking:
            return tr(N_("Show"))
        return tr(N_("Done")) if last else tr(N_("Next"))

    def _go_on(self) -> None:
        talk, player = self.player.talk, self.player
        if talk is not None and not player.asking and player.place + 1 >= len(talk.steps):
            self.left.emit()
        else:
            player.turn(1)

    def tell(self, sentence: str, verdict: str, headline: str) -> None:
        """What is said of the step, and of an answer; `headline` stands where nothing is."""
        self.sentence.show_text(sentence)
        self.verdict.setText(verdict)
        self.verdict.setVisible(bool(verdict))
        self.editor.suggest(headline)

    def unfold(self, open_: bool) -> None:
        """Show what can be written of the talk and of its step, or put it away."""
        self.edit.setChecked(open_)

    def _unfold(self, open_: bool) -> None:
        self.editor.setVisible(open_)
        self.editor.show_state()
        self.rearranged.emit()

    def take_focus(self) -> None:
        """Let the keyboard go on from here: to what is asked, else to the next step."""
        (self.asking.first() if self.player.asking else self.on).setFocus()


def _named(talk: str, step: str) -> str:
    return " · ".join(tr(name) for name in (talk, step) if name)
