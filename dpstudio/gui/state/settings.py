"""What outlives the program: the window's geometry, the look, and what was opened last."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

_RECENT, _READINGS = 8, 32
_LEAST, _MOST = 0.8, 2.0


class Settings:
    """A typed door to QSettings, where anything may stand. DPSTUDIO_SETTINGS names another file, as
    the tests do."""

    def __init__(self) -> None:
        path = os.environ.get("DPSTUDIO_SETTINGS")
        self.held = (
            QSettings(path, QSettings.Format.IniFormat)
            if path
            else QSettings("dpstudio", "dpstudio")
        )

    # The window

    @property
    def geometry(self) -> QByteArray | None:
        held = self.held.value("window/geometry")
        return held if isinstance(held, QByteArray) else None

    @property
    def look(self) -> tuple[bool, float]:
        """Whether it is dark, and the scale of the type."""
        dark = self.held.value("look/dark", False, type=bool)
        scale = float(self.held.value("look/scale", 1.0, type=float))  # type: ignore[arg-type]
        return bool(dark), min(_MOST, max(_LEAST, scale))

    def keep_window(self, geometry: QByteArray, dark: bool, scale: float) -> None:
        """Remember how the window stood, and write all to the disk."""
        self.held.setValue("window/geometry", geometry)
        self.held.setValue("look/dark", dark)
        self.held.setValue("look/scale", scale)
        self.held.sync()

    # Files

    @property
    def folder(self) -> str:
        """Where files were opened or written last."""
        return str(self.held.value("files/folder", str(Path.home())))

    def keep_folder(self, path: str) -> None:
        """Remember the folder of a file, or a folder."""
        self.held.setValue("files/folder", path if os.path.isdir(path) else os.path.dirname(path))

    @property
    def recent(self) -> list[str]:
        """The newest eight tables and sessions, the last first."""
        held: Any = self.held.value("files/recent", [])
        return [str(r) for r in ([held] if isinstance(held, str) else held or [])]

    def keep_recent(self, origin: str) -> None:
        """Put a table or a session first."""
        others = [r for r in self.recent if r != origin]
        self.held.setValue("files/recent", [origin, *others][:_RECENT])

    @property
    def readings(self) -> dict[str, Any]:
        """What was kept of how files are read, by file, as JSON."""
        try:
            held = json.loads(str(self.held.value("files/readings", "{}")))
        except ValueError:
            return {}
        return held if isinstance(held, dict) else {}

    def keep_reading(self, origin: str, reading: Any) -> None:
        """Remember how a file is read."""
        others = {path: kept for path, kept in self.readings.items() if path != origin}
        newest = dict([*others.items(), (origin, reading)][-_READINGS:])
        self.held.setValue("files/readings", json.dumps(newest))
