"""Sum and mean of a clipped column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from dpstudio.core.dataset import Dataset
from dpstudio.core.figure import array
from dpstudio.core.findings import Problem
from dpstudio.core.mechanisms.additive import Sensitivity
from dpstudio.core.params import Flag, Real, param
from dpstudio.core.queries.count import ONE
from dpstudio.core.queries.query import ADD_REMOVE, REPLACE, Asked, Clipping, Measurement
from dpstudio.core.wording import N_, Num, Say, plain, say


def sum_sensitivity(low: float, high: float, adjacency: str) -> Sensitivity:
    """Δ of a sum of values in [low, high] ∪ {0}: a row that fails the condition or lacks the value adds 0.

    Add or remove one: max(|L|, |U|). Replace one: max(U − L, |L|, |U|), because the new row may be one that adds 0.
    """
    largest = max(abs(low), abs(high))
    if adjacency == ADD_REMOVE:
        why = say(N_("One person changes this by at most {delta}, the larger of |L| and |U|."), delta=Num(largest, 4, "up"))
        return Sensitivity(largest, largest, largest, why)
    delta = max(high - low, largest)
    why = say(N_("One person replaced changes this by at most {delta}, the largest of U − L, |L| and |U|."), delta=Num(delta, 4, "up"))
    return Sensitivity(delta, delta, delta, why)


@dataclass(frozen=True)
class Sum(Clipping):
    """Sum of a column over the rows that meet the condition, each value clipped to [low, high]."""

    key: ClassVar[str] = "sum"
    label: ClassVar[str] = N_("Sum")

    def ask(self, data: Dataset, adjacency: str) -> Asked:
        low, high = self.bounds(data)
        clipped = data.clipped(self.column, low, high, self.where)
        truth = array([clipped.total])
        whole = _whole(self, data, low, high)
        unit = say(N_("sum of {column}"), column=plain(self.column))
        parts = (Measurement(N_("sum"), truth, sum_sensitivity(low, high, adjacency), whole),)
        return Asked(truth, (), unit, parts, notes=self.open_note(), openness=self.open_note())


@dataclass(frozen=True)
class Mean(Clipping):
    """A noisy sum over a noisy count, or, where n is public and every row has a value, one noisy mean."""

    key: ClassVar[str] = "mean"
    label: ClassVar[str] = N_("Mean")

    split: float = param(0.5, Real(N_("Share for the sum"), N_("The rest of ε (and δ) goes to the count."), low=0.05, high=0.95))
    centred: bool = param(
        False,
        Flag(
            N_("Centre first"),
            N_("Subtract the middle of the bounds before summing and add it back after: the sum then moves by at most (U − L)/2."),
        ),
    )
    n_public: bool = param(
        False, Flag(N_("n is public"), N_("The number of rows is known to all and every row has a value, so no row can drop out."))
    )

    def ask(self, data: Dataset, adjacency: str) -> Asked:
        low, high = self.bounds(data)
        clipped = data.clipped(self.column, low, high, self.where)
        unit = say(N_("mean of {column}"), column=plain(self.column))
        truth = array([clipped.total / max(1, clipped.used)])
        if self.n_public:
            delta = (high - low) / max(1, data.rows)
            why = say(N_("One person replaced changes this by at most {delta}, which is (U − L)/n."), delta=Num(delta, 4, "up"))
            part = Measurement(N_("mean"), truth, Sensitivity(delta, delta, delta, why), whole=False)
            return Asked(truth, (), unit, (part,), notes=self.open_note(), openness=self.open_note())
        middle = (low + high) / 2 if self.centred else 0.0
        total = array([clipped.total - middle * clipped.used])
        sensitivity = sum_sensitivity(low - middle, high - middle, adjacency)
        if self.centred:
            text = N_("One person changes the centred sum by at most {delta}, half of U − L.")
            replaced = N_("One person replaced changes the centred sum by at most {delta}, which is U − L.")
            why = say(text if adjacency == ADD_REMOVE else replaced, delta=Num(sensitivity.l1, 4, "up"))
            sensitivity = replace(sensitivity, why=why)
        # A person who enters or leaves moves the count too; one who changes a value does not.
        moves = [(max(abs(low - middle), abs(high - middle)), 1.0)] + ([(high - low, 0.0)] if adjacency == REPLACE else [])
        whole = _whole(self, data, low, high) and middle == int(middle)
        parts = (
            Measurement(N_("sum"), total, sensitivity, whole, self.split),
            Measurement(N_("count"), array([clipped.used]), ONE, True, 1 - self.split),
        )
        notes = self.open_note()
        return Asked(truth, (), unit, parts, (low, high), middle, notes=notes, openness=notes, moves=tuple(moves))

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        for problem in super().problems(data, adjacency):
            yield problem
            return
        low, high = self.bounds(data)
        if data.clipped(self.column, low, high, self.where).used == 0:
            yield Problem("query.where", Say(N_("No row meets the condition and has a value, so there is no mean. Widen the condition.")))
        if not self.n_public:
            return
        if adjacency != REPLACE:
            yield Problem("query.n_public", Say(N_("A public n needs the neighbours “replace one”: adding a person would change n.")))
        elif self.where:
            yield Problem(
                "query.n_public",
                Say(N_("With a condition a row can drop out, so n is not public. Remove the condition, or publish sum and count.")),
            )
        elif data.missing(self.column):
            yield Problem(
                "query.n_public",
                say(N_("Rows that lack “{column}” drop out, so n is not public. Publish sum and count instead."), column=self.column),
            )


def _whole(query: Clipping, data: Dataset, low: float, high: float) -> bool:
    """Whether every value the clipped column can add is an integer (by its declared type, not by looking at the values)."""
    return data.info(query.column).type == "integer" and low == int(low) and high == int(high)
