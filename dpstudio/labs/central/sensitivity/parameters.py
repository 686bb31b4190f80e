"""Sensitivity: which neighbour moves an answer most, by how much, and what that costs in noise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.central.sensitivity import ABOUT
from dpstudio.labs.central.sensitivity.charts import (
    move_chart,
    noise_chart,
    norms_chart,
    people_chart,
)
from dpstudio.labs.central.sensitivity.words import Inspected, facts, sentences, tables
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.queries import QUERIES, Query
from dpstudio.privacy.queries.several import Counts
from dpstudio.privacy.release.answerable import answerable, refused_queries
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import Choice, Flag, OneOf, param
from dpstudio.values.problem import Problem

MEASURED_PLACES = {"0": N_("the first"), "1": N_("the second"), "2": N_("the third")}


@dataclass(frozen=True)
class SensitivityLab(Lab, about=ABOUT):
    """The sensitivity inspector. Only the last chart reads the rows; all else follows from the
    question and its bounds."""

    query: Query = param(Counts(), OneOf(N_("Question"), family=lambda: QUERIES))
    adjacency: str = shared.adjacency()
    measured: str = param(
        "0",
        Choice(
            N_("Measurement"),
            N_("Which measurement is looked at, where an answer is made of several."),
            options=MEASURED_PLACES,
        ),
    )
    epsilon: float = param(1.0, EPSILON)
    delta: float = param(1e-5, DELTA)
    show_truth: bool = param(
        True,
        Flag(
            N_("Show the people of this table"),
            N_("How far each of them moves the answer: not private."),
        ),
    )

    def problems(self, data: Dataset) -> Iterator[Problem]:
        if data.rows == 0:
            yield Problem("data", say("The table has no rows. Open another table."))
            return
        yield from self.query.problems(data, self.adjacency)

    def refused(self, data: Dataset) -> Mapping[str, Mapping[str, Say]]:
        answerable = data.rows > 0 and not any(
            p.stops for p in self.query.problems(data, self.adjacency)
        )
        count = len(self.query.ask(data, self.adjacency).measurements) if answerable else 1
        why = say("This question has no such measurement.")
        return {
            "query": refused_queries(data),
            "measured": {place: why for place in MEASURED_PLACES if int(place) >= count},
        }

    def suited(self, data: Dataset) -> SensitivityLab:
        return self.with_(query=answerable(self.query, data, self.adjacency))

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems, refused=self.refused(data))
            return
        seen = Inspected(self, data)
        figures = (move_chart(seen), norms_chart(seen), noise_chart(seen), *people_chart(seen))
        notes = tuple(Problem("query.attested", note, stops=False) for note in seen.asked.openness)
        yield Findings(
            figures,
            facts(seen),
            sentences(seen),
            tables(seen),
            problems + notes,
            refused=self.refused(data),
            headline=("mover",),
        )
