"""A table behind a narrow interface of aggregates; the answers are remembered by the question that
was asked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from threading import RLock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpstudio.data import aggregates
from dpstudio.data.aggregates import Asked, Clipped, Extent, Ordered
from dpstudio.data.codebook import EMPTY, About, Codebook
from dpstudio.data.column_counts import Persons, Spread, persons_of
from dpstudio.data.columns import Columns, FrameColumns, Rows, spelled
from dpstudio.data.conditions import Where
from dpstudio.data.content import content_digest
from dpstudio.data.held_columns import ColumnInfo, HeldColumns
from dpstudio.data.kept_rows import kept_rows
from dpstudio.data.memory import Memory
from dpstudio.data.typed_columns import Retyped
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Clipped", "ColumnInfo", "Dataset", "Extent", "Ordered"]

T = TypeVar("T")
_KEEP_BYTES = 64_000_000
_FIRST = 100_000  # rows
NO_PERSON = N_("“{column}” is no column that could say whose row it is. Choose another.")
_DESCRIBED = 6  # each way to read a table has answers of its own to remember


class Dataset:
    """A frozen table. `origin` is the path or example it came from, `digest` the SHA-256 of its
    bytes (hex).

    All methods may be called from any thread; the table, a pandas frame or another engine, is never
    changed and never leaves.
    """

    # What was asked of what holds the rows, where they stay; None where they are here.
    asked: Sequence[Asked] | None = None
    snapshot: Mapping[str, str] = MappingProxyType({})  # what names the state of such a table
    state: Mapping[str, str] = MappingProxyType({})  # the same with what rows may show, to be kept

    def __init__(
        self,
        table: pd.DataFrame | Columns,
        name: str,
        origin: str = "",
        digest: str | Callable[[], str] = "",
    ):
        self._table = table if isinstance(table, Columns) else FrameColumns(table)
        self.name, self.origin, self._digest = name, origin, digest
        self.rows, self.spelling = self._table.rows, self._table.spelling
        self._held = HeldColumns(self._table, self._about_rows)
        self.columns = self._held.columns
        # Room for the answers, and for the few columns that a question is about, however long.
        self._memory = Memory(max(_KEEP_BYTES, 4 * 8 * self.rows))
        self._lock = RLock()
        self.codebook = self.documented = EMPTY  # what a person tells; what is published of it
        self.drawn_of = 0  # of how many rows these are a sample; 0 where they are all
        self.glimpse_of = 0  # of how many they are a first look, of a few places
        self.hierarchies: Mapping[str, str] = {}  # of columns, published with the table, as CSV
        self.reading: str | None = None  # what was told of how the file is read, as it is typed
        self.way = ""  # how it was read, told or found, as it is typed
        # The table as the file gives it; before rows of persons were left out; with the same rows.
        self._file, self._whole, self._rows_of = self, self, self
        self._described: OrderedDict[Codebook, Dataset] = OrderedDict()

    @property
    def digest(self) -> str:
        """SHA-256 of the file, hex; where it was still being worked out, this waits for it."""
        held = self._digest
        if callable(held):
            self._digest = held = held()
        return held

    @property
    def content(self) -> str:
        """SHA-256 of the columns and values as they are read here, hex."""
        return self._about_rows(("content",), lambda: content_digest(self._table))

    def described(self, codebook: Codebook) -> Dataset:
        """The table of this file as a codebook tells it: columns read as told, at most so many rows
        of each person.

        What was told before is not added to: `described(EMPTY)` is the table of the file. Choosing
        the rows sorts them by person, so the first call belongs in the background; the last few
        codebooks are remembered. Raises ParamError at “person” when there is no such column.
        """
        file = self._file
        if not codebook:
            return file
        with file._lock:
            if codebook in file._described:
                file._described.move_to_end(codebook)
                return file._described[codebook]
        made = file._describe(codebook)
        with file._lock:
            made = file._described.setdefault(codebook, made)
            while len(file._described) > _DESCRIBED:
                file._described.popitem(last=False)
        return made

    @property
    def drawn(self) -> Dataset:
        """The rows for what reads them one by one: all of them, where they are here."""
        return self

    def found_in_rows(self, *names: str) -> None:
        """Which choices of its reading rows decided, or may have: nothing leaves of it."""
        self.spelling = self._table.spelling = replace(self.spelling, found=names)

    def changed(self) -> bool:
        """Whether what holds the rows elsewhere tells that they changed since it was opened."""
        return False

    def glimpse(self) -> Dataset | None:
        """A few rows that are there at once of a table that stays elsewhere, for a first look."""
        return None

    def _describe(self, codebook: Codebook) -> Dataset:
        rows_of = self.described(codebook.reading) if codebook != codebook.reading else None
        whole = self.described(codebook.with_person("")) if codebook.person else None
        if rows_of is not None:
            table = rows_of._table
        elif whole is not None:
            kept = whole._kept_rows(codebook.person, codebook.most)
            table = whole._table if len(kept) == whole.rows else whole._table.take(kept)
        else:
            wanted = {
                self._held.place[name]: about.type
                for name, about in codebook.columns
                if about.type and name in self._held.place
            }
            table = Retyped(self._table, wanted) if wanted else self._table
        made = Dataset(table, self.name, self.origin, lambda: self.digest)
        made.codebook, made.documented, made._file = codebook, self.documented, self
        made._rows_of, made._whole = rows_of or made, whole or made
        made.hierarchies, made.reading, made.way = self.hierarchies, self.reading, self.way
        return made

    def _kept_rows(self, person: str, most: int) -> Rows:
        """By what the file says of each row, whatever is told of its columns."""
        if not self.has(person) or self.info(person).type == "other":
            raise ParamError("person", say(NO_PERSON, column=person))
        place = self._held.at(person)
        return kept_rows(self._file._table, place, *self._owned(person), most)

    def _owned(self, person: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Whose each row is, and which rows are nobody's."""
        who, named = self._who(person), self.info(person).type == "category"
        return who, who < 0 if named else self._held.absent(person)

    def persons(self, person: str) -> Persons:
        """How many rows the persons have whom a column names, before any row is left out."""
        whole = self._whole
        return whole._about_rows(("persons", person), lambda: persons_of(*whole._owned(person)))

    def _who(self, person: str) -> NDArray[Any]:
        """For each row a number that tells its person from others, and nothing where the column is
        missing."""
        if self.info(person).type == "category":
            codes, words = self._held.codes(person)
            # Told to be names, each is read by itself: no other row makes two people of one.
            return (
                spelled(codes, tuple(words), self.spelling)[0] if self.about(person).type else codes
            )
        x = self._held.numbers(person)
        # Whole numbers beyond 2⁵³ may be one as doubles: two people taken for one would share the
        # rows that are kept of them.
        if x.dtype.kind != "f" or not np.any(np.abs(x) >= 2.0**53):
            return x
        codes = self._table.exact_codes(self._held.at(person))
        return np.where(x == 0, codes.max(initial=-1) + 1, codes)  # 0 and −0 are nobody else

    def about(self, column: str) -> About:
        """What is known of a column from outside the data; an empty About for most."""
        return self.codebook.about(column)

    @property
    def person(self) -> str:
        """The column that says whose row it is; "" where each row is a person."""
        return self.codebook.person

    @property
    def contributions(self) -> int:
        """How many rows one person may have at most."""
        return self.codebook.most

    @property
    def whole(self) -> Dataset:
        """The same table before rows of persons who have too many were left out."""
        return self._whole

    @property
    def dropped(self) -> int:
        """How many rows of the whole table are left out: further ones of a person, or nobody's."""
        return self._whole.rows - self.rows

    @property
    def unowned(self) -> int:
        """How many rows of the whole table name no person."""
        return self._whole.missing(self.person) if self.person else 0

    def unread(self, column: str) -> int:
        """How many values of the whole table cannot be read as the type that the codebook tells:
        they count as missing."""
        table = self._whole._table
        return self._about_rows(
            ("unread", column),
            lambda: table.unread(self._held.at(column)) if isinstance(table, Retyped) else 0,
        )

    def remember(self, question: Hashable, answer: Callable[[], T]) -> T:
        """The answer to a frozen question, worked out once; the oldest are forgotten past 512
        answers, or 64 MB or four columns."""
        return self._memory.remember(question, answer)

    def _about_rows(self, question: Hashable, answer: Callable[[], T]) -> T:
        """The answer to a question about the rows alone, which bounds and words of the codebook
        have no part in."""
        return self._rows_of.remember(question, answer)

    def known(self, question: Hashable) -> bool:
        """Whether the answer to a question is remembered."""
        return self._memory.known(question)

    def info(self, column: str) -> ColumnInfo:
        """What a column is called and holds. Raises ParamError when the table has none of that
        name."""
        return self._held.info(column)

    def has(self, column: str) -> bool:
        """Whether the table has a column of that name."""
        return column in self._held.place

    def missing(self, column: str) -> int:
        """How many rows have no value in this column."""
        return self._about_rows(
            ("missing", column), lambda: int(np.count_nonzero(self._held.absent(column)))
        )

    def extent(self, column: str) -> Extent | None:
        """Smallest and largest value (days, of dates); None when every value is missing or they
        have no order."""
        return self._about_rows(("extent", column), lambda: aggregates.extent(self._held, column))

    def all_integers(self, column: str) -> bool:
        """Whether a column holds integers: by its type, or of numbers each that is there, as ages
        are where a file wrote them with a point because some are missing. So far from 0 that
        doubles leave some out, numbers are none."""
        kind = self.info(column).type
        extent = self.extent(column) if kind == "number" else None
        whole = extent is not None and extent.whole and max(-extent.low, extent.high) < 2.0**53
        return kind == "integer" or whole

    def distinct(self, column: str, limit: int = 200) -> tuple[tuple[str, int], ...]:
        """The words of a column with their counts, most frequent first, at most `limit` of them."""
        return self._about_rows(
            ("distinct", column, limit), lambda: aggregates.distinct(self._held, column, limit)
        )

    def more_than(self, column: str, limit: int) -> bool:
        """Whether a column holds more than `limit` different values; where its first rows do, the
        others are not looked at."""

        def found() -> bool:
            if self.info(column).numeric:
                x = self._held.numbers(column)[:_FIRST]
                if len(np.unique(x[~np.isnan(x)] if x.dtype.kind == "f" else x)) > limit:
                    return True
            return len(self.distinct(column, limit + 1)) > limit

        return self._about_rows(("more than", column, limit), found)

    def spread(self, column: str) -> Spread:
        """How many different values there are, where they lie, and how often; one sort of the
        column, which is not kept."""
        return self._about_rows(("spread", column), lambda: aggregates.spread(self._held, column))

    def repeats(self, column: str) -> tuple[int, int]:
        """How many rows have a value, and how many different ones these are. Of a table that stays
        elsewhere its first rows alone, where some of these already have the same."""
        spread = self.spread(column)
        return spread.present, spread.distinct

    def count(self, where: Where) -> int:
        """How many rows meet the condition."""
        return self._about_rows(
            ("count", where),
            lambda: self.rows if not where else int(np.count_nonzero(self._held.mask(where))),
        )

    def clipped(
        self, column: str, low: float, high: float, where: Where, middle: float = 0.0
    ) -> Clipped:
        """Sum of min(max(x, low), high) − middle over the rows that meet the condition and have a
        value."""
        return self._about_rows(
            ("clipped", column, low, high, where, middle),
            lambda: aggregates.clipped(self._held, column, low, high, where, middle),
        )

    def histogram(self, column: str, edges: tuple[float, ...], where: Where) -> NDArray[np.int64]:
        """Rows per interval [eᵢ, eᵢ₊₁), the last one closed, but of dates, where it ends before its
        edge; others are in none."""
        return self._about_rows(
            ("histogram", column, edges, where),
            lambda: aggregates.histogram(self._held, column, edges, where),
        )

    def tally(self, column: str, words: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        """Rows per category; rows with another word, or none, are in none."""
        return self._about_rows(
            ("tally", column, words, where),
            lambda: aggregates.tally(self._held, column, words, where),
        )

    def powers(
        self, column: str, low: float, high: float, where: Where
    ) -> tuple[float, float, float, int]:
        """(Σ z, Σ z², Σ (z − z̄)², rows used) of z = min(max(x, low), high) − (low + high)/2 over
        the rows that count and have a value."""
        return self._about_rows(
            ("powers", column, low, high, where),
            lambda: aggregates.powers(self._held, column, low, high, where),
        )

    def grouped(
        self, by: str, words: tuple[str, ...], column: str, low: float, high: float, where: Where
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(rows used, clipped sum) for each of the words of `by`."""
        return self._about_rows(
            ("grouped", by, words, column, low, high, where),
            lambda: aggregates.grouped(self._held, by, words, column, low, high, where),
        )

    def crossed(
        self, first: str, rows: tuple[str, ...], second: str, columns: tuple[str, ...], where: Where
    ) -> NDArray[np.int64]:
        """Rows for each pair of words, shape (len(rows), len(columns))."""
        return self._about_rows(
            ("crossed", first, rows, second, columns, where),
            lambda: aggregates.crossed(self._held, first, rows, second, columns, where),
        )

    def moments(
        self, columns: tuple[str, ...], bounds: tuple[tuple[float, float], ...], where: Where
    ) -> NDArray[np.float64]:
        """Z Zᵀ of the rows z = (1, z₁ … z_p) that have every value, each zᵢ clipped to its bounds
        and scaled to [−1, 1]."""
        return self._about_rows(
            ("moments", columns, bounds, where),
            lambda: aggregates.moments(self._held, columns, bounds, where),
        )

    def ordered(self, column: str, where: Where) -> Ordered:
        """The numbers of the rows that meet the condition, in order, missing ones left out: sorts
        the column the first time."""
        return self._about_rows(
            ("ordered", column, where), lambda: aggregates.ordered(self._held, column, where)
        )

    def rounded(self, column: str) -> bool:
        """Whether the numbers in order are those of their first digits, since there are more than
        are brought here."""
        return False

    def only(self, row: int) -> Dataset:
        """The rows of one person: of the one whose row this is, counted from 0. Columns keep their
        types; nothing is remembered yet."""
        rows = (
            np.flatnonzero(self._who(self.person) == self._who(self.person)[row])
            if self.person
            else np.array([row])
        )
        one = Dataset(self._table.take(rows), self.name, self.origin)
        one.codebook, one.documented = self.codebook, self.documented
        return one

    @property
    def _frame(self) -> pd.DataFrame:
        """The table as a pandas frame: the one that it was made of, or a copy, whose dates are
        days."""
        import pandas as pd

        if isinstance(self._table, FrameColumns):
            return self._table.frame
        held: dict[str, Any] = {}
        for place, info in enumerate(self.columns):
            if info.type != "category":
                held[info.name] = self._table.numbers(place)
                continue
            codes, words = self._table.codes(place)
            held[info.name] = np.append(np.array(words, dtype=object), [None])[codes]
        return pd.DataFrame(held)

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        """Rows start … stop − 1 as they are, for looking at; not remembered."""
        return self._table.cells(max(0, start), min(stop, self.rows))
