"""The averaging lab: the attack against the laws themselves, what it costs, and what helps."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from random_states import random_state
from running import FEW_POINTS, little
from scipy import special

from dpstudio.data.dataset import Dataset
from dpstudio.labs.findings import Findings
from dpstudio.labs.many_answers.averaging.model import (
    asked_lines,
    averaging,
    averaging_model,
    cheapest,
    cost_curve,
    count_asked,
    needed,
    shared_curve,
    shared_deviation,
    shared_epsilon,
)
from dpstudio.labs.many_answers.averaging.parameters import Averaging
from dpstudio.labs.many_answers.averaging.simulation import attack, grid, spread
from dpstudio.labs.many_answers.composition.model import KINDS, composition_model, tightest
from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.release_list import Line
from dpstudio.labs.series_model import by_adding
from dpstudio.privacy.accounting import Ledger, Numeric, Sequential
from dpstudio.privacy.accounting.spend import Spend
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.privacy.mechanisms.geometric import Geometric
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.neighbours.attacker import share_right


def found(**fields) -> Findings:
    return little(Averaging(**fields), DATA, FEW_POINTS)


DATA = Dataset(pd.DataFrame({"x": [1.0]}), "one row")


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_the_mean_closes_in_by_its_exact_deviation(kind) -> None:
    """1,000 paths: deviations within 5 standard errors of what the law's own variance says, single
    draws and sums alike."""
    k = grid(3000)
    seen = attack((Line(3000, kind()),), k, 3)
    variance = kind().law(Spend.of(kind()).sensitivity).variance
    assert seen.spread == pytest.approx(np.sqrt(variance / k))
    ratio = seen.means.std(axis=0) / seen.spread
    assert np.all(np.abs(ratio[k >= 10] - 1) < 5 / math.sqrt(2 * 1000) * 1.3)
    again = attack((Line(3000, kind()),), k, 3)
    assert np.array_equal(seen.means, again.means)


def test_how_often_the_attacker_is_right() -> None:
    """Against Φ(√k/2σ), and the exact law of one Laplace answer; never more than (ε, δ) allows, but
    for chance."""
    k = grid(400)
    normal = AnalyticGaussian(epsilon=0.5, delta=1e-5)
    sigma = normal.law(Spend.of(normal).sensitivity).sigma
    seen = attack((Line(400, normal),), k, 1)
    assert np.max(np.abs(seen.right - special.ndtr(np.sqrt(k) / 2 / sigma))) < 0.04
    laplace = attack((Line(400, Laplace(epsilon=1.0)),), k, 1)
    assert laplace.right[0] == pytest.approx(1 - math.exp(-0.5) / 2, abs=0.04)
    assert np.all(laplace.right <= [share_right(float(each), 0.0) + 0.03 for each in k])
    assert share_right(0.0, 0.2) == pytest.approx(0.6)
    assert share_right(800.0, 1e-5) == 1.0


def test_different_answers_are_weighed_by_their_precision() -> None:
    """No weights give a smaller deviation than 1/variance: the exact value against an own
    least-squares solution."""
    asked = (Line(3, Laplace(epsilon=0.1)), Line(2, Laplace(epsilon=0.5)))
    variances = np.array([200.0] * 3 + [8.0] * 2)
    assert spread(asked, np.array([5.0]))[0] == pytest.approx(1 / math.sqrt(np.sum(1 / variances)))
    assert spread(asked, np.array([2.0]))[0] == pytest.approx(10.0)
    fact = found(given="list", releases="3 x laplace 0.1 | 2 x laplace 0.5").fact("deviation")
    assert fact.value == pytest.approx(spread(asked, np.array([5.0]))[0])
    assert found(answers=500).fact("deviation").value == pytest.approx(math.sqrt(8 / 500))


def test_whoever_averages_samples_stays_below_the_bounds() -> None:
    """Simulated guesses against their law: answers of 0 or 1 with noise, worked out by a sum over
    how often the person was drawn."""
    q, k, m = 0.3, 12, Laplace(epsilon=2.0)
    seen = attack((Line(k, m, chance=q),), np.array([1.0, 12.0]), 3, 40_000)
    rng = np.random.default_rng(9)
    noise = rng.laplace(0, 0.5, (200_000, k)).sum(axis=1) / (k * q)
    often = rng.binomial(k, q, 200_000) / (k * q)
    right = (np.mean(noise < 0.5) + np.mean(noise + often > 0.5)) / 2
    assert seen.right[1] == pytest.approx(right, abs=0.006)
    assert seen.spread[1] == pytest.approx(float(np.std(noise + often)), rel=0.01)
    most = Numeric().delta(Ledger((Spend.of(m, count=k, chance=q),)), 0.0)
    assert seen.right[1] <= (1 + most) / 2


@pytest.mark.parametrize("kind", [Laplace, AnalyticGaussian, Geometric], ids=lambda kind: kind.key)
def test_noise_that_is_drawn_once_for_every_epsilon_is_that_of_this_one(kind) -> None:
    """Of equal answers: whatever was simulated before at another ε, it is the attack on these."""
    states = [averaging_model(Averaging(mechanism=kind(epsilon=e)), DATA) for e in (0.5, 1.7)]
    for at in states:
        drawn, asked = averaging(at), (Line(1_000_000, at.lab.mechanism),)
        alone = attack(asked, drawn.k, at.lab.seed)
        np.testing.assert_allclose(drawn.means, alone.means, 1e-12, 1e-15)
        np.testing.assert_allclose(drawn.spread, alone.spread, 1e-12)
        np.testing.assert_allclose(drawn.right, alone.right, 1e-12)


def test_who_averages_whole_numbers_into_the_middle_is_right_half_the_time() -> None:
    """Sums of integers against k/2 in integers, where a mean lies on it itself or not at all."""
    k = np.arange(1.0, 31)
    seen = attack((Line(30, Geometric(epsilon=1.5)),), k, 5)
    sums = 2 * np.abs(np.rint(seen.means * k).astype(int))
    nearer, between = (sums < k).mean(axis=0), (sums == k).mean(axis=0)
    assert np.all(between[[1, 3, 5]] > 0.05)
    assert seen.right == pytest.approx((1 + nearer + between / 2) / 2, abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_near_enough_is_the_first_of_its_kind(seed: int) -> None:
    """In random states: the standard deviation of the first so many answers is at most half of what
    one person changes, and that of one fewer is above it."""
    lab = random_state(Averaging, seed, DATA)
    at = averaging_model(lab, DATA)
    if any(problem.stops for problem in lab.problems(DATA)):
        return
    k, lines = needed(at), asked_lines(at)
    asked = (replace(lines[0], times=10**9),) if at.equal else lines
    if k is None:
        assert spread(asked, np.array([float(count_asked(at))]))[0] > 0.5
        return
    assert spread(asked, np.array([float(k)]))[0] <= 0.5 * (1 + 1e-9)
    assert k == 1 or spread(asked, np.array([k - 1.0]))[0] > 0.5


@pytest.mark.parametrize("fields", [
    {"answers": 30}, {"answers": 1}, {"mechanism": AnalyticGaussian(epsilon=0.3, delta=1e-6)},
    {"given": "list"}, {"given": "list", "releases": "7 x (laplace 1 + laplace 2) | gaussian 1 1e-6"},
    {"mechanism": TextbookGaussian(epsilon=30.0)}, {"adjacency": "replace"},
])  # fmt: skip
def test_what_the_answers_cost_is_what_the_other_lab_says(fields: dict) -> None:
    """Composition with every bound chosen finds no total below the one that is told here, and adds
    up to the same."""
    here, there = (
        averaging_model(Averaging(**fields), DATA, True),
        Composition(
            **{"mechanism": Averaging().mechanism, "answers": 100, **fields}, bounds=tuple(KINDS)
        ),
    )
    other = composition_model(there, DATA, True)
    bound, total = cheapest(here)
    if bound.supposes(here.ledger):
        assert not tightest(other).counts
    else:
        assert total <= tightest(other).epsilon * (1 + 1e-6)
    k, added = cost_curve(here, Sequential())
    assert added[k == here.answers] == pytest.approx(by_adding(other))


def test_what_is_shared_out_costs_what_one_answer_costs() -> None:
    """The mean of k answers with ε/k each errs by k·√(2/k)/ε for Laplace noise: √k times as much as
    one answer, and together they cost its ε."""
    at = averaging_model(Averaging(mechanism=Laplace(epsilon=0.5), answers=64), DATA)
    assert shared_deviation(at, 64) == pytest.approx(8 * shared_deviation(at, 1))
    assert 64 * shared_epsilon(at) == pytest.approx(0.5)
    k, curve = shared_curve(at)
    assert curve[k == 64] == pytest.approx(shared_deviation(at, 64))
    assert (np.diff(curve) > 0).all()
