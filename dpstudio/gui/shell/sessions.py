"""Opening by a dialog, and saving sessions: what of the screen a session keeps, and takes up
again."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from dpstudio.files.session import SUFFIX, Session, SessionError, write_session
from dpstudio.files.tables import SUFFIXES
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.window import Window
from dpstudio.gui.table.opening import Opener
from dpstudio.values.messages import N_

Hidden = dict[tuple[str, str], frozenset[str]]  # curves, by lab and figure


def view_of(hidden: Hidden, index: int, opened: tuple[str, ...]) -> dict[str, Any]:
    """How the labs are looked at, as JSON: hidden curves, the simulated answer that is shown, and
    which labs were opened."""
    by_lab: dict[str, dict[str, list[str]]] = {}
    for (lab, figure), keys in hidden.items():
        if keys:
            by_lab.setdefault(lab, {})[figure] = sorted(keys)
    return {"hidden": by_lab, "index": index, "opened": list(opened)}


def index_in(view: Mapping[str, Any]) -> int:
    """The simulated answer that was shown."""
    index = view.get("index", 0)
    return index if isinstance(index, int) and not isinstance(index, bool) else 0


def hidden_in(view: Mapping[str, Any], first: str) -> Hidden:
    """The curves that were hidden. When there was only one lab, the `first`, its figures stood
    there without it."""
    held = view.get("hidden", {})
    hidden: Hidden = {}
    for name, value in held.items() if isinstance(held, dict) else ():
        figures = value if isinstance(value, dict) else {name: value}
        lab = name if isinstance(value, dict) else first
        for figure, keys in figures.items():
            if isinstance(keys, list):
                hidden[str(lab), str(figure)] = frozenset(k for k in keys if isinstance(k, str))
    return hidden


def opened_in(view: Mapping[str, Any]) -> list[str] | None:
    """The labs that were opened; None where it was not said."""
    held = view.get("opened")
    return [key for key in held if isinstance(key, str)] if isinstance(held, list) else None


class Sessions(QObject):
    """Asks where to, writes, and says in the bar what failed. `chosen(path)`: a file is to be
    opened; `saved`: the session was written."""

    chosen = Signal(str)
    saved = Signal()

    def __init__(self, window: Window, opener: Opener, session: Callable[[], Session | None]):
        super().__init__(window)
        self.window, self.opener, self._session = window, opener, session

    def ask_open(self) -> None:
        """Ask for a table or a session to open."""
        known, every = tr(N_("Tables and sessions")), tr(N_("All files"))
        suffixes = " ".join("*" + suffix for suffix in (*SUFFIXES, SUFFIX))
        filters = f"{known} ({suffixes});;{every} (*)"
        folder = self.window.kept.folder
        path, _ = QFileDialog.getOpenFileName(self.window, tr(N_("Open")), folder, filters)
        if path:
            self.window.kept.keep_folder(path)
            self.chosen.emit(path)

    def save(self) -> None:
        """Write the session to its file, or to one that is asked for."""
        if self.opener.session_path is None:
            self.ask_save()
        else:
            self.write(self.opener.session_path)

    def ask_save(self) -> None:
        """Ask for a file, and write the session to it."""
        if self.opener.nowhere():
            return
        path, _ = QFileDialog.getSaveFileName(
            self.window,
            tr(N_("Save session")),
            os.path.join(self.window.kept.folder, "session" + SUFFIX),
            f"dpstudio (*{SUFFIX})",
        )
        if path:
            self.window.kept.keep_folder(path)
            self.write(Path(path if path.endswith(SUFFIX) else path + SUFFIX))

    def write(self, path: Path) -> None:
        """Write the session; the sentence of a failure goes to the bar."""
        session = self._session()
        if session is None or self.opener.nowhere():
            return
        try:
            write_session(session, path)
        except SessionError as error:
            self.window.say(shown(error.sentence), tr(N_("Save elsewhere …")), self.ask_save)
            return
        self.opener.session_path = path
        self.window.kept.keep_recent(str(path.absolute()))
        self.saved.emit()
