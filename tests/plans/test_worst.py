"""One number for what all targets take: the least ε, and where the least worst error meets them."""

from dataclasses import replace
from fractions import Fraction

import pytest
from test_plans import _random_plan

from dpstudio.plans.charge import NUMERIC
from dpstudio.plans.frontier import dropping, who_pays
from dpstudio.plans.plan import LOOK, Plan, Terms
from dpstudio.plans.question import Count, Mean, MeanByGroup
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


@pytest.mark.parametrize("seed", range(12))
def test_what_is_left_without_one_question_is_the_least(seed: int) -> None:
    """The others may do with another noise than beside it: ε = 2.71 was said where 1.93 does."""
    groups, size = ("a", "b", "c", "d", "e"), {"size": "1500", "low": 0}
    dear = MeanByGroup(name="dear", groups=groups, high=2000, target="20", **size)
    asked = (Count(name="all", target="25"), Count(name="old", where="age > 65", target="25"), dear)
    asked += (Mean(name="wait", high=24, target="2", **size),)
    terms = Terms(purpose=LOOK, epsilon=Fraction(1), delta=Fraction(1, 10**6), rows=5, whose="p")
    plan = Plan(terms, asked)
    if seed:
        plan = _random_plan(seed, 3 + seed % 4, rows=1 + seed % 3)
    for one in dropping(plan):
        others = tuple(each for each in plan.questions if each.name != one.name)
        assert one.epsilon <= 1.01 * least_total(replace(plan, questions=others, split=()))


def test_the_numeric_bound_alone_makes_some_totals_enough() -> None:
    """Of these workloads some are charged by it, where the quick bounds ask a good part more."""
    plans = [_random_plan(seed, 3 + seed % 4, rows=1 + seed % 3) for seed in range(12)]
    assert any(
        least(plan).charge.bound == NUMERIC and least_total(plan) < 0.99 * least_epsilon(plan)
        for plan in plans
    )
