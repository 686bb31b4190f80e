"""Whole tables: what one person moves, by brute force; noise against its law; counts of Adult that
are known."""

import math
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from sklearn.cluster import KMeans

from dpstudio.data.cells import NOWHERE, cells_of
from dpstudio.files.assets import asset
from dpstudio.files.tables import open_table
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.privacy.synthetic import marginals, tasks
from dpstudio.privacy.synthetic.chance import ROUNDING, Exact, Seeded, laplace_gain, simplex_moved
from dpstudio.privacy.synthetic.consistency import agreed, shared, total_of
from dpstudio.privacy.synthetic.records import DIFFERENCE_MOVES, differences
from dpstudio.privacy.synthetic.tree import pair_scores

SIZES = (2, 3)


def neighbours(rows: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Every table of so many rows over 2 × 3 cells, and the same with one row more."""
    values = list(product(*map(range, SIZES)))
    return [
        (np.array([values[i] for i in table]).reshape(-1, 2), np.array([values[i] for i in (*table, more)]))
        for table in product(range(len(values)), repeat=rows)
        if list(table) == sorted(table)
        for more in range(len(values))
    ]  # fmt: skip


def test_one_row_moves_scores_and_differences_by_what_is_promised():
    rng = np.random.default_rng(2)
    ones = [
        marginals.Measured((0,), rng.uniform(0, 4, 2), 1.0),
        marginals.Measured((1,), rng.uniform(0, 4, 3), 1.0),
    ]
    moved = []
    for few, more in [pair for rows in (1, 2, 4) for pair in neighbours(rows)]:
        step = marginals.counted(more, SIZES, (0, 1)) - marginals.counted(few, SIZES, (0, 1))
        assert np.abs(step).sum() == 1
        score = pair_scores(more, SIZES, ones, [(0, 1)]) - pair_scores(few, SIZES, ones, [(0, 1)])
        assert abs(score[0]) <= 1 + 1e-12
        moved.append(abs(differences(more, SIZES, [(0, 1)]) - differences(few, SIZES, [(0, 1)]))[0])
    assert 1 < max(moved) <= DIFFERENCE_MOVES


def test_rounding_of_scores_is_paid_for_however_large_the_noise_is():
    """Margins of nothing but noise whose total happens to be small: their product by counts held
    10¹⁷ people, beside whom doubles have no room for one."""
    rng, pairs = np.random.default_rng(0), [(0, 1)]
    codes = rng.integers(0, 40, (300, 2))
    noise = 1e7 * rng.normal(size=(2, 40))
    noise -= noise.mean(1, keepdims=True)
    ones = [marginals.Measured((place,), np.rint(noise[place]), 1e7) for place in (0, 1)]
    fewer, more = (pair_scores(c, (40, 40), ones, pairs) for c in (codes[1:], codes))
    assert abs(fewer - more)[0] <= 1 + ROUNDING


def test_adult_has_the_counts_that_the_texts_print():
    train = cells_of(open_table("adult"), ("age", "marital-status"), 100, NOWHERE).codes[:32_561]
    sizes = (74, 7)
    ages = marginals.counted(train, sizes, (0,))
    assert (ages[44 - 17 : 55 - 17].sum(), ages[36 - 17], ages.max()) == (6577, 898, 898)
    pair = marginals.counted(train, sizes, (0, 1))
    assert (np.count_nonzero(pair), pair[0, 4], np.count_nonzero(pair == 1)) == (396, 393, 38)
    np.testing.assert_array_equal(pair.sum(0), [4443, 23, 14976, 418, 10683, 1025, 993])
    assert marginals.from_independent(pair) == pytest.approx(0.2615, abs=5e-5)
    assert marginals.mutual_information(pair) == pytest.approx(0.246, abs=5e-4)
    padded = np.concatenate((np.zeros(17), ages, np.zeros(9)))
    assert len(padded) == 100
    expected = {0.01: 2196, 0.05: 346, 0.1: 160, 0.5: 28.7, 1: 13.9, 2: 6.8}
    for epsilon, people in expected.items():
        assert laplace_gain(1 / epsilon, padded) == pytest.approx(people, rel=5e-3)
        assert laplace_gain(1 / epsilon, padded) == pytest.approx(
            np.sum(np.exp(-epsilon * padded)) / (2 * epsilon), rel=1e-12
        )


@pytest.mark.parametrize("count", [0, 3])
@pytest.mark.parametrize("scale", [0.4, 7.0])
def test_people_gained_by_clamping_are_the_mean_of_the_law(count: int, scale: float):
    def mean(density) -> float:
        return quad(lambda x: max(0.0, count + x) * density(x), -count, 60 * scale, limit=200)[0]

    laplace = mean(lambda x: math.exp(-abs(x) / scale) / (2 * scale)) - count
    assert laplace_gain(scale, np.array([count])) == pytest.approx(laplace, rel=1e-6)
    for least in (1.5, 4.0):
        far = quad(
            lambda x: (count + x) * math.exp(-abs(x) / scale) / (2 * scale),
            least - count, 60 * scale, points=[0], limit=200,
        )[0]  # fmt: skip
        gain = laplace_gain(scale, np.array([count]), least)
        assert gain == pytest.approx(far - count, rel=1e-6)


@pytest.mark.parametrize("scale", [1.0, 30.0])
@pytest.mark.parametrize("full", [3, 200])
def test_nearest_counts_move_as_many_people_as_is_said(scale: float, full: int):
    """On average over tables of three hundred cells, many or nearly all empty, where what is taken
    off all moves with the noise: found by halving, for each table."""
    counts = np.concatenate([np.zeros(300 - full), np.linspace(20.0, 200.0, full)])
    rng, moved = np.random.default_rng(6), []
    for _ in range(600):
        noisy = counts + rng.laplace(0, scale, 300)
        low, high = 0.0, float(noisy.max())
        for _ in range(50):
            middle = (low + high) / 2
            more = np.maximum(noisy - middle, 0).sum() > max(noisy.sum(), 1.0)
            low, high = (middle, high) if more else (low, middle)
        moved.append(np.maximum(np.maximum(noisy - low, 0) - counts, 0).sum())
    error = np.std(moved) / math.sqrt(600) + np.std(moved) / math.sqrt(333)
    said = simplex_moved(scale, counts)
    assert said == pytest.approx(np.mean(moved), abs=3 * error)
    values, times = np.unique(counts, return_counts=True)
    assert simplex_moved(scale, values, times) == pytest.approx(said)


def test_what_leaves_has_the_laws_of_what_is_looked_at():
    from random import Random

    exact, seeded = Exact(ReleaseRandom(Random(5).randrange)), Seeded(np.random.default_rng(5))
    for draw in ("laplace", "gaussian"):
        whole, real = getattr(exact, draw)(3.0, 4000), getattr(seeded, draw)(3.0, 4000)
        assert set(whole % 1) == {0.0}
        assert np.std(whole) == pytest.approx(np.std(real), rel=0.06)
    scores = np.array([0.0, 2.0, 3.0])
    odds = np.exp(0.5 * scores / 2)
    for chance in (exact, seeded):
        won = np.bincount([chance.choose(scores, 2.0, 1.0) for _ in range(3000)], minlength=3)
        np.testing.assert_allclose(won / 3000, odds / odds.sum(), atol=0.03)


def test_mended_tables_agree_add_up_and_lie_nearer_to_the_truth():
    rng = np.random.default_rng(8)
    codes = np.stack([rng.integers(0, 4, 900), np.zeros(900, np.int64), rng.integers(0, 3, 900)], 1)
    codes[:, 1] = (codes[:, 0] + (rng.random(900) < 0.3)) % 4
    sizes, chance = (4, 4, 3), Seeded(rng)
    sets = [(0,), (1,), (2,), (0, 1), (1, 2)]
    noisy = [marginals.measured(codes, sizes, columns, 8.0, chance) for columns in sets]
    assert shared(noisy) == [(0,), (1,), (2,)]
    # The mean of sums, each weighted by the inverse of its variance.
    sums, variances = [t.counts.sum() for t in noisy], [64.0 * t.counts.size for t in noisy]
    assert total_of(noisy) == pytest.approx(np.average(sums, weights=1 / np.array(variances)))
    made = agreed(noisy, total_of(noisy), rounds=12)
    for each in made:
        assert each.counts.min() >= 0
        assert each.counts.sum() == pytest.approx(total_of(noisy))
    np.testing.assert_allclose(made[3].counts.sum(0), made[4].counts.sum(1), atol=1.0)
    errors = [
        [
            np.sum(np.abs(each.counts - marginals.counted(codes, sizes, each.columns)))
            for each in tables
        ]
        for tables in (noisy, made)
    ]
    assert sum(errors[1]) < 0.8 * sum(errors[0])


def test_distances_are_those_of_their_definitions():
    a, b, at = np.array([1.0, 2, 1]), np.array([2.0, 0, 2]), np.array([0.0, 1, 3])
    assert marginals.total_variation(a, b) == 0.5
    assert marginals.kolmogorov(a, b) == 0.25
    # A quarter goes from 1 to 0, a quarter from 1 to 3.
    assert marginals.wasserstein(a, b, at) == pytest.approx(0.25 * 1 + 0.25 * 2)
    assert marginals.mutual_information(np.diag([5.0, 5.0])) == pytest.approx(math.log(2))
    assert marginals.cramers_v(np.diag([5.0, 3.0, 2.0])) == pytest.approx(1)
    assert marginals.cramers_v(np.outer([1.0, 2], [3.0, 4, 0])) == pytest.approx(0, abs=1e-12)
    assert marginals.cramers_v(np.array([[1.0, 2, 3]])) == 0
    # One person who is made up, with a word that nobody has, changes nothing that is looked at.
    true = np.array([[30.0, 10, 0], [10, 30, 0], [0, 0, 0]])
    made = true + np.diag([0.0, 0, 1])
    assert marginals.cramers_v(made) == pytest.approx(0.79, abs=0.01)
    assert marginals.cramers_v(made, true) == marginals.cramers_v(true) == pytest.approx(0.5)
    rows = np.random.default_rng(5).integers(0, 4, (50, 2))
    rows[:, 1] = np.maximum(rows[:, 1], rows[:, 0])
    assert marginals.correlation(marginals.counted(rows, (4, 4), (0, 1))) == pytest.approx(
        np.corrcoef(rows.T)[0, 1]
    )
    assert marginals.correlation(np.array([[1.0, 2, 3]])) == 0
    pairs = list(combinations(range(3), 2))
    codes = np.array([[0, 0, 1], [1, 1, 0], [1, 1, 1]])
    np.testing.assert_allclose(differences(codes, (2, 2, 2), pairs), [8 / 3, 4 / 3, 4 / 3])


def test_tasks_and_attacks_are_those_of_their_definitions():
    rng = np.random.default_rng(4)
    table, asked = rng.integers(0, 3, (40, 4)), rng.integers(0, 3, (11, 4))
    far = (asked[:, None] != table[None]).sum(2)
    where, least = tasks.nearest(asked, table)
    np.testing.assert_array_equal(least, far.min(1))
    np.testing.assert_array_equal(far[np.arange(11), where], far.min(1))
    # The only row of its kind tells its own class; with all as neighbours the commonest wins.
    label = (table[:, 0] + table[:, 1]) % 2
    commonest = np.bincount(label).argmax()
    assert set(tasks.told(table, label, asked, 2, 40)) == {commonest}
    unique = np.array([[0, 0], [1, 1], [2, 2]])
    np.testing.assert_array_equal(tasks.told(unique, np.arange(3), unique, 3, 1), np.arange(3))
    # A machine tells what one column decides, and a class that is alone is all that it knows.
    right = tasks.separated((table, table[:, 1]), asked, (3,) * 4, (0,) * 4)
    np.testing.assert_array_equal(right, asked[:, 1])
    assert set(tasks.separated((table, np.full(40, 2)), asked, (3,) * 4, (0,) * 4)) == {2}
    # Of a hundred cells it learns from 40 rows where they have an order.
    many = rng.permutation(100)[:, None]
    known, rest, upper = many[:40], many[40:], (many[:, 0] >= 50).astype(np.int64)
    for steps, least, most in ((100, 0.9, 1), (0, 0, 0.7)):
        found = tasks.separated((known, upper[:40]), rest, (100,), (steps,))
        assert least <= np.mean(found == upper[40:]) <= most
    # A number of three cells and one for what is missing, beside two words.
    scales = tasks.on_scales(np.array([[0, 1], [1, 0], [2, 0], [3, 1]]), (4, 2), (3, 0))
    told_ = [[-1, 0, 0, 1], [0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1]]
    np.testing.assert_array_equal(scales, told_)
    # Least squares of a number that a word tells has next to no error.
    error = tasks.squared_error((table, 2.0 * table[:, 1]), (asked, 2.0 * asked[:, 1]), (3,) * 4)
    assert error < 0.01 * np.var(2.0 * asked[:, 1])
    # Two groups that lie apart are found, whatever they are called.
    apart = np.concatenate([rng.normal(0, 0.1, (30, 2)), rng.normal(2, 0.1, (20, 2))])
    found = tasks.groups(apart, tasks.two_centres(apart))
    assert tasks.agreement(found, np.repeat([0, 1], [30, 20])) == pytest.approx(1)
    assert tasks.agreement(found, np.arange(50) % 2) < 0.1
    assert tasks.agreement(found, np.zeros(50, np.int64)) == 0
    # Also where the farthest row is one alone, from which one start would not come to them.
    odd = np.vstack([np.repeat([[0, 0], [0, 1.0]], [30, 20], axis=0), [[1.4, 0.5]]])
    far = [np.min([np.sum((odd - c) ** 2, 1) for c in tasks.two_centres(odd)], axis=0).sum()]
    far.append(KMeans(2, n_init=50, random_state=0).fit(odd).inertia_)
    assert far[0] == pytest.approx(far[1])
    assert tasks.rate(0, 10).low == 0
    assert tasks.rate(5, 10).low + tasks.rate(5, 10).high == pytest.approx(1)
    # Of its own rows a table gives everything away, where all are unique.
    own = np.array([[i // 3, i % 3, i, i] for i in range(9)])
    assert tasks.inferred(own, own, 3).right == tasks.linked(own, own).right == 1
    assert tasks.singled_out(own, own, 9).right == 1
    assert tasks.singled_out(own, np.vstack([own, own]), 9).right == 0
    # Guesses are the first ones of a table in an order by lot, not those of its least values.
    assert tasks.singled_out(own[::-1], own[:4], 5).right == 0


def test_a_grid_search_by_f1_tells_no_better() -> None:
    """On Pima's rows, as the companion says of the texts' SVM: the best F1 of a grid by
    cross-validation, against C = 10 alone."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    table = pd.read_csv(asset("tables/pima.csv.xz"))
    x = table[["pregnancies", "glucose", "body mass index", "age"]].to_numpy(float)
    x, y = 2 * (x - x.min(0)) / np.ptp(x, axis=0) - 1, (table["diabetes"] == "yes").to_numpy()
    found = []
    for seed in range(6):
        lot = np.random.default_rng(seed).permutation(len(x))
        learnt, tried = lot[:614], lot[614:]
        grid = GridSearchCV(SVC(), {"C": [1, 10], "gamma": [0.1, "scale"]}, scoring="f1", cv=3)
        for machine in (grid, SVC(C=10)):
            told = machine.fit(x[learnt], y[learnt]).predict(x[tried])
            found.append(np.mean(told == y[tried]))
    searched, here = np.reshape(found, (-1, 2)).mean(0)
    assert searched == pytest.approx(0.76, abs=0.015)
    assert here == pytest.approx(0.76, abs=0.015)
