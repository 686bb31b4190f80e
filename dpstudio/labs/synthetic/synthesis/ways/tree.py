"""A tree of two-way counts (MST)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.labs.synthetic.synthesis.ways.way import (
    Claim,
    Known,
    Made,
    Task,
    Way,
    concentrated,
    rho_of,
    rows_of,
)
from dpstudio.privacy.mechanisms.additive import DELTA
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.tree import Shares, drawn, grown, one_way_sigma
from dpstudio.values.messages import N_, say
from dpstudio.values.params import param


@dataclass(frozen=True)
class SpanningTree(Way):
    """Each column and the pairs that tell most are counted; rows are drawn along the pairs."""

    key: ClassVar[str] = "tree"
    label: ClassVar[str] = N_("A tree of pairs (MST)")
    ink: ClassVar[str] = "gaussian"
    source: ClassVar[str] = "McKenna, Miklau & Sheldon 2021; ρ to (ε, δ): Canonne et al. 2020"

    delta: float = param(1e-6, DELTA)

    def claim(self, known: Known) -> Claim:
        text = N_(
            "A third of ρ each for counting columns, for choosing pairs by the exponential "
            "mechanism, and for counting these pairs, with Gaussian noise."
        )
        return concentrated(known, self.delta, say(text))

    def deviations(self, known: Known) -> tuple[float, ...]:
        many = len(known.axes)
        share = Shares().alone if many > 1 else 1.0
        return (one_way_sigma(many, rho_of(known, self.delta) * share),) * many

    def steps(
        self, task: Task, known: Known, chance: Chance, rng: np.random.Generator, rounds: int
    ) -> Iterator[Made]:
        tree = grown(task.codes, known.sizes, rho_of(known, self.delta), chance, told=task.told)
        noisy = tuple(each.counts for each in tree.noisy)
        yield Made(drawn(tree, rows_of(known, tree.total), rng), noisy)
