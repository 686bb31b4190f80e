"""Synthetic tables: what is drawn has the law of what was measured; the promise adds up; clusters
keep their sizes and their noise."""

import math
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import pytest

from dpstudio.data.cells import cells_of
from dpstudio.files.tables import open_table
from dpstudio.privacy.synthetic import clusters, records
from dpstudio.privacy.synthetic import tree as synthetic_tree
from dpstudio.privacy.synthetic.chance import Seeded
from dpstudio.privacy.synthetic.marginals import Measured, counted, total_variation
from dpstudio.privacy.synthetic.weights import weighted


class Recorded(Seeded):
    """Chance that remembers what it was asked for: the price of a measurement can be added up."""

    def __init__(self, seed: int):
        super().__init__(np.random.default_rng(seed))
        object.__setattr__(self, "rho", [])

    def gaussian(self, sigma: float, size: int) -> np.ndarray:
        self.rho.append((sigma, size))
        return super().gaussian(sigma, size)

    def choose(self, scores: np.ndarray, sensitivity: float, epsilon: float) -> int:
        assert sensitivity == 1
        self.rho.append(epsilon**2 / 8)
        return super().choose(scores, sensitivity, epsilon)


def price(chance: Recorded, first_moves: float = 1.0) -> float:
    """ρ of all that was asked: counts of a partition move by 1 (L2), the differences of PrivSyn by
    4 each."""
    told = [1 / (2 * each[0] ** 2) if isinstance(each, tuple) else each for each in chance.rho]
    return sum(told) + (first_moves - 1) * told[0]


def linked(rows: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 4, rows)
    b = (a + (rng.random(rows) < 0.2)) % 4
    c = np.where(rng.random(rows) < 0.9, b // 2, rng.integers(0, 2, rows))
    return np.stack([a, b, c, rng.integers(0, 3, rows)], 1)


SIZES = (4, 4, 2, 3)


@pytest.mark.parametrize("rho", [0.01, 0.7])
def test_what_is_measured_costs_what_is_promised(rho: float):
    chance = Recorded(1)
    synthetic_tree.grown(linked(500, 1), SIZES, rho, chance)
    assert price(chance) == pytest.approx(rho)
    chance = Recorded(1)
    records.aims(linked(500, 1), SIZES, rho, chance)
    pairs = 6
    assert chance.rho[0] == (records.STEPS * records.difference_sigma(pairs, 0.1 * rho), pairs)
    moves = (records.DIFFERENCE_MOVES * records.STEPS) ** 2 * pairs
    assert price(chance, first_moves=moves) == pytest.approx(rho)
    assert synthetic_tree.one_way_sigma(4, rho) ** 2 * 2 * rho == pytest.approx(4)
    assert synthetic_tree.choice_epsilon(4, rho) ** 2 / 8 * 3 == pytest.approx(rho)
    # The split of least error: no other gives less, by a search.
    many = np.array([10.0, 200.0])
    best = np.sum(many / np.sqrt(records.split_of(many, rho)))
    share = np.linspace(0.01, 0.99, 99)
    assert best <= np.min(many[0] / np.sqrt(rho * share) + many[1] / np.sqrt(rho * (1 - share)))


def test_a_tree_without_noise_draws_the_law_of_its_pairs():
    codes = linked(4000, 2)
    tree = synthetic_tree.grown(codes, SIZES, 1e9, Seeded(np.random.default_rng(1)))
    edges = [each.columns for each in tree.twos]
    assert {(0, 1), (1, 2)} <= set(edges)
    table = synthetic_tree.drawn(tree, 4000, np.random.default_rng(2))
    for edge in edges:
        assert total_variation(counted(codes, SIZES, edge), counted(table, SIZES, edge)) < 0.01
    # The law of largest entropy by brute force: pairs over inner columns.
    three = synthetic_tree.Tree(tree.noisy[:3], tree.ones[:3], (Measured((0, 1), counted(codes, SIZES, (0, 1)), 1.0),
                                 Measured((1, 2), counted(codes, SIZES, (1, 2)), 1.0)), 4000.0)  # fmt: skip
    many = synthetic_tree.drawn(three, 200_000, np.random.default_rng(3))
    first, second = three.twos[0].counts, three.twos[1].counts
    law = np.einsum("ab,bc->abc", first / 4000, second / second.sum(1, keepdims=True))
    assert total_variation(counted(many, SIZES, (0, 1, 2)), law) < 0.005


def test_trees_have_no_circle_and_the_best_edges_at_a_large_epsilon():
    pairs = list(combinations(range(5), 2))
    scores = np.random.default_rng(4).uniform(0, 100, len(pairs))
    edges = synthetic_tree.chosen_tree(scores, pairs, 1e4, Seeded(np.random.default_rng(1)))
    assert {a for _, _, a in synthetic_tree.outwards(edges)} | {edges[0][0]} == set(range(5))
    weight = dict(zip(pairs, scores, strict=True))
    spanning = [
        sum(weight[edge] for edge in four)
        for four in combinations(pairs, 4)
        if len({frozenset(g) for g in groups(four)}) == 1
    ]
    assert sum(weight[edge] for edge in edges) == pytest.approx(max(spanning))


def groups(edges: tuple[tuple[int, int], ...]) -> list[set[int]]:
    of = [{i} for i in range(5)]
    for a, b in edges:
        joined = of[a] | of[b]
        for i in joined:
            of[i] = joined
    return of


def test_whole_numbers_of_rows_are_right_on_average():
    rng, shares = np.random.default_rng(5), np.array([0.1, 2.0, 0.0, 3.33])
    many = np.array([synthetic_tree.rounded(shares, 7, rng) for _ in range(4000)])
    assert set(many.sum(1)) == {7}
    assert not many[:, 2].any()
    mean = 7 * shares / shares.sum()
    assert np.all(np.abs(many - mean) < 1)
    np.testing.assert_allclose(many.mean(0), mean, atol=0.03)


def test_records_come_to_match_their_aims():
    codes, rng = linked(3000, 6), np.random.default_rng(7)
    aim = records.aims(codes, SIZES, 1e6, Seeded(rng))
    pair = next(each for each in aim.twos if each.columns == (0, 1))
    far = [
        total_variation(pair.counts, counted(table, SIZES, (0, 1)))
        for table in records.updated(aim, 3000, rng)
    ]
    assert far[0] > 0.3
    assert far[-1] < 0.03
    adult = cells_of(open_table("adult"), ("age", "sex", "income", "hours-per-week"))
    few = records.aims(adult.codes, adult.sizes, 1e-6, Seeded(rng))  # noise beyond all measure
    for table in records.updated(few, 100, rng, rounds=2):
        assert np.all((table >= 0) & (table < adult.sizes))


def test_multiplicative_weights_come_nearer():
    rng = np.random.default_rng(9)
    truth = np.bincount(rng.integers(0, 6, 2000) + rng.integers(0, 6, 2000), minlength=11) + 0.0
    queries = np.triu(np.ones((11, 11)))
    worst = [
        np.max(np.abs(queries @ (turn.counts - truth)))
        for turn in weighted(truth, queries, 2000, 20.0, 20, Seeded(rng))
    ]
    assert worst[-1] < worst[0] / 3
    with pytest.raises(ValueError, match="between 0 and 1"):
        next(weighted(truth, 2 * queries, 2000, 1.0, 2, Seeded(rng)))


@dataclass
class Transcript:
    """Chance that gives the choices and answers that are written, and adds up how likely they
    are."""

    choices: list[int]
    answers: list[float]
    exact: np.ndarray
    turn: int = 0
    log: float = 0.0

    def choose(self, scores: np.ndarray, sensitivity: float, epsilon: float) -> int:
        odds, chosen = epsilon * scores / (2 * sensitivity), self.choices[self.turn]
        self.log += float(odds[chosen] - np.log(np.exp(odds).sum()))
        return chosen

    def laplace(self, scale: float, size: int) -> np.ndarray:
        noise = self.answers[self.turn] - self.exact[self.choices[self.turn]]
        self.log -= abs(noise) / scale
        self.turn += 1
        return np.full(size, noise)


def test_no_transcript_of_multiplicative_weights_tells_more_than_its_epsilon():
    """What leaves, likelier at most e^ε times where somebody of a public number is another, over
    tables, questions and transcripts."""
    rng, epsilon, turns, most = np.random.default_rng(6), 1.5, 3, 0.0
    for _ in range(150):
        truth, queries = rng.multinomial(20, np.full(4, 0.25)), rng.integers(0, 2, (5, 4))
        here, there = int(np.argmax(truth)), int(rng.integers(4))
        sides = truth, truth - np.eye(4)[here] + np.eye(4)[there]
        choices = rng.integers(0, 5, turns).tolist()
        answers = rng.choice([-5.0, 10.0, 25.0], turns).tolist()
        logs = []
        for side in sides:
            chance = Transcript(choices, answers, queries @ side)
            list(weighted(side, queries, 20.0, epsilon, turns, chance))  # type: ignore[arg-type]
            logs.append(chance.log)
        most = max(most, abs(logs[0] - logs[1]))
    assert 0.5 * epsilon < most <= epsilon


def test_clusters_have_k_rows_and_every_row_one():
    x = np.random.default_rng(1).uniform(-1, 1, (103, 3))
    for made in (clusters.mdav(x, 10), clusters.ordered_clusters(x, 10)):
        assert sorted(np.concatenate(made)) == list(range(103))
        assert all(10 <= len(rows) <= 19 for rows in made)
    with pytest.raises(ValueError, match="at least one row"):
        clusters.mdav(x, 104)


def test_the_noise_of_a_fixed_cluster_is_what_its_neighbours_need():
    """Brute force over a replaced row at the corners, where moves are largest."""
    rng, size, d = np.random.default_rng(2), 5, 2
    corners = [np.array(each, dtype=float) for each in product((-1, 1), repeat=d)]
    most_mean = most_covariance = 0.0
    upper = np.triu_indices(d)
    for _ in range(40):
        rows = np.array([corners[i] for i in rng.integers(0, 4, size - 1)])
        for old, new in product(corners, repeat=2):
            a, b = np.vstack([rows, old]), np.vstack([rows, new])
            most_mean = max(most_mean, np.sum(np.abs(a.mean(0) - b.mean(0))))
            apart = np.cov(a.T, bias=True) - np.cov(b.T, bias=True)
            most_covariance = max(most_covariance, np.sum(np.abs(apart[upper])))
    scales = clusters.fixed_scales(size, d, 1.0)
    assert most_mean == pytest.approx(scales.mean * clusters.MEAN_SHARE)
    assert most_covariance <= scales.covariance * (1 - clusters.MEAN_SHARE)
    assert 4 * (size - 1) / size**2 <= 2 * d * (d + 1) / size / len(upper[0])
    assert clusters.printed_scales(size, d, 1.0, 700).mean == pytest.approx(scales.mean / 700)
    assert clusters.insensitive_scales(700, 5, d, 1.0).mean == pytest.approx(140 * scales.mean)


def test_replacing_a_row_moves_at_most_one_row_of_each_ordered_cluster():
    rng = np.random.default_rng(3)
    for _ in range(50):
        x = rng.uniform(-1, 1, (23, 2))
        y = x.copy()
        y[rng.integers(23)] = rng.uniform(-1, 1, 2)
        for a, b in zip(
            clusters.ordered_clusters(x, 4), clusters.ordered_clusters(y, 4), strict=True
        ):
            gone = {tuple(row) for row in x[a]} - {tuple(row) for row in y[b]}
            assert len(gone) <= 1


def test_synthetic_rows_keep_a_cluster_and_its_sets_where_there_is_no_noise():
    rng = np.random.default_rng(4)
    x = np.clip(rng.normal(0, 0.2, (400, 2)) @ np.array([[1, 0.8], [0, 0.6]]), -1, 1)
    made = clusters.synthesised(x, [np.arange(400)], [clusters.fixed_scales(400, 2, math.inf)], rng)
    np.testing.assert_allclose(np.cov(made.T), np.cov(x.T), atol=0.01)
    # Two columns that say the same, and six of their own; how much chance was used before them is
    # a matter of the library's version.
    rng = np.random.default_rng(5)
    eight = rng.uniform(-1, 1, (700, 8))
    eight[:, 7] = np.clip(eight[:, 0] + rng.normal(0, 0.2, 700), -1, 1)
    assert clusters.feature_sets(eight) == [(0, 7), *((i,) for i in range(1, 7))]
    parts = []

    def scales(size: int, columns: int, epsilon: float) -> clusters.Scales:
        parts.append(epsilon)
        return clusters.Scales(0.0, 0.0)

    found = clusters.clusters_of_sets(eight, clusters.feature_sets(eight), 700)
    again = clusters.synthesised_by_sets(eight, found, scales, 0.8, rng)
    assert sum(parts) == pytest.approx(0.8)
    assert np.corrcoef(again.T)[0, 7] == pytest.approx(np.corrcoef(eight.T)[0, 7], abs=0.05)
