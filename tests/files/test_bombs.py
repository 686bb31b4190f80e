"""Files that would take the memory or the time of the whole program end in a sentence."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from nasty import SHEET, workbook, zipped

from dpstudio.files.read import opening, outcome, packing
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.formats import documents, records
from dpstudio.files.read.source import Source, Watch
from dpstudio.files.read.text import feed, oversized_cells, rows


def refused(path: Path, body: bytes) -> str:
    path.write_bytes(body)
    with pytest.raises(outcome.TableError) as caught:
        opening.read_file(path, Watch())
    return str(caught.value)


def changed(book: bytes, old: bytes, new: bytes) -> bytes:
    """The workbook with other bytes in its first sheet."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(book)) as held,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for name in held.namelist():
            body = held.read(name)
            made.writestr(name, body.replace(old, new) if name.endswith("sheet1.xml") else body)
    return out.getvalue()


def test_a_cell_far_away_ends_a_child_alone(tmp_path: Path) -> None:
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    body = changed(workbook(S=SHEET), b"</sheetData>", far)
    assert len(body) < 2000
    assert "more memory" in refused(tmp_path / "far.xlsx", body)
    near = far.replace(b"1048576", b"90").replace(b"XFD", b"Z")
    (tmp_path / "near.xlsx").write_bytes(changed(workbook(S=SHEET), b"</sheetData>", near))
    assert opening.read_file(tmp_path / "near.xlsx", Watch()).table.num_rows == len(SHEET)


def test_bombs_are_refused_by_what_went_in_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bomb that begins a large file is one before its end; archives and workbooks by their own
    word as well."""
    monkeypatch.setattr(packing, "BOMB_BYTES", 1 << 20)
    monkeypatch.setattr(packing, "BOMB_RATIO", 20)
    body = b"a,b\n" + b"0,0\n" * (1 << 21)
    once = gzip.compress(body)
    assert "times its size" in refused(tmp_path / "b.gz", once)
    assert "times its size" in refused(tmp_path / "b.gz.gz", gzip.compress(once))
    # As long as half of what comes out, so that the ratio over the whole file is a small one.
    tail = b"".join(gzip.compress(str(i).encode() * 9) for i in range(40_000))
    assert len(body) < packing.BOMB_RATIO * len(once + tail)
    assert "times its size" in refused(tmp_path / "long.gz", once + tail)
    assert "times its size" in refused(tmp_path / "b.zip", zipped(t__csv=body))
    fat = changed(workbook(S=SHEET), b"</sheetData>", b"</sheetData>" + b" " * (1 << 22))
    assert "times its size" in refused(tmp_path / "b.xlsx", fat)
    monkeypatch.setattr(packing, "MOST_BYTES", 1 << 21)
    rare = gzip.compress("\n".join(str(i * 7919 % 1_000_003) for i in range(500_000)).encode())
    assert "unpacks" in refused(tmp_path / "total.gz", rare)


@pytest.mark.parametrize(
    "body",
    [
        b"1," * 800_000 + b"\n1,2\n",
        b"a,b\n1,2\n" + b"1," * 800_000 + b"\n",
        b"a,b\n1,2\n3," + b"x" * 1_500_000 + b"\n",
        b'a,b\n1,2\n3,"' + b"x" * 1_500_000 + b'"\n',
        b'a,b\n1,2\n3,4,5\n3,"' + b"x" * 1_500_000 + b'"\n',
        b'a,b\n1,2\n3,"' + b"a short line, of words\n" * 90_000 + b'"\n5,6\n',
        b'a;b\n1;2\n3;"' + b"a line\n" * 300_000 + b'"',
        b'{"a":1,"b":"x"}\n{"a":2,"b":"' + b"x" * 1_500_000 + b'"}\n',
        b'[{"a":1,"b":"x"},{"a":2,"b":"' + b"x" * 1_500_000 + b'"}]',
    ],
    ids=[
        "columns",
        "columns below",
        "cell",
        "quoted cell",
        "cell in a messy file",
        "quoted cell of short lines",
        "quoted cell at the end",
        "cell in lines of JSON",
        "cell in JSON",
    ],
)
def test_a_line_that_is_no_row(
    tmp_path: Path, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (rows, feed, oversized_cells, records):
        monkeypatch.setattr(module, "LONGEST_RECORD", 1 << 19)
    monkeypatch.setattr(feed, "_BLOCK", 1 << 18)
    monkeypatch.setattr(rows.Lines.__init__, "__defaults__", (0, "", False, 1 << 19))
    told = refused(tmp_path / ("t.json" if body[:1] in b"[{" else "t.csv"), body)
    assert "longer than" in told or "values in a row" in told


KEYS = 300
JSON_OF_KEYS = {
    "a key a line": "".join(f'{{"k{i}": 1}}\n' for i in range(KEYS)),
    "an array of them": json.dumps([{f"k{i}": 1} for i in range(KEYS)]),
    "objects of other names": json.dumps({f"k{i}": {"k": 1, f"n{i}": 2} for i in range(KEYS)}),
    "one row": json.dumps({f"k{i}": 1 for i in range(30_000)}),
    "one row, a list": json.dumps([list(range(30_000)), [1]]),
    "names of 30,000": json.dumps([[f"k{i}" for i in range(30_000)], [1]]),
    "rows of lists": json.dumps({"a": 1, "rows": [[1], list(range(30_000))]}),
    "columns": json.dumps({f"k{i}": [1, 2] for i in range(30_000)}),
}


@pytest.mark.parametrize("name", JSON_OF_KEYS)
@pytest.mark.parametrize("told", [Choices(), Choices(outer="columns", header="no")])
def test_keys_of_json_are_bounded_as_columns_are(
    name: str, told: Choices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is linear in the file: its cells are so many times its values at most, and so many
    besides."""
    monkeypatch.setattr(records, "_FEW_CELLS", 1000)
    path = tmp_path / "t.json"
    path.write_text(JSON_OF_KEYS[name])
    kept: list[records._Store] = []
    made = records._Store.__init__
    monkeypatch.setattr(
        records._Store, "__init__", lambda self, path: (kept.append(self), made(self, path))[1]
    )
    with pytest.raises(outcome.TableError, match="no table that can be shown"):
        opening.read_file(path, Watch(), told)
    for store in kept:
        most = 2 * records._SPARSE * store.values + 2000
        assert sum(map(len, store.columns.values())) <= most


class Far(Source):
    """A file of which nothing is read but its start."""

    def into(self, place: int, view: memoryview) -> int:
        assert place < 1 << 20, "it is read beyond"
        return super().into(place, view)


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"a,b\n1,2\n3,",
        b'a,b\n1,2\n"',
        b"a|b\n1|2\n",
        b'{"a": "',
        b'[{"a": "',
        b'{"a": 1}\n{"a": "',
    ],
)
def test_a_line_without_end_is_refused_at_its_first_blocks(
    start: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (rows, feed, oversized_cells, records):
        monkeypatch.setattr(module, "LONGEST_RECORD", 1 << 15)
    for module, size in ((feed, 1 << 16), (oversized_cells, 1 << 14)):
        monkeypatch.setattr(module, "_BLOCK", size)
    monkeypatch.setattr(rows.Lines.__init__, "__defaults__", (0, "", False, 1 << 15))
    (tmp_path / "t").write_bytes(start + b"x" * (1 << 22))
    watch = Watch()
    source = Far("t", watch, path=tmp_path / "t")
    with pytest.raises(outcome.TableError, match="longer than"):
        opening.read_source(source, None, watch)
    source.close()


@pytest.mark.parametrize("outer", ["auto", "columns", "rows", "fields"])
def test_what_lies_across_holds_no_more_cells_than_values(outer: str) -> None:
    """One long list, many short ones, and many names beside them."""
    for held in (
        {"a": list(range(3000)), "b": list(range(3000)), **{f"k{i}": 1 for i in range(3000)}},
        {"a": list(range(3000)), **{f"k{i}": [i] for i in range(3000)}},
    ):
        values = sum(len(v) if isinstance(v, list) else 1 for v in held.values())
        rows_ = documents.turned(held, "columns" if outer == "auto" else outer)
        assert sum(len(row) for row in rows_) <= 2 * values


def test_one_row_turns_no_columns_into_one(tmp_path: Path) -> None:
    """Where it is told what the outermost names are, whatever a row holds."""
    told = Choices(outer="columns")
    for odd in ("1", "[1]", '{"x": 1}', "null"):
        (tmp_path / "t.json").write_text(f'{{"id": [1, 2, 3], "x": [4, {odd}, 6]}}')
        assert opening.read_file(tmp_path / "t.json", Watch(), told).table.num_rows == 3


def test_a_giant_is_a_value_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows without a quote between two that have some are rows; a quote that is never closed is a
    letter."""
    monkeypatch.setattr(oversized_cells, "LONGEST_RECORD", 1 << 15)
    monkeypatch.setattr(oversized_cells, "_BLOCK", 1 << 12)
    plain = "".join(f"{i},{i % 7}\n" for i in range(9000))
    for odd in ('3,"x y"\n', '3,"x"y\n', 'x"y,3\n', '"x,3\n'):
        (tmp_path / "t.csv").write_text(f"a,b\n{odd}{plain}" + '4,"y"\n5,6,7\n')
        assert opening.read_file(tmp_path / "t.csv", Watch(), Choices()).table.num_rows >= 9001
