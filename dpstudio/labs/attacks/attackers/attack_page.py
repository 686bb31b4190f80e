"""The page of every lab of attackers: what the one that is picked found, drawn and said by the
files beside its model."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.attackers.attack_lab import AttackLab
from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.page import Page, Refused
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
from dpstudio.values.parameters import OneOf, domains
from dpstudio.values.problem import Problem


@dataclass(frozen=True, eq=False)
class AttackModel:
    """An attacker with what was worked out of the attack: `found` is what its own file makes."""

    lab: Any  # an AttackLab, with the parameters that its own attackers need
    found: Any


def stages(lab: AttackLab, context: Context) -> Iterator[AttackModel]:
    """The attack, first quickly."""
    for found in lab.attacker.stages(lab.asked(), lab.looked(context.effort), context):
        yield AttackModel(lab, found)


def charts(model: AttackModel) -> Iterator[Figure]:
    """Of the attack in use, its success first."""
    yield from model.lab.attacker.beside("charts").charts(model.found)


def facts(model: AttackModel) -> tuple[Fact, ...]:
    """The strip of the attack in use."""
    return tuple(model.lab.attacker.beside("words").facts(model.found))


def sentences(model: AttackModel) -> tuple[Sentence, ...]:
    """What is said of the attack in use, and what it does."""
    attacker = model.lab.attacker
    said = tuple(attacker.beside("words").sentences(model.found))
    return (*said, Sentence("what", attacker.what))


def tables(model: AttackModel) -> tuple[Table, ...]:
    """Its tables, where it has any."""
    words = model.lab.attacker.beside("words")
    return tuple(words.tables(model.found)) if hasattr(words, "tables") else ()


def problems(lab: Any, data: Dataset) -> Iterator[Problem]:
    """What stops the attack on this table."""
    if lab.attacker.exact and not lab.show_truth:
        text = N_(
            "This attack shows exact answers. Choose to show what is exact, or another attack."
        )
        yield Problem("show_truth", say(text))
        return
    yield from lab.attacker.halts(data)
    if _halted(lab.attacker, data):
        return
    question = None
    if lab.asks:
        found = list(answering_problems(lab, data))
        yield from found
        if any(problem.stops for problem in found):
            return
        question = measured_if_possible(lab.query, data, lab.adjacency)
    yield from _broken(lab)
    yield from lab.attacker.problems(lab.asked(), question)


def _halted(attacker: Attacker, data: Dataset) -> bool:
    return any(problem.stops for problem in attacker.halts(data))


def _broken(lab: Any) -> Iterator[Problem]:
    """Where the noise does not keep its (ε, δ): all that these allow is said as if it did."""
    promise = lab.mechanism.guarantee(UNIT) if lab.picked else None
    if promise is not None and promise.violated:
        text = N_("{why} What ε and δ allow is said here as if the promise held.")
        yield Problem("mechanism", say(text, why=promise.note), stops=False, grave=True)


def refused(lab: Any, data: Dataset) -> Refused:
    """Mechanisms and questions that cannot be attacked here, each with the reason."""
    if not lab.asks:
        return {}
    return {"mechanism": mechanism_refused(lab, data), "query": refused_queries(data)}


def suited(lab: Any, data: Dataset) -> Any:
    """The lab with an attacker that this table does not stop, its own where that can be, and with a
    question that the table can answer and that can be attacked."""
    domain = domains(type(lab))["attacker"]
    assert isinstance(domain, OneOf)
    each = (one.suited(data) for one in (lab.attacker, *(kind() for kind in domain.family())))
    fits = (one for one in each if not _halted(one, data))
    lab = lab.with_(attacker=next(fits, lab.attacker))
    if not lab.asks:
        return lab
    made = with_answer(lab, data)
    if not any(problem.stops for problem in problems(made, data)):
        return made
    simple = [with_answer(made.with_(query=kind()), data) for kind in (Count, Sum)]
    fits = (each for each in simple if not any(p.stops for p in problems(each, data)))
    return next(fits, made)


ATTACK_PAGE: Page[AttackLab, AttackModel] = Page(
    stages=stages,
    charts=charts,
    facts=facts,
    leads=("off", "best", "promised"),
    sentences=sentences,
    tables=tables,
    headline=lambda model: ("gain", "nobody", "exact"),
    awaits=lambda model: not getattr(model.found, "whole", True),
    refines=("attack", "gain", "nobody", "success"),
    problems=problems,
    refused=refused,
    suited=suited,
)
