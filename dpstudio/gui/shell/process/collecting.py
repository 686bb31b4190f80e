"""The collector of garbage works for the window alone, and walks through all that there is while
nobody moves anything: that takes about a tenth of a second, in which nothing else is done.

Python would have it work in whichever thread makes the next thing. Among what is let go are parts
of the window, and one that goes in another thread than the window's ends the program.
"""

import gc
from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import QObject, QTimer, SignalInstance

YOUNG = 20_000  # new things: to walk through them takes a few ms
# Walks through what is young until all is walked through; and how much seldomer both are done for
# one who never rests, or whose hand moves just now.
DUE, SELDOM = 10, 10
TICK_MS, REST_S, MOVES_S = 500, 2.0, 0.1
IDLE_MS = 30_000  # what serves a room makes garbage in a window that nobody touches


def collect_nowhere_else() -> None:
    """Let Python collect in no thread, and nobody walk through what stands now."""
    gc.disable()
    gc.freeze()


class Collector(QObject):
    """Collects what is young when there is much of it, and all when it is due, none of `stirs` was
    heard for a while and nothing is `busy`."""

    def __init__(self, parent: QObject, busy: Callable[[], bool], *stirs: SignalInstance):
        super().__init__(parent)
        self.busy = busy
        self.stirred = 0.0
        self.next = QTimer(self)
        self.next.setSingleShot(True)
        self.next.timeout.connect(self._collect)
        self.next.start(IDLE_MS)
        for stir in stirs:
            stir.connect(self._stir)

    def _stir(self) -> None:
        self.stirred = monotonic()
        if not self.next.isActive() or self.next.interval() == IDLE_MS:
            self.next.start(TICK_MS)

    def _collect(self) -> None:
        young, _, walks = gc.get_count()
        since = monotonic() - self.stirred
        rests = since >= REST_S and not self.busy()
        if walks >= (DUE if rests else SELDOM * DUE):
            gc.collect()
        elif young >= (YOUNG if since >= MOVES_S else SELDOM * YOUNG):
            gc.collect(1)
        self.next.start(IDLE_MS if rests else TICK_MS)
