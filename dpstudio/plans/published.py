"""What is published of a drawn question: numbers with their intervals, totals and flags. All of it
follows from what was drawn and from the plan; it touches no row."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpstudio.plans.errors import Errors
from dpstudio.plans.exact import written
from dpstudio.plans.joint import Weighed
from dpstudio.plans.laws import Noise, noises, size_public
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.question import (
    EXPONENTIAL,
    ByGroup,
    Histogram,
    MostCommon,
    Quantile,
    Question,
    SumByGroup,
    TwoWay,
)
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw

UNRELIABLE = "unreliable"
TOTAL = "total"
SUMMED, FITTED = "sum of published cells", "least squares"
FLAGGED = Fraction(1, 2)  # a half-width above this part of the number makes it unreliable
_UP = 1 + 1e-9  # for the arithmetic of doubles


@dataclass(frozen=True)
class Cell:
    """One published number, or the word that was chosen, on the public grid `base`: it is no
    further than `half` from the exact one (in `unit`), in the part of releases that the plan says:
    all cells of a question at once, a total by itself."""

    labels: tuple[str, ...]
    value: str
    half: str
    unit: str
    flag: str
    method: str

    @property
    def part(self) -> Fraction | None:
        """Its half-width as a part of it; None of a word, of what was chosen, and of 0."""
        if self.unit or not Fraction(self.value):
            return None
        return Fraction(self.half) / abs(Fraction(self.value))


def published(
    plan: Plan, question: Question, share: Share, answer: Sequence[Any], base: Fraction | None
) -> tuple[Cell, ...]:
    """The cells of a question as it was drawn, rounded to `base`; where that is None to 1 for
    whole numbers, else to about a hundredth of the half-width."""
    errors = plan.errors[plan.questions.index(question)]
    if not question.additive:
        return (_choice(question, share, errors, int(answer[0]["drawn"][0])),)
    law = noises(question, plan.terms.unit, share.noise, share.cost)
    numbers = [[Fraction(part["step"]) * k for k in part["drawn"]] for part in answer]
    if question.counted:
        pairs = list(_means(question, law, numbers, errors))
    else:
        wide = errors.at(share.noise, float(share.cost))
        pairs = [(number, wide * _UP) for number in numbers[0]]
    whole = errors.reach.whole and not question.counted
    base = base or _base(min(half for _, half in pairs), whole=whole)
    rounded = [base * round(number / base) for number, _ in pairs]
    halves = [_wide(half, base, whole=whole) for _, half in pairs]
    method = _method(share)
    given = zip(labels_of(question), rounded, halves, strict=True)
    cells = [cell_of(labels, n, h, method) for labels, n, h in given]
    return (*cells, *_totals(question, rounded, law[0], errors, base))


def _base(half: float, *, whole: bool) -> Fraction:
    return Fraction(1) if whole or half <= 0 else rounding(half)


def rounding(half: float) -> Fraction:
    """A power of ten that is about a hundredth of a half-width."""
    return Fraction(10) ** (math.floor(math.log10(half)) - 2)


def _wide(half: float, base: Fraction, *, whole: bool) -> Fraction:
    """A half-width after rounding to `base`, in steps of it: a whole number is off by a whole
    number, so that rounding noise to 1 moves it by less than a half."""
    if whole and base == 1:
        return Fraction(math.floor(half + 0.5))
    return base * math.ceil(Fraction(half) / base + Fraction(1, 2))


def cell_of(labels: tuple[str, ...], n: Fraction, half: Fraction, method: str) -> Cell:
    """A number that was published, flagged by what is published alone."""
    flag = UNRELIABLE if half > FLAGGED * abs(n) else ""
    return Cell(labels, written(n), written(half), "", flag, method)


def _method(share: Share) -> str:
    return {"laplace": "geometric noise", "gaussian": "discrete Gaussian noise"}.get(
        share.noise, "exponential mechanism" if share.noise == EXPONENTIAL else "noisy max"
    )


def _choice(question: Question, share: Share, errors: Errors, place: int) -> Cell:
    half = errors.at(share.noise, float(share.cost)) * _UP
    if isinstance(question, MostCommon):
        value = question.groups[place]
    else:
        assert isinstance(question, Quantile)
        value = _written(question.grid[place])
    return Cell((), value, written(Fraction(math.ceil(half))), question.behind, "", _method(share))


def _written(value: float) -> str:
    """A typed value, and no other that is near it."""
    text = f"{value:.15g}"
    return text if float(text) == value else repr(value)


def _means(
    question: Question, law: tuple[Noise, ...], numbers: list[list[Fraction]], errors: Errors
) -> Iterator[tuple[Fraction, float]]:
    """Each mean from its noisy sum about the middle and its noisy count n′: with noise a and b it
    is off by (a − µb)/n′ before it is put between the bounds, and |µ| is half the span at most."""
    low, high = question.bounds
    middle, half = (low + high) / 2, (high - low) / 2
    wide = _mean_noise(law, float(half), errors.each)
    if size_public(question, errors.unit):
        assert question.size is not None
        counts = [question.size] * len(numbers[0])
    else:
        counts = numbers[1]
    for total, count in zip(numbers[0], counts, strict=True):
        if count <= 0:
            yield middle, float(2 * half)
            continue
        mean = max(low, min(high, middle + total / count))
        yield mean, min(float(2 * half), wide / float(count) * _UP)


def _mean_noise(law: tuple[Noise, ...], half: float, each: float) -> float:
    """What |a − µb| keeps at that confidence, whatever µ is."""
    sizes = [float(noise.size) for noise in law]
    if law[0].gaussian:
        variance = sizes[0] + (half * half * sizes[1] if len(sizes) > 1 else 0.0)
        return GaussianLaw(math.sqrt(variance)).half_width(each)
    if len(sizes) == 1:
        return LaplaceLaw(sizes[0]).half_width(each)
    apart = math.sqrt(each)
    counted = DiscreteLaplaceLaw(1 / sizes[1]).half_width(apart)
    return LaplaceLaw(sizes[0]).half_width(apart) + half * counted


def labels_of(question: Question) -> list[tuple[str, ...]]:
    """The words or bins of each cell."""
    if isinstance(question, TwoWay):
        return [(a, b) for a in question.groups for b in question.other_groups]
    if isinstance(question, ByGroup | SumByGroup):
        return [(word,) for word in question.groups]
    if isinstance(question, Histogram):
        ends = [_written(edge) for edge in question.edges]
        return [(f"{a} to {b}",) for a, b in itertools.pairwise(ends)]
    return [()]


def totals_of(question: Question) -> Iterator[tuple[tuple[str, ...], Sequence[int]]]:
    """What is added up of its cells: of all, and of a two-way table of each row and column."""
    if question.cells < 2 or question.counted:
        return
    every = range(question.cells)
    if isinstance(question, TwoWay):
        wide = len(question.other_groups)
        for place, word in enumerate(question.groups):
            yield (word, TOTAL), every[place * wide : (place + 1) * wide]
        for place, word in enumerate(question.other_groups):
            yield (TOTAL, word), every[place::wide]
        yield (TOTAL, TOTAL), every
    else:
        yield (TOTAL,), every


def _totals(
    question: Question, cells: list[Fraction], law: Noise, errors: Errors, base: Fraction
) -> Iterator[Cell]:
    """Sums of the published cells, so that the table adds up."""
    unrounded = errors.reach.whole and base == 1 and not law.gaussian
    for labels, places in totals_of(question):
        wide = Weighed((law,), (np.ones(len(places)),)).half_width(errors.confidence) * _UP
        by = Fraction(0) if unrounded else Fraction(len(places), 2) * base
        half = base * math.ceil((Fraction(wide) + by) / base)
        yield cell_of(labels, sum((cells[i] for i in places), Fraction(0)), half, SUMMED)
