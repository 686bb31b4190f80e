"""Records that are changed until they match noisy pairs (PrivSyn)."""

from collections.abc import Iterator

import numpy as np

from dpstudio.labs.whole_tables.synthesis.ways.noisy_pairs import NoisyPairs
from dpstudio.labs.whole_tables.synthesis.ways.way import (
    SynthesisFacts,
    SyntheticTable,
    Task,
    rows_of,
)
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.records import SHARES, aims, updated
from dpstudio.values.messages import N_


class Records(NoisyPairs):
    """As many pairs as pay are counted; rows drawn column by column are then changed to match."""

    key = "records"
    label = N_("Records that match pairs (PrivSyn)")
    ink = "discrete_gaussian"
    source = "Zhang et al. 2021 (PrivSyn); ρ to (ε, δ): Canonne et al. 2020"
    rounds = 15
    alone = SHARES[1]
    split = N_(
        "A tenth of ρ tells how far pairs are from independent, a tenth counts columns, the rest "
        "counts the pairs that pay, all with Gaussian noise."
    )

    def steps(
        self,
        task: Task,
        known: SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
        rounds: int,
    ) -> Iterator[SyntheticTable]:
        aim = aims(task.codes, known.sizes, self.rho(known), chance)
        noisy = tuple(each.counts for each in aim.noisy)
        for codes in updated(aim, rows_of(known, aim.total), rng, rounds):
            yield SyntheticTable(codes.copy(), noisy)
