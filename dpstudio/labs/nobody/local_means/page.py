"""The page of the lab Local means."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.charts.figure import Figure, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.lacking import no_rows
from dpstudio.labs.nobody.local_means import charts, error_charts, parameters, surveys, words
from dpstudio.labs.nobody.local_means import model as local_means
from dpstudio.labs.page import Answers, Page
from dpstudio.labs.persons import one_report_each, one_row_each
from dpstudio.labs.row_sample import in_digits
from dpstudio.labs.simulated_answer import with_answer
from dpstudio.privacy.queries import query as queries_query
from dpstudio.privacy.queries.total import Mean, public_problems
from dpstudio.privacy.release.answerable import answerable
from dpstudio.values.messages import N_, say
from dpstudio.values.problem import Problem

_COLUMNS = 8


def _problems(lab: parameters.LocalMeans, data: Dataset) -> Iterator[Problem]:
    """The first that stops it, or who reports."""
    first = next(_stopping(lab, data), None)
    yield from (first,) if first is not None else one_report_each(data)


def _stopping(lab: parameters.LocalMeans, data: Dataset) -> Iterator[Problem]:
    if data.rows == 0:
        yield Problem("data", no_rows(data))
    elif not any(info.numeric for info in data.columns):
        text = say("This table has no column of numbers. Count rows in another lab instead.")
        yield Problem("data", text)
    elif number := queries_query.number_problem(
        lab.query.column, data
    ):  # which asks for no count: none is here
        yield number
    else:
        yield from queries_query.Clipping.problems(lab.query, data, queries_query.REPLACE)
        yield from _column_problems(lab, data)
        everyone = lab.query.with_(where=local_means.asked_where(lab))
        yield from public_problems(everyone, data, queries_query.REPLACE, n_public=False)


def _column_problems(lab: parameters.LocalMeans, data: Dataset) -> Iterator[Problem]:
    """What is wrong with the further columns."""
    if len(lab.more) >= _COLUMNS:
        yield Problem(
            "more", say("Name at most {most} further {most:column|columns}.", most=_COLUMNS - 1)
        )
    for column in lab.more:
        yield from _one_column(lab, data, column)


def _one_column(lab: parameters.LocalMeans, data: Dataset, column: str) -> Iterator[Problem]:
    """What is wrong with one of them."""
    if column == lab.query.column:
        text = N_("“{column}” is the column asked about already. Name others.")
        yield Problem("more", say(text, column=column))
    elif absent := queries_query.no_column(column, data, "more"):
        yield absent
    elif not data.info(column).numeric:
        yield Problem("more", queries_query.no_numbers(column, data))
    elif (missing := queries_query.missing_problem(column, data)) is not None:
        yield replace(missing, field="more")
    elif (
        not lab.ranges
        and (extent := data.extent(column))
        and max(abs(extent.low), abs(extent.high)) > queries_query.WIDEST
    ):
        text = N_(
            "“{column}” reaches beyond ±10¹⁵. Type the lowest and the highest value that may count."
        )
        yield Problem("ranges", say(text, column=column))


def _suited(lab: parameters.LocalMeans, data: Dataset) -> parameters.LocalMeans:
    """With the nearest question and further columns that the table has."""
    made, query = lab, answerable(lab.query, data, queries_query.REPLACE)
    if isinstance(query, Mean) and query != lab.query:
        value = lab.value if query.column == lab.query.column else None
        made = lab.with_(query=query, value=value)
    return made.with_(more=(), ranges=()) if any(_column_problems(made, data)) else made


def _stages(lab: parameters.LocalMeans, context: Context) -> Iterator[local_means.MeansModel]:
    """A drag shows a few surveys at each ε, and the rest where it comes to rest."""
    model = local_means.means_model(lab, context)
    if lab.show_truth and surveys.waits(model):
        yield replace(model, quick=True)
    yield model


def _charts(model: local_means.MeansModel) -> Iterator[Figure]:
    yield charts.estimates_chart(model)
    yield charts.report_chart(model)
    yield error_charts.tradeoff_chart(model)
    yield error_charts.contest_chart(model)
    yield error_charts.people_chart(model)
    yield error_charts.dims_chart(model)
    yield charts.variance_chart(model)
    yield from charts.columns_chart(model)


def _advice(model: local_means.MeansModel) -> Iterator[Problem]:
    for note in local_means.notes(model):
        yield Problem("query.attested", note, stops=False)
    yield from in_digits(model.data, model.column, *model.lab.more)


def _frame(lab: parameters.LocalMeans, findings: Findings, index: int) -> Findings:
    answer = float(findings.replays[index % len(findings.replays), 0])
    return with_answer(words.with_answer_fact(findings, answer), lab.protocol.ink, index)


def _hero_frame(model: local_means.MeansModel, found: Findings, index: int) -> Findings:
    return with_answer(found, model.lab.protocol.ink, index)


PAGE = Page(
    stages=_stages,
    awaits=lambda model: model.quick,
    refines=("answer", "published"),
    charts=_charts,
    facts=words.facts,
    leads=("answer", "central", "bits"),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("own", "winner", "rival", "central"),
    advice=_advice,
    answers=lambda model: Answers(surveys.replays(model), array([local_means.truth(model)])),
    problems=_problems,
    compared=words.compared,
    suited=_suited,
    reads=one_row_each,
    frame=_frame,
    hero_frame=_hero_frame,
)
