"""The same told choices mean the same in every format: what a value is does not follow from whether
its format holds numbers, or texts of them."""

import contextlib
import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from nasty import workbook
from neighbours import BASE, JSON, LINES, TOLD, TYPED
from polluted import Polluted, documents

from dpstudio.data.columns import spelled
from dpstudio.files.read import opening, outcome, source
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.told import settled, untold
from dpstudio.files.tables import open_table

KINDS = ("integer", "number", "date", "words")
VALUES: dict[str, list[Any]] = {
    "whole": [0, -7, 2020, 20200420, 10**15, 2**53 - 1, -99, None],
    "tenths": [0.5, -1.234, 1234.5, 2020.0, 20200420.0, 1e-7, 1e300, -99.5, None],
    "texts": ["1,5", "1.234", "1,234", "2020.0", "20200420,0", " x ", "NA", "-", "zzz", "", None],
    "codes": ["12345678901234567", "0123", "1234567890123456.7", "true", "2020-05-03", "1e17"],
    "truth": [True, False, None],
}


def _csv(values: list[Any], told: Choices) -> bytes:
    """As a program writes it that has the decimal mark that is told."""
    out, comma = io.StringIO(), told.decimal == "comma"
    made = [repr(v).replace(".", ",") if comma and type(v) is float else v for v in values]
    csv.writer(out, lineterminator="\n").writerows([KINDS, *([v] * len(KINDS) for v in made)])
    return out.getvalue().encode()


def _rows(values: list[Any]) -> list[dict[str, Any]]:
    return [dict.fromkeys(KINDS, value) for value in values]


def _table(values: list[Any]) -> pa.Table:
    return pa.table(dict.fromkeys(KINDS, pa.array(values)))


def _parquet(values: list[Any], told: Choices) -> bytes:
    out = io.BytesIO()
    pq.write_table(_table(values), out)
    return out.getvalue()


def _feather(values: list[Any], told: Choices) -> bytes:
    out = io.BytesIO()
    pa.feather.write_feather(_table(values), out)
    return out.getvalue()


def _database(values: list[Any], told: Choices) -> bytes:
    """Columns without affinity, which hold what they are given."""
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.execute("create table t (integer, number, date, words)")
        base.executemany("insert into t values (?, ?, ?, ?)", [(v,) * 4 for v in values])
        base.commit()
        return bytes(base.serialize())


WAYS: dict[str, tuple[Choices, Callable[[list[Any], Choices], bytes]]] = {
    "t.csv": (TOLD, _csv),
    "t.jsonl": (LINES, lambda values, _: "\n".join(map(json.dumps, _rows(values))).encode()),
    "t.json": (JSON, lambda values, _: json.dumps(_rows(values)).encode()),
    "columns.json": (
        JSON.with_(outer="columns"),
        lambda values, _: json.dumps(dict.fromkeys(KINDS, values)).encode(),
    ),
    "t.parquet": (TYPED, _parquet),
    "t.feather": (TYPED, _feather),
    "t.sqlite": (BASE, _database),
}


def _held(path: Path, told: Choices) -> list[Any]:
    """What a table says of its columns, words as they are compared."""
    data, made = open_table(str(path), choices=told), list[Any]()
    for place, column in enumerate(data.columns):
        codes, words = spelled(*data._table.codes(place), data.spelling)
        read = [words[code] if code >= 0 else None for code in codes]
        if column.ordered:  # as one without values is none of integers
            read = data._table.numbers(place).astype(float).tolist()
        made.append((column, str(read), list(data._table.absent(place))))
    return made


@pytest.mark.parametrize("decimal", ["point", "comma"])
@pytest.mark.parametrize("values", VALUES)
def test_what_is_told_means_the_same_in_every_format(
    values: str, decimal: str, tmp_path: Path
) -> None:
    types = tuple(f"{kind}={kind}" for kind in KINDS)
    more = {"types": types, "missing_words": ("zzz", "-99", "-99.5", "-99,5"), "units": "words"}
    made = {}
    for name, (choices, write) in WAYS.items():
        if values == "truth" and name == "t.sqlite":  # which has none
            continue
        told = choices.with_(decimal=decimal, dates="dmy", century="2000", **more)
        (tmp_path / name).write_bytes(write(VALUES[values], told))
        made[name] = _held(tmp_path / name, told)
    for name, held in made.items():
        assert held == made["t.csv"], name


def test_no_number_of_a_file_is_read_with_the_mark_of_its_texts(tmp_path: Path) -> None:
    """1.234 was a thousand and more where texts have decimal commas."""
    for name, (choices, write) in WAYS.items():
        told = choices.with_(decimal="comma", types=tuple(f"{kind}={kind}" for kind in KINDS))
        (tmp_path / name).write_bytes(write([1.234, 1234.5, 7.0], told))
        data = open_table(str(tmp_path / name), choices=told)
        place = KINDS.index("number")
        assert data._table.numbers(place).tolist() == [1.234, 1234.5, 7.0], name


FITTING = {name: write for name, (_, write) in WAYS.items()} | {
    "t.xlsx": lambda values, told: workbook(S=[list(KINDS), *([v] * len(KINDS) for v in values)])
}


@pytest.mark.parametrize("name", FITTING)
def test_a_type_that_is_told_holds_where_the_format_has_types(name: str, tmp_path: Path) -> None:
    """It was kept as it stood, and nothing said so; of years in doubles, as one missing value makes
    them, too."""
    told = Choices(types=tuple(f"{kind}={kind}" for kind in KINDS), outer="columns")
    for values in ([2020, 2021, None], [2020.0, 2021.0, None]):
        (tmp_path / name).write_bytes(FITTING[name](values, told))
        data = open_table(str(tmp_path / name), choices=told)
        assert [c.type for c in data.columns] == ["integer", "number", "date", "category"]
        days = [18262.0, 18628.0]
        for place, wanted in enumerate(([2020, 2021], [2020, 2021], days)):
            assert data._table.numbers(place)[:2].tolist() == wanted


@pytest.mark.parametrize("name", FITTING)
def test_words_that_are_told_to_be_missing_are_so_in_every_format(
    name: str, tmp_path: Path
) -> None:
    told = Choices(missing_words=("-9", "7.5", "zzz"), outer="columns")
    for values, left in (([-9, 3, 4], [3, 4]), ([7.5, 1.5, -9.0], [1.5]), (["zzz", "x"], ["x"])):
        (tmp_path / name).write_bytes(FITTING[name](values, told))
        rows = open_table(str(tmp_path / name), choices=told).cells(0, 9)
        # A double is written so, or as -9.0 in a text.
        kept = [row[0] for row in rows if row[0] is not None and row[0] != -9]
        assert kept == left


@pytest.mark.parametrize("name", ["t.xlsx", "t.jsonl", "t.sqlite"])
def test_texts_alone_say_how_texts_beside_numbers_are_read(name: str, tmp_path: Path) -> None:
    """1.234 stood for a point between thousands as soon as a text had a decimal comma."""
    (tmp_path / name).write_bytes(FITTING[name]([1.234, "7", "2,5", 7.255], Choices()))
    data = open_table(str(tmp_path / name))
    assert data._table.numbers(1).tolist() == [1.234, 7, 2.5, 7.255]
    (tmp_path / name).write_bytes(FITTING[name]([1.234, "7", "2,125", 7.255], Choices()))
    with pytest.raises(outcome.UncertainError) as asked:
        open_table(str(tmp_path / name))
    assert [doubt.choice for doubt in asked.value.preview.doubts] == ["decimal"]
    for decimal, value in (("comma", 2.125), ("point", 2125)):
        data = open_table(str(tmp_path / name), choices=Choices(decimal=decimal))
        assert data._table.numbers(1).tolist() == [1.234, 7, value, 7.255]


def test_long_digits_of_a_typed_file_are_told_to_be_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": [10**17 + 1, 5], "n": [2**53 - 1, -(2**53) + 1]}), path)
    told = settled(opening.read_file(path, source.Watch()))
    assert told.types == ("id=number", "n=integer")
    assert open_table(str(path), choices=told).cells(0, 1) == [(1e17, 2**53 - 1)]


def _whole(document: Polluted) -> bool:
    return document.rows is not None and "JSON" in document.name


@pytest.mark.parametrize("document", [*filter(_whole, documents())], ids=lambda each: each.name)
def test_a_document_is_told_as_it_was_found(document: Polluted, tmp_path: Path) -> None:
    """With all of its rows: names that stand beside them took the first one's place."""
    path = tmp_path / "t.json"
    path.write_bytes(document.body)
    found = opening.read_file(path, source.Watch(), Choices())
    plain = opening.read_file(path, source.Watch(), found.choices)
    told = settled(plain)
    assert not untold(told)
    if told.outer == "columns" and "by the numbers" in document.name:
        with pytest.raises(outcome.TableError, match="JSON lines"):
            opening.read_file(path, source.Watch(), told)
        return
    before, after = (_held(path, each) for each in (plain.choices, told))
    assert len(before[0][2]) == len(document.rows or ())
    assert after == before
