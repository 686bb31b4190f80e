"""Two tables of the same people laid upon each other: which sensitive values the published counts
of both leave possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpstudio.privacy.anonymity.classes import Codes

MOST = 5_000  # values of groups that are solved for: about a second
Mask = NDArray[np.bool_]


def fitting(people: Codes, places: Codes, held: Sequence[Codes], possible: Mask) -> Mask:
    """Which values, (groups, values), somebody of each group can have in a table that fits all
    counts, of those that are `possible` by the sets of values alone.

    `people` (groups,) are in the classes `places` (groups, 2) of two tables, −1 where they are in
    none; `held` are the counts of each value in each class, (classes, values) each. Shares of
    people are let through too, so that more may be left than there is: exact for two values, whose
    tables are flows in a network. So it is where there are more than MOST: all are left then.
    """
    group, value = np.nonzero(possible)
    if len(group) > MOST:
        return possible
    found = possible.copy()
    found[group, value] = _positive(people, places, held, group, value)
    return found


def _positive(
    people: Codes, places: Codes, held: Sequence[Codes], group: Codes, value: Codes
) -> Mask:
    """Of each pair of group and value whether it is above 0 in some solution: one linear program,
    for the sum of solutions solves the same in a larger measure s. It maximises Σ t, where t ≤ 1 is
    at most what the pair has."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix, eye, hstack, vstack

    many = len(group)

    def sums(of: Codes, right: Codes):  # type: ignore[no-untyped-def]
        """Σ x of the pairs with each number, −1 in none, less `right` times s."""
        there = np.flatnonzero(of >= 0)
        cells = coo_matrix((np.ones(len(there)), (of[there], there)), (len(right), many))
        return hstack([cells, coo_matrix((len(right), many)), coo_matrix(-right[:, None])])

    equal, below = [sums(group, people)], []
    for place, counts in zip(places.T, held, strict=True):
        classes, values = counts.shape
        of = np.where(place[group] >= 0, place[group] * values + value, -1)
        inside = np.bincount(place[place >= 0], weights=people[place >= 0], minlength=classes)
        # Of who is in a class but in no group nothing more is known.
        whole = np.repeat(inside == counts.sum(1), values)
        rows = sums(of, counts.ravel()).tocsr()
        equal.append(rows[whole])
        below.append(rows[~whole])
    below.append(hstack([-eye(many), eye(many), coo_matrix((many, 1))]))
    made = linprog(
        np.concatenate((np.zeros(many), -np.ones(many), [0.0])),
        A_ub=vstack(below),
        b_ub=np.zeros(sum(rows.shape[0] for rows in below)),
        A_eq=vstack(equal),
        b_eq=np.zeros(sum(rows.shape[0] for rows in equal)),
        bounds=[(0, None)] * many + [(0, 1)] * many + [(1, None)],
        method="highs-ipm",
    )
    if made.x is None:  # it gave up
        return np.ones(many, dtype=np.bool_)
    return np.asarray(made.x[many : 2 * many] > 0.5)
