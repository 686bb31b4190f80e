"""One number for what all targets take: the least ε, and where the least worst error meets them."""

from dataclasses import replace
from fractions import Fraction

import pytest
from test_plans import _random_plan

from dpstudio.plans.charge import NUMERIC
from dpstudio.plans.frontier import dropping, who_pays
from dpstudio.plans.plan import Plan
from dpstudio.plans.solve import least, least_epsilon, least_total
from dpstudio.plans.worst import best_worst


def _at(plan: Plan, epsilon: Fraction) -> Plan:
    return best_worst(replace(plan, terms=plan.terms.with_(epsilon=epsilon)))


@pytest.mark.parametrize("seed", range(12))
def test_the_least_total_is_where_the_least_worst_error_meets_all(seed: int) -> None:
    """By the bound that is charged, whatever noises are mixed; and never more than the total."""
    plan = _random_plan(seed, 3 + seed % 4, rows=1 + seed % 3)
    needed = least(plan).charge.epsilon
    assert least_total(plan) == pytest.approx(float(needed), rel=1e-5)  # shares of five digits
    assert least_total(plan) <= least_epsilon(plan)
    assert all(one.epsilon <= least_total(plan) for one in dropping(plan))
    for by, meets in (
        (Fraction(1), True),
        (Fraction(1001, 1000), True),
        (Fraction(98, 100), False),
    ):
        solved = _at(plan, needed * by)
        assert solved.charge.epsilon <= needed * by
        assert all(line.met for line in who_pays(solved)) is meets


def test_the_numeric_bound_alone_makes_some_totals_enough() -> None:
    """Of these workloads some are charged by it, where the quick bounds ask a good part more."""
    plans = [_random_plan(seed, 3 + seed % 4, rows=1 + seed % 3) for seed in range(12)]
    assert any(
        least(plan).charge.bound == NUMERIC and least_total(plan) < 0.99 * least_epsilon(plan)
        for plan in plans
    )
