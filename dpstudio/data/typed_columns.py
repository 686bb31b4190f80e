"""Columns read as another type than the one their engine gives them: words as numbers or dates,
numbers as words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.columns import Columns, Mask, distinct_words
from dpstudio.values.dates import date_text, days_of
from dpstudio.values.domains import ParamError, Real

# How an engine holds what a person calls by these names.
_HELD = {"text": "category", "identifier": "category"}
_NUMBER = Real("")
_ENDLESS = re.compile(r"\s*[-+]?inf(inity)?\s*", re.IGNORECASE)
_GROUPED = re.compile(r"\s*[-+−]?\d{1,3}([ '\u00a0\u202f])\d{3}(\1\d{3})*([.,]\d+)?\s*", re.ASCII)
_MIXED = re.compile(r"\s*[-+−]?\d{1,3}(\.\d{3})+,\d+\s*", re.ASCII)
_YEAR_FIRST = re.compile(r"\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)", re.ASCII)


class Retyped(Columns):
    """`types` are the wanted types by place; other columns stay as they are, as do nested values.

    What cannot be read as the wanted type is missing. A number is read as a date by its digits
    (2020, 20200331), a date as a number by its days since 1970.
    """

    lazy = True

    def __init__(self, of: Columns, wanted: Mapping[int, str]):
        held = {
            place: _HELD.get(kind, kind)
            for place, kind in wanted.items()
            if of.types[place] != "other"
        }
        self.of, self.names, self.rows = of, of.names, of.rows
        self.types = tuple(held.get(place, kind) for place, kind in enumerate(of.types))
        self.changed = frozenset(place for place, kind in held.items() if kind != of.types[place])

    def numbers(self, place: int) -> NDArray[Any]:
        if place not in self.changed:
            return self.of.numbers(place)
        if self.of.types[place] == "category":
            codes, words = self.of.codes(place)
            read = np.array([*(_read(word, self.types[place]) for word in words), np.nan])
            return _tidy(read[codes], self.types[place])
        x = np.asarray(self.of.numbers(place), dtype=np.float64)
        if self.types[place] == "date":
            values, back = np.unique(x, return_inverse=True)
            return np.array([_read(_word(value), "date") for value in values])[back]
        if self.of.types[place] == "date" and self.types[place] == "integer":
            x = np.floor(x)
        return _tidy(x, self.types[place])

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        if place not in self.changed:
            return self.of.codes(place)
        if self.types[place] == "category" and self.of.types[place] == "integer":
            return self.of.codes(place)  # to the last digit, however long they are
        # Numbers and dates have codes too, as those of any engine have.
        read = self.types[place] != "category"
        values, back = np.unique(
            self.numbers(place) if read else self.of.numbers(place), return_inverse=True
        )
        kind = self.types[place] if read else self.of.types[place]
        name = {"date": date_text, "integer": _word, "number": str if read else _word}[kind]
        kept = len(values) - (1 if len(values) and np.isnan(values[-1]) else 0)
        codes = np.where(back < kept, back, -1).astype(np.int32)
        return distinct_words(codes, [name(float(value)) for value in values[:kept]])

    def exact_codes(self, place: int) -> NDArray[np.int32]:
        return self.of.exact_codes(place)

    def absent(self, place: int) -> Mask:
        if place not in self.changed or self.types[place] == "category":
            return self.of.absent(place)
        x = self.numbers(place)
        return np.isnan(x) if x.dtype.kind == "f" else np.zeros(self.rows, dtype=np.bool_)

    def unread(self, place: int) -> int:
        """How many values cannot be read as the wanted type."""
        if place not in self.changed:
            return 0
        return int(np.count_nonzero(self.absent(place) & ~self.of.absent(place)))

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        pages = self.of.cells(start, stop)
        return [
            tuple(
                self._cell(place, value) if place in self.changed else value
                for place, value in enumerate(row)
            )
            for row in pages
        ]

    def _cell(self, place: int, value: Any) -> Any:
        """One value as it is read; dates stay as they stand in the file, where they are dates."""
        kind, held = self.types[place], self.of.types[place]
        if value is None or (kind == "category" and held in ("date", "category")):
            return None if value is None else str(value)
        word = str(value) if held != "number" else _word(float(value))
        if kind == "category":
            return word
        number = days_of(word[:16]) if held == "date" else _read(word, kind)
        number = float(np.floor(number)) if held == "date" and kind == "integer" else number
        if np.isnan(number) or (kind == "integer" and not _whole(number)):
            return None
        return word if kind == "date" else int(number) if kind == "integer" else number


def _read(word: str, kind: str) -> float:
    """A word as a number, or as days since 1970; NaN where it is none. One that is a date is read
    as a number as columns of dates are, so that no other row decides how."""
    if kind == "date":
        word = word.strip()
        digits = len(word) == 8 and word.isdecimal()
        return _as(f"{word[:4]}-{word[4:6]}-{word[6:]}" if digits else word, "date")
    number = _as(word, "number")
    if not np.isnan(number):
        return number
    days = _as(word, "date")
    return float(np.floor(days)) if kind == "integer" else days


def _as(word: str, kind: str) -> float:
    try:
        return days_of(_dashed(word)) if kind == "date" else _number(word)
    except ParamError:
        return float("nan")


def _number(word: str) -> float:
    """A number as people write it, where that is certain of one word: 1 234, 1'234, 1.234,5."""
    if _ENDLESS.fullmatch(word):
        return float(word)
    if _GROUPED.fullmatch(word):
        word = re.sub(r"[ '\u00a0\u202f]", "", word)
    if _MIXED.fullmatch(word):
        word = word.replace(".", "").replace(",", ".")
    return _NUMBER.check(word)


def _dashed(word: str) -> str:
    """2020/3/31 and 2020.03.31 as 2020-03-31."""
    found = _YEAR_FIRST.match(word)
    return f"{found[1]}-{found[2]:0>2}-{found[3]:0>2}{word[found.end() :]}" if found else word


def type_of_word(word: str) -> str:
    """The one type of column that a word can be compared in by order; "" for a word, and for a
    number that may be a year too."""
    kinds = [kind for kind in ("number", "date") if not np.isnan(_as(word, kind))]
    return kinds[0] if len(kinds) == 1 else ""


def as_written(word: str) -> str:
    """A word that is a number, or a date, as it would be written in a column of such."""
    with suppress(ParamError):
        return _word(_number(word))
    with suppress(ParamError):
        return date_text(days_of(_dashed(word)))
    return word


def _word(value: float) -> str:
    return (
        str(int(value))
        if np.isfinite(value) and value == np.floor(value) and abs(value) < 1e15
        else repr(float(value))
    )


def _whole(x: Any) -> Any:
    """Whether numbers are whole. Beyond 2⁵³ a double no longer tells one whole number from the
    next."""
    return (x == np.floor(x)) & (np.abs(x) < 2.0**53)


def _tidy(x: NDArray[np.float64], kind: str) -> NDArray[Any]:
    """Numbers as an engine gives them: of whole numbers, integers where none is missing."""
    if kind != "integer":
        return x
    whole = _whole(x)
    return x.astype(np.int64) if whole.all() else np.where(whole, x, np.nan)
