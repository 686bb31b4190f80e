"""Dates as people write them, proved or disproved over the whole column; day and month in one order
for the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.files.read import marks
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.evidence import Column, Signs, without_marks
from dpstudio.files.read.outcome import Doubt, quoted
from dpstudio.values.messages import Say, say

if TYPE_CHECKING:
    import pyarrow as pa

_PARTS = (
    r"^(?P<a>\d{1,4})(?P<s>[-/.])(?P<b>\d{1,2})[-/.](?P<c>\d{1,4})"
    r"(?:[ T](?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<t>\d{2})(?:\.(?P<f>\d{1,9}))?)?)?"
    r"(?P<z>Z|[-+]\d{2}:?\d{2})?$"
)


def decided(columns: Sequence[Column], choices: Choices) -> tuple[str, tuple[Doubt, ...]]:
    """ "dmy" or "mdy" for the file, and a question where nothing proves either."""
    if choices.dates in ("dmy", "mdy"):
        return choices.dates, ()
    proof = {"dmy": False, "mdy": False}
    vague = ""
    for held in columns:
        if held.looks != "date" or choices.dates == "words" or held.forced == "words":
            continue
        parts = _split(held.words, choices)
        if parts is None or parts.year_first:
            continue
        first, second = int(parts.a.max(initial=0)), int(parts.b.max(initial=0))
        proof["dmy"] |= first > 12 >= second or parts.dotted
        proof["mdy"] |= second > 12 >= first and not parts.dotted
        # 5/5/2020 is the same day either way.
        if first <= 12 and second <= 12 and not parts.dotted and bool(np.any(parts.a != parts.b)):
            vague = vague or held.name
    if proof["dmy"] != proof["mdy"]:
        return ("dmy" if proof["dmy"] else "mdy"), ()
    if not vague:
        return "dmy", ()
    why = say(
        "dates such as 1/2/2020 in “{column}” may have the day first or the month first",
        column=quoted(vague),
    )
    return "dmy", (Doubt("dates", why, ("dmy", "mdy")),)


class _Parts:
    """The numbers of a column of dates, missing rows left out: each of shape (m,)."""

    def __init__(self, fields: Any):
        def whole(name: str, absent: int = 0) -> Any:
            import pyarrow.compute as pc

            text = pc.struct_field(fields, name)
            text = pc.if_else(pc.equal(text, ""), str(absent), text)
            return pc.cast(text, "int64").to_numpy(zero_copy_only=False)

        import pyarrow.compute as pc

        self.a, self.b, self.c = whole("a"), whole("b"), whole("c")
        self.seconds = whole("h") * 3600 + whole("m") * 60 + whole("t")
        self.clock_fits = bool(np.all((whole("h") < 24) & (whole("m") < 60) & (whole("t") < 61)))
        self.timed = bool(pc.any(pc.not_equal(pc.struct_field(fields, "h"), "")).as_py())
        self.zoned = bool(pc.any(pc.not_equal(pc.struct_field(fields, "z"), "")).as_py())
        self.fraction = bool(pc.any(pc.not_equal(pc.struct_field(fields, "f"), "")).as_py())
        self.signs = set(pc.unique(pc.struct_field(fields, "s")).to_pylist())
        lengths = pc.utf8_length(pc.struct_field(fields, "a")).to_numpy(zero_copy_only=False)
        last = pc.utf8_length(pc.struct_field(fields, "c")).to_numpy(zero_copy_only=False)
        self.year_first = bool(np.all((lengths == 4) & (last <= 2)))
        self.year_last = bool(np.all(lengths <= 2)) and (
            bool(np.all(last == 4)) or bool(np.all(last == 2))
        )
        self.short_year = bool(np.all(last == 2))
        self.dotted = self.signs == {"."}


def _split(words: pa.ChunkedArray, choices: Choices) -> _Parts | None:
    """The parts of all words that are no marks; None unless every one is a date of one form."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kept, _ = without_marks(words, choices, tuple(marks.MARKS))
    kept = kept.drop_null().combine_chunks()
    if isinstance(kept, pa.ChunkedArray):
        kept = pa.concat_arrays(kept.chunks) if kept.num_chunks else pa.array([], kept.type)
    fields = pc.extract_regex(kept, _PARTS)
    if not len(fields) or fields.null_count:
        return None
    parts = _Parts(fields)
    fits = (
        (parts.year_first or parts.year_last)
        and len(parts.signs) == 1
        and not parts.zoned
        and not parts.fraction
    )
    return parts if fits else None


def dates(
    held: Column, signs: Signs, choices: Choices
) -> tuple[pa.ChunkedArray | None, tuple[tuple[str, int | None], ...], list[Say]]:
    """The column as days or seconds, None where some word is no day of the calendar; then all stay
    words."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = _split(held.words, choices)
    if parts is None:
        return None, (), []
    days = _days(parts, signs.dates)
    if days is None or not parts.clock_fits:
        return None, (), [say("Some of these are no days of the calendar, so all stay words.")]
    words, missing = without_marks(held.words, choices, tuple(marks.MARKS))
    present = pc.is_valid(words).to_numpy()
    if parts.timed:
        values = np.zeros(len(present), dtype="datetime64[s]")
        values[present] = days.astype("datetime64[s]") + parts.seconds.astype("timedelta64[s]")
    else:
        values = np.zeros(len(present), dtype="datetime64[D]")
        values[present] = days
    typed = pa.array(values, type=pa.timestamp("s") if parts.timed else pa.date32(), mask=~present)
    return pa.chunked_array([typed]), missing, []


def _days(parts: _Parts, order: str) -> Any:
    """Days, shape (m,); None where a day or month does not exist."""
    if parts.year_first:
        year, month, day = parts.a, parts.b, parts.c
    else:
        day, month = (parts.a, parts.b) if order == "dmy" else (parts.b, parts.a)
        year = parts.c
        if parts.short_year:
            # POSIX: 69 … 99 are of the twentieth century.
            year = np.where(year >= 69, 1900 + year, 2000 + year)
    if not np.all((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)):
        return None
    months = (year - 1970) * 12 + month - 1
    days = months.astype("datetime64[M]").astype("datetime64[D]") + (day - 1).astype(
        "timedelta64[D]"
    )
    return days if np.array_equal(days.astype("datetime64[M]").astype(np.int64), months) else None
