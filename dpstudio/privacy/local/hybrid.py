"""The hybrid mechanism: the piecewise one or Duchi's, by a coin that does not depend on the
person's number."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.duchi import Duchi
from dpstudio.privacy.local.number import Sampled
from dpstudio.privacy.local.piecewise import Piecewise, sampled
from dpstudio.privacy.local.protocol import Values
from dpstudio.values.messages import N_
from dpstudio.values.roots import root

# ε*: where both err alike at t = 0, (a + 3)/3(a − 1)² = ((a² + 1)/(a² − 1))² for a = e^(ε/2), a
# cubic in a.
TURN = 2 * math.log(root(lambda a: 3 * a**3 - a**2 + a - 7, 1.0, 2.0))


class Hybrid(Sampled):
    """Above ε* = 0.6094 piecewise with probability 1 − e^(−ε/2), else Duchi's mechanism; up to ε*
    always Duchi's.

    Above ε* its variance for one number is the same at every t.
    """

    key = "hybrid"
    label = N_("Hybrid")
    short = N_("Hybrid")
    source = "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin & Yu 2019, section III-C"
    formula = N_("piecewise with 1 − exp(−ε/2), else Duchi")
    ink = "hybrid"

    @property
    def share(self) -> float:
        """How often the piecewise mechanism answers."""
        return -math.expm1(-self.epsilon / 2) if self.epsilon > TURN else 0.0

    @property
    def both(self) -> tuple[Piecewise, Duchi]:
        """The two mechanisms at this ε: which one speaks tells nothing of t."""
        return Piecewise().at(self.epsilon), Duchi().at(self.epsilon)

    def kept(self, d: int) -> int:
        return sampled(self.epsilon, d)

    def alone(self, t: Array) -> Array:
        """The mean of both variances, since both are unbiased."""
        piecewise, duchi = self.both
        if not self.share:
            return duchi.alone(t)
        return np.asarray(self.share * piecewise.alone(t) + piecewise.blank * duchi.alone(t))

    def send(self, rng: np.random.Generator, t: Array) -> Array:
        first = rng.random(t.shape) < self.share
        piecewise, duchi = self.both
        out = duchi.send(rng, t)
        out[first] = piecewise.send(rng, t[first])
        return out

    def gather(self, rng: np.random.Generator, t: Array, people: Values) -> Array:
        piecewise, duchi = self.both
        if not self.share:
            return duchi.gather(rng, t, people)
        first = rng.binomial(people, self.share)
        return np.asarray(piecewise.gather(rng, t, first) + duchi.gather(rng, t, people - first))

    def density(self, x: ArrayLike, t: float) -> Array:
        return (
            np.asarray(self.share * self.both[0].density(x, t))
            if self.share
            else np.zeros(np.shape(x))
        )

    def atoms(self, t: float) -> tuple[tuple[float, float], ...]:
        piecewise, duchi = self.both
        left = piecewise.blank if self.share else 1.0
        return tuple((place, left * mass) for place, mass in duchi.atoms(t))

    def steps(self, t: float) -> tuple[float, ...]:
        return self.both[0].steps(t) if self.share else ()

    def reach(self) -> tuple[float, float]:
        return self.both[0].reach() if self.share else self.both[1].reach()
