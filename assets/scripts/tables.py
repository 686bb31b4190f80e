"""A table as numpy arrays, read as its owner settled it, and what is asked of its rows.

A column of numbers is an array of floats, NaN where a value is missing; of dates likewise, in days
since 1970; a column of words is an array of str, None where it is missing.
"""

import bz2
import csv
import datetime
import gzip
import hashlib
import lzma
import math
import re
import struct
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np

PACKED = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A", "-", "--",
           "\\N")  # fmt: skip
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def same_file(path, sha256):
    """The file at a path, where it is still the one that this script was written for."""
    given = sys.argv[1:2]
    path = Path(given[0] if given and not given[0].startswith("-") else path)
    if not path.is_file():
        sys.exit(f"There is no table at {path}: give its path after the name of this script.")
    if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        sys.exit(
            f"{path} is not the table of this script: its SHA-256 is another one. Write the script "
            "anew for this table with dpstudio, or give the path of the old one."
        )
    return path


def read_text(path, columns, *, delimiter=",", quote='"', encoding="utf-8", skip=0, names=None,
              rows=None, missing=MISSING, ragged="pad", every=False):  # fmt: skip
    """Columns of a text file, each read by a function of its cells: `numbers_of`, `dates_of` or
    `words_of`; a cell is None where it is missing. A record that does not fit is no row, or where
    `every` is one, a row without values."""
    opened = PACKED.get(path.suffix, open)
    with opened(path, "rt", encoding=encoding, newline="") as file:
        for _ in range(skip):
            next(file)
        marks = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
        records = csv.reader(file, delimiter=delimiter, skipinitialspace=True, **marks)
        names = names or [name.strip().removeprefix("\ufeff") for name in next(records)]
        kept, last = [], len(names) - 1
        for record in filter(None, records):
            fits = not any(cell.strip() for cell in record[len(names) :])
            if not fits and ragged == "merge":
                record[last:], fits = [delimiter.join(record[last:])], True
            if ragged == "refuse" and not record[last:]:
                fits = False
            kept += [record if fits else []] if fits or every else []
    table, kept = {}, kept[:rows]
    for name, values_of in columns.items():
        place = names.index(name)
        cells = [r[place].strip() if place < len(r) else "" for r in kept]
        cells = [None if cell in missing else cell for cell in cells]
        if {str(cell).lower() for cell in cells} - {"none"} <= {"true", "false"}:
            cells = [cell and cell.title() for cell in cells]
        table[name] = values_of(cells)
    return table


def numbers_of(cells, decimal=".", groups="", percent=""):
    """Cells as floats without their unit, NaN for what is no number; `groups` is what may stand
    between thousands, `percent` the power of ten that a per cent is."""
    unit, spaces = r"(?:[$€£¥%]|CHF|EUR|USD|GBP|Fr\.)", "[ \u00a0\u202f]"
    units = re.compile(rf"^([-+−]?){unit}{spaces}?|{spaces}?{unit}$")
    grouped = rf"[-+−]?[1-9]\d{{0,2}}(?:[{groups}]\d{{3}})+(?:{re.escape(decimal)}\d+)?"

    def number(cell):
        text = units.sub(r"\1", cell or "", count=1)
        if groups and re.fullmatch(grouped, text):
            text = re.sub(f"[{groups}]", "", text)
        if decimal == ",":
            text = text.replace(".", "?").replace(",", ".")
        try:
            return float(text.replace("−", "-") + (percent if "%" in cell else ""))
        except (TypeError, ValueError):
            return math.nan

    return np.array([number(cell) for cell in cells], dtype=float)


def told_numbers_of(cells, decimal=".", percent="", united=True, whole=False, **dates):
    """Words that are told to be numbers, each by itself: 1,5 is 1.5, and a date its days since
    1970; NaN for what is no number, or no whole one."""
    unit = r"([$€£¥%]|CHF|EUR|USD|GBP|Fr\.)?"
    parts = re.compile(rf"([-+]?){unit}\s?([-+]?[\d.,][\d.,' ]*?)\s?{unit}", re.ASCII)
    plain = re.compile(
        r"[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE
    )

    def number(word):
        text, power = word.translate({0xA0: " ", 0x202F: " ", 0x2212: "-"}), ""
        if united and (found := parts.fullmatch(text)) and bool(found[2]) != bool(found[4]):
            text, power = found[1] + found[3], percent if "%" in (found[2], found[4]) else ""
        for mark, group in (".", ","), (",", "."):
            groups = rf"[-+]?[1-9]\d{{0,2}}([{group}' ])\d{{3}}(\1\d{{3}})*([{mark}]\d+)?"
            found = re.fullmatch(groups, text, re.ASCII)
            if found and (mark == decimal or found[1] in "' " or found[2] or found[3]):
                text = text.replace(found[1], "").replace(mark, ".")
                break
        else:
            text = text.replace(",", ".") if text.count(",") == 1 and "." not in text else text
        return float(text + power) if plain.fullmatch(text) else math.nan

    found = np.array([math.nan if cell is None else number(cell) for cell in cells], dtype=float)
    days = told_dates_of(cells, **dates, bare=True)
    found = np.where(np.isnan(found), np.floor(days) if whole else days, found)
    wholes = (found == np.floor(found)) & (np.abs(found) < 2**53)
    return np.where(wholes, found, math.nan) if whole else found


def told_dates_of(cells, order="", century=0, bare=False):
    """Words that are told to be dates, each by itself, where it is written as one; `order` is that
    of days and months, "" where a date has its year first; `bare`: years of four digits, and no
    days of eight."""
    clock = r"(?:[ T]\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[-+]\d\d:?\d\d)?)?"
    month = (r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
             r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)")  # fmt: skip
    forms = [rf"\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}{clock}", r"\d{4}(?:-\d\d)?"]
    forms += [] if bare else [r"(?:\d{4}|\d{8})(?:[.,]0+)?"]
    if order:
        forms.append(rf"\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:\d\d|\d{{4}}){clock}")
        forms.append(rf"\d{{1,2}}(?:[-/ ]|\.? ){month}\.?,?[-/ ](?:\d{{4}}|\d\d),?{clock}")
        forms.append(rf"{month}\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}},?{clock}")
    written = re.compile("|".join(forms), re.ASCII)
    fit = [cell if cell and written.fullmatch(cell) else None for cell in cells]
    return dates_of(fit, order == "mdy", century)


def dates_of(cells, month_first=False, century=0):
    """Cells such as 2020-03-31, 31.3.20 or March 31, 2020 14:30 as days since 1970, NaN for what is
    no date; `century` is that of years of two digits, 0 for the nearest."""

    def days(cell):
        minutes = 0
        if zone := re.search(r"(?<=:\d\d)(?:\.\d+)?([-+])(\d\d):?(\d\d)$", cell):
            minutes = int(f"{zone[1]}1") * (60 * int(zone[2]) + int(zone[3]))
            cell = cell[: zone.start(1)]
        parts = re.findall(r"[a-z]{3,}|\d+", cell.lower())
        if len(parts[0]) == 8:  # 20200331
            parts = [parts[0][:4], parts[0][4:6], parts[0][6:]]
        elif found := re.fullmatch(r"(\d{4})(?:-(\d\d)|[.,]0+)?", cell):  # a year, or a month
            parts = [found[1], found[2] or "1", "1"]
        year, month, day, *clock = parts
        if len(year) != 4 or year.isalpha():
            day, month, year = year, month, day
            if day.isalpha() or (month_first and month.isdigit()):
                day, month = month, day
        if month.isalpha():
            month = 1 + MONTHS.index(month[:3])
        if len(year) == 2:
            year = int(year) + (century or (1900 if int(year) >= 69 else 2000))
        whole = datetime.date(int(year), int(month), int(day)).toordinal() - 719_163
        hour, minute, second, part = [*clock, "0", "0", "0", "0"][:4]
        if int(hour) > 23 or int(minute) > 59 or int(second) > 60:
            return math.nan
        seconds = (int(hour) * 60 + int(minute) - minutes) * 60 + int(second)
        micros = seconds * 1_000_000 + int(part.ljust(6, "0")[:6])
        return (whole * 86_400_000_000 + micros) / 86_400_000_000

    def read(cell):
        try:
            return days(cell)
        except (AttributeError, IndexError, TypeError, ValueError):
            return math.nan

    return np.array([read(cell) for cell in cells], dtype=float)


def words_of(cells):
    """Cells as they are written."""
    return np.array(cells, dtype=object)


def merged_words_of(cells):
    """Cells with all spellings of a word, which differ in letters' case and in gaps, as one: as it
    is written most often."""
    counts, written = Counter(cell for cell in cells if cell is not None), {}

    def alike(word):
        return " ".join(unicodedata.normalize("NFC", word).split()).casefold()

    for word in sorted(counts, key=lambda word: (-counts[word], word)):
        written.setdefault(alike(word), word)
    return words_of([None if cell is None else written[alike(cell)] for cell in cells])


def read_parquet(path, columns):
    """The same of a Parquet file, by pandas."""
    import pandas as pd

    frame, table = pd.read_parquet(path, columns=list(columns)), {}
    for name, values_of in columns.items():
        gaps = frame[name].isna()
        cells = zip(frame[name].astype(object), gaps, strict=True)
        table[name] = values_of([None if gap else str(cell) for cell, gap in cells])
    return table


def row_ranks(table, person, dates=()):
    """The MD5 by which rows of a person are kept, of a table with all its columns: of who it is,
    and of what the row says."""

    def told(value, name):
        if value is None or value != value:
            return ""
        if isinstance(value, str):
            return f"{len(value)}:{value}"
        if name in dates:
            day = datetime.datetime(1970, 1, 1) + datetime.timedelta(days=value)
            at_midnight = day.time() == datetime.time()
            return day.date().isoformat() if at_midnight else day.isoformat(timespec="microseconds")
        return str(int(value)) if abs(value) < 2**53 and value == int(value) else (
            struct.pack(">d", value).hex()
        )  # fmt: skip

    columns = []
    for name in (person, *table):
        words = [None if word is None else f"{word}".lower() for word in table[name]]
        truth = {*words} - {None} and {*words} <= {"true", "false", None}
        values = [word and word.title() for word in words] if truth else table[name].tolist()
        columns.append([told(value, name) for value in values])
    rows = zip(*columns, strict=True)
    return np.array([hashlib.md5("\x1f".join(row).encode()).hexdigest() for row in rows])


def rows_of_each(table, person, most):
    """The `most` rows of each person of the smallest rank, which stands under None; a row that
    names nobody is left out."""
    seen, kept = {}, []
    for row in np.argsort(table[None], kind="stable"):
        who = table[person][row]
        nobody = who is None or who != who
        if not nobody and seen.get(who, 0) < most:
            seen[who] = seen.get(who, 0) + 1
            kept.append(row)
    return {name: column[sorted(kept)] for name, column in table.items()}


def present(column):
    """Where a column has a value."""
    if column.dtype == object:
        return np.array([word is not None for word in column], dtype=bool)
    return ~np.isnan(column)


def among(column, values):
    """Where a column has one of these values."""
    return np.array([value in values for value in column], dtype=bool)


def every_row(table):
    """Every row of the table."""
    return np.ones(len(next(iter(table.values()))), dtype=bool)


def outward(low, high):
    """Bounds proposed from the data: rounded outward to two places of their range. Not private."""
    if low == high:
        high = low + 1
    power = math.floor(math.log10(high - low)) - 1
    step, places = 10.0**power, max(0, 1 - power)
    down = math.floor(low / step + 1e-9) * step
    up = math.ceil(high / step - 1e-9) * step
    return round(down, places), round(up, places)


def finite(column):
    """The numbers of a column that are finite."""
    return column[np.isfinite(column)]


def words_in(column):
    """The words of a column, in the order of the alphabet: that of counts would tell of rows."""
    return sorted({word for word in column if word is not None})


def tally(column, words):
    """How many rows have each of the words."""
    return np.array([np.count_nonzero(column == word) for word in words], dtype=float)


def two_way(first, down, second, across):
    """How many rows have each pair of words."""
    return np.array([tally(second[first == word], across) for word in down])


def by_group(by, groups, values, low, high):
    """(rows with a value, sum of clipped values) for each group."""
    kept = [values[(by == group) & ~np.isnan(values)] for group in groups]
    counts = np.array([float(len(each)) for each in kept])
    return counts, np.array([np.clip(each, low, high).sum() for each in kept])


def equal_edges(low, high, bins):
    """The edges of intervals of equal width."""
    return [float(f"{low + (high - low) * i / bins:.15g}") for i in range(bins + 1)]


def proposed_edges(column, low, high, bins):
    """Edges where one end at least comes from the data: round ones where both do."""
    seen = finite(column)
    least, most = float(seen.min()), float(seen.max())
    if low is None and high is None:
        width = round_above((max(most - least, 1e-6 * abs(most)) or 1.0) / bins)
        if np.all(seen == np.floor(seen)):
            width = max(1.0, math.ceil(width))
        first = math.floor(least / width)
        last = max(first + 1, math.floor(most / width) + 1)
        return [float(f"{i * width:.12g}") for i in range(first, last + 1)]
    low = low if low is not None else min(least, (high or 0) - 1)
    return equal_edges(low, high if high is not None else max(most, low + 1), bins)


def round_above(value):
    """The least round number that is at least so large."""
    power = 10.0 ** math.floor(math.log10(value))
    rungs = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return next(rung * power for rung in rungs if value <= rung * power * (1 + 1e-12))


def everyone(values):
    """A table with one row for each combination of values of its columns."""
    grids = np.meshgrid(*(np.arange(len(each)) for each in values.values()), indexing="ij")
    pairs = zip(values.items(), grids, strict=True)
    return {name: each[grid.ravel()] for (name, each), grid in pairs}


def most_met(met, *, replaced, nobody):
    """How many of several conditions one person changes at most: all that somebody meets; or in how
    many two people differ, of whom one may have no rows."""
    kinds = np.unique(met.T, axis=0).astype(int)
    if nobody:
        kinds = np.vstack([kinds, np.zeros(len(met), dtype=int)])
    if not replaced:
        return max(1, int(kinds.sum(axis=1).max()))
    return max(1, max(int(np.abs(kinds - kind).sum(axis=1).max()) for kind in kinds))
