"""The bridge from k to ε: the formula by sums of integers, and above the exact divergence of the
algorithm that it is a bound for."""

import math

import numpy as np
import pytest

from dpstudio.privacy.anonymity.sampled import delta, epsilon, least_epsilon

CASES = [(2, 0.1, 0.5), (3, 0.3, 1.0), (5, 0.05, 0.2), (10, 0.5, 1.2), (7, 0.02, 0.05)]


def law(people: int, beta: float) -> list[float]:
    """The chances of 0, 1, … of so many people in the sample."""
    return [math.comb(people, j) * beta**j * (1 - beta) ** (people - j) for j in range(people + 1)]


@pytest.mark.parametrize(("k", "beta", "eps"), CASES)
def test_the_formula_by_sums_of_integers(k: int, beta: float, eps: float) -> None:
    gamma = (math.exp(eps) - 1 + beta) / math.exp(eps)
    first = max(math.ceil(k / gamma - 1), 1)
    sums = [
        math.fsum(chance for j, chance in enumerate(law(people, beta)) if j > gamma * people)
        for people in range(first, first + 160)
    ]
    assert delta(k, beta, eps) == pytest.approx(max(sums), rel=1e-9)


@pytest.mark.parametrize(("k", "beta", "eps"), CASES)
def test_it_bounds_the_exact_divergence_of_every_class(k: int, beta: float, eps: float) -> None:
    """One class with so many people, and with one more: published is its count in the sample, or
    nothing below k. Both ways round, by brute force."""
    worst = 0.0
    for people in range(120):
        fewer, more = np.zeros(people + 2), np.array(law(people + 1, beta))
        fewer[: people + 1] = law(people, beta)
        told = [np.append(each[:k].sum(), each[k:]) for each in (fewer, more)]
        for one, other in (told, told[::-1]):
            worst = max(worst, float(np.maximum(one - math.exp(eps) * other, 0).sum()))
    assert 0 < worst <= delta(k, beta, eps) * (1 + 1e-9)


def test_epsilon_is_the_smallest_with_its_delta() -> None:
    for k, beta, most in ((20, 0.1, 1e-6), (50, 0.5, 1e-9), (10, 0.01, 1e-5)):
        found = epsilon(k, beta, most)
        assert delta(k, beta, found) <= most < delta(k, beta, found * (1 - 1e-6))
    assert epsilon(1000, 0.1, 1e-6) == least_epsilon(0.1)
    assert math.isinf(epsilon(5, 0.1, 1e-6))  # five in the sample by chance: 0.1^5 > δ
    assert delta(1000, 0.1, 0.9 * least_epsilon(0.1)) == 1
