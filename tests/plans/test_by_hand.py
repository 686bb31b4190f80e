"""Shares by hand: which noise is proposed."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from test_plans import DRAWN, TOLD, _costs, _random_plan

from dpstudio.plans.by_hand import in_proportion
from dpstudio.plans.frontier import who_pays
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.question import AUTO, GAUSSIAN, LAPLACE, Count, Mean
from dpstudio.plans.solve import choices, weighted


def _made(plan: Plan, noises: Sequence[str]) -> Plan:
    """Each pays the same ρ, with this noise."""
    given = zip(plan.questions, noises, strict=True)
    fixed = tuple(q if q.noise != AUTO else q.with_(noise=n) for q, n in given)
    return in_proportion(replace(plan, questions=fixed), {})


def _sized(size: int | None) -> Plan:
    """Counts with nothing else asked of them, beside a mean of so many rows."""
    counts = [Count(name=f"c{i}", where=f"age > {i}") for i in range(7)]
    return Plan(TOLD, (*counts, Mean(name="m", low=0, high=300, size=size)))


PLANS = [
    *(_random_plan(seed, count) for seed, count in ((1, 4), (2, 4), (3, 5), (4, 9))),
    DRAWN,
    Plan(TOLD, (Count(name="a"),)),
    Plan(TOLD, tuple(Count(name=f"c{i}") for i in range(12))),
    *map(_sized, (None, 20, 5000)),
]


@pytest.mark.parametrize("plan", PLANS)
def test_by_hand_another_noise_makes_no_question_worse_for_nothing(plan: Plan) -> None:
    """Equal shares: each errs as with the first noise of all, or less, or stays within its target;
    and of all noises of which that holds neither both ends nor another one of a question has less
    weighted error."""
    made = in_proportion(plan, {})
    mine = tuple(share.noise for share in made.split)
    every = [choices(plan, q) for q in plan.questions]
    ends = tuple(e[0] for e in every), tuple(e[-1] for e in every)
    first = who_pays(_made(plan, ends[0]))

    def harmless(other: Plan) -> bool:
        return all(
            now.error <= was.error * (1 + 1e-6) or now.met
            for now, was in zip(who_pays(other), first, strict=True)
        )

    assert harmless(made)
    others = {*ends, *((*mine[:i], n, *mine[i + 1 :]) for i, e in enumerate(every) for n in e)}
    least = min(weighted(plan, _costs(o)) for n in others if harmless(o := _made(plan, n)))
    assert weighted(plan, _costs(made)) <= least * 1.001


def test_by_hand_noise_is_what_the_plan_gains_by() -> None:
    """One count has Laplace noise, twelve have Gaussian noise, each nearer; that a mean has a size
    makes no count worse; and what somebody gave keeps its noise."""
    noises = [{s.noise for s in in_proportion(plan, {}).split} for plan in PLANS[5:7]]
    assert noises == [{LAPLACE}, {GAUSSIAN}]
    bare, *sized = ([line.error for line in who_pays(in_proportion(p, {}))] for p in PLANS[7:])
    assert all(now <= was for each in sized for now, was in zip(each, bare, strict=True))
    kept = in_proportion(PLANS[0], {PLANS[0].questions[0].name: Share(GAUSSIAN, Fraction(1, 9))})
    assert kept.split[0].noise == GAUSSIAN
