"""The least weighted error by the tightest bound, where that is another than by the quick ones."""

import math

from test_plans import TOLD, words

from dpstudio.plans.charge import NUMERIC
from dpstudio.plans.plan import Plan
from dpstudio.plans.question import MostCommon, TwoWay
from dpstudio.plans.solve import best_weighted, choices, weighted
from dpstudio.plans.spending import Costs, filled, paid, refined, tight

_TWO = Plan(
    TOLD.with_(epsilon="0.05", delta="0.001"),
    (
        TwoWay(name="a", groups=words(3), other_groups=words(7), target="5"),
        MostCommon(name="b", groups=words(6), times=4),
    ),
)


def test_the_best_split_by_the_tightest_bound_is_found_where_it_is_another() -> None:
    """No noise and no proportion of two questions errs less, over a grid of them; by the quick
    bounds others are best, which err more."""
    a, b = _TWO.questions
    quick, solved = best_weighted(_TWO, fine=False), best_weighted(_TWO)
    ratios = [math.exp(x / 4) for x in range(-12, 4, 2)]
    grid = [
        weighted(_TWO, filled(_TWO, Costs((noise, other), (1e-6, 1e-3 * ratio)), tight, 6))
        for noise in choices(_TWO, a)
        for other in choices(_TWO, b)
        for ratio in ratios
    ]
    found, near = (weighted(plan, paid(plan)) for plan in (solved, refined(quick)))
    assert solved.charge.bound == NUMERIC
    assert solved.charge.epsilon <= _TWO.terms.epsilon
    assert found < 1.005 * min(grid)
    assert near > 1.02 * found
