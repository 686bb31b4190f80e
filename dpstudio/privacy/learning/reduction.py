"""Fewer numbers for a person to report: principal components (PCA) or discriminant components
(DCA, which tell classes apart) of rows whose entries lie in [−1, 1].

The directions are public: learnt from people whose rows are public, or from some who pay for them
with their one report, of one moment drawn by lot. All others project their own row before they
report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpstudio.privacy.eigenvectors import eigh, signed
from dpstudio.privacy.local.number import NumberProtocol

# A lab that can do this is opened before it is done: each function imports what it needs of scipy.
if TYPE_CHECKING:
    from scipy.sparse import csr_array

Numbers = NDArray[np.float64]
_FURTHER = 1e-6
RIDGE = 1e-3  # added to the spread within classes, in squares of half the range


@dataclass(frozen=True, eq=False)
class Moments:
    """What directions are made of: `shares` (c,) of the classes, `sums` (c, p) the mean over all
    people of u where they are in the class, else 0, and `squares` (p, p) the mean of u uᵀ."""

    shares: Numbers
    sums: Numbers
    squares: Numbers


def moments(u: Numbers, y: NDArray[np.int64], classes: int) -> Moments:
    """The exact moments of rows u (n, p) in [−1, 1] with classes y: of public rows alone they may
    be used."""
    member = (y[:, None] == np.arange(classes)).astype(np.float64)
    n = max(len(u), 1)
    return Moments(member.sum(axis=0) / n, member.T @ u / n, u.T @ u / n)


def paid_moments(
    u: Numbers,
    y: NDArray[np.int64],
    classes: int,
    protocol: NumberProtocol,
    rng: np.random.Generator,
) -> Moments:
    """Unbiased moments from one report of each person: one of the p(p + 1)/2 products, of the
    classes · p sums or of the classes, drawn by lot whatever the row is, through the law of one
    number in [−1, 1] with the whole ε."""
    n, p = u.shape
    first, second = np.triu_indices(p)
    products, sums = len(first), classes * p
    many = products + sums + classes
    which = rng.integers(many, size=n)
    row, value = np.arange(n), np.empty(n)
    one, other = which < products, which >= products + sums
    value[one] = u[row[one], first[which[one]]] * u[row[one], second[which[one]]]
    place = which - products
    two = ~one & ~other
    value[two] = np.where(y[two] == place[two] // p, u[row[two], place[two] % p], 0.0)
    value[other] = np.where(y[other] == which[other] - products - sums, 1.0, 0.0)
    sent = protocol.reports(rng, value) if n else value
    found = many / max(n, 1) * np.bincount(which, weights=sent, minlength=many)
    squares = np.zeros((p, p))
    squares[first, second] = squares[second, first] = found[:products]
    return Moments(
        found[products + sums :], found[products : products + sums].reshape(-1, p), squares
    )


def principal(m: Moments, components: int) -> Numbers:
    """The directions of the largest variance, columns of shape (p, components)."""
    mean = m.sums.sum(axis=0)
    _, vectors = eigh(m.squares - np.outer(mean, mean))
    return np.asarray(vectors[:, ::-1][:, :components])


def discriminant(m: Moments, components: int) -> Numbers:
    """The directions along which classes lie apart most, for the spread within them: generalised
    eigenvectors of the spread between against that within and a ridge, shape (p, components).
    Classes of k shares have k − 1 such directions. Further ones tell nothing, and are those in
    which rows vary most for that spread."""
    from scipy.linalg import eigh as pencil

    shares = np.maximum(m.shares, 1e-6)
    mean = m.sums.sum(axis=0)
    centres = m.sums / shares[:, None]
    between = (centres - mean).T @ (shares[:, None] * (centres - mean))
    within = m.squares - np.outer(mean, mean) - between
    values, vectors = eigh(within)
    # Noise makes a spread negative: it is taken for none.
    within = (vectors * np.maximum(values, 0.0)) @ vectors.T
    # So little of it orders the further ones, between which rounding would choose.
    _, found = pencil(between + _FURTHER * within, within + RIDGE * np.eye(len(mean)))
    return signed(found[:, ::-1][:, :components])


def plain(x: Numbers, sizes: Sequence[int]) -> Numbers:
    """Rows (n, features) of numbers in [−1, 1] (size 0) and codes of so many words as numbers
    alone: a word as 0 and 1 for each that there is."""
    parts = [
        (x[:, i, None] == np.arange(size)).astype(np.float64) if size else x[:, i, None]
        for i, size in enumerate(sizes)
    ]
    return np.hstack(parts)


def sparse(x: Numbers, sizes: Sequence[int]) -> csr_array:
    """The rows of `plain`, of which each feature fills one place: a table of many words is
    projected many times as fast."""
    from scipy.sparse import csr_array

    n, wide = x.shape[0], np.array([max(size, 1) for size in sizes], dtype=np.int64)
    words = np.array(sizes, dtype=np.int64) > 0
    places = np.cumsum(wide) - wide + np.where(words, x, 0).astype(np.int64)
    ends = np.arange(n + 1) * len(sizes)
    entries = np.where(words, 1.0, x).ravel()
    return csr_array((entries, places.ravel(), ends), shape=(n, int(wide.sum())))


def projected(x: csr_array, sizes: Sequence[int], directions: Numbers) -> Numbers:
    """Each row of `sparse` along each direction, shape (n, components), in [−1, 1]: between the
    least and the most that any row can reach, which is public."""
    low, high = np.zeros(directions.shape[1]), np.zeros(directions.shape[1])
    start = 0
    for size in sizes:
        part = directions[start : start + max(size, 1)]
        start += len(part)
        ends = part if size else np.vstack([-np.abs(part), np.abs(part)])
        low, high = low + ends.min(axis=0), high + ends.max(axis=0)
    scale = np.maximum((high - low) / 2, 1e-300)
    along: Numbers = x @ directions
    return np.clip((along - (low + high) / 2) / scale, -1.0, 1.0)
