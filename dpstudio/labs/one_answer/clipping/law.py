"""The errors by the law of the published answer itself, where a formula of first order does not
hold."""

import math
from typing import Any

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.one_answer.clipping import model as known
from dpstudio.labs.one_answer.clipping.errors import Parts, error_parts
from dpstudio.labs.one_answer.clipping.model import ClippingModel
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.additive import Guarantee, Sensitivity
from dpstudio.privacy.queries import persons, query, variance
from dpstudio.privacy.queries.count import ONE
from dpstudio.privacy.queries.total import sum_moves, sum_sensitivity
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import N_, Message, Num, plain, say

# First order is taken as right where it is so to this share; draws are not expected to tell more
# than a few of their errors.
CLOSE, DRAWN = 0.01, 6.0
DOTS, FEW_DOTS = 21, 9
NOISY = 0.1
UNITS = {
    "sum": N_("sum of {column}"),
    "mean": N_("mean of {column}"),
    "variance": N_("variance of {column}"),
}
_WHY = {
    "mean": N_("One person replaced changes this by at most {delta}, which is (U − L)/n."),
    "variance": N_(
        "One person replaced changes this by at most {delta}, which is (n − 1)/n² · (U − L)²."
    ),
    "squares": N_("One person changes the sum of squares by at most {delta}."),
}


# The question as Explore asks it.


def asked_at(model: ClippingModel, low: float, high: float) -> query.MeasuredQuestion:
    """The question at these bounds as Explore would ask it, from the ordered column alone; why one
    person moves it no further is left out, as many bounds are tried."""
    clips, question = model.rows.clip([low], [high]), model.question
    truth = array(question.answer(clips))
    middle = float(question.middle(low, high))
    total = array(clips.total - middle * clips.rows)
    whole = model.lab.mechanism.integers
    values = {"sum": total, "mean": truth, "variance": truth, "count": array([clips.rows])}
    squares = clips.rows * (clips.variance + (clips.mean - middle) ** 2)
    values["squares"] = array(np.round(squares) if whole else squares)
    parts = tuple(
        query.Measurement(name, values[name], s, whole, share)
        for name, s, share in sensitivities(model, low, high, told=False)
    )
    ratio = (low, high) if model.lab.statistic == "mean" and not question.direct else None
    return query.MeasuredQuestion(
        truth, (), _unit(model), parts, ratio, middle, moves=_moves(model, low, high)
    )


def _unit(model: ClippingModel) -> Message:
    return say(UNITS[model.lab.statistic], column=plain(model.lab.column))


def _moves(model: ClippingModel, low: float, high: float) -> tuple[query.Move, ...]:
    """What one person can do to all measurements at once, where they are several."""
    question = model.question
    if question.direct:
        return ()
    middle = float(question.middle(low, high))
    low, high = low - middle, high - middle
    moves = (
        sum_moves(low, high, question.adjacency)
        if question.statistic == "mean"
        else variance.spread_moves(low, high, question.adjacency)
    )
    return tuple(persons.times(move, question.most) for move in moves)


def sensitivities(
    model: ClippingModel, low: float, high: float, told: bool = True
) -> list[tuple[str, Sensitivity, float]]:
    """Each measurement's name, its sensitivity at these bounds, `told` why, and its share of the
    budget."""
    question = model.question
    middle = float(question.middle(low, high))
    made = []
    for name, reach, share in question.measure_rows(low, high):
        size = float(reach)
        if name == "count":
            one = ONE
        elif not told:
            one = Sensitivity(size, size, size)
        elif name == "sum":
            why = sum_sensitivity(low - middle, high - middle, question.adjacency).why
            one = Sensitivity(size, size, size, why)
        else:
            one = Sensitivity(size, size, size, say(_WHY[name], delta=Num(size, 4, "up")))
        made.append((name, persons.grown(one, (), question.most), share))
    return made


def moved_by_one(model: ClippingModel) -> float:
    """How far one person, with all the rows of that person that are used, moves the first
    measurement at the bounds in force."""
    return sensitivities(model, model.bounds.low, model.bounds.high)[0][1].l1


@once
def promised(model: ClippingModel) -> Release:
    """The answer at the bounds in force as far as it is public: its noise and what it promises."""
    none, (low, high) = array([0.0]), (model.bounds.low, model.bounds.high)
    parts = tuple(
        query.Measurement(name, none, s, False, share)
        for name, s, share in sensitivities(model, low, high)
    )
    released = query.MeasuredQuestion(none, (), _unit(model), parts, moves=_moves(model, low, high))
    return Release(released, model.lab.mechanism)


def guarantee(model: ClippingModel) -> Guarantee:
    """What the answer's theorem promises: no word of it depends on the data."""
    return promised(model).guarantee


# Its law.


def law_parts(
    model: ClippingModel, low: Array, high: Array, mechanism: Additive | None = None
) -> Parts:
    """As `error_parts`, but noise and bias are those of the published answer: by quadrature for a
    mean, by draws for a variance, remembered. The bias then is also that of a noisy divisor and of
    clamping. Raises Stopped.

    One measurement's noise is exact as it is.
    """
    mechanism = mechanism or model.lab.mechanism
    first = error_parts(model.question, model.rows, mechanism, low, high, model.lab.sampling)
    if model.question.direct:
        return first

    def moments() -> Array:
        made = []
        for a, b in zip(low, high, strict=True):
            model.context.check()
            made.append(_moments(model, float(a), float(b), mechanism))
        return array(np.array(made).reshape(-1, 2).T)

    drift, noise = model.data.remember(_law_key(model, low, high, mechanism), moments)
    return Parts(first.clips, first.bias + drift, noise, first.sampling).within(
        furthest(model, low, high)
    )


def whose(model: ClippingModel, mechanism: Additive) -> tuple[Any, ...]:
    """What errors of a mechanism depend on besides the bounds, for the table to remember them."""
    lab = model.lab
    return ("clipping", model.question, lab.column, lab.where, lab.sampling, mechanism)


def draws_of(model: ClippingModel) -> tuple[int, ...]:
    """The seed and the number of draws, where the law is known by these alone."""
    return (model.lab.seed, model.trials) if model.lab.statistic == "variance" else ()


def _law_key(model: ClippingModel, low: Array, high: Array, mechanism: Additive) -> tuple[Any, ...]:
    key = (low.tobytes(), high.tobytes(), draws_of(model), "law")
    return (*whose(model, mechanism), *key)


def furthest(model: ClippingModel, low: Array, high: Array) -> Array:
    """How far a published answer, which is clamped, can lie from the unclipped statistic at most;
    shape of the bounds."""
    if model.lab.statistic == "variance":
        low, high = np.zeros_like(low), (high - low) ** 2 / 4
    truth = known.unclipped(model)
    return np.maximum(np.abs(low - truth), np.abs(high - truth))


def _moments(
    model: ClippingModel, low: float, high: float, mechanism: Additive
) -> tuple[float, float]:
    """Mean and standard deviation of the published answer about the clipped statistic."""
    release = Release(asked_at(model, low, high), mechanism)
    if release.asked.ratio:
        law = release.law
        mean = law.mean
        return mean, math.sqrt(max(law.variance - mean**2, 0.0))
    published = _drawn_variances(model, release, low, high)
    return float(published.mean()) - float(release.asked.truth[0]), float(published.std())


def _drawn_variances(model: ClippingModel, release: Release, low: float, high: float) -> Array:
    """Simulated variances: the same noise at every bound, so that their curve is smooth."""
    rng = np.random.Generator(np.random.SFC64([model.lab.seed, 2]))
    total, squares, count = (noisy[:, 0] for noisy in release.measure(rng, model.trials))
    count = np.maximum(count, 1.0)
    return np.asarray(np.clip(squares / count - (total / count) ** 2, 0, (high - low) ** 2 / 4))


def differ(model: ClippingModel, first: Parts, law: Parts) -> bool:
    """Whether the errors of first order are off anywhere, by more than the draws could be."""
    drawn = model.lab.statistic == "variance"
    close = max(CLOSE, DRAWN / math.sqrt(model.trials)) if drawn else CLOSE
    off = np.abs(first.total - law.total) > close * np.maximum(first.total, law.total)
    return bool(np.any(off))


# Where it is asked for.


def law_at(model: ClippingModel, moved: Array, mechanism: Additive | None = None) -> Parts:
    """The errors by the law where the moving bound stands at each of `moved`. Raises Stopped."""
    return law_parts(model, *model.bounds.pairs(moved), mechanism)


def errors_at(model: ClippingModel, moved: Array, mechanism: Additive | None = None) -> Parts:
    """The same as this model knows them."""
    return (law_at if model.by_law else known.first_order)(model, moved, mechanism)


@once
def dots(model: ClippingModel) -> Array:
    """Bounds of the sweep at which the law is worked out, shape (21,), or (9,) at first."""
    x = known.sweep(model)
    few = FEW_DOTS if model.level == known.ROUGH else DOTS
    return array(x[np.unique(np.round(np.linspace(0, len(x) - 1, few)).astype(int))])


@once
def law_at_dots(model: ClippingModel) -> Parts:
    """The errors by the law at these."""
    return law_at(model, dots(model))


def dots_known(model: ClippingModel) -> bool:
    """Whether those are remembered."""
    key = _law_key(model, *model.bounds.pairs(dots(model)), model.lab.mechanism)
    return model.data.known(key)


@once
def law_here(model: ClippingModel) -> Parts:
    """The errors by the law at the bounds in force."""
    return law_at(model, known.in_force(model))


@once
def errors_here(model: ClippingModel) -> Parts:
    """The same as this model knows them."""
    return law_here(model) if model.by_law else known.first_order(model, known.in_force(model))


@once
def off(model: ClippingModel) -> bool:
    """Whether first order is off at the dots or at the bounds in force."""
    return differ(model, known.first_order(model, dots(model)), law_at_dots(model)) or differ(
        model, known.first_order(model, known.in_force(model)), law_here(model)
    )


def off_here(model: ClippingModel) -> bool:
    """Whether first order is off at the bounds in force by more than 1 %, draws or not."""
    first, exact = (
        known.first_order(model, known.in_force(model)).total[0],
        law_here(model).total[0],
    )
    return bool(abs(first - exact) > CLOSE * exact)


@once
def noisy(model: ClippingModel) -> bool:
    """Whether the noise of the count, or of the answer beside the width of the bounds, is so large
    that no formula of first order can hold."""
    if model.question.direct:
        return False
    here = known.in_force(model)
    low, high = model.bounds.pairs(here)
    spread = math.sqrt(model.question.spreads(low, high, model.lab.mechanism)[-1][0])
    if spread > NOISY * model.rows.rows:
        return True
    reached = furthest(model, low, high)
    return bool((known.first_order(model, here).total > 0.5 * reached)[0])
