"""Scatter of rows with labels, as sums: what is learnt from some rows is that of all less that of
the others, so that many splits cost little more than one. All works on stacks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.data.memory import Sized
from dpstudio.privacy.eigenvectors import eigh, signed

Codes = NDArray[np.int64]
_NOTHING = 1e-9  # of the largest variance: rounding leaves as much along no direction


@dataclass(frozen=True, eq=False)
class Sums(Sized):
    """Of rows: how many, (...), their sum (..., p) and that of their squares (..., p, p), and by
    label the counts of its classes (..., L) and the sums of their rows (..., L, p)."""

    n: Array
    total: Array
    squares: Array
    counts: tuple[Array, ...]
    sums: tuple[Array, ...]

    @cached_property
    def mean(self) -> Array:
        """The mean row, (..., p)."""
        return np.asarray(self.total / np.maximum(self.n, 1)[..., None])

    @cached_property
    def spread(self) -> Array:
        """S̄: the mean of (x − μ)(x − μ)ᵀ, (..., p, p)."""
        n, mean = np.maximum(self.n, 1)[..., None, None], self.mean
        return np.asarray(self.squares / n - mean[..., :, None] * mean[..., None, :])

    def centres(self, label: int) -> Array:
        """The mean row of each class, (..., L, p); of an empty one that of all."""
        counts = self.counts[label][..., None]
        own = self.sums[label] / np.maximum(counts, 1)
        return np.where(counts > 0, own, self.mean[..., None, :])

    def shares(self, label: int) -> Array:
        """The share of each class, (..., L)."""
        return np.asarray(self.counts[label] / np.maximum(self.n, 1)[..., None])

    def between(self, label: int) -> Array:
        """S_B: the scatter of the classes' means about μ, a row each, (..., p, p)."""
        return self._between[label]

    @cached_property
    def _between(self) -> tuple[Array, ...]:
        return tuple(self._apart(label) for label in range(len(self.counts)))

    def _apart(self, label: int) -> Array:
        apart = self.centres(label) - self.mean[..., None, :]
        weighed = apart * self.shares(label)[..., None]
        return np.asarray(np.swapaxes(weighed, -1, -2) @ apart)

    def within(self, label: int) -> Array:
        """S_W: the scatter of rows about the mean of their class, (..., p, p)."""
        return self.spread - self.between(label)


def sums_of(x: Array, labels: Sequence[tuple[Codes, int]]) -> Sums:
    """The sums of rows (n, p) with labels, each codes (n,) and how many classes there are."""
    members = [(codes[:, None] == np.arange(many)).astype(np.float64) for codes, many in labels]
    return Sums(
        np.asarray(float(len(x))),
        x.sum(axis=0),
        x.T @ x,
        tuple(member.sum(axis=0) for member in members),
        tuple(member.T @ x for member in members),
    )


def less(whole: Sums, parts: Sequence[Sums]) -> Sums:
    """All rows without those of each part, stacked: (parts, ...)."""

    def rest(of: Array, those: Sequence[Array]) -> Array:
        return np.asarray(of - np.stack(those))

    labels = range(len(whole.counts))
    return Sums(
        rest(whole.n, [p.n for p in parts]),
        rest(whole.total, [p.total for p in parts]),
        rest(whole.squares, [p.squares for p in parts]),
        tuple(rest(whole.counts[i], [p.counts[i] for p in parts]) for i in labels),
        tuple(rest(whole.sums[i], [p.sums[i] for p in parts]) for i in labels),
    )


def span(x: Array) -> tuple[Array, Array, Array]:
    """(mean (p,), orthonormal columns (p, r), coordinates (n, r)): rows are the mean and their
    coordinates along the columns, the directions in which they vary at all. r ≤ min(p, n − 1)."""
    mean = x.mean(axis=0)
    around = x - mean
    if len(x) < x.shape[1]:
        _, sizes, right = np.linalg.svd(around, full_matrices=False)
        values, vectors = sizes**2, signed(right.T)
    else:
        values, vectors = eigh(around.T @ around)
        values, vectors = values[::-1], vectors[:, ::-1]
    basis = vectors[:, values > _NOTHING * max(float(values[0]), 1e-300)]
    return mean, basis, around @ basis


def pencil(a: Array, b: Array) -> tuple[Array, Array]:
    """Generalised eigenpairs A w = λ B w of symmetric A and positive definite B, (..., p, p): λ,
    the largest first, (..., p), and w as columns with wᵀBw = 1.

    By Cholesky: B = LLᵀ, the eigenvectors v of L⁻¹AL⁻ᵀ, and w = L⁻ᵀv."""
    lower = np.linalg.cholesky(b)
    half = np.linalg.solve(lower, a)
    inner = np.linalg.solve(lower, np.swapaxes(half, -1, -2))
    values, vectors = eigh((inner + np.swapaxes(inner, -1, -2)) / 2)
    w = np.linalg.solve(np.swapaxes(lower, -1, -2), vectors)
    return np.asarray(values[..., ::-1]), np.asarray(w[..., ::-1])
