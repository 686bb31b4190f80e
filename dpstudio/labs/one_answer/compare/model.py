"""What Compare's charts and sentences share: one answer through each mechanism, all about the same
exact one."""

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.labs.answer_model import (
    AnswerModel,
    answer_model,
    error,
    error_curve,
    error_deviation,
    error_law,
    errors_at,
    hasty_answer,
    part_law,
)
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.one_answer.compare.parameters import Compare
from dpstudio.labs.question import measured
from dpstudio.labs.winners import LEVEL, tiers
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.mechanisms.law import Largest
from dpstudio.privacy.release.answerable import refused_mechanisms
from dpstudio.privacy.release.release import Release

MOST = 1e3  # times the least error
_APART = 3.0  # deviations of their difference, by which simulated errors are told apart
_COMMON_LEVELS = (0.5, 0.4, 0.3, 0.2)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The answers on one table, one for each mechanism that can give it, in the order of the
    catalogue. `focus` is the one that is drawn; where the exact answer is hidden, all that is shown
    comes from its one reading."""

    lab: Compare
    focus: AnswerModel
    scenes: tuple[AnswerModel, ...]


def comparison(lab: Compare, context: Context) -> Comparison:
    """The state of the lab on a table that can answer its question."""
    refused = refused_mechanisms(measured(lab.query, context.data, lab.adjacency))
    made = [
        kind().at(lab.epsilon, lab.delta)
        for kind in MECHANISMS
        if kind.key in lab.mechanisms and kind.key not in refused
    ]
    looked_at = next((m for m in made if m.key == lab.focus), made[0])
    focus = answer_model(lab, looked_at, context)
    scenes = tuple(
        focus if m is looked_at else answer_model(lab, m, context, focus.asked) for m in made
    )
    return Comparison(lab, focus, scenes)


def hasty(model: Comparison) -> Comparison | None:
    """The same with few simulated answers for each law; None where laws have formulas."""
    quick = {scene: hasty_answer(scene) for scene in model.scenes}
    scenes = [one for one in quick.values() if one is not None]
    focus = quick[model.focus]
    if focus is None or len(scenes) < len(quick):
        return None
    return Comparison(model.lab, focus, tuple(scenes))


@once
def ranking(model: Comparison) -> list[AnswerModel]:
    """The answers, that with the least error first; a mechanism that does not keep its promise
    ranks last."""
    return sorted(model.scenes, key=lambda scene: (scene.release.guarantee.violated, error(scene)))


@once
def standing(model: Comparison) -> list[list[AnswerModel]]:
    """Those that keep their promise in tiers of equal errors, the least first, then the others in
    tiers of theirs. Simulated errors are equal where their draws do not tell them apart."""
    ranked = ranking(model)
    groups = ([s for s in ranked if not broken(s)], [s for s in ranked if broken(s)])
    return [tier for group in groups for tier in tiers(group, error, _within(group))]


def _within(scenes: list[AnswerModel]) -> float:
    """The factor up to which their errors are level: of simulated ones, what chance may make."""
    by_chance = max(map(error_deviation, scenes), default=0.0)
    return max(LEVEL, 1 + _APART * math.sqrt(2) * by_chance)


def broken(scene: AnswerModel) -> bool:
    """Whether the mechanism does not keep what it promises here."""
    return scene.release.guarantee.violated


def times(best: AnswerModel, other: AnswerModel) -> float:
    """How many times the error of the best one the other's is."""
    return error(other) / error(best)


@once
def error_range(model: Comparison) -> tuple[float, float]:
    """The ends of the error axis: a rung that holds 98 % of the errors of all but the widest
    laws."""
    widths = sorted(error_law(scene).half_width(0.98) for scene in model.scenes)
    # Integer noise may have no width at all; then the others set the axis.
    typical = widths[len(widths) // 2] or widths[-1]
    steps = 2.5 if any(part_law(scene).discrete for scene in model.scenes) else 1e-9
    high = nice_above(1.05 * max(min(widths[-1], 4 * typical), steps))
    return (0.0 if isinstance(error_law(model.focus), Largest) else -high), high


def cdf_curve(model: Comparison, scene: AnswerModel) -> tuple[Array, Array]:
    """(x, share of errors up to x) over the error axis; few integers as steps."""
    (low, high), law, of_points = error_range(model), error_law(scene), scene.effort.of_points
    if law.discrete and high - low <= 400:
        k = np.arange(np.ceil(low), np.floor(high) + 1)
        x = np.append(np.repeat(k, 2), high)
        return x, np.concatenate([law.cdf(k[:1] - 1), np.repeat(law.cdf(k), 2)])
    x = np.linspace(low, high, of_points(361))
    if law.discrete:
        x = np.unique(np.concatenate([x, np.floor(np.linspace(low, high, of_points(201)))]))
    return x, law.cdf(x)


def worse(model: Comparison) -> float:
    """The share of answers that the confidence lets be worse."""
    return 1 - model.lab.confidence


def tail_curve(scene: AnswerModel) -> tuple[Array, Array]:
    """(share of answers that are worse, the ± that keeps the others), down to one in a million."""
    rare = np.geomspace(0.1, 1e-6, scene.effort.of_points(51))
    levels = np.concatenate([_COMMON_LEVELS, rare])
    if scene.how == "simulation":  # a simulated law has no tail beyond its draws
        levels = levels[levels > 1e-3]
    law = error_law(scene)
    return levels, np.array([law.half_width(1 - float(level)) for level in levels])


def _promises(scene: AnswerModel, epsilons: Array) -> list[Guarantee]:
    """What a mechanism promises at each ε, and whether that is proven and kept."""
    if scene.release.guarantee.true_delta is None:
        return [scene.release.guarantee] * len(epsilons)
    mechanism = scene.mechanism
    at = (Release(scene.asked, mechanism.at(float(e), mechanism.total_delta)) for e in epsilons)
    return [release.guarantee for release in at]


def of_least(model: Comparison, scene: AnswerModel) -> float | None:
    """How many times the least error of a promise that is kept that of another is; None where there
    is no such error above 0."""
    best = ranking(model)[0]
    if best.release.guarantee.violated or error(best) <= 0:
        return None
    return times(best, scene)


@dataclass(frozen=True, eq=False)
class RelativeCurve:
    """How many times the least error of a kept promise that of one mechanism is, over ε, at most
    MOST (beyond it the least one has few true digits), and where its own is `proven`; NaN where no
    error is above 0."""

    epsilons: Array
    times: Array
    proven: np.ndarray


@once
def relative_curves(model: Comparison) -> dict[str, RelativeCurve]:
    """The curve of each mechanism over the slider's range, by its key."""
    x, _ = error_curve(model.focus, model.focus.mechanism)
    ladder = tuple(x.tolist())
    found = {s.mechanism.key: errors_at(s, s.mechanism, ladder) for s in model.scenes}
    promised = {s.mechanism.key: _promises(s, x) for s in model.scenes}
    least = np.full(len(x), np.inf)
    for key, y in found.items():
        counts = ~np.array([promise.violated for promise in promised[key]]) & (y > 0)
        least = np.where(counts, np.minimum(least, y), least)
    return {
        key: RelativeCurve(
            x,
            array(np.where(np.isfinite(least), np.minimum(y / least, MOST), np.nan)),
            np.array([promise.sound for promise in promised[key]]),
        )
        for key, y in found.items()
    }
