"""What Explore asks of one answer: the mechanism beside it, the draws of its errors, and the ε that
a target needs."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpstudio.charts.figure import Array, nice_above
from dpstudio.labs import answer_model as labs_answer_model
from dpstudio.labs.context import Context
from dpstudio.labs.draws import sorted_uniforms
from dpstudio.labs.memo import once
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.privacy.deployments import Deployment
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.law import Largest
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import Message, Num, say
from dpstudio.values.parameters import switch
from dpstudio.values.passing import Passing, solved

_BARS = 80
_NAMED = 40  # parts, of which each is told what it needs
_LEAST_EPSILON, _MOST_EPSILON = 1e-6, 1e4  # between which the ε that a target needs is looked for


@dataclass(frozen=True, eq=False)
class ExploreModel:
    """One state of Explore on one table. A `fine` one has the numeric bound on many answers too; an
    `early` one waits for no library, and has room for as many `rows` of laws as will be drawn."""

    lab: Explore
    answer: labs_answer_model.AnswerModel
    fine: bool = False
    early: bool = False
    rows: int = 1
    register: tuple[Deployment, ...] = ()


def explore_model(lab: Explore, context: Context) -> ExploreModel:
    """The state of the lab on a table that can answer its question."""
    answer = labs_answer_model.answer_model(lab, lab.mechanism, context)
    return ExploreModel(lab, answer, register=context.deployments())


@once
def beside(model: ExploreModel) -> Release | None:
    """The same question through the mechanism to compare with, at the same ε; None where there is
    none, or it cannot answer."""
    lab, asked = model.lab, model.answer.asked
    for kind in MECHANISMS:
        if kind.key == lab.compare_with and kind is not type(lab.mechanism):
            if kind.integers and not all(m.whole for m in asked.measurements):
                return None
            mine = model.answer.release
            return Release(asked, switch(kind, lab.mechanism), mine.post_processing, mine.draws)
    return None


# The draws of errors.


def trials(model: ExploreModel) -> int:
    """How many draws make the histogram of errors."""
    return model.answer.effort.of_draws(model.lab.trials)


def error_range(model: ExploreModel) -> tuple[float, float]:
    """The ends of the error axis; the largest error over all coordinates is never below 0."""
    law = labs_answer_model.error_law(model.answer)
    if isinstance(law, Largest):
        return 0.0, nice_above(1.1 * law.half_width(0.99))
    return -labs_answer_model.reach(model.answer), labs_answer_model.reach(model.answer)


def error_histogram(model: ExploreModel) -> tuple[Array, Array]:
    """(edges of the bars over the error axis, simulated density in each of them).

    The draws are those of the law at sorted uniforms, which are the same for every law: a bar holds
    those between its values of the cdf.
    """
    seed, count, law = model.lab.seed, trials(model), labs_answer_model.error_law(model.answer)
    uniforms = model.answer.data.remember(
        ("uniforms", seed, count), lambda: sorted_uniforms(seed, count)
    )
    edges = _bins(*error_range(model), law.discrete)
    counts = np.diff(np.searchsorted(uniforms, law.cdf(edges)))
    return edges, counts / (count * np.diff(edges))


def _bins(low: float, high: float, discrete: bool) -> Array:
    if not discrete:
        return np.linspace(low, high, _BARS + 1)
    # Integers in cells of equal width, so that heights compare with the pmf.
    step = max(1.0, np.ceil((high - low) / _BARS))
    first = 0.0 if low == 0 else -np.floor(-low / step) * step
    return np.asarray(np.arange(first, high + 1.5 * step, step) - 0.5)


# The trade of error against ε, and its target.


def relative(model: ExploreModel) -> bool:
    """Whether errors are shown as a share of the answer; a share of 0 says nothing."""
    return model.lab.relative and model.answer.reference != 0


def scale(model: ExploreModel) -> float:
    """By what errors are multiplied to be shown: 1, or to % of the answer."""
    return 1 / abs(model.answer.reference) * 100 if relative(model) else 1.0


def trade_curves(model: ExploreModel) -> tuple[Array, list[Array]]:
    """(ε, the error as it is shown through the mechanism and through the one beside it)."""
    mechanisms = [release.mechanism for release in (model.answer.release, beside(model)) if release]
    curves = [labs_answer_model.error_curve(model.answer, mechanism) for mechanism in mechanisms]
    return curves[0][0], [errors * scale(model) for _, errors in curves]


def target_share(model: ExploreModel) -> float:
    """The target as a share of the answer, where it was typed in %."""
    return model.lab.target / 100


def target(model: ExploreModel) -> float | None:
    """The target half-width in units of the answer; None where a share of 0 is asked for."""
    if model.lab.target_unit == "absolute":
        return model.lab.target
    return target_share(model) * abs(model.answer.reference) or None


def target_text(model: ExploreModel) -> Message:
    """The target as it was typed: a share or an amount."""
    if model.lab.target_unit != "absolute":
        return say("{share}", share=Num(target_share(model), 3, percent=True))
    return say("{amount}", amount=Num(model.lab.target))


def of_each(model: ExploreModel) -> bool:
    """Whether the target is asked of every part of a vector, each against itself."""
    return model.lab.target_unit == "each" and model.answer.asked.vector


@once
def empty_part(model: ExploreModel) -> int | None:
    """A part of which nothing is a share, where a share of it is asked for; None where all have
    some."""
    if model.lab.target_unit == "absolute":
        return None
    asked = range(len(model.answer.truth)) if of_each(model) else (model.answer.part,)
    return next((part for part in asked if model.answer.truth[part] == 0), None)


@once
def epsilon_needed(model: ExploreModel) -> Passing | None:
    """From which ε on, between 10⁻⁶ and 10,000, the half-width at the confidence is within the
    target; None without a target."""
    return None if empty_part(model) is not None else needed(model)[0]


@once
def needed(model: ExploreModel) -> tuple[Passing, int]:
    """(that ε, the part that needs it): the one looked at, or the hardest where the target is asked
    of each."""
    answer, mechanism, share = model.answer, model.lab.mechanism, target_share(model)
    aims = share * np.abs(answer.truth)
    if of_each(model):
        key = (
            "needed of each",
            aims.tobytes(),
            *labs_answer_model.whatever_epsilon(answer, mechanism),
        )
        return answer.data.remember(key, lambda: _least_for_each(answer, aims))
    aim = target(model) or 0.0
    key = ("needed", aim, *labs_answer_model.whatever_epsilon(answer, mechanism))
    found = answer.data.remember(key, lambda: _least(answer, partial(_width, answer, aim)))
    return found, answer.part


def needed_by_part(model: ExploreModel) -> tuple[float | None, ...]:
    """The ε at which each part alone is within a share of itself; none where the target is no share
    or one of the largest, where they are too many, or one is 0."""
    answer = model.answer
    shares = answer.asked.vector and model.lab.target_unit != "absolute"
    if not shares or (answer.all_parts and not of_each(model)) or len(answer.truth) > _NAMED:
        return ()
    aims = target_share(model) * np.abs(answer.truth)
    if not aims.all():
        return ()
    key = (
        "needed by part",
        aims.tobytes(),
        *labs_answer_model.whatever_epsilon(answer, model.lab.mechanism),
    )

    def found() -> tuple[float | None, ...]:
        widths = [partial(_width_of, answer, float(aim), part) for part, aim in enumerate(aims)]
        return tuple(_least(answer, width).at for width in widths)

    return answer.data.remember(key, found)


def met(model: ExploreModel) -> bool:
    """Whether ε is as large as the target needs."""
    needed = epsilon_needed(model)
    if needed is None or needed.at is None:
        return False
    return model.lab.mechanism.epsilon >= needed.at * (1 - 1e-9)


def _at(model: labs_answer_model.AnswerModel, epsilon: float) -> Release:
    """The answer at another ε, with few draws where it has to be simulated."""
    at = model.mechanism.at(epsilon, model.mechanism.total_delta)
    draws = model.effort.of_draws(labs_answer_model.FEW_DRAWS)
    return Release(model.asked, at, model.release.post_processing, draws)


def _width(model: labs_answer_model.AnswerModel, aim: float, epsilon: float) -> float:
    """The half-width at an ε in units of the target."""
    if model.asked.ratio and not model.all_parts:
        return _width_of(model, aim, model.part, epsilon)
    return labs_answer_model.error_at(model, model.mechanism, epsilon, "half_width") / aim


def _width_of(model: labs_answer_model.AnswerModel, aim: float, part: int, epsilon: float) -> float:
    """That of one part, whichever is looked at. Of a ratio a number that is at most 1 at the same ε
    only: its half-width is a root itself, and what the target holds is one step of the way there.
    """
    law, confidence = _at(model, epsilon).law_at(part), model.lab.confidence
    if model.asked.ratio:
        return 1 + confidence - law.inside(aim)
    return law.half_width(confidence) / aim


def _widest(model: labs_answer_model.AnswerModel, aims: Array, epsilon: float) -> float:
    """What the confidence keeps of the largest error over all parts, each in units of its own
    target: simulated, always with the same noise."""
    release, rng = _at(model, epsilon), np.random.Generator(np.random.SFC64(20261122))
    drawn = np.max(np.abs(release.simulate(rng, release.draws) - model.truth) / aims, axis=1)
    place = math.ceil(model.lab.confidence * len(drawn)) - 1
    return float(np.partition(drawn, place)[place])


def _least_for_each(model: labs_answer_model.AnswerModel, aims: Array) -> tuple[Passing, int]:
    """(the least ε at which every part is within its own target, the hardest part)."""
    hardest = int(np.argmax(model.release.half_widths(model.lab.confidence) / aims))
    if model.all_parts:
        return _least(model, partial(_widest, model, aims)), hardest
    found = _least(model, partial(_width_of, model, float(aims[hardest]), hardest))
    if not model.law_depends_on_answer:  # then all parts have one law, and this is the hardest
        return found, hardest
    for part in np.argsort(aims, kind="stable").tolist():
        if found.at is None:
            break
        width = partial(_width_of, model, float(aims[part]), part)
        if part != hardest and width(found.at) > 1 + 1e-9:
            found, hardest = _least(model, width), part
    return found, hardest


def _least(model: labs_answer_model.AnswerModel, width: Callable[[float], float]) -> Passing:
    """From which ε on the width, in units of its target, is at most 1."""
    steps = any(law.discrete for law in model.release.laws)

    def gap(epsilon: float) -> float:
        log_width = math.log(max(width(epsilon), 1e-300))
        if steps:  # of integer noise, met from its jump on
            return 1.0 if log_width > 0 else -1.0
        return log_width

    return solved(gap, _LEAST_EPSILON, _MOST_EPSILON, 2e-14)
