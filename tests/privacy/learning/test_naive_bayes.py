"""Private naive Bayes: its sensitivities over all neighbours of small tables, the law of its noise,
the model against scikit-learn, the numbers of the facts, and what is wrong as printed."""

from itertools import product

import numpy as np
import pytest
from running import opened
from scipy.stats import kstest, laplace

from dpstudio.data.features import sample_of, split, unit
from dpstudio.privacy.learning import naive_bayes

SHAPE = naive_bayes.Shape((0, 3), 2)
ROWS = [(x, w, y) for x in (-1.0, -0.5, 0.0, 1.0) for w in (0.0, 2.0) for y in (0.0, 1.0)]
PARTS = ("counts", "sums", "squares", "cells")


def variance_sensitivity(width, n):
    """By how much one row more moves the variance of n values in a range of this width: n
    width²/(n + 1)²; tight. Its unit is that of the values, squared."""
    rows = np.asarray(n, dtype=np.float64)
    return rows * width**2 / (rows + 1) ** 2


def of(rows: list[tuple[float, float, float]]) -> naive_bayes.Statistics:
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    return naive_bayes.statistics(table[:, :2], table[:, 2], SHAPE)


def moved(one: naive_bayes.Statistics, other: naive_bayes.Statistics) -> list[float]:
    """L1 of each statistic's change."""
    return [float(np.abs(getattr(one, p) - getattr(other, p)).sum()) for p in PARTS]


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("replace", [False, True])
def test_no_neighbour_moves_a_statistic_further_and_one_moves_it_as_far(rows: int, replace: bool):
    base = [(0.3, 1.0, 0.0), (-0.2, 0.0, 1.0)]
    come = list(product(ROWS, repeat=rows)) if not replace else [(r,) * rows for r in ROWS]
    gone = come if replace else [()]
    most = np.max([moved(of([*base, *a]), of([*base, *b])) for a in come for b in gone], axis=0)
    s = naive_bayes.sensitivities(replace, rows)
    np.testing.assert_allclose(most, [s.counts, s.sums, s.squares, s.cells])


@pytest.mark.parametrize("replace", [False, True])
def test_the_loss_between_neighbours_adds_up_to_epsilon_and_as_printed_to_more(replace: bool):
    """The largest privacy loss of all Laplace noise together is Σ |change| / scale."""

    def worst(parts: naive_bayes.Split) -> float:
        scale = naive_bayes.scales(parts, replace)
        b = [getattr(scale, p) for p in PARTS]
        base = [(0.3, 1.0, 0.0)]
        others = [[*base, r] for r in ROWS]
        here = others if replace else [base]
        return max(
            float(np.sum(np.divide(moved(of(one), of(two)), b))) for one in here for two in others
        )

    right, printed = naive_bayes.split_budget(0.7, SHAPE), naive_bayes.printed_split(0.7)
    assert right.total(SHAPE) == pytest.approx(0.7)
    assert worst(right) == pytest.approx(0.7)
    assert printed.total(SHAPE) == pytest.approx(4 * 0.7)
    assert worst(printed) == pytest.approx(4 * 0.7)


def test_the_noise_has_the_law_of_its_scale():
    drawn = naive_bayes.unit_noise(SHAPE, 2_000, np.random.default_rng(3))
    scale = naive_bayes.scales(naive_bayes.Split(0.5, 0.1, 0.2, 0.4), replace=True, rows=3)
    zero = naive_bayes.Statistics(np.zeros(2), np.zeros((2, 1)), np.zeros((2, 1)), np.zeros((2, 3)))
    found = naive_bayes.noisy(zero, drawn, scale)
    for part, b in zip(PARTS, (12, 60, 30, 15), strict=True):
        assert getattr(scale, part) == pytest.approx(b)
        assert kstest(getattr(found, part).ravel(), laplace(scale=b).cdf).pvalue > 0.01


def test_models_are_those_of_scikit_learn():
    from sklearn.naive_bayes import CategoricalNB, GaussianNB

    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 200).astype(float)
    z = np.clip(rng.normal(y[:, None] / 3 - 0.3, 0.3, (200, 2)), -1, 1)
    w = rng.integers(0, 4, (200, 2)).astype(float)
    for x, shape, other in (
        (z, naive_bayes.Shape((0, 0), 3), GaussianNB(var_smoothing=0)),
        (w, naive_bayes.Shape((4, 4), 3), CategoricalNB(min_categories=4)),
    ):
        mine = naive_bayes.model_of(naive_bayes.statistics(x, y, shape), shape)
        fitted = other.fit(x, y)
        score = float(np.mean(fitted.predict(x) == y))
        assert float(
            naive_bayes.accuracies(mine, naive_bayes.design(x, shape), y)
        ) == pytest.approx(score, abs=1e-12)


FEATURES = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")


def test_adult_gives_the_numbers_of_the_facts():
    sample = sample_of(opened("adult_all"), FEATURES, "income")
    x, train, test = unit(sample), *split(48_842, 1 / 3, None)
    shape = naive_bayes.Shape((0,) * 5, 2)
    exact, rows, y = (
        naive_bayes.statistics(x[train], sample.y[train], shape),
        naive_bayes.design(x[test], shape),
        sample.y,
    )
    assert float(
        naive_bayes.accuracies(naive_bayes.model_of(exact, shape), rows, y[test])
    ) == pytest.approx(0.796388, abs=1e-6)
    assert float(np.mean(y[test] == 0)) == pytest.approx(0.7638, abs=1e-4)
    drawn = naive_bayes.unit_noise(shape, 400, np.random.default_rng(0))
    scale = naive_bayes.scales(naive_bayes.split_budget(0.1, shape), replace=False)
    found = naive_bayes.accuracies(
        naive_bayes.model_of(naive_bayes.noisy(exact, drawn, scale), shape), rows, y[test]
    )
    assert np.median(found) == pytest.approx(0.787, abs=0.003)
    low, high = np.quantile(found, [0.025, 0.975])
    assert (low, high) == (pytest.approx(0.76, abs=0.005), pytest.approx(0.804, abs=0.005))


def test_the_variance_moves_as_computed_and_not_as_printed():
    grid = np.linspace(0, 1, 5)
    for n in (1, 3):
        most = max(
            abs(np.var([*values, new]) - np.var(values))
            for values in product(grid, repeat=n)
            for new in grid
        )
        assert most == pytest.approx(float(variance_sensitivity(1.0, n)))
    # The facts' case, where the printed one is too large; on a wide range it is far too small.
    assert float(naive_bayes.printed_variance_sensitivity(1.0, 0.0, 10)) == pytest.approx(
        0.909, abs=1e-3
    )
    assert float(variance_sensitivity(1.0, 10)) == pytest.approx(0.0826, abs=1e-4)
    wide = float(variance_sensitivity(99_999, 24_720))
    assert wide > 400 * float(naive_bayes.printed_variance_sensitivity(1_000.0, 0.0, 24_720))


def test_bounds_from_the_data_let_one_row_move_a_sum_by_more_than_is_claimed():
    def scaled_sum(x: np.ndarray) -> float:
        low, high = naive_bayes.data_bounds(x)
        return float((2 * (x - low) / (high - low) - 1).sum())

    crowd = np.linspace(0, 1, 50)[:, None]
    assert abs(scaled_sum(np.vstack([crowd, [[100.0]]])) - scaled_sum(crowd)) > 40
