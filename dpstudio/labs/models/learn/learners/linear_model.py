"""What learners of a line between two classes share: rows in the unit ball, weights, and how
strongly they are held at 0."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.features import Feature
from dpstudio.labs.models.learn.learners import learner
from dpstudio.labs.models.learn.learners.learner import (
    Learner,
    LearningFacts,
    Plane,
    Replays,
    Task,
    View,
    Weights,
)
from dpstudio.privacy.learning.logistic import fit, right, with_bias
from dpstudio.privacy.learning.logistic_noise import Ridge, add_remove, replace_one
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Integer, Maybe, Real, param

PENALTY = Real(
    N_("Ridge λ"),
    N_("How strongly each row's share of the weights is held at 0: more needs less noise."),
    low=1e-7,
    high=1.0,
    log=True,
)
ABOUT = Maybe(
    N_("Rows, about"),
    N_(
        "A public guess at how many rows are learnt from: under add or remove their number is "
        "itself private."
    ),
    inner=Integer("", low=learner.FEWEST, high=learner.MOST, log=True),
    empty=N_("as many as there are"),
)
_POINTS, _LINES = 800, 12  # what a picture of the plane holds


class LinearLearner(Learner):
    """Base of learners whose model is a line: which side a row lies on is its class."""

    family = "line"

    def refusal(self, known: LearningFacts) -> Message | None:
        if len(known.label.words) not in (0, 2):
            text = N_(
                "This tells two classes apart, and “{column}” has {n}. Choose a label of two, or "
                "naive Bayes."
            )
            return say(text, column=known.label.name, n=len(known.label.words))
        return super().refusal(known)

    def noiseless(self, task: Task, known: LearningFacts) -> float:
        _, test = rows(task)
        return float(right(self.exact(task, known), test, sides(task.test_y)))

    def scores(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        _, test = rows(task)
        return right(self.models(task, known, looked), test, sides(task.test_y))

    def exact(self, task: Task, known: LearningFacts) -> Array:
        """The weights without noise, (weights,)."""
        raise NotImplementedError

    def models(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        """Weights with noise, (runs, weights)."""
        raise NotImplementedError

    def views(self, task: Task, known: LearningFacts, looked: Replays) -> tuple[View, ...]:
        drawn, names = self.models(task, known, looked), weight_names(known.features)
        exact = self.exact(task, known)
        weights = Weights(names, exact, *looked.ends(drawn))
        if task.sizes != (0, 0):
            return (weights,)
        shown = looked.generator.permutation(len(task.x))[:_POINTS]
        points, classes = task.x[shown], task.y[shown]
        return Plane(known.features, points, classes, exact, drawn[:_LINES]), weights


class LogisticLearner(LinearLearner):
    """Base of those that minimise a logistic loss with a ridge."""

    penalty: float = param(1e-4, PENALTY)
    about: int | None = param(None, ABOUT)

    def refusal(self, known: LearningFacts) -> Message | None:
        return with_public_rows(known) or super().refusal(known)

    def ridge(self, known: LearningFacts) -> Ridge:
        """How strongly the model is held at 0, and how far one person moves the sum."""
        return ridge_of(self.penalty, self.guess(known), known)

    def exact(self, task: Task, known: LearningFacts) -> Array:
        strength = self.ridge(known).strength
        question = "logistic", strength
        return task.remember(question, lambda: fit(rows(task)[0], sides(task.y), strength)[0])


def with_public_rows(known: LearningFacts) -> Message | None:
    """The refusal where as many rows should be public as there are, and are not."""
    if known.replace and known.rows is None:
        return say(
            "With several rows a person the number of rows is not public when one is replaced: "
            "choose “Add or remove one”."
        )
    return None


def ridge_of(penalty: float, about: int, known: LearningFacts) -> Ridge:
    """The ridge of a mean loss with this penalty: of as many rows as there are where that is
    public, else of `about` so many."""
    if known.replace and known.rows is not None:
        return replace_one(known.rows, penalty, known.most)
    return add_remove(penalty * about, known.most)


def weight_names(features: tuple[Feature, ...]) -> tuple[str, ...]:
    """What each weight is of."""
    names = (
        f"{feature.name} = {word}" if word else feature.name
        for feature in features
        for word in feature.words or ("",)
    )
    return (*names, "constant")


def rows(task: Task) -> tuple[Array, Array]:
    """The rows to learn from and to test with in the unit ball, a constant last."""

    def made() -> tuple[Array, Array]:
        learnt, tested = task.linear()
        # Of the words of a feature one alone is not 0.
        features = len(task.sizes)
        return with_bias(learnt, features), with_bias(tested, features)

    return task.remember("ball", made)


def sides(y: Array) -> Array:
    """Classes 0 and 1 as −1 and +1."""
    return np.where(y > 0, 1.0, -1.0)
