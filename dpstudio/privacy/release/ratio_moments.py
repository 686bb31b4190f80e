"""The moments of a clamped ratio of two noisy answers, without its law.

E g(Z) = g(c) + ∫_c^∞ g'(v) P(Z > v) dv − ∫_-∞^c g'(v) P(Z ≤ v) dv, and for one value of the lower
answer Z is the noise of the upper one, shifted, scaled and clamped. So all that is needed are the
areas under the two tails of that noise, which are taken once and read off at every end.
"""

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms.law import Law, legendre

# Beyond this nothing of a law is seen. A lattice up to so many steps is summed, a wider one is
# smooth: straight lines between the middles of its steps are right to 1/width².
SURE = 1 - 1e-13
_MOST_STEPS = 20_000
_CELLS, _MOST_KINKS = 64, 200


def ratio_moments(
    numerator: Law, total: float, floors: Array, weights: Array, ends: tuple[float, float, float]
) -> tuple[float, float, float]:
    """(E D, E|D|, E D²) of D = clamp((total + X) / floor, low, high) − truth, for the floors with
    their weights; `ends` are low, truth and high, floors above 0."""
    low, truth, high = ends
    lines = np.array([low, truth, high])[:, None] * floors - total
    zero, one = _areas(numerator, lines)
    # Where the noise is 0: the quotient, clamped.
    held = np.clip(total / floors, low, high) - truth
    drift = total / floors - truth
    flat = np.diff(zero, axis=0) / floors
    means = held + flat.sum(axis=0)
    sizes = np.abs(held) + flat[1] - flat[0]
    squares = held**2 + 2 * (
        drift * flat.sum(axis=0) + np.diff(one, axis=0).sum(axis=0) / floors**2
    )
    return float(means @ weights), float(sizes @ weights), float(squares @ weights)


def _areas(law: Law, places: Array) -> tuple[Array, Array]:
    """(∫ T, ∫ x T) from 0 to each place, T(x) = P(X > x) above 0 and −P(X ≤ x) below; shape of
    `places`."""
    reach = law.half_width(SURE)
    x = np.clip(places, -reach, reach)
    if law.discrete and 2 * reach + 1 <= _MOST_STEPS:
        return _summed(law, x, round(reach))
    atoms = np.array([place for place, _ in law.atoms])
    bends = law.kinks(-reach, reach)
    bends = bends[np.argsort(np.abs(bends), kind="stable")[:_MOST_KINKS]]
    even = reach * np.linspace(-1, 1, 2 * _CELLS + 1) ** 3
    grid = np.unique(np.clip(np.concatenate([even, bends, atoms, [0.0]]), -reach, reach))
    zero, one = _below(law, grid[:-1], grid[1:])
    at_zero = int(np.searchsorted(grid, 0.0))
    sums = [np.concatenate([[0.0], np.cumsum(part)]) for part in (zero, one)]
    cell = np.clip(np.searchsorted(grid, x, side="right") - 1, 0, len(grid) - 2)
    rest = _below(law, grid[cell], x)
    made = [s[cell] - s[at_zero] + more for s, more in zip(sums, rest, strict=True)]
    return made[0], made[1]


def _below(law: Law, start: Array, end: Array) -> tuple[Array, Array]:
    """(∫ T, ∫ x T) from each start to each end, between which T is smooth and has one sign."""
    nodes, weights = legendre(8)
    middle, half = (start + end) / 2, (end - start) / 2
    x = middle[..., None] + half[..., None] * nodes
    if law.discrete:
        below = np.floor(x - 0.5)
        part, steps = x - 0.5 - below, law.cdf(np.stack([below, below + 1]))
        cdf = (1 - part) * steps[0] + part * steps[1]
    else:
        cdf = law.cdf(x)
    tail = np.where(x < 0, -cdf, 1 - cdf)
    return half * (tail @ weights), half * ((x * tail) @ weights)


def _summed(law: Law, x: Array, reach: int) -> tuple[Array, Array]:
    """`_areas` for noise in whole numbers up to `reach`: T is flat from each to the next."""
    k = np.arange(-reach, reach + 1)
    cdf = law.cdf(k)
    tail = array(np.where(k < 0, -cdf, 1 - cdf))
    at = np.floor(x).astype(int) + reach
    zero = np.concatenate([[0.0], np.cumsum(tail)])
    one = np.concatenate([[0.0], np.cumsum(tail * (k + 0.5))])
    return (
        zero[at] - zero[reach] + (x - k[at]) * tail[at],
        one[at] - one[reach] + (x**2 - k[at] ** 2) / 2 * tail[at],
    )
