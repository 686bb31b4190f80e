"""In what state a table is that stays where it is, as far as its engine tells."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from dpstudio.files.engines.spark import version_of_spark
from dpstudio.files.engines.written import Version, written
from dpstudio.values.stopping import interrupting

Named = tuple[str, str]  # the schema of a table, and its name


def version_of_files(files: Sequence[str]) -> Version:
    """Their names, sizes and times. Raises OSError where one is gone, as with a drive."""
    stats = {os.path.basename(file): os.stat(file) for file in files}
    version = repr([(name, s.st_size, s.st_mtime_ns) for name, s in stats.items()])
    return version, written(s.st_mtime for s in stats.values())


def _version_of_server(connected: Any, place: str, named: Named) -> Version:
    """Of the server, and of the rows: the latest transaction that wrote one, since each edit writes
    a row anew; of a view, what was ever written to the tables below it."""
    row, told = _row_of(connected, _RELATION, named), "not told by the server"
    if row is None:
        return str(connected.version), told
    oid, kind, whole = row  # a right to some columns alone is none to who wrote them
    if kind in _STORED and whole:
        quoted = ".".join('"' + part.replace('"', '""') + '"' for part in named)
        state = _row_of(connected, f"SELECT count(*), max(xmin::text::bigint) FROM {quoted}", ())
        told = f"after transaction {state[1]}" if state[1] else told
    else:
        state = _row_of(connected, _BELOW, (oid,))
    return f"{connected.version} {oid} {state}", told


def _row_of(connected: Any, sql: str, given: tuple[Any, ...]) -> Any:
    """The first row that PostgreSQL answers; None of none."""
    with interrupting(connected.con.cancel), connected.con.cursor() as cursor:
        return cursor.execute(sql, given or None).fetchone()


_RELATION = """SELECT c.oid, c.relkind::text, has_table_privilege(c.oid, 'SELECT')
FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
WHERE s.nspname = %s AND c.relname = %s"""
_STORED = ("r", "m")  # tables and materialised views, whose rows say which transaction wrote them
_BELOW = """WITH RECURSIVE below(oid) AS (SELECT %s::oid UNION SELECT e.part FROM below b JOIN (
SELECT r.ev_class AS whole, d.refobjid AS part FROM pg_rewrite r JOIN pg_depend d ON d.objid = r.oid
AND d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
UNION ALL SELECT inhparent, inhrelid FROM pg_inherits) e ON e.whole = b.oid)
SELECT count(*), max(c.relfilenode::bigint), sum(pg_stat_get_tuples_inserted(c.oid)
+ pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid))
FROM below JOIN pg_class c ON c.oid = below.oid"""
VERSION: dict[str, Callable[[Any, str, Any], Version]] = {
    "files": lambda connected, place, files: version_of_files(files),
    "duckdb": lambda connected, place, named: version_of_files([place]),
    "postgresql": _version_of_server,
    "spark": version_of_spark,
}


def quick_of(scheme: str, connected: Any, place: str, named: Any) -> Any:
    """What differs soon after rows do, and reads none of them."""
    if scheme == "postgresql":
        row = _row_of(connected, _RELATION, named)
        return row and _row_of(connected, _BELOW, (row[0],))
    return VERSION[scheme](connected, place, named)[0]  # of files


def changed(scheme: str, connected: Any, place: str, named: Any, quick: Any, version: str) -> bool:
    """Whether a table is another than it was then: all of it is looked at only where it may be. Of
    one that cannot be asked it is not known."""
    try:
        may_be = quick_of(scheme, connected, place, named) != quick
        return may_be and VERSION[scheme](connected, place, named)[0] != version
    except Exception:  # what is asked next says what is wrong
        return False
