"""The plane of the first two quasi-identifiers: where people lie, the boxes of classes, and how
sure an attacker is of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.anonymity.anonymity.choices.algorithms import Mondrian
from dpstudio.labs.anonymity.anonymity.columns import Coded
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel, before, n, purity
from dpstudio.labs.memo import once
from dpstudio.privacy.anonymity.classes import Classes, Codes, kinds_of
from dpstudio.privacy.anonymity.mondrian import RELAXED

_CELLS, _NAMED = 120, 200  # of numbers, and of words, of which no more are named
_DOTS = 1_500


@dataclass(frozen=True, eq=False)
class Side:
    """One side of the plane: where each row lies, the edges of its cells, and words of its places
    where they are words."""

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
    if column.whole and high - low < _CELLS:
        return Side(column.name, array(x), array(np.arange(low, high + 2) - 0.5), ())
    edges = np.linspace(low, high if high > low else low + 1, _CELLS + 1)
    return Side(column.name, array(x), array(edges), ())


@once
def sides(model: AnonymityModel) -> tuple[Side, Side]:
    """The two sides of the plane."""
    columns, rows = model.rows.columns, len(model.rows.kept)
    return side(columns[0], rows), side(columns[1] if len(columns) > 1 else None, rows)


def _cell(at: Side) -> np.ndarray:
    found = np.searchsorted(at.edges, at.places, side="right") - 1
    return np.clip(found, 0, len(at.edges) - 2)


def boxed(model: AnonymityModel) -> bool:
    """Whether classes are boxes of the plane that do not overlap."""
    algorithm = model.lab.algorithm
    return (
        isinstance(algorithm, Mondrian)
        and algorithm.way != RELAXED
        and len(model.rows.columns) <= 2
    )


@once
def corners(model: AnonymityModel) -> Array:
    """The box of each class, half a step about whole values, (classes, 2, 2): side, end."""
    out = np.zeros((model.classes.many, 2, 2))
    for i, at in enumerate(sides(model)):
        low, high = np.full(model.classes.many, np.inf), np.full(model.classes.many, -np.inf)
        there = model.classes.of >= 0
        np.minimum.at(low, model.classes.of[there], at.places[there])
        np.maximum.at(high, model.classes.of[there], at.places[there])
        about = 0.5 if np.all(np.diff(at.edges) == 1) else 0.0
        out[:, i] = np.stack([low - about, high + about], axis=1)
    return array(out)


@once
def outlines(model: AnonymityModel) -> tuple[Array, Array]:
    """The boxes as one curve: each edge once, with a gap after it."""
    (left, right), (low, high) = np.moveaxis(corners(model), 0, 2)
    edges = [(left, low, right, low), (left, high, right, high), (left, low, left, high),
             (right, low, right, high)]  # fmt: skip
    drawn = np.unique(np.hstack([np.array(edge) for edge in edges]), axis=1)
    gap = np.full(drawn.shape[1], np.nan)
    x, y = (np.stack([drawn[i], drawn[i + 2], gap], axis=1).ravel() for i in (0, 1))
    return array(x), array(y)


@once
def sureness(model: AnonymityModel) -> Array:
    """How sure an attacker is of the people of each cell, (rows of cells, columns of cells), NaN
    where nobody is: that of the class whose box it is, else the mean of its people."""
    across, up = sides(model)
    shape = len(up.edges) - 1, len(across.edges) - 1
    if boxed(model):
        out = np.full(shape, np.nan)
        columns, rows = (
            (np.searchsorted(at.edges, box + np.array([1e-9, -1e-9])) - [1, 0]).tolist()
            for at, box in zip((across, up), corners(model).swapaxes(0, 1), strict=True)
        )
        for (left, right), (low, high), sure in zip(columns, rows, purity(model), strict=True):
            out[low:high, left:right] = sure
        return array(out)
    there = model.classes.of >= 0
    place = (_cell(up) * shape[1] + _cell(across))[there]
    many = np.bincount(place, minlength=shape[0] * shape[1])
    total = np.bincount(place, weights=purity(model)[model.classes.of[there]], minlength=len(many))
    with np.errstate(invalid="ignore"):
        return array(np.where(many > 0, total / many, np.nan).reshape(shape))


@once
def people(model: AnonymityModel) -> tuple[Array, Array]:
    """Where somebody is, each place once; at most 1,500 of them, evenly chosen."""
    quasi = model.rows.quasi[:2]
    asked = "anonymity places", model.lab.table

    def found() -> Codes:
        kinds = kinds_of(np.stack([each.codes for each in quasi], axis=1)).codes
        many = min(len(kinds), _DOTS)
        chosen: Codes = kinds[np.linspace(0, len(kinds) - 1, many).astype(int)]
        return chosen

    codes = model.data.remember(asked, found)
    told = [replace(each, codes=codes[:, i]).places for i, each in enumerate(quasi)]
    x, y = (*told, np.zeros(len(codes)))[:2]
    return array(x), array(y)


@once
def mosaic(model: AnonymityModel) -> tuple[Array, Array, Array]:
    """People by how sure an attacker is of them, the surest first: the share of people at the end
    of each class, (classes,), the cumulated shares of sensitive values, (values + 1, classes), and
    how sure, (classes,)."""
    sure = purity(model)
    order = np.lexsort((np.arange(len(sure)), -sure))
    held = model.classes.counts(model.rows.sensitive.quasi.codes, model.rows.values)[order]
    sizes = held.sum(1)
    parts = np.cumsum(held / np.maximum(sizes, 1)[:, None], axis=1).T
    stacked = np.vstack([np.zeros(len(sizes)), parts])
    return array(np.cumsum(sizes) / max(sizes.sum(), 1)), array(stacked), array(sure[order])


BINS = (1, 2, 3, 5, 10, 20, 50, 100, 1_000)


@once
def size_shares(model: AnonymityModel) -> tuple[Array, Array]:
    """The share of people whose class has 1, 2, 3–4, 5–9, … rows, before and after; suppressed
    rows are in none."""
    return _by_size(before(model), n(model)), _by_size(model.classes, n(model))


def _by_size(classes: Classes, rows: int) -> Array:
    place = np.searchsorted(BINS, classes.sizes, side="right") - 1
    return array(np.bincount(place, weights=classes.sizes, minlength=len(BINS)) / rows)
