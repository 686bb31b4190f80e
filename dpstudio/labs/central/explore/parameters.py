"""Explore: one question, one mechanism, and what they give, cost and hide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.central.explore import ABOUT
from dpstudio.labs.central.explore.charts import cost_chart, error_chart, tradeoff_chart
from dpstudio.labs.central.explore.model import ExploreModel
from dpstudio.labs.central.explore.published import published_chart
from dpstudio.labs.central.explore.words import facts, sentences, tables, with_answer_words
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.first_picture import waits_for_library
from dpstudio.labs.page import Lab
from dpstudio.labs.simulated_answer import with_answer
from dpstudio.privacy.accounting.accountant import DELTA_PRIME, K_MOST
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import QUERIES, Query
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.release.answerable import answerable, refused_mechanisms, refused_queries
from dpstudio.privacy.release.postprocessed_law import AFTER
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import Choice, Flag, Integer, OneOf, Real, param, switch
from dpstudio.values.problem import Problem

MEASURES = {
    "half_width": N_("Half-width"),
    "mean_abs": N_("Mean absolute error"),
    "rmse": N_("Root mean square error"),
}


@dataclass(frozen=True)
class Explore(Lab, about=ABOUT):
    """A query answered through a mechanism: simulated answers, the exact error law, the trade and
    the cost of many."""

    query: Query = param(Count(), OneOf(N_("Question"), family=lambda: QUERIES))
    mechanism: Additive = param(
        Laplace(epsilon=0.1), OneOf(N_("Mechanism"), family=lambda: MECHANISMS)
    )
    adjacency: str = shared.adjacency()
    compare_with: str = param(
        "gaussian",
        Choice(
            N_("Compare with"),
            N_("Another mechanism at the same ε, drawn dashed."),
            options=lambda: {"none": N_("nothing"), **{m.key: m.label for m in MECHANISMS}},
        ),
    )
    confidence: float = param(
        0.95,
        Real(
            N_("Confidence"),
            N_("The share of answers that an interval keeps."),
            low=0.5,
            high=0.999,
        ),
    )
    measure: str = param(
        "half_width",
        Choice(N_("Error"), N_("How error is summed up in the trade."), options=MEASURES),
    )
    relative: bool = param(False, Flag(N_("Relative"), N_("Errors as a share of the answer.")))
    target: float = param(
        1.0,
        Real(
            N_("Target"),
            N_("Answers should be within ± this of the exact one."),
            low=1e-6,
            high=1e12,
        ),
    )
    target_unit: str = param(
        "percent", Choice(N_("Target in"), options={"percent": N_("%"), "absolute": N_("units")})
    )
    answers: int = param(
        100,
        Integer(
            N_("Answers k"),
            N_("How many such answers are published in all."),
            low=1,
            high=K_MOST,
            log=True,
        ),
    )
    delta_prime: float = param(1e-5, DELTA_PRIME)
    part: int = param(
        -1,
        Integer(
            N_("Part"),
            N_(
                "Which part of a histogram is looked at closely, counted from 0; −1 is the largest."
            ),
            low=-1,
            high=999,
        ),
    )
    largest: bool = param(
        False,
        Flag(
            N_("Largest error"),
            N_("The largest error over all parts at once (a simultaneous interval)."),
        ),
    )
    dots: int = param(
        50, Integer(N_("Dots"), N_("How many equally likely answers are drawn."), low=10, high=200)
    )
    trials: int = param(
        100_000,
        Integer(
            N_("Trials"),
            N_("How many simulated answers make the histogram."),
            low=1_000,
            high=1_000_000,
            log=True,
        ),
    )
    seed: int = shared.seed()
    post_processing: str = param(
        "none",
        Choice(
            N_("Publish"),
            N_("What is done to the noisy answer: it costs no privacy, but it biases the answer."),
            options=AFTER,
        ),
    )
    show_truth: bool = shared.show_truth()

    def problems(self, data: Dataset) -> Iterator[Problem]:
        found = list(self._query_problems(data))
        yield from found
        if any(p.stops for p in found):
            return
        for option, why in self.refused(data)["mechanism"].items():
            if option == self.mechanism.key:
                yield Problem("mechanism", why)

    def _query_problems(self, data: Dataset) -> Iterator[Problem]:
        if data.rows == 0:
            yield Problem("data", say("The table has no rows. Open another table."))
            return
        yield from self.query.problems(data, self.adjacency)

    def refused(self, data: Dataset) -> Mapping[str, Mapping[str, Say]]:
        answerable = not any(p.stops for p in self._query_problems(data))
        asked = self.query.ask(data, self.adjacency) if answerable else None
        return {"mechanism": refused_mechanisms(asked), "query": refused_queries(data)}

    def suited(self, data: Dataset) -> Explore:
        lab = self.with_(query=answerable(self.query, data, self.adjacency))
        if lab.mechanism.key in lab.refused(data)["mechanism"]:
            lab = lab.with_(mechanism=switch(Laplace, lab.mechanism))
        return lab

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems, refused=self.refused(data))
            return
        drawn = (self.mechanism.key, self.compare_with)
        if waits_for_library(drawn, drawn[:1]):
            yield self._find(self.with_(compare_with="none"), data, problems)
        if not cancelled():
            yield self._find(self, data, problems)

    def _find(self, lab: Explore, data: Dataset, problems: tuple[Problem, ...]) -> Findings:
        model = ExploreModel(lab, data)
        figures = [
            chart(model) for chart in (published_chart, error_chart, tradeoff_chart, cost_chart)
        ]
        found = Findings(
            tuple(figures),
            facts(model),
            sentences(model),
            tables(model),
            problems + model.advice(),
            model.replays,
            model.truth if self.show_truth else None,
            model.part,
            model.asked.labels,
            self.refused(data),
        )
        return self.frame(found, 0)

    def frame(self, findings: Findings, index: int) -> Findings:
        if not len(findings.replays) or not findings.figures:
            return findings
        return with_answer(with_answer_words(findings, index), self.mechanism.ink, index)
