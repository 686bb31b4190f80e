"""Local means: the mean of a column from reports that each person has made noisy alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpstudio.charts.figure import array
from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.local.means import ABOUT
from dpstudio.labs.local.means.charts import (
    columns_chart,
    contest_chart,
    dims_chart,
    estimates_chart,
    people_chart,
    report_chart,
    tradeoff_chart,
    variance_chart,
)
from dpstudio.labs.local.means.model import CASES, MEASURES, MeansModel
from dpstudio.labs.local.means.words import answer_fact, facts, sentences, tables
from dpstudio.labs.page import Lab
from dpstudio.labs.persons import reports_of_rows
from dpstudio.labs.simulated_answer import with_answer
from dpstudio.privacy.local import NUMBERS, NumberProtocol
from dpstudio.privacy.local.piecewise import Piecewise
from dpstudio.privacy.queries.query import REPLACE, WIDEST, Clipping, missing_problem
from dpstudio.privacy.queries.total import Mean, public_problems
from dpstudio.privacy.release.answerable import answerable
from dpstudio.values.messages import N_, say
from dpstudio.values.params import (
    Choice,
    Integer,
    Maybe,
    OneOf,
    ParamError,
    Ranges,
    Real,
    Words,
    param,
)
from dpstudio.values.problem import Problem

D_MOST = 1000
_COLUMNS = 8


@dataclass(frozen=True)
class LocalMean(Lab, about=ABOUT):
    """A mean that no collector needs to be trusted for: Laplace, Duchi, piecewise and hybrid
    reports, and what they cost."""

    query: Mean = param(Mean(), OneOf(N_("Question"), family=lambda: [Mean]))
    more: tuple[str, ...] = param(
        (),
        Words(
            N_("Further columns"),
            N_(
                "Columns of numbers, separated by |: each person sends these too, in the same "
                "report."
            ),
        ),
    )
    ranges: tuple[tuple[float, float], ...] = param(
        (),
        Ranges(
            N_("Their bounds"),
            N_(
                "lowest..highest for each further column, separated by |; values beyond are "
                "clipped."
            ),
        ),
    )
    dims: int = param(
        1,
        Integer(
            N_("Numbers each holds d"),
            N_(
                "How many numbers each person’s report is about, this column among them; at least "
                "the columns named."
            ),
            low=1,
            high=D_MOST,
            log=True,
        ),
    )
    protocol: NumberProtocol = param(Piecewise(), OneOf(N_("Protocol"), family=lambda: NUMBERS))
    value: float | None = param(
        None,
        Maybe(
            N_("One person’s value"),
            N_("What the person holds whose report is drawn."),
            inner=Real("", low=-WIDEST, high=WIDEST),
        ),
    )
    case: str = param(
        "worst",
        Choice(
            N_("Errors for"),
            N_("The worst values that the people could hold, or those of this column."),
            options=CASES,
        ),
    )
    measure: str = param(
        "half_width",
        Choice(
            N_("Error"), N_("How the error of the estimated mean is summed up."), options=MEASURES
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
    trials: int = param(
        1_000,
        Integer(
            N_("Surveys"),
            N_("How many simulated surveys make the histogram."),
            low=100,
            high=10_000,
            log=True,
        ),
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth()

    def agree(self) -> None:
        if self.ranges and len(self.ranges) != len(self.more):
            text = N_(
                "There are {columns} further columns and {ranges} pairs of bounds. Write one pair "
                "for each."
            )
            raise ParamError("ranges", say(text, columns=len(self.more), ranges=len(self.ranges)))

    def problems(self, data: Dataset) -> Iterator[Problem]:
        """The first that stops it."""
        if data.rows == 0:
            yield Problem("data", say("The table has no rows. Open another table."))
            return
        if not any(info.numeric for info in data.columns):
            yield Problem(
                "data",
                say("This table has no column of numbers. Count rows in another lab instead."),
            )
            return
        for problem in (
            *Clipping.problems(self.query, data, REPLACE),
            *self._column_problems(data),
        ):
            yield problem
            return
        question = self.query
        for problem in public_problems(
            question.with_(where=MeansModel(self, data).where), data, REPLACE, n_public=False
        ):
            yield problem
            return
        yield from reports_of_rows(data)

    def _column_problems(self, data: Dataset) -> Iterator[Problem]:
        if len(self.more) >= _COLUMNS:
            yield Problem("more", say("Name at most {most} further columns.", most=_COLUMNS - 1))
        for column in self.more:
            if column == self.query.column:
                yield Problem(
                    "more",
                    say(
                        "“{column}” is the column asked about already. Name others.", column=column
                    ),
                )
            elif not data.has(column):
                yield Problem(
                    "more",
                    say("This table has no column “{column}”. Choose another.", column=column),
                )
            elif not data.info(column).numeric:
                yield Problem(
                    "more",
                    say(
                        "“{column}” holds words, not numbers. Name columns of numbers.",
                        column=column,
                    ),
                )
            elif (missing := missing_problem(column, data)) is not None:
                yield replace(missing, field="more")
            elif (
                not self.ranges
                and (extent := data.extent(column))
                and max(abs(extent.low), abs(extent.high)) > WIDEST
            ):
                text = N_(
                    "“{column}” reaches beyond ±10¹⁵. Type the lowest and the highest value that "
                    "may count."
                )
                yield Problem("ranges", say(text, column=column))

    def suited(self, data: Dataset) -> LocalMean:
        lab, query = self, answerable(self.query, data, REPLACE)
        if isinstance(query, Mean) and query != self.query:
            lab = lab.with_(
                query=query, value=self.value if query.column == self.query.column else None
            )
        if any(lab._column_problems(data)):
            lab = lab.with_(more=(), ranges=())
        return lab

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems)
            return
        model = MeansModel(self, data)
        if self.show_truth and model.waits:
            yield self._find(MeansModel(self, data, quick=True), problems)
        if not cancelled():
            yield self._find(model, problems)

    def _find(self, model: MeansModel, problems: tuple[Problem, ...]) -> Findings:
        charts = [
            estimates_chart,
            report_chart,
            tradeoff_chart,
            contest_chart,
            people_chart,
            dims_chart,
            variance_chart,
        ]
        charts += [columns_chart] if self.more else []
        found = Findings(
            tuple(chart(model) for chart in charts),
            facts(model),
            sentences(model),
            tables(model),
            (*problems, *(Problem("query.attested", note, stops=False) for note in model.notes)),
            model.replays,
            array([model.truth]) if self.show_truth else None,
            headline=("winner", "central"),
        )
        return self.frame(found, 0)

    def frame(self, findings: Findings, index: int) -> Findings:
        if not len(findings.replays) or not findings.figures:
            return findings
        answer = answer_fact(
            float(findings.replays[index % len(findings.replays), 0]), self.confidence, findings
        )
        changed = tuple(answer if fact.key == "answer" else fact for fact in findings.facts)
        return with_answer(replace(findings, facts=changed), self.protocol.ink, index)
