"""Laplace noise on the person's own number."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.number import Sampled
from dpstudio.privacy.local.protocol import Values
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.sampling import Reporting
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Choice, param

EVERY, ONE = "every", "one"
COORDINATES = Choice(
    N_("Of several numbers"),
    N_(
        "A person who holds several numbers sends all of them, each with a part of ε, or one drawn "
        "at random with all of it."
    ),
    options={EVERY: N_("send every one"), ONE: N_("send one of them")},
)


class Reals(Sampled):
    """t + Lap(2d/ε) on every coordinate, as two people lie up to 2d apart in L1; or d(t + Lap(2/ε))
    on one that is drawn."""

    key = "local_laplace"
    label = N_("Laplace")
    short = N_("Laplace")
    source = "Dwork, McSherry, Nissim & Smith 2006; Duchi, Jordan & Wainwright 2013"
    formula = "t + Lap(2d/ε)"
    ink = "local_laplace"

    coordinates: str = param(EVERY, COORDINATES)

    @property
    def law(self) -> LaplaceLaw:
        """The noise on one number that is sent with the whole ε."""
        return LaplaceLaw(2 / self.epsilon)

    def kept(self, d: int) -> int:
        return d if self.coordinates == EVERY else 1

    def alone(self, t: Array) -> Array:
        return np.full_like(t, self.law.variance)

    def send(self, rng: np.random.Generator, t: Array) -> Array:
        return np.asarray(t + self.law.sample(rng, t.size).reshape(t.shape))

    def gather(self, rng: np.random.Generator, t: Array, people: Values) -> Array:
        """n Laplace variables add up to the difference of two Gamma(n)."""
        n = people.sum(axis=1).astype(np.float64)
        return np.asarray(people @ t + self.law.b * (rng.standard_gamma(n) - rng.standard_gamma(n)))

    @property
    def step(self) -> float:
        """2^−30 of the range, or of the noise where that is smaller, as a power of two."""
        return math.ldexp(min(1.0, 2.0 ** math.floor(math.log2(self.law.b))), -30)

    def sums(self, rng: Reporting, t: Array) -> int:
        """Discrete Laplace noise on every number."""
        step = Fraction(self.step)
        noise = self.law.leave(rng.leaving, len(t), step, Fraction(1))
        return sum(noise) + sum(round(Fraction(value) / step) for value in t.tolist())

    def density(self, x: ArrayLike, t: float) -> Array:
        return self.law.density(np.asarray(x, dtype=np.float64) - t)

    def steps(self, t: float) -> tuple[float, ...]:
        return (t,)

    def most(self, d: int = 1) -> float:
        return math.inf

    def reach(self) -> tuple[float, float]:
        far = 1 + self.law.b * math.log(1000)
        return -far, far
