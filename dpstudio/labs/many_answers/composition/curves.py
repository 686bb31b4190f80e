"""What the composition lab's charts draw against k and against δ: every bound's curve, the least of
them, and where one falls below adding up."""

import math
from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.many_answers.composition import model as composition
from dpstudio.labs.many_answers.composition.certificate import ended
from dpstudio.labs.many_answers.composition.shortcut import zones
from dpstudio.labs.memo import once
from dpstudio.labs.series_ledger import beginnings
from dpstudio.labs.series_model import crowded, reach, supposed, totals
from dpstudio.privacy.accounting import Accountant, Numeric, Spend

CURVE_POINTS, SLOW_POINTS, DELTA_POINTS, COARSE_DELTAS = 56, 28, 25, 9
SLOW_BEGINNINGS = 8
CROSSINGS_TO = 10_000
Curve = tuple[Array, Array]

# Over the number of answers

ASKED_FOR = "drv"  # advanced composition, which everybody asks for


@once
def drawn_k(model: composition.CompositionModel) -> Array:
    """The numbers of answers at which curves are drawn, increasing. Of equal ones even numbers, as
    the exact optimum differs a little for odd k, where the shortcut stops being proved, and
    true, and where a bound is looked at no further."""
    if not model.equal:
        return beginnings(model.entries)
    points = model.effort.of_points(CURVE_POINTS)
    steps = (
        np.geomspace(1, reach(model), points)
        if model.lab.scale == "log"
        else np.linspace(1, np.sqrt(reach(model)), points) ** 2
    )
    found = zones(model)
    turns = (
        [] if found is None else [float(k + i) for k in (found.proved, found.true) for i in (0, 1)]
    )
    ends = [reach(model), *(float(a.most) for a in composition.bounds(model))]
    k = np.concatenate([2 * np.round(steps / 2), np.arange(1, 11), ends, turns])
    return array(np.unique(k[(k >= 1) & (k <= reach(model))]))


def marks(model: composition.CompositionModel, bound: Accountant) -> Array:
    """Those at which a bound is worked out: fewer if that is slow."""
    k = drawn_k(model)
    k = k[k <= bound.most]
    few = model.effort.of_points(SLOW_POINTS) if model.equal else SLOW_BEGINNINGS
    if crowded(model):
        few = 1
    if not bound.slow(model.ledger) or len(k) <= few:
        return k
    return array(k[np.unique(np.linspace(len(k) - 1, 0, few).astype(int))])


def curve(model: composition.CompositionModel, bound: Accountant) -> Curve:
    """(k, total ε); NaN where the bound promises nothing."""
    return totals(model, bound, marks(model, bound))


@once
def drawn(model: composition.CompositionModel) -> tuple[Accountant, ...]:
    """The bounds that have a curve over k: also one that ends before so many answers; and parts
    over disjoint data are drawn beside equal answers too, as what they would cost."""
    made = (composition.bound_of(model, key) for key in model.lab.bounds)
    others = ended(model) if model.fine else ()
    return tuple(
        a
        for a in made
        if a in composition.bounds(model) or a in others or (model.equal and a.key == "parallel")
    )


@once
def curves(model: composition.CompositionModel) -> dict[str, Curve]:
    """The curve of every bound that has one, by its key."""
    return {a.key: curve(model, a) for a in drawn(model)}


def end_of(model: composition.CompositionModel, bound: Accountant) -> float:
    """Where a curve leaves the chart on the right; NaN where it ends before."""
    x, y = curves(model)[bound.key]
    return float(y[-1]) if len(x) and x[-1] == drawn_k(model)[-1] else math.nan


def worse_than_adding(model: composition.CompositionModel, bound: Accountant) -> np.ndarray:
    """At which points of its curve a bound says more than adding up, where that is drawn."""
    x, y = curves(model)[bound.key]
    added = None if supposed(model) else curves(model).get("sequential")
    plain = np.full(len(x), np.inf) if added is None else np.interp(x, *added)
    return np.asarray(y > plain * (1 + 1e-9))


def least_curve(model: composition.CompositionModel) -> Curve:
    """(k, the least total ε of all bounds on one person's loss), where each of them is known: one
    that is worked out at fewer k leaves gaps between them."""
    k = drawn_k(model)
    least, known = np.full(len(k), np.inf), np.full(len(k), True)
    for bound in (*composition.standing(model), *(a for a in ended(model) if a in drawn(model))):
        x, y = curves(model)[bound.key]
        if len(x):
            at = np.searchsorted(k, x)
            least[at] = np.fmin(least[at], y)
            known[(k <= x[-1]) & ~np.isin(k, x)] = False
    return k[known], np.where(np.isfinite(least), least, np.nan)[known]


@once
def crossings(model: composition.CompositionModel) -> dict[str, int | None]:
    """By bound, the smallest k from which it is below adding up; None: never up to 10,000. Of equal
    pure answers only."""
    spend, delta = model.spend, model.lab.delta_prime
    plain = ("sequential", "parallel", "optimal")
    wanted = tuple(a for a in composition.proved(model) if a.key not in plain and not a.numeric)
    if not model.equal or spend.delta > 0:
        return {}
    key = ("composition crossings", wanted, spend, delta)
    return OF_NO_TABLE.remember(key, lambda: {a.key: below_adding(a, spend, delta) for a in wanted})


def below_adding(bound: Accountant, spend: Spend, delta: float) -> int | None:
    """The smallest k up to 10,000 from which a bound is strictly below kε: bracketed on a grid,
    then every k between."""

    def below(k: Array) -> np.ndarray:
        return np.asarray(bound.curve(spend, k, delta) < k * spend.epsilon * (1 - 1e-12))

    k = _spaced()
    found = below(k)
    if not found.any():
        return None
    at = int(np.argmax(found))
    if at == 0:
        return 1
    between = np.arange(k[at - 1] + 1, k[at] + 1)
    return int(between[np.argmax(below(between))])


@lru_cache(maxsize=1)
def _spaced() -> Array:
    return array(np.unique(np.round(np.geomspace(1, CROSSINGS_TO, 100))))


# δ against ε


def privacy_curve(model: composition.CompositionModel, bound: Accountant) -> Curve:
    """(ε, δ) of the whole composition by one bound, from δ = 1/2 down to 1e-12; NaN where there is
    no finite ε."""
    quick = model.equal or not bound.slow(model.ledger)
    full = DELTA_POINTS if model.fine and quick else COARSE_DELTAS
    deltas = np.geomspace(0.5, 1e-12, model.effort.of_points(full))
    ledger = model.ledger

    def epsilon(delta: float) -> float:
        if isinstance(bound, Numeric) and bound.refuse_delta(ledger, delta) is not None:
            return math.nan
        return bound.epsilon(ledger, delta)

    def points() -> Array:
        if model.equal and not bound.numeric:
            k = np.full(len(deltas), float(model.answers))
            y = bound.curve(model.spend, k, deltas, model.lab.adjacency)
        else:
            y = np.array([epsilon(float(each)) for each in deltas])
        return array(np.where(np.isfinite(y), y, np.nan))

    key = ("composition privacy", bound, ledger, len(deltas))
    return OF_NO_TABLE.remember(key, points), array(deltas)


@once
def over_delta(model: composition.CompositionModel) -> tuple[Accountant, ...]:
    """The bounds that have a curve over δ: not groups and the printed shortcut, nor what would take
    too long."""
    late = crowded(model)
    return tuple(
        a
        for a in composition.bounds(model)
        if a.key not in ("group_privacy", "shortcut") and not (late and a.slow(model.ledger))
    )


@once
def privacy_curves(model: composition.CompositionModel) -> dict[Accountant, Curve]:
    """That of every bound that has one and is finite somewhere."""
    made = {a: privacy_curve(model, a) for a in over_delta(model)}
    return {a: (x, y) for a, (x, y) in made.items() if np.isfinite(x).any()}
