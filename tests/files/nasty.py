"""Small nasty files, each named for its nastiness, made by code, with the right answer beside it."""

import bz2
import gzip
import io
import json
import lzma
import math
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from xml.sax.saxutils import escape

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq


@dataclass(frozen=True, eq=False)
class Nasty:
    """A file and what is right for it. `verdict` is certain, asked or refused.

    certain: read as it stands. asked: a person decides; `asks` names the choices in doubt, and the reading as proposed has this shape,
    these names and cells. `cells` are (row, column) -> value, rows from 0 and -1 the last; `lines` the lines repaired or left out.
    """

    name: str
    body: bytes
    verdict: str = "certain"
    rows: int = 0
    names: tuple[str, ...] = ()
    cells: dict[tuple[int, str], Any] = field(default_factory=dict)
    asks: tuple[str, ...] = ()
    repaired: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    says: str = ""
    kinds: dict[str, str] = field(default_factory=dict)
    missing: dict[str, tuple[str, ...]] = field(default_factory=dict)


PEOPLE = (
    ("Ann", 31, 1200.5),
    ("Bob", 45, 980.25),
    ("Cy", 28, 0.5),
    ("Dora", 67, 2210.75),
    ("Eve", 39, 15.0),
    ("Ann", 52, 330.1),
)
NAMES = ("name", "age", "pay")


def text(
    sep: str = ",",
    end: str = "\n",
    head: bool = True,
    decimal: str = ".",
    quote: Callable[[str], str] = str,
) -> str:
    """The people under a dialect."""
    lines = [sep.join(quote(n) for n in NAMES)] if head else []
    lines += [sep.join((quote(n), str(a), str(p).replace(".", decimal))) for n, a, p in PEOPLE]
    return end.join(lines) + end


FIRST_LAST = {
    (0, "name"): "Ann",
    (0, "age"): 31,
    (0, "pay"): 1200.5,
    (-1, "name"): "Ann",
    (-1, "age"): 52,
    (-1, "pay"): 330.1,
}


def people(name: str, body: str | bytes, **more: Any) -> Nasty:
    """A file whose right answer is the people."""
    given = {"rows": 6, "names": NAMES, "cells": FIRST_LAST, **more}
    return Nasty(name, body.encode() if isinstance(body, str) else body, **given)


def words(
    name: str,
    body: str | bytes,
    rows: int,
    names: str,
    cells: dict[tuple[int, str], Any] | None = None,
    **more: Any,
) -> Nasty:
    return Nasty(
        name,
        body.encode() if isinstance(body, str) else body,
        rows=rows,
        names=tuple(names.split("|")),
        cells=cells or {},
        **more,
    )


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name.replace("__", ".").replace("shadow", "__MACOSX/._t"), body)
    return out.getvalue()


def zstd(body: bytes) -> bytes:
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as stream:
        stream.write(body)
    return out.getvalue().to_pybytes()


def parquet(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def arrow_people() -> pa.Table:
    columns = zip(*PEOPLE, strict=True)
    return pa.table([pa.array(c) for c in columns], names=list(NAMES))


def feather() -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(arrow_people(), out)
    return out.getvalue()


def ipc_stream() -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_stream(out, arrow_people().schema) as stream:
        stream.write_table(arrow_people())
    return out.getvalue()


def sqlite(*statements: str) -> bytes:
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(";".join(statements) + ";")
        return base.serialize()


SQL_PEOPLE = (
    "create table people (name text, age integer, pay real)",
    *(f"insert into people values ('{n}', {a}, {p})" for n, a, p in PEOPLE),
)


def workbook(**sheets: list[list[Any]]) -> bytes:
    """The smallest .xlsx: inline words, numbers, and dates as days since 1899-12-30."""
    out = io.BytesIO()
    main, rels = (
        "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    )
    package = "http://schemas.openxmlformats.org/package/2006"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        parts = "".join(
            f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{kind}.worksheet+xml"/>'
            for i in range(1, len(sheets) + 1)
        )
        book.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="{kind}.styles+xml"/>{parts}</Types>',
        )
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{rels}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        listed = "".join(
            f'<sheet name="{escape(n)}" sheetId="{i}" r:id="r{i}"/>'
            for i, n in enumerate(sheets, 1)
        )
        book.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{rels}"><sheets>{listed}</sheets></workbook>',
        )
        related = "".join(
            f'<Relationship Id="r{i}" Type="{rels}/worksheet" Target="worksheets/sheet{i}.xml"/>'
            for i in range(1, len(sheets) + 1)
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}/relationships">{related}<Relationship Id="s" Type="{rels}/styles" Target="styles.xml"/></Relationships>',
        )
        book.writestr(
            "xl/styles.xml",
            f'<styleSheet xmlns="{main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
        )
        for i, rows in enumerate(sheets.values(), 1):
            book.writestr(
                f"xl/worksheets/sheet{i}.xml",
                f'<worksheet xmlns="{main}"><sheetData>{"".join(map(_sheet_row, range(1, len(rows) + 1), rows))}</sheetData></worksheet>',
            )
    return out.getvalue()


def changed(book: bytes, part: str, *swaps: tuple[str, str]) -> bytes:
    """The workbook with other text in one of its parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as held, zipfile.ZipFile(out, "w") as made:
        for name in held.namelist():
            text = held.read(name).decode()
            for old, new in swaps if name.endswith(part) else ():
                assert old in text
                text = text.replace(old, new, 1)
            made.writestr(name, text)
    return out.getvalue()


def _sheet_row(number: int, row: list[Any]) -> str:
    cells = ""
    for place, value in enumerate(row):
        at = f"{chr(65 + place)}{number}"
        if isinstance(value, str):
            cells += f'<c r="{at}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
        elif isinstance(value, date):
            cells += f'<c r="{at}" s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
        elif value is not None:
            cells += f'<c r="{at}"><v>{value}</v></c>'
    return f'<row r="{number}">{cells}</row>'


SHEET = [list(NAMES), *map(list, PEOPLE)]
GERMAN = "Name;Straße;Größe\nJürgen Müller;Königsallee 5;1,85\nÄnne Weiß;Grüner Weg 12;1,62\nJörg Groß;Süßer Grund 3;1,79\n"
CHINESE = "姓名,城市,年龄\n王小明,北京,31\n李红,上海,45\n张伟,广州,28\n刘洋,成都,67\n"
JAPANESE = "名前,都市,年齢\n田中太郎,東京,31\n鈴木花子,大阪,45\nさとう,京都,28\nヤマダ,札幌,67\n"
RUSSIAN = (
    "Имя,Город,Возраст\nИван Петров,Москва,31\nМария Иванова,Казань,45\nОльга Смирнова,Тверь,28\n"
)
GERMAN_CELLS = {(0, "Straße"): "Königsallee 5", (2, "Name"): "Jörg Groß", (1, "Größe"): 1.62}

CORPUS: list[Nasty] = [
    # Delimiters
    people("comma", text()),
    people("semicolon", text(";")),
    people("semicolon with decimal comma", text(";", decimal=",")),
    people("tab", text("\t")),
    people("tab with decimal comma", text("\t", decimal=",")),
    people("pipe", text("|")),
    people("caret", text("^")),
    people("tilde", text("~")),
    people("colon", text(":")),
    people("one space", text(" ")),
    people("control A of Hive", text("\x01")),
    people("unit separator", text("\x1f")),
    people("two colons of MovieLens", text("::")),
    people("two bars", text("||")),
    people("delimiter and a space", text(", ")),
    people("columns lined up with spaces", "\n".join(f"{a:<8}{b:>6}{c:>10}" for a, b, c in [NAMES, *PEOPLE]) + "\n"),
    people("sep line of Excel", "sep=;\n" + text(";"), verdict="certain"),
    words("words with spaces parted by two or more", "city      people   area\nNew York  8335897  778.2\nLos Angeles  3822238  1213.9\nSan Jose  971233  466.1\n",
          3, "city|people|area", {(0, "city"): "New York", (2, "area"): 466.1}),
    # Quotes
    people("every value quoted", "\n".join(",".join(f'"{c}"' for c in row) for row in [NAMES, *PEOPLE]) + "\n"),
    people("single quotes", text(quote=lambda s: f"'{s}'")),
    words("delimiters inside quotes", 'who,n\n"Lee, Ann",1\n"Ray; Bob",2\n"a,b,c",3\n', 3, "who|n", {(0, "who"): "Lee, Ann", (2, "who"): "a,b,c"}),
    words("doubled quotes", 'say,n\n"she said ""hi""",1\n"""",2\n', 2, "say|n", {(0, "say"): 'she said "hi"', (1, "say"): '"'}),
    words("backslash before quotes", 'say,n\n"she said \\"hi\\", then",1\n"b",2\n"c",3\n', 3, "say|n", {(0, "say"): 'she said "hi", then'},
          verdict="any"),
    words("line ends inside quotes", 'note,n\n"two\nlines",1\n"three\r\n\nlines",2\nplain,3\n', 3, "note|n", {(0, "note"): "two\nlines", (2, "n"): 3}),
    words("line end in a column name", '"a\nb",n\n1,2\n3,4\n', 2, "a\nb|n", {(1, "n"): 4}),
    words("inches", 'pipe,n\n5" pipe,1\n6" pipe,2\n', 2, "pipe|n", {(0, "pipe"): '5" pipe'}),
    words("quote inside quotes not doubled", 'a,b\n1,"say "hi" now"\n2,x\n3,y\n', 3, "a|b", {(0, "b"): 'say "hi" now'}, verdict="asked", repaired=(2,)),
    words("quote never closed", 'a,b\n1,"x\n2,y\n3,z\n', 3, "a|b", {(0, "b"): '"x', (2, "b"): "z"}, verdict="asked", repaired=(2,)),
    words("quote never closed, late", "a,b\n" + "".join(f"{i},w\n" for i in range(3000)) + '7,"open\n' + "".join(f"{i},w\n" for i in range(500)),
          3501, "a|b", {(3000, "b"): '"open', (-1, "a"): 499}, verdict="asked", repaired=(3002,)),
    words("text after a closing quote", 'a,b\n"x"y,1\n"z",2\n"w",3\n', 3, "a|b", {(0, "a"): '"x"y'}, verdict="asked", repaired=(2,)),
    # Encodings
    people("UTF-8 with a mark", b"\xef\xbb\xbf" + text().encode()),
    people("UTF-16 LE with a mark", b"\xff\xfe" + text().encode("utf-16-le")),
    people("UTF-16 BE with a mark", b"\xfe\xff" + text().encode("utf-16-be")),
    people("UTF-16 LE without a mark", text().encode("utf-16-le")),
    people("UTF-16 BE without a mark", text().encode("utf-16-be")),
    people("UTF-32 with a mark", text().encode("utf-32")),
    words("UTF-8 German", GERMAN, 3, "Name|Straße|Größe", GERMAN_CELLS),
    words("Latin 1", GERMAN.encode("latin-1"), 3, "Name|Straße|Größe", GERMAN_CELLS, verdict="asked", asks=("encoding",)),
    words("Windows 1252 with euro and dashes", "item,price note\nwine,5 € – “cheap”\nbeer,3 €\nsoda,2 €\n".encode("cp1252"), 3, "item|price note",
          {(0, "price note"): "5 € – “cheap”"}, verdict="asked", asks=("encoding",)),
    words("GB 18030", CHINESE.encode("gb18030"), 4, "姓名|城市|年龄", {(0, "城市"): "北京", (3, "年龄"): 67}, verdict="asked", asks=("encoding",)),
    words("Shift JIS", JAPANESE.encode("cp932"), 4, "名前|都市|年齢", {(0, "名前"): "田中太郎", (3, "名前"): "ヤマダ"}, verdict="asked", asks=("encoding",)),
    words("EUC-JP", JAPANESE.encode("euc-jp"), 4, "名前|都市|年齢", {(0, "名前"): "田中太郎"}, verdict="asked", asks=("encoding",)),
    words("Windows 1251", RUSSIAN.encode("cp1251"), 3, "Имя|Город|Возраст", {(0, "Город"): "Москва"}, verdict="asked", asks=("encoding",)),
    words("UTF-8 with one bad byte", ("name,n\n" + "é,1\n" * 40).encode() + b"caf\xe9,2\n" + "ü,3\n".encode(), 42, "name|n", {(40, "name"): "caf\ufffd"},
          verdict="asked", asks=("encoding",), repaired=(42,)),
    words("Latin 1 letter after the sample", b"name,n\n" + b"abcdefgh,1\n" * 9000 + b"M\xfcller,2\n", 9001, "name|n", {(-1, "name"): "Müller"},
          verdict="asked", asks=("encoding",)),
    # Numbers
    words("thousands with commas, quoted", 'what,n,x\na,"1,234,567",1.5\nb,"12,345",2.5\nc,999,3.5\n', 3, "what|n|x", {(0, "n"): 1234567, (2, "n"): 999}),
    words("thousands with points, decimal comma", "what;n\na;1.234.567,5\nb;12.345,25\nc;0,5\n", 3, "what|n", {(0, "n"): 1234567.5, (2, "n"): 0.5}),
    words("thousands with spaces", "what;n\na;1 234 567\nb;12 345\nc;999\n", 3, "what|n", {(0, "n"): 1234567, (2, "n"): 999}),
    words("thousands with apostrophes", "what;n\na;1'234.50\nb;12'345.00\nc;999.25\n", 3, "what|n", {(0, "n"): 1234.5}),
    words("1,234 alone, with semicolons", "what;n\na;1,234\nb;5,678\nc;9,999\n", 3, "what|n", verdict="asked", asks=("decimal",)),
    words("codes with leading zeros", "zip,n\n01234,1\n10001,2\n90210,3\n", 3, "zip|n", {(0, "zip"): "01234", (1, "zip"): "10001"}, kinds={"zip": "words"}),
    words("a leading zero after a million bytes", "id,n\n" + "".join(f"{i},{i % 7}\n" for i in range(100_000, 200_000)) + "007,1\n", 100_001, "id|n",
          {(0, "id"): "100000", (-1, "id"): "007"}, kinds={"id": "words"}),
    words("a quoted leading zero", 'id,n\n"12",1\n"007",2\n"13",3\n', 3, "id|n", {(1, "id"): "007"}),
    words("digits too long for a float", "card,n\n4111111111111111,1\n4222222222222222,2\n", 2, "card|n", {(0, "card"): "4111111111111111"}),
    words("digits too long for 64 bits", "k,n\n123456789012345678901234,1\n223456789012345678901234,2\n", 2, "k|n", {(0, "k"): "123456789012345678901234"}),
    words("a whole column until the last row", "n,w\n" + "".join(f"{i},a\n" for i in range(20_000)) + "1.5,a\n", 20_001, "n|w", {(0, "n"): 0.0, (-1, "n"): 1.5}),
    words("numbers until a word at the end", "n,w\n" + "1.50,a\n" * 20_000 + "abc,a\n", 20_001, "n|w", {(0, "n"): "1.50", (-1, "n"): "abc"}, kinds={"n": "words"}),
    words("plus and minus signs", "n,w\n+5,a\n−7,b\n-3,c\n", 3, "n|w", {(0, "n"): 5, (1, "n"): -7}),
    words("scientific notation", "x,w\n1e-5,a\n2.5E+3,b\n", 2, "x|w", {(0, "x"): 1e-5, (1, "x"): 2500.0}),
    words("infinite and huge numbers", "x,w\n1e300,a\n-inf,b\ninf,c\n1.5,d\n", 4, "x|w", {(0, "x"): 1e300, (1, "x"): -math.inf, (3, "x"): 1.5}),
    words("both decimal signs in a file", "a;b;w\n1.5;2,5;x\n3.25;4,75;y\n", 2, "a|b|w", verdict="asked", asks=("decimal",)),
    # Missing words
    words("question marks and NA among numbers", "a,b,w\n1,?,x\nNA,2,y\n-,3,z\n,4,x\n", 4, "a|b|w", {(1, "a"): None, (0, "b"): None, (3, "a"): None},
          kinds={"a": "integer", "b": "integer"}, missing={"a": ("NA", "-", ""), "b": ("?",)}),
    words("a word among numbers", "a,w\n1,x\n2,y\nmany,z\n", 3, "a|w", {(0, "a"): "1", (2, "a"): "many"}, kinds={"a": "words"}),
    words("None is a word among words", "tea,n\nGreen,1\nNone,2\nBlack,3\nNone,4\n", 4, "tea|n", {(1, "tea"): "None"}),
    words("plus and minus as words", "sign,n\n+,1\n-,2\n+,3\n", 3, "sign|n", {(1, "sign"): "-"}),
    words("Namibia", "country,n\nDE,1\nNA,2\nFR,3\nUS,4\n", 4, "country|n", verdict="asked", asks=("missing",)),
    words("a column without any value", "a,b,c\n1,,x\n2,,y\n", 2, "a|b|c", {(0, "b"): None}),
    # Dates and yes/no
    words("ISO dates", "day,n\n2020-01-31,1\n2020-02-29,2\n", 2, "day|n", {(1, "day"): date(2020, 2, 29)}, kinds={"day": "date"}),
    words("days before months", "day,n\n31/12/2020,1\n01/02/2021,2\n", 2, "day|n", {(0, "day"): date(2020, 12, 31), (1, "day"): date(2021, 2, 1)}),
    words("months before days", "day,n\n12/31/2020,1\n01/02/2021,2\n", 2, "day|n", {(1, "day"): date(2021, 1, 2)}),
    words("day or month first", "day,n\n01/02/2021,1\n03/04/2021,2\n", 2, "day|n", verdict="asked", asks=("dates",)),
    words("dates with points", "day;n\n31.12.2020;1\n1.2.2021;2\n", 2, "day|n", {(1, "day"): date(2021, 2, 1)}),
    words("dates with times", "at,n\n2020-01-31 23:59:00,1\n2020-02-01 00:00:30,2\n", 2, "at|n", {(0, "at"): datetime(2020, 1, 31, 23, 59)}),
    words("the thirtieth of February", "day,n\n28/02/2021,1\n30/02/2021,2\n", 2, "day|n", {(1, "day"): "30/02/2021"}, kinds={"day": "words"}),
    words("times stay words", "at,n\n08:30,1\n17:05,2\n", 2, "at|n", {(0, "at"): "08:30"}),
    words("yes and no", "ok,n\nyes,1\nno,2\nyes,3\n", 3, "ok|n", {(0, "ok"): "yes"}, kinds={"ok": "yes/no"}),
    words("true and false", "ok,n\nTrue,1\nFalse,2\n", 2, "ok|n", {(0, "ok"): True}, kinds={"ok": "yes/no"}),
    # Before, after and between
    people("comment lines above", "# made by hand\n# on a Monday, in May, twice\n" + text(), verdict="certain"),
    people("comment lines between", text().replace("Cy", "# half way\nCy"), verdict="certain"),
    words("a hash before the names", "#id,n\n1,2\n3,4\n", 2, "#id|n", {(1, "n"): 4}),
    people("lines before the table", "Report of the office\n\nJune 2020, draft\n" + text(), verdict="asked", asks=("skip",)),
    people("a total after the table", text() + "Total,,4736.1\n", verdict="asked", asks=("footer",)),
    words("a total below numbers of persons", "id,n\n101,5\n102,7\n103,2\n104,6\nTotal,20\n", 4, "id|n", {(3, "id"): 104}, kinds={"id": "integer"}, verdict="asked", asks=("footer",)),
    words("a total below a share and a price", "id;price;on;share\n1;€ 2,50;3 May 2020;\n2;€ 3,50;4 May 2020;5,5\n3;€ 4,50;6 May 2020;6,5\n4;€ 5,50;9 May 2020;7,5\nTotal;€ 16,00;–;–\n", 4, "id|price|on|share", {(3, "on"): date(2020, 5, 9), (3, "share"): 7.5}, kinds={"id": "integer"}, verdict="asked", asks=("footer",)),
    words("workbook with a total below numbers", workbook(S=[["n", "id"], *[[i, 100 + i] for i in range(1, 6)], [15, "Total"]]), 5, "n|id", kinds={"id": "integer"}, verdict="asked", asks=("footer",)),
    people("a source after the table", text() + "\nSource: the office\n", verdict="asked", asks=("footer",)),
    people("blank lines between", text().replace("\n", "\n\n")),
    words("blank lines in one column", "n\n1\n\n3\n", 2, "n", {(1, "n"): 3}, verdict="asked", asks=("blank",)),
    words("one column", "n\n1\n2\n3\n", 3, "n", {(2, "n"): 3}),
    words("one column of cities", "city\nNew York\nRome\nSan Jose\n", 3, "city", {(0, "city"): "New York"}),
    people("no line end at the end", text().rstrip("\n")),
    people("Windows line ends", text(end="\r\n")),
    people("old Macintosh line ends", text(end="\r")),
    people("mixed line ends", text().replace("\nB", "\r\nB").replace("\nE", "\rE")),
    people("spaces around values", text(" , ")),
    people("a delimiter at the end of every line", text().replace("\n", ",\n")),
    people("a delimiter at the end of every row but not of the header", text().replace("\n", ",\n").replace(",\n", "\n", 1)),
    people("zero bytes at the end", text().encode() + b"\0" * 64),
    words("zero bytes in a value", b"a,b\nx\0y,1\nz,2\n", 2, "a|b", {(0, "a"): "xy"}, verdict="asked", repaired=(2,)),
    # Names
    words("no header", "5.1,3.5,setosa\n4.9,3.0,setosa\n6.2,2.9,virginica\n", 3, "column 1|column 2|column 3", {(0, "column 1"): 5.1}),
    words("years as names", "country,1990,1991\nItaly,56.7,56.8\nSpain,38.9,39.0\n", 2, "country|1990|1991", {(0, "1990"): 56.7}, verdict="any"),
    words("words without names", "red,round\nblue,square\nred,square\nblue,round\nred,round\n", 5, "column 1|column 2", verdict="asked", asks=("header",)),
    words("the same name twice", "a,a,b,a\n1,2,3,4\n5,6,7,8\n", 2, "a|a.1|b|a.2", {(1, "a.2"): 8}),
    words("a name that numbering would repeat", "a,a.1,a\n1,2,3\n4,5,6\n", 2, "a|a.1|a.2", {(0, "a.2"): 3}),
    words("a blank name", ",x\n1,2\n3,4\n", 2, "Unnamed: 0|x", {(1, "Unnamed: 0"): 3}),
    words("row names of R", '"x" "y"\n"1" 5.5 6\n"2" 7.5 8\n', 2, "Unnamed: 0|x|y", {(0, "x"): 5.5, (1, "y"): 8}, verdict="asked", asks=("header",)),
    # Where nobody could tell: a person decides
    words("a bar in some values of one column", "city0\ntwo lines\n50%\nper|pipe\n50%\nper|pipe\n", 5, "city0", {(2, "city0"): "per|pipe"}, verdict="asked",
          asks=("delimiter",)),
    words("two words on each of two lines", "Total pay\nBlue moon\n", 1, "Total|pay", verdict="asked", asks=("delimiter",)),
    words("first and last names, or names", "Full name\nAnn Lee\nBob Ray\nCy Dee\n", 3, "Full|name", verdict="asked", asks=("delimiter",)),
    words("one word over one number", "O'Neil\n50%\n", 1, "O'Neil", verdict="asked", asks=("header",)),
    words("decimal commas behind a space, below a title with a comma", "made by hand, draft\n" + "".join(f"{i} -{i % 7},{i % 90 + 10}\n" for i in range(20, 60)), 40,
          "made by hand|draft", verdict="asked", asks=("delimiter",)),
    words("a title above one column of words", "written by a program, draft\ncolour\n" + "blue\nred\nred\n" * 4 + "green\n", 14, "written by a program, draft",
          verdict="asked", asks=("skip",)),
    words("a title with a comma above two columns of words", "written by a program, draft\ncolour,shape\n" + "blue,round\nred,square\nred,round\n" * 4 + "grey,oval\n", 14,
          "written by a program|draft", verdict="asked", asks=("skip",)),
    words("three sentences above words without a name", "one, a\ntwo, b\nthree, c\n" + "grey\nblue\ngrey\ngrey\n" * 4 + "green\n", 19, "one, a",
          {(2, "one, a"): "grey"}, verdict="asked", asks=("skip",)),
    words("a backslash before a quote in one column", 'said\n""\nyes\nsay \\"hi\\"\nno\n"x"\n', 5, "said", {(2, "said"): 'say \\"hi\\"'}, verdict="asked",
          asks=("escape",)),
    words("single quotes around two lines", "68364~'two\nlines'~2026-08-22\n", 1, "column 1|column 2|column 3", {(0, "column 2"): "two\nlines"}, verdict="any"),
    words("a word of the first row again in the only other one", "naïve,Blue moon\n50%,naïve\n", 1, "naïve|Blue moon", verdict="asked", asks=("header",)),
    words("single quotes at the start of lines that end as on an old Macintosh", "pay|city|age\r'per|pipe'|88891|-687.8\r'x'|1|2\r", 2, "pay|city|age",
          {(0, "pay"): "per|pipe", (0, "age"): -687.8}),
    # Ragged
    words("a short row", "a,b,c\n1,2,3\n4,5\n6,7,8\n", 3, "a|b|c", {(1, "b"): 5, (1, "c"): None}, verdict="asked", repaired=(3,)),
    words("a long row", "a,b,c\n1,2,3\n4,5,6,7\n8,9,10\n", 2, "a|b|c", {(1, "c"): 10}, verdict="asked", refused=(3,)),
    words("a long row after the sample", "a,b\n" + "1,2\n" * 50_000 + "3,4,5\n" + "6,7\n", 50_001, "a|b", {(-1, "a"): 6}, verdict="asked", refused=(50_002,)),
    words("a free comma in many rows", "who,n\n" + "".join(f"p{i},{i}\n" for i in range(20)) + "Lee, Ann,5\nRay, Bob,6\n", 20, "who|n",
          verdict="asked", refused=(22, 23)),
    words("cut in the middle of a row", text()[:-9], 6, "name|age|pay", {(4, "age"): 39}, verdict="asked", repaired=(7,)),
    # Packed
    people("gzip", gzip.compress(text().encode())),
    people("two gzip members", gzip.compress(text().encode()[:30]) + gzip.compress(text().encode()[30:])),
    people("xz", lzma.compress(text().encode())),
    people("bzip2", bz2.compress(text().encode())),
    people("zstd", zstd(text().encode())),
    people("zip", zipped(t__csv=text().encode())),
    people("zip beside a Macintosh shadow", zipped(t__csv=text().encode(), shadow__csv=b"\0\5")),
    people("gzip of gzip", gzip.compress(gzip.compress(text().encode()))),
    people("zip of two tables", zipped(a__csv=text().encode(), b__csv=b"x\n1\n"), verdict="asked", asks=("part",)),
    people("parquet in gzip", gzip.compress(parquet(arrow_people()))),
    # Other formats
    people("Parquet", parquet(arrow_people())),
    people("Feather", feather()),
    people("Arrow stream", ipc_stream()),
    people("sums below without a word", text() + ",262,4737.1\n", verdict="asked", asks=("footer",)),
    people("a total and means below", text() + "Total,262,4737.1\nMean,43.6667,789.5167\n", verdict="asked", asks=("footer",)),
    people("sums below in a workbook", workbook(S=[*SHEET, [None, 262, 4737.1]]), verdict="asked", asks=("footer",)),
    words("no sums below", "a,n,m\nx,1,2\ny,2,3\nz,3,4\nw,4,1\n,10,9\n", 5, "a|n|m", {(4, "a"): None, (4, "n"): 10}),
    words("sums in a row that misses nothing", "a,n\n1,1\n2,2\n3,4\n6,7\n", 4, "a|n", {(3, "n"): 7}),
    words("sums where others miss a value too", "a,n\nx,1\n,2\nz,4\n,7\n", 4, "a|n", {(3, "n"): 7}),
    people("a lost comma made up for by one in quotes", text() + 'Fay"Lee, Jo",3\n', verdict="asked", rows=7, repaired=(8,),
        cells={(5, "age"): "52", (6, "pay"): 3.0}),
    people("the same behind a space", text() + 'Fay "Lee, Jo",3\n', verdict="asked", rows=7, repaired=(8,), cells={(6, "pay"): 3.0}),
    words("inches and words in quotes, none of them around a comma", 'pipe,wall,n\n6" long,12" wide,1\n4",3",2\nsay "hi" to,you,3\n"a ""b, c","d""",4\n',
        4, "pipe|wall|n", {(0, "pipe"): '6" long', (1, "wall"): '3"', (2, "pipe"): 'say "hi" to', (3, "pipe"): 'a "b, c'}),
    people("JSON lines", "\n".join(json.dumps(dict(zip(NAMES, row, strict=True))) for row in PEOPLE) + "\n"),
    people("JSON array", json.dumps([dict(zip(NAMES, row, strict=True)) for row in PEOPLE], indent=1)),
    people("JSON of columns", json.dumps({n: [row[i] for row in PEOPLE] for i, n in enumerate(NAMES)}), verdict="asked", asks=("outer",)),
    people("JSON of columns by the names of the rows", json.dumps({n: {str(k): row[i] for k, row in enumerate(PEOPLE)} for i, n in enumerate(NAMES)}), verdict="asked", asks=("outer",)),
    people("JSON of rows below their names", json.dumps([NAMES, *PEOPLE])),
    people("JSON of columns in an object", json.dumps({"n": 6, "rows": {n: [row[i] for row in PEOPLE] for i, n in enumerate(NAMES)}}), verdict="asked", asks=("part", "outer")),
    words("JSON lines with a list among them", '{"a": 1}\n{"a": 2}\n[3, 4]\n{"a": 3}\n', 3, "a", {(2, "a"): 3}, verdict="asked", refused=(3,)),
    words("JSON of lists with an object among them", '[["a", "b"], [1, 2], {"a": 3}, [4, 5]]', 2, "a|b", {(1, "b"): 5}, verdict="asked", refused=(3,)),
    words("JSON of one row that holds a list", '{"name": "x", "tags": ["a", "b"]}', 1, "name|tags", {(0, "name"): "x"}),
    words("JSON lines with names that come and go", '{"a": 1}\n{"b": "x", "a": 2.5}\n{"b": null, "c": {"d": [1]}}\n', 3, "a|b|c",
          {(1, "a"): 2.5, (2, "a"): None, (2, "c"): '{"d": [1]}'}),
    words("JSON lines with a broken one", '{"a": 1}\n{"a": 2,}\n{"a": 3}\n', 2, "a", {(1, "a"): 3}, verdict="asked", refused=(2,)),
    people("SQLite", sqlite(*SQL_PEOPLE)),
    people("SQLite with two tables", sqlite(*SQL_PEOPLE, "create table other (x)", "insert into other values (1)"), verdict="asked", asks=("part",)),
    words("SQLite with words among numbers", sqlite("create table t (a, b)", "insert into t values (1, 'x'), ('NA', 'y'), (3, null)"), 3, "a|b",
          {(1, "a"): None, (2, "a"): 3, (2, "b"): None}),
    people("workbook", workbook(People=SHEET)),
    people("workbook with two sheets", workbook(People=SHEET, Notes=[["a"], ["b"]]), verdict="asked", asks=("part",)),
    people("workbook with a title and a total", workbook(S=[["Report 2020"], [], *SHEET, ["Total", None, 4736.1]]), verdict="asked", asks=("skip", "footer")),
    people("workbook that begins in the second column", workbook(S=[[], *[[None, *row] for row in SHEET]])),
    words("workbook with dates and codes", workbook(S=[["day", "zip", "n"], [date(2020, 1, 31), "01234", 1], [date(2020, 2, 29), "90210", None]]), 2, "day|zip|n",
          {(1, "day"): date(2020, 2, 29), (0, "zip"): "01234", (1, "n"): None}),
    # Refused
    Nasty("nothing", b"", "refused", says="0 bytes"),
    Nasty("blank lines alone", b"\n \n\n", "refused", says="no columns"),
    Nasty("a header alone", b"name,age\n", "refused", says="no rows"),
    Nasty("every byte", bytes(range(256)) * 20, "refused", says="not text"),
    Nasty("a picture", b"\x89PNG\r\n\x1a\n" + bytes(100), "refused", says="picture"),
    Nasty("a web page", b"<!DOCTYPE html><html><body>404</body></html>\n", "refused", says="web page"),
    Nasty("gzip cut short", gzip.compress(text().encode() * 50)[:-30], "refused", says="compressed"),
    Nasty("gzip with a wrong sum", gzip.compress(text().encode())[:-8] + b"\1\2\3\4\5\6\7\10", "refused", says="compressed"),
    Nasty("xz cut short", lzma.compress(text().encode() * 50)[:-30], "refused", says="compressed"),
    Nasty("zstd cut short", zstd(text().encode() * 50)[:-10], "refused", says="compressed"),
    Nasty("bzip2 cut short", bz2.compress(text().encode() * 50)[:-10], "refused", says="compressed"),
    Nasty("zip cut short", zipped(t__csv=text().encode() * 50)[:-30], "refused", says="compressed"),
    Nasty("a zip without files", zipped(), "refused", says="0 files"),
    Nasty("gzip five times", gzip.compress(gzip.compress(gzip.compress(gzip.compress(b"a,b\n1,2\n")))), "refused", says="more than twice"),
    Nasty("Parquet cut short", parquet(arrow_people())[:-20], "refused", says="Parquet"),
    Nasty("Feather cut short", feather()[:-20], "refused", says="Arrow"),
    Nasty("SQLite cut short", sqlite(*SQL_PEOPLE)[:3000], "refused", says="database"),
    Nasty("SQLite without tables", sqlite("create table t (a)", "drop table t"), "refused", says="without tables"),
    Nasty("workbook cut short", workbook(S=SHEET)[:-40], "refused", says="compressed"),
    Nasty("a workbook without cells", workbook(S=[]), "refused", says="without any cells"),
    Nasty("an old workbook that is none", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000), "refused", says="workbook"),
    Nasty("JSON array cut short", b'[{"a": 1},\n {"a": 2', "refused", says="line 2"),
]  # fmt: skip
