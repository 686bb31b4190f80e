"""Differencing: two noisy totals, with one person and without, are subtracted. What is left is the
person's part and the difference of two noises."""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Law, legendre

_PANELS, _NODES, _REST = 200, 8, 1e-13


def below(law: Law, at: Array) -> Array:
    """P(X − Y < t) + ½·P(X − Y = t) at each t of `at`, for independent noises X and Y of one law;
    shape of `at`. Closed forms for Laplace and Gaussian noise, else summed over integers, or
    integrated between kinks, to 1e-9."""
    at = np.asarray(at, dtype=np.float64)
    if isinstance(law, LaplaceLaw):
        far = np.abs(at) / law.b
        tail = np.exp(-far) * (2 + far) / 4
        return np.asarray(np.where(at < 0, tail, 1 - tail))
    if isinstance(law, GaussianLaw):
        return GaussianLaw(math.sqrt(2) * law.sigma).cdf(at)
    places, masses = _discrete(law) if law.discrete else _nodes(law, at)
    found = [float(np.sum(masses * _middle(law, t + places))) for t in at.ravel().tolist()]
    return np.asarray(np.reshape(found, at.shape))


def right(law: Law, gap: float) -> float:
    """How often a guess of whether a person adds `gap` > 0 or nothing is right, both as likely
    before, that goes by which of them the difference is nearer to."""
    return float(below(law, np.array([gap / 2]))[0])


def _discrete(law: Law) -> tuple[Array, Array]:
    reach = -float(law.quantile(np.array([_REST]))[0])
    k = np.arange(-math.ceil(reach), math.ceil(reach) + 1.0)
    return k, law.density(k)


def _nodes(law: Law, at: Array) -> tuple[Array, Array]:
    """Places and masses that stand for one noise: nodes between its kinks, and its atoms."""
    reach = -float(law.quantile(np.array([_REST]))[0])
    cuts = [law.kinks(-reach, reach)]
    cuts += [law.kinks(-reach, reach) - t for t in at.ravel()[:3].tolist()]
    ends = np.unique(np.concatenate([np.linspace(-reach, reach, _PANELS), *cuts]))
    ends = ends[(ends >= -reach) & (ends <= reach)]
    nodes, weights = legendre(_NODES)
    half = np.diff(ends)[:, None] / 2
    x = ((ends[1:] + ends[:-1])[:, None] / 2 + half * nodes).ravel()
    atoms = np.array(law.atoms).reshape(-1, 2)
    masses = (half * weights).ravel() * law.density(x)
    return np.concatenate([x, atoms[:, 0]]), np.concatenate([masses, atoms[:, 1]])


def _middle(law: Law, x: Array) -> Array:
    """P(X < x) + ½·P(X = x)."""
    if law.discrete:
        floor = np.floor(x)
        return np.asarray(law.cdf(floor) - np.where(floor == x, law.density(floor) / 2, 0.0))
    tied = sum((mass * (x == place) for place, mass in law.atoms), np.zeros_like(x))
    return np.asarray(law.cdf(x) - tied / 2)
