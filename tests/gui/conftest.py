"""A window on settings of its own, which must leave nothing behind: no window, timer, job or
thread."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import gc
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

import pyqtgraph
import pytest
import shiboken6
from hand import WAIT, breathe, settle
from kept_window import SIZE, Kept
from marks import Marked
from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QThreadPool, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from running import read_once

from dpstudio.files import language
from dpstudio.gui.parts import motion
from dpstudio.gui.shell import lab_result
from dpstudio.gui.shell.app import make_app, make_window
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.state.settings import Settings
from dpstudio.gui.table import reading
from dpstudio.labs.context import LITTLE, Context

Open = Callable[..., Studio]


@pytest.fixture(scope="session")
def qapp(tmp_path_factory: pytest.TempPathFactory) -> QApplication:
    """The application as dpstudio makes it, fonts and all."""
    os.environ["DPSTUDIO_SETTINGS"] = str(tmp_path_factory.mktemp("settings") / "none.ini")
    motion.EASE_MS = 0  # nothing is waited for that only moves
    return make_app()


class Bot(QtBot):
    """Looks each millisecond whether what is waited for is there, where pytest-qt does each ten."""

    def waitUntil(self, callback: Callable[[], bool], *, timeout: int = WAIT) -> None:
        patience = QDeadlineTimer(timeout)
        while not callback():
            assert not patience.hasExpired(), f"nothing came in {timeout} ms"
            breathe()


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return Bot(request)


@pytest.fixture(scope="session", autouse=True)
def little_effort() -> Iterator[None]:
    """Windows work their pictures out with little effort: no test of the window depends on how
    finely a curve is drawn. One that does asks for the `whole_effort`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab_result, "Context", partial(Context, effort=LITTLE))
        yield


@pytest.fixture(scope="session", autouse=True)
def begun() -> Iterator[None]:
    """The first minute is over: its doors lie over no page, but where a test is about them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Settings, "begun", True)
        yield


@pytest.fixture(scope="session", autouse=True)
def examples_read_once() -> Iterator[None]:
    """The tables that come with dpstudio are read by the first window that opens them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "open_with_report", read_once)
        yield


@pytest.fixture
def whole_effort(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are worked out as on the screen of a person, from the one after the first on."""
    monkeypatch.setattr(lab_result, "Context", Context)


def address(widget: QWidget) -> int:
    """What stays the same, where Python makes another wrapper each time it is asked."""
    return int(shiboken6.getCppPointer(widget)[0])


def timers(window: Window) -> list[QTimer]:
    """Those that would go on for ever."""
    return [
        timer
        for timer in window.findChildren(QTimer)
        if timer.isActive() and not timer.isSingleShot()
    ]


def shut(studio: Studio) -> None:
    """Close a window and fail if it leaves something running."""
    window = studio.window
    pools = window.findChildren(QThreadPool)
    assert pools
    studio.unsaved.discard()
    assert not [pool for pool in pools if pool.activeThreadCount()], "a job still runs"
    running = [f"{timer.parent()} {timer.interval()} ms" for timer in timers(window)]
    assert not running, f"timers still run: {running}"
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()


@pytest.fixture(autouse=True)
def collected_here() -> Iterator[None]:
    """No thread that works collects garbage, as in the program: a widget would go there."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def nothing_left(qapp: QApplication) -> Iterator[None]:
    """The test fails if a window or a thread is left that was not there before."""
    before = set(map(address, QApplication.topLevelWidgets()))

    def left() -> list[QWidget]:
        return [
            w
            for w in QApplication.topLevelWidgets()
            if address(w) not in before and not KEPT.owns(w)
        ]

    yield
    QGuiApplication.clipboard().clear()
    gc.collect(1)  # what this test made; all that there is only where something stands yet
    if left():
        gc.collect()
    assert not left(), f"windows are left: {left()}"
    # Threads of Qt's pools that have once run Python stay in this list as dummies; they are checked
    # above.
    threads = [
        t
        for t in threading.enumerate()
        if t is not threading.main_thread() and not isinstance(t, threading._DummyThread)
    ]
    assert not threads, f"threads are left: {threads}"


def made(qtbot: QtBot, file: str | None, size: tuple[int, int], charts: bool) -> Studio:
    """A new window, with what stands in it."""
    window = make_window(file)
    window.resize(*size)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(lambda: window.studio is not None, timeout=WAIT)
    assert window.studio is not None
    if charts:
        qtbot.waitUntil(lambda: window.studio.findings is not None, timeout=WAIT)  # type: ignore[union-attr]
        settle(qtbot, window.studio)
    return window.studio


@pytest.fixture
def open_window(
    nothing_left: None, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Open]:
    """Makes windows: `open_window(file, size=…, charts=…)`. The test fails if one leaks."""
    monkeypatch.setenv("DPSTUDIO_SETTINGS", str(tmp_path / "settings.ini"))
    monkeypatch.setenv("DPSTUDIO_DRAFTS", str(tmp_path / "drafts"))
    # pyqtgraph drops mouse moves that are less than 10 ms apart; here every move counts.
    monkeypatch.setitem(pyqtgraph.CONFIG_OPTIONS, "mouseRateLimit", 0)
    opened: list[Studio] = []

    def make(file: str | None = None, size: tuple[int, int] = SIZE, charts: bool = True) -> Studio:
        opened.append(made(qtbot, file, size, charts))
        return opened[-1]

    yield make
    for studio in opened:
        shut(studio)
    opened.clear()
    assert not list(tmp_path.glob("drafts/*.lock")), "locks are left"


KEPT = Kept()


@pytest.fixture(scope="session")
def last_shut(qapp: QApplication) -> Iterator[None]:
    """The window that was kept is shut at the end, and must leave nothing running."""
    yield
    if KEPT.studio is not None:
        gc.unfreeze()
        shut(KEPT.studio)
        KEPT.studio = None


@pytest.fixture
def studio(
    request: pytest.FixtureRequest,
    last_shut: None,
    nothing_left: None,
    qtbot: QtBot,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Studio]:
    """The studio as it starts: Adult, age > 50, Laplace, ε = 0.1. A test that also opens windows of
    its own has them on the same settings."""
    if "open_window" in request.fixturenames:
        yield request.getfixturevalue("open_window")()
        return
    monkeypatch.setitem(pyqtgraph.CONFIG_OPTIONS, "mouseRateLimit", 0)
    monkeypatch.setenv("DPSTUDIO_DRAFTS", str(KEPT.folder / "drafts"))
    if KEPT.studio is not None and not KEPT.again(qtbot):
        gc.unfreeze()
        shut(KEPT.studio)
        KEPT.studio = None
    if KEPT.studio is None:
        KEPT.folder = tmp_path_factory.mktemp("kept")
        monkeypatch.setenv("DPSTUDIO_DRAFTS", str(KEPT.folder / "drafts"))
        with monkeypatch.context() as patch:
            patch.setenv("DPSTUDIO_SETTINGS", str(KEPT.folder / "settings.ini"))
            fresh = made(qtbot, None, SIZE, charts=True)
            KEPT.keep(fresh)
            # It stays: looking for what each test leaves need not walk through it.
            gc.collect()
            gc.freeze()
    held = KEPT.studio
    assert held is not None
    yield held
    qtbot.waitUntil(lambda: not held.jobs.busy("table", "save", "fit"), timeout=WAIT)


@pytest.fixture
def open_another(studio: Studio, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Makes windows beside the one that is kept, on settings of their own: for what a window reads
    that another has written to a file."""
    yield cast(Open, request.getfixturevalue("open_window"))
    studio.sessions.free()


@pytest.fixture
def marked(open_window: Open) -> Iterator[None]:
    """Windows that are opened now speak the language of marks."""
    language.use(Marked(), named=True)
    yield
    language.use(language.written(language.ENGLISH))
