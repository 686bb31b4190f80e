"""Loss against ε, the ε that is needed, and what holds whatever the scores are; remembered by the
table."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.one_answer.selection.model import SelectionModel, best_ones, mechanisms, whose
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.choosing import GUMBEL, NoisyMax
from dpstudio.privacy.mechanisms.selection import Scores, worst_loss, worst_tail
from dpstudio.privacy.mechanisms.selection import Selection as Mechanism
from dpstudio.values.passing import Passing, solved

# Laplace noise takes an integral: beyond so many candidates its curve comes a moment later.
_QUICK = 30
_MANY = 150
_MOST_EPSILON = 1e9  # to which the ε that is needed is looked for, and down to 1 over it


class LossCurve:
    """Expected loss of one mechanism at a ladder of ε, worked out point by point, so that it can be
    broken off and resumed.

    Each point has its place and only one value, so threads that work on it at once do no harm.
    """

    def __init__(self, mechanism: Mechanism, scores: Scores, points: int):
        self.mechanism, self.scores = mechanism, scores
        self.epsilons = np.geomspace(EPSILON.low, EPSILON.high, points)
        self.losses = np.full(points, np.nan)

    @property
    def done(self) -> bool:
        """Whether every point of the curve is worked out."""
        return not np.isnan(self.losses).any()

    def work(self, check: Callable[[], None] = lambda: None) -> LossCurve:
        """The curve with the rest of its points, each after a `check`, which may raise Stopped."""
        for at in np.flatnonzero(np.isnan(self.losses)):
            check()
            self.losses[at] = self.mechanism.at(float(self.epsilons[at])).expected_loss(self.scores)
        return self


def loss_curve(model: SelectionModel, mechanism: Mechanism) -> LossCurve:
    """Expected loss against ε, which does not depend on the current ε; of noisy max with Laplace
    noise among many candidates, an integral at every ε, only as far as it has been worked out."""
    at_one = mechanism.at(1.0)
    points = model.context.effort.of_points(48 if model.count <= _MANY else 20)
    held = model.data.remember(
        ("curve", *whose(model), at_one, points), lambda: LossCurve(at_one, model.scores, points)
    )
    laplace = isinstance(mechanism, NoisyMax) and mechanism.noise != GUMBEL
    return held if laplace and model.count > _QUICK else held.work()


def curves_done(model: SelectionModel) -> bool:
    """Whether no curve is still to be worked out."""
    return all(loss_curve(model, m).done for m in mechanisms(model))


def work_out_curves(model: SelectionModel) -> None:
    """Work out the rest of the curves, for all later models. Raises Stopped, and keeps what is
    done."""
    for mechanism in mechanisms(model):
        loss_curve(model, mechanism).work(model.context.check)


def epsilon_needed(model: SelectionModel) -> Passing | None:
    """From which ε on, between 10⁻⁹ and 10⁹, a best candidate wins with the confidence; None where
    all are as good."""
    if bool(best_ones(model).all()):
        return None
    at_one = model.lab.mechanism.at(1.0)
    key = ("needed", *whose(model), at_one, model.lab.confidence)
    return model.data.remember(key, lambda: _least_epsilon(model, at_one))


def _least_epsilon(model: SelectionModel, mechanism: Mechanism) -> Passing:
    others = ~best_ones(model)

    def missed(epsilon: float) -> float:
        pmf = mechanism.at(epsilon).pmf(model.scores)
        return float(pmf[others].sum()) - (1 - model.lab.confidence)

    return solved(missed, 1 / _MOST_EPSILON, _MOST_EPSILON, 2e-14)


def promised_loss(model: SelectionModel, mechanism: Mechanism) -> float:
    """The loss that the confidence keeps whatever the scores are: it falls as 1/ε."""
    count, scores, confidence = model.count, model.scores, model.lab.confidence
    at_one = mechanism.at(1.0)
    key = ("promised", at_one, count, scores.sensitivity, scores.monotone, confidence)
    worst = model.data.remember(key, lambda: worst_loss(at_one, scores, confidence))
    return worst / mechanism.epsilon


def promised_shares(model: SelectionModel, mechanism: Mechanism) -> tuple[Array, Array]:
    """(loss, share of winners within it at least), over all scores that so many candidates may
    have; shapes (60,)."""
    count, points = model.count, model.context.effort.of_points(60)

    def tail() -> Array:
        gaps = np.linspace(1e-9, 12.0 + math.log(count), points)
        beyond = [math.exp(worst_tail(mechanism, count, float(gap))) for gap in gaps]
        return array(np.stack([gaps, beyond]))

    gaps, beyond = model.data.remember(("tail", mechanism.at(1.0), count, points), tail)
    return gaps / mechanism.rate(model.scores), 1 - beyond
