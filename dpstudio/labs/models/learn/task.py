"""The rows that Learn learns from and tests with, and what is public of them."""

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.coins import tossed
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Feature, Rows, Sample, sample_of, split
from dpstudio.data.memory import Memory
from dpstudio.labs.models.learn.learners.learner import ROOM, Learner, LearningFacts, Task
from dpstudio.labs.models.learn.parameters import Learn
from dpstudio.privacy.queries import REPLACE


def sampled(lab: Learn, data: Dataset) -> Sample:
    """The rows with all features and the label. Raises ParamError at “features” or “label”."""
    return sample_of(data, lab.features, lab.predicts, classes=not lab.learner.numbers)


def known(lab: Learn, sample: Sample, learner: Learner) -> LearningFacts:
    """What is public of what is learnt; about how many rows that is, only where neighbours have as
    many, and then by the share of all rows: how many lack a value, or whose coin fell how, is not
    public."""
    assert sample.label is not None
    public = lab.adjacency == REPLACE and sample.most == 1
    rows = len(sample.kept) - round(len(sample.kept) * lab.test) if public else None
    delta = getattr(learner, "delta", 0.0)
    learnt = [round(n * (1 - lab.test)) for n in (len(sample.x), sample.people)]
    return LearningFacts(
        sample.features,
        sample.label,
        lab.adjacency,
        sample.most,
        lab.epsilon,
        delta,
        rows,
        sample.persons is not None,
        (learnt[0], learnt[1]),
    )


def parts(lab: Learn, data: Dataset) -> tuple[int, int]:
    """How many rows there are to learn from and to test with."""
    task = task_of(lab, data)
    return len(task.x), len(task.test_x)


def _split(lab: Learn, data: Dataset, sample: Sample) -> tuple[Rows, Rows]:
    """The rows of the sample to learn from and to test with, so that who lacks a value moves nobody
    else."""
    if lab.split == "lot":
        return tossed(sample, data, lab.test, lab.seed)
    place = np.cumsum(sample.kept) - 1
    learnt, tested = split(len(sample.kept), lab.test, None, sample.whose)
    return place[learnt[sample.kept[learnt]]], place[tested[sample.kept[tested]]]


def _question(lab: Learn) -> tuple[Hashable, ...]:
    drawn = lab.seed if lab.split == "lot" else None
    return "learn", lab.features, lab.predicts, lab.learner.numbers, lab.test, drawn


def task_of(lab: Learn, data: Dataset) -> Task:
    """The rows to learn from and to test with, numbers scaled to [−1, 1]; remembered."""

    def made() -> Task:
        sample = sampled(lab, data)
        assert sample.label is not None
        x = _scaled(sample.x, sample.features)
        y = _scaled(sample.y[:, None], (sample.label,))[:, 0]
        learnt, tested = _split(lab, data, sample)
        sizes = tuple(len(feature.words) for feature in sample.features)
        classes = len(sample.label.words)
        persons, testers = None, len(tested)
        if sample.persons is not None:
            persons, testers = sample.persons[learnt], len(np.unique(sample.persons[tested]))
        parts = x[learnt], y[learnt], x[tested], y[tested]
        return Task(*parts, sizes, classes, persons, testers)

    return data.remember(_question(lab), made)


def fewer(task: Task, times: float, seed: int) -> Task:
    """The same task with so many times the people to learn from: some of them by lot, or all of
    them over and over."""
    copies = int(np.ceil(times))
    whose = np.arange(len(task.x)) if task.persons is None else task.persons
    people = np.unique(whose)
    rng = np.random.Generator(np.random.SFC64([seed, 12]))
    drawn = rng.permutation(people)[: round(times * len(people))] if times < 1 else people
    rows = np.tile(np.flatnonzero(np.isin(whose, drawn)), copies)
    again = np.repeat(np.arange(copies), len(rows) // copies)
    persons = None if task.persons is None else whose[rows] + again * (int(people[-1]) + 1)
    return replace(task, x=task.x[rows], y=task.y[rows], persons=persons, kept=Memory(ROOM))


def _scaled(x: Array, features: Sequence[Feature]) -> Array:
    """Numbers scaled to [−1, 1] by their bounds, codes as they are; shape of x (n, p)."""
    number = np.array([not feature.words for feature in features])
    low = np.array([feature.low for feature in features])
    high = np.array([feature.high for feature in features])
    middle = np.where(number, (low + high) / 2, 0.0)
    half = np.where(number, (high - low) / 2, 1.0)
    # Rounding may put a number that lies on its bound beyond 1.
    ends = np.where(number, 1.0, np.inf)
    return np.asarray(np.clip((x - middle) / half, -ends, ends))
