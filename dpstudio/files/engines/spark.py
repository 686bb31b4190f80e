"""Spark: an address is that of a master (none: this machine alone), with the path of Parquet files
that all its workers see, or a table of its catalogue:

    spark://host:7077/data/visits     spark://host:7077#schema.table     spark:///data/visits

Java is started once a process, and serves all tables of one master until the process ends.
"""

from __future__ import annotations

import itertools
import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from dpstudio.files.engines.written import Version, written
from dpstudio.files.read.outcome import TableError
from dpstudio.values.messages import N_, say
from dpstudio.values.stopping import interrupting

OTHER_COLUMNS = N_("{path} has other columns than {first}. Mend it, or move it out.")
_NUMBERS = itertools.count(1)
_LEFT: list[Any] = []  # sessions that nobody asks any more; the next table lets go what they hold
_PARTS = "spark.sql.shuffle.partitions"
_QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
_REACH_S = 15.0  # to a master; Spark itself takes a minute and a half to give up
LOST_S = 60.0  # without any worker where there was one
_LOOK_S = 1.0
_HAD = set[str]()  # connections that had workers


def connect_spark(place: str) -> Any:
    """A session of its own of the master in an address. Raises TableError where another master is
    served by this process."""
    import ibis
    from pyspark.sql import SparkSession

    host = urlsplit(place).netloc
    master = f"spark://{host}" if host else "local[*]"
    started = _started()
    if started is not None and started.master != master:
        text = N_(
            "This program is connected to another master of Spark ({master}), and serves one until "
            "it ends. Start it anew to open {place}."
        )
        raise TableError(say(text, master=started.master, place=place))
    if started is None:
        _reach(host)
    build = SparkSession.builder.master(master).appName("dpstudio")
    # Not into the folder where the program was started.
    warehouse = os.path.join(tempfile.gettempdir(), "dpstudio-spark")
    for name, value in {**_QUIET, "spark.sql.warehouse.dir": warehouse}.items():
        build = build.config(name, value)
    try:
        session = build.getOrCreate()
    except Exception as error:
        if not host or type(error).__name__ != "Py4JJavaError":  # that there is no Java, say
            raise
        raise TableError(say(_KEPT_OUT, place=place)) from None
    session.sparkContext.setLogLevel("OFF")  # what it logs quotes statements and cells
    while _LEFT:
        _emptied(_LEFT.pop())
    held = session.newSession()
    if not host and not session.sparkContext.getConf().contains(_PARTS):
        held.conf.set(_PARTS, str(2 * (os.cpu_count() or 1)))  # 200 is for a cluster
    made = ibis.pyspark.connect(held)
    # Others may ask Java, and a collector that ends a table may run while this does.
    made.disconnect = lambda: _LEFT.append(held)
    return made


_KEPT_OUT = N_(
    "{place} does not let this program in. Where its cluster wants a secret, mend it in the files "
    "of SPARK_CONF_DIR, start dpstudio anew, and open the table again."
)


def _reach(host: str) -> None:
    """Raise OSError where none of the masters of an address can be reached."""
    for place in host.split(","):
        split = urlsplit(f"spark://{place}")
        try:
            socket.create_connection((split.hostname, split.port or 7077), _REACH_S).close()
            return
        except OSError as error:
            why = error
    if host:
        raise why


def _started() -> Any:
    """The connection of this process; one that is lost is put away, so that another can be made."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is None or not is_lost(context):
        return context
    for _ in range(2):  # where Java has ended, the second puts away what is here
        with suppress(Exception):
            context.stop()
    try:
        SparkContext._jvm.System.nanoTime()
    except Exception:
        SparkContext._gateway = SparkContext._jvm = None  # Java is started anew
    return None


def is_lost(context: Any) -> bool:
    """Whether a connection was ended, by a cluster or with its Java."""
    try:
        return bool(context._jsc is None or context._jsc.sc().isStopped())
    except Exception:  # of what speaks to Java
        return True


def _emptied(session: Any) -> None:
    """Let go what a session held of its own."""
    with suppress(Exception):  # its Java may have ended
        for each in session.catalog.listTables():
            if each.isTemporary:
                session.catalog.dropTempView(each.name)


def files_of_spark(connected: Any, path: str, *, one_by_one: bool) -> tuple[list[Any], Version]:
    """The Parquet files in a folder as one table, by the types of one of them, or as one for each
    of the types that they have; and in what state they are. Raises TableError where one has other
    columns."""
    read, state = connected._session.read, version_of_spark(connected, path)
    with _stoppable(connected._session.sparkContext):
        return _files(connected, read, path, one_by_one), state


def _files(connected: Any, read: Any, path: str, one_by_one: bool) -> list[Any]:
    files = sorted(read.parquet(path).inputFiles())
    if not one_by_one:
        return [connected.read_parquet(path)]
    alike = dict[str, list[str]]()
    for name in files:
        alike.setdefault(read.parquet(name).schema.json(), []).append(name)
    tables = []
    for each in alike.values():
        view = f"dpstudio_files_{next(_NUMBERS)}"
        read.parquet(*each).createTempView(view)
        tables.append(connected.table(view))
        if {*tables[-1].columns} != {*tables[0].columns}:
            raise TableError(say(OTHER_COLUMNS, path=each[0], first=files[0]))
    return tables


def version_of_spark(connected: Any, path: str, named: tuple[str, str] | None = None) -> Version:
    """Of Spark, and of the files that a folder or a table of the catalogue is read from: names,
    sizes and times, as they are now. Of what is in no files, none."""
    fresh = connected._session.newSession()  # another remembers which files there were
    with _stoppable(fresh.sparkContext):  # the types of files are read by its workers
        table = fresh.read.parquet(path) if named is None else fresh.table(_quoted(named))
        files = [(name, *_stat(fresh.sparkContext, name)) for name in sorted(table.inputFiles())]
    version = f"{connected.version} {files}"
    return version, written(ms / 1000 for _, _, ms in files) if files else "not told by Spark"


def _stat(context: Any, name: str) -> tuple[int, int]:
    """Bytes of a file, and when it was written, wherever Spark finds it."""
    path = context._jvm.org.apache.hadoop.fs.Path(name)
    told = path.getFileSystem(context._jsc.hadoopConfiguration()).getFileStatus(path)
    return told.getLen(), told.getModificationTime()


def _quoted(named: tuple[str, str]) -> str:
    return ".".join("`" + part.replace("`", "``") + "`" for part in named)


def tables_of_spark(connected: Any) -> list[tuple[str, str]]:
    """The tables of the catalogue: the schema of each, and its name."""
    catalog = connected._session.catalog
    return [
        (schema.name, table.name)
        for schema in catalog.listDatabases()
        for table in catalog.listTables(schema.name)
        if not table.isTemporary
    ]


def stored_by_spark(connected: Any, named: tuple[str, str]) -> bool:
    """Whether a table of the catalogue is of files that hold its types beside its rows; a view, or
    what another program answers, is none."""
    told = connected._session.sql(f"DESCRIBE TABLE EXTENDED {_quoted(named)}").collect()
    names = [each.col_name for each in told]
    below = told[names.index("# Detailed Table Information") :]
    kept = {each.col_name: str(each.data_type).lower() for each in below}
    return kept.get("Type") in ("managed", "external") and kept.get("Provider") in _TYPED


_TYPED = ("parquet", "orc", "delta", "iceberg")


def loose_of_spark(connected: Any, named: tuple[str, str]) -> list[str]:
    """The columns of a table of the catalogue whose words are not compared by their bytes."""
    schema = connected._session.table(_quoted(named)).schema
    return [each.name for each in schema if "collate" in each.dataType.simpleString()]


def collected(connected: Any, sql: str, tell: Callable[[], object] | None = None) -> list[Any]:
    """The rows of an answer; `tell` is called until then."""
    with _stoppable(connected._session.sparkContext, tell):
        return list(connected._session.sql(sql).collect())


@contextmanager
def _stoppable(context: Any, tell: Callable[[], object] | None = None) -> Iterator[None]:
    """Stop the jobs of what is within where nobody waits for it. Where all workers are gone, for
    which Spark waits without end, the connection is."""
    tag = f"dpstudio-{next(_NUMBERS)}"
    context.addJobTag(tag)
    seen = looked = time.monotonic()

    def look() -> None:
        nonlocal seen, looked
        now = time.monotonic()
        if now >= looked + _LOOK_S:
            looked = now
            seen = now if _has_workers(context) else seen
            if now >= seen + LOST_S:
                context._jsc.sc().stop()
        if tell is not None:
            tell()

    try:
        with interrupting(lambda: context.cancelJobsWithTag(tag), look):
            yield
    finally:
        with suppress(Exception):  # of a connection that is lost
            context.removeJobTag(tag)


def _has_workers(context: Any) -> bool:
    """Whether any worker is there; also where none came so far, or they come when they are needed:
    a cluster may be busy."""
    if is_lost(context) or context.master.startswith("local"):
        return True
    if context._jsc.sc().getExecutorMemoryStatus().size() > 1:  # this program is one
        _HAD.add(context.applicationId)
        return True
    by_need = context.getConf().get("spark.dynamicAllocation.enabled", "false") == "true"
    return by_need or context.applicationId not in _HAD


def failed_file(error: Exception) -> tuple[str, bool]:
    """What Spark calls it that a file could not be read, if one could not; and whether there is no
    right to."""
    cause, name = getattr(error, "java_exception", None), ""
    with suppress(Exception):  # its Java may have ended
        while cause is not None:
            kind, told = cause.getClass().getSimpleName(), str(cause.getMessage())
            if kind in _NO_RIGHT or (kind == "FileNotFoundException" and told.endswith(_DENIED)):
                return "Permission denied", True
            if told.startswith("[FAILED_READ_FILE"):
                name = told[1:].partition("]")[0]
            cause = cause.getCause()
    return name, False


_NO_RIGHT = ("AccessControlException", "AccessDeniedException")
_DENIED = "(Permission denied)"
