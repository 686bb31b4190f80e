"""The one door into the window, and into drawing without one. Qt is imported when it is opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

SavePng = Callable[[str, Path, float, dict[str, str]], None]


def open_window(file: str | None = None) -> int:
    """Show the window, on a table, an example or a session, and run until it is closed; the exit
    status."""
    from dpstudio.gui.shell.app import run_app

    return run_app(file)


def headless_png() -> SavePng:
    """What writes an SVG picture as PNG, `(svg, path, scale, metadata)`, on a machine without a
    display."""
    from dpstudio.gui.board.render import headless, save_png

    headless()
    return save_png
