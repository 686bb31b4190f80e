"""A private choice among candidates by their scores: the exact chance of each."""

import math

import numpy as np
from scipy import special
from tables import finite, round_above


def exponential_chances(z):
    """P(i) proportional to exp(z_i), z the score in units of the noise (McSherry & Talwar 2007)."""
    return np.exp(z - special.logsumexp(z))


def noisy_max_chances(z):
    """P(z_i + Laplace noise is the largest): the integral of f(x - z_i) over the product of F(x -
    z_j) of all others (Dwork & Roth 2014, Claim 3.9)."""
    z = z - z.max()
    low, high = np.sort(z)[-2 if len(z) > 1 else -1] - 50.0, 50.0 + math.log(len(z))
    kinks = np.unique(np.concatenate([[low], z[z > low], [high]]))
    widths = np.diff(kinks)
    ends = np.concatenate(
        [
            np.linspace(a, a + w, math.ceil(w / 0.5) + 1)[:-1]
            for a, w in zip(kinks, widths, strict=False)
        ]
    )
    ends = np.append(ends, high)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    half = np.diff(ends)[:, None] / 2
    x = ((ends[1:] + ends[:-1])[:, None] / 2 + half * nodes).ravel()
    weight = (half * weights).ravel()
    gap = x[:, None] - z
    log_under = np.where(
        gap < 0, np.minimum(gap, 0.0) - math.log(2), np.log1p(-np.exp(-np.abs(gap)) / 2)
    )
    log_density = -np.abs(gap) - math.log(2)
    everybody = log_under.sum(axis=1)[:, None]
    return weight @ np.exp(everybody - log_under + log_density)


def flip_chances(z):
    """Permute-and-flip (McKenna & Sheldon 2020): candidates in random order, each kept with
    probability p = exp(z); i is kept at place t with chance p_i times the product of 1 - p_j t."""
    p = np.exp(z - z.max())
    nodes, weights = np.polynomial.legendre.leggauss(min(600, len(p) // 2 + 2))
    t, weights = (nodes + 1) / 2, weights / 2
    missed = np.log1p(-p[:, None] * t)
    return p * (np.exp(missed.sum(axis=0) - missed) @ weights)


def least_within(errors, chances, confidence):
    """The least error that this share of winners is within."""
    return float(min(e for e in errors if chances[errors > e].sum() <= 1 - confidence + 1e-15))


def quantile_scores(values, grid, q):
    """By how many rows each value of a grid misses the q-quantile, with a minus."""
    values = np.sort(finite(values))
    target = q * len(values)
    below = np.searchsorted(values, grid, side="left")
    up_to = np.searchsorted(values, grid, side="right")
    return -np.maximum(np.maximum(below - target, target - up_to), 0.0)


def proposed_grid(values, low, high, points):
    """A grid of which one end at least comes from the data: round numbers where both do."""
    seen = finite(values)
    least, most = float(seen.min()), float(seen.max())
    if low is None and high is None:
        step = round_above((most - least or 1.0) / max(1, points - 2))
        if np.all(seen == np.floor(seen)):
            step = float(max(1, math.ceil(step)))
        first, last = math.floor(least / step), math.ceil(most / step)
        return np.array([float(f"{k * step:.12g}") for k in range(first, max(last, first + 1) + 1)])
    low = low if low is not None else min(least, (high or 0.0) - 1)
    return equal_grid(low, high if high is not None else max(most, low + 1), points)


def equal_grid(low, high, points):
    """Values at equal steps."""
    return np.array([float(f"{value:.15g}") for value in np.linspace(low, high, points)])


def numbers_in(column):
    """The different numbers of a column."""
    return np.unique(finite(column))


def told(value):
    """A number as it is written on the page."""
    return f"{value:,.12g}".replace("-", "−")
