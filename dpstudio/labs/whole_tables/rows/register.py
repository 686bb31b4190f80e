"""Everybody of the population that a table is part of: the people of the table beside it, or else
its own rows that are not published."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import Sized
from dpstudio.labs.whole_tables.rows.columns import coded
from dpstudio.labs.whole_tables.rows.parameters import RowsLab
from dpstudio.labs.whole_tables.rows.table import Rows
from dpstudio.privacy.anonymity.classes import Codes, grouped
from dpstudio.privacy.anonymity.columns import Coded
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import ParamError


@dataclass(frozen=True, eq=False)
class Register(Sized):
    """The rows that are published, (n, columns), and all `people`, (people, columns), in codes that
    both share: the places of `values`, (values,) a column, numbers or words in their order; `place`
    gives where those of the table are among them."""

    here: Codes
    people: Codes
    place: tuple[Codes, ...]
    values: tuple[Array, ...]

    @property
    def lacking(self) -> int:
        """How many published rows are more than the people whom they could be: 0 where everybody of
        the table is in the population."""
        of, many = grouped(np.concatenate((self.here, self.people)))
        mine = np.bincount(of[: len(self.here)], minlength=many)
        all_ = np.bincount(of[len(self.here) :], minlength=many)
        return int(np.maximum(mine - all_, 0).sum())


def register_of(lab: RowsLab, rows: Rows, data: Dataset, second: Dataset | None) -> Register:
    """Everybody who has each of the quasi-identifiers, remembered. Raises ParamError where the
    second table lacks one of them."""
    people = data if second is None else second

    def make() -> Register:
        both = [_shared(column, coded(people, column.name, "second")) for column in rows.columns]
        here = [
            mine[column.quasi.codes]
            for column, (mine, _, _) in zip(rows.columns, both, strict=True)
        ]
        theirs = np.stack([codes for _, codes, _ in both], axis=1)
        theirs = theirs[np.all(theirs >= 0, axis=1)]
        place, _, values = zip(*both, strict=True)
        return Register(np.stack(here, 1), theirs, place, values)

    if second is None:
        return make()
    return second.remember(("rows register", lab.table, type(rows), data._rows_of), make)


def _shared(mine: Coded, theirs: Coded) -> tuple[Codes, Codes, Array]:
    """Where the codes of a column lie among the values of both tables, in their order, the codes of
    the other one there, −1 where a number is missing, and these values. ParamError where the one
    holds numbers and the other words, or dates."""
    kinds = {(each.quasi.at is None, each.date) for each in (mine, theirs)}
    if len(kinds) > 1:
        raise ParamError("second", say("not the same"))
    values = [
        np.array(each.words) if each.quasi.at is None else each.quasi.at for each in (mine, theirs)
    ]
    all_ = np.unique(np.concatenate(values))
    place, other = (np.searchsorted(all_, each).astype(np.int64) for each in values)
    codes = theirs.quasi.codes
    return place, np.where(codes >= 0, other[np.maximum(codes, 0)], -1), all_


def population(lab: RowsLab, rows: Rows, data: Dataset, second: Dataset) -> Message | Literal[True]:
    """Why the table beside is no population of this one, or that it is."""
    for name in lab.quasi:
        if not second.has(name):
            text = N_(
                "The table beside this one has no column “{column}”, so it is not read as the "
                "population."
            )
            return say(text, column=name)
        try:
            _shared(coded(data, name, "quasi"), coded(second, name, "second"))
        except ParamError:
            text = N_(
                "“{column}” holds other values in the table beside this one, so it is not read as "
                "the population."
            )
            return say(text, column=name)
    lacking = register_of(lab, rows, data, second).lacking
    if lacking:
        text = N_(
            "{n} {n:row of this table is|rows of this table are} of nobody in the table beside it, "
            "so it is not read as the population."
        )
        return say(text, n=Num(lacking))
    return True
