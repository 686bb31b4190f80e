"""The script of the lab Plan: what its questions must pay to meet their targets."""

import math

from dpstudio.labs.publish.plan.parameters import Planning, planned
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.plans.charge import Unit
from dpstudio.plans.charge import quick as bound
from dpstudio.plans.frontier import dropping
from dpstudio.plans.laws import pair, size_public
from dpstudio.plans.plan import Plan
from dpstudio.plans.question import GAUSSIAN, LAPLACE, Question
from dpstudio.plans.solve import choices, distance, least_epsilon, least_total, meeting
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

_MOST = 8  # questions of which all choices of noise are tried
_NONE = N_("No question has a target yet: type one, such as 25.")
_CHOICE = N_(
    "“{name}” chooses one of several, which no script of a plan does. Take its target out."
)
_MANY = N_(
    "A script tries every choice of noise, and more than {most} {most:question has|questions have} "
    "too many. Take some targets out."
)
# An error counts the grid on which Gaussian and Laplace noise is drawn, a few parts in 10^9.
_GRID = 1e-7
_NUMERIC = N_("The numeric bound asks for less than what this script adds up.")
_LEAST = """    numbers["least"] = least
"""
_WITHOUT = """    # Without one of them, the dearest, and the others as they are.
    left = []
    for i in range(len(questions)):
        others = [[*each[:i], *each[i + 1 :]] for each in (questions, noises, costs)]
        left.append(total_epsilon(*others, touched, delta))
    if len(left) > 1:
        numbers["without"] = min(left)
"""
_LINES = f"""
# Every question pays what its target takes; which noise it has, the total decides.
needs = needed_costs(questions, confidence)
if all(needs):
    least, noises, costs = best_noises(questions, needs, touched, delta)
{_LEAST}{_WITHOUT}    # With Laplace noise alone each pays its own epsilon, and these add up.
    pure = [min(each, key=lambda noise: noise == "gaussian") for each in needs]
    costs_pure = [each[noise] for each, noise in zip(needs, pure, strict=True)]
    numbers["added"] = added_epsilon(questions, pure, costs_pure, touched, delta)
"""
_HERO = """
# As rho, in which what is pure counts half of its epsilon squared.
rhos = [c if noise == "gaussian" else c * c / 2 for noise, c in zip(noises, costs, strict=True)]
axes.barh([each["name"] for each in questions], [rho / sum(rhos) for rho in rhos])
axes.set_xlabel("share of the rho that all targets take")
"""


def script(lab: Planning, known: Known) -> Script:
    """The script of a state. Raises NoScript."""
    plan = planned(lab).aimed
    if not plan.questions:
        raise NoScript(say(_NONE))
    if len(plan.questions) > _MOST:
        raise NoScript(say(_MANY, most=_MOST))
    settings = {
        "questions": [_told(plan, place) for place in range(len(plan.questions))],
        "confidence": lab.confidence,
        "delta": lab.delta,
        "touched": plan.terms.unit.touched,
    }
    law = dict.fromkeys(("least", "without", "added"), _GRID)
    numeric, lines = _by_numeric(plan), _LINES
    for key in numeric:
        lines = lines.replace(_LEAST if key == "least" else _WITHOUT, "")
    return Script(settings, lines, law, _HERO, left_out=dict.fromkeys(numeric, say(_NUMERIC)))


def _by_numeric(plan: Plan) -> tuple[str, ...]:
    """The facts that are less by the numeric bound than the script finds."""
    quick = least_epsilon(plan)
    if math.isinf(quick):
        return ()
    costs, _ = meeting(plan, fine=False)
    parts, unit, delta = costs.parts(plan), plan.terms.unit, float(plan.terms.delta)
    left = min(bound((*parts[:i], *parts[i + 1 :]), unit, delta) for i in range(len(parts)))
    pairs = {"least": (quick, least_total(plan)), "without": (left, dropping(plan)[0].epsilon)}
    return tuple(key for key, (ours, told) in pairs.items() if told < ours * (1 - _GRID / 2))


def _told(plan: Plan, place: int) -> dict[str, object]:
    """A question as the script knows it: how far one person moves it, and how far off it may be."""
    question, unit = plan.questions[place], plan.terms.unit
    if not question.additive:
        raise NoScript(say(_CHOICE, name=question.name))
    try:
        noises = choices(plan, question)
    except ParamError as error:
        raise NoScript(error.sentence) from None
    reach = question.reach(unit)
    told: dict[str, object] = {
        "name": question.name,
        "cells": reach.cells,
        "target": distance(question),
        "times": question.times,
        "noises": tuple(sorted(noises, reverse=True)),
        "spend": None if question.spend is None else float(question.spend),
        "lot": plan.lots[place],
    }
    if question.counted:
        return told | _of_mean(question, unit)
    return told | {
        "l1": float(reach.l1), "l2_squared": float(reach.l2_squared), "whole": reach.whole,
    }  # fmt: skip


def _of_mean(question: Question, unit: Unit) -> dict[str, object]:
    """Of a mean the scales of the noise on its sum and on its count, at a cost of 1: of Laplace
    noise, and the deviations of Gaussian noise."""
    low, high = (float(bound) for bound in question.bounds)
    half, (on_sum, on_count) = (high - low) / 2, pair(question, unit)
    if size_public(question, unit):
        on_count = on_count[0] * 0, on_count[1] * 0
    rows = unit.rows
    laplace = rows * half * float(on_sum[0]), rows * float(on_count[0])
    gaussian = rows * half * float(on_sum[1]) ** 0.5, rows * float(on_count[1]) ** 0.5
    return {
        "half_span": half,
        "size": float(question.size or 1),
        "scales": {LAPLACE: laplace, GAUSSIAN: gaussian},
    }
