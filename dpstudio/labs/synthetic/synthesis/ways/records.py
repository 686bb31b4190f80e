"""Records that are changed until they match noisy pairs (PrivSyn)."""

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
from dpstudio.privacy.synthetic.records import SHARES, aims, updated
from dpstudio.privacy.synthetic.tree import one_way_sigma
from dpstudio.values.messages import N_, say
from dpstudio.values.params import param


@dataclass(frozen=True)
class Records(Way):
    """As many pairs as pay are counted; rows drawn column by column are then changed to match."""

    key: ClassVar[str] = "records"
    label: ClassVar[str] = N_("Records that match pairs (PrivSyn)")
    ink: ClassVar[str] = "discrete_gaussian"
    source: ClassVar[str] = "Zhang et al. 2021 (PrivSyn); ρ to (ε, δ): Canonne et al. 2020"
    rounds: ClassVar[int] = 15

    delta: float = param(1e-6, DELTA)

    def claim(self, known: Known) -> Claim:
        text = N_(
            "A tenth of ρ tells how far pairs are from independent, a tenth counts columns, the "
            "rest counts the pairs that pay, all with Gaussian noise."
        )
        return concentrated(known, self.delta, say(text))

    def deviations(self, known: Known) -> tuple[float, ...]:
        many = len(known.axes)
        share = SHARES[1] if many > 1 else 1.0
        return (one_way_sigma(many, rho_of(known, self.delta) * share),) * many

    def steps(
        self, task: Task, known: Known, chance: Chance, rng: np.random.Generator, rounds: int
    ) -> Iterator[Made]:
        aim = aims(task.codes, known.sizes, rho_of(known, self.delta), chance)
        noisy = tuple(each.counts for each in aim.noisy)
        for codes in updated(aim, rows_of(known, aim.total), rng, rounds):
            yield Made(codes.copy(), noisy)
