"""Many owners: what the encrypted and the serial protocol keep and cost, and noise in parts."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.models.components.draws import BAND, seeds
from dpstudio.labs.models.components.model import (
    ComponentsModel,
    chosen,
    delta,
    epsilon,
    move,
    n,
    rows,
    scatter,
)
from dpstudio.labs.models.components.parameters import OWNERS_MOST, ManyOwners
from dpstudio.labs.models.components.protocol import Clock, Live, seconds
from dpstudio.privacy.learning import owners as protocol
from dpstudio.privacy.learning.components import captured, leading, second_moments
from dpstudio.privacy.learning.partial_noise import bare, variance
from dpstudio.privacy.learning.sorting import f1_scores
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma
from dpstudio.privacy.sampling import SimulationRandom

_SIZES = 6
_SORTED = 600  # rows that are learnt from, and as many to test with
_MACHINES = 20  # learnt for each band of scores
STREAM = 75


@dataclass(frozen=True, eq=False)
class WorkSoFar:
    """What came of long work so far: `sizes` of rows per owner; the share of the variance that the
    encrypted and the serial protocol keep there, (3, sizes) each; F1 likewise, with the noiseless
    line (sizes,)."""

    live: Live | None = None
    clock: Clock | None = None
    sizes: Array = field(default_factory=lambda: array([]))
    pooled: Array | None = None
    serial: Array | None = None
    f1_sizes: Array = field(default_factory=lambda: array([]))
    f1: tuple[Array, Array, Array] | None = None


@dataclass(frozen=True, eq=False)
class OwnersModel(ComponentsModel):
    """A state with many owners, and what is found of it so far."""

    found: WorkSoFar = field(default_factory=WorkSoFar)


def owners_model(model: ComponentsModel, found: WorkSoFar) -> OwnersModel:
    """The state with what was found."""
    held = {f.name: getattr(model, f.name) for f in fields(ComponentsModel)}
    return OwnersModel(**held, found=found)


@once
def cost(model: OwnersModel) -> tuple[Array, Array, Array]:
    """(owners, seconds of the encrypted protocol, of the serial one): computation alone. KeyError
    before operations are timed."""
    timed = model.found.clock
    if timed is None:
        raise KeyError("operations are timed later")
    counts = np.unique(np.geomspace(3, OWNERS_MOST, 12).astype(int))
    encrypted = np.array([seconds(model, timed, int(c)) for c in counts])
    return counts.astype(np.float64), encrypted, counts * timed.turn


# What the two protocols keep


def sizes(model: ComponentsModel, many: ManyOwners, of: int) -> Array:
    """Rows per owner that are tried, up to all of `of` rows."""
    most = max(1, of // many.owners)
    least = min(most, max(5, model.k + 1))
    count = model.effort.of_points(_SIZES, 3)
    return np.unique(np.geomspace(least, most, count).round()).astype(np.float64)


def order(model: ComponentsModel) -> NDArray[np.int64]:
    """The rows in a seeded order."""
    return SimulationRandom(model.lab.seed, STREAM).generator.permutation(n(model))


def compare(model: ComponentsModel, many: ManyOwners, context: Context) -> Iterator[WorkSoFar]:
    """What both protocols keep by rows per owner, size after size."""
    x, a = rows(model).x[order(model)], scatter(model)
    tried, pooled, serial = sizes(model, many, n(model)), [], []
    for size in tried:
        part = x[: int(size) * many.owners]
        pooled.append(captured(a, _pooled(model, part)))
        serial.append(captured(a, _serial(model, many, part, context)))
        done = tried[: len(pooled)]
        yield WorkSoFar(sizes=done, pooled=_band(pooled), serial=_band(serial))


def _band(found: list[Array]) -> Array:
    return array(np.quantile(found, BAND, axis=1))


def _pooled(model: ComponentsModel, x: Array) -> Array:
    """The directions of the encrypted protocol: those of the pooled rows with one noise."""
    made = chosen(model)
    return made.subspaces(
        second_moments(x, model.lab.centred),
        model.k,
        move(model),
        seeds(model),
        (model.lab.seed, STREAM + 1),
    )


def _serial(model: ComponentsModel, many: ManyOwners, x: Array, context: Context) -> Array:
    """Those of the serial protocol, with Gaussian noise of each owner for the same (ε, δ)."""
    sigma = analytic_sigma(epsilon(model), delta(model), move(model).l2)
    scatters = protocol.scatters_of(x, many.owners, model.lab.centred)
    rng = SimulationRandom(model.lab.seed, STREAM + 2).generator
    return context.work(protocol.serial_subspaces, scatters, model.k, sigma, seeds(model), rng)


def sort(model: ComponentsModel, many: ManyOwners, context: Context) -> Iterator[WorkSoFar]:
    """F1 of an RBF support vector machine on the projected rows, by rows per owner. The machine
    itself is not private, nor is the score. Nothing where there are no rows to test with."""
    held, turn = rows(model), order(model)
    x, y = held.x[turn], held.y[turn]
    kept = min(_SORTED, len(x) // 3)
    if not kept:
        return
    test, rest = (x[:kept], y[:kept]), (x[kept:], y[kept:])
    tried, machines = sizes(model, many, len(rest[0])), model.effort.of_draws(_MACHINES, 3)
    found: list[list[Array]] = [[], [], []]
    for size in tried:
        part = rest[0][: int(size) * many.owners]
        train = part[:kept], rest[1][: len(part)][:kept]
        exact = leading(second_moments(part, model.lab.centred), model.k)
        drawn = _pooled(model, part), _serial(model, many, part, context)
        ways = drawn[0][:machines], drawn[1][:machines], exact[None]
        for into, axes in zip(found, ways, strict=True):
            into.append(context.work(f1_scores, axes, *train, *test))
        bands = _band(found[0]), _band(found[1]), array(np.concatenate(found[2]))
        yield WorkSoFar(f1_sizes=tried[: len(found[2])], f1=bands)


def both(one: WorkSoFar, other: WorkSoFar) -> WorkSoFar:
    """What either found."""
    new = {
        name: value
        for name, value in vars(other).items()
        if value is not None and not (isinstance(value, np.ndarray) and not len(value))
    }
    return replace(one, **new)


# Noise in parts


def part_cost(many: ManyOwners) -> float:
    """How many times the deviation is that of one Laplace noise, where parts of the chosen family
    are safe from the colluding owners."""
    return float(np.sqrt(variance(many.parts, many.owners, many.colluding) / 2))


def part_bare(model: ComponentsModel, many: ManyOwners) -> float:
    """The ε that gamma parts keep against them where nobody adds more than their share."""
    return bare(epsilon(model), many.owners, many.colluding)


def whole(model: ComponentsModel) -> tuple[float, float] | None:
    """The middle shares that the encrypted and the serial protocol keep with the most rows tried;
    None before all are."""
    if not isinstance(model, OwnersModel):
        return None
    found, many = model.found, model.many
    if found.pooled is None or found.serial is None or many is None:
        return None
    if len(found.sizes) < len(sizes(model, many, n(model))):
        return None
    return float(found.pooled[1, -1]), float(found.serial[1, -1])


def cost_here(model: OwnersModel) -> float | None:
    """Seconds that the encrypted protocol computes; None before operations are timed."""
    if model.found.clock is None or model.many is None:
        return None
    return seconds(model, model.found.clock, model.many.owners)
