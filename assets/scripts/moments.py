"""Covariances of several columns, from one vector of counts, sums and products."""

import numpy as np
from tables import finite, outward


def bounded(column, low, high):
    """The bounds of a column that are told, or else proposed from the data."""
    if low is None or high is None:
        seen = finite(column)
        ends = outward(seen.min(), seen.max()) if len(seen) else (0.0, 1.0)
        given = high is None
        low, high = (ends[0] if low is None else low), (ends[1] if high is None else high)
        if low >= high:
            return (low, low + 1) if given else (high - 1, high)
    return low, high


def moments(values, bounds):
    """The upper triangle of the sum of z z' over the rows that have every value: z = (1, z1 ..
    zp), each clipped and scaled to [-1, 1]."""
    x = np.column_stack(values)
    x = x[~np.isnan(x).any(axis=1)]
    low, high = np.array(bounds, dtype=float).T
    z = (np.clip(x, low, high) - (low + high) / 2) / ((high - low) / 2)
    z = np.column_stack([np.ones(len(z)), z])
    return (z.T @ z)[np.triu_indices(z.shape[1])]


def covariances(noisy, scales, repair):
    """The upper triangle of the covariances in the units of the columns; negative eigenvalues,
    which noise can make, are raised to 0 where that is to be repaired."""
    p = len(scales)
    rows, columns = np.triu_indices(p + 1)
    full = np.zeros((len(noisy[0]), p + 1, p + 1))
    full[:, rows, columns] = full[:, columns, rows] = noisy[0]
    n = np.maximum(full[:, 0, 0], 1.0)[:, None, None]
    means = full[:, 0, 1:, None] / n
    cov = full[:, 1:, 1:] / n - means * np.swapaxes(means, 1, 2)
    if repair:
        values, vectors = np.linalg.eigh(cov)
        mended = (vectors * np.maximum(values, 0)[:, None, :]) @ np.swapaxes(vectors, 1, 2)
        cov = np.where((values < 0).any(axis=1)[:, None, None], mended, cov)
    rows, columns = np.triu_indices(p)
    return (cov * np.outer(scales, scales))[:, rows, columns]


def moment_moves(p, *, adding):
    """The largest moves of one person: who comes or goes moves every entry by 1; of one who
    is replaced half of the values cross from bound to bound, and their products with the others."""
    come = ((1.0,) * len(np.triu_indices(p + 1)[0]),)
    if adding:
        return (come,)
    turned = np.array([1.0] + [-1.0] * ((p + 1) // 2) + [1.0] * (p // 2))
    change = (1 - np.outer(turned, turned))[np.triu_indices(p + 1)]
    return ((tuple(change[change > 0]),), come)
