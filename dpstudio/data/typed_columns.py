"""Columns read as another type than the one their engine gives them: words as numbers or dates,
numbers as words."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.codebook import MERGED
from dpstudio.data.columns import Columns, Mask, distinct_words
from dpstudio.data.spelling import alike
from dpstudio.values.dates import date_text, days_of
from dpstudio.values.written import number_text

# How an engine holds what a person calls by these names.
_HELD = {"text": "category", "identifier": "category", MERGED: "category"}


class Retyped(Columns):
    """`types` are the wanted types by place; other columns stay as they are.

    What cannot be read as the wanted type is missing, as are nested values. A number is read as a
    date by its digits (2020, 20200331), a date as a number by its days since 1970.
    """

    lazy = True

    def __init__(self, of: Columns, wanted: Mapping[int, str]):
        held = {place: _HELD.get(kind, kind) for place, kind in wanted.items()}
        self.of, self.names, self.rows = of, of.names, of.rows
        self.spelling = of.spelling
        self.types = tuple(held.get(place, kind) for place, kind in enumerate(of.types))
        self.changed = frozenset(place for place, kind in held.items() if kind != of.types[place])
        self.merged = frozenset(place for place, kind in wanted.items() if kind == MERGED)

    def numbers(self, place: int) -> NDArray[Any]:
        if place not in self.changed:
            return self.of.numbers(place)
        if self.of.types[place] == "other":
            return np.full(self.rows, np.nan)
        if self.of.types[place] == "category":
            codes, words = self.of.codes(place)
            read = np.array(
                [*(self.spelling.read(word, self.types[place]) for word in words), np.nan]
            )
            return _tidy(read[codes], self.types[place])
        x = np.asarray(self.of.numbers(place), dtype=np.float64)
        if self.types[place] == "date":
            values, back = np.unique(x, return_inverse=True)
            return np.array([self.spelling.read(number_text(value), "date") for value in values])[
                back
            ]
        if self.of.types[place] == "date" and self.types[place] == "integer":
            x = np.floor(x)
        return _tidy(x, self.types[place])

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        if place not in self.changed:
            found = self.of.codes(place)
            return _merged(*found) if place in self.merged else found
        if self.of.types[place] == "other":
            return np.full(self.rows, -1, dtype=np.int32), ()
        if self.types[place] == "category" and self.of.types[place] == "integer":
            return self.of.codes(place)  # to the last digit, however long they are
        # Numbers and dates have codes too, as those of any engine have.
        read = self.types[place] != "category"
        values, back = np.unique(
            self.numbers(place) if read else self.of.numbers(place), return_inverse=True
        )
        kind = self.types[place] if read else self.of.types[place]
        name = {"date": date_text, "integer": number_text, "number": str if read else number_text}[
            kind
        ]
        kept = len(values) - (1 if len(values) and np.isnan(values[-1]) else 0)
        codes = np.where(back < kept, back, -1).astype(np.int32)
        return distinct_words(codes, [name(float(value)) for value in values[:kept]])

    def exact_codes(self, place: int) -> NDArray[np.int32]:
        lost = place in self.changed and self.of.types[place] == "other"
        return self.codes(place)[0] if lost else self.of.exact_codes(place)

    def absent(self, place: int) -> Mask:
        worded = self.types[place] == "category" and self.of.types[place] != "other"
        if place not in self.changed or worded:
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
        if held == "other":
            return None
        if value is None or (kind == "category" and held in ("date", "category")):
            return None if value is None else str(value)
        word = str(value) if held != "number" else number_text(float(value))
        if kind == "category":
            return word
        number = days_of(word[:16]) if held == "date" else self.spelling.read(word, kind)
        number = float(np.floor(number)) if held == "date" and kind == "integer" else number
        if np.isnan(number) or (kind == "integer" and not _whole(number)):
            return None
        return word if kind == "date" else int(number) if kind == "integer" else number


def _merged(
    codes: NDArray[np.int32], words: tuple[str, ...]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Words with all their spellings, each written as it is most often."""
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    written: dict[str, str] = {}
    for place in sorted(range(len(words)), key=lambda place: (-counts[place], words[place])):
        written.setdefault(alike(words[place]), words[place])
    return distinct_words(codes, [written[alike(word)] for word in words])


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
