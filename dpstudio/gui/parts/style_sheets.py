"""The style sheet of a window, worn by each of its parts."""

from collections.abc import Callable
from functools import partial

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class StyleSheets(QObject):
    """One style sheet, set on each part of a window by itself. Set on the window it would go
    through every widget there is in one event, which is felt: so each part that is seen takes
    another sheet in an event of its own, and nothing is painted until all have. One that is not to
    be seen takes it when it is."""

    def __init__(self, window: QWidget, sheet: str):
        super().__init__(window)
        self.window, self.sheet = window, sheet
        self._parts: list[QWidget] = []
        self._steps: list[Callable[[], object]] = []
        self._next = QTimer(self)
        self._next.timeout.connect(self._step)

    @property
    def changing(self) -> bool:
        """Whether some of the window still has the sheet before."""
        return bool(self._steps)

    def add(self, *parts: QWidget) -> None:
        """Dress these, now and when the sheet is another; none may lie in another one."""
        for part in parts:
            part.setStyleSheet(self.sheet)
            part.installEventFilter(self)
        self._parts = [part for part in (*self._parts, *parts) if shiboken6.isValid(part)]

    def change(self, sheet: str, *after: Callable[[], object]) -> None:
        """Let what is seen wear another sheet, then do what comes `after`, a step an event; all at
        once in a window that is not seen itself."""
        self.sheet = sheet
        seen = [part for part in self._parts if shiboken6.isValid(part) and part.isVisible()]
        self._steps = [*(partial(self.put, part) for part in seen), *after]
        if self.window.isVisible():
            self.window.setUpdatesEnabled(False)
            self._next.start()
        else:
            self.finish()

    def finish(self) -> None:
        """Do at once what is still to be done."""
        while self._steps:
            self._step()

    def _step(self) -> None:
        if self._steps:
            self._steps.pop(0)()
        if not self._steps:
            self._next.stop()
            self.window.setUpdatesEnabled(True)
            # Qt asks for a paint only where it has not yet, and lets one go that is due while
            # nothing may be painted: a window that grew meanwhile would stay as it was.
            QCoreApplication.postEvent(self.window, QEvent(QEvent.Type.UpdateRequest))

    def put(self, part: QWidget) -> None:
        """Let a part wear the sheet of now, as one that is about to be shown does best before its
        layout is asked for anything."""
        if shiboken6.isValid(part) and part.styleSheet() != self.sheet:
            part.setStyleSheet(self.sheet)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            self.put(watched)
        return False
