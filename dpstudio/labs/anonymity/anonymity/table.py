"""The columns of a table as codes: those by which people are found, and the one that nobody should
learn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.anonymity.anonymity.choices.trees import column_of
from dpstudio.labs.anonymity.anonymity.columns import MISSING, Coded, coded, most_frequent, words_of
from dpstudio.labs.anonymity.anonymity.hierarchies import root_of
from dpstudio.labs.anonymity.anonymity.parameters import Anonymity
from dpstudio.privacy.anonymity.classes import Classes, Codes, Mask
from dpstudio.privacy.anonymity.models import Branch, shares
from dpstudio.privacy.anonymity.mondrian import Quasi
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError, Real

VALUES_MOST, KNOWN_MOST = 50, 8
_WEIGHT = Real("", low=0.001, high=1000.0)


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows that have a number in every column of numbers: quasi-identifiers and the sensitive
    codes, (n,). `left_out` rows lack one, and `rare` ones have a sensitive value that is none of
    the VALUES_MOST most frequent, which counts as missing. What is missing is a word of its own,
    “?”, but no sensitive value. `root` is the top of the hierarchy of the sensitive values, None
    where they have none."""

    columns: tuple[Coded, ...]
    sensitive: Coded
    left_out: int
    rare: int
    kept: Codes
    root: Branch | None

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
        """How many sensitive words there are, the one for what is missing among them."""
        return len(self.sensitive.words)

    def told(self, classes: Classes) -> Codes:
        """How often each sensitive value occurs in each class, (classes, values)."""
        held = classes.counts(self.sensitive.quasi.codes, self.values)
        return held[:, : self.sensitive.values]

    @property
    def overall(self) -> tuple[float, ...]:
        """The shares of the sensitive values among the rows that have one."""
        codes = self.sensitive.quasi.codes
        return shares(codes[codes < self.sensitive.values], self.sensitive.values)


def rows_of(lab: Anonymity, data: Dataset) -> Rows:
    """The rows of a lab, remembered. Raises ParamError at “quasi” or “sensitive” where a column
    does not serve."""
    return data.remember(("anonymity", lab.table), lambda: _rows(lab, data))


def _rows(lab: Anonymity, data: Dataset) -> Rows:
    if not lab.quasi:
        raise ParamError("quasi", say("Name at least one column by which people are found."))
    if lab.sensitive in lab.quasi:
        text = N_(
            "“{column}” is the sensitive column: classes of it would publish it. Take it out."
        )
        raise ParamError("quasi", say(text, column=lab.sensitive))
    columns = _weighed(lab, data, [coded(data, name, "quasi") for name in lab.quasi])
    all_values = coded(data, lab.sensitive, "sensitive")
    for line in lab.trees:
        if not data.has(column_of(line)):
            text = N_("This table has no column “{column}”. Take its hierarchy out.")
            raise ParamError("trees", say(text, column=column_of(line)))
    among = published(lab, data)
    if not among.any():
        raise ParamError("among", say("No row meets this. Ask for less."))
    sensitive = most_frequent(all_values, VALUES_MOST, among)
    if sensitive.values == 0:
        text = N_("“{column}” has no values. Choose another.")
        raise ParamError("sensitive", say(text, column=lab.sensitive))
    kept = among & np.all([column.quasi.codes >= 0 for column in columns], axis=0)
    if not kept.any():
        raise ParamError("quasi", say("No row has all these values. Name fewer columns."))
    place = np.flatnonzero(kept)
    return Rows(
        tuple(_part(column, place) for column in columns),
        _part(sensitive, place),
        int(np.count_nonzero(among) - len(place)),
        _with_value(_part(all_values, place)) - _with_value(_part(sensitive, place)),
        place,
        root_of(data.hierarchies, sensitive, lab.trees),
    )


def _with_value(column: Coded) -> int:
    words, codes = words_of(column), column.quasi.codes
    values = len(words) - (words[-1:] == (MISSING,))
    return int(np.count_nonzero((codes >= 0) & (codes < values)))


def _weighed(lab: Anonymity, data: Dataset, columns: list[Coded]) -> list[Coded]:
    """The columns with their weights, 1 on average. Raises ParamError at “weights”."""
    weights, given = dict.fromkeys(lab.quasi, 1.0), set[str]()
    for each in lab.weights:
        name, _, told = each.rpartition("=")
        try:
            weight = _WEIGHT.check(told)
        except ParamError:
            text = N_("“{each}” is no column and its weight from 0.001 to 1,000, such as age=2.")
            raise ParamError("weights", say(text, each=each)) from None
        if not data.has(name.strip()):
            text = N_("This table has no column “{column}”. Name others.")
            raise ParamError("weights", say(text, column=name.strip()))
        if name.strip() in given:
            text = N_("“{column}” has a weight twice. Keep one of them.")
            raise ParamError("weights", say(text, column=name.strip()))
        given.add(name.strip())
        if name.strip() in weights:
            weights[name.strip()] = weight
    mean = sum(weights.values()) / len(weights)
    return [
        replace(column, quasi=replace(column.quasi, weight=weights[column.name] / mean))
        for column in columns
    ]


def published(lab: Anonymity, data: Dataset) -> Mask:
    """Which rows of the table are published, shape (rows,). Raises ParamError at “among”."""
    try:
        return data.remember(("anonymity among", lab.among), lambda: data._held.mask(lab.among))
    except ParamError as error:
        raise ParamError("among", error.sentence) from None


def _part(column: Coded, rows: Codes) -> Coded:
    codes = column.quasi.codes[rows]
    return replace(column, quasi=Quasi(codes, column.quasi.at, column.quasi.weight))


def known_codes(lab: Anonymity, data: Dataset) -> Codes:
    """The codes of the columns that might be known, those that the table has, shape (n, columns),
    of the rows that are published; a missing value is one of its own. Raises ParamError at
    “known”."""
    rows = published(lab, data)
    columns = [column.quasi.codes[rows] for column in known_columns(lab, data)]
    return np.stack(columns, axis=1) + 1 if columns else np.zeros((data.rows, 0), dtype=np.int64)


def known_columns(lab: Anonymity, data: Dataset) -> list[Coded]:
    """These columns of the whole table. Raises ParamError at “known”."""
    return [coded(data, name, "known") for name in known_names(lab, data)]


def known_names(lab: Anonymity, data: Dataset) -> tuple[str, ...]:
    """Of the columns that might be known those that the table has, at most 8."""
    return tuple(name for name in lab.known if data.has(name))[:KNOWN_MOST]
