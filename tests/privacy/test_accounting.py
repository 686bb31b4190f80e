"""Bounds on the cost of k answers: the vectors of the literature, exact fractions, and what theory
says about their order."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.privacy.accounting import (
    EXPLORED,
    Advanced,
    AdvancedTanh,
    Optimal,
    Sequential,
    crossover,
)
from dpstudio.privacy.accounting.accountant import DELTA_PRIME, K_MOST
from dpstudio.privacy.accounting.optimal import optimal_epsilon, optimal_log_delta
from dpstudio.values.parameters import ParamError

NAMES = {
    "basic": Sequential,
    "drv10": Advanced,
    "advanced_tanh": AdvancedTanh,
    "optimal_exact": Optimal,
}


def total(kind: type, k: int, epsilon: float, delta_prime: float, delta: float = 0.0) -> float:
    return float(kind(delta_prime=delta_prime).total(np.array([float(k)]), epsilon, delta)[0])


@pytest.mark.vectors("pure_k")
def test_vectors(vector: dict) -> None:
    given_, name = vector["inputs"], vector["fn"]
    if name == "kov35_min":
        found = min(
            total(kind, given_["k"], given_["eps"], given_["delta"])
            for kind in (Sequential, AdvancedTanh)
        )
    elif name == "kov33_grid":
        # Theorem 3.3 as printed knows only the ε of its grid: the first at or above the exact one.
        steps = total(Optimal, given_["k"], given_["eps"], given_["delta"]) / given_["eps"]
        found = (math.ceil((steps - given_["k"]) / 2 - 1e-9) * 2 + given_["k"]) * given_["eps"]
    else:
        found = total(NAMES[name], given_["k"], given_["eps"], given_["delta"])
    assert found == pytest.approx(vector["expected"], abs=vector["tol"])


def exact_delta(k: int, ratio: Fraction, top: Fraction) -> Fraction:
    """δ(ln top) of k-fold randomised response with e^ε = ratio, in whole numbers."""
    terms = (
        math.comb(k, j) * max(Fraction(0), ratio ** (k - j) - top * ratio**j) for j in range(k + 1)
    )
    return sum(terms, Fraction(0)) / (1 + ratio) ** k


@pytest.mark.parametrize(
    "ratio", [Fraction(101, 100), Fraction(11, 10), Fraction(3, 2), Fraction(3), Fraction(50)]
)
@pytest.mark.parametrize("k", [1, 2, 3, 7, 20, 45])
def test_optimum_against_exact_fractions(ratio: Fraction, k: int) -> None:
    """At the answer δ is at most the slack, and a hair below it is more, in exact arithmetic."""
    epsilon = math.log(ratio)
    for delta_prime in (1e-12, 1e-5, 0.01, 0.1):
        found = float(optimal_epsilon(np.array([float(k)]), epsilon, delta_prime)[0])
        assert exact_delta(k, ratio, Fraction(math.exp(found + 1e-9))) <= Fraction(delta_prime)
        if found > 1e-9:
            assert exact_delta(k, ratio, Fraction(math.exp(found - 1e-9))) > Fraction(delta_prime)
            inner = exact_delta(k, ratio, Fraction(math.exp(0.9 * found)))
            assert optimal_log_delta(0.9 * found, k, epsilon) == pytest.approx(
                math.log(inner), abs=1e-9
            )


@given(st.floats(-3, math.log10(50)), st.integers(1, 3000), st.floats(-12, -1))
def test_optimum_solves_its_own_curve(log_epsilon: float, k: int, log_delta_prime: float) -> None:
    """The fast windowed solution against the plain sum over all j."""
    epsilon, delta_prime = 10**log_epsilon, 10**log_delta_prime
    found = float(optimal_epsilon(np.array([float(k)]), epsilon, delta_prime)[0])
    hair = 1e-7 * max(1.0, found)
    assert optimal_log_delta(found + hair, k, epsilon) <= math.log(delta_prime) + 1e-6
    if found > hair:
        assert optimal_log_delta(found - hair, k, epsilon) >= math.log(delta_prime) - 1e-6


@pytest.mark.parametrize(("epsilon", "k"), [(0.1, 10_000), (0.5, 2000), (1.0, 200), (3.0, 30)])
def test_optimum_at_a_slack_near_one(epsilon: float, k: int) -> None:
    """Its crossing lies far above the mean of the flips, where the window once ended."""
    for delta_prime in (0.91, 0.999, 0.999999):
        found = float(optimal_epsilon(np.array([float(k)]), epsilon, delta_prime)[0])
        reached = math.exp(optimal_log_delta(found, k, epsilon))
        assert reached == pytest.approx(delta_prime, rel=1e-9) or (found == 0 and reached < 1)


@pytest.mark.parametrize(
    ("epsilon", "k", "delta_prime"),
    [(0.1, 100, 1e-5), (1.0, 30, 1e-6), (0.5, 64, 1e-3), (3.0, 5, 1e-9)],
)
def test_optimum_against_dp_accounting(epsilon: float, k: int, delta_prime: float) -> None:
    """Google's privacy loss distribution of k pure answers, where it is installed. Its grid rounds
    up."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    one = pld.from_privacy_parameters(
        pytest.importorskip("dp_accounting.pld.common").DifferentialPrivacyParameters(epsilon, 0),
        value_discretization_interval=1e-4,
    )
    theirs = one.self_compose(k).get_epsilon_for_delta(delta_prime)
    assert total(Optimal, k, epsilon, delta_prime) == pytest.approx(
        theirs, rel=1e-5, abs=1e-4 * math.sqrt(k)
    )


@given(st.floats(-3, math.log10(50)), st.integers(1, K_MOST), st.floats(-12, -1))
def test_order_of_the_bounds(log_epsilon: float, k: int, log_delta_prime: float) -> None:
    """optimal ≤ min(sequential, tanh form), tanh form ≤ DRV; nothing overflows."""
    epsilon, delta_prime = 10**log_epsilon, 10**log_delta_prime
    sequential, drv, tanh, optimal = (
        total(kind, k, epsilon, delta_prime)
        for kind in (Sequential, Advanced, AdvancedTanh, Optimal)
    )
    assert all(math.isfinite(x) and x >= 0 for x in (sequential, drv, tanh, optimal))
    assert optimal <= min(sequential, tanh) * (1 + 1e-9)
    assert tanh <= drv * (1 + 1e-12)


def test_optimum_is_monotone() -> None:
    """More answers, a larger ε or less slack never cost less."""
    k = np.unique(np.round(np.geomspace(1, K_MOST, 60)))
    for epsilon in (0.001, 0.1, 1.0, 50.0):
        curve = optimal_epsilon(k, epsilon, 1e-6)
        assert np.all(np.diff(curve) >= -1e-9)
        assert np.all(optimal_epsilon(k, epsilon, 1e-9) >= curve - 1e-9)
        assert np.all(optimal_epsilon(k, epsilon * 1.01, 1e-6) >= curve - 1e-9)


def test_many_k_at_once_are_each_k_alone() -> None:
    """In any order, with windows of very different widths in one call; slack has no say in that."""
    k = np.array([10_000.0, 1.0, 2.0, 5_000.0, 37.0, 700.0, 3.0, 9_999.0, 150.0])
    for epsilon, delta_prime in itertools.product((0.01, 0.3, 5.0, 800.0), (1e-300, 1e-5, 0.1)):
        alone = [float(optimal_epsilon(each, epsilon, delta_prime)) for each in k]
        assert optimal_epsilon(k, epsilon, delta_prime).tolist() == pytest.approx(alone, rel=1e-12)


def test_slack_far_below_its_slider() -> None:
    """1e-300 is no input of the window, but the sum holds."""
    for epsilon, k in ((0.1, 10_000), (1.0, 1000), (50.0, 100), (0.001, 1)):
        found = float(optimal_epsilon(np.array([float(k)]), epsilon, 1e-300)[0])
        assert 0 < found <= k * epsilon * (1 + 1e-12)
        assert optimal_log_delta(found * (1 + 1e-9), k, epsilon) <= math.log(1e-300) + 1e-4
    assert float(optimal_epsilon(np.array([1.0]), 0.5, 0.1)[0]) == pytest.approx(
        math.log(math.exp(0.5) - 0.1 * (1 + math.exp(0.5)))
    )


@pytest.mark.parametrize(
    ("epsilon", "delta_prime", "drv", "tanh"),
    [
        (0.1, 1e-5, 29, 26),
        (0.1, 1e-6, 35, 31),
        (0.01, 1e-5, 24, 24),
        (0.01, 1e-6, 29, 28),
        (0.05, 1e-5, 26, 25),
        (0.2, 1e-5, 38, 29),
        (0.5, 1e-5, 187, 41),
        (0.5, 1e-6, 224, 49),
        (1.0, 1e-5, None, 80),
        (1.0, 1e-4, None, 64),
    ],
)
def test_crossovers(epsilon: float, delta_prime: float, drv: int | None, tanh: int | None) -> None:
    """Where advanced composition begins to beat adding up; from there on it stays ahead."""
    assert crossover(Advanced(delta_prime=delta_prime), epsilon) == drv
    assert crossover(AdvancedTanh(delta_prime=delta_prime), epsilon) == tanh
    k = np.arange(1.0, 10_001.0)
    for bound, first in ((Advanced, drv), (AdvancedTanh, tanh)):
        totals = bound(delta_prime=delta_prime).total(k, epsilon)
        below = totals < k * epsilon * (1 - 1e-12)
        assert list(below) == list(k >= (first or math.inf))


def test_where_theorems_apply_and_what_they_spend() -> None:
    """The exact optimum refuses δ > 0; δ adds up, with the slack once where a theorem needs it, and
    never passes 1."""
    for kind in EXPLORED:
        accountant = kind(delta_prime=1e-6)
        assert accountant.undrawn(0.1, 0.0) is None
        assert (accountant.undrawn(0.1, 1e-9) is not None) == (kind is Optimal)
        spent = 0.0 if kind is Sequential else 1e-6
        assert accountant.total_delta(50, 1e-7) == pytest.approx(50e-7 + spent)
        assert accountant.total_delta(10_000, 0.5) == 1.0
        shaped = accountant.total(np.array([[1.0, 2.0], [30.0, 10_000.0]]), 0.1)
        assert shaped.shape == (2, 2)
        assert float(accountant.total(30, 0.1)) == pytest.approx(shaped[1, 0])
        for value in (0, DELTA_PRIME.low / 2, 0.2, math.nan, "abc", None):
            with pytest.raises(ParamError, match="delta_prime"):
                kind(delta_prime=value)
