"""What hiding rows in classes costs: width, discernibility, wrong answers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.anonymity.classes import Classes, Codes, kinds_of
from dpstudio.privacy.anonymity.mondrian import Quasi, spans


def certainty_penalty(quasi: Sequence[Quasi], classes: Classes) -> float:
    """NCP: how wide the class of a row is as a share of the whole table, over rows and
    quasi-identifiers (Xu, Wang, Pei, Wang, Shi & Fu 2006), from 0 to 1. A suppressed row counts as
    1. Words count as the share of all words, 0 for a single one. Weights are 1 on average."""
    n = len(classes.of)
    if not n or not quasi:
        return 0.0
    there = classes.of >= 0
    rows = classes.of[there]
    total = float(np.count_nonzero(~there)) * len(quasi)
    for each in quasi:
        part = Quasi(each.codes[there], each.at, each.weight)
        wide = spans(part, rows, classes.many)
        if each.at is not None:
            # As a share of the whole table, not of what is left of it.
            whole, kept = float(np.ptp(each.places)), float(np.ptp(part.places)) if len(rows) else 0
            wide = wide * kept / whole if whole > 0 else wide
        total += float(np.sum(wide * classes.sizes))
    return total / (n * len(quasi))


def discernibility(classes: Classes) -> int:
    """DM: Σ size², a suppressed row counting as one that looks like all n (Bayardo & Agrawal
    2005)."""
    gone = len(classes.of) - classes.kept
    return int(np.sum(classes.sizes**2)) + gone * len(classes.of)


def average_class(classes: Classes, k: int) -> float:
    """C_avg: rows a class over k, 1 at best (LeFevre et al. 2006)."""
    return classes.kept / classes.many / k if classes.many else 0.0


def count_errors(quasi: Sequence[Quasi], classes: Classes, boxes: Array) -> tuple[Array, Array]:
    """True counts and those that classes give, of `boxes`, shape (boxes, quasi, 2): lowest and
    highest place, both within; rows spread evenly over the box of their class, words over those of
    it. Shapes (boxes,)."""
    kinds = kinds_of(np.stack([each.codes for each in quasi], axis=1))
    inside = np.ones((len(boxes), len(kinds.rows)), dtype=np.bool_)
    for column, each in enumerate(quasi):
        x = replace(each, codes=kinds.codes[:, column]).places
        inside &= (x >= boxes[:, column, :1]) & (x <= boxes[:, column, 1:])
    there = classes.of >= 0
    share = np.ones((len(boxes), classes.many))
    for column in range(len(quasi)):
        low, high = np.full(classes.many, np.inf), np.full(classes.many, -np.inf)
        x = quasi[column].places[there]
        np.minimum.at(low, classes.of[there], x)
        np.maximum.at(high, classes.of[there], x)
        step = _step(quasi[column])
        wide = high - low + step
        over = np.minimum(high + step, boxes[:, column, 1:] + step) - np.maximum(
            low, boxes[:, column, :1]
        )
        # A class that lies on one real number is within or not.
        within = (low >= boxes[:, column, :1]) & (high <= boxes[:, column, 1:])
        part = within.astype(np.float64)
        # Cut first: a narrow class far away would overflow.
        share *= np.divide(np.clip(over, 0.0, wide), wide, out=part, where=wide > 0)
    return (inside @ kinds.rows).astype(np.float64), share @ classes.sizes.astype(np.float64)


def _step(quasi: Quasi) -> float:
    """The distance between neighbouring values: 1 for words and whole numbers, none for reals."""
    if quasi.at is None:
        return 1.0
    return 1.0 if np.all(quasi.at == np.round(quasi.at)) else 0.0


def homogeneous(counts: Codes) -> tuple[int, int]:
    """Classes whose rows all share one sensitive value, and the rows in them, by the counts of the
    values, (classes, values): an attacker who finds the class knows it, whatever k is
    (Machanavajjhala et al. 2007, the homogeneity attack)."""
    same = np.count_nonzero(counts, axis=1) == 1
    return int(np.count_nonzero(same)), int(counts[same].sum())
