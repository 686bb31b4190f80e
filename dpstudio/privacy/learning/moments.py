"""Second moments of rows in the unit ball with noise: one release that regressions, classifiers and
components are read from.

Rows z, shape (n, p), have ‖z‖₂ ≤ 1; their moments are M = Σ zzᵀ, symmetric (p, p). For learning a
row is z = (x, 1, y)/√(features + 2). M is a sum over rows, so it is released for either adjacency:
`moved` is how many rows one person adds or removes, twice that where they are replaced (`moves`).
"""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.eigenvectors import eigh
from dpstudio.privacy.learning.logistic import with_bias
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.queries.query import REPLACE
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError

_ALIKE = 1e-12  # what rounding leaves of a spread that is none, as a part of Σ y²


def joined(x: Array, y: Array, features: int | None = None) -> Array:
    """Rows (x, 1, y)/√(features + 2) of numbers `x` (n, p) and `y` (n,) in [−1, 1], in the unit
    ball whatever the data, shape (n, p + 2). `features` as in `with_bias`, which also refuses."""
    most = x.shape[1] if features is None else features
    z = with_bias(np.column_stack([x, y]), most + 1)
    z[:, [-2, -1]] = z[:, [-1, -2]]
    return z


def second_moments(z: Array) -> Array:
    """M = Σ zzᵀ, shape (p, p). Raises ParamError for a row longer than 1."""
    if len(z) and not np.einsum("ij,ij->i", z, z).max() <= 1 + 1e-12:
        raise ParamError("x", say("A row is longer than 1: the proof holds in the unit ball only."))
    return np.asarray(z.T @ z)


def l2_sensitivity(adjacency: str, most: int = 1) -> float:
    """How far one person with `most` rows moves the upper triangle of M, in L2: most for add or
    remove, since ‖zzᵀ‖ = ‖z‖² ≤ 1; most·√2 for replace, since ‖zzᵀ − vvᵀ‖² = ‖z‖⁴ + ‖v‖⁴ − 2(z·v)².
    """
    return most * (math.sqrt(2) if adjacency == REPLACE else 1.0)


def l1_sensitivity(p: int, adjacency: str, most: int = 1) -> float:
    """The same in L1: Σ_(i≤j) |z_i z_j| = (‖z‖₁² + ‖z‖₂²)/2 ≤ (p + 1)/2 a row, twice that for
    replace."""
    return most * (p + 1) / 2 * (2 if adjacency == REPLACE else 1)


def gaussian_scale(epsilon: float, delta: float, adjacency: str, most: int = 1) -> float:
    """σ of the noise on each entry of the upper triangle (Dwork, Talwar, Thakurta & Zhang 2014,
    "Analyze Gauss"), calibrated exactly (Balle & Wang 2018): (ε, δ)-DP."""
    return analytic_sigma(epsilon, delta, l2_sensitivity(adjacency, most))


def laplace_scale(epsilon: float, p: int, adjacency: str, most: int = 1) -> float:
    """b of Laplace noise on each entry of the upper triangle: ε-DP."""
    return l1_sensitivity(p, adjacency, most) / epsilon


def symmetric(entries: Array) -> Array:
    """Symmetric matrices (..., p, p) of their upper triangles row by row, (..., p(p + 1)/2)."""
    p = (math.isqrt(8 * entries.shape[-1] + 1) - 1) // 2
    upper, lower = np.triu_indices(p)
    out = np.empty((*entries.shape[:-1], p, p))
    out[..., upper, lower] = out[..., lower, upper] = entries
    return out


def gaussian_noise(rng: np.random.Generator, seeds: int, p: int) -> Array:
    """Symmetric matrices with N(0, 1) in the upper triangle, shape (seeds, p, p)."""
    return symmetric(rng.standard_normal((seeds, p * (p + 1) // 2)))


def balanced_noise(rng: np.random.Generator, seeds: int, p: int) -> Array:
    """The same with entries off the diagonal √2 times smaller, private at the same σ: on (M_ii,
    √2·M_ij) a row moves by ‖zzᵀ‖ in the Frobenius norm, which is what `l2_sensitivity` bounds."""
    return np.asarray(
        gaussian_noise(rng, seeds, p) * (np.eye(p) + math.sqrt(0.5) * (1 - np.eye(p)))
    )


def laplace_noise(rng: np.random.Generator, seeds: int, p: int) -> Array:
    """Symmetric matrices with Laplace noise of scale 1 in the upper triangle, (seeds, p, p)."""
    entries = p * (p + 1) // 2
    return symmetric(LaplaceLaw(1.0).sample(rng, seeds * entries).reshape(seeds, entries))


def solve_trimmed(moments: Array, ridge: float = 0.0) -> Array:
    """The same with the directions left out in which noise has made the quadratic form no longer
    positive (spectral trimming, Zhang et al. 2012, section 6.2)."""
    inner = moments[..., :-1, :-1] + ridge * np.eye(moments.shape[-1] - 1)
    values, vectors = eigh(inner)
    turned = np.einsum("...ij,...i->...j", vectors, moments[..., :-1, -1])
    kept = np.where(values > 0, turned / np.where(values > 0, values, 1.0), 0.0)
    return np.asarray(np.einsum("...ij,...j->...i", vectors, kept))


def alike(y: Array) -> bool:
    """Whether numbers (n,) differ by no more than rounding, so that `r_squared` finds nothing to
    explain in them."""
    return bool(np.sum((y - y.mean()) ** 2) <= _ALIKE * np.sum(y**2))


def r_squared(weights: Array, moments: Array) -> Array:
    """1 − Σ(y − ŷ)²/Σ(y − ȳ)² on the table whose exact `moments` (p, p) are given, the last but one
    of a row being its 1 and the last its y: shape (...) for weights (..., p − 1). Where all y are
    alike nothing is to be explained: 1 without an error, else 0, as scikit-learn says."""
    error = (
        np.einsum("...i,ij,...j->...", weights, moments[:-1, :-1], weights)
        - 2 * weights @ moments[:-1, -1]
        + moments[-1, -1]
    )
    spread = moments[-1, -1] - moments[-2, -1] ** 2 / moments[-2, -2]
    nothing = _ALIKE * moments[-1, -1]
    if spread <= nothing:
        return np.asarray(np.where(error <= nothing, 1.0, 0.0))
    return np.asarray(1 - error / spread)
