"""The noisy power method: subspaces from a few products with noise (Hardt & Price 2014)."""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.learning.components import Moved
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma


def step_sigma(epsilon: float, delta: float, moved: Moved, steps: int) -> float:
    """σ of the noise on each entry of AX in each of so many steps, (ε, δ) in all.

    X is orthonormal, so one person moves AX by at most `moved.l2`; steps that use what earlier ones
    gave compose as Gaussians do, to μ² = Σ(Δ₂/σ)² exactly (Dong, Roth & Su 2022, Corollary 3.3).
    """
    return math.sqrt(steps) * analytic_sigma(epsilon, delta, moved.l2)


def power_subspaces(
    a: Array, k: int, sigma: float, steps: int, seeds: int, rng: np.random.Generator
) -> Array:
    """Orthonormal columns, shape (seeds, p, k), after `steps` times X ← qr(AX + σG), G of N(0, 1),
    from a random start."""
    p = len(a)
    start = np.linalg.qr(rng.standard_normal((seeds, p, k)))[0]
    noise = sigma * rng.standard_normal((steps, seeds, p, k))
    return np.asarray(np.linalg.qr(power_products(a, start, noise)[-1])[0])


def power_products(a: Array, start: Array, noise: Array) -> Array:
    """All that the method shows, shape (steps, seeds, p, k): AX with `noise` of that shape, X first
    the `start` (seeds, p, k) and then the basis of the product before."""
    x, told = start, np.empty(noise.shape)
    for place, added in enumerate(noise):
        if place:
            x = np.linalg.qr(told[place - 1])[0]
        told[place] = a @ x + added
    return told
