"""A tree of two-way counts (MST)."""

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
from dpstudio.privacy.synthetic.tree import Shares, drawn, grown
from dpstudio.values.messages import N_


class SpanningTree(NoisyPairs):
    """Each column and the pairs that tell most are counted; rows are drawn along the pairs."""

    key = "tree"
    label = N_("A tree of pairs (MST)")
    ink = "gaussian"
    source = "McKenna, Miklau & Sheldon 2021; ρ to (ε, δ): Canonne et al. 2020"
    alone = Shares().alone
    split = N_(
        "A third of ρ each for counting columns, for choosing pairs by the exponential mechanism, "
        "and for counting these pairs, with Gaussian noise."
    )

    def steps(
        self,
        task: Task,
        known: SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
        rounds: int,
    ) -> Iterator[SyntheticTable]:
        told, count = task.told, task.counted
        tree = grown(task.codes, known.sizes, self.rho(known), chance, told=told, count=count)
        noisy = tuple(each.counts for each in tree.noisy)
        yield SyntheticTable(drawn(tree, rows_of(known, tree.total), rng), noisy)
