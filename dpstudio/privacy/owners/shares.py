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


def ciphertexts(p: int, classes: int = 1) -> int:
    """How many numbers a share of p columns has: p(p + 1)/2 moments, and p sums and a number of
    rows for each class."""
    return p * (p + 1) // 2 + classes * (p + 1)


def share_of(x: Array, y: Codes, classes: int, bits: int) -> Share:
    """The share of an owner of rows x, shape (n, p), of these classes, who may have any of them
    (MCDO); one class alone for principal components."""
    return _share(products(x, x), x, y, classes, bits)


def share_within(x: Array, code: int, classes: int, bits: int) -> Share:
    """The share of the one owner of a whole class (SCDO): in place of Σxxᵀ it has the scatter about
    the mean of the class, which nobody else needs the class for."""
    centred = x - x.mean(axis=0) if len(x) else x
    return _share(
        products(centred, centred), x, np.full(len(x), code, dtype=np.int64), classes, bits
    )


def products(a: Array, b: Array) -> Array:
    """aᵀb, shapes (n, p) and (n, q) to (p, q), rows added one after the other. Libraries for
    matrices add them as a processor likes best, and a whole number that is shared hangs on the last
    bit."""
    return np.asarray(np.einsum("ni,nj->ij", a, b))


def _share(moments: Array, x: Array, y: Codes, classes: int, bits: int) -> Share:
    member = (y[:, None] == np.arange(classes)).astype(np.float64)
    upper = moments[np.triu_indices(x.shape[1])]
    counts = _whole(member.sum(axis=0), 0)
    return Share(_whole(upper, bits), _whole(products(member, x), bits), counts)


def _whole(values: Array, bits: int) -> Integers:
    """The nearest integers in units of 2^−bits, as whole numbers of Python."""
    near = np.rint(np.ldexp(values, bits))
    return np.array([int(v) for v in near.ravel()], dtype=object).reshape(near.shape)


def pooled(shares: Sequence[Share]) -> Share:
    """The share of all of them together."""
    return Share(
        np.sum([s.moments for s in shares], axis=0),
        np.sum([s.sums for s in shares], axis=0),
        np.sum([s.rows for s in shares], axis=0),
    )


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
