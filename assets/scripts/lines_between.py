"""Lines between two classes, with noise on their weights or on the moments they are read from."""

import math

import numpy as np


def as_columns(x, sizes):
    """Numbers as they are, and of each word a column of 0 and 1."""
    parts = [
        x[:, i, None] == np.arange(size) if size else x[:, i, None] for i, size in enumerate(sizes)
    ]
    return np.hstack(parts).astype(float)


def in_unit_ball(x, features):
    """Rows with a constant behind, of length at most 1: of the words of a feature one is not 0."""
    return np.column_stack([x, np.ones(len(x))]) / math.sqrt(features + 1)


def shares_on_side(weights, rows, y):
    """The share of rows that lie on the side of their class, for each line."""
    return ((weights @ rows.T >= 0) == (y == 1)).mean(axis=-1)


def vector_noise(runs, d, rng):
    """Vectors of density ∝ exp(−|b|): a direction by lot, and a length of Gamma(d)."""
    direction = rng.standard_normal((runs, d))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    return direction * rng.standard_gamma(d, (runs, 1))


def moment_noise(runs, p, rng):
    """Symmetric noise on moments: N(0, 1) on the diagonal, N(0, 1/2) beside it, so that one row of
    length 1 moves them by 1 in the norm that counts both halves."""
    i, j = np.triu_indices(p)
    full = np.zeros((runs, p, p))
    full[:, i, j] = full[:, j, i] = rng.standard_normal((runs, len(i)))
    return full * np.where(np.eye(p) > 0, 1, math.sqrt(0.5))


def trimmed_weights(moments, ridge):
    """Least squares from the moments of (x, 1, y): (A + ridge·I)⁻¹b, without the directions in
    which noise has made A negative (Zhang, Zhang, Xiao, Yang & Winslett 2012)."""
    p = moments.shape[-1] - 1
    values, vectors = np.linalg.eigh(moments[..., :p, :p] + ridge * np.eye(p))
    turned = np.einsum("...ij,...i->...j", vectors, moments[..., :p, p])
    kept = np.where(values > 0, turned / np.where(values > 0, values, 1), 0)
    return np.einsum("...ij,...j->...i", vectors, kept)
