"""A column of a table as codes, in the order of its values."""

from collections.abc import Container
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.cells import day
from dpstudio.data.memory import Sized
from dpstudio.privacy.anonymity.classes import Mask, frequent
from dpstudio.privacy.anonymity.hierarchy import number_word
from dpstudio.privacy.anonymity.mondrian import Quasi

MISSING = "?"


@dataclass(frozen=True, eq=False)
class Coded(Sized):
    """A column: the code of each row, −1 where a usable number is missing, in the order of
    its values, of which each has a word, the last one MISSING where a word is missing; `at` says
    where a number lies. It is `whole` where it holds no decimals by its type, which no single row
    decides."""

    name: str
    quasi: Quasi
    words: tuple[str, ...]
    whole: bool
    date: bool = False

    @property
    def values(self) -> int:
        """How many words are values, which a missing one is not."""
        return len(self.words) - (self.words[-1:] == (MISSING,))


def words_of(column: Coded) -> tuple[str, ...]:
    """The words of the values of a column, in the order of their codes."""
    if column.words or column.quasi.at is None:
        return column.words
    return told_at(column.quasi.at, column.date)


def most_frequent(column: Coded, most: int, rows: Mask) -> Coded:
    """The column with the `most` values alone that are most frequent in these `rows`, (n,), those
    that are published: another row tells of nobody. Any other, and a number that is missing, is
    MISSING. So nobody is left out by her value: that would tell of it."""
    words, codes = words_of(column), column.quasi.codes
    values = len(words) - (words[-1:] == (MISSING,))
    held = np.bincount(codes[rows & (codes >= 0)], minlength=len(words))[:values]
    kept = frequent(held, most)
    place = np.full(len(words) + 1, len(kept))
    place[kept] = np.arange(len(kept))
    at = None if column.quasi.at is None else column.quasi.at[kept]
    told = tuple(words[each] for each in kept)
    quasi = Quasi(place[codes], at, column.quasi.weight)
    some = np.any(quasi.codes == len(kept))
    return replace(column, quasi=quasi, words=(*told, MISSING) if some else told)


def as_published(column: Coded, words: Container[str]) -> Coded:
    """The column as if these words were all that it holds, in their order, of no rows: what who
    sees nothing else knows of it."""
    kept = [place for place, word in enumerate(words_of(column)) if word in words]
    told = tuple(dict.fromkeys(words_of(column)[place] for place in kept))
    none = np.zeros(0, dtype=np.int64)
    if column.quasi.at is None:
        return Coded(column.name, Quasi(none), told, column.whole)
    ends = len(told) - (told[-1:] == (MISSING,))
    exact = column.quasi.at[kept[:ends]] if column.date else np.array([*map(float, told[:ends])])
    return Coded(column.name, Quasi(none, exact), told, column.whole, column.date)


def told_at(at: Array, date: bool) -> tuple[str, ...]:
    """Numbers or days as they are published."""
    return tuple(day(int(each)) if date else number_word(each) for each in at.tolist())
