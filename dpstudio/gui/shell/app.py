"""The composition root: makes the application and the window, and the studio within it after the
first paint, when its code is there."""

import os
import sys
from contextlib import suppress

from PySide6.QtCore import QLocale, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from dpstudio import __version__
from dpstudio.files import language
from dpstudio.files.assets import asset
from dpstudio.gui.parts import motion
from dpstudio.gui.parts.focus_ring import FocusRing
from dpstudio.gui.parts.keeping import keep_words
from dpstudio.gui.parts.theme import Look, Theme, load_fonts
from dpstudio.gui.shell.frame.studio_protocol import StudioProtocol
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.process.collecting import Collector, collect_nowhere_else
from dpstudio.gui.state.settings import Settings

START_MS = 3000  # by then the first picture stands, on all but the slowest machines
# A thread that works keeps the interpreter for so long before the window may have it; Python's own
# 5 ms would be lost at each of the many calls of Qt in which the window gives it away.
TURN_S = 0.0005


def make_app() -> QApplication:
    """The one QApplication, with our fonts."""
    sys.setswitchinterval(TURN_S)
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        QGuiApplication.setHighDpiScaleFactorRoundingPolicy(
            Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
        )
        # To name the style here spares making it known to Python.
        app = QApplication([*sys.argv[:1], "-style", "Fusion"])
    app.setApplicationName("dpstudio")
    app.setOrganizationName("dpstudio")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("dpstudio")  # by which a dock finds the icon of `dpstudio desktop`
    app.setWindowIcon(QIcon(str(asset("icons", "dpstudio.svg"))))
    load_fonts()
    keep_words()
    if app.findChild(FocusRing) is None:
        FocusRing(app)
    return app


def make_window(file: str | None = None, beside: str = "") -> Window:
    """A window, not yet shown; `file` is a table, an example or a session to open, and a table
    stands `beside` it."""
    kept = Settings()
    _speak(kept)
    theme = Theme(Look(*kept.look))
    theme.apply()

    def begin(window: Window) -> StudioProtocol:
        # The first paint does not wait for it, nor for all names of styles, which this asks.
        motion.take(kept.held)
        from dpstudio.gui.shell.studio import Studio

        studio = Studio(window)
        stirs = studio.store.changed, studio.pages.turned, studio.pictures.settled
        Collector(studio, studio.jobs.busy, *stirs)
        studio.start(file, beside)
        return studio

    return Window(theme, kept, _prepare, begin)


def _speak(kept: Settings) -> None:
    """The language that was named, else the one chosen before, else that of the system, which where
    no environment says so Qt knows."""
    if language.is_named():
        return
    system = (language.known(tag) for tag in QLocale.system().uiLanguages())
    wanted = kept.language, language.of_system(os.environ), *system
    tag = next(filter(None, wanted), language.ENGLISH)
    if tag != language.spoken() and tag in language.LANGUAGES:
        language.use(language.written(tag))


def _prepare(window: Window) -> None:
    """Import what the studio needs in the background: all at once it would hold the window for half
    a second."""
    from dpstudio.gui.shell.process.heap import share_heaps

    share_heaps()

    def job() -> None:
        with suppress(Exception):  # the window will meet it again, and can tell it
            from dpstudio.gui.board import plotview  # noqa: F401
            from dpstudio.gui.panel.design import panel_of
            from dpstudio.gui.shell import studio  # noqa: F401
            from dpstudio.gui.state.snapshot import first_state

            panel_of(type(first_state().lab))
        window.prepared.emit()

    window.pool.start(job)


def leave_the_start_aside() -> None:
    """Once the start is over, let the collector of garbage look at what is made from then on."""
    QTimer.singleShot(START_MS, collect_nowhere_else)
