"""The best single answer for all rows that test, and which models are better than that."""

from dataclasses import replace

import numpy as np

from dpstudio.labs.memo import once
from dpstudio.labs.models.learn.model import LearnModel, from_epsilon, here
from dpstudio.labs.models.learn.task import task_of
from dpstudio.privacy.rates import Rate, least_better, least_explained, rate
from dpstudio.values.passing import Passing


@once
def majority(model: LearnModel) -> float:
    """The score of the best single answer for all rows that test: the class that most of them
    have, or their mean, whose R² is 0."""
    return 0.0 if model.numbers else rate_of_one(model).right


@once
def rate_of_one(model: LearnModel) -> Rate:
    """How often the majority class of the rows that test is right, there and among rows like
    these: people are drawn, whose rows may all be alike."""
    counts, people = _tested(model), people_testing(model)
    right = float(counts.max() / counts.sum())
    return replace(rate(round(right * people), people), right=right)


def people_testing(model: LearnModel) -> int:
    """How many people test."""
    return task_of(model.lab, model.data).testers


def _tested(model: LearnModel) -> np.ndarray:
    """How many rows that test each class has."""
    task = task_of(model.lab, model.data)
    return np.bincount(task.test_y.astype(np.int64), minlength=task.classes)


@once
def bar(model: LearnModel) -> float:
    """A model that scores more is better than one answer, at 95 %."""
    n = people_testing(model)
    return least_explained(n) if model.numbers else least_better(majority(model), n)


def commonest(model: LearnModel) -> str:
    """The class that most rows that test have."""
    return model.known.label.words[int(_tested(model).argmax())]


def mean_label(model: LearnModel) -> float:
    """The mean of the numbers that rows that test have as their label."""
    label, y = model.known.label, task_of(model.lab, model.data).test_y
    return float(label.low + (label.high - label.low) * (y.mean() + 1) / 2)


def below(model: LearnModel) -> float:
    """The share of models at the ε in use that score no more than one answer."""
    return float(np.mean(here(model) <= majority(model)))


def unsure(model: LearnModel) -> float:
    """The share of those that score more, and no more than may be chance."""
    scores = here(model)
    return float(np.mean((scores > majority(model)) & (scores <= bar(model))))


def useful(model: LearnModel) -> Passing:
    """From which ε on fewer than half of the models score no more than one answer."""
    crowd = majority(model)
    return from_epsilon(model, lambda scores: np.mean(scores <= crowd, axis=1) < 0.5)
