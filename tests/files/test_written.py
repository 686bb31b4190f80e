"""Dates and numbers with units in every way that people write them: read as what they are, and asked
about where they could be something else."""

import json
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from fuzz_reading import attempt

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import Read, UncertainError
from dpstudio.values.messages import render

DAYS = [date(1985, 1, 1) + timedelta(days=331 * i % 12_000) for i in range(1, 40)]
# How a day is written, and what is asked: a century for two digits, and whether it is a day.
DATES: dict[str, tuple[Callable[[date], str], set[str]]] = {
    "20 Apr 2022": (lambda d: f"{d.day} {d:%b %Y}", set()),
    "20 April 2022": (lambda d: f"{d.day} {d:%B %Y}", set()),
    "20. April 2022": (lambda d: f"{d.day}. {d:%B %Y}", set()),
    "20 apr. 2022": (lambda d: f"{d.day} {f'{d:%b}'.lower()}. {d:%Y}", set()),
    "20-Apr-2022": (lambda d: f"{d:%d-%b-%Y}", set()),
    "20/Apr/2022": (lambda d: f"{d:%d/%b/%Y}", set()),
    "April 20, 2022": (lambda d: f"{d:%B} {d.day}, {d:%Y}", set()),
    "APR 20 2022": (lambda d: f"{d:%b %d %Y}".upper(), set()),
    "20-Apr-22": (lambda d: f"{d:%d-%b-%y}", {"century"}),
    "20.04.22": (lambda d: f"{d:%d.%m.%y}", {"century"}),
    "20/04/22": (lambda d: f"{d:%d/%m/%y}", {"century"}),
    "20220420": (lambda d: f"{d:%Y%m%d}", {"days"}),
}


@pytest.mark.parametrize("form", DATES)
@pytest.mark.parametrize("sep", [",", ";", "\t", ""])
def test_a_date_is_a_date_however_it_is_written(form: str, sep: str) -> None:
    write, asks = DATES[form]
    cells = [write(day) for day in DAYS]
    quoted = [f'"{c}"' if sep and sep in c else c for c in cells]
    rows = [f"{c}{sep}{i}" if sep else c for i, c in enumerate(quoted)]
    head = f"day{sep}n" if sep else "day"
    body = "\n".join([head, *rows]).encode() + b"\n"
    found = attempt(body)
    if isinstance(found, UncertainError):
        assert {doubt.choice for doubt in found.preview.doubts} == asks
        found = attempt(body, found.preview.choices)
    else:
        assert not asks
    assert isinstance(found, Read), str(found)
    assert found.table.column("day").to_pylist() == DAYS
    # As it was read, it is read again; and told to be words or numbers, it is left as it is.
    again = attempt(body, found.choices)
    assert isinstance(again, Read)
    assert again.table.equals(found.table)
    left = attempt(body, Choices(dates="words", days="numbers"))
    assert isinstance(left, Read)
    assert [str(value) for value in left.table.column("day").to_pylist()] == cells


@pytest.mark.parametrize(
    "cells",
    [
        ["20 Apr 2022", "31 Apr 2022"],
        ["20 Apr 2022", "April 20, 2022"],
        ["20 Apr 2022", "20 Avr 2022"],
        ["20220420", "20220431"],
        ["20220420", "20229999"],
        ["12022042", "12022043"],
        ["20220420.5", "20220421"],
    ],
)
def test_what_is_no_day_is_none(cells: list[str]) -> None:
    for told in (None, Choices()):
        found = attempt(f"n;d\n1;{cells[0]}\n2;{cells[1]}\n3;{cells[0]}\n".encode(), told)
        assert isinstance(found, Read)
        assert found.columns[1].kind != "date"


def test_the_century_of_a_short_year_is_told() -> None:
    body = b"d,n\n20-Apr-22,1\n21-Apr-70,2\n"
    told = {"window": (2022, 1970), "1900": (1922, 1970), "2000": (2022, 2070)}
    for century, years in told.items():
        found = attempt(body, Choices(century=century))
        assert isinstance(found, Read)
        assert tuple(day.year for day in found.table.column("d").to_pylist()) == years


def test_numbers_that_may_be_days_are_so_in_every_format() -> None:
    """Asked about, and whichever is told is so."""
    rows = [{"d": 20220420 + i, "n": i} for i in range(3)]
    text = "d,n\n" + "".join(f"{r['d']},{r['n']}\n" for r in rows)
    for body in (text, json.dumps(rows), text.replace("20220421", "NA")):
        found = attempt(body.encode())
        assert isinstance(found, UncertainError)
        assert [doubt.values for doubt in found.preview.doubts] == [("days", "numbers")]
        for choices, kind in ((Choices(days="days"), "date"), (Choices(days="numbers"), "integer")):
            read = attempt(body.encode(), choices)
            assert isinstance(read, Read)
            assert read.columns[0].kind == kind


# A unit, how 1234.5 and -7 are written with it, and the choices that these words need.
UNITS = [
    ("$", "$1,234.50", "-$7.00"),
    ("$", "$1234.5", "$-7"),
    ("€", "1.234,50 €", "-7,00 €"),
    ("€", "€ 1.234,50", "€ -7,00"),
    ("€", "1 234,50\u00a0€", "-7,00\u00a0€"),
    ("CHF", "CHF 1'234.50", "CHF -7.00"),
    ("CHF", "1'234.50 CHF", "-7.00 CHF"),
    ("£", "£1,234.50", "-£7.00"),
    ("%", "1234.5%", "-7%"),
    ("%", "1.234,5 %", "-7,0 %"),
]


@pytest.mark.parametrize(("unit", "large", "small"), UNITS)
def test_the_unit_of_numbers_is_kept_and_shown(unit: str, large: str, small: str) -> None:
    body = f"w;p\na;{large}\nb;{small}\nc;\nd;NA\n".encode()
    found = attempt(body)
    if unit == "%":
        assert isinstance(found, UncertainError)
        assert {doubt.choice for doubt in found.preview.doubts} == {"units"}
        share = attempt(body, Choices(units="fractions"))
        assert isinstance(share, Read)
        assert share.table.column("p").to_pylist() == [12.345, -0.07, None, None]
        found = attempt(body, found.preview.choices)
    assert isinstance(found, Read), str(found)
    assert found.table.column("p").to_pylist() == [1234.5, -7, None, None]
    column = found.columns[1]
    assert (column.kind, column.unit) == ("number", unit)
    assert f"in {unit}" in " ".join(map(render, column.notes))
    words = attempt(body, Choices(units="words"))
    assert isinstance(words, Read)
    assert words.table.column("p").to_pylist()[:2] == [large, small]


@pytest.mark.parametrize(
    "cells", [["$5", "€7"], ["$5", "7"], ["5%", "7"], ["$5", "free"], ["$5%", "$6%"]]
)
def test_what_has_no_one_unit_stays_words(cells: list[str]) -> None:
    found = attempt(f"w,p\na,{cells[0]}\nb,{cells[1]}\nc,{cells[0]}\n".encode(), Choices())
    assert isinstance(found, Read)
    assert found.table.column("p").to_pylist() == [*cells, cells[0]]
