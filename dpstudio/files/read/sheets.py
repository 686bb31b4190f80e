"""The cells of a workbook, by calamine in a process of its own: calamine makes room for every cell
up to the last, and where there is none the whole process ends."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import IO, Any

_ROOM = 400 << 20  # bytes of memory that any workbook may take, and
_TIMES = 60  # so many times its size


def asked(book: IO[bytes], size: int, part: str) -> tuple[Any, ...]:
    """("read", names of sheets, the one that is read, its rows), or a word for why not: ("part",
    names), ("empty",), ("locked",), ("memory",), ("broken", why)."""
    room = _ROOM + _TIMES * size
    with tempfile.TemporaryFile() as held:
        while block := book.read(1 << 20):
            held.write(block)
        held.seek(0)
        code = f"from {__name__} import _main; _main({room}, {part!r})"
        child = subprocess.run(
            [sys.executable, "-c", code],
            stdin=held,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_paths(),
            check=False,
        )
    if child.returncode or not child.stdout:
        return ("memory",)
    found: tuple[Any, ...] = pickle.loads(child.stdout)
    return found


def _paths() -> dict[str, str]:
    """The environment of the child, which finds the modules that this process finds."""
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join(p or "." for p in sys.path)}


def _main(room: int, part: str) -> None:
    """What the child does: the workbook on its standard input, the answer on its output."""
    with suppress(ImportError, ValueError, OSError):  # Windows knows no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pickle.dump(_read(part), sys.stdout.buffer, protocol=5)


def _read(part: str) -> tuple[Any, ...]:
    import io

    import python_calamine as calamine

    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(sys.stdin.buffer.read()))
        if part and part not in book.sheet_names:
            return "part", book.sheet_names
        filled = [part] if part else [n for n in book.sheet_names if _filled(book, n)]
        if not filled:
            return ("empty",)
        rows = book.get_sheet_by_name(filled[0]).iter_rows()
        return "read", filled, filled[0], [[None if c == "" else c for c in row] for row in rows]
    except calamine.PasswordError:
        return ("locked",)
    except (calamine.CalamineError, ValueError, OSError, KeyError, OverflowError) as error:
        return "broken", str(error).split("\n")[0].rstrip(".") or type(error).__name__


def _filled(book: Any, name: str) -> bool:
    return bool(book.get_sheet_by_name(name).total_height)
