"""The models of simulated surveys in Local learning, and their scores at many ε."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import Sized
from dpstudio.labs.nobody.local_learning.parameters import (
    CELL_PROTOCOLS,
    NUMBER_PROTOCOLS,
    SENT,
    LocalLearning,
)
from dpstudio.labs.nobody.local_learning.task import (
    Held,
    PeopleAndTests,
    Task,
    features_of,
    held_of,
    public_asked,
    task_of,
    told_of,
)
from dpstudio.privacy.learning.local_bayes import Survey, counts_of, learnt
from dpstudio.privacy.learning.naive_bayes import Model, accuracies
from dpstudio.privacy.local import NumberProtocol, Protocol
from dpstudio.privacy.local.direct import Direct
from dpstudio.values.messages import Message

Check = Callable[[], None]


@dataclass(frozen=True)
class Way:
    """One way to report: a protocol for words, one for numbers, and which of the two tells ways
    apart here."""

    protocol: Protocol
    number: NumberProtocol
    key: str
    name: Message
    ink: str

    def at(self, epsilon: float) -> Way:
        """The same at another ε."""
        protocol = self.protocol.at(epsilon) or self.protocol
        return replace(self, protocol=protocol, number=self.number.at(epsilon))


@dataclass(frozen=True, eq=False)
class Curve(Sized):
    """Shares told right, (ε, surveys), at each ε, with the bands found by what they hold."""

    epsilons: Array
    scores: Array
    bands: dict[float, Array] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Fit(Sized):
    """Models of some surveys at one ε and their scores, one a survey; `asked` where it is the same
    in all of them."""

    scores: Array
    model: Model | None


def about_numbers(lab: LocalLearning, data: Dataset) -> bool:
    """Whether people are asked about numbers alone, so that their protocol tells ways apart."""
    return not public_asked(lab, data).people.shape.words


def ways(lab: LocalLearning, data: Dataset) -> tuple[Way, ...]:
    """The way in use, then the others."""
    number = NUMBER_PROTOCOLS[lab.number]
    if about_numbers(lab, data):
        made = [
            Way(lab.protocol, held, key, Message(SENT[key]), "third" if key == "one" else held.ink)
            for key, held in NUMBER_PROTOCOLS.items()
        ]
        mine = lab.number
    else:
        made = [
            Way(
                lab.protocol if isinstance(lab.protocol, kind) else kind(),
                number,
                kind.key,
                Message(kind.short),
                kind.ink,
            )
            for kind in CELL_PROTOCOLS
        ]
        mine = lab.protocol.key
    made = [way.at(lab.protocol.claim) for way in made]
    return tuple(sorted(made, key=lambda way: way.key != mine))


def survey_of(lab: LocalLearning, epsilon: float) -> Survey:
    """How people are asked at an ε."""
    return Survey(epsilon, lab.reports == "all", 1.0 if lab.floor == "error" else 0.0)


@lru_cache(maxsize=16)
def _asked(lab: LocalLearning, features: tuple[str, ...]) -> LocalLearning:
    """What decides who is asked what: all but the protocols, ε, and how it is looked at."""
    usual = {"part": -1, "confidence": 0.95, "show_truth": True, "runs": 60, "number": "laplace"}
    return lab.with_(protocol=Direct(), features=features, **usual)


def _rows_key(lab: LocalLearning, data: Dataset) -> tuple[object, ...]:
    return "local fit", _asked(lab, features_of(lab, data))


def _key(lab: LocalLearning, data: Dataset, way: Way) -> tuple[object, ...]:
    """What scores depend on, but for ε and how many surveys there are."""
    return *_rows_key(lab, data), way.protocol.at(1.0), way.number.at(1.0)


def _counts(
    lab: LocalLearning, data: Dataset, task: Task, asked: PeopleAndTests, runs: int
) -> NDArray[np.int64]:
    """Who is asked what in each survey: the same people at every ε, so that curves are smooth."""

    def made() -> NDArray[np.int64]:
        rng = np.random.Generator(np.random.SFC64([lab.seed, 1])) if lab.reports == "one" else None
        return counts_of(asked.people, runs, rng)

    return data.remember((*_rows_key(lab, data), "counts", runs), made)


def _fit(
    lab: LocalLearning, data: Dataset, way: Way, epsilon: float, runs: int, check: Check
) -> Fit:
    """The models of `runs` surveys at one ε."""
    task, at, survey = task_of(lab, data), way.at(epsilon), survey_of(lab, epsilon)
    stream = zlib.crc32(f"{way.key} {way.protocol.key}".encode())
    rng = np.random.Generator(np.random.SFC64([lab.seed, 2, stream]))
    if lab.paid:
        held, scores = held_of(lab, task), []
        for _ in range(runs):
            check()
            scores.append(_paid_score(lab, task, held, at, survey, rng))
        return Fit(array(scores), None)
    asked = public_asked(lab, data)
    counts = _counts(lab, data, task, asked, runs)
    model = learnt(asked.people, counts, survey, at.protocol, at.number, rng, runs)
    return Fit(array(accuracies(model, asked.rows, task.test_y)), model)


def _paid_score(
    lab: LocalLearning, task: Task, held: Held, at: Way, survey: Survey, rng: np.random.Generator
) -> float:
    """The score of one survey in which some people first pay for edges or directions."""
    told = told_of(lab, task, held, at.protocol, at.number, rng)
    people = told.people(task.y)
    counts = counts_of(people, 1, None if survey.each else rng)
    model = learnt(people, counts, survey, at.protocol, at.number, rng, 1)
    return float(accuracies(model, told.rows(), task.test_y)[0])


def fit_of(
    lab: LocalLearning, data: Dataset, way: Way, epsilon: float, runs: int, check: Check
) -> Fit:
    """The models of `runs` surveys at one ε, remembered; `check` is called between long steps."""
    key = (*_key(lab, data, way), epsilon, runs)
    return data.remember(key, lambda: _fit(lab, data, way, epsilon, runs, check))


def _curve_key(
    lab: LocalLearning, data: Dataset, way: Way, epsilons: Array, runs: int
) -> tuple[object, ...]:
    return (*_key(lab, data, way), tuple(epsilons.tolist()), runs)


def curve_known(lab: LocalLearning, data: Dataset, way: Way, epsilons: Array, runs: int) -> bool:
    """Whether a curve is remembered."""
    return data.known(_curve_key(lab, data, way, epsilons, runs))


def curve_of(
    lab: LocalLearning, data: Dataset, way: Way, epsilons: Array, runs: int, check: Check
) -> Curve:
    """Scores at each ε, remembered together; `check` is called between them."""

    def made() -> Curve:
        scores = []
        for epsilon in epsilons.tolist():
            check()
            scores.append(_fit(lab, data, way, epsilon, runs, check).scores)
        return Curve(epsilons, array(scores))

    return data.remember(_curve_key(lab, data, way, epsilons, runs), made)
