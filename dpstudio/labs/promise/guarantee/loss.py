"""The privacy loss of an answer by the exact law: how large, how often beyond ε, the δ that each ε
needs, and what becomes of one (ε, δ) under two mechanisms."""

import math

import numpy as np

from dpstudio.charts.figure import Array, nice_above
from dpstudio.labs.memo import once
from dpstudio.labs.promise.guarantee import model as guarantee
from dpstudio.privacy.mechanisms import Additive, catastrophe, gaussian, law
from dpstudio.privacy.neighbours.pair import Pair
from dpstudio.privacy.release.release import Release

LEAST_DELTA = 1e-5  # for the two mechanisms that need a δ, where the one that is looked at has none
LEAST = 1e-30  # less than this is not told apart


def largest_loss(model: guarantee.GuaranteeModel) -> float:
    """The largest privacy loss of an answer; ∞ where it has no end, or one answer tells all."""
    return math.inf if guarantee.whole_pair(model).certain > 0 else guarantee.whole_pair(model).most


@once
def beyond(model: guarantee.GuaranteeModel) -> float:
    """P(ℓ > ε) with the person in: the largest of all who may be it."""
    end = model.epsilon * (1 + 1e-9)
    return max(person.pair.above(end, strictly=True)[0] for person in guarantee.people(model))


def beyond_of_100(model: guarantee.GuaranteeModel) -> float:
    """Of 100 answers with the person in, how many go beyond ε."""
    return 100 * beyond(model)


def certain_of_100(model: guarantee.GuaranteeModel) -> float:
    """Of 100 answers with the person in, how many give them away for certain."""
    return 100 * guarantee.whole_pair(model).certain


@once
def delta_asked(model: guarantee.GuaranteeModel) -> float:
    """The δ of the exact law at the ε that is asked for."""
    return guarantee.whole_pair(model).delta(model.lab.at_epsilon)


def no_delta(model: guarantee.GuaranteeModel) -> bool:
    """Whether that δ is 0 itself, and not only too small for a number."""
    whole = guarantee.whole_pair(model)
    return whole.certain == 0 and whole.most <= model.lab.at_epsilon


def passing(whole: Pair, loss: float) -> float:
    """P(ℓ > loss) with the person in; where losses have no end it is never 0, however far out."""
    least = LEAST if math.isinf(whole.most) else 0.0
    return max(whole.above(loss, strictly=True)[0], least)


def loss_reach(model: guarantee.GuaranteeModel) -> float:
    """Half the width of the axis of losses."""
    typical = min(guarantee.whole_pair(model).typical, 100 * model.epsilon)
    return nice_above(1.12 * max(model.epsilon, typical))


def jumps_seen(model: guarantee.GuaranteeModel) -> tuple[tuple[float, float], ...]:
    """(loss, P(ℓ ≤ loss)) of the losses that come with a probability of their own above 1e-4."""
    whole, reach = guarantee.whole_pair(model), loss_reach(model)
    losses = [float(loss) for loss in whole.jumps(-reach, reach)]
    steps = [(y, whole.above(y)[0], whole.above(y, strictly=True)[0]) for y in losses]
    return tuple((y, 1 - after) for y, reached, after in steps if reached - after > 1e-4)


def delta_curve(model: guarantee.GuaranteeModel, high: float) -> tuple[Array, Array]:
    """(ε′, δ(ε′)) of the exact law for 0 ≤ ε′ ≤ high, remembered by the table."""
    points = model.effort.of_points(121)
    shifts = tuple(person.move.shifts for person in guarantee.people(model))
    key = ("guarantee", "delta", model.release.laws, shifts, high, points)
    return model.data.remember(key, lambda: guarantee.whole_pair(model).delta_curve(high, points))


@once
def fates(model: guarantee.GuaranteeModel) -> tuple[tuple[Additive, law.Law, Pair], ...]:
    """Gaussian noise and the catastrophe mechanism at the same (ε, δ): noise of the number that is
    drawn, pair of the whole."""
    delta = model.delta or LEAST_DELTA
    shifts = guarantee.people(model)[0].move.shifts
    out = []
    for kind in (gaussian.AnalyticGaussian, catastrophe.Catastrophe):
        mechanism = kind().at(model.epsilon, delta)
        laws = Release(model.asked, mechanism).laws
        whole = guarantee.pair_of_whole(model.data, laws, shifts)
        out.append((mechanism, laws[guarantee.seen(model).place], whole))
    return tuple(out)


def answers_to_a_leak(model: guarantee.GuaranteeModel) -> float:
    """Among how many answers of the catastrophe mechanism one tells all: 1/P(ℓ = ∞); ∞ where none
    does."""
    _, (_, _, leaky) = fates(model)
    return 1 / leaky.certain if leaky.certain else math.inf


def fate_curve(whole: Pair, high: float, points: int) -> tuple[Array, Array]:
    """(loss, P(ℓ > loss)) for losses up to `high`, the fall at the largest loss upright."""
    losses = np.linspace(0, high, points)
    if 0 < whole.most < high:
        losses = np.sort(np.append(losses, [whole.most * (1 - 1e-9), whole.most * (1 + 1e-9)]))
    return losses, whole.beyond(losses)[0]
