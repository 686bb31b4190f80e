"""Classes of rows that share their quasi-identifiers, and the risk that somebody is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.data.memory import Sized

Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]
_PLACES, _EACH = 400_000, 4  # of a table of all labels, and for each row: less than a sort costs


def in_table(most: int, rows: int) -> bool:
    """Whether so many places are counted sooner than so many rows are sorted."""
    return most <= _PLACES + _EACH * rows


def dense(labels: NDArray[np.int64]) -> tuple[Codes, int]:
    """The same groups numbered 0, 1, …, in the order of their labels, which are not negative, shape
    (n,), and how many there are."""
    most = int(labels.max(initial=-1)) + 1
    if in_table(most, len(labels)):
        there = np.zeros(most, dtype=np.bool_)
        there[labels] = True
        name = np.cumsum(there) - 1
        return name[labels].astype(np.int64), int(np.count_nonzero(there))
    values, codes = np.unique(labels, return_inverse=True)
    return codes.astype(np.int64), len(values)


def grouped(codes: Codes) -> tuple[Codes, int]:
    """The class of each row by all columns of `codes`, shape (n, columns), and how many there are;
    without a column all rows are one class."""
    label, many = np.zeros(len(codes), dtype=np.int64), min(len(codes), 1)
    for column in codes.T:
        size = int(column.max(initial=0)) + 1
        if not in_table(many * size, len(codes)):
            label, many = dense(label)  # while a table holds them, and before a product overflows
        label, many = label * size + column, many * size
    return dense(label)


def frequent(rows: Codes, most: int) -> Codes:
    """The places of the `most` values that so many `rows` have, (values,), in their order; of
    values alike frequent the first ones, and none that nobody has."""
    kept = np.sort(np.argsort(-rows, kind="stable")[:most])
    return np.asarray(kept[rows[kept] > 0])


def summed(of: Codes, many: int, rows: Codes | None) -> Codes:
    """How many rows each of `many` groups has, (many,): of each entry so many, or one."""
    return np.bincount(of, weights=rows, minlength=many).astype(np.int64, copy=False)


@dataclass(frozen=True, eq=False)
class Kinds(Sized):
    """Rows that are alike in all columns, counted once: the kind of each row, (n,), `codes` (kinds,
    columns), and how many rows have each."""

    of: Codes
    codes: Codes
    rows: Codes


def kinds_of(codes: Codes) -> Kinds:
    """The kinds of rows of a table, shape (n, columns)."""
    of, many = grouped(codes)
    first = np.zeros(many, dtype=np.int64)
    first[of[::-1]] = np.arange(len(of))[::-1]
    return Kinds(of, codes[first], np.bincount(of, minlength=many).astype(np.int64))


@dataclass(frozen=True, eq=False)
class Classes(Sized):
    """`of` says the class of each row, shape (n,), −1 for rows that are suppressed; `many`
    classes, numbered from 0."""

    of: Codes
    many: int

    @cached_property
    def sizes(self) -> Codes:
        """How many rows each class has, shape (many,)."""
        return np.bincount(self.of[self.of >= 0], minlength=self.many).astype(np.int64)

    @property
    def kept(self) -> int:
        """Rows that are in a class."""
        return int(self.sizes.sum())

    @property
    def k(self) -> int:
        """The rows of the smallest class; 0 where there is none."""
        return int(self.sizes.min(initial=self.kept))

    @property
    def unique(self) -> int:
        """Rows that are alone in their class."""
        return int(np.count_nonzero(self.sizes == 1))

    def counts(self, sensitive: Codes, values: int, rows: Codes | None = None) -> Codes:
        """How often each of the sensitive `values` occurs in each class, shape (many, values);
        where kinds are sorted into classes, `rows` says how many rows each of them is."""
        kept = self.of >= 0
        place = self.of[kept] * values + sensitive[kept]
        held = summed(place, self.many * values, None if rows is None else rows[kept])
        return held.reshape(self.many, values)


def classes_of(codes: Codes) -> Classes:
    """The classes of a table by its quasi-identifiers, shape (n, columns)."""
    return Classes(*grouped(codes))


@dataclass(frozen=True)
class Risk:
    """That an attacker finds a person, as shares of 1 (Dankar & El Emam 2010; El Emam 2013).

    `highest` and `prosecutor`: of the person most at risk and of a person on average, for an
    attacker who knows that she is in the table, 1/size of her class. `marketer`: the share of all
    persons that are found where each is guessed once: classes/rows, which is the same number as
    the mean. `unique`: the share that is alone.
    """

    highest: float
    prosecutor: float
    unique: float

    @property
    def marketer(self) -> float:
        """The expected share of persons who are found where everybody is guessed once."""
        return self.prosecutor


def risk(classes: Classes) -> Risk:
    """The risks of a table whose rows are persons; 0 for one without rows."""
    if not classes.kept:
        return Risk(0.0, 0.0, 0.0)
    return Risk(1 / classes.k, classes.many / classes.kept, classes.unique / classes.kept)


def journalist(sample: Codes, population: Codes) -> float:
    """The highest risk for an attacker who does not know who is in the sample: 1/rows of the
    population with the same quasi-identifiers, of the person most at risk. Both of shape (n,
    columns) in the same codes. ValueError where the population lacks somebody of the sample."""
    of, many = grouped(np.concatenate((sample, population)))
    here = np.bincount(of[: len(sample)], minlength=many)
    there = np.bincount(of[len(sample) :], minlength=many)
    if np.any(there < here):
        raise ValueError("the population holds every person of the sample")
    return float(1 / there[here > 0].min())


@dataclass(frozen=True)
class UniqueRows:
    """Rows that are alone by the best and the worst of the sets of so many columns, and by all such
    sets on average; `best` names the set that gives away most, `columns` counts its columns."""

    columns: int
    least: float
    mean: float
    most: float
    best: tuple[int, ...]


def uniqueness(
    codes: Codes, tell: Iterable[int] | None = None, check: Callable[[], None] = lambda: None
) -> list[UniqueRows]:
    """The share of rows that are alone by 1, 2, … known columns, over all sets of columns. `check`
    is called before each set and may raise."""
    width, kinds = codes.shape[1], kinds_of(codes)
    out = []

    def alone(columns: tuple[int, ...]) -> float:
        check()
        return int(np.count_nonzero(_alone(kinds, columns))) / max(len(codes), 1)

    for many in tell or range(1, width + 1):
        sets = list(combinations(range(width), many))
        shares = [alone(each) for each in sets]
        top = int(np.argmax(shares))
        out.append(UniqueRows(many, min(shares), float(np.mean(shares)), shares[top], sets[top]))
    return out


def _alone(kinds: Kinds, columns: tuple[int, ...]) -> Mask:
    """Which kinds are one row that is alone by these columns, (kinds,)."""
    of, many = grouped(kinds.codes[:, columns])
    rows = np.bincount(of, weights=kinds.rows, minlength=many)
    return np.asarray(rows[of] == 1)


def suda(codes: Codes, most: int = 4, check: Callable[[], None] = lambda: None) -> Array:
    """SUDA2 scores, shape (n,): for each row the minimal sets of at most `most` columns by which it
    is alone (no smaller set within does so), each of size s adding ∏_{i=s}^{most−1} (width − i), as
    Elliot, Manning & Ford (2002) weigh them; 0 for a row that no such set singles out. `check` is
    called before each set and may raise."""
    width, kinds = codes.shape[1], kinds_of(codes)
    most = min(most, width)
    score = np.zeros(len(kinds.rows))
    alone_by: dict[tuple[int, ...], Mask] = {}
    for size in range(1, min(most, width) + 1):
        weight = float(np.prod([width - i for i in range(size, most)])) if size < most else 1.0
        for each in combinations(range(width), size):
            check()
            alone = _alone(kinds, each)
            alone_by[each] = alone
            within = [alone_by[part] for part in combinations(each, size - 1)] if size > 1 else []
            minimal = alone & ~np.any(within, axis=0) if within else alone
            # A set that holds a minimal one is not minimal, however much larger it is.
            score += weight * minimal
            alone_by[each] = alone
    return score[kinds.of]
