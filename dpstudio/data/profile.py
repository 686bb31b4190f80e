"""One column summed up for the eyes of whoever holds the table: exact, and so never saved or
published."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.codebook import PLACE
from dpstudio.data.column_counts import COMMON, Persons, Spread, counts_on, prose
from dpstudio.data.column_roles import proposed_role, role_of
from dpstudio.data.dataset import Dataset
from dpstudio.data.person_columns import NO, names_persons
from dpstudio.data.spelling import twins
from dpstudio.values.dates import as_year, date_text
from dpstudio.values.messages import Num, number

IDENTIFIER, PERSON, PROSE = "identifier", "person", "text"
_SMALL = 24
# Words that people write where they have no value; they are compared in lower case.
_BLANK = frozenset(
    (
        "",
        "?",
        "-",
        "--",
        ".",
        "na",
        "n/a",
        "n.a.",
        "#n/a",
        "nan",
        "null",
        "none",
        "nil",
        "missing",
        "unknown",
        "not available",
        "no answer",
    )
)
_FEW = 20  # fewer values than these tell nobody apart
_MANY = 1000  # so many whole numbers, all different, are no measurement
_MANY_ROWS = 50.0  # a person has seldom more rows than this on average


@dataclass(frozen=True, eq=False)
class Profile:
    """`type` as in ColumnInfo, or "text" or "identifier" where a person said so; `spread` is None
    where it could not be summed up.

    `looks` says what its values seem to be: "identifier" (each occurs once), "person" (they tell
    persons apart, who have several rows), "text" (sentences), or "". `blanks` are words that seem
    to stand for a missing value, with their rows; `unread` values are not of the type that a person
    gave the column, and count as missing. `proposed` is the role that it seems to have. Of a column
    that says who a person is, or seems to, `persons` has their rows, of which each keeps `most`.
    `twins` are spellings of one word that are counted apart.
    """

    name: str
    type: str
    rows: int
    missing: int
    spread: Spread | None
    looks: str = ""
    blanks: tuple[tuple[str, int], ...] = ()
    unread: int = 0
    proposed: str = ""
    persons: Persons | None = None
    most: int = 1
    twins: tuple[tuple[str, ...], ...] = ()

    @property
    def words(self) -> bool:
        """Whether its spread counts words rather than intervals of numbers."""
        return self.spread is not None and not self.spread.edges

    @property
    def missing_share(self) -> float:
        """The share of rows without a value; 0 in an empty table."""
        return self.missing / self.rows if self.rows else 0.0

    @property
    def bars(self) -> NDArray[np.float64]:
        """Heights of a tiny histogram: the mean of neighbouring intervals, or the rows of the most
        common words; none where all differ."""
        if self.spread is None or not self.spread.distinct:
            return np.zeros(0)
        if self.words:
            if self.spread.most == 1:
                return np.zeros(0)  # no word is commoner than another
            return np.array([float(count) for _, count in self.spread.common[:_SMALL]])
        counts = self.spread.counts
        starts = np.arange(0, len(counts), -(-len(counts) // _SMALL))
        return np.asarray(
            np.add.reduceat(counts, starts) / np.diff(starts, append=len(counts)), dtype=np.float64
        )

    @property
    def summary(self) -> str:
        """From where to where it reaches, or its most common words: data, and so not translated."""
        if self.spread is None:
            return ""
        if self.spread.quantiles:
            return (
                f"{self.value(self.spread.quantiles[0])} … {self.value(self.spread.quantiles[-1])}"
            )
        common = self.spread.common
        return ", ".join(word for word, _ in common[:3]) + (
            " …" if self.spread.distinct > 3 else ""
        )

    def value(self, x: float, digits: int = 4) -> str:
        """A value of this column, or a mean of some, as people read it."""
        if self.type == "date":
            return date_text(x)
        return as_year(self.name, x, number(x, digits))


def profile(data: Dataset, column: str) -> Profile:
    """Sum up a column; the first time it takes some 10 ms for a million numbers. Raises ParamError
    where there is no such column."""
    return data.remember(("profile", column), partial(_profile, data, column))


def profiles(data: Dataset, cancelled: Callable[[], bool]) -> Iterator[Profile]:
    """Sum up every column, until it is cancelled; whatever is in one of them, the others are
    shown."""
    for info in data.columns:
        if cancelled():
            return
        try:
            yield profile(data, info.name)
        except Exception:
            yield unsummed(data, info.name)


def unsummed(data: Dataset, column: str) -> Profile:
    """What is known of a column before, or without, its being summed up."""
    return Profile(column, data.info(column).type, data.rows, 0, None)


def _profile(data: Dataset, column: str) -> Profile:
    kind, told = data.info(column).type, data.about(column).type
    if data.info(column).ordered:
        data.extent(column)  # so that forms which ask for it do not wait
    spread = data.spread(column) if kind != "other" else None
    if spread is not None and spread.edges and role_of(data, column) == PLACE:
        spread = replace(
            spread, edges=(), common=data.distinct(column, COMMON)
        )  # names, not amounts
    shown = told if told in (IDENTIFIER, "text") and kind == "category" else kind
    if spread is None:
        return Profile(column, shown, data.rows, data.missing(column), None)
    blanks = tuple((word, count) for word, count in spread.common if word.strip().lower() in _BLANK)
    looks = (
        seems(column, shown, spread) if column != data.person else ""
    )  # of that column it is known
    return Profile(
        column,
        shown,
        data.rows,
        data.missing(column),
        spread,
        looks,
        blanks,
        data.unread(column) if told else 0,
        proposed_role(data, column),
        data.persons(column) if role_of(data, column) == PERSON else None,
        data.contributions,
        tuple(twins([word for word, _ in spread.common])) if kind == "category" else (),
    )


def seems(column: str, kind: str, spread: Spread) -> str:
    """Whether values seem to tell persons apart: by the column's name, by all being different, or
    by each standing in one stretch.

    Measurements are seldom whole numbers that all differ, and seldom come in stretches; where they
    do, it is only advice.
    """
    if kind == IDENTIFIER and spread.distinct:
        return IDENTIFIER if spread.distinct == spread.present else PERSON
    if kind not in ("integer", "category") or spread.distinct < _FEW:
        return ""
    if kind == "category" and 2 * spread.distinct > spread.present and prose(spread):
        return PROSE
    named = names_persons(column) != NO
    if spread.distinct == spread.present and (
        kind != "integer" or named or spread.distinct >= _MANY or counts_on(spread)
    ):
        return IDENTIFIER
    each = spread.present / spread.distinct
    if spread.distinct >= 0.98 * spread.present and (named or kind != "integer"):
        return IDENTIFIER
    if named and each <= _MANY_ROWS:
        return PERSON
    return PERSON if spread.runs == spread.distinct and 1.2 <= each <= _MANY_ROWS else ""


def rows_each(spread: Spread) -> tuple[Num, Num]:
    """Rows per value, on average and at most."""
    return Num(spread.present / max(1, spread.distinct), 2), Num(spread.most)
