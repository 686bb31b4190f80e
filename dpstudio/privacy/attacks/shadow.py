"""Membership of a row among those that a model learnt from: by its loss, and by comparing with
shadow models that were trained with it and without it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.learning.logistic import fit, with_bias
from dpstudio.privacy.learning.sampled_training import LOGISTIC, Rows, clipped_sums

_LEAST = 1e-9
_FLAT = 1e-6  # a spread of confidences below which they are all alike


@dataclass(frozen=True, eq=False)
class Crowd:
    """Invented people, x (people, d) in the unit ball and y of −1 and +1, and which of them each
    of some models learns from, (models, people)."""

    x: Array
    y: Array
    member: NDArray[np.bool_]


def crowd(rng: np.random.Generator, people: int, numbers: int, models: int) -> Crowd:
    """People with so many numbers in [−1, 1] and a label that these tell for most of them; each
    model learns from half of them."""
    x = rng.uniform(-1, 1, (people, numbers))
    tells = x @ rng.normal(size=numbers) / np.sqrt(numbers)
    y = np.where(tells + 0.5 * rng.normal(size=people) > 0, 1.0, -1.0)
    places = rng.random((models, people)).argsort(axis=1, kind="stable")
    return Crowd(with_bias(x), y, places < people // 2)


def learnt(given: Crowd, ridge: float) -> Array:
    """The logistic model of each set of members, (models, d), held by Λ = `ridge`."""
    rows = [fit(given.x[m], given.y[m], ridge)[0] for m in given.member]
    return np.array(rows)


def descended(
    given: Crowd, ridge: float, noise: float, steps: int, rng: np.random.Generator
) -> Array:
    """The logistic model of each set of members after so many steps along the sum of their
    gradients, each at most 1 long, with normal noise of standard deviation `noise` in every step
    (Abadi et al. 2016, without samples); (models, d)."""
    labels, rows = (given.y + 1) / 2, Rows.of(len(given.x), None)
    model, person = np.nonzero(given.member)
    weights = np.zeros((len(given.member), given.x.shape[1]))
    # One over the largest curvature of the sum: rows are at most 1 long.
    pace = 1 / (given.member[0].sum() / 4 + ridge)
    for _ in range(steps):
        total = clipped_sums(given.x, labels, weights, (model, person), rows, 1.0, LOGISTIC)
        total += noise * rng.standard_normal(weights.shape)
        weights = weights - pace * (total + ridge * weights)
    return weights


def confidences(given: Crowd, weights: Array) -> Array:
    """How likely each model takes everybody's own label to be, (models, people)."""
    margin = (weights @ given.x.T) * given.y
    return np.asarray(1 / (1 + np.exp(-np.clip(margin, -500, 500))))


def coarse(confidence: Array, step: float) -> Array:
    """Confidences rounded to a grid: 0 leaves them, 1 tells the label alone."""
    return np.round(confidence / step) * step if step else confidence


def labels_right(confidence: Array) -> float:
    """The share of labels that are told right, half of those on which a model is undecided."""
    return float(np.mean(confidence > 0.5) + np.mean(confidence == 0.5) / 2)


def by_loss(confidence: Array) -> Array:
    """The score of Yeom et al. 2018: minus the loss of the own label, (models, people)."""
    return np.log(np.maximum(confidence, _LEAST))


def by_shadows(own: Array, member: NDArray[np.bool_], confidence: Array) -> Array:
    """ln of how much likelier the `confidence` of each attacked model, (models, people), is among
    the attacker's `own` that learnt from this person than among those that did not, by `member`,
    (shadows, people) each: both normal in the logit with one spread (Carlini et al. 2022)."""
    logit, known = _logit(confidence), _logit(own)
    means, squares, counts = [], 0.0, 0.0
    for inside in (member, ~member):
        count = np.maximum(inside.sum(axis=0), 1)
        mean = np.where(inside, known, 0.0).sum(axis=0) / count
        squares = squares + (np.where(inside, known - mean, 0.0) ** 2).sum(axis=0)
        means.append(mean)
        counts = counts + count
    spread = np.maximum(squares / np.maximum(counts - 2, 1), _FLAT)
    return np.asarray(((logit - means[1]) ** 2 - (logit - means[0]) ** 2) / (2 * spread))


def _logit(confidence: Array) -> Array:
    p = np.clip(confidence, _LEAST, 1 - _LEAST)
    return np.asarray(np.log(p) - np.log1p(-p))


def roc(scores: Array, member: NDArray[np.bool_]) -> tuple[Array, Array]:
    """False and true positives of “score at least t” for every t, from (0, 0) to (1, 1); what has
    one score is told together. Shape (thresholds,) each."""
    flat, truth = scores.ravel(), member.ravel()
    order = np.argsort(-flat, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(flat[order])), len(flat) - 1)
    found = np.cumsum(truth[order])[ends] / truth.sum()
    alarms = np.cumsum(~truth[order])[ends] / (~truth).sum()
    return np.append(0.0, alarms), np.append(0.0, found)


def found_with(scores: Array, member: NDArray[np.bool_], alarms: float) -> Array:
    """For each model the share of its members above the score that so many of all others, at most,
    are above; shape (models,)."""
    at = np.quantile(scores[~member], 1 - alarms, method="higher")
    return np.asarray(((scores > at) & member).sum(axis=1) / member.sum(axis=1))


def right_by_model(scores: Array, member: NDArray[np.bool_], at: float) -> Array:
    """For each model the share of people told right by “score above `at`”, half of them members;
    shape (models,)."""
    said = scores > at
    found = (said & member).sum(axis=1) / member.sum(axis=1)
    alarms = (said & ~member).sum(axis=1) / (~member).sum(axis=1)
    return np.asarray((1 + found - alarms) / 2)


def loss_threshold(scores: Array, member: NDArray[np.bool_]) -> float:
    """The mean score of what models learnt from, by `member`, (shadows, people) each: Yeom's
    threshold, which the attacker takes from models of his own."""
    return float(scores[member].mean())
