"""Operations on a table: what stays, what is promised, what is undone."""

import math
import random

import numpy as np
import pytest

from dpstudio.privacy.anonymity import sanitise
from dpstudio.privacy.anonymity.classes import Classes
from dpstudio.privacy.anonymity.noise import LAPLACE, NORMAL, UNIFORM, Noise
from dpstudio.privacy.anonymity.rebuilt import rebuilt
from dpstudio.privacy.anonymity.rules import deletions, hidden, mined, side_effects, supports
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.privacy.sampling import SystemChance

RNG = np.random.default_rng


def test_pram_has_the_epsilon_of_its_matrix():
    # Four values, kept with e^ε/(e^ε + 3): generalised randomised response.
    matrix = sanitise.kept_or_any(4, math.e**1.5 / (math.e**1.5 + 3))
    assert sanitise.pram_epsilon(matrix) == pytest.approx(1.5)
    assert sanitise.pram_epsilon(sanitise.kept_or_any(3, 1.0)) == math.inf
    assert sanitise.pram_epsilon(np.full((3, 3), 1 / 3)) == 0
    codes = np.repeat(np.arange(4), 20_000)
    made = sanitise.pram(codes, matrix, RNG(1))
    for value in range(4):
        seen = np.bincount(made[codes == value], minlength=4) / 20_000
        np.testing.assert_allclose(seen, matrix[value], atol=0.012)
    with pytest.raises(ValueError, match="between 0 and 1"):
        sanitise.kept_or_any(3, 1.1)


def test_swapping_and_shuffling_keep_the_counts_that_they_should():
    codes, near = RNG(2).integers(0, 5, 401), RNG(3).normal(size=401)
    made = sanitise.swapped(codes, near, 0.5, RNG(4))
    np.testing.assert_array_equal(np.bincount(made), np.bincount(codes))
    assert 0.2 < np.mean(made != codes) < 0.6
    np.testing.assert_array_equal(sanitise.swapped(codes, near, 0.0, RNG(4)), codes)
    classes = Classes(np.where(np.arange(401) < 400, np.arange(401) % 7, -1), 7)
    mixed = sanitise.permuted(codes, classes, RNG(5))
    np.testing.assert_array_equal(classes.counts(mixed, 5), classes.counts(codes, 5))
    assert mixed[400] == codes[400]
    assert np.mean(mixed != codes) > 0.5


def test_anatomy_gives_an_attacker_no_more_than_one_in_l():
    sensitive = RNG(6).choice(5, 203, p=[0.3, 0.3, 0.2, 0.1, 0.1])
    made = sanitise.anatomised(sensitive, 5, 3, SystemChance(random.Random(7).randrange))
    assert made.belief <= 1 / 3
    assert made.counts.sum() == 203
    assert np.count_nonzero(made.counts, axis=1).min() >= 3
    lacking = sanitise.anatomised(
        np.append(sensitive, [5, 5]), 5, 3, RNG(7)
    )  # what is missing is no value
    assert lacking.group.min() == 0
    assert lacking.counts.sum() == 203
    with pytest.raises(ValueError, match="more frequent"):
        sanitise.anatomised(np.zeros(9, dtype=np.int64), 2, 2, RNG(8))


def test_columns_drawn_anew_keep_their_law_alone():
    x = RNG(9).gamma(3, 2, 4000)
    for chance in (RNG(1), SystemChance(random.Random(5).randrange)):
        drawn = sanitise.resampled(x, chance, fitted=False)
        assert set(drawn) <= set(x)
        assert drawn.mean() == pytest.approx(x.mean(), abs=0.25)
        fitted = sanitise.resampled(x, chance, fitted=True)
        assert fitted.mean() == pytest.approx(x.mean(), abs=0.2)
        assert fitted.std() == pytest.approx(x.std(), rel=0.05)
        assert fitted.min() < 0  # no waiting time, and no age
    assert sanitise.top_coded(x, 1, 5).max() == 5
    rows = sanitise.micro_aggregated(x[:6, None], [np.array([0, 1, 2]), np.array([3, 4, 5])])
    assert len(np.unique(rows)) == 2
    assert rows.mean() == pytest.approx(x[:6].mean())


def test_a_distribution_comes_back_from_noise_and_then_overfits():
    rng = RNG(10)
    x = np.where(rng.random(10_000) < 0.5, rng.normal(-2, 0.7, 10_000), rng.normal(3, 0.7, 10_000))
    noisy, grid = x + rng.normal(0, 2, 10_000), np.linspace(-12, 12, 161)
    true = np.histogram(x, np.append(grid, grid[-1] + 0.15) - 0.075)[0] / 10_000
    seen = np.histogram(noisy, np.append(grid, grid[-1] + 0.15) - 0.075)[0] / 10_000
    steps = rebuilt(noisy, GaussianLaw(2.0), grid)
    apart = [np.abs(next(steps) - true).sum() / 2 for _ in range(201)]
    # What sampling alone leaves of 10,000 values in these bins is some 0.04.
    assert apart[200] < 0.6 * np.abs(seen - true).sum() / 2
    assert apart[0] > apart[5] > apart[40]


def test_a_hidden_rule_is_gone_with_as_few_deletions_as_can_be():
    rng = RNG(11)
    a, c = rng.random(400) < 0.4, rng.random(400) < 0.5
    baskets = np.stack([a, a & (rng.random(400) < 0.9) | (rng.random(400) < 0.1), c, c | a], axis=1)
    rules = mined(baskets, 0.2, 0.7)
    secret = next(rule for rule in rules if (rule.given, rule.then) == ((0,), (1,)))
    held = supports(baskets)
    assert secret.confidence == pytest.approx(held[0, 1] / held[0,])
    assert secret.lift == pytest.approx(secret.confidence / (held[1,] / 400))
    after = hidden(baskets, secret, 0.2, 0.7, RNG(1))
    many = deletions(held[0, 1], held[0,], 400, 0.2, 0.7)
    assert np.count_nonzero(baskets & ~after) == many > 0
    done = side_effects(baskets, after, [secret], 0.2, 0.7)
    assert done.failed == ()
    assert not np.any(after & ~baskets)
    assert done.dissimilarity == many / np.count_nonzero(baskets)
    # One deletion fewer would leave it.
    fewer = baskets.copy()
    back = np.flatnonzero((baskets & ~after).any(1))[:-1]
    fewer[back] = after[back]
    assert any((r.given, r.then) == ((0,), (1,)) for r in mined(fewer, 0.2, 0.7))


@pytest.mark.parametrize("law", [UNIFORM, NORMAL, LAPLACE])
def test_noise_has_its_deviation_and_width(law: str) -> None:
    noise, x = Noise(law, 2.0), np.linspace(-60, 60, 240_001)
    density = noise.density(x) * (x[1] - x[0])
    assert density.sum() == pytest.approx(1, abs=1e-4)
    assert density @ x**2 == pytest.approx(4, abs=1e-3)
    inside = np.abs(x) <= noise.width(0.95) / 2
    assert density[inside].sum() == pytest.approx(0.95, abs=1e-3)
    drawn = noise.drawn(100_000, np.random.default_rng(1))
    assert np.mean(np.abs(drawn) <= noise.width(0.95) / 2) == pytest.approx(0.95, abs=0.005)


def test_laplace_noise_has_a_local_epsilon() -> None:
    noise = Noise(LAPLACE, 2.0)
    x = np.linspace(-20, 20, 401)
    ratio = np.log(noise.density(x) / noise.density(x - 3))
    assert noise.epsilon(3) == pytest.approx(ratio.max())
    assert math.isinf(Noise(NORMAL, 2.0).epsilon(3))
