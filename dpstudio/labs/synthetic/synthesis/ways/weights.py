"""Multiplicative weights on questions that are chosen privately (MWEM)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.synthetic.synthesis.ways.noisy_cells import drawn_cells
from dpstudio.labs.synthetic.synthesis.ways.way import (
    Claim,
    Known,
    Made,
    Task,
    Way,
    rows_of,
    too_many,
)
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.marginals import counted
from dpstudio.privacy.synthetic.weights import weighted
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import Integer, param

_CELLS, _NUMBERS = 5_000, 2_000_000


def questions(sizes: Sequence[int]) -> Array:
    """The questions that are asked, 0 or 1 for each cell of all columns together: how many lie
    below each cell of a column, and how many in each cell of a pair; shape (questions, cells)."""
    places = np.indices(tuple(sizes)).reshape(len(sizes), -1)
    rows = [places[c] <= last for c, size in enumerate(sizes) for last in range(size - 1)]
    for a, b in combinations(range(len(sizes)), 2):
        pair = places[a] * sizes[b] + places[b]
        rows += [pair == cell for cell in range(sizes[a] * sizes[b])]
    if not rows:
        rows = [np.ones(places.shape[1], dtype=bool)]
    return np.array(rows, dtype=np.float64)


def many_questions(sizes: Sequence[int]) -> int:
    """How many questions there are."""
    pairs = sum(a * b for a, b in combinations(sizes, 2))
    return max(1, sum(size - 1 for size in sizes) + pairs)


@dataclass(frozen=True)
class Weights(Way):
    """The question that is answered worst is asked with noise, and weights move towards it."""

    key: ClassVar[str] = "weights"
    label: ClassVar[str] = N_("Multiplicative weights (MWEM)")
    ink: ClassVar[str] = "exponential"
    source: ClassVar[str] = "Hardt, Ligett & McSherry 2012, Figure 1"

    turns: int = param(
        10,
        Integer(
            N_("Questions asked"), N_("ε is split over them alike."), low=1, high=100, log=True
        ),
    )

    def refusal(self, known: Known) -> Say | None:
        cells = math.prod(known.sizes)
        if cells > _CELLS or cells * many_questions(known.sizes) > _NUMBERS:
            return too_many(_CELLS)
        if known.rows is None and known.people is None:
            text = N_(
                "Its weights need a public number of people. Choose a public number of rows, or "
                "neighbours in which one is replaced."
            )
            return say(text)
        return None

    def claim(self, known: Known) -> Claim:
        text = N_(
            "Each turn spends ε/2T on choosing the question that is answered worst and ε/2T on its "
            "noisy answer; the number of people that it works with is public."
        )
        return Claim(known.epsilon, 0.0, say(text), known.epsilon)

    def steps(
        self, task: Task, known: Known, chance: Chance, rng: np.random.Generator, rounds: int
    ) -> Iterator[Made]:
        everything = tuple(range(len(known.axes)))
        truth = counted(task.codes, known.sizes, everything)
        asked = task.remember(("questions", known.sizes), lambda: questions(known.sizes))
        people = known.people if known.people is not None else known.rows
        assert people is not None
        # A replaced row moves an answer by 1 as one that comes or goes does.
        each = known.epsilon / known.most
        turns = list(weighted(truth.ravel(), asked, float(people), each, self.turns, chance))
        found = drawn_cells(turns[-1].counts, rows_of(known, people), rng)
        codes = np.stack(np.unravel_index(found, truth.shape), 1).astype(np.int64)
        yield Made(codes, (None,) * len(everything))
