"""The exact law of additive noise: what every mechanism of the additive family provides, and what
follows from it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import say
from dpstudio.values.roots import root

Array = NDArray[np.float64]
_TERMS = 20_000


@dataclass(frozen=True)
class Law(ABC):
    """A law on the real line, symmetric about 0 unless it says otherwise.

    A continuous law gives its density with respect to length, a `discrete` one its pmf on the
    integers. A continuous law may also have `atoms`, which its density leaves out. All array
    methods take numbers of any shape and give arrays of that shape; lengths are in the units of
    the answer.
    """

    discrete: ClassVar[bool] = False
    flat: ClassVar[bool] = False  # whether the density is constant between its kinks

    @abstractmethod
    def density(self, x: ArrayLike) -> Array:
        """Density at x, in 1 / unit of the answer; for a discrete law the pmf at the integers x."""

    @abstractmethod
    def cdf(self, x: ArrayLike) -> Array:
        """P(X ≤ x), atoms included."""

    @abstractmethod
    def quantile(self, u: ArrayLike) -> Array:
        """Smallest x with cdf(x) ≥ u, for 0 < u < 1."""

    @property
    def standard(self) -> Law:
        """The law of size 1 that this one is a multiple of, of which it draws that multiple of the
        same numbers; itself where there is none."""
        return self

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        """(place, probability) of every single value that a continuous law takes with positive
        probability."""
        return ()

    def kinks(self, low: float, high: float) -> Array:
        """Where in [low, high] the density jumps or bends, ascending, shape (kinks,)."""
        return np.zeros(1) if low <= 0 <= high else np.zeros(0)

    @property
    def mean(self) -> float:
        """E X: the bias of an answer with this error."""
        return 0.0

    @property
    @abstractmethod
    def mean_abs(self) -> float:
        """E|X|."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """E X²: the laws here have mean 0, and a biased one counts its bias in."""

    def inside(self, width: float) -> float:
        """P(|X| ≤ width)."""
        below = self.cdf(np.array([width, math.ceil(-width) - 1.0 if self.discrete else -width]))
        return float(below[0] - below[1])

    def half_width(self, confidence: float) -> float:
        """Smallest w with P(|X| ≤ w) ≥ confidence, 0 < confidence < 1."""
        high = max(float(self.quantile(np.array([(1 + confidence) / 2]))[0]), 1e-300)
        while self.inside(high) < confidence:
            high *= 2
        return narrowest(self.inside, confidence, high)

    def all_inside(self, x: Array, count: ArrayLike, below: ArrayLike = 0) -> Array:
        """P(|X₁| ≤ x, …, |X_count| ≤ x, and Y₁ ≤ x, …, Y_below ≤ x) for the coordinates X and Y of
        one noise vector, shape of `x`; they are independent unless a law says otherwise."""
        inside = self._inside(x) ** np.asarray(count)
        return np.asarray(inside * self.cdf(x) ** np.asarray(below) if np.any(below) else inside)

    def all_density(self, x: Array, count: ArrayLike, below: ArrayLike = 0) -> Array:
        """The derivative of `all_inside` in `x` for a continuous law, shape of `x`."""
        up, down, inside = self.density(x), self.density(-x), self._inside(x)
        return density_of_all(up, down, inside, self.cdf(x), (count, below), x)

    def all_half_width(self, confidence: float, count: int) -> float:
        """Simultaneous: the smallest w with P(every |Xᵢ| ≤ w) ≥ confidence, 0 < confidence < 1, in
        log space so that 10,000 coordinates work."""
        return self.half_width(math.exp(math.log(confidence) / count))

    def _inside(self, x: Array) -> Array:
        lower = -np.floor(x) - 1 if self.discrete else -x
        return np.asarray(
            np.where(
                x < 0, 0.0, np.clip(self.cdf(np.abs(x)) - self.cdf(lower) + self._at(-x), 0, 1)
            )
        )

    def _at(self, x: Array) -> Array:
        """P(X = x), for a law with atoms."""
        return sum((mass * (x == place) for place, mass in self.atoms), np.zeros_like(x))

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        """Draws by inversion, shape (size,). For looking, not for releases: floats leak (Mironov
        2012)."""
        return self.quantile(rng.random(size))

    def leave(
        self, chance: ReleaseRandom, count: int, step: Fraction, wider: Fraction
    ) -> list[int]:
        """The noise of one answer of `count` coordinates that may leave the program: in steps of a
        public grid (1 for a discrete law), drawn exactly from this law made `wider` ≥ 1 times as
        wide. Raises NotDrawnError."""
        raise NotDrawnError(
            say(
                "Noise of this kind cannot be drawn exactly here, and what leaves must be. Choose "
                "Laplace or Gaussian noise."
            )
        )

    def delta(self, epsilon: float, shift: float) -> float:
        """The smallest δ ≥ 0 for which this law and its shift keep (ε, δ): the hockey-stick
        divergence sup_S P(S) − e^ε P(S + shift), by `hockey_stick` where a law knows no formula."""
        return hockey_stick(self, epsilon, shift)


def narrowest(inside: Callable[[float], float], confidence: float, high: float) -> float:
    """The smallest w ≥ 0 with inside(w) ≥ `confidence`, which holds at `high`."""
    if inside(0.0) >= confidence:
        return 0.0
    w = root(lambda w: inside(w) - confidence, 0.0, high)
    # At a jump the root finder may end on its near side, where the confidence is not reached.
    return w if inside(w) >= confidence else w * (1 + 1e-12)


def turn(values: Array, flips: NDArray[np.uint8 | np.bool_]) -> None:
    """Other signs in place where `flips` is 1: by their bits, a fifth of the time that a branch at
    each takes."""
    bits = values.view(np.uint64)
    bits ^= flips.astype(np.uint64) << np.uint64(63)


def density_of_all(
    up: Array,
    down: Array,
    inside: Array,
    under: Array,
    counts: tuple[ArrayLike, ArrayLike],
    x: Array,
) -> Array:
    """The derivative of insideⁿ · underᵐ at x ≥ 0, 0 below, for (n, m) `counts` of coordinates:
    `up` and `down` are the densities at x and −x, `inside` and `under` P(|X| ≤ x) and P(X ≤ x)."""
    both, below = (np.asarray(n) for n in counts)
    of_both = both * inside ** np.maximum(both - 1, 0) * (up + down) * under**below
    of_below = below * under ** np.maximum(below - 1, 0) * up * inside**both
    return np.asarray(np.where(x < 0, 0.0, of_both + of_below))


def hockey_stick(law: Law, epsilon: float, shift: float, points: int = 400_001) -> float:
    """∫ (p(x) − e^ε p(x − shift))₊ dx by brute force over `points` cells, or by a sum over the
    integers for a discrete law; needs only the density and the atoms, and so checks all formulas.
    """
    reach = float(law.quantile(np.array([1 - 1e-13]))[0]) + abs(shift)
    if law.discrete:
        x = np.arange(-math.ceil(reach), math.ceil(reach) + 1, dtype=np.float64)
        return float(
            np.maximum(law.density(x) - math.exp(epsilon) * law.density(x - shift), 0).sum()
        )
    kinks = law.kinks(-reach, reach)
    # As np.union1d has them, which takes four times as long for ends that stand in order.
    ends = np.sort(np.r_[np.linspace(-reach, reach, points), kinks, kinks + shift], kind="stable")
    ends = ends[np.diff(ends, prepend=-math.inf) > 0]
    x = (ends[1:] + ends[:-1]) / 2
    gap = np.maximum(law.density(x) - math.exp(epsilon) * law.density(x - shift), 0)
    return float(np.sum(gap * np.diff(ends))) + atoms_apart(law, epsilon, shift)


def atoms_apart(law: Law, epsilon: float, shift: float) -> float:
    """What the atoms add to the hockey stick: an atom that the shifted law does not have is seen
    for certain."""
    there = {place + shift: mass for place, mass in law.atoms}
    return sum(
        max(0.0, mass - math.exp(epsilon) * there.get(place, 0.0)) for place, mass in law.atoms
    )


def power_of(pmf: Array, count: int) -> Array:
    """The pmf of the sum of `count` ≥ 0 independent draws, of odd length and centred as `pmf` is;
    terms at both ends below 1e-40 of the largest are left out."""
    out, power, left = np.ones(1), pmf, count
    while left:
        if left & 1:
            out = _kept(np.convolve(out, power))
        left >>= 1
        if left:
            power = _kept(np.convolve(power, power))
    return out


def _kept(pmf: Array) -> Array:
    """Without what is negligible at both ends, an equal number of places each."""
    seen = np.flatnonzero(pmf > 1e-40 * pmf.max())
    cut = min(int(seen[0]), len(pmf) - 1 - int(seen[-1]))
    return pmf[cut : len(pmf) - cut]


@lru_cache(maxsize=8)
def legendre(points: int) -> tuple[Array, Array]:
    """Gauss–Legendre nodes and weights on [−1, 1], shape (points,) each; remembered, as they cost
    20 ms."""
    return np.polynomial.legendre.leggauss(points)


@dataclass(frozen=True)
class Largest:
    """The law of the largest |error| over `count` coordinates of one noise vector, on [0, ∞). Its
    methods are those of `Law`."""

    law: Law
    count: int

    @property
    def discrete(self) -> bool:
        """Whether it lies on the integers, as the noise does."""
        return self.law.discrete

    def cdf(self, x: ArrayLike) -> Array:
        """P(every |error| ≤ x)."""
        return self.law.all_inside(np.asarray(x, dtype=np.float64), self.count)

    def density(self, x: ArrayLike) -> Array:
        """Its density, or its pmf for a discrete law."""
        x = np.asarray(x, dtype=np.float64)
        return (
            self.cdf(x) - self.cdf(x - 1) if self.discrete else self.law.all_density(x, self.count)
        )

    def quantile(self, u: ArrayLike) -> Array:
        """The smallest x with cdf(x) ≥ u, 0 < u < 1, shape of `u` (at least one dimension)."""
        return np.array([self.half_width(float(p)) for p in np.atleast_1d(u)])

    def half_width(self, confidence: float) -> float:
        """Simultaneous: P(every |error| ≤ w) ≥ confidence."""
        return self.law.all_half_width(confidence, self.count)

    def kinks(self, low: float, high: float) -> Array:
        """Where the density of |X| jumps or bends below `high`, ascending."""
        return np.unique(np.abs(self.law.kinks(-high, high)))

    @property
    def mean_abs(self) -> float:
        """E of the largest |error|."""
        return self._tails(second=False)

    @property
    def variance(self) -> float:
        """E X², of the largest error."""
        return self._tails(second=True)

    def _tails(self, *, second: bool) -> float:
        """∫ P(X > x) dx or ∫ 2x P(X > x) dx: summed for integers, else over panels that end where
        the density bends."""
        top = self.half_width(1 - 1e-9)
        if self.discrete:
            return _summed(
                lambda k: (2 * k + 1 if second else 1) * (1 - self.cdf(k)), math.ceil(top) + 1
            )
        # Steps may be rare and far out, and still be most of the variance.
        far = max(top, 30 * self.law.variance / self.law.mean_abs) if self.law.mean_abs > 0 else top
        kinks = self.kinks(0.0, far)
        ends = np.unique(
            np.concatenate(
                [[0.0, top, far], np.linspace(0, top, 9), kinks if len(kinks) < 2500 else []]
            )
        )
        nodes, weights = legendre(40 if len(ends) < 60 else 12)
        half = np.diff(ends)[:, None] / 2
        x = (ends[1:] + ends[:-1])[:, None] / 2 + half * nodes
        return float(np.sum(half * weights * (2 * x if second else 1) * (1 - self.cdf(x))))


def _summed(values: Callable[[Array], Array], end: int) -> float:
    """Σ values(k) over the integers 0 ≤ k < end, all of them up to 20,000: of more, straight lines
    between some, halved where one alone decides (a jump of an integer law). Millions of terms at
    each ε of a curve take minutes."""
    k = np.unique(np.round(np.linspace(0, end, min(end, _TERMS) + 1)))
    at = values(k)
    for _ in range(60):
        wide, step = np.diff(k), np.diff(at)
        # Σ over a ≤ k < b of the line from (a, f(a)) to (b, f(b)).
        parts = wide * (at[1:] + at[:-1]) / 2 - step / 2
        coarse = (wide > 1) & ((wide - 1) * np.abs(step) > 1e-5 * np.abs(parts).sum())
        if not coarse.any():
            break
        middle = np.floor((k[1:] + k[:-1]) / 2)[coarse]
        k, at = np.concatenate([k, middle]), np.concatenate([at, values(middle)])
        order = np.argsort(k, kind="stable")
        k, at = k[order], at[order]
    return float(parts.sum())
