"""One noisy table of all columns together."""

import math
from collections.abc import Iterator

import numpy as np

from dpstudio.labs.whole_tables.synthesis.ways import way
from dpstudio.labs.whole_tables.synthesis.ways.noisy_cells import NoisyCells, drawn_cells
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.marginals import MOST_CELLS
from dpstudio.values.messages import N_, Message


class OneTable(NoisyCells):
    """Every combination of all columns is counted with noise, those that nobody has too."""

    key = "one_table"
    label = N_("One table of all columns")
    ink = "staircase"

    def refusal(self, known: way.SynthesisFacts) -> Message | None:
        return way.too_many(MOST_CELLS) if math.prod(known.sizes) > MOST_CELLS else None

    def deviations(self, known: way.SynthesisFacts, *, drawn: bool = False) -> tuple[float, ...]:
        cells, ones = math.prod(known.sizes), super().deviations(known, drawn=drawn)
        return tuple(
            one * math.sqrt(cells / size) for one, size in zip(ones, known.sizes, strict=True)
        )

    def steps(
        self,
        task: way.Task,
        known: way.SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
        rounds: int,
    ) -> Iterator[way.SyntheticTable]:
        places = tuple(range(len(known.axes)))
        noisy = self.noisy(task, known, places, chance)
        rows = way.rows_of(known, self.total(noisy, task, known, chance))
        found = drawn_cells(self.positive(noisy, known), rows, rng)
        codes = np.stack(np.unravel_index(found, noisy.shape), 1).astype(np.int64)
        alone = tuple(noisy.sum(tuple(p for p in places if p != place)) for place in places)
        yield way.SyntheticTable(codes, alone)
