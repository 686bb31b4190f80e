"""The errors of Local means: of every protocol in every way to send several numbers, and of a
trusted collector."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.local_curves import (
    crossings,
    ladder,
    normal_quantile,
    spread_curve,
    without_epsilon,
)
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.local_means.model import MeansModel, people_in, worst
from dpstudio.labs.winners import tiers
from dpstudio.privacy.local import NUMBERS, NumberProtocol, hybrid, piecewise, reals
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.messages import Message, say
from dpstudio.values.parameters import switch

# Where changes of places are looked for, at any effort: what is said of them is exact.
LADDER = ladder(97)


@dataclass(frozen=True)
class Rival:
    """A protocol as it is drawn beside the others."""

    key: str
    protocol: NumberProtocol
    name: Message
    dash: str = ""


@once
def rivals(model: MeansModel) -> tuple[Rival, ...]:
    """All protocols at this ε; where a person holds several numbers, those that can in both ways to
    send them."""
    if model.d > 1:
        return both_ways(model)
    epsilon = model.protocol.epsilon
    return tuple(Rival(kind.key, kind().at(epsilon), Message(kind.label)) for kind in NUMBERS)


@once
def both_ways(model: MeansModel) -> tuple[Rival, ...]:
    """All protocols at this ε, in every way to send several numbers."""
    found = []
    for kind in NUMBERS:
        made, name = kind().at(model.protocol.epsilon), Message(kind.label)
        if hasattr(made, "coordinates"):
            every, one = (_sending(made, way) for way in (reals.EVERY, reals.ONE))
            found.append(Rival(kind.key, every, say("{protocol}, all d", protocol=name)))
            told = say("{protocol}, one of d", protocol=name)
            found.append(Rival(f"{kind.key}_one", one, told, "dash"))
        else:
            found.append(Rival(kind.key, made, name))
    return tuple(found)


def _sending(protocol: NumberProtocol, way: str) -> NumberProtocol:
    """The same protocol, sending all coordinates or one."""
    return type(protocol)(coordinates=way).at(protocol.epsilon)  # type: ignore[call-arg]


def _rival(model: MeansModel, protocol: NumberProtocol) -> Rival:
    one = model.d > 1 and getattr(protocol, "coordinates", reals.EVERY) == reals.ONE
    key = protocol.key + ("_one" if one else "")
    return next(r for r in rivals(model) if r.key == key)


@once
def mine(model: MeansModel) -> Rival:
    """The protocol in use."""
    return _rival(model, model.protocol)


def choices(model: MeansModel) -> tuple[Rival, ...]:
    """Each protocol as it is once it is chosen instead of the one in use."""
    return tuple(_rival(model, switch(kind, model.protocol)) for kind in NUMBERS)


@once
def drawn(model: MeansModel) -> tuple[Rival, ...]:
    """One of each protocol, Laplace first: sending as the one in use does where that has a choice,
    else one number of several."""
    way = getattr(model.protocol, "coordinates", reals.ONE)
    return tuple(
        r for r in rivals(model) if model.d == 1 or getattr(r.protocol, "coordinates", way) == way
    )


# Errors


def own_spread(model: MeansModel, protocol: NumberProtocol, d: int, place: int = 0) -> float:
    """The mean variance of t* over the people of a column: exact, as every variance is linear in
    t²."""
    square = people_in(model, place).square
    low, high = protocol.variance(np.array([0.0, 1.0]), d)
    return float(low * (1 - square) + high * square)


def spread(
    model: MeansModel, protocol: NumberProtocol, d: int | None = None, place: int = 0
) -> float:
    """Variance of t* over the people, by the lab's case, for the column at `place`."""
    d = d or model.d
    return protocol.worst(d) if worst(model) else own_spread(model, protocol, d, place)


def factor(model: MeansModel) -> float:
    """The error by the lab's measure over the standard deviation of a normal estimate."""
    half_width = model.lab.measure == "half_width"
    return normal_quantile(model.lab.confidence) if half_width else 1.0


def scaled(model: MeansModel, variance: float | Array) -> Array:
    """The error of the estimated mean in the units of the column, of a variance of t* over the
    people; shape of it."""
    return factor(model) * model.scale.half * np.sqrt(np.asarray(variance) / model.n)


@once
def errors(model: MeansModel) -> dict[str, float]:
    """By key of a rival."""
    return {r.key: float(scaled(model, spread(model, r.protocol))) for r in rivals(model)}


def own_error(model: MeansModel) -> float:
    """That of the protocol in use."""
    return errors(model)[mine(model).key]


@once
def standing(model: MeansModel) -> list[list[Rival]]:
    """The rivals in tiers of equal errors, the least first; the one in use first of those that err
    as it does."""
    first = sorted(rivals(model), key=lambda r: r.key != mine(model).key)
    return tiers(first, lambda r: errors(model)[r.key])


def more_people(error: float, lesser: float) -> float:
    """How many times as many people bring one error down to a lesser one: it falls as 1/√n."""
    return (error / lesser) ** 2


# A trusted collector


def sensitivity(model: MeansModel, n: float) -> float:
    """L1 sensitivity of the d means of n people, each on this column's scale: n is public and one
    person's d numbers are replaced, so it is d(U − L)/n."""
    return model.d * 2 * model.scale.half / n


def central(model: MeansModel, n: float) -> float:
    """The error of a trusted collector's mean of n people with Laplace noise at the same ε."""
    law = LaplaceLaw(sensitivity(model, n) / model.protocol.epsilon)
    if model.lab.measure == "half_width":
        return law.half_width(model.lab.confidence)
    return math.sqrt(law.variance)


def enough(model: MeansModel) -> float:
    """How many people a trusted collector needs for the error that the protocol in use has here:
    its own falls as 1/n."""
    return central(model, 1) / own_error(model)


def enough_people(model: MeansModel) -> int:
    """The same in whole people."""
    return math.ceil(enough(model) - 1e-9)


def price_of_trust(model: MeansModel) -> float:
    """By how much the error here is that of a trusted collector, and as many times as many people
    are asked as that collector would need."""
    return own_error(model) / central(model, model.n)


# Against ε


@once
def epsilons(model: MeansModel) -> Array:
    """Where curves against ε are drawn."""
    return ladder(model.effort.of_points(len(LADDER)))


def _judged(model: MeansModel) -> Hashable:
    """All that the variance at another ε depends on, but for the protocol."""
    return ("mean", model.d, None if worst(model) else model.people.square)


def curve(model: MeansModel, rival: Rival, at: Array | None = None) -> Array:
    """Variance of t* at each of the `epsilons`, or of those given; it does not depend on the
    current ε."""
    at = epsilons(model) if at is None else at
    return spread_curve(model.data, _judged(model), rival.protocol, lambda p: spread(model, p), at)


def relative(model: MeansModel, rival: Rival, epsilon: float) -> float:
    """Its error at an ε as a share of that of Laplace noise."""
    least = drawn(model)[0].protocol.at(epsilon)
    return math.sqrt(spread(model, rival.protocol.at(epsilon)) / spread(model, least))


@once
def changes(model: MeansModel) -> tuple[tuple[Rival, Rival, float], ...]:
    """(one, other, ε) wherever two of the drawn protocols change places; the hybrid, which is made
    of two of them, left out."""
    found = []
    for one, other in combinations([r for r in drawn(model) if r.protocol.key != "hybrid"], 2):
        pair = (without_epsilon(one.protocol), without_epsilon(other.protocol))
        key = ("local mean", "crossing", *pair, _judged(model))
        at = model.data.remember(key, partial(_meet, model, one, other))
        found += [(one, other, epsilon) for epsilon in at]
    return tuple(found)


def _meet(model: MeansModel, one: Rival, other: Rival) -> tuple[float, ...]:
    """Every ε in sight at which two rivals change places."""

    def gap(epsilon: float) -> float:
        return math.log(_ratio(model, one, other, epsilon))

    gaps = np.log(curve(model, one, LADDER) / curve(model, other, LADDER))
    return tuple(crossings(LADDER.tolist(), gaps, gap, 1e-9, 1e-12))


def _ratio(model: MeansModel, one: Rival, other: Rival, epsilon: float) -> float:
    """The variance of one over that of the other at an ε."""
    first, second = (spread(model, r.protocol.at(epsilon)) for r in (one, other))
    return first / second


def alike(model: MeansModel, one: Rival, other: Rival, epsilon: float) -> bool:
    """Whether two that change places at ε err alike there: one that sends more of the numbers from
    ε on may leap past."""
    return abs(_ratio(model, one, other, epsilon) - 1) < 1e-6


# Several numbers


@once
def sizes(model: MeansModel) -> Array:
    """Numbers of numbers for the chart against them; whole, evenly spaced in logarithms."""
    top = 100 if model.d <= 50 else 1000
    points = np.geomspace(1, top, model.effort.of_points(41))
    return np.unique(np.round(points).astype(int))


def over_sizes(model: MeansModel, rival: Rival) -> Array:
    """Its error at each of the `sizes`."""
    return scaled(model, np.array([spread(model, rival.protocol, int(k)) for k in sizes(model)]))


def two_ways(model: MeansModel, key: str) -> tuple[float, float]:
    """The errors of a protocol that sends every number, and one drawn at random."""
    return errors(model)[key], errors(model)[f"{key}_one"]


def turned(model: MeansModel) -> float:
    """How often the hybrid is piecewise here, for the part of ε that each number is sent with: less
    than always; 0 where it is Duchi's mechanism."""
    epsilon = model.protocol.epsilon
    return min(hybrid.Hybrid().at(epsilon / piecewise.sampled(epsilon, model.d)).share, 1 - 1e-9)


def turning() -> float:
    """ε* up to which the hybrid is Duchi's mechanism."""
    return hybrid.TURN
