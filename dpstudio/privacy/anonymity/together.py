"""Two tables of the same people laid upon each other: which sensitive values the published counts
of both leave possible (Ganta, Kasiviswanathan & Smith 2008, the intersection attack)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.privacy.anonymity.classes import Codes, Mask, kinds_of

MOST = 5_000  # values of groups that are solved for: about a second


@dataclass(frozen=True, eq=False)
class Release:
    """One of them: the class of each person, (n,), −1 of who is in none, how many rows each class
    has, and how often each sensitive value occurs in it, (classes, values)."""

    of: Codes
    sizes: Codes
    told: Codes


@dataclass(frozen=True, eq=False)
class Laid:
    """People who share a class in both tables, as groups: how many they are, and how many of them
    have a sensitive value, (groups,); how many look alike and how many sensitive values are
    possible to who holds the first table, the second, and, at most, both, (groups, 3). A table
    that leaves somebody out tells nothing of her."""

    people: Codes
    valued: Codes
    alike: Codes
    possible: Codes

    @property
    def certain(self) -> tuple[int, int, int]:
        """People whose value is certain from the first table, from the second, and, at least, from
        both."""
        first, second, both = (int(self.valued[each == 1].sum()) for each in self.possible.T)
        return first, second, both

    @property
    def narrowed(self) -> float:
        """The share of people of whom both tables leave fewer values possible than either alone, at
        least."""
        fewer = self.possible[:, 2] < self.possible[:, :2].min(1)
        return int(self.people[fewer].sum()) / int(self.people.sum())

    @property
    def fewest(self) -> int:
        """The fewest people who look alike to who holds both: the k that is left."""
        return int(self.alike[:, 2].min())

    @property
    def alone(self) -> float:
        """The share of people whom nobody else looks like in both."""
        return int(self.people[self.alike[:, 2] == 1].sum()) / int(self.people.sum())


def laid_together(first: Release, second: Release, valued: Mask) -> Laid:
    """Both upon each other; `valued` says who has a sensitive value, (n,)."""
    pairs, both = np.stack([first.of, second.of], axis=1), (first, second)
    kinds = kinds_of(pairs + 1)
    people, places = kinds.rows, kinds.codes - 1
    alike, sets = [], []
    for place, each in zip(places.T, both, strict=True):
        there, held = place >= 0, each.told
        sizes = np.full(len(people), len(pairs))
        possible = np.ones((len(people), held.shape[1]), dtype=np.bool_)
        # A class without any value rules none out.
        left = (held > 0) | (held.sum(1, keepdims=True) == 0)
        sizes[there], possible[there] = each.sizes[place[there]], left[place[there]]
        alike.append(sizes)
        sets.append(possible)
    alike.append(np.where(np.any(places < 0, axis=1), np.minimum(*alike), people))
    sets.append(_fitting(people, places, both, sets[0] & sets[1]))
    have_one = np.bincount(kinds.of[valued], minlength=len(people))
    left = np.stack([each.sum(1) for each in sets], axis=1)
    return Laid(people, have_one, np.stack(alike, axis=1), left)


def _fitting(people: Codes, places: Codes, both: tuple[Release, ...], possible: Mask) -> Mask:
    """Of the values that the sets of both leave possible, those that fit their counts; a missing
    value is one among them there, and rules none out."""
    held = [np.column_stack([each.told, each.sizes - each.told.sum(1)]) for each in both]
    missing = [(p < 0) | (h[p, -1] > 0) for p, h in zip(places.T, held, strict=True)]
    left = fitting(people, places, held, np.column_stack([possible, missing[0] & missing[1]]))
    fits = possible & left[:, :-1]
    return np.where(fits.any(axis=1, keepdims=True), fits, possible)


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
