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
from pathlib import Path

import numpy as np

PACKED = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A", "-", "--",
           "\\N")  # fmt: skip


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
              rows=None, missing=MISSING):  # fmt: skip
    """Columns of a text file, each read by a function of its cells: `numbers_of`, `dates_of` or
    `words_of`; a cell is None where it is missing."""
    opened = PACKED.get(path.suffix, open)
    with opened(path, "rt", encoding=encoding, newline="") as file:
        for _ in range(skip):
            next(file)
        marks = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
        records = csv.reader(file, delimiter=delimiter, skipinitialspace=True, **marks)
        names = names or [name.strip().removeprefix("\ufeff") for name in next(records)]
        kept = [record for record in records if record][:rows]
    table = {}
    for name, values_of in columns.items():
        place = names.index(name)
        cells = [r[place].strip() if place < len(r) else "" for r in kept]
        table[name] = values_of([None if cell in missing else cell for cell in cells])
    return table


def numbers_of(cells):
    """Cells as floats; NaN for what is no number."""

    def number(cell):
        try:
            return float(cell) if cell is not None else math.nan
        except ValueError:
            return math.nan

    return np.array([number(cell) for cell in cells], dtype=float)


def comma_numbers_of(cells):
    """The same of numbers with a decimal comma."""
    return numbers_of([None if cell is None else cell.replace(",", ".") for cell in cells])


def dates_of(cells):
    """Cells such as 2020-03-31 as days since 1970; NaN for what is no date."""

    def days(cell):
        try:
            moment = datetime.datetime.fromisoformat(cell.replace("/", "-"))
            return (moment - datetime.datetime(1970, 1, 1)) / datetime.timedelta(days=1)
        except (AttributeError, TypeError, ValueError):
            return math.nan

    return np.array([days(cell) for cell in cells], dtype=float)


def day_first_dates_of(cells):
    """The same of dates such as 31.3.2020."""

    def turned(cell):
        day, month, year = [*re.split("[-/. ]", cell), "", ""][:3]
        return f"{year}-{month:0>2}-{day:0>2}"

    return dates_of([None if cell is None else turned(cell) for cell in cells])


def month_first_dates_of(cells):
    """The same of dates such as 3/31/2020."""

    def turned(cell):
        month, day, year = [*re.split("[-/. ]", cell), "", ""][:3]
        return f"{year}-{month:0>2}-{day:0>2}"

    return dates_of([None if cell is None else turned(cell) for cell in cells])


def words_of(cells):
    """Cells as they are written."""
    return np.array(cells, dtype=object)


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
