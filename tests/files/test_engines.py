"""Tables that stay where they are answer as the same rows do here: to the last bit where whole numbers
are counted, within 1e-9 where doubles are added up."""

import contextlib
import dataclasses
import gc
import importlib.util
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from operator import attrgetter
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

pytest.importorskip("ibis", reason="the extra “engines” is not installed")

from drawn import examples, some
from running import LEAST, first_rows, little
from test_booked_release import PLAN, ROWS
from test_hidden_release import said

from dpstudio import cli
from dpstudio.data.aggregates import Cost
from dpstudio.data.codebook import EMPTY, About, Codebook
from dpstudio.data.conditions import Where, parse
from dpstudio.data.dataset import Dataset
from dpstudio.data.exact_sums import ExactSums
from dpstudio.files.arrow_columns import from_table
from dpstudio.files.booked.drawing import as_planned, exact
from dpstudio.files.booked.releasing import told_source
from dpstudio.files.engines import asking, connecting, costs
from dpstudio.files.engines import elsewhere as elsewhere_
from dpstudio.files.engines.connecting import open_elsewhere, tables
from dpstudio.files.engines.costs import CostlyError, Spending, spending
from dpstudio.files.engines.elsewhere import Elsewhere
from dpstudio.files.engines.exact import ExactElsewhere
from dpstudio.files.engines.opening import read_elsewhere
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import CancelledError, TableError
from dpstudio.files.read.source import Watch
from dpstudio.files.read.told import settled, told_words, why_stays
from dpstudio.files.session import Session, write_session
from dpstudio.files.talk import Step, Talk, write_talk
from dpstudio.files.write.export import provenance
from dpstudio.files.write.leaving import StaysError, may_leave
from dpstudio.files.write.report import about_table
from dpstudio.files.write.script import script_of
from dpstudio.labs import LABS
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.row_sample import share_within
from dpstudio.labs.scripting.scripted import NoScript
from dpstudio.plans.laws import noises
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, put
from dpstudio.values.stopping import while_wanted

# Ibis 12 asks DuckDB 2 for its columns by a name that this calls an old one.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
TYPED = Codebook((("age", About(type="category")),))
PAGE = "dept TEXT, age BIGINT, cost DOUBLE PRECISION, seen TIMESTAMP, well BOOLEAN"
NAMES = ("dept", "age", "cost", "seen", "well")
WORDS = ("cardiology", "o'Brien", 'a "b"', "naïve", "", "NaN", "50 %s", "a\\'b", "\\x41")
WHERES = (
    "",
    "age > 50",
    "age != 3 and cost <= 2.5",
    'dept in ("cardiology", "o\'Brien") or age is missing',
    'dept not in ("cardiology") and (cost is not missing or well = True)',
    'dept in ("50 %s", "\\\\x41") or dept = "a\\\\\'b"',
    "seen = 2020-03",
    "seen > 2020-03-31T14:30 or seen is missing",
    "seen not in (2020-01-02, 2021)",
    'well = "True" and age in (1, 2, 50)',
)
# No integer of an engine is as large as the last but one.
ODD = (0.0, -0.5, 2.5, 1e15, 1e300, float("-inf"))
Row = tuple[Any, ...]
moments = st.datetimes(datetime(1900, 1, 1), datetime(2099, 12, 31))
rows = st.tuples(
    st.none() | st.sampled_from(WORDS),
    st.none() | st.integers(-5, 60) | st.integers(-(2**52), 2**52),
    st.none() | st.just(float("nan")) | st.sampled_from(ODD) | st.floats(-9, 9),
    st.none() | st.sampled_from([datetime(2020, 3, 31, 14, 30), datetime(2020, 1, 2)]) | moments,
    st.none() | st.booleans(),
)


class Place:
    """A database in which a table can be made."""

    def __init__(self, start: str):
        self.start = start

    def of(self, made: list[Row]) -> Elsewhere:
        """The table of these rows."""
        self.fill(made)
        return open_elsewhere(self.address)

    @property
    def address(self) -> str:
        return f"{self.start}#visits"

    def fill(self, made: list[Row]) -> None:
        self.make("visits", PAGE, made)

    def make(self, name: str, columns: str, made: list[Row]) -> None:
        """The table of that name anew."""
        raise NotImplementedError


class DuckDB(Place):
    def __init__(self, folder: Path):
        super().__init__(f"duckdb://{folder}/visits.duckdb")
        self.path = folder / "visits.duckdb"

    def make(self, name: str, columns: str, made: list[Row]) -> None:
        import duckdb

        self.path.unlink(missing_ok=True)
        with duckdb.connect(str(self.path)) as held:
            held.execute(f"CREATE TABLE {name} ({columns})")
            if made:
                marks = ", ".join("?" for _ in made[0])
                held.begin()  # else each row is a transaction
                held.executemany(f"INSERT INTO {name} VALUES ({marks})", made)
                held.commit()


class PostgreSQL(Place):
    def __init__(self, port: int):
        self.port = port
        super().__init__(f"postgresql://postgres@localhost:{port}/postgres")

    def make(self, name: str, columns: str, made: list[Row]) -> None:
        import psycopg

        with psycopg.connect(f"host=localhost port={self.port} user=postgres") as held:
            held.execute(f"DROP TABLE IF EXISTS {name} CASCADE")  # and views of it
            held.execute(f"CREATE TABLE {name} ({columns})")
            with held.cursor() as cursor:
                marks = ", ".join("%s" for _ in (made or [()])[0])
                cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", made)


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgreSQL]:
    """A server of its own, in a folder of its own; a server does not run as root."""
    programs = _binaries()
    if programs is None or pytest.importorskip("psycopg") is None:
        pytest.skip("PostgreSQL is not installed here")
    # Not below pytest's folders, into which nobody else may look.
    folder, as_other = Path(tempfile.mkdtemp(prefix="dpstudio-")), list[str]()
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        as_other = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    port = 54_000 + os.getpid() % 1000
    control = [*as_other, str(programs / "pg_ctl"), "-D", str(folder / "data"), "-w"]
    init = [*as_other, str(programs / "initdb"), "-A", "trust", "-U", "postgres", "-N"]
    subprocess.run([*init, "-D", str(folder / "data")], check=True, stdout=-3)
    options = f"-p {port} -k {folder} -c fsync=off -c autovacuum=off"
    log = str(folder / "log")
    subprocess.run([*control, "-o", options, "-l", log, "start"], check=True, stdout=-3)
    yield PostgreSQL(port)
    subprocess.run([*control, "-m", "immediate", "stop"], check=True, stdout=-3)
    shutil.rmtree(folder)


class Spark(Place):
    """A folder of Parquet files; of the master that DPSTUDIO_TEST_SPARK names, as “host:7077”, else
    of this machine alone."""

    def __init__(self, folder: Path):
        self.path = folder / "visits"
        super().__init__(f"spark://{os.environ.get('DPSTUDIO_TEST_SPARK', '')}{self.path}")

    @property
    def address(self) -> str:
        return self.start

    def make(self, name: str, columns: str, made: list[Row]) -> None:
        import pyarrow.parquet as pq

        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir()
        half = len(made) // 2
        for i, part in enumerate((made[:half], made[half:])):
            pq.write_table(arrow(part, columns), self.path / f"part{i}.parquet")


# Of few rows most of the time goes into parts and plans that change on the way; within this process
# also into Java that is made of each statement. Whoever has settings keeps them.
QUICK = "spark.sql.shuffle.partitions 2\nspark.sql.adaptive.enabled false\n"
WITHIN = "spark.sql.codegen.wholeStage false\nspark.sql.codegen.factoryMode NO_CODEGEN\n"
# What talks to Java leaves its sockets to the collector.
SPARK = pytest.param("Spark", marks=pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"))


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spark]:
    """It ends with what it started: Java, and its threads."""
    if "DPSTUDIO_TEST_SPARK" not in os.environ:
        pytest.skip("Spark takes minutes: set DPSTUDIO_TEST_SPARK (empty: local)")
    session = pytest.importorskip("pyspark.sql", reason="PySpark is not installed").SparkSession
    if not shutil.which("java"):
        pytest.skip("Java is not installed")
    settings_ = tmp_path_factory.mktemp("conf")
    within = "" if os.environ["DPSTUDIO_TEST_SPARK"] else WITHIN
    (settings_ / "spark-defaults.conf").write_text(QUICK + within)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", os.environ.get("SPARK_CONF_DIR", str(settings_)))
        yield Spark(tmp_path_factory.mktemp("spark"))
    if (started := session.getActiveSession()) is not None:
        started.stop()


@pytest.fixture(scope="module", params=["DuckDB", "PostgreSQL", SPARK])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Place:
    if request.param == "DuckDB":
        return DuckDB(tmp_path_factory.mktemp("duckdb"))
    return request.getfixturevalue({"PostgreSQL": "postgres", "Spark": "spark"}[request.param])


def here(made: list[Row]) -> Dataset:
    """The same rows as Arrow has them."""
    return Dataset(from_table(arrow(made)), "visits")


def arrow(made: list[Row], columns: str = PAGE) -> Any:
    import pyarrow as pa

    of = {"TEXT": pa.string(), "BIGINT": pa.int64(), "DOUBLE PRECISION": pa.float64()}
    of |= {"TIMESTAMP": pa.timestamp("us"), "BOOLEAN": pa.bool_()}
    held = {}
    for i, column in enumerate(columns.split(", ")):
        name, _, kind = column.partition(" ")
        held[name] = pa.array([row[i] for row in made], type=of[kind], from_pandas=False)
    return pa.table(held)


def alike(ours: Any, theirs: Any) -> None:
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


PERSONS = (("dept", 2), ("cost", 1), ("seen", 3))


@pytest.mark.parametrize("few", [True, False])
@settings(max_examples=examples(6))
@given(
    made=st.lists(rows, max_size=25),
    text=st.sampled_from(WHERES),
    persons=st.just(PERSONS) if "DPSTUDIO_TEST_SPARK" in os.environ
    else st.sampled_from(PERSONS).map(lambda one: (one,)),
)  # fmt: skip
@example(made=[("a", 1, cost, None, True) for cost in ODD], text="", persons=PERSONS)
def test_every_answer_is_that_of_the_rows(
    place: Place, few: bool, made: list[Row], text: str, persons: tuple[tuple[str, int], ...]
) -> None:
    """Of all conditions, by the different values of a column and by sums of it; what is not asked
    otherwise by sums is compared once. Rows that are drawn are of the persons of one column, and of
    each in .ci/engines."""
    alike_there = compared if few else numbers_compared
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elsewhere_, "FEW", 100_000 if few else -1)
        there = place.of(made)
        try:
            alike_there(there, here(made), text)
            for person, most in persons:
                book = EMPTY.with_person(person, most)
                alike_there(there.described(book), here(made).described(book), text)
        finally:
            there.close()


def compared(there: Elsewhere, table: Dataset, text: str) -> None:
    numbers_compared(there, table, text)
    where = parse(text) if text else Where()
    assert there.count(where) == table.count(where), text
    for column, words in (("dept", WORDS), ("age", ("1", "50.0", "x")), ("well", ("True",))):
        np.testing.assert_array_equal(
            table.tally(column, words, where), there.tally(column, words, where)
        )
    alike(*(d.grouped("dept", WORDS, "cost", -3.0, 9.0, where) for d in (table, there)))
    np.testing.assert_array_equal(
        *(d.crossed("dept", WORDS, "well", ("True", "False"), where) for d in (table, there))
    )
    alike(*(d.moments(("age", "cost"), ((0, 9), (-1, 4)), where) for d in (table, there)))
    for name in NAMES:
        assert table.missing(name) == there.missing(name)
        assert table.distinct(name) == there.distinct(name)
        assert table.more_than(name, 3) == there.more_than(name, 3)
        np.testing.assert_array_equal(table.persons(name).kept, there.persons(name).kept)
    for name in ("dept", "well"):
        extent_and_spread_compared(there, table, name)


def numbers_compared(there: Elsewhere, table: Dataset, text: str) -> None:
    """What is asked in another way where a column has many different numbers."""
    assert there.columns == table.columns
    assert (there.rows, there.dropped, there.unowned) == (table.rows, table.dropped, table.unowned)
    where = parse(text) if text else Where()
    for column in ("age", "cost"):
        ours, theirs = (d.clipped(column, -3.0, 55.0, where, 1.5) for d in (table, there))
        assert (ours.used, ours.below, ours.above, ours.missing) == (
            theirs.used,
            theirs.below,
            theirs.above,
            theirs.missing,
        )
        assert ours.total == pytest.approx(theirs.total, rel=1e-9, abs=1e-9)
        alike(table.powers(column, -3.0, 55.0, where), there.powers(column, -3.0, 55.0, where))
    for column, edges in (
        ("age", (-5.0, 0.0, 2.5, 60.0)),
        ("seen", (0.0, 18_262.0, 18_352.0)),
        ("cost", tuple(np.linspace(-0.5, 2.5, 31).tolist())),  # of equal steps, some of them odd
    ):
        np.testing.assert_array_equal(
            table.histogram(column, edges, where), there.histogram(column, edges, where)
        )
        ours, theirs = (d.ordered(column, where) for d in (table, there))
        np.testing.assert_array_equal(ours.values, theirs.values)
        np.testing.assert_array_equal(ours.counts, theirs.counts)
    for name in ("age", "cost", "seen"):
        extent_and_spread_compared(there, table, name)


def extent_and_spread_compared(there: Elsewhere, table: Dataset, name: str) -> None:
    assert table.extent(name) == there.extent(name)
    ours, theirs = table.spread(name), there.spread(name)
    facts = attrgetter("present", "distinct", "most", "infinite", "common")
    assert facts(ours) == facts(theirs)
    alike(
        (ours.quantiles, ours.edges, ours.counts), (theirs.quantiles, theirs.edges, theirs.counts)
    )


@settings(max_examples=examples(3))
@example(made=[(None, None, cost, None, None) for cost in (*ODD, 2.5000001, 5e-324, -1e-310)])
@example(made=[(None, None, cost, None, None) for cost in (0.0, 1e-310, -5e-324, 2.5)])
@example(made=[(None, 7, cost, None, None) for cost in (1.00004, 1.00005, 9.99999, 2.5)])
@example(made=[(None, -7, -cost, None, None) for cost in (0.0999999, 0.1, 99999.99, 1e5, 10.0)])
@given(made=st.lists(rows, min_size=1, max_size=25))
def test_first_digits_stand_for_more_numbers_than_come_here(place: Place, made: list[Row]) -> None:
    """Each number has the same five digits as one of the rows; how many there are, the ends and the
    sum are those of the rows."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FEW", "MANY"):
            patch.setattr(elsewhere_, name, -1)
        there, table = place.of(made), here(made)
        try:
            for column in ("age", "cost"):
                ours, theirs = (d.ordered(column, Where()) for d in (table, there))
                assert ours.counts.sum() == theirs.counts.sum()
                near = np.repeat(theirs.values, theirs.counts)
                exact = np.repeat(ours.values, ours.counts)
                np.testing.assert_array_equal(near[:1], exact[:1])
                np.testing.assert_array_equal(near[-1:], exact[-1:])
                largest = float(np.max(np.abs(exact[np.isfinite(exact)]), initial=0.0))
                np.testing.assert_allclose(near, exact, rtol=1e-4, atol=1e-11 * largest)
                assert there.spread(column).distinct == table.spread(column).distinct
                assert there.spread(column).most == table.spread(column).most
        finally:
            there.close()


halves = st.fractions(-9, 9, max_denominator=7)


@settings(max_examples=examples(12))
@example(
    made=[("a", None, cost, None, None) for cost in (5e-324, -1e-310, 1.0, 3.0, math.inf)],
    low=Fraction(-1),
    width=Fraction(9),
    fine=1,
    centred=False,
    text="",
)
@given(
    made=st.lists(rows, max_size=25),
    low=halves,
    width=halves.map(abs),
    fine=st.sampled_from([-44, -20, -1, 1]),
    centred=st.booleans(),
    text=st.sampled_from(WHERES),
)
def test_sums_for_a_release_are_those_of_the_rows_to_the_last_bit(
    place: Place,
    made: list[Row],
    low: Fraction,
    width: Fraction,
    fine: int,
    centred: bool,
    text: str,
) -> None:
    """Of all rows, of the words of a column, and of two rows of each person."""
    there, table = place.of(made), here(made)
    where = parse(text) if text else Where()
    ends = (low, low + width / 2 if centred else Fraction(0), low + width)
    try:
        for book in (EMPTY, Codebook(person="dept", most=2)):
            ours, theirs = ExactSums(table.described(book)), there.described(book)
            assert isinstance(theirs, Elsewhere)
            for column, by, words in (
                ("cost", "", ()),
                ("age", "dept", WORDS),
                ("cost", "age", ("1", "50")),
            ):
                asked = (column, ends, Fraction(2) ** fine, where, by, words)
                assert ours.in_steps(*asked) == ExactElsewhere(theirs, {}).in_steps(*asked)
    finally:
        there.close()


RELEASED = "x DOUBLE PRECISION, c TEXT, g TEXT"
TYPES_TOLD = Choices(
    format="columnar",
    rows="every",
    decimal="point",
    dates="words",
    century="window",
    units="words",
    types=("x=number", "c=words", "g=words"),
)

TOLD = ("--read", told_words(TYPES_TOLD))


RELEASES = [
    (odd, person)
    for odd in ((math.inf, "a", None), (None, "o'b", "u"), (1e300, "", "zz"))
    for person in ("", "g")
]


@pytest.mark.parametrize(("odd", "person"), some(RELEASES, lambda case: case[0]))
def test_a_release_says_the_same_of_neighbours(
    place: Place, odd: Row, person: str, tmp_path: Path
) -> None:
    """A plan with a question of each kind, as from a file: the exact numbers are those of the rows
    here, one row of each person or two; all that leaves is the same but for what is drawn."""
    terms = PLAN.terms.with_(rows=2) if person else PLAN.terms
    plan, memory = dataclasses.replace(PLAN, terms=terms), dict[str, Any]()
    heard = []
    for made in (ROWS, [odd, *ROWS[1:]]):
        place.make("visits", RELEASED, made)
        frame = pd.DataFrame(made, columns=["x", "c", "g"])
        source = told_source(place.address, TYPES_TOLD, person)
        held = (Dataset(frame, "t"), source.table)
        ours, theirs = (as_planned(plan, each, person) for each in held)
        for question, share in zip(plan.questions, plan.split, strict=True):
            law = noises(question, terms.unit, share.noise, share.cost)
            assert exact(question, law, ours) == exact(question, law, theirs), question.name
        source.table.close()
        words = ["--data", place.address, *(["--person", person] if person else [])]
        heard.append(said(tmp_path, plan, [*words, *TOLD], memory))
        gc.collect()  # what the call opened
    assert heard[0].startswith("0 ")
    assert "stays in its database" in heard[0]
    # The ledger and the certificate name the state that it is of, without what its rows say.
    engine = source.table.snapshot["engine"]
    assert engine.startswith(("DuckDB 2", "PostgreSQL 1", "Spark 4"))
    assert f"Asked of “visits” in {engine}, which was opened at" in heard[0]
    assert f'"engine": "{engine}"' in heard[0].replace("\\", "")
    assert heard[0] == heard[1]


def test_persons_of_a_release_may_be_named_by_numbers(tmp_path: Path) -> None:
    place, plan = DuckDB(tmp_path), dataclasses.replace(PLAN, terms=PLAN.terms.with_(rows=2))
    place.make("visits", f"{RELEASED}, n BIGINT", [(*row, i % 7) for i, row in enumerate(ROWS)])
    told = TYPES_TOLD.with_(types=(*TYPES_TOLD.types, "n=integer"))
    source = told_source(place.address, told, "n")
    assert as_planned(plan, source.table, "n").count(Where()) == 14
    source.table.close()


@pytest.mark.parametrize("engine", ["", SPARK])
def test_a_release_of_parquet_files_goes_by_the_types_that_are_told(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Whatever types their programs chose by all of the values, one row says nothing of others; and
    where nobody tells them nothing leaves."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if engine:
        request.getfixturevalue("spark")
    made = Spark(tmp_path).path
    where = Spark(tmp_path).start if engine else str(made)
    made.mkdir()
    pq.write_table(arrow(ROWS[1:], RELEASED), made / "b.parquet")
    memory, heard = dict[str, Any](), set()
    call = ["--data", where, "--person", "g"]
    told = [*call, *TOLD]
    plan = dataclasses.replace(PLAN, terms=PLAN.terms.with_(rows=2))
    for odd in ({"x": [1]}, {"x": ["1e400"]}, {"x": [2**53 + 1], "c": [7]}, {"c": pa.nulls(1)}):
        row = {"x": pa.nulls(1), "c": ["a"], "g": pa.nulls(1), **odd}
        pq.write_table(pa.table(row), made / "a.parquet")
        heard.add(said(tmp_path, plan, told, memory))
        gc.collect()  # what the call opened
    assert [text[0] for text in heard] == ["0"]
    untold = said(tmp_path, plan, call, memory)
    assert untold.startswith("2 ")
    assert "types=…" in untold


def test_a_release_of_a_database_goes_by_the_types_that_are_told(tmp_path: Path) -> None:
    """Whoever made it may have had them chosen by all of the values of a file, as here."""
    import duckdb

    place, memory, heard = DuckDB(tmp_path), dict[str, Any](), set()
    for odd in ("1", "x", "2020-01-01", "9007199254740993", ""):
        place.path.unlink(missing_ok=True)
        (tmp_path / "r.csv").write_text(f"x,c,g\n{odd},a,u\n1.5,a,u\n2.5,b,v\n")
        with duckdb.connect(str(place.path)) as held:
            held.execute(f"CREATE TABLE visits AS FROM read_csv('{tmp_path}/r.csv', header = true)")
        untold = said(tmp_path, PLAN, ["--data", place.address], memory)
        heard.add((untold, said(tmp_path, PLAN, ["--data", place.address, *TOLD], memory)))
        gc.collect()  # what the call opened
    ((untold, told),) = heard
    assert untold.startswith("2 ")
    assert "types=…" in untold
    assert told.startswith("0 ")


def test_nothing_leaves_of_what_is_worked_out_as_it_is_asked(place: Place, tmp_path: Path) -> None:
    """A row could end it for all: no row is asked for to say so. It may be looked at."""
    place.make("visits", RELEASED, ROWS)
    asks = _worked_out(place, tmp_path)
    for name, leaves in asks.items():
        where = f"{_start(place)}#{name}" if name else place.address
        data, read = read_elsewhere(where, None, Watch())
        assert data.count(Where()) >= 0
        data.close()
        assert (why_stays(read) is None) == leaves, name
        if leaves:
            told_source(where, TYPES_TOLD).table.close()
        else:
            with pytest.raises(TableError, match="worked out as it is asked"):
                told_source(where, TYPES_TOLD)
    gc.collect()


def _start(place: Place) -> str:
    """Where what is named stands: tables of Spark's catalogue in no folder."""
    folder = isinstance(place, Spark)
    return f"spark://{os.environ['DPSTUDIO_TEST_SPARK']}/" if folder else place.start


def _worked_out(place: Place, folder: Path) -> dict[str, bool]:
    """Names of tables and views, and whether something may leave of each."""
    if isinstance(place, DuckDB):
        import duckdb

        with duckdb.connect(str(place.path)) as held:
            held.execute("CREATE VIEW seen AS FROM visits")
            held.execute("CREATE TABLE more (x INTEGER, y INTEGER GENERATED ALWAYS AS (x + 1))")
            held.execute("CREATE TABLE written AS FROM visits")
        return {"visits": True, "written": True, "seen": False, "more": False}
    if isinstance(place, PostgreSQL):
        import psycopg

        with psycopg.connect(f"host=localhost port={place.port} user=postgres") as held:
            held.execute("CREATE VIEW seen AS SELECT * FROM visits")
            held.execute("CREATE MATERIALIZED VIEW kept AS SELECT * FROM visits")
            held.execute("DROP TABLE IF EXISTS apart, taken")
            held.execute("CREATE TABLE apart (x INTEGER) PARTITION BY LIST (x)")
            held.execute("CREATE TABLE one PARTITION OF apart FOR VALUES IN (1)")
            held.execute("CREATE TABLE taken (x INTEGER) PARTITION BY LIST (x)")
            held.execute("CREATE EXTENSION IF NOT EXISTS file_fdw")
            held.execute("CREATE SERVER IF NOT EXISTS files FOREIGN DATA WRAPPER file_fdw")
            held.execute(
                "CREATE FOREIGN TABLE two PARTITION OF taken FOR VALUES IN (2) SERVER files "
                "OPTIONS (filename '/dev/null')"
            )
        return {"visits": True, "kept": True, "apart": True, "seen": False, "taken": False}
    if not os.environ["DPSTUDIO_TEST_SPARK"]:  # without code that is made, it lists no catalogue
        return {"": True}
    session, of = (
        connecting.connect_spark(_start(place))._session,
        f"USING {{}} LOCATION '{folder}/{{}}'",
    )
    for kind, name, made in (
        ("TABLE", "stored", f"{of.format('parquet', 'a')} AS SELECT 1 AS Type, 'x' AS Provider"),
        ("TABLE", "lines", f"{of.format('csv', 'b')} AS SELECT 1 AS x"),
        ("VIEW", "seen", "AS SELECT * FROM stored"),
    ):
        session.sql(f"DROP {kind} IF EXISTS {name}")
        session.sql(f"CREATE {kind} {name} {made}")
    return {"": True, "stored": True, "lines": False, "seen": False}


def test_whom_a_policy_shows_some_rows_alone_nothing_leaves(postgres: PostgreSQL) -> None:
    import psycopg

    postgres.make("visits", RELEASED, ROWS)
    with psycopg.connect(f"host=localhost port={postgres.port} user=postgres") as held:
        held.execute("DROP ROLE IF EXISTS ruled; CREATE ROLE ruled LOGIN")
        held.execute("GRANT SELECT ON visits TO ruled; CREATE POLICY p ON visits USING (1 / x > 0)")
        held.execute("ALTER TABLE visits ENABLE ROW LEVEL SECURITY")
    told_source(postgres.address, TYPES_TOLD).table.close()  # its owner sees them all
    with pytest.raises(TableError, match="worked out as it is asked"):
        told_source(postgres.address.replace("postgres@", "ruled@"), TYPES_TOLD)
    with psycopg.connect(f"host=localhost port={postgres.port} user=postgres") as held:
        held.execute("DROP TABLE visits; DROP ROLE ruled")
    gc.collect()


def test_a_table_of_which_a_file_is_gone_is_not_said_to_have_changed(tmp_path: Path) -> None:
    """As with a drive that is taken away: the next question says what is wrong."""
    import pyarrow.parquet as pq

    made = tmp_path / "made"
    made.mkdir()
    for name in ("a", "b"):
        pq.write_table(arrow(ROWS, RELEASED), made / f"{name}.parquet")
    (tmp_path / "base").mkdir()
    base = DuckDB(tmp_path / "base")
    base.make("visits", RELEASED, ROWS)
    for where, away in ((str(made), made), (base.address, tmp_path / "base")):
        there = open_elsewhere(where)
        away.rename(tmp_path / "away")
        assert not there.changed()
        (tmp_path / "away").rename(away)
        file = next(path for path in away.iterdir() if path.suffix != ".wal")
        os.utime(file, (1, 1))
        assert there.changed()
        there.close()


def test_values_that_are_not_as_told_are_counted(place: Place) -> None:
    """As whole numbers that doubles do not tell apart, beyond the rows that a reading is shown by."""
    half = [(i, "a") for i in range(198)]  # each place shows the first rows of one
    made = [*half, (None, "a"), (2**53, "a"), *half, (-(2**60), "a"), (0, "a")]
    place.make("visits", "n BIGINT, c TEXT", made)
    data, read = read_elsewhere(place.address, None, Watch())
    assert read.notes == ()
    told = settled(read)
    assert "n=integer" in told.types
    data.close()
    data, read = read_elsewhere(place.address, told, Watch())
    data.close()
    (note,) = read.notes
    assert render(note).startswith("2 values of “n” cannot be read as whole numbers")
    data, read = read_elsewhere(place.address, told.with_(types=("n=date", "c=number")), Watch())
    data.close()
    assert [render(note).partition(" ")[0] for note in read.notes] == ["399", "400"]
    gc.collect()


def test_people_may_be_named_by_uuids(tmp_path: Path) -> None:
    place = DuckDB(tmp_path)
    who = [f"{i:08d}-0000-4000-8000-000000000000" for i in (1, 1, 2)]
    place.make("visits", "who UUID, n BIGINT", [(each, 1) for each in who])
    data, read = read_elsewhere(place.address, None, Watch())
    assert read.table["who"].to_pylist() == who
    assert data.described(Codebook(person="who", most=1)).count(Where()) == 2
    data.close()


def test_a_value_that_no_double_or_date_here_holds_decides_nothing(
    postgres: PostgreSQL, tmp_path: Path
) -> None:
    """Decimal numbers beyond doubles, none at all, and days that this program has not are there
    like any other row: opening and releasing say the same."""
    memory, wide = dict[str, Any](), "c TEXT, g TEXT, seen DATE, moment TIMESTAMP, zone TIMESTAMPTZ"
    odds = [("1e400", "5874897-12-31"), ("1e-400", "infinity"), ("NaN", "-infinity")]
    usual = "2020-02-03"
    others = [(*row, usual, usual, usual) for row in ROWS[1:]]
    for place, kind in ((postgres, "NUMERIC"), (DuckDB(tmp_path), "DOUBLE")):
        heard = set()
        for x, day in (("1", usual), *odds):
            moment = "290000-01-01" if day[0] == "5" else day
            odd = (x if kind == "NUMERIC" else x.replace("4", "3"), "a", "u")
            place.make("visits", f"x {kind}, {wide}", [(*odd, day, moment, moment), *others])
            for terms, person in ((PLAN.terms, ""), (PLAN.terms.with_(rows=2), "g")):
                plan = dataclasses.replace(PLAN, terms=terms)
                words = ["--data", place.address, *(["--person", person] if person else [])]
                heard.add((person, said(tmp_path, plan, [*words, *TOLD], memory)))
                gc.collect()  # what the call opened
            there = open_elsewhere(place.address)
            known = [there.count(parse(f"{name} >= 1900")) for name in ("seen", "moment", "zone")]
            assert known == [len(ROWS) - (day != usual)] * 3
            assert there.drawn.rows == len(ROWS)
            there.close()
        assert [text[0] for _, text in heard] == ["0", "0"], heard


def test_words_are_told_apart_by_their_bytes(postgres: PostgreSQL, tmp_path: Path) -> None:
    """Where the engine takes Yes for yes, one row would say under which of them all are counted."""
    import psycopg

    with psycopg.connect(f"host=localhost port={postgres.port} user=postgres") as held:
        rule = "provider = icu, locale = 'und-u-ks-level2', deterministic = false"
        held.execute(f"CREATE COLLATION IF NOT EXISTS loose ({rule})")
    made = [("Yes", 1), ("yes", 2), ("yes", 3), ("YES", 4)]
    for place, rule in ((postgres, "loose"), (DuckDB(tmp_path), "NOCASE")):
        place.make("visits", f"w TEXT COLLATE {rule}, x INTEGER", made)
        there = open_elsewhere(place.address)
        words = tuple(word for word, _ in made[1:])
        assert there.tally("w", words, Where()).tolist() == [2, 0, 1]
        assert there.described(EMPTY.with_person("w", 1)).rows == 3
        assert there.count(parse("w = yes")) == 2
        there.close()


@pytest.fixture(scope="module")
def adults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Dataset, Elsewhere]]:
    """The first 1,500 rows of Adult, here and in two Parquet files."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = first_rows(1500)
    whole = pa.Table.from_pandas(table._frame, preserve_index=False)
    folder = tmp_path_factory.mktemp("adult")
    for i in range(2):
        pq.write_table(whole.slice(750 * i, 750), folder / f"part{i}.parquet")
    there = open_elsewhere(str(folder))
    there.documented = table.documented
    yield table, there
    there.close()


def told(findings: Findings) -> tuple[dict[str, Any], list[str]]:
    """The numbers of the facts, and which charts there are."""
    return {fact.key: fact.value for fact in findings.facts}, [f.key for f in findings.figures]


@pytest.mark.parametrize("key", [about.key for about in LABS])
def test_every_page_says_there_what_it_says_here(
    key: str, adults: tuple[Dataset, Elsewhere]
) -> None:
    """It opens on the same state, and has the same numbers and charts. One that reads rows reads
    all of these, since they are few."""
    here_, there = adults
    lab = lab_kind(key)().suited(here_)
    assert lab_kind(key)().suited(there) == lab
    ours, theirs = (little(lab, table, LEAST) for table in (here_, there))
    assert [p.say for p in ours.problems] == [p.say for p in theirs.problems]
    (facts, charts), (others, drawn) = told(ours), told(theirs)
    assert charts == drawn
    assert facts.keys() == others.keys()
    for name, value in facts.items():
        if isinstance(value, (str, tuple, list)) or value is None:
            assert repr(value) == repr(others[name]), name
        else:
            np.testing.assert_allclose(value, others[name], rtol=1e-9, err_msg=name)


def test_a_slider_asks_the_database_nothing(adults: tuple[Dataset, Elsewhere]) -> None:
    _, there = adults
    lab = lab_kind("explore")().suited(there)
    little(lab, there, LEAST)
    asked = there.asked[-1]
    for epsilon in (0.2, 0.5, 1.0):
        little(put(lab, "mechanism.epsilon", epsilon), there, LEAST)
    assert there.asked[-1] == asked


def test_a_sample_says_that_it_is_one(
    adults: tuple[Dataset, Elsewhere], monkeypatch: pytest.MonkeyPatch
) -> None:
    """400 of 1,500 rows: a share moves by 1.96·√(.25/400·1100/1499) = 4.2 points. The same rows are
    drawn each time."""
    monkeypatch.setattr(asking, "SAMPLE", 400)
    _, held = adults
    there, again = (open_elsewhere(held.origin) for _ in range(2))
    try:
        drawn = there.drawn
        assert (drawn.rows, drawn.drawn_of, there.drawn) == (400, 1500, drawn)
        assert drawn.content == again.drawn.content
        lab = lab_kind("anonymity")().suited(there)
        said = [render(problem.say) for problem in little(lab, there, LEAST).problems]
        assert any("400 rows" in text and "±4.2 points" in text for text in said)
        lab = lab_kind("explore")().suited(there)
        assert not [p for p in little(lab, there, LEAST).problems if p.field == "data"]
    finally:
        there.close()
        again.close()


def test_a_page_says_where_it_takes_first_digits(
    adults: tuple[Dataset, Elsewhere], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages that take numbers in order, and no other; of a table that is here, none."""
    table, held = adults
    for name in ("FEW", "MANY"):
        monkeypatch.setattr(elsewhere_, name, -1)
    there = open_elsewhere(held.origin)
    try:
        for key, says in (("clipping", True), ("local_means", True), ("explore", False)):
            lab = lab_kind(key)().suited(table)
            for each, expected in ((there, says), (table, False)):
                said = [render(problem.say) for problem in little(lab, each, LEAST).problems]
                assert any("first digits, 5 of them" in text for text in said) == expected, key
    finally:
        there.close()


def test_who_is_alone_in_a_sample_is_told_apart_from_shares_of_rows(
    adults: tuple[Dataset, Elsewhere], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 400 rows many more are alone than of 1,500, by more than a share of rows moves."""
    monkeypatch.setattr(asking, "SAMPLE", 400)
    here_, held = adults
    lab = lab_kind("risk")().suited(here_)
    there = open_elsewhere(held.origin)
    try:
        sample, whole = (little(lab, table, LEAST) for table in (there, here_))
    finally:
        there.close()
    alone = [told(found)[0]["alone"] for found in (sample, whole)]
    assert alone[0] - alone[1] > share_within(400, 1500)
    assert any("a share of rows" in render(p.say) for p in sample.problems)


def test_rows_that_are_alike_are_drawn_one_by_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of five different rows, 600 in all, 200 are drawn: each share is as far off as is said."""
    monkeypatch.setattr(asking, "SAMPLE", 200)
    there = place.of([("a", i % 5, None, None, None if i % 5 else True) for i in range(600)])
    try:
        found = dict(there.drawn.distinct("age"))
    finally:
        there.close()
    assert found.keys() == set("01234")
    assert all(abs(n / 200 - 1 / 5) < share_within(200, 600) for n in found.values())


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("postgresql://me:secret@host/db#t", "An address with a password in it would be kept"),
        ("duckdb:///nowhere/at/all.duckdb#t", "There is no file /nowhere/at/all.duckdb"),
        ("duckdb://{folder}/a.duckdb", "with one of: #visits"),
        ("duckdb://{folder}/a.duckdb#people", "has no table “people”. It has: #visits"),
        ("duckdb://{folder}/foreign.duckdb#t", "could not be asked"),
        ("postgresql://nobody@localhost:1/db#t", "refused. Open the table again once it can be"),
    ],
)
def test_what_cannot_be_opened_is_a_sentence(where: str, why: str, tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "a.duckdb")) as held:
        held.execute("CREATE TABLE visits (age INTEGER)")
    (tmp_path / "foreign.duckdb").write_bytes(b"no database" * 9000)
    with pytest.raises(TableError) as refused:
        open_elsewhere(where.format(folder=tmp_path))
    assert why in render(refused.value.sentence)
    assert "secret" not in render(refused.value.sentence)


def test_an_engine_that_fails_on_a_row_does_not_quote_it(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "a.duckdb")) as held:
        held.execute("CREATE TABLE t AS SELECT 'hidden' AS word")
        held.execute("CREATE VIEW v AS SELECT CAST(word AS INTEGER) AS age FROM t")
    data = open_elsewhere(f"duckdb://{tmp_path}/a.duckdb#v")
    with pytest.raises(TableError, match="DuckDB did not answer") as refused:
        data.distinct("age")
    assert "hidden" not in str(refused.value)


def test_a_mark_of_its_state_is_called_no_digest_and_no_script_reads_it(
    adults: tuple[Dataset, Elsewhere],
) -> None:
    _, there = adults
    lab = lab_kind("explore")().suited(there)
    with pytest.raises(NoScript, match="stays in its database"):
        script_of(lab, there)
    table = provenance(lab, there)["table"]
    assert (table["snapshot"], "sha256" in table) == (there.digest, False)
    assert "SHA-256" not in dict(about_table("adult", Codebook(), there))


def test_without_ibis_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(TableError) as refused:
        open_elsewhere("duckdb:///a.duckdb#t")
    assert "dpstudio[engines]" in render(refused.value.sentence)


def test_nothing_is_written_there(tmp_path: Path) -> None:
    """Not a byte of the file changes, and a statement that writes is refused by the engine."""
    import duckdb

    place = DuckDB(tmp_path)
    place.fill([("cardiology", 50, 2.5, None, True)])
    before = place.path.read_bytes()
    there = open_elsewhere(f"{place.start}#visits")
    there.distinct("dept")
    with pytest.raises(duckdb.Error):
        there._there.get_backend().raw_sql("DELETE FROM visits")
    there.close()
    assert place.path.read_bytes() == before


def test_views_of_files_are_read_and_nothing_is_fetched(tmp_path: Path) -> None:
    import duckdb

    (tmp_path / "r.csv").write_text("x,y\n1,2\n")
    with duckdb.connect(str(tmp_path / "v.duckdb")) as held:
        held.execute(f"CREATE VIEW near AS SELECT * FROM read_csv('{tmp_path}/r.csv')")
    there = open_elsewhere(f"duckdb://{tmp_path}/v.duckdb#near")
    assert there.rows == 1
    with pytest.raises(TableError, match="did not answer"):
        there._sent("SELECT * FROM read_csv('https://nowhere.invalid/x.csv')")
    settings_ = there._sent(
        "SELECT name, value FROM duckdb_settings() WHERE name LIKE 'auto%extensions'"
    )[1]
    assert dict(settings_) == dict.fromkeys(connecting._OFFLINE, "false")
    there.close()


def test_the_rows_of_persons_are_ranked_once(tmp_path: Path) -> None:
    """And dropped where nobody asks for them any more; of too many cells, each time."""
    place = DuckDB(tmp_path)
    made: list[Row] = [("ab"[i % 2], i, 2.5, None, True) for i in range(40)]
    there = place.of(made)
    before = place.path.read_bytes()
    for most in range(1, 15):
        book = EMPTY.with_person("dept", most)
        kept = there.described(book)
        assert kept.rows == 2 * most
        ours, theirs = (
            each.clipped("age", 0.0, 9.0, Where()) for each in (here(made).described(book), kept)
        )
        assert ours == theirs
        assert "ROW_NUMBER" not in there.asked[-1].sql
    gc.collect()
    there.described(EMPTY.with_person("age", 1))
    sql = "SELECT count(*) FROM duckdb_tables() WHERE temporary"
    assert there._there.get_backend().raw_sql(sql).fetchone()[0] < 12
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asking, "HELD", 1)
        assert there.described(EMPTY.with_person("dept", 17)).rows == 34
    assert "ROW_NUMBER" in there.asked[-1].sql
    there.close()
    assert place.path.read_bytes() == before


def test_postgres_is_only_read(postgres: PostgreSQL) -> None:
    import psycopg

    there = postgres.of([("cardiology", 50, 2.5, None, True)])
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        there._there.get_backend().raw_sql("DELETE FROM visits")
    assert there.count(Where()) == 1
    there.close()


def test_the_statistics_of_the_server_tell_of_no_row_that_was_written(
    postgres: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of no table, its own ones among them, by all that is asked of one. The password is in nothing
    that is kept."""
    import psycopg

    def written() -> Any:
        where = f"host=localhost port={postgres.port} user=postgres"
        with psycopg.connect(where, autocommit=True) as held:
            sql = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
            for _ in range(100):  # what was closed reports while it ends
                if held.execute(sql).fetchone() == (1,):
                    break
                held.execute("SELECT pg_sleep(0.05)")
            sql = "SELECT tup_inserted, tup_updated, tup_deleted, temp_files FROM pg_stat_database"
            return held.execute(f"{sql} WHERE datname = 'postgres'").fetchone()

    made = [("cardiology", age, 2.5, None, True) for age in range(30)]
    postgres.fill(made)
    before = written()
    monkeypatch.setenv("PGPASSWORD", "open sesame")
    there = open_elsewhere(f"{postgres.start}#visits")
    compared(there, here(made), "age > 3")
    assert there.drawn.rows == 30
    lab = lab_kind("explore")().suited(there)
    kept = (there.asked, there.origin, provenance(lab, there), no_script(lab, there))
    there.close()
    assert written() == before
    assert "sesame" not in repr(kept)


def no_script(lab: Any, table: Dataset) -> str:
    """Why there is no script."""
    with pytest.raises(NoScript) as refused:
        script_of(lab, table)
    return render(refused.value.sentence)


def test_the_mark_of_a_table_of_postgres_notices_each_edit(postgres: PostgreSQL) -> None:
    """One value, in a table and in one that has parts, seen through a view too; and a row that came
    where another went."""
    import psycopg

    postgres.fill([("cardiology", 50, 2.5, None, True), ("ward", 60, 1.5, None, True)])
    edits = (
        "UPDATE visits SET age = 51 WHERE age = 50; UPDATE parted SET x = 5",
        "DELETE FROM visits WHERE age = 60; INSERT INTO visits VALUES ('ward', 61); "
        "DELETE FROM parted; INSERT INTO parted VALUES (7)",
    )
    names, marks = ("visits", "ages", "parted", "public.dotted.name"), list[list[str]]()
    with psycopg.connect(
        f"host=localhost port={postgres.port} user=postgres", autocommit=True
    ) as held:
        held.execute(
            "CREATE VIEW ages AS SELECT age FROM visits; CREATE TABLE parted (x int) PARTITION BY "
            "RANGE (x); CREATE TABLE part PARTITION OF parted FOR VALUES FROM (0) TO (10); "
            'INSERT INTO parted VALUES (3); CREATE TABLE "dotted.name" (z int)'
        )
        for sql in ("SELECT 1", "SELECT 2", *edits):
            held.execute(sql)
            # The server counts for a view within a second or ten otherwise.
            held.execute("SELECT pg_stat_force_next_flush()")
            opened = [open_elsewhere(f"{postgres.start}#{name}") for name in names]
            marks.append([table.digest for table in opened])
            for table in opened:
                table.close()
        held.execute('DROP VIEW ages; DROP TABLE parted; DROP TABLE "dotted.name"')
    assert marks[0] == marks[1]
    assert all(len({each[i] for each in marks[1:]}) == 3 for i in range(3))
    assert len({each[3] for each in marks}) == 1


def test_a_table_that_changes_while_it_is_read_is_noticed(postgres: PostgreSQL) -> None:
    """A table, and a view of it; not where nothing was written."""
    import psycopg

    postgres.fill([("cardiology", 50, 2.5, None, True)])
    with psycopg.connect(
        f"host=localhost port={postgres.port} user=postgres", autocommit=True
    ) as held:
        flush = "SELECT pg_stat_force_next_flush()"  # within seconds otherwise
        held.execute("CREATE VIEW ages AS SELECT age FROM visits")
        held.execute(flush)
        held.execute("SELECT 1")
        opened = [open_elsewhere(f"{postgres.start}#{name}") for name in ("visits", "ages")]
        assert [table.changed() for table in opened] == [False, False]
        held.execute("UPDATE visits SET age = 51")
        held.execute(flush)
        held.execute("SELECT 1")
        assert [table.changed() for table in opened] == [True, True]
        for table in opened:
            table.close()
        held.execute("DROP VIEW ages")
    assert [table.changed() for table in opened] == [False, False]  # which nobody can say


def test_rows_that_come_while_a_table_is_opened_are_noticed(
    postgres: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows were counted before its state was looked at: what came between was never said."""
    import psycopg

    postgres.fill([("cardiology", 50, 2.5, None, True)])
    counted = Elsewhere.__init__

    def slowly(there: Elsewhere, *given: Any) -> None:
        counted(there, *given)
        with psycopg.connect(f"host=localhost port={postgres.port} user=postgres") as held:
            held.execute("INSERT INTO visits (age) VALUES (7)")
            held.execute("SELECT pg_stat_force_next_flush()")

    monkeypatch.setattr(Elsewhere, "__init__", slowly)
    there = open_elsewhere(postgres.address)
    assert there.rows == 1
    assert there.changed()
    there.close()


def test_a_table_in_whose_place_another_is_is_noticed(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By each engine; the command line says so of what it read meanwhile."""
    there = place.of([("cardiology", 50, 2.5, None, True)] * 9)
    try:
        assert not there.changed()
        assert cli.main(["run", "explore", "--data", place.address]) == 0
        assert "changed while" not in capsys.readouterr().err
        if isinstance(place, DuckDB):  # a process has each file open once
            os.utime(place.path, (1, 1))
        else:
            place.fill([("ward", 60, 1.5, None, True)] * 9)
        assert there.changed()
        monkeypatch.setattr(Elsewhere, "changed", lambda _: True)
        assert cli.main(["run", "explore", "--data", place.address]) == 0
        assert "visits changed while it was read" in capsys.readouterr().err
    finally:
        there.close()
    gc.collect()


def test_a_wrong_password_is_a_sentence_without_it(
    postgres: PostgreSQL, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nor is it in anything that the right one opens; the command line says the same."""
    import psycopg

    postgres.fill([("cardiology", 50, 2.5, None, True)])
    where = f"postgresql://locked@localhost:{postgres.port}/postgres#visits"
    with psycopg.connect(
        f"host=localhost port={postgres.port} user=postgres", autocommit=True
    ) as held:
        rules = Path(held.execute("SHOW hba_file").fetchone()[0])
        before = rules.read_text()
        held.execute("DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'sesame'")
        held.execute("GRANT SELECT ON visits TO locked")
        try:
            rules.write_text(f"host all locked all scram-sha-256\n{before}")
            held.execute("SELECT pg_reload_conf()")
            assert held.execute("SELECT count(*) FROM pg_hba_file_rules").fetchone()
            monkeypatch.setenv("PGPASSWORD", "open mill")
            assert cli.main(["run", "explore", "--data", where]) == 2
            refused = capfd.readouterr().err
            assert "password authentication failed for user" in refused
            assert "change it in the variable PGPASSWORD" in refused
            assert "mill" not in refused
            monkeypatch.setenv("PGPASSWORD", "sesame")
            there = open_elsewhere(where)
            there.count(parse("age > 3"))
            kept = (there.asked, there.origin, there.state, repr(there.__dict__))
            assert "sesame" not in repr(kept) + "".join(capfd.readouterr())
            there.close()
        finally:
            rules.write_text(before)
            held.execute("SELECT pg_reload_conf()")
            held.execute("REVOKE SELECT ON visits FROM locked; DROP ROLE locked")


def test_a_lost_connection_and_a_revoked_right_are_sentences(postgres: PostgreSQL) -> None:
    """What was asked before is still known."""
    import psycopg

    there = postgres.of([("cardiology", 50, 2.5, None, True)])
    assert there.distinct("dept")
    with psycopg.connect(
        f"host=localhost port={postgres.port} user=postgres", autocommit=True
    ) as held:
        held.execute("DROP ROLE IF EXISTS reader")
        held.execute("CREATE ROLE reader LOGIN")
        held.execute("GRANT SELECT ON visits TO reader")
        other = open_elsewhere(f"postgresql://reader@localhost:{postgres.port}/postgres#visits")
        held.execute("REVOKE SELECT ON visits FROM reader")
        held.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND usename = 'postgres'"
        )
    for table, why in ((other, "does not let you read"), (there, "connection to postgresql://")):
        with pytest.raises(TableError) as refused:
            table.distinct("age")
        assert why in render(refused.value.sentence)
    assert there.distinct("dept")
    there.close()
    other.close()
    with pytest.raises(TableError, match="shows you no table"):  # which is there
        open_elsewhere(other.origin)


def test_what_a_statement_reads_is_known_before_it_is_sent(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All rows, and no less than the columns hold; above the limit nothing is sent, and no table
    opened by who can ask first."""
    monkeypatch.setattr(costs, "MUCH", Cost(1, 1))
    monkeypatch.setattr(asking, "MUCH", Cost(1, 1))
    made: list[Row] = [("ward", age, age / 7, None, True) for age in range(3000)]
    there, told = place.of(made), list[Cost]()
    tell = Spending(tell=lambda engine, cost, share, seconds: told.append(cost))
    with spending(tell):
        there.count(parse("age > 50"))
    cost = there.asked[-1].cost
    assert told[0] == cost
    rows = None if isinstance(place, Spark) else 3000
    # PostgreSQL has never looked at all of it.
    assert cost.guessed == (there.engine == "PostgreSQL")
    assert cost.rows == rows or (cost.guessed and (cost.rows or 0) >= 1000)
    assert cost.bytes is None or cost.bytes > 3000
    assert (there.costs.whole.bytes or 10**9) >= (cost.bytes or 0)
    sent, most = len(there.asked), Cost(10**9, 1) if cost.bytes else Cost(1000, 10**12)
    with spending(Spending(most=most)), pytest.raises(CostlyError, match="may have"):
        there.count(parse("age > 51"))
    assert len(there.asked) == sent
    monkeypatch.setattr(costs, "LIMIT", most)
    with spending(Spending(anything=False)), pytest.raises(CostlyError, match="is asked first"):
        open_elsewhere(place.address)
    open_elsewhere(place.address).close()
    few = there.glimpse()
    assert few is None if isinstance(place, Spark) else few is not None and few.glimpse_of == 3000
    there.close()


def test_parquet_files_tell_what_their_columns_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As their metadata sums up; the command line says it before it is read, but not beside what
    leaves, and opens what costs more than the limit where it is told to."""
    import pyarrow.parquet as pq

    monkeypatch.setattr(costs, "MUCH", Cost(1, 1))
    monkeypatch.setattr(asking, "MUCH", Cost(1, 1))
    made: list[Row] = [("ward", age % 90, age / 7, None, True) for age in range(500)]
    for name in "ab":
        pq.write_table(arrow(made), tmp_path / f"{name}.parquet", row_group_size=200)
    there = open_elsewhere(str(tmp_path))
    there.ordered("cost", Where())
    meta = pq.ParquetFile(tmp_path / "a.parquet").metadata
    groups = [meta.row_group(k).column(NAMES.index("cost")) for k in range(meta.num_row_groups)]
    size = 2 * sum(group.total_compressed_size for group in groups)
    assert there.asked[-1].cost == Cost(1000, size)
    assert tables(str(tmp_path)) == {str(tmp_path): Cost(1000, sum_of(tmp_path))}
    there.close()
    words = ["run", "explore", "--data", str(tmp_path)]
    assert cli.main(words) == 0
    assert "dpstudio: DuckDB reads up to 1,000 rows, " in capsys.readouterr().err
    monkeypatch.setattr(costs, "LIMIT", Cost(1000, 10**12))
    assert cli.main(words) == 2
    assert "Set the variable DPSTUDIO_ANY_COST=1" in capsys.readouterr().err
    told = told_words(TYPES_TOLD.with_(types=[f"{name}=words" for name in NAMES]))
    assert cli.main([*words, "--read", told, "--without-truth"]) == 2
    assert "rows" not in capsys.readouterr().err
    monkeypatch.setenv("DPSTUDIO_ANY_COST", "1")
    assert cli.main(words) == 0


def test_no_parquet_file_decides_how_others_are_read(tmp_path: Path) -> None:
    """Programs that choose types by values write whole numbers as doubles where one is missing, and
    a column of nothing where all are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def sums(**columns: list[Any]) -> list[Any]:
        pq.write_table(pa.table(columns), tmp_path / "a.parquet")
        there = open_elsewhere(str(tmp_path))
        try:
            counts = there.tally("word", ("a", "b"), Where())
            return [there.clipped("x", 0, 10, Where()).total, *counts]
        finally:
            there.close()

    pq.write_table(pa.table({"word": ["a"] * 99, "x": [1.5] * 99}), tmp_path / "b.parquet")
    assert sums(x=[1, 2], word=["b", "b"]) == [151.5, 99, 2]
    assert sums(x=[1, None], word=["b", "b"]) == [149.5, 99, 2]
    assert sums(x=[None, None], word=["b", None]) == [148.5, 99, 1]
    assert sums(x=[1, 2], word=[None, None]) == [151.5, 99, 0]
    with pytest.raises(TableError, match=r"b\.parquet has other columns than .*a\.parquet"):
        sums(x=[1])


def test_rows_of_a_view_over_files_are_said_to_be_a_guess(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB takes every file for as long as the first, and a condition to leave a fifth."""
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

    monkeypatch.setattr(costs, "MUCH", Cost(1, 1))
    monkeypatch.setattr(asking, "MUCH", Cost(1, 1))
    for name, rows in (("a", 10), ("b", 5000)):
        pq.write_table(pa.table({"x": range(rows)}), tmp_path / f"{name}.parquet")
    with duckdb.connect(tmp_path / "held.duckdb") as made:
        made.execute(f"CREATE VIEW v AS SELECT * FROM read_parquet('{tmp_path}/*.parquet')")
    there, told = open_elsewhere(f"duckdb://{tmp_path}/held.duckdb#v"), list[Cost]()
    with spending(Spending(tell=lambda engine, cost, share, seconds: told.append(cost))):
        assert there.rows == 5010
        assert there.count(parse("x >= 5")) == 5000
    assert told[-1].guessed
    assert told[-1].rows == there.costs.whole.rows < 5010
    assert render(costs.amount(told[-1])) == f"{told[-1].rows} rows by its own guess"
    there.close()


def test_a_parquet_file_is_read_once_whatever_it_is_called(tmp_path: Path) -> None:
    """A name that the engine took for a pattern would count the rows of others again."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ("a*", "ab", "a?", "[x]", "x", "{x,y}", "y", "a'b")
    for name in names:
        pq.write_table(pa.table({"x": [1]}), tmp_path / f"{name}.parquet")
    there = open_elsewhere(str(tmp_path))
    assert there.rows == there.costs.whole.rows == len(names)
    there.close()


def sum_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def test_a_slow_statement_ends_when_nobody_waits(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next is answered by the same connection. Who waits is told, also where it reads little, so
    that it can be stopped."""
    monkeypatch.setattr(asking, "SLOW_S", 0.2)
    told = list[str]()
    tell = Spending(
        tell=lambda *what: told.append(render(costs.reading(what[0], what[1], what[3])))
    )
    there = place.of([("cardiology", age, 2.5, None, True) for age in range(1000)])
    wide = there._there
    for name in ("a", "b"):
        wide = wide.cross_join(there._there.select(**{name: "age"}))
    with while_wanted(lambda: bool(told)), spending(tell), pytest.raises(TableError):
        there._ask(wide.aggregate(n=(wide.a * wide.b + wide.age).nunique()))
    assert told[0] == f"{there.engine} has not answered yet: 0 s"
    monkeypatch.setattr(asking, "SLOW_S", 60.0)
    with spending(tell):
        told.clear()
        assert there.missing("age") == 0
        assert not told
    there.close()


def test_who_waits_for_the_question_of_another_is_told_and_may_stop(
    adults: tuple[Dataset, Elsewhere], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow look at a column left a page without an answer, and without Cancel."""
    _, there = adults
    monkeypatch.setattr(asking, "SLOW_S", 0.1)
    told, asked, free = list[str](), Event(), Event()
    tell = Spending(tell=lambda engine, cost, share, seconds: told.append(engine))

    def other() -> None:
        with there._own_turn():
            asked.set()
            free.wait(60)

    thread = Thread(target=other)
    thread.start()
    asked.wait(60)
    try:
        with while_wanted(lambda: bool(told)), spending(tell), pytest.raises(CancelledError):
            there.count(parse("age > 33"))
    finally:
        free.set()
        thread.join()
    assert there.count(parse("age > 33")) > 0


def test_what_rows_would_have_to_be_read_for_is_refused(adults: tuple[Dataset, Elsewhere]) -> None:
    """Types, and what leaves without the exact answer."""
    _, there = adults
    for book, field in ((Codebook(person="nobody"), "person"), (TYPED, "type")):
        with pytest.raises(ParamError) as refused:
            there.described(book)
        assert refused.value.field == field
    bounds = Codebook((("age", About(low=0.0, high=90.0, type="integer")),))
    assert there.described(bounds).about("age").high == 90.0
    with pytest.raises(StaysError, match="a plan leaves alone"):
        may_leave(lab_kind("explore")().suited(there), there)
    with pytest.raises(ParamError, match="by the types that its columns have there"):
        ExactElsewhere(there, {"sex": "number"})


def test_sessions_figures_and_talks_of_one_go_the_same_ways(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report, a figure that is made again, a hand-out; where the database is away, by name."""
    place = DuckDB(tmp_path)
    where = f"{place.start}#visits"
    there = place.of([("ward", age, 2.5, None, True) for age in range(60)])
    lab = lab_kind("explore")().suited(there)
    table = (where, there.digest)
    book = EMPTY.with_person("dept", 50)
    write_session(Session(*table, (lab,), "explore", codebook=book), tmp_path / "s.dpstudio")
    step = Step(title="one", lab=lab, table=where, digest=there.digest)
    write_talk(Talk(name="t", about="", steps=(step,)), tmp_path / "t.dptalk")
    there.close()
    calls = (
        ["export", "s.dpstudio", "--out", "out"],
        ["again", "out/explore-cost.svg", "--data", where],
        ["report", "s.dpstudio", "--out", "report.html"],
        ["handout", "t.dptalk", "--out", "talk.html"],
    )
    with contextlib.chdir(tmp_path):
        for call in calls:
            assert cli.main(call) == 0, call
            gc.collect()
        assert "its numbers are the same" in capsys.readouterr().out
        place.path.rename(tmp_path / "away")
        for call in calls:
            assert cli.main(call) != 0, call
            assert f"There is no file {place.path}" in capsys.readouterr().err
