"""A private decision tree: each node chooses its split by the exponential mechanism, and leaves
count their rows with noise (Friedman & Schuster 2010).

A row lies in one node of a level and in one leaf. So the nodes of a level are parallel, the levels
and the leaves sequential: ε = depth·ε_split + ε_leaf. Numbers are cut at the ends of cells of equal
width between public bounds, words are taken one against the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError

Rows = NDArray[np.intp]
GINI_MOVES = 2.0  # how far one row moves the score of a split at most


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows as places: `codes` (n, p) from 0 to `sizes` − 1, of words or of cells of a number, which
    are in order."""

    codes: Rows
    sizes: tuple[int, ...]
    ordered: tuple[bool, ...]


def cells(x: Array, words: Sequence[int], parts: int = 32) -> Cells:
    """Features (n, p) as places: numbers in [−1, 1] in `parts` cells of equal width, words by their
    codes; `words` holds for each feature how many words it has, 0 for a number."""
    numbers = np.array([w == 0 for w in words])
    inside = np.floor((np.clip(x, -1, 1) + 1) / 2 * parts).astype(np.intp)
    codes = np.where(numbers, np.minimum(inside, parts - 1), x.astype(np.intp))
    return Cells(codes, tuple(w or parts for w in words), tuple(map(bool, numbers)))


def candidates(table: Cells) -> NDArray[np.intp]:
    """Every split a node may choose, (splits, 2): a feature and a place of it. Right goes a number
    whose cell lies above that place, and the word at that place."""
    return np.array(
        [
            (feature, place)
            for feature, size in enumerate(table.sizes)
            for place in range(size - 1 if table.ordered[feature] else size)
        ],
        dtype=np.intp,
    ).reshape(-1, 2)


def split_scores(
    table: Cells, y: Rows, weights: Array, node: Rows, nodes: int, classes: int
) -> Array:
    """−Σ over both children of their size times their Gini impurity, for each of `nodes` and each
    of `candidates`, (nodes, splits). A row, of which there are `weights` (n,), lies in `node` (n,).

    A row that enters lowers every score by at least 0 and by less than 2: G(n) = Σn − Σn_c²/Σn is
    concave and homogeneous, so it never falls, and it rises most where one row of another class
    joins many. All scores move one way, so the exponential mechanism needs ε/2 a point, not ε/4.
    """
    out = []
    for feature, size in enumerate(table.sizes):
        key = (node * size + table.codes[:, feature]) * classes + y
        counts = np.bincount(key, weights, nodes * size * classes).astype(np.float64)
        held = counts.reshape(nodes, size, classes)
        whole = held.sum(axis=1, keepdims=True)
        left = np.asarray(held.cumsum(axis=1)[:, :-1] if table.ordered[feature] else held)
        out.append(-_impurity(left) - _impurity(whole - left))
    return np.concatenate(out, axis=1)


def _impurity(counts: Array) -> Array:
    size = counts.sum(axis=-1)
    return np.asarray(size - (counts**2).sum(axis=-1) / np.maximum(size, 1.0))


def split_strength(epsilon: float, depth: int, moved: int = 1) -> float:
    """By what a score is multiplied before the choice, for all splits together to spend `epsilon`:
    ε/(2·depth·moved), where one person moves `moved` rows. Raises ParamError for ε ≤ 0 or no depth.
    """
    if not epsilon > 0 or depth < 1:
        raise ParamError("epsilon", say("A tree needs a positive ε and a depth of 1 at least."))
    return epsilon / (GINI_MOVES * depth * moved)


def tree_noise(rng: np.random.Generator, seeds: int, table: Cells, depth: int) -> Array:
    """Gumbel noise for each candidate of each node, (seeds, nodes, splits): the largest of score
    plus noise is the choice of the exponential mechanism."""
    return rng.gumbel(size=(seeds, 2**depth - 1, len(candidates(table))))


def grow_trees(table: Cells, y: Rows, classes: int, strength: float, noise: Array) -> Rows:
    """The split that each node chooses, as numbers of `candidates`, (seeds, nodes), node i having
    the children 2i + 1 and 2i + 2: the largest of strength·score + noise from `tree_noise`. With
    noise of 0 it is the best one, which is not private."""
    table, y, weights = _gathered(table, y, classes)
    splits, depth = candidates(table), int(noise.shape[1]).bit_length()
    chosen = np.empty(noise.shape[:2], dtype=np.intp)
    root = np.zeros(len(y), dtype=np.intp)
    scores = split_scores(table, y, weights, root, 1, classes)
    chosen[:, 0] = (strength * scores + noise[:, 0]).argmax(axis=1)
    for seed, drawn in enumerate(noise if depth > 1 else ()):
        node = root
        for level in range(1, depth):
            first, nodes = 2**level - 1, 2**level
            node = 2 * node + _right(table, splits[chosen[seed, first // 2 + node]])
            scores = split_scores(table, y, weights, node, nodes, classes)
            best = (strength * scores + drawn[first : first + nodes]).argmax(axis=1)
            chosen[seed, first : first + nodes] = best
    return chosen


def _gathered(table: Cells, y: Rows, classes: int) -> tuple[Cells, Rows, Array]:
    """Equal rows as one, with how many there were."""
    sizes = (*table.sizes, classes)
    if np.prod(np.array(sizes, dtype=np.float64)) > 2.0**62:
        return table, y, np.ones(len(y))
    keys = np.ravel_multi_index((*table.codes.T, y), sizes)
    kept, weights = np.unique(keys, return_counts=True)
    *codes, classed = np.unravel_index(kept, sizes)
    packed = Cells(np.stack(codes, axis=1), table.sizes, table.ordered)
    return packed, classed, weights.astype(np.float64)


def _right(table: Cells, split: Rows) -> NDArray[np.bool_]:
    """Whether each row goes right at its own split, (n, 2)."""
    feature, place = split.T
    value = table.codes[np.arange(len(table.codes)), feature]
    above = np.array(table.ordered)[feature]
    return np.asarray(np.where(above, value > place, value == place))


def tree_leaves(table: Cells, chosen: Rows) -> Rows:
    """The leaf of each row in each tree, (seeds, 1, n), as `forest.leaf_counts` and `forest.votes`
    take them."""
    splits, nodes = candidates(table), chosen.shape[1]
    out = np.empty((len(chosen), 1, len(table.codes)), dtype=np.intp)
    for seed, tree in enumerate(chosen):
        node = np.zeros(len(table.codes), dtype=np.intp)
        while node.size and node[0] < nodes:
            node = 2 * node + 1 + _right(table, splits[tree[node]])
        out[seed, 0] = node - nodes
    return out
