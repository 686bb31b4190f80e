"""What a desktop of Linux knows of the program: its name among others, its icon, and that it opens
sessions and talks. It is written for one person, below their own folder, and taken away again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from dpstudio.files.assets import asset
from dpstudio.files.session import write_file

TYPES = {
    "dpstudio": ("application/x-dpstudio-session", "Session of dpstudio"),
    "dptalk": ("application/x-dpstudio-talk", "Talk of dpstudio"),
}
_TABLES = ("text/csv", "application/vnd.apache.parquet")


def entry(program: str) -> str:
    """The desktop entry that starts this program (Desktop Entry Specification 1.5)."""
    types = [kind for kind, _ in TYPES.values()]
    return "\n".join(
        [
            "[Desktop Entry]",
            "Type=Application",
            "Version=1.5",
            "Name=dpstudio",
            "GenericName=Privacy studio",
            "Comment=See the trade between privacy and utility",
            f"Exec={_quoted(program)} %f",
            "Icon=dpstudio",
            "Terminal=false",
            "Categories=Education;Science;Math;",
            f"MimeType={';'.join([*types, *_TABLES])};",
            "StartupWMClass=dpstudio",
            "",
        ]
    )


def _quoted(program: str) -> str:
    """As the specification quotes a word of Exec, of which % has a meaning too."""
    text = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in program)
    return f'"{text}"'.replace("\\", "\\\\").replace("%", "%%")


def kinds() -> str:
    """The types of files, by the end of their names (Shared MIME-info Database 0.21)."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">',
    ]
    for end, (kind, words) in TYPES.items():
        lines.append(
            f'  <mime-type type="{kind}"><comment>{words}</comment>'
            f'<sub-class-of type="application/json"/><glob pattern="*.{end}"/></mime-type>'
        )
    return "\n".join([*lines, "</mime-info>", ""])


def places(environment: Mapping[str, str] = os.environ) -> dict[str, Path]:
    """Where the entry, the types and the icon lie."""
    told = environment.get("XDG_DATA_HOME", "")
    share = Path(told) if Path(told).is_absolute() else Path.home() / ".local" / "share"
    return {
        "entry": share / "applications" / "dpstudio.desktop",
        "types": share / "mime" / "packages" / "dpstudio.xml",
        "icon": share / "icons" / "hicolor" / "scalable" / "apps" / "dpstudio.svg",
    }


def program() -> str:
    """What starts this program again: itself where it runs without Python, else its script."""
    if getattr(sys, "frozen", False):
        return sys.executable
    script = Path(sys.executable).with_name("dpstudio")
    return str(script) if script.exists() else (shutil.which("dpstudio") or "dpstudio")


def write() -> list[Path]:
    """Write all three, and tell the desktop. Raises OSError."""
    where = places()
    for path in where.values():
        path.parent.mkdir(parents=True, exist_ok=True)
    write_file(where["entry"], entry(program()).encode())
    write_file(where["types"], kinds().encode())
    write_file(where["icon"], asset("icons", "dpstudio.svg").read_bytes())
    _tell(where)
    return list(where.values())


def remove() -> list[Path]:
    """Take away what `write` wrote; returns what was there. Raises OSError."""
    where = places()
    there = [path for path in where.values() if path.exists()]
    for path in there:
        path.unlink()
    _tell(where)
    return there


def _tell(where: Mapping[str, Path]) -> None:
    """Indexes of the desktop, where it has these programs; else it finds out at the next login."""
    mime = where["types"].parent.parent
    tools = {"update-mime-database": mime, "update-desktop-database": where["entry"].parent}
    for tool, folder in tools.items():
        if folder.is_dir() and (found := shutil.which(tool)):
            subprocess.run([found, str(folder)], check=False, capture_output=True)
