"""What is written of a talk: of its step, of what that asks, and of the whole."""

from functools import partial

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDoubleValidator, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from dpstudio.files.talk import MOST_MINUTES
from dpstudio.gui.parts.boxes import combo
from dpstudio.gui.parts.buttons import Segments, push
from dpstudio.gui.parts.labels import ElidedLabel
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.topbar import act, empty
from dpstudio.gui.shell.talks.asks import AskEditor, choose, named
from dpstudio.gui.shell.talks.targets import TalkTargets
from dpstudio.gui.state.player import Player
from dpstudio.gui.table.reading import Request
from dpstudio.values.messages import N_, say

PAGES = {"step": N_("This step"), "ask": N_("Question asked"), "talk": N_("Talk")}


class _LeaveUndo(QObject):
    """Boxes would keep undo for what is typed in them; here it takes back any edit of the talk."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Undo) or event.matches(keys.Redo):
                event.ignore()
                return True
        return super().eventFilter(watched, event)


class _StepEditor(QWidget):
    """Its name, its sentence with numbers of the lab, what it points at, and the notes."""

    def __init__(self, player: Player, targets: TalkTargets):
        super().__init__()
        self.player, self.targets = player, targets
        self.title, self.say = QLineEdit(), QLineEdit()
        self.chart, self.point = combo(N_("Shows")), combo(N_("Points at"))
        self.number, self.notes = push(tr(N_("Number")) + " ▾"), QPlainTextEdit()
        self.number.setToolTip(tr(N_("Put a number of the lab into the sentence")))
        self.number.setMenu(QMenu(self.number))
        self.notes.setTabChangesFocus(True)
        grid = QGridLayout(self)
        named(grid, 0, 0, N_("Title"), self.title, 2)
        named(grid, 1, 0, N_("Sentence"), self.say)
        grid.addWidget(self.number, 1, 2)
        aside = QGridLayout()
        named(grid, 2, 0, N_("Shows"), self.chart)
        grid.removeWidget(self.chart)
        grid.addLayout(aside, 2, 1, 1, 2)
        aside.addWidget(self.chart, 0, 0)
        named(aside, 0, 1, N_("Points at"), self.point)
        aside.setColumnStretch(0, 1)
        aside.setColumnStretch(2, 1)
        self.minutes = QLineEdit()
        self.minutes.setValidator(QDoubleValidator(0.0, float(MOST_MINUTES), 2, self.minutes))
        self.minutes.setToolTip(tr(N_("Minutes planned for this step; the notes show the delay")))
        self.minutes.setMaximumWidth(64)
        named(aside, 0, 3, N_("Minutes"), self.minutes)
        self.beside = ElidedLabel("muted")
        aside.addWidget(self.beside, 0, 5)
        named(grid, 0, 3, N_("Notes"), self.notes, high=3)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(4, 2)
        self.title.textEdited.connect(lambda text: player.change(title=text))
        self.say.textEdited.connect(lambda text: player.change(say=text))
        self.notes.textChanged.connect(self._on_notes)
        self.chart.activated.connect(lambda _: player.change(chart=self.chart.currentData()))
        self.point.activated.connect(lambda _: player.change(point=self.point.currentData()))
        self.minutes.textEdited.connect(lambda _: player.change(minutes=self._minutes))
        self.number.menu().aboutToShow.connect(self._list_numbers)

    def show_state(self) -> None:
        """The step as it is now; what is being typed is so already."""
        step = self.player.step
        texts = (step.title, step.say) if step is not None else ("", "")
        for box, text in zip((self.title, self.say), texts, strict=True):
            write(box, text)
        planned = step.minutes if step is not None else 0.0
        if self._minutes != planned:
            self.minutes.setText(self.minutes.locale().toString(planned, "g") if planned else "")
        notes = step.notes if step is not None else ""
        if self.notes.toPlainText() != notes:
            self.notes.setPlainText(notes)
        boxes = self.title, self.say, self.number, self.notes, self.chart, self.point, self.minutes
        for part in boxes:
            part.setEnabled(step is not None)
        second = step.second if step is not None else None
        self.beside.setVisible(second is not None)
        if second is not None:
            told = say("Beside the table: {name}", name=Request(second.table).name)
            self.beside.set_text(shown(told))

    @property
    def _minutes(self) -> float:
        """The minutes that are typed."""
        number, known = self.minutes.locale().toDouble(self.minutes.text())
        return min(max(number, 0.0), float(MOST_MINUTES)) if known else 0.0

    def show_seen(self) -> None:
        """What stands on the screen: it may be pointed at; and what is said where nothing is
        written."""
        step = self.player.step
        chart, point = (step.chart, step.point) if step is not None else ("", "")
        choose(self.chart, self.targets.charts(), chart)
        choose(self.point, {"": tr(N_("nothing")), **self.targets.parts()}, point)
        headline = self.targets.headline()
        if self.say.placeholderText() != headline:
            self.say.setPlaceholderText(headline)

    def _list_numbers(self) -> None:
        menu = self.number.menu()
        empty(menu)
        for title, entries in self.targets.numbers().items():
            inner = menu.addMenu(tr(title)) if title else menu
            for field, words in entries.items():
                act(inner, words.replace("&", "&&"), partial(self._insert, field))

    def _insert(self, field: str) -> None:
        self.say.insert("{" + field + "}")
        self.player.change(say=self.say.text())
        self.say.setFocus()

    def _on_notes(self) -> None:
        step, text = self.player.step, self.notes.toPlainText()
        if step is not None and text != step.notes:
            self.player.change(notes=text)


class _WholeEditor(QWidget):
    """The name of the talk, what it is about, and whether it is a lesson."""

    def __init__(self, player: Player):
        super().__init__()
        self.player, self.name, self.about = player, QLineEdit(), QLineEdit()
        self.lesson = QCheckBox(tr(N_("A lesson: gone through alone, question by question")))
        grid = QGridLayout(self)
        named(grid, 0, 0, N_("Talk"), self.name)
        named(grid, 1, 0, N_("About"), self.about)
        grid.addWidget(self.lesson, 2, 1)
        self.name.textEdited.connect(lambda text: player.describe(name=text))
        self.about.textEdited.connect(lambda text: player.describe(about=text))
        self.lesson.clicked.connect(lambda on: player.describe(lesson=on))

    def show_state(self) -> None:
        talk = self.player.talk
        if talk is not None:
            write(self.name, talk.name)
            write(self.about, talk.about)
            self.lesson.setChecked(talk.lesson)


class TalkEditor(QWidget):
    """Every letter that is typed is in the talk at once. `targets` is what is on the screen."""

    def __init__(self, player: Player, targets: TalkTargets):
        super().__init__()
        self.player, self.targets = player, targets
        self.turn = Segments(PAGES, line=True)
        self.step, self.whole = _StepEditor(player, targets), _WholeEditor(player)
        self.ask = AskEditor(player, targets)
        pages: tuple[QWidget, ...] = (self.step, self.ask, self.whole)
        self._undo = _LeaveUndo(self)
        for page in pages:
            for box in (*page.findChildren(QLineEdit), *page.findChildren(QPlainTextEdit)):
                box.installEventFilter(self._undo)
        self.pages: dict[str, QWidget] = dict(zip(PAGES, pages, strict=True))
        self.earlier, self.later = push("◂ " + tr(N_("Earlier"))), push(tr(N_("Later")) + " ▸")
        self.retake = push(tr(N_("Take what is set now")))
        self.retake.setToolTip(tr(N_("Let this step show what is on the screen")))
        self.remove, self.save = push(tr(N_("Remove the step"))), push(tr(N_("Save")))
        row, column = QHBoxLayout(), QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.turn)
        row.addStretch()
        for button in (self.earlier, self.later, self.retake, self.remove, self.save):
            row.addWidget(button)
        column.addLayout(row)
        self.stack = QStackedWidget()  # as high as the highest: nothing jumps under the hand
        for page in self.pages.values():
            self.stack.addWidget(page)
        column.addWidget(self.stack)
        self._empty = False
        self.turn.chosen.connect(self.show_page)
        self.earlier.clicked.connect(partial(player.move, -1))
        self.later.clicked.connect(partial(player.move, 1))
        self.remove.clicked.connect(player.remove)
        self.show_page("step")

    def show_page(self, key: str) -> None:
        """What is to be written of: the step, its question or the talk."""
        self.turn.show_choice(key)
        self.stack.setCurrentWidget(self.pages[key])

    def show_state(self) -> None:
        """The talk and the step as they are now."""
        talk, player = self.player.talk, self.player
        if talk is None or self.isHidden():
            return
        if self._empty != (player.step is None):  # the name first, then the steps
            self._empty = player.step is None
            self.show_page("talk" if self._empty else "step")
        self.step.show_state()
        self.whole.show_state()
        self.show_seen()
        for part in (self.remove, self.retake):
            part.setEnabled(player.step is not None)
        self.earlier.setEnabled(player.place > 0)
        self.later.setEnabled(0 <= player.place < len(talk.steps) - 1)
        self.save.setEnabled(player.dirty)

    def show_seen(self) -> None:
        """What is on the screen is another now."""
        if not self.isHidden():
            self.step.show_seen()
            self.ask.show_state()


def write(box: QLineEdit, text: str) -> None:
    """Show a text, unless it stands there: the cursor stays."""
    if box.text() != text:
        box.setText(text)
