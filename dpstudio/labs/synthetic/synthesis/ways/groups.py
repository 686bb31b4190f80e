"""Micro-aggregation with a Gaussian for each group of rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.synthetic.synthesis.ways.way import Claim, Known, Made, Task, Way
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.clusters import (
    Rows,
    Scales,
    clusters_of_sets,
    feature_sets,
    fixed_scales,
    insensitive_scales,
    ordered_clusters,
    printed_scales,
    synthesised_by_sets,
)
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import Choice, Integer, param

Found = tuple[tuple[int, ...], list[Rows]]
NOISE = {
    "fixed": N_("for groups that are fixed"),
    "insensitive": N_("for groups in a public order"),
    "printed": N_("as printed: divided by n"),
    "none": N_("none"),
}


@dataclass(frozen=True)
class Groups(Way):
    """Columns that go together in groups of at least k rows, each drawn anew from a normal law with
    noisy mean and covariance; words stand for numbers in their order."""

    key: ClassVar[str] = "groups"
    label: ClassVar[str] = N_("Micro-aggregation")
    ink: ClassVar[str] = "l2norm"
    source: ClassVar[str] = "Domingo-Ferrer & Torra 2005; Soria-Comas et al. 2014, Proposition 2"

    leaves: ClassVar[bool] = False

    noise: str = param(
        "fixed",
        Choice(
            N_("Noise"),
            N_("Groups that are found in the data break the promise, whatever their noise."),
            options=NOISE,
        ),
        told=True,
    )
    k: int = param(
        1000,
        Integer(N_("Rows in a group k"), N_("At least so many."), low=25, high=20_000, log=True),
    )

    def refusal(self, known: Known) -> Say | None:
        if self.noise == "insensitive" and (known.people is None or known.most > 1):
            text = N_(
                "Groups in a public order need a public number of people. Choose neighbours in "
                "which one is replaced, and give each row a cell."
            )
            return say(text)
        return None

    def claim(self, known: Known) -> Claim:
        if self.noise == "insensitive":
            text = N_(
                "One replaced row moves at most one row into and one out of each group, and can so "
                "move all of them: the noise is that of a group, as many times as there are groups."
            )
            return Claim(known.epsilon, 0.0, say(text), known.epsilon)
        if self.noise == "printed":
            text = N_(
                "As printed, its noise is divided by the number of rows once more, and groups are "
                "found in the data outside the budget."
            )
            return Claim(known.epsilon, 0.0, say(text), math.inf)
        text = N_(
            "This holds for groups that are fixed. Here they are found in the data, where one "
            "person can move every one, so that there is no theorem."
        )
        return Claim(known.epsilon, 0.0, say(text), math.inf)

    def steps(
        self, task: Task, known: Known, chance: Chance, rng: np.random.Generator, rounds: int
    ) -> Iterator[Made]:
        last = np.maximum(np.array(known.sizes) - 1, 1)
        x = 2 * task.codes / last - 1
        k = min(self.k, len(x))
        found = task.remember(
            ("groups", k, self.noise == "insensitive"), lambda: self._groups(x, k)
        )

        def scales(size: int, columns: int, epsilon: float) -> Scales:
            return self._scales(size, columns, epsilon, len(x), k)

        made = synthesised_by_sets(x, found, scales, known.epsilon / known.most, rng)
        codes = np.rint((made + 1) / 2 * last).astype(np.int64)
        yield Made(codes, (None,) * len(last))

    def _groups(self, x: Array, k: int) -> list[Found]:
        """Columns that go together, and the groups of rows in each of these sets."""
        if self.noise == "insensitive":
            return [(tuple(range(x.shape[1])), ordered_clusters(x, k))]
        return clusters_of_sets(x, feature_sets(x), k)

    def _scales(self, size: int, columns: int, epsilon: float, rows: int, k: int) -> Scales:
        if self.noise == "none":
            return Scales(0.0, 0.0)
        if self.noise == "printed":
            return printed_scales(size, columns, epsilon, rows)
        if self.noise == "insensitive":
            return insensitive_scales(rows, k, columns, epsilon)
        return fixed_scales(size, columns, epsilon)
