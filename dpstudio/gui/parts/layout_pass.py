"""A window in which all that is to be laid out is so before anything is painted, and each part of
it once; and how long work is done piece by piece, so that nothing that comes meanwhile waits for
more than one of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, QTimerEvent
from PySide6.QtWidgets import QLayout, QMainWindow, QWidget

# What Qt puts off of widgets that come, go or change: layouts, of which each may ask those around
# it to be laid out next, and to be painted.
_PUT_OFF = *[QEvent.Type.LayoutRequest.value] * 6, QEvent.Type.UpdateLater.value
_REST_MS = 200


class IdleStep(QTimer):
    """It goes off once, as soon as nothing else waits, and in a round of the event loop of its own:
    two that go off in one, or one and the painting of what it did, would be felt as one pause."""

    _taken = False

    def __init__(self, parent: QObject, act: Callable[[], object]):
        super().__init__(parent)
        self.setSingleShot(True)
        self.timeout.connect(act)

    @classmethod
    def take(cls) -> None:
        """Something takes this round that is no piece of this kind."""
        IdleStep._taken = True
        QTimer.singleShot(1, _free)  # after 0 ms it would be no timer, but come before a paint

    @classmethod
    def taken(cls) -> bool:
        """Whether this round of the event loop is long enough."""
        return IdleStep._taken

    def timerEvent(self, event: QTimerEvent) -> None:
        if not IdleStep._taken:  # else it still runs, and goes off in the next round
            IdleStep.take()
            super().timerEvent(event)


def _free() -> None:
    IdleStep._taken = False


class LayoutPass(QMainWindow):
    """Qt paints between what it put off, and again after each of it: charts of a page that is
    turned to up to four times. Here that is done first; both wait for rounds of their own where
    this one did enough."""

    def __init__(self) -> None:
        super().__init__()
        self._late = IdleStep(self, self._on_late)
        self._settled = False
        # What moves while a window is drawn larger, bit by bit, is left in places as it was painted
        # before (Qt 6.11 under X11): headings stood twice. All is painted again when it rests, at
        # once: a request to, as `update` sends, may wait for one of before that never comes.
        self._rests = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rests.timeout.connect(self._on_rest)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._rests.start()
        if event.type() == QEvent.Type.UpdateRequest:
            if IdleStep.taken():
                self._settled = False
                self._late.start()
                return True
            self._settle()
        return super().event(event)

    def _on_rest(self) -> None:
        """Paint all: Qt leaves out what paints itself whole where what lies below is asked."""
        for part in self.findChildren(QWidget):
            if part.testAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent) and part.isVisible():
                part.update()
        self.repaint()

    def paint_now(self) -> None:
        """Paint what is to be painted, for which Qt else waits 5 ms: as long as some pictures
        take."""
        self.event(QEvent(QEvent.Type.UpdateRequest))

    def _settle(self) -> None:
        for kind in _PUT_OFF:
            QCoreApplication.sendPostedEvents(None, kind)

    def _on_late(self) -> None:
        self._settle()
        if self._settled:
            super().event(QEvent(QEvent.Type.UpdateRequest))
            _free()  # nothing comes after a paint, and the next need not be late for this one
        else:
            self._settled = True
            self._late.start()


@contextmanager
def laid_out_later(*layouts: QLayout) -> Iterator[None]:
    """Within this nothing moves in these layouts, in which each widget that is shown would else lay
    out all others."""
    for layout in layouts:
        layout.setEnabled(False)
    try:
        yield
    finally:
        for layout in layouts:
            layout.setEnabled(True)
