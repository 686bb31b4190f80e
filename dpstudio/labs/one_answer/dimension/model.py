"""What Dimension knows: the noise of every drawn mechanism on k coordinates, its errors, where two
of them meet, and who errs least."""

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import SCREEN, Context, Effort
from dpstudio.labs.memo import once
from dpstudio.labs.one_answer.dimension import contest, noise
from dpstudio.labs.one_answer.dimension.parameters import K_MOST, KINDS, Dimension
from dpstudio.labs.winners import tiers
from dpstudio.privacy.mechanisms.additive import EPSILON, Additive, Guarantee, Sensitivity
from dpstudio.values.messages import N_, Message, Num, say

MechanismPair = tuple[str, str]

_WHY = {
    "all": N_("Every person may move all k coordinates by 1: L1 = k, L2 = √k."),
    "one": N_("Every person moves one coordinate by 1: L1 = L2 = 1."),
    "two": N_("Every person moves two coordinates by 1 each: L1 = 2, L2 = √2."),
}
SAME = 1 + 1e-9  # errors within this factor are the same
_UNIT = Sensitivity(1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class DimensionModel:
    """One state of the lab. The table only remembers what was worked out."""

    lab: Dimension
    data: Dataset
    effort: Effort = SCREEN


def dimension_model(lab: Dimension, context: Context) -> DimensionModel:
    """The state of the lab, which no table can refuse."""
    return DimensionModel(lab, context.data, context.effort)


def mechanism(model: DimensionModel, key: str) -> Additive:
    """A mechanism of KINDS with the lab's budget."""
    return KINDS[key]().at(model.lab.epsilon, model.lab.delta)


def guarantee(model: DimensionModel, key: str) -> Guarantee:
    """What a mechanism promises; k has no part in it."""
    return mechanism(model, key).guarantee(sensitivity(model, 1))


def sensitivity(model: DimensionModel, k: int) -> Sensitivity:
    """How far one person moves an answer of `k` coordinates."""
    m = float(noise.moved(model.lab.growth, np.array(k)))
    alone = N_("One person moves the only coordinate by 1: L1 = L2 = 1.")
    why = Message(_WHY[model.lab.growth] if k > 1 else alone)
    return Sensitivity(m, math.sqrt(m), 1.0, why, l0=round(m), dims=k, moves=((1.0,) * round(m),))


@once
def _scales(model: DimensionModel) -> dict[str, float]:
    """The scale of each drawn noise at sensitivity 1: b, σ, σ, Δ₂/ε."""
    variances = {key: mechanism(model, key).law(_UNIT).variance for key in model.lab.drawn}
    return {
        key: math.sqrt(v / noise.UNIT_VARIANCE[noise.SHAPES[key]]) for key, v in variances.items()
    }


def scale(model: DimensionModel, key: str, k: float) -> float:
    """The scale of a drawn noise on `k` coordinates: b, σ, σ, or the mean radius over k."""
    return float(_scales(model)[key] * noise.reach(key, model.lab.growth, np.array(k)))


def errors(model: DimensionModel, key: str, k: Array, measure: str = "") -> Array:
    """The error of a drawn mechanism by `measure` (the lab's if empty) on `k` real coordinates, in
    the units of one of them; shape of `k`."""
    lab, k = model.lab, np.asarray(k, dtype=np.float64)
    unit = noise.unit_error(noise.SHAPES[key], measure or lab.measure, k, lab.confidence)
    return unit * _scales(model)[key] * noise.reach(key, lab.growth, k)


def error(model: DimensionModel, key: str, k: float, measure: str = "") -> float:
    """The same at one k."""
    return float(errors(model, key, np.array([float(k)]), measure)[0])


@once
def honest(model: DimensionModel) -> tuple[str, ...]:
    """The drawn mechanisms that keep their promise: one that breaks it cannot win."""
    return tuple(key for key in model.lab.drawn if not guarantee(model, key).violated)


def best(model: DimensionModel, k: int) -> str:
    """The honest mechanism with the least error; of equals the one listed first. ValueError where
    none is honest."""
    order = {key: error(model, key, k) for key in honest(model)}
    least = min(order.values())
    return next(key for key in order if order[key] <= least * SAME)


@once
def _errors_here(model: DimensionModel) -> dict[str, float]:
    return {key: error(model, key, model.lab.k) for key in model.lab.drawn}


def error_here(model: DimensionModel, key: str) -> float:
    """The error of a drawn mechanism at the chosen k, by the lab's measure."""
    return _errors_here(model)[key]


@once
def winner(model: DimensionModel) -> str:
    """The best mechanism at the chosen k. ValueError where none is honest."""
    return best(model, model.lab.k)


@once
def standing(model: DimensionModel) -> list[list[str]]:
    """The honest mechanisms at the chosen k in tiers of equal errors, the least first."""
    return tiers(honest(model), lambda key: error_here(model, key))


def excess(model: DimensionModel, key: str) -> float:
    """The error at the chosen k over that of the best mechanism."""
    return error_here(model, key) / error_here(model, winner(model))


def pairs(model: DimensionModel) -> tuple[MechanismPair, ...]:
    """The drawn pairs of different shape, those with Laplace first."""
    return tuple(
        (a, b) for a, b in combinations(model.lab.drawn, 2) if noise.SHAPES[a] != noise.SHAPES[b]
    )


def gap_on_knots(model: DimensionModel, pair: MechanismPair) -> Array:
    """ln of the ratio of two errors at unit scales on KNOTS, shape (161,)."""
    lab = model.lab
    confidence = lab.confidence if lab.measure == "largest" else 0
    shapes = tuple(noise.SHAPES[key] for key in pair)
    return model.data.remember(
        ("dimension", "gap", shapes, lab.growth, lab.measure, confidence),
        lambda: array(
            contest.log_gap(pair, lab.growth, lab.measure, contest.KNOTS, lab.confidence)
        ),
    )


@once
def meetings(model: DimensionModel) -> dict[MechanismPair, tuple[float, ...]]:
    """Every real k in (1, 10,000) at which two drawn mechanisms err alike, by pair, ascending."""
    lab, scales = model.lab, _scales(model)
    return {
        pair: contest.crossings(
            pair,
            lab.growth,
            lab.measure,
            lab.confidence,
            math.log(scales[pair[0]] / scales[pair[1]]),
            gap_on_knots(model, pair),
        )
        for pair in pairs(model)
    }


def meeting_curve(model: DimensionModel, pair: MechanismPair) -> tuple[Array, Array]:
    """(ε, first k at which the pair meets; NaN where it does not) over the range of ε."""
    delta, points = model.lab.delta, model.effort.of_points(97)

    def ratios() -> Array:
        epsilons = np.geomspace(EPSILON.low, EPSILON.high, points)
        one, other = (
            np.array([KINDS[key]().at(float(e), delta).law(_UNIT).variance for e in epsilons])
            / noise.UNIT_VARIANCE[noise.SHAPES[key]]
            for key in pair
        )
        return array(np.stack([epsilons, np.log(one / other) / 2]))

    epsilons, ratio = model.data.remember(("dimension", "ratio", pair, delta, points), ratios)
    return epsilons, array(contest.first_crossings(gap_on_knots(model, pair), ratio))


def less_beyond(model: DimensionModel, pair: MechanismPair) -> str:
    """Which of a pair errs less from their first meeting on; everywhere, where they do not meet."""
    one, other = pair
    at = meetings(model)[pair]
    if at:
        k = at[0] * 1.01
        return other if error(model, other, k) < error(model, one, k) else one
    ends = (error(model, one, k) / error(model, other, k) for k in (1.0, 100.0))
    return one if max(ends) <= SAME else other


@once
def change(model: DimensionModel) -> tuple[int, str, float] | None:
    """The first whole k above the chosen one at which another mechanism is best, which one, and the
    real k of their meeting; None where there is none up to 10,000."""
    lab, among = model.lab, set(honest(model))
    now = winner(model)
    found = sorted(k for pair, ks in meetings(model).items() if set(pair) <= among for k in ks)
    # At k = 1 Laplace and L2-norm noise are the same; they part from there without crossing.
    for meeting, whole in [(1.0, 2), *((k, contest.after(k)) for k in found)]:
        if lab.k < whole <= K_MOST and best(model, whole) != now:
            return whole, best(model, whole), meeting
    return None


def error_words(model: DimensionModel) -> Message:
    """The measure in words, as it stands under a chart and inside a sentence."""
    if model.lab.measure == "largest":
        text = N_("largest error over all coordinates at {confidence}")
        return say(text, confidence=Num(model.lab.confidence, 4, "down", percent=True))
    return Message(
        {
            "deviation": N_("standard deviation of one coordinate"),
            "mean_abs": N_("mean absolute error of one coordinate"),
            "length": N_("mean length (L2 norm) of the whole error"),
        }[model.lab.measure]
    )


def meeting_num(k: float) -> Num:
    """A meeting to two places after the point: the whole k on either side of it must be plain."""
    return Num(k, 3 + math.floor(math.log10(k)))
