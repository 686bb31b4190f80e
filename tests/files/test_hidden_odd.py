"""Neighbouring files that break more than a line: no records at all, documents of all rows, and
what a format does not check or works out as it is read."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import shlex
import shutil
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from neighbours import (
    BARE,
    BASE,
    ELEMENTS,
    FIRST,
    FORMATS,
    JSON,
    NAMES,
    PACKINGS,
    TOLD,
    TYPED,
    line_of,
    objects,
    text_file,
    texts,
)
from PIL import Image
from running import lab_of
from test_hidden_files import KNOWN, LEAST, STATES, Replayed, spoken
from test_hidden_reading import others, read
from test_pictures import bomb

from dpstudio import cli
from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import chosen
from dpstudio.files.read.outcome import TableError
from dpstudio.files.read.told import PICTURES, told_words, untold
from dpstudio.files.tables import open_table
from dpstudio.files.write import leaving
from dpstudio.files.write.leaving import StaysError, leave
from dpstudio.labs import Lab
from dpstudio.values.messages import render


@pytest.mark.parametrize("name", [*FORMATS, "bare.csv", "bare.csv.gz"])
def test_a_file_without_records_is_a_table_of_none(name: str, tmp_path: Path) -> None:
    """Whoever comes first changes no more than any other."""
    told, write, records, _ = FORMATS[name.replace("bare.csv", "t.csv").removesuffix(".gz")]
    if name.startswith("bare"):
        told, write = BARE, partial(text_file, told=BARE)
    pack = gzip.compress if name.endswith(".gz") else bytes
    where, ledger = "query.where=" + "c=a" * (name in FORMATS), Replayed()
    call = ["run", "explore", where, "--json", "--data", str(tmp_path / name)]
    for few in ([], records[:1]):
        (tmp_path / name).write_bytes(pack(write(few)))
        assert open_table(str(tmp_path / name), choices=told).rows == len(few)
        assert spoken([*call, "--read", told_words(told)], ledger).startswith("0 ")


_WIDE = b"a" * 100_000
# Records that pack as well as a bomb, and first bytes that are those of packed files.
PACKED = {
    "bare.csv": (BARE, partial(text_file, told=BARE), texts(BARE), (*FIRST, _WIDE)),
    "t.csv": (*FORMATS["t.csv"][:3], (*FIRST, _WIDE)),
    "t.jsonl": (*FORMATS["t.jsonl"][:3], (*FIRST, b'{"c": "%b"}' % _WIDE)),
    "t.json": (*FORMATS["t.json"][:3], (b'{"c": "%b"}' % _WIDE,)),
    "t.parquet": (*FORMATS["t.parquet"][:3], ((9, 1.5, _WIDE.decode(), "u"),)),
}


@pytest.mark.parametrize(
    "name",
    [
        *("bare.csv" + end for end in PACKINGS),
        *(name + ".gz" for name in [*PACKED][1:]),
        "t.csv.zip",
    ],
)
def test_no_record_of_a_packed_file_keeps_it_from_being_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpstudio.files.read.packing.BOMB_BYTES", 1 << 14)
    monkeypatch.setattr("dpstudio.files.read.packing.BOMB_RATIO", 2)
    inner, _, ending = name.rpartition(".")
    told, write, records, odds = PACKED[inner]
    told = told.with_(part="inside") if ending == "zip" else told
    path, ledger, heard = tmp_path / name, Replayed(), set()
    call = ["run", "explore", "query.where=", "--data", str(path), "--read", told_words(told)]
    for first in (records[0], *odds):
        path.write_bytes(PACKINGS["." + ending](write([first, *records[1:]])))
        assert open_table(str(path), choices=told).rows == 60
        heard.add(spoken([*call, "--json"], ledger))
    (said,) = heard
    assert said.startswith("0 ")


# A document of all rows, and what may stand in it as a value; values and names are apart.
DOCUMENTS = {
    "rows": lambda rows: {str(place): row for place, row in enumerate(rows)},
    "columns": lambda rows: {name: [row[name] for row in rows] for name in NAMES},
}
VALUES = (b"nul", b"01", b"'a'", b'"\t"', b'"\\x"', b"1e999", b"[" * 9000 + b"]" * 9000)
VALUES = (*VALUES, b'{"a": ' * 9000 + b"1" + b"}" * 9000, b'{"x": [1, nul]}', b"9" * 6000, b"1 2")
ROWS_ODD = (b"{x: 1}", b'{"x": 1}{"x": 2}', b'{"x": 1,}', b"nul", b'{"x" 1}', b'{"x": }')


@pytest.mark.parametrize("outer", DOCUMENTS)
def test_no_value_of_a_document_moves_another_row(outer: str) -> None:
    told, rows = JSON.with_(outer=outer), [json.loads(each) for each in objects()]
    rows[30]["c"] = "here"
    body = json.dumps(DOCUMENTS[outer](rows)).encode()
    before = read(body, told, "t.json")
    assert before[1][30][2] == "here"
    for value in (*VALUES, *ELEMENTS):
        after = read(body.replace(b'"here"', value), told, "t.json")
        assert others(before[1], 30) == others(after[1], 30), value[:20]
        assert before[1][30][:2] == after[1][30][:2], value[:20]


@pytest.mark.parametrize("place", [0, 30, 59])
def test_no_row_of_a_document_moves_another(place: int) -> None:
    told = JSON.with_(outer="rows")

    def document(rows: list[bytes]) -> bytes:
        return b"{" + b", ".join(b'"%d": %b' % each for each in enumerate(rows)) + b"}"

    before = read(document(objects()), told, "t.json")[1]
    for odd in (*ROWS_ODD, *ELEMENTS):
        rows = [*objects()[:place], odd, *objects()[place + 1 :]]
        assert others(read(document(rows), told, "t.json")[1], place) == others(before, place), odd


_MEMBERS = [b'"%d": %b' % each for each in enumerate(objects())]
# In place of a record: one that bears the name of another, or is none of a name.
_SAME = (b'"7": {"x": 8, "c": "zzz"}', b'"7": 1', b'"\\u0037": {}', b'"0": [1]', b'"w": {"x": 1}')
_SAME = (*_SAME, b'"": {}', b'"7" {}', b"nul", b'{"7": 1}', b'"7": {"x": 1, "x": 2, "": 3}')


@pytest.mark.parametrize("part", ["", "$", "a.b"])
@pytest.mark.parametrize("place", [0, 59])
def test_a_record_that_bears_the_name_of_another_is_a_row(
    part: str, place: int, tmp_path: Path
) -> None:
    """They were one, so that n moved, and the other's values. The names of rows stay in their rows,
    whether they count them or not."""
    told = JSON.with_(outer="rows", part=part, types=("Unnamed: 0=words", *JSON.types))
    wrap = b'{"7": 1, "a": {"7": 2, "b": %b}}' if part == "a.b" else b"%b"
    path, ledger, heard, call = tmp_path / "t.json", Replayed(), set(), ["run", "local_counts"]
    call += ["query.column=c", "query.categories=a|b|c", "query.attested=yes", "--without-truth"]
    call += ["--data", str(path), "--read", told_words(told)]
    before: list[tuple[object, ...]] = []
    for odd in (_MEMBERS[place], *_SAME):
        members = [*_MEMBERS[:place], odd, *_MEMBERS[place + 1 :]]
        path.write_bytes(wrap % (b"{" + b", ".join(members) + b"}"))
        rows = read(path.read_bytes(), told, "t.json")[1]
        before = before or rows
        assert others(rows, place) == others(before, place), odd
        assert [row[0] for row in others(rows, place)] == [
            str(i) for i in range(60) if i != place
        ], odd
        heard.add(spoken(call, ledger) if place and not part else "0 ")
    assert len(before) == 60
    (said,) = heard
    assert said.startswith("0 "), said


def test_columns_of_objects_are_refused_whatever_their_records_hold(tmp_path: Path) -> None:
    """Where one bears the name of another both would be one, and a value more or less is a row."""
    path, ledger, heard = tmp_path / "t.json", Replayed(), set()
    inner = b'"0": 1, "1": 2'
    call = ["run", "explore", "query.where=", "--data", str(path), "--read"]
    for held in (inner, b"", b'"0": 1, "0": 2', b'"0": 1, "1": [1]', b'"0": 1, "1": nul'):
        for text in (b'{"x": {%b}, "y": {%b}}', b'{"x": [1, 2], "y": {%b%.0b}}'):
            path.write_bytes(text % (held, inner))
            heard.add(spoken([*call, told_words(JSON.with_(outer="columns"))], ledger))
    (said,) = heard
    assert said.startswith("2 ")
    assert "Save the table as JSON lines" in said


def test_an_array_in_one_line_is_read_however_long_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row would make the line longer than a record may be."""
    monkeypatch.setattr("dpstudio.files.read.text.told_lines.LONGEST_RECORD", 300)
    for code in ("utf-8", "utf-16-le"):
        body = json.dumps([json.loads(each) for each in objects()]).encode(code)
        assert len(read(body, JSON.with_(encoding=code), "t.json")[1]) == 60


@pytest.mark.parametrize("name", ["t.parquet", "t.feather"])
def test_bytes_that_are_no_letters_are_a_word_of_their_row(name: str, tmp_path: Path) -> None:
    """Typed formats do not check them; here among words, once each too, and words that are told to
    be numbers."""
    ledger, sides, told = Replayed(), [], TYPED.with_(types=("x=number",))
    call = ["run", "explore", "--data", str(tmp_path / name), "--json", "--read", told_words(told)]
    for odd in (b"1", b"\xff\xfe"):
        held = pa.array([b"1", b"2", odd, None], pa.binary())
        words = pa.Array.from_buffers(pa.string(), 4, held.buffers(), held.null_count)
        table = pa.table({"x": words, "c": words, "d": words.dictionary_encode()})
        if name == "t.parquet":
            pq.write_table(table, tmp_path / name)
        else:
            pa.feather.write_feather(table, str(tmp_path / name))
        assert len(open_table(str(tmp_path / name), choices=told).cells(0, 4)) == 4
        asked = ("c=1", "d=1", "x>0")
        sides.append([spoken([*call, f"query.where={each}"], ledger) for each in asked])
    assert sides[0] == sides[1]
    assert all(each.startswith("0 ") for each in sides[0])


def test_a_line_of_open_quotes_is_no_row_that_does_not_end() -> None:
    """It was read by the square of its quotes: a row of 3 MB kept a release for hours."""
    rows = read(text_file([b",".join([b'"a'] * 300_000), *texts(TOLD)], TOLD), TOLD)[1]
    assert rows == [(None,) * 4, *read(text_file(texts(TOLD), TOLD), TOLD)[1]]


WORKED_OUT = (
    "create view t as select abs(x) as x from s",
    "create table t (x integer, y generated always as (abs(x)))",
    "create virtual table t using fts5(x)",
)


@pytest.mark.parametrize("made", WORKED_OUT)
def test_what_a_database_works_out_of_rows_is_no_table_of_records(made: str) -> None:
    """One of them ends it, or moves others: it is refused whatever they hold."""
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.executescript(f"create table s (x integer); insert into s values (1); {made}")
        body = bytes(base.serialize())
    with pytest.raises(TableError, match="worked out"):
        read(body, BASE, "t.sqlite")


# Persons: any number of rows of one may stand in the place of those of another, and name nobody.

_OF_PERSONS = [(f"p{i // 2}", 1.5 + i % 4, "abc"[i % 3], "uv"[i % 2]) for i in range(60)]
_NEW = (
    [],
    [("", 9.0, "zzz", "u")] * 7,
    [("", "", "", "")],
    [("q", 9.0, "zzz", "u")],
    [("p3", 9.0, "zzz", "u")],
)
PERSONAL = (
    "local_counts query.column=c query.categories=a|b|c query.attested=yes",
    "local_means query.column=y query.low=0 query.high=9 query.attested=yes",
    "explore query=histogram query.column=c query.categories=a|b|c query.attested=yes "
    "adjacency=replace --json",
)


@pytest.mark.parametrize("people", ["", "35"])
def test_no_person_moves_how_many_are_counted(people: str, tmp_path: Path) -> None:
    """Whether their rows name nobody, another, or are more or fewer: n is told, or nothing that
    depends on it leaves."""
    told, path = TOLD.with_(types=("x=words", *TOLD.types[1:])), tmp_path / "t.csv"
    about = ["--about", "y: low=0 high=9 attested=yes", "--about", "c: categories=a|b attested=yes"]
    about += ["--about", "g: categories=u|v attested=yes", "--person", "x"]
    about += ["--people", people] if people else []
    for words in PERSONAL:
        ledger, heard = Replayed(), set()
        for new in (_OF_PERSONS[:2], *_NEW):
            rows = [*new, *_OF_PERSONS[2:]]
            lines = [line_of(row, told).encode() for row in rows]
            path.write_bytes(text_file(lines, told))
            call = ["run", *words.split(" "), "--data", str(path), "--read", told_words(told)]
            heard.add(spoken([*call, *about], ledger))
        (said,) = heard
        stays = words.startswith("local") and not people
        assert said.startswith("2 " if stays else "0 "), said
        assert ("name nobody would change" in said) == stays, said


class _GoesOnError(Exception):
    """Nothing stops it before it is tried."""


def _stopped(lab: Lab, data: Dataset) -> str:
    """Why what a lab leaves is stopped by what is public alone, "" where it is not."""
    try:
        leave(lab, data, Replayed(), LEAST)
    except StaysError as stays:
        return render(stays.sentence)
    except _GoesOnError:
        return ""
    raise AssertionError


@pytest.mark.parametrize("person", ["words", "integer"])
def test_who_a_person_is_keeps_nothing_from_leaving(
    person: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A learner said “No rows are left to learn from” of any table with a column of persons: its
    stand-in held two of them."""

    def on(*given: object) -> None:
        raise _GoesOnError

    monkeypatch.setattr(leaving, "_found", on)
    monkeypatch.setattr("dpstudio.data.stand_in._ROWS", (900, 700))
    path, told = tmp_path / "t.csv", TOLD.with_(types=(f"x={person}", *TOLD.types[1:]))
    path.write_bytes(text_file(texts(TOLD), told))
    here, left = open_table(str(path), choices=told).described(KNOWN), 0
    for words in [
        each.replace("x|", "y|").replace("=x", "=y").replace("x>", "y>") for each in STATES
    ]:
        for adjacency in ("add_remove", "replace"):
            lab, _ = lab_of(words.replace("y|y", "y").split(" "))
            lab = lab.with_(adjacency=adjacency) if hasattr(lab, "adjacency") else lab
            for most in (1, 1_000_000):
                book = replace(KNOWN.with_person("x", most), people=50)
                alone, named = (_stopped(lab, data) for data in (here, here.described(book)))
                assert named == alone or "person" in named.lower(), (words, named)
                left += not named
    assert left > 60


# Folders of pictures, of which each file is a record.


def _png(pixels: np.ndarray) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(out, "PNG")
    return out.getvalue()


def _album(folder: Path, changed: Mapping[str, bytes] = MappingProxyType({})) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    held = {f"{'ab'[i % 2]}/{'xyz'[i % 3]}_{i}.png": _png(np.eye(6, 8) * 20 * i) for i in range(12)}
    for name, body in (held | changed).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)


PICTURE = "a/x_0.png"
ODD_PICTURES = {
    "text": b"not a picture",
    "empty": b"",
    "broken": _png(np.eye(9))[:60],
    "bomb": bomb(60_000, 60_000),
    "long": _png(np.eye(90, 7) * 99),
    "small": _png(np.eye(2) * 99),
}


def test_no_file_of_a_folder_moves_another_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither how many there are, nor their size, labels, or whether anything leaves: of the
    reading that `dpstudio read` prints."""
    folder, ledger, heard, before = tmp_path / "faces", Replayed(), set(), None
    _album(folder)
    assert cli.main(["read", str(folder)]) == 0
    (line,) = shlex.split(capsys.readouterr().out)[1:]
    told, _ = chosen([line])
    assert not untold(told, PICTURES)
    plain = open_table(str(folder))
    assert plain.cells(0, 99) == open_table(str(folder), choices=told).cells(0, 99)
    call = ["run", "explore", "--data", str(folder)]
    asked = "query.where=folder=a and name_1=x and pixel_0_0>50"
    assert "Not told: rows, side, down" in spoken(call, ledger)
    for odd in (_png(np.eye(6, 8)), *ODD_PICTURES.values()):
        _album(folder, {PICTURE: odd})
        data = open_table(str(folder), choices=told)
        rows = [data.columns, others(data.cells(0, 99), 0)]
        assert rows == (before or rows)
        before = rows
        heard.add(spoken([*call, asked, "--json", "--read", line], ledger))
    (said,) = heard
    assert said.startswith("0 "), said
    # A file of another name is one there as well, and the labels of others are as they were.
    for name in ("c/q.w.png", "lone.png", "a/b/c/d_e_f.png", "a/x.bmp"):
        _album(folder, {name: _png(np.eye(6, 8))})
        data = open_table(str(folder), choices=told)
        assert data.rows == 13
        assert [c.name for c in data.columns] == [c.name for c in plain.columns]
        assert set(plain.cells(0, 99)) <= set(data.cells(0, 99))
    shutil.rmtree(folder)
    folder.mkdir()
    assert open_table(str(folder), choices=told).rows == 0
