"""The columns of a table elsewhere as they are told: each value as the type of its column, by
itself, whatever type the table has: a program may have chosen it by all of the values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dpstudio.data.kept_rows import WHOLE
from dpstudio.files.engines.expressions import call, engine_of, floor, value
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import TableError
from dpstudio.files.read.told import TYPES_ALONE, told_words
from dpstudio.values.messages import N_, say

if TYPE_CHECKING:
    import ibis.expr.types as ir

_DIGITS = r"^-?[0-9]{1,15}([.][0-9]{1,15})?(e[+-]?[0-9]{1,2})?$"  # which no engine refuses


def kinds_told(where: str, choices: Choices | None) -> dict[str, str]:
    """What is told of the columns; nothing where they are taken as they are held. Raises
    TableError where something else is told."""
    if choices is None or not (choices.types or choices.every):
        return {}
    if choices.with_(types=()) != TYPES_ALONE or not choices.types:
        text = N_(
            "Of Parquet files and databases the types of columns alone are told: type {line} with "
            "types=…; “dpstudio read {path}” prints the whole line."
        )
        raise TableError(say(text, path=where, line=told_words(TYPES_ALONE)))
    return choices.forced()


def as_told(table: ir.Table, kinds: Mapping[str, str]) -> ir.Table:
    """The table by the types that are told; other columns hold words. Nothing told: as it is."""
    if not kinds:
        return table
    made = {name: _MADE[kinds.get(name, "words")](table, name) for name in table.columns}
    return table.select(**made)


def unread(table: ir.Table, kinds: Mapping[str, str]) -> ir.Table:
    """One row: of each column how many values are none of the type that is told, and so missing."""
    told = {name: _MADE[kinds.get(name, "words")](table, name) for name in table.columns}
    lost = {name: value(table, name).notnull() & held.isnull() for name, held in told.items()}
    return table.aggregate(**{name: each.sum() for name, each in lost.items()})


def _number(table: ir.Table, name: str) -> Any:
    import ibis

    x = value(table, name)
    if table[name].type().is_numeric():
        return x.cast("float64")
    if not table[name].type().is_string():
        return ibis.null("float64")
    return ibis.ifelse(x.lower().re_search(_DIGITS), x, ibis.null("string")).cast("float64")


def _integer(table: ir.Table, name: str) -> Any:
    import ibis

    x = _number(table, name)
    whole = (x.abs() < WHOLE) & (x == floor(x))
    return ibis.ifelse(whole, x, ibis.null("float64")).cast("int64")


def _words(table: ir.Table, name: str) -> Any:
    """A number as in a column of numbers; none of those that doubles do not tell apart."""
    import ibis

    x, kind = value(table, name), table[name].type()
    if kind.is_numeric():
        x = x.cast("float64")
        small = ibis.ifelse(x.abs() < WHOLE, x, ibis.null("float64"))
        whole = ibis.ifelse(small == floor(small), small, ibis.null("float64"))
        return whole.cast("int64").cast("string").coalesce(small.cast("string"))
    if kind.is_string() or kind.is_boolean() or kind.is_date() or kind.is_timestamp():
        return x.cast("string")
    return ibis.null("string")


def _date(table: ir.Table, name: str) -> Any:
    import ibis

    x = value(table, name)
    if x.type().is_date() or x.type().is_timestamp():
        return x.cast("timestamp")
    if not x.type().is_string() or table[name].type().is_boolean():
        return ibis.null("timestamp")
    if engine_of(table) == "pyspark":
        return call("try_to_timestamp", "timestamp", x)
    return x.try_cast("timestamp")


_MADE: dict[str, Callable[[ir.Table, str], Any]] = {
    "number": _number,
    "integer": _integer,
    "words": _words,
    "yes/no": _words,
    "date": _date,
}
