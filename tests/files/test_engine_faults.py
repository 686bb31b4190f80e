"""What goes wrong with a table that stays elsewhere is one sentence, and what is slow is stopped."""

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ibis", reason="the extra “engines” is not installed")

import test_engines
from test_engines import PostgreSQL, Row, Spark, arrow

from dpstudio import cli
from dpstudio.data.conditions import parse
from dpstudio.files.engines import spark as spark_
from dpstudio.files.engines.connecting import open_elsewhere, tables
from dpstudio.files.read.outcome import TableError
from dpstudio.files.tables import called
from dpstudio.values.stopping import while_wanted

postgres, spark = test_engines.postgres, test_engines.spark
# What talks to Java leaves its sockets to the collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]
MADE: list[Row] = [("cardiology", age, 2.5, None, True) for age in range(40)]
HELD = 0.5  # seconds for which somebody waits


def why(ask: Callable[[], Any]) -> str:
    """The sentence with which it is refused."""
    with pytest.raises(TableError) as refused:
        ask()
    return str(refused.value)


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("/data/visits.csv", "visits.csv"),
        ("postgresql://reader@host/postgres#clinic.visits", "clinic.visits"),
        ("duckdb:///data/a%23b.duckdb#50%25 of%3F", "50% of?"),
        ("spark://host:7077/data/visits", "visits"),
        ("postgresql://me:sec#ret@host/db", "db"),
    ],
)
def test_a_table_is_called_by_its_own_name(where: str, name: str) -> None:
    assert called(where) == name


def test_a_locked_table_is_left_by_who_does_not_wait(postgres: PostgreSQL) -> None:
    """Where its size is looked at, where it is opened, and where it is asked."""
    import psycopg

    there = postgres.of(MADE)
    with psycopg.connect(f"host=localhost port={postgres.port} user=postgres") as held:
        held.execute("LOCK TABLE visits IN ACCESS EXCLUSIVE MODE")
        for ask in (
            lambda: tables(postgres.start),
            lambda: open_elsewhere(postgres.address),
            lambda: there.count(parse("age > 3")),
        ):
            end = time.monotonic() + HELD
            with while_wanted(lambda end=end: time.monotonic() < end):
                assert "canceling" in (told := why(ask)) or "QueryCanceled" in told
    assert there.count(parse("age > 3")) == 36
    there.close()


def test_files_that_spark_cannot_read_any_more_are_a_sentence(
    spark: Spark, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """One that is gone, cut off, or written anew with other types, and one without a right; what
    was asked before is still known, and no cell is in a word of it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    there, file = spark.of(MADE), spark.path / "part1.parquet"
    whole, ages = file.read_bytes(), iter(range(5, 40))
    assert there.distinct("dept") == (("cardiology", 40),)

    def ask() -> int:
        return there.count(parse(f"age > {next(ages)}"))

    def gone() -> None:
        file.unlink()

    def cut() -> None:
        file.write_bytes(whole[:50])

    def other() -> None:
        rows = arrow(MADE).set_column(1, "age", pa.array(["hidden"] * len(MADE)))
        pq.write_table(rows, file)

    for harm in (gone, cut, other):
        file.unlink(missing_ok=True)
        file.write_bytes(whole)
        harm()
        told = why(ask)
        assert f"Spark cannot read a file of {spark.start} (FAILED_READ_FILE" in told
        assert "hidden" not in told + "".join(capfd.readouterr())
        assert there.changed()
    file.unlink()
    file.write_bytes(whole)
    file.chmod(0)
    if os.environ.get("DPSTUDIO_TEST_RIGHTS"):  # else Java may be root, who has all of them
        assert "does not let you read this table (Permission denied)" in why(ask)
        assert cli.main(["run", "explore", "--data", spark.address]) == 2
        assert "does not let you read" in capfd.readouterr().err
    file.chmod(0o644)
    assert ask() > 0
    assert there.distinct("dept") == (("cardiology", 40),)
    there.close()
    gc.collect()


class Cluster:
    """A master and a worker in processes of their own, which end with this."""

    def __init__(self, port: int):
        self.port, self.ran = port, dict[str, subprocess.Popen[bytes]]()

    def run(self, name: str, *words: str) -> None:
        from pyspark.find_spark_home import _find_spark_home

        said = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        program = [f"{_find_spark_home()}/bin/spark-class", f"org.apache.spark.deploy.{name}"]
        self.ran[name] = subprocess.Popen(
            [*program, "--host", "127.0.0.1", "--webui-port", "0", *words],
            env={**os.environ, **said},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def start(self) -> None:
        self.run("master.Master", "--port", str(self.port))
        worker = ["-c", "1", "-m", "1g", f"spark://127.0.0.1:{self.port}"]
        self.run("worker.Worker", *worker)

    def kill(self) -> None:
        for each in self.ran.values():
            with suppress(ProcessLookupError):
                os.killpg(each.pid, signal.SIGKILL)
            each.wait()
        self.ran.clear()


@contextmanager
def cluster(port: int) -> Iterator[Cluster]:
    made = Cluster(port)
    try:
        made.start()
        yield made
    finally:
        made.kill()


def opened(where: str) -> Any:
    """Its table, once its master answers."""
    for _ in range(60):
        with suppress(TableError):
            return open_elsewhere(where)
        time.sleep(1)
    return open_elsewhere(where)


def test_a_cluster_that_is_gone_is_a_sentence_and_one_that_is_back_is_asked(
    spark: Spark, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark would wait for workers without end. Java that has ended is started anew; a program that
    speaks to one master says so."""
    from pyspark import SparkContext

    spark.fill(MADE)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    monkeypatch.setattr(spark_, "LOST_S", 6.0)
    if SparkContext._active_spark_context is not None:
        SparkContext._active_spark_context.stop()
    port = 7300 + os.getpid() % 500
    where = f"spark://127.0.0.1:{port}{spark.path}"
    with cluster(port) as held:
        there = opened(where)
        assert there.count(parse("age > 5")) == 34
        assert "is connected to another master" in why(lambda: open_elsewhere("spark:///nowhere"))
        held.kill()
        lost = f"The connection to {where} is lost"
        assert lost in why(lambda: there.count(parse("age > 6")))
        assert there.count(parse("age > 5")) == 34
        assert not there.changed()  # which nobody can say
        assert "refused. Open the table again once it" in why(lambda: open_elsewhere(where))
        held.start()
        again = opened(where)
        assert again.count(parse("age > 6")) == 33
        SparkContext._gateway.proc.stdin.close()  # which ends Java
        SparkContext._gateway.proc.wait()
        assert lost in why(lambda: again.count(parse("age > 7")))
        last = opened(where)
        assert last.count(parse("age > 7")) == 32
        for table in (there, again, last):
            table.close()
        SparkContext._active_spark_context.stop()
    gc.collect()
