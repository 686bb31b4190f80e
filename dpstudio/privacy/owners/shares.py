"""Shares of scatter matrices: what each owner sends of its rows, on a grid of fixed point, so that
all shares together are the scatter of all rows (Al-Rubaie, Wu, Chang & Kung 2017)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.learning.components import symmetric
from dpstudio.privacy.learning.reduction import Moments

Integers = NDArray[np.object_]
Codes = NDArray[np.int64]
# Binary digits after the point: with more, numpy's own sums of 2²⁰ rows would be no closer.
BITS_MOST = 28


@dataclass(frozen=True, eq=False)
class Share:
    """What one owner knows of its rows, exact integers: `moments`, Σxxᵀ on and above the diagonal,
    row by row, and `sums`, Σx of each class, shape (classes, p), both in units of 2^−bits; `rows`
    of each class, shape (classes,)."""

    moments: Integers
    sums: Integers
    rows: Integers

    def listed(self) -> list[int]:
        """All of it, one number after the other: what is encrypted."""
        return [int(v) for part in (self.moments, self.sums.ravel(), self.rows) for v in part]


@dataclass(frozen=True, eq=False)
class Sums:
    """What owners add up of their rows before it is rounded, an owner a row of each: what a share
    has."""

    moments: Array
    sums: Array
    rows: Array

    def shares(self, bits: int) -> list[Share]:
        """The share of each owner."""
        parts = _whole(self.moments, bits), _whole(self.sums, bits), _whole(self.rows, 0)
        return [Share(*(part.astype(object) for part in own)) for own in zip(*parts, strict=True)]

    def pooled(self, bits: int) -> Share:
        """The share of all of them together."""
        parts = _whole(self.moments, bits), _whole(self.sums, bits), _whole(self.rows, 0)
        return Share(*(part.sum(axis=0).astype(object) for part in parts))


def ciphertexts(p: int, classes: int = 1) -> int:
    """How many numbers a share of p columns has: p(p + 1)/2 moments, and p sums and a number of
    rows for each class."""
    return p * (p + 1) // 2 + classes * (p + 1)


def sums_of(parts: Sequence[tuple[Array, Codes]], classes: int, *, within: bool = False) -> Sums:
    """What each owner adds up of rows, shape (n, p), of these classes, who may have any of them
    (MCDO); one class alone for principal components. `within`: each has a whole class (SCDO), and
    in place of Σxxᵀ the scatter about its mean, which nobody else needs the class for."""
    upper = np.triu_indices(parts[0][0].shape[1])
    members = [(y[:, None] == np.arange(classes)).astype(np.float64) for _, y in parts]
    own = (x - x.mean(axis=0) if within and len(x) else x for x, _ in parts)
    return Sums(
        np.array([products(x, x)[upper] for x in own]),
        np.array([products(m, x) for m, (x, _) in zip(members, parts, strict=True)]),
        np.array([member.sum(axis=0) for member in members]),
    )


def products(a: Array, b: Array) -> Array:
    """aᵀb, shapes (n, p) and (n, q) to (p, q), rows added one after the other. Libraries for
    matrices add them as a processor likes best, and a whole number that is shared hangs on the last
    bit."""
    return np.asarray(np.einsum("ni,nj->ij", a, b))


def _whole(values: Array, bits: int) -> NDArray[np.int64]:
    """The nearest integers in units of 2^−bits: of 2³⁴ rows in [−1, 1] they stay below 2⁶³."""
    return np.rint(np.ldexp(values, bits)).astype(np.int64)


def moments_of(share: Share, bits: int, within: bool) -> Moments:
    """What a share of all rows tells, per row: that of `share_within` where it is `within`."""
    n = max(1, sum(int(m) for m in share.rows))
    sums = np.ldexp(share.sums.astype(np.float64), -bits) / n
    squares = symmetric(np.ldexp(share.moments.astype(np.float64), -bits), sums.shape[1]) / n
    shares = share.rows.astype(np.float64) / n
    if within:
        squares = squares + _between_zero(shares, sums)
    return Moments(shares, sums, squares)


def _between_zero(shares: Array, sums: Array) -> Array:
    """ΣV_kV_kᵀ/M_k per row, of the classes that have any."""
    known = shares > 0
    scaled = sums[known] / np.sqrt(shares[known])[:, None]
    return np.asarray(scaled.T @ scaled)


def total(m: Moments) -> Array:
    """The scatter of all rows about their mean, per row, (p, p): R − VVᵀ/Q."""
    mean = m.sums.sum(axis=0)
    return np.asarray(m.squares - np.outer(mean, mean))


def between(m: Moments) -> Array:
    """The scatter of the means of classes, per row: ΣV_kV_kᵀ/M_k − VVᵀ/M."""
    mean = m.sums.sum(axis=0)
    return np.asarray(_between_zero(m.shares, m.sums) - np.outer(mean, mean))


def within(m: Moments) -> Array:
    """The scatter about the means of classes, per row: R − ΣV_kV_kᵀ/M_k."""
    return np.asarray(m.squares - _between_zero(m.shares, m.sums))


def rounding(owners: int, rows: int, bits: int, classes: int = 1) -> float:
    """How far rounded shares of so many owners of rows with |x| ≤ 1 move an entry of a scatter
    matrix at most, in the units of the data: of all rows, or `within` and `between` classes.

    An entry of R moves by h = owners/2 units at most, one of V_k likewise, so that V_kV_kᵀ/M_k
    moves by 2h + h²/M_k, and V = ΣV_k by as many h as there are classes.
    """
    h = owners * 2.0 ** (-bits - 1)
    if classes == 1:
        return 3 * h + h * h / max(1, rows)
    return h + 4 * classes * h + (classes + classes**2 / max(1, rows)) * h * h
