"""Eigenvectors with the same signs on every machine. An eigenvector has two, LAPACK returns the one
that its rounding led to, and noise that is drawn along it would be another one on the next
processor."""

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array

# Entries so near to the largest of a vector are as large: rounding does not choose among them.
_AS_LARGE = 1 - 1e-6


def eigh(a: NDArray[np.float64]) -> tuple[Array, Array]:
    """Eigenvalues of symmetric matrices (..., p, p) in rising order, (..., p), and their unit
    eigenvectors as columns, signed. Raises numpy.linalg.LinAlgError where it does not converge."""
    values, vectors = np.linalg.eigh(a)
    return np.asarray(values), signed(vectors)


def signed(vectors: NDArray[np.float64]) -> Array:
    """Columns (..., p, k), each as it is or turned, so that of its largest entries the first is
    positive."""
    if not vectors.size:
        return np.asarray(vectors)
    size = np.abs(vectors)
    first = np.argmax(size >= _AS_LARGE * size.max(axis=-2, keepdims=True), axis=-2)
    told = np.take_along_axis(vectors, first[..., None, :], axis=-2)
    return np.asarray(np.where(told < 0, -vectors, vectors))
