"""The noise that a question of a plan is released with: its grid, and how wide it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpstudio.plans.charge import Unit
from dpstudio.plans.question import GAUSSIAN, Mean, MeanByGroup, MostCommon, Question
from dpstudio.privacy.accounting import REPLACE

# Gaussian noise is charged by its exact profile, which holds on a grid of 2^−29 of σ or finer.
_FINE, _VALUE = 29, 52


@dataclass(frozen=True)
class Noise:
    """On so many numbers, each a whole number of steps: geometric noise of scale `size`, or
    discrete Gaussian noise of that variance, both in units of the answer and not of steps."""

    gaussian: bool
    cells: int
    size: Fraction
    step: Fraction

    @property
    def in_steps(self) -> Fraction:
        """Scale or variance as a sampler on the integers takes it."""
        return self.size / self.step ** (2 if self.gaussian else 1)


def noises(question: Question, unit: Unit, noise: str, cost: Fraction) -> tuple[Noise, ...]:
    """Of an additive question what is drawn at this cost: one noise, or of a mean one of its sums
    and one of its counts. Nothing of a choice."""
    if not question.additive:
        return ()
    gaussian = noise == GAUSSIAN
    if not question.counted:
        reach = question.reach(unit)
        size = _size(gaussian, reach.l2_squared / (2 * cost) if gaussian else reach.l1 / cost)
        low, high = question.bounds
        step = Fraction(1) if reach.whole else value_step(max(abs(low), abs(high)))
        return (Noise(gaussian, reach.cells, size, _fine(gaussian, size, step)),)
    low, high = question.bounds
    half, step, parts = (high - low) / 2, value_step((high - low) / 2), pair(question, unit)
    scales = [unit.rows * half * parts[0][0], unit.rows * parts[1][0]]
    if gaussian:
        scales = [(unit.rows * half) ** 2 * parts[0][1], unit.rows**2 * parts[1][1]]
    sizes = [_size(gaussian, size / cost) for size in scales]
    found = (
        Noise(gaussian, question.cells, sizes[0], _fine(gaussian, sizes[0], step)),
        Noise(gaussian, question.cells, sizes[1], _fine(gaussian, sizes[1], Fraction(1))),
    )
    return found[:1] if size_public(question, unit) else found


def _size(gaussian: bool, size: Fraction) -> Fraction:
    """So large a scale or variance, or a hair more: the scale, or the deviation, is a double, which
    another program takes as it is, so far above that its map, rounded up, is not above the cost."""
    return _raised(math.sqrt(size)) ** 2 if gaussian and size else _raised(size)


def _raised(size: float | Fraction) -> Fraction:
    return Fraction(float(size) * (1 + 2.0**-49))


def size_public(question: Question, unit: Unit) -> bool:
    """Whether a mean is over a number of rows that everybody knows: no count of them is drawn."""
    return isinstance(question, Mean) and question.size_known and unit.adjacency == REPLACE


def pair(question: Question, unit: Unit) -> tuple[tuple[Fraction, Fraction], ...]:
    """Of the sums about the middle, in half-spans, and of the counts of a mean: the scale of
    geometric noise at ε = 1, and the variance of Gaussian noise at ρ = 1. One row that comes moves
    the sum by half a span and the count by 1; one that is replaced moves the sum by a span, or both
    by as much as one that comes, in two groups where there are more."""
    if size_public(question, unit):
        return (Fraction(2), Fraction(2)), (Fraction(0), Fraction(0))
    if unit.adjacency != REPLACE:
        return ((Fraction(2), Fraction(1)),) * 2
    if isinstance(question, MeanByGroup):
        return ((Fraction(4), Fraction(2)),) * 2
    return (Fraction(2), Fraction(2)), (Fraction(2), Fraction(2, 3))


def value_step(most: Fraction) -> Fraction:
    """The grid on which a value of at most that size is put before it is added up: a power of two,
    so fine that it has 52 bits."""
    return Fraction(2) ** (_log2(most) + 1 - _VALUE)


def _log2(value: Fraction) -> int:
    """The whole part of the binary logarithm of a fraction above 0, or 1 less."""
    return value.numerator.bit_length() - value.denominator.bit_length() - 1


def _fine(gaussian: bool, size: Fraction, step: Fraction) -> Fraction:
    """The step, or a finer one where Gaussian noise needs it: at most 2^−29 of σ."""
    return min(step, Fraction(2) ** (_log2(size) // 2 - _FINE)) if gaussian else step


def monotone(question: Question, unit: Unit) -> bool:
    """Whether one person moves all scores of a choice in one direction."""
    return isinstance(question, MostCommon) and unit.adjacency != REPLACE


def rate(question: Question, unit: Unit, cost: Fraction) -> Fraction:
    """By how much a choice weighs one unit of its score: ε/2Δ, or ε/Δ of monotone scores, or a hair
    less, so that 1 over it is a double (`_size`)."""
    sides = 1 if monotone(question, unit) else 2
    return 1 / _raised(sides * question.reach(unit).l1 / cost)
