"""Naive Bayes from noisy counts, sums and sums of squares."""

import math
from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.models.learn.learners.learner import (
    Chances,
    Claim,
    Densities,
    Errors,
    Learner,
    LearningFacts,
    Part,
    Replays,
    Task,
    View,
)
from dpstudio.privacy.learning import naive_bayes
from dpstudio.values.fields import choice, real
from dpstudio.values.messages import N_, plain, say

PRINTED = {
    "": N_("as proved"),
    "budget": N_("as printed: every parameter spends all of ε"),
    "variance": N_("as printed: a sensitivity of the wrong unit"),
    "bounds": N_("as printed: bounds read from the data"),
}
_POINTS = 121


class NaiveBayes(Learner):
    """Each class by its share and, for each feature, a normal law or a table of words."""

    key = "naive_bayes"
    label = N_("Naive Bayes")
    family = "naive_bayes"
    place = "output"
    where = N_("on counts and sums")
    ink = "laplace"
    source = "Vaidya, Shafiq, Basu & Hong 2013; Laplace: Dwork et al. 2006"

    counts: float = real(
        0.333,
        N_("For class counts"),
        N_("The rest of ε is split over the features alike."),
        low=0.01,
        high=0.99,
        percent=True,
    )
    printed: str = choice(
        "",
        N_("Noise"),
        N_("As it is proved, or as texts print it, which breaks the promise."),
        options=PRINTED,
    )

    def split(self, known: LearningFacts) -> naive_bayes.Split:
        """The ε of each statistic."""
        if self.printed == "budget":
            return naive_bayes.printed_split(known.epsilon)
        return naive_bayes.split_budget(known.epsilon, shape_of(known), self.counts)

    def claim(self, known: LearningFacts) -> Claim:
        text = N_(
            "Laplace noise on every count and sum, each at its L1 sensitivity: over the classes "
            "the parts of ε do not add up, since a row has one class; over the features they do."
        )
        cost = known.epsilon
        if self.printed:
            text = N_("No theorem: this is as printed.")
            total = self.split(known).total(shape_of(known))
            cost = total if self.printed == "budget" else math.inf
        return Claim(known.epsilon, 0.0, say(text), cost)

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        split = self.split(known)
        scale = naive_bayes.scales(split, known.replace, known.most)
        rows = [Part(say("class counts"), say("count"), split.counts, scale.counts)]
        for feature in known.features:
            name = plain(feature.name)
            if feature.words:
                rows.append(Part(name, say("count"), split.cells, scale.cells))
            else:
                rows.append(Part(name, say("sum"), split.sums, scale.sums))
                rows.append(Part(name, say("sum of squares"), split.squares, scale.squares))
        return tuple(rows)

    def noiseless(self, task: Task, known: LearningFacts) -> float:
        model = naive_bayes.model_of(exact_statistics(task), shape_of(known))
        return float(naive_bayes.accuracies(model, _rows(task, known), task.test_y))

    def scores(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        if self.printed == "bounds":
            # Scaled by what the rows happen to span, for learning and testing alike.
            task = task.remember("as printed", lambda: _rescaled(task))
        return naive_bayes.accuracies(
            self.models(task, known, looked), _rows(task, known), task.test_y
        )

    def models(self, task: Task, known: LearningFacts, looked: Replays) -> naive_bayes.Model:
        """Models with noise, one a run."""
        shape, exact = shape_of(known), exact_statistics(task)
        drawn = naive_bayes.unit_noise(shape, looked.runs, looked.generator)
        scale = naive_bayes.scales(self.split(known), known.replace, known.most)
        model = naive_bayes.model_of(naive_bayes.noisy(exact, drawn, scale), shape)
        return (
            _printed_variance(model, exact, drawn, scale) if self.printed == "variance" else model
        )

    def views(self, task: Task, known: LearningFacts, looked: Replays) -> tuple[View, ...]:
        exact = naive_bayes.model_of(exact_statistics(task), shape_of(known))
        models = self.models(task, known, looked)
        return (_closer(exact, models, known, looked), _errors(exact, models, known))


def shape_of(known: LearningFacts) -> naive_bayes.Shape:
    """What rows are made of."""
    sizes = tuple(len(feature.words) for feature in known.features)
    return naive_bayes.Shape(sizes, len(known.label.words))


def exact_statistics(task: Task) -> naive_bayes.Statistics:
    """The statistics without noise."""
    shape = naive_bayes.Shape(task.sizes, task.classes)
    return task.remember("statistics", lambda: naive_bayes.statistics(task.x, task.y, shape))


def _rows(task: Task, known: LearningFacts) -> Array:
    return task.remember("design", lambda: naive_bayes.design(task.test_x, shape_of(known)))


def _rescaled(task: Task) -> Task:
    """The task with each number scaled by the bounds that the rows to learn from have."""
    low, high = naive_bayes.data_bounds(task.x)
    number = np.array([not size for size in task.sizes])
    middle = np.where(number, (low + high) / 2, 0.0)
    half = np.where(number, (high - low) / 2, 1.0)
    test = np.where(number, np.clip(task.test_x, low, high), task.test_x)
    return Task(
        (task.x - middle) / half,
        task.y,
        (test - middle) / half,
        task.test_y,
        task.sizes,
        task.classes,
    )


def _printed_variance(
    model: naive_bayes.Model,
    exact: naive_bayes.Statistics,
    drawn: naive_bayes.Statistics,
    scale: naive_bayes.Split,
) -> naive_bayes.Model:
    """Variances with noise of the printed sensitivity n(mean − low)/(n + 1), in the units of
    features that reach from −1 to 1."""
    n = np.maximum(exact.counts, 1.0)[:, None]
    means = exact.sums / n
    true = np.maximum(exact.squares / n - means**2, naive_bayes.LEAST_VARIANCE)
    size = naive_bayes.printed_variance_sensitivity(means, -1.0, n) * scale.squares
    variances = np.maximum(true + size * drawn.squares, naive_bayes.LEAST_VARIANCE)
    return naive_bayes.model_from(model.priors, model.means, variances, model.chances)


def _closer(
    exact: naive_bayes.Model, models: naive_bayes.Model, known: LearningFacts, looked: Replays
) -> View:
    """The feature that is looked at, class by class."""
    shape = shape_of(known)
    names = [feature.name for feature in known.features]
    place = names.index(looked.feature) if looked.feature in names else 0
    feature = known.features[place]
    if feature.words:
        start = sum(shape.sizes[i] for i in shape.words if i < place)
        cut = slice(start, start + len(feature.words))
        return Chances(feature, exact.chances[:, cut], *looked.ends(models.chances[..., cut]))
    i = shape.numbers.index(place)
    z = np.linspace(-1, 1, _POINTS)
    half = (feature.high - feature.low) / 2
    drawn = _normal(z, models.means[..., i], models.variances[..., i]) / half
    x = array(feature.low + half * (z + 1))
    low, high = looked.ends(drawn)
    true = _normal(z, exact.means[..., i], exact.variances[..., i]) / half
    return Densities(feature, x, true, low, high)


def _normal(z: Array, mean: Array, variance: Array) -> Array:
    """Normal densities at z, with the points as the last axis."""
    away = (z - mean[..., None]) ** 2 / variance[..., None]
    return np.asarray(np.exp(-away / 2) / np.sqrt(2 * np.pi * variance[..., None]))


def _errors(exact: naive_bayes.Model, models: naive_bayes.Model, known: LearningFacts) -> Errors:
    """How far the noise moves shares, means, deviations and chances of words."""
    shape, rows = shape_of(known), [say("share of the class")]
    rows += [plain(feature.name) for feature in known.features]
    typical = np.full((2, len(rows)), np.nan)
    typical[0, 0] = _typical(models.priors - exact.priors)
    for i, place in enumerate(shape.numbers):
        # Means lie in a range of 2, deviations in one of 1.
        typical[0, place + 1] = _typical(models.means[..., i] - exact.means[..., i]) / 2
        spread = np.sqrt(models.variances[..., i]) - np.sqrt(exact.variances[..., i])
        typical[1, place + 1] = _typical(spread)
    for place, cut in _cells(shape):
        apart = models.chances[..., cut] - exact.chances[:, cut]
        typical[0, place + 1] = _typical(np.abs(apart).max(axis=-1))
    return Errors(tuple(rows), (say("mean or share"), say("standard deviation")), typical)


def _cells(shape: naive_bayes.Shape) -> Iterator[tuple[int, slice]]:
    start = 0
    for place in shape.words:
        yield place, slice(start, start + shape.sizes[place])
        start += shape.sizes[place]


def _typical(apart: Array) -> float:
    """The median over runs of the largest error of any class."""
    return float(np.median(np.abs(apart).max(axis=1)))
