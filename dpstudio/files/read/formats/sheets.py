"""The cells of a workbook, by calamine in a process of its own: calamine makes room for every cell
up to the last, and where there is none the whole process ends."""

import pickle
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

_ROOM = 400 << 20  # bytes of memory that any workbook may take, and
_TIMES = 60  # so many times its size


@dataclass(frozen=True)
class Sheet:
    """A sheet that is read: its rows of cells, with the words of errors; and what its values do not
    tell: the names of `hidden` sheets, how many cells are merged with some below, and
    how many formulas have no value. `names` are all sheets with cells, the hidden ones last."""

    names: list[str]
    name: str
    rows: list[list[Any]]
    hidden: list[str]
    merged: int
    formulas: int


def asked(book: IO[bytes], size: int, part: str) -> tuple[Any, ...]:
    """("read", Sheet), or a word for why not: ("part", names), ("empty",), ("locked",),
    ("memory",), ("broken", why)."""
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

    from dpstudio.files.read.formats.sheet_xml import untold

    held = io.BytesIO(sys.stdin.buffer.read())
    try:
        book = calamine.CalamineWorkbook.from_filelike(held)
        if part and part not in book.sheet_names:
            return "part", book.sheet_names
        filled = [part] if part else [n for n in book.sheet_names if _filled(book, n)]
        if not filled:
            return ("empty",)
        shown = calamine.SheetVisibleEnum.Visible
        seen = {about.name for about in book.sheets_metadata if about.visible == shown}
        filled.sort(key=lambda name: name not in seen)
        sheet = book.get_sheet_by_name(filled[0])
        rows = [[None if c == "" else c for c in row] for row in sheet.iter_rows()]
        merged = [top for (top, _), (end, _) in sheet.merged_cell_ranges or () if end > top]
        more = untold(held, filled[0])
        for (row, column), word in more.errors.items():
            _put(rows, row, column, word)
        hidden = [name for name in book.sheet_names if name not in seen]
        return "read", Sheet(filled, filled[0], rows, hidden, len(merged), more.formulas)
    except calamine.PasswordError:
        return ("locked",)
    except (calamine.CalamineError, ValueError, OSError, KeyError, OverflowError) as error:
        return "broken", str(error).split("\n")[0].rstrip(".") or type(error).__name__


def _put(rows: list[list[Any]], row: int, column: int, word: str) -> None:
    """Put a word where calamine has no value; not beyond the rows that it has."""
    if 0 <= row < len(rows) and 0 <= column < len(rows[row]) and rows[row][column] is None:
        rows[row][column] = word


def _filled(book: Any, name: str) -> bool:
    return bool(book.get_sheet_by_name(name).total_height)
