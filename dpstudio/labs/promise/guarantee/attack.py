"""What an attacker can make of the answer: belief, the best test, and one person named among many;
by the exact law, and at most by ε and δ."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.memo import once
from dpstudio.labs.promise.guarantee import model as guarantee
from dpstudio.labs.question import measured
from dpstudio.privacy.accounting import group_privacy
from dpstudio.privacy.neighbours import attacker
from dpstudio.privacy.neighbours.worst import worst
from dpstudio.privacy.queries import ADD_REMOVE, REPLACE
from dpstudio.privacy.queries.query import Move


@once
def believing(model: guarantee.GuaranteeModel) -> tuple[float, float]:
    """Share of answers that make the attacker believe: with you, without you."""
    needed = attacker.loss_needed(model.lab.prior, model.lab.threshold)
    return guarantee.whole_pair(model).above(needed, strictly=True)


def believing_of_100(model: guarantee.GuaranteeModel) -> tuple[float, float]:
    """Of 100 answers, how many make the attacker believe: with you, without you."""
    inside, outside = believing(model)
    return 100 * inside, 100 * outside


def belief_after(model: guarantee.GuaranteeModel, loss: float) -> float:
    """How sure who held the prior is after an answer of this privacy loss, which may be ±∞."""
    return float(attacker.posterior(model.lab.prior, loss))


def hits(model: guarantee.GuaranteeModel) -> float:
    """True positives of the best test at the chosen rate of false ones."""
    return float(guarantee.whole_pair(model).power(model.lab.false_positives))


def missed(model: guarantee.GuaranteeModel) -> float:
    """False negatives of that test: whom it does not find."""
    return 1 - hits(model)


def hits_allowed(model: guarantee.GuaranteeModel) -> float:
    """The most true positives that ε and δ allow there."""
    return float(attacker.power_bound(model.lab.false_positives, model.epsilon, model.delta))


def advantage_allowed(model: guarantee.GuaranteeModel) -> float:
    """The most that ε and δ allow true positives less false ones to be."""
    return attacker.advantage_bound(model.epsilon, model.delta)


def right_of_100(model: guarantee.GuaranteeModel) -> tuple[float, float]:
    """Right guesses of the best attacker in 100 at even odds, (1 + advantage)/2 of them: by the
    exact law, and the most that ε and δ allow."""
    exact, allowed = guarantee.whole_pair(model).advantage, advantage_allowed(model)
    return 100 * (0.5 * (1 + exact)), 100 * (0.5 * (1 + allowed))


def tradeoff(model: guarantee.GuaranteeModel) -> tuple[Array, Array, Array]:
    """(false positives, false negatives of the best test, fewest that ε and δ allow), ascending in
    the first."""
    epsilon, delta, points = model.epsilon, model.delta, model.effort.of_points
    corner = (1 - delta) / (1 + math.exp(epsilon))
    alpha = np.unique(
        np.concatenate(
            [np.linspace(0, 1, points(201)), np.geomspace(1e-6, 0.05, points(80)), [corner]]
        )
    )
    return (
        alpha,
        1 - guarantee.whole_pair(model).power(alpha),
        1 - attacker.power_bound(alpha, epsilon, delta),
    )


@once
def _swaps(model: guarantee.GuaranteeModel) -> tuple[tuple[Move, ...], int]:
    """How the answer moves when another person is there instead, and how many neighbours' steps
    that is: one where nobody moves the answer farther by it than someone does by coming, else
    two."""
    lab, own = model.lab, model.asked.moves
    if lab.adjacency != ADD_REMOVE:
        return own, 1
    other = measured(lab.query, model.data, REPLACE).moves
    if any(len(move.shifts) != len(own[0].shifts) for move in other):
        return (), 2
    within = all(any(guarantee.outdone(swap, move, True) for move in own) for swap in other)
    return other, 1 if within else 2


def swap_steps(model: guarantee.GuaranteeModel) -> int:
    """How many neighbours' steps it is from one person to another: 1 or 2."""
    return _swaps(model)[1]


def swap_promise(model: guarantee.GuaranteeModel) -> tuple[float, float]:
    """(ε, δ) of two tables in which one person stands for another: group privacy of two where that
    is two steps."""
    if swap_steps(model) == 1:
        return model.epsilon, model.delta
    return group_privacy(model.epsilon, model.delta, 2)


@dataclass(frozen=True)
class Naming:
    """Chance to name the right one of the people, on average at most: by the exact law of this
    noise, and by what ε and δ allow. `absent`: what they allow comes from the world without any of
    them; else from one there instead of another."""

    exact: float
    allowed: float
    absent: bool


@once
def named(model: guarantee.GuaranteeModel) -> Naming:
    """By whichever way is shorter: from one of them to another, or, where neighbours differ by one
    who is there or not, from each to the world without any."""
    n, (epsilon, delta) = model.lab.people, swap_promise(model)
    swapped = float(attacker.naming_bound(epsilon, delta, n))
    around = 1.0
    if model.lab.adjacency == ADD_REMOVE:
        around = float(attacker.naming_bound_absent(model.epsilon, model.delta, n))
    allowed = min(swapped, around)
    found = _named_by_law(model)
    exact = found if model.promise.violated else min(found, allowed)
    return Naming(exact, allowed, around < swapped)


def _named_by_law(model: guarantee.GuaranteeModel) -> float:
    """The least of both bounds along the curve δ(ε) of the law."""
    n, (moves, _) = model.lab.people, _swaps(model)
    swapped = _worst_curve(model, moves, swap_promise(model)[0])
    found = float(np.min(attacker.naming_bound(*swapped, n)))
    if model.lab.adjacency == ADD_REMOVE:
        around = _worst_curve(model, tuple(guarantee.farthest(model.asked.moves)), model.epsilon)
        found = min(found, float(np.min(attacker.naming_bound_absent(*around, n))))
    return found


def _worst_curve(
    model: guarantee.GuaranteeModel, moves: tuple[Move, ...], epsilon: float
) -> tuple[Array, Array]:
    """(ε′, δ(ε′)) up to a little beyond ε of whichever move tells most; nothing is promised where
    there are no moves."""
    if not moves:
        return np.zeros(1), np.ones(1)
    laws, shifts = model.release.laws, tuple(move.shifts for move in moves)

    def curve() -> tuple[Array, Array]:
        pairs = [guarantee.pair_of_whole(model.data, laws, shift) for shift in shifts]
        return worst(pairs).delta_curve(1.1 * epsilon)

    return model.data.remember(("guarantee", "naming", laws, shifts, epsilon), curve)


def named_before(model: guarantee.GuaranteeModel) -> float:
    """Chance to name the right one of the people before any answer: each is as likely."""
    return 1 / model.lab.people


def named_at_most(model: guarantee.GuaranteeModel) -> float:
    """The bound that holds: by ε and δ, or by the law where that promise is broken."""
    found = named(model)
    return found.exact if model.promise.violated else found.allowed


def naming_route(model: guarantee.GuaranteeModel) -> str:
    """Whose bound that is: "law", where the promise is broken; "absent", through the world without
    any of them; "own", with a δ, or "pure" from one to another, in two steps "own_two",
    "pure_two"."""
    if model.promise.violated:
        return "law"
    if named(model).absent:
        return "absent"
    return ("own" if model.delta else "pure") + ("_two" if swap_steps(model) == 2 else "")
