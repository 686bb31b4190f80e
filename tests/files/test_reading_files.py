"""Bad files and bad moments: pipes, devices, files that shrink or grow, bombs, locks; cancel,
progress, pasted text, and the fuzz."""

import gzip
import io
import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from fuzz_reading import KINDS
from hypothesis import given
from hypothesis import strategies as st
from nasty import SHEET, text, workbook

from dpstudio.files.read import packing
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.formats import databases, sheets
from dpstudio.files.read.opening import read_file, read_text
from dpstudio.files.read.outcome import CancelledError, TableError, UncertainError
from dpstudio.files.read.source import Source, Watch
from dpstudio.files.tables import open_table, open_with_report, paste_table
from dpstudio.values.messages import render

BODY = text().encode()
LARGE = ("id,x,w\n" + "".join(f"{i},{i / 7:.3f},word {i % 9}\n" for i in range(60_000))).encode()


def refusal(path: Path) -> str:
    with pytest.raises(TableError) as caught:
        open_table(str(path))
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_what_is_no_file(tmp_path: Path) -> None:
    """A folder, a pipe that nobody writes to, a device without end, a dangling link, and a file
    that may not be read."""
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "gone.csv")
    (tmp_path / "empty").mkdir()
    assert "is a folder" in refusal(tmp_path / "empty")
    assert "is a folder" in refusal(tmp_path)  # files of CSV alone would be one table
    assert "pipe or a device" in refusal(tmp_path / "pipe.csv")
    assert "pipe or a device" in refusal(Path("/dev/zero"))
    assert "no file" in refusal(tmp_path / "link.csv")
    assert "empty" in refusal(Path("/proc/self/status"))
    locked = tmp_path / "locked.csv"
    locked.write_bytes(BODY)
    locked.chmod(0)
    if not os.access(locked, os.R_OK):
        assert "may not be read" in refusal(locked)


def test_a_file_that_shrinks_grows_or_is_replaced(tmp_path: Path) -> None:
    """Shorter: a sentence. Longer: the table as it was, and it says so. Deleted while it is read:
    it is read to its end."""
    path = tmp_path / "t.csv"

    def at_start(change: object) -> Watch:
        path.write_bytes(LARGE)
        asked = iter(range(1_000_000))
        return Watch(cancelled=lambda: bool(next(asked) == 2 and change() and False))  # type: ignore[operator]

    with pytest.raises(TableError, match="became shorter"):
        read_file(path, at_start(lambda: os.truncate(path, 100_000) or True))
    grown = read_file(path, at_start(lambda: path.write_bytes(LARGE + b"1,2,x\n")))
    assert grown.table.num_rows == 60_000
    assert any("grew" in render(note) for note in grown.notes)
    assert read_file(path, at_start(lambda: path.unlink() or True)).table.num_rows == 60_000


@pytest.mark.parametrize("kind", ["xlsx", "sqlite.gz"])
def test_a_disk_without_room_for_what_is_unpacked_is_said(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with closing(sqlite3.connect(tmp_path / "t.db")) as base:
        base.execute("create table t as select 1 as a")
        base.commit()
    packed = gzip.compress((tmp_path / "t.db").read_bytes())
    (tmp_path / f"t.{kind}").write_bytes(workbook(S=SHEET) if kind == "xlsx" else packed)
    monkeypatch.setattr(sheets.tempfile, "TemporaryFile", full)
    monkeypatch.setattr(databases, "TemporaryDirectory", full)
    assert "No space left on device" in refusal(tmp_path / f"t.{kind}")


def test_bombs_and_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "BOMB_BYTES", 1 << 20)
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"0,0\n" * (1 << 20)))
    assert "times its size" in refusal(tmp_path / "bomb.csv.gz")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("t.csv", BODY)
    locked = bytearray(out.getvalue())
    for sign, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        locked[locked.index(sign) + place] |= 1
    (tmp_path / "locked.zip").write_bytes(bytes(locked))
    assert "password" in refusal(tmp_path / "locked.zip")


def test_a_database_in_use_is_read_and_not_written(tmp_path: Path) -> None:
    """With its log beside it, and another connection that writes."""
    path = tmp_path / "t.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("pragma journal_mode=wal")
        base.execute("create table t (a, b)")
        base.executemany("insert into t values (?, ?)", [(i, "x") for i in range(100)])
        base.commit()
        before = path.read_bytes()
        assert open_table(str(path)).rows == 100
        assert path.read_bytes() == before


def test_a_view_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its rows, or by the steps of a search that finds none; what stands beside it is read."""
    for name in ("_MOST", "_COUNTED", "_CELLS"):
        monkeypatch.setattr(databases, name, 100_000)
    monkeypatch.setattr(databases, "_EACH", 1)
    path = tmp_path / "t.db"
    endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c"
    with closing(sqlite3.connect(path)) as base:
        base.execute("create table people as select 1 as a, 2 as b union all select 3, 4")
        base.execute(f"create view rows as {endless}")
        base.execute(f"create view none as {endless} where x < 0")
        base.execute("create view sums as select a + b as c from people")
        base.commit()
    with pytest.raises(UncertainError) as caught:
        open_table(str(path))
    assert {"people", "rows", "none", "sums"} == set(caught.value.preview.doubts[0].values)
    for part in ("rows", "none"):
        with pytest.raises(TableError, match=f"{part} does not end"):
            open_table(str(path), choices=Choices(part=part))
    assert open_table(str(path), choices=Choices(part="sums")).rows == 2
    assert open_table(str(path), choices=Choices(part="people")).rows == 2


def test_cancel_is_quick_and_progress_rises(tmp_path: Path) -> None:
    """At any question, in clean text and in messy; nothing is left running that holds a lock."""
    for name, body in (("clean.csv", LARGE), ("messy.csv", LARGE + b"1,2\n")):
        path = tmp_path / name
        path.write_bytes(body)
        for after in (0, 3, 8):
            asked = iter(range(1_000_000))
            with pytest.raises(CancelledError):
                read_file(
                    path, Watch(cancelled=lambda asked=asked, after=after: next(asked) >= after)
                )  # type: ignore[misc]
        told: list[float] = []
        with pytest.raises(UncertainError) if "messy" in name else open(os.devnull):
            open_table(str(path), told.append)
        assert told == sorted(told)
        assert all(0 < share <= 1 for share in told)


def test_work_that_cannot_be_parted_is_left() -> None:
    """A stop comes at once, though the work goes on for a while on its own thread."""
    go = threading.Event()
    watch = Watch(cancelled=lambda: True)
    watch.ask = lambda: None if not go.is_set() else Watch(cancelled=lambda: True).ask()  # type: ignore[method-assign]

    def work() -> None:
        go.set()
        time.sleep(0.4)

    began = time.monotonic()
    with pytest.raises(CancelledError):
        watch.run(work)
    assert time.monotonic() - began < 0.35


def test_pasted_text() -> None:
    """From a spreadsheet, with a note that it was pasted where a path stands; and a question where
    it is vague."""
    assert read_text(text("\t")).table.num_rows == 6
    data = paste_table(text("\t", end="\r\n")).data
    assert (data.rows, data.origin, data.name) == (6, "", "pasted text")
    with pytest.raises(UncertainError, match="pasted text can be read"):
        paste_table("a\tb\n1\t2\n3\n")
    with pytest.raises(TableError, match="empty"):
        paste_table("")


def test_the_report_tells_what_was_done(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("# a remark\n# and one more\nn,n,zip,w\n1,5,01234,a\n?,6,10001,NA\n")
    opened = open_with_report(str(path))
    told = {c.name: (c.kind, c.missing) for c in opened.report.columns}
    assert told == {
        "n": ("integer", (("?", 1),)),
        "n.1": ("integer", ()),
        "zip": ("words", ()),
        "w": ("words", (("NA", 1),)),
    }
    said = " ".join(
        render(note)
        for note in (*opened.report.notes, *(n for c in opened.report.columns for n in c.notes))
    )
    assert "comments" in said
    assert "numbered" in said
    assert "leading zeros" in said
    assert opened.report.table.num_rows == 2


def test_reading_starts_nothing_heavy() -> None:
    """What is needed to name and offer files loads neither Arrow nor the detectors: the window
    stands first."""
    code = (
        "import sys, dpstudio.files.tables, dpstudio.files.read.choices, "
        "dpstudio.files.read.opening;"
        "print([m for m in ('pyarrow', 'pandas', 'clevercsv', 'charset_normalizer', "
        "'python_calamine', 'sqlite3') if m in sys.modules])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 2**32))
def test_fuzz(kind: str, seed: int) -> None:
    """Never another exception, a hang, or a certain reading that is another table. More of it:
    fuzz_reading.fuzz, in the soak."""
    KINDS[kind](random.Random(seed))


def test_a_source_may_be_read_in_parts() -> None:
    source = Source("t", Watch(), body=b"abcdef")
    assert source.at(2, 3) == b"cde"
    assert source.at(4, 100) == b"ef"
    stream = source.stream()
    stream.seek(-2, 2)
    assert stream.read() == b"ef"
