"""Read in parts as in one: clean text in small blocks, columns of Parquet group by group, and those
in memory when they are asked for."""

from __future__ import annotations

import io
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fuzz_reading import attempt, known_table

from dpstudio.files import arrow_columns
from dpstudio.files.arrow_columns import from_parquet, from_table
from dpstudio.files.read import choices, opening, outcome, source
from dpstudio.files.read.text import dialects, feed
from dpstudio.files.read.typing import evidence
from dpstudio.files.read.typing.column_types import finished

# Each widens in the middle: numbers, dates to moments, codes, numbers too long, words after
# numbers, blanks before anything.
ROWS = ["n,d,z,l,w,b,q"] + [
    f'{i},2020-01-{1 + i % 28:02d},{i + 10},{i},{i},,"x,""y""\nline {i}"'
    if i < 60
    else f"{i}.5,2020-01-{1 + i % 28:02d} 10:0{i % 10}:00,{i:03d},"
    f'{i}{"1234567890" * 2},w{i},{i},"z"'
    for i in range(120)
]
WIDENING = ("\n".join(ROWS) + "\n").encode()


@pytest.mark.parametrize("odd", ["", " yes", "no ", "NA", "-", "?", "n/a", "\tno", "maybe"])
def test_few_words_tell_what_the_rows_do(odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where distinct words are few they are asked instead of the rows, late odd ones included."""
    words = pa.chunked_array([["yes", None, "no"] * 400, ["yes", odd]])

    def typed() -> tuple[list[object], object]:
        held = evidence.column("a", words, choices.Choices())
        array, read = finished(held, evidence.TypingChoices(), choices.Choices())
        return array.to_pylist(), read

    few = typed()
    assert evidence.column("a", words, choices.Choices()).few is not None
    monkeypatch.setattr(evidence, "_FEW", -1)
    assert evidence.column("a", words, choices.Choices()).few is None
    values, read = typed()
    if odd == "\tno":  # the rows are asked for spaces alone, the words for any blank
        values[-1], read = "no", few[1]
    assert few == (values, read)


@pytest.mark.parametrize("size", [70, 1 << 21])
def test_nan_is_missing_among_numbers_and_a_word_among_words(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "_FIRST", size)
    monkeypatch.setattr(feed, "_BLOCK", size)
    body = (
        "n,x,w\n" + "".join(f"{i},{i}.5,a\n" for i in range(60)) + "NaN,NAN,NaN\n" + "7,1,b\n" * 9
    )
    read = opening.read_text(body, choices=choices.Choices().with_(missing="blank"))
    assert read.table.to_pylist()[59:62] == [
        {"n": 59, "x": 59.5, "w": "a"},
        {"n": None, "x": None, "w": "NaN"},
        {"n": 7, "x": 1.0, "w": "b"},
    ]
    assert [column.missing for column in read.columns] == [(("", 1),), (("", 1),), ()]


@pytest.mark.parametrize("size", [70, 300, 1000])
def test_small_blocks_are_as_one(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialects, "detect", cache(dialects.detect))  # of the start, not of blocks
    bodies = [WIDENING, *(known_table(random.Random(seed)).body for seed in range(size, size + 40))]
    whole = [attempt(body) for body in bodies]
    monkeypatch.setattr(feed, "_FIRST", size)
    monkeypatch.setattr(feed, "_BLOCK", size)
    for body, one in zip(bodies, whole, strict=True):
        found = attempt(body)
        assert type(found) is type(one), body
        if isinstance(found, outcome.Read) and isinstance(one, outcome.Read):
            assert found.table.equals(one.table), body
    first = attempt(WIDENING)
    assert isinstance(first, outcome.Read)
    rows = first.table.to_pylist()
    assert rows[70] == {
        "n": 70.5,
        "d": datetime(2020, 1, 15, 10),
        "z": "070",
        "l": "7012345678901234567890",
        "w": "w70",
        "b": 70,
        "q": "z",
    }
    assert rows[3] == {
        "n": 3,
        "d": datetime(2020, 1, 4),
        "z": "13",
        "l": "3",
        "w": "3",
        "b": None,
        "q": 'x,"y"\nline 3',
    }


def test_parquet_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gaps that come late, words that come late or are missing, and codes of each group on their
    own."""
    monkeypatch.setattr(arrow_columns, "_MANY", 4)
    table = pa.table(
        {
            "i": pa.array([*range(9), None, 10]),
            "w": pa.array(["b", "a", "b", None, "c", "a", "a", "", "b", "d", None]),
            "y": pa.array([True, None, False, True, True, None, False, False, True, True, True]),
            "d": pa.array([date(2020, 1, 1 + i) if i % 4 else None for i in range(11)]),
        }
    )
    file = io.BytesIO()
    pq.write_table(table, file, row_group_size=2)
    for words in ([], ["w"]):
        columns = from_parquet(pq.ParquetFile(file, read_dictionary=words))
        np.testing.assert_array_equal(columns.numbers(0), [*range(9), np.nan, 10])
        for place in (1, 2):
            codes, told = columns.codes(place)
            assert codes.dtype == np.int32
            held = [None if v is None else str(v) for v in table.column(place).to_pylist()]
            assert [None if c < 0 else told[c] for c in codes] == held
        assert np.isnan(columns.numbers(3)).tolist() == [i % 4 == 0 for i in range(11)]
        assert columns.absent(1).sum() == 2
        assert columns.cells(3, 6) == [
            (3, None, True, date(2020, 1, 4)),
            (4, "c", True, None),
            (5, "a", None, date(2020, 1, 6)),
        ]


def test_columns_in_memory_are_made_over_once() -> None:
    """By whichever thread asks first; the rows that are shown stay as they are."""
    table = pa.concat_tables(
        [
            pa.table({"w": ["a", "b", None], "n": [1, 2, 3]}),
            pa.table({"w": ["b", "c", "a"], "n": [4, 5, 6]}),
        ]
    )
    columns = from_table(table)
    before = columns.cells(0, 6)
    with ThreadPoolExecutor(8) as pool:
        every = list(pool.map(lambda _: columns.codes(0)[0].tolist(), range(40)))
    assert every == [[0, 1, -1, 1, 2, 0]] * 40
    assert np.shares_memory(columns.numbers(1), columns.numbers(1))
    assert (
        columns.cells(0, 6)
        == before
        == list(zip(table.column(0).to_pylist(), table.column(1).to_pylist(), strict=True))
    )


def test_a_parquet_file_that_is_replaced_is_read_as_it_was(tmp_path: Path) -> None:
    """What was opened is read, not what stands at its path by then."""
    path, other = tmp_path / "t.parquet", tmp_path / "other.parquet"
    for moment in range(8):
        pq.write_table(pa.table({"a": [1, 2, 3]}), path)
        pq.write_table(pa.table({"b": [1]}), other)
        asked = iter(range(1_000_000))
        watch = source.Watch(
            cancelled=lambda asked=asked, moment=moment: bool(
                next(asked) == moment and other.replace(path) and False
            )
        )  # type: ignore[misc]
        assert opening.read_file(path, watch).table.column_names == ["a"]
