"""Random trees with noisy leaves: where rows fall, what one row moves, and what the trees tell."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpstudio.files.assets import asset
from dpstudio.privacy.learning import forest
from dpstudio.values.parameters import ParamError

RNG = np.random.default_rng
WORDS = (0, 3, 0)


def rows(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.column_stack([rng.uniform(-1, 1, n), rng.integers(0, 3, n), rng.uniform(-1, 1, n)])


def test_rows_fall_as_each_node_says() -> None:
    """Against a walk node by node; and every node still parts the box that its ancestors left."""
    grown, x = forest.grow(RNG(1), 2, 3, 4, WORDS), rows(RNG(2), 50)
    found = forest.leaves(grown, x)
    for seed, tree, row in itertools.product(range(2), range(3), range(50)):
        node, box = 0, {0: [-1.0, 1.0], 2: [-1.0, 1.0]}
        while node < 15:
            asked = grown.feature[seed, tree, node]
            value, at = x[row, asked], grown.threshold[seed, tree, node]
            if WORDS[asked]:
                right = grown.rights[seed, tree, node, int(value)]
            else:
                assert box[asked][0] <= at <= box[asked][1]
                right = value >= at
                box[asked][0 if right else 1] = at
            node = 2 * node + 1 + right
        assert found[seed, tree, row] == node - 15
    with pytest.raises(ParamError):
        forest.grow(RNG(1), 2, 0, 4, WORDS)


@pytest.mark.parametrize("sharing", [forest.ALL, forest.DEALT])
@pytest.mark.parametrize("adjacency", ["add_remove", "replace"])
def test_a_row_moves_the_counts_as_far_as_claimed(sharing: str, adjacency: str) -> None:
    """A row that enters, or all rows in the place of another, with the trees and the lots fixed."""
    trees, depth = 3, 2
    rng = RNG(3)
    grown, x, y = forest.grow(rng, 1, trees, depth, WORDS), rows(rng, 40), rng.integers(0, 2, 40)
    where = forest.leaves(grown, x)
    lots = rng.integers(0, trees, 40)

    def counts(chosen: list[int], last: int) -> np.ndarray:
        dealt = np.append(lots[:5], lots[last])[: len(chosen)] if sharing == forest.DEALT else None
        return forest.leaf_counts(where[:, :, chosen], y[chosen], 2, depth, dealt)

    few = list(range(5))
    after = [counts([*few, new], new) for new in range(5, 40)]
    if adjacency == "replace":
        moves = [np.abs(a - b).sum() for a, b in itertools.combinations(after, 2)]
    else:
        moves = [np.abs(a - counts(few, 0)).sum() for a in after]
    assert max(moves) == forest.leaf_scale(1.0, trees, sharing, adjacency)
    assert forest.leaf_scale(0.5, trees, sharing, adjacency, 4) == 8 * max(moves)
    with pytest.raises(ParamError):
        forest.leaf_scale(0.0, trees, sharing, adjacency)


def test_a_tree_tells_the_classes_of_its_leaf() -> None:
    rng = RNG(4)
    grown, x, y = forest.grow(rng, 1, 1, 3, WORDS), rows(rng, 400), rng.integers(0, 3, 400)
    where = forest.leaves(grown, x)
    counts = forest.leaf_counts(where, y, 3, 3)
    shares = pd.crosstab(where[0, 0], y, normalize="index").loc[where[0, 0]].to_numpy()
    np.testing.assert_allclose(forest.votes(counts, where)[0], shares)
    np.testing.assert_allclose(forest.votes(-counts, where)[0], 1 / 3)
    noise = forest.leaf_noise(rng, np.zeros((20, 10, 8, 2)))
    assert stats.kstest(noise.ravel(), stats.laplace.cdf).pvalue > 0.01


def test_what_random_trees_tell_on_adult() -> None:
    """Ten trees of depth 8 over five numbers: between the majority and a logistic model, and hardly
    worse at ε = .1, since nothing but the leaves is paid for."""
    table = pd.read_csv(asset("tables", "adult.csv.xz"))
    low, high = np.array([17, 1, 0, 0, 1]), np.array([90, 16, 99_999, 4356, 99])
    names = ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    x = 2 * (table[names].to_numpy(float) - low) / (high - low) - 1
    y = (table["income"] == ">50K").to_numpy(np.intp)
    x, y, test_x, test_y = x[:32_561], y[:32_561], x[32_561::4], y[32_561::4]
    rng = RNG(5)
    grown = forest.grow(rng, 8, 10, 8, [0] * 5)
    counts = forest.leaf_counts(forest.leaves(grown, x), y, 2, 8)
    noise, where = forest.leaf_noise(rng, counts), forest.leaves(grown, test_x)

    def right(scale: float) -> float:
        told = forest.votes(counts + scale * noise, where).argmax(axis=-1)
        return float((told == test_y).mean())

    found = [
        right(0.0),
        *(right(forest.leaf_scale(e, 10, forest.ALL, "add_remove")) for e in (0.1, 0.01)),
    ]
    assert found == pytest.approx([0.793, 0.786, 0.772], abs=0.01)
    assert found[2] > 1 - test_y.mean()
