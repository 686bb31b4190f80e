"""How well clusters agree with classes or hold together, all runs at once; and points to try on. By
scikit-learn a score takes ten times as long, and its import two seconds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array

_SAMPLE = 1000  # points of which a silhouette is taken, since it compares all pairs


AGREEMENTS = "ari", "ami", "homogeneity", "completeness", "v"


def agreement(key: str, classes: NDArray[Any], clusters: NDArray[np.intp]) -> Array:
    """The score `key` of AGREEMENTS for clusters (seeds, n) against classes (n,): (seeds,), 1 where
    they are the same, about 0 (the last three somewhat above) where they have nothing in common."""
    table = _contingency(np.unique(classes, return_inverse=True)[1], clusters)
    if key == "ami":
        return np.array([_adjusted_information(one) for one in table])
    return _rand(table) if key == "ari" else _shared(key, table)


def _contingency(classes: NDArray[np.intp], clusters: NDArray[np.intp]) -> Array:
    """Points of each class in each cluster, (seeds, classes, clusters)."""
    seeds, c, k = len(clusters), int(classes.max()) + 1, int(clusters.max()) + 1
    cell = (np.arange(seeds)[:, None] * c + classes) * k + clusters
    counts = np.bincount(cell.ravel(), minlength=seeds * c * k)
    return counts.reshape(seeds, c, k).astype(np.float64)


def _rand(table: Array) -> Array:
    """Adjusted Rand index (Hubert & Arabie 1985): pairs that are together in both, above chance."""

    def pairs(counts: Array) -> Array:
        return np.asarray(counts * (counts - 1) / 2)

    both = pairs(table).sum(axis=(1, 2))
    rows, columns = pairs(table.sum(axis=2)).sum(axis=1), pairs(table.sum(axis=1)).sum(axis=1)
    chance = rows * columns / np.maximum(pairs(table.sum(axis=(1, 2))), 1.0)  # one point: none
    room = (rows + columns) / 2 - chance
    return np.asarray(np.where(room > 0, (both - chance) / np.where(room > 0, room, 1.0), 1.0))


def _shared(key: str, table: Array) -> Array:
    """What classes and clusters tell of each other (Rosenberg & Hirschberg 2007), as a part of what
    the classes tell, the clusters tell, or of the mean of both: homogeneity, completeness, and the
    V-measure."""

    def entropy(counts: Array) -> Array:
        share = counts / counts.sum(axis=1, keepdims=True)
        return np.asarray(-(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1))

    classes, clusters = entropy(table.sum(axis=2)), entropy(table.sum(axis=1))
    shared = np.maximum(0.0, classes + clusters - entropy(table.reshape(len(table), -1)))
    whole = {"homogeneity": classes, "completeness": clusters}.get(key, (classes + clusters) / 2)
    return np.asarray(np.where(whole > 0, shared / np.where(whole > 0, whole, 1.0), 1.0))


def _adjusted_information(table: Array) -> float:
    """Adjusted mutual information (Vinh, Epps & Bailey 2010) of a table (classes, clusters): above
    what tables with the same margins have on average, as a part of the most there is."""
    n = int(table.sum())
    rows, columns = (m[m > 0].astype(np.int64) for m in (table.sum(axis=1), table.sum(axis=0)))
    if len(rows) == len(columns) == 1:
        return 1.0
    held = table[table > 0]
    alone = [-float(part @ np.log(part)) for part in (rows / n, columns / n)]
    told = sum(alone) + float(held / n @ np.log(held / n))
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    chance = 0.0
    for a in rows.tolist():
        for b in columns.tolist():
            both = np.arange(max(1, a + b - n), min(a, b) + 1)
            log_share = (
                log_factorial[[a, b, n - a, n - b]].sum()
                - log_factorial[n]
                - log_factorial[both]
                - log_factorial[a - both]
                - log_factorial[b - both]
                - log_factorial[n - a - b + both]
            )
            chance += float(both / n * np.log(n * both / (a * b)) @ np.exp(log_share))
    room = sum(alone) / 2 - chance
    return (told - chance) / (room if abs(room) > 1e-15 else 1e-15)


def silhouette(x: Array, clusters: NDArray[np.intp], rng: np.random.Generator) -> Array:
    """Mean silhouette of up to 1,000 points by lot, (seeds,), from −1 to 1; NaN where all of them
    lie in one cluster."""
    chosen = rng.permutation(len(x))[:_SAMPLE]
    points, near = x[chosen], clusters[:, chosen]
    squares = (points**2).sum(axis=1)
    apart = np.sqrt(np.maximum(squares[:, None] + squares - 2 * points @ points.T, 0.0))
    np.fill_diagonal(apart, 0.0)
    return np.array([_silhouette(apart, part) for part in near])


def _silhouette(apart: Array, near: NDArray[np.intp]) -> float:
    """(b − a)/max(a, b) on average, a the mean distance to the others of the own cluster and b that
    to the nearest other cluster (Rousseeuw 1987); 0 for who is alone."""
    own = np.unique(near, return_inverse=True)[1]
    one_hot = (own[:, None] == np.arange(own.max(initial=0) + 1)).astype(np.float64)
    count = one_hot.sum(axis=0)
    if not 1 < len(count) < len(near):
        return float("nan")
    total, here = apart @ one_hot, np.arange(len(near))
    inside = total[here, own] / np.maximum(count[own] - 1, 1)
    total /= count
    total[here, own] = np.inf
    outside = total.min(axis=1)
    most = np.maximum(inside, outside)
    gain = (outside - inside) / np.where(most > 0, most, 1.0)
    return float(np.where(count[own] > 1, gain, 0.0).mean())


def four_gaussians(rng: np.random.Generator, n: int) -> tuple[Array, NDArray[np.int64]]:
    """n points of four clusters of standard deviation .1 about (±.6, ±.6), clipped to the box, and
    the cluster of each."""
    classes = rng.integers(0, 4, n)
    middles = 0.6 * np.column_stack([1 - 2 * (classes % 2), 1 - 2 * (classes // 2)])
    return np.clip(middles + rng.normal(0, 0.1, (n, 2)), -1, 1), classes
