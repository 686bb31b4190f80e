"""Every column by a noisy histogram of its own."""

from collections.abc import Iterator

import numpy as np

from dpstudio.labs.whole_tables.synthesis.ways.noisy_cells import NoisyCells, drawn_cells
from dpstudio.labs.whole_tables.synthesis.ways.way import (
    SynthesisFacts,
    SyntheticTable,
    Task,
    rows_of,
)
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.values.messages import N_


class Independent(NoisyCells):
    """Every column alone: what they tell of one another is lost."""

    key = "independent"
    label = N_("Independent columns")
    ink = "geometric"

    def tables(self, known: SynthesisFacts) -> int:
        return len(known.axes)

    def steps(
        self,
        task: Task,
        known: SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
        rounds: int,
    ) -> Iterator[SyntheticTable]:
        places = range(len(known.axes))
        noisy = tuple(self.noisy(task, known, (place,), chance) for place in places)
        mean = float(np.mean([each.sum() for each in noisy]))
        total = self.total(np.array([mean]), task, known, chance)
        rows = rows_of(known, total)
        columns = [drawn_cells(self.positive(each, known), rows, rng) for each in noisy]
        yield SyntheticTable(np.stack(columns, 1), noisy)
