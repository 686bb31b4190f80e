"""Addresses of tables that stay where they are, and what stands behind them:

    duckdb:///folder/visits.duckdb#visits      a DuckDB file, and a table or view in it
    postgresql://host/database#schema.table    a PostgreSQL server
    spark://host:7077/folder                   a master of Spark; spark:///folder is this machine
    a folder, or a pattern as visits/*.parquet  Parquet or CSV files as one table

Nothing is ever written there: files and servers are opened for reading alone. Addresses hold no
password: PostgreSQL takes it from PGPASSWORD or from ~/.pgpass.
"""

from __future__ import annotations

import glob
import hashlib
import importlib.util
import os
import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from dpstudio.data.aggregates import Cost
from dpstudio.files.engines.asking import stopping
from dpstudio.files.engines.costs import (
    LIMIT,
    CostlyError,
    Costs,
    here,
    reaches,
    rows_of_parquet,
    sizes_of,
    too_much,
)
from dpstudio.files.engines.csv_files import csv_table, of_all, settled_first, unpatterned
from dpstudio.files.engines.elsewhere import Elsewhere
from dpstudio.files.engines.readable import readable
from dpstudio.files.engines.refused import said, which
from dpstudio.files.engines.spark import (
    OTHER_COLUMNS,
    connect_spark,
    files_of_spark,
    loose_of_spark,
    tables_of_spark,
)
from dpstudio.files.engines.states import VERSION, Named, changed, quick_of, version_of_files
from dpstudio.files.engines.stored import stays
from dpstudio.files.engines.told_types import as_told, kinds_told, unread
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import FIRST_ROWS, Counts, Read, TableError, quoted
from dpstudio.files.read.source import Watch, regular
from dpstudio.files.read.together import told_files
from dpstudio.files.read.told import untold
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.stopping import interrupting

SCHEMES = ("duckdb", "postgresql", "postgres", "spark")
_ADDRESS = re.compile(rf"({'|'.join(SCHEMES)}):/", re.IGNORECASE)
MEMORY = "700MB"  # of DuckDB; the program beside it has about 300
_PATTERN = re.compile(r"[*?\[]")
_TEXT = (".csv", ".tsv")
_PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".pgm")


def elsewhere(where: str) -> bool:
    """Whether a word names a table that stays where it is: an address, or files that are one
    table."""
    return bool(_ADDRESS.match(where)) or bool(_parquet(where)) or bool(csv_files(where))


def _parquet(where: str) -> list[str]:
    """The Parquet files of a folder or a pattern, in the order of their names; none of a name of
    one file."""
    path = os.path.expanduser(where)
    if os.path.isdir(path):
        return sorted(glob.glob(os.path.join(glob.escape(path), "*.parquet")))
    if _PATTERN.search(path) and path.endswith(".parquet") and not os.path.exists(path):
        return sorted(glob.glob(path))
    return []


def csv_files(where: str) -> list[str]:
    """The same of CSV files; none of a folder that holds Parquet files, pictures, or what is no
    file: of those nothing is left out in silence."""
    path = os.path.expanduser(where)
    if os.path.isdir(path):
        held = [entry for entry in os.scandir(path) if not entry.name.startswith(".")]
        other = (*_PICTURES, ".parquet")
        if any(not e.is_file() or e.name.lower().endswith(other) for e in held):
            return []
        return sorted(entry.path for entry in held if entry.name.lower().endswith(_TEXT))
    if _PATTERN.search(path) and path.lower().endswith(_TEXT) and not os.path.exists(path):
        return sorted(glob.glob(path))
    return []


def left_out(where: str) -> Iterator[Message]:
    """What else is in a folder of which all files of one kind are a table, for who looks at it."""
    path = os.path.expanduser(where)
    if os.path.isdir(path):
        used = {os.path.basename(file) for file in _parquet(where) or csv_files(where)}
        others = sorted(n for n in os.listdir(path) if n not in used and not n.startswith("."))
        if others:
            text = N_("The folder holds more, which is left out: {names}.")
            yield say(text, names=quoted(", ".join(others), 200))


def _bytes(files: Sequence[str]) -> int:
    """How large all of them are. Raises TableError for a pipe, for which an engine waits without
    end, for a folder, and for what is not there."""
    size = 0
    for path in files:
        with regular(Path(path)) as file:
            size += os.fstat(file.fileno()).st_size
    return size


@dataclass(frozen=True)
class Address:
    """A scheme, what is behind it (a path, or host and database), and the table in it."""

    scheme: str
    place: str
    table: str


def address(where: str) -> Address:
    """The parts of an address. Raises TableError for one with a password in it, or with what is not
    understood."""
    scheme, _, behind = where.partition(":")
    scheme = "postgresql" if scheme.lower() == "postgres" else scheme.lower()
    place, _, table = behind.partition("#")
    # Also where the password has signs that would end a host.
    if scheme == "postgresql" and ":" in behind.rpartition("@")[0]:
        text = N_(
            "An address with a password in it would be kept in sessions. Leave it out, and put the "
            "password into PGPASSWORD or ~/.pgpass."
        )
        raise TableError(say(text))
    if "?" in place:
        text = N_(
            "An address has nothing after a “?”. PostgreSQL takes such settings from variables, as "
            "PGSSLMODE, and a password from PGPASSWORD or ~/.pgpass."
        )
        raise TableError(say(text))
    if scheme == "duckdb":
        return Address(scheme, unquote(urlsplit(place).path), unquote(table))
    return Address(scheme, f"{scheme}:{place}", unquote(table))


def has_types(where: str) -> bool:
    """Whether a word names a table with types of its own, which a program may have chosen by its
    values: Parquet files, or what a database holds, into which programs load files."""
    return bool(_ADDRESS.match(where)) or bool(_parquet(where))


def open_elsewhere(where: str, choices: Choices | None = None) -> Elsewhere:
    """The table behind an address, asked from now on, by the types that are told, if any are.
    Raises TableError with what to do where there is none, or what asks it is not installed; of a
    view before any row is asked for, where types are told: as they are for what leaves."""
    _installed()
    kinds = kinds_told(where, choices)
    files = _parquet(where)
    if files:
        _bytes(files)
        with said(where):
            return _of_files(where, files, kinds)
    asked = address(where)
    start = where.partition("#")[0]
    with _connected(asked, start) as connected:
        if asked.scheme == "spark" and not asked.table:
            return _of_spark(where, connected, kinds)
        found = _tables(connected, asked.scheme)
        if asked.table not in found:
            raise TableError(which(start, asked.table, found))
        schema, name = named = found[asked.table]
        still = stays(asked.scheme, connected, named)
        if kinds and still is not None:
            raise TableError(still)
        loose = _LOOSE[asked.scheme](connected, named)
        table, lost = _together([connected.table(name, database=schema)], kinds, loose)
        costs = _costs_of(table, name)
        # Before its rows are asked about, for they may be others meanwhile.
        quick = quick_of(asked.scheme, connected, asked.place, named)
        version, state = VERSION[asked.scheme](connected, asked.place, named)
        made = Elsewhere(table, name, where, costs)
        made.stays, made.lost = still, lost
        made.known_by(_snapshot(made, version), query=connected.compile(table), state=state)
        made.watched = partial(changed, asked.scheme, connected, asked.place, named, quick, version)
        return made


def tables(where: str) -> dict[str, Cost]:
    """The addresses of the tables and views behind one, or behind the path of a DuckDB file, with
    what is known of their rows and bytes; a folder of files is one. Raises TableError where nothing
    is."""
    _installed()
    if files := _parquet(where) or csv_files(where):
        size = _bytes(files)
        return {where: Cost(rows_of_parquet(files) if _parquet(where) else None, size)}
    if not _ADDRESS.match(where):
        path = os.path.abspath(os.path.expanduser(where))
        if not os.path.isfile(path):
            text = N_(
                "“{typed}” is no address and no file: type postgresql://host/database, "
                "duckdb:///folder/file.duckdb, or a folder of Parquet or CSV files."
            )
            raise TableError(say(text, typed=where))
        where = f"duckdb://{_escaped(path)}"
    asked, start = address(where), where.partition("#")[0]
    if asked.scheme == "spark" and urlsplit(asked.place).path.strip("/"):
        return {where: Cost()}
    with _connected(asked, start) as connected:
        found = _tables(connected, asked.scheme)
        if not found:
            raise TableError(which(start, "", found))
        known = sizes_of(connected)
        connected.disconnect()
    return {f"{start}#{_escaped(name)}": known.get(found[name], Cost()) for name in sorted(found)}


def _escaped(name: str) -> str:
    """A path or a name within an address."""
    return re.sub(r"[%#?@\s]", lambda sign: sign[0] if sign[0] == " " else quote(sign[0]), name)


@contextmanager
def _connected(asked: Address, place: str) -> Iterator[Any]:
    """What is behind an address; where it cannot be used it is left again, and why is said."""
    with said(place):
        made = _CONNECT[asked.scheme](asked)
        try:
            with interrupting(stopping(made)):  # a lock holds up also what reads no row
                yield made
        except BaseException:
            made.disconnect()
            raise


def _installed() -> None:
    if importlib.util.find_spec("ibis") is None:
        text = N_(
            "Databases and folders of Parquet or CSV files are asked through Ibis, which is not "
            "installed here. Install it with: pip install “dpstudio[engines]”."
        )
        raise TableError(say(text))


def _of_files(where: str, files: list[str], kinds: Mapping[str, str]) -> Elsewhere:
    """Parquet files by the types that are told, else by the widest that a column has in any of
    them: by that of the first, one row of it could round what the others hold, or have the engine
    answer nothing."""
    import pyarrow.parquet as pq

    held = [pq.read_metadata(path).schema for path in files]
    first = set(held[0].to_arrow_schema().names)
    for path, schema in zip(files, held, strict=True):
        if set(schema.to_arrow_schema().names) != first:
            raise TableError(say(OTHER_COLUMNS, path=path, first=files[0]))
    named = list(unpatterned(files))
    alike = list[list[int]]()  # files of one type, which DuckDB reads twice as fast
    for i, schema in enumerate(held):
        known = next((each for each in alike if held[each[0]].equals(schema)), None)
        known.append(i) if known else alike.append([i])
    connected, widest = _of_duckdb(), len(alike) > 1 and not kinds
    groups = [range(len(files))] if widest else alike
    parts = [
        connected.read_parquet([named[i] for i in each], union_by_name=widest) for each in groups
    ]
    return _known(_together(parts, kinds), where, files, named)


Held = tuple[Any, Sequence[Any]]


def _together(parts: Sequence[Any], kinds: Mapping[str, str], loose: Collection[str] = ()) -> Held:
    """Parts of a table as one, by the types that are told of its columns; and what asks each part
    for how many values are none of them."""
    read = [readable(part, loose) for part in parts]
    first, *others = (as_told(part, kinds) for part in read)
    lost = [unread(part, kinds) for part in read] if kinds else []
    alike = [part.select(*first.columns) for part in others]
    return first.union(*alike) if alike else first, lost


def open_csv(where: str, choices: Choices | None, watch: Watch) -> tuple[Elsewhere, Read]:
    """CSV files as one table, and how its first rows were read. Raises TableError, UncertainError
    where a person should decide, without choices, and CancelledError."""
    _installed()
    files = csv_files(where)
    size = Cost(None, _bytes(files))
    if reaches(size, LIMIT) and not here().anything:  # all of it is read to open it
        raise CostlyError(too_much("DuckDB", where, size))
    read = settled_first(files[0], choices, watch)
    with said(where):
        connected = _of_duckdb()
        try:
            table, bare = csv_table(connected, files, read, watch)
            read = of_all(read, bare, choices)
            read = replace(read, choices=read.choices.with_(part=told_files(files)))
            made = _known((readable(table), ()), where, files)
        except BaseException:
            connected.disconnect()
            raise
        made.found_in_rows(*untold(read.choices, "text"), "part")
        counts = Counts(kept=made.rows, empty=0 if read.choices.blank == "missing" else bare)
        return made, replace(read, table=made.first(FIRST_ROWS), counts=counts)


def _costs_of(table: Any, name: str, parquet: Sequence[str] = ()) -> Costs:
    """What its questions cost, once that is known, or said to be well."""
    costs = Costs(table.get_backend(), parquet)
    costs.open(table, name)
    return costs


def _known(held: Held, where: str, files: list[str], parquet: Sequence[str] = ()) -> Elsewhere:
    """Files as one table, known by their names, sizes and times."""
    place = os.path.abspath(os.path.expanduser(where))
    version, state = version_of_files(files)  # before they are asked, as of a server
    name, (table, lost) = Path(place).name, held
    made = Elsewhere(table, name, place, _costs_of(table, name, parquet))
    made.lost = lost
    made.known_by(_snapshot(made, version), state=state)
    made.watched = partial(changed, "files", None, "", files, version, version)
    return made


def _of_spark(where: str, connected: Any, kinds: Mapping[str, str]) -> Elsewhere:
    path = unquote(urlsplit(where).path)
    if not path.strip("/"):
        raise TableError(which(where, "", _tables(connected, "spark")))
    parts, (version, state) = files_of_spark(connected, path, one_by_one=bool(kinds))
    (table, lost), name = _together(parts, kinds), Path(path).name
    made = Elsewhere(table, name, where, _costs_of(table, name))
    made.lost = lost
    made.known_by(_snapshot(made, version), state=state)
    made.watched = partial(changed, "spark", connected, path, None, version, version)
    return made


def _spark(asked: Address) -> Any:
    if importlib.util.find_spec("pyspark") is None:
        text = N_(
            "Spark is asked through PySpark, which is not installed here. Install it with: pip "
            "install “dpstudio[spark]”. It needs Java 17 or 21."
        )
        raise TableError(say(text))
    return connect_spark(asked.place)


def _duckdb(asked: Address) -> Any:
    if not os.path.isfile(asked.place):
        text = N_("There is no file {path}.")
        raise TableError(say(text, path=asked.place))
    path = os.path.realpath(asked.place)
    file = os.stat(path)
    if _READ.setdefault(path, file.st_ino) == file.st_ino:
        return _of_duckdb(asked.place, read_only=True)
    # DuckDB gives a process the file that it has open, also where another is in its place now.
    made = _of_duckdb()
    made.attach(path, name=_READ_ANEW, read_only=True)
    made.raw_sql(f"USE {_READ_ANEW}")
    return made


_READ: dict[str, int] = {}  # of files that were opened, which they were
_READ_ANEW = "dpstudio_file"


# A view may name what another program fetches, or needs: nothing is fetched for it.
_OFFLINE = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}


def _of_duckdb(*place: str, **more: Any) -> Any:
    """What it cannot hold in memory it writes into a folder for what passes, not beside the user's
    file, and deletes it."""
    import ibis

    made = ibis.duckdb.connect(
        *place, memory_limit=MEMORY, temp_directory=tempfile.gettempdir(), **_OFFLINE, **more
    )
    # How far a statement is can be asked, and is not painted over what the program prints.
    made.raw_sql("SET enable_progress_bar_print = false")
    made.raw_sql("SET enable_progress_bar = true")
    return made


def _postgres(asked: Address) -> Any:
    import ibis

    split = urlsplit(asked.place)
    made = ibis.postgres.connect(
        host=split.hostname or None,
        port=split.port or 5432,
        user=unquote(split.username) if split.username else None,
        password=os.environ.get("PGPASSWORD"),
        database=unquote(split.path.strip("/")) or None,
        connect_timeout=15,  # seconds, of which there is no end otherwise
        options="-c default_transaction_read_only=on",
    )
    made.con.autocommit = True  # nothing waits for a transaction that is only read in
    return made


_CONNECT: dict[str, Callable[[Address], Any]] = {
    "duckdb": _duckdb,
    "postgresql": _postgres,
    "spark": _spark,
}


def _loose_of_file(connected: Any, named: Named) -> Collection[str]:
    """All columns of a file in which something is compared by rules of a language: what shows the
    tables and views by their columns does not say which."""
    [(any_of,)] = connected.raw_sql(_COLLATED).fetchall()
    schema, name = named
    return connected.table(name, database=schema).columns if any_of else ()


def _loose_of_server(connected: Any, named: Named) -> Collection[str]:
    with connected.con.cursor() as cursor:
        return [name for (name,) in cursor.execute(_UNSURE, named).fetchall()]


_COLLATED = """SELECT count(*) > 0 FROM (SELECT sql FROM duckdb_tables() UNION ALL
SELECT sql FROM duckdb_views() WHERE NOT internal) WHERE sql ILIKE '%collate%'"""
_UNSURE = """SELECT a.attname FROM pg_attribute a JOIN pg_collation l ON l.oid = a.attcollation
JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace s ON s.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type b ON b.oid = t.typbasetype
WHERE s.nspname = %s AND c.relname = %s AND NOT (
l.collisdeterministic AND t.typname <> 'citext' AND coalesce(b.typname, '') <> 'citext')"""
_LOOSE: dict[str, Callable[[Any, Named], Collection[str]]] = {
    "duckdb": _loose_of_file,
    "postgresql": _loose_of_server,
    "spark": loose_of_spark,
}
_SYSTEM = ("information_schema", "pg_catalog")
_LISTED = "SELECT table_schema, table_name FROM information_schema.tables"
_KEPT = """ UNION SELECT schemaname, matviewname FROM pg_matviews
WHERE has_table_privilege(format('%I.%I', schemaname, matviewname), 'SELECT')"""


def _tables(connected: Any, scheme: str) -> dict[str, Named]:
    """The tables and views, each by schema and name, by what they are called in an address: those
    that are found without their schema without it, unless their own name has a dot."""
    usual = {"duckdb": "main", "postgresql": "public", "spark": "default"}[scheme]
    found = sorted(tables_of_spark(connected) if scheme == "spark" else _listed(connected, scheme))
    bare = {name: (schema, name) for schema, name in found if schema == usual and "." not in name}
    whole = {f"{schema}.{name}": (schema, name) for schema, name in found}
    return {**bare, **{key: each for key, each in whole.items() if each not in bare.values()}}


def _listed(connected: Any, scheme: str) -> list[Named]:
    cursor = connected.raw_sql(_LISTED + _KEPT * (scheme == "postgresql"))
    found = [(schema, name) for schema, name in cursor.fetchall() if schema not in _SYSTEM]
    if scheme == "postgresql":
        cursor.close()
    return found


def _snapshot(table: Elsewhere, version: str) -> str:
    """What stands for a digest of rows that are not read: the columns, how many rows there are, and
    what the engine tells of its version. Two states that differ may have one."""
    told = repr((table.columns, table.rows, version))
    return hashlib.sha256(told.encode()).hexdigest()
