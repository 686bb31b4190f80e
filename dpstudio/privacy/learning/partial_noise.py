"""Noise in parts: what each of many owners adds so that all parts together are one Laplace noise,
and what it costs to be safe from owners who take their parts off again (Goryczka & Xiong 2017)."""

from collections.abc import Mapping

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.values.messages import N_

FAMILIES: Mapping[str, str] = {
    "gamma": N_("gamma parts"),
    "gaussian": N_("Gaussian parts"),
    "laplace": N_("Laplace parts"),
}


def parts(family: str, owners: int, colluding: int, draws: int, rng: np.random.Generator) -> Array:
    """The sum of the parts of all owners in so many draws, shape (draws,), for b = 1: it is Lap(1)
    where nobody colludes. Parts are of the size that those of the owners who do not collude make a
    whole Laplace noise: `honest` of them.

    gamma: each adds G − G′ of shape 1/honest. Gaussian: four sums of N(0, 1/(2·honest)) parts, N₁²
    + N₂² − N₃² − N₄². Laplace: √B times the sum of Lap(1), B ~ Beta(1, honest − 1) drawn once for
    all. ValueError for less than two owners that do not collude.
    """
    honest = _honest(owners, colluding)
    if family == "gamma":
        plus, minus = rng.gamma(1 / honest, size=(2, owners, draws)).sum(axis=1)
        return np.asarray(plus - minus)
    if family == "gaussian":
        size = np.sqrt(0.5 / honest)
        one, two, three, four = rng.normal(0, size, (4, owners, draws)).sum(axis=1)
        return np.asarray(one**2 + two**2 - three**2 - four**2)
    total = rng.laplace(size=(owners, draws)).sum(axis=0)
    return np.asarray(np.sqrt(rng.beta(1, honest - 1, draws)) * total)


def variance(family: str, owners: int, colluding: int) -> float:
    """The variance of that sum: 2 where nobody colludes. Gamma and Laplace parts add up, and cost
    owners/honest times as much; Gaussian parts are squared after they are summed, and cost its
    square."""
    factor = owners / _honest(owners, colluding)
    return 2 * factor**2 if family == "gaussian" else 2 * factor


def bare(epsilon: float, owners: int, colluding: int) -> float:
    """The ε that gamma parts made for all owners keep against `colluding` of them, who take off
    their own; ∞ where what is left has no finite one.

    What is left is a difference of two gammas of shape s = 1 − colluding/owners, with density ∝
    |x|^(s − 1/2)·K(|x|), K = K_(s − 1/2); for s ≤ 1/2 it has a pole at 0. Above, the largest ratio
    is that of 0 to a shift by Δ = ε (b = 1), since ln of the density is convex on each side and
    steepest at 0.
    """
    _honest(owners, colluding)
    from scipy import special

    s = 1 - colluding / owners
    if colluding == 0:
        return epsilon
    if s <= 0.5:
        return float("inf")
    order = s - 0.5
    at_zero = special.gammaln(order) + (order - 1) * np.log(2)
    at_shift = order * np.log(epsilon) + np.log(special.kve(order, epsilon)) - epsilon
    return float(at_zero - at_shift)


def _honest(owners: int, colluding: int) -> int:
    if not 0 <= colluding <= owners - 2:
        raise ValueError("at least two owners do not collude")
    return owners - colluding
