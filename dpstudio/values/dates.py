"""Dates as days since 1970: read from text, shown, and cut into the years, months, weeks or days of
the calendar."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dpstudio.values.domains import Domain, ParamError
from dpstudio.values.lists import parts
from dpstudio.values.messages import Message, say

_ISO = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?))?)?)?", re.ASCII
)
# (months, days) of the units that intervals may have, from the shortest; weeks begin on Monday.
_UNITS = ((0, 1), (0, 7), (1, 0), (3, 0), (12, 0), (60, 0), (120, 0), (600, 0), (1200, 0))
_MONDAY = 4  # 1970-01-05
_MICRO = 86_400e6  # microseconds of a day
# “Year of birth”, “birth_year”, “Geburtsjahr”, “出生年份”; no “cost in the last year”.
_YEAR = re.compile(
    r"(year|yr|jahr|année|annee|año)(?![^\W_]).*|(?-i:Year[A-Z]\w*)"
    r"|([^\W_]+[ _-])?[^\W_]*(year|yr|jahr|année|annee)|\w*年份?",
    re.IGNORECASE,
)
_YEARS, _NOW = (1000, 3000), (1850, 2100)  # where a name says that it is a year; where none does
_FIRST, _LAST = -719_162, 2_932_896  # the years 1 and 9999


def days_of(text: str) -> float:
    """Days since 1970 of 2020, 2020-03, 2020-03-31 or 2020-03-31 14:30; raises ParamError for
    anything else."""
    found = _ISO.fullmatch(text.strip())
    if found:
        year, month, day, time = found.groups()
        try:
            stamp = np.datetime64(
                f"{year}-{month or '01'}-{day or '01'}" + (f"T{time}" if time else ""), "us"
            )
            return float(stamp.astype(np.int64)) / _MICRO
        except ValueError:
            pass
    raise ParamError("", say("“{value}” is not a date; write one such as 2020-03-31.", value=text))


def span_of(text: str) -> tuple[float, float]:
    """From where to where, in days since 1970, the year, month, day, minute or second reaches that
    a text names; the end is not in it."""
    start, named = days_of(text), text.strip()
    if len(named) > 10:
        # An instant where it is given to parts of a second; to the minute where the data may be no
        # finer.
        seconds = 0 if "." in named else 60 if named.count(":") == 1 else 1
        stamp = round(start * _MICRO) + seconds * 1_000_000
        return start, stamp / _MICRO if seconds else math.nextafter(start, math.inf)
    if len(named) > 7:
        return start, start + 1
    months = 12 if len(named) == 4 else 1
    return start, _months(start, start, months)[1]


def date_text(days: float) -> str:
    """Such days as 2020-03-31, with the time where it is not midnight."""
    if not _FIRST <= days <= _LAST:
        return f"{days:g}"
    whole = math.floor(days)
    text = str(np.datetime64(whole, "D"))
    if days == whole:
        return text
    minutes = min(1439, round((days - whole) * 1440))
    return f"{text} {minutes // 60:02d}:{minutes % 60:02d}"


def calendar_edges(low: float, high: float, bins: int) -> tuple[float, ...]:
    """Edges at the shortest unit of the calendar that covers [low, high] in at most `bins`
    intervals (or 200, if there are fewer)."""
    low, high = max(low, _FIRST), min(high, _LAST - 1)
    found: tuple[float, ...] = ()
    for months, days in _UNITS:
        found = _months(low, high, months) if months else _days(low, high, days)
        if len(found) - 1 <= max(1, bins):
            return found
    return found if len(found) <= 201 else tuple(np.linspace(found[0], found[-1], 201).tolist())


def _days(low: float, high: float, step: int) -> tuple[float, ...]:
    start = _MONDAY if step == 7 else 0
    first = math.floor((low - start) / step)
    count = math.floor((high - start) / step) + 1 - first
    return (
        tuple(float(start + (first + i) * step) for i in range(count + 1))
        if count <= 10_000
        else tuple(range(10_000))
    )


def _months(low: float, high: float, step: int) -> tuple[float, ...]:
    first, last = (_month(at) // step for at in (low, high))
    months = np.arange(first, last + 2) * step
    return tuple(
        months.astype("datetime64[M]")
        .astype("datetime64[D]")
        .astype(np.int64)
        .astype(float)
        .tolist()
    )


def _month(days: float) -> int:
    """Months since 1970."""
    return int(np.datetime64(math.floor(days), "D").astype("datetime64[M]").astype(np.int64))


def interval_labels(edges: tuple[float, ...]) -> tuple[str, ...]:
    """A name for each interval, as short as its edges allow: 2020, 2020-03, 2020-03-31, or from –
    to."""
    texts = [date_text(edge) for edge in edges]
    for cut, months in ((4, 12), (7, 1)):
        if all(t.endswith("-01-01" if cut == 4 else "-01") for t in texts) and all(
            _month(b) - _month(a) == months for a, b in pairwise(edges)
        ):
            return tuple(text[:cut] for text in texts[:-1])
    if all(b - a == 1 for a, b in pairwise(edges)) and edges[0] == math.floor(edges[0]):
        return tuple(texts[:-1])
    return tuple(f"{a} – {b}" for a, b in pairwise(texts))


@dataclass(frozen=True)
class Dates(Domain):
    """Increasing dates, as text separated by commas; empty where they follow from the data."""

    def check(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = parts(value)
        if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
            raise ParamError(
                "",
                say(
                    "Write the dates in order, separated by commas, such as 2019-01-01, 2020-01-01."
                ),
            )
        days = [days_of(part) for part in value]
        if len(days) == 1 or len(days) > 201 or any(b <= a for a, b in pairwise(days)):
            raise ParamError(
                "", say("Edges must be 2 to 201 dates in order, such as 2019-01-01, 2020-01-01.")
            )
        # As they are shown elsewhere, unless that is not the same time any more.
        return tuple(
            shown if days_of(shown) == day else text.strip()
            for day, text, shown in zip(days, value, map(date_text, days), strict=True)
        )

    def show(self, value: Any) -> str:
        return ", ".join(value)

    def to_json(self, value: Any) -> Any:
        return list(value)

    def describe(self) -> Message:
        return say("dates in order, separated by commas, such as 2019-01-01, 2020-01-01")

    def invalid_examples(self) -> Iterable[Any]:
        yield from (
            3,
            None,
            "2020-01-01",
            "2021-01-01, 2020-01-01",
            "2020-13-01, 2021-01-01",
            "a, b",
        )


def called_years(column: str) -> bool:
    """Whether the name of a column says that it holds years."""
    return _YEAR.fullmatch(column) is not None


def holds_years(column: str, low: float, high: float, *, whole: bool) -> bool:
    """Whether a column of numbers from `low` to `high` seems to hold years: it is called so, or all
    are whole numbers about now."""
    named = called_years(column) and _YEARS[0] <= low <= high < _YEARS[1]
    return whole and (named or _NOW[0] <= low < high <= _NOW[1])


def as_year(column: str, value: float, text: str) -> str:
    """The text of a value of a column: without a sign between its thousands where the column's name
    says that it holds years, and this is one."""
    years = _YEARS[0] <= value < _YEARS[1] and called_years(column)
    return text.replace(",", "") if years else text
