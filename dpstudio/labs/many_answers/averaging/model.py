"""What the averaging lab knows: how far the mean of the answers is off, how often it tells whether
one person is there, what the bounds let anyone know, and what the answers cost."""

import math
from bisect import bisect_left
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs import series_model
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.labs.many_answers.averaging import simulation
from dpstudio.labs.many_answers.averaging.parameters import Averaging
from dpstudio.labs.many_answers.averaging.simulation import Attack, Part
from dpstudio.labs.memo import once
from dpstudio.labs.release_list import Line
from dpstudio.labs.series_ledger import averaged, beginnings, counted
from dpstudio.privacy.accounting import K_CLOSED, Accountant, Parallel, Sequential
from dpstudio.privacy.neighbours.attacker import share_right

# Bounds whose δ at ε = 0 is the distance that they know of; of others points of the curve say less.
EXACT, CURVED = ("optimal", "gdp", "pld"), ("zcdp_tight",)
SLOW_POINTS = 28
FAR = 10**15  # answers: nobody asks more


@dataclass(frozen=True, eq=False)
class AveragingModel(series_model.SeriesModel):
    """The answers of one state, of which somebody takes the mean."""

    lab: Averaging


def averaging_model(
    lab: Averaging, data: Dataset, fine: bool = False, effort: Effort = SCREEN
) -> AveragingModel:
    """The answers of a state of the lab."""
    return AveragingModel(lab, data, fine, effort)


# How far the mean is off


@once
def asked_lines(model: AveragingModel) -> tuple[Line, ...]:
    """The answers that an attacker can average."""
    return averaged(model.entries)


def count_asked(model: AveragingModel) -> int:
    """How many these are."""
    return sum(line.times for line in asked_lines(model))


@once
def deviation(model: AveragingModel) -> float:
    """The exact standard deviation of the mean of all of them."""
    k = np.array([float(count_asked(model))])
    return float(simulation.spread(asked_lines(model), k, model.data.contributions)[0])


def telling(model: AveragingModel) -> bool:
    """Whether that is less than half of what one person changes."""
    return deviation(model) < model.data.contributions / 2


@once
def averaging(model: AveragingModel) -> Attack:
    """The attack on them, simulated. Equal answers have one simulation for every k, and for every
    size of their noise where that is all that tells laws apart: the slider of k only says how far
    it is looked at, and that of ε how far off a mean is."""
    lab, paths, rows = model.lab, model.effort.of_draws(simulation.PATHS), model.data.contributions
    if not model.equal:
        asked, k = asked_lines(model), simulation.grid(count_asked(model))
        key = ("averaging attack", asked, lab.seed, paths, rows)
        return model.data.remember(key, lambda: simulation.attack(asked, k, lab.seed, paths, rows))
    law, k = lab.mechanism.law(counted(rows)), simulation.grid(K_CLOSED)
    one = law.standard
    means = model.data.remember(
        ("averaging means", one, lab.seed, paths),
        lambda: (
            simulation.running_sums(
                [Part(one, K_CLOSED, 1.0)], k, simulation.drawing(lab.seed), paths
            )
            / k
        ),
    ) * math.sqrt(law.variance / one.variance)
    return Attack(
        array(k),
        array(means),
        array(np.sqrt(law.variance / k)),
        simulation.right_guesses(means, rows),
    )


def seen(model: AveragingModel) -> np.ndarray:
    """Which of its k lie within the charts."""
    return np.asarray(averaging(model).k <= series_model.reach(model))


def right_simulated(model: AveragingModel) -> tuple[float, float]:
    """(share of right guesses after all answers, twice its standard error), between the simulated k
    next to them; a path and its mirror image are right once, or both. What a bound rules out is the
    error of the simulation, not a share."""
    found, paths = averaging(model), len(averaging(model).means)
    right = float(np.interp(math.log(count_asked(model)), np.log(found.k), found.right))
    both = 2 * right - 1
    # Where all of n paths are, up to 3 of n + 3 may not be (the rule of three).
    wide = math.sqrt(max(both * (1 - both), 2 / paths) / paths)
    return min(right, promised(model)), wide


@once
def holding(model: AveragingModel) -> tuple[Accountant, ...]:
    """The bounds that are asked: those that apply, and of answers about disjoint parts also that
    on the largest of them."""
    parts = Parallel(rows=model.data.contributions)
    fits = (
        model.ledger.groups
        and series_model.why_not(model, parts) is None
        and not series_model.supposed(model)
    )
    return (*series_model.known(model), parts) if fits else series_model.known(model)


@once
def most_right(model: AveragingModel) -> tuple[Accountant, float]:
    """(bound, the largest share of right guesses between two neighbours at even odds that it leaves
    on average), by the bound that leaves least."""
    left = ((a, right_by(model, a)) for a in holding(model))
    return min(left, key=lambda one: one[1], default=(Sequential(), 1.0))


def right_by(model: AveragingModel, bound: Accountant) -> float:
    """That share by one bound: at its total ε here, and where it says it, at any ε of its curve."""

    def found() -> float:
        total = series_model.total_here(model, bound)
        at = series_model.delta_of(model, bound)
        shares = [share_right(total, at)] if math.isfinite(total) else [1.0]
        if bound.key in EXACT:
            shares.append(share_right(0.0, bound.delta(model.ledger, 0.0)))
        elif bound.key in CURVED and math.isfinite(total):
            for epsilon in np.geomspace(1e-3, 1, 25) * total:
                shares.append(share_right(epsilon, bound.delta(model.ledger, float(epsilon))))
        return min(shares)

    delta = model.lab.delta_prime
    key = ("averaging right", bound, model.ledger, delta)
    return model.data.remember(key, found)


def promised(model: AveragingModel) -> float:
    """The most that any bound lets anyone be right on average, of two neighbours at even odds."""
    return most_right(model)[1]


# What the answers cost


@once
def cheapest(model: AveragingModel) -> tuple[Accountant, float]:
    """(bound, total ε of all answers) by the bound that says least; adding up, which needs no δ′,
    where nothing is visibly better, and where no bound holds, which is then one if a promise were
    kept."""
    found = [(a, series_model.total_here(model, a)) for a in holding(model)]
    finite = [one for one in found if math.isfinite(one[1])]
    least = min(
        finite, key=lambda one: one[1], default=(Sequential(), series_model.by_adding(model))
    )
    plain = [one for one in finite if one[0].key in ("sequential", "parallel")]
    return next((one for one in plain if not series_model.smaller(least[1], one[1])), least)


def cost_delta(model: AveragingModel) -> float:
    """The total δ that goes with that ε."""
    return series_model.delta_of(model, cheapest(model)[0])


@once
def drawn_k(model: AveragingModel) -> Array:
    """The numbers of answers at which costs are drawn, increasing."""
    if not model.equal:
        return beginnings(model.entries)
    k = simulation.grid(series_model.reach(model))
    return array(np.unique(np.append(k, [float(model.answers)])))


def cost_curve(model: AveragingModel, bound: Accountant) -> series_model.Curve:
    """(k, total ε of the first k answers), at fewer k where a bound is slow; NaN where it promises
    nothing."""
    k = drawn_k(model)
    k = k[k <= bound.most]
    few = model.effort.of_points(SLOW_POINTS)
    if bound.slow(model.ledger) and len(k) > few:
        some = k[np.unique(np.linspace(len(k) - 1, 0, few).astype(int))]
        k = np.unique(np.append(some, k[k == model.answers]))
    return series_model.totals(model, bound, array(k))


@once
def needed(model: AveragingModel) -> int | None:
    """The smallest number of answers whose mean has a standard deviation of at most half of what
    one person changes; None where not even all of a list are enough."""
    rows, asked = model.data.contributions, asked_lines(model)
    if model.equal:
        asked = (replace(asked[0], times=FAR),)
    most = FAR if model.equal else count_asked(model)

    def near(k: int) -> bool:
        return float(simulation.spread(asked, np.array([float(k)]), rows)[0]) <= rows / 2 * (
            1 + 1e-12
        )

    found = bisect_left(range(1, most + 1), True, key=near) + 1
    return found if found <= most else None


def added_up(model: AveragingModel, k: int) -> float:
    """Total ε of the first k answers by adding up; of a list, of those of its beginning."""
    return float(series_model.totals(model, Sequential(), np.array([float(k)]))[1][0])


def shared_deviation(model: AveragingModel, k: int) -> float:
    """The exact standard deviation of the mean of k answers that share the ε and the δ of one: by
    adding up all of them cost what one does."""
    asked = (Line(k, model.lab.mechanism.share(1 / k)),)
    return float(simulation.spread(asked, np.array([float(k)]), model.data.contributions)[0])


def shared_epsilon(model: AveragingModel) -> float:
    """The ε that each answer has then."""
    return float(model.lab.mechanism.share(1 / model.answers).epsilon)


@once
def shared_curve(model: AveragingModel) -> series_model.Curve:
    """(k, that deviation) within the charts."""
    k, lab, rows = drawn_k(model), model.lab, model.data.contributions
    key = ("averaging shared", lab.mechanism, rows, k.tobytes())
    return k, model.data.remember(
        key, lambda: array([shared_deviation(model, int(each)) for each in k])
    )
