"""Two neighbours under L2-norm noise: one draw hides a whole vector."""

import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms import gaussian, l2norm, law
from dpstudio.privacy.neighbours.lattice import on_lattice, split
from dpstudio.privacy.neighbours.listed import Listed

_BALL = 256  # losses of the pair


@dataclass(frozen=True, eq=False)
class Smooth(Listed):
    """A loss without jumps: `beyond_in` and `beyond_out`, P and Q of what lies above each of the
    losses `at`, which descend, are exact there; between them they are interpolated."""

    at: Array = field(default_factory=lambda: np.zeros(0))
    beyond_in: Array = field(default_factory=lambda: np.zeros(0))
    beyond_out: Array = field(default_factory=lambda: np.zeros(0))

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        inside, outside = (
            np.interp(-np.asarray(losses), -self.at, over)
            for over in (self.beyond_in, self.beyond_out)
        )
        return np.asarray(inside), np.asarray(outside)

    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        inside, outside = self.beyond(np.array([loss]))
        return float(inside[0]), float(outside[0])


@lru_cache(maxsize=32)
def ball(full: float, dims: int) -> Smooth:
    """Noise with density ∝ e^(−full·‖b‖₂) on `dims` ≥ 2 numbers (Chaudhuri, Monteleoni & Sarwate
    2011) against its shift by a vector of length 1.

    The loss full·(‖b + s‖ − ‖b‖) exceeds t where the cosine between b and the shift exceeds κ + (κ²
    − 1)/(2r), κ = t/full, r = ‖b‖.
    """
    kappa = np.linspace(1, 0, _BALL // 2 + 1)
    above = _cone(full, dims, kappa, 1.0)
    below = _cone(full, dims, -kappa, -1.0)
    inside = np.concatenate([above, (1 - below[:-1])[::-1]])
    outside = np.concatenate([below, (1 - above[:-1])[::-1]])
    losses = full * np.concatenate([kappa, -kappa[:-1][::-1]])
    listed = on_lattice(split(inside, outside, losses, 2 * full / _BALL), full, 2 * full / _BALL)
    return Smooth(
        listed.losses,
        listed.inside,
        listed.outside,
        at=losses,
        beyond_in=inside,
        beyond_out=outside,
    )


def _cone(full: float, dims: int, kappa: ArrayLike, side: float) -> Array:
    """P(ℓ > full·κ) for side 1, P(ℓ < full·κ) for side −1: over the radius, the part of the sphere
    that lies in the cone."""
    kappa = np.asarray(kappa, dtype=np.float64)[:, None]
    s = gaussian.special()
    edges = l2norm.radius_edges(dims)
    # The cone opens like a root at this radius: a panel starts there, and all are entered as
    # squares.
    opens = np.clip(full * (1 - kappa) / 2, 0.0, edges[-1])
    edges = np.sort(
        np.concatenate([np.broadcast_to(edges, (len(kappa), len(edges))), opens], axis=1), axis=1
    )
    nodes, weights = law.legendre(16)
    unit, mass = (nodes + 1) / 2, weights / 2
    wide = np.diff(edges, axis=1)[:, :, None]
    radius = np.maximum(edges[:, :-1, None] + wide * unit**2, 1e-300)
    radial = (
        wide * 2 * unit * mass * np.exp((dims - 1) * np.log(radius) - radius - math.lgamma(dims))
    )
    least = kappa[:, :, None] + (kappa[:, :, None] ** 2 - 1) * full / (2 * radius)
    least = side * np.clip(least, -1.0, 1.0)
    half = s.betainc((dims - 1) / 2, 0.5, 1 - least**2) / 2
    return np.asarray(np.sum(radial * np.where(least >= 0, half, 1 - half), axis=(1, 2)))
