"""What a statement may have an engine read, as the engine tells before it is sent: rows and bytes,
both at most, but for rows that it guesses. Above a limit a table is opened only by who said so;
above another a look at a few rows comes first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from threading import local
from typing import TYPE_CHECKING, Any

from dpstudio.data.aggregates import Cost
from dpstudio.files.read.outcome import TableError
from dpstudio.values.messages import N_, Message, Num, enumerated, plain, say

if TYPE_CHECKING:
    import ibis.expr.types as ir

MUCH = Cost(2_000_000, 200_000_000)  # of less nothing is said
LOOK = Cost(20_000_000, 2_000_000_000)  # of more a look at a few rows comes first
LIMIT = Cost(1_000_000_000, 20_000_000_000)  # of more it is asked first
NAMES = {"duckdb": "DuckDB", "postgres": "PostgreSQL", "pyspark": "Spark"}
Tell = Callable[[str, Cost, float | None, float], None]
_WHOLE = 15  # digits of a number of rows, which is no power of ten
_UNKNOWN = 2**63 - 1  # bytes, as Spark has it of what it knows nothing of
_PART = re.compile(r'"(?:[^"]|"")*"|[^."]+')  # of the name of a table of DuckDB
_HERE = local()


@dataclass(frozen=True)
class Spending:
    """What statements of this thread may cost: none that reads `most` or more is sent. `tell` hears
    of one over much, again and again while it runs: the engine, what it may read, which share is
    done where the engine says so, and for how many seconds it runs; of any other once it is slow.
    Without `anything` no table is opened of which a question may cost more than the limit: for who
    can ask a person, and not for what leaves, since that depends on the rows."""

    most: Cost | None = None
    tell: Tell | None = None
    anything: bool = True


@contextmanager
def spending(kept: Spending) -> Iterator[None]:
    """What is asked within may cost so much."""
    before = here()
    _HERE.spending = kept
    try:
        yield
    finally:
        _HERE.spending = before


def here() -> Spending:
    """What statements of this thread may cost now."""
    found: Spending = getattr(_HERE, "spending", None) or Spending()
    return found


class CostlyError(TableError):
    """What was not asked, since it costs more than is spent unasked."""


def reaches(cost: Cost, most: Cost) -> bool:
    """Whether it reads so many rows, or so many bytes."""
    rows, size = cost.rows or 0, cost.bytes or 0
    return rows >= (most.rows or 0) or size >= (most.bytes or 0)


def amount(cost: Cost) -> Message:
    """Rows and bytes in words."""
    size = None if cost.bytes is None else _size(cost.bytes)
    if cost.rows is None:
        return size or say(N_("an unknown number of rows"))
    text = N_("{n:# row|# rows} by its own guess") if cost.guessed else N_("{n:# row|# rows}")
    rows = say(text, n=Num(cost.rows, _WHOLE, "up"))
    return rows if size is None else enumerated((rows, size))


def _size(size: float) -> Message:
    each, unit = (1e9, "GB") if size >= 1e9 else (1e6, "MB") if size >= 1e6 else (1e3, "kB")
    return plain(f"{Num(size / each, 3, 'up')} {unit}")


def reading(engine: str, cost: Cost, seconds: float) -> Message:
    """What is going on while a statement runs; of one over little it is not known why."""
    text = N_("{engine} reads up to {amount}: {seconds} s")
    if not reaches(cost, MUCH):
        text = N_("{engine} has not answered yet: {seconds} s")
        return say(text, engine=engine, seconds=plain(int(seconds)))
    return say(text, engine=engine, amount=amount(cost), seconds=plain(int(seconds)))


class Costs:
    """What statements to one backend read; of Parquet files that it reads as one table their own
    metadata tell. Of what an engine does not tell, nothing is known."""

    def __init__(self, backend: Any, files: Sequence[str] = ()):
        self._backend, self._files = backend, list(files)
        self.name = str(backend.name)
        self._held: dict[str, tuple[int | None, dict[str, int] | None]] = {}
        self.whole = Cost()  # of a statement about all columns

    @property
    def engine(self) -> str:
        """What holds the table, as people call it."""
        return NAMES.get(self.name, self.name)

    @property
    def much(self) -> bool:
        """Whether a statement can be worth a word."""
        return reaches(self.whole, MUCH)

    def open(self, table: ir.Table, name: str) -> None:
        """Learn what a question about all of a table reads. Raises CostlyError above the limit,
        unless that is spent here."""
        self.whole = self.of(str(self._backend.compile(table)))
        if reaches(self.whole, LIMIT) and not here().anything:
            raise CostlyError(too_much(self.engine, name, self.whole))

    def of(self, sql: str) -> Cost:
        """What a statement reads, before it is sent."""
        make = {"duckdb": self._of_duckdb, "postgres": self._of_postgres}.get(self.name)
        # What is wrong with it is said by the statement itself.
        with suppress(Exception):
            return make(sql) if make else self._of_spark(sql)
        return Cost()

    def share(self) -> float | None:
        """Which share of the statement that runs is done; None where the engine does not say."""
        ask = getattr(getattr(self._backend, "con", None), "query_progress", None)
        done = ask() if ask is not None else -1
        return done / 100 if 0 <= done <= 100 else None

    def _of_duckdb(self, sql: str) -> Cost:
        con = self._backend.con
        plan = json.loads(con.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()[0][1])
        found = Cost(0, 0)
        for node in _nodes(plan[0], "children"):
            told = node["extra_info"]
            if node["children"] or ("Projections" not in told and "Table" not in told):
                continue
            named = told.get("Projections", [])
            columns, tested = [named] if isinstance(named, str) else named, str(told.get("Filters"))
            rows, sizes = self._sizes(con, told.get("Table", ""))
            size = None  # of columns that are tested only, all that may be
            if sizes is not None:
                size = sum(n for key, n in sizes.items() if key in columns or key in tested)
            guess = told.get("Estimated Cardinality") if rows is None else None
            found = found + Cost(rows if guess is None else int(guess), size, guess is not None)
        if found.guessed and found.rows is not None:  # it is of what a condition leaves
            return replace(found, rows=max(found.rows, self.whole.rows or 0))
        return found

    def _sizes(self, con: Any, table: str) -> tuple[int | None, dict[str, int] | None]:
        """Rows of a table of DuckDB, or of the files, and the bytes of each column."""
        if table not in self._held:
            if table:
                sql = """SELECT estimated_size FROM duckdb_tables()
                WHERE [database_name, schema_name, table_name] = ?"""
                named = [_bare(part) for part in _PART.findall(table)]
                rows = con.execute(sql, [named]).fetchone()
                blocks = """SELECT column_name, 262144 * count(DISTINCT block_id)
                FROM pragma_storage_info(?) WHERE block_id >= 0 GROUP BY 1"""
                sizes = dict(con.execute(blocks, [table]).fetchall()) or None
                self._held[table] = (rows and int(rows[0]), sizes)
            elif self._files:
                sql = """SELECT split_part(path_in_schema, ', ', 1), sum(total_compressed_size)
                FROM parquet_metadata(?) GROUP BY 1"""
                sizes = {name: int(n) for name, n in con.execute(sql, [self._files]).fetchall()}
                sql = "SELECT sum(num_rows) FROM parquet_file_metadata(?)"
                rows = con.execute(sql, [self._files]).fetchone()
                self._held[table] = (int(rows[0]), sizes)
            else:
                self._held[table] = (None, None)
        return self._held[table]

    def _of_postgres(self, sql: str) -> Cost:
        found = Cost(0, 0)
        with self._backend.con.cursor() as cursor:
            plan = cursor.execute(f"EXPLAIN (FORMAT JSON, VERBOSE) {sql}").fetchone()[0]
            for node in _nodes(plan[0]["Plan"], "Plans"):
                if "Relation Name" not in node:
                    continue
                if any(kind in node["Node Type"] for kind in ("Index", "Sample")):
                    rows = int(node["Plan Rows"])
                    found = found + Cost(rows, rows * int(node["Plan Width"]), True)
                    continue
                named = (node["Schema"], node["Relation Name"])
                rows, size = cursor.execute(_STORED, named).fetchone()
                local = size if isinstance(size, int) and size else None
                found = found + Cost(max(int(rows), int(node["Plan Rows"])), local, True)
        return found

    def _of_spark(self, sql: str) -> Cost:
        if not sql.startswith(("SELECT", "WITH")):
            return Cost(0, 0)  # what is no question is done as soon as it is planned
        plan = self._backend._session.sql(sql)._jdf.queryExecution().optimizedPlan()
        leaves, found = plan.collectLeaves(), Cost(0, 0)
        for place in range(leaves.size()):
            told = leaves.apply(place).stats()
            rows, size = told.rowCount(), int(str(told.sizeInBytes()))
            n = int(str(rows.get())) if rows.isDefined() else None
            found = found + Cost(n, size if size < _UNKNOWN else None)
        return found


def rows_of_parquet(files: Sequence[str]) -> int:
    """How many rows Parquet files have, by their own metadata."""
    import pyarrow.parquet as pq

    return sum(pq.read_metadata(file).num_rows for file in files)


def sizes_of(connected: Any) -> dict[tuple[str, str], Cost]:
    """Of the tables behind a connection, by schema and name, what the engine knows without a look
    at them: about how many rows, and how many bytes."""
    sql = {"duckdb": _LISTED_HERE, "postgres": _LISTED_THERE}.get(connected.name)
    if sql is None:
        return {}
    found = connected.con.execute(sql).fetchall()
    return {(schema, name): Cost(rows, size) for schema, name, rows, size in found}


_LISTED_HERE = "SELECT schema_name, table_name, estimated_size, NULL FROM duckdb_tables()"
# Of what was never looked at by the server, it knows no rows.
_LISTED_THERE = """SELECT s.nspname, c.relname,
CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END, pg_table_size(c.oid)
FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace WHERE c.relkind IN ('r', 'm')"""
# As many as there were when it last looked, and as much more as the table is longer since.
_STORED = """SELECT ceil(c.reltuples * greatest(1, pg_relation_size(c.oid)
/ (current_setting('block_size')::float8 * greatest(c.relpages, 1)))), pg_relation_size(c.oid)
FROM pg_class c
JOIN pg_namespace s ON s.oid = c.relnamespace WHERE s.nspname = %s AND c.relname = %s"""


def _nodes(plan: dict[str, Any], below: str) -> Iterator[dict[str, Any]]:
    yield plan
    for each in plan.get(below, ()):
        yield from _nodes(each, below)


def _bare(name: str) -> str:
    return name[1:-1].replace('""', '"') if name[:1] == '"' else name


def too_much(engine: str, name: str, cost: Cost) -> Message:
    """That a table is opened only by who knows what its questions cost."""
    text = N_(
        "A question about “{name}” may have {engine} read {amount}. From {rows} or {size} on this "
        "is asked first."
    )
    most = {"rows": amount(Cost(LIMIT.rows)), "size": amount(Cost(None, LIMIT.bytes))}
    return say(text, name=name, engine=engine, amount=amount(cost), **most)
