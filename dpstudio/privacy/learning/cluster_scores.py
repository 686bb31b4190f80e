"""How well clusters agree with classes or hold together, by scikit-learn; and points to try on."""

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
_NAMES = {"ari": "adjusted_rand_score", "ami": "adjusted_mutual_info_score", "v": "v_measure_score"}


def agreement(key: str, classes: NDArray[Any], clusters: NDArray[np.intp]) -> Array:
    """The score `key` of AGREEMENTS for clusters (seeds, n) against classes (n,): (seeds,), 1 where
    they are the same, about 0 (the V-measure somewhat above) where they have nothing in common."""
    score = getattr(_metrics(), _NAMES[key])
    return np.array([score(classes, near) for near in clusters])


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
