"""Naive Bayes from local reports: nobody is trusted, each person sends noisy answers, and the
collector estimates how many of each class hold each word, or the mean and the spread of each number
in each class.

A question about a feature of words is answered by one symbol that stands for word and class
together, so that the class is hidden with it (Yilmaz, Al-Rubaie & Chang 2020). One about
a number b in [−1, 1] is answered by a vector with one place for each class, b (or 2b² − 1) at one's
own and 0 at the others: two such vectors lie at most 2 apart in L1.

Neighbours are any two rows of one person. With one report a person is asked one question drawn by
lot, whatever the row, and spends ε on it; where all q questions are answered, each spends ε/q.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.memory import Sized
from dpstudio.privacy.learning.naive_bayes import LEAST_VARIANCE, Model, Numbers, Shape, model_from
from dpstudio.privacy.local.number import NumberProtocol
from dpstudio.privacy.local.protocol import Protocol
from dpstudio.privacy.local.reals import EVERY, Reals

Codes = NDArray[np.int16]
CELLS, MEAN, SQUARE = "cells", "mean", "square"
# Numbers that take more values than this are rounded to so many steps by the person who reports.
LEVELS = 1_024


@dataclass(frozen=True, eq=False)
class Question:
    """What a person is asked: the symbol of a word and the class (`kind` CELLS), a number at the
    place of the class (MEAN) or its square (SQUARE). `feature` is its place, −1 where only the
    class is asked; `words` are the values that there are, and `levels` the numbers they stand for.
    """

    feature: int
    kind: str
    words: int
    levels: Numbers


@dataclass(frozen=True, eq=False)
class People(Sized):
    """Who is asked: `symbols` (n, q) hold class · words + word of every person and question;
    `starts` (q + 1,) say where the symbols of each question begin in a row of counts."""

    shape: Shape
    questions: tuple[Question, ...]
    symbols: Codes
    starts: NDArray[np.int64]

    @property
    def n(self) -> int:
        """How many people there are."""
        return len(self.symbols)


@dataclass(frozen=True)
class Survey:
    """How people are asked: `each` answers all questions with a part of ε, else one with all of it.
    `floor`: the count that a lower one is taken for, in standard errors of the count of a value
    that nobody holds; never below 1 person."""

    epsilon: float
    each: bool = False
    floor: float = 1.0


def people_of(x: Numbers, y: Numbers, shape: Shape) -> People:
    """The people with rows x (n, p), numbers in [−1, 1] and codes of words, and classes y (n,).
    ValueError for so many words and classes that pairs of them have no number."""
    asked: list[Question] = []
    held: list[Numbers] = []
    for place, size in enumerate(shape.sizes):
        if size:
            asked.append(Question(place, CELLS, size, np.zeros(0)))
            held.append(x[:, place])
            continue
        levels, codes = _levels(x[:, place])
        asked += [
            Question(place, MEAN, len(levels), levels),
            Question(place, SQUARE, len(levels), 2 * levels**2 - 1),
        ]
        held += [codes, codes]
    if shape.classes * max([*shape.sizes, LEVELS]) > np.iinfo(np.int16).max:
        raise ValueError("so many words in so many classes have no place in a symbol")
    if not shape.words:
        asked.append(Question(-1, CELLS, 1, np.zeros(0)))
        held.append(np.zeros(len(x)))
    sizes = np.array([question.words for question in asked])
    symbols = np.stack(held, axis=1).astype(np.int16)
    symbols += (y[:, None] * sizes).astype(np.int16)
    starts = np.concatenate([[0], np.cumsum(sizes * shape.classes)])
    return People(shape, tuple(asked), symbols, starts.astype(np.int64))


def _levels(x: Numbers) -> tuple[Numbers, Numbers]:
    """The values of a number, and for each person the place of the own one; the nearest of `LEVELS`
    steps where there are more."""
    # A few rows tell that a column has many values, without sorting all.
    if len(np.unique(x[: 4 * LEVELS])) <= LEVELS:
        levels, codes = np.unique(x, return_inverse=True)
        if len(levels) <= LEVELS:
            return levels, codes.astype(np.float64)
    levels = np.linspace(-1, 1, LEVELS)
    return levels, np.rint((x + 1) / 2 * (LEVELS - 1))


def counts_of(people: People, seeds: int, rng: np.random.Generator | None) -> NDArray[np.int64]:
    """How many hold each symbol of each question, shape (seeds, starts[-1]): of those who are asked
    it where a lot is drawn from `rng`, else of all, with one seed."""
    q, width = len(people.questions), int(people.starts[-1])
    flat, first = (people.symbols + people.starts[:-1]).ravel(), np.arange(people.n) * q
    if rng is None:
        return np.bincount(flat, minlength=width)[None]
    out = np.empty((seeds, width), dtype=np.int64)
    for row in out:  # the people of a seed are one array each, which no axis of seeds makes faster
        row[:] = np.bincount(flat[first + rng.integers(q, size=people.n)], minlength=len(row))
    return out


def estimated(protocol: Protocol, rng: np.random.Generator, counts: NDArray[np.int64]) -> Numbers:
    """Unbiased counts from one simulated survey of each row of counts (s, d), the same shape."""
    d = counts.shape[-1]
    totals = protocol.draw(rng, counts, len(counts))
    n = counts.sum(axis=-1, keepdims=True)
    # An estimate is linear in the totals and in the number of reports together.
    return np.asarray(protocol.estimate(totals, 0.0) + n * protocol.estimate(np.zeros(d), 1.0))


def _places(protocol: NumberProtocol, classes: int) -> int:
    """Of how many numbers a report is, by its law: Laplace noise on the place of each class is that
    of one number."""
    return 1 if isinstance(protocol, Reals) and protocol.coordinates == EVERY else classes


def class_sums(
    protocol: NumberProtocol, rng: np.random.Generator, levels: Numbers, counts: NDArray[np.int64]
) -> Numbers:
    """The sum of the numbers of each class, shape (s, classes), as estimated from one report of
    each person: counts (s, classes, levels) of them hold a number, each at the place of the class.

    Laplace noise is of scale 2/ε on every place, since two such vectors are at most 2 apart; the
    others send what they send of `classes` numbers. Each class by its own law; those of one survey
    are not independent.
    """
    s, classes, _ = counts.shape
    n = counts.sum(axis=(1, 2))
    d, numbers = _places(protocol, classes), np.append(levels, 0.0)
    sums = [
        protocol.totals(
            rng, numbers, np.column_stack([counts[:, j], n - counts[:, j].sum(axis=1)]), s, d
        )
        for j in range(classes)
    ]
    return np.stack(sums, axis=-1)


def learnt(
    people: People,
    counts: NDArray[np.int64],
    survey: Survey,
    protocol: Protocol,
    number: NumberProtocol,
    rng: np.random.Generator,
    seeds: int,
) -> Model:
    """The models of simulated surveys of people with `counts` (`counts_of`), one a seed. What
    follows the reports costs nothing: low counts are raised (`Survey.floor`), and a class that no
    report is left for has as many people as one standard error."""
    q = len(people.questions)
    part = survey.epsilon / q if survey.each else survey.epsilon
    counts = np.broadcast_to(counts, (seeds, *counts.shape[1:]))
    told = protocol.at(part)
    assert told is not None  # coins, of which there are no others, are no protocol here
    cells, errors = _cells(people, counts, told, rng)
    classes = np.zeros((seeds, people.shape.classes))
    spread = np.zeros((seeds, 1))
    for i, found in cells.items():
        classes += found.sum(axis=-1)
        spread = spread + people.questions[i].words * errors[i] ** 2
    classes = np.maximum(classes, np.maximum(1.0, survey.floor * np.sqrt(spread)))
    priors = classes / classes.sum(axis=-1, keepdims=True)
    means, variances = _moments(people, counts, survey, number.at(part), rng, priors)
    chances = []
    for i, found in cells.items():
        if people.questions[i].feature >= 0:
            raised = np.maximum(found, np.maximum(1.0, survey.floor * errors[i])[..., None])
            chances.append(raised / raised.sum(axis=-1, keepdims=True))
    c = people.shape.classes
    words = np.concatenate(chances, axis=-1) if chances else np.zeros((seeds, c, 0))
    return model_from(priors, means, variances, words)


def _cells(
    people: People, counts: NDArray[np.int64], protocol: Protocol, rng: np.random.Generator
) -> tuple[dict[int, Numbers], dict[int, Numbers]]:
    """Estimated counts (seeds, classes, words) of each question about words, and the standard error
    of a cell that nobody holds, (seeds, 1). Questions of as many symbols are drawn together."""
    c, seeds = people.shape.classes, len(counts)
    found: dict[int, Numbers] = {}
    errors: dict[int, Numbers] = {}
    asked = [i for i, question in enumerate(people.questions) if question.kind == CELLS]
    for words in dict.fromkeys(people.questions[i].words for i in asked):
        alike = [i for i in asked if people.questions[i].words == words]
        columns = people.starts[alike][:, None] + np.arange(c * words)
        held = counts[:, columns]  # (seeds, questions, symbols)
        variance = held.sum(axis=-1, keepdims=True) * protocol.rare(c * words)
        sums = estimated(protocol, rng, held.reshape(-1, c * words)).reshape(held.shape)
        for place, i in enumerate(alike):
            found[i] = sums[:, place].reshape(seeds, c, words)
            errors[i] = np.sqrt(variance[:, place])
    return {i: found[i] for i in asked}, errors


def _moments(
    people: People,
    counts: NDArray[np.int64],
    survey: Survey,
    number: NumberProtocol,
    rng: np.random.Generator,
    priors: Numbers,
) -> tuple[Numbers, Numbers]:
    """Means and variances (seeds, classes, numbers) of each class. The mean of a class is its sum
    over its estimated number of people among those asked."""
    c, seeds = people.shape.classes, len(counts)
    mean: list[Numbers] = []
    square: list[Numbers] = []
    errors: list[Numbers] = []
    for i, question in enumerate(people.questions):
        if question.kind == CELLS:
            continue
        held = counts[..., people.starts[i] : people.starts[i + 1]].reshape(
            seeds, c, question.words
        )
        sums = class_sums(number, rng, question.levels, held)
        n = held.sum(axis=(1, 2))[:, None].astype(np.float64)
        variance = n * number.worst(_places(number, c))
        members = np.maximum(priors * n, 1.0)
        (mean if question.kind == MEAN else square).append(sums / members)
        if question.kind == SQUARE:
            errors.append(np.sqrt(variance) / members / 2)
    if not mean:
        return np.zeros((seeds, c, 0)), np.zeros((seeds, c, 0))
    means = np.clip(np.stack(mean, axis=-1), -1.0, 1.0)
    squares = (np.stack(square, axis=-1) + 1) / 2  # what is sent of b² is 2b² − 1
    least = np.maximum(LEAST_VARIANCE, survey.floor * np.stack(errors, axis=-1))
    return means, np.minimum(np.maximum(squares - means**2, least), 1.0)


def spent(people: People, survey: Survey, protocol: Protocol, number: NumberProtocol) -> float:
    """The ε of everything that a person may send: that of the costliest question where one is
    answered, of all where all are."""
    q = len(people.questions)
    part = survey.epsilon / (q if survey.each else 1)
    told, numbered = protocol.at(part), number.at(part)
    costs = [
        (told.spent(question.words * people.shape.classes) if told else part)
        if question.kind == CELLS
        else numbered.spent(people.shape.classes)
        for question in people.questions
    ]
    return float(sum(costs) if survey.each else max(costs))
