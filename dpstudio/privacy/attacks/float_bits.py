"""Bit-level facts about doubles: which answers x + noise can be rounded to, and what share of them
tells two x apart."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw

Mask = NDArray[np.bool_]


def reachable(outputs: Array, x: float) -> Mask:
    """Whether any double n at all has fl(x + n) equal to the output; round half to even, no
    overflow.

    Rounding is monotone, so n = fl(y − x) or a neighbour of it does it if any n does: next to a
    power of two the doubles are closer on one side, and there the nearest n may round the wrong way
    where the next one does not.
    """
    n = outputs - x
    found = x + n == outputs
    for toward in (-np.inf, np.inf):
        found |= x + np.nextafter(n, toward) == outputs
    return np.asarray(found)


def last_bit(outputs: Array) -> Array:
    """The exponent j of the last bit that is set: y is an odd multiple of 2^j. NaN for 0."""
    mantissa, exponent = np.frexp(outputs)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    low = (whole & -whole).astype(np.float64)
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(outputs == 0, np.nan, exponent - 53 + np.log2(low)))


def spacing(outputs: Array, x: float) -> Array:
    """The grid on which outputs of x + noise lie near a place: that of doubles there, or that of
    the noise if it is coarser.

    For a whole x, of which every such grid is a divisor.
    """
    return np.maximum(np.spacing(np.abs(outputs)), np.spacing(np.abs(outputs - x)))


def _cells(x: float, other: float, reach: float) -> Array:
    """Ends of cells in which both spacings are constant: powers of two about 0, x and the other
    answer."""
    top = int(np.ceil(np.log2(reach + abs(x) + abs(other) + 1)))
    powers = 2.0 ** np.arange(-70, top + 1)
    steps = np.concatenate([-powers, [0.0], powers])
    return np.unique(np.concatenate([steps, x + steps, other + steps]))


def proving_share(epsilon: ArrayLike, x: float, other: float, *, grid: bool = False) -> Array:
    """P(x + Lap(1/ε), rounded, is a double that other + noise can never be), whatever samples it;
    shape of `epsilon`.

    Within a cell the outputs of x lie on one grid, evenly but for what is smaller than a spacing,
    and those of the other answer on another. Where that is coarser, only one output in (its spacing
    / ours) lies on it. With `grid` the other answer's grid is its finest one everywhere: a weaker
    test. (After Mironov 2012.) Where 1/ε is a round number the low bits of its product with a
    logarithm are not even, and the share may be some percent less.
    """
    rates = np.atleast_1d(np.asarray(epsilon, dtype=np.float64))
    if other == 0:  # whatever is a double may be noise on 0
        return np.zeros(len(rates))
    ends = _cells(x, other, 800 / float(rates.min()))
    middles = (ends[1:] + ends[:-1]) / 2
    missed = 1 - np.minimum(
        1.0, spacing(middles, x) / (finest(other) if grid else spacing(middles, other))
    )
    away = ends - x
    # A cell ends at x itself: each lies on one side, and its mass is the difference of two tails of
    # that side.
    tails = LaplaceLaw(1.0).cdf(-np.abs(away) * rates[:, None])
    return np.asarray(np.abs(np.diff(tails)) @ missed)


def finest(x: float) -> float:
    """The finest grid on which any output of x + noise lies: 2^j, for x = 0 the smallest double."""
    if x == 0:
        return 5e-324
    ends = _cells(x, x, 4 * abs(x) + 4)
    return float(np.min(spacing((ends[1:] + ends[:-1]) / 2, x)))


def off_grid(outputs: Array, other: float) -> Mask:
    """Which outputs are no multiple of the finest grid of the other answer, and so cannot be its
    own; none for 0."""
    if other == 0:
        return np.zeros(len(outputs), dtype=np.bool_)
    steps = outputs / finest(other)
    return np.asarray(steps != np.rint(steps))
