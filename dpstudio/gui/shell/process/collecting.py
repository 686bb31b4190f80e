"""The collector of garbage walks through all that there is while nobody moves anything: that takes
about a tenth of a second, in which nothing else is done."""

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, SignalInstance

# As often as Python would walk through everything, in collections of what is young; and how much
# seldomer it does so by itself, for one who never rests.
DUE, SELDOM = 10, 10
REST_MS = 2000


def collect_seldom() -> None:
    """Let the collector look at what is made from now on, and walk through all of it seldom."""
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, SELDOM * DUE)
    gc.enable()


class Collector(QObject):
    """Collects when it is due, none of `stirs` was heard for a while and nothing is `busy`."""

    def __init__(self, parent: QObject, busy: Callable[[], bool], *stirs: SignalInstance):
        super().__init__(parent)
        self.busy = busy
        self.resting = QTimer(self)
        self.resting.setSingleShot(True)
        self.resting.setInterval(REST_MS)
        self.resting.timeout.connect(self._collect)
        for stir in stirs:
            stir.connect(self.resting.start)

    def _collect(self) -> None:
        if self.busy():
            self.resting.start()
        elif gc.isenabled() and gc.get_count()[2] >= DUE:
            gc.collect()
