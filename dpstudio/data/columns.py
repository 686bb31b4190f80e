"""What a table's engine must answer, column by column; here the one over a pandas frame. Others
live under files/."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.spelling import PLAIN, Spelling

if TYPE_CHECKING:
    import pandas as pd

Mask = NDArray[np.bool_]
Rows = NDArray[np.int64]
DAY = 86_400.0  # seconds


class Columns(ABC):
    """Columns of equal length by their place 0, 1, …; frozen, and safe to ask from any thread.

    `types` are "integer", "number", "date", "category" (words, also yes/no) or "other" (nested
    values).
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    rows: int
    # Whether columns are fetched each time they are asked for, so that remembering one costs its
    # whole length.
    lazy: bool = False
    # How their file writes its values.
    spelling: Spelling = PLAIN

    @abstractmethod
    def numbers(self, place: int) -> NDArray[Any]:
        """A column of numbers, shape (rows,): integers where none is missing, else floats with NaN;
        dates in days since 1970."""

    @abstractmethod
    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """For each row the place of its word, −1 where it is missing, and the distinct words."""

    @abstractmethod
    def absent(self, place: int) -> Mask:
        """Where the column has no value."""

    def moments(self, place: int) -> NDArray[np.datetime64]:
        """A column of dates to the microsecond, by the clock; not a time where one is missing."""
        micro = np.rint(np.asarray(self.numbers(place), dtype=np.float64) * (DAY * 1e6))
        return np.where(np.isnan(micro), np.iinfo(np.int64).min, micro).astype("datetime64[us]")

    def exact_codes(self, place: int) -> NDArray[np.int32]:
        """For each row a number that tells its value from others, also where doubles do not."""
        return self.codes(place)[0]

    def take(self, rows: Rows) -> Columns:
        """The rows of these numbers, in this order."""
        return Taken(self, rows)

    @abstractmethod
    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        """Rows start … stop − 1 as plain values, None where one is missing: for looking at, never
        kept."""


def distinct_words(
    codes: NDArray[Any], words: list[str]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Codes over words of which some read alike: those become one; −1 stays −1."""
    if len(dict.fromkeys(words)) == len(words):
        return np.asarray(codes, dtype=np.int32), tuple(words)
    known: dict[str, int] = {}
    same = np.array([known.setdefault(word, len(known)) for word in words] + [-1], dtype=np.int32)
    return same[codes], tuple(known)


def spelled(
    codes: NDArray[Any], words: Sequence[str], spelling: Spelling
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """The same codes and words, each word as it is written by itself; a mark of a missing value is
    none."""
    public = [spelling.public(word) for word in words]
    marked = np.array([word is None for word in public] + [True])
    codes = np.where(marked[codes], np.int32(-1), codes)
    return distinct_words(codes, [word or "" for word in public])


class Taken(Columns):
    """Some rows of other columns."""

    lazy = True

    def __init__(self, of: Columns, rows: Rows):
        self.of, self.kept, self.rows = of, rows, len(rows)
        self.names, self.types, self.spelling = of.names, of.types, of.spelling

    def numbers(self, place: int) -> NDArray[Any]:
        return self.of.numbers(place)[self.kept]

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """The words are those that are left."""
        codes, words = self.of.codes(place)
        few = codes[self.kept]
        left = np.unique(few[few >= 0])
        place_of = np.full(len(words) + 1, -1, dtype=np.int32)
        place_of[left] = np.arange(len(left), dtype=np.int32)
        return place_of[few], tuple(words[i] for i in left)

    def exact_codes(self, place: int) -> NDArray[np.int32]:
        return self.of.exact_codes(place)[self.kept]

    def absent(self, place: int) -> Mask:
        return self.of.absent(place)[self.kept]

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        return [self.of.cells(int(row), int(row) + 1)[0] for row in self.kept[start:stop]]


class Filled(Taken):
    """The first rows of other columns, and rows without values where they are fewer than `rows`."""

    def __init__(self, of: Columns, rows: int):
        super().__init__(of, np.arange(min(of.rows, rows)))
        self.rows, self._more = rows, max(0, rows - of.rows)

    def numbers(self, place: int) -> NDArray[Any]:
        held = super().numbers(place)
        return np.append(held, np.full(self._more, np.nan)) if self._more else held

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        codes, words = super().codes(place)
        return np.append(codes, np.full(self._more, -1, dtype=np.int32)), words

    def exact_codes(self, place: int) -> NDArray[np.int32]:
        return np.append(super().exact_codes(place), np.full(self._more, -1, dtype=np.int32))

    def absent(self, place: int) -> Mask:
        return np.append(super().absent(place), np.ones(self._more, dtype=np.bool_))

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        held = super().cells(start, stop)
        more = min(stop, self.rows) - start - len(held)
        return [*held, *[(None,) * len(self.names)] * more]


class FrameColumns(Columns):
    """A pandas frame, which is never changed."""

    def __init__(self, frame: pd.DataFrame):
        self.frame = frame
        self.names = tuple(map(str, frame.columns))
        self.types = tuple(_type(frame.iloc[:, i]) for i in range(len(frame.columns)))
        self.rows = len(frame)

    def numbers(self, place: int) -> NDArray[Any]:
        series = self.frame.iloc[:, place]
        if self.types[place] == "date":
            return _days(series)
        if (
            isinstance(series.dtype, np.dtype)
            and series.dtype.kind == "f"
            and series.dtype.itemsize < 8
        ):
            return cast(NDArray[Any], series.to_numpy(dtype=np.float64))
        if isinstance(series.dtype, np.dtype) and series.dtype.kind in "iuf":
            return cast(NDArray[Any], series.to_numpy())
        if series.dtype.kind == "O" and isinstance(
            series.dtype, np.dtype
        ):  # decimals, or numbers among blanks
            return cast(NDArray[Any], series.astype("float64").to_numpy())
        return cast(NDArray[Any], series.to_numpy(dtype=np.float64, na_value=np.nan))

    def moments(self, place: int) -> NDArray[np.datetime64]:
        return _stamps(self.frame.iloc[:, place])

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        import pandas as pd  # a third of a second: paid by the thread that reads the table

        codes, words = pd.factorize(self.frame.iloc[:, place])
        return distinct_words(codes, [str(word) for word in words])

    def absent(self, place: int) -> Mask:
        return self.frame.iloc[:, place].isna().to_numpy(dtype=np.bool_)

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        part = self.frame.iloc[start:stop].astype(object)
        return [
            tuple(row) for row in part.where(part.notna(), None).itertuples(index=False, name=None)
        ]


def _days(series: pd.Series) -> NDArray[np.float64]:
    """Dates and times as days since 1970, NaN where missing."""
    stamps = _stamps(series)
    days = stamps.astype(np.int64) / (DAY * 1e6)
    days[np.isnat(stamps)] = np.nan
    return days


def _stamps(series: pd.Series) -> NDArray[np.datetime64]:
    """Dates and times to the microsecond, of clock time where a zone is given."""
    import pandas as pd

    if not pd.api.types.is_datetime64_any_dtype(series.dtype):  # datetime.date objects
        series = pd.to_datetime(series, errors="coerce")
    if getattr(series.dtype, "tz", None) is not None:
        series = series.dt.tz_localize(None)
    return cast(NDArray[np.datetime64], series.to_numpy(dtype="datetime64[us]"))


def _type(series: pd.Series) -> str:
    import pandas as pd

    dtype = series.dtype
    if pd.api.types.is_object_dtype(dtype):
        kind = pd.api.types.infer_dtype(series, skipna=True)
        if kind in ("integer", "floating", "decimal", "mixed-integer-float"):
            return "number"
        if kind in ("date", "datetime", "datetime64"):
            return "date"
        return "category" if kind in ("string", "boolean", "empty") else "other"
    if pd.api.types.is_bool_dtype(dtype):
        return "category"
    if pd.api.types.is_integer_dtype(dtype):
        return "integer"
    if pd.api.types.is_float_dtype(dtype):
        return "number"
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return "date"
    if isinstance(dtype, pd.CategoricalDtype) or pd.api.types.is_string_dtype(dtype):
        return "category"
    return "other"
