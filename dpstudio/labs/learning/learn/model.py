"""What Learn knows: the rows to learn from and to test with, and the scores of models against
ε."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Rows, Sample, sample_of, split
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.learning.learn.learners import LEARNERS
from dpstudio.labs.learning.learn.learners.learner import (
    Claim,
    Known,
    Learner,
    Looked,
    Part,
    Task,
    View,
    holding,
)
from dpstudio.labs.learning.learn.parameters import LEAST_RUNS, Learn
from dpstudio.labs.local_curves import ladder
from dpstudio.labs.once import once
from dpstudio.privacy.neighbours.attacker import right_of_100
from dpstudio.privacy.queries import REPLACE
from dpstudio.values.messages import Say, say
from dpstudio.values.params import switch

GRID, COARSE, FEW = 17, 9, 3
NEAR = 0.01  # a score that is so little below that of the model without noise is as good


@dataclass(frozen=True, eq=False)
class Curve:
    """Scores of models with noise, (ε, runs), at each ε."""

    epsilons: Array
    scores: Array


@dataclass(frozen=True, eq=False)
class LearnModel:
    """One state of the lab. Without exact scores `curve` is None and `rivals` are empty; they are
    while they are being made, too: `whole` says that nothing better comes."""

    lab: Learn
    data: Dataset
    effort: Effort
    sample: Sample
    curve: Curve | None
    rivals: tuple[tuple[Learner, Curve], ...]
    whole: bool

    @property
    def known(self) -> Known:
        """What is public."""
        return known(self.lab, self.sample, self.lab.learner)


def sampled(lab: Learn, data: Dataset) -> Sample:
    """The rows with all features and the label. Raises ParamError at “features” or “label”."""
    return sample_of(data, lab.features, lab.predicts, classes=True)


def known(lab: Learn, sample: Sample, learner: Learner) -> Known:
    """What is public of what is learnt; how many rows there are, only where neighbours have as
    many."""
    assert sample.label is not None
    public = lab.adjacency == REPLACE and sample.most == 1
    # Of all rows: how many lack a value is not public.
    rows = len(_split(lab, sample)[0]) if public else None
    delta = getattr(learner, "delta", 0.0)
    return Known(
        sample.features,
        sample.label,
        lab.adjacency,
        sample.most,
        lab.epsilon,
        delta,
        rows,
        sample.persons is not None,
    )


def parts(lab: Learn, sample: Sample) -> tuple[int, int]:
    """How many rows there are to learn from and to test with."""
    learnt, tested = (np.count_nonzero(sample.kept[side]) for side in _split(lab, sample))
    return int(learnt), int(tested)


def _split(lab: Learn, sample: Sample) -> tuple[Rows, Rows]:
    """Of all rows of the table, so that who lacks a value moves nobody else."""
    seed = lab.seed if lab.split == "lot" else None
    return split(len(sample.kept), lab.test, seed, sample.whose, coins=True)


def _question(lab: Learn) -> tuple[Hashable, ...]:
    drawn = lab.seed if lab.split == "lot" else None
    return "learn", lab.features, lab.predicts, lab.test, drawn


def task_of(lab: Learn, data: Dataset) -> Task:
    """The rows to learn from and to test with, numbers scaled to [−1, 1]; remembered."""

    def made() -> Task:
        sample = sampled(lab, data)
        assert sample.label is not None
        number = np.array([not feature.words for feature in sample.features])
        low = np.array([feature.low for feature in sample.features])
        high = np.array([feature.high for feature in sample.features])
        middle = np.where(number, (low + high) / 2, 0.0)
        half = np.where(number, (high - low) / 2, 1.0)
        x = (sample.x - middle) / half
        x = np.where(number, np.clip(x, -1.0, 1.0), x)  # bounds that are values round past ±1
        place = np.cumsum(sample.kept) - 1
        learnt, tested = (place[side[sample.kept[side]]] for side in _split(lab, sample))
        sizes = tuple(len(feature.words) for feature in sample.features)
        classes = len(sample.label.words)
        persons = None if sample.persons is None else sample.persons[learnt]
        y = sample.y
        return Task(x[learnt], y[learnt], x[tested], y[tested], sizes, classes, persons)

    return data.remember(_question(lab), made)


def looked(lab: Learn, runs: int) -> Looked:
    """How closely a learner is looked at."""
    return Looked(runs, lab.seed, lab.confidence, lab.feature)


def all_runs(lab: Learn, effort: Effort) -> int:
    """How many models are learnt at each ε."""
    return effort.of_draws(min(lab.runs, lab.learner.most_runs), FEW)


def few_runs(effort: Effort) -> int:
    """How many are learnt for a first picture, and of what else could be learnt."""
    return effort.of_draws(LEAST_RUNS, FEW)


def grid(effort: Effort, first: bool) -> Array:
    """The values of ε at which models are learnt: few of them for a first picture."""
    return ladder(effort.of_points(COARSE if first else GRID, FEW))


def _named(lab: Learn, learner: Learner, runs: int, epsilon: float) -> tuple[Hashable, ...]:
    return "scores", learner, lab.adjacency, lab.seed, runs, epsilon


def curve_known(lab: Learn, data: Dataset, learner: Learner, runs: int, epsilons: Array) -> bool:
    """Whether all of a curve is remembered."""
    kept = task_of(lab, data).kept
    return all(kept.known(_named(lab, learner, runs, epsilon)) for epsilon in epsilons.tolist())


def scores_at(lab: Learn, data: Dataset, learner: Learner, runs: int, epsilon: float) -> Array:
    """The scores of so many models at one ε, (runs,); remembered."""
    task = task_of(lab, data)

    def made() -> Array:
        public = replace(known(lab, sampled(lab, data), learner), epsilon=epsilon)
        return array(learner.scores(task, public, looked(lab, runs)))

    return task.remember(_named(lab, learner, runs, epsilon), made)


def curve_of(lab: Learn, context: Context, learner: Learner, runs: int, epsilons: Array) -> Curve:
    """The scores of a learner at each ε, of which each is remembered. Raises Stopped where the run
    is cancelled."""
    found, doing = [], say("Learning: {name}", name=Say(learner.label))
    for place, epsilon in enumerate(epsilons.tolist()):
        context.check()
        context.progress(place / len(epsilons), doing)
        found.append(scores_at(lab, context.data, learner, runs, epsilon))
    return Curve(epsilons, array(found))


def rivals_of(lab: Learn, data: Dataset) -> tuple[Learner, ...]:
    """All other learners that have a proof for what is known, with what they share with this
    one."""
    sample = sampled(lab, data)
    made = [switch(kind, lab.learner) for kind in LEARNERS if kind is not type(lab.learner)]
    return tuple(one for one in made if one.refusal(known(lab, sample, one)) is None)


def learn_model(
    lab: Learn,
    context: Context,
    curve: Curve | None,
    rivals: tuple[tuple[Learner, Curve], ...] = (),
    *,
    whole: bool,
) -> LearnModel:
    """The state of the lab with the scores that are made so far."""
    sample = sampled(lab, context.data)
    return LearnModel(lab, context.data, context.effort, sample, curve, rivals, whole)


@once
def here(model: LearnModel) -> Array:
    """The scores of models at the ε in use, as many as the curve has; shape (runs,)."""
    assert model.curve is not None
    lab, runs = model.lab, model.curve.scores.shape[1]
    return scores_at(lab, model.data, lab.learner, runs, lab.epsilon)


def median(model: LearnModel) -> float:
    """Half of the models at the ε in use score higher."""
    return float(np.median(here(model)))


def interval(model: LearnModel) -> tuple[float, float]:
    """Between which that share of models scores at the ε in use."""
    low, high = looked(model.lab, len(here(model))).ends(here(model))
    return float(low), float(high)


@once
def noiseless(model: LearnModel) -> float:
    """The score of the model without noise."""
    lab, task = model.lab, task_of(model.lab, model.data)
    question = "noiseless", lab.learner, lab.adjacency
    return task.remember(question, lambda: float(lab.learner.noiseless(task, model.known)))


@once
def majority(model: LearnModel) -> float:
    """The score of who always says the class that most rows to learn from have."""
    task = task_of(model.lab, model.data)
    commonest = np.bincount(task.y.astype(np.int64), minlength=task.classes).argmax()
    return float(np.mean(task.test_y == commonest))


@once
def commonest(model: LearnModel) -> str:
    """The class that most rows to learn from have."""
    task = task_of(model.lab, model.data)
    counts = np.bincount(task.y.astype(np.int64), minlength=task.classes)
    return model.known.label.words[int(counts.argmax())]


def below(model: LearnModel) -> float:
    """The share of models at the ε in use that score no more than the commonest class."""
    return float(np.mean(here(model) <= majority(model)))


def lost(model: LearnModel) -> float:
    """What the noise costs: the score without it less the median with it, at least 0."""
    return max(0.0, noiseless(model) - median(model))


def band(curve: Curve, confidence: float) -> tuple[Array, Array, Array]:
    """(low, median, high) of the scores at each ε: at least that share lies between the ends."""
    low, high = holding(curve.scores.T, confidence)
    return array(low), array(np.median(curve.scores, axis=1)), array(high)


def _from(model: LearnModel, fits: Callable[[Array], np.ndarray]) -> float | None:
    """The least ε, of those drawn and the one in use, from which on the scores fit."""
    assert model.curve is not None
    epsilons = np.append(model.curve.epsilons, model.lab.epsilon)
    order = np.argsort(epsilons)
    fit = np.append(fits(model.curve.scores), fits(here(model)[None]))[order]
    if not fit[-1]:
        return None
    wrong = np.flatnonzero(np.logical_not(fit))
    return float(epsilons[order][int(wrong[-1]) + 1 if len(wrong) else 0])


def enough(model: LearnModel) -> float | None:
    """From which ε on half of the models lose less than a hundredth."""
    least = noiseless(model) - NEAR
    return _from(model, lambda scores: np.mean(scores > least, axis=1) >= 0.5)


def useful(model: LearnModel) -> float | None:
    """From which ε on fewer than half of the models score no more than the commonest class."""
    crowd = majority(model)
    return _from(model, lambda scores: np.mean(scores <= crowd, axis=1) < 0.5)


def at_epsilon(model: LearnModel, curve: Curve) -> float:
    """The median score of a rival at the ε in use, between its points."""
    middle = np.median(curve.scores, axis=1)
    return float(np.interp(np.log(model.lab.epsilon), np.log(curve.epsilons), middle))


def claim(model: LearnModel) -> Claim:
    """What is promised."""
    return model.lab.learner.claim(model.known)


def right_guesses(model: LearnModel) -> int:
    """Of 100 guesses from even odds, how many are right on average at most after the model."""
    made = claim(model)
    return right_of_100(made.epsilon, made.delta)


def statement(model: LearnModel) -> tuple[Say, ...]:
    """The privacy statement of the training, where there is one."""
    return model.lab.learner.statement(model.known)


def budget(model: LearnModel) -> tuple[Part, ...]:
    """What it is spent on."""
    return model.lab.learner.parts(model.known)


@once
def views(model: LearnModel) -> tuple[View, ...]:
    """What else there is to see of the learner."""
    if model.curve is None:
        return ()
    lab, runs = model.lab, model.curve.scores.shape[1]
    return lab.learner.views(task_of(lab, model.data), model.known, looked(lab, runs))


def counted(model: LearnModel) -> tuple[int, int, int]:
    """Rows to learn from, to test with, and left out."""
    return *parts(model.lab, model.sample), model.sample.left_out
