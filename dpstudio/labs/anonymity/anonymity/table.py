"""The columns of a table as codes: those by which people are found, and the one that nobody should
learn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.anonymity.anonymity.parameters import Anonymity
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.anonymity.mondrian import Quasi
from dpstudio.values.messages import N_, say
from dpstudio.values.params import ParamError

WORDS_MOST, VALUES_MOST, KNOWN_MOST = 200, 50, 8
MISSING = "?"


@dataclass(frozen=True, eq=False)
class Coded:
    """A column: the code of each row, −1 where a number is missing, in the order of its values, of
    which each has a word; `at` says where a number lies."""

    name: str
    quasi: Quasi
    words: tuple[str, ...]
    whole: bool

    @property
    def nbytes(self) -> int:
        """What remembering it costs."""
        return int(self.quasi.codes.nbytes)


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows that have a number in every column of numbers: quasi-identifiers and the sensitive
    codes, (n,). `left_out` rows lack one. A missing word is a word of its own, “?”."""

    columns: tuple[Coded, ...]
    sensitive: Coded
    left_out: int
    kept: Codes

    @property
    def nbytes(self) -> int:
        """What remembering it costs."""
        return sum(column.nbytes for column in (*self.columns, self.sensitive)) + self.kept.nbytes

    @property
    def quasi(self) -> tuple[Quasi, ...]:
        """The quasi-identifiers as partitions take them."""
        return tuple(column.quasi for column in self.columns)

    @property
    def values(self) -> int:
        """How many sensitive values there are."""
        return len(self.sensitive.words)


def coded(data: Dataset, name: str, field: str, most: int = WORDS_MOST) -> Coded:
    """A column of a table, remembered with it. Raises ParamError at `field` for one that is not
    there, or has more than `most` words."""
    if not data.has(name) or data.info(name).type == "other":
        text = N_("This table has no column “{column}” of numbers or words. Choose another.")
        raise ParamError(field, say(text, column=name))
    return data.remember(("coded", name, most), lambda: _coded(data, name, field, most))


def _coded(data: Dataset, name: str, field: str, most: int) -> Coded:
    held, info = data._held, data.info(name)
    if info.ordered:
        x = np.asarray(held.numbers(name), dtype=np.float64)
        there = ~np.isnan(x)
        at, found = np.unique(x[there], return_inverse=True)
        codes = np.full(len(x), -1, dtype=np.int64)
        codes[there] = found
        whole = bool(np.all(at == np.round(at)))
        told = (_day if info.type == "date" else "{:.12g}".format) if len(at) <= most else None
        return Coded(name, Quasi(codes, at), tuple(map(told, at.tolist())) if told else (), whole)
    found_words = data.distinct(name, most + 1)
    if len(found_words) > most:
        text = N_("“{column}” has more than {most} different words. Choose another column.")
        raise ParamError(field, say(text, column=name, most=most))
    words = tuple(sorted(word for word, _ in found_words))
    codes = held.places(name, words).astype(np.int64)
    lacking = (MISSING,) if np.any(codes == len(words)) else ()
    return Coded(name, Quasi(codes), (*words, *lacking), True)


def _day(days: float) -> str:
    return str(np.datetime64(int(days), "D"))


def rows_of(lab: Anonymity, data: Dataset) -> Rows:
    """The rows of a lab, remembered. Raises ParamError at “quasi” or “sensitive” where a column
    does not serve."""
    return data.remember(("anonymity", lab.quasi, lab.sensitive), lambda: _rows(lab, data))


def _rows(lab: Anonymity, data: Dataset) -> Rows:
    if not lab.quasi:
        raise ParamError("quasi", say("Name at least one column by which people are found."))
    if lab.sensitive in lab.quasi:
        text = N_(
            "“{column}” is the sensitive column: classes of it would publish it. Take it out."
        )
        raise ParamError("quasi", say(text, column=lab.sensitive))
    columns = [coded(data, name, "quasi") for name in lab.quasi]
    sensitive = coded(data, lab.sensitive, "sensitive", VALUES_MOST)
    if len(sensitive.words) == 0:
        text = N_("“{column}” has more than {most} different values, or none. Choose another.")
        raise ParamError("sensitive", say(text, column=lab.sensitive, most=VALUES_MOST))
    kept = np.all([c.quasi.codes >= 0 for c in (*columns, sensitive)], axis=0)
    if not kept.any():
        raise ParamError("quasi", say("No row has all these values. Name fewer columns."))
    place = np.flatnonzero(kept)
    return Rows(
        tuple(_part(column, place) for column in columns),
        _part(sensitive, place),
        int(data.rows - len(place)),
        place,
    )


def _part(column: Coded, rows: Codes) -> Coded:
    codes = column.quasi.codes[rows]
    return Coded(column.name, Quasi(codes, column.quasi.at), column.words, column.whole)


def known_codes(lab: Anonymity, data: Dataset) -> Codes:
    """The codes of the columns that might be known, those that the table has, shape (n, columns); a
    missing value is one of its own. Raises ParamError at “known”."""
    names = known_names(lab, data)
    columns = [coded(data, name, "known").quasi.codes for name in names]
    return np.stack(columns, axis=1) + 1 if columns else np.zeros((data.rows, 0), dtype=np.int64)


def known_names(lab: Anonymity, data: Dataset) -> tuple[str, ...]:
    """Of the columns that might be known those that the table has, at most 8."""
    return tuple(name for name in lab.known if data.has(name))[:KNOWN_MOST]
