"""The attacker who asks for a total with one person and for one without, and subtracts them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.attackers import attacker as attackers_attacker
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.persons import settled
from dpstudio.labs.question import measured as measured_question
from dpstudio.privacy.attacks.differencing import below, right
from dpstudio.privacy.attacks.guessing import measured
from dpstudio.privacy.mechanisms.additive import Additive
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.neighbours.one_number import pair_of
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import Integer, Maybe, param
from dpstudio.values.problem import Problem

_CURVE, _CELLS = 121, 60


class Differencing(attackers_attacker.Attacker):
    """Total with one person less total without."""

    key = "differencing"
    label = N_("Differencing")
    what = say(
        "Asks for the total with one person and for the total without, half of ε each, and "
        "subtracts."
    )
    source = "Denning & Denning 1979; Dwork & Roth 2014, chapter 1"
    asks = True
    tries = True

    row_of: int | None = param(
        4,
        Maybe(
            N_("Row"),
            N_("Whose part is attacked, counted from 1."),
            inner=Integer("", low=1, high=10**9),
            empty=N_("nobody’s"),
        ),
    )

    def problems(
        self, asked: attackers_attacker.AttackedQuestion, question: MeasuredQuestion | None
    ) -> Iterator[Problem]:
        if question is not None and not single(question):
            text = N_("This attack subtracts single totals. Choose a count or a sum.")
            yield Problem("query", say(text))

    def halts(self, data: Dataset) -> Iterator[Problem]:
        if self.row_of is not None and self.row_of > data.rows:
            text = N_("The table has {rows} {rows:row|rows}. Name one of them, or nobody’s.")
            yield Problem("attacker.row_of", say(text, rows=Num(data.rows, 12)), stops=False)

    def stages(
        self,
        asked: attackers_attacker.AttackedQuestion,
        looked: attackers_attacker.Replays,
        context: Context,
    ) -> Iterator[DifferencingModel]:
        question = measured_question(asked.query, context.data, asked.adjacency)
        yield DifferencingModel(self, asked, looked, context.data, question)


def single(question: MeasuredQuestion) -> bool:
    """Whether the answer is one noisy number as it is."""
    return question.linear and len(question.truth) == 1


@dataclass(frozen=True, eq=False)
class DifferencingModel:
    """One state of the attack; the question has one number."""

    attacker: Differencing
    asked: attackers_attacker.AttackedQuestion
    looked: attackers_attacker.Replays
    data: Dataset
    question: MeasuredQuestion


def gap(model: DifferencingModel) -> float:
    """How far one person moves the total at most: the attacker decides whether somebody does so, or
    adds nothing."""
    return model.question.measurements[0].sensitivity.linf


def half_of(model: DifferencingModel, mechanism: Additive) -> Law:
    """The noise of each of both totals, which have half of the budget each."""
    return mechanism.share(0.5).law(model.question.measurements[0].sensitivity)


def law(model: DifferencingModel) -> Law:
    """That noise at the ε in use."""
    return half_of(model, model.asked.mechanism)


def _at(model: DifferencingModel, epsilon: float) -> Additive:
    mechanism = model.asked.mechanism
    return mechanism.at(epsilon, mechanism.total_delta)


@once
def success(model: DifferencingModel) -> attackers_attacker.Success:
    """How often the attacker is right against ε; remembered by the table for all ε."""
    mechanism, looked = model.asked.mechanism, model.looked
    sensitivity = model.question.measurements[0].sensitivity
    key = ("differencing", _at(model, 1.0), sensitivity, looked)

    def made() -> attackers_attacker.Success:
        epsilons = attackers_attacker.budgets(looked.effort)
        laws = [half_of(model, _at(model, e)) for e in epsilons.tolist()]
        hits = [_hits(model, each) for each in laws]
        return attackers_attacker.Success(
            epsilons,
            attackers_attacker.promised(mechanism, epsilons),
            array([best_right(each, gap(model)) for each in laws]),
            array([right(each, gap(model)) for each in laws]),
            measured(hits, 2 * looked.draws(), looked.confidence),
        )

    return model.data.remember(key, made)


def best_right(noise: Law, shift: float) -> float:
    """How often the best attacker is right, who knows all others: of both totals only the one with
    the person tells of them."""
    return (1 + pair_of(noise, shift).advantage) / 2


def _noises(model: DifferencingModel, noise: Law, stream: int) -> Array:
    """Differences of two noises, (draws,); the same chance at every ε."""
    rng, size = model.looked.generator(stream), model.looked.draws()
    return noise.sample(rng, size) - noise.sample(rng, size)


def _hits(model: DifferencingModel, noise: Law) -> int:
    """Right guesses among the draws with the person's part, and among as many without."""
    half = gap(model) / 2
    with_part, without = (_noises(model, noise, stream) for stream in (1, 2))
    return int(np.count_nonzero(with_part + gap(model) >= half) + np.count_nonzero(without < half))


@once
def here(model: DifferencingModel) -> tuple[float, float, float]:
    """At the ε in use: how often this attacker is right, the best one, and at most by ε and δ."""
    noise, mechanism = law(model), model.asked.mechanism
    most = float(attackers_attacker.promised(mechanism, array([mechanism.epsilon]))[0])
    return right(noise, gap(model)), best_right(noise, gap(model)), most


@once
def part(model: DifferencingModel) -> float | None:
    """What the row adds to the total, exactly; None where exact answers are hidden or there is no
    such row."""
    query, data, row = model.asked.query, model.data, model.attacker.row_of
    if not model.looked.show_truth or row is None or row > data.rows:
        return None

    def added() -> float:
        alone = settled(query, data).ask(data.only(row - 1), model.asked.adjacency)
        return float(alone.measurements[0].values[0])

    return data.remember(("differencing row", query, row), added)


def totals(model: DifferencingModel) -> tuple[float, float]:
    """The exact totals, with the person and without."""
    whole = float(model.question.measurements[0].values[0])
    return whole, whole - (part(model) or 0.0)


@once
def off(model: DifferencingModel) -> float:
    """At least half of the attacker's estimates of a part are no further off than this: a whole
    number where the noise is one."""
    noise = law(model)
    low, high = 0.0, max(noise.half_width(0.99), 1e-12)
    while below(noise, array([high]))[0] < 0.75:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if below(noise, array([middle]))[0] < 0.75 else (low, middle)
    return float(round(high)) if noise.discrete else high


@dataclass(frozen=True, eq=False)
class Estimates:
    """Densities of the attacker's estimate where the person adds nothing and where they add all
    that one can, x (points,); and simulated estimates of the row's part, heights over edges."""

    x: Array
    nothing: Array
    all: Array
    edges: Array
    heights: Array


@once
def estimates(model: DifferencingModel) -> Estimates:
    """What the attacker may come to believe of the person's part."""
    noise, top, width = law(model), gap(model), 3 * off(model)
    low, high = -width, top + width
    points = model.looked.effort.of_points(_CURVE)
    if noise.discrete:
        low, high = np.floor(low) - 0.5, np.ceil(high) + 0.5
        points = int(min(points, high - low + 1))
        x = np.linspace(low, high, points)
        if high - low + 1 > points:
            x = np.unique(np.floor(x) + 0.5)
    else:
        x = np.linspace(low, high, points)
    middle, widths = (x[1:] + x[:-1]) / 2, np.diff(x)
    both = [np.diff(below(noise, x - at)) / widths for at in (0.0, top)]
    edges = np.linspace(low, high, model.looked.effort.of_points(_CELLS) + 1)
    edges = np.unique(np.floor(edges) + 0.5) if noise.discrete else edges
    heights = np.zeros(len(edges) - 1)
    if (added := part(model)) is not None:
        drawn = added + _noises(model, noise, 3)
        heights = np.histogram(drawn, edges)[0] / (len(drawn) * np.diff(edges))
    return Estimates(array(middle), array(both[0]), array(both[1]), array(edges), array(heights))
