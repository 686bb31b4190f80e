"""Ways to release principal components: where each puts its noise, how much, and the subspaces that
come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.learning import bingham, components, power
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Parameters, param

Check = Callable[[], None]
_AT_ONCE = 100  # eigenvalue problems that are solved without a look at whether anybody waits


def at_ease() -> None:
    """The check of what nobody stops."""


class Way(Parameters):
    """Base of the family. `short` is its name on a button, `ink` its colour, `pure` says that its δ
    is 0."""

    editor = "strokes"
    short: ClassVar[str] = ""
    ink: ClassVar[str] = ""
    pure: ClassVar[bool] = True
    # What `scale` is, as a formula.
    formula: ClassVar[str] = ""
    # Whether it publishes a noisy matrix of second moments, of which all else follows.
    matrix: ClassVar[bool] = False

    epsilon: float = param(1.0, EPSILON)

    def at(self, epsilon: float, delta: float) -> Way:
        """The same way with another budget, unchecked; a pure one takes no δ."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, epsilon=epsilon)
        if not self.pure:
            copy.__dict__["delta"] = delta
        return copy

    def reach(self, moved: components.Moved, p: int) -> float:
        """How far one person moves a p × p matrix in the norm that the noise is made for: L2, if
        it is no other."""
        return moved.l2

    def scale(self, moved: components.Moved, p: int, k: int) -> float:
        """The scale of the noise on a p × p matrix of which k directions are asked; in proportion
        to `reach`."""
        raise NotImplementedError

    def subspaces(
        self,
        a: Array,
        k: int,
        moved: components.Moved,
        seeds: int,
        looking: Sequence[int],
        check: Check = at_ease,
    ) -> Array:
        """k orthonormal columns each for as many draws, shape (seeds, p, k), the leading first.
        `looking` is a seed and its stream: noise of one seed only grows with its scale. `check`
        raises where nobody waits any more, and is called between long pieces."""
        raise NotImplementedError


class MatrixWay(Way):
    """Symmetric noise on the second moments, independent on and above the diagonal; eigenvectors of
    the noisy matrix are post-processing."""

    matrix = True

    def unit_noise(self, rng: np.random.Generator, size: tuple[int, int]) -> Array:
        """Noise of scale 1."""
        raise NotImplementedError

    def noisy(self, a: Array, moved: components.Moved, seeds: int, looking: Sequence[int]) -> Array:
        """Noisy matrices, shape (seeds, p, p); their noise does not depend on k."""
        p = len(a)
        unit = self.unit_noise(SimulationRandom(*looking).generator, (seeds, p * (p + 1) // 2))
        return np.asarray(a + self.scale(moved, p, p) * components.symmetric(unit, p))

    def subspaces(
        self,
        a: Array,
        k: int,
        moved: components.Moved,
        seeds: int,
        looking: Sequence[int],
        check: Check = at_ease,
    ) -> Array:
        found = []
        for part in np.array_split(self.noisy(a, moved, seeds, looking), 1 + seeds // _AT_ONCE):
            check()
            found.append(components.leading(part, k))
        return np.concatenate(found)


class GaussianMatrix(MatrixWay):
    """N(0, σ²) on the second moments, σ exact for (ε, δ) and not the larger one of the theorem."""

    key = "gaussian_matrix"
    label = N_("Gaussian matrix")
    short = N_("Gaussian")
    source = "Dwork, Talwar, Thakurta & Zhang 2014, Algorithm 1; " + N_("σ of Balle & Wang 2018")
    ink = "gaussian"
    pure = False
    formula = "σ = Δ₂·σ(ε, δ)"

    delta: float = param(1e-5, DELTA)

    def scale(self, moved: components.Moved, p: int, k: int) -> float:
        return analytic_sigma(self.epsilon, self.delta, moved.l2)

    def unit_noise(self, rng: np.random.Generator, size: tuple[int, int]) -> Array:
        return rng.standard_normal(size)


class LaplaceMatrix(MatrixWay):
    """Laplace noise on the second moments: δ = 0, and a scale that grows with the columns."""

    key = "laplace_matrix"
    label = N_("Laplace matrix")
    short = N_("Laplace")
    source = "Dwork, McSherry, Nissim & Smith 2006, Proposition 1"
    ink = "laplace"
    formula = "b = Δ₁/ε"

    def reach(self, moved: components.Moved, p: int) -> float:
        return moved.l1(p)

    def scale(self, moved: components.Moved, p: int, k: int) -> float:
        return self.reach(moved, p) / self.epsilon

    def unit_noise(self, rng: np.random.Generator, size: tuple[int, int]) -> Array:
        return rng.laplace(size=size)


class NoisyPower(Way):
    """A few products with the matrix, each with Gaussian noise on p × k entries only."""

    key = "noisy_power"
    label = N_("Noisy power")
    short = N_("Power")
    source = "Hardt & Price 2014, figure 1; Dong, Roth & Su 2022, Corollary 3.3"
    ink = "staircase"
    pure = False
    formula = "σ = √L·Δ₂·σ(ε, δ)"

    delta: float = param(1e-5, DELTA)
    steps: int = integer(
        4,
        N_("Steps L"),
        N_("How many noisy products share the budget. More turn nearer, with more noise each."),
        low=1,
        high=50,
        log=True,
    )

    def scale(self, moved: components.Moved, p: int, k: int) -> float:
        return power.step_sigma(self.epsilon, self.delta, moved, self.steps)

    def subspaces(
        self,
        a: Array,
        k: int,
        moved: components.Moved,
        seeds: int,
        looking: Sequence[int],
        check: Check = at_ease,
    ) -> Array:
        sigma, rng = self.scale(moved, len(a), k), SimulationRandom(*looking).generator
        return power.power_subspaces(a, k, sigma, self.steps, seeds, rng)


class ExponentialSubspace(Way):
    """Directions drawn one by one, the likelier the more variance lies along them: δ = 0, and no
    noise is added."""

    key = "exponential_subspace"
    label = N_("Exponential draw")
    short = N_("Draw")
    source = "Kapralov & Talwar 2013; Chaudhuri, Sarwate & Sinha 2013; Kent, Ganeiber & Mardia 2018"
    ink = "discrete_gaussian"
    formula = "1/c = k·width/ε"

    def reach(self, moved: components.Moved, p: int) -> float:
        return moved.width

    def scale(self, moved: components.Moved, p: int, k: int) -> float:
        return 1 / bingham.strength(self.epsilon / k, moved)

    def subspaces(
        self,
        a: Array,
        k: int,
        moved: components.Moved,
        seeds: int,
        looking: Sequence[int],
        check: Check = at_ease,
    ) -> Array:
        rng = SimulationRandom(*looking).generator
        return bingham.exponential_subspaces(a, k, self.epsilon, moved, seeds, rng, check)


WAYS: list[type[Way]] = [GaussianMatrix, LaplaceMatrix, NoisyPower, ExponentialSubspace]
