"""The columns of a table as plain arrays that are remembered, and the rows that meet a condition.

What reads a table goes through here; what it makes of the arrays is in `aggregates`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.columns import Columns, Mask
from dpstudio.data.conditions import ORDERED, Test, Value, Where, as_word
from dpstudio.values.dates import span_of
from dpstudio.values.domains import number_of
from dpstudio.values.messages import plain, say
from dpstudio.values.parameters import ParamError

T = TypeVar("T")
_SLICE = 1 << 20


@dataclass(frozen=True)
class ColumnInfo:
    """`type` is "integer", "number", "date", "category" (words, also yes/no) or "other" (nested
    values)."""

    name: str
    type: str

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers that are no dates."""
        return self.type in ("integer", "number")

    @property
    def ordered(self) -> bool:
        """Whether its values have an order, as numbers and dates do."""
        return self.numeric or self.type == "date"


class Remember(Protocol):
    """What keeps the answer to a frozen question."""

    def __call__(self, question: Hashable, answer: Callable[[], T]) -> T: ...


class HeldColumns:
    """The columns of one table. `remember` keeps what was read."""

    def __init__(self, table: Columns, remember: Remember):
        self.table, self._remember = table, remember
        self.rows = table.rows
        self.columns = tuple(map(ColumnInfo, table.names, table.types))
        self.place = {info.name: i for i, info in reversed(list(enumerate(self.columns)))}

    def info(self, column: str) -> ColumnInfo:
        """Raises ParamError when the table has no such column."""
        if column not in self.place:
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
        return self.columns[self.place[column]]

    def at(self, column: str) -> int:
        """The place of a column. Raises ParamError when there is none of that name."""
        self.info(column)
        return self.place[column]

    def absent(self, column: str) -> Mask:
        """Where the column has no value, shape (rows,)."""
        return self.table.absent(self.at(column))

    def numbers(self, column: str) -> NDArray[Any]:
        """The column as a plain array, floats with NaN where values are missing; integers stay
        integers; dates are days."""
        return self._remember(
            ("numbers", column),
            lambda: _Numbers(self.table.numbers(self.at(column)), self.table.lazy),
        ).values

    def codes(self, column: str) -> tuple[NDArray[np.int32], dict[str, int]]:
        """Category codes, shape (rows,), −1 where missing, and the code of each word. Raises
        ParamError at “column” for one that holds neither numbers nor words."""

        def numbered() -> _Codes:
            codes, words = self.table.codes(self.at(column))
            return _Codes(codes, dict(zip(words, range(len(words)), strict=True)))

        if self.info(column).type == "other":
            raise ParamError(
                "column", say("“{column}” holds neither numbers nor words.", column=column)
            )
        held = self._remember(("codes", column), numbered)
        return held.codes, held.words

    def mask(self, where: Where) -> Mask:
        """Where a condition holds, shape (rows,). Raises ParamError at “where” for values that a
        column cannot be compared with."""
        masks = [
            self._test(part) if isinstance(part, Test) else self.mask(part) for part in where.parts
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
            absent = self.absent(test.column)
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
        x = self.numbers(test.column)
        if test.operator in ORDERED:
            start, end = spans[0]
            return {"<": x < start, "<=": x < end, ">": x >= end, ">=": x >= start}[test.operator]
        found = np.zeros(len(x), dtype=np.bool_)
        for start, end in spans:
            found |= (x >= start) & (x < end)
        return found if test.operator in ("=", "in") else ~found & ~np.isnan(x)

    def _compare_numbers(self, test: Test) -> Mask:
        return _compared(
            self.numbers(test.column),
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
        codes = self.codes(test.column)[0]
        places = (self.code(test.column, as_word(value)) for value in test.values)
        wanted = [place for place in places if place is not None]
        found = np.isin(codes, wanted) if len(wanted) != 1 else codes == wanted[0]
        return found if test.operator in ("=", "in") else ~found & (codes >= 0)

    def chosen(self, column: str, where: Where) -> NDArray[Any]:
        """The numbers of the rows that meet a condition, NaN where they are missing."""
        x = self.numbers(column)
        return x[self.mask(where)] if where else x

    def places(self, column: str, words: tuple[str, ...]) -> NDArray[np.int64]:
        """For each row the place of its word in `words`, the first of those that mean it;
        len(words) where it is none of them."""
        codes, known = self.codes(column)
        place = np.full(len(known) + 1, len(words), dtype=np.int64)
        for i, word in reversed(list(enumerate(words))):
            code = self.code(column, word)
            if code is not None:
                place[code] = i
        return np.asarray(place[codes])

    def code(self, column: str, word: str) -> int | None:
        """The code of a word, None where no row has it. One of numbers is found by its value: how
        they are written depends on all rows, where 1 is “1.0” as soon as one of them is 2.5."""
        known = self.codes(column)[1]
        if word in known or not self.info(column).numeric:
            return known.get(word)
        try:
            value = number_of(word)
        except ValueError:
            return None
        written = (repr(value), *((str(int(value)),) if value.is_integer() else ()))
        return next((known[each] for each in written if each in known), None)

    def word_counts(self, column: str) -> NDArray[np.int64]:
        """Rows of each code, over all rows."""
        codes, known = self.codes(column)
        return self._remember(("word counts", column), lambda: rows_of_codes(codes, len(known)))


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


def rows_of_codes(codes: NDArray[Any], words: int) -> NDArray[np.int64]:
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
        return number_of(value) if isinstance(value, str) else float(value)
    except ValueError:
        raise ParamError(
            "where",
            say("“{column}” holds numbers; “{value}” is not one.", column=column, value=value),
        ) from None
