"""The bar that says what went wrong or is going on, and offers a next step. It never blocks."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton

from dpstudio.gui.parts.labels import label, retone
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.waiting import WaitingBar
from dpstudio.values.messages import N_

# What is done sooner is not told, as it would flash: a table that is opened, a lab that is worked
# out, of which a first picture stands.
FADE_MS, LATE_MS, LONG_MS = 8000, 200, 1000


class MessageBar(WaitingBar):
    """`left`: what was said has been read, or answered."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = label("", wrap=True)
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setFormat("%p\u00a0%")
        self.action, self.other, self.shut = QPushButton(), QPushButton(), QPushButton("×")
        self.shut.setObjectName("quiet")
        self.shut.setAccessibleName(tr(N_("Close this message")))
        self._act: Callable[[], None] | None = None
        self._other: Callable[[], None] | None = None
        self.fade = QTimer(self)
        self.fade.setSingleShot(True)
        self.fade.setInterval(FADE_MS)
        self.fade.timeout.connect(self._leave)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._begin)
        self._soon: tuple[str, float, Callable[[], None]] = ("", 0.0, self._leave)
        self._telling = False  # of progress, though it may have been hidden since
        self.action.clicked.connect(lambda: self._do(self._act))
        self.other.clicked.connect(lambda: self._do(self._other))
        self.shut.clicked.connect(self._leave)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        layout.addWidget(self.text, 1)
        for widget in (self.progress, self.action, self.other, self.shut):
            layout.addWidget(widget)
        for button in (self.action, self.other, self.shut):  # the keyboard stays where it is
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def say(
        self, text: str, action: str = "", act: Callable[[], None] | None = None, tone: str = "bad"
    ) -> None:
        """Show a sentence; `action` names a button that does `act`. An empty text hides the bar.
        What nobody asked for, which is neither good nor bad, waits while a page is presented."""
        self._late.stop()
        self._telling = False
        if not text:
            self.progress.hide()
            self.fade.stop()
            self.fill(False)
            return
        retone(self.text, tone)
        self.text.setText(text)
        self._act = act
        self.action.setText(action)
        self.action.setVisible(bool(action))
        self.other.hide()
        self.progress.hide()
        self.shut.show()
        self.fill(True, urgent=tone in ("good", "bad"))
        # Good news leaves by itself; what needs an answer stays.
        self.fade.start() if tone == "good" else self.fade.stop()

    def unsay(self, text: str) -> None:
        """Let a sentence go that holds no more, where it still stands here."""
        if text and self.busy and self.text.text() == text:
            self.say("")

    def offer(self, action: str, act: Callable[[], None]) -> None:
        """Another answer to what was said just now: a button that does `act`."""
        self._other = act
        self.other.setText(action)
        self.other.show()

    @property
    def note(self) -> bool:
        """Whether what stands in it is neither good nor bad, and can wait."""
        return self.busy and self.progress.isHidden() and not self.text.objectName()

    @property
    def standing(self) -> Callable[[], None] | None:
        """Says again the sentence that stands in it, with what is offered; None where none does,
        or progress."""
        if not self.busy or not self.progress.isHidden():
            return None
        act, tone = self._act, self.text.objectName()
        said = partial(self.say, self.text.text(), self.action.text(), act, tone)
        other, do = self.other.text(), None if self.other.isHidden() else self._other

        def again() -> None:
            said()
            if do is not None:
                self.offer(other, do)

        return again

    def soon(
        self, text: str, cancel: Callable[[], None], share: float = 0.0, after: int = LATE_MS
    ) -> None:
        """Show progress unless something else is said, or all is over, within so many ms. Two at a
        time are not told: what would be told the sooner stays."""
        stands = self.busy and not self.progress.isHidden()
        other = self._act if stands else self._soon[2] if self._late.isActive() else cancel
        if after > LATE_MS and other != cancel:
            return
        if stands:
            self.working(text, share, cancel)
            return
        self._soon = text, share, cancel
        if not self._late.isActive():
            self._late.start(after)

    def _begin(self) -> None:
        self.working(*self._soon)

    def over(self, cancel: Callable[[], None], stood: Callable[[], None] | None) -> None:
        """What made progress has ended: what `stood` here before it was told stands here again."""
        if self._late.isActive() and self._soon[2] == cancel:
            self._late.stop()
        if self._telling and self._act in (None, cancel):
            self.say("") if stood is None else stood()
            self.put_aside(self._aside)  # it is no news

    def working(self, text: str, share: float, cancel: Callable[[], None]) -> None:
        """Show progress, with a button that cancels."""
        self._go(share)  # where it is seen Qt paints the window at once
        # It is told many times a second, and other words would lay out the whole window.
        if not self.busy or self.progress.isHidden() or self.text.text() != text:
            self.say(text, tr(N_("Cancel")), cancel, "")
            self.progress.show()
            self.shut.hide()
        self._telling = True
        self._act = cancel

    def advance(self, share: float) -> None:
        """Move the progress, where it is shown."""
        if not self.progress.isHidden():
            self._go(share)

    def _go(self, share: float) -> None:
        """So far; of what does not say how far it is, that it goes on."""
        self.progress.setMaximum(0 if share < 0 else 100)
        self.progress.setValue(round(100 * max(0.0, share)))

    def _do(self, act: Callable[[], None] | None) -> None:
        self._act = self._other = None
        self.fill(False)
        if act is not None:
            act()
        self.left.emit()

    def _leave(self) -> None:
        self.fill(False)
        self.left.emit()
