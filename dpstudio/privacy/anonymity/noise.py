"""Noise on what people hand in: its density, its draws, and how wide it hides a number."""

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array

UNIFORM, NORMAL, LAPLACE = "uniform", "normal", "laplace"


@dataclass(frozen=True)
class Noise:
    """Noise of mean 0 and a standard deviation, of one of three laws."""

    law: str
    deviation: float

    @property
    def scale(self) -> float:
        """Half the width of the uniform law, the deviation of the normal one, the scale of
        Laplace's."""
        return (
            self.deviation * {UNIFORM: math.sqrt(3), NORMAL: 1.0, LAPLACE: math.sqrt(0.5)}[self.law]
        )

    def density(self, x: Array) -> Array:
        """The density at x."""
        size, b = np.abs(x), self.scale
        if self.law == UNIFORM:
            return np.where(size <= b, 0.5 / b, 0.0)
        if self.law == NORMAL:
            return np.exp(-0.5 * (size / b) ** 2) / (b * math.sqrt(2 * math.pi))
        return np.exp(-size / b) / (2 * b)

    def drawn(self, many: int, rng: np.random.Generator) -> Array:
        """So many draws."""
        if self.law == UNIFORM:
            return rng.uniform(-self.scale, self.scale, many)
        draw = rng.normal if self.law == NORMAL else rng.laplace
        return np.asarray(draw(0.0, self.scale, many))

    def width(self, share: float) -> float:
        """How wide the interval about 0 is that holds this share of the noise: what Agrawal and
        Srikant (2000) call privacy at a confidence."""
        if self.law == UNIFORM:
            return 2 * self.scale * share
        if self.law == NORMAL:
            from scipy.special import ndtri

            return float(2 * self.scale * ndtri((1 + share) / 2))
        return -2 * self.scale * math.log(1 - share)

    def epsilon(self, reach: float) -> float:
        """The local ε of numbers within public bounds that are `reach` apart; ∞ where the law has
        none."""
        return reach / self.scale if self.law == LAPLACE else math.inf
