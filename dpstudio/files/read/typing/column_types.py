"""A column of words as its type: numbers, dates, yes or no, nothing, or words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import ColumnRead
from dpstudio.files.read.typing import arrays, calendar, marks, numerals, units
from dpstudio.files.read.typing.evidence import FALSE, TRUE, Column, TypingChoices, without_marks
from dpstudio.values.messages import Message, say

if TYPE_CHECKING:
    import pyarrow as pa


_YES_NO = ({"true", "false"}, {"yes", "no"}, {"y", "n"}, {"t", "f"})


def finished(
    held: Column, signs: TypingChoices, choices: Choices
) -> tuple[pa.ChunkedArray, ColumnRead]:
    """The column in its type. A word that is neither a value of that type nor a mark keeps the
    whole column words."""
    want = held.forced or held.looks
    notes: list[Message] = []
    if want in ("number", "integer"):
        typed, missing, notes = numerals.numbers(held, signs, choices)
        if typed is not None:
            import pyarrow as pa

            kind = "integer" if pa.types.is_integer(typed.type) else "number"
            unit = "" if signs.units == "fractions" and held.unit == units.PER_CENT else held.unit
            notes += [say("Its numbers are in {unit}.", unit=unit)] if unit else []
            return typed, ColumnRead(held.name, kind, missing, tuple(notes), unit)
    elif want == "date" and (choices.dates != "words" or held.forced):
        typed, missing, notes = calendar.dates(held, signs, choices)
        if typed is not None:
            return typed, ColumnRead(held.name, "date", missing, tuple(notes))
    elif want == "yes/no":
        return _yes_no(held, choices)
    elif want == "blank":
        return _blank(held, choices)
    words, missing = without_marks(held.words, choices, marks.CLEAR, held.few)
    return words, ColumnRead(held.name, "words", missing, tuple(notes))


def _blank(held: Column, choices: Choices) -> tuple[pa.ChunkedArray, ColumnRead]:
    """A column without any value, as pandas has it: numbers, all of them missing."""
    import pyarrow as pa

    if choices.missing == "blank" and held.words.null_count < len(held.words):
        words, missing = without_marks(held.words, choices, ())
        if words.null_count < len(words):
            return words, ColumnRead(held.name, "words", missing)
    else:
        _, missing = without_marks(held.words, choices, tuple(marks.MARKS))
    return pa.chunked_array([pa.nulls(len(held.words), pa.float64())]), ColumnRead(
        held.name, "number", missing
    )


def _yes_no(held: Column, choices: Choices) -> tuple[pa.ChunkedArray, ColumnRead]:
    import pyarrow as pa
    import pyarrow.compute as pc

    words, missing = without_marks(held.words, choices, tuple(marks.MARKS), held.few)
    known = held.few if words is held.words else None
    lowered = {w.lower() for w in known or pc.unique(words).to_pylist() if w is not None}
    if not held.forced and not any(lowered <= pair for pair in _YES_NO):
        words, missing = without_marks(held.words, choices, marks.CLEAR, held.few)
        return words, ColumnRead(held.name, "words", missing)
    if lowered <= {"true", "false"} or (held.forced and lowered <= TRUE | FALSE):
        typed = pc.is_in(pc.utf8_lower(words), value_set=arrays.strings(sorted(TRUE), words.type))
        return pc.if_else(pc.is_valid(words), typed, arrays.no_value(pa.bool_())), ColumnRead(
            held.name, "yes/no", missing
        )
    return words, ColumnRead(held.name, "yes/no", missing)
