"""Tables in: CSV and TSV (also .gz, .xz, .zip) and Parquet, with progress and cancel; errors are sentences."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import lzma
import threading
import warnings
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpstudio.core.wording import N_, Say, render, say
from dpstudio.files.assets import asset

if TYPE_CHECKING:
    import pandas as pd

    from dpstudio.core.dataset import Dataset

Progress = Callable[[float], None]
SUFFIXES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".csv.xz", ".tsv.xz", ".csv.zip", ".tsv.zip", ".parquet", ".pq")


class TableError(Exception):
    """A table that could not be opened: `sentence` says what, where and what to do."""

    def __init__(self, sentence: Say):
        self.sentence = sentence
        super().__init__(render(sentence))


class CancelledError(Exception):
    """The person asked to stop."""


@dataclass(frozen=True)
class Example:
    """A table that ships with the program; `rows` keeps only the first so many."""

    key: str
    label: str
    file: str
    rows: int | None = None


EXAMPLES = (
    Example("adult", N_("Adult census"), "adult.csv.xz", 32_561),
    Example("adult_all", N_("Adult census, with its test rows"), "adult.csv.xz"),
    Example("yrbss", N_("Youth risk behaviour"), "yrbss.csv.xz"),
    Example("house_votes_84", N_("House votes 1984"), "house_votes_84.csv"),
    Example("us_military", N_("US military, 1.4 million"), "us_military.parquet"),
)


def example(key: str) -> Example | None:
    return next((e for e in EXAMPLES if e.key == key), None)


def open_table(where: str, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Dataset:
    """The dataset behind an example's key or a path.

    `progress` is told the share of bytes read, 0 to 1. Raises TableError, or CancelledError once `cancelled()` is true.
    """
    known = example(where)
    path = asset("tables", known.file) if known else Path(where)
    if where.startswith("~"):
        with suppress(RuntimeError):  # no such user: then it is a name like any other
            path = path.expanduser()
    return _read(path, known, progress or (lambda share: None), cancelled or (lambda: False))


def _read(path: Path, known: Example | None, progress: Progress, cancelled: Callable[[], bool]) -> Dataset:
    from dpstudio.core.dataset import Dataset

    try:
        if not path.exists():
            raise TableError(say(N_("There is no file {path}. Check the name, or open one of the examples."), path=path))
        if not path.is_file():
            raise TableError(say(N_("{path} is not a file. Choose a CSV or Parquet file in it."), path=path))
        if path.stat().st_size == 0:
            raise TableError(say(N_("{path} is empty (0 bytes). Choose another file."), path=path))
        with _Watched(path, progress, cancelled) as watched:
            frame = _parquet(path, watched) if path.name.lower().endswith((".parquet", ".pq")) else _text(path, watched, known)
        digest = _Digest(path)
    except OSError as error:
        raise TableError(say(N_("{path} could not be read: {why}."), path=path, why=error.strerror or error)) from error
    frame = _named(frame)
    if known and known.rows:
        frame = frame.head(known.rows)
    if not len(frame.columns):
        raise TableError(say(N_("{path} has no columns. Choose another file."), path=path))
    if not len(frame):
        raise TableError(say(N_("{path} has column names but no rows. Choose another file."), path=path))
    progress(1.0)
    return Dataset(frame, known.label if known else path.name, known.key if known else str(path.absolute()), digest.finished)


class _Watched(io.BufferedReader):
    """A file that reports how much of it was read, and stops when it is asked to."""

    def __init__(self, path: Path, progress: Progress, cancelled: Callable[[], bool]):
        super().__init__(io.FileIO(str(path)), 1 << 18)
        self.size, self.progress, self.cancelled = max(1, path.stat().st_size), progress, cancelled
        self.told = 0.0

    def read(self, size: int | None = -1, /) -> bytes:
        if self.cancelled():
            raise CancelledError
        block = super().read(size)
        share = 0.98 * self.tell() / self.size
        if share - self.told > 0.01:
            self.told = share
            self.progress(share)
        return block


class _Digest(threading.Thread):
    """SHA-256 of a file, worked out while the first pictures are drawn: nobody asks for it before a session is saved."""

    def __init__(self, path: Path):
        super().__init__()
        self.path, self.hex = path, ""
        self.start()

    def run(self) -> None:
        sha = hashlib.sha256()
        with suppress(OSError), self.path.open("rb") as file:
            while block := file.read(1 << 20):
                sha.update(block)
            self.hex = sha.hexdigest()

    def finished(self) -> str:
        self.join()
        return self.hex


def _text(path: Path, file: _Watched, known: Example | None) -> pd.DataFrame:
    from pandas.errors import EmptyDataError, ParserError

    name = path.name.lower()
    plain = name
    for suffix in (".gz", ".xz", ".zip"):
        plain = plain.removesuffix(suffix)
    options: dict[str, Any] = {"sep": "\t" if plain.endswith(".tsv") else ","}
    if known and known.file.startswith("adult"):
        options["na_values"] = ["?"]
    try:
        stream = _unpacked(name, file)
        _guard(stream, options["sep"])
        frame = _parsed(stream, options)
    except EmptyDataError:
        raise TableError(say(N_("{path} holds no table: no columns were found. Choose another file."), path=path)) from None
    except ParserError as error:
        raise TableError(
            say(N_("{path} is not a table as it stands: {why}. Mend the line, or save the file anew."), path=path, why=_line(error))
        ) from None
    except UnicodeDecodeError:
        where = say(N_("line {line}"), line=_first_bad_line(name, path))
        raise TableError(say(N_("{path} is not UTF-8 text ({where}). Save it as UTF-8, or as Parquet."), path=path, where=where)) from None
    except (gzip.BadGzipFile, lzma.LZMAError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise TableError(say(N_("{path} is not a whole compressed file: {why}."), path=path, why=str(error).rstrip("."))) from None
    except (ValueError, OverflowError, MemoryError, RuntimeError, NotImplementedError) as error:
        raise TableError(
            say(N_("{path} could not be read as a table: {why}."), path=path, why=str(error).rstrip(".") or type(error).__name__)
        ) from None
    return frame


def _parsed(stream: Any, options: dict[str, Any]) -> pd.DataFrame:
    """Parse in chunks, which is quick; a column that came out mixed, numbers in one chunk and words in another, as a whole."""
    import pandas as pd
    from pandas.errors import DtypeWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DtypeWarning)
        frame: pd.DataFrame = pd.read_csv(stream, **options)
    loose = [frame[name] for name in frame.columns if pd.api.types.is_object_dtype(frame[name].dtype)]
    if any(pd.api.types.infer_dtype(column, skipna=True).startswith("mixed") for column in loose):
        stream.seek(0)
        frame = pd.read_csv(stream, low_memory=False, **options)
    return frame


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Every column by a name of its own: blank ones are numbered, and a second "a" is "a.1", as for CSV."""
    seen: dict[str, int] = {}
    names = []
    for place, column in enumerate(frame.columns):
        name = str(column) if str(column).strip() else f"Unnamed: {place}"
        count = seen[name] = seen.get(name, -1) + 1
        names.append(f"{name}.{count}" if count else name)
    return frame.set_axis(names, axis=1)


def _guard(stream: Any, separator: str) -> None:
    """Refuse binary files early, and rows that are longer than the header: pandas would make their first values row names."""
    start = stream.read(1 << 16)
    stream.seek(0)
    if start.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise ValueError(render(Say(N_("it is a workbook or an archive, not text; save the sheet as CSV"))))
    if b"\0" in start:
        raise ValueError(render(Say(N_("it holds zero bytes, so it is not text"))))
    lines = csv.reader(io.StringIO(start.decode("utf-8", "replace"), newline=""), delimiter=separator)
    try:
        header, first = next(lines), next(lines)
    except (StopIteration, csv.Error):
        return
    if len(first) > len(header):
        why = say(
            N_("line {line} has {values} values under {names} column names"), line=lines.line_num, values=len(first), names=len(header)
        )
        raise ValueError(render(why))


def _first_bad_line(name: str, path: Path) -> int:
    """The number of the first line that is not UTF-8."""
    with _Watched(path, lambda share: None, lambda: False) as file:
        for number, line in enumerate(_unpacked(name, file), 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return 1


def _line(error: Exception) -> str:
    return str(error).replace("Error tokenizing data. C error: ", "").strip().rstrip(".")


def _unpacked(name: str, file: _Watched) -> Any:
    if name.endswith(".gz"):
        return gzip.GzipFile(fileobj=file)
    if name.endswith(".xz"):
        return lzma.LZMAFile(file)
    if name.endswith(".zip"):
        archive = zipfile.ZipFile(file)
        inside = [n for n in archive.namelist() if not n.endswith("/")]
        if len(inside) != 1:
            raise ValueError(render(say(N_("the archive holds {n} files, and exactly one is needed"), n=len(inside))))
        return archive.open(inside[0])
    return file


def _parquet(path: Path, file: _Watched) -> pd.DataFrame:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # Without pandas' notes in the file, so that what was an index is a column like any other.
        source = pq.ParquetFile(pa.PythonFile(file, mode="r"))
        groups = []
        for number in range(source.num_row_groups):
            if file.cancelled():
                raise CancelledError
            groups.append(source.read_row_group(number))
        table = pa.concat_tables(groups) if groups else source.schema_arrow.empty_table()
        frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
        return frame
    except (pa.ArrowException, ValueError) as error:
        if file.cancelled():
            raise CancelledError from None
        why = str(error).split("\n")[0].rstrip(".")
        raise TableError(say(N_("{path} is not a Parquet file that can be read: {why}."), path=path, why=why)) from None
