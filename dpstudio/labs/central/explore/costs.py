"""What many answers cost: bounds on the ε of k of them, where they cross, and what leaks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, nice_above
from dpstudio.labs.central.explore.model import ExploreModel
from dpstudio.labs.once import once
from dpstudio.privacy.accounting import EXPLORED, Advanced, AdvancedTanh, WithDeltaPrime, crossover
from dpstudio.privacy.accounting.accountant import K_MOST
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.mechanisms.catastrophe import leak_chance

_POINTS = 56


@dataclass(frozen=True, eq=False)
class Costs:
    """Total ε against the number of answers: `totals` by the key of each bound at each `k`, up to
    `top`; the first bound to beat plain addition within the picture `wins` from a k on."""

    k: Array
    totals: dict[str, Array]
    top: float
    wins: tuple[str, int] | None


def guarantee(model: ExploreModel) -> Guarantee:
    """What one answer costs."""
    return model.answer.release.guarantee


@once
def accountants(model: ExploreModel) -> tuple[WithDeltaPrime, ...]:
    """The bounds that apply to equal answers with this guarantee, plain addition first."""
    each = guarantee(model)
    kinds = [kind(delta_prime=model.lab.delta_prime) for kind in EXPLORED]
    return tuple(a for a in kinds if a.undrawn(each.epsilon, each.delta) is None)


@once
def costs(model: ExploreModel) -> dict[str, float]:
    """Total ε of the answers by each bound that applies, by its key."""
    each, k = guarantee(model), np.array([float(model.lab.answers)])
    return {a.key: float(a.total(k, each.epsilon, each.delta)[0]) for a in accountants(model)}


@once
def best(model: ExploreModel) -> tuple[WithDeltaPrime, float]:
    """The bound to quote for the answers, and its total ε: the tightest, or plain addition where
    that is as good."""
    totals = costs(model)
    key = min(totals, key=lambda name: totals[name])
    # A gain that no one can see is not worth a δ: then plain addition is the answer.
    if model.lab.answers == 1 or totals["sequential"] <= totals[key] * 1.0005:
        key = "sequential"
    return next(a for a in accountants(model) if a.key == key), totals[key]


def total_delta(model: ExploreModel) -> float:
    """The total δ at which the quoted bound holds."""
    return best(model)[0].total_delta(model.lab.answers, guarantee(model).delta)


def added_up(model: ExploreModel) -> tuple[float, float]:
    """(ε, δ) of the answers by plain addition."""
    each, k = guarantee(model), model.lab.answers
    return k * each.epsilon, min(1.0, k * each.delta)


def spent_delta(model: ExploreModel) -> float:
    """kδ + δ′: the total δ of the bounds that need a δ′."""
    return min(1.0, model.lab.answers * guarantee(model).delta + model.lab.delta_prime)


@once
def crossings(model: ExploreModel) -> dict[str, int | None]:
    """From which number of answers on each form of advanced composition beats plain addition; None
    where it does not up to 10,000."""
    each = guarantee(model)
    kinds = [kind(delta_prime=model.lab.delta_prime) for kind in (Advanced, AdvancedTanh)]
    return {a.key: crossover(a, each.epsilon, each.delta) for a in kinds}


def cost_curves(model: ExploreModel) -> Costs:
    """The curves of all bounds that apply, about the number of answers and the first crossing."""
    each, answers, drawn = guarantee(model), model.lab.answers, accountants(model)
    wins = {key: won for key, won in crossings(model).items() if won is not None}
    first = next(iter(wins.values()), None)
    shown = 1.5 * first if first and first < 8 * answers else 0
    top = min(float(K_MOST), nice_above(max(2.0 * answers, 40.0, shown)))
    inside = {key: won for key, won in wins.items() if won < top}
    # The exact optimum is a little different for odd and even k: even ones make one smooth curve.
    points = model.answer.effort.of_points(_POINTS)
    even = 2 * np.round(np.linspace(1, np.sqrt(top), points) ** 2 / 2)
    k = np.unique(np.concatenate([even, [1.0, answers], list(inside.values())]))
    k = k[k >= 1]
    totals = {a.key: a.total(k, each.epsilon, each.delta) for a in drawn}
    return Costs(k, totals, top, next(iter(inside.items()), None))


def right_of_100(model: ExploreModel) -> int:
    """Of 100 even guesses at who is in the data, how many an attacker gets right at most: those of
    (e^ε + δ)/(1 + e^ε), rounded up."""
    each = guarantee(model)
    right = 1 / (1 + math.exp(-each.epsilon)) + each.delta / (1 + math.exp(each.epsilon))
    return min(100, math.ceil(right * 100 - 1e-9))


def chance_of_leak(model: ExploreModel) -> float:
    """The chance that at least one of the answers has an exact number in it, by the catastrophe
    mechanism."""
    lab = model.lab
    deltas = [lab.mechanism.share(m.part).total_delta for m in model.answer.asked.measurements]
    one = 1 - math.prod(1 - delta for delta in deltas) if len(deltas) > 1 else deltas[0]
    return leak_chance(one, lab.answers)
