"""The bar of a talk: back and on, what is said of the step, what it asks; and, for who makes it,
all that can be written of it."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import ElidedLabel, LiveLabel, label
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.topbar import act
from dpstudio.gui.shell.talks.editor import TalkEditor
from dpstudio.gui.shell.talks.question import QuestionPane
from dpstudio.gui.shell.talks.targets import TalkTargets
from dpstudio.gui.state.player import Player
from dpstudio.values.messages import N_


class _Words(QWidget):
    """What is said of a step keeps the room of the longest so far: from step to step the charts
    above stand still."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        layout, width = self.layout(), event.size().width()
        need = layout.heightForWidth(width) if layout is not None else 0
        same = width == event.oldSize().width()
        self.setMinimumHeight(max(need, self.minimumHeight()) if same else 0)


class TalkBar(QFrame):
    """Stands below the pages while a talk is open. `added`, `retaken`: what is set is to be a step,
    or the one on the screen; `saved`, `saved_as`, `handed_out`; `presented`, `noted`: it is to fill
    the screen, or the notes are wanted; `copied`: one that is shipped is to be changed; `left`: the
    talk is to be closed; `rearranged`: widgets came or went."""

    added = Signal()
    retaken = Signal()
    saved = Signal()
    saved_as = Signal()
    handed_out = Signal()
    presented = Signal()
    noted = Signal()
    copied = Signal()
    left = Signal()
    rearranged = Signal()

    def __init__(self, player: Player, targets: TalkTargets):
        super().__init__()
        self.setObjectName("foot")
        self.player = player
        self.mine = True  # it may be changed
        self.elsewhere = False  # what is asked stands large above
        self.back = push("◂", tip=tr(N_("The step before, Page Up")))
        self.on = push("▸", tip=tr(N_("The next step, Page Down")))
        self.place, self.name = label("", "muted"), ElidedLabel("title")
        self.sentence, self.verdict = LiveLabel("sentence", wrap=True), label("", "good", wrap=True)
        self.words, self.asking, self.editor = _Words(), QuestionPane(), TalkEditor(player, targets)
        self.add = push(tr(N_("Add this step")), tip=tr(N_("Add what is set now, Ctrl+Shift+A")))
        self.edit, self.leave = push(tr(N_("Edit"))), push("")
        self.name_leaving(False)
        self.edit.setCheckable(True)
        self.more = push("···", tip=tr(N_("More of this talk")))
        self.more.setMenu(QMenu(self.more))
        self._lay_out()
        self._fill_menu()
        self.back.clicked.connect(partial(player.turn, -1))
        self.on.clicked.connect(self._go_on)
        self.asking.answered.connect(player.answer)
        self.edit.toggled.connect(self._unfold)
        for button, signal in (
            (self.add, self.added),
            (self.leave, self.left),
            (self.editor.save, self.saved),
            (self.editor.retake, self.retaken),
        ):
            button.clicked.connect(signal)
        player.changed.connect(self.show_state)

    def name_leaving(self, texts: bool) -> None:
        """Say where leaving leads: to the page of the texts, or to one's own work."""
        self.leave.setText(tr(N_("Back to the texts") if texts else N_("Back to my work")))

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
        for button in (self.add, self.edit, self.more, self.leave):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)

    def _fill_menu(self) -> None:
        menu = self.more.menu()
        act(menu, tr(N_("Hand out …")), self.handed_out.emit)
        act(menu, tr(N_("Present")) + "\tF5", self.presented.emit)
        act(menu, tr(N_("Speaker's notes")) + "\tN", self.noted.emit)
        menu.addSeparator()
        self._save = act(menu, tr(N_("Save")) + "\tCtrl+S", self.saved.emit)
        self._save_as = act(menu, tr(N_("Save as …")), self.saved_as.emit)
        self._copy = act(menu, tr(N_("Change a copy of it")), self.copied.emit)

    def show_state(self) -> None:
        """The talk, the step and what it asks, as they are now."""
        player, step = self.player, self.player.step
        talk = player.talk
        if talk is None:
            self.words.setMinimumHeight(0)
            return
        last = player.place + 1 >= len(talk.steps)
        self.place.setText(f"{player.place + 1} / {len(talk.steps)}" if talk.steps else "")
        self.place.setVisible(bool(talk.steps))
        self.name.set_text(_named(talk.name, step.title if step is not None else ""))
        asks = step.ask if step is not None and player.asking else None
        seen = self.asking.isHidden(), self.add.isHidden()
        if asks is not None:
            self.asking.ask(asks)
        self.asking.setVisible(asks is not None and not self.elsewhere)
        self.sentence.setVisible(asks is None)
        self.back.setEnabled(player.place > 0)
        self.on.setEnabled(not last or player.asking or talk.lesson)
        self.on.setText(self._words_of_on(last) if talk.lesson else "▸")
        for part in (self.add, self.edit, self._save, self._save_as):
            part.setVisible(self.mine)
        self._copy.setVisible(not self.mine)
        self._save.setEnabled(player.dirty)
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

    def tell(self, sentence: str, verdict: str) -> None:
        """What is said of the step, and of an answer."""
        self.sentence.show_text(sentence)
        self.verdict.setText(verdict)
        self.verdict.setVisible(bool(verdict))

    def unfold(self, open_: bool) -> None:
        """Show what can be written of the talk and of its step, or put it away."""
        self.edit.setChecked(open_)

    def _unfold(self, open_: bool) -> None:
        self.editor.setVisible(open_)
        self.editor.show_state()
        self.rearranged.emit()

    def take_focus(self) -> None:
        """Let the keyboard go on from here: to what is asked, else to the next step."""
        asked = self.asking.first() if self.player.asking else None
        (asked or self.on).setFocus()


def _named(talk: str, step: str) -> str:
    return " · ".join(tr(name) for name in (talk, step) if name)
