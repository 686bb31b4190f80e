"""What is known of the privacy loss between the worst neighbours of a release: its law, and
whether there are neighbours with just that law.

Every pair of neighbours here is symmetric, so that one direction is enough.
"""

import math
from dataclasses import dataclass

import numpy as np

MOST_ATOMS = 40_000


@dataclass(frozen=True)
class Loss:
    """Law of the loss under P: masses at `places`, equally spaced by `spacing` where that is > 0; a
    density; `lost` at ∞.

    `ratio` > 0: a Gaussian loss N(ratio²/2, ratio²). `width` > 0: the loss of Laplace noise of that
    ε, `share` of the mass.
    """

    places: tuple[float, ...] = ()
    masses: tuple[float, ...] = ()
    spacing: float = 0.0
    lost: float = 0.0
    ratio: float = 0.0
    width: float = 0.0

    @property
    def smooth(self) -> float:
        """Mass of the density."""
        if self.ratio > 0:
            return 1.0
        return (1 - self.lost) * -math.expm1(-self.width) / 2 if self.width > 0 else 0.0

    @property
    def variance(self) -> float:
        """About that of the finite part: the scale of the lattice follows from it."""
        if self.ratio > 0:
            return self.ratio**2
        if self.width > 0:
            e = self.width
            square = (
                e * e * (1 - e / 3) if e < 1e-3 else e * e - 2 * e + 4 - math.exp(-e) * (2 * e + 4)
            )
            return max(square - (e + math.expm1(-e)) ** 2, 1e-300)
        x, p = np.array(self.places), np.array(self.masses)
        mean = float(np.sum(p * x) / np.sum(p))
        return max(float(np.sum(p * (x - mean) ** 2)), 1e-300)


@dataclass(frozen=True)
class Worst:
    """A loss that dominates that of every pair of neighbours, in any composition.

    `attained`: some neighbours lose just this, so that what follows is exact. Else the release may
    lose less, and whatever is worked out from it is an upper bound and no more.
    """

    loss: Loss
    attained: bool = True


def response(epsilon: float, delta: float = 0.0) -> Loss:
    """Losses ±ε of randomised response, and ∞ with probability δ."""
    if epsilon == 0:
        return Loss((0.0,), (1 - delta,), lost=delta)
    keep = (1 - delta) / (1 + math.exp(-epsilon))
    return Loss((-epsilon, epsilon), (keep * math.exp(-epsilon), keep), 2 * epsilon, delta)


def laplace(epsilon: float, delta: float = 0.0) -> Loss:
    """½ at ε, ½e^−ε at −ε, and ¼e^((ℓ−ε)/2) between."""
    return Loss(
        (-epsilon, epsilon),
        ((1 - delta) / 2 * math.exp(-epsilon), (1 - delta) / 2),
        lost=delta,
        width=epsilon,
    )
