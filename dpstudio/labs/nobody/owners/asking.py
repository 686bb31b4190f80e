"""One query over several owners' sealed tables: what is asked, what is sent, what the order of
cells tells."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import feature_of, is_number, sample_on
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.owners import live
from dpstudio.labs.nobody.owners.model import Answered, OwnersModel, digits
from dpstudio.labs.nobody.owners.parameters import Asking
from dpstudio.privacy.owners.query import Ordered, by_order, under_encryption
from dpstudio.privacy.queries.query import no_column, no_numbers
from dpstudio.values.messages import N_, say
from dpstudio.values.problem import Problem

_GRID = 1 << 20  # numbers are whole multiples of 1/2²⁰ under encryption
_FURTHEST = 1e300  # beyond it no such multiple is a number


def problems(asked: Asking, data: Dataset) -> Iterator[Problem]:
    """Why this table cannot be asked."""
    name = asked.column
    if data.rows == 0:
        yield Problem("data", say("The table has no rows. Open another table."))
    elif absent := no_column(name, data, "looks.column"):
        yield absent
    elif not is_number(data, name) or data.missing(name) == data.rows:
        yield Problem("looks.column", no_numbers(name, data))
    elif np.abs(_column(data, name)).max() > _FURTHEST:
        text = N_("“{column}” holds numbers without a sum. Choose another column.")
        yield Problem("looks.column", say(text, column=name))


def _column(data: Dataset, name: str) -> Array:
    """Every number of a column, clipped nowhere."""
    known = feature_of(data, name, "features")
    return sample_on(data, (replace(known, low=-math.inf, high=math.inf),), None).x[:, 0]


def cells(model: OwnersModel, asked: Asking) -> list[Array]:
    """The cells of each owner as they are, to whom rows are dealt out in turn."""
    x = _column(model.data, asked.column)
    return [x[i :: asked.owners] for i in range(asked.owners)]


def sent(model: OwnersModel, asked: Asking) -> list[list[int]]:
    """What each owner seals: its sum on the grid, and for an average how many rows it has."""
    own = cells(model, asked)
    sums = [[int(np.rint(x * _GRID).astype(object).sum())] for x in own]
    if asked.operation != "average":
        return sums
    return [[*one, len(x)] for one, x in zip(sums, own, strict=True)]


def answer(model: OwnersModel, asked: Asking) -> float:
    """The sum or the average of all owners' cells, in the open."""
    totals = [sum(column) for column in zip(*sent(model, asked), strict=True)]
    return float(totals[0] / _GRID / (totals[1] if asked.operation == "average" else 1))


@once
def ordered(model: OwnersModel) -> Ordered | None:
    """What the order of all cells tells the first owner of those of the others; None where nothing
    is ordered, or where this is hidden."""
    asked = model.asking
    if asked is None or asked.operation != "order" or not model.lab.show_truth:
        return None
    own, *others = cells(model, asked)
    return by_order(own, np.concatenate(others))


def run(model: OwnersModel, context: Context) -> OwnersModel:
    """The model with one query run under encryption, where that can be."""
    asked, machine = model.asking, context.machine
    if asked is None or machine is None or asked.operation == "order" or not model.lab.show_truth:
        return model
    numbers = sent(model, asked)
    bits = live.key_bits(model)

    def ran() -> Answered:
        found, first = context.work(under_encryption, numbers, bits, machine.below)
        whole = [sum(column) for column in zip(*numbers, strict=True)]
        return Answered(bits, found == whole, digits(first))

    found = model.data.remember(("owners asked", asked, bits), ran)
    return replace(model, found=replace(model.found, answered=found))
