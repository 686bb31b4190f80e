"""Noise for components as it is printed, and what it really keeps. Nothing here is used for a
release."""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.gdp import gdp_epsilon
from dpstudio.privacy.mechanisms.gaussian import textbook_factor


def centred_epsilon(epsilon: Array, delta: float, l2: float) -> Array:
    """The ε that N(0, 2 ln(1.25/δ)/ε²) noise, which is meant for Δ₂ = 1, really keeps at this δ on
    second moments that one person moves by `l2`: exact. Shape of `epsilon`."""
    return gdp_epsilon(l2 * np.asarray(epsilon) / textbook_factor(delta), delta)


def power_sigma(epsilon: Array, delta: float, steps: int) -> Array:
    """√(4L ln(1/δ))/ε, to be multiplied by the largest entry of X in each step (Hardt & Price 2014,
    figure 3). Proven for one entry of the matrix that changes by 1, not for one row of data."""
    return np.asarray(math.sqrt(4 * steps * math.log(1 / delta)) / np.asarray(epsilon))


def power_epsilon(epsilon: Array, delta: float, steps: int, p: int) -> Array:
    """The ε that this noise keeps at best at this δ for one row |x| ≤ 1 that comes or goes: where
    all entries of X are 1/√p and the row lies along X, each step moves by 1 under noise of σ/√p.
    Shape of `epsilon`."""
    return gdp_epsilon(math.sqrt(steps * p) / power_sigma(epsilon, delta, steps), delta)


def wishart_delta(epsilon: float) -> float:
    """P(an output is impossible without one row of length 1) of A + W, W ~ W_{p+1}(3/(2nε)·I): its
    δ is at least so much, at every ε (Sheffet 2019)."""
    return -math.expm1(-epsilon / 3)
