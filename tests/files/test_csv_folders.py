"""A folder of CSV files is one table, which says what our reader says of the same rows in one file;
a file that is otherwise is refused by its name."""

import contextlib
import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ibis", reason="the extra “engines” is not installed")

from dpstudio import cli
from dpstudio.data.codebook import Codebook
from dpstudio.data.conditions import parse
from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import chosen
from dpstudio.files.booked.releasing import told_source
from dpstudio.files.read.choices import Choices
from dpstudio.files.session import Session, write_session
from dpstudio.files.tables import TableError, UncertainError, open_table
from dpstudio.files.write.leaving import StaysError, UntoldError, may_leave
from dpstudio.labs.naming import lab_kind
from dpstudio.values.messages import render
from dpstudio.values.parameters import put

# Ibis 12 asks DuckDB 2 for its columns by a name that this calls an old one.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
HEAD = "age;cost;word;seen;moment;well;sex\n"
CELLS: tuple[tuple[str, ...], ...] = (
    ("1", "-", "+5", " 7 ", "", "44"),
    ("2.5", ".5", "5.", "1e-3", "nan", "unknown", "-7.125", "0.1"),
    ("a", " b ", '"x; ""y"""', '"two\nlines"', "NA", "unknown", "naïve", "o'Brien", '""'),
    ("2020-03-31", "2021-01-02", "?", "1899-12-31"),
    ("2020-03-31 14:30:05", "2020-03-31T14:30:00", "", "2021-01-02 00:00:00"),
    ("true", "FALSE", "-", "True"),
    ("yes", "No", "n/a"),
)


def lines(count: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [";".join(rng.choice(cells) for cells in CELLS) + "\n" for _ in range(count)]


@pytest.fixture
def opened() -> Iterator[Any]:
    """Opens tables, which are closed at the end."""
    with contextlib.ExitStack() as held:

        def open_(where: Path, words: str = "") -> Dataset:
            made = open_table(str(where), choices=chosen([words])[0] if words else None)
            held.callback(getattr(made, "close", lambda: None))
            return made

        yield open_


@pytest.mark.parametrize(
    "words", ["", "missing=blank types=cost=words", "types=sex=words,age=number"]
)
def test_it_says_what_one_file_says(words: str, tmp_path: Path, opened: Any) -> None:
    """Values of each type, marks for missing, gaps, quotes, line ends in values."""
    (folder := tmp_path / "visits").mkdir()
    rows = lines(60, 1)
    (tmp_path / "one.csv").write_text(HEAD + "".join(rows), "utf-8")
    for i in range(3):
        text = HEAD + "".join(rows[20 * i : 20 * i + 20])
        (folder / f"part*{i}.csv").write_text(text, "utf-8")
    one = opened(tmp_path / "one.csv", words)
    for there in (opened(folder, words), opened(folder / "*.csv", words)):
        assert (there.columns, there.rows) == (one.columns, one.rows)
        assert there.asked
        for column in one.columns:
            assert there.missing(column.name) == one.missing(column.name), column
            assert there.distinct(column.name) == one.distinct(column.name), column
            assert there.extent(column.name) == one.extent(column.name), column
        where = parse('word = "naïve" or word = "x; \\"y\\"" or seen = 2020-03')
        assert there.count(where) == one.count(where) > 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD.replace("age", "years"), "has other columns than"),
        (HEAD.replace("age;cost", "cost;age"), "has other columns than"),
        (HEAD.replace(";", ","), "is not read as"),
        (HEAD + "1;2;a;2020-03-31;2020-03-31 14:30:05;true\n", "line 2"),
        (HEAD + '1;2;"a;2020-03-31;2020-03-31 14:30:05;true;yes\n', "line 2"),
        (HEAD + "1.5;2;a;2020-03-31;2020-03-31 14:30:05;true;yes\n", "“age” cannot be read as wh"),
        (HEAD + "1;2,5;a;2020-03-31;2020-03-31 14:30:05;true;yes\n", "“cost” cannot be read as n"),
        (HEAD + "1;007;a;2020-03-31;2020-03-31 14:30:05;true;yes\n", "“cost” cannot be read as n"),
        (HEAD + "1;2;a;2020-02-31;2020-03-31 14:30:05;true;yes\n", "“seen” cannot be read as d"),
        (HEAD + "1;2;a;2020-02-01 10:00;2020-03-31 14:30;true;yes\n", "“seen” cannot be read as d"),
        (HEAD + "1;2;a;2020-03-31;31.3.2020;true;yes\n", "“moment” cannot be read as dates"),
        (HEAD + "1;2;a;2020-03-31;2020-03-31 14:30:05;maybe;yes\n", "“well” cannot be read as yes"),
        (HEAD + "1;2;\xe4;2020-03-31;2020-03-31 14:30:05;true;yes\n", "line 2"),
    ],
)
def test_a_file_that_is_otherwise_is_refused_by_its_name(
    text: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text(HEAD + "".join(lines(40, 2)), "utf-8")
    (tmp_path / "b.csv").write_text(text, "latin-1")
    with pytest.raises(TableError) as refused:
        open_table(str(tmp_path))
    told = render(refused.value.sentence)
    assert str(tmp_path / "b.csv") in told
    assert why in told


@pytest.mark.parametrize(
    ("first", "why"), [("x;y\n1,5;2\n2,25;3\n", "Decimal mark"), ("x\n1\n2\n", "one column")]
)
def test_a_reading_that_is_not_passed_on_is_refused(first: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(first)
    with pytest.raises(TableError, match=why):
        open_table(str(tmp_path))


def test_an_empty_line_above_the_names_makes_them_no_row(tmp_path: Path) -> None:
    """DuckDB takes it for the names: their line was a row of numbers, in silence."""
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text("\n1,2\n3,4\n")
    with pytest.raises(TableError, match=r"a\.csv has an empty line where the names"):
        open_table(str(tmp_path), choices=chosen(["header=yes"])[0])


def test_rows_of_delimiters_alone_are_asked_about(tmp_path: Path, opened: Any) -> None:
    """Wherever they are: the first file has none."""
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,4\n")
    (tmp_path / "b.csv").write_text("x,y\n1,2\n,\n3,4\n")
    with pytest.raises(UncertainError, match="delimiters alone"):
        open_table(str(tmp_path))
    assert opened(tmp_path, "blank=skip").rows == 4
    assert opened(tmp_path, "blank=missing").rows == 5


TOLD = (
    "format=text rows=every encoding=utf-8 delimiter=comma quote=double escape=doubled newlines=none comment=none "
    "skip=0 footer=0 header=yes ragged=pad decimal=point dates=words century=window units=words "
    "types='x=integer y=number'"
)


def test_nothing_leaves_of_it_unless_all_is_told(tmp_path: Path, opened: Any) -> None:
    """Which files there are, too; then no record decides whether it is read."""
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,4\n")
    (tmp_path / "b.csv").write_text("x,y\n5,6\n")
    with pytest.raises(TableError, match=r"Not told: format, rows, encoding.*part"):
        told_source(str(tmp_path), Choices())
    with pytest.raises(TableError, match="Not told: part"):
        told_source(str(tmp_path), chosen([TOLD])[0])
    for table in (opened(tmp_path), opened(tmp_path, TOLD)):
        for each in (table, table.described(Codebook(person="x", most=1))):
            assert "part" in each.spelling.found
        with pytest.raises(StaysError):
            may_leave(lab_kind("explore")().suited(table), table)
    assert UntoldError(table.spelling.found).tellable
    for part, why in (("a.csv", "has a file b.csv"), ("a.csv|b.csv|c.csv", "has no file c.csv")):
        with pytest.raises(TableError, match=why):
            told_source(str(tmp_path), chosen([f"{TOLD} part='{part}'"])[0])
    told = chosen([f"{TOLD} part='a.csv|b.csv'"])[0]
    odd = ("", "6,\n", 'x"y,""\n', "7,8,9\n", "\xff\n", ",\n", "1e400,nan\n", "x,y", "\0,1\n")
    for row in odd:
        (tmp_path / "b.csv").write_text(f"x,y\n5,6\n{row}", "latin-1")
        table = told_source(str(tmp_path), told).table
        assert table.asked is None
        assert not table.spelling.found
        assert table.count(parse("x = 1 or x = 3 or x = 5")) == 3
        assert table.rows == 3 + row.endswith("\n")  # a line without its end is no record
        may_leave(put(lab_kind("explore")(), "query.where", "x > 1"), table)
    (tmp_path / "b.csv").write_text("y,x\n5,6\n")
    with pytest.raises(TableError, match=r"b\.csv has other columns than .*a\.csv"):
        told_source(str(tmp_path), told)


def test_how_many_records_there_are_refuses_no_file(tmp_path: Path) -> None:
    """Nor in a packed one, whose first bytes are not the whole; names say what it was packed as."""
    words = TOLD.replace("types='x=integer y=number'", "types=x=integer part='a.csv|b.csv'")
    rng = np.random.default_rng(1)
    rows = "".join(f"{x},{x}\n" for x in rng.integers(10**9, size=30_000))
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(gzip.compress(f"x,y\n{rows}".encode()))
    assert (tmp_path / "a.csv").stat().st_size > 1 << 16
    assert told_source(str(tmp_path), chosen([words])[0]).table.rows == 60_000


def test_files_of_several_folders_are_told_by_their_folders_too(tmp_path: Path) -> None:
    """A file of one more folder, which may be of a person, is not read unless it is told."""
    for each in ("one", "two"):
        (tmp_path / each).mkdir()
        (tmp_path / each / "v.csv").write_text("x,y\n1,2\n")
    where = str(tmp_path / "*" / "v.csv")
    with pytest.raises(TableError, match=r"has no file v\.csv"):
        told_source(where, chosen([f"{TOLD} part=v.csv"])[0])
    told = chosen([f"{TOLD} part='one/v.csv|two/v.csv'"])[0]
    assert told_source(where, told).table.rows == 2
    (tmp_path / "three").mkdir()
    (tmp_path / "three" / "v.csv").write_text("y\n")
    with pytest.raises(TableError, match=r"has a file three/v\.csv, which"):
        told_source(where, told)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_nobody_waits_for_a_pipe_that_a_pattern_names(ending: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    os.mkfifo(tmp_path / f"b.{ending}")
    where = str(tmp_path / f"*.{ending}")
    words = [f"{TOLD} part='a.csv|b.csv'"] if ending == "csv" else []
    for choices in (None, chosen(words)[0]):
        with pytest.raises(TableError, match="a pipe or a device"):
            open_table(where, choices=choices)
    (tmp_path / f"b.{ending}").unlink()
    (tmp_path / f"b.{ending}").symlink_to("nowhere")
    with pytest.raises(TableError, match=f"no file .*b.{ending}"):
        open_table(where)


def test_files_that_are_told_are_read_as_one_file_of_their_rows(
    tmp_path: Path, opened: Any
) -> None:
    (folder := tmp_path / "visits").mkdir()
    made = [lines(40, seed) for seed in range(3)]
    for i, each in enumerate(made):
        (folder / f"{i}.csv").write_text(HEAD + "".join(each), "utf-8")
    (one := tmp_path / "one.csv").write_text(HEAD + "".join(map("".join, made)), "utf-8")
    words = TOLD.replace("comma", "semicolon")
    words = words.replace("'x=integer y=number'", "'age=integer cost=number seen=date sex=yes/no'")
    told, whole = opened(folder, f"{words} part='0.csv|1.csv|2.csv'"), opened(one, words)
    assert told.columns == whole.columns
    assert told.content == whole.content
    assert told.digest != whole.digest


def test_a_session_keeps_how_it_was_told_to_be_read(
    tmp_path: Path, opened: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder := tmp_path / "visits").mkdir()
    (folder / "a.csv").write_text("x,y\n1,2\n3,4\n")
    (folder / "b.csv").write_text("x,y\n1,2\n,\n3,4\n")
    assert cli.main(["run", "explore", "--data", str(folder)]) != 0
    assert "blank=skip" in capsys.readouterr().err
    table = opened(folder, "blank=missing")
    lab = lab_kind("explore")().suited(table)
    held = Session(str(folder), table.digest, (lab,), "explore", reading=Choices(blank="missing"))
    write_session(held, tmp_path / "s.dpstudio")
    assert cli.main(["export", str(tmp_path / "s.dpstudio"), "--out", str(tmp_path / "out")]) == 0


def test_pictures_with_a_list_beside_them_stay_pictures(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n")
    with pytest.raises(TableError, match="picture"):
        open_table(str(tmp_path))
