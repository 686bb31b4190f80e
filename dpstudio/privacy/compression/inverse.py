"""Rows from their projections: the minimum-norm inverse with the mean added back, and the linear
decoder that rows with the same spread teach. Both are exact for all numbers of directions at
once."""

import numpy as np

from dpstudio.charts.figure import Array

_ROUNDED = 1e-12  # of all variance: rounding leaves as much along directions of none


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
    this spread, M = S̄W(WᵀS̄W)⁻¹, (..., p, K). A column along which none of these rows vary teaches
    nothing."""
    crossed = spread @ w
    varied = np.sum(w * crossed, axis=-2)
    known = varied > _ROUNDED * np.trace(spread, axis1=-2, axis2=-1)[..., None] * (w**2).sum(-2)
    # Of variance 1 each, so that one small number of all is not taken for a rounding.
    scale = np.where(known, 1 / np.sqrt(np.where(known, varied, 1.0)), 0.0)[..., None, :]
    turned = np.swapaxes(crossed * scale, -1, -2)
    inner = turned @ (w * scale) + _ROUNDED * np.eye(w.shape[-1])
    return np.asarray(np.swapaxes(np.linalg.solve(inner, turned), -1, -2) * scale)


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


def errors_of_taught(x: Array, known: Array, w: Array) -> Array:
    """The mean of |x − x̂|² over rows (n, p) by `decoder` of other rows that are known, for the
    first 1, 2, …, k columns of w, (k,). With V = WL⁻ᵀ of their spread S̄, x̂ − μ is Σ(v_jᵀ(x −
    μ))S̄v_j about their mean μ, a term for each column."""
    mean = known.mean(axis=0)
    around, off = known - mean, x - mean
    spread = around.T @ around / len(known)
    lower = np.linalg.cholesky(w.T @ spread @ w)
    columns = np.linalg.solve(lower, w.T).T
    turned = spread @ columns
    told = off @ columns
    products = told.T @ told * (turned.T @ turned)
    crossed = np.einsum("ij,ij->j", told, off @ turned)
    whole = products.cumsum(axis=0).cumsum(axis=1).diagonal() - 2 * np.cumsum(crossed)
    return np.asarray((np.vdot(off, off) + whole) / len(x))


def _left(spread: Array, kept: Array) -> Array:
    whole = np.trace(spread, axis1=-2, axis2=-1)[..., None]
    return np.asarray(np.concatenate([whole, np.maximum(whole - kept, 0.0)], axis=-1))
