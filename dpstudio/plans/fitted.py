"""Counts, or sums, of several questions about the same rows, fitted to each other by least squares,
so that they add up and each has what all of them tell. It touches no row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpstudio.plans.joint import Weighed
from dpstudio.plans.laws import Noise, noises
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.published import (
    FITTED,
    Cell,
    cell_of,
    labels_of,
    published,
    rounding,
    totals_of,
)
from dpstudio.plans.question import (
    ByGroup,
    Count,
    Histogram,
    MeanByGroup,
    Question,
    SumByGroup,
    Total,
    TwoWay,
)

_MOST = 1_500  # cells
RARELY = 1_000  # noise alone sets numbers further apart than is said in one of so many releases


@dataclass(frozen=True)
class Answer:
    """A question as it was drawn."""

    question: Question
    share: Share
    drawn: Sequence[Any]


@dataclass(frozen=True)
class Apart:
    """A published number (`said`, of the line `name`) and what it adds up of the finest line, as
    drawn, that contradict each other: noise alone sets them no further apart than `most`, but for
    one of RARELY releases."""

    name: str
    said: Fraction
    finest: str
    added: Fraction
    most: float


@dataclass(frozen=True)
class Fit:
    """The numbers of the finest question of several that were fitted to each other (`names`), and
    which of them each published number adds up, with what noise moves it by at most; `alone`, by
    how much without the fit. `apart` are the two that contradict each other most: then not every
    row has one of the typed words."""

    names: tuple[str, ...]
    numbers: tuple[Fraction, ...]
    sums: tuple[tuple[tuple[str, ...], tuple[int, ...], float], ...]
    apart: Apart | None = None
    alone: tuple[Fraction, ...] = ()

    def cells(self, base: Fraction | None) -> tuple[Cell, ...]:
        """All of them: the finest are rounded, and the others are their sums."""
        base = base or rounding(min(half for _, _, half in self.sums)) / 10
        rounded = [base * round(number / base) for number in self.numbers]
        method = f"{FITTED} of " + ", ".join(f"“{name}”" for name in self.names)
        return tuple(
            cell_of(
                labels,
                sum((rounded[i] for i in places), Fraction(0)),
                base * -(-(Fraction(half) + len(places) * base / 2) // base),
                method,
            )
            for labels, places, half in self.sums
        )


def fits(plan: Plan, answers: Sequence[Answer]) -> dict[str, Fit]:
    """By the names of questions: of each two-way table, and what has groups, with those that count
    or add up the same rows by fewer columns. It takes it that every such row has one of the typed
    words, or lies in one of the bins, of each."""
    found = dict[str, Fit]()
    left = sorted(answers, key=lambda each: -each.question.cells)
    while left:
        finest, *left = left
        kind, axes = _about(finest.question)
        if kind is None or finest.question.cells > _MOST:
            continue
        others = [e for e in left if (its := _about(e.question))[0] == kind and its[1] <= axes]
        if others:
            found |= _fitted(plan, finest, others)
            left = [each for each in left if each not in others]
    return found


def _about(question: Question) -> tuple[Any, frozenset[Any]]:
    """Which rows a question counts, or of what it adds up the values; and by which words of which
    columns. None for one that is not fitted."""
    where = question.where
    if isinstance(question, MeanByGroup):
        return None, frozenset()
    if isinstance(question, SumByGroup):
        kind: Any = (where, question.measured, *question.bounds)
    elif isinstance(question, Total):
        kind = (where, question.column, *question.bounds)
    elif isinstance(question, Count | Histogram | ByGroup | TwoWay):
        kind = where
    else:
        return None, frozenset()
    axes = _axes(question)
    return kind if len(dict(axes)) == len(axes) else None, frozenset(axes)


def _axes(question: Question) -> list[tuple[str, frozenset[str]]]:
    columns = [getattr(question, name) for name in ("column", "other") if hasattr(question, name)]
    words = zip(*labels_of(question), strict=True)
    return [(column, frozenset(held)) for column, held in zip(columns, words, strict=False)]


def _places(finest: Question, other: Question) -> list[tuple[int, ...]]:
    """Which of the finest cells each of another question adds up."""
    columns = [column for column, _ in _axes(finest)]
    where = [columns.index(column) for column, _ in _axes(other)]
    held: dict[tuple[str, ...], list[int]] = {}
    for place, labels in enumerate(labels_of(finest)):
        held.setdefault(tuple(labels[i] for i in where), []).append(place)
    return [tuple(held[labels]) for labels in labels_of(other)]


def _fitted(plan: Plan, finest: Answer, others: Sequence[Answer]) -> dict[str, Fit]:
    """With noise of variance R on the finest numbers y and V on the others z = By: y + K(z − By),
    K = RBᵀ(BRBᵀ + V)⁻¹, and its error (1 − KB)e + Kf where e and f are the noises."""
    given = [finest, *others]
    laws = tuple(noises(e.question, plan.terms.unit, e.share.noise, e.share.cost)[0] for e in given)
    own, *theirs = (
        [Fraction(e.drawn[0]["step"]) * int(k) for k in e.drawn[0]["drawn"]] for e in given
    )
    places = [_places(finest.question, e.question) for e in given]
    rows = [row for each in places[1:] for row in each]
    by = np.zeros((len(rows), len(own)))
    for at, row in enumerate(rows):
        by[at, row] = 1
    spread = [_variance(law) for law in laws[1:] for _ in range(law.cells)]
    both = _variance(laws[0]) * by @ by.T + np.diag(spread)
    keep = _variance(laws[0]) * np.linalg.solve(both, by).T
    seen = [number for each in theirs for number in each]
    gaps = [float(z - sum(own[i] for i in row)) for z, row in zip(seen, rows, strict=True)]
    best = tuple(y + Fraction(float(m)) for y, m in zip(own, keep @ np.array(gaps), strict=True))
    names = tuple(e.question.name for e in given)
    ends = np.cumsum([law.cells for law in laws[1:-1]], dtype=int)

    def half(row: Sequence[int], confidence: float) -> float:
        taken = keep[list(row)].sum(axis=0)
        left = -(taken @ by)
        left[list(row)] += 1
        parts = (left, *np.split(taken, ends))
        return Weighed(laws, parts).half_width(confidence) * (1 + 1e-9)

    found, apart = {}, _apart(given, laws, rows, (own, seen))
    for each, cells in zip(given, places, strict=True):
        sums = _sums(plan, each.question, cells, all(law.gaussian for law in laws))
        halves = tuple((labels, row, half(row, sure)) for labels, row, sure in sums)
        bare = published(plan, each.question, each.share, each.drawn, None)
        alone = tuple(Fraction(cell.half) for cell in bare)
        found[each.question.name] = Fit(names, best, halves, apart, alone)
    return found


def _apart(
    given: Sequence[Answer],
    laws: Sequence[Noise],
    rows: Sequence[Sequence[int]],
    numbers: tuple[Sequence[Fraction], Sequence[Fraction]],
) -> Apart | None:
    """Of all numbers beside the finest the one that lies furthest beyond what noise alone sets
    between it and what it adds up: any does in one of RARELY releases at most."""
    own, seen = numbers
    of = [place for place, law in enumerate(laws) if place for _ in range(law.cells)]
    sure, found = 1 - 1 / (RARELY * len(rows)), list[tuple[float, Apart]]()
    for place, row, said in zip(of, rows, seen, strict=True):
        by = np.zeros(len(own))
        by[list(row)] = 1
        most = Weighed((laws[0], laws[place]), (by, np.ones(1))).half_width(sure) * (1 + 1e-9)
        added = sum((own[i] for i in row), Fraction(0))
        if (far := float(abs(said - added))) > most:
            names = given[place].question.name, given[0].question.name
            found.append((far / most, Apart(names[0], said, names[1], added, most)))
    return max(found, key=lambda each: each[0])[1] if found else None


def _variance(law: Noise) -> float:
    return float(law.size) if law.gaussian else 2 * float(law.size) ** 2


def _sums(
    plan: Plan, question: Question, cells: list[tuple[int, ...]], gaussian: bool
) -> Iterator[tuple[tuple[str, ...], tuple[int, ...], float]]:
    """What is published of a question: labels, which of the finest cells, and the confidence: of
    all of its cells at once (of Gaussian noise by Šidák's inequality), of each total by itself."""
    whole = float(plan.terms.confidence)
    each = whole ** (1 / len(cells)) if gaussian else 1 - (1 - whole) / len(cells)
    for labels, row in zip(labels_of(question), cells, strict=True):
        yield labels, row, each
    for labels, among in totals_of(question):
        yield labels, tuple(i for place in among for i in cells[place]), whole
