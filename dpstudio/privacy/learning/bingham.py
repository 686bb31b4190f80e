"""Directions of the Bingham law, drawn exactly by rejection: the exponential mechanism over unit
vectors."""

from collections.abc import Callable

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.eigenvectors import eigh
from dpstudio.privacy.learning.components import Moved

_ROUNDS = 10_000


def envelope(widths: Array) -> Array:
    """The b in [1, q] with Σ 1/(b + 2λᵢ) = 1 of eigenvalues λ ≥ 0, the least of them 0: shape
    (m, q) to (m,). It makes the most of the envelope (Kent, Ganeiber & Mardia 2018)."""
    low = np.ones(len(widths))
    high = np.full(len(widths), float(widths.shape[1]))
    for _ in range(60):
        middle = (low + high) / 2
        above = np.sum(1 / (middle[:, None] + 2 * widths), axis=1) > 1
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray((low + high) / 2)


def bingham(a: Array, rng: np.random.Generator, many: int | None = None) -> Array:
    """One unit vector for each symmetric matrix, with density ∝ exp(vᵀAv): shape (m, q, q) to
    (m, q). One matrix alone (1, q, q) gives as `many` as are asked for.

    Kent, Ganeiber & Mardia 2018: in the eigenvectors, with B = λ_max − λ ≥ 0, candidates are
    angular central Gaussian with Ω = I + 2B/b, and are kept with probability e^(−u)·(1 +
    2u/b)^(q/2) over its largest value, that at u = (q − b)/2, where u = vᵀBv. No Markov chain: what
    is returned has this law but for rounding.
    """
    values, vectors = eigh(a)
    m, q = many or len(a), a.shape[-1]
    widths = np.broadcast_to(values[:, -1:] - values, (m, q))
    b = np.broadcast_to(envelope(widths[: len(a)])[:, None], (m, 1))
    spread = 1 / np.sqrt(1 + 2 * widths / b)
    best = ((b - q) + q * np.log(q / b)) / 2
    found, left = np.empty((m, q)), np.arange(m)
    for _ in range(_ROUNDS):
        z = rng.standard_normal((len(left), q)) * spread[left]
        z /= np.linalg.norm(z, axis=1, keepdims=True)
        u = np.sum(z * z * widths[left], axis=1, keepdims=True)
        log_kept = q / 2 * np.log1p(2 * u / b[left]) - u - best[left]
        kept = rng.standard_exponential(len(left)) > -log_kept[:, 0]
        found[left[kept]] = z[kept]
        left = left[~kept]
        if not len(left):
            vectors = np.broadcast_to(vectors, (m, q, q))
            return np.asarray(np.einsum("mij,mj->mi", vectors, found))
    raise RuntimeError("the envelope of a Bingham law is never so far off")  # pragma: no cover


def strength(epsilon: float, moved: Moved) -> float:
    """c for which a density ∝ exp(c·vᵀAv) is ε-DP: ε over the width. ln p(v)/p′(v) is c times the
    change at v less some mean of the changes, all of which lie within one width (McSherry & Talwar
    2007; where people only come or go all changes have one sign, and no factor 2 is lost)."""
    return epsilon / moved.width


def exponential_subspaces(
    a: Array,
    k: int,
    epsilon: float,
    moved: Moved,
    seeds: int,
    rng: np.random.Generator,
    check: Callable[[], None] = lambda: None,
) -> Array:
    """k orthonormal directions, shape (seeds, p, k), ε-DP: one after the other, each an exact draw
    at ε/k within the complement of those before it (Kapralov & Talwar 2013, whose deflation it is;
    sequential composition). Rows projected onto a complement are no longer, so `moved` holds there
    too. `check` is called between directions.
    """
    p = len(a)
    basis = np.eye(p)[None]  # one for all, until each has drawn a direction
    found = np.empty((seeds, p, k))
    c = strength(epsilon / k, moved)
    for turn in range(k):
        check()
        inner = np.swapaxes(basis, 1, 2) @ a @ basis
        drawn = bingham(c * inner, rng, seeds)
        turned = np.broadcast_to(basis, (seeds, *basis.shape[1:]))
        found[:, :, turn] = np.einsum("spq,sq->sp", turned, drawn)
        if turn < k - 1:
            # The other columns of a full QR of (v, …) span what is left.
            basis = basis @ np.linalg.qr(drawn[:, :, None], mode="complete")[0][:, :, 1:]
    return found
