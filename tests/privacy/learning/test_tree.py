"""A private decision tree: what a row moves, the law of a choice, and how well it tells."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from sklearn.tree import DecisionTreeClassifier

from dpstudio.files.assets import asset
from dpstudio.privacy.learning import forest, tree
from dpstudio.values.parameters import ParamError

RNG = np.random.default_rng


def small(rows: list[tuple[int, int, int]]) -> tuple[tree.Cells, np.ndarray, np.ndarray]:
    """Rows of a cell of a number, a word and a class."""
    held = np.array(rows, dtype=np.intp).reshape(-1, 3)
    return tree.Cells(held[:, :2], (3, 2), (True, False)), held[:, 2], np.ones(len(held))


def root_scores(rows: list[tuple[int, int, int]]) -> np.ndarray:
    table, y, weights = small(rows)
    return tree.split_scores(table, y, weights, np.zeros(len(y), dtype=np.intp), 1, 2)[0]


def test_a_row_lowers_all_scores_by_less_than_2_and_moves_the_choice_by_its_epsilon() -> None:
    """All tables of up to three kinds of rows, and long ones where the bound is nearly met."""
    kinds = list(itertools.product(range(3), range(2), range(2)))
    strength = tree.split_strength(0.8, 2)
    for size in range(4):
        for rows in itertools.combinations_with_replacement(kinds, size):
            before = root_scores(list(rows))
            for new in kinds:
                after = root_scores([*rows, new])
                assert (after <= before + 1e-12).all()
                assert (after > before - tree.GINI_MOVES).all()
                laws = [special.log_softmax(strength * q) for q in (before, after)]
                assert np.abs(laws[0] - laws[1]).max() <= 0.4 + 1e-12
    many = [(0, 0, 0)] * 99
    assert (root_scores(many) - root_scores([*many, (0, 0, 1)])).max() > 1.97
    assert tree.split_strength(0.8, 2, moved=2) == strength / 2
    with pytest.raises(ParamError):
        tree.split_strength(0.8, 0)


def test_a_node_chooses_by_the_exponential_mechanism() -> None:
    rng = RNG(1)
    rows = [tuple(row) for row in rng.integers(0, (3, 2, 2), (30, 3))]
    table, y, _ = small(rows)
    strength = tree.split_strength(1.0, 1)
    chosen = tree.grow_trees(table, y, 2, strength, tree.tree_noise(rng, 4000, table, 1))[:, 0]
    expected = 4000 * special.softmax(strength * root_scores(rows))
    seen = np.bincount(chosen, minlength=len(expected))
    assert stats.chisquare(seen, expected).pvalue > 0.01


def test_what_a_tree_tells_on_adult() -> None:
    """Without noise as scikit-learn's tree; at ε = 1 and .1, half for the splits, better than a
    logistic model of the same five numbers."""
    table = pd.read_csv(asset("tables", "adult.csv.xz"))
    low, high = np.array([17, 1, 0, 0, 1]), np.array([90, 16, 99_999, 4356, 99])
    names = ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    held = tree.cells(2 * (table[names].to_numpy(float) - low) / (high - low) - 1, [0] * 5)
    y = (table["income"] == ">50K").to_numpy(np.intp)
    train, test = (
        tree.Cells(held.codes[part], held.sizes, held.ordered)
        for part in (slice(32_561), slice(32_561, None))
    )
    y, test_y, rng = y[:32_561], y[32_561:], RNG(2)

    def told(strength: float, noise: np.ndarray, scale: float) -> np.ndarray:
        chosen = tree.grow_trees(train, y, 2, strength, noise)
        counts = forest.leaf_counts(tree.tree_leaves(train, chosen), y, 2, 5)
        counts += scale * forest.leaf_noise(rng, counts)
        return forest.votes(counts, tree.tree_leaves(test, chosen)).argmax(axis=-1)

    noise = tree.tree_noise(rng, 20, train, 5)
    theirs = DecisionTreeClassifier(max_depth=5, random_state=0).fit(train.codes, y)
    assert (told(1.0, 0 * noise[:1], 0.0)[0] == theirs.predict(test.codes)).mean() > 0.999
    for epsilon, expected in ((1.0, 0.819), (0.1, 0.800)):
        scale = forest.leaf_scale(epsilon / 2, 1, forest.ALL, "add_remove")
        found = told(tree.split_strength(epsilon / 2, 5), noise, scale)
        assert np.median((found == test_y).mean(axis=1)) == pytest.approx(expected, abs=0.01)


def test_numbers_fall_into_cells_and_words_keep_their_codes() -> None:
    held = tree.cells(np.array([[-1.0, 2.0], [0.999, 0.0], [1.0, 1.0], [-0.01, 1.0]]), [0, 3], 4)
    np.testing.assert_array_equal(held.codes, [[0, 2], [3, 0], [3, 1], [1, 1]])
    assert held.sizes == (4, 3)
    assert len(tree.candidates(held)) == 3 + 3
