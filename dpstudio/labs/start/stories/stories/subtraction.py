"""Two totals that differ by one person, and what an attacker gets by subtracting them: exactly, and
with noise."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.labs.draws import sorted_uniforms
from dpstudio.labs.start.stories.stories.story import Telling
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.release.two_laplace import TwoLaplace
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.messages import Message, Num, plain, say


@dataclass(frozen=True)
class Totals:
    """The numbers of the story: exact totals without and with the person, who adds `value`;
    everyone adds between low and high.

    `people` are there without the person, who is `joined` more: rows, where persons have several,
    up to `most`. `known` is False where the exact numbers are hidden.
    """

    without: float
    value: float
    people: int
    low: float
    high: float
    known: bool = True
    most: int = 1
    joined: int = 1

    @property
    def sensitivity(self) -> float:
        """How far one person can move a total."""
        return max(abs(self.low), abs(self.high))

    @property
    def clipped(self) -> bool:
        """Whether the person lies beyond what everyone may add."""
        return not self.low <= self.value <= self.high

    @property
    def crowded(self) -> bool:
        """Whether the others lie beyond it on average, so that some of them are clipped."""
        slip, n = 1e-12 * abs(self.without), self.people  # as a sum of doubles may
        return not self.low * n - slip <= self.without <= self.high * n + slip


@dataclass(frozen=True)
class Answered:
    """How many there are and what they earn on average, as somebody answered both, before and
    after."""

    before: tuple[float, float]
    after: tuple[float, float]

    @property
    def guess(self) -> float:
        """What the newcomer earns by them. People are whole, so that a reader rounds counts."""
        (n, first), (m, second) = self.before, self.after
        return math.floor(m + 0.5) * second - math.floor(n + 0.5) * first


def spelled(number: Num) -> Num | Message:
    """Two totals that are to be subtracted by eye need all of their digits, where a number is a
    power of ten else."""
    if not 1e7 <= abs(number.value) < 1e15:
        return number
    sign = "−" if number.value < 0 else ""
    return plain(f"{sign}{abs(number.value):,.0f}")


def bare(number: Num) -> Message:
    """An amount without a unit."""
    return say("{x}", x=spelled(number))


@dataclass(frozen=True, eq=False)
class Attack:
    """Two totals with Laplace noise at two ε, to be subtracted. `amount` writes a value with its
    `unit`; `exact` says that the numbers are those of the table."""

    telling: Telling
    totals: Totals
    epsilons: tuple[float, float]
    unit: Message
    amount: Callable[[Num], Message]
    exact: bool
    source: str
    answered: Answered | None = None

    @property
    def scales(self) -> tuple[float, float]:
        """Of the Laplace noise on either total."""
        one, two = self.epsilons
        return self.totals.sensitivity / one, self.totals.sensitivity / two

    @property
    def law(self) -> TwoLaplace:
        """The error of the attacker's difference of two noisy totals."""
        return TwoLaplace(*self.scales)

    @property
    def cost(self) -> float:
        """ε of both totals: the same people are in both."""
        return sum(self.epsilons)


def attacker(attack: Attack, epsilon: ArrayLike) -> Array:
    """The deviation of the attacker's difference, by the ε of the first total; shape of it."""
    first = np.asarray(epsilon, dtype=np.float64)
    variance = 2 / first**2 + 2 / attack.epsilons[1] ** 2
    return np.asarray(attack.totals.sensitivity * np.sqrt(variance))


def reader(attack: Attack, epsilon: ArrayLike) -> Array:
    """The deviation of the first average, by the ε of its total; shape of it."""
    people = np.asarray(epsilon, dtype=np.float64) * attack.totals.people
    return np.asarray(attack.totals.sensitivity * math.sqrt(2) / people)


def simulated_attacks(attack: Attack, edges: Array) -> Array:
    """The density of simulated differences over these edges, shape (len(edges) − 1,)."""
    told = attack.telling
    uniforms = told.data.remember(
        ("uniforms", told.seed, told.trials), lambda: sorted_uniforms(told.seed, told.trials)
    )
    places = np.searchsorted(uniforms, attack.law.cdf(edges - attack.totals.value))
    return np.asarray(np.diff(places) / (told.trials * np.diff(edges)))


def averages(attack: Attack) -> tuple[Array, Array, Array]:
    """(exact averages before and after, one simulated answer of each, half-widths that hold 95 %),
    shape (2,) each; n is known to all."""
    totals = attack.totals
    counts = np.array([totals.people, totals.people + totals.joined], dtype=np.float64)
    exact = np.array([totals.without, totals.without + totals.value]) / counts
    laws, rng = (
        [LaplaceLaw(b) for b in attack.scales],
        SimulationRandom(attack.telling.seed, 8).generator,
    )
    noise = np.array([float(law.sample(rng, 1)[0]) for law in laws]) / counts
    return exact, exact + noise, np.array([law.half_width(0.95) for law in laws]) / counts
