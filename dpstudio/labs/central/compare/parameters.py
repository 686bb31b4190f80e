"""Compare: several mechanisms on one question at the same guarantee, and which of them wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.central.compare import ABOUT
from dpstudio.labs.central.compare.charts import (
    cdf_chart,
    density_chart,
    error_chart,
    frontier_chart,
    tail_chart,
)
from dpstudio.labs.central.compare.model import Comparison
from dpstudio.labs.central.compare.words import facts, sentences, tables
from dpstudio.labs.central.explore.parameters import MEASURES
from dpstudio.labs.central.explore.published import published_chart
from dpstudio.labs.central.explore.words import with_answer_words
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.first_picture import at_once, waits_for_library
from dpstudio.labs.page import Lab
from dpstudio.labs.simulated_answer import with_answer
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.queries import QUERIES, Query
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.release.answerable import answerable, refused_mechanisms, refused_queries
from dpstudio.privacy.release.postprocessed_law import AFTER
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import Choice, Flag, Integer, OneOf, Real, Several, param
from dpstudio.values.problem import Problem


@dataclass(frozen=True)
class Compare(Lab, about=ABOUT):
    """Chosen mechanisms on one question, all with the same ε (and δ, for those that need one)."""

    query: Query = param(Count(), OneOf(N_("Question"), family=lambda: QUERIES))
    mechanisms: tuple[str, ...] = param(
        ("laplace", "geometric", "staircase", "gaussian", "textbook"),
        Several(
            N_("Mechanisms"),
            N_("Those that are compared."),
            options=lambda: {m.key: m.label for m in MECHANISMS},
        ),
    )
    epsilon: float = param(1.0, EPSILON)
    delta: float = param(1e-5, DELTA)
    focus: str = param(
        "laplace",
        Choice(
            N_("Look at"),
            N_(
                "Whose answers are drawn on your data; a click on a dot of the frontier sets it "
                "too."
            ),
            options=lambda: {m.key: m.label for m in MECHANISMS},
        ),
    )
    adjacency: str = shared.adjacency()
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
        "mean_abs",
        Choice(
            N_("Error"),
            N_("How error is summed up, and by what the winner is judged."),
            options=MEASURES,
        ),
    )
    post_processing: str = param(
        "none",
        Choice(
            N_("Publish"),
            N_("What is done to the noisy answer: it costs no privacy, but it biases the answer."),
            options=AFTER,
        ),
    )
    part: int = param(
        -1,
        Integer(
            N_("Part"),
            N_("Which part of a vector is looked at closely, counted from 0; −1 is the largest."),
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
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth()

    def problems(self, data: Dataset) -> Iterator[Problem]:
        if data.rows == 0:
            yield Problem("data", say("The table has no rows. Open another table."))
            return
        found = list(self.query.problems(data, self.adjacency))
        yield from found
        if any(p.stops for p in found):
            return
        refused = self.refused(data)["mechanisms"]
        out = [key for key in self.mechanisms if key in refused]
        if len(out) == len(self.mechanisms):
            yield Problem("mechanisms", refused[out[0]])
        elif out:
            yield Problem(
                "mechanisms",
                say("Integer noise needs integer answers, so it is left out here."),
                stops=False,
            )

    def refused(self, data: Dataset) -> Mapping[str, Mapping[str, Say]]:
        answerable = data.rows > 0 and not any(
            p.stops for p in self.query.problems(data, self.adjacency)
        )
        why = refused_mechanisms(self.query.ask(data, self.adjacency) if answerable else None)
        return {"mechanisms": why, "focus": why, "query": refused_queries(data)}

    def suited(self, data: Dataset) -> Compare:
        return self.with_(query=answerable(self.query, data, self.adjacency))

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems, refused=self.refused(data))
            return
        early = at_once(self.mechanisms)
        if waits_for_library(self.mechanisms, early):
            yield self._find(self.with_(mechanisms=early), data, problems)
        if not cancelled():
            yield self._find(self, data, problems)

    def _find(self, lab: Compare, data: Dataset, problems: tuple[Problem, ...]) -> Findings:
        comparison = Comparison(lab, data)
        model = comparison.focus
        figures = (
            frontier_chart(comparison),
            published_chart(model),
            density_chart(comparison),
            cdf_chart(comparison),
            error_chart(comparison),
            tail_chart(comparison),
        )
        found = Findings(
            figures,
            facts(comparison),
            sentences(comparison),
            tables(comparison),
            problems + model.advice(),
            model.replays,
            model.truth if self.show_truth else None,
            model.part,
            model.asked.labels,
            self.refused(data),
            ("winner",),
        )
        return self.frame(found, 0)

    def frame(self, findings: Findings, index: int) -> Findings:
        if not len(findings.replays) or not findings.figures:
            return findings
        ink = findings.figure("published").layers[-1].ink
        return with_answer(with_answer_words(findings, index), ink, index)
