"""Coins: ε by enumerating the four probabilities, the numbers of the texts, and the error of the
estimate by simulation."""

import math

import numpy as np
import pytest

from dpstudio.privacy.local.coins import COINS, BiasedCoins, Coins, FairCoins, Warner
from dpstudio.privacy.local.direct import Direct
from dpstudio.values.parameters import ParamError, from_json, put, to_json

SOME: list[Coins] = [
    FairCoins(),
    BiasedCoins(0.1),
    BiasedCoins(0.5),
    BiasedCoins(0.95),
    Warner(0.3),
    Warner(1.0),
    Warner(4.0),
]


def loss(coins: Coins) -> float:
    """The largest log ratio over both answers and both pairs of values."""
    channel = coins.channel(2)
    assert np.allclose(np.exp(channel).sum(axis=0), 1, atol=1e-14)
    return float(np.max(np.abs(channel[:, 0] - channel[:, 1])))


@pytest.mark.parametrize("coins", SOME, ids=repr)
def test_epsilon_by_enumeration(coins: Coins) -> None:
    assert coins.claim == pytest.approx(loss(coins), rel=1e-12)
    assert hasattr(coins, "epsilon") == isinstance(coins, Warner)


def test_epsilon_of_the_table() -> None:
    """Facts 2.1: the formula for all p, and what the texts' formula claims below one half."""
    for p, epsilon in {
        0.6: 1.5581,
        0.75: 2.5649,
        0.8: 3.0445,
        0.9: 4.5109,
        0.95: 5.9428,
        0.25: 0.8473,
        0.1: 0.7472,
    }.items():
        assert round(BiasedCoins(p).claim, 4) == epsilon
    assert [round(BiasedCoins(p).printed, 4) for p in (0.25, 0.1, 0.8)] == [0.3677, 0.1164, 3.0445]
    assert FairCoins().claim == math.log(3)
    assert BiasedCoins(0.5).claim == pytest.approx(math.log(3), rel=1e-15)


def test_coins_from_epsilon() -> None:
    """The inverse, also where 1 − p has no digits left, and never down to ln 2."""
    for epsilon in (math.log(2) + 1e-9, 0.7, 1.0, math.log(3), 1.2, 5.0, 20.0, 50.0):
        coins = BiasedCoins().at(epsilon)
        assert coins is not None
        assert coins.claim == pytest.approx(epsilon, rel=1e-13)
    for epsilon in (0.1, math.log(2)):
        assert BiasedCoins().at(epsilon) is None
    assert FairCoins().at(1.0) is None
    for epsilon in (1e-6, 0.001, 50.0, 200.0):
        again = Warner().at(epsilon)
        assert again is not None
        assert loss(again) == pytest.approx(epsilon, rel=1e-9)
    # One channel by three names.
    assert np.allclose(Warner(math.log(3)).channel(2), FairCoins().channel(2), atol=1e-15)
    assert np.allclose(Warner(1.3).channel(2), Direct(1.3).channel(2), atol=1e-15)


def test_numbers_of_the_texts() -> None:
    """Adult, age above 50: 6,460 of 32,561; the printed run has 11,424 yes."""
    coins, counts = FairCoins(), np.array([26_101, 6_460])
    assert coins.expected(counts)[1] == 11_370.25
    assert coins.estimate([21_137, 11_424], 32_561)[1] == 6_567.5
    assert coins.estimate([26_101 / 4 * 3 + 1_615, 11_370.25], 32_561) == pytest.approx(counts)
    spread = math.sqrt(coins.variance(counts)[1])
    assert (round(spread, 1), round(spread / 2, 1)) == (156.3, 78.1)
    # Thirty observed yes of a hundred; had thirty been the truth, forty would be expected.
    assert coins.estimate([70, 30], 100)[1] == 10
    assert coins.expected([70, 30])[1] == 40
    assert math.sqrt(coins.sampling(0.1, 100)) == pytest.approx(0.0917, abs=5e-5)
    assert math.sqrt(coins.noise(0.1) / 100) == pytest.approx(0.0866, abs=5e-5)
    # Warner at p = 3/4 on 1,000 people (facts of the peers, 7.7), and per person at f = 0.2 (facts
    # 2.1).
    assert math.sqrt(Warner(math.log(3)).sampling(0.3, 1_000)) == pytest.approx(
        0.0309838668, rel=1e-9
    )
    for epsilon, (warner, biased) in {1.0: (0.9207, 1.0992), 3.0: (0.0551, 0.1845)}.items():
        found = [kind.at(epsilon) for kind in (Warner(), BiasedCoins())]
        assert [round(float(coins.noise(0.2)), 4) for coins in found if coins is not None] == [
            warner,
            biased,
        ]


@pytest.mark.parametrize("coins", SOME, ids=repr)
def test_estimate_by_simulation(coins: Coins) -> None:
    """Unbiased, with the exact variance, from whole surveys and from single reports; the sampling
    variance is λ(1 − λ)/(n·truth²)."""
    rng, counts, surveys = np.random.default_rng(5), np.array([700, 300]), 40_000
    estimates = coins.estimate(coins.draw(rng, counts, surveys), 1_000)
    assert np.allclose(estimates.sum(axis=1), 1_000)
    spread = math.sqrt(coins.variance(counts)[1])
    assert abs(estimates[:, 1].mean() - 300) < 4.5 * spread / math.sqrt(surveys)
    assert estimates[:, 1].var() == pytest.approx(spread**2, rel=0.04)
    values = np.repeat([0, 1], [70_000, 30_000])
    reports = coins.tally(coins.reports(rng, values, 2), 2)
    assert abs(reports[1] - coins.expected([70_000, 30_000])[1]) < 4.5 * math.sqrt(100_000 / 4)
    chance = float(coins.yes(0.3))
    assert float(coins.sampling(0.3, 50)) == pytest.approx(
        chance * (1 - chance) / (50 * coins.truth**2), rel=1e-9
    )
    # Four answers of each: the coins' part is a quarter.
    people = rng.binomial(200, 0.3, surveys)
    support = coins.support()
    seen = rng.binomial(4 * people, support.p) + rng.binomial(4 * (200 - people), support.q)
    found = (seen / 800 - support.q) / coins.truth
    assert found.var() == pytest.approx(float(coins.sampling(0.3, 200, 4)), rel=0.04)


def test_reports_and_refusals() -> None:
    for kind in COINS:
        coins = kind()
        assert coins.refuses(2) is None
        assert coins.refuses(3) is not None
        assert from_json(COINS, to_json(coins)) == coins
        report = coins.one(np.random.default_rng(0), 1, ("no", "yes"))
        assert np.ptp(report.likelihood) <= coins.claim * (1 + 1e-12)
        assert report.supports in ((0,), (1,))
    with pytest.raises(ParamError):
        put(FairCoins(), "epsilon", 1.0)
    with pytest.raises(ParamError):
        put(BiasedCoins(), "epsilon", 1.0)
    assert put(Warner(), "epsilon", "2").claim == 2
