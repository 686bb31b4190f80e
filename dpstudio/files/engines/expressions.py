"""Columns and conditions of a table that another engine holds, as expressions of Ibis: what they
mean is what `held_columns` means by them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from dpstudio.data.conditions import ORDERED, Test, Value, Where, as_word
from dpstudio.data.held_columns import ColumnInfo
from dpstudio.data.kept_rows import APART, WHOLE
from dpstudio.values.dates import span_of
from dpstudio.values.domains import number_of
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

if TYPE_CHECKING:
    import ibis.expr.types as ir

MICRO = 86_400_000_000  # microseconds of a day


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
    if engine_of(table) == "pyspark":  # which has no part of a time below a second
        return call("unix_micros", "int64", column.cast("timestamp('UTC')"))
    return column.truncate("s").epoch_seconds().cast("int64") * 1_000_000 + column.microsecond()


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


def double(x: Any) -> Any:
    """A number as a double, to its last bit: some engines take its digits for a decimal."""
    import ibis

    return ibis.literal(repr(float(x))).cast("float64")


def rounded(table: ir.Table, x: Any) -> Any:
    """A double as the nearest whole one, the even one of two."""
    import ibis

    if engine_of(table) != "duckdb":
        return call({"postgres": "round", "pyspark": "rint"}[engine_of(table)], "float64", x)
    return call("round_even", "float64", x, ibis.literal(0))


def floor(x: Any) -> Any:
    """The whole double below one, or itself: Ibis makes it an integer, which large ones are not."""
    if x.get_backend().name != "pyspark":
        return call("floor", "float64", x)
    near = call("rint", "float64", x)  # its own makes an integer too
    return (near > x).ifelse(near - 1.0, near)


def finite(x: Any, lowest: float = -math.inf, highest: float = math.inf) -> Any:
    """Whether a number is none of ±∞."""
    return (x > lowest) & (x < highest) if x.type().is_floating() else x.notnull()


def kept_of(table: ir.Table, person: str, most: int) -> ir.Table:
    """At most so many rows of each person, by the rule of `data.kept_rows`; rows that are nobody's
    are left out. Rows that say the same stand for each other, so that any of them is kept."""
    import ibis

    texts = [_text(table, name) for name in (person, *table.columns)]
    said = reduce(lambda before, part: before + ibis.literal(APART) + part, texts)
    which = ibis.row_number().over(
        ibis.window(group_by=value(table, person), order_by=_hashed(table, said))
    )
    ranked = table.mutate(dpstudio_place=which)
    mine = value(ranked, person).notnull() & (ranked.dpstudio_place < most)
    return ranked.filter(mine).drop("dpstudio_place")


def _text(table: ir.Table, name: str) -> Any:
    """What a row says in a column, as `data.kept_rows.coded_texts` has it."""
    import ibis

    x, kind = value(table, name), type_of(table.schema()[name])
    if kind == "other":
        text = ibis.ifelse(table[name].isnull(), "", "?")
    elif kind == "integer":
        text = x.cast("string")
    elif kind == "number":
        small = ibis.ifelse(x.abs() < WHOLE, x, 0.5)  # no integer of the engine is as large
        whole = ibis.ifelse(small == small.floor(), small, 0.0).cast("int64").cast("string")
        text = ibis.ifelse(small == small.floor(), whole, _bytes(table, x))
    elif kind == "date":
        x = x.cast("timestamp")
        shown = [call(_CLOCK[engine_of(table)], "string", x, form) for form in _forms(table)]
        text = ibis.ifelse(x == x.truncate("D"), *shown)
    else:
        text = x.length().cast("string") + ibis.literal(":") + x
    return text.fill_null("")


_CLOCK = {"duckdb": "strftime", "postgres": "to_char", "pyspark": "date_format"}


def _forms(table: ir.Table) -> list[Any]:
    """How days alone are written, and times to the microsecond."""
    import ibis

    of_engine = {
        "duckdb": ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S.%f"),
        "postgres": ("YYYY-MM-DD", 'YYYY-MM-DD"T"HH24:MI:SS.US'),
        "pyspark": ("yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"),
    }
    return [ibis.literal(form) for form in of_engine[engine_of(table)]]


def engine_of(table: ir.Table) -> str:
    """What Ibis calls the engine of a table: duckdb, postgres or pyspark."""
    return str(table.get_backend().name)


def _bytes(table: ir.Table, x: Any) -> Any:
    """The 8 bytes of a double, the first that of its sign."""
    import ibis

    if engine_of(table) == "postgres":
        return call("encode", "string", call("float8send", "binary", x), ibis.literal("hex"))
    if engine_of(table) == "pyspark":
        java = (ibis.literal("java.lang.Double"), ibis.literal("doubleToRawLongBits"))
        whole = call("reflect", "string", *java, x.fill_null(0.0)).cast("int64")
        shown = call("hex", "string", whole).lower().lpad(16, "0")
        return ibis.ifelse(x.isnull(), ibis.null("string"), shown)
    sample = call("bitstring", "binary", ibis.literal("0"), ibis.literal(64, "int64"))
    bits = call("cast_to_type", "binary", x, sample)
    whole = call("cast_to_type", "int64", bits, ibis.literal(2**62))  # which takes 64 bits
    return call("printf", "string", ibis.literal("%016x"), whole)


def _hashed(table: ir.Table, text: Any) -> Any:
    """The MD5 of a text as UTF-8, whatever letters the server keeps it in."""
    import ibis

    if engine_of(table) == "postgres":
        text = call("convert_to", "binary", text, ibis.literal("UTF8"))
    return call("md5", "string", text)


def call(name: str, answer: str, *given: Any) -> Any:
    """A function of the engine, by its name there."""
    import ibis

    stub = (_of_one, _of_two, _of_three)[len(given) - 1]
    signature = tuple(each.type() for each in given), answer
    return ibis.udf.scalar.builtin(stub, name=name, signature=signature)(*given)


def _of_one(a: Any) -> Any:
    raise NotImplementedError


def _of_two(a: Any, b: Any) -> Any:
    raise NotImplementedError


def _of_three(a: Any, b: Any, c: Any) -> Any:
    raise NotImplementedError


def drawn_by(table: ir.Table) -> Any:
    """The MD5 by which rows are drawn: of what all columns of a row say, and of which one it is of
    the rows that say the same, so that each of these is drawn by itself."""
    import ibis

    parts = [_text(table, name) for name in table.columns]
    said = _hashed(table, reduce(lambda before, part: before + ibis.literal(APART) + part, parts))
    which = ibis.row_number().over(ibis.window(group_by=said))
    return _hashed(table, said + which.cast("string"))
