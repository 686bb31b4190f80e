"""The numbers of a plan's question, drawn from a table exactly: whole numbers, chance from the
system, and a grid that is public."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from dpstudio.data.codebook import About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.data.exact_sums import Exact, ExactSums, persons_named
from dpstudio.files.booked.approving import unapproved
from dpstudio.files.ledgers.amounts import LedgerError
from dpstudio.files.write.leaving import UntoldError
from dpstudio.labs.question import asked_types, compared_types
from dpstudio.plans.laws import Noise, noises, rate
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.question import (
    EXPONENTIAL,
    ByGroup,
    Count,
    Histogram,
    Mean,
    MeanByGroup,
    MostCommon,
    Quantile,
    Question,
    SumByGroup,
    Total,
    TwoWay,
)
from dpstudio.privacy.mechanisms.choosing import kept
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Column, ParamError, domains

if TYPE_CHECKING:
    from dpstudio.files.engines.elsewhere import Elsewhere

_GRID = 1 << 30  # steps of the noise of a noisy max to one unit of its scores


WHOSE = N_(
    "The plan protects persons with up to {rows} rows each: name the column that says whose row it "
    "is (--person COLUMN), so that no more of them are used."
)


def refused(plan: Plan, person: str) -> Iterator[Message]:
    """Why a plan cannot be released as it stands; it follows from the plan alone."""
    if (why := unapproved(plan)) is not None:
        yield why
    if (named := plan.terms.naming) and named != person:
        text = N_(
            "The plan tells persons apart by “{column}”: release it by that column, or write a "
            "plan that names another."
        )
        yield say(text, column=named)
    elif plan.terms.rows > 1 and not person:
        yield say(WHOSE, rows=plan.terms.rows)
    for question in plan.questions:
        for column, kind in asked_types(question).items():
            told = plan.terms.columns.get(column, kind)
            if kind == "number" and told not in (kind, "integer"):
                text = N_(
                    "“{name}” takes “{column}” for numbers, and the plan tells another type of it "
                    "({told}): change the types of the plan, or the question."
                )
                yield say(text, name=question.name, column=column, told=told)
        if question.times > 1:
            text = N_(
                "“{name}” is planned to be asked {times} times, and a release draws each line "
                "once: make a line of each time."
            )
            yield say(text, name=question.name, times=question.times)


def as_planned(plan: Plan, table: Dataset, person: str) -> Exact:
    """The table read as the plan says, at most so many rows of a person, with exact sums. Raises
    UntoldError, LedgerError and ParamError; no row decides whether."""
    if table.spelling.found:
        raise UntoldError(table.spelling.found)
    for name in plan.terms.columns:
        table.info(name)  # a type of no column is a slip: that of another was meant
    told = {name: About(type=kind, attested=True) for name, kind in plan.terms.columns.items()}
    data = table.described(Codebook(tuple(told.items()), person, plan.terms.rows))
    asked, compared = dict[str, str](), dict[str, str]()
    for question in plan.questions:
        for name, kind in asked_types(question).items():
            if asked.setdefault(name, kind) != kind and name not in told:
                text = N_(
                    "One question takes “{column}” for numbers and another for words: tell its "
                    "type in the plan (types={column}: number)."
                )
                raise LedgerError(say(text, column=name))
        compared |= compared_types(question)
        for name in columns_of(question):
            data.info(name)
    data = persons_named(data)
    if data.asked is None:
        return ExactSums(data, asked, compared)
    from dpstudio.files.engines.exact import ExactElsewhere

    return ExactElsewhere(cast("Elsewhere", data), asked)


def columns_of(question: Question) -> Iterator[str]:
    """The columns that it is about, and those of its condition."""
    for name, domain in domains(type(question)).items():
        if isinstance(domain, Column):
            yield getattr(question, name)
    yield from (test.column for test in question.where.tests())


def exact(question: Question, law: tuple[Noise, ...], data: Exact) -> list[list[Fraction]]:
    """The exact numbers that noise is added to, in whole steps of each noise; of a choice how far
    each candidate is from the best, in ranks or rows. They never leave."""
    if isinstance(question, Quantile):
        return [_ranks(question, data)]
    if isinstance(question, MostCommon):
        held = data.tally(question.column, question.groups, question.where).tolist()
        return [[Fraction(max(held) - each) for each in held]]
    if isinstance(question, Mean | MeanByGroup | Total | SumByGroup):
        return _sums(question, law, data)
    counts = _counts(question, data)
    return [[Fraction(count) / law[0].step for count in counts]]


def _sums(question: Any, law: tuple[Noise, ...], data: Exact) -> list[list[Fraction]]:
    low, high = question.bounds
    middle = (low + high) / 2 if question.counted else Fraction(0)
    by, words = "", tuple[str, ...]()
    column = question.column
    if isinstance(question, SumByGroup):
        by, words, column = question.column, question.groups, question.measured
    ends = (low, middle, high)
    counts, sums = data.in_steps(column, ends, law[0].step, question.where, by, words)
    found = [[Fraction(each) for each in sums]]
    return found + [[each / noise.step for each in map(Fraction, counts)] for noise in law[1:]]


def _counts(question: Question, data: Exact) -> list[int]:
    where = question.where
    if isinstance(question, Count):
        return [data.count(where)]
    if isinstance(question, Histogram):
        found = data.histogram(question.column, question.edges, where)
    elif isinstance(question, TwoWay):
        found = data.crossed(
            question.column, question.groups, question.other, question.other_groups, where
        ).ravel()
    else:
        assert isinstance(question, ByGroup)
        found = data.tally(question.column, question.groups, where)
    return [int(each) for each in found]


def _ranks(question: Quantile, data: Exact) -> list[Fraction]:
    """By how many ranks each value of the grid misses the quantile (`queries.quantile`) more than
    the best of them, since a choice weighs differences: of a value, those below and those up to it
    are counted."""
    ends = [e for value in question.grid for e in (value, math.nextafter(value, math.inf))]
    if any(a >= b for a, b in itertools.pairwise(ends)):
        raise ParamError("grid", say("The grid is too fine for its values to be told apart."))
    edges = (-sys.float_info.max, *ends, sys.float_info.max)
    parts, before = [int(n) for n in data.histogram(question.column, edges, question.where)], 0
    target, found = question.share * sum(parts), list[Fraction]()
    for place in range(0, len(parts) - 1, 2):
        below, up_to = before + parts[place], before + parts[place] + parts[place + 1]
        found.append(max(Fraction(0), below - target, target - up_to))
        before = up_to
    return [each - min(found) for each in found]


def drawn(plan: Plan, question: Question, share: Share, data: Exact) -> Draw:
    """A draw of the question, ready to be made: all that a table can refuse is refused now."""
    law = noises(question, plan.terms.unit, share.noise, share.cost)
    return Draw(question, plan, share, law, exact(question, law, data))


class Draw:
    """Exact numbers that wait for their noise."""

    def __init__(
        self,
        question: Question,
        plan: Plan,
        share: Share,
        law: tuple[Noise, ...],
        numbers: list[list[Fraction]],
    ):
        self._question, self._plan, self._share = question, plan, share
        self._law, self._exact = law, numbers

    def make(self, chance: ReleaseRandom) -> list[dict[str, Any]]:
        """What leaves: of each noise its step and whole numbers of it; of a choice its place."""
        if not self._question.additive:
            return [{"step": "1", "drawn": [self._chosen(chance)]}]
        return [
            {"step": str(law.step), "drawn": [int(n) + _noise(law, chance) for n in numbers]}
            for law, numbers in zip(self._law, self._exact, strict=True)
        ]

    def _chosen(self, chance: ReleaseRandom) -> int:
        """By the exponential mechanism, or the first of the largest noisy scores: these are whole
        steps of a grid before noise is added, so that nothing is rounded."""
        by = rate(self._question, self._plan.terms.unit, self._share.cost)
        losses = self._exact[0]
        if self._share.noise == EXPONENTIAL:
            return kept(chance, [by * loss for loss in losses])
        share = self._question.share.denominator if isinstance(self._question, Quantile) else 1
        grid = _GRID * share
        sums = [chance.discrete_laplace(grid / by) - int(loss * grid) for loss in losses]
        return sums.index(max(sums))


def _noise(law: Noise, chance: ReleaseRandom) -> int:
    if law.gaussian:
        return chance.discrete_gaussian(law.in_steps)
    return chance.discrete_laplace(law.in_steps)
