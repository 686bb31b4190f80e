"""The bar that asks what to do where something could be lost. It blocks nothing: until it is
answered, what was asked for is not done."""

from collections.abc import Callable, Sequence
from functools import partial

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from dpstudio.gui.parts.labels import label
from dpstudio.gui.shell.frame.waiting import WaitingBar

Answer = tuple[str, Callable[[], object]]


def nothing() -> None:
    """The answer that leaves all as it is."""


class QuestionBar(WaitingBar):
    """Hidden until there is something to ask. `rearranged`: it came, or went."""

    rearranged = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = label("", "warn", wrap=True)
        self.buttons: list[QPushButton] = []
        self._answers: tuple[Answer, ...] = ()
        self._before: QWidget | None = None  # had the keyboard when it was last asked for
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        layout.addWidget(self.text, 1)
        self._row = layout

    def ask(self, text: str, answers: Sequence[Answer], *, held: bool = True) -> None:
        """Show a question with its answers, the last of which Esc gives. `held`: somebody waits for
        it, so the keyboard goes there, while a page is presented too."""
        self._answers = tuple(answers)
        self.text.setText(text)
        while len(self.buttons) < len(answers):
            button = QPushButton()
            button.clicked.connect(partial(self._give, len(self.buttons)))
            self.buttons.append(button)
            self._row.addWidget(button)
        for place, button in enumerate(self.buttons):
            button.setVisible(place < len(answers))
            if place < len(answers):
                button.setText(answers[place][0])
        self.fill(True, urgent=held)
        self.rearranged.emit()
        if held:
            if not self._holds:
                self._before = self.window().focusWidget()
            self.buttons[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def leave(self) -> None:
        """Ask no more; the keyboard goes back to where it was."""
        before, self._answers = self._before, ()
        if before is not None and self._holds and shiboken6.isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.text.setText("")
        self.fill(False)
        self.rearranged.emit()

    def put_aside(self, aside: bool) -> None:
        super().put_aside(aside)
        if self.busy:
            self.rearranged.emit()

    @property
    def _holds(self) -> bool:
        """Whether it has the keyboard."""
        return self.window().focusWidget() in self.buttons

    def _give(self, place: int, _: bool = False) -> None:
        answers = self._answers
        self.leave()
        if place < len(answers):
            answers[place][1]()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._answers:
            self._give(len(self._answers) - 1)
        else:
            super().keyPressEvent(event)
