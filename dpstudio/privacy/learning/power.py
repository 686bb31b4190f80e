"""The noisy power method: subspaces from a few products with noise (Hardt & Price 2014)."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.gdp import gdp_epsilon
from dpstudio.privacy.learning.components import Moved
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma


def step_sigma(epsilon: float, delta: float, moved: Moved, steps: int) -> float:
    """σ of the noise on each entry of AX in each of so many steps, (ε, δ) in all.

    X is orthonormal, so one person moves AX by at most `moved.l2`; steps that use what earlier ones
    gave compose as Gaussians do, to μ² = Σ(Δ₂/σ)² exactly (Dong, Roth & Su 2022, Corollary 3.3).
    """
    return math.sqrt(steps) * analytic_sigma(epsilon, delta, moved.l2)


def printed_sigma(epsilon: float, delta: float, steps: int) -> float:
    """As printed: √(4L ln(1/δ))/ε, to be multiplied by the largest entry of X (Hardt & Price 2014,
    figure 3). It is proven for one entry of A that changes by 1, not for one row of data."""
    return math.sqrt(4 * steps * math.log(1 / delta)) / epsilon


def printed_epsilon(epsilon: float, delta: float, steps: int, p: int) -> float:
    """The ε that the printed noise keeps at most at this δ for one row |x| ≤ 1 (add/remove): where
    all entries of X are 1/√p and the row lies along it, each step moves by 1 and has noise of
    σ/√p."""
    mu = math.sqrt(steps * p) / printed_sigma(epsilon, delta, steps)
    return float(gdp_epsilon(np.array(mu), delta))


def power_subspaces(
    a: Array, k: int, sigma: float, steps: int, seeds: int, rng: np.random.Generator
) -> Array:
    """Orthonormal columns, shape (seeds, p, k), after `steps` times X ← qr(AX + σG), G of N(0, 1),
    from a random start."""
    p = len(a)
    x = np.linalg.qr(rng.standard_normal((seeds, p, k)))[0]
    for _ in range(steps):
        x = np.linalg.qr(a @ x + sigma * rng.standard_normal((seeds, p, k)))[0]
    return np.asarray(x)
