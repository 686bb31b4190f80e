"""The law of sizes of classes against every seating of few people, and its fit on samples of a
table whose whole is known."""

import math
from collections import Counter

import numpy as np
import pytest
from running import opened

from dpstudio.labs.whole_tables.risk.model import known_codes
from dpstudio.labs.whole_tables.risk.parameters import Risk
from dpstudio.privacy.anonymity.classes import classes_of
from dpstudio.privacy.anonymity.population import Pitman, fitted


def seatings(law: Pitman, people: int, begin: tuple[int, ...] = (1,)) -> Counter[tuple[int, ...]]:
    """The chance of each list of sizes, in the order in which classes came up, person by person
    from some who are seated."""
    out = Counter({begin: 1.0})
    for seated in range(sum(begin), people):
        more = Counter[tuple[int, ...]]()
        for sizes, chance in out.items():
            whole = law.theta + seated
            more[(*sizes, 1)] += chance * (law.theta + law.alpha * len(sizes)) / whole
            for i, size in enumerate(sizes):
                joined = (*sizes[:i], size + 1, *sizes[i + 1 :])
                more[joined] += chance * (size - law.alpha) / whole
        out = more
    return out


@pytest.mark.parametrize("law", [Pitman(0.7, 0.3), Pitman(-0.2, 0.6), Pitman(5.0, 0.05)])
def test_who_is_alone_by_every_seating(law: Pitman) -> None:
    for begin in ((1,), (2, 1, 1), (3, 1)):
        found = seatings(law, 7, begin)
        alone = sum(chance * sizes.count(1) for sizes, chance in found.items()) / 7
        assert law.alone(np.array(begin), 7) == pytest.approx(alone)
        last = len(begin) - 1
        stays = sum(chance for sizes, chance in found.items() if sizes[last] == 1)
        assert law.stays(sum(begin), 7) == pytest.approx(stays)
    assert law.alone(np.array([2, 1, 1]), 4) == 0.5


def test_the_likelihood_is_that_of_a_partition() -> None:
    """In one order of people every partition has one list of sizes for which the law gives the
    chance that the formula has, times the ways to choose who sits where."""
    law = Pitman(0.7, 0.3)
    for sizes, chance in seatings(law, 6).items():
        ways, left = 1, 6
        for size in sizes:  # the first who is not seated yet begins the next class
            ways *= math.comb(left - 1, size - 1)
            left -= size
        assert math.exp(law.log_likelihood(np.array(sizes))) * ways == pytest.approx(chance)


def test_a_long_sum_is_the_sum() -> None:
    law, sizes = Pitman(3.0, 0.5), np.ones(3_000, dtype=np.int64)
    terms = np.log(3.0 + 0.5 * np.arange(1, 3_000)).sum() - np.log(3.0 + np.arange(1, 3_000)).sum()
    assert law.log_likelihood(sizes) == pytest.approx(terms, abs=1e-8)


def test_the_fit_is_the_likeliest_and_finds_the_whole_of_a_sample() -> None:
    codes = known_codes(Risk(), opened("adult_all"))
    rows = np.random.default_rng(0).choice(len(codes), len(codes) // 20, replace=False)
    sizes = classes_of(codes[rows]).sizes
    law = fitted(sizes)
    best = law.log_likelihood(sizes)
    for theta, alpha in ((1.02, 1.0), (0.98, 1.0), (1.0, 1.01), (1.0, 0.99), (1.05, 0.98)):
        assert Pitman(law.theta * theta, law.alpha * alpha).log_likelihood(sizes) < best
    whole = classes_of(codes)
    assert law.alone(sizes, len(codes)) == pytest.approx(whole.unique / len(codes), rel=0.06)
    assert fitted(np.ones(9, dtype=np.int64)) is None
