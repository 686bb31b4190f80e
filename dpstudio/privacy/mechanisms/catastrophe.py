"""The catastrophe mechanism: private almost always, and with probability δ the plain truth."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.privacy.mechanisms.additive import DELTA, Guarantee, OverEpsilon, Sensitivity
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Array, Law
from dpstudio.privacy.mechanisms.loss import Worst, laplace
from dpstudio.privacy.sampling import ReleaseRandom, at_most
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param


@dataclass(frozen=True)
class LeakyLaw(Law):
    """0 with probability `leak`, else Laplace noise; all coordinates of one answer leak
    together."""

    noise: LaplaceLaw
    leak: float

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        """The exact answer, an error of 0, with the probability of a leak."""
        return ((0.0, self.leak),)

    def density(self, x: ArrayLike) -> Array:
        return (1 - self.leak) * self.noise.density(x)

    def cdf(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        return np.asarray((1 - self.leak) * self.noise.cdf(x) + self.leak * (x >= 0))

    def quantile(self, u: ArrayLike) -> Array:
        """0 for all u that fall into the leak."""
        u = np.asarray(u, dtype=np.float64)
        side = np.minimum(u, 1 - u) / (1 - self.leak)
        with np.errstate(divide="ignore"):
            away = np.log(2 * np.minimum(side, 0.5)) * self.noise.b
        return np.asarray(np.where(u < 0.5, away, -away) + 0.0)

    @property
    def mean_abs(self) -> float:
        return (1 - self.leak) * self.noise.mean_abs

    @property
    def variance(self) -> float:
        return (1 - self.leak) * self.noise.variance

    def inside(self, width: float) -> float:
        return self.leak - (1 - self.leak) * math.expm1(-width / self.noise.b)

    def half_width(self, confidence: float) -> float:
        return max(0.0, -self.noise.b * math.log((1 - confidence) / (1 - self.leak)))

    def all_inside(self, x: Array, count: ArrayLike, below: ArrayLike = 0) -> Array:
        """All coordinates leak together, or none does."""
        return self.leak * (x >= 0) + (1 - self.leak) * self.noise.all_inside(x, count, below)

    def all_density(self, x: Array, count: ArrayLike, below: ArrayLike = 0) -> Array:
        return (1 - self.leak) * self.noise.all_density(x, count, below)

    def all_half_width(self, confidence: float, count: int) -> float:
        rest = (confidence - self.leak) / (1 - self.leak)
        return self.noise.all_half_width(rest, count) if rest > 0 else 0.0

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        return np.where(rng.random(size) < self.leak, 0.0, self.noise.sample(rng, size))

    def leave(
        self, chance: ReleaseRandom, count: int, step: Fraction, wider: Fraction
    ) -> list[int]:
        """All coordinates leak together, as the mechanism has it, a hair less often: parts of a δ
        are rounded."""
        leaks = chance.chance(at_most(self.leak) / wider)
        return [0] * count if leaks else self.noise.leave(chance, count, step, wider)

    def delta(self, epsilon: float, shift: float) -> float:
        """The atoms of two neighbours lie apart, so either is seen for certain: the leak, plus what
        the noise adds below its own ε."""
        return self.leak * (1.0 if shift > 0 else max(0.0, -math.expm1(epsilon))) + (
            1 - self.leak
        ) * self.noise.delta(epsilon, shift)


class Catastrophe(OverEpsilon):
    """Lap(Δ₁/ε) on every coordinate, but with probability δ the exact answer: (ε, δ)-DP to the
    letter.

    It shows why δ must be far below 1/n: the definition allows this.
    """

    key = "catastrophe"
    label = N_("Catastrophe")
    formula = N_("Lap(Δ₁/ε), but the truth with probability δ")
    source = "Near & Abuah 2021, “Approximate Differential Privacy”"
    pure = False
    ink = "catastrophe"

    delta: float = param(1e-5, DELTA)

    @classmethod
    def sketch(cls) -> LaplaceLaw:
        """The noise alone: a leak cannot be seen in a small drawing."""
        return LaplaceLaw(0.8)

    def law(self, sensitivity: Sensitivity) -> LeakyLaw:
        """Lap(Δ₁/ε), and 0 with probability δ."""
        return LeakyLaw(LaplaceLaw(sensitivity.l1 / self.epsilon), self.delta)

    def noise(
        self, rng: np.random.Generator, sensitivity: Sensitivity, answers: int, dims: int
    ) -> Array:
        """Noise vectors, shape (answers, dims); a leak makes the whole of one 0."""
        drawn = self.law(sensitivity).noise.sample(rng, answers * dims).reshape(answers, dims)
        return np.where(rng.random((answers, 1)) < self.delta, 0.0, drawn)

    def worst(self, sensitivity: Sensitivity, people: int = 1) -> Worst:
        """That of Laplace noise, but with probability δ all is lost."""
        return Worst(laplace(people * self.epsilon, self.delta), sensitivity.alone)

    def guarantee(self, sensitivity: Sensitivity) -> Guarantee:
        """(ε, δ), which is proven, with a note on what it allows."""
        bare = super().guarantee(sensitivity)
        return replace(bare, note=self.remark(bare))

    def remark(self, guarantee: Guarantee) -> Message:
        """How often the exact answer is to be expected."""
        text = N_("Kept to the letter, but about one answer in {many} is the exact one.")
        return say(text, many=Num(1 / guarantee.delta, 3, "down"))

    def remark_on_all(self, whole: Guarantee, parts: Sequence[Guarantee]) -> Message:
        """How often a leak is to be expected in any of the measurements."""
        any_ = -math.expm1(sum(math.log1p(-p.delta) for p in parts))
        text = N_("Kept to the letter, but about one answer in {many} has an exact number in it.")
        return say(text, many=Num(1 / any_, 3, "down"))


def leak_chance(delta: float, answers: int) -> float:
    """1 − (1 − δ)^k: the chance that at least one of k independent answers is the exact one."""
    return -math.expm1(answers * math.log1p(-delta)) if delta < 1 else 1.0
