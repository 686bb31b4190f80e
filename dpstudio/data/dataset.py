"""A table behind a narrow interface of aggregates; the answers are remembered by the question that
was asked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.codebook import EMPTY, About, Codebook
from dpstudio.data.column_counts import Spread, most_common, spread_of_numbers, spread_of_words
from dpstudio.data.columns import Columns, FrameColumns, Mask, Rows, first_of_each
from dpstudio.data.conditions import ORDERED, Test, Value, Where, as_word
from dpstudio.data.typed_columns import Retyped
from dpstudio.values.dates import span_of
from dpstudio.values.messages import plain, say
from dpstudio.values.params import ParamError

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
_SLICE = 1 << 20
_KEEP, _KEEP_BYTES = 512, 64_000_000
_FIRST = 100_000  # rows
_DESCRIBED = 6  # each way to read a table has answers of its own to remember


@dataclass(frozen=True)
class ColumnInfo:
    """`type` is "integer", "number", "date", "category" (words, also yes/no) or "other" (nested
    values)."""

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
    """A clipped sum and what went into it. `used` rows met the condition and had a value; the
    others add 0."""

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
    """A frozen table. `origin` is the path or example it came from, `digest` the SHA-256 of its
    bytes (hex).

    All methods may be called from any thread; the table, a pandas frame or another engine, is never
    changed and never leaves.
    """

    def __init__(
        self,
        table: pd.DataFrame | Columns,
        name: str,
        origin: str = "",
        digest: str | Callable[[], str] = "",
    ):
        self._table = table if isinstance(table, Columns) else FrameColumns(table)
        self.name, self.origin, self._digest = name, origin, digest
        self.rows = self._table.rows
        self.columns = tuple(map(ColumnInfo, self._table.names, self._table.types))
        self._place = {info.name: i for i, info in reversed(list(enumerate(self.columns)))}
        self._memo: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = 0
        # Room for the answers, and for the few columns that a question is about, however long they
        # are.
        self._room = max(_KEEP_BYTES, 4 * 8 * self.rows)
        self._lock = RLock()
        self.codebook = EMPTY
        # The table as the file gives it; this table before rows of persons were left out; the one
        # that has the same rows.
        self._file, self._whole, self._rows_of = self, self, self
        self._described: OrderedDict[Codebook, Dataset] = OrderedDict()

    @property
    def digest(self) -> str:
        """SHA-256 of the file, hex; where it was still being worked out, this waits for it."""
        held = self._digest
        if callable(held):
            self._digest = held = held()
        return held

    def described(self, codebook: Codebook) -> Dataset:
        """The table of this file as a codebook tells it: columns read as told, at most so many rows
        of each person.

        What was told before is not added to: `described(EMPTY)` is the table of the file. Choosing
        the rows sorts them by person, so the first call belongs in the background; the last few
        codebooks are remembered. Raises ParamError at “person” when there is no such column.
        """
        file = self._file
        if not codebook:
            return file
        with file._lock:
            if codebook in file._described:
                file._described.move_to_end(codebook)
                return file._described[codebook]
        made = file._describe(codebook)
        with file._lock:
            made = file._described.setdefault(codebook, made)
            while len(file._described) > _DESCRIBED:
                file._described.popitem(last=False)
        return made

    def _describe(self, codebook: Codebook) -> Dataset:
        rows_of = self.described(codebook.reading) if codebook != codebook.reading else None
        whole = self.described(codebook.with_person("")) if codebook.person else None
        if rows_of is not None:
            table = rows_of._table
        elif whole is not None:
            kept = whole._first_rows(codebook.person, codebook.most)
            table = whole._table if len(kept) == whole.rows else whole._table.take(kept)
        else:
            wanted = {
                self._place[name]: about.type
                for name, about in codebook.columns
                if about.type and name in self._place
            }
            table = Retyped(self._table, wanted) if wanted else self._table
        made = Dataset(table, self.name, self.origin, lambda: self.digest)
        made.codebook, made._file, made._rows_of, made._whole = (
            codebook,
            self,
            rows_of or made,
            whole or made,
        )
        return made

    def _first_rows(self, person: str, most: int) -> Rows:
        if not self.has(person) or self.info(person).type == "other":
            raise ParamError(
                "person",
                say(
                    "“{column}” is no column that could say whose row it is. Choose another.",
                    column=person,
                ),
            )
        return first_of_each(self._who(person), self._absent(person), most)

    def _who(self, person: str) -> NDArray[Any]:
        """For each row a number that tells its person from others, and nothing where the column is
        missing."""
        if self.info(person).type == "category":
            return self._codes(person)[0]
        x = self._numbers(person)
        # Whole numbers beyond 2⁵³ may be one as doubles: two people taken for one would share the
        # rows that are kept of them.
        lost = x.dtype.kind == "f" and bool(np.any(np.abs(x) >= 2.0**53))
        return self._table.exact_codes(self._at(person)) if lost else x

    def about(self, column: str) -> About:
        """What is known of a column from outside the data; an empty About for most."""
        return self.codebook.about(column)

    @property
    def person(self) -> str:
        """The column that says whose row it is; "" where each row is a person."""
        return self.codebook.person

    @property
    def contributions(self) -> int:
        """How many rows one person may have at most."""
        return self.codebook.most

    @property
    def whole(self) -> Dataset:
        """The same table before rows of persons who have too many were left out."""
        return self._whole

    @property
    def dropped(self) -> int:
        """How many rows of the whole table are left out: those past the first of each person, and
        those that are nobody's."""
        return self._whole.rows - self.rows

    @property
    def unowned(self) -> int:
        """How many rows of the whole table name no person."""
        return self._whole.missing(self.person) if self.person else 0

    def unread(self, column: str) -> int:
        """How many values of the whole table cannot be read as the type that the codebook tells:
        they count as missing."""
        table = self._whole._table
        return self._about_rows(
            ("unread", column),
            lambda: table.unread(self._at(column)) if isinstance(table, Retyped) else 0,
        )

    def remember(self, question: Hashable, answer: Callable[[], T]) -> T:
        """The answer to a frozen question, worked out once; the oldest are forgotten past 512
        answers, or 64 MB or four columns."""
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

    def _about_rows(self, question: Hashable, answer: Callable[[], T]) -> T:
        """The answer to a question about the rows alone, which bounds and words of the codebook
        have no part in."""
        return self._rows_of.remember(question, answer)

    def known(self, question: Hashable) -> bool:
        """Whether the answer to a question is remembered."""
        with self._lock:
            return question in self._memo

    def info(self, column: str) -> ColumnInfo:
        """Raises ParamError when the table has no such column."""
        if column not in self._place:
            near = plain(", ".join(c.name for c in self.columns[:6]))
            if len(self.columns) > 6:
                near = say("{names} and {n} more", names=near, n=len(self.columns) - 6)
            raise ParamError(
                "column",
                say(
                    "This table has no column “{column}”. It has: {names}.",
                    column=column,
                    names=near,
                ),
            )
        return self.columns[self._place[column]]

    def has(self, column: str) -> bool:
        return column in self._place

    def missing(self, column: str) -> int:
        return self._about_rows(
            ("missing", column), lambda: int(np.count_nonzero(self._absent(column)))
        )

    def extent(self, column: str) -> Extent | None:
        """Smallest and largest value (days, of dates); None when every value is missing or they
        have no order."""
        return self._about_rows(("extent", column), lambda: self._extent(column))

    def distinct(self, column: str, limit: int = 200) -> tuple[tuple[str, int], ...]:
        """The words of a column with their counts, most frequent first, at most `limit` of them."""
        return self._about_rows(("distinct", column, limit), lambda: self._distinct(column, limit))

    def more_than(self, column: str, limit: int) -> bool:
        """Whether a column holds more than `limit` different values; where its first rows do, the
        others are not looked at."""

        def found() -> bool:
            if self.info(column).numeric:
                x = self._numbers(column)[:_FIRST]
                if len(np.unique(x[~np.isnan(x)] if x.dtype.kind == "f" else x)) > limit:
                    return True
            return len(self.distinct(column, limit + 1)) > limit

        return self._about_rows(("more than", column, limit), found)

    def spread(self, column: str) -> Spread:
        """How many different values there are, where they lie, and how often; one sort of the
        column, which is not kept."""
        return self._about_rows(("spread", column), lambda: self._spread(column))

    def count(self, where: Where) -> int:
        """How many rows meet the condition."""
        return self._about_rows(
            ("count", where),
            lambda: self.rows if not where else int(np.count_nonzero(self._mask(where))),
        )

    def clipped(self, column: str, low: float, high: float, where: Where) -> Clipped:
        """Sum of min(max(x, low), high) over the rows that meet the condition and have a value."""
        return self._about_rows(
            ("clipped", column, low, high, where), lambda: self._clipped(column, low, high, where)
        )

    def histogram(self, column: str, edges: tuple[float, ...], where: Where) -> NDArray[np.int64]:
        """Rows per interval [eᵢ, eᵢ₊₁), the last one closed, but of dates, where it ends before its
        edge; others are in none."""
        return self._about_rows(
            ("histogram", column, edges, where), lambda: self._histogram(column, edges, where)
        )

    def tally(self, column: str, words: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        """Rows per category; rows with another word, or none, are in none."""
        return self._about_rows(
            ("tally", column, words, where), lambda: self._tally(column, words, where)
        )

    def powers(
        self, column: str, low: float, high: float, where: Where
    ) -> tuple[float, float, int]:
        """(Σ z, Σ z², rows used) of z = min(max(x, low), high) − (low + high)/2 over the rows that
        count and have a value."""
        return self._about_rows(
            ("powers", column, low, high, where), lambda: self._powers(column, low, high, where)
        )

    def grouped(
        self, by: str, words: tuple[str, ...], column: str, low: float, high: float, where: Where
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(rows used, clipped sum) for each of the words of `by`."""
        return self._about_rows(
            ("grouped", by, words, column, low, high, where),
            lambda: self._grouped(by, words, column, low, high, where),
        )

    def crossed(
        self, first: str, rows: tuple[str, ...], second: str, columns: tuple[str, ...], where: Where
    ) -> NDArray[np.int64]:
        """Rows for each pair of words, shape (len(rows), len(columns))."""
        return self._about_rows(
            ("crossed", first, rows, second, columns, where),
            lambda: self._crossed(first, rows, second, columns, where),
        )

    def moments(
        self, columns: tuple[str, ...], bounds: tuple[tuple[float, float], ...], where: Where
    ) -> NDArray[np.float64]:
        """Z Zᵀ of the rows z = (1, z₁ … z_p) that have every value, each zᵢ clipped to its bounds
        and scaled to [−1, 1]."""
        return self._about_rows(
            ("moments", columns, bounds, where), lambda: self._moments(columns, bounds, where)
        )

    def ordered(self, column: str, where: Where) -> Ordered:
        """The numbers of the rows that meet the condition, in order, missing ones left out: sorts
        the column the first time."""
        return self._about_rows(("ordered", column, where), lambda: self._ordered(column, where))

    def only(self, row: int) -> Dataset:
        """The rows of one person: of the one whose row this is, counted from 0. Columns keep their
        types; nothing is remembered yet."""
        rows = (
            np.flatnonzero(self._who(self.person) == self._who(self.person)[row])
            if self.person
            else np.array([row])
        )
        one = Dataset(self._table.take(rows), self.name, self.origin)
        one.codebook = self.codebook
        return one

    @property
    def _frame(self) -> pd.DataFrame:
        """The table as a pandas frame: the one that it was made of, or a copy, whose dates are
        days."""
        import pandas as pd

        if isinstance(self._table, FrameColumns):
            return self._table.frame
        held: dict[str, Any] = {}
        for place, info in enumerate(self.columns):
            if info.type != "category":
                held[info.name] = self._table.numbers(place)
                continue
            codes, words = self._table.codes(place)
            held[info.name] = np.append(np.array(words, dtype=object), [None])[codes]
        return pd.DataFrame(held)

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
        """The column as a plain array, floats with NaN where values are missing; integers stay
        integers; dates are days."""
        return self._about_rows(
            ("numbers", column),
            lambda: _Numbers(self._table.numbers(self._at(column)), self._table.lazy),
        ).values

    def _codes(self, column: str) -> tuple[NDArray[np.int32], dict[str, int]]:
        """Category codes (−1 where missing) and the code of each word."""

        def numbered() -> _Codes:
            codes, words = self._table.codes(self._at(column))
            return _Codes(codes, dict(zip(words, range(len(words)), strict=True)))

        if self.info(column).type == "other":
            raise ParamError(
                "column", say("“{column}” holds neither numbers nor words.", column=column)
            )
        held = self._about_rows(("codes", column), numbered)
        return held.codes, held.words

    def _mask(self, where: Where) -> Mask:
        masks = [
            self._test(part) if isinstance(part, Test) else self._mask(part) for part in where.parts
        ]
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
        """A date stands for all of the year, month, day or minute that it names."""
        try:
            spans = [span_of(as_word(value)) for value in test.values]
        except ParamError as error:
            raise ParamError("where", error.sentence) from None
        x = self._numbers(test.column)
        if test.operator in ORDERED:
            start, end = spans[0]
            return {"<": x < start, "<=": x < end, ">": x >= end, ">=": x >= start}[test.operator]
        found = np.zeros(len(x), dtype=np.bool_)
        for start, end in spans:
            found |= (x >= start) & (x < end)
        return found if test.operator in ("=", "in") else ~found & ~np.isnan(x)

    def _compare_numbers(self, test: Test) -> Mask:
        return _compared(
            self._numbers(test.column),
            test.operator,
            [_as_number(test.column, v) for v in test.values],
        )

    def _compare_words(self, test: Test) -> Mask:
        if test.operator in ORDERED:
            raise ParamError(
                "where",
                say(
                    "“{column}” holds words, which have no order; use = or in.", column=test.column
                ),
            )
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

    def _spread(self, column: str) -> Spread:
        if self.info(column).ordered:
            return spread_of_numbers(self._numbers(column), dates=self.info(column).type == "date")
        codes, words = self._codes(column)
        return spread_of_words(codes, list(words), self._word_counts(column))

    def _distinct(self, column: str, limit: int) -> tuple[tuple[str, int], ...]:
        _, words = self._codes(column)
        return most_common(list(words), self._word_counts(column), limit)

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

    def _powers(
        self, column: str, low: float, high: float, where: Where
    ) -> tuple[float, float, int]:
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
        totals = np.bincount(places, weights=np.clip(x, low, high), minlength=len(words) + 1)[
            : len(words)
        ]
        return counts.astype(np.int64), totals.astype(np.float64)

    def _crossed(
        self, first: str, rows: tuple[str, ...], second: str, columns: tuple[str, ...], where: Where
    ) -> NDArray[np.int64]:
        down, across = self._places(first, rows), self._places(second, columns)
        if where:
            mask = self._mask(where)
            down, across = down[mask], across[mask]
        wide = len(columns) + 1
        cells = np.bincount(down * wide + across, minlength=(len(rows) + 1) * wide)
        return cells.reshape(len(rows) + 1, wide)[:-1, :-1].astype(np.int64)

    def _moments(
        self, columns: tuple[str, ...], bounds: tuple[tuple[float, float], ...], where: Where
    ) -> NDArray[np.float64]:
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
        ends = np.array(edges, dtype=np.float64)
        if self.info(column).type == "date":
            ends[-1] = np.nextafter(ends[-1], -np.inf)  # 2021-01-01 is no day of 2020
        return np.histogram(x, bins=ends)[0].astype(np.int64)

    def _word_counts(self, column: str) -> NDArray[np.int64]:
        """Rows of each code, over all rows."""
        codes, known = self._codes(column)
        return self._about_rows(("word counts", column), lambda: _counted(codes, len(known)))

    def _tally(self, column: str, words: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        codes, known = self._codes(column)
        counts = (
            _counted(codes[self._mask(where)], len(known)) if where else self._word_counts(column)
        )
        return np.array([counts[known[w]] if w in known else 0 for w in words], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Numbers:
    values: NDArray[Any]
    lazy: bool

    @property
    def nbytes(self) -> int:
        """What remembering it costs: nothing where it is a view of a table that is in memory
        anyhow."""
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
    counts = np.zeros(words + 1, dtype=np.int64)
    for start in range(
        0, len(codes), _SLICE
    ):  # bincount makes eight bytes of every code that it is given
        counts += np.bincount(codes[start : start + _SLICE] + np.int32(1), minlength=words + 1)
    return counts[1:]


def _compared(x: NDArray[Any], operator: str, values: list[float]) -> Mask:
    if operator in ("in", "not in", "!="):
        found = np.isin(x, values)
        return found if operator == "in" else ~found & ~np.isnan(x)
    compare = {
        "=": np.equal,
        "<": np.less,
        "<=": np.less_equal,
        ">": np.greater,
        ">=": np.greater_equal,
    }[operator]
    return cast(Mask, compare(x, values[0]))


def _as_number(column: str, value: Value) -> float:
    try:
        return float(value)
    except ValueError:
        raise ParamError(
            "where",
            say("“{column}” holds numbers; “{value}” is not one.", column=column, value=value),
        ) from None
