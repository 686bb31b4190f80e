"""A table behind a narrow interface of aggregates; the answers are remembered by the question that was asked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dpstudio.core.columns import Columns, FrameColumns, Mask
from dpstudio.core.conditions import ORDERED, Test, Value, Where, as_word
from dpstudio.core.dates import days_of, has_time
from dpstudio.core.params import ParamError
from dpstudio.core.wording import N_, plain, say

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
_KEEP, _KEEP_BYTES = 512, 64_000_000


@dataclass(frozen=True)
class ColumnInfo:
    """`type` is "integer", "number", "date", "category" (words, also yes/no) or "other" (nested values)."""

    name: str
    type: str

    @property
    def numeric(self) -> bool:
        return self.type in ("integer", "number")

    @property
    def ordered(self) -> bool:
        """Whether its values have an order, as numbers and dates do."""
        return self.numeric or self.type == "date"


@dataclass(frozen=True)
class Clipped:
    """A clipped sum and what went into it. `used` rows met the condition and had a value; the others add 0."""

    total: float
    used: int
    below: int
    above: int
    missing: int


@dataclass(frozen=True)
class Extent:
    """What a numeric column holds, read from the data and so not private."""

    low: float
    high: float
    present: int
    whole: bool


@dataclass(frozen=True, eq=False)
class Ordered:
    """The distinct numbers of a column in order and the rows of each, both of shape (m,)."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + self.counts.nbytes


class Dataset:
    """A frozen table. `origin` is the path or example it came from, `digest` the SHA-256 of its bytes (hex).

    All methods may be called from any thread; the table, a pandas frame or another engine, is never changed and never leaves.
    """

    def __init__(self, table: pd.DataFrame | Columns, name: str, origin: str = "", digest: str | Callable[[], str] = ""):
        self._table = table if isinstance(table, Columns) else FrameColumns(table)
        self.name, self.origin, self._digest = name, origin, digest
        self.rows = self._table.rows
        self.columns = tuple(map(ColumnInfo, self._table.names, self._table.types))
        self._place = {info.name: i for i, info in reversed(list(enumerate(self.columns)))}
        self._memo: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = 0
        # Room for the answers, and for the few columns that a question is about, however long they are.
        self._room = max(_KEEP_BYTES, 4 * 8 * self.rows)
        self._lock = RLock()

    @property
    def digest(self) -> str:
        """SHA-256 of the file, hex; where it was still being worked out, this waits for it."""
        held = self._digest
        if callable(held):
            self._digest = held = held()
        return held

    def remember(self, question: Hashable, answer: Callable[[], T]) -> T:
        """The answer to a frozen question, worked out once; the oldest are forgotten past 512 answers, or 64 MB or four columns."""
        with self._lock:
            if question in self._memo:
                self._memo.move_to_end(question)
                return cast(T, self._memo[question][0])
        value = answer()
        size = int(getattr(value, "nbytes", 0))
        with self._lock:
            if question not in self._memo:
                self._memo[question] = (value, size)
                self._bytes += size
            while len(self._memo) > _KEEP or (self._bytes > self._room and len(self._memo) > 1):
                _, (_, freed) = self._memo.popitem(last=False)
                self._bytes -= freed
        return value

    def known(self, question: Hashable) -> bool:
        """Whether the answer to a question is remembered."""
        with self._lock:
            return question in self._memo

    def info(self, column: str) -> ColumnInfo:
        """Raises ParamError when the table has no such column."""
        if column not in self._place:
            near = plain(", ".join(c.name for c in self.columns[:6]))
            if len(self.columns) > 6:
                near = say(N_("{names} and {n} more"), names=near, n=len(self.columns) - 6)
            raise ParamError("column", say(N_("This table has no column “{column}”. It has: {names}."), column=column, names=near))
        return self.columns[self._place[column]]

    def has(self, column: str) -> bool:
        return column in self._place

    def missing(self, column: str) -> int:
        return self.remember(("missing", column), lambda: int(np.count_nonzero(self._absent(column))))

    def extent(self, column: str) -> Extent | None:
        """Smallest and largest value (days, of dates); None when every value is missing or they have no order."""
        return self.remember(("extent", column), lambda: self._extent(column))

    def distinct(self, column: str, limit: int = 200) -> tuple[tuple[str, int], ...]:
        """The words of a column with their counts, most frequent first, at most `limit` of them."""
        return self.remember(("distinct", column, limit), lambda: self._distinct(column, limit))

    def count(self, where: Where) -> int:
        """How many rows meet the condition."""
        return self.remember(("count", where), lambda: self.rows if not where else int(np.count_nonzero(self._mask(where))))

    def clipped(self, column: str, low: float, high: float, where: Where) -> Clipped:
        """Sum of min(max(x, low), high) over the rows that meet the condition and have a value."""
        return self.remember(("clipped", column, low, high, where), lambda: self._clipped(column, low, high, where))

    def histogram(self, column: str, edges: tuple[float, ...], where: Where) -> NDArray[np.int64]:
        """Rows per interval [eᵢ, eᵢ₊₁), the last one closed; rows outside all edges are in none."""
        return self.remember(("histogram", column, edges, where), lambda: self._histogram(column, edges, where))

    def tally(self, column: str, words: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        """Rows per category; rows with another word, or none, are in none."""
        return self.remember(("tally", column, words, where), lambda: self._tally(column, words, where))

    def powers(self, column: str, low: float, high: float, where: Where) -> tuple[float, float, int]:
        """(Σ z, Σ z², rows used) of z = min(max(x, low), high) − (low + high)/2 over the rows that count and have a value."""
        return self.remember(("powers", column, low, high, where), lambda: self._powers(column, low, high, where))

    def grouped(
        self, by: str, words: tuple[str, ...], column: str, low: float, high: float, where: Where
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(rows used, clipped sum) for each of the words of `by`."""
        return self.remember(("grouped", by, words, column, low, high, where), lambda: self._grouped(by, words, column, low, high, where))

    def crossed(self, first: str, rows: tuple[str, ...], second: str, columns: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        """Rows for each pair of words, shape (len(rows), len(columns))."""
        return self.remember(("crossed", first, rows, second, columns, where), lambda: self._crossed(first, rows, second, columns, where))

    def moments(self, columns: tuple[str, ...], bounds: tuple[tuple[float, float], ...], where: Where) -> NDArray[np.float64]:
        """Z Zᵀ of the rows z = (1, z₁ … z_p) that have every value, each zᵢ clipped to its bounds and scaled to [−1, 1]."""
        return self.remember(("moments", columns, bounds, where), lambda: self._moments(columns, bounds, where))

    def ordered(self, column: str, where: Where) -> Ordered:
        """The numbers of the rows that meet the condition, in order, missing ones left out: sorts the column the first time."""
        return self.remember(("ordered", column, where), lambda: self._ordered(column, where))

    def only(self, row: int) -> Dataset:
        """The table of one row, counted from 0; the columns keep their types, and nothing is remembered yet."""
        return Dataset(self._table.take(np.array([row])), self.name, self.origin)

    @property
    def _frame(self) -> pd.DataFrame:
        """The frame that it was made of."""
        return cast(FrameColumns, self._table).frame

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        """Rows start … stop − 1 as they are, for looking at; not remembered."""
        return self._table.cells(max(0, start), min(stop, self.rows))

    # Below here the table is touched.

    def _at(self, column: str) -> int:
        self.info(column)
        return self._place[column]

    def _absent(self, column: str) -> Mask:
        return self._table.absent(self._at(column))

    def _numbers(self, column: str) -> NDArray[Any]:
        """The column as a plain array, floats with NaN where values are missing; integers stay integers; dates are days."""
        return self.remember(("numbers", column), lambda: _Numbers(self._table.numbers(self._at(column)), self._table.lazy)).values

    def _codes(self, column: str) -> tuple[NDArray[np.int32], dict[str, int]]:
        """Category codes (−1 where missing) and the code of each word."""

        def numbered() -> _Codes:
            codes, words = self._table.codes(self._at(column))
            return _Codes(codes, {word: i for i, word in enumerate(words)})

        if self.info(column).type == "other":
            raise ParamError("column", say(N_("“{column}” holds neither numbers nor words."), column=column))
        held = self.remember(("codes", column), numbered)
        return held.codes, held.words

    def _mask(self, where: Where) -> Mask:
        masks = [self._test(part) if isinstance(part, Test) else self._mask(part) for part in where.parts]
        if not masks:
            return np.ones(self.rows, dtype=np.bool_)
        combine = np.logical_and if where.joined == "and" else np.logical_or
        out = masks[0]
        for mask in masks[1:]:
            out = combine(out, mask)
        return out

    def _test(self, test: Test) -> Mask:
        info = self.info(test.column)
        if test.operator in ("is missing", "is not missing"):
            absent = self._absent(test.column)
            return absent if test.operator == "is missing" else ~absent
        if info.type == "date":
            return self._compare_dates(test)
        return self._compare_numbers(test) if info.numeric else self._compare_words(test)

    def _compare_dates(self, test: Test) -> Mask:
        """A date without a time stands for the whole day."""
        given = [as_word(value) for value in test.values]
        try:
            values = [days_of(text) for text in given]
        except ParamError as error:
            raise ParamError("where", error.sentence) from None
        x = self._numbers(test.column)
        return _compared(x if any(map(has_time, given)) else np.floor(x), test.operator, values)

    def _compare_numbers(self, test: Test) -> Mask:
        return _compared(self._numbers(test.column), test.operator, [_as_number(test.column, v) for v in test.values])

    def _compare_words(self, test: Test) -> Mask:
        if test.operator in ORDERED:
            raise ParamError("where", say(N_("“{column}” holds words, which have no order; use = or in."), column=test.column))
        codes, words = self._codes(test.column)
        wanted = [words[w] for w in map(as_word, test.values) if w in words]
        found = np.isin(codes, wanted) if len(wanted) != 1 else codes == wanted[0]
        return found if test.operator in ("=", "in") else ~found & (codes >= 0)

    def _chosen(self, column: str, where: Where) -> NDArray[Any]:
        x = self._numbers(column)
        return x[self._mask(where)] if where else x

    def _ordered(self, column: str, where: Where) -> Ordered:
        x = np.asarray(self._chosen(column, where), dtype=np.float64)
        values, counts = np.unique(x[~np.isnan(x)], return_counts=True)
        return Ordered(values, counts.astype(np.int64))

    def _extent(self, column: str) -> Extent | None:
        if not self.info(column).ordered:
            return None
        x = self._numbers(column)
        x = x[np.isfinite(x)] if x.dtype.kind == "f" else x
        if not len(x):
            return None
        whole = x.dtype.kind in "iu" or bool(np.all(x == np.floor(x)))
        return Extent(float(x.min()), float(x.max()), len(x), whole)

    def _distinct(self, column: str, limit: int) -> tuple[tuple[str, int], ...]:
        _, words = self._codes(column)
        counts = self._word_counts(column)
        named = sorted(zip(words, counts.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))
        return tuple(named[:limit])

    def _clipped(self, column: str, low: float, high: float, where: Where) -> Clipped:
        x = self._chosen(column, where)
        whole = x.dtype.kind in "iu"
        if not whole:
            present = ~np.isnan(x)
            used = int(np.count_nonzero(present))
            kept = x if used == len(x) else x[present]
        else:
            used, kept = len(x), x
        total = float(np.clip(kept, low, high).sum(dtype=np.float64)) if used else 0.0
        below, above = int(np.count_nonzero(kept < low)), int(np.count_nonzero(kept > high))
        return Clipped(total, used, below, above, len(x) - used)

    def _powers(self, column: str, low: float, high: float, where: Where) -> tuple[float, float, int]:
        x = self._chosen(column, where)
        kept = x[~np.isnan(x)] if x.dtype.kind == "f" else x
        z = np.clip(kept, low, high) - (low + high) / 2
        return float(z.sum(dtype=np.float64)), float(np.dot(z, z)), len(z)

    def _places(self, column: str, words: tuple[str, ...]) -> NDArray[np.int64]:
        """For each row the place of its word in `words`, len(words) where it is none of them."""
        codes, known = self._codes(column)
        place = np.full(len(known) + 1, len(words), dtype=np.int64)
        for i, word in enumerate(words):
            if word in known:
                place[known[word]] = i
        return np.asarray(place[codes])

    def _grouped(
        self, by: str, words: tuple[str, ...], column: str, low: float, high: float, where: Where
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        places, x = self._places(by, words), self._numbers(column)
        if where:
            mask = self._mask(where)
            places, x = places[mask], x[mask]
        if x.dtype.kind == "f":
            present = ~np.isnan(x)
            if not present.all():
                places, x = places[present], x[present]
        counts = np.bincount(places, minlength=len(words) + 1)[: len(words)]
        totals = np.bincount(places, weights=np.clip(x, low, high), minlength=len(words) + 1)[: len(words)]
        return counts.astype(np.int64), totals.astype(np.float64)

    def _crossed(self, first: str, rows: tuple[str, ...], second: str, columns: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        down, across = self._places(first, rows), self._places(second, columns)
        if where:
            mask = self._mask(where)
            down, across = down[mask], across[mask]
        wide = len(columns) + 1
        cells = np.bincount(down * wide + across, minlength=(len(rows) + 1) * wide)
        return cells.reshape(len(rows) + 1, wide)[:-1, :-1].astype(np.int64)

    def _moments(self, columns: tuple[str, ...], bounds: tuple[tuple[float, float], ...], where: Where) -> NDArray[np.float64]:
        parts = [self._numbers(column) for column in columns]
        kept = self._mask(where) if where else np.ones(self.rows, dtype=np.bool_)
        for x in parts:
            if x.dtype.kind == "f":
                kept = kept & ~np.isnan(x)
        z = np.empty((len(parts) + 1, int(np.count_nonzero(kept))))
        z[0] = 1.0
        every = z.shape[1] == self.rows
        for i, (x, (low, high)) in enumerate(zip(parts, bounds, strict=True)):
            np.clip(x if every else x[kept], low, high, out=z[i + 1])
            z[i + 1] -= (low + high) / 2
            z[i + 1] /= (high - low) / 2
        return np.asarray(z @ z.T)

    def _histogram(self, column: str, edges: tuple[float, ...], where: Where) -> NDArray[np.int64]:
        x = self._chosen(column, where)
        x = x[np.isfinite(x)] if x.dtype.kind == "f" else x
        return np.histogram(x, bins=np.asarray(edges))[0].astype(np.int64)

    def _word_counts(self, column: str) -> NDArray[np.int64]:
        """Rows of each code, over all rows."""
        codes, known = self._codes(column)
        return self.remember(("word counts", column), lambda: _counted(codes, len(known)))

    def _tally(self, column: str, words: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        codes, known = self._codes(column)
        counts = _counted(codes[self._mask(where)], len(known)) if where else self._word_counts(column)
        return np.array([counts[known[w]] if w in known else 0 for w in words], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Numbers:
    values: NDArray[Any]
    lazy: bool

    @property
    def nbytes(self) -> int:
        """What remembering it costs: nothing where it is a view of a table that is in memory anyhow."""
        return int(self.values.nbytes) if self.lazy or self.values.flags.owndata else 0


@dataclass(frozen=True, eq=False)
class _Codes:
    codes: NDArray[Any]
    words: dict[str, int]

    @property
    def nbytes(self) -> int:
        return int(self.codes.nbytes)


def _counted(codes: NDArray[Any], words: int) -> NDArray[np.int64]:
    """Rows of each code 0 … words − 1; missing ones (−1) are counted in front and left off."""
    return np.bincount(codes + np.int32(1), minlength=words + 1)[1:].astype(np.int64)


def _compared(x: NDArray[Any], operator: str, values: list[float]) -> Mask:
    if operator in ("in", "not in", "!="):
        found = np.isin(x, values)
        return found if operator == "in" else ~found & ~np.isnan(x)
    compare = {"=": np.equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}[operator]
    return cast(Mask, compare(x, values[0]))


def _as_number(column: str, value: Value) -> float:
    try:
        return float(value)
    except ValueError:
        raise ParamError("where", say(N_("“{column}” holds numbers; “{value}” is not one."), column=column, value=value)) from None
