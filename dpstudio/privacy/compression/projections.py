"""Ways to choose the directions that rows are projected on, for a utility label (0) and a privacy
label (1)."""

from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.compression.scatter import Sums, pencil
from dpstudio.privacy.eigenvectors import eigh
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.fields import real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Parameters, Real, param

UTILITY, PRIVACY = 0, 1
_LDA_RIDGE = 1e-6  # of the largest variance within classes, so that it can be inverted
_ROUNDED = 1e-12  # of all variance: what is taken off it in doubles is not known more closely
_RHO = Real(
    N_("ρ"),
    N_("A ridge, as a share of the largest variance in the denominator: the less, the sharper."),
    low=1e-4,
    high=1.0,
    log=True,
)


class Projection(Parameters):
    """Base of the family. `short` is its name on a button, `ink` its colour, `formula` the matrix
    whose eigenvectors it takes; `blind` ones look at no label, and `signals` ones have directions
    only for what tells the utility classes apart."""

    editor = "strokes"
    short: ClassVar[str] = ""
    ink: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    blind: ClassVar[bool] = False
    signals: ClassVar[bool] = False

    def most(self, classes: int, rank: int) -> int:
        """How many directions mean anything where the utility label has so many classes and rows
        vary along `rank` directions."""
        return min(rank, classes - 1) if self.signals else rank

    def quotient(self, m: Sums) -> tuple[Array, Array]:
        """What is to be large and what small along a direction, (..., p, p) each."""
        raise NotImplementedError

    def directions(self, m: Sums, looking: SimulationRandom) -> tuple[Array, Array]:
        """What each direction is ranked by, the largest first, (..., p), and the directions,
        columns of (..., p, p)."""
        return pencil(*self.quotient(m))


class Pca(Projection):
    """The directions of the largest variance."""

    key = "pca"
    label = N_("PCA")
    short = N_("PCA")
    source = "Pearson 1901; Hotelling 1933"
    ink = "laplace"
    formula = "S̄"
    blind = True

    def directions(self, m: Sums, looking: SimulationRandom) -> tuple[Array, Array]:
        values, vectors = eigh(m.spread)
        return np.asarray(values[..., ::-1]), np.asarray(vectors[..., ::-1])


class Dca(Projection):
    """Discriminant components: those that tell the utility classes apart first, then the others in
    an order that the sign of ρ′ decides.

    The pencil is (S̄ + (ρ + ρ′)I, S_W + ρI) of the utility label, whose eigenvalue is 1 + ρ′/(λ +
    ρ) along a direction of variance λ in which the classes do not differ."""

    key = "dca"
    label = N_("DCA")
    short = N_("DCA")
    source = "Kung 2017, IEEE Signal Processing Magazine 34(1)"
    ink = "gaussian"
    formula = "S̄ + (ρ + ρ′)I, S_W + ρI"

    rho: float = param(0.02, _RHO)
    rho_prime: float = real(
        0.1,
        N_("ρ′"),
        N_("As a share of ρ. Above 0 directions of least variance come next, below 0 of most."),
        low=-0.9,
        high=0.9,
    )

    def quotient(self, m: Sums) -> tuple[Array, Array]:
        within, spread = m.within(UTILITY), m.spread
        rho = ridge(within, self.rho, spread)
        return spread + (1 + self.rho_prime) * rho, within + rho


class Mdr(Projection):
    """The directions that tell the utility classes apart most for how little they tell the privacy
    classes apart: the pencil (S_B of utility, S_B of privacy + ρI)."""

    key = "mdr"
    label = N_("MDR")
    short = N_("MDR")
    source = "Diamantaras & Kung 2016; Kung 2017"
    ink = "staircase"
    formula = "S_B of utility, S_B of privacy + ρI"

    signals = True

    rho: float = param(0.02, _RHO)

    def quotient(self, m: Sums) -> tuple[Array, Array]:
        private = m.between(PRIVACY)
        return m.between(UTILITY), private + ridge(private, self.rho, m.spread)


class Lda(Projection):
    """Fisher's linear discriminants: the pencil (S_B, S_W) of the utility label."""

    key = "lda"
    label = N_("LDA")
    short = N_("LDA")
    source = "Fisher 1936; Rao 1948"
    ink = "discrete_gaussian"
    formula = "S_B, S_W"
    signals = True

    def quotient(self, m: Sums) -> tuple[Array, Array]:
        within = m.within(UTILITY)
        return m.between(UTILITY), within + ridge(within, _LDA_RIDGE, m.spread)


class RandomProjection(Projection):
    """Directions drawn at random, orthonormal."""

    key = "random"
    label = N_("Random projection")
    short = N_("Random")
    source = "Liu, Kargupta & Ryan 2006"
    ink = "l2norm"
    formula = N_("drawn at random")
    blind = True

    def directions(self, m: Sums, looking: SimulationRandom) -> tuple[Array, Array]:
        drawn = looking.generator.standard_normal(m.squares.shape)
        w = np.linalg.qr(drawn)[0]
        return np.asarray(np.sum(w * (m.spread @ w), axis=-2)), np.asarray(w)


def ridge(scatter: Array, share: float, spread: Array) -> Array:
    """So large a share of the largest eigenvalue on the diagonal, (..., p, p); no less than
    rounding leaves of rows of that `spread` where all is 0, and where they are all alike a share of
    1."""
    top = np.linalg.eigvalsh(scatter)[..., -1]
    size = np.maximum(share * top, _ROUNDED * np.trace(spread, axis1=-2, axis2=-1))
    size = np.where(size > 0, size, share)
    return np.asarray(size[..., None, None] * np.eye(scatter.shape[-1]))


PROJECTIONS: list[type[Projection]] = [Pca, Dca, Mdr, Lda, RandomProjection]
