"""Shares by hand: which noise is proposed."""

import math
from fractions import Fraction

import pytest
from test_plans import TOLD, _costs, _random_plan

from dpstudio.plans.by_hand import in_proportion
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.question import GAUSSIAN, LAPLACE, Count
from dpstudio.plans.solve import choices, weighted


@pytest.mark.parametrize("seed", range(4))
def test_by_hand_each_has_the_noise_that_the_plan_errs_least_with(seed: int) -> None:
    """Equal shares: neither all Laplace nor all Gaussian noise nor another one of a question errs
    less; of one count that is Laplace noise. What somebody gave keeps its noise."""
    plan = _random_plan(seed, 4) if seed else Plan(TOLD, (Count(name="a"),))
    made = in_proportion(plan, {})
    mine = tuple(share.noise for share in made.split)
    every = [choices(plan, q) for q in plan.questions]
    others = {tuple(e[0] for e in every), tuple(e[-1] for e in every)}
    others |= {(*mine[:i], n, *mine[i + 1 :]) for i, e in enumerate(every) for n in e}
    rho = [share.cost if share.noise == GAUSSIAN else share.cost**2 / 2 for share in made.split]
    for other in others:
        given = zip(plan.questions, other, rho, strict=True)
        shares = {
            q.name: Share(n, r if n == GAUSSIAN else Fraction(math.sqrt(2 * r)))
            for q, n, r in given
        }
        assert (
            weighted(plan, _costs(made))
            <= weighted(plan, _costs(in_proportion(plan, shares))) * 1.001
        )
    assert seed or mine == (LAPLACE,)
    name = plan.questions[0].name
    kept = in_proportion(plan, {name: Share(every[0][-1], Fraction(1, 9))})
    assert kept.split[0].noise == every[0][-1]
