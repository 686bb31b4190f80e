"""The piecewise mechanism: a report from an interval about the person's number, less often from the
rest of [−C, C]."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.number import Sampled
from dpstudio.privacy.local.protocol import Values
from dpstudio.privacy.sampling import Reporting
from dpstudio.values.messages import N_

_BITS = 20
# Places of a report that leaves the program.
CELLS = 1 << 30


def sampled(epsilon: float, d: int) -> int:
    """How many of d coordinates are sent: max(1, min(d, ⌊ε/2.5⌋)) (Wang et al. 2019, equation
    12)."""
    return max(1, min(d, math.floor(epsilon / 2.5)))


def uniform_sums(rng: np.random.Generator, many: Values) -> Array:
    """Σ of many[i] uniforms on (0, 1), shape of `many`: bit by bit, since bit j of them all adds
    Bin(many, ½)·2^(−j).

    20 bits; what lies below is put at its mean, a 2^(−20)th of the deviation.
    """
    values = 2.0 ** -np.arange(1, _BITS + 1)
    return np.asarray(
        rng.binomial(many[..., None], 0.5, size=(*many.shape, _BITS)) @ values
        + many * 2.0 ** -(_BITS + 1)
    )


class Piecewise(Sampled):
    """With a = e^(ε/2): t* in [−C, C], C = (a + 1)/(a − 1), from [l, r] with probability a/(a + 1),
    l = (C + 1)t/2 − (C − 1)/2 and r = l + C − 1; else uniform over the rest.

    The same law: with probability 1 − 1/a uniform on [l, r], else uniform on [−C, C] whatever t is.
    """

    key = "piecewise"
    label = N_("Piecewise")
    short = N_("Piecewise")
    source = "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin & Yu 2019, algorithms 2 and 4"
    formula = N_("uniform on [l, r] with exp(ε/2)/(exp(ε/2) + 1), else on the rest of [−C, C]")
    ink = "piecewise"

    @property
    def blank(self) -> float:
        """1/a, the probability that a report says nothing of t."""
        return math.exp(-self.epsilon / 2)

    @property
    def told(self) -> float:
        """1 − 1/a."""
        return -math.expm1(-self.epsilon / 2)

    @property
    def edge(self) -> float:
        """C."""
        return (1 + self.blank) / self.told

    @property
    def width(self) -> float:
        """r − l = C − 1."""
        return 2 * self.blank / self.told

    def left(self, t: ArrayLike) -> Array:
        """l: t/(1 − 1/a) − (C − 1)/2."""
        return np.asarray(np.asarray(t, dtype=np.float64) / self.told - self.width / 2)

    @property
    def heights(self) -> tuple[float, float]:
        """The density on [l, r] and outside, in the ratio e^ε."""
        b = self.blank
        return self.told / (2 * b * (1 + b)), b * self.told / (2 * (1 + b))

    def kept(self, d: int) -> int:
        return sampled(self.epsilon, d)

    def alone(self, t: Array) -> Array:
        """t²/(a − 1) + (a + 3)/3(a − 1)²."""
        b, told = self.blank, self.told
        return np.asarray(t**2 * (b / told) + b * (1 + 3 * b) / (3 * told**2))

    def send(self, rng: np.random.Generator, t: Array) -> Array:
        telling = rng.random(t.shape) < self.told
        low, width = (
            np.where(telling, self.left(t), -self.edge),
            np.where(telling, self.width, 2 * self.edge),
        )
        return np.asarray(low + width * rng.random(t.shape))

    def gather(self, rng: np.random.Generator, t: Array, people: Values) -> Array:
        telling = rng.binomial(people, self.told)
        m = telling.sum(axis=1)
        rest = people.sum(axis=1) - m
        about, blank = uniform_sums(rng, m), uniform_sums(rng, rest)
        return np.asarray(
            telling @ self.left(t) + self.width * about + self.edge * (2 * blank - rest)
        )

    @property
    def step(self) -> float:
        return self.edge / CELLS

    def sums(self, rng: Reporting, t: Array) -> int:
        """Reports from 2^30 places, the middles of equal cells of [−C, C]: those about t are one
        more than fit where they do not fit evenly, so that the odds of a place stay within e^ε."""
        near = math.ceil(self.width / self.edge * CELLS / 2)
        first = np.rint((t / self.told + self.edge) / self.edge * CELLS / 2 - near / 2)
        first = np.clip(first, 0, CELLS - near).astype(np.int64)
        telling = rng.random(len(t)) < self.told
        place = np.where(
            telling, first + rng.integers(0, near, len(t)), rng.integers(0, CELLS, len(t))
        )
        return int(np.sum(2 * place + 1 - CELLS))

    def density(self, x: ArrayLike, t: float) -> Array:
        x, left, (inside, outside) = (
            np.asarray(x, dtype=np.float64),
            float(self.left(t)),
            self.heights,
        )
        near = (x >= left) & (x <= left + self.width)
        return np.where(near, inside, np.where(np.abs(x) <= self.edge, outside, 0.0))

    def steps(self, t: float) -> tuple[float, ...]:
        left = float(self.left(t))
        return -self.edge, left, left + self.width, self.edge

    def reach(self) -> tuple[float, float]:
        return -self.edge, self.edge
