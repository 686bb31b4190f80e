"""One question answered through one mechanism: what is published, how wrong it is, and what a
reader may be shown of it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.labs.once import once
from dpstudio.labs.page import Answers
from dpstudio.labs.question import Asking, measured
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.law import Largest, Law
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.privacy.release.release import DRAWS, Release
from dpstudio.values.messages import say
from dpstudio.values.params import to_json
from dpstudio.values.problem import Problem

# A law that tells of the answer costs milliseconds at each ε; about a hidden one its curve is made
# anew for every reading.
_POINTS, _TELLING_POINTS, _HIDDEN_POINTS = 72, 40, 20
_FEW_DRAWS = 12_000  # for each point of a curve that has to be simulated


class Judging(Asking, Protocol):
    """The parameters of a lab that judges an answer by its error."""

    @property
    def post_processing(self) -> str: ...
    @property
    def confidence(self) -> float: ...
    @property
    def measure(self) -> str: ...
    @property
    def part(self) -> int: ...
    @property
    def largest(self) -> bool: ...
    @property
    def seed(self) -> int: ...
    @property
    def show_truth(self) -> bool: ...


@dataclass(frozen=True, eq=False)
class AnswerModel:
    """One question through one mechanism on one table.

    `asked` is the exact answer; where that is hidden, what the reader of one simulated answer knows
    in its place. All else follows from it, so that nothing exact can reach a picture by another
    way. `part` is the coordinate that is looked at closely.
    """

    lab: Judging
    data: Dataset
    effort: Effort
    mechanism: Additive
    asked: MeasuredQuestion
    release: Release
    part: int

    @property
    def truth(self) -> Array:
        """The exact answer, or the simulated one in its place; shape (coordinates,)."""
        return self.asked.truth

    @property
    def reference(self) -> float:
        """What errors are relative to: the coordinate of `truth` that is looked at."""
        return float(self.truth[self.part])

    @property
    def law_depends_on_answer(self) -> bool:
        """Whether the error law itself depends on the exact answer, as that of a ratio does."""
        return self.release.law_depends_on_answer

    @property
    def all_parts(self) -> bool:
        """Whether errors are those of the worst coordinate of a vector."""
        return self.lab.largest and self.asked.vector

    @property
    def how(self) -> str:
        """How the law that is drawn is known: "exact", "quadrature" or "simulation"."""
        return "simulation" if self.all_parts and self.law_depends_on_answer else self.release.how


def answer_model(
    lab: Judging, mechanism: Additive, context: Context, read: MeasuredQuestion | None = None
) -> AnswerModel:
    """The answer to the question of `lab` through `mechanism`. `read` is what was read of it
    through another one: several readings of a hidden answer would tell more than one."""
    data, effort = context.data, context.effort
    draws = effort.of_draws(DRAWS)
    if read is None:
        read = measured(lab.query, data, lab.adjacency)
        if not lab.show_truth:
            words = [to_json(lab.query), to_json(mechanism), lab.adjacency]
            noise = hidden_noise(data, lab.seed, 1, words)
            read = Release(read, mechanism, lab.post_processing).as_read(noise)
    part = min(lab.part, len(read.truth) - 1)
    if part < 0:
        # The largest of noisy counts is chosen by its noise, and no interval about it would be
        # honest: then the first.
        part = int(np.argmax(read.truth)) if lab.show_truth else 0
    release = Release(read, mechanism, lab.post_processing, draws)
    return AnswerModel(lab, data, effort, mechanism, read, release, part)


# The error: its law, its size, and how it falls with ε.


@once
def part_law(model: AnswerModel) -> Law:
    """The error law of the coordinate that is looked at."""
    return model.release.law_at(model.part)


def judged(model: AnswerModel, release: Release) -> Law | Largest:
    """The law of another release of the same question whose error is summed up."""
    return release.largest() if model.all_parts else release.law_at(model.part)


@once
def error_law(model: AnswerModel) -> Law | Largest:
    """The law whose error is summed up: of one coordinate, or of the largest over all."""
    return model.release.largest() if model.all_parts else part_law(model)


def error_of(model: AnswerModel, law: Law | Largest, measure: str = "") -> float:
    """The error of a law in units of the answer, by a measure ("half_width", "mean_abs", "rmse");
    by that of the lab where none is given."""
    measure = measure or model.lab.measure
    if measure == "mean_abs":
        return law.mean_abs
    if measure == "rmse":
        return math.sqrt(law.variance)
    return law.half_width(model.lab.confidence)


@once
def error(model: AnswerModel) -> float:
    """The error of the answer by the measure of the lab."""
    return error_of(model, error_law(model))


@once
def half_width(model: AnswerModel) -> float:
    """The ± that keeps the confidence of the lab."""
    return error_of(model, error_law(model), "half_width")


@once
def interval(model: AnswerModel) -> tuple[float, float]:
    """The ends of the interval about the reference that keeps the confidence of the lab."""
    middle, width = model.reference, half_width(model)
    return middle - width, middle + width


def share_of(error: float, value: float) -> float | None:
    """An error as a share of the size of a value, with the sign of the error; None where the value
    is 0, of which nothing is a share."""
    return error / abs(value) if value else None


def off(value: float, truth: float) -> float:
    """By how much a value is too high."""
    return value - truth


@once
def whiskers(model: AnswerModel) -> Array:
    """The ± of each coordinate: its own half-width, or one that holds for all at once. Shape
    (coordinates,)."""
    if model.all_parts:
        return np.full(len(model.truth), half_width(model))
    return model.release.half_widths(model.lab.confidence)


@once
def reach(model: AnswerModel) -> float:
    """Half the width of the error axis: a rung that holds 99 % of the errors."""
    law = part_law(model)
    return nice_above(1.1 * max(law.half_width(0.99), 3.0 if law.discrete else 1e-9))


def error_at(model: AnswerModel, mechanism: Additive, epsilon: float, measure: str = "") -> float:
    """The error of the same question through a mechanism at another ε."""
    at, draws = mechanism.at(epsilon, mechanism.total_delta), model.effort.of_draws(_FEW_DRAWS)
    release = Release(model.asked, at, model.lab.post_processing, draws)
    return error_of(model, judged(model, release), measure)


def errors_at(model: AnswerModel, mechanism: Additive, epsilons: tuple[float, ...]) -> Array:
    """The error by the measure of the lab at each ε, same length; remembered by the table."""
    key = ("errors", model.lab.measure, epsilons, *whatever_epsilon(model, mechanism))
    return model.data.remember(
        key, lambda: array([error_at(model, mechanism, epsilon) for epsilon in epsilons])
    )


def error_curve(model: AnswerModel, mechanism: Additive) -> tuple[Array, Array]:
    """(ε, error) over the slider's range; it does not depend on the ε that is chosen."""
    points = _HIDDEN_POINTS
    if not model.law_depends_on_answer:
        points = _POINTS
    elif model.lab.show_truth:
        points = _TELLING_POINTS
    epsilons = _epsilons(model.effort.of_points(points))
    return array(epsilons), errors_at(model, mechanism, epsilons)


@lru_cache(maxsize=8)
def _epsilons(points: int) -> tuple[float, ...]:
    return tuple(np.geomspace(EPSILON.low, EPSILON.high, points).tolist())


def whatever_epsilon(model: AnswerModel, mechanism: Additive) -> tuple[Hashable, ...]:
    """All that an error depends on besides its measure and ε: what remembered ones are known by.

    Where laws depend on the answer, those of the exact one are told from those of a simulated one.
    """
    lab = model.lab
    telling: tuple[Hashable, ...] = ()
    if model.law_depends_on_answer:
        telling = (lab.post_processing, *(m.values.tobytes() for m in model.asked.measurements))
    at_one = mechanism.at(1.0, mechanism.total_delta)
    who = (lab.query, lab.adjacency, at_one, lab.confidence, lab.largest, model.part)
    return (*who, model.effort, *telling)


# What is shown of it.


@once
def replays(model: AnswerModel) -> Array:
    """Simulated answers, shape (replays, coordinates); a single one where the exact answer is
    hidden (their mean would show it)."""
    if not model.lab.show_truth:
        return array(model.truth[None, :])
    rng = np.random.Generator(np.random.SFC64([model.lab.seed, 1]))
    return array(model.release.simulate(rng, model.effort.replays))


def answers(model: AnswerModel) -> Answers:
    """What the page is given to step through."""
    return Answers(replays(model), model.truth, model.part, model.asked.labels)


def advice(model: AnswerModel) -> Iterator[Problem]:
    """What qualifies the picture without stopping it."""
    for note in model.asked.notes:
        yield Problem("query.attested", note, stops=False)
    guarantee = model.release.guarantee
    if guarantee.note.text and (not guarantee.sound or guarantee.true_delta is None):
        yield Problem("mechanism", guarantee.note, stops=False, grave=guarantee.violated)
    if model.lab.show_truth and guarantee.delta * model.data.rows > 1:
        text = say("δ is above 1/n: publishing one random row in full would meet it.")
        yield Problem("mechanism.delta", text, stops=False, grave=guarantee.violated)
