"""What may wait until the eye has what it follows: piece by piece, and hands come first."""

from collections.abc import Callable, Hashable

from PySide6.QtCore import QObject, QTimer, QTimerEvent, Signal


class Afterwards(QTimer):
    """Does what waits, one act in each round of the event loop, those first that wait for longest.
    `done`: nothing waits any more."""

    done = Signal()

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self.setSingleShot(True)
        self._acts: dict[Hashable, Callable[[], object]] = {}

    @property
    def waits(self) -> bool:
        """Whether anything is still to be done."""
        return bool(self._acts)

    def put_off(self, key: Hashable, act: Callable[[], object]) -> None:
        """Let it wait, in the place of that of the same key."""
        self._acts[key] = act

    def hasten(self, key: Hashable) -> None:
        """Do this now, if it waits."""
        if key in self._acts:
            self._acts.pop(key)()

    def forget(self) -> None:
        """Nothing of it is to be done."""
        self.stop()
        self._acts.clear()

    def timerEvent(self, event: QTimerEvent) -> None:
        super().timerEvent(event)
        if self._acts:
            self._acts.pop(next(iter(self._acts)))()
        if self._acts:
            self.start()
        else:
            self.done.emit()
