"""What is printed of reconstruction: errors between rows in one order and rows in another, and
projections without the mean."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.compression.inverse import orthonormal
from dpstudio.privacy.compression.scatter import Codes


def errors_in_order(x: Array, w: Array, order: Codes, ks: tuple[int, ...]) -> Array:
    """The mean of |x_i − x̂_j|² for rows less their mean, j = order[i], for the first K columns of
    w, K in `ks`; (len(ks),). In their own order it is the error of the minimum-norm inverse.

    A listing splits rows into those to learn from and to test with, stacks both, and sets them
    beside the rows of the file."""
    q = orthonormal(w)
    z = x @ q
    each = np.einsum("ij,ij->j", z, z) - 2 * np.einsum("ij,ij->j", z, z[order])
    whole = np.vdot(x, x)
    return np.asarray((whole + np.cumsum(each)[np.array(ks) - 1]) / len(x))


def errors_uncentred(x: Array, mean: Array, w: Array, ks: tuple[int, ...]) -> Array:
    """The mean of |x − QQᵀx|² of rows with their mean in them: neither taken off before they are
    projected nor added back. x are rows less their mean."""
    q = orthonormal(w)
    z = (x + mean) @ q
    kept = np.cumsum(np.einsum("ij,ij->j", z, z))[np.array(ks) - 1]
    left = (np.vdot(x, x) - kept) / len(x) + mean @ mean
    return np.asarray(np.maximum(left, 0.0))
