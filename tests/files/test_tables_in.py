"""Tables in: every format equals pandas, progress and cancel work, and what cannot be read is a
sentence."""

import bz2
import gzip
import hashlib
import io
import json
import lzma
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from dpstudio.data.conditions import Where, parse
from dpstudio.files import tables
from dpstudio.files.assets import asset
from dpstudio.files.read.choices import Choices
from dpstudio.values.parameters import ParamError, put

N = 30_000
FRAME = pd.DataFrame(
    {
        "age": np.arange(N) % 90,
        "income": np.where(np.arange(N) % 7, np.arange(N) / 3, np.nan),
        "name, or “so”": [("Ä", "b c", 'q"t', None)[i % 4] for i in range(N)],
        "yes": np.arange(N) % 2 == 0,
    }
)
CSV = FRAME.to_csv(index=False).encode()
START = CSV[: CSV.index(b"\n", 50_000) + 1]  # where its length is not what matters


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return out.getvalue()


def parquet() -> bytes:
    out = io.BytesIO()
    FRAME.to_parquet(out)
    return out.getvalue()


def feather() -> bytes:
    out = io.BytesIO()
    FRAME.to_feather(out)
    return out.getvalue()


def zstd(body: bytes) -> bytes:
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as stream:
        stream.write(body)
    return out.getvalue().to_pybytes()


# Made when they are asked for: each process of a run would make all of them to list the tests.
_FILES: dict[str, Callable[[], bytes]] = {
    "t.csv": lambda: CSV,
    "t.txt": lambda: CSV,
    "T.CSV": lambda: CSV,
    "bom.csv": lambda: b"\xef\xbb\xbf" + CSV,
    "t.tsv": lambda: FRAME.to_csv(index=False, sep="\t").encode(),
    "t.csv.gz": lambda: gzip.compress(CSV),
    "t.csv.xz": lambda: lzma.compress(CSV, preset=0),
    "t.csv.zip": lambda: zipped(**{"t.csv": CSV}),
    "t.csv.bz2": lambda: bz2.compress(CSV),
    "t.csv.zst": lambda: zstd(CSV),
    "t.feather": lambda: feather(),
    "t.tsv.gz": lambda: gzip.compress(FRAME.to_csv(index=False, sep="\t").encode()),
    "t.parquet": lambda: parquet(),
    "t.pq": lambda: parquet(),
}
FILES = tuple(_FILES)


@cache
def body_of(name: str) -> bytes:
    return _FILES[name]()


def write(folder: Path, name: str, body: bytes) -> Path:
    path = folder / name
    path.write_bytes(body)
    return path


@pytest.mark.parametrize("name", FILES)
def test_formats_equal_pandas(tmp_path: Path, name: str) -> None:
    """Values, missing ones, types and the digest of the bytes; progress only rises, and ends at
    1."""
    told: list[float] = []
    path = write(tmp_path, name, body_of(name))
    data = tables.open_table(str(path), told.append)
    read = data._frame
    assert list(read.columns) == list(FRAME.columns)
    assert data.rows == N
    assert [c.type for c in data.columns] == ["integer", "number", "category", "category"]
    for column in FRAME:  # yes and no are words
        wanted = FRAME[column].astype(str) if column == "yes" else FRAME[column]
        pd.testing.assert_series_equal(
            read[column].astype(object), wanted.astype(object), check_dtype=False
        )
    assert data.missing("income") == FRAME.income.isna().sum()
    assert (data.name, data.origin) == (name, str(path))
    assert data.digest == hashlib.sha256(body_of(name)).hexdigest()
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert all(0 < share <= 1 for share in told)


@pytest.mark.parametrize("name", FILES)
def test_cancel(tmp_path: Path, name: str) -> None:
    """Asked before and in the middle of reading."""
    path = write(tmp_path, name, body_of(name))
    with pytest.raises(tables.CancelledError):
        tables.open_table(str(path), cancelled=lambda: True)
    asked = iter([False] * 2)
    with pytest.raises(tables.CancelledError):
        tables.open_table(str(path), cancelled=lambda: next(asked, True))


def test_examples() -> None:
    """Each opens by its key, with the type of each column known."""
    for example in tables.EXAMPLES:
        data = tables.open_table(example.key)
        assert data.rows == (example.rows or data.rows) > (2 if example.group else 400)
        assert data.origin == example.key
        assert all(c.type in ("integer", "number", "category") for c in data.columns)
    assert tables.open_table("adult").missing("workclass") == 1836


@pytest.mark.parametrize("key", ["pima", "breast_cancer", "australian", "german"])
def test_what_is_published_of_a_table_holds_all_of_it(key: str) -> None:
    """Every value lies within the words and bounds that lie beside it; those that the table itself
    has given are not attested."""
    data = tables.open_table(key)
    book = json.loads(asset("tables", f"{key}.json").read_text(encoding="utf-8"))["columns"]
    assert list(book) == [column.name for column in data.columns]
    for name, about in book.items():
        told = {str(word) for word, _ in data.distinct(name, 2000)}
        if "categories" in about:
            assert told <= set(about["categories"])
            assert about["attested"]
        else:
            assert about["low"] <= min(map(float, told))
            assert max(map(float, told)) <= about["high"]
            assert about["attested"] == (key == "breast_cancer")


BAD = {
    "nonsense.parquet": (b"PAR1 this is not one PAR1", "not a Parquet file"),
    "cut.parquet": (parquet()[:-40], "not a Parquet file"),
    "nothing.csv": (b"", "0 bytes"),
    "blank.csv": (b"\n\n\n", "no columns"),
    "binary.csv": (bytes(range(256)) * 20, "not text"),
    "cut.csv.gz": (gzip.compress(START)[:3000], "compressed"),
    "cut.csv.xz": (lzma.compress(START, preset=0)[:3000], "compressed"),
    "cut.csv.zip": (zipped(**{"t.csv": START})[:3000], "compressed"),
    "none.csv.zip": (zipped(), "0 files"),
    "table.pdf": (b"%PDF-1.7\n", "a PDF document"),
}
ASKED = {
    "latin.csv": ("a,b\nÄ,1\n".encode("latin-1"), "UTF-8", "encoding=cp1252"),
    "ragged.csv": (b"a,b\n1,2\n3,4,5\n", "line 3", "ragged=pad"),
    "wide.csv": (b"a,b\n1,2,3\n4,5,6\n", "2 names", "header=shifted"),
    "quote.csv": (b'a,b\n1,"x\n2,3\n', "quote", "quote=double"),
    "two.csv.zip": (zipped(a=START, b=START), "2 files", "part=a"),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_is_not_certain_is_asked(tmp_path: Path, name: str) -> None:
    """The sentence says why and which choices settle it; with these, nothing is asked again."""
    body, why, setting = ASKED[name]
    path = str(write(tmp_path, name, body))
    with pytest.raises(tables.UncertainError) as caught:
        tables.open_table(path)
    assert why in str(caught.value)
    preview = caught.value.preview
    assert setting in preview.settings()
    assert tables.open_table(path, choices=preview.choices).rows == preview.counts.kept
    chosen = Choices()
    for word in preview.settings():
        field, _, value = word.partition("=")
        chosen = put(chosen, field, value)
    assert tables.open_table(path, choices=chosen).rows == preview.counts.kept


@pytest.mark.parametrize(
    "name", ["csv.parquet", "utf16.csv", "plain.csv.gz", "plain.csv.xz", "t.parquet.csv"]
)
def test_the_bytes_say_what_it_is(tmp_path: Path, name: str) -> None:
    """Whatever the name says."""
    body = parquet() if "t.p" in name else CSV.decode().encode("utf-16") if "16" in name else CSV
    read = tables.open_with_report(str(write(tmp_path, name, body)))
    assert read.data.rows == N
    assert bool(read.report.notes) == (".parquet" in name)


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_sentences(tmp_path: Path, name: str) -> None:
    """The file's name and the reason, in one line that ends like a sentence. Nothing is dropped in
    silence."""
    body, why = BAD[name]
    with pytest.raises(tables.TableError) as caught:
        tables.open_table(str(write(tmp_path, name, body)))
    text = str(caught.value)
    assert name in text
    assert why in text
    assert text.endswith(".")
    assert "\n" not in text
    assert "Error" not in text


def test_damaged_gzip_is_a_sentence(tmp_path: Path) -> None:
    """A byte flipped anywhere: the check sum, the length, or the stream itself."""
    whole = gzip.compress(CSV[:4000])
    for at in range(0, len(whole), 7):
        broken = bytearray(whole)
        broken[at] ^= 0x5A
        # A byte of the header's time stamp or name changes nothing.
        with suppress(tables.TableError):
            tables.open_table(str(write(tmp_path, "broken.csv.gz", bytes(broken))))


@pytest.mark.parametrize(
    "where", ["no/such/file.csv", "~nosuchuser/t.csv", "a\0b.csv", "x" * 5000 + ".csv", "", "."]
)
def test_bad_paths_are_sentences(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tables.TableError):
        tables.open_table(where)


def test_a_folder_or_a_header_alone(tmp_path: Path) -> None:
    """A folder of none is refused, and a table without rows: what was open stays."""
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(tables.TableError, match="folder without a picture"):
        tables.open_table(str(tmp_path / "folder.csv"))
    with pytest.raises(tables.TableError, match="no rows"):
        tables.open_table(str(write(tmp_path, "head.csv", b"a,b\n")))


def test_a_column_mixed_over_chunks_is_counted_right(tmp_path: Path) -> None:
    """pandas parses in chunks: numbers in one and words in another must still be the same words."""
    rows = ["code"] + ["1", "2", "3", "4", "5"] * 160_000
    rows[400_000] = "x"
    data = tables.open_table(str(write(tmp_path, "mixed.csv", "\n".join(rows).encode())))
    counts = dict(data.distinct("code"))
    assert sum(counts.values()) == 800_000
    assert counts["1"] == rows.count("1")
    assert data.count(parse("code = 1")) == rows.count("1")


def test_parquet_as_people_have_it(tmp_path: Path) -> None:
    """A column that was an index, decimals, dates, lists, and a blank name: each opens, and what
    has no order of words is refused."""
    frame = pd.DataFrame(
        {
            "n": [1, 2],
            " ": [3, 4],
            "d": [Decimal("1.5"), None],
            "day": [date(2020, 1, 1), None],
            "l": [[1], [2]],
        }
    )
    frame.index = pd.Index([7, 8], name="id")
    frame.to_parquet(tmp_path / "odd.parquet")
    data = tables.open_table(str(tmp_path / "odd.parquet"))
    assert {c.name: c.type for c in data.columns} == {
        "n": "integer",
        "Unnamed: 1": "integer",
        "d": "number",
        "day": "date",
        "l": "other",
        "id": "integer",
    }
    assert data.clipped("d", 0, 10, Where()).total == 1.5
    with pytest.raises(ParamError, match="neither"):
        data.distinct("l")
