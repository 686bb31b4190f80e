"""What lies over the board: a veil where a problem stops the page, and a word while it computes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import tr
from dpstudio.values.messages import N_

LATE_MS = 200  # who waits longer is told so
_VEIL = 0.72  # how much of the ground covers a picture that is of another question


Act = tuple[str, Callable[[], Any]]  # the words on a button, and what it does


class _Over(QWidget):
    """Follows the size of what it lies over."""

    def __init__(self, under: QWidget) -> None:
        super().__init__(under)
        self.under = under
        under.installEventFilter(self)
        self.hide()

    def box(self, under: QRect) -> QRect:
        """Where it lies in the widget under it."""
        return under

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.place()
        return False

    def place(self) -> None:
        """Lie where it belongs, above all else."""
        self.setGeometry(self.box(self.under.rect()))
        self.raise_()


class StoppedOverlay(_Over):
    """Why there is no picture of the state as it is, and what mends it; the last one is seen dimmly
    through it, and takes no mouse."""

    def __init__(self, under: QWidget) -> None:
        super().__init__(under)
        self.why = label("", "title", wrap=True)
        # What mends it, and the way back.
        self.action, self.other = QPushButton(), QPushButton()
        self.action.setObjectName("primary")
        self._acts: tuple[Act, ...] = ()
        for place, button in enumerate(self._buttons):
            button.clicked.connect(partial(self._on_click, place))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # it goes when it is clicked
        note = QFrame()
        note.setObjectName("bar")
        row = QHBoxLayout(note)
        row.setContentsMargins(16, 12, 12, 12)
        row.setSpacing(16)
        row.addWidget(self.why, 1)
        for button in self._buttons:
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.addStretch(1)
        column.addWidget(note)
        column.addStretch(2)

    @property
    def _buttons(self) -> tuple[QPushButton, QPushButton]:
        return self.action, self.other

    def say(self, text: str, acts: Sequence[Act]) -> None:
        """Show the sentence, with a button for each of at most two acts, the first of which is
        prominent."""
        self._acts = tuple(acts)
        self.why.setText(text)
        for place, button in enumerate(self._buttons):
            button.setVisible(place < len(acts))
            if place < len(acts):
                button.setText(acts[place][0])
        self.place()
        self.show()

    def text(self) -> str:
        """The sentence."""
        return self.why.text()

    def _on_click(self, place: int) -> None:
        self._acts[place][1]()

    def paintEvent(self, event: QPaintEvent) -> None:
        veil = QColor(self.palette().base().color())
        veil.setAlphaF(_VEIL)
        painter = QPainter(self)
        painter.fillRect(self.rect(), veil)
        painter.end()


class WorkingOverlay(_Over):
    """Says that the page computes, to who waits for long, without moving anything."""

    def __init__(self, under: QWidget) -> None:
        super().__init__(under)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.word = QLabel(tr(N_("computing …")), self)
        self.word.setObjectName("muted")
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(LATE_MS)
        self._late.timeout.connect(self._begin)

    def box(self, under: QRect) -> QRect:
        size = self.word.sizeHint()
        self.word.resize(size)
        return QRect(under.right() - size.width() - 12, 2, size.width(), size.height())

    def expect(self) -> None:
        """Something is worked out from now on."""
        if not self._late.isActive():
            self._late.start()

    def over(self) -> None:
        """Something has come: nobody waits any more."""
        self._late.stop()
        self.hide()

    def _begin(self) -> None:
        self.place()
        self.show()
