"""Noisy tables of counts that share columns are made to agree, and to hold no negative people."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.post import Simplex
from dpstudio.privacy.synthetic.marginals import Measured


def total_of(tables: Sequence[Measured]) -> float:
    """How many people there are by all tables: their sums, each weighted by the inverse of its
    variance. Free, since it is made of what was published."""
    weights = [1.0 / max(each.sigma**2 * each.counts.size, 1e-300) for each in tables]
    sums = [float(each.counts.sum()) for each in tables]
    return sum(w * s for w, s in zip(weights, sums, strict=True)) / sum(weights)


def shared(tables: Sequence[Measured]) -> list[tuple[int, ...]]:
    """The sets of columns that two or more tables have in common, the smaller ones first, so that
    mending a larger one does not undo a smaller."""
    sets = {
        tuple(sorted(set(a.columns) & set(b.columns)))
        for i, a in enumerate(tables)
        for b in tables[:i]
    }
    return sorted(sets - {()}, key=lambda each: (len(each), each))


def agreed(tables: Sequence[Measured], total: float, rounds: int = 3) -> list[Measured]:
    """Tables whose counts add up to `total`, are at least 0, and agree about the columns they
    share.

    For each shared set the best estimate is the mean of the tables' sums, weighted by the inverse
    of their variances, and what a table lacks is spread over its cells alike (Qardaji, Yang & Li
    2014; Zhang et al. 2021). Between rounds each becomes the nearest
    counts that are at least 0 (Norm-Sub). Post-processing: it costs no privacy.
    """
    out = [_of_total(each, total) for each in tables]
    sets = shared(out)
    for turn in range(rounds):
        for columns in sets:
            out = _level(out, columns)
        # The last step leaves no negative counts; agreement is then near, not exact.
        if turn < rounds - 1 or not sets:
            out = [_of_total(each, total) for each in out]
    return [_of_total(each, total) for each in out]


def _of_total(each: Measured, total: float) -> Measured:
    near = Simplex().apply(each.counts.ravel(), max(total, 1e-9)).reshape(each.counts.shape)
    return replace(each, counts=near)


def _level(tables: list[Measured], columns: tuple[int, ...]) -> list[Measured]:
    having = [i for i, each in enumerate(tables) if set(columns) <= set(each.columns)]
    sums = [tables[i].summed(columns) for i in having]
    # The variance of a sum: that of a cell times the number of cells that were added up.
    folds = [tables[i].counts.size // s.size for i, s in zip(having, sums, strict=True)]
    weights = np.array(
        [
            1.0 / max(tables[i].sigma ** 2 * fold, 1e-300)
            for i, fold in zip(having, folds, strict=True)
        ]
    )
    best = sum(w * s for w, s in zip(weights / weights.sum(), sums, strict=True))
    out = list(tables)
    for i, have, fold in zip(having, sums, folds, strict=True):
        out[i] = replace(
            tables[i], counts=tables[i].counts + spread_over(best - have, columns, tables[i], fold)
        )
    return out


def spread_over(lacking: Array, columns: tuple[int, ...], each: Measured, fold: int) -> Array:
    """What the sums over `columns` lack, on the cells of a table, alike on each of the `fold`
    cells behind a sum; it broadcasts to the table's shape."""
    shape = tuple(
        size if column in columns else 1
        for column, size in zip(each.columns, each.counts.shape, strict=True)
    )
    assert math.prod(shape) == lacking.size
    return np.asarray(lacking.reshape(shape) / fold)
