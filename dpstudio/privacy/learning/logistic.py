"""Logistic regression by Newton's method: many models over the same rows at once, each at its exact
minimiser, which is what the proofs of its private forms need.

Rows lie in the unit ball, labels are −1 and +1. The objective is a sum over rows,
    F(w) = Σ ln(1 + e^(−y·w·x)) + b·w + Λ/2·‖w‖²;
a mean over n rows with λ/2·‖w‖² and b·w/n is the same with Λ = nλ.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError

LOST = 1e-8  # how far a model may lie from its minimiser, as a part of 1/Λ, which one row can do
# Numbers that one block of rows may hold: it stays in the cache, and OpenBLAS in one thread. From
# 2^18 on its threads wait for each other where the machine is busy, at six times the cost.
_CELLS = 1 << 16
_ONE_THREAD = 1 << 18  # multiplications of a product of matrices, for the same reason
_NARROW = 16  # columns up to which products of all pairs are cheaper than a product for each seed
_PASSES = 200
_ROUNDING = 1e-12  # of the objective: what rises less has not been seen to rise


def with_bias(x: Array, features: int | None = None) -> Array:
    """Rows of numbers in [−1, 1], shape (n, p), with a 1 behind each, all divided by √(features +
    1): within the unit ball whatever the data, shape (n, p + 1).

    `features` is how many numbers of a row can differ from 0 at once, by default p; of words coded
    as 0 and 1 each column counts once. Raises ParamError for numbers outside [−1, 1].
    """
    if len(x) and not np.abs(x).max() <= 1:
        raise ParamError("x", say("Scale the numbers to [−1, 1] by public bounds first."))
    most = x.shape[1] if features is None else features
    return np.asarray(np.column_stack([x, np.ones(len(x))]) / np.sqrt(most + 1))


def checked(x: Array, y: Array) -> None:
    """Raises ParamError unless every row lies in the unit ball and every label is −1 or +1."""
    if len(x) and not np.einsum("ij,ij->i", x, x).max() <= 1 + 1e-12:
        raise ParamError("x", say("A row is longer than 1: the proof holds in the unit ball only."))
    if not np.isin(y, (-1.0, 1.0)).all():
        raise ParamError("y", say("Labels are −1 and +1."))


def fit(x: Array, y: Array, ridge: ArrayLike, linear: Array | None = None) -> Array:
    """The minimisers for each Λ of `ridge` > 0, one number or (seeds,), and each b of `linear`,
    (seeds, d) or, for 0, None: shape (seeds, d), all in the same passes over the rows.

    Newton, with halved steps where the objective does not fall, until the gradient is shorter than
    `LOST`: since F is Λ-strongly convex, the minimiser is then nearer than LOST/Λ. Raises
    ParamError where Λ is not positive, ArithmeticError where 200 passes are not enough.
    """
    checked(x, y)
    strength = np.atleast_1d(np.asarray(ridge, dtype=np.float64))
    given = np.zeros((1, x.shape[1])) if linear is None else linear
    seeds = max(len(strength), len(given))
    strength = np.broadcast_to(strength, (seeds,))
    given = np.broadcast_to(given, (seeds, x.shape[1]))
    if not (np.isfinite(strength) & (strength > 0)).all():
        raise ParamError("ridge", say("Λ is a positive number."))
    rows = x * y[:, None]
    weights, step = np.zeros(given.shape), np.zeros(given.shape)
    value = np.full(seeds, np.inf)
    live = np.arange(seeds)  # those that are not there yet
    for _ in range(_PASSES):
        trial = weights[live] + step[live]
        at, slope, curve = taylor(rows, trial, strength[live], given[live])
        falls = at <= value[live] + _ROUNDING * np.abs(at)
        step[live[~falls]] /= 2
        better = live[falls]
        weights[better], value[better] = trial[falls], at[falls]
        step[better] = -np.linalg.solve(curve[falls], slope[falls][..., None])[..., 0]
        live = live[~falls | (np.linalg.norm(slope, axis=1) > LOST)]
        if not len(live):
            return weights
    raise ArithmeticError("Newton's method has not reached the minimum.")


def taylor(rows: Array, w: Array, ridge: Array, linear: Array) -> tuple[Array, Array, Array]:
    """F (seeds,), its gradient (seeds, d) and its Hessian (seeds, d, d) at `w` (seeds, d); `rows`
    are the y·x."""
    seeds, d = w.shape
    value = ((linear + ridge[:, None] / 2 * w) * w).sum(axis=1)
    slope = linear + ridge[:, None] * w
    curve = np.zeros((seeds, d, d))
    curve[:, range(d), range(d)] = ridge[:, None]
    upper, lower = np.triu_indices(d)
    block = _CELLS // (len(upper) + 3 * seeds) if d <= _NARROW else _ONE_THREAD // d**2
    block = max(16, block)
    for start in range(0, len(rows), block):
        part = rows[start : start + block]
        margin = w @ part.T
        small = np.exp(-np.abs(margin))
        value += (np.log1p(small) - np.minimum(margin, 0)).sum(axis=1)
        wrong = np.where(margin > 0, small, 1.0) / (1 + small)  # P(the other label)
        slope -= wrong @ part
        bend = wrong * (1 - wrong)
        if d > _NARROW:
            for seed in range(seeds):
                curve[seed] += (part.T * bend[seed]) @ part
        else:  # one product for all seeds
            curve[:, upper, lower] += bend @ (part[:, upper] * part[:, lower])
    curve[:, lower, upper] = curve[:, upper, lower]
    return value, slope, curve


def right(weights: Array, x: Array, y: Array) -> Array:
    """Share of rows on whose side each model puts them, a row on its line as +1: `weights` (...,
    d) gives shape (...)."""
    return np.asarray(((weights @ x.T >= 0) == (y > 0)).mean(axis=-1))
