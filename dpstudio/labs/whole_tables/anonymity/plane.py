"""The plane of the first two quasi-identifiers: the boxes of classes, and how sure an attacker is
of them."""

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, purity
from dpstudio.labs.whole_tables.rows.plane import cell, sides


def boxed(model: AnonymityModel) -> bool:
    """Whether classes are boxes of the plane that do not overlap."""
    way = model.lab.algorithm
    return way.boxes and not way.overlaps and len(model.rows.columns) <= 2


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
    place = (cell(up) * shape[1] + cell(across))[there]
    many = np.bincount(place, minlength=shape[0] * shape[1])
    total = np.bincount(place, weights=purity(model)[model.classes.of[there]], minlength=len(many))
    with np.errstate(invalid="ignore"):
        return array(np.where(many > 0, total / many, np.nan).reshape(shape))


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
