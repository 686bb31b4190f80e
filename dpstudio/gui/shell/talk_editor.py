"""What is written of a talk and of its step: names, the sentence, notes, the order, the file."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.player import Player
from dpstudio.values.messages import N_

NOTES = 64  # px of height of the notes, three lines


class TalkEditor(QWidget):
    """Every letter that is typed is in the talk at once."""

    def __init__(self, player: Player):
        super().__init__()
        self.player = player
        self.name, self.title, self.say = QLineEdit(), QLineEdit(), QLineEdit()
        self.notes = QPlainTextEdit()
        self.notes.setTabChangesFocus(True)
        self.notes.setFixedHeight(NOTES)
        self.earlier, self.later = push("◂ " + tr(N_("Earlier"))), push(tr(N_("Later")) + " ▸")
        self.remove = push(tr(N_("Remove the step")))
        self.save, self.save_as = push(tr(N_("Save"))), push(tr(N_("Save as …")))
        self._lay_out()
        self.name.textEdited.connect(lambda text: player.describe(name=text))
        self.title.textEdited.connect(lambda text: player.change(title=text))
        self.say.textEdited.connect(lambda text: player.change(say=text))
        self.notes.textChanged.connect(self._on_notes)
        self.earlier.clicked.connect(partial(player.move, -1))
        self.later.clicked.connect(partial(player.move, 1))
        self.remove.clicked.connect(player.remove)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        for row, column, words, box in (
            (0, 0, N_("Step"), self.title),
            (1, 0, N_("Sentence"), self.say),
            (0, 2, N_("Talk"), self.name),
            (1, 2, N_("Notes"), self.notes),
        ):
            grid.addWidget(label(tr(words), "muted"), row, column)
            high = 2 if box is self.notes else 1
            grid.addWidget(box, row, column + 1, high, 1)
            box.setAccessibleName(tr(words))
        buttons = QHBoxLayout()
        for button in (self.earlier, self.later, self.remove):
            buttons.addWidget(button)
        buttons.addStretch()
        for button in (self.save, self.save_as):
            buttons.addWidget(button)
        grid.addLayout(buttons, 2, 1)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(3, 2)

    def show_state(self) -> None:
        """The talk and the step as they are now; what is being typed is so already."""
        talk, step = self.player.talk, self.player.step
        if talk is None or self.isHidden():
            return
        texts = (step.title, step.say) if step is not None else ("", "")
        for box, text in zip((self.name, self.title, self.say), (talk.name, *texts), strict=True):
            if box.text() != text:
                box.setText(text)
        notes = step.notes if step is not None else ""
        if self.notes.toPlainText() != notes:
            self.notes.setPlainText(notes)
        for part in (self.title, self.say, self.notes, self.remove):
            part.setEnabled(step is not None)
        self.earlier.setEnabled(self.player.place > 0)
        self.later.setEnabled(0 <= self.player.place < len(talk.steps) - 1)
        self.save.setEnabled(self.player.dirty)

    def suggest(self, headline: str) -> None:
        """What stands there where the person says nothing of the step."""
        if self.say.placeholderText() != headline:
            self.say.setPlaceholderText(headline)

    def _on_notes(self) -> None:
        step, text = self.player.step, self.notes.toPlainText()
        if step is not None and text != step.notes:
            self.player.change(notes=text)
