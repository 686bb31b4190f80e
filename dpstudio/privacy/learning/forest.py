"""Random trees with noisy counts in their leaves: all splits are drawn without a look at the rows,
so that only the counts cost (Jagannathan, Pillaipakkamnatt & Wright 2009).

A row lies in one leaf of a tree, and is counted there once, with its class: over the leaves the
counts are parallel. Over the trees they are sequential where every tree counts all rows, or
parallel where every row is dealt to one tree by lot (Fletcher & Islam 2017, without their smooth
sensitivity).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.queries.query import REPLACE
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError

Rows = NDArray[np.intp]
ALL, DEALT = "all", "dealt"  # every tree counts all rows, or each row is dealt to one tree


@dataclass(frozen=True, eq=False)
class Forest:
    """Complete trees of one depth: node i has the children 2i + 1, left, and 2i + 2. A node asks
    for `feature` (seeds, trees, nodes): a number goes right from its `threshold` on, same shape, a
    word where `rights` (seeds, trees, nodes, words) says so."""

    feature: Rows
    threshold: Array
    rights: NDArray[np.bool_]
    words: tuple[int, ...]
    depth: int


def grow(
    rng: np.random.Generator, seeds: int, trees: int, depth: int, words: Sequence[int]
) -> Forest:
    """Random trees: each node asks for a feature by lot, a number at a place uniform in what its
    ancestors have left of [−1, 1], a word by a coin for each.

    `words` holds for each feature how many words it has, 0 for a number. Raises ParamError for a
    forest without trees or depth.
    """
    if trees < 1 or depth < 1 or not words:
        raise ParamError("trees", say("A forest has trees, a depth and features of 1 at least."))
    nodes, p = 2**depth - 1, len(words)
    feature = rng.integers(0, p, (seeds, trees, nodes))
    share = rng.random((seeds, trees, nodes))
    box = np.empty((seeds, trees, nodes, p, 2))
    box[:, :, 0] = (-1.0, 1.0)
    threshold = np.empty((seeds, trees, nodes))
    at = np.indices((seeds, trees), sparse=True)
    for node in range(nodes):
        low, high = np.moveaxis(box[(*at, node, feature[:, :, node])], -1, 0)
        threshold[:, :, node] = low + share[:, :, node] * (high - low)
        for child, end in ((2 * node + 1, 1), (2 * node + 2, 0)):
            if child < nodes:
                box[:, :, child] = box[:, :, node]
                box[(*at, child, feature[:, :, node], end)] = threshold[:, :, node]
    rights = rng.random((seeds, trees, nodes, max(1, *words))) < 0.5
    return Forest(feature, threshold, rights, tuple(words), depth)


def leaves(forest: Forest, x: Array) -> Rows:
    """The leaf that each row (n, p) lies in, from 0 to 2^depth − 1: (seeds, trees, n)."""
    seeds, trees, nodes = forest.feature.shape
    every, many = seeds * trees, forest.rights.shape[-1]
    feature, threshold = forest.feature.reshape(every, -1), forest.threshold.reshape(every, -1)
    worded, rights = np.array(forest.words) > 0, forest.rights.reshape(-1)
    out = np.empty((every, len(x)), dtype=np.intp)
    for tree in range(every):  # a tree at a time stays in the cache
        node = np.zeros(len(x), dtype=np.intp)
        for _ in range(forest.depth):
            asked = feature[tree][node]
            value = x[np.arange(len(x)), asked]
            right = value >= threshold[tree][node]
            if worded.any():
                words = worded[asked]
                place = (tree * nodes + node[words]) * many + value[words].astype(np.intp)
                right[words] = rights[place]
            node = 2 * node + 1 + right
        out[tree] = node - nodes
    return out.reshape(seeds, trees, len(x))


def leaf_counts(where: Rows, y: Rows, classes: int, depth: int, dealt: Rows | None = None) -> Array:
    """Rows of each class in each leaf, (seeds, trees, 2^depth, classes), for leaves from `leaves`
    and classes `y` (n,) from 0 on. `dealt` (n,) holds the tree that counts each row; None: all."""
    seeds, trees, _ = where.shape
    cells = 2**depth * classes
    out = np.empty((seeds, trees, cells))
    for tree in range(trees):
        rows = slice(None) if dealt is None else dealt == tree
        for seed in range(seeds):
            held = where[seed, tree, rows] * classes + y[rows]
            out[seed, tree] = np.bincount(held, minlength=cells)
    return out.reshape(seeds, trees, 2**depth, classes)


def leaf_scale(epsilon: float, trees: int, sharing: str, adjacency: str, most: int = 1) -> float:
    """Scale of the Laplace noise on each count: L1 sensitivity over ε. A row is counted once in
    each tree, or in one (`sharing`); replaced, it leaves one count and joins another. Raises
    ParamError for ε ≤ 0."""
    if not epsilon > 0:
        raise ParamError("epsilon", say("This is a positive number."))
    counted = trees if sharing == ALL else 1
    return counted * most * (2 if adjacency == REPLACE else 1) / epsilon


def leaf_noise(rng: np.random.Generator, counts: Array) -> Array:
    """Laplace noise of scale 1, of the shape of `counts`."""
    return LaplaceLaw(1.0).sample(rng, counts.size).reshape(counts.shape)


def votes(counts: Array, where: Rows) -> Array:
    """The share of each class in the leaf of a row, as far as (noisy) counts are positive, summed
    over the trees: (seeds, n, classes). Its largest is the class that is told."""
    seeds, trees, n = where.shape
    held = np.maximum(counts, 0.0)
    whole = held.sum(axis=-1, keepdims=True)
    shares = np.where(whole > 0, held / np.where(whole > 0, whole, 1.0), 1 / counts.shape[-1])
    out = np.zeros((seeds, n, counts.shape[-1]))
    at = np.arange(seeds)[:, None]
    for tree in range(trees):
        out += shares[at, tree, where[:, tree]]
    return out
