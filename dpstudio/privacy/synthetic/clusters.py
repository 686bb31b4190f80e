"""Micro-aggregation with a Gaussian a cluster: synthetic rows of the "case study" of the texts,
with right and with printed noise, and its insensitive variant.

Rows are numbers in [−1, 1], shape (rows, features). The promise of the first holds for a *fixed*
partition only: where clusters are found from the data, one person may move all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.eigenvectors import eigh
from dpstudio.privacy.nearest import nearest

Rows = NDArray[np.int64]
MEAN_SHARE = 0.4  # of a set's ε; the covariance has the rest, as the texts split it
COUNT_SHARE = 0.1  # of ε, for how many rows each class has, where groups lie in a public order


def feature_sets(x: Array) -> list[tuple[int, ...]]:
    """Columns that go together: average linkage on 2n(1 − r), cut where the Davies–Bouldin index
    of the columns is least. Looks at the data: it is no part of any promise."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform
    from sklearn.metrics import davies_bouldin_score

    n, d = x.shape
    if d < 3:
        return [(i,) for i in range(d)]
    with np.errstate(invalid="ignore"):
        r = np.nan_to_num(np.corrcoef(x.T), nan=0.0)
    apart = 2 * n * (1 - np.clip(r, -1, 1))
    np.fill_diagonal(apart, 0.0)
    joined = linkage(squareform((apart + apart.T) / 2, checks=False), method="average")
    scaled = (x - x.mean(0)) / np.maximum(x.std(0), 1e-12)
    best, labels = math.inf, np.arange(d)
    for many in range(2, d):
        cut = fcluster(joined, many, criterion="maxclust")
        if 1 < len(set(cut)) < d and (score := davies_bouldin_score(scaled.T, cut)) < best:
            best, labels = score, cut
    sets = [tuple(int(i) for i in np.flatnonzero(labels == name)) for name in dict.fromkeys(labels)]
    return sorted(sets)


Alive = Callable[[], None]


def unasked() -> None:
    """The `alive` of a caller that waits to the end."""


def mdav(x: Array, k: int, alive: Alive = unasked) -> list[Rows]:
    """Row numbers of clusters of k to 2k − 1 rows (Domingo-Ferrer & Torra 2005): the row farthest
    from the mean with its nearest k − 1, then the row farthest from that one with its own; the rest
    is one cluster. `alive` is called before each, and may raise. ValueError for k < 1 or more than
    there are rows."""
    if not 1 <= k <= len(x):
        raise ValueError("a cluster has at least one row, and no more than there are")
    left, out = np.arange(len(x)), list[Rows]()

    def distances(left: Rows, centre: Array) -> Array:
        return np.asarray(np.sum((x[left] - centre) ** 2, axis=1))

    def take(left: Rows, apart: Array) -> tuple[Rows, Array]:
        """The rows that stay after the k nearest are taken, and how far these are."""
        alive()
        near = nearest(apart, k)
        out.append(left[near])
        stay = np.ones(len(left), dtype=bool)
        stay[near] = False
        return left[stay], apart[stay]

    def outermost(left: Rows) -> Array:
        return np.asarray(x[left[np.argmax(distances(left, x[left].mean(0)))]])

    while len(left) >= 3 * k:
        left, apart = take(left, distances(left, outermost(left)))
        left, _ = take(left, distances(left, x[left[np.argmax(apart)]]))
    if len(left) >= 2 * k:
        left, _ = take(left, distances(left, outermost(left)))
    if len(left):
        out.append(left)
    return out


@dataclass(frozen=True)
class Scales:
    """Scales of Laplace noise on each coordinate of the mean and of the covariance of a cluster."""

    mean: float
    covariance: float


def fixed_scales(size: int, features: int, epsilon: float) -> Scales:
    """ε-DP for one cluster of a fixed partition, replace-one: a mean of `size` rows moves by
    2·features/size in L1, the upper triangle of the centred covariance (1/size) by
    2·features(features + 1)/size (each entry at most 4(size − 1)/size²)."""
    return Scales(
        2 * features / (size * MEAN_SHARE * epsilon),
        2 * features * (features + 1) / (size * (1 - MEAN_SHARE) * epsilon),
    )


def printed_scales(size: int, features: int, epsilon: float, rows: int) -> Scales:
    """As printed, in the code behind the texts' curves: divided by the number of rows once more,
    and half the covariance's sensitivity. No promise at all: some `rows` times too little noise."""
    right = fixed_scales(size, features, epsilon)
    return Scales(right.mean / rows, right.covariance / (2 * rows))


def insensitive_scales(rows: int, k: int, features: int, epsilon: float) -> Scales:
    """ε-DP where clusters are k neighbours in a public order of all possible rows: a replaced row
    moves at most one row into and one out of *every* cluster, so that the sensitivity of all ⌈n/k⌉
    together is that many times a cluster's (Soria-Comas et al. 2014)."""
    one = fixed_scales(k, features, epsilon)
    many = math.ceil(rows / k)
    return Scales(one.mean * many, one.covariance * many)


def ordered_clusters(x: Array, k: int) -> list[Rows]:
    """Consecutive k rows in the public order by the sum of the coordinates, ties by the coordinates
    themselves; the last has the rest, k to 2k − 1."""
    order = np.lexsort((*x.T[::-1], x.sum(1)))
    cuts = [k * i for i in range(1, len(x) // k)]
    return [np.asarray(part) for part in np.split(order, cuts)]


def of_length(x: Array, rows: int) -> Array:
    """The first `rows` in the public order, or all and as many rows of zeros as lack; shape (rows,
    features). One row more or less then replaces one row of what comes, at most."""
    held = x[np.lexsort((*x.T[::-1], x.sum(1)))][:rows]
    return np.vstack([held, np.zeros((rows - len(held), x.shape[1]))])


def insensitive(
    x: Array, classes: Rows, noisy: Array, k: int, epsilon: float, rng: np.random.Generator
) -> tuple[Array, Rows]:
    """Synthetic rows of each class and their classes, ε-DP for one row that comes or goes: `noisy`
    says how many rows each class has, and is paid for by itself. Each class has as many rows as
    that says (`of_length`), at least k, so that who comes replaces at most one row of each of its
    groups (`insensitive_scales`)."""
    made, label = [np.empty((0, x.shape[1]))], list[int]()
    for name, told in enumerate(noisy.tolist()):
        many = max(0, round(told))
        held = of_length(x[classes == name], max(many, k))
        clusters = ordered_clusters(held, k)
        scale = insensitive_scales(len(held), k, x.shape[1], epsilon)
        made.append(synthesised(held, clusters, [scale] * len(clusters), rng)[:many])
        label += [name] * many
    return np.vstack(made), np.array(label, dtype=np.int64)


def moments(rows: Array) -> tuple[Array, Array]:
    """What is measured of a cluster: its mean, shape (features,), and the upper triangle of its
    centred covariance (1/size)."""
    mean = rows.mean(0)
    covariance = (rows - mean).T @ (rows - mean) / len(rows)
    return np.asarray(mean), np.asarray(covariance[_upper(len(mean))])


@lru_cache(maxsize=16)
def _upper(d: int) -> tuple[Rows, Rows]:
    """Where the upper triangle of a d by d matrix lies: it is asked for of every cluster."""
    rows, columns = np.triu_indices(d)
    return rows, columns


def synthesised(
    x: Array, clusters: Sequence[Rows], scales: Sequence[Scales], rng: np.random.Generator
) -> Array:
    """One synthetic row for each row, from a Gaussian of noisy mean and covariance a cluster, kept
    in [−1, 1]; shape of x. The covariance is made positive by adding 10 times its lowest
    eigenvalue's size to the diagonal, which is post-processing. A scale of 0 adds no noise."""
    out, d = np.empty_like(x), x.shape[1]
    upper = _upper(d)
    for rows, scale in zip(clusters, scales, strict=True):
        mean, covariance = moments(x[rows])
        mean = mean + _laplace(rng, scale.mean, d)
        noisy = np.empty((d, d))
        entries = covariance + _laplace(rng, scale.covariance, len(upper[0]))
        noisy[upper] = noisy.T[upper] = entries
        lowest = float(np.linalg.eigvalsh(noisy)[0])
        if lowest < 0:
            noisy += 10 * abs(lowest) * np.eye(d)
        values, vectors = eigh(noisy)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        out[rows] = mean + rng.normal(size=(len(rows), d)) @ root.T
    return np.clip(out, -1.0, 1.0)


def clusters_of_sets(
    x: Array, sets: Sequence[tuple[int, ...]], k: int, alive: Alive = unasked
) -> list[tuple[tuple[int, ...], list[Rows]]]:
    """For each set of columns its own clusters of k rows; `alive` and ValueError as `mdav`."""
    return [(columns, mdav(x[:, columns], k, alive)) for columns in sets]


def synthesised_by_sets(
    x: Array,
    found: Sequence[tuple[tuple[int, ...], Sequence[Rows]]],
    scales: Callable[[int, int, float], Scales],
    epsilon: float,
    rng: np.random.Generator,
) -> Array:
    """As `synthesised`, set by set of columns: one of g among d columns has ε·g/d, which add up to
    ε, and `scales` gives the noise of (rows of a cluster, columns of the set, its ε). A row stays
    a row of the same number over all sets."""
    out = np.empty_like(x)
    for columns, clusters in found:
        part = epsilon * len(columns) / x.shape[1]
        noise = [scales(len(rows), len(columns), part) for rows in clusters]
        out[:, columns] = synthesised(np.ascontiguousarray(x[:, columns]), clusters, noise, rng)
    return out


def _laplace(rng: np.random.Generator, scale: float, size: int) -> Array:
    return np.asarray(rng.laplace(0.0, scale, size)) if scale > 0 else np.zeros(size)
