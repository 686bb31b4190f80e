"""The composition root: makes the application, the store, the runners and the window, and ties
them."""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from dpstudio import __version__
from dpstudio.files.assets import asset
from dpstudio.gui.board.render import load_fonts
from dpstudio.gui.parts.theme import Look, Theme
from dpstudio.gui.shell.window import Window


def make_app() -> QApplication:
    """The one QApplication, with our fonts."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        QGuiApplication.setHighDpiScaleFactorRoundingPolicy(
            Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
        )
        app = QApplication(sys.argv[:1])
    app.setApplicationName("dpstudio")
    app.setOrganizationName("dpstudio")
    app.setApplicationVersion(__version__)
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(asset("icons", "dpstudio.svg"))))
    load_fonts()
    return app


def settings() -> QSettings:
    """Window geometry, look and recent files; DPSTUDIO_SETTINGS names another file, as the tests
    do."""
    path = os.environ.get("DPSTUDIO_SETTINGS")
    return (
        QSettings(path, QSettings.Format.IniFormat) if path else QSettings("dpstudio", "dpstudio")
    )


def make_window(file: str | None = None) -> Window:
    """A window, not yet shown; `file` is a table, an example or a session to open."""
    kept = settings()
    dark, scale = (
        kept.value("look/dark", False, type=bool),
        kept.value("look/scale", 1.0, type=float),
    )
    theme = Theme(Look(bool(dark), min(2.0, max(0.8, float(scale)))))  # type: ignore[arg-type]
    theme.apply()
    return Window(theme, kept, file)


def run_app(file: str | None = None) -> int:
    """Show the window and run until it is closed."""
    app = make_app()
    window = make_window(file)
    window.show()
    return app.exec()
