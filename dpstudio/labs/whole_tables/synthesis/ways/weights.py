"""Multiplicative weights on questions that are chosen privately (MWEM)."""

import math
from collections.abc import Iterator

import numpy as np

from dpstudio.labs.whole_tables.synthesis.ways import way
from dpstudio.labs.whole_tables.synthesis.ways.noisy_cells import drawn_cells
from dpstudio.labs.whole_tables.synthesis.ways.way import (
    Claim,
    SynthesisFacts,
    SyntheticTable,
    Task,
    Way,
)
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.marginals import counted
from dpstudio.privacy.synthetic.weights import many_questions, questions, weighted
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Message, say

_CELLS, _NUMBERS = 5_000, 2_000_000


class Weights(Way):
    """The question that is answered worst is asked with noise, and weights move towards it."""

    key = "weights"
    label = N_("Multiplicative weights (MWEM)")
    ink = "exponential"
    source = "Hardt, Ligett & McSherry 2012, figure 1"

    turns: int = integer(
        10, N_("Questions asked"), N_("ε is split over them alike."), low=1, high=100, log=True
    )

    def refusal(self, known: SynthesisFacts) -> Message | None:
        cells = math.prod(known.sizes)
        if cells > _CELLS or cells * many_questions(known.sizes) > _NUMBERS:
            return way.too_many(_CELLS)
        if known.rows is None and known.people is None:
            text = N_(
                "Its weights need a public number of people. Choose a public number of rows, or "
                "neighbours in which one is replaced."
            )
            return say(text)
        return None

    def claim(self, known: SynthesisFacts) -> Claim:
        text = N_(
            "Each turn spends ε/2T on choosing the question that is answered worst and ε/2T on its "
            "noisy answer; the number of people that it works with is public."
        )
        return Claim(known.epsilon, 0.0, say(text), known.epsilon)

    def steps(
        self,
        task: Task,
        known: SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
        rounds: int,
    ) -> Iterator[SyntheticTable]:
        everything = tuple(range(len(known.axes)))
        truth = counted(task.codes, known.sizes, everything)
        asked = task.remember(("questions", known.sizes), lambda: questions(known.sizes))
        people = known.people if known.people is not None else known.rows
        assert people is not None
        # A replaced row moves an answer by 1 as one that comes or goes does.
        each = known.epsilon / known.most
        turns = list(weighted(truth.ravel(), asked, float(people), each, self.turns, chance))
        found = drawn_cells(turns[-1].counts, way.rows_of(known, people), rng)
        codes = np.stack(np.unravel_index(found, truth.shape), 1).astype(np.int64)
        yield SyntheticTable(codes, (None,) * len(everything))
