"""What only the speaker sees: notes, the step that comes next, and the clock."""

import time

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from dpstudio.files.talk import Talk
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.parts.turn_keys import TURNS
from dpstudio.gui.state.player import Player
from dpstudio.values.messages import N_, say

TICK_MS = 200


class Presenter(QWidget):
    """A window of its own, on another screen where there is one. Its keys turn the talk as well."""

    def __init__(self, player: Player, parent: QWidget):
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.player, self._since = player, 0.0
        self.setWindowTitle(tr(N_("Notes — dpstudio")))
        self.resize(720, 520)
        self.place, self.title = label("", "muted"), label("", "headline", wrap=True)
        self.said, self.notes = label("", "muted", wrap=True), label("", "headline", wrap=True)
        self.next, self.clock = label("", "muted", wrap=True), label("", "value")
        self.plan, self.delay = label("", "muted"), label("", "value")
        self.notes.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.again = push(tr(N_("Restart the clock")))
        self.tick = QTimer(self)
        self.tick.setInterval(TICK_MS)
        self.tick.timeout.connect(self._on_tick)
        self.again.clicked.connect(self.restart)
        self._lay_out()
        player.changed.connect(self.show_state)

    def _lay_out(self) -> None:
        column, head, foot = QVBoxLayout(self), QHBoxLayout(), QHBoxLayout()
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(12)
        head.addWidget(self.place)
        head.addStretch()
        for part in (self.plan, self.delay, self.clock):
            part.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            head.addWidget(part)
        head.addWidget(self.again)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self.notes)
        foot.addWidget(self.next, 1)
        column.addLayout(head)
        column.addWidget(self.title)
        column.addWidget(self.said)
        column.addWidget(area, 1)
        column.addLayout(foot)

    def begin(self) -> None:
        """Show it, with the clock at 0 where it was not there before."""
        parent = self.parentWidget()
        here = parent.screen() if parent is not None else None
        others = [screen for screen in QGuiApplication.screens() if screen is not here]
        if others:
            self.setGeometry(others[0].availableGeometry())
        if not self._since:
            self.restart()
        self.tick.start()
        self.show_state()
        self.show()

    def restart(self) -> None:
        """The clock to 0."""
        self._since = time.monotonic()
        self._on_tick()

    def _on_tick(self) -> None:
        talk, passed = self.player.talk, int(time.monotonic() - self._since)
        begins, ends = talk.planned(self.player.place) if talk is not None else (0.0, 0.0)
        late = passed - min(max(passed, round(60 * begins)), round(60 * ends))
        signed = f"{'+' if late > 0 else '−'}{_clock(abs(late))}" if late else tr(N_("on time"))
        _write(self.clock, _clock(passed))
        _write(self.delay, signed)

    def _show_plan(self, talk: Talk) -> None:
        """Until when the step is planned to take, and all of them."""
        whole, end = (talk.planned(place)[1] for place in (len(talk.steps), self.player.place))
        for part in (self.plan, self.delay):
            part.setVisible(whole > 0)
        told = say("this step until {end}, all {whole}", end=_time(end), whole=_time(whole))
        _write(self.plan, shown(told))
        # Nothing beside them moves from second to second.
        for part, widest in ((self.clock, "000:00"), (self.delay, f"+{tr(N_('on time'))}")):
            part.ensurePolished()  # with the type that it will have when it is seen
            part.setMinimumWidth(part.fontMetrics().horizontalAdvance(widest))

    def show_state(self) -> None:
        """The step that is on the screen."""
        talk, step, place = self.player.talk, self.player.step, self.player.place
        if talk is None:
            self._since = 0.0
            self.close()
        elif step is not None:
            self.place.setText(f"{place + 1} / {len(talk.steps)}")
            self.title.setText(tr(step.title))
            self.notes.setText(tr(step.notes))
            after = talk.steps[place + 1 : place + 2]
            text = say("Next: {title}", title=tr(after[0].title)) if after else say("The last step")
            self.next.setText(shown(text))
            self._show_plan(talk)
            self._on_tick()

    def tell(self, sentence: str) -> None:
        """What is said of the step on the large screen."""
        self.said.setText(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in TURNS:
            self.player.turn(TURNS[key])
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_N):
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.tick.stop()
        super().closeEvent(event)


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


def _time(minutes: float) -> str:
    return _clock(round(60 * minutes))


def _write(part: QLabel, text: str) -> None:
    """Show a text, unless it stands there: a label that is written is painted."""
    if part.text() != text:
        part.setText(text)
