"""Principal components: second moments of rows of length at most 1, how far one person moves them,
and how much of the variance a subspace captures."""

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.eigenvectors import eigh
from dpstudio.privacy.queries.query import ADD_REMOVE


@dataclass(frozen=True)
class Moved:
    """How far one person moves the matrix A of second moments: `l2` in the Frobenius norm, and
    `width`, the most by which the change of vᵀAv differs between two unit vectors v."""

    l2: float
    width: float

    def l1(self, p: int) -> float:
        """The same in the sum of the sizes of the p(p + 1)/2 entries on and above the diagonal.

        A change ½(dsᵀ + sdᵀ) has width |d||s|, and since ‖d‖₁ ≤ √p·|d| its entries sum to at most
        ½(p + 1)|d||s|.
        """
        return (p + 1) / 2 * self.width


def moved(centred: bool, adjacency: str, people: int = 1) -> Moved:
    """The largest moves of Σxxᵀ, or of Σ(x − x̄)(x − x̄)ᵀ where it is `centred`, for rows |x| ≤ 1 of
    whom one person has at most `people`; whatever the number of rows.

    Add or remove x: the change is xxᵀ, or n/(n + 1)·(x − x̄)(x − x̄)ᵀ with |x − x̄| ≤ 2 (Dwork,
    Talwar, Thakurta & Zhang 2014 for the first). Replace x by y: ½(dsᵀ + sdᵀ) with d = x − y and
    s = x + y − 2μ, μ = 0 or the mean of the others, but for a factor below 1. As |x + y| ≤ √(4 −
    |d|²), its width |d||s| is at most 2, or 3√3 with |d| = √3. Its squared L2 norm is ½(|d|²|s|² +
    (d·s)²): at most 2, or 16, which is convex in μ and in x + y and so largest at their bounds; the
    tests go over the three numbers that are left.
    """
    if adjacency == ADD_REMOVE:
        one = Moved(4.0, 4.0) if centred else Moved(1.0, 1.0)
    else:
        one = Moved(4.0, 3 * math.sqrt(3)) if centred else Moved(math.sqrt(2), 2.0)
    return Moved(people * one.l2, people * one.width)


def in_the_ball(x: Array) -> Array:
    """Rows of [−1, 1]^p, shape (n, p), as rows of length at most 1: over √p, which is public.
    ValueError for rows outside."""
    if x.size and np.abs(x).max() > 1 + 1e-12:
        raise ValueError("rows are scaled to [−1, 1] first, by public bounds")
    return x / math.sqrt(max(1, x.shape[1]))


def second_moments(x: Array, centred: bool) -> Array:
    """Σxxᵀ of rows, shape (n, p) to (p, p), or of rows less their mean."""
    total = x.sum(axis=0)
    return np.asarray(x.T @ x - (np.outer(total, total) / max(1, len(x)) if centred else 0.0))


def symmetric(upper: Array, p: int) -> Array:
    """Symmetric matrices, shape (..., p, p), of their p(p + 1)/2 entries on and above the diagonal,
    row by row."""
    full = np.zeros((*upper.shape[:-1], p, p))
    full[(..., *np.triu_indices(p))] = upper
    return full + np.swapaxes(np.triu(full, 1), -1, -2)


def leading(a: Array, k: int) -> Array:
    """The unit eigenvectors of the k largest eigenvalues of symmetric matrices, the largest first:
    shape (..., p, p) to (..., p, k)."""
    return np.asarray(eigh(a)[1][..., : -k - 1 : -1])


def along(a: Array, v: Array) -> Array:
    """vᵀAv of each column v, shape (..., p, k) to (..., k)."""
    return np.asarray(np.sum(v * (a @ v), axis=-2))


def captured(a: Array, v: Array) -> Array:
    """tr VᵀAV over its largest value for as many orthonormal columns, in [0, 1] for A ≥ 0: shape
    (..., p, k) to (...). Of A = 0 all columns capture all."""
    best = float(np.linalg.eigvalsh(a)[-v.shape[-1] :].sum())
    found = along(a, v).sum(axis=-1)
    return np.asarray(found / best if best > 0 else np.ones_like(found))
