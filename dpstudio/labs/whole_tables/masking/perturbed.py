"""Numbers handed in with noise, and their spread rebuilt step by step."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.masking.choices.operations import STEPS_MOST, Perturb
from dpstudio.labs.whole_tables.masking.model import MaskingModel
from dpstudio.labs.whole_tables.rows.model import n
from dpstudio.privacy.anonymity.noise import Noise
from dpstudio.privacy.anonymity.rebuilt import rebuilt

STREAM, _BINS, _SHARE = 79, 40, 0.95


@dataclass(frozen=True, eq=False)
class Handed:
    """Numbers as they are and as they are handed in, (n,), on the line where noise is added; the
    `grid` on which they are rebuilt and its edges, there too."""

    true: Array
    noisy: Array
    grid: Array
    edges: Array
    noise: Noise


def _operation(model: MaskingModel) -> Perturb:
    operation = model.lab.operation
    assert isinstance(operation, Perturb)
    return operation


def line_of(model: MaskingModel) -> Array:
    """The numbers of the first quasi-identifier, or their logarithms, (n,)."""
    x = model.rows.columns[0].quasi.places
    return np.log(x) if _operation(model).times else x


@once
def handed(model: MaskingModel) -> Handed:
    """Everybody's number with noise of one's own."""
    operation, x = _operation(model), line_of(model)
    low, high = float(x.min()), float(x.max())
    reach = max(high - low, 1e-9)
    noise = Noise(operation.law, operation.deviation * reach)
    rng = np.random.default_rng((model.lab.seed, STREAM))
    many = int(reach) + 1 if _steps_of_one(model, x) else _BINS
    grid = np.linspace(low, low + reach, many)
    half = (grid[1] - grid[0]) / 2
    edges = np.append(grid - half, grid[-1] + half)
    noisy = x + noise.drawn(n(model), rng)
    return Handed(array(x), array(noisy), array(grid), array(edges), noise)


def _steps_of_one(model: MaskingModel, x: Array) -> bool:
    """Whether whole numbers are few enough to be rebuilt one by one."""
    column = model.rows.columns[0]
    few = 1 <= float(np.ptp(x)) < 2 * _BINS
    return column.whole and not _operation(model).times and few


def shown_at(model: MaskingModel) -> Array:
    """The numbers that stand for the grid, (points,)."""
    grid = handed(model).grid
    return array(np.exp(grid)) if _operation(model).times else grid


@once
def as_handed(model: MaskingModel) -> Array:
    """The noisy numbers as the column holds them, (n,)."""
    noisy = handed(model).noisy
    return array(np.exp(noisy)) if _operation(model).times else noisy


@once
def spreads(model: MaskingModel) -> tuple[Array, Array, Array]:
    """Shares on the grid: true, as handed in, where what lies beyond the grid is missing, and
    rebuilt after as many steps as are set; (points,)."""
    made = handed(model)
    true, noisy = (np.histogram(x, made.edges)[0] / n(model) for x in (made.true, made.noisy))
    return array(true), array(noisy), _all_steps(model)[_operation(model).steps]


@once
def _all_steps(model: MaskingModel) -> list[Array]:
    made = handed(model)
    asked = "rebuilt", model.lab.table, model.lab.operation.with_(steps=0)

    def work() -> list[Array]:
        steps = rebuilt(made.noisy, made.noise, made.grid)
        return [array(shares) for shares in islice(steps, STEPS_MOST + 1)]

    return list(model.data.remember((*asked, model.lab.seed), lambda: tuple(work())))


@once
def by_steps(model: MaskingModel) -> Array:
    """The total variation between the true spread and the rebuilt one, after 0, 1, … steps."""
    true = spreads(model)[0]
    return array([float(np.abs(each - true).sum()) / 2 for each in _all_steps(model)])


@once
def noisy_distance(model: MaskingModel) -> float:
    """The same of the numbers as they are handed in; all beyond the grid counts."""
    true, noisy, _ = spreads(model)
    return float(np.abs(noisy - true).sum() + 1 - noisy.sum()) / 2


def rebuilt_distance(model: MaskingModel) -> float:
    """The same after as many steps as are set."""
    return float(by_steps(model)[_operation(model).steps])


def best_steps(model: MaskingModel) -> int:
    """After how many steps it is least."""
    return int(np.argmin(by_steps(model)))


@once
def off_by(model: MaskingModel) -> float:
    """How far one number is from what was handed in, on average."""
    return float(np.abs(as_handed(model) - model.rows.columns[0].quasi.places).mean())


def hidden_within(model: MaskingModel) -> float:
    """How wide the interval is in which a number lies at 95 %: of a product the ratio of its
    ends."""
    width = handed(model).noise.width(_SHARE)
    return float(np.exp(width)) if _operation(model).times else width


def confidence() -> float:
    """The share of the noise that it holds."""
    return _SHARE


def local_epsilon(model: MaskingModel) -> float:
    """The local ε, were the ends of the column public; ∞ where the law has none."""
    return handed(model).noise.epsilon(float(np.ptp(handed(model).true)))
