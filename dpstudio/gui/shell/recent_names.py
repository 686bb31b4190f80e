"""What tables and sessions that were open before are called."""

from collections.abc import Sequence
from pathlib import Path

from dpstudio.files.tables import EXAMPLES
from dpstudio.gui.parts.tr import tr


def named(origins: Sequence[str]) -> dict[str, str]:
    """What tables and sessions are called; files of one name with as many of their folders as tell
    them apart."""
    known = {e.key: tr(e.label) for e in EXAMPLES}
    paths = [Path(origin) for origin in origins if origin not in known]

    def short(path: Path) -> str:
        for most in range(1, len(path.parts)):
            tail = path.parts[-most:]
            if all(other == path or other.parts[-most:] != tail for other in paths):
                return str(Path(*tail))
        return str(path)

    return {origin: known.get(origin) or short(Path(origin)) for origin in origins}
