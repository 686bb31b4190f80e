"""What a step asks: in the bar of the talk, and large, one idea at a time, while it is presented or
nothing of the talk has been seen yet."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QDoubleValidator, QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLineEdit, QPushButton, QWidget

from dpstudio.files.talk import Ask
from dpstudio.gui.parts.buttons import plain_text, push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Look, style_sheet
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.overlay_sheet import OverlaySheet
from dpstudio.gui.shell.pages import Pages
from dpstudio.gui.state.player import Player
from dpstudio.values.messages import N_

# Sizes of large type as parts of the height of the window: the question, and its options, which are
# so many px at normal type.
TEXT, OPTION, NORMAL = 16, 26, 13
BOX = 140  # px of the box for a number, at normal type


class QuestionPane(QFrame):
    """A question with its options as buttons, a box for a number, or neither where it is only to be
    thought about. `answered(float)`: the place of an option, or the number. A digit chooses an
    option."""

    answered = Signal(float)

    def __init__(self, large: bool = False) -> None:
        super().__init__()
        self.large = large
        self.text, self.box = label("", "" if large else "sentence", wrap=True), QLineEdit()
        self.box.setValidator(QDoubleValidator(self.box))
        self.box.setAccessibleName(tr(N_("Your answer, a number")))
        self.box.setFixedWidth(BOX)
        self.give = push(tr(N_("Answer")), "primary")
        self.options: list[QPushButton] = []
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self.row, self.choices = QBoxLayout(down if large else across, self), QBoxLayout(across)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.addWidget(self.text, 0 if large else 1)
        self.row.addLayout(self.choices)
        self.choices.addWidget(self.box)
        self.choices.addWidget(self.give)
        if large:
            self.choices.addStretch()
            self.choices = QBoxLayout(down)
            self.row.addLayout(self.choices)
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
            part.setVisible(bool(ask.fact) and not ask.options)
        while len(self.options) < len(ask.options):
            button = push("")
            button.clicked.connect(partial(self._choose, len(self.options)))
            left = Qt.AlignmentFlag.AlignLeft if self.large else Qt.AlignmentFlag(0)
            self.choices.addWidget(button, 0, left)
            self.options.append(button)
        for place, button in enumerate(self.options):
            button.setVisible(place < len(ask.options))
            if place < len(ask.options):
                number = f"{place + 1}   " if self.large else ""
                button.setText(plain_text(number + tr(ask.options[place])))
                button.setAccessibleName(tr(ask.options[place]))

    def first(self) -> QWidget | None:
        """What the keyboard goes to; None where there is nothing to be said."""
        if not self.box.isHidden():
            return self.box
        return self.options[0] if self._asked is not None and self._asked.options else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        place = event.key() - Qt.Key.Key_1
        if self._asked is not None and 0 <= place < len(self._asked.options):
            self._choose(place)
        else:
            super().keyPressEvent(event)

    def _choose(self, place: int, _: bool = False) -> None:
        self.answered.emit(float(place))

    def _give(self) -> None:
        number, known = self.box.locale().toDouble(self.box.text())
        if known:
            self.answered.emit(number)


class LargeQuestion(QuestionPane):
    """Fills the middle of the window. `passed`: the step is to be shown without an answer."""

    passed = Signal()

    def __init__(self) -> None:
        super().__init__(large=True)
        self.setObjectName("sheet")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.skip = push(tr(N_("Show")) + " ▸", tip=tr(N_("Show it without an answer, Page Down")))
        self.skip.clicked.connect(self.passed)
        self.row.insertStretch(0, 1)
        self.row.addWidget(self.skip, 0, Qt.AlignmentFlag.AlignLeft)
        self.row.addStretch(2)
        self._dressed: tuple[Look, int] | None = None

    def dress(self, look: Look, height: int) -> None:
        """Type by the height of the window."""
        if self._dressed == (look, height):
            return
        self._dressed = look, height
        scale, margin, gap = height / OPTION / NORMAL, height // 14, height // 40
        self.setStyleSheet(style_sheet(replace(look, scale=scale)))
        self.text.setStyleSheet(f"font-size: {height // TEXT}px; font-weight: 600;")
        self.box.setFixedWidth(round(BOX * scale))
        self.row.setContentsMargins(margin, margin // 2, margin, margin // 2)
        self.row.setSpacing(gap)
        self.choices.setSpacing(gap // 2)

    def take_focus(self) -> None:
        """Let the keyboard go on here."""
        (self.first() or self).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space
        if event.key() in keys and self.hasFocus():  # what is asked is only to be thought about
            self.passed.emit()
        else:
            super().keyPressEvent(event)


class LargeQuestionSheet(QObject):
    """Lets what a step asks fill the middle of the window while the talk is presented, or where
    nothing of it has been seen: one's own work behind the first question would say nothing of it.
    `rearranged`: it came, or went."""

    rearranged = Signal()

    def __init__(self, window: Window, pages: Pages, player: Player):
        super().__init__(window)
        self.window, self.player = window, player
        self.sheet = LargeQuestion()
        self._overlay_sheet = OverlaySheet(window, pages, self.sheet)
        self._overlay_sheet.rearranged.connect(self.rearranged)
        self.sheet.answered.connect(player.answer)
        self.sheet.passed.connect(partial(player.turn, 1))
        window.resized.connect(self._dress)
        window.theme.changed.connect(self._dress)

    @property
    def on(self) -> bool:
        """Whether it is to be seen."""
        return self._overlay_sheet.on

    def follow(self) -> None:
        """Another step, an answer, or the window presents, or does so no more."""
        player, step = self.player, self.player.step
        asks = step.ask if step is not None and player.asking else None
        if asks is not None and (self.window.presenting or not player.shows):
            self.sheet.ask(asks)
            self._dress()
            self._overlay_sheet.cover()
            self.sheet.take_focus()
        elif not (player.moving and not player.shows):  # else its table is being opened
            self._overlay_sheet.uncover()

    def _dress(self, _: object = None) -> None:
        self.sheet.dress(self.window.theme.look, self.window.height())
