"""A public stand-in for a table: its columns and what is known of them from outside it, and none of
its rows. What is made of it can tell no more of the table than that."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.codebook import Codebook
from dpstudio.data.columns import Columns, Mask
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.data.exact_sums import ExactSums
from dpstudio.data.held_columns import HeldColumns

# (values of numbers, words, rows where their number is not public) of two stand-ins: what is other
# in the one than in the other comes from rows.
_NUMBERS = ((-3.0, 5.0), (-7.0, 11.0))
_WORDS = (("aa", "bb"), ("cc", "dd", "ee"))
_ROWS = (100_000, 70_000)


class _Blank(Columns):
    """Columns of these names and types that hold the same few values in turn; that of `person`
    names another one in each row: of few persons some labs would have nobody left."""

    def __init__(
        self, names: tuple[str, ...], types: tuple[str, ...], rows: int, which: int, person: str
    ):
        self.names, self.types, self.rows, self._which = names, types, rows, which
        self._person = person

    def numbers(self, place: int) -> NDArray[Any]:
        held = _in_turn(np.array(_NUMBERS[self._which]), self.rows)
        if self.names[place] == self._person:
            held = held[:1] + np.arange(self.rows)
        return held.astype(np.int64) if self.types[place] == "integer" else held

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        if self.names[place] == self._person:
            words = tuple(f"{_WORDS[self._which][0]}{i}" for i in range(self.rows))
            return np.arange(self.rows, dtype=np.int32), words
        numeric = self.types[place] in ("integer", "number")
        words = tuple(map(str, _NUMBERS[self._which])) if numeric else _WORDS[self._which]
        return _in_turn(np.arange(len(words), dtype=np.int32), self.rows), words

    def absent(self, place: int) -> Mask:
        return np.broadcast_to(np.bool_(False), (self.rows,))

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        return [("",) * len(self.names)] * max(0, min(stop, self.rows) - start)


def _in_turn(values: NDArray[Any], rows: int) -> NDArray[Any]:
    """The values again and again, for so many rows. Not by np.resize, which joins as many arrays as
    there are turns."""
    return np.tile(values, rows // len(values) + 1)[:rows]


class _Everyone(HeldColumns):
    """Every row meets every condition that can be asked, and has one of the words asked for."""

    def mask(self, where: Where) -> Mask:
        return np.ones_like(super().mask(where))

    def places(self, column: str, words: tuple[str, ...]) -> NDArray[np.int64]:
        self.info(column)
        return np.arange(self.rows) % max(1, len(words))


class StandIn(Dataset):
    """Stand-in number `which` (0 or 1) for `data`, of so many rows where their number is public,
    else of at least `least`. Of the codebook what is attested is kept, and who a person is."""

    def __init__(self, data: ExactSums, rows: int | None = None, which: int = 0, least: int = 1):
        names = tuple(column.name for column in data.columns)
        types = tuple(column.type for column in data.columns)
        book, many = data.codebook, max(_ROWS[which], least) if rows is None else rows
        table = _Blank(names, types, many, which, book.person)
        super().__init__(table, data.name, data.origin)
        self._held = _Everyone(table, self._about_rows)
        known = tuple((name, about) for name, about in book.columns if about.attested)
        self.codebook = Codebook(known, book.person, book.most, people=book.people)
        self.documented = data.documented

    def _who(self, person: str) -> NDArray[Any]:
        """Another person in each row."""
        return np.arange(self.rows)

    def all_integers(self, column: str) -> bool:
        """What is told alone: of the values of the table nothing is known."""
        return self.info(column).type == "integer"

    def histogram(self, column: str, edges: tuple[float, ...], where: Where) -> NDArray[np.int64]:
        """All rows, alike in all parts."""
        return np.bincount(np.arange(self.rows) % (len(edges) - 1), minlength=len(edges) - 1)

    def tally(self, column: str, words: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        self.info(column)
        return np.bincount(np.arange(self.rows) % len(words), minlength=len(words))
