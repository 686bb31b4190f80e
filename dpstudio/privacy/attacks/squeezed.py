"""What sums and maxima of known sets tell together, with the public range of every value: a sum of
two that is twice their maximum tells both, though neither answer does."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.console import Mask, told

SAME = 1e-6  # how near to each other, in parts of the range, values are taken for one


def squeezed(
    sets: Mask, totals: Array, maxima: Sequence[tuple[Mask, float]], many: NDArray[np.int64]
) -> tuple[Array, Array]:
    """Between which bounds each value lies, (kinds,) each, of values between 0 and 1 in kinds of
    `many` rows that are in the same sets. `sets` (sums, kinds) have the sums `totals`; `maxima` are
    of sets of kinds. Where the bounds meet the value is told.

    Nothing is told that is open; where one of several rows must have a maximum, more may be.
    Answers that no values fit tell what they would if values had no range.
    """
    low, high = np.zeros(len(many)), np.ones(len(many))
    for who, top in maxima:
        high[who] = np.minimum(high[who], top)
    while len(free := np.flatnonzero(low < high)):
        rest = totals - (sets * (low == high) * many) @ low
        ends = _stuck(sets[:, free], rest, low[free], high[free], many[free])
        high[free[ends == 0]] = low[free[ends == 0]]
        low[free[ends == 1]] = high[free[ends == 1]]
        rest = totals - (sets * (low == high) * many) @ low
        single, found = _solved(sets[:, free], rest, low[free] < high[free], many[free])
        single = free[single]
        low[single] = high[single] = np.clip(found, low[single], high[single])
        for who, top in maxima:
            can = np.flatnonzero(who & (high >= top - SAME))
            if many[can].sum() == 1:  # the others have less: it is this row's
                low[can] = high[can] = top
        if np.array_equal(free, np.flatnonzero(low < high)):
            break
    return low, high


def _solved(
    sets: Mask, totals: Array, open_: Mask, many: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Array]:
    """Of those kinds that are open the single rows whose value follows from the sums alone, and the
    values."""
    free = np.flatnonzero(open_)
    if not len(totals) or not len(free):
        return free[:0], np.zeros(0)
    # Two columns that are alike stand for rows that nobody can tell apart.
    columns = np.repeat(free, np.minimum(many[free], 2))
    single = columns[told(sets[:, columns])]
    roots = np.sqrt(many[free])
    found = np.linalg.lstsq(sets[:, free] * roots, totals, rcond=None)[0] / roots
    return single, found[np.searchsorted(free, single)]


def _stuck(
    sets: Mask, totals: Array, low: Array, high: Array, many: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Of each kind 0 where it has its lowest value in all solutions, 1 where its highest, else −1.
    One linear program: the sums of kinds in a measure s, so that what can be SAME from its bound
    can be 1 from it; it maximises how many are."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, eye, hstack, vstack

    kinds, one = len(many), eye(len(many), format="csr")
    none = csr_matrix((kinds, kinds))
    # Variables: the sum of each kind, how far it is from either end, and s.
    limits = vstack(
        [
            hstack([-one, one, none, csr_matrix((many * low)[:, None])]),
            hstack([one, none, one, csr_matrix(-(many * high)[:, None])]),
        ]
    )
    equal = [csr_matrix(sets.astype(np.float64)), csr_matrix((len(totals), 2 * kinds))]
    made = linprog(
        np.concatenate((np.zeros(kinds), -np.ones(2 * kinds), [0.0])),
        A_ub=limits,
        b_ub=np.zeros(2 * kinds),
        A_eq=hstack([*equal, csr_matrix(-totals[:, None])]) if len(totals) else None,
        b_eq=np.zeros(len(totals)) if len(totals) else None,
        bounds=[(0, None)] * kinds + [(0, 1)] * (2 * kinds) + [(1, 1 / SAME)],
        method="highs",
    )
    if made.x is None:  # no values fit
        return np.full(kinds, -1)
    apart = made.x[kinds:-1].reshape(2, kinds) > SAME / 2 * made.x[-1]
    return np.where(apart.all(axis=0), -1, np.where(apart[0], 1, 0))
