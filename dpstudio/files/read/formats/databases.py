"""SQLite: a table or view, by the standard library, opened so that nothing can be written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.formats.values import column_of, marked, read_values
from dpstudio.files.read.outcome import Counts, Doubt, Read, TableError, quoted
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.source import Watch
from dpstudio.files.read.text.headers import named
from dpstudio.values.messages import N_, of_library, say

_BATCH = 10_000
# Steps of SQLite's machine, which are the same wherever a file is read: between two questions
# whether to stop, to read a table and to count one, besides what the size of the file allows.
_STEPS, _MOST, _COUNTED, _EACH = 100_000, 500_000_000, 5_000_000, 64
_VIRTUAL = 2  # as the pragma says of a column: not kept
_CELLS = 5_000_000  # that a view may have, and so many more for each byte of the file


def read_sqlite(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The chosen table, or the only one. Raises TableError for a broken or empty database."""
    with _opened(packed, watch) as base:
        return _read(base, packed, choices, watch)


def columns_of(packed: Packed, part: str, watch: Watch) -> tuple[list[str], list[list[Any]]]:
    """The names of a table, and its values by columns. Raises TableError likewise, and for what is
    worked out of rows, whatever these hold: one may break it for all."""
    with _opened(packed, watch) as base:
        if part in _worked_out(base):
            text = N_(
                "{path}: {part} is worked out of rows, as a view is, and one row could end it or "
                "move others. Save what it shows as a table."
            )
            raise TableError(say(text, path=packed.source.name, part=part))
        _, _, names, columns = _found(base, packed.source.name, part, watch)
        return names, columns


@contextmanager
def _opened(packed: Packed, watch: Watch) -> Iterator[_Steps]:
    path = packed.source.name
    try:
        with (
            _file(packed) as file,
            closing(
                sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=1)
            ) as base,
        ):
            base.text_factory = lambda raw: raw.decode("utf-8", "replace")
            yield _Steps(base, file.stat().st_size, watch)
    except sqlite3.Error as error:
        watch.ask()
        raise TableError(
            say(
                "{path} is not a database that can be read: {why}. Fetch it again.",
                path=path,
                why=of_library(error),
            )
        ) from None


@contextmanager
def _file(packed: Packed) -> Iterator[Path]:
    """SQLite reads files only: what was packed or pasted is put in one that is removed at once."""
    if packed.plain and packed.source.path is not None:
        yield packed.source.path
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.sqlite"
        with path.open("wb") as out:
            for block in packed.blocks():
                out.write(block)
        yield path


class _Steps:
    """A database of which no statement takes more than so many steps of SQLite's machine: a view
    may have no end."""

    def __init__(self, base: sqlite3.Connection, size: int, watch: Watch):
        self.base, self.size, self.watch, self.left = base, size, watch, 0
        base.set_progress_handler(self._step, _STEPS)

    def _step(self) -> bool:
        """True stops the statement."""
        self.left -= _STEPS
        return self.left < 0 or self.watch.stopped()

    @property
    def spent(self) -> bool:
        """Whether the last statement was stopped at its end."""
        return self.left < 0

    def execute(self, statement: str, most: int = 0) -> sqlite3.Cursor:
        """Begin a statement, which raises sqlite3.OperationalError where it takes more steps."""
        self.left = (most or _MOST) + _EACH * self.size
        return self.base.execute(statement)


def _endless(path: str, part: str) -> TableError:
    text = N_(
        "{path}: {part} does not end within what a table of this file may hold, as a view without "
        "end does not. Choose another table, or save its first rows as one."
    )
    return TableError(say(text, path=path, part=part))


def _read(base: _Steps, packed: Packed, choices: Choices, watch: Watch) -> Read:
    chosen, doubts, names, columns = _found(base, packed.source.name, choices.part, watch)
    import pyarrow as pa

    made, (sign, vague) = [], marked(names, columns, choices)
    doubts += vague
    for column in columns:
        array, missing = watch.run(partial(column_of, column, sign))
        column.clear()
        made.append((pa.chunked_array([array]), missing))
    counts = Counts(kept=len(made[0][0]) if made else 0)
    return read_values(
        replace(packed, part=chosen), "database", names, made, counts, choices, doubts, (), watch
    )


def _found(
    base: _Steps, path: str, part: str, watch: Watch
) -> tuple[str, list[Doubt], list[str], list[list[Any]]]:
    """The table that is read, what to ask, its names, and its values by columns."""
    chosen, size, doubts = _chosen(base, path, part)
    try:
        return chosen, doubts, *_columns(base, path, chosen, size, watch)
    except sqlite3.OperationalError:
        if base.spent:
            raise _endless(path, chosen) from None
        raise


def _worked_out(base: _Steps) -> set[str]:
    """Views, virtual tables, and tables that have columns which are worked out as they are read."""
    tables = base.execute(
        "select name, type = 'view' or sql like 'create virtual%' from sqlite_master where type in "
        "('table', 'view')"
    ).fetchall()
    made = {str(name) for name, it_is in tables if it_is}
    for name in {str(name) for name, _ in tables} - made:
        columns = base.execute(f"pragma table_xinfo({_quoted(name)})").fetchall()
        made |= {name} if any(column[-1] == _VIRTUAL for column in columns) else set()
    return made


def _columns(
    base: _Steps, path: str, part: str, size: int, watch: Watch
) -> tuple[list[str], list[list[Any]]]:
    """The names of a table, and its values by columns."""
    cursor = base.execute(f"select * from {_quoted(part)}")
    names, _ = named([d[0] for d in cursor.description], len(cursor.description))
    columns: list[list[Any]] = [[] for _ in names]
    while rows := cursor.fetchmany(_BATCH):
        watch.ask()
        for column, values in zip(columns, zip(*rows, strict=True), strict=True):
            column.extend(values)
        watch.tell(len(columns[0]) / size)
        if len(columns[0]) * len(columns) > _CELLS + _EACH * base.size:
            raise _endless(path, part)
    return names, columns


def _chosen(base: _Steps, path: str, part: str) -> tuple[str, int, list[Doubt]]:
    """The table that was chosen or has most rows, its size (at least 1), and what to ask."""
    found = base.execute(
        "select name, type from sqlite_master where type in ('table', 'view') and name not like "
        "'sqlite_%' order by type, rowid"
    )
    views = {str(name): kind == "view" for name, kind in found.fetchall()}
    tables = list(views)
    if not tables:
        raise TableError(
            say("{path} is a database without tables. Choose another file.", path=path)
        )
    if part and part not in tables:
        raise TableError(
            say(
                "{path} has no table {part}; it has: {names}.",
                path=path,
                part=part,
                names=quoted(", ".join(tables), 200),
            )
        )
    sizes = {t: _rows(base, t, views[t]) for t in tables[:50]}
    filled = [t for t in tables if sizes.get(t, 1)]
    chosen = part or max(filled or tables, key=lambda t: sizes.get(t, 0))
    doubts = []
    if len(filled) > 1 and not part:
        why = say(
            "the database has {n} {n:table|tables} with rows: {names}",
            n=len(filled),
            names=quoted(", ".join(filled[:8]), 200),
        )
        doubts.append(Doubt("part", why, (chosen, *(t for t in filled if t != chosen))))
    return chosen, max(1, sizes.get(chosen, 1)), doubts


def _rows(base: _Steps, table: str, view: bool) -> int:
    """How many rows a table has; of a view no more than may be read, and 1 where to count them
    takes too many steps."""
    some = f"(select 1 from {_quoted(table)} limit {_CELLS})" if view else _quoted(table)
    try:
        return int(base.execute(f"select count(*) from {some}", _COUNTED).fetchone()[0])
    except sqlite3.OperationalError:
        if base.spent:
            return 1
        raise


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
