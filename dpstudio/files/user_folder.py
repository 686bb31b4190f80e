"""The folder in which the program keeps what is its person's own, and belongs to no file."""

import os
import sys
from pathlib import Path


def own_folder() -> Path:
    """Where it is on this system; it need not exist yet."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "dpstudio"
