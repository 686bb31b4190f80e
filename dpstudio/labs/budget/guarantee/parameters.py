"""Guarantee: what ε and δ mean for one person, from the exact law of the mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.budget.guarantee import ABOUT
from dpstudio.labs.budget.guarantee.charts import (
    curve_chart,
    density_chart,
    fates_chart,
    loss_chart,
    odds_chart,
    posterior_chart,
    tradeoff_chart,
)
from dpstudio.labs.budget.guarantee.model import ROW, WORST, GuaranteeModel
from dpstudio.labs.budget.guarantee.words import facts, sentences, tables
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.first_picture import waits_for_library
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import ADD_REMOVE, QUERIES, Query
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.release.answerable import answerable, refused_mechanisms, refused_queries
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Choice, Flag, Integer, OneOf, Real, param, switch
from dpstudio.values.problem import Problem

WHO = {WORST: N_("worst case"), ROW: N_("a row of the table")}


@dataclass(frozen=True)
class Guarantee(Lab, about=ABOUT):
    """Two neighbours through one mechanism: what an attacker who sees the answer can learn about
    one person, exactly."""

    query: Query = param(Count(), OneOf(N_("Question"), family=lambda: QUERIES))
    mechanism: Additive = param(
        Laplace(epsilon=1.0), OneOf(N_("Mechanism"), family=lambda: MECHANISMS)
    )
    adjacency: str = shared.adjacency()
    neighbour: str = param(
        WORST,
        Choice(
            N_("Neighbour"),
            N_("Whose secret is at stake: the person who moves the answer most, or one row."),
            options=WHO,
        ),
    )
    row: int = param(
        4,
        Integer(
            N_("Row"),
            N_("The row that is there or not, counted from 1."),
            low=1,
            high=10**9,
            log=True,
        ),
    )
    prior: float = param(
        0.5,
        Real(
            N_("Prior"),
            N_("How sure an attacker is, before the answer, that you are in the table."),
            low=0.001,
            high=0.999,
        ),
    )
    threshold: float = param(
        0.5,
        Real(
            N_("Believes above"),
            N_(
                "How sure an attacker must be after the answer to believe that you are in the "
                "table."
            ),
            low=0.01,
            high=0.999,
        ),
    )
    false_positives: float = param(
        0.1,
        Real(
            N_("False alarms"),
            N_("How often the attacker’s test may say “in” of someone who is not in the table."),
            low=0.001,
            high=0.5,
            log=True,
        ),
    )
    people: int = param(
        1000,
        Integer(
            N_("People"),
            N_("Among how many people the attacker looks for the right one."),
            low=2,
            high=10**9,
            log=True,
        ),
    )
    show_truth: bool = param(
        True,
        Flag(
            N_("Show the exact answer"),
            N_("Where the two answers lie, and the rows of the table: not private."),
        ),
    )

    def problems(self, data: Dataset) -> Iterator[Problem]:
        found = list(self._query_problems(data))
        yield from found
        if any(p.stops for p in found):
            return
        refused = self.refused(data)
        if self.mechanism.key in refused["mechanism"]:
            yield Problem("mechanism", refused["mechanism"][self.mechanism.key])
        if self.neighbour == ROW:
            yield from self._row_problems(data, refused["neighbour"])

    def _row_problems(self, data: Dataset, refused: Mapping[str, Say]) -> Iterator[Problem]:
        if ROW in refused:
            yield Problem(
                "neighbour", say("{why} The worst case is shown.", why=refused[ROW]), stops=False
            )
        elif self.row > data.rows:
            yield Problem(
                "row", say("The table has {rows} rows. Choose one of them.", rows=Num(data.rows))
            )

    def _query_problems(self, data: Dataset) -> Iterator[Problem]:
        if data.rows == 0:
            yield Problem("data", say("The table has no rows. Open another table."))
            return
        yield from self.query.problems(data, self.adjacency)

    def refused(self, data: Dataset) -> Mapping[str, Mapping[str, Say]]:
        answerable = not any(p.stops for p in self._query_problems(data))
        asked = GuaranteeModel(self, data).asked if answerable else None
        rows: dict[str, Say] = {}
        if self.adjacency != ADD_REMOVE:
            rows[ROW] = say("Taking out a row needs the neighbours “add or remove one”.")
        elif not self.show_truth:
            rows[ROW] = say(
                "How far a row moves the answer is exact, and exact answers are hidden."
            )
        return {
            "mechanism": refused_mechanisms(asked),
            "query": refused_queries(data),
            "neighbour": rows,
        }

    def suited(self, data: Dataset) -> Guarantee:
        lab = self.with_(query=answerable(self.query, data, self.adjacency))
        if lab.mechanism.key in lab.refused(data)["mechanism"]:
            lab = lab.with_(mechanism=switch(Laplace, lab.mechanism))
        return lab.with_(row=max(1, data.rows)) if lab.row > data.rows else lab

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems, refused=self.refused(data))
            return
        model = GuaranteeModel(self, data)
        notes = problems + tuple(
            Problem("query.attested", note, stops=False) for note in model.asked.openness
        )
        # The comparison with Gaussian noise needs the library, whatever the mechanism.
        if waits_for_library(("gaussian",), (self.mechanism.key,)):
            yield self._find(model, notes, late=False)
        if not cancelled():
            yield self._find(model, notes, late=True)

    def _find(self, model: GuaranteeModel, notes: tuple[Problem, ...], *, late: bool) -> Findings:
        charts = [
            density_chart,
            odds_chart,
            tradeoff_chart,
            loss_chart,
            curve_chart,
            posterior_chart,
        ]
        return Findings(
            tuple(
                chart(model)
                for chart in (*charts, *((fates_chart,) if late and model.seen.shift else ()))
            ),
            facts(model),
            sentences(model, late=late),
            tables(model, late=late),
            notes,
            refused=self.refused(model.data),
            headline=_headline(model),
        )


def _headline(model: GuaranteeModel) -> tuple[str, ...]:
    if not model.seen.shift:
        return ("neighbour",)
    return ("odds", "certainty", "partial") if model.partial else ("odds", "certainty")
