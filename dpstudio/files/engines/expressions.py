"""Columns and conditions of a table that another engine holds, as expressions of Ibis: what they
mean is what `held_columns` means by them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from dpstudio.data.conditions import ORDERED, Test, Value, Where, as_word
from dpstudio.data.held_columns import ColumnInfo
from dpstudio.values.dates import span_of
from dpstudio.values.domains import number_of
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

if TYPE_CHECKING:
    import ibis.expr.types as ir

MICRO = 86_400_000_000  # microseconds of a day
# Between the values of a row, and for one that is missing: PostgreSQL has no sign 0.
_APART, _NONE = "\x1f", "\x1e"


def type_of(dtype: Any) -> str:
    """What a column holds, in the words of `ColumnInfo`."""
    if dtype.is_integer():
        return "integer"
    if dtype.is_floating() or dtype.is_decimal():
        return "number"
    if dtype.is_date() or dtype.is_timestamp():
        return "date"
    return "category" if dtype.is_boolean() or dtype.is_string() else "other"


def value(table: ir.Table, name: str) -> Any:
    """A column, NULL where a value is missing: NaN is none, yes and no are words, and what is no
    integer is a double. Dates and times stay what they are."""
    import ibis

    column = table[name]
    dtype = column.type()
    if dtype.is_floating():
        double = column.cast("float64")
        return ibis.ifelse(double.isnan(), ibis.null("float64"), double)
    if dtype.is_decimal():
        return column.cast("float64")
    if dtype.is_boolean():
        return ibis.cases((column, "True"), (~column, "False"))
    return column


def in_numbers(table: ir.Table, name: str) -> Any:
    """A column of numbers or dates as numbers; dates as days since 1970, by the clock."""
    column = value(table, name)
    dtype = column.type()
    if dtype.is_date():
        return column.epoch_days().cast("float64")
    if dtype.is_timestamp():
        return _micro(table, column).cast("float64") / float(MICRO)
    return column


def _micro(table: ir.Table, column: Any) -> Any:
    """Microseconds since 1970, by the clock."""
    import ibis

    if table.get_backend().name == "pyspark":  # which has no part of a time below a second
        return ibis.udf.scalar.builtin(_micros, name="unix_micros")(column.cast("timestamp('UTC')"))
    return column.truncate("s").epoch_seconds().cast("int64") * 1_000_000 + column.microsecond()


def _micros(moment: datetime) -> int:
    """What Spark has, by this name."""
    raise NotImplementedError


class Conditions:
    """Conditions on the rows of one table. `info` says what a column holds, and refuses others."""

    def __init__(self, table: ir.Table, info: Callable[[str], ColumnInfo]):
        self.table, self._info = table, info

    def holds(self, where: Where) -> Any:
        """Where a condition holds, never NULL; None of one without parts. Raises ParamError at
        “where” for values that a column cannot be compared with."""
        if not where:
            return None
        parts = [
            self._test(part) if isinstance(part, Test) else self.holds(part)
            for part in where.parts
            if isinstance(part, Test) or part
        ]
        return reduce(and_ if where.joined == "and" else or_, parts)

    def _test(self, test: Test) -> Any:
        info = self._info(test.column)
        x = value(self.table, test.column)
        if test.operator in ("is missing", "is not missing"):
            return x.isnull() if test.operator == "is missing" else x.notnull()
        if info.type == "date":
            found = self._dates(test)
        elif info.numeric:
            found = _compared(x, test.operator, [_number(test.column, v) for v in test.values])
        else:
            if test.operator in ORDERED:
                text = N_("“{column}” holds words, which have no order; use = or in.")
                raise ParamError("where", say(text, column=test.column))
            found = _compared(x, test.operator, [as_word(v) for v in test.values])
        return found.fill_null(False)

    def _dates(self, test: Test) -> Any:
        try:
            spans = [span_of(as_word(value)) for value in test.values]
        except ParamError as error:
            raise ParamError("where", error.sentence) from None
        x = in_numbers(self.table, test.column)
        if test.operator in ORDERED:
            start, end = spans[0]
            return {"<": x < start, "<=": x < end, ">": x >= end, ">=": x >= start}[test.operator]
        within = reduce(or_, [(x >= start) & (x < end) for start, end in spans])
        return within if test.operator in ("=", "in") else ~within


def _number(column: str, given: Value) -> float:
    try:
        return number_of(given) if isinstance(given, str) else float(given)
    except ValueError:
        text = N_("“{column}” holds numbers; “{value}” is not one.")
        raise ParamError("where", say(text, column=column, value=given)) from None


def _compared(x: Any, operator: str, values: list[Any]) -> Any:
    if operator in ("in", "not in", "!="):
        found = x.isin(values)
        return found if operator == "in" else ~found
    by: Mapping[str, Callable[[], Any]] = {
        "=": lambda: x == values[0],
        "<": lambda: x < values[0],
        "<=": lambda: x <= values[0],
        ">": lambda: x > values[0],
        ">=": lambda: x >= values[0],
    }
    return by[operator]()


def finite(x: Any, lowest: float = -math.inf, highest: float = math.inf) -> Any:
    """Whether a number is none of ±∞."""
    return (x > lowest) & (x < highest) if x.type().is_floating() else x.notnull()


def drawn_by(table: ir.Table) -> Any:
    """The MD5 by which rows are drawn: of what all columns of a row say, and of which one it is of
    the rows that say the same, so that each of these is drawn by itself."""
    import ibis

    parts = [
        value(table, name).cast("string").fill_null(_NONE)
        for name, dtype in table.schema().items()
        if type_of(dtype) != "other"
    ]
    md5, start = ibis.udf.scalar.builtin(_md5, name="md5"), ibis.literal("")
    text = md5(reduce(lambda before, part: before + ibis.literal(_APART) + part, parts, start))
    which = ibis.row_number().over(ibis.window(group_by=text))
    return md5(text + which.cast("string"))


def _md5(words: str) -> str:
    """What every engine has, by this name."""
    raise NotImplementedError
