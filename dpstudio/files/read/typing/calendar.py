"""Dates as people write them, proved or disproved over the whole column; day and month in one order
for the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import ColumnRead, Doubt, quoted
from dpstudio.files.read.typing import marks
from dpstudio.files.read.typing.arrays import numpy_of, strings
from dpstudio.files.read.typing.evidence import Column, TypingChoices, matches, without_marks
from dpstudio.values.messages import Message, say
from dpstudio.values.written import MONTH, MONTHS

if TYPE_CHECKING:
    import pyarrow as pa

_PARTS = (
    r"^(?P<a>\d{1,4})(?P<s>[-/.])(?P<b>\d{1,2})[-/.](?P<c>\d{1,4})"
    r"(?:[ T](?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<t>\d{2})(?:\.(?P<f>\d{1,9}))?)?)?"
    r"(?P<z>Z|[-+]\d{2}:?\d{2})?$"
)


# The same with the month as a word: day, month, year, and month, day, year.
_CLOCK = r"(?:,?[ T](?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<t>\d{2})(?P<f>))?)?(?P<z>)$"
_NAMED = (
    rf"^(?P<a>\d{{1,2}})(?P<s>[-/ ]|\.? )(?P<b>{MONTH})\.?,?[-/ ]"
    rf"(?P<c>\d{{4}}|\d{{2}}){_CLOCK}",
    rf"^(?P<b>{MONTH})(?P<s>\.? )(?P<a>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<c>\d{{4}}){_CLOCK}",
)
_EARLIEST, _LATEST = 1900_01_01, 2100_12_31  # days that are written as one number


def decided(
    columns: Sequence[Column], choices: Choices, signs: TypingChoices
) -> tuple[TypingChoices, tuple[Doubt, ...]]:
    """The signs with the order of dates in the file and the century of short years, and a question
    where nothing proves them."""
    split = [(held.name, _split(held.words, choices)) for held in columns if _dated(held, choices)]
    found = [(name, parts) for name, parts in split if parts is not None]
    order, doubts = _order(found, choices)
    short = next((name for name, parts in found if parts.short_year), None)
    if short is not None and choices.century == "auto":
        why = say(
            "years in “{column}” have two digits, so their century is not told",
            column=quoted(short),
        )
        doubts = (*doubts, Doubt("century", why, ("window", "1900", "2000")))
    century = "window" if choices.century == "auto" else choices.century
    days = "days" if choices.days == "auto" else choices.days
    return replace(signs, dates=order, century=century, days=days), doubts


def _dated(held: Column, choices: Choices) -> bool:
    return held.looks == "date" and choices.dates != "words" and held.forced != "words"


def _order(found: Sequence[tuple[str, _Parts]], choices: Choices) -> tuple[str, tuple[Doubt, ...]]:
    """ "dmy" or "mdy" for the file, and a question where nothing proves either."""
    if choices.dates in ("dmy", "mdy"):
        return choices.dates, ()
    proof = {"dmy": False, "mdy": False}
    vague = ""
    for name, parts in found:
        if parts.year_first or parts.named:
            continue
        first, second = int(parts.a.max(initial=0)), int(parts.b.max(initial=0))
        proof["dmy"] |= first > 12 >= second or parts.dotted
        proof["mdy"] |= second > 12 >= first and not parts.dotted
        # 5/5/2020 is the same day either way.
        if first <= 12 and second <= 12 and not parts.dotted and bool(np.any(parts.a != parts.b)):
            vague = vague or name
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

    def __init__(self, fields: Any, named: bool = False):
        def whole(name: str, absent: int = 0) -> Any:
            import pyarrow.compute as pc

            text = pc.struct_field(fields, name)
            text = pc.if_else(pc.equal(text, ""), str(absent), text)
            return pc.cast(text, "int64").to_numpy(zero_copy_only=False)

        import pyarrow.compute as pc

        self.named = named
        self.a, self.c = whole("a"), whole("c")
        self.b = _months(fields) if named else whole("b")
        self.seconds = whole("h") * 3600 + whole("m") * 60 + whole("t")
        self.clock_fits = bool(np.all((whole("h") < 24) & (whole("m") < 60) & (whole("t") < 61)))
        self.timed = bool(pc.any(pc.not_equal(pc.struct_field(fields, "h"), "")).as_py())
        self.zoned = bool(pc.any(pc.not_equal(pc.struct_field(fields, "z"), "")).as_py())
        self.fraction = bool(pc.any(pc.not_equal(pc.struct_field(fields, "f"), "")).as_py())
        self.signs = {" "} if named else set(pc.unique(pc.struct_field(fields, "s")).to_pylist())
        lengths = pc.utf8_length(pc.struct_field(fields, "a")).to_numpy(zero_copy_only=False)
        last = pc.utf8_length(pc.struct_field(fields, "c")).to_numpy(zero_copy_only=False)
        self.year_first = bool(np.all((lengths == 4) & (last <= 2)))
        self.year_last = bool(np.all(lengths <= 2)) and (
            bool(np.all(last == 4)) or bool(np.all(last == 2))
        )
        self.short_year = not self.year_first and bool(np.all(last == 2))
        self.dotted = self.signs == {"."}


def _split(words: pa.ChunkedArray, choices: Choices) -> _Parts | None:
    """The parts of all words that are no marks; None unless every one is a date of one form."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kept, _ = without_marks(words, choices, tuple(marks.MARKS))
    kept = kept.drop_null().combine_chunks()
    if isinstance(kept, pa.ChunkedArray):
        kept = pa.concat_arrays(kept.chunks) if kept.num_chunks else pa.array([], kept.type)
    for pattern in (_PARTS, *_NAMED) if len(kept) else ():
        fields = pc.extract_regex(kept, pattern)
        if not fields.null_count:
            break
    else:
        return None
    parts = _Parts(fields, pattern in _NAMED)
    fits = (
        (parts.year_first or parts.year_last)
        and len(parts.signs) == 1
        and not parts.zoned
        and not parts.fraction
    )
    return parts if fits else None


def dates(
    held: Column, signs: TypingChoices, choices: Choices
) -> tuple[pa.ChunkedArray | None, tuple[tuple[str, int | None], ...], list[Message]]:
    """The column as days or seconds, None where some word is no day of the calendar; then all stay
    words."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = _split(held.words, choices)
    if parts is None:
        return _forced_whole(held, choices)
    days = _days(parts, signs)
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


def _months(fields: Any) -> Any:
    """The numbers of months that are named, shape (m,)."""
    import pyarrow.compute as pc

    told = pc.utf8_lower(pc.utf8_slice_codeunits(pc.struct_field(fields, "b"), 0, 3))
    return pc.index_in(told, value_set=strings(MONTHS, told.type)).to_numpy().astype(np.int64) + 1


def as_days(
    typed: list[pa.ChunkedArray], reads: list[ColumnRead], choices: Choices, doubts: list[Doubt]
) -> tuple[list[pa.ChunkedArray], list[ColumnRead]]:
    """The columns with whole numbers that are days, such as 20220420, as dates, unless they are
    told to be numbers. Where nothing is told it is asked: they may be names of something."""
    forced = choices.forced()
    for place, (array, read) in enumerate(zip(typed, reads, strict=True)):
        held = read.kind == "integer" and choices.days != "numbers" and read.name not in forced
        days = _written_whole(array) if held else None
        if days is None:
            continue
        typed[place], reads[place] = days, replace(read, kind="date")
        why = say(
            "numbers in “{column}” may be days, as 20220420 is one, or names of something",
            column=quoted(read.name),
        )
        if choices.days == "auto" and all(doubt.choice != "days" for doubt in doubts):
            doubts.append(Doubt("days", why, ("days", "numbers")))
    return typed, reads


def _forced_whole(
    held: Column, choices: Choices
) -> tuple[pa.ChunkedArray | None, tuple[tuple[str, int | None], ...], list[Message]]:
    """As `dates`, of words such as 20220420, or where they are told to be dates, of years."""
    import pyarrow as pa
    import pyarrow.compute as pc

    words, missing = without_marks(held.words, choices, tuple(marks.MARKS))
    if held.forced:  # 2020.0 is what one missing value makes of a year elsewhere
        words = pc.replace_substring_regex(words, r"^(\d{4}|\d{8})[.,]0+$", r"\1")
        words = pc.replace_substring_regex(words, r"^(\d{4})$", r"\10101")
    fits = words.null_count < len(words) and pc.all(matches(words, r"\d{8}")).as_py()
    return (_written_whole(pc.cast(words, pa.int64())) if fits else None), missing, []


def _written_whole(array: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Whole numbers as the days that they are; None where one is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ends = pc.min_max(array).as_py()
    if ends["min"] is None or ends["min"] < _EARLIEST or ends["max"] > _LATEST:
        return None
    whole = numpy_of(array, _EARLIEST).astype(np.int64)
    days = _of_calendar(whole // 10_000, whole // 100 % 100, whole % 100)
    if days is None:
        return None
    absent = ~pc.is_valid(array).to_numpy()
    return pa.chunked_array([pa.array(days, pa.date32(), mask=absent)])


def _days(parts: _Parts, signs: TypingChoices) -> Any:
    """Days, shape (m,); None where a day or month does not exist."""
    if parts.year_first:
        year, month, day = parts.a, parts.b, parts.c
    else:
        first = signs.dates == "dmy" or parts.named
        day, month = (parts.a, parts.b) if first else (parts.b, parts.a)
        year = parts.c
        if parts.short_year and signs.century == "window":
            # POSIX: 69 … 99 are of the twentieth century.
            year = np.where(year >= 69, 1900 + year, 2000 + year)
        elif parts.short_year:
            year = int(signs.century) + year
    return _of_calendar(year, month, day)


def _of_calendar(year: Any, month: Any, day: Any) -> Any:
    """The days, shape (m,); None where one does not exist."""
    if not np.all((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)):
        return None
    months = (year - 1970) * 12 + month - 1
    days = months.astype("datetime64[M]").astype("datetime64[D]") + (day - 1).astype(
        "timedelta64[D]"
    )
    return days if np.array_equal(days.astype("datetime64[M]").astype(np.int64), months) else None
