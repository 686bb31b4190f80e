"""What is known of rows as they are: who looks like whom, and the sensitive values of all."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.rows.parameters import RowsLab, SensitiveLab
from dpstudio.labs.whole_tables.rows.register import Register, register_of
from dpstudio.labs.whole_tables.rows.table import Rows, SensitiveRows
from dpstudio.privacy.anonymity.classes import Classes, Codes, Risk, classes_of, journalist, risk
from dpstudio.privacy.sampling import Below

Check = Callable[[], None]


def at_ease() -> None:
    """The `check` of a model that nobody stops."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RowsModel:
    """One state of a lab of rows. `second` is the table of the population, and `below` chance of
    the system, where there is some. It is not `done` while a
    better one is on its way. `check` raises Stopped where nobody waits any more."""

    lab: RowsLab
    data: Dataset
    rows: Rows
    effort: Effort = SCREEN
    check: Check = at_ease
    second: Dataset | None = None
    below: Below | None = None
    done: bool = True

    @property
    def listed(self) -> bool:
        """Whether the population is there, row by row: in the table beside, or in the rows that are
        not published."""
        return self.second is not None or not self.lab.whole


@dataclass(frozen=True, eq=False, kw_only=True)
class SensitiveModel(RowsModel):
    """The same with what is sensitive."""

    lab: SensitiveLab
    rows: SensitiveRows


@once
def n(model: RowsModel) -> int:
    """How many rows there are."""
    return len(model.rows.kept)


def left_out(model: RowsModel) -> int:
    """How many rows lack a number."""
    return model.rows.left_out


@once
def before(model: RowsModel) -> Classes:
    """The classes of the table as it is."""
    asked = "rows alike", model.lab.table

    def make() -> Classes:
        return classes_of(np.stack([each.codes for each in model.rows.quasi], axis=1))

    return model.data.remember(asked, make)


@once
def risk_before(model: RowsModel) -> Risk:
    """That somebody is found in the table as it is."""
    return risk(before(model))


@once
def register(model: RowsModel) -> Register:
    """Everybody, published or not, by the quasi-identifiers."""
    return register_of(model.lab, model.rows, model.data, model.second)


def journalist_before(model: RowsModel) -> float:
    """The highest risk in the table as it is, for who does not know who is in it."""
    return journalist(register(model).here, register(model).people)


@once
def sensitive(model: SensitiveModel) -> Codes:
    """The sensitive code of each row, (n,)."""
    return model.rows.sensitive.quasi.codes


@once
def overall(rows: SensitiveRows) -> tuple[float, ...]:
    """The shares of the sensitive values in the whole table, without what is missing."""
    return rows.overall


@once
def prior(model: SensitiveModel) -> float:
    """What everybody believes of the most frequent value who knows only the whole table."""
    return max(overall(model.rows))


@once
def valueless(model: SensitiveModel) -> int:
    """How many rows lack a sensitive value."""
    return int(np.count_nonzero(sensitive(model) >= model.rows.sensitive.values))
