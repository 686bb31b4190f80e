"""Draws of each way: how much of the variance its directions capture, against ε and by the number
of rows."""

import math

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.local_curves import ladder
from dpstudio.labs.memo import once
from dpstudio.labs.models.components import model as components
from dpstudio.labs.winners import tiers
from dpstudio.privacy.learning.components import along, captured, leading
from dpstudio.privacy.learning.ways import WAYS, MatrixWay
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.passing import Passing, passing_beside

_POINTS = 25
_QUICK = 9
BAND = (0.05, 0.5, 0.95)  # of the draws lie below
_DOTS = 300
STREAM = 61
Drawn = tuple[Array, Array]


def seeds(model: components.ComponentsModel) -> int:
    """How many draws make a band: at least 20."""
    return 20 if model.quick else model.effort.of_draws(model.lab.trials, 20)


def shown(model: components.ComponentsModel) -> tuple[str, ...]:
    """The ways that are drawn, the chosen one among them."""
    mine = model.lab.mechanism.key
    if model.quick:
        return (mine,)
    return tuple(kind.key for kind in WAYS if kind.key == mine or kind.key in model.lab.drawn)


def _looking(model: components.ComponentsModel, key: str) -> tuple[int, int]:
    return model.lab.seed, STREAM + [kind.key for kind in WAYS].index(key)


def curve(model: components.ComponentsModel, key: str) -> Drawn:
    """(ε, share of the variance that is captured: with 5, 50 and 95 % of the draws below), shapes
    (points,) and (3, points). Remembered: it depends on no ε."""
    count = model.effort.of_points(_QUICK if model.quick else _POINTS, 6)
    made = components.way(model, key, 1.0)
    asked = (
        made,
        components.delta(model),
        model.columns,
        components.classes_of(model.lab, model.data),
        model.k,
    )
    noise = (components.move(model), model.lab.centred, model.lab.seed, seeds(model), count)

    def draw() -> Drawn:
        found = [captured_at(model, key, float(e)) for e in ladder(count)]
        return ladder(count), array(np.quantile(found, BAND, axis=1))

    return model.data.remember(("components curve", *asked, *noise), draw)


def captured_at(model: components.ComponentsModel, key: str, at: float) -> Array:
    """The share that each draw of a way captures at ε `at`, shape (seeds,)."""
    model.check()
    a, made = components.scatter(model), components.way(model, key, at)
    looking = _looking(model, key)
    return captured(
        a, made.subspaces(a, model.k, components.move(model), seeds(model), looking, model.check)
    )


@once
def here(model: components.ComponentsModel) -> Array:
    """The share that each draw of the chosen way captures at the chosen ε, shape (seeds,)."""
    return captured_at(model, model.lab.mechanism.key, components.epsilon(model))


@once
def kept(model: components.ComponentsModel) -> tuple[float, float, float]:
    """The share with 5, 50 and 95 % of these draws below."""
    low, middle, high = np.quantile(here(model), BAND)
    return float(low), float(middle), float(high)


def typical(model: components.ComponentsModel, key: str) -> float:
    """The middle share of a way at the chosen ε: drawn for the chosen one, else between the points
    of its curve."""
    if key == model.lab.mechanism.key:
        return kept(model)[1]
    epsilons, shares = curve(model, key)
    return float(np.interp(np.log(components.epsilon(model)), np.log(epsilons), shares[1]))


@once
def standing(model: components.ComponentsModel) -> list[list[str]]:
    """The drawn ways in tiers of what they lose, the best first."""
    return tiers(shown(model), lambda key: max(1 - typical(model, key), 1e-3))


def by_chance(model: components.ComponentsModel) -> float:
    """The share that directions drawn blindly capture on average: k/p of all the variance."""
    values = np.linalg.eigvalsh(components.scatter(model))[::-1]
    best = values[: model.k].sum()
    return float(model.k / model.p * values.sum() / best) if best > 0 else 1.0


def enough(model: components.ComponentsModel) -> Passing:
    """From which ε on, of those drawn and the one in use, half of the draws of the chosen way keep
    enough of the variance."""
    epsilons, shares = curve(model, model.lab.mechanism.key)
    return _from(model, epsilons, shares[1], components.epsilon(model))


def _from(model: components.ComponentsModel, values: Array, middle: Array, own: float) -> Passing:
    fits = kept(model)[1] >= model.lab.enough
    return passing_beside(values, middle >= model.lab.enough, own, fits)


@once
def by_rows(model: components.ComponentsModel) -> Drawn:
    """(n, middle share of the chosen way at the chosen ε among so many rows like these).

    Noise that is so many times smaller against the second moments does what so many times more rows
    do, so that the curve against ε holds this one too.
    """
    epsilons, shares = curve(model, model.lab.mechanism.key)
    return components.n(model) * components.scale(model) / components.scales(
        model, epsilons
    ), shares[1]


def rows_needed(model: components.ComponentsModel) -> Passing:
    """From how many rows like these on, of those drawn and as many as there are, half of the draws
    keep enough at the chosen ε: in whole rows, the next on either side."""
    counts, shares = by_rows(model)
    found = _from(model, counts, shares, float(components.n(model)))
    before, at = found.before, found.at
    return Passing(before and math.floor(before), at and math.ceil(at))


@once
def directions(model: components.ComponentsModel) -> Array:
    """The directions of each draw of the chosen way at the chosen ε, shape (seeds, p, k)."""
    made, a = components.chosen(model), components.scatter(model)
    looking = _looking(model, made.key)
    return made.subspaces(a, model.k, components.move(model), seeds(model), looking, model.check)


@once
def scree(model: components.ComponentsModel) -> Array:
    """What a reader of the release takes for the variance along each component, per row, with 5, 50
    and 95 % of draws below, shape (3, p); where no matrix is published, the exact variance along
    the k directions, (3, k)."""
    made, a = components.chosen(model), components.scatter(model)
    if isinstance(made, MatrixWay):
        noisy = made.noisy(a, components.move(model), seeds(model), _looking(model, made.key))
        values = np.linalg.eigvalsh(noisy)[:, ::-1]
    else:
        values = along(a, directions(model))
    return np.asarray(np.quantile(values / components.n(model), BAND, axis=0))


def plotted(model: components.ComponentsModel) -> int:
    """How many rows are drawn as dots."""
    return min(_DOTS, components.n(model))


@once
def projected(model: components.ComponentsModel) -> tuple[Array, Array]:
    """Some rows in the plane of the first two exact components, shape (rows, 2), and the first two
    directions of one draw in it, (2, 2), a row each; p must be at least 2."""
    x = components.rows(model).x
    axes = leading(components.scatter(model), 2)
    order = SimulationRandom(model.lab.seed, STREAM - 1).generator.permutation(len(x))
    some = order[: plotted(model)]
    middle = x.mean(axis=0) if model.lab.centred else np.zeros(model.p)
    return (x[some] - middle) @ axes, directions(model)[0][:, :2].T @ axes
