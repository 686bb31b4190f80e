"""Two neighbours as an attacker sees them: the privacy loss of an answer, and the best test."""

import math
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, array

TIE = 1e-11  # losses closer than this, relative to the largest, are the same
JUMPS = 80  # more losses with a probability of their own cannot be told apart in a picture


class Pair(ABC):
    """The laws of an answer with you (P) and without you (Q). The privacy loss of an answer x is
    ℓ = ln dP/dQ (x), ±∞ where only one of them allows it.

    `most` and `least` are the supremum and the infimum of the loss, single answers that give you
    away apart. What holds of P against Q holds of Q against P by symmetry for all noise here.
    """

    most: float
    least: float

    @abstractmethod
    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        """(P, Q) of all answers with ℓ ≥ loss (ℓ > loss where strictly); `loss` may be ±∞."""

    @abstractmethod
    def power(self, alpha: ArrayLike) -> Array:
        """True positives of the likelihood-ratio test, randomised at ties, with false positives
        `alpha` in [0, 1]; shape of `alpha`. No test has more (Neyman & Pearson 1933). As a function
        of alpha it is 1 less the trade-off function of Dong, Roth & Su 2022, Definition 2.1."""

    @abstractmethod
    def delta(self, epsilon: float) -> float:
        """The smallest δ for which this pair keeps (ε, δ), for ε ≥ 0: the hockey-stick divergence
        ∫ max(0, dP − e^ε dQ) (Barthe & Olmedo 2013)."""

    @abstractmethod
    def jumps(self, low: float, high: float) -> Array:
        """The losses in [low, high] that come with a probability of their own, ascending or
        descending; none where there are more than JUMPS of them."""

    @property
    @abstractmethod
    def typical(self) -> float:
        """A finite loss that about one answer in a thousand exceeds under P."""

    @property
    def advantage(self) -> float:
        """True positives less false ones of the best test: the total variation distance, δ(0). At
        even odds that test is right (1 + advantage)/2 of the time."""
        return self.delta(0.0)

    @property
    def certain(self) -> float:
        """P(ℓ = ∞): how often an answer gives you away for sure."""
        return self.above(math.inf)[0]

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        """(P, Q) of ℓ > loss for each of the losses, shape of `losses` each."""
        both = np.array([self.above(float(y), strictly=True) for y in losses])
        return both[:, 0], both[:, 1]

    def loss_curve(self, low: float, high: float, points: int = 301) -> tuple[Array, Array, Array]:
        """(loss, P(ℓ ≤ loss), Q(ℓ ≤ loss)) over [low, high], ascending, with every jump upright;
        `points` and two for each jump."""
        hair = 1e-9 * (high - low)
        jumps = self.jumps(low, high)
        at = np.sort(np.concatenate([np.linspace(low, high, points), jumps - hair, jumps + hair]))
        inside, outside = self.beyond(at)
        return array(at), array(1 - inside), array(1 - outside)

    def delta_curve(self, high: float, points: int = 121) -> tuple[Array, Array]:
        """(ε, δ(ε)) for 0 ≤ ε ≤ high, ascending: `points`, and some close to the largest loss,
        where δ becomes 0."""
        at = np.linspace(0, high, points)
        if 0 < self.most < high:
            at = np.unique(np.append(at, self.most * (1 - np.array([0.0, 1e-3, 1e-6, 1e-9]))))
        return array(at), array([self.delta(float(e)) for e in at])
