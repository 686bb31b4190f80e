"""Rules of a database that answers exactly, and how they are got around: set size and its trackers,
overlap, and an audit by rank."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


class Policy(Protocol):
    """Decides by who is asked about, (n,), and who was before, (questions, n), whether a sum is
    answered."""

    def answers(self, who: Mask, before: Mask) -> bool:
        """Whether it is answered."""
        ...


@dataclass(frozen=True)
class Anything:
    """No rule."""

    def answers(self, who: Mask, before: Mask) -> bool:
        """Always."""
        return True


@dataclass(frozen=True)
class SetSize:
    """Only sets of at least k people, and of at most all but k (Denning, Denning & Schwartz
    1979)."""

    k: int

    def answers(self, who: Mask, before: Mask) -> bool:
        """As the class says."""
        many = int(np.count_nonzero(who))
        return self.k <= many <= len(who) - self.k


@dataclass(frozen=True)
class Overlap:
    """Sets of at least k people that share at most r with any that was answered: at least
    1 + (k − 1)/r questions are then needed to learn of one (Dobkin, Jones & Lipton 1979)."""

    k: int
    r: int

    def answers(self, who: Mask, before: Mask) -> bool:
        """As the class says."""
        if np.count_nonzero(who) < self.k:
            return False
        return not len(before) or int((before & who).sum(1).max()) <= self.r


@dataclass(frozen=True)
class RankAudit:
    """A sum is refused if with those that were answered it tells any single person's value: if a
    unit vector lies in the row space (Chin & Özsoyoğlu 1982). Right for sums of real numbers only:
    of numbers that are known to be 0 or 1, and of maxima, already a refusal tells something."""

    def answers(self, who: Mask, before: Mask) -> bool:
        """As the class says."""
        return not len(told(np.vstack((before, who))))


def told(asked: Mask) -> NDArray[np.int64]:
    """The people whose value follows from the sums of these sets, (questions, n), in exact
    arithmetic. Two who are always together cannot be told apart, so columns that are alike stand
    for one, and a single such column is told where its unit vector is in the row space."""
    if not asked.any():
        return np.zeros(0, dtype=np.int64)
    kinds, of = np.unique(asked, axis=1, return_inverse=True)
    of = of.ravel()
    alone = np.bincount(of) == 1
    reduced = echelon(kinds.astype(np.int64))
    # In reduced echelon form a unit vector is in the row space where a row is that unit vector.
    single = [int(np.flatnonzero(row)[0]) for row in reduced if np.count_nonzero(row) == 1]
    found = {column for column in single if alone[column]}
    return np.flatnonzero([kind in found for kind in of.tolist()]).astype(np.int64)


_PRIME = 2_147_483_629


def echelon(matrix: NDArray[np.int64]) -> NDArray[np.int64]:
    """The reduced row echelon form, modulo a large prime instead of in fractions: ranks of matrices
    of 0 and 1 differ with a chance below 10⁻⁹ a pivot, and no number grows. Rows of zeros are left
    out."""
    rows, pivot = matrix % _PRIME, 0
    for column in range(rows.shape[1]):
        found = np.flatnonzero(rows[pivot:, column])
        if not len(found):
            continue
        at = pivot + int(found[0])
        rows[[pivot, at]] = rows[[at, pivot]]
        inverse = pow(int(rows[pivot, column]), -1, _PRIME)
        rows[pivot] = rows[pivot] * inverse % _PRIME
        others = np.flatnonzero(rows[:, column])
        others = others[others != pivot]
        taken = rows[others, column][:, None] * rows[pivot] % _PRIME
        rows[others] = (rows[others] - taken) % _PRIME
        pivot += 1
        if pivot == len(rows):
            break
    return rows[:pivot]
