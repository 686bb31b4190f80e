"""The one door into the window, and into drawing without one. Qt is imported when it is opened."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from dpstudio.gui.board.render import FigureImages
    from dpstudio.gui.shell.frame.window import Window


def ready(file: str | None = None, beside: str = "") -> tuple[QApplication, Window]:
    """The application and its window, not yet shown, on a table, an example or a session, and a
    table `beside` it.

    What the start makes stays to the end: the collector of garbage leaves it aside, and works for
    the window alone.
    """
    gc.disable()
    from dpstudio.gui.shell.app import leave_the_start_aside, make_app, make_window

    app = make_app()
    leave_the_start_aside()
    return app, make_window(file, beside)


def open_window(file: str | None = None, beside: str = "") -> int:
    """Show the window and run until it is closed; the exit status."""
    app, window = ready(file, beside)
    window.show()
    return app.exec()


def headless_pictures() -> FigureImages:
    """What writes SVG pictures as PNG and PDF on a machine without a display."""
    from dpstudio.gui.board.render import FigureImages, headless

    headless()
    return FigureImages()
