"""Two kinds of chance that nobody can take for one another.

`SimulationRandom` is numpy's: seeded, replayable, in floats, for pictures of a law. What it draws
must never leave as a release, since it is known to whoever knows the seed, and the last bits of its
floats tell the exact answer. `ReleaseRandom` is exact: integers only, from a source of entropy that
is handed in from above. What it draws may leave.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.values.messages import Message, SentenceError

Below = Callable[[int], int]
Floats = NDArray[np.float64]
_WORD, _MANTISSA = 64, 53


class NotDrawnError(SentenceError):
    """What cannot be drawn exactly; `sentence` says why, and what to choose instead."""


class UnattestedError(NotDrawnError):
    """Nobody attests what is known of these columns."""

    def __init__(self, sentence: Message, columns: tuple[str, ...]):
        super().__init__(sentence)
        self.columns = columns


class Chance(Protocol):
    """What a table is drawn anew by: numpy's generator to look at, `SystemChance` to leave."""

    def random(self, size: int) -> Floats:
        """So many numbers in [0, 1)."""

    def normal(self, loc: float, scale: float, size: int) -> Floats:
        """So many numbers of a normal law."""


@dataclass(frozen=True, eq=False)
class SystemChance:
    """The same by `below(n)`, whole numbers from 0 to n − 1 that nobody can foresee: no state is
    kept that what leaves could tell."""

    below: Below

    def random(self, size: int) -> Floats:
        """Whole steps of 2⁻⁵³."""
        steps = [self.below(1 << _MANTISSA) for _ in range(size)]
        return np.array(steps, dtype=np.float64) * 2.0**-_MANTISSA

    def normal(self, loc: float, scale: float, size: int) -> Floats:
        """By the inverse of the cdf, of a uniform number in the middle of one of 2⁵² steps: that
        of the last is below 1 as a double too."""
        law, steps = NormalDist(loc, scale), 1 << (_MANTISSA - 1)
        return np.array([law.inv_cdf((self.below(steps) + 0.5) / steps) for _ in range(size)])


class SimulationRandom:
    """Chance for looking at: the same seed and stream draw the same noise, in floats."""

    def __init__(self, seed: int, *stream: int):
        """`seed` is what a person set, `stream` tells apart what one seed is used for; all are
        integers of at least 0. Raises TypeError for anything else, a `ReleaseRandom` among it."""
        for number in (seed, *stream):
            if not isinstance(number, int | np.integer):
                raise TypeError(f"a seed is an integer, not {number!r}")
        self._key = [int(number) for number in (seed, *stream)]

    @property
    def generator(self) -> np.random.Generator:
        """A generator at the start of its stream."""
        return np.random.Generator(np.random.SFC64(self._key))


@dataclass(frozen=True, eq=False)
class ReleaseRandom:
    """Chance for what leaves: exact samplers on the integers, for noise on a public grid.

    `randbelow(n)` gives integers from 0 to n − 1, all alike likely and unknown to anyone else, as
    `secrets.randbelow` does. All arithmetic is on integers and fractions, so that the laws hold
    exactly (Canonne, Kamath & Steinke 2020).
    """

    randbelow: Below

    def __post_init__(self) -> None:
        """Raises TypeError for a seeded generator of numpy, and for a method of one."""
        source = getattr(self.randbelow, "__self__", self.randbelow)
        if isinstance(source, SimulationRandom | np.random.Generator) or not callable(
            self.randbelow
        ):
            raise TypeError("what leaves needs a source of entropy, not a seed")

    def coin(self, gamma: Fraction) -> bool:
        """True with probability e^−gamma (Algorithm 1). ValueError for gamma < 0."""
        if gamma < 0:
            raise ValueError("e^−γ is a probability for γ ≥ 0 only")
        whole = gamma.numerator // gamma.denominator
        return all(self._small_coin(1, 1) for _ in range(whole)) and self._small_coin(
            gamma.numerator - whole * gamma.denominator, gamma.denominator
        )

    def _small_coin(self, above: int, below: int) -> bool:
        """True with probability e^−(above/below), 0 ≤ above/below ≤ 1."""
        k = 1
        while self.randbelow(below * k) < above:
            k += 1
        return k % 2 == 1

    def chance(self, probability: Fraction) -> bool:
        """True with this probability, in [0, 1]."""
        return self.randbelow(probability.denominator) < probability.numerator

    def words(self, count: int) -> NDArray[np.uint64]:
        """Numbers of 64 bits, all alike likely, shape (count,)."""
        drawn = self.randbelow(1 << (_WORD * count)) if count else 0
        return np.frombuffer(drawn.to_bytes(8 * count, "little"), dtype="<u8").astype(np.uint64)

    def discrete_laplace(self, scale: Fraction) -> int:
        """An integer k with probability ∝ e^(−|k|/scale), scale > 0 (Algorithm 2)."""
        t, s = _positive(scale).numerator, scale.denominator
        while True:
            u = self.randbelow(t)
            if not self._small_coin(u, t):
                continue
            v = 0
            while self._small_coin(1, 1):
                v += 1
            size = (u + t * v) // s
            negative = self.randbelow(2) == 1
            if not (negative and size == 0):
                return -size if negative else size

    def discrete_gaussian(self, variance: Fraction) -> int:
        """An integer k with probability ∝ e^(−k²/2·variance), variance > 0 (Algorithm 3)."""
        t = math.isqrt(_positive(variance).numerator // variance.denominator) + 1
        while True:
            k = self.discrete_laplace(Fraction(t))
            if self.coin((abs(k) - variance / t) ** 2 / (2 * variance)):
                return k


class Reporting:
    """The chance of many people who each send a report: exact, and in arrays, with those methods of
    numpy's generators that reports are drawn with. `leaving` is where it comes from."""

    def __init__(self, leaving: ReleaseRandom):
        self.leaving = leaving

    def random(self, size: int | tuple[int, ...]) -> Uniforms:
        """Uniform numbers that can be compared with a probability, and with nothing else."""
        return Uniforms(self.leaving, (size,) if isinstance(size, int) else size)

    def integers(
        self, low: int, high: int, size: int, dtype: type[np.integer] = np.int64
    ) -> NDArray[np.int64]:
        """Integers from low to high − 1, all alike likely, shape (size,)."""
        span = int(high) - int(low)
        if span == 1 << _WORD:
            return self.leaving.words(size).astype(dtype)
        # What lies past the last whole run of `span` numbers is drawn again.
        most, out = np.uint64((1 << _WORD) // span * span - 1), np.empty(0, dtype=np.uint64)
        while len(out) < size:
            more = self.leaving.words(size - len(out))
            out = np.concatenate([out, more[more <= most]])
        return (low + (out % np.uint64(span)).astype(np.int64)).astype(dtype)


class Uniforms:
    """Uniform numbers on [0, 1) of which as many digits are drawn as a comparison needs: P(U < p)
    is p to the last bit of the double p, however small that is."""

    def __init__(self, leaving: ReleaseRandom, shape: tuple[int, ...]):
        self._leaving, self._shape = leaving, shape

    def __lt__(self, chances: ArrayLike) -> NDArray[np.bool_]:
        p = np.broadcast_to(np.asarray(chances, dtype=np.float64), self._shape).ravel()
        below, open_ = p >= 1, np.flatnonzero((p > 0) & (p < 1))
        rest = p[open_]
        while len(open_):
            digits = np.floor(np.ldexp(rest, 32))
            drawn = self._leaving.words(len(open_)) >> np.uint64(32)
            below[open_] = drawn < digits.astype(np.uint64)
            tied = drawn == digits.astype(np.uint64)
            rest = np.ldexp(rest, 32)[tied] - digits[tied]  # exact: digits of the double p
            open_ = open_[tied]
        return below.reshape(self._shape)


def at_most(value: float) -> Fraction:
    """The decimal that a double is read as, or the double where that is less: what is drawn by it
    costs no more than what is said, 0.1, of which the double lies a hair above."""
    return min(Fraction(value), Fraction(repr(float(value))))


def exponential_above(epsilon: Fraction) -> Fraction:
    """A fraction at e^(−ε) or just above it, ε > 0: relative error below 2^(−60). Odds made of it
    never cost more than ε."""
    with localcontext() as context:
        context.prec, context.rounding = 60, ROUND_CEILING
        context.Emin = -10_000
        exponent = Decimal(-epsilon.numerator) / Decimal(epsilon.denominator)
        return Fraction(exponent.exp().next_plus())


def _positive(value: Fraction) -> Fraction:
    """The value, where it is an exact one above 0. Raises TypeError for a float, whose last bits
    nobody meant, and ValueError for 0 and below."""
    if not isinstance(value, Fraction):
        raise TypeError("an exact sampler takes a Fraction")
    if value <= 0:
        raise ValueError("scales and variances lie above 0")
    return value
