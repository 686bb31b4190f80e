"""Logistic regression: its minimisers, how far one person moves them, and the densities of what
leaves."""

import itertools
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression

from dpstudio.files.assets import asset
from dpstudio.privacy.learning import logistic, logistic_noise
from dpstudio.values.parameters import ParamError

RNG = np.random.default_rng


def output_perturbed(x, y, epsilons, ridge, noise):
    """ε-DP models for each ε: the exact minimiser (d,), which does not leave, and (epsilons, seeds,
    d) with noise from `unit_noise` (seeds, d), the same at every ε."""
    exact = logistic.fit(x, y, ridge.strength)[0]
    scales = np.array([logistic_noise.output_scale(float(e), ridge) for e in epsilons])
    return exact, exact + scales[:, None, None] * noise


def table(n: int = 200, p: int = 3, seed: int = 1):
    rng = RNG(seed)
    x = logistic.with_bias(rng.uniform(-1, 1, (n, p)))
    y = np.where(x @ rng.normal(size=p + 1) + rng.normal(size=n) / 4 > 0, 1.0, -1.0)
    return x, y


@pytest.mark.parametrize("p", [3, 20])
def test_a_model_is_that_of_scikit_learn_for_every_ridge_at_once(p: int) -> None:
    x, y = table(p=p)
    ridges = [1e-2, 0.1, 10.0]
    for found, ridge in zip(logistic.fit(x, y, ridges), ridges, strict=True):
        theirs = LogisticRegression(
            C=1 / ridge, fit_intercept=False, solver="newton-cholesky", tol=1e-12, max_iter=1000
        ).fit(x, y)
        np.testing.assert_allclose(found, theirs.coef_[0], rtol=1e-6, atol=1e-7)
        assert logistic.right(found, x, y) == theirs.score(x, y)


def test_with_a_linear_term_the_gradient_is_zero_at_each_minimum() -> None:
    """Also where it pushes far to one side, or the table is without rows."""
    x, y = table()
    linear = RNG(2).normal(size=(4, 4)) * np.array([[0.1], [3], [300], [1e5]])
    for rows, labels in ((x, y), (x[:0], y[:0])):
        w = logistic.fit(rows, labels, 0.05, linear)
        pull = 1 / (1 + np.exp(np.minimum(w @ (rows * labels[:, None]).T, 700)))
        slope = 0.05 * w + linear - pull @ (rows * labels[:, None])
        assert np.abs(slope).max() <= 1e-7 + 1e-15 * np.abs(linear).max()


def test_what_has_no_proof_is_refused() -> None:
    x, y = table()
    for field, call in {
        "x": lambda: logistic.fit(2 * x, y, 1.0),
        "y": lambda: logistic.fit(x, (y + 1) / 2, 1.0),
        "ridge": lambda: logistic.fit(x, y, 0.0),
        "strength": lambda: logistic_noise.add_remove(0.0),
        "penalty": lambda: logistic_noise.replace_one(10, -1.0),
        "epsilon": lambda: logistic_noise.objective_terms(0.0, logistic_noise.add_remove(1.0)),
    }.items():
        with pytest.raises(ParamError) as error:
            call()
        assert error.value.field == field
    with pytest.raises(ParamError):
        logistic.with_bias(np.full((1, 2), 1.5))


CORNERS = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])


def every_table(rows: int):
    """Tables of rows from four points of the unit circle with either label, up to their order."""
    kinds = [(point, label) for point in CORNERS for label in (-1.0, 1.0)]
    for chosen in itertools.combinations_with_replacement(range(len(kinds)), rows):
        yield (
            chosen,
            np.array([kinds[k][0] for k in chosen]),
            np.array([kinds[k][1] for k in chosen]),
        )


def test_one_person_moves_the_minimiser_by_no_more_than_is_claimed() -> None:
    """All tables of two and three rows against all neighbours, and long one-sided ones, where a
    loss pulls with nearly its whole gradient of 1."""
    ridge = 0.3
    two = {c: logistic.fit(x, y, ridge)[0] for c, x, y in every_table(2)}
    three = {c: logistic.fit(x, y, ridge)[0] for c, x, y in every_table(3)}
    joined = max(
        np.linalg.norm(three[c] - two[c[:i] + c[i + 1 :]]) for c in three for i in range(3)
    )
    swapped = max(
        np.linalg.norm(a - b)
        for (c, a), (d, b) in itertools.combinations(two.items(), 2)
        if set(c) & set(d)
    )
    assert joined <= logistic_noise.add_remove(ridge).sensitivity
    assert swapped <= logistic_noise.replace_one(2, ridge / 2).sensitivity
    rows = np.r_[np.tile([[1.0, 0.0]], (20_000, 1)), [[-0.5, 0.75**0.5]]]
    without, with_it = (logistic.fit(x, np.ones(len(x)), 10.0)[0] for x in (rows[:-1], rows))
    claim = logistic_noise.add_remove(10.0).sensitivity
    assert 0.8 * claim < np.linalg.norm(with_it - without) <= claim


def test_the_noise_is_a_gamma_length_in_a_uniform_direction() -> None:
    noise = logistic_noise.unit_noise(RNG(3), 4000, 3)
    length = np.linalg.norm(noise, axis=1)
    assert stats.kstest(length, stats.gamma(3).cdf).pvalue > 0.01
    assert stats.kstest(noise[:, 0] / length, stats.uniform(-1, 2).cdf).pvalue > 0.01


@pytest.mark.parametrize("epsilon", [0.1, 2.0])  # Λ is raised for the first only
@pytest.mark.parametrize(
    "ridge", [logistic_noise.replace_one(3, 0.4), logistic_noise.add_remove(1.2)]
)
def test_objective_perturbation_keeps_its_promise_and_uses_it(epsilon, ridge) -> None:
    """The exact densities of two neighbours, everywhere on a grid: never further apart than ε, and
    somewhere as far as a shift of b by 1."""
    terms = logistic_noise.objective_terms(epsilon, ridge)
    assert (terms.strength > ridge.strength) == (epsilon == 0.1)
    w = np.linspace(-40, 40, 4001)[:, None]
    here = np.ones((3, 1)), np.array([1.0, 1.0, -1.0])
    other = (here[0], np.array([1.0, 1.0, 1.0])) if ridge.moved == 2 else (here[0][:2], here[1][:2])
    loss = logistic_noise.objective_log_density(
        w, *here, terms
    ) - logistic_noise.objective_log_density(w, *other, terms)
    assert 0.999 / terms.scale < np.abs(loss).max() <= epsilon


def test_models_follow_the_density_that_is_claimed_of_them() -> None:
    x, y = np.ones((6, 1)), np.array([1.0, 1.0, 1.0, 1.0, -1.0, 1.0])
    ridge = logistic_noise.replace_one(6, 0.2)
    noise = logistic_noise.unit_noise(RNG(5), 3000, 1)
    found = logistic_noise.objective_perturbed(x, y, np.array([0.5, 3.0]), ridge, noise)
    for models, epsilon in zip(found, (0.5, 3.0), strict=True):
        terms = logistic_noise.objective_terms(epsilon, ridge)
        grid = np.linspace(-60, 60, 60_001)
        density = np.exp(logistic_noise.objective_log_density(grid[:, None], x, y, terms))
        shares = np.cumsum(density) / density.sum()
        assert stats.kstest(models[:, 0], partial(np.interp, xp=grid, fp=shares)).pvalue > 0.01


def test_output_perturbation_adds_the_same_noise_at_every_epsilon() -> None:
    x, y = table()
    ridge = logistic_noise.replace_one(200, 0.01)
    noise = logistic_noise.unit_noise(RNG(4), 5, 4)
    exact, models = output_perturbed(x, y, np.array([1.0, 0.1]), ridge, noise)
    np.testing.assert_allclose(models - exact, noise * np.array([1.0, 10.0])[:, None, None])
    assert logistic_noise.printed_output_scale(1.0, 200, 0.01) == pytest.approx(200**2)


def test_bounds_from_the_data_break_the_sensitivity() -> None:
    """One long row shrinks all others, and the model moves further than 2/(nλ)."""
    n, penalty = 100, 0.01
    ridge = logistic_noise.replace_one(n, penalty)
    rows = np.full((n, 1), 0.01)
    other = rows.copy()
    other[-1] = 1.0
    here, there = (
        logistic.fit(logistic_noise.printed_ball(x), np.ones(n), ridge.strength)[0]
        for x in (rows, other)
    )
    assert abs(here - there)[0] > 1.2 * ridge.sensitivity
    public = [logistic.fit(x, np.ones(n), ridge.strength)[0, 0] for x in (rows, other)]
    assert abs(np.diff(public)[0]) <= ridge.sensitivity


def test_what_noise_costs_on_adult() -> None:
    """Five numbers and a bias, λ = 1e-5, trained on the 32,561 rows. Noiseless 80.92 % and 79.82 %
    at 1e-4, as L-BFGS found for us.

    Output perturbation at ε = .01, .1, 1: medians 51, 55, 74 over 2,000 seeds with a standard
    deviation of 23 to 24, so that a median of 15 seeds, such as the 50, 61, 71 that we were given,
    lies anywhere between 25 and 77. Objective: medians 74.9, 78.2, 80.5 over 100 seeds (given: means
    of 15 seeds 74.85, 78.11, 80.39; L-BFGS run to its end finds our minimisers). That is of numbers
    in [0, 1]; in [−1, 1], as the lab Learn has them, a row is longer and 79.5 are told at ε = .1 (a
    third route, a loop of Newton's steps over 200 seeds, has 78.0 and 79.6).
    """
    table = pd.read_csv(asset("tables", "adult.csv.xz"))
    low, high = np.array([17, 1, 0, 0, 1]), np.array([90, 16, 99_999, 4356, 99])
    names = ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    x = logistic.with_bias((table[names].to_numpy(float) - low) / (high - low))
    y = np.where(table["income"] == ">50K", 1.0, -1.0)
    x, y, test = x[:32_561], y[:32_561], (x[32_561:], y[32_561:])
    ridge = logistic_noise.replace_one(len(x), 1e-5)
    epsilons = np.array([0.01, 0.1, 1.0])
    noise = logistic_noise.unit_noise(RNG(7), 2000, 6)
    exact, models = output_perturbed(x, y, epsilons, ridge, noise)
    other = logistic.fit(x, y, len(x) * 1e-4)[0]
    assert logistic.right(np.stack([exact, other]), *test) == pytest.approx(
        [0.8092, 0.7982], abs=1e-4
    )
    scores = 100 * logistic.right(models, test[0][::4], test[1][::4])
    assert np.median(scores, axis=1) == pytest.approx([51, 55, 74], abs=4)
    assert scores.std(axis=1) == pytest.approx([24, 24, 23], abs=1.5)
    found = logistic_noise.objective_perturbed(x, y, epsilons, ridge, noise[:15])
    medians = np.median(100 * logistic.right(found, *test), axis=1)
    assert (np.abs(medians - [74.85, 78.11, 80.39]) < [3, 1, 0.4]).all()
    wide = logistic.with_bias(2 * (table[names].to_numpy(float) - low) / (high - low) - 1)
    wider = logistic_noise.objective_perturbed(wide[: len(x)], y, epsilons[1:2], ridge, noise[:15])
    told = np.median(100 * logistic.right(wider, wide[len(x) :], test[1]))
    assert told == pytest.approx(79.5, abs=0.4)
