"""Columns of values that are typed one by one (cells of a sheet, of JSON, of SQLite) to columns of
one type."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from dpstudio.files.read import outcome, packing, source
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.text.typed_table import free_of, settled
from dpstudio.files.read.typing import evidence, marks, numerals
from dpstudio.values.messages import Message, say
from dpstudio.values.written import number_text

if TYPE_CHECKING:
    import pyarrow as pa

_LONG = 10**15


def column_of(
    values: Sequence[Any], choices: Choices, whole_floats: bool = False
) -> tuple[pa.Array, tuple[tuple[str, int | None], ...]]:
    """One Arrow array of the narrowest type that holds every value, and the marks among numbers
    that became missing.

    `whole_floats`: a column whose floats are all whole numbers is one of integers, as sheets have
    them.
    """
    import pyarrow as pa

    kinds = {type(v) for v in values if v is not None}
    words = {v for v in values if isinstance(v, str)} if str in kinds else set()
    blank = {"", *choices.missing_words}
    allowed = blank if choices.missing == "blank" else blank | marks.MARKS
    missing: tuple[tuple[str, int | None], ...] = ()
    if str in kinds and kinds != {str} and {w.strip() for w in words} <= allowed:
        missing = tuple(Counter(v for v in values if isinstance(v, str)).most_common())
        values = [None if isinstance(v, str) else v for v in values]
        kinds.discard(str)
    if choices.missing_words and kinds & {int, float}:
        values = [None if v is not None and word(v) in choices.missing_words else v for v in values]
    if not kinds:
        return pa.array([None] * len(values), pa.string()), missing
    if kinds == {str}:
        return pa.array(values, pa.string()), missing
    if kinds == {bool}:
        return pa.array(values, pa.bool_()), missing
    if kinds <= {int, float, Decimal}:
        return _numbers(values, kinds, whole_floats), missing
    if kinds <= {date, datetime}:
        if (
            kinds == {datetime} and any(v.time() != time(0) for v in values if v is not None)
        ) or len(kinds) == 2:
            return pa.array(
                [datetime(v.year, v.month, v.day) if type(v) is date else v for v in values],
                pa.timestamp("us"),
            ), missing
        return pa.array(
            [v.date() if isinstance(v, datetime) else v for v in values], pa.date32()
        ), missing
    if kinds == {bytes}:
        return pa.array(values, pa.binary()), missing
    return pa.array([None if v is None else word(v, choices) for v in values], pa.string()), missing


def _numbers(values: Sequence[Any], kinds: set[type], whole_floats: bool) -> pa.Array:
    import pyarrow as pa

    whole = kinds == {int} or (
        whole_floats and all(v is None or float(v).is_integer() for v in values)
    )
    if whole and any(v is not None and abs(v) >= _LONG for v in values):
        # More digits than a float holds: a name of something, not a quantity.
        return pa.array([None if v is None else str(int(v)) for v in values], pa.string())
    if whole:
        return pa.array([None if v is None else int(v) for v in values], pa.int64())
    return pa.array([None if v is None else float(v) for v in values], pa.float64())


def marked(
    names: Sequence[str], columns: Sequence[Sequence[Any]], choices: Choices
) -> tuple[Choices, tuple[outcome.Doubt, ...]]:
    """The choices with the decimal mark of the texts, where these stand beside numbers, and what to
    ask of it: numbers, which are words in such a column, are then written as the texts are, and
    none says how a text is to be read."""
    import pyarrow as pa

    if choices.decimal != "auto":
        return choices, ()
    kinds = [{type(value) for value in values} for values in columns]
    if not any(str in kind and kind & {int, float, Decimal} for kind in kinds):
        return choices, ()
    texts = ([v for v in values if isinstance(v, str)] for values in columns)
    arrays = [pa.chunked_array([pa.array(words, pa.string())]) for words in texts]
    pairs = zip(names, arrays, strict=True)
    held = [evidence.column(name, words, choices) for name, words in pairs if len(words)]
    signs, doubts = numerals.decided(held, choices, "")
    return choices.with_(decimal=signs.decimal), doubts


def word(value: Any, choices: Choices | None = None) -> str:
    """The text of one value in a column that holds several kinds: of a number as texts of the file
    are told to write it, so that none is read as another."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return number_text(value, "," if choices and choices.decimal == "comma" else ".")
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime) and value.time() == time(0):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def read_values(
    packed: packing.Packed,
    format_: str,
    names: Sequence[str],
    columns: Sequence[tuple[pa.ChunkedArray, tuple[tuple[str, int | None], ...]]],
    counts: outcome.Counts,
    choices: Choices,
    doubts: Sequence[outcome.Doubt],
    notes: Sequence[Message],
    watch: source.Watch,
    chosen: Choices | None = None,
) -> outcome.Read:
    """The report of typed columns; those of words get the same judgement as text. Each of `columns`
    comes with what stood for a missing value in it, and how often; `chosen` are the choices made
    already. Raises TableError where there are no columns or no rows."""
    import pyarrow as pa

    path = packed.source.name
    if not columns:
        raise outcome.TableError(say("{path} has no columns. Choose another file.", path=path))
    if not counts.kept:
        raise outcome.TableError(
            say("{path} has column names but no rows. Choose another file.", path=path)
        )
    typed, reads, signs, more = settled(
        [(n, c) for n, (c, _) in zip(names, columns, strict=True)], choices, "", watch
    )
    reads = [
        outcome.ColumnRead(r.name, r.kind, (*r.missing, *missing), r.notes) if missing else r
        for r, (_, missing) in zip(reads, columns, strict=True)
    ]
    chosen = signs.made(chosen or choices).with_(
        part=packed.part or choices.part,
        footer=counts.footer,
        ragged="pad" if choices.ragged == "auto" else choices.ragged,
    )
    known = {doubt.choice for doubt in doubts if doubt.choice == "decimal"}
    more = [doubt for doubt in more if doubt.choice not in known]
    asked = tuple(d for d in (*packed.doubts, *doubts, *more) if free_of(choices, d))
    return outcome.Read(
        pa.table(typed, names=[r.name for r in reads]),
        path,
        format_,
        chosen,
        counts,
        tuple(reads),
        tuple(notes),
        asked,
    )
