"""The columns of a table as codes: those by which rows are found, and the one that nobody should
learn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.data.codebook import QUASI, SENSITIVE
from dpstudio.data.column_roles import columns_for
from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import Sized
from dpstudio.labs.lacking import few_to_hide, no_rows, none_together
from dpstudio.labs.whole_tables.rows.columns import coded
from dpstudio.labs.whole_tables.rows.parameters import START, RowsLab, SensitiveLab
from dpstudio.privacy.anonymity.classes import Classes, Codes, Mask
from dpstudio.privacy.anonymity.columns import Coded, most_frequent
from dpstudio.privacy.anonymity.models import Branch, shares
from dpstudio.privacy.anonymity.mondrian import Quasi
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem

# Sensitive values, of which each class has a count; and those of a column that is proposed.
VALUES_MOST, KNOWN_MOST, _FEW = 200, 8, 50
_TOGETHER = 3  # sex, age and a postcode tell most people apart (Sweeney 2000)


@dataclass(frozen=True, eq=False)
class Rows(Sized):
    """The rows that have a number in every column of numbers: where they are in the table, (n,),
    and their quasi-identifiers. `left_out` rows lack one. A missing word is a word of its own,
    “?”."""

    columns: tuple[Coded, ...]
    left_out: int
    kept: Codes

    @property
    def quasi(self) -> tuple[Quasi, ...]:
        """The quasi-identifiers as partitions take them."""
        return tuple(column.quasi for column in self.columns)


@dataclass(frozen=True, eq=False)
class SensitiveRows(Rows):
    """The same with the sensitive codes, (n,), of the values that these rows have, `every` one of
    them or the VALUES_MOST most frequent; what is missing is no value. `root` is the top of the
    hierarchy of the sensitive values, None where they have none."""

    sensitive: Coded
    every: Coded
    root: Branch | None = None

    @property
    def rare(self) -> int:
        """How many rows have a value that is none of the most frequent."""
        rare = self.every.quasi.codes < self.every.values
        return int(np.count_nonzero(rare & (self.sensitive.quasi.codes >= self.sensitive.values)))

    def among(self, rows: Mask) -> SensitiveRows:
        """The same where only the values that are most frequent in these `rows`, (n,), count."""
        if self.sensitive is self.every:
            return self
        return replace(self, sensitive=most_frequent(self.every, VALUES_MOST, rows))

    @property
    def values(self) -> int:
        """How many sensitive words there are, the one for what is missing among them."""
        return len(self.sensitive.words)

    def told(self, classes: Classes) -> Codes:
        """How often each sensitive value occurs in each class, (classes, values)."""
        held = classes.counts(self.sensitive.quasi.codes, self.values)
        return held[:, : self.sensitive.values]

    def told_as(self, other: SensitiveRows, classes: Classes) -> Codes:
        """The same for the sensitive values of `other` rows: those of each are frequent there."""
        held, mine = self.told(classes), other.sensitive.words[: other.sensitive.values]
        found = {word: place for place, word in enumerate(self.sensitive.words[: held.shape[1]])}
        none = np.zeros((len(held), 1), dtype=np.int64)
        return np.column_stack([held, none])[:, [found.get(word, -1) for word in mine]]

    @property
    def overall(self) -> tuple[float, ...]:
        """The shares of the sensitive values among the rows that have one."""
        codes = self.sensitive.quasi.codes
        return shares(codes[codes < self.sensitive.values], self.sensitive.values)


def rows_of(lab: RowsLab, data: Dataset) -> Rows:
    """The rows of a lab, remembered. Raises ParamError at “quasi” where a column does not serve."""

    def make() -> Rows:
        columns = _quasi(lab, data)
        place, left_out = _kept(lab, data, columns)
        return Rows(tuple(_part(column, place) for column in columns), left_out, place)

    return data.remember(("rows", lab.table), make)


def sensitive_rows(lab: SensitiveLab, data: Dataset) -> SensitiveRows:
    """The same with what is sensitive. Raises ParamError at “quasi” or “sensitive”."""

    def make() -> SensitiveRows:
        if lab.sensitive in lab.quasi:
            text = N_(
                "“{column}” is the sensitive column: classes of it would publish it. Take it out."
            )
            raise ParamError("quasi", say(text, column=lab.sensitive))
        columns = _quasi(lab, data)
        sensitive = coded(data, lab.sensitive, "sensitive")
        place, left_out = _kept(lab, data, columns)
        own = tuple(_part(column, place) for column in columns)
        there = np.ones(len(place), dtype=np.bool_)
        every = most_frequent(_part(sensitive, place), len(place), there)
        if every.values == 0:
            text = N_("“{column}” has no values. Choose another.")
            raise ParamError("sensitive", say(text, column=lab.sensitive))
        few = every.values <= VALUES_MOST
        part = every if few else most_frequent(every, VALUES_MOST, there)
        return SensitiveRows(own, left_out, place, part, every)

    return data.remember(("sensitive rows", lab.table), make)


def _quasi(lab: RowsLab, data: Dataset) -> tuple[Coded, ...]:
    if not lab.quasi:
        raise ParamError("quasi", say("Name at least one column by which rows are found."))
    return tuple(coded(data, name, "quasi") for name in lab.quasi)


def _kept(lab: RowsLab, data: Dataset, columns: tuple[Coded, ...]) -> tuple[Codes, int]:
    """Where the rows are that have all of these values, and how many others are published."""
    among = _among(lab, data)
    kept = among & np.all([column.quasi.codes >= 0 for column in columns], axis=0)
    if not kept.any():
        raise ParamError("quasi", none_together(lab.quasi))
    place = np.flatnonzero(kept)
    return place, int(np.count_nonzero(among) - len(place))


def _among(lab: RowsLab, data: Dataset) -> Mask:
    among = published(lab, data)
    if not among.any():
        raise ParamError("among", say("No row meets this. Ask for less."))
    return among


def published(lab: RowsLab, data: Dataset) -> Mask:
    """Which rows of the table are published, shape (rows,). Raises ParamError at “among”."""
    try:
        return data.remember(("rows among", lab.among), lambda: data._held.mask(lab.among))
    except ParamError as error:
        raise ParamError("among", error.sentence) from None


def _part(column: Coded, rows: Codes) -> Coded:
    codes = column.quasi.codes[rows]
    return replace(column, quasi=Quasi(codes, column.quasi.at, column.quasi.weight))


def known_columns(known: tuple[str, ...], data: Dataset) -> list[Coded]:
    """Of the columns that might be known those that the table has, as codes of all rows. Raises
    ParamError at “known”."""
    return [coded(data, name, "known") for name in known_names(known, data)]


def known_names(known: tuple[str, ...], data: Dataset) -> tuple[str, ...]:
    """Of the columns that might be known those that the table has, at most 8."""
    return tuple(name for name in known if data.has(name))[:KNOWN_MOST]


def few_rows(lab: RowsLab, rows: Rows) -> Iterator[Problem]:
    """That nobody can be like another one."""
    if len(rows.kept) < 2:
        text = N_("{n} {n:row is|rows are} too few to hide among others. Publish more of them.")
        some, few = say(text, n=Num(len(rows.kept))), few_to_hide(len(rows.kept), lab.quasi)
        yield Problem("among", some) if lab.among else Problem("data", few)


def rare_left_out(lab: SensitiveLab, rows: SensitiveRows) -> Iterator[Problem]:
    """That some values are too rare to be counted."""
    if rows.rare:
        text = N_(
            "“{column}” has more than {most:# different value|# different values}: the rarer ones, "
            "of {n:# row|# rows}, count as missing."
        )
        told = say(text, column=lab.sensitive, most=VALUES_MOST, n=Num(rows.rare))
        yield Problem("sensitive", told, stops=False)


def unasked(shown: bool, data: Dataset) -> Iterator[Problem]:
    """Why nothing is asked of a table: what is exact is not `shown`, or there are no rows."""
    if not shown:
        text = N_(
            "All of this page is exact: anonymised tables are not differentially private. Choose "
            "to show what is exact, or a lab with ε."
        )
        yield Problem("show_truth", say(text))
    elif data.rows == 0:
        yield Problem("data", no_rows(data))


def rows_as_people(data: Dataset) -> Iterator[Problem]:
    """That somebody with several rows counts as several people."""
    if data.contributions > 1:
        text = N_(
            "“{person}” says whose row it is, with up to {most} rows of each, but here each row "
            "counts as a person: k rows may be fewer people. Keep one row of each, under “Columns "
            "and rows of this table”."
        )
        told = say(text, person=data.person, most=Num(data.contributions))
        yield Problem("quasi", told, stops=False, grave=True)


def named(data: Dataset) -> list[str]:
    """The columns of numbers, dates or words that hold any."""
    kept = (column.name for column in data.columns if column.type != "other")
    return [name for name in kept if data.missing(name) < data.rows]


def suited_sensitive(sensitive: str, data: Dataset) -> str:
    """The sensitive column, or else the likeliest that has few values."""
    start = sensitive == START  # another table may call a number so
    if data.has(sensitive) and not (start and data.more_than(sensitive, _FEW)):
        return sensitive
    if not (names := named(data)):
        return sensitive
    few = [name for name in names if not data.more_than(name, 20)]
    return columns_for(data, SENSITIVE, few or names)[0]


def suited_quasi(quasi: tuple[str, ...], taken: tuple[str, ...], data: Dataset) -> tuple[str, ...]:
    """The quasi-identifiers that the table has and that are not `taken`, two at least where as many
    were named: others are up to three in all that may be known of somebody."""
    held = tuple(name for name in quasi if data.has(name) and name not in taken)
    if len(held) < min(2, len(quasi)):
        held = (*held, *_likely_known((*taken, *held), data))[:_TOGETHER]
    return held or quasi


def suited_known(known: tuple[str, ...], taken: tuple[str, ...], data: Dataset) -> tuple[str, ...]:
    """What might be known, of this table alone: where it has hardly any of what was named, what
    may be known of somebody."""
    held = tuple(name for name in known if data.has(name))
    if len(held) < min(2, len(known)):
        held = (*held, *_likely_known((*taken, *held), data))[:KNOWN_MOST]
    return held or known


def _likely_known(taken: tuple[str, ...], data: Dataset) -> list[str]:
    others = [name for name in named(data) if name not in taken]
    fits = [n for n in others if data.info(n).ordered or not data.more_than(n, 200)]
    return columns_for(data, QUASI, fits)
