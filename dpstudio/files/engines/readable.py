"""The columns of a table of another engine as every row of them can be asked for: what an engine
refuses to turn into a number, a date of another program, or a word of its own bytes would let one
row decide whether there is an answer, or move what is said of others."""

from __future__ import annotations

import sys
from collections.abc import Collection
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from dpstudio.files.engines.expressions import call, engine_of

if TYPE_CHECKING:
    import ibis.expr.types as ir

_DATES = date.min, date.max
_TIMES = datetime.min, datetime.max
_LEAST = 5e-324  # the smallest double above 0
_MICRO = 6  # digits of a second


def readable(table: ir.Table, loose: Collection[str] = ()) -> ir.Table:
    """The table with the same columns: decimal numbers as doubles, a UUID as a word, times in UTC,
    and days before the year 1 or after 9999, and infinite ones, missing. Words of `loose` columns,
    which the engine compares by rules of a language, are compared by their bytes."""
    made = {}
    for name, dtype in table.schema().items():
        x = table[name]
        if dtype.is_decimal() and engine_of(table) == "postgres":
            made[name] = _double(x)
        elif dtype.is_date():
            made[name] = _within(x, *_DATES)
        elif dtype.is_timestamp():
            made[name] = _within(_by_clock(table, x), *_TIMES)
        elif dtype.is_uuid():
            made[name] = x.cast("string")
        elif dtype.is_string() and name in loose:
            made[name] = _by_bytes(table, x)
    return table.mutate(**made) if made else table


def _double(x: Any) -> Any:
    """A decimal number of PostgreSQL, which refuses those that no double is near."""
    import ibis

    kind = x.type()
    none, near = (x == _decimal("NaN"), ibis.null("float64")), x.cast("float64")
    if kind.precision is not None:
        return ibis.cases(none, else_=near)
    most, least = _decimal(repr(sys.float_info.max)), _decimal(repr(_LEAST))
    ends = [(x > most, float("inf")), (x < -most, float("-inf")), (x.abs() < least, 0.0)]
    return ibis.cases(none, *ends, else_=near)


def _decimal(text: str) -> Any:
    import ibis

    return ibis.literal(text).cast("decimal")


def _within(x: Any, first: date, last: date) -> Any:
    """A day or time that Python has too."""
    import ibis

    return ibis.ifelse((x >= first) & (x <= last), x, ibis.null(x.type()))


def _by_clock(table: ir.Table, x: Any) -> Any:
    """A time by the clock; one of a zone by that of UTC, whatever the session is set to."""
    import ibis

    if engine_of(table) == "pyspark":
        return x
    if x.type().timezone is not None:
        return call("timezone", "timestamp(6)", ibis.literal("UTC"), x)
    if (x.type().scale or 0) > _MICRO:  # which DuckDB rounds
        return call("make_timestamp", "timestamp(6)", call("epoch_us", "int64", x))
    return x


def _by_bytes(table: ir.Table, x: Any) -> Any:
    import ibis

    if engine_of(table) == "duckdb":
        return call("decode", "string", call("encode", "binary", x))
    if engine_of(table) == "postgres":
        code, there, back = "UTF8", "convert_to", "convert_from"
    else:
        code, there, back = "UTF-8", "encode", "decode"
    return call(back, "string", call(there, "binary", x, ibis.literal(code)), ibis.literal(code))
