"""How single words of a file are read as numbers, dates or public words: by what is known of the
file, and by no other of its rows."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.values.dates import date_text, days_of
from dpstudio.values.domains import ParamError, number_of
from dpstudio.values.written import MONTH, MONTHS, UNIT, number_text

_ENDLESS = re.compile(r"[-+]?inf(inity)?", re.IGNORECASE)
# Groups of three digits, which no zero begins, and tenths behind the mark.
_GROUPED = {
    mark: re.compile(
        rf"[-+]?[1-9]\d{{0,2}}([{group}' ])\d{{3}}(\1\d{{3}})*([{mark}]\d+)?", re.ASCII
    )
    for mark, group in ((".", ","), (",", "."))
}
_ZONE = r"(?:Z|([-+])(\d\d):?(\d\d))?"
_SIGNS = str.maketrans({"\u00a0": " ", "\u202f": " ", "−": "-"})
_CLOCK = rf"(?:[ T](\d{{1,2}}):(\d\d)(?::(\d\d)(?:\.(\d{{1,9}}))?)?{_ZONE})?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_CLOCK}", re.ASCII)
_YEAR_LAST = re.compile(rf"(\d{{1,2}})[-/.](\d{{1,2}})[-/.](\d\d|\d{{4}}){_CLOCK}", re.ASCII)
# Day or month first, the month by its name.
_DAY_NAMED = re.compile(
    rf"(\d{{1,2}})(?:[-/ ]|\.? )({MONTH})\.?,?[-/ ](\d{{4}}|\d\d),?{_CLOCK}", re.ASCII
)
_NAMED_DAY = re.compile(
    rf"({MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}}),?{_CLOCK}", re.ASCII
)
_UNITED = re.compile(rf"([-+−]?)({UNIT})?\s?([-+−]?[\d.,][\d.,' ]*?)\s?({UNIT})?", re.ASCII)
# Digits that are the name of something in every file: a zero leads them, or there are too many.
_CODE = re.compile(r"[-+]?(0\d+|\d{16,}([.,]\d*)?)", re.ASCII)
# Years and days as a column of floats is written, which one row without a value makes of it.
_WHOLE_DATE = re.compile(r"(\d{4}|\d{8})([.,]0+)?", re.ASCII)
_DIGIT = re.compile(r"\d", re.ASCII)
_TRUTH = {"false": "False", "true": "True"}
_DAY = 86_400_000_000  # microseconds
_SIXTY_NINE = 69  # POSIX: two digits from here on are of the twentieth century


@dataclass(frozen=True)
class Spelling:
    """`decimal` and `dates` are the signs of the file: "point" or "comma"; "dmy", "mdy", or ""
    where such dates are words. `marks` are the words that mean a missing value in some column of
    it. `century` is that of years of two digits, "window", "1900" or "2000"; `units` is what
    numbers with a unit are: "numbers", "fractions" of per cent, or "words"."""

    decimal: str = "point"
    dates: str = ""
    marks: frozenset[str] = frozenset()
    century: str = "window"
    units: str = "words"
    # What was found in the rows, and told by nobody: names of choices of a reading.
    found: tuple[str, ...] = ()
    # What columns hold, by name, of which no row decides it: as was told, or "" for words.
    types: tuple[tuple[str, str], ...] = ()

    @property
    def mark(self) -> str:
        """What stands before the tenths."""
        return "," if self.decimal == "comma" else "."

    def read(self, word: str, kind: str) -> float:
        """A word as a number, or as days since 1970; NaN where it is none. One that is a date is
        read as a number as columns of dates are, so that no other row decides how."""
        word = word.strip()
        if kind == "date":
            if found := _WHOLE_DATE.fullmatch(word):
                digits = found[1]
                word = f"{digits[:4]}-{digits[4:6]}-{digits[6:]}".rstrip("-")
            return self._days(word)
        number = self._number(word)
        if not np.isnan(number):
            return number
        days = self._days(word)
        return float(np.floor(days)) if kind == "integer" else days

    def public(self, word: str) -> str | None:
        """A word as it is written in a column of such as it: a number, a date, true or false; None
        for a mark of a missing value. Digits that are a name stay as they are."""
        word = word.strip()
        if word in self.marks:
            return None
        if word.lower() in _TRUTH:
            return _TRUTH[word.lower()]
        if _CODE.fullmatch(word) or not (_DIGIT.search(word) or _ENDLESS.fullmatch(word)):
            return word
        if not np.isnan(number := self._number(word)):
            return number_text(number)
        days = self._calendar_days(word)
        return word if np.isnan(days) else date_text(days)

    def type_of(self, word: str) -> str:
        """The one type of column that a word can be compared in by order; "" for a word, and for a
        number that may be a year too."""
        kinds = {"number": self._number(word.strip()), "date": self._days(word.strip())}
        found = [kind for kind, value in kinds.items() if not np.isnan(value)]
        return found[0] if len(found) == 1 else ""

    def _number(self, word: str) -> float:
        """A number as people write it: 1 234, 1'234, 1,234 or 1.234 as the file writes, and
        1.234,5 or 1,234.5, which are certain; with its unit. What a double cannot hold is
        endless."""
        word = word.translate(_SIGNS)
        found = _UNITED.fullmatch(word) if self.units != "words" else None
        if found and bool(found[2]) != bool(found[4]):
            share = self.units == "fractions" and "%" in (found[2], found[4])
            return self._bare(found[1] + found[3], "e-2" if share else "")
        return self._bare(word)

    def _bare(self, word: str, power: str = "") -> float:
        text = self._pointed(word) + power
        if _ENDLESS.fullmatch(text):
            return float(text)
        try:
            return number_of(text)
        except ValueError:
            return float("nan")

    def _pointed(self, text: str) -> str:
        """A number without groups, with a decimal point."""
        for mark, pattern in _GROUPED.items():
            found = pattern.fullmatch(text)
            if found and (mark == self.mark or found[1] in "' " or found[2] or found[3]):
                whole, _, tenths = text.partition(mark)
                return f"{whole.replace(found[1], '')}.{tenths}"
        return text if "." in text or text.count(",") != 1 else text.replace(",", ".")

    def _days(self, word: str) -> float:
        """A date, or a year or month, in days since 1970."""
        days = self._calendar_days(word)
        if not np.isnan(days):
            return days
        try:
            return days_of(word)
        except ParamError:
            return float("nan")

    def _calendar_days(self, word: str) -> float:
        """The same of a day of the calendar, perhaps with a time: 2020-03-31, 2020/3/31, and
        31.3.20 and 31 March 2020 where the file has an order of days and months."""
        if found := _YEAR_FIRST.fullmatch(word):
            year, month, day = found[1], found[2], found[3]
        elif self.dates and (found := _YEAR_LAST.fullmatch(word)):
            first, second, year = found[1], found[2], found[3]
            day, month = (first, second) if self.dates == "dmy" else (second, first)
        elif self.dates and (found := _DAY_NAMED.fullmatch(word)):
            day, month, year = found[1], _month(found[2]), found[3]
        elif self.dates and (found := _NAMED_DAY.fullmatch(word)):
            day, month, year = found[2], _month(found[1]), found[3]
        else:
            return float("nan")
        if len(year) == 2:
            window = 1900 if int(year) >= _SIXTY_NINE else 2000
            year = str((window if self.century == "window" else int(self.century)) + int(year))
        clock = _clock(*found.group(4, 5, 6, 7)) - _clock(found[9], found[10], sign=found[8])
        try:
            days = int(days_of(f"{year}-{month:0>2}-{day:0>2}"))
        except ParamError:
            return float("nan")
        return (days * _DAY + clock) / _DAY


def _month(name: str) -> str:
    return str(1 + MONTHS.index(name[:3].lower()))


def _clock(
    hours: str | None,
    minutes: str | None,
    seconds: str | None = None,
    parts: str | None = None,
    *,
    sign: str | None = None,
) -> float:
    """A time of day in whole microseconds, less than those being nothing; NaN where there is none
    such."""
    h, m, s = (int(part or 0) for part in (hours, minutes, seconds))
    if h > 23 or m > 59 or s > 60:
        return float("nan")
    micros = (h * 3600 + m * 60 + s) * 1_000_000 + int((parts or "0").ljust(6, "0")[:6])
    return -micros if sign == "-" else micros


def alike(word: str) -> str:
    """What spellings of a word have in common that differ in letters' case and in gaps alone."""
    return " ".join(unicodedata.normalize("NFC", word).split()).casefold()


def twins(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Words of which each has another spelling among them, those of one together."""
    held: dict[str, list[str]] = {}
    for word in words:
        held.setdefault(alike(word), []).append(word)
    return [tuple(some) for some in held.values() if len(some) > 1]


PLAIN = Spelling()
