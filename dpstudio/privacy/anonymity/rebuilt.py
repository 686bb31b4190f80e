"""A distribution from values with known noise on each: what randomised input tells of many people,
and how little of one (Agrawal & Srikant 2000)."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from dpstudio.charts.figure import Array


class Density(Protocol):
    """A law of noise: its density at x, shape of x."""

    def density(self, x: Array) -> Array:
        """The density at x."""
        ...


def rebuilt(noisy: Array, law: Density, grid: Array) -> Iterator[Array]:
    """Shares of the `grid`, (points,), after 0, 1, 2, … steps, without end: Bayes' rule averaged
    over all values, which is expectation and maximisation (Agrawal & Aggarwal 2001).
    First even; each step sharpens, and too many fit the noise. Needs no value but `noisy`, (n,)."""
    edges = np.linspace(noisy.min(), noisy.max(), 4 * len(grid) + 1)
    # Values in narrow bins: n·points densities become bins·points, the bins a quarter of a step.
    counts = np.histogram(noisy, edges)[0].astype(np.float64)
    middle = (edges[1:] + edges[:-1]) / 2
    kernel = law.density(middle[:, None] - grid[None, :])
    shares = np.full(len(grid), 1 / len(grid))
    while True:
        yield shares
        seen = kernel @ shares
        weights = np.divide(counts, seen, out=np.zeros_like(seen), where=seen > 0)
        shares = shares * (kernel.T @ weights)
        shares = shares / shares.sum()
