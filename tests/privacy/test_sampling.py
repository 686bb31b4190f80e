"""The two kinds of chance: exact laws by chi-square tests, replays, and that neither takes the
place of the other. Entropy is seeded here, so that a test that passes once passes always."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussianLaw
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.sampling import ReleaseRandom, SimulationRandom

LEVEL = 1e-3  # of each chi-square test: a right sampler fails one in a thousand seeds
DRAWS = 20_000


def leaving(seed: int = 1) -> ReleaseRandom:
    return ReleaseRandom(random.Random(seed).randrange)


def fits(drawn: list[int], law: Law) -> bool:
    """Whether draws fit an exact pmf: cells of at least 20 expected draws, both tails in one
    cell each."""
    reach = 0
    while DRAWS * law.cdf(np.array(-reach - 1.0)) >= 20:
        reach += 1
    k = np.arange(-reach, reach + 1, dtype=np.float64)
    steps = np.concatenate([[0.0], law.cdf(k[:-1]), [1.0]])
    seen = np.bincount(np.clip(drawn, -reach, reach) + reach, minlength=len(k))
    assert len(k) > 2
    return bool(stats.chisquare(seen, np.diff(steps) * len(drawn)).pvalue > LEVEL)


@pytest.mark.parametrize("scale", ["1", "1/3", "5/2", "1000/37", "41"])
def test_discrete_laplace_is_exact(scale: str) -> None:
    source, b = leaving(), Fraction(scale)
    drawn = [source.discrete_laplace(b) for _ in range(DRAWS)]
    assert all(type(k) is int for k in drawn)
    assert fits(drawn, DiscreteLaplaceLaw(float(1 / b)))
    # The law is another at another scale, and the test sees it.
    assert not fits(drawn, DiscreteLaplaceLaw(float(1 / b) * 1.08))


@pytest.mark.parametrize("variance", ["1/2", "1", "12345/17"])
def test_discrete_gaussian_is_exact(variance: str) -> None:
    source, exact = leaving(2), Fraction(variance)
    drawn = [source.discrete_gaussian(exact) for _ in range(DRAWS)]
    assert fits(drawn, DiscreteGaussianLaw(math.sqrt(exact)))
    assert not fits(drawn, DiscreteGaussianLaw(math.sqrt(exact) * 1.05))


@pytest.mark.parametrize("gamma", ["0", "1/7", "1", "5/3", "4"])
def test_coins_fall_as_often_as_they_should(gamma: str) -> None:
    """e^−γ, by an exact binomial test at the same level."""
    source, exact = leaving(3), Fraction(gamma)
    heads = sum(source.coin(exact) for _ in range(DRAWS))
    assert stats.binomtest(heads, DRAWS, math.exp(-exact)).pvalue > LEVEL


def test_only_entropy_decides_what_leaves() -> None:
    """Every bit comes from `randbelow`; bounds that it is asked for are integers above 0."""
    asked = []
    entropy = random.Random(7)

    def below(n: int) -> int:
        asked.append(n)
        return entropy.randrange(n)

    one = [ReleaseRandom(below).discrete_gaussian(Fraction(5, 3)) for _ in range(50)]
    assert asked
    assert all(type(n) is int and n > 0 for n in asked)
    assert one == [d.discrete_gaussian(Fraction(5, 3)) for d in [leaving(7)] for _ in range(50)]


def test_looking_replays_and_streams_differ() -> None:
    rng = np.random.Generator(np.random.SFC64([5, 11, 0]))
    drawn = rng.random(9)
    assert np.array_equal(SimulationRandom(5, 11, 0).generator.random(9), drawn)
    look = SimulationRandom(5, 11, 0)
    assert np.array_equal(look.generator.random(9), look.generator.random(9))
    assert not np.array_equal(SimulationRandom(5, 11, 1).generator.random(9), drawn)
    assert not np.array_equal(SimulationRandom(6, 11, 0).generator.random(9), drawn)


def test_neither_takes_the_place_of_the_other() -> None:
    look, leave = SimulationRandom(1, 2), leaving()
    for seeded in (look, look.generator, look.generator.integers, 1):
        with pytest.raises(TypeError):
            ReleaseRandom(seeded)  # type: ignore[arg-type]
    for exact in (leave, leave.randbelow, 0.5):
        with pytest.raises(TypeError):
            SimulationRandom(exact)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            SimulationRandom(1, exact)  # type: ignore[arg-type]
    # What takes the one finds nothing of the other in it.
    own = [{name for name in dir(source) if not name.startswith("_")} for source in (look, leave)]
    assert not own[0] & own[1]
    assert not isinstance(leave, SimulationRandom)
    assert not isinstance(look, ReleaseRandom)


def test_floats_and_impossible_scales_are_refused() -> None:
    source = leaving()
    for draw in (source.discrete_laplace, source.discrete_gaussian):
        for wrong in (0.5, 1):
            with pytest.raises(TypeError):
                draw(wrong)  # type: ignore[arg-type]
        for none in (Fraction(0), Fraction(-1, 2)):
            with pytest.raises(ValueError):
                draw(none)
    with pytest.raises(ValueError):
        source.coin(Fraction(-1))
