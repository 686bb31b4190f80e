"""Duchi's mechanism: a person sends one of two opposite values, the nearer one more often."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local import number, protocol, reals
from dpstudio.privacy.sampling import ReleaseRandom, Reporting
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param


def spread(d: int) -> float:
    """C(d) = 2^(d−1)/C(d − 1, ⌊d/2⌋): one over the mean of z₁·sign(Σz) for d fair signs z. Exact
    integers until the division."""
    return (1 << (d - 1)) / math.comb(d - 1, d // 2)


class Duchi(number.Sampled):
    """±B with B = (e^ε + 1)/(e^ε − 1), +B with probability ½ + t/2B.

    Every coordinate at once: t is rounded to a corner v of [−1, 1]^d without bias. z is drawn from
    {−1, 1}^d, and turned to −z where needed so that z·v > 0 with probability e^ε/(e^ε + 1), else
    z·v < 0; where z·v = 0, which an even d allows, z stays as it is. Then P(z | v) is 2^(1−d) times
    e^ε/(e^ε + 1), 1/(e^ε + 1) or, on a tie, ½, which lies between the two: no ratio exceeds e^ε. By
    symmetry E z = v tanh(ε/2)/C(d), and t* = B z with B = C(d)(e^ε + 1)/(e^ε − 1) is unbiased. For
    odd d this is the mechanism as published; for even d the published one leaves the ties to both
    sides and costs ln(e^ε + 1).
    """

    key = "duchi"
    label = N_("Duchi")
    short = N_("Duchi")
    source = "Duchi, Jordan & Wainwright 2018, section 4.2; " + N_(
        "ties of an even d left as drawn"
    )
    formula = N_("±(eᵋ + 1)/(eᵋ − 1), + with ½ + t(eᵋ − 1)/2(eᵋ + 1)")
    ink = "duchi"
    word = 1.0

    coordinates: str = param(reals.EVERY, reals.COORDINATES)

    def size(self, d: int = 1) -> float:
        """B where all d coordinates are sent at once."""
        return spread(d) * (1 + math.exp(-self.epsilon)) / -math.expm1(-self.epsilon)

    def whole(self, d: int) -> bool:
        """Whether all of several coordinates are sent at once."""
        return d > 1 and self.coordinates == reals.EVERY

    def bits(self, d: int) -> float:
        return float(d) if self.whole(d) else super().bits(d)

    def chance(self, t: ArrayLike) -> Array:
        """P(+B) for one number: ((1 + t) + (1 − t)e^(−ε))/2(1 + e^(−ε)), which subtracts
        nothing."""
        t, shrink = np.asarray(t, dtype=np.float64), math.exp(-self.epsilon)
        return np.asarray(((1 + t) + (1 - t) * shrink) / (2 * (1 + shrink)))

    def alone(self, t: Array) -> Array:
        """B² − t², with B² − 1 = 4e^(−ε)/(1 − e^(−ε))²."""
        return np.asarray(
            4 * math.exp(-self.epsilon) / math.expm1(-self.epsilon) ** 2 + (1 - t) * (1 + t)
        )

    def variance(self, t: ArrayLike, d: int = 1) -> Array:
        if not self.whole(d):
            return super().variance(t, d)
        return np.asarray(self.size(d) ** 2 - np.asarray(t, dtype=np.float64) ** 2)

    def most(self, d: int = 1) -> float:
        return self.size(d) if self.whole(d) else super().most(d)

    def send(self, rng: np.random.Generator, t: Array) -> Array:
        return np.where(rng.random(t.shape) < self.chance(t), self.size(), -self.size())

    def reports(self, rng: np.random.Generator, t: ArrayLike) -> Array:
        t = np.asarray(t, dtype=np.float64)
        if t.ndim == 1 or not self.whole(t.shape[1]):
            return super().reports(rng, t)
        n, d = t.shape
        corner = np.where(2 * rng.random((n, d)) - 1 < t, 1, -1).astype(np.int8)
        z = (2 * rng.integers(2, size=(n, d), dtype=np.int8) - 1).astype(np.int8)
        side = np.einsum("ij,ij->i", z, corner, dtype=np.int64)
        meant = np.where(rng.random(n) * (1 + math.exp(-self.epsilon)) < 1, 1, -1)
        z[side * meant < 0] *= -1
        return np.asarray(self.size(d) * z)

    def gather(self, rng: np.random.Generator, t: Array, people: protocol.Values) -> Array:
        plus = rng.binomial(people, self.chance(t)).sum(axis=1)
        return np.asarray(self.size() * (2 * plus - people.sum(axis=1)))

    def totals(
        self, rng: np.random.Generator, t: ArrayLike, people: ArrayLike, surveys: int, d: int = 1
    ) -> Array:
        if not self.whole(d):
            return super().totals(rng, t, people, surveys, d)
        t, people, size = (
            np.asarray(t, dtype=np.float64),
            np.asarray(people, dtype=np.int64),
            self.size(d),
        )
        # One coordinate by itself is ±B of mean t.
        plus = rng.binomial(people, (1 + t / size) / 2, size=(surveys, len(t))).sum(axis=1)
        return np.asarray(size * (2 * plus - people.sum(axis=-1)))

    @property
    def step(self) -> float:
        return self.size()

    def sums(self, rng: Reporting, t: Array) -> int:
        return 2 * int(np.count_nonzero(rng.random(len(t)) < self.chance(t))) - len(t)

    def leave(self, chance: ReleaseRandom, t: Array, people: protocol.Values, d: int = 1) -> int:
        if not self.whole(d) or self.epsilon > protocol.LARGEST:
            return super().leave(chance, t, people, d)
        each = np.repeat(t, people) / self.at(self.epsilon * protocol.CAREFUL).size(d)
        plus = Reporting(chance).random(len(each)) < (1 + each) / 2
        return 2 * int(np.count_nonzero(plus)) - len(each)

    def unit(self, d: int = 1) -> float:
        return self.size(d) if self.whole(d) else super().unit(d)

    def density(self, x: ArrayLike, t: float) -> Array:
        return np.zeros(np.shape(x))

    def atoms(self, t: float) -> tuple[tuple[float, float], ...]:
        return (-self.size(), float(self.chance(-t))), (self.size(), float(self.chance(t)))

    def reach(self) -> tuple[float, float]:
        return -self.size(), self.size()
