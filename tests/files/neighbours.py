"""Neighbouring files: of every format, all choices of their reading told, that differ in one record,
which may be any at all."""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
from nasty import workbook
from running import PLAIN

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.signs import COMMENTS, DELIMITERS, ENCODINGS, QUOTES

NAMES = ("x", "y", "c", "g")
Row = tuple[Any, ...]
ROWS: list[Row] = [(i % 9, 1.5 + i % 4, "abc"[i % 3], "uv"[i % 2]) for i in range(60)]
TYPES = ("x=integer", "y=number", "c=words", "g=words")
_SIGNS = {**DELIMITERS, "spaces": "  ", "wide": "   ", "none": "\ufdd0"}
TOLD = PLAIN.with_(types=TYPES)
BARE = TOLD.with_(header="no", types=tuple(f"column {i}=words" for i in range(1, 5)))
# What a line of a text may hold; “,” and the quote stand for those of the dialect.
ODD = (
    b"",
    b" ",
    b",",
    b",,,",
    b"9,9.5,zzz",
    b"9,9.5,zzz,w,7",
    b"9,9.5,zzz,w,",
    b"9" + b"," * 5000,
    b"NA,NA,NA,NA",
    b"w,w,2020-01-01,1e999",
    b"12345678901234567890,1.234,5,-",
    b"$5,5 %,20 Apr 22,-$1",
    b"2020-05-03,3/4/2020,true,007",
    b"#comment,1,a,u",
    b"%,1,a,u",
    b"//",
    b"Total,90,,",
    b"Note: all of these are made up",
    b'"9,1.5,a,u',
    b'9,"1.5,a,u',
    b'9,1.5,a,"u',
    b'9,1.5,a,u"',
    b'9,1.5,"a"b,u',
    b'"',
    b'"""',
    b"9,5'11\",a,u",
    b"'9,1.5,a,u",
    b"9,it's,a,u",
    b'9,\\"a,a,u\\',
    b"\xff\xfe,1.5,\x80,u",
    b"\xef\xbb\xbf9,1.5,a,u",
    b"9,1.5,\x00,u",
    b"\x00",
    b"9\r,1.5,a,u",
    b"\r",
    b"9\x0b,1.5\x0c,a\x1c,u\xe2\x80\xa8",
    b"x,y,c,g",
    b'"x","y","c","g"',
    b"sep=;",
    b"{}",
    b'{"x": 1}',
    b"[1, 2]",
    b"PAR1",
    b"PK\x03\x04",
    b"BZh91AY",
    b"%PDF-1.4",
    b"<html>",
    b"\x1a",
    b"a" * 70_000,
)
# Well-formed values of quoted records with line ends in them.
INNER = (
    "a\nb",
    "\na",
    "a\n",
    "\n\n",
    'a"\n"b',
    ",\n,",
    "9,1.5,a,u\n9,1.5,a,u",
    "9,1.5,a,u\n9,1.5,a,u\n9",
    "\nx,y,c,g\n",
    "#\n#",
    "a\r\nb",
    "\n" * 40,
)


def line_of(cells: Sequence[Any], told: Choices, always: bool = False) -> str:
    """A record as it is written in the dialect that is told: in quotes where that is needed."""
    sign, quote = _SIGNS[told.delimiter], QUOTES[told.quote]

    def written(cell: Any) -> str:
        text = str(cell)
        if not quote or not (always or any(s in text for s in (sign[0], quote, "\n", "\r"))):
            return text
        if told.escape == "backslash":
            text = text.replace("\\", "\\\\").replace(quote, f"\\{quote}")
        else:
            text = text.replace(quote, quote * 2)
        return f"{quote}{text}{quote}"

    return sign.join(map(written, cells))


def text_file(records: Sequence[bytes], told: Choices, end: str = "\n") -> bytes:
    """The bytes of a text of these records, which are in its encoding."""
    code, ended = told.encoding, end.encode(told.encoding)
    names = NAMES if told.delimiter != "none" else NAMES[:1]
    above = ["made by hand, and\ton a machine"] * int(told.skip or 0)
    heads = {"yes": [names], "two": [names, names], "shifted": [names[1:]], "no": []}
    above += [line_of(head, told) for head in heads[told.header]]
    return b"".join(line + ended for line in (*(line.encode(code) for line in above), *records))


def texts(told: Choices, always: bool = False) -> list[bytes]:
    """The records of ROWS in a dialect."""
    rows = [row if told.delimiter != "none" else row[:1] for row in ROWS]
    return [line_of(row, told, always).encode(told.encoding) for row in rows]


def broken(records: Sequence[bytes], told: Choices) -> list[bytes]:
    """The same records, two of which open a quote that does not close: a third could pair with
    either."""
    sign, quote = _SIGNS[told.delimiter], QUOTES[told.quote]
    texts_ = f"{quote}9{sign}1.5", f"9{sign}{quote}a"
    first, second = (text.encode(told.encoding, "replace") for text in texts_)
    return [*records[:10], first, *records[11:45], second, *records[46:]]


def odd_texts(told: Choices) -> list[bytes]:
    """What may stand in the place of one of them."""
    sign, quote = _SIGNS[told.delimiter], QUOTES[told.quote]
    wide = told.encoding.startswith(("utf-16", "utf-32"))
    out = []
    for odd in ODD:
        # Bytes that are no letters of a wide encoding are one record only where they are even.
        text = odd.decode("latin-1")
        text = text.replace(",", sign).replace('"', quote or '"')
        out.append(text.encode(told.encoding) if wide else text.encode("latin-1", "replace"))
    return out


DIALECTS = [
    *(TOLD.with_(delimiter=name) for name in _SIGNS if name != "hash"),
    *(TOLD.with_(quote=name) for name in QUOTES),
    *(TOLD.with_(comment=name) for name in COMMENTS),
    *(
        TOLD.with_(header=name, skip=skip)
        for name in ("yes", "two", "no", "shifted")
        for skip in (0, 2)
    ),
    *(TOLD.with_(ragged=name) for name in ("refuse", "pad", "merge")),
    *(TOLD.with_(encoding=name) for name in ENCODINGS if name != "auto"),
    TOLD.with_(escape="backslash"),
    TOLD.with_(quote="single", escape="backslash", delimiter="semicolon", decimal="comma"),
    TOLD.with_(footer=2, missing="blank", missing_words=("zzz",), dates="words"),
]


# Of other formats a told reading, what writes records, and records that may stand for one of ROWS.

_OTHER = Choices(
    rows="every", decimal="point", dates="dmy", century="2000", units="words", types=TYPES
)
LINES = _OTHER.with_(format="lines", encoding="utf-8")
JSON = _OTHER.with_(format="json", encoding="utf-8")
TYPED = _OTHER.with_(format="columnar")
BASE = _OTHER.with_(format="database", part="t")

_DEEP, _LONG = b"[" * 20_000 + b"]" * 20_000, b"9" * 5000
ELEMENTS = (
    b"1",
    b"null",
    b"[]",
    b"{}",
    b'"a, [b"',
    b'{"x": {"y": [1, {"z": 2}]}, "y": [1, 2]}',
    b'{"z": 1, "a,b": 2, "": 3}',
    b'{"x": 1, "x": 2}',
    b'{"x": "]", "y": "\\"}", "c": "\\\\"}',
    b'{"x": NaN, "y": Infinity, "c": 1e999, "g": true}',
    b'{"c": "\\ud800", "g": "\\u0000"}',
    b'{"x": ' + _LONG + b"}",
    b'{"x": 1' + _LONG + b'.5, "y": -0.0}',
    _DEEP,
    b'{"x": ' + _DEEP + b"}",
    b"{a: 1}",
    b"{'x': 1}",
    b'{"x": 1,}',
    b'{"x": 01}',
    b'{"x": 1}{"x": 2}',
    b"nul",
    b"",
    b" ",
    b"\xff",
    b'[9, "w", "a"]',
    b'[9, 1.5, "a", "u", 7]',
)
OPEN = (b'{"x": 1', b'{"x": "a', b"[", b'"', b"}", b"]", b'{"x": "a\n'[:-1], b"{" * 5000, b",")
CELLS: tuple[Row, ...] = (
    (9, 1.5, "zzz", None),
    ("w", "2020-05-03", True, 7),
    (2.5, 10**18, "NA", "-"),
    (10**14, -1e300, "Total", "a\nb"),
    (None, None, None, "u"),
    ("x", "y", "c", "g"),
    ("#DIV/0!", "=1/0", " a ", ""),
)


def json_lines(records: Sequence[bytes]) -> bytes:
    return b"".join(record + b"\n" for record in records)


def json_array(records: Sequence[bytes]) -> bytes:
    return b"[" + b",\n".join(records) + b"]"


def objects() -> list[bytes]:
    return [json.dumps(dict(zip(NAMES, row, strict=True))).encode() for row in ROWS]


def book(rows: Sequence[Row]) -> bytes:
    return workbook(S=[list(NAMES), *map(list, rows)])


def database(rows: Sequence[Row]) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.execute("create table t (x integer, y real, c text, g text)")
        base.executemany("insert into t values (?, ?, ?, ?)", rows)
        base.commit()
        return bytes(base.serialize())


def parquet(rows: Sequence[Row]) -> bytes:
    """As pandas writes it, whose types follow from the rows: of objects they are words."""
    held, out = pd.DataFrame(rows, columns=list(NAMES)), io.BytesIO()
    for name in NAMES:
        if held[name].map(type).nunique() > 1 and held[name].map(type).eq(str).any():
            held[name] = held[name].map(lambda v: v if v is None else str(v))
    held.to_parquet(out)
    return out.getvalue()


def feather(rows: Sequence[Row]) -> bytes:
    out = io.BytesIO()
    pa.feather.write_feather(pq.read_table(io.BytesIO(parquet(rows))), out)
    return out.getvalue()


FORMATS: dict[str, tuple[Choices, Callable[[Any], bytes], list[Any], Sequence[Any]]] = {
    "t.csv": (TOLD, partial(text_file, told=TOLD), texts(TOLD), odd_texts(TOLD)),
    "t.jsonl": (LINES, json_lines, objects(), (*ELEMENTS, *OPEN, *ODD)),
    "t.json": (JSON, json_array, objects(), ELEMENTS),
    "t.parquet": (TYPED, parquet, list(ROWS), CELLS),
    "t.feather": (TYPED, feather, list(ROWS), CELLS),
    "t.sqlite": (BASE, database, list(ROWS), (*CELLS, (b"\xff", b"", "\x00a", float("inf")))),
}


# The same, packed; a file without a header has a record in its first bytes.


def _zstd(body: bytes) -> bytes:
    return bytes(pa.Codec("zstd").compress(body, asbytes=True))


def _zipped(body: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inside", body)
    return out.getvalue()


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": _zstd,
    ".zip": _zipped,
}
FIRST = (b"PK\x03\x04", b"BZh91AY", b"\x1f\x8b\x08", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"")
