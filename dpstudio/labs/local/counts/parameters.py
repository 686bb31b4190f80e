"""Local counts: how many people hold each value, when nobody trusts the collector and everyone
sends one noisy report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.local.counts import ABOUT
from dpstudio.labs.local.counts.charts import charts
from dpstudio.labs.local.counts.model import CountsModel
from dpstudio.labs.local.counts.people import asked_of
from dpstudio.labs.local.counts.published import (
    counts_chart,
    post_chart,
    report_chart,
    surveys_chart,
    with_survey,
)
from dpstudio.labs.local.counts.words import facts, sentences, tables, with_survey_words
from dpstudio.labs.page import Lab
from dpstudio.labs.persons import reports_of_rows
from dpstudio.privacy.local import POST, PROTOCOLS, Protocol
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.post import Raw
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.query import ADD_REMOVE, Query
from dpstudio.privacy.release.answerable import answerable, refused_queries
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import Choice, Flag, Integer, OneOf, Real, param
from dpstudio.values.problem import Problem

JUDGED = {
    "rare": N_("a value that nobody holds"),
    "part": N_("the part looked at"),
    "all": N_("all values on average"),
}


@dataclass(frozen=True)
class LocalCounts(Lab, about=ABOUT):
    """One survey in which each person sends one report of one of d values: the reports, the
    estimates, and every protocol's error."""

    query: Query = param(
        Histogram(column="occupation"), OneOf(N_("Question"), family=lambda: [Histogram, Count])
    )
    protocol: Protocol = param(Direct(), OneOf(N_("Protocol"), family=lambda: PROTOCOLS))
    judged: str = param(
        "rare", Choice(N_("Error of"), N_("Which count protocols are compared by."), options=JUDGED)
    )
    confidence: float = param(
        0.95,
        Real(
            N_("Confidence"),
            N_("The share of surveys that an interval keeps."),
            low=0.5,
            high=0.999,
        ),
    )
    relative: bool = param(
        False, Flag(N_("Relative"), N_("Errors as a share of the people asked."))
    )
    post: str = param(
        Raw.key,
        Choice(
            N_("Publish"),
            N_("What is done to the estimates: it costs no privacy, but it biases them."),
            options=lambda: {kind.key: kind.label for kind in POST},
        ),
    )
    part: int = param(
        -1,
        Integer(
            N_("Part"),
            N_("Which value is looked at closely, counted from 0; −1 is the largest."),
            low=-1,
            high=999,
        ),
    )
    trials: int = param(
        2_000,
        Integer(
            N_("Surveys"),
            N_("How many simulated surveys make the histogram."),
            low=240,
            high=100_000,
            log=True,
        ),
    )
    seed: int = param(
        1, Integer(N_("Seed"), N_("The same seed draws the same reports."), low=0, high=2**62)
    )
    show_truth: bool = param(
        True,
        Flag(
            N_("Show the exact counts"),
            N_(
                "Hides them on this screen. What is saved then is drawn anew, with noise from the "
                "system."
            ),
        ),
    )

    def problems(self, data: Dataset) -> Iterator[Problem]:
        found = list(self._query_problems(data))
        yield from found
        if not any(p.stops for p in found):
            why = self.protocol.refuses(len(self._labels(data)))
            if why is not None:
                yield Problem("protocol", why)
            yield from reports_of_rows(data)

    def _query_problems(self, data: Dataset) -> Iterator[Problem]:
        if data.rows == 0:
            yield Problem("data", say("The table has no rows. Open another table."))
            return
        found = list(self.query.problems(data, ADD_REMOVE))
        yield from found
        if any(p.stops for p in found):
            return
        people = data.remember(("population", self.query), lambda: asked_of(self.query, data))
        if people.n == 0:
            yield Problem(
                "query.where",
                say("Nobody meets the condition and has one of the values, so nobody is asked."),
            )
        elif len(people.labels) < 2:
            yield Problem(
                "query.column",
                say(
                    "All people are in one part, so that a report would say nothing. Ask for more "
                    "parts."
                ),
            )

    def _labels(self, data: Dataset) -> tuple[str, ...]:
        return data.remember(("population", self.query), lambda: asked_of(self.query, data)).labels

    def refused(self, data: Dataset) -> Mapping[str, Mapping[str, Say]]:
        why: dict[str, Say] = {}
        if not any(p.stops for p in self._query_problems(data)):
            d = len(self._labels(data))
            why = {
                kind.key: reason for kind in PROTOCOLS if (reason := kind().refuses(d)) is not None
            }
        return {"protocol": why, "query": refused_queries(data)}

    def suited(self, data: Dataset) -> LocalCounts:
        lab = self.with_(query=answerable(self.query, data, ADD_REMOVE))
        if any(p.stops for p in lab._query_problems(data)):
            lab = self.with_(query=Count().with_(where=type(self.query.where)()))
        if lab.protocol.key in lab.refused(data)["protocol"]:
            lab = lab.with_(protocol=Direct(epsilon=min(max(lab.protocol.claim, 0.001), 50.0)))
        return lab

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems, refused=self.refused(data))
            return
        if not CountsModel(self, data).ready():
            # A drag shows a few hundred surveys at each ε, and the rest where it comes to rest.
            yield self._find(data, problems, quick=True)
        if not cancelled():
            yield self._find(data, problems)

    def _find(self, data: Dataset, problems: tuple[Problem, ...], quick: bool = False) -> Findings:
        model = CountsModel(self, data, quick)
        tradeoff, people, domain, plane = charts(model)
        told = sentences(model)
        found = Findings(
            (
                counts_chart(model),
                tradeoff,
                surveys_chart(model),
                people,
                report_chart(model),
                post_chart(model),
                domain,
                plane,
            ),
            facts(model),
            told,
            tables(model),
            problems + model.advice(),
            model.replays,
            model.counts if self.show_truth else None,
            model.part,
            () if model.asks else model.population.labels,
            self.refused(data),
            tuple(s.key for s in told if s.key in ("winner", "spent", "central")),
        )
        return self.frame(found, 0)

    def frame(self, findings: Findings, index: int) -> Findings:
        if not len(findings.replays) or not findings.figures:
            return findings
        totals = findings.replays[index % len(findings.replays)]
        value = float(self.protocol.estimate(totals, findings.fact("asked").value)[findings.part])
        return with_survey(with_survey_words(findings, self, value), self, index)
