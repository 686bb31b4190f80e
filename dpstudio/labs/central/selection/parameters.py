"""Selection: which candidate a private choice names, how often, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.central.selection import ABOUT
from dpstudio.labs.central.selection.charts import charts, hidden_charts, with_winner
from dpstudio.labs.central.selection.model import SelectionModel
from dpstudio.labs.central.selection.words import (
    facts,
    hidden_facts,
    hidden_sentences,
    sentences,
    tables,
    with_winner_words,
)
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.choosing import SELECTIONS, Exponential
from dpstudio.privacy.mechanisms.selection import Selection as Mechanism
from dpstudio.privacy.queries.choosing import (
    CHOICES,
    Choosing,
    ColumnChoosing,
    MostCommon,
    Quantile,
    Typed,
)
from dpstudio.values.lists import Edges
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import Flag, Integer, OneOf, ParamError, Real, param
from dpstudio.values.problem import Problem


@dataclass(frozen=True)
class Budgets(Edges):
    """A few increasing ε, from 0 (all candidates alike) to the most that a slider holds."""

    def check(self, value: Any) -> tuple[float, ...]:
        if isinstance(value, str):
            value = [part for part in value.replace(";", ",").split(",") if part.strip()]
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= 12:
            raise ParamError("", say("Write 1 to 12 increasing values of ε, such as 0.01, 0.1, 1."))
        inner = Real("", low=0.0, high=EPSILON.high)
        numbers = tuple(inner.check(part) for part in value)
        if any(b <= a for a, b in pairwise(numbers)):
            raise ParamError("", say("Write 1 to 12 increasing values of ε, such as 0.01, 0.1, 1."))
        return numbers

    def describe(self) -> Say:
        return say(
            "1 to 12 increasing numbers from 0 to {high}, separated by commas",
            high=f"{EPSILON.high:g}",
        )

    def bad(self) -> Iterable[Any]:
        yield from (3, None, "", [], "2, 1", "a, b", [1, 1], [-1, 1], [1, 2 * EPSILON.high])


@dataclass(frozen=True)
class Selection(Lab, about=ABOUT):
    """One choice among candidates by a noisy score: exact probabilities, simulated winners, the
    loss, and the trade.

    All of it follows from the exact scores. Where the exact answer is hidden only one simulated
    winner is shown, and what holds whatever the scores are; typed scores come from no table, so
    there is nothing to hide.
    """

    query: Choosing = param(MostCommon(), OneOf(N_("Question"), family=lambda: CHOICES))
    mechanism: Mechanism = param(
        Exponential(epsilon=0.03), OneOf(N_("Mechanism"), family=lambda: SELECTIONS)
    )
    adjacency: str = shared.adjacency()
    monotone: bool = param(
        True,
        Flag(
            N_("Use ε/Δ where proved"),
            N_(
                "Half the noise is enough where one person moves all scores in the same direction, "
                "as counts."
            ),
        ),
    )
    at: tuple[float, ...] = param(
        (0.01, 0.03, 0.1, 1.0),
        Budgets(N_("ε in the table"), N_("The table has a column for each of these.")),
    )
    confidence: float = param(
        0.95,
        Real(N_("Confidence"), N_("The share of winners that a bound keeps."), low=0.5, high=0.999),
    )
    trials: int = param(
        10_000,
        Integer(
            N_("Trials"),
            N_("How many simulated winners the whiskers stand for."),
            low=1_000,
            high=1_000_000,
            log=True,
        ),
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth()

    def problems(self, data: Dataset) -> Iterator[Problem]:
        if data.rows == 0 and not isinstance(self.query, Typed):
            yield Problem("data", say("The table has no rows. Open another table."))
            return
        yield from self.query.problems(data, self.adjacency)

    def refused(self, data: Dataset) -> Mapping[str, Mapping[str, Say]]:
        if any(column.numeric for column in data.columns):
            return {"query": {}}
        return {
            "query": {
                Quantile.key: say(
                    "This table has no column of numbers. Ask for the most common value instead."
                )
            }
        }

    def suited(self, data: Dataset) -> Selection:
        query = self.query
        if not isinstance(query, ColumnChoosing):
            return self
        if any(p.field == "query.where" for p in query.problems(data, self.adjacency)):
            query = query.with_(where=Where())
        names = [
            column.name
            for column in data.columns
            if column.numeric or not isinstance(query, Quantile)
        ]
        # Candidates and grids belonged to the other column.
        others = (type(query)(where=query.where, column=name) for name in names)  # type: ignore[call-arg]
        for answerable in (query, *others):
            if not any(p.stops for p in answerable.problems(data, self.adjacency)):
                return self.with_(query=answerable)
        return self.with_(query=Typed())

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems, refused=self.refused(data))
            return
        model = SelectionModel(self, data)
        if model.hidden:
            yield self._find_hidden(model, data, problems)
            return
        if model.late:
            # The curve of noisy max is an integral at every ε: many candidates take a while, once.
            yield self._find(model, data, problems)
            model = SelectionModel(self, data)
            model.work(cancelled)
        if not cancelled():
            yield self._find(model, data, problems)

    def _find(
        self, model: SelectionModel, data: Dataset, problems: tuple[Problem, ...]
    ) -> Findings:
        told = sentences(model)
        found = Findings(
            charts(model),
            facts(model),
            told,
            tables(model),
            problems + model.advice(),
            model.replays,
            model.scores.values if self.show_truth else None,
            model.asked.best,
            model.asked.labels,
            self.refused(data),
            tuple(s.key for s in told if s.key in ("compare", "needed")),
        )
        return self.frame(found, 0)

    def _find_hidden(
        self, model: SelectionModel, data: Dataset, problems: tuple[Problem, ...]
    ) -> Findings:
        return Findings(
            hidden_charts(model),
            hidden_facts(model),
            hidden_sentences(model),
            problems=problems + model.advice(),
            replays=model.unseen_winner,
            refused=self.refused(data),
            headline=("promise",),
        )

    def frame(self, findings: Findings, index: int) -> Findings:
        if not any(figure.key == "winners" for figure in findings.figures):
            return findings
        return with_winner(with_winner_words(findings, index), index)
