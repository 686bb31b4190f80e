"""The plane of the first two quasi-identifiers, and how many people look alike."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from dpstudio.charts.figure import Array, Axis, Columns, Dots, Figure, array
from dpstudio.labs.memo import once
from dpstudio.labs.percents import shares_axis
from dpstudio.labs.whole_tables.rows.model import RowsModel
from dpstudio.privacy.anonymity.classes import Classes, Codes, kinds_of
from dpstudio.privacy.anonymity.columns import Coded
from dpstudio.values.dates import calendar_edges, date_text
from dpstudio.values.messages import Message, plain, say

_CELLS, _NAMED = 120, 200  # of numbers, and of words, of which no more are named
_DAYS = 12  # intervals of the calendar that are named
_DOTS, _FEW = 1_500, 100  # at most, and classes from which on there are none
BINS = (1, 2, 3, 5, 10, 20, 100)


@dataclass(frozen=True, eq=False)
class Side:
    """One side of the plane: where each row lies, the edges of its cells, and words of its places
    where they are words, or days of the calendar."""

    name: str
    places: Array
    edges: Array
    words: tuple[tuple[float, str], ...]


def side(column: Coded | None, rows: int) -> Side:
    """A column as a side; without one all rows lie at 0."""
    if column is None:
        return Side("", array(np.zeros(rows)), array([-0.5, 0.5]), ((0.0, ""),))
    x = column.quasi.places
    low, high = float(x.min()), float(x.max())
    if column.quasi.at is None:
        many = len(column.words)
        named = range(0, many, -(-many // _NAMED))
        words = tuple((float(i), column.words[i]) for i in named)
        edges = np.linspace(0, many, min(many, _NAMED) + 1) - 0.5
        return Side(column.name, array(x), array(edges), words)
    days = calendar_edges(low, high, _DAYS) if column.date else ()
    told = tuple((day, date_text(day)) for day in days if low <= day <= high)
    if column.whole and high - low < _CELLS:
        return Side(column.name, array(x), array(np.arange(low, high + 2) - 0.5), told)
    edges = np.linspace(low, high if high > low else low + 1, _CELLS + 1)
    return Side(column.name, array(x), array(edges), told)


@once
def sides(model: RowsModel) -> tuple[Side, Side]:
    """The two sides of the plane."""
    columns, rows = model.rows.columns, len(model.rows.kept)
    return side(columns[0], rows), side(columns[1] if len(columns) > 1 else None, rows)


def cell(at: Side) -> Codes:
    """The cell that each row is in, (n,)."""
    found = np.searchsorted(at.edges, at.places, side="right") - 1
    return np.clip(found, 0, len(at.edges) - 2)


def axis_of(side: Side) -> Axis:
    """A side of the plane."""
    ends = float(side.edges[0]), float(side.edges[-1])
    whole = bool(np.all(np.diff(side.edges) == 1))
    return Axis(plain(side.name), range=ends, ticks=side.words, hidden=not side.name, whole=whole)


@once
def people(model: RowsModel) -> tuple[Array, Array]:
    """Where somebody is, each place once; at most 1,500 of them, evenly chosen."""
    quasi = model.rows.quasi[:2]
    asked = "rows places", model.lab.table

    def found() -> Codes:
        kinds = kinds_of(np.stack([each.codes for each in quasi], axis=1)).codes
        many = min(len(kinds), _DOTS)
        chosen: Codes = kinds[np.linspace(0, len(kinds) - 1, many).astype(int)]
        return chosen

    codes = model.data.remember(asked, found)
    told = [replace(each, codes=codes[:, i]).places for i, each in enumerate(quasi)]
    x, y = (*told, np.zeros(len(codes)))[:2]
    return array(x), array(y)


def somebody(model: RowsModel, classes: Classes) -> Iterator[Dots]:
    """A dot wherever somebody is, where there are few classes: of many they would be a grain."""
    if classes.many < _FEW:
        x, y = people(model)
        edges = sides(model)[0].edges
        wide = float(edges[-1] - edges[0]) / 400
        yield Dots("people", "truth", say("somebody"), x, y, diameter=wide)


def by_size(classes: Classes, rows: int) -> Array:
    """The share of rows whose class has 1, 2, 3–4, 5–9, … rows; suppressed rows are in none."""
    place = np.searchsorted(BINS, classes.sizes, side="right") - 1
    return array(np.bincount(place, weights=classes.sizes, minlength=len(BINS)) / rows)


def sizes_figure(bars: tuple[tuple[str, str, Message, Array], ...]) -> Figure:
    """How many people share their quasi-identifiers: keys, inks, names and shares of bars side by
    side."""
    at, wide = np.arange(len(BINS), dtype=np.float64), 0.76 / len(bars)
    names = [f"{low}–{end - 1}" if end - low > 1 else f"{low}" for low, end in pairwise(BINS)]
    names.append(f"{BINS[-1]:,}+")
    ticks = tuple((float(i), name) for i, name in enumerate(names))
    first = (1 - len(bars)) / 2
    return Figure(
        "sizes",
        say("Who looks like whom"),
        Axis(say("rows that look alike"), range=(-0.6, len(BINS) - 0.4), ticks=ticks, named=True),
        shares_axis(say("share of rows"), *(shares for *_, shares in bars)),
        tuple(
            Columns(key, ink, name, at + 0.4 * (first + i), shares, wide)
            for i, (key, ink, name, shares) in enumerate(bars)
        ),
        exact=True,
        source="Dankar & El Emam 2010",
    )
