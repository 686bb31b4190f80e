"""What outlives the program: the window's geometry, the look, and what was opened last."""

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

    @property
    def language(self) -> str:
        """The language that was chosen; "" where none ever was."""
        return str(self.held.value("look/language", ""))

    def keep_language(self, tag: str) -> None:
        """Remember that it was."""
        self.held.setValue("look/language", tag)

    @property
    def panel(self) -> int:
        """The width that the panel was drawn to, in px at normal type; 0 where it never was."""
        held: Any = self.held.value("window/panel", 0, type=int)
        return int(held)

    def keep_panel(self, width: int) -> None:
        """Remember how wide the panel was drawn."""
        self.held.setValue("window/panel", width)

    @property
    def begun(self) -> bool:
        """Whether the doors of the first minute were closed, or gone through."""
        return bool(self.held.value("look/begun", False, type=bool))

    def keep_begun(self) -> None:
        """Remember that they were, for good."""
        self.held.setValue("look/begun", True)

    @property
    def unfolded(self) -> list[tuple[str, str]]:
        """What a person asked to see of the pages: (lab, key), as it was kept."""
        held = self._held("look/unfolded").get("pages", [])
        pairs = held if isinstance(held, list) else []
        return [(str(p[0]), str(p[1])) for p in pairs if isinstance(p, list) and len(p) == 2]

    def keep_unfolded(self, pairs: list[tuple[str, str]]) -> None:
        """Remember it."""
        self.held.setValue("look/unfolded", json.dumps({"pages": pairs}))

    # Files

    @property
    def folder(self) -> str:
        """Where files were opened or written last."""
        return str(self.held.value("files/folder", str(Path.home())))

    def keep_folder(self, path: str) -> None:
        """Remember the folder of a file, or a folder."""
        self.held.setValue("files/folder", path if os.path.isdir(path) else os.path.dirname(path))

    @property
    def ledger(self) -> str:
        """The ledger of a population that was used last; empty where none was."""
        return str(self.held.value("files/ledger", ""))

    def keep_ledger(self, path: str) -> None:
        """Remember it."""
        self.held.setValue("files/ledger", path)

    @property
    def recent(self) -> list[str]:
        """The newest eight tables and sessions, the last first."""
        return self._list("files/recent")

    def keep_recent(self, origin: str) -> None:
        """Put a table or a session first."""
        others = [r for r in self.recent if r != origin]
        self.held.setValue("files/recent", [origin, *others][:_RECENT])

    @property
    def shapes(self) -> dict[str, Any]:
        """How files are read, by a digest of their shape."""
        return self._held("files/shapes")

    def keep_shape(self, shape: str, reading: Any) -> None:
        """Remember how files of a shape are read."""
        self._keep("files/shapes", shape, reading)

    @property
    def readings(self) -> dict[str, Any]:
        """What was kept of how files are read, by file, as JSON."""
        return self._held("files/readings")

    def keep_reading(self, origin: str, reading: Any) -> None:
        """Remember how a file is read."""
        self._keep("files/readings", origin, reading)

    def _list(self, key: str) -> list[str]:
        held: Any = self.held.value(key, [])  # a list of one comes back as that one
        return [str(r) for r in ([held] if isinstance(held, str) else held or [])]

    def _held(self, key: str) -> dict[str, Any]:
        try:
            held = json.loads(str(self.held.value(key, "{}")))
        except ValueError:
            return {}
        return held if isinstance(held, dict) else {}

    def _keep(self, key: str, name: str, reading: Any) -> None:
        others = {other: kept for other, kept in self._held(key).items() if other != name}
        newest = dict([*others.items(), (name, reading)][-_READINGS:])
        self.held.setValue(key, json.dumps(newest))
