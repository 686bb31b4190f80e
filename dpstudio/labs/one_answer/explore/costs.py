"""What many answers cost: bounds on the ε of k of them, where they cross, and what leaks."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.labs.context import Effort
from dpstudio.labs.memo import once
from dpstudio.labs.one_answer.explore.model import ExploreModel
from dpstudio.privacy.accounting import (
    EXPLORED,
    Accountant,
    GaussianDP,
    Ledger,
    Numeric,
    Optimal,
    Renyi,
    Spend,
    WithDeltaPrime,
    ZCDPTight,
    crossover,
)
from dpstudio.privacy.accounting.accountant import K_MOST
from dpstudio.privacy.accounting.advanced import Summed
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.mechanisms.catastrophe import leak_chance
from dpstudio.privacy.neighbours import attacker
from dpstudio.privacy.release.attacked import best_right
from dpstudio.privacy.release.spends import spends

_POINTS, _SLOW_POINTS = 56, 8


@dataclass(frozen=True, eq=False)
class Costs:
    """(number of answers, total ε) by the key of each bound, up to `top`; the first closed form to
    beat plain addition within the picture `wins` from a k on."""

    curves: dict[str, tuple[Array, Array]]
    top: float
    wins: tuple[str, int] | None


def guarantee(model: ExploreModel) -> Guarantee:
    """What one answer costs."""
    return model.answer.release.guarantee


@once
def _answer(model: ExploreModel) -> tuple[Spend, ...]:
    """One answer as the accountants read it."""
    return spends(model.answer.release)


@once
def _ledger(model: ExploreModel) -> Ledger:
    """One answer, to ask the accountants whether they can read it."""
    return Ledger(_answer(model), model.lab.adjacency)


@once
def _is_gaussian(model: ExploreModel) -> bool:
    """Whether a formula gives the loss of the answers itself."""
    return GaussianDP().refuse(_ledger(model)) is None


@lru_cache(maxsize=8)
def _explored(delta_prime: float) -> tuple[WithDeltaPrime, ...]:
    return tuple(kind(delta_prime=delta_prime) for kind in EXPLORED)


@once
def accountants(model: ExploreModel) -> tuple[Accountant, ...]:
    """The bounds that apply to equal answers through this mechanism, plain addition first; the
    numeric one in a fine model only."""
    each, one, kinds = guarantee(model), _ledger(model), _explored(model.lab.delta_prime)
    found: list[Accountant] = [a for a in kinds if a.undrawn(each.epsilon, each.delta) is None]
    # Of Gaussian noise this is the loss itself, and no other bound is below it.
    exact = _is_gaussian(model)
    known = [GaussianDP()] if exact else [ZCDPTight(), Renyi()] if each.delta else [Renyi()]
    found += [Optimal()] if each.delta else []
    found += [a for a in known if a.refuse(one) is None]
    return (*found, Numeric()) if model.fine and refinable(model) else tuple(found)


@once
def refinable(model: ExploreModel) -> bool:
    """Whether the numeric bound may say less than those that are there at once: not of one answer,
    and not of Gaussian noise, whose loss a formula gives (of integers it takes too long)."""
    slow = model.lab.mechanism.integers and guarantee(model).delta > 0
    many = model.lab.answers > 1 and not slow and not _is_gaussian(model)
    return many and Numeric().refuse(_ledger(model)) is None


def totals(model: ExploreModel, bound: Accountant, k: Array) -> Array:
    """Total ε of k answers by a bound, for each k; inf where it promises nothing, as at a δ of
    1."""
    each, lab = guarantee(model), model.lab
    if isinstance(bound, WithDeltaPrime) and bound.undrawn(each.epsilon, each.delta) is None:
        own = np.array([bound.total_delta(round(n), each.delta) for n in k.tolist()])
        return np.where(own < 1, bound.total(k, each.epsilon, each.delta), np.inf)
    one = _answer(model)

    def total(answers: float) -> float:
        delta = answers * each.delta + lab.delta_prime
        ledger = Ledger(tuple(s.times(round(answers)) for s in one), lab.adjacency)
        # The numeric bound ends before so many answers of several measurements.
        return bound.epsilon(ledger, delta) if delta < 1 and not bound.refuse(ledger) else math.inf

    def all_totals() -> Array:
        if len(one) == 1 and one[0].pure and not one[0].group:  # then δ is that of all k
            return array(bound.curve(one[0], k, lab.delta_prime, lab.adjacency))
        return array([total(float(n)) for n in k])

    key = ("explore total", bound, one, lab.delta_prime, lab.adjacency, k.tobytes())
    return model.answer.data.remember(key, all_totals)


@once
def costs(model: ExploreModel) -> dict[str, float]:
    """Total ε of the answers by each bound that applies, by its key; they are on every curve."""
    answers = float(model.lab.answers)
    curves = cost_curves(model).curves
    return {key: float(total[np.searchsorted(k, answers)]) for key, (k, total) in curves.items()}


@once
def best(model: ExploreModel) -> tuple[Accountant, float]:
    """The bound to quote for the answers, and its total ε: the tightest, or plain addition where
    that is as good; where the promise is broken, of those that do not suppose it."""
    found = [(a, costs(model)[a.key]) for a in accountants(model)]
    standing = [(a, e) for a, e in found if not supposes(model, a) and math.isfinite(e)]
    tightest = min(standing or found, key=lambda one: one[1])
    plain = found[0]
    # A gain that no one can see is not worth a δ: then plain addition is the answer.
    level = model.lab.answers == 1 or plain[1] <= tightest[1] * 1.0005
    return plain if level and (plain in standing or not standing) else tightest


def total_delta(model: ExploreModel) -> float:
    """The total δ at which the quoted bound holds."""
    return delta_of(model, best(model)[0])


def delta_of(model: ExploreModel, bound: Accountant) -> float:
    """The total δ at which a bound on the answers holds: adding up needs no δ′."""
    return added_up(model)[1] if bound.key == "sequential" else spent_delta(model)


def supposes(model: ExploreModel, bound: Accountant) -> bool:
    """Whether a bound holds only if the mechanism kept its promise, which it does not."""
    return bound.supposes(_ledger(model))


def if_kept(model: ExploreModel) -> bool:
    """Whether the quoted bound does."""
    return supposes(model, best(model)[0])


def unrefined(model: ExploreModel) -> bool:
    """Whether a bound that may say less is still to come."""
    return not model.fine and refinable(model)


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
    where it does not up to 10,000, or while δ is below 1."""
    kinds, each = _explored(model.lab.delta_prime), guarantee(model)
    found = {a: crossover(a, each.epsilon) for a in kinds if isinstance(a, Summed)}
    return {a.key: k if k and a.total_delta(k, each.delta) < 1 else None for a, k in found.items()}


@once
def cost_curves(model: ExploreModel) -> Costs:
    """The curves of all bounds that apply, about the number of answers and the first crossing."""
    answers, drawn = model.lab.answers, accountants(model)
    wins = {key: won for key, won in crossings(model).items() if won is not None}
    first = next(iter(wins.values()), None)
    shown = 1.5 * first if first and first < 8 * answers else 0
    top = min(float(K_MOST), nice_above(max(2.0 * answers, 40.0, shown)))
    inside = {key: won for key, won in wins.items() if won < top}
    k, slow = _places(model.answer.effort, top, answers, tuple(inside.values()))
    places = {a.key: slow if a.numeric else k for a in drawn}
    curves = {a.key: (places[a.key], totals(model, a, places[a.key])) for a in drawn}
    return Costs(curves, top, next(iter(inside.items()), None))


@lru_cache(maxsize=64)
def _places(
    effort: Effort, top: float, answers: int, shown: tuple[int, ...]
) -> tuple[Array, Array]:
    """The numbers of answers up to `top` at which bounds are drawn, those that are to be seen
    among them; and the few at which slow ones are."""
    # The exact optimum is a little different for odd and even k: even ones make one smooth curve.
    even = 2 * np.round(np.linspace(1, np.sqrt(top), effort.of_points(_POINTS)) ** 2 / 2)
    k = np.unique([*even, 1.0, answers, *shown])
    k = array(k[k >= 1])
    few = len(k) // effort.of_points(_SLOW_POINTS, 4) or 1
    return k, array(np.unique([*k[::few], answers, k[-1]]))


def right_of_100(model: ExploreModel) -> float:
    """Of 100 even guesses at who is in the data, how many an attacker gets right on average at
    most; where the promise is broken, by the δ that its ε really has."""
    each = guarantee(model)
    return 100 * attacker.share_right(each.epsilon, max(each.delta, each.true_delta or 0.0))


@once
def best_of_100(model: ExploreModel) -> float:
    """Of 100 such guesses, how many the best attacker who knows all others gets right on average,
    by the exact law of the whole answer before it is worked on."""
    return 100 * best_right(model.answer.release)


def chance_of_leak(model: ExploreModel) -> float:
    """The chance that at least one of the answers has an exact number in it, by the catastrophe
    mechanism."""
    lab = model.lab
    deltas = [lab.mechanism.share(m.part).total_delta for m in model.answer.asked.measurements]
    one = 1 - math.prod(1 - delta for delta in deltas) if len(deltas) > 1 else deltas[0]
    return leak_chance(one, lab.answers)
