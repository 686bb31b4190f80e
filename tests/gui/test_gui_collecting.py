"""The collector of garbage works for the window alone, while nobody moves anything."""

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from dpstudio.gui.shell.process import collecting
from dpstudio.gui.shell.process.collecting import DUE, IDLE_MS, SELDOM, TICK_MS, YOUNG, Collector
from dpstudio.gui.shell.studio import Studio


class Ring:
    """Refers to itself: only the collector lets go of it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def by_itself_nothing_goes() -> Iterator[None]:
    """As in the program; else threads that work behind may let what is young go."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    ("counts", "stirs", "busy", "goes"),
    [
        ((0, 0, DUE - 1), False, False, False),
        ((0, 0, DUE), False, False, True),
        ((0, 0, DUE), True, False, False),
        ((0, 0, DUE), False, True, False),
        ((0, 0, SELDOM * DUE), True, True, True),
        ((YOUNG, 0, 0), True, True, False),  # not under a hand that moves
        ((SELDOM * YOUNG, 0, 0), True, True, False),  # what is young alone
        ((YOUNG, 0, 0), False, False, False),  # a room is served, and nobody touches the window
    ],
)
def test_garbage_goes_when_it_is_due_and_nobody_waits_for_it(
    studio: Studio,
    by_itself_nothing_goes: None,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    counts: tuple[int, int, int],
    stirs: bool,
    busy: bool,
    goes: bool,
) -> None:
    collector = studio.findChild(Collector)
    assert collector is not None
    monkeypatch.setattr(collector, "busy", lambda: busy)
    collector.stirred = 0.0
    collector.next.start(IDLE_MS)
    if stirs:
        studio.store.changed.emit(studio.store)
        assert collector.next.interval() == TICK_MS
    ring, new = Ring(), Ring()
    gone = weakref.ref(ring)
    gc.collect()  # from here on it is among what is old
    del ring
    new = Ring()
    young = weakref.ref(new)
    del new
    monkeypatch.setattr(collecting.gc, "get_count", lambda: counts)
    collector._collect()
    assert collector.next.isActive()
    assert collector.next.interval() == (TICK_MS if stirs or busy else IDLE_MS)
    assert (gone() is None) == goes
    assert (young() is None) == (goes or counts[0] >= (SELDOM * YOUNG if stirs else YOUNG))


IN_A_THREAD = """
import gc, threading
from dpstudio.gui.door import ready
from dpstudio.gui.shell.process.collecting import collect_nowhere_else
from PySide6.QtCore import QObject, QThread

app, window = ready()
gone = []

class Part(QObject):
    def __init__(self):
        super().__init__()
        self.me = self

    def __del__(self):
        gone.append(threading.get_ident())

collect_nowhere_else()
parts = [Part() for _ in range(10)]
del parts

def work():
    kept = [[] for _ in range(200_000)]

thread = threading.Thread(target=work)
thread.start()
thread.join()
print(gc.isenabled(), len(gone))
gc.collect()
print(len(gone), set(gone) == {threading.get_ident()})
"""


def test_no_part_of_the_window_goes_in_a_thread_that_works() -> None:
    """Python collects in the thread that makes the next thing: the program would end there."""
    done = subprocess.run(
        [sys.executable, "-c", IN_A_THREAD], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["False", "0", "10", "True"]
