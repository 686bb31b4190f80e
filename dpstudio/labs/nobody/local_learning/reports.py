"""What leaves the phone of one person, and what all reports about one feature come to."""

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.local_learning.fits import Way
from dpstudio.labs.nobody.local_learning.model import LocalModel, each_epsilon, looked_at, way_of
from dpstudio.labs.nobody.local_learning.task import task_of
from dpstudio.privacy.learning.local_bayes import CELLS, SQUARE
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.reals import EVERY, Reals


@dataclass(frozen=True, eq=False)
class Sent:
    """One report: what is `held`, (class, word) or (class, 0) of a number, and what is sent of each
    class and word, or at the place of each class, shape (classes, words)."""

    held: tuple[int, int]
    value: float
    sent: Array


def asks_word(model: LocalModel) -> bool:
    """Whether the question looked at is about a word and the class."""
    return model.question.kind == CELLS


def asks_square(model: LocalModel) -> bool:
    """Whether it is about the square of a number."""
    return model.question.kind == SQUARE


@once
def report(model: LocalModel) -> Sent:
    """The report of the first person; where rows are hidden, of somebody with the first word and
    the first class."""
    question, c = model.question, model.asked.people.shape.classes
    symbol = 0
    if model.lab.show_truth:
        symbol = int(model.asked.people.symbols[0, looked_at(model)])
    place, word = divmod(symbol, question.words)
    rng = np.random.Generator(np.random.SFC64([model.lab.seed, 7]))
    at = way_of(model).at(each_epsilon(model))
    if not asks_word(model):
        value = float(question.levels[word]) if model.lab.show_truth else 0.5
        return Sent((place, 0), value, _numbers(at, rng, place, value, c))
    d = c * question.words
    told = np.asarray(at.protocol.reports(rng, np.array([symbol]), d))
    bits = np.eye(d)[told[0]] if isinstance(at.protocol, Direct) else told[0].astype(np.float64)
    return Sent((place, word), 1.0, array(bits.reshape(c, question.words)))


def _numbers(at: Way, rng: np.random.Generator, place: int, value: float, c: int) -> Array:
    """A number at the place of the class, as it is sent, shape (classes, 1)."""
    vector = np.zeros(c)
    vector[place] = value
    number = at.number
    # Laplace noise on every place is that of one number (`class_sums`).
    each = isinstance(number, Reals) and number.coordinates == EVERY
    sent = number.reports(rng, vector) if each else number.reports(rng, vector[None])[0]
    return array(np.reshape(sent, (c, 1)))


@dataclass(frozen=True, eq=False)
class Chances:
    """How likely each word is in each class, (classes, words): exact, and the ends and the middle
    of what many surveys estimate, (3, classes, words)."""

    exact: Array
    found: Array


def _columns(model: LocalModel) -> slice:
    """Where the words of the feature looked at are among those of all features."""
    shape, feature = model.asked.people.shape, model.question.feature
    start = sum(shape.sizes[i] for i in shape.words if i < feature)
    return slice(start, start + shape.sizes[feature])


def compared(model: LocalModel) -> bool:
    """Whether there is something estimated of the feature looked at to set beside the exact."""
    return model.fit is not None and model.fit.model is not None and model.question.feature >= 0


@once
def chances(model: LocalModel) -> Chances:
    """Of the words of the feature that is looked at."""
    assert model.fit is not None
    assert model.fit.model is not None
    at, half = _columns(model), (1 - model.lab.confidence) / 2
    found = np.quantile(model.fit.model.chances[..., at], (half, 0.5, 1 - half), axis=0)
    return Chances(model.asked.exact.chances[..., at], found)


@dataclass(frozen=True, eq=False)
class Bell:
    """Mean and deviation of a number in each class, on the scale of its column: exact (classes,),
    and of some surveys (surveys, classes)."""

    means: Array
    deviations: Array
    found_means: Array
    found_deviations: Array
    low: float
    high: float


@once
def bells(model: LocalModel) -> Bell:
    """Of the number that is looked at."""
    assert model.fit is not None
    assert model.fit.model is not None
    shape, exact, found = model.asked.people.shape, model.asked.exact, model.fit.model
    i = shape.numbers.index(model.question.feature)
    low, high = -1.0, 1.0
    if model.lab.reduction == "none":
        feature = model.sample.features[model.question.feature]
        low, high = feature.low, feature.high
    middle, half = (low + high) / 2, (high - low) / 2
    return Bell(
        middle + half * exact.means[:, i],
        half * np.sqrt(exact.variances[:, i]),
        middle + half * found.means[..., i],
        half * np.sqrt(found.variances[..., i]),
        low,
        high,
    )


def rarest(model: LocalModel) -> int:
    """The class whose words are drawn: the one with the fewest of those who learn."""
    task = task_of(model.lab, model.data)
    members = np.bincount(task.y.astype(np.int64), minlength=task.shape.classes)
    return int(np.argmin(np.where(members > 0, members, len(task.y) + 1)))
