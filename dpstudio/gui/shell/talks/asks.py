"""What a step asks before it is shown, to be written."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from dpstudio.files.talk import Ask
from dpstudio.gui.parts.boxes import combo
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.talks.targets import TalkTargets
from dpstudio.gui.state.player import Player
from dpstudio.values.messages import N_

APART = ";"  # between options
_THINK, _CHOICE = "", "options"


class AskEditor(QWidget):
    """The question, whether the answer is a choice or a number of the lab, and which is right."""

    def __init__(self, player: Player, targets: TalkTargets):
        super().__init__()
        self.player, self.targets = player, targets
        self.text, self.options = QLineEdit(), QLineEdit()
        self.answer, self.right = combo(N_("Answer")), combo(N_("Right"))
        self.text.setPlaceholderText(tr(N_("What is asked before this step is shown, if anything")))
        self.options.setPlaceholderText(tr(N_("the options, such as: more; less; the same")))
        grid = QGridLayout(self)
        named(grid, 0, 0, N_("Question asked"), self.text, 3)
        named(grid, 1, 0, N_("Answer"), self.answer)
        words = [
            named(grid, 1, 2, N_("Options"), self.options),
            named(grid, 2, 2, N_("Right"), self.right),
        ]
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 2)
        grid.setRowStretch(3, 1)
        self._choice: list[QWidget] = [*words, self.options, self.right]
        self.text.textEdited.connect(lambda _: self._write())
        self.options.textEdited.connect(lambda _: self._write())
        self.answer.activated.connect(lambda _: self._write())
        self.right.activated.connect(lambda _: self._write())

    def show_state(self) -> None:
        """What the step asks now."""
        step = self.player.step
        ask = (step.ask if step is not None else None) or Ask("")
        if self.text.text() != ask.text:
            self.text.setText(ask.text)
        facts = self.targets.facts()
        kinds = {_THINK: tr(N_("only to think about")), _CHOICE: tr(N_("one of these"))}
        choice = bool(ask.options) or (self.answer.currentData() == _CHOICE and not ask.fact)
        choose(self.answer, kinds | facts, _CHOICE if choice else ask.fact)
        if _split(self.options.text()) != ask.options:
            self.options.setText(f"{APART} ".join(ask.options))
        choose(self.right, dict(enumerate(map(tr, ask.options))), ask.right)
        self.text.setEnabled(step is not None)
        self.answer.setEnabled(bool(ask.text))
        for part in self._choice:
            part.setVisible(choice and bool(ask.text))

    def _write(self) -> None:
        text, kind = self.text.text(), self.answer.currentData() or _THINK
        options = _split(self.options.text()) if kind == _CHOICE else ()
        right = min(max(self.right.currentIndex(), 0), max(0, len(options) - 1))
        ask = Ask(text, options, right, kind if kind != _CHOICE else "")
        self.player.change(ask=ask if text else None)


def _split(text: str) -> tuple[str, ...]:
    apart = text.replace("；", APART)  # as a Chinese keyboard types it
    return tuple(part.strip() for part in apart.split(APART) if part.strip())


def named(
    grid: QGridLayout, row: int, column: int, words: str, box: QWidget, wide: int = 1, high: int = 1
) -> QWidget:
    """A box with its words before it, which are given back."""
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(6)
    said = label(tr(words), "muted")
    grid.addWidget(said, row, column)
    grid.addWidget(box, row, column + 1, high, wide)
    box.setAccessibleName(tr(words))
    return said


def choose(box: QComboBox, entries: Mapping[Any, str], key: object) -> None:
    """Show entries of a box by their keys, and which is chosen; one that is not there said to
    be elsewhere: the page may have it again."""
    gone = tr(N_("one that is not on the page now")) if key else ""
    wanted = dict(entries) if key in entries or not entries else {**entries, key: gone}
    held = {box.itemData(place): box.itemText(place) for place in range(box.count())}
    if held != wanted:
        box.clear()
        for name, words in wanted.items():
            box.addItem(words, name)
    box.setCurrentIndex(box.findData(key))
