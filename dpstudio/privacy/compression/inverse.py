"""Rows from their projections: the minimum-norm inverse with the mean added back, and the linear
decoder that rows with the same spread teach. Both are exact for all numbers of directions at
once."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import Array


def orthonormal(w: Array) -> Array:
    """Columns of which the first K span what the first K of w span, (..., p, k)."""
    return np.asarray(np.linalg.qr(w)[0])


def inverse(w: Array) -> Array:
    """What turns z = Wᵀ(x − μ) into the row of least length about μ that has it: x̂ = μ + M z with
    M = W(WᵀW)⁻¹, (..., p, K)."""
    turned = np.swapaxes(w, -1, -2)
    return np.asarray(np.swapaxes(np.linalg.solve(turned @ w, turned), -1, -2))


def decoder(spread: Array, w: Array) -> Array:
    """What turns z into the linear guess of x − μ with the least mean squared error among rows of
    this spread, M = S̄W(WᵀS̄W)⁻¹, (..., p, K)."""
    crossed = spread @ w
    turned = np.swapaxes(crossed, -1, -2)
    return np.asarray(np.swapaxes(np.linalg.solve(turned @ w, turned), -1, -2))


def errors_of_inverse(spread: Array, w: Array) -> Array:
    """The mean of |x − x̂|² over rows of this spread for the first 0, 1, …, k columns of w, shape
    (..., k + 1). With PCA it is the sum of the eigenvalues that are dropped."""
    q = orthonormal(w)
    kept = np.cumsum(np.sum(q * (spread @ q), axis=-2), axis=-1)
    return _left(spread, kept)


def errors_of_decoder(spread: Array, w: Array) -> Array:
    """The same of the decoder: what no linear guess can know. WᵀS̄W = LLᵀ, and the rows of
    L⁻¹WᵀS̄ each take their squared length off."""
    crossed = spread @ w
    lower = np.linalg.cholesky(np.swapaxes(w, -1, -2) @ crossed)
    rows = np.linalg.solve(lower, np.swapaxes(crossed, -1, -2))
    return _left(spread, np.cumsum(np.sum(rows**2, axis=-1), axis=-1))


def _left(spread: Array, kept: Array) -> Array:
    whole = np.trace(spread, axis1=-2, axis2=-1)[..., None]
    return np.asarray(np.concatenate([whole, np.maximum(whole - kept, 0.0)], axis=-1))
