"""Which tables of an engine hold rows that were written down. What is worked out as it is asked, by
a view, a rule of who sees which row, or another server, one row may end, or move what stands for
others: nothing leaves of it. Rows of a materialised view are written down, whatever they were made
of: like those of any table they stand for whom its owner says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpstudio.files.engines.spark import stored_by_spark
from dpstudio.files.engines.states import Named
from dpstudio.values.messages import N_, Message, say

_WORKED_OUT = N_(
    "“{table}” is worked out as it is asked, as a view is, and one row could end it or move "
    "others, so nothing leaves of it. Release from a table that holds rows."
)


def stays(scheme: str, connected: Any, named: Named) -> Message | None:
    """Why nothing leaves of a table or view; None of a table that holds rows. No row is read."""
    if _STORED[scheme](connected, named):
        return None
    return say(_WORKED_OUT, table=named[1])


def _by_duckdb(connected: Any, named: Named) -> bool:
    return bool(connected.con.execute(_OF_FILE, named).fetchone()[0])


def _by_server(connected: Any, named: Named) -> bool:
    with connected.con.cursor() as cursor:
        return bool(cursor.execute(_OF_SERVER, named).fetchone()[0])


_OF_FILE = """SELECT count(*) > 0 FROM duckdb_tables() WHERE database_name = current_database()
AND schema_name = ? AND table_name = ? AND sql NOT ILIKE '%generated%always%as%'"""
# Tables, materialised views and parts, none of them on another server; no policy of rows, and no
# column that is worked out.
_OF_SERVER = """WITH RECURSIVE asked AS (SELECT c.oid FROM pg_class c JOIN pg_namespace s
ON s.oid = c.relnamespace WHERE s.nspname = %s AND c.relname = %s), parts(oid) AS (
SELECT oid FROM asked UNION
SELECT i.inhrelid FROM parts p JOIN pg_inherits i ON i.inhparent = p.oid)
SELECT count(*) > 0 AND bool_and(c.relkind IN ('r', 'p', 'm')) AND NOT bool_or(EXISTS (
SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attgenerated = 'v'))
AND NOT bool_or(c.oid IN (SELECT oid FROM asked) AND row_security_active(c.oid))
FROM parts JOIN pg_class c ON c.oid = parts.oid"""
_STORED: dict[str, Callable[[Any, Named], bool]] = {
    "duckdb": _by_duckdb,
    "postgresql": _by_server,
    "spark": stored_by_spark,
}
