"""Currencies and per cent at numbers: where every number of a column has the same, it is the unit
of the column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import Doubt, quoted
from dpstudio.files.read.typing import evidence, marks
from dpstudio.values.messages import say
from dpstudio.values.written import UNIT

if TYPE_CHECKING:
    import pyarrow as pa

PER_CENT = "%"
_SIGN = re.compile(UNIT)
_SPACES = " \u00a0\u202f"
_PARTS = (
    rf"^(?P<sign>[-+−]?)(?P<before>{UNIT})?[{_SPACES}]?"
    rf"(?P<number>[-+−]?[\d.,][\d.,'{_SPACES}]*?)[{_SPACES}]?(?P<after>{UNIT})?$"
)


def column(name: str, words: pa.ChunkedArray, choices: Choices) -> evidence.Column:
    """As `evidence.column`, of numbers with a unit without it."""
    held = evidence.column(name, words, choices)
    plain, unit = _parted(held, choices)
    return replace(evidence.column(name, plain, choices), unit=unit) if unit else held


def decided(columns: Sequence[evidence.Column], choices: Choices) -> tuple[str, tuple[Doubt, ...]]:
    """ "numbers", "fractions" or "words", and a question where something is in per cent."""
    if choices.units != "auto":
        return choices.units, ()
    vague = next((held.name for held in columns if held.unit == PER_CENT), None)
    if vague is None:
        return "numbers", ()
    why = say("5% in “{column}” may be 5 or a fraction, 0.05", column=quoted(vague))
    return "numbers", (Doubt("units", why, ("numbers", "fractions", "words")),)


def _parted(held: evidence.Column, choices: Choices) -> tuple[pa.ChunkedArray, str]:
    """The numbers without their unit, and the unit; the words as they are, and "", where not every
    value is a number of one unit, or they are told to be words."""
    import pyarrow.compute as pc

    words, kind = held.words, held.forced or held.looks
    if choices.units == "words" or kind not in ("number", "integer"):
        return words, ""
    if not any(_SIGN.search(word) for word in held.sample):
        return words, ""
    kept, _ = evidence.without_marks(words, choices, tuple(marks.MARKS))
    fields = pc.extract_regex(kept, _PARTS)
    if fields.null_count > kept.null_count and not held.forced:
        return words, ""
    before, after = pc.struct_field(fields, "before"), pc.struct_field(fields, "after")
    found = pc.unique(pc.binary_join_element_wise(before, after, "")).drop_null().to_pylist()
    if len(found) != 1 or not _SIGN.fullmatch(found[0]):
        return words, ""
    sign, number = pc.struct_field(fields, "sign"), pc.struct_field(fields, "number")
    return pc.coalesce(pc.binary_join_element_wise(sign, number, ""), words), found[0]
