"""Shares by hand: which noise is proposed."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from test_plans import DRAWN, TOLD, _random_plan

from dpstudio.plans.by_hand import in_proportion
from dpstudio.plans.frontier import who_pays
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.question import AUTO, GAUSSIAN, LAPLACE, Count, Mean
from dpstudio.plans.solve import choices


def _made(plan: Plan, noises: Sequence[str]) -> Plan:
    """Each pays the same ρ, with this noise."""
    given = zip(plan.questions, noises, strict=True)
    fixed = tuple(q if q.noise != AUTO else q.with_(noise=n) for q, n in given)
    return in_proportion(replace(plan, questions=fixed), {})


def _sized(count: int, size: int | None) -> Plan:
    """Counts with nothing else asked of them, beside a mean of so many rows."""
    counts = [Count(name=f"c{i}", where=f"age > {i}") for i in range(count)]
    return Plan(TOLD, (*counts, Mean(name="m", low=0, high=300, size=size)))


PLANS = [
    *(_random_plan(seed, count) for seed, count in ((1, 4), (2, 4), (3, 5), (4, 9))),
    DRAWN,
    Plan(TOLD, (Count(name="a"),)),
    Plan(TOLD, tuple(Count(name=f"c{i}") for i in range(12))),
    *(_sized(count, size) for count in (3, 7) for size in (None, 20, 5000)),
]


def _missed(plan: Plan) -> float:
    """By how much those with a target miss it, in proportion, all together."""
    given = zip(plan.questions, who_pays(plan), strict=True)
    beyond = ((q, e.error / e.target) for q, e in given if e.target)
    return sum(float(q.importance) * math.log(max(1, by)) for q, by in beyond)


@pytest.mark.parametrize("plan", PLANS)
def test_by_hand_another_noise_makes_no_question_worse_for_nothing(plan: Plan) -> None:
    """Equal shares: a question errs more than with the first noise of all only within its target,
    or where others come nearer to theirs; and no other noise, of all or of one, is better for all
    questions."""
    made = in_proportion(plan, {})
    mine = tuple(share.noise for share in made.split)
    every = [choices(plan, q) for q in plan.questions]
    ends = tuple(e[0] for e in every), tuple(e[-1] for e in every)
    lines, first = who_pays(made), _made(plan, ends[0])
    worse = [now for now, was in zip(lines, who_pays(first), strict=True) if now.error > was.error]
    assert all(line.met for line in worse) or _missed(made) < _missed(first)
    for noises in {
        *ends,
        *((*mine[:i], n, *mine[i + 1 :]) for i, e in enumerate(every) for n in e),
    }:
        other = who_pays(_made(plan, noises))
        rounded = [1.001 + 1 / now.error for now in lines]  # what is shown is a whole number
        assert any(a.error * by > b.error for a, b, by in zip(other, lines, rounded, strict=True))


@pytest.mark.parametrize("count", range(1, 12))
def test_by_hand_the_size_of_a_mean_makes_no_count_worse(count: int) -> None:
    bare, *sized = (who_pays(in_proportion(_sized(count, n), {})) for n in (None, 20, 300, 5000))
    for lines in sized:
        assert all(a.error <= b.error for a, b in zip(lines, bare, strict=True))


def test_by_hand_noise_is_what_the_plan_gains_by() -> None:
    """One count has Laplace noise, twelve have Gaussian noise, each nearer; and what somebody gave
    keeps its noise."""
    noises = [{s.noise for s in in_proportion(plan, {}).split} for plan in PLANS[5:7]]
    assert noises == [{LAPLACE}, {GAUSSIAN}]
    kept = in_proportion(PLANS[0], {PLANS[0].questions[0].name: Share(GAUSSIAN, Fraction(1, 9))})
    assert kept.split[0].noise == GAUSSIAN
