"""What Local learning knows: scores against ε, what a person spends, and the classes that are
estimated."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Sample
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.local_curves import between
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.local_learning import task as local_task
from dpstudio.labs.nobody.local_learning.fits import (
    Check,
    Curve,
    Fit,
    Way,
    curve_known,
    curve_of,
    fit_of,
    survey_of,
    ways,
)
from dpstudio.labs.nobody.local_learning.parameters import LEAST_RUNS, LocalLearning
from dpstudio.privacy.learning.local_bayes import Question, spent
from dpstudio.privacy.rates import Rate, rate
from dpstudio.values.messages import Num
from dpstudio.values.passing import Passing, passing_beside

GRID, COARSE, PAID = 13, 3, 6
FIRST_PAID = 4  # surveys at each ε of the first picture
LOW, HIGH = 0.1, 20.0


@dataclass(frozen=True, eq=False)
class LocalModel:
    """One state of the lab. Without exact scores there is no `fit` and `curves` are empty; they
    come one after the other, and `whole` says that nothing better comes."""

    lab: LocalLearning
    data: Dataset
    effort: Effort
    curves: tuple[tuple[Way, Curve], ...] = ()
    fit: Fit | None = None
    whole: bool = True
    check: Check = lambda: None

    @property
    def sample(self) -> Sample:
        """The rows that are asked or test."""
        return local_task.task_of(self.lab, self.data).sample

    @property
    def asked(self) -> local_task.PeopleAndTests:
        """What people are asked; where some pay for it, as it would be without noise."""
        return local_task.public_asked(self.lab, self.data)

    @property
    def question(self) -> Question:
        """The question that is looked at."""
        questions = self.asked.people.questions
        return questions[min(max(self.lab.part, 0), len(questions) - 1)]


def runs_of(lab: LocalLearning, effort: Effort) -> int:
    """How many surveys are simulated at each ε."""
    return effort.of_draws(lab.runs, 4)


def few_runs(effort: Effort) -> int:
    """How many for the ways that are not in use, and for the first picture."""
    return effort.of_draws(LEAST_RUNS, 4)


def surveys(model: LocalModel) -> int:
    """How many were simulated at each ε of the curve of the way in use."""
    return len(model.curves[0][1].scores[0])


def ways_drawn(lab: LocalLearning, data: Dataset) -> tuple[Way, ...]:
    """The way in use, and the others that are drawn with it: where somebody pays, every survey has
    questions of its own, and takes so much longer that none is."""
    every = ways(lab, data)
    return every[:1] if lab.paid else every


def looks(lab: LocalLearning, effort: Effort) -> tuple[tuple[Array, int], tuple[Array, int]]:
    """At which ε, and how often, the way in use is simulated for a first picture and for the
    last."""
    few = few_runs(effort)
    if lab.paid:
        return (ladder_of(effort, COARSE), FIRST_PAID), (ladder_of(effort, PAID), few)
    return (ladder_of(effort, COARSE), few), (ladder_of(effort, GRID), runs_of(lab, effort))


def glance(lab: LocalLearning, context: Context) -> LocalModel | None:
    """The finest curve that is known, with the point in use between its points, and those of others
    that are; None where there is no curve yet."""
    if not lab.show_truth:
        return None
    data, effort, check = context.data, context.effort, context.check
    mine, *rivals = ways_drawn(lab, data)
    coarse, finest = looks(lab, effort)
    known = next((one for one in (finest, coarse) if curve_known(lab, data, mine, *one)), None)
    if known is None:
        return None
    others = (finest[0], few_runs(effort))
    drawn = [(mine, known), *((way, others) for way in rivals)]
    curves = tuple(
        (way, curve_of(lab, data, way, *look, check))
        for way, look in drawn
        if curve_known(lab, data, way, *look)
    )
    scores = between(curves[0][1].epsilons, curves[0][1].scores, lab.protocol.claim)
    return LocalModel(lab, data, effort, curves, Fit(scores, None), whole=False, check=check)


def ladder_of(effort: Effort, points: int) -> Array:
    """Values of ε, evenly spaced in logarithms."""
    return array(np.geomspace(LOW, HIGH, effort.of_points(points, 3)))


@once
def way_of(model: LocalModel) -> Way:
    """The way in use."""
    return ways(model.lab, model.data)[0]


def chosen_fit(lab: LocalLearning, context: Context, runs: int) -> Fit:
    """The models at the ε in use."""
    way = ways(lab, context.data)[0]
    return fit_of(lab, context.data, way, lab.protocol.claim, runs, context.check)


def counted(model: LocalModel) -> tuple[int, int, int]:
    """How many people are asked about features, are set apart before, and are tested with."""
    task = local_task.task_of(model.lab, model.data)
    return len(task.asked), len(task.first), len(task.test)


def unused(model: LocalModel) -> int:
    """How many rows are neither asked nor test, since there are so many."""
    return local_task.task_of(model.lab, model.data).unused


def decided(model: LocalModel) -> bool:
    """Whether there are directions, or edges of a number, that people set apart decide on."""
    lab = model.lab
    return lab.reduction != "none" or not all(f.words for f in model.sample.features)


def features(model: LocalModel) -> tuple[str, ...]:
    """The columns that people are asked about."""
    return local_task.features_of(model.lab, model.data)


def questions(model: LocalModel) -> int:
    """How many questions there are."""
    return len(model.asked.people.questions)


def per_question(model: LocalModel) -> float:
    """How many people answer each question."""
    n, many = counted(model)[0], questions(model)
    return float(n) if model.lab.reports == "all" else n / many


def each_epsilon(model: LocalModel) -> float:
    """The ε of one report."""
    whole = model.lab.protocol.claim
    return whole / questions(model) if model.lab.reports == "all" else whole


def spent_epsilon(model: LocalModel) -> float:
    """The ε of all that a person sends."""
    lab, way = model.lab, way_of(model)
    return spent(model.asked.people, survey_of(lab, lab.protocol.claim), way.protocol, way.number)


def quantiles(curve: Curve, confidence: float) -> Array:
    """The ends and the middle of what a band keeps, shape (3, ε): low, median, high."""
    if confidence not in curve.bands:
        half = (1 - confidence) / 2
        curve.bands[confidence] = array(np.quantile(curve.scores, (half, 0.5, 1 - half), axis=1))
    return curve.bands[confidence]


@once
def middle(model: LocalModel) -> float:
    """The median score at the ε in use."""
    assert model.fit is not None
    return float(np.median(model.fit.scores))


def rival_here(model: LocalModel, rival: Curve) -> float:
    """The median score of another way at the ε in use, on its curve between two points."""
    at, middles = math.log(model.lab.protocol.claim), quantiles(rival, model.lab.confidence)[1]
    return float(np.interp(at, np.log(rival.epsilons), middles))


@once
def span(model: LocalModel) -> tuple[float, float]:
    """Between which scores a share `confidence` of surveys lies."""
    assert model.fit is not None
    half = (1 - model.lab.confidence) / 2
    low, high = np.quantile(model.fit.scores, (half, 1 - half))
    return float(low), float(high)


@once
def noiseless(model: LocalModel) -> float:
    """The score of the same model without noise, of the same people, asked everything."""
    return local_task.noiseless_score(local_task.task_of(model.lab, model.data), model.asked)


@once
def majority(model: LocalModel) -> float:
    """The score of the best single answer for all who test: their commonest class."""
    return rate_of_one(model).right


@once
def rate_of_one(model: LocalModel) -> Rate:
    """How often that is right, there and among people like these."""
    counts = np.bincount(local_task.task_of(model.lab, model.data).test_y.astype(np.int64))
    return rate(int(counts.max()), int(counts.sum()))


def wanted_score(model: LocalModel) -> float:
    """The score that is wanted: so far from always giving one answer to no noise."""
    return majority(model) + model.lab.wanted * (noiseless(model) - majority(model))


def wanted_epsilon(model: LocalModel) -> Passing:
    """From which ε on, of those drawn and the one in use, half of the surveys reach it."""
    curve, aim = model.curves[0][1], wanted_score(model)
    good = np.median(curve.scores, axis=1) >= aim
    return passing_beside(curve.epsilons, good, model.lab.protocol.claim, middle(model) >= aim)


def class_names(model: LocalModel) -> tuple[str, ...]:
    """The classes."""
    label = model.sample.label
    assert label is not None
    return label.words


def question_name(model: LocalModel, place: int) -> str:
    """What a question is about: a column, or a direction by its number."""
    question = model.asked.people.questions[place]
    if question.feature < 0:
        return model.lab.predicts
    if model.lab.reduction != "none":
        return f"#{question.feature + 1}"
    return features(model)[question.feature]


def looked_at(model: LocalModel) -> int:
    """The place of the question that is looked at."""
    return min(max(model.lab.part, 0), questions(model) - 1)


def word_names(model: LocalModel) -> tuple[str, ...]:
    """The words of the question that is looked at; of bins of equal width, or of public edges,
    their ends, of others their number."""
    question, lab = model.question, model.lab
    if question.feature < 0:
        return (lab.predicts,)
    if in_order(model) and (lab.reduction != "none" or lab.numbers == "frequency"):
        return tuple(str(i + 1) for i in range(question.words))
    feature = model.sample.features[question.feature]
    if feature.words:
        return feature.words
    ends = local_task.bin_ends(lab, model.sample.features, question.feature, question.words)
    between = "–" if ends.min() >= 0 else " – "  # apart from a minus
    return tuple(f"{Num(low, 4)}{between}{Num(high, 4)}" for low, high in pairwise(ends.tolist()))


def in_order(model: LocalModel) -> bool:
    """Whether the words that are looked at have an order: they are bins."""
    feature = model.question.feature
    if feature < 0:
        return False
    return model.lab.reduction != "none" or not model.sample.features[feature].words
