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
from dpstudio.files.read.headers import named
from dpstudio.files.read.outcome import Counts, Doubt, Read, TableError, quoted
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.source import Watch
from dpstudio.files.read.values import column_of, read_values
from dpstudio.values.messages import say

_BATCH = 10_000


def read_sqlite(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The chosen table, or the only one. Raises TableError for a broken or empty database."""
    with _opened(packed, watch) as base:
        return _read(base, packed, choices, watch)


def rows_of(packed: Packed, part: str, watch: Watch) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The names of the columns of a table, and its rows. Raises TableError likewise."""
    with _opened(packed, watch) as base:
        _, cursor, names = _asked(base, packed.source.name, part)
        return names, cursor.fetchall()


@contextmanager
def _opened(packed: Packed, watch: Watch) -> Iterator[sqlite3.Connection]:
    path = packed.source.name
    try:
        with (
            _file(packed) as file,
            closing(
                sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=1)
            ) as base,
        ):
            base.text_factory = lambda raw: raw.decode("utf-8", "replace")
            # True stops the statement; asked about every hundredth of a second.
            base.set_progress_handler(lambda: watch.stopped(), 100_000)
            yield base
    except sqlite3.Error as error:
        watch.ask()
        why = str(error).rstrip(".")
        raise TableError(
            say(
                "{path} is not a database that can be read: {why}. Fetch it again.",
                path=path,
                why=why,
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


def _read(base: sqlite3.Connection, packed: Packed, choices: Choices, watch: Watch) -> Read:
    (chosen, size, doubts), cursor, names = _asked(base, packed.source.name, choices.part)
    columns: list[list[Any]] = [[] for _ in names]
    while rows := cursor.fetchmany(_BATCH):
        watch.ask()
        for column, values in zip(columns, zip(*rows, strict=True), strict=True):
            column.extend(values)
        watch.tell(len(columns[0]) / size)
    import pyarrow as pa

    made = []
    for column in columns:
        array, missing = watch.run(partial(column_of, column, choices))
        column.clear()
        made.append((pa.chunked_array([array]), missing))
    counts = Counts(kept=len(made[0][0]) if made else 0)
    return read_values(
        replace(packed, part=chosen), "database", names, made, counts, choices, doubts, (), watch
    )


def _asked(
    base: sqlite3.Connection, path: str, part: str
) -> tuple[tuple[str, int, list[Doubt]], sqlite3.Cursor, list[str]]:
    """What `_chosen` finds, the rows of that table to come, and its columns."""
    found = _chosen(base, path, part)
    cursor = base.execute(f"select * from {_quoted(found[0])}")
    return found, cursor, named([d[0] for d in cursor.description], len(cursor.description))[0]


def _chosen(base: sqlite3.Connection, path: str, part: str) -> tuple[str, int, list[Doubt]]:
    """The table that was chosen or has most rows, its size (at least 1), and what to ask."""
    found = base.execute(
        "select name, type from sqlite_master where type in ('table', 'view') and name not like "
        "'sqlite_%' order by type, rowid"
    )
    tables = [str(name) for name, _ in found.fetchall()]
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
    sizes = {
        t: int(base.execute(f"select count(*) from {_quoted(t)}").fetchone()[0])
        for t in tables[:50]
    }
    filled = [t for t in tables if sizes.get(t, 1)]
    chosen = part or max(filled or tables, key=lambda t: sizes.get(t, 0))
    doubts = []
    if len(filled) > 1 and not part:
        why = say(
            "the database has {n} tables with rows: {names}",
            n=len(filled),
            names=quoted(", ".join(filled[:8]), 200),
        )
        doubts.append(Doubt("part", why, (chosen, *(t for t in filled if t != chosen))))
    return chosen, max(1, sizes.get(chosen, 1)), doubts


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
