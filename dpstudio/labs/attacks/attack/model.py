"""One state of the lab: an attacker with what was worked out of the attack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.attack.parameters import Attacks
from dpstudio.labs.context import Context
from dpstudio.labs.page import Refused
from dpstudio.labs.question import (
    answering_problems,
    measured_if_possible,
    mechanism_refused,
    with_answer,
)
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.total import Sum
from dpstudio.privacy.release.answerable import refused_queries
from dpstudio.values.messages import N_, say
from dpstudio.values.problem import Problem


@dataclass(frozen=True, eq=False)
class AttackModel:
    """`found` is what the attacker's own file makes of the attack."""

    lab: Attacks
    found: Any


def stages(lab: Attacks, context: Context) -> Iterator[AttackModel]:
    """The attack, first quickly."""
    for found in lab.attacker.stages(lab.asked(), lab.looked(context.effort), context):
        yield AttackModel(lab, found)


def problems(lab: Attacks, data: Dataset) -> Iterator[Problem]:
    """What stops the attack on this table."""
    halts = list(lab.attacker.halts(data, lab.show_truth))
    yield from halts
    if any(problem.stops for problem in halts):
        return
    question = None
    if lab.attacker.asks:
        found = list(answering_problems(lab, data))
        yield from found
        if any(problem.stops for problem in found):
            return
        question = measured_if_possible(lab.query, data, lab.adjacency)
    yield from _broken(lab)
    yield from lab.attacker.problems(lab.asked(), question)


def _broken(lab: Attacks) -> Iterator[Problem]:
    """Where the noise does not keep its (ε, δ): all that these allow is said as if it did."""
    promise = lab.mechanism.guarantee(UNIT)
    if lab.picked and promise.violated:
        text = N_("{why} What ε and δ allow is said here as if the promise held.")
        yield Problem("mechanism", say(text, why=promise.note), stops=False, grave=True)


def refused(lab: Attacks, data: Dataset) -> Refused:
    """Mechanisms and questions that cannot be attacked here, each with the reason."""
    if not lab.attacker.asks:
        return {}
    return {"mechanism": mechanism_refused(lab, data), "query": refused_queries(data)}


def suited(lab: Attacks, data: Dataset) -> Attacks:
    """The lab with a question that this table can answer, and that can be attacked."""
    lab = lab.with_(attacker=lab.attacker.suited(data))
    if not lab.attacker.asks:
        return lab
    made = with_answer(lab, data)
    if not any(problem.stops for problem in problems(made, data)):
        return made
    simple = [with_answer(made.with_(query=kind()), data) for kind in (Count, Sum)]
    fits = (each for each in simple if not any(p.stops for p in problems(each, data)))
    return next(fits, made)
