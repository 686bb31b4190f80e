"""One noisy histogram, and rows drawn from it."""

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


class Histogram(NoisyCells):
    """The column that is looked at, by one histogram with noise on each cell."""

    key = "histogram"
    label = N_("One histogram")
    only_one = True

    def steps(
        self,
        task: Task,
        known: SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
        rounds: int,
    ) -> Iterator[SyntheticTable]:
        noisy = self.noisy(task, known, (0,), chance)
        rows = rows_of(known, self.total(noisy, task, known, chance))
        codes = drawn_cells(self.positive(noisy, known), rows, rng)
        yield SyntheticTable(codes[:, None], (noisy,))
