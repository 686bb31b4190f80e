"""Tables in: an example or any file to a dataset, with progress and cancel; what cannot be read is
a sentence."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from dpstudio.data.codebook import EMPTY, About, Codebook, codebook_from_json
from dpstudio.files.assets import asset
from dpstudio.files.read.outcome import (
    FIRST_ROWS,
    CancelledError,
    Preview,
    Read,
    TableError,
    UncertainError,
)
from dpstudio.files.read.source import Cancelled, Progress, Source, Watch
from dpstudio.files.read.typing.arrays import integers
from dpstudio.values.messages import N_

if TYPE_CHECKING:
    from dpstudio.data.dataset import Dataset
    from dpstudio.data.spelling import Spelling
    from dpstudio.files.read.choices import Choices

__all__ = [
    "EXAMPLES",
    "SUFFIXES",
    "CancelledError",
    "Example",
    "Opened",
    "Preview",
    "TableError",
    "UncertainError",
    "example",
    "open_table",
    "open_with_report",
    "paste_table",
]

_TEXT = (".csv", ".tsv", ".txt", ".tab", ".dat", ".data", ".psv")
_PACKED = (".gz", ".xz", ".zip", ".zst", ".bz2")
# What a file dialog offers; any other name opens as well, by what is in it.
SUFFIXES = (
    *_TEXT,
    *(t + p for t in (".csv", ".tsv", ".txt", ".jsonl") for p in _PACKED),
    ".zip",
    ".parquet",
    ".pq",
    ".feather",
    ".arrow",
    ".xlsx",
    ".xls",
    ".xlsb",
    ".ods",
    ".json",
    ".jsonl",
    ".ndjson",
    ".sqlite",
    ".sqlite3",
    ".db",
    ".npy",
    ".npz",
)


@dataclass(frozen=True)
class Example:
    """A table that ships with the program; `rows` keeps only the first so many, and those of one
    `group` stand together."""

    key: str
    label: str
    file: str
    rows: int | None = None
    group: str = ""


def _of_text(key: str, label: str) -> Example:
    return Example(key, label, f"texts/{key}.csv", group=N_("Tables of the texts"))


EXAMPLES = (
    Example("adult", N_("Adult census"), "adult.csv.xz", 32_561),
    Example("adult_all", N_("Adult census, with its test rows"), "adult.csv.xz"),
    Example("yrbss", N_("Youth risk behaviour"), "yrbss.csv.xz"),
    Example("house_votes_84", N_("House votes 1984"), "house_votes_84.csv"),
    Example("us_military", N_("US military, 1.4 million"), "us_military.parquet"),
    Example("digits", N_("Handwritten digits"), "digits.csv.xz"),
    Example("diabetes", N_("Diabetes, a year later"), "diabetes.csv"),
    Example("pima", N_("Pima diabetes"), "pima.csv.xz"),
    Example("breast_cancer", N_("Breast cancer, Wisconsin"), "breast_cancer.csv.xz"),
    Example("australian", N_("Australian credit"), "australian.csv.xz"),
    Example("german", N_("German credit"), "german.csv.xz"),
    Example("car", N_("Cars, judged"), "car.csv.xz"),
    Example("chess", N_("Chess endings"), "chess.csv.xz"),
    Example("mushroom", N_("Mushrooms"), "mushroom.csv.xz"),
    Example("connect4", N_("Connect-4 positions"), "connect4.csv.xz"),
    _of_text("cents", N_("Notes, 7.4: 2,000 cents")),
    _of_text("table_2_1", N_("Table 2.1: football")),
    _of_text("table_2_2", N_("Table 2.2: symptoms")),
    _of_text("table_3_1", N_("Table 3.1: mortgages")),
    _of_text("worked_bins", N_("Chapter 5: nine numbers for three bins")),
    _of_text("table_6_1", N_("Table 6.1: 2-anonymous")),
    _of_text("table_6_2", N_("Table 6.2: postcodes and ages")),
    _of_text("table_6_3", N_("Table 6.3: made coarser")),
    _of_text("table_6_4", N_("Table 6.4: with an outlier")),
    _of_text("table_6_5", N_("Table 6.5: illnesses")),
    _of_text("table_6_6", N_("Table 6.6: told 2-diverse")),
    _of_text("table_7_1", N_("Table 7.1: employees")),
    _of_text("table_7_2", N_("Table 7.2: loans")),
    _of_text("figure_7_13", N_("Figure 7.13: a hospital")),
    _of_text("figure_7_14", N_("Figure 7.14: the same, 2-anonymous")),
    _of_text("figure_8_7", N_("Figure 8.7: similar illnesses")),
    _of_text("figure_8_8", N_("Figure 8.8: the same, t-close")),
)


@dataclass(frozen=True, eq=False)
class Opened:
    """A dataset with the report of how it was read; of the Arrow table, `report.table` keeps the
    first rows alone."""

    data: Dataset
    report: Read


def example(key: str) -> Example | None:
    """The example of that key; None where there is none."""
    return next((e for e in EXAMPLES if e.key == key), None)


def open_table(
    where: str,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    choices: Choices | None = None,
) -> Dataset:
    """The dataset behind an example's key or a path.

    `progress` is told the share that is done, 0 to 1. Raises TableError, of which UncertainError
    carries a preview where a person must decide (never with `choices`), and CancelledError once
    `cancelled()` is true.
    """
    return open_with_report(where, progress, cancelled, choices).data


def open_with_report(
    where: str,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    choices: Choices | None = None,
    *,
    noted: bool = True,
) -> Opened:
    """As `open_table`, with what was done to the file; of a table elsewhere what it lost is counted
    only where that is `noted`, for that reads all of it."""
    from dpstudio.files.read.opening import read_source
    from dpstudio.files.read.told import rows_alone, untold

    known = example(where)
    if known is None and may_be_elsewhere(where):
        from dpstudio.files.engines.opening import read_elsewhere

        if choices is not None and is_csv_folder(where) and not untold(choices, "text"):
            return _of_csv_files(where, choices, Watch(progress, cancelled))
        return Opened(*read_elsewhere(where, choices, Watch(progress, cancelled), noted=noted))
    path = asset("tables", known.file) if known else Path(where)
    if where.startswith("~"):
        with suppress(RuntimeError):  # no such user: then it is a name like any other
            path = path.expanduser()
    watch = Watch(progress, cancelled)
    if os.path.isdir(path):  # of a name that is too long, no error
        return _of_folder(path, choices, watch)
    source = Source(str(path), watch, path=path, bare=choices is not None and rows_alone(choices))
    try:
        read = read_source(source, choices or _as_written(known), watch)
        if known and known.rows:
            read = replace(read, table=read.table.slice(0, known.rows))
        opened = _opened(
            read,
            source,
            known.label if known else path.name,
            known.key if known else str(path.absolute()),
            watch,
            choices,
            public=known is not None,
        )
        if known:
            opened.data.documented = _documented(path)
            opened.data.hierarchies = _hierarchies(path)
        return opened
    except BaseException:
        source.close()
        raise


def may_be_elsewhere(where: str) -> bool:
    """Whether a word names a table that stays where it is; what asks such tables is imported only
    then."""
    if "://" not in where and not any(sign in where for sign in "*?[") and not os.path.isdir(where):
        return False
    from dpstudio.files.engines.connecting import elsewhere

    return elsewhere(where)


def called(where: str) -> str:
    """What a table is called by where it is: its file, or the table behind an address, of which
    nothing is said that stands before an @."""
    if "://" not in where:
        return Path(where).name
    place, _, table = where.rpartition("@")[2].partition("#")
    return unquote(table or Path(place).name)


def is_csv_folder(where: str) -> bool:
    """Whether a word names CSV files that are one table."""
    if not may_be_elsewhere(where):
        return False
    from dpstudio.files.engines.connecting import csv_files

    return bool(csv_files(where))


def has_own_types(where: str) -> bool:
    """Whether a word names a table elsewhere that has types of its own."""
    if not may_be_elsewhere(where):
        return False
    from dpstudio.files.engines.connecting import has_types

    return has_types(where)


def _as_written(known: Example | None) -> Choices | None:
    """How an example is to be read where that cannot be seen in a few words."""
    from dpstudio.files.read.choices import Choices

    return Choices(header="yes") if known and known.group else None


def _of_csv_files(where: str, choices: Choices, watch: Watch) -> Opened:
    """The records of CSV files as one table that is here; where it is not told which files these
    are, nothing leaves of it."""
    from dpstudio.files.engines.connecting import csv_files
    from dpstudio.files.read.together import read_together

    whole = Path(where).expanduser().absolute()
    read, digest = read_together(csv_files(where), choices, watch)
    opened = _opened(read, digest, whole.name, str(whole), watch, choices)
    if not choices.part:
        opened.data.found_in_rows("part")
    return opened


def _of_folder(folder: Path, choices: Choices | None, watch: Watch) -> Opened:
    """The pictures in a folder."""
    from dpstudio.files.read.choices import Choices
    from dpstudio.files.read.formats.pictures import BRIGHTEST, read_folder

    album = read_folder(folder, choices or Choices(), watch)
    if choices is None and not album.read.certain:
        raise UncertainError(album.read.preview())
    whole = folder.absolute()
    opened = _opened(album.read, album.digest, whole.name, str(whole), watch, choices)
    # Known of the format, whatever is drawn.
    grey = About(low=0.0, high=float(BRIGHTEST), attested=True, source="8-bit pixels: 0 to 255")
    opened.data.documented = Codebook(tuple((name, grey) for name in album.pixels))
    return opened


def _documented(table: Path) -> Codebook:
    """What is published of a table that ships with the program: the codebook beside it."""
    book = table.with_name(table.name.split(".")[0] + ".json")
    return codebook_from_json(json.loads(book.read_text("utf-8"))) if book.exists() else EMPTY


def _hierarchies(table: Path) -> dict[str, str]:
    """The hierarchies that ship with such a table, as CSV, by their column."""
    begins = f"{table.name.split('.')[0]}_"
    found = sorted(asset("hierarchies").glob(f"{begins}*.csv"))
    return {path.stem.removeprefix(begins): path.read_text("utf-8") for path in found}


def paste_table(
    text: str,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    choices: Choices | None = None,
) -> Opened:
    """The table in a text from the clipboard; its dataset has no origin, since nothing can open it
    again."""
    from dpstudio.files.read.opening import PASTED, read_source

    watch = Watch(progress, cancelled)
    source = Source(PASTED, watch, body=text.encode("utf-8", "replace"))
    return _opened(read_source(source, choices, watch), source, PASTED, "", watch, choices)


def _spelling(read: Read, told: Choices | None, public: bool) -> Spelling:
    """How a file writes its values, as it was read; what was not `told`, unless that is `public`
    of the file, was found in its rows."""
    from dpstudio.data.spelling import Spelling
    from dpstudio.files.read.choices import Choices
    from dpstudio.files.read.signs import AUTO
    from dpstudio.files.read.told import PICTURES, untold
    from dpstudio.files.read.typing.marks import MARKS
    from dpstudio.files.told_columns import told_types

    made = read.choices
    dates = made.dates if made.dates in ("dmy", "mdy") else ""
    marks = frozenset() if made.missing == "blank" else MARKS
    form = read.format if read.format == PICTURES else made.format
    found = () if public else untold(told or Choices(), form)
    decimal = "comma" if made.decimal == "comma" else "point"
    types = tuple(told_types(read).items()) if made.every else ()
    century = "window" if made.century == AUTO else made.century
    units = made.units if made.units in ("numbers", "fractions") else "words"
    return Spelling(decimal, dates, marks, century, units, found, types)


def _opened(
    read: Read,
    bytes_of: Source | str,
    name: str,
    origin: str,
    watch: Watch,
    told: Choices | None = None,
    *,
    public: bool = False,
) -> Opened:
    """A dataset of what was read from a source, or from bytes of this digest, by what was `told`;
    how it writes its values is `public` of a file that ships with the program."""
    from dpstudio.data.dataset import Dataset
    from dpstudio.files.read.told import told_words
    from dpstudio.files.told_columns import told_columns

    first = read.table.slice(0, FIRST_ROWS)
    # Taken, not sliced: a slice would hold the whole. Of some nested values Arrow takes none.
    with suppress(NotImplementedError):
        first = first.take(integers(range(first.num_rows)))
    report = replace(read, table=first, late=None)
    spelling = _spelling(read, told, public)
    columns = told_columns(read, spelling)
    watch.ask()
    watch.done()
    digest = bytes_of if isinstance(bytes_of, str) else bytes_of.digest().finished
    data = Dataset(columns, name, origin, digest)
    data.reading = None if told is None else told_words(told)
    data.way = told_words(read.choices)
    return Opened(data, report)
