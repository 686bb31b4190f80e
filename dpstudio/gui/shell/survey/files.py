"""What of a room goes to a file: its noisy reports, and its codes to print."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from dpstudio.files.session import SessionError, write_text
from dpstudio.gui.parts.tr import language, shown, tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.serve.export import reports_csv
from dpstudio.serve.sheet import sheet_html
from dpstudio.values.messages import N_, say

if TYPE_CHECKING:
    from dpstudio.serve import Room


def save_reports(window: Window, room: Room) -> None:
    """The noisy reports as a table, to a file that is asked for."""
    text = partial(reports_csv, room.questions, room.reports, tr)
    _write(window, N_("Save the reports"), "room.csv", "CSV (*.csv)", text)


def save_codes(window: Window, room: Room) -> None:
    """The codes as a page to print, to a file that is asked for."""
    text = partial(sheet_html, room.address, room.codes, tr, language())
    page = tr(N_("Web page (*.html)"))
    _write(window, N_("Save the codes"), "codes.html", page, text)


def _write(window: Window, title: str, name: str, filters: str, text: Callable[[], str]) -> None:
    at = os.path.join(window.kept.folder, name)
    path, _ = QFileDialog.getSaveFileName(window, tr(title), at, filters)
    if not path:
        return
    path = path if Path(path).suffix else f"{path}{Path(name).suffix}"
    window.kept.keep_folder(path)
    try:
        write_text(Path(path), text())
    except SessionError as error:
        window.say(shown(error.sentence))
        return
    window.say(shown(say("Saved {path}.", path=path)), tone="good")
