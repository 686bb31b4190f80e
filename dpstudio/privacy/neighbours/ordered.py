"""Pairs of neighbours under log-concave noise on one number: the loss never falls as the answer
grows."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms import catastrophe, discrete_gaussian, gaussian, l2norm, laplace
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.neighbours.pair import JUMPS, TIE, Pair
from dpstudio.values.roots import root


@dataclass(frozen=True, eq=False)
class Ordered(Pair):
    """Noise about 0 without you and about `shift` > 0 with you, of log-concave density: then the
    loss never falls as the answer grows (the monotone likelihood ratio of Karlin & Rubin 1956), so
    the best test is a threshold on the answer.

    The noise is symmetric. Its atoms, if any, all stand at its middle: such an answer is given away
    for sure.
    """

    law: Law
    shift: float

    @property
    def smooth(self) -> Law:
        """The noise without its atoms."""
        return self.law.noise if isinstance(self.law, catastrophe.LeakyLaw) else self.law

    @property
    def atom(self) -> float:
        """The probability of its atoms."""
        return sum(mass for _, mass in self.law.atoms)

    @cached_property
    def most(self) -> float:  # type: ignore[override]
        """The supremum of the loss, atoms apart; ∞ where it has no end (Gaussian noise)."""
        law = self.smooth
        if isinstance(law, laplace.LaplaceLaw):
            return self.shift / law.b
        if isinstance(law, DiscreteLaplaceLaw):
            return self.shift * law.t
        return self.shift / law.scale if isinstance(law, l2norm.NormLaw) else math.inf

    @property
    def least(self) -> float:  # type: ignore[override]
        """The least privacy loss; the pair is symmetric."""
        return -self.most

    def loss(self, x: ArrayLike) -> Array:
        """ℓ at the answers x, atoms apart; shape of `x`."""
        x, s, law = np.asarray(x, dtype=np.float64), self.shift, self.smooth
        if isinstance(law, laplace.LaplaceLaw):
            return np.clip((2 * x - s) / law.b, -self.most, self.most)
        if isinstance(law, DiscreteLaplaceLaw):
            return np.clip((2 * x - s) * law.t, -self.most, self.most)
        if isinstance(law, gaussian.GaussianLaw | discrete_gaussian.DiscreteGaussianLaw):
            return np.asarray((x - s / 2) * s / law.sigma**2)
        return np.asarray(np.log(law.density(x - s)) - np.log(law.density(x)))

    def place(self, loss: float, *, strictly: bool = False) -> float:
        """As `places`, of one loss."""
        return float(self.places(np.array([loss]), strictly=strictly)[0])

    def places(self, losses: Array, *, strictly: bool = False) -> Array:
        """The smallest answers with ℓ ≥ loss (the ends of those with ℓ ≤ loss where strictly); ±∞
        where all or none is. Shape of `losses`."""
        tie = TIE * self.most if math.isfinite(self.most) else 0.0
        end = losses >= self.most - tie if strictly else losses > self.most + tie
        none = end | (losses == math.inf)
        start = losses < self.least - tie if strictly else losses <= self.least + tie
        x, some = np.where(none, math.inf, -math.inf), ~(none | start | (losses == -math.inf))
        found = self._solved(losses[some])
        if self.law.discrete:
            near = 1e-9 * np.maximum(1.0, np.abs(found))
            found = np.floor(found + near) + 1.0 if strictly else np.ceil(found - near) + 0.0
        x[some] = found
        return x

    def _solved(self, losses: Array) -> Array:
        """The answers of those losses, real numbers for discrete noise too; ±∞ where they lie so
        far out that they are never seen."""
        s, law = self.shift, self.smooth
        if isinstance(law, laplace.LaplaceLaw):
            return (losses * law.b + s) / 2
        if isinstance(law, DiscreteLaplaceLaw):
            return (losses / law.t + s) / 2
        if isinstance(law, gaussian.GaussianLaw | discrete_gaussian.DiscreteGaussianLaw):
            return losses * law.sigma**2 / s + s / 2
        reach = s / 2 - float(law.quantile(np.array([1e-15]))[0])
        low, high = s / 2 - reach, s / 2 + reach
        ends = self.loss(np.array([low, high]))

        def of(loss: float) -> float:
            if not ends[0] < loss < ends[1]:
                return math.copysign(math.inf, loss)
            return root(lambda x: float(self.loss(np.array([x]))[0]) - loss, low, high, 1e-12)

        return np.array([of(float(loss)) for loss in losses])

    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        x = self.place(loss, strictly=strictly)
        # P(X ≥ x) of symmetric noise is its cdf at −x, which keeps its digits far out.
        inside, outside = self._reaching(x - self.shift), self._reaching(x)
        share = 1 - self.atom
        told_in = 0.0 if strictly and loss == math.inf else self.atom
        told_out = self.atom if loss == -math.inf and not strictly else 0.0
        return share * inside + told_in, share * outside + told_out

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        x = self.places(losses, strictly=True)
        finite = np.isfinite(x)
        ends = np.where(x < 0, 1.0, 0.0)
        inside, outside = (
            np.where(finite, self.smooth.cdf(np.where(finite, centre - x, 0.0)), ends)
            for centre in (self.shift, 0.0)
        )
        share = 1 - self.atom
        return share * inside + self.atom, share * outside

    def _reaching(self, x: float) -> float:
        """P(X ≥ x) of the noise without its atoms."""
        if math.isinf(x):
            return 0.0 if x > 0 else 1.0
        return float(self.smooth.cdf(np.array([-x]))[0])

    def power(self, alpha: ArrayLike) -> Array:
        alpha = np.asarray(alpha, dtype=np.float64)
        share, law, s = 1 - self.atom, self.smooth, self.shift
        u = np.clip(alpha / share, 0.0, 1.0)
        inner = np.clip(u, 1e-300, 1 - 1e-16)
        x = law.quantile(inner)
        if law.discrete:
            part = np.clip((inner - law.cdf(x - 1)) / law.density(x), 0, 1)
            found = law.cdf(x - 1 + s) + part * law.density(x + s)
        else:
            found = law.cdf(x + s)
        found = np.where(u <= 0, 0.0, np.where(u >= 1, 1.0, found))
        return np.minimum(1.0, self.atom + share * found)

    def delta(self, epsilon: float) -> float:
        if not isinstance(self.law, l2norm.NormLaw):
            return self.law.delta(epsilon, self.shift)
        inside, outside = self.above(epsilon)
        return max(0.0, inside - math.exp(epsilon) * outside)

    def jumps(self, low: float, high: float) -> Array:
        law = self.smooth
        if isinstance(law, laplace.LaplaceLaw):
            ends = np.array([-self.most, self.most])
            return ends[(ends >= low) & (ends <= high)]
        if not law.discrete:
            return np.zeros(0)
        first, last = self.place(low), self.place(high, strictly=True)
        if isinstance(law, DiscreteLaplaceLaw):
            first, last = max(first, 0.0), min(last, self.shift + 1)
        if last - first > JUMPS:
            return np.zeros(0)
        return np.unique(self.loss(np.arange(first, last)))

    @cached_property
    def typical(self) -> float:
        x = self.shift + float(self.smooth.quantile(np.array([1 - 1e-3]))[0])
        return float(self.loss(np.array([x]))[0])

    def loss_curve(self, low: float, high: float, points: int = 301) -> tuple[Array, Array, Array]:
        if not isinstance(self.law, l2norm.NormLaw):
            return super().loss_curve(low, high, points)
        # No formula gives the answer of a loss here, but every answer gives its loss.
        reach = self.shift + 12 * math.sqrt(self.law.variance)
        x = np.linspace(self.shift / 2 - reach, self.shift / 2 + reach, points)
        return array(self.loss(x)), array(self.law.cdf(x - self.shift)), array(self.law.cdf(x))

    def delta_curve(self, high: float, points: int = 121) -> tuple[Array, Array]:
        if not isinstance(self.law, l2norm.NormLaw):
            return super().delta_curve(high, points)
        s, law = self.shift, self.law
        far = s / 2 - float(law.quantile(np.array([1e-12]))[0])
        x = s / 2 + far * np.linspace(0, 1, points) ** 2
        loss = np.maximum(0.0, self.loss(x))
        delta = np.maximum(0.0, law.cdf(s - x) - np.exp(loss) * law.cdf(-x))
        kept = loss <= high
        ends = [self.most, high]
        return array(np.append(loss[kept], ends)), array(np.append(delta[kept], [0.0, 0.0]))
