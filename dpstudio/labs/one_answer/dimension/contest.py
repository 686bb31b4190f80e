"""Two mechanisms against each other as k grows: the k, real, at which they err alike."""

import math
from itertools import pairwise

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.one_answer.dimension.noise import SHAPES, reach, unit_error
from dpstudio.labs.one_answer.dimension.parameters import K_MOST
from dpstudio.values.roots import root

# The k on which a contest is tabulated.
KNOTS = np.geomspace(1.0, K_MOST, 161)
_EQUAL = 1e-11  # logarithms of errors closer than this are equal


def log_gap(pair: tuple[str, str], growth: str, measure: str, k: Array, confidence: float) -> Array:
    """ln of the error of the first mechanism over that of the second at unit scales on `k`
    coordinates, shape of `k`: what is left of their contest without ε and δ."""
    one, other = (
        np.log(unit_error(SHAPES[key], measure, k, confidence) * reach(key, growth, k))
        for key in pair
    )
    return np.asarray(one - other)


def crossings(
    pair: tuple[str, str],
    growth: str,
    measure: str,
    confidence: float,
    log_ratio: float,
    grid: Array,
) -> tuple[float, ...]:
    """Every k in (1, 10,000) at which the errors of a pair are equal, ascending. `log_ratio` is ln
    of the ratio of their scales, `grid` is `log_gap` on KNOTS."""

    def gap(log_k: float) -> float:
        k = np.array([math.exp(log_k)])
        return float(log_gap(pair, growth, measure, k, confidence)[0]) + log_ratio

    found = []
    ends = zip(np.log(KNOTS).tolist(), _levelled(grid + log_ratio).tolist(), strict=True)
    for (a, fa), (b, fb) in pairwise(ends):
        if fa * fb < 0:
            found.append(math.exp(root(gap, a, b)))
        elif fa == 0 and a > 0:
            found.append(math.exp(a))
    return tuple(found)


def first_crossings(grid: Array, log_ratios: Array) -> Array:
    """The first crossing for each of the `log_ratios`, same shape, by interpolation between the
    knots; NaN where there is none."""
    values = _levelled(grid[None, :] + np.asarray(log_ratios)[:, None])
    change = values[:, :-1] * values[:, 1:] < 0
    at = np.argmax(change, axis=1)
    rows = np.arange(len(values))
    low, high = values[rows, at], values[rows, at + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_k = np.log(KNOTS[at]) + (np.log(KNOTS[at + 1]) - np.log(KNOTS[at])) * low / (low - high)
    return np.where(change.any(axis=1), np.exp(log_k), np.nan)


def _levelled(values: Array) -> Array:
    """Laplace and L2-norm noise are one at k = 1: that is where they part, not where they cross."""
    return np.where(np.abs(values) < _EQUAL, 0.0, values)


def after(crossing: float) -> int:
    """The first whole k beyond a crossing; at a whole crossing itself the two still err alike."""
    return math.floor(crossing * (1 + _EQUAL)) + 1
