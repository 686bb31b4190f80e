"""What Disclosure risk knows of one state: who is alone by what is known of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.risk.parameters import Risk
from dpstudio.labs.whole_tables.rows.model import RowsModel, before
from dpstudio.labs.whole_tables.rows.plane import cell, sides
from dpstudio.labs.whole_tables.rows.table import known_columns, known_names, published, rows_of
from dpstudio.privacy.anonymity.classes import Codes, UniqueRows, suda, uniqueness
from dpstudio.values.messages import say

_SUDA = 3  # columns of a set


@dataclass(frozen=True, eq=False, kw_only=True)
class RiskModel(RowsModel):
    """One state of the lab. What is unique by what is known may be asked for where it is `done`."""

    lab: Risk


def stages(lab: Risk, context: Context) -> Iterator[RiskModel]:
    """Who looks like whom, then what takes longer."""
    model = RiskModel(
        lab=lab,
        data=context.data,
        rows=rows_of(lab, context.data),
        effort=context.effort,
        check=context.check,
        second=context.second,
        done=False,
    )
    yield model
    context.progress(0.3, say("counting who is unique"))
    yield replace(model, done=True)


@once
def found(model: RiskModel) -> Array:
    """The mean chance to be found of the people in each cell of the plane, (rows of cells, columns
    of cells), 1 over those who look alike; NaN where nobody is."""
    across, up = sides(model)
    shape = len(up.edges) - 1, len(across.edges) - 1
    place, classes = cell(up) * shape[1] + cell(across), before(model)
    many = np.bincount(place, minlength=shape[0] * shape[1])
    total = np.bincount(place, weights=1 / classes.sizes[classes.of], minlength=len(many))
    with np.errstate(invalid="ignore"):
        return array(np.where(many > 0, total / many, np.nan).reshape(shape))


def known_codes(lab: Risk, data: Dataset) -> Codes:
    """The codes of the columns that might be known, those that the table has, shape (n, columns),
    of the rows that are published; a missing value is one of its own. Raises ParamError at
    “known”."""
    rows = published(lab, data)
    columns = [column.quasi.codes[rows] for column in known_columns(lab.known, data)]
    return np.stack(columns, axis=1) + 1


@once
def known_by(model: RiskModel) -> tuple[UniqueRows, ...]:
    """The share of unique rows by 1, 2, … of the columns that might be known."""
    names = known_names(model.lab.known, model.data)
    if not names:
        return ()
    many = model.effort.of_points(len(names), 2)

    def work() -> tuple[UniqueRows, ...]:
        codes = known_codes(model.lab, model.data)
        return tuple(uniqueness(codes, range(1, many + 1), model.check))

    return model.data.remember(("unique by", names, many, model.lab.among), work)


@once
def suda_scores(model: RiskModel) -> Array:
    """The SUDA2 score of each row by the columns that might be known, as a share of the most that
    one can have, (n,), largest first."""
    names = known_names(model.lab.known, model.data)
    if not names:
        return array([])
    many = model.effort.of_points(len(names), 2)

    def work() -> Array:
        codes = known_codes(model.lab, model.data)[:, :many]
        # Who is alone by each column has the most that one can have.
        highest = math.prod(range(many, max(many - _SUDA, 0), -1))
        return array(np.sort(suda(codes, _SUDA, model.check))[::-1] / highest)

    return model.data.remember(("suda", names, many, model.lab.among), work)


@once
def special(model: RiskModel) -> tuple[float, int, float]:
    """The share of rows that some set of so many columns at most singles out, how many these are,
    and the highest score."""
    scores, columns = suda_scores(model), len(known_names(model.lab.known, model.data))
    return float(np.mean(scores > 0)), min(_SUDA, columns), float(scores[0])


@once
def suda_steps(model: RiskModel) -> tuple[Array, Array]:
    """Each score above 0 that somebody has, and the share of rows with at least this one."""
    scores = suda_scores(model)
    values, counts = np.unique(scores[scores > 0], return_counts=True)
    return array(values), array(np.cumsum(counts[::-1])[::-1] / max(len(scores), 1))


def most_known(model: RiskModel) -> UniqueRows | None:
    """The most that might be known; None without a column."""
    known = known_by(model)
    return known[-1] if known else None


def best_names(model: RiskModel, known: UniqueRows) -> tuple[str, ...]:
    """The columns that give away most."""
    names = known_names(model.lab.known, model.data)
    return tuple(names[place] for place in known.best)
