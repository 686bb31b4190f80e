"""Linear regression on noisy moments: sensitivities over neighbours, laws, models and scores."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score

from dpstudio.privacy.learning import linear, logistic, logistic_noise, moments, wishart
from dpstudio.values.parameters import ParamError
from dpstudio.values.passing import Passing

RNG = np.random.default_rng


def still_possible(output, moments):
    """Whether each output (seeds, p, p) of a mechanism that adds a positive matrix can come from a
    table with these `moments` (p, p): the difference is positive. Shape (seeds,)."""
    return np.asarray(np.linalg.eigvalsh(output - moments)[..., 0] > 0)


def solve(moments, ridge=0.0):
    """The weights of least squares read from (noisy) moments, (M_xx + ridge·I)⁻¹ M_xy, the response
    being the last of the p: shape (..., p − 1) for moments (..., p, p). After the noise this costs
    nothing. For words, whose columns add up, a `ridge` > 0 is needed.

    With labels −1 and +1 as the response the sign of x·w is a classifier."""
    inner = moments[..., :-1, :-1] + ridge * np.eye(moments.shape[-1] - 1)
    return np.asarray(np.linalg.solve(inner, moments[..., :-1, -1:])[..., 0])


def diabetes() -> np.ndarray:
    """The 442 rows as in the published run: scaled as scikit-learn gives them, to the longest."""
    table = load_diabetes()
    y = 2 * (table.target - 25) / 321 - 1
    return np.column_stack([table.data / 0.332, np.ones(len(y)), y]) / math.sqrt(3)


def ball(p: int) -> np.ndarray:
    """Points of the unit ball where norms of products are largest, and some others."""
    corners = [np.array(c) / math.sqrt(p) for c in itertools.product((-1, 1), repeat=p)]
    others = RNG(1).normal(size=(40, p))
    return np.vstack(
        [
            corners,
            np.eye(p),
            others / np.linalg.norm(others, axis=1, keepdims=True),
            np.zeros((1, p)),
        ]
    )


@pytest.mark.parametrize("adjacency", ["add_remove", "replace"])
def test_one_person_moves_moments_and_coefficients_as_far_as_claimed_and_no_further(
    adjacency,
) -> None:
    p = 3
    upper = np.triu_indices(p)
    points = ball(p)
    rows = points[:, upper[0]] * points[:, upper[1]]
    off = np.where(upper[0] == upper[1], 1, 2)  # the coefficient of w_i·w_j, and the Frobenius norm
    pairs = rows[:, None] - rows[None] if adjacency == "replace" else rows
    for found, claim in {
        "l2": (np.linalg.norm(pairs, axis=-1), moments.l2_sensitivity(adjacency)),
        "balanced": (
            np.linalg.norm(pairs * np.sqrt(off), axis=-1),
            moments.l2_sensitivity(adjacency),
        ),
        "l1": (np.abs(pairs).sum(axis=-1), moments.l1_sensitivity(p, adjacency)),
        "functional": (
            np.abs(pairs * off).sum(axis=-1),
            linear.functional_sensitivity(p, adjacency),
        ),
    }.values():
        assert (0.65 if adjacency == "replace" else 0.999) * claim < found.max() <= claim + 1e-12
    assert linear.functional_sensitivity(p, "replace") <= p * p
    assert moments.l2_sensitivity(adjacency, most=3) == 3 * moments.l2_sensitivity(adjacency)


def test_noise_is_symmetric_and_follows_its_law() -> None:
    rng, p = RNG(2), 4
    laws = {
        moments.gaussian_noise: (stats.norm(), stats.norm()),
        moments.balanced_noise: (stats.norm(), stats.norm(scale=math.sqrt(0.5))),
        moments.laplace_noise: (stats.laplace(), stats.laplace()),
        linear.functional_noise: (stats.laplace(), stats.laplace(scale=0.5)),
    }
    for draw, (diagonal, off) in laws.items():
        noise = draw(rng, 2000, p)
        assert (noise == noise.transpose(0, 2, 1)).all()
        assert stats.kstest(noise[:, 1, 1], diagonal.cdf).pvalue > 0.01
        assert stats.kstest(noise[:, 0, 2], off.cdf).pvalue > 0.01
    noise = wishart.wishart_noise(rng, 2000, p, 7)
    turned = np.array([0.5, -0.5, 0.5, 0.5])
    assert stats.kstest(np.trace(noise, axis1=1, axis2=2), stats.chi2(7 * p).cdf).pvalue > 0.01
    inverse = np.linalg.inv(noise)
    assert stats.kstest(1 / (turned @ inverse @ turned), stats.chi2(7 - p + 1).cdf).pvalue > 0.01


@pytest.mark.parametrize("length", [1.0, 0.4])
def test_delta_of_the_wishart_mechanism_is_that_of_its_density(length) -> None:
    """Against the mean of (1 − e^(ε − loss))₊ over draws, from both tables."""
    p, k, epsilon, z = 3, 9, 0.15, math.sqrt(length) * np.array([0.6, 0.0, 0.8])
    law = stats.wishart(k, np.eye(p))
    noise = wishart.wishart_noise(RNG(3), 3000, p, k)
    here = law.logpdf(noise.transpose(1, 2, 0))
    less = noise - np.outer(z, z)
    possible = np.linalg.eigvalsh(less)[:, 0] > 0
    there = np.full(len(noise), -np.inf)
    there[possible] = law.logpdf(less[possible].transpose(1, 2, 0))
    more = law.logpdf((noise + np.outer(z, z)).transpose(1, 2, 0))
    found = [np.maximum(0, -np.expm1(epsilon - loss)) for loss in (here - there, here - more)]
    spread = max(f.std() for f in found) / math.sqrt(len(noise))
    exact = wishart.wishart_delta(epsilon, p, k, length)
    assert abs(max(f.mean() for f in found) - exact) < 4 * spread
    assert exact <= wishart.wishart_delta(epsilon, p, k)


def test_how_many_random_rows_are_enough() -> None:
    """The published number is always enough up to ε = 5, up to 60 times what is needed, and not at
    ε = 8."""
    for p, epsilon in itertools.product((2, 12), (0.1, 1.0, 5.0)):
        exact, published = (
            wishart.exact_degrees(epsilon, 1e-5, p, "add_remove"),
            wishart.published_degrees(epsilon, 1e-5, p),
        )
        assert exact <= published
        assert (
            wishart.wishart_delta(epsilon, p, exact)
            <= 1e-5
            < wishart.wishart_delta(epsilon, p, exact - 1)
        )
    assert wishart.published_degrees(0.1, 1e-5, 12) > 50 * wishart.exact_degrees(
        0.1, 1e-5, 12, "add_remove"
    )
    assert wishart.published_degrees(8, 1e-5, 12) < wishart.exact_degrees(8, 1e-5, 12, "add_remove")
    for wrong in (
        (0.0, 1e-5, 3, "add_remove"),
        (1.0, 1e-5, 3, "replace"),
        (1.0, 1e-5, 3, "add_remove", 2),
    ):
        with pytest.raises(ParamError):
            wishart.exact_degrees(*wrong)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_printed_wishart_shows_which_table_it_was(epsilon) -> None:
    """Outputs of a table with a row of zeros that the one with a row of length 1 cannot give."""
    n, p = 50, 4
    row = np.full((1, p), 0.5)
    rest = moments.second_moments(RNG(4).uniform(-0.5, 0.5, (n - 1, p)))
    here, there = rest / n, (rest + row.T @ row) / n
    outputs = here + wishart.printed_wishart_noise(RNG(5), epsilon, n, 4000, p)
    assert still_possible(outputs, here).all()
    impossible = 1 - still_possible(outputs, there).mean()
    exact = wishart.printed_impossible(epsilon)
    assert abs(impossible - exact) < 4 * math.sqrt(exact * (1 - exact) / 4000)
    assert exact == pytest.approx({0.1: 0.032784, 1.0: 0.283469, 5.0: 0.811124}[epsilon], abs=1e-6)


def test_models_and_scores_are_those_of_scikit_learn() -> None:
    z = diabetes()
    train, test = z[:353], z[353:]
    exact = moments.second_moments(train)
    for ridge in (1e-6, 0.5):
        theirs = Ridge(alpha=ridge, fit_intercept=False, tol=1e-12).fit(train[:, :-1], train[:, -1])
        for weights in (
            solve(exact, ridge),
            moments.solve_trimmed(exact, ridge),
            linear.ball_ridge(exact, ridge, 1e6),
        ):
            np.testing.assert_allclose(weights, theirs.coef_, rtol=1e-5)
        found = moments.r_squared(np.stack([weights, weights]), moments.second_moments(test))
        expected = r2_score(test[:, -1], theirs.predict(test[:, :-1]))
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize(("weights", "score"), [((0.0, 0.3), 1.0), ((0.2, 0.0), 0.0)])
def test_alike_answers_leave_nothing_to_explain(weights: tuple[float, ...], score: float) -> None:
    rows = np.array([[0.1, 0.5, 0.15], [-0.4, 0.5, 0.15], [0.2, 0.5, 0.15]])
    found = moments.r_squared(np.array([weights]), moments.second_moments(rows))
    predicted = rows[:, :2] @ np.array(weights)
    assert found.tolist() == [score] == [r2_score(rows[:, 2], predicted)]


def test_trimming_leaves_out_what_is_not_convex() -> None:
    at = np.diag([2.0, -1.0, 1.0])
    at[:2, 2] = at[2, :2] = 1.0
    np.testing.assert_allclose(moments.solve_trimmed(at), [0.5, 0.0])


def test_regression_in_a_ball_is_its_minimum_and_moves_as_claimed() -> None:
    """All tables of two rows against all of three; where the ball binds, the gradient points out of
    it."""
    kinds = [np.array([x, math.sqrt(1 - x * x), y]) for x in (-0.8, 0.0, 0.6) for y in (-1.0, 1.0)]
    ridge, radius = logistic_noise.add_remove(0.5), 0.7

    def model(chosen: tuple[int, ...]) -> np.ndarray:
        rows = np.array([kinds[k] for k in chosen])
        w = linear.ball_ridge(rows.T @ rows, ridge.strength, radius)
        slope = rows[:, :2].T @ (rows[:, :2] @ w - rows[:, 2]) + ridge.strength * w
        outward = float(-slope @ w) / max(1e-12, float(w @ w))
        np.testing.assert_allclose(slope, -max(0.0, outward) * w, atol=1e-9)
        assert np.linalg.norm(w) <= radius + 1e-9
        return w

    moved = [
        np.linalg.norm(model(pair) - model((*pair, new)))
        for pair in itertools.combinations_with_replacement(range(len(kinds)), 2)
        for new in range(len(kinds))
    ]
    claim = linear.ball_sensitivity(ridge, radius)
    assert 0.2 * claim < max(moved) <= claim
    # Weights that are no longer than 0.7 lie 1.4 apart at most, however weak the ridge is.
    assert linear.ball_sensitivity(logistic_noise.add_remove(1e-6), radius) == 1.4
    with pytest.raises(ParamError):
        linear.ball_sensitivity(ridge, math.inf)
    rows = np.array(kinds)
    exact, models = linear.output_perturbed(
        rows.T @ rows, np.array([1.0, 2.0]), ridge, radius, np.ones((3, 2))
    )
    np.testing.assert_allclose(models[1, 0] - exact, np.full(2, claim / 2))


def test_what_353_rows_teach() -> None:
    """Median R² over 100 splits, each with ten draws of noise: .08 and .28 by Gaussian noise at ε =
    .99 and 5 (another implementation found .08 and .275), .24 by Laplace at 5 (there .23), less
    than nothing at ε = .5 (−1.3)."""
    z = diabetes()
    p = z.shape[1]
    rng = RNG(6)
    splits = [rng.permutation(442) for _ in range(100)]
    parts = [
        (moments.second_moments(z[s[:353]]), moments.second_moments(z[s[353:]])) for s in splits
    ]

    def median(draw, scale: float, ridge: float) -> float:
        scores = [
            moments.r_squared(solve(train + scale * draw(rng, 10, p), ridge), test)
            for train, test in parts
        ]
        return float(np.median(scores))

    def sigma(epsilon: float) -> float:
        return moments.gaussian_scale(epsilon, 1e-5, "add_remove")

    assert median(moments.gaussian_noise, 0.0, 0.0) == pytest.approx(0.478, abs=0.02)
    assert median(moments.gaussian_noise, sigma(0.99), 50) == pytest.approx(0.08, abs=0.02)
    assert median(moments.gaussian_noise, sigma(5), 10) == pytest.approx(0.275, abs=0.03)
    assert median(moments.gaussian_noise, sigma(0.5), 10) < -0.5
    laplace = moments.laplace_scale(5, p, "add_remove")
    assert median(moments.laplace_noise, laplace, 10) == pytest.approx(0.23, abs=0.03)


def test_from_how_many_rows_on_it_teaches() -> None:
    """More than 353 at ε = 1, tens of thousands at ε = .1; the score there is half the noiseless
    one, and by the functional mechanism with it."""
    z = diabetes()
    mean, p = moments.second_moments(z) / len(z), z.shape[1]
    full = float(moments.r_squared(solve(mean), mean))
    found = []
    for epsilon in (1.0, 0.1):
        noise = moments.gaussian_scale(epsilon, 1e-5, "add_remove") * moments.balanced_noise(
            RNG(7), 101, p
        )
        models = lambda n, noise=noise: solve(n * mean + noise, 20.0)  # noqa: E731
        found.append(linear.rows_that_teach(mean, models).at)
        scores = moments.r_squared(models(found[-1]), mean)
        assert np.median(scores) == pytest.approx(full / 2, rel=1e-3)
    assert 353 < found[0] < 2000 < found[1] < 100_000
    scale = linear.functional_sensitivity(p, "add_remove") / 1.0
    weights = linear.functional(1e7 * mean, linear.functional_noise(RNG(8), 5, p), scale)
    assert moments.r_squared(weights, mean) == pytest.approx(full, abs=0.01)
    assert linear.rows_that_teach(mean, lambda n: models(n, 1e12 * noise)) == Passing(
        linear.MOST_ROWS, None
    )


def test_a_label_is_told_from_noisy_moments() -> None:
    """Least squares on −1 and +1, read by the sign: as good as scikit-learn's at a large ε."""
    rng = RNG(9)
    x = rng.uniform(-1, 1, (3000, 3))
    y = np.where(x @ [1.0, -2.0, 0.5] + 0.3 + rng.normal(size=3000) / 3 > 0, 1.0, -1.0)
    z = moments.joined(x, y)
    np.testing.assert_allclose(z[0], np.array([*x[0], 1.0, y[0]]) / math.sqrt(5))
    noise = moments.gaussian_scale(1.0, 1e-5, "add_remove") * moments.gaussian_noise(rng, 20, 5)
    weights = solve(moments.second_moments(z) + noise, 10.0)
    exact = logistic.right(Ridge(fit_intercept=False).fit(z[:, :-1], y).coef_, z[:, :-1], y)
    assert np.median(logistic.right(weights, z[:, :-1], y)) > exact - 0.01
    with pytest.raises(ParamError):
        moments.second_moments(2 * z)
