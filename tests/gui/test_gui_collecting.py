"""The collector of garbage works while nobody moves anything."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from dpstudio.gui.shell.process import collecting
from dpstudio.gui.shell.process.collecting import DUE, REST_MS, SELDOM, Collector, collect_seldom
from dpstudio.gui.shell.studio import Studio


class Ring:
    """Refers to itself: only the collector lets go of it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_garbage_goes_when_nothing_stirs_and_it_is_due(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, thresholds: None
) -> None:
    collector = studio.findChild(Collector)
    assert collector is not None
    resting = collector.resting
    resting.setInterval(1)
    ring = Ring()
    gone = weakref.ref(ring)
    gc.collect()  # from here on it is among what is old
    del ring
    counts = iter([(0, 0, DUE - 1), (0, 0, DUE)])
    monkeypatch.setattr(collecting.gc, "get_count", lambda: next(counts))
    for due in (False, True):
        studio.store.changed.emit(studio.store)
        assert resting.isActive()
        qtbot.waitUntil(lambda: not resting.isActive())
        assert (gone() is None) == due
    monkeypatch.setattr(collector, "busy", lambda: True)
    collector._collect()
    assert resting.isActive()
    resting.stop()
    resting.setInterval(REST_MS)


def test_python_itself_walks_through_everything_seldomer(thresholds: None) -> None:
    young, middle, _ = gc.get_threshold()
    collect_seldom()
    assert gc.isenabled()
    assert gc.get_threshold() == (young, middle, SELDOM * DUE)
