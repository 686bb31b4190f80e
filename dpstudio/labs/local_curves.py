"""What the labs share in which nobody is trusted: protocols against ε, where two of them meet, and
the normal law of an estimate."""

import math
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import Protocol as Shape
from typing import Self, TypeVar

import numpy as np

from dpstudio.charts.figure import Array, Axis, Band, Dots, Handle, Layer, array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.local import NumberProtocol, Protocol
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import domains
from dpstudio.values.roots import root


class Scaled(Shape):
    """What can be had at another ε, or cannot."""

    def at(self, epsilon: float) -> Self | None:
        """The same at another ε, None where it has none."""


S = TypeVar("S", bound=Scaled)


def of_the_asked(told: Message) -> Message:
    """Who is asked, and that no interval holds more than the noise of their reports."""
    text = N_("{told} Intervals are about them, and hold nothing of who was not asked.")
    return Message(text, {**told.values, "told": told})


def normal_quantile(confidence: float) -> float:
    """z: a normal variable stays within z standard deviations of its mean with that probability."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def normal_density(x: Array, mean: float, deviation: float) -> Array:
    """The density of a normal law at x; shape of x."""
    scaled = (x - mean) / deviation
    return np.asarray(np.exp(-(scaled**2) / 2) / (deviation * math.sqrt(2 * math.pi)))


def ladder(points: int) -> Array:
    """Values of ε over the range of its slider, evenly spaced in logarithms; shape (points,)."""
    return np.geomspace(EPSILON.low, EPSILON.high, points)


def with_point(x: Array, at: float, *curves: tuple[Array, float]) -> list[Array]:
    """Increasing x, and curves over them, with a value of each at one place more: a point that is
    drawn there lies on its curve."""
    place = int(np.searchsorted(x, at))
    known = place < len(x) and x[place] == at
    grown = ((x, at), *curves)
    if known:
        return [np.where(x == at, value, y) for y, value in grown]
    return [np.insert(y, place, value) for y, value in grown]


def between(epsilons: Array, scores: Array, epsilon: float) -> Array:
    """The scores of each model, (ε, models), on a straight line between those at the ε beside this
    one: the noise of a model is the same at each ε but for its scale."""
    place = float(np.interp(math.log(epsilon), np.log(epsilons), np.arange(len(epsilons))))
    left = min(int(place), len(epsilons) - 2)
    low, high = scores[left : left + 2]
    return array(low + (place - left) * (high - low))


def without_epsilon(protocol: Scaled) -> object:
    """What tells protocols apart but for their ε."""
    return protocol.at(1.0) or protocol.at(math.log(3)) or protocol


def spread_curve(
    data: Dataset, judged: Hashable, protocol: S, spread: Callable[[S], float], epsilons: Array
) -> Array:
    """The `spread` of a protocol at each ε, NaN where it cannot be had there; shape of `epsilons`.

    Remembered by the table for a protocol but for its ε, and for all else that the spread depends
    on, which is `judged`.
    """

    def points() -> Array:
        made = [protocol.at(float(epsilon)) for epsilon in epsilons]
        return array([math.nan if p is None else spread(p) for p in made])

    key = ("local curve", without_epsilon(protocol), judged, len(epsilons))
    return data.remember(key, points)


def crossings(
    x: Sequence[float], gaps: Array, gap: Callable[[float], float], apart: float, rtol: float
) -> list[float]:
    """Where a difference changes its sign, to `rtol`. `gaps` are its values at the increasing x;
    only where it exceeds `apart` on both sides of 0 it is a crossing, no mere touch."""
    clear = np.flatnonzero(np.abs(gaps) > apart).tolist()
    return [root(gap, x[a], x[b], rtol) for a, b in pairwise(clear) if gaps[a] * gaps[b] < 0]


def epsilon_axis(least: float = 0.0009) -> Axis:
    """The axis of the charts against ε: a little more than the slider's range."""
    return Axis(Message("ε"), log=True, range=(least, 57.0))


def chosen_point(
    protocol: Protocol | NumberProtocol, words: Message, x: float, y: float, ink: str = ""
) -> Layer:
    """The point of the protocol in use; it can be dragged where ε is a parameter of its own."""
    if "epsilon" in domains(type(protocol)):
        return Handle("here", protocol.ink, words, x, y, "protocol.epsilon")
    return Dots("here", ink or protocol.ink, words, [x], [y])


def at_confidence(confidence: float) -> Num:
    """A confidence in percent, rounded to the safe side."""
    return Num(confidence, 4, "down", percent=True)


def reading(
    estimate: float | Array, half: float | Array, least: float, most: float
) -> tuple[Array, Array]:
    """The ends of what an estimate within ± `half` tells of an exact number from `least` to `most`;
    shape of the estimate. One beyond them is nearer to the number at that end."""
    middle = np.clip(np.asarray(estimate, dtype=np.float64), least, most)
    return np.maximum(middle - half, least), np.minimum(middle + half, most)


def interval_band(confidence: float, ends: tuple[float, float]) -> Band:
    """An interval, with its confidence beside it."""
    words = say("{confidence}", confidence=at_confidence(confidence))
    return Band("interval", "band", words, *ends)
