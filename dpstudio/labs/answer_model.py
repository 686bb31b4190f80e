"""One question answered through one mechanism: what is published, how wrong it is, and what a
reader may be shown of it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.labs.memo import once
from dpstudio.labs.page import Answers
from dpstudio.labs.question import Judging, measured
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.law import Largest, Law
from dpstudio.privacy.queries.grouped import Grouped
from dpstudio.privacy.queries.query import MeasuredQuestion, Query
from dpstudio.privacy.release.answerable import refused_mechanisms
from dpstudio.privacy.release.limits import UNCLAMPED, published_limits, reading_limits
from dpstudio.privacy.release.postprocessed_law import Sampled
from dpstudio.privacy.release.release import DRAWS, Release
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import N_, listed, say
from dpstudio.values.parameters import Words, domains, roles, switch, to_json
from dpstudio.values.problem import Problem

# A law that tells of the answer costs milliseconds at each ε; about a hidden one its curve is made
# anew for every reading.
_POINTS, _TELLING_POINTS, _HIDDEN_POINTS = 72, 40, 20
_FIRST = 3  # words that are named, of more the first
FEW_DRAWS = 12_000  # for each point of a curve that has to be simulated


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
        return "simulation" if self.all_parts and not self.asked.linear else self.release.how


def answer_model(
    lab: Judging, mechanism: Additive, context: Context, read: MeasuredQuestion | None = None
) -> AnswerModel:
    """The answer to the question of `lab` through `mechanism`. `read` is what was read of it
    through another one: several readings of a hidden answer would tell more than one.

    Where the exact answer is hidden, what is clamped is judged by its noise before that: how much
    of it clamping takes away depends on the exact answer, which may be any that clamping leaves.
    """
    data, effort = context.data, context.effort
    draws = effort.of_draws(DRAWS)
    if read is None:
        read = measured(lab.query, data, lab.adjacency)
        if not lab.show_truth:
            read = _as_read(lab, mechanism, context, read)
    part = min(lab.part, len(read.truth) - 1)
    if part < 0:
        # The largest of noisy counts is chosen by its noise, and no interval about it would be
        # honest: then the first.
        part = int(np.argmax(read.truth)) if lab.show_truth else 0
    after = lab.post_processing if lab.show_truth else UNCLAMPED[lab.post_processing]
    release = Release(read, mechanism, after, draws)
    return AnswerModel(lab, data, effort, mechanism, read, release, part)


def hasty_answer(model: AnswerModel) -> AnswerModel | None:
    """The same with few simulated answers for its law, for a hand that does not wait; None where
    the law has a formula, or no more stand for it."""
    release = model.release
    if release.how != "simulation" or release.draws <= FEW_DRAWS:
        return None
    return replace(model, release=replace(release, draws=FEW_DRAWS))


def _as_read(
    lab: Judging, mechanism: Additive, context: Context, read: MeasuredQuestion
) -> MeasuredQuestion:
    """What the reader of one answer knows: simulated on the screen, drawn exactly where it
    leaves."""
    words = [to_json(lab.query), to_json(mechanism), lab.adjacency]
    release = Release(read, mechanism, lab.post_processing)
    if context.leaving is None:
        return release.as_read(hidden_noise(context.data, lab.seed, 1, words))

    def drawn(data: Dataset, chance: ReleaseRandom) -> list[list[int]]:
        exact = Release(lab.query.ask(data, lab.adjacency), mechanism)
        if exact.grids != release.grids:
            raise NotDrawnError(say("The size of the noise would tell of the data."))
        return exact.leave(chance)

    asked = ["answer", lab.seed, *words]
    return release.left(context.leaving.draw(asked, release.guarantee, drawn))


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


def error_deviation(model: AnswerModel) -> float:
    """The standard error of a simulated error as a share of it; 0 where its law is known."""
    law = error_law(model)
    if not isinstance(law, Sampled):
        return 0.0
    return law.deviation(model.lab.measure, model.lab.confidence)


@once
def errors_of_all(model: AnswerModel) -> dict[str, float]:
    """The same through each mechanism that can answer and keeps its promise, with the same budget,
    by its key. Empty where a law tells of the answer or is simulated: each would cost as much as
    the one that is drawn."""
    if model.law_depends_on_answer or model.how != "exact":
        return {}
    refused, mine = refused_mechanisms(model.asked), model.release
    others = (
        Release(model.asked, switch(kind, model.mechanism), mine.post_processing, mine.draws)
        for kind in MECHANISMS
        if kind.key not in {*refused, model.mechanism.key}
    )
    kept = [release for release in (mine, *others) if not release.guarantee.violated]
    return {each.mechanism.key: error_of(model, judged(model, each)) for each in kept}


@once
def half_width(model: AnswerModel) -> float:
    """The ± that keeps the confidence of the lab."""
    return error_of(model, error_law(model), "half_width")


@once
def sampling_width(model: AnswerModel) -> float | None:
    """The ± that sampling adds at the confidence of the lab, were the rows a random sample, by the
    normal law; None where it is not worked out. It tells of the exact answer."""
    variance = model.lab.query.sampling_variance(model.data, model.truth, model.part)
    if variance is None:
        return None
    return NormalDist().inv_cdf((1 + model.lab.confidence) / 2) * math.sqrt(variance)


@once
def interval(model: AnswerModel) -> tuple[float, float]:
    """The ends between which, at the confidence of the lab, answers lie, of what can be published;
    where the exact answer is hidden, between which that lies, −inf for no lower end."""
    width, part = half_width(model), model.part
    if not model.lab.show_truth:
        low, high = _reading(model, model.truth, np.full(len(model.truth), width))
    else:
        limits = limits_of(model)[0]
        low, high = (np.clip(model.truth + by, *limits) for by in (-width, width))
    return float(low[part]), float(high[part])


def error_interval(model: AnswerModel) -> tuple[float, float]:
    """The ends between which the errors of so many answers lie."""
    width = half_width(model)
    if model.all_parts:
        return 0.0, width
    if not model.lab.show_truth:
        return -width, width
    low, high = interval(model)
    return low - model.reference, high - model.reference


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


def spans(model: AnswerModel, answers: Array) -> tuple[Array, Array]:
    """The ends of what published answers, of shape (…, coordinates), tell of the exact one: their
    whiskers, without what neither an exact nor a published answer can be. −inf for no end."""
    return _reading(model, answers, whiskers(model))


@once
def limits_of(model: AnswerModel) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """(the ends of what can be published, those of what it may tell of the exact answer), shape
    (coordinates,) each."""
    asked, after = model.asked, model.lab.post_processing
    return published_limits(asked, after), reading_limits(asked, after)


def _reading(model: AnswerModel, answers: Array, widths: Array) -> tuple[Array, Array]:
    (floor, _), (least, most) = limits_of(model)
    low, high = (np.minimum(np.maximum(answers + by, least), most) for by in (-widths, widths))
    # What clamping raised may have been anything below.
    raised = (answers <= floor) & (least < floor)
    return np.where(raised, least, low), high


def raised_from_below(model: AnswerModel) -> bool:
    """Whether a hidden exact answer may lie below all that is published, where no ± about an answer
    that was raised from there holds it."""
    (floor, _), (least, _) = limits_of(model)
    return not model.lab.show_truth and bool(least[model.part] < floor[model.part])


@once
def reach(model: AnswerModel) -> float:
    """Half the width of the error axis: a rung that holds 99 % of the errors."""
    law = part_law(model)
    return nice_above(1.1 * max(law.half_width(0.99), 3.0 if law.discrete else 1e-9))


def outside(places: Array, low: float, high: float) -> int:
    """How many of these places lie beyond the ends of an axis."""
    return int(np.count_nonzero((places < low) | (places > high)))


def error_at(model: AnswerModel, mechanism: Additive, epsilon: float, measure: str = "") -> float:
    """The error of the same question through a mechanism at another ε."""
    at, draws = mechanism.at(epsilon, mechanism.total_delta), model.effort.of_draws(FEW_DRAWS)
    release = Release(model.asked, at, model.release.post_processing, draws)
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
        after = model.release.post_processing
        telling = (after, *(m.values.tobytes() for m in model.asked.measurements))
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
    shown = replays(model)
    ends = np.stack(spans(model, shown), axis=1)
    return Answers(shown, model.truth, model.part, model.asked.labels, array(ends))


def bias(model: AnswerModel) -> float:
    """By how much working on it afterwards biases the coordinate that is looked at, on average."""
    if model.lab.show_truth:
        return model.release.moved(model.part)
    after = model.lab.post_processing
    return Release(model.asked, model.mechanism, after, model.release.draws).moved(model.part)


def advice(model: AnswerModel) -> Iterator[Problem]:
    """What qualifies the picture without stopping it."""
    for note in model.asked.notes:
        yield Problem("query.attested", note, stops=False)
    if model.lab.show_truth:
        yield from _unseen(model.lab.query, model.data)
    guarantee = model.release.guarantee
    if guarantee.note.text and (not guarantee.sound or guarantee.true_delta is None):
        yield Problem("mechanism", guarantee.note, stops=False, grave=guarantee.violated)
    if model.lab.show_truth and guarantee.delta * model.data.rows > 1:
        text = say("δ is above 1/n: publishing one random row in full would meet it.")
        yield Problem("mechanism.delta", text, stops=False, grave=guarantee.violated)


def _averaged(query: Grouped, data: Dataset) -> list[int]:
    """Of how many rows the mean of each group is."""
    names, ends = query.names(data), query.bounds(data)
    found: list[int] = data.grouped(query.by, names, query.column, *ends, query.where)[0].tolist()
    return found


def of_none(model: AnswerModel) -> bool:
    """Whether what is looked at is a mean of no row, which is no number: an end of the bounds
    stands for it."""
    query = model.lab.query
    if not isinstance(query, Grouped) or query.statistic != "mean":
        return False
    return not _averaged(query, model.data)[model.part]


def _unseen(query: Query, data: Dataset) -> Iterator[Problem]:
    """Words that were typed and that no row has, as by a slip, and groups of which there is no
    mean: for looking alone."""
    if isinstance(query, Grouped) and query.statistic == "mean":
        text = N_(
            "No row that counts has {words}: a mean of none is no number, and what stands for it "
            "here is no answer."
        )
        yield from _none("groups", text, query.names(data), _averaged(query, data), query.by)
        return
    for name, domain in domains(type(query)).items():
        words, of = getattr(query, name), roles(type(query))[name].of
        column = getattr(query, of[0]) if isinstance(domain, Words) and of else ""
        if words and column and data.info(column).type == "category":
            text = N_("No row of “{column}” has {words}: of that only noise is published.")
            tally = data.tally(column, words, Where()).tolist()
            yield from _none(name, text, words, tally, column)


def _none(
    name: str, text: str, words: Sequence[str], counts: Sequence[float], column: str
) -> Iterator[Problem]:
    none = [f"“{word}”" for word, n in zip(words, counts, strict=True) if not n]
    if none:
        shown = listed((*none[:_FIRST], *("…" for _ in none[_FIRST : _FIRST + 1])))
        values = {"column": column, "words": shown} if "{column}" in text else {"words": shown}
        yield Problem(f"query.{name}", say(text, **values), stops=False)
