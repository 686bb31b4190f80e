"""The law of the sum of two independent Laplace variables."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import Array


def two_laplace(x: Array, a: float, b: float) -> Array:
    """Density at x of the sum of Lap(a) and Lap(b): (a e^(−|x|/a) − b e^(−|x|/b))/2(a² − b²), and
    its limit at a = b."""
    x = np.abs(np.asarray(x, dtype=np.float64))
    if abs(a - b) < 1e-6 * a:
        return np.asarray((1 + x / a) * np.exp(-x / a) / (4 * a))
    return np.asarray((a * np.exp(-x / a) - b * np.exp(-x / b)) / (2 * (a - b) * (a + b)))
