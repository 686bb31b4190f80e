"""The attacker who knows everybody else and asks: was this person among those who were counted? It
is the best attack there is on one answer, so its success is the bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.attackers.attacker import (
    AttackedQuestion,
    Attacker,
    Replays,
    Success,
    budgets,
    promised,
)
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.question import measured as measured_question
from dpstudio.privacy.attacks.audit import thresholds
from dpstudio.privacy.attacks.guessing import Guesses, loss_of, measured, right_by_loss
from dpstudio.privacy.mechanisms.additive import Additive
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.neighbours.attacker import advantage_bound, power_bound
from dpstudio.privacy.neighbours.pair import Pair
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.privacy.release.attacked import attacked
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import N_, say

_ROC, _SEEN = 201, 40


class Membership(Attacker):
    """Was this person counted? By likelihood ratio, knowing everybody else."""

    key = "membership"
    label = N_("Membership")
    what = say(
        "Knows everybody else, sees the answer, and says whether the one who moves it most was in. "
        "The likelihood ratio decides: no test does better."
    )
    source = "Neyman & Pearson 1933; Yeom et al. 2018; Dong, Roth & Su 2022"
    asks = True
    tries = True

    def stages(
        self, asked: AttackedQuestion, looked: Replays, context: Context
    ) -> Iterator[MembershipModel]:
        question = measured_question(asked.query, context.data, asked.adjacency)
        yield MembershipModel(self, asked, looked, context.data, question)


@dataclass(frozen=True, eq=False)
class MembershipModel:
    """One state of the attack."""

    attacker: Membership
    asked: AttackedQuestion
    looked: Replays
    data: Dataset
    question: MeasuredQuestion


def pair_at(model: MembershipModel, mechanism: Additive) -> Pair:
    """The laws of the whole answer with the person and without."""
    return attacked(Release(model.question, mechanism))


@once
def pair(model: MembershipModel) -> Pair:
    """Those at the ε in use."""
    return pair_at(model, model.asked.mechanism)


def one_number(model: MembershipModel, mechanism: Additive) -> tuple[Law, float] | None:
    """The noise of the only number that the person moves, and how far; None where there are
    several."""
    if len(model.question.moves) != 1:
        return None
    shifts = model.question.moves[0].shifts
    moved = [(place, by) for place, shift in enumerate(shifts) for _, by in shift if by]
    if len(moved) != 1 or len(model.question.truth) != 1:
        return None
    place, by = moved[0]
    return Release(model.question, mechanism).laws[place], abs(by)


def _losses(model: MembershipModel, law: Law, shift: float) -> tuple[Array, Array]:
    """Privacy losses of answers with the person and without, (draws,) each."""
    size = model.looked.draws()
    inside, outside = (law.sample(model.looked.generator(s), size) for s in (7, 8))
    return loss_of(law, shift, inside + shift), loss_of(law, shift, outside)


@once
def success(model: MembershipModel) -> Success:
    """How often the attacker is right against ε; remembered by the table for all ε."""
    mechanism, looked = model.asked.mechanism, model.looked
    at = [mechanism.at(e, mechanism.total_delta) for e in budgets(looked.effort).tolist()]

    def made() -> Success:
        best = array([(1 + pair_at(model, each).advantage) / 2 for each in at])
        epsilons = budgets(looked.effort)
        return Success(epsilons, promised(mechanism, epsilons), best, best, _measured(model, at))

    key = ("membership", at[0], model.asked.query, model.asked.adjacency, looked)
    return model.data.remember(key, made)


def _measured(model: MembershipModel, at: list[Additive]) -> Guesses | None:
    """What draws give, where one number alone moves."""
    seen = [one_number(model, each) for each in at]
    hits = [right_by_loss(*_losses(model, *each)) for each in seen if each is not None]
    looked = model.looked
    return measured(hits, 2 * looked.draws(), looked.confidence) if len(hits) == len(at) else None


@once
def here(model: MembershipModel) -> tuple[float, float]:
    """At the ε in use: how often the attacker is right, and at most by ε and δ."""
    mechanism = model.asked.mechanism
    most = float(promised(mechanism, array([mechanism.epsilon]))[0])
    return (1 + pair(model).advantage) / 2, most


def advantages(model: MembershipModel) -> tuple[float, float]:
    """True positives less false ones at the ε in use: by the exact law, and at most by ε and δ."""
    mechanism = model.asked.mechanism
    return pair(model).advantage, advantage_bound(mechanism.epsilon, mechanism.total_delta)


def one_laplace(model: MembershipModel) -> bool:
    """Whether one Laplace answer moves by all that its noise is made for: the advantage is then
    1 − e^(−ε/2)."""
    seen = one_number(model, model.asked.mechanism)
    if seen is None or not isinstance(seen[0], LaplaceLaw):
        return False
    return bool(np.isclose(seen[1] / seen[0].b, model.asked.mechanism.epsilon, rtol=1e-9))


@dataclass(frozen=True, eq=False)
class Roc:
    """True positives against false ones: of the best test, what ε and δ leave, (points,), and what
    was measured at some thresholds."""

    alpha: Array
    power: Array
    allowed: Array
    seen: tuple[Array, Array]


@once
def roc(model: MembershipModel) -> Roc:
    """The trade-off of the attack at the ε in use."""
    mechanism, points = model.asked.mechanism, model.looked.effort.of_points(_ROC)
    alpha = np.unique(np.concatenate([np.linspace(0, 1, points), np.geomspace(1e-4, 0.05, 20)]))
    allowed = power_bound(alpha, mechanism.epsilon, mechanism.total_delta)
    seen, none = one_number(model, mechanism), array([])
    if seen is None:
        return Roc(array(alpha), pair(model).power(alpha), array(allowed), (none, none))
    sides = tuple(np.sort(side) for side in _losses(model, *seen))
    at = thresholds(sides[0], sides[1], _SEEN)
    found = [1 - np.searchsorted(side, at, side="left") / len(side) for side in sides]
    marks = array(found[1]), array(found[0])
    return Roc(array(alpha), pair(model).power(alpha), array(allowed), marks)


@once
def found_at(model: MembershipModel) -> float:
    """True positives of the best test with 1 % false ones."""
    return float(pair(model).power(0.01))
