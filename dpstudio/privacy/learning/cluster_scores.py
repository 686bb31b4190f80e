"""How well clusters agree with classes or hold together, what compares all pairs by scikit-learn;
and points to try on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.values.messages import N_

_SAMPLE = 1000  # points of which a silhouette is taken, since it compares all pairs


def _metrics() -> Any:
    """sklearn.metrics, imported when it is first needed: it costs a second."""
    from sklearn import metrics

    return metrics


AGREEMENTS = {
    "ari": N_("Adjusted Rand"),
    "ami": N_("Adjusted mutual information"),
    "v": N_("V-measure"),
}


def agreement(key: str, classes: NDArray[Any], clusters: NDArray[np.intp]) -> Array:
    """The score `key` of AGREEMENTS for clusters (seeds, n) against classes (n,): (seeds,), 1 where
    they are the same, about 0 (the V-measure somewhat above) where they have nothing in common."""
    if key == "ami":
        score = _metrics().adjusted_mutual_info_score
        return np.array([score(classes, near) for near in clusters])
    table = _contingency(np.unique(classes, return_inverse=True)[1], clusters)
    return _rand(table) if key == "ari" else _v_measure(table)


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
    chance = rows * columns / pairs(table.sum(axis=(1, 2)))
    room = (rows + columns) / 2 - chance
    return np.asarray(np.where(room > 0, (both - chance) / np.where(room > 0, room, 1.0), 1.0))


def _v_measure(table: Array) -> Array:
    """V-measure (Rosenberg & Hirschberg 2007): twice what classes and clusters tell of each other,
    as a part of what both tell."""

    def entropy(counts: Array) -> Array:
        share = counts / counts.sum(axis=1, keepdims=True)
        return np.asarray(-(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1))

    alone = entropy(table.sum(axis=2)) + entropy(table.sum(axis=1))
    shared = np.maximum(0.0, alone - entropy(table.reshape(len(table), -1)))
    return np.asarray(np.where(alone > 0, 2 * shared / np.where(alone > 0, alone, 1.0), 1.0))


def silhouette(x: Array, clusters: NDArray[np.intp], rng: np.random.Generator) -> Array:
    """Mean silhouette of up to 1,000 points by lot, (seeds,), from −1 to 1; NaN where all of them
    lie in one cluster."""
    chosen = rng.permutation(len(x))[:_SAMPLE]
    points, near = x[chosen], clusters[:, chosen]
    return np.array(
        [
            _metrics().silhouette_score(points, part)
            if 1 < len(np.unique(part)) < len(points)
            else np.nan
            for part in near
        ]
    )


def four_gaussians(rng: np.random.Generator, n: int) -> tuple[Array, NDArray[np.int64]]:
    """n points of four clusters of standard deviation .1 about (±.6, ±.6), clipped to the box, and
    the cluster of each."""
    classes = rng.integers(0, 4, n)
    middles = 0.6 * np.column_stack([1 - 2 * (classes % 2), 1 - 2 * (classes // 2)])
    return np.clip(middles + rng.normal(0, 0.1, (n, 2)), -1, 1), classes
