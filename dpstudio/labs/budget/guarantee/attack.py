"""What an attacker can make of the answer: belief, the best test, and one person named among many;
by the exact law, and at most by ε and δ."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.budget.guarantee.model import GuaranteeModel, outdone, pair_of_whole, whole_pair
from dpstudio.labs.once import once
from dpstudio.labs.question import measured
from dpstudio.privacy.neighbours.attacker import (
    advantage_bound,
    loss_needed,
    naming_bound,
    posterior,
    power_bound,
)
from dpstudio.privacy.neighbours.worst import worst
from dpstudio.privacy.queries import ADD_REMOVE, REPLACE
from dpstudio.privacy.queries.query import Move


@once
def believing(model: GuaranteeModel) -> tuple[float, float]:
    """Share of answers that make the attacker believe: with you, without you."""
    needed = loss_needed(model.lab.prior, model.lab.threshold)
    return whole_pair(model).above(needed, strictly=True)


def believing_of_100(model: GuaranteeModel) -> tuple[float, float]:
    """Of 100 answers, how many make the attacker believe: with you, without you."""
    inside, outside = believing(model)
    return 100 * inside, 100 * outside


def belief_after(model: GuaranteeModel, loss: float) -> float:
    """How sure who held the prior is after an answer of this privacy loss, which may be ±∞."""
    return float(posterior(model.lab.prior, loss))


def hits(model: GuaranteeModel) -> float:
    """True positives of the best test at the chosen rate of false ones."""
    return float(whole_pair(model).power(model.lab.false_positives))


def missed(model: GuaranteeModel) -> float:
    """False negatives of that test: whom it does not find."""
    return 1 - hits(model)


def hits_allowed(model: GuaranteeModel) -> float:
    """The most true positives that ε and δ allow there."""
    return float(power_bound(model.lab.false_positives, model.epsilon, model.delta))


def advantage_allowed(model: GuaranteeModel) -> float:
    """The most that ε and δ allow true positives less false ones to be."""
    return advantage_bound(model.epsilon, model.delta)


def right_of_100(model: GuaranteeModel) -> tuple[float, float]:
    """Right guesses of the best attacker in 100 at even odds, (1 + advantage)/2 of them: by the
    exact law, and the most that ε and δ allow."""
    exact, allowed = whole_pair(model).advantage, advantage_allowed(model)
    return 100 * (0.5 * (1 + exact)), 100 * (0.5 * (1 + allowed))


def tradeoff(model: GuaranteeModel) -> tuple[Array, Array, Array]:
    """(false positives, false negatives of the best test, fewest that ε and δ allow), ascending in
    the first."""
    epsilon, delta, points = model.epsilon, model.delta, model.effort.of_points
    corner = (1 - delta) / (1 + math.exp(epsilon))
    alpha = np.unique(
        np.concatenate(
            [np.linspace(0, 1, points(201)), np.geomspace(1e-6, 0.05, points(80)), [corner]]
        )
    )
    return alpha, 1 - whole_pair(model).power(alpha), 1 - power_bound(alpha, epsilon, delta)


@once
def _swaps(model: GuaranteeModel) -> tuple[tuple[Move, ...], int]:
    """How the answer moves when another person is there instead, and how many neighbours' steps
    that is: one where nobody moves the answer farther by it than someone does by coming, else
    two."""
    lab, own = model.lab, model.asked.moves
    if lab.adjacency != ADD_REMOVE:
        return own, 1
    other = measured(lab.query, model.data, REPLACE).moves
    if any(len(move.shifts) != len(own[0].shifts) for move in other):
        return (), 2
    within = all(any(outdone(swap, move, True) for move in own) for swap in other)
    return other, 1 if within else 2


def swap_steps(model: GuaranteeModel) -> int:
    """How many neighbours' steps it is from one person to another: 1 or 2."""
    return _swaps(model)[1]


def swap_promise(model: GuaranteeModel) -> tuple[float, float]:
    """(ε, δ) of two tables in which one person stands for another: group privacy of two where that
    is two steps."""
    if swap_steps(model) == 1:
        return model.epsilon, model.delta
    return 2 * model.epsilon, min(1.0, model.delta * (1 + math.exp(model.epsilon)))


@once
def named(model: GuaranteeModel) -> tuple[float, float]:
    """Chance to name the right one of the people: at most so much by the exact law of this noise,
    and by ε and δ."""
    moves, _ = _swaps(model)
    epsilon, delta = swap_promise(model)
    allowed, violated = (
        float(naming_bound(epsilon, delta, model.lab.people)),
        model.promise.violated,
    )
    if not moves:
        return (1.0 if violated else allowed), allowed
    laws = model.release.laws
    swapped = worst([pair_of_whole(model.data, laws, move.shifts) for move in moves])
    key = ("guarantee", "swap", laws, tuple(move.shifts for move in moves), epsilon)
    at, needed = model.data.remember(key, lambda: swapped.delta_curve(1.1 * epsilon))
    found = float(np.min(naming_bound(at, needed, model.lab.people)))
    return (found if violated else min(found, allowed)), allowed


def named_before(model: GuaranteeModel) -> float:
    """Chance to name the right one of the people before any answer: each is as likely."""
    return 1 / model.lab.people


def named_at_most(model: GuaranteeModel) -> float:
    """The bound that holds: by ε and δ, or by the law where that promise is broken."""
    return named(model)[0 if model.promise.violated else 1]
