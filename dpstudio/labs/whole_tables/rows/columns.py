"""A column of a table as codes, in the order of its values."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.cells import day
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.anonymity import classes, hierarchy, mondrian
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

_FEW = 200  # numbers that are written at once; of more those that are asked for
MISSING = "?"


@dataclass(frozen=True, eq=False)
class Coded:
    """A column: the code of each row, −1 where a number is missing, in the order of its values, of
    which each has a word, the last one MISSING where a word is missing; `at` says where a number
    lies. It is `whole` where it holds no decimals by its type, which no single row decides."""

    name: str
    quasi: mondrian.Quasi
    words: tuple[str, ...]
    whole: bool
    date: bool = False

    @property
    def values(self) -> int:
        """How many words are values, which a missing one is not."""
        return len(self.words) - (self.words[-1:] == (MISSING,))

    @property
    def nbytes(self) -> int:
        """What remembering it costs."""
        return int(self.quasi.codes.nbytes)


def coded(data: Dataset, name: str, field: str) -> Coded:
    """A column of a table, remembered with it, however many values it has: one row more, which may
    be left out, refuses nothing. Raises ParamError at `field` for one that is not there."""
    if not data.has(name) or data.info(name).type == "other":
        text = N_("This table has no column “{column}” of numbers or words. Choose another.")
        raise ParamError(field, say(text, column=name))
    return data.remember(("coded", name), lambda: _coded(data, name))


def _coded(data: Dataset, name: str) -> Coded:
    held, info = data._held, data.info(name)
    if info.ordered:
        x = np.asarray(held.numbers(name), dtype=np.float64)
        there = ~np.isnan(x)
        at, found = _values(x[there])
        codes = np.full(len(x), -1, dtype=np.int64)
        codes[there] = found
        date = info.type == "date"
        words = _told(at, date) if len(at) <= _FEW else ()
        return Coded(name, mondrian.Quasi(codes, at), words, info.type != "number", date)
    words = tuple(sorted(word for word in held.codes(name)[1] if word != MISSING))
    codes = held.places(name, words).astype(np.int64)
    if np.any(codes == len(words)):  # what reads alike is one value, and the last
        words = (*words, MISSING)
    return Coded(name, mondrian.Quasi(codes), words, True)


def _values(x: Array) -> tuple[Array, classes.Codes]:
    """The different numbers in their order, (values,), and which of them each is, (n,): of whole
    ones in a short range without a sort."""
    low, high = (float(x.min()), float(x.max())) if len(x) else (0.0, np.inf)
    if high - low > len(x) or not np.all(x == np.floor(x)):
        at, found = np.unique(x, return_inverse=True)
        return at, found.astype(np.int64)
    found, many = classes.dense((x - low).astype(np.int64))
    at = np.empty(many)
    at[found] = x
    return at, found


def words_of(column: Coded) -> tuple[str, ...]:
    """The words of the values of a column, in the order of their codes."""
    if column.words or column.quasi.at is None:
        return column.words
    return _told(column.quasi.at, column.date)


def most_frequent(column: Coded, most: int, rows: classes.Mask) -> Coded:
    """The column with the `most` values alone that are most frequent in these `rows`, (n,), those
    that are published: another row tells of nobody. Any other, and a number that is missing, is
    MISSING. So nobody is left out by her value: that would tell of it."""
    words, codes = words_of(column), column.quasi.codes
    values = len(words) - (words[-1:] == (MISSING,))
    held = np.bincount(codes[rows & (codes >= 0)], minlength=len(words))[:values]
    kept = classes.frequent(held, most)
    place = np.full(len(words) + 1, len(kept))
    place[kept] = np.arange(len(kept))
    at = None if column.quasi.at is None else column.quasi.at[kept]
    told = tuple(words[each] for each in kept)
    quasi = mondrian.Quasi(place[codes], at, column.quasi.weight)
    some = np.any(quasi.codes == len(kept))
    return replace(column, quasi=quasi, words=(*told, MISSING) if some else told)


def as_published(column: Coded, words: Container[str]) -> Coded:
    """The column as if these words were all that it holds, in their order, of no rows: what who
    sees nothing else knows of it."""
    kept = [place for place, word in enumerate(words_of(column)) if word in words]
    told = tuple(dict.fromkeys(words_of(column)[place] for place in kept))
    none = np.zeros(0, dtype=np.int64)
    if column.quasi.at is None:
        return Coded(column.name, mondrian.Quasi(none), told, column.whole)
    ends = len(told) - (told[-1:] == (MISSING,))
    exact = column.quasi.at[kept[:ends]] if column.date else np.array([*map(float, told[:ends])])
    return Coded(column.name, mondrian.Quasi(none, exact), told, column.whole, column.date)


def _told(at: Array, date: bool) -> tuple[str, ...]:
    return tuple(day(int(each)) if date else hierarchy.number_word(each) for each in at.tolist())
