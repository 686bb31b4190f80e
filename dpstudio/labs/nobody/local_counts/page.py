"""The page of the lab Local counts."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.nobody.local_counts import (
    charts,
    error_words,
    parameters,
    published_charts,
    surveys,
    words,
)
from dpstudio.labs.nobody.local_counts.model import CountsModel, counts_model
from dpstudio.labs.nobody.local_counts.people import population
from dpstudio.labs.page import Answers, Page, Refused
from dpstudio.labs.persons import one_report_each, one_row_each
from dpstudio.labs.question import question_problems
from dpstudio.privacy.local import PROTOCOLS
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.privacy.release.answerable import answerable, refused_queries
from dpstudio.values.messages import Message, say
from dpstudio.values.problem import Problem

CHARTS = (
    published_charts.counts_chart,
    charts.tradeoff_chart,
    charts.domain_chart,
    published_charts.surveys_chart,
    charts.people_chart,
    published_charts.report_chart,
    published_charts.post_chart,
    charts.theta_chart,
)


def _problems(lab: parameters.LocalCounts, data: Dataset) -> Iterator[Problem]:
    found = list(_asked(lab, data))
    yield from found
    if any(p.stops for p in found):
        return
    why = lab.protocol.refuses(len(population(lab.query, data).labels))
    if why is not None:
        yield Problem("protocol", why)
    yield from one_report_each(data)


def _asked(lab: parameters.LocalCounts, data: Dataset) -> Iterator[Problem]:
    """The problems of the question: there must be people, and two things that they can hold."""
    found = list(question_problems(lab.query, data, ADD_REMOVE))
    yield from found
    if any(p.stops for p in found):
        return
    people = population(lab.query, data)
    if people.n == 0:
        text = say("Nobody meets the condition and has one of the values, so nobody is asked.")
        yield Problem("query.where", text)
    elif len(people.labels) < 2:
        text = say(
            "All people are in one part, so that a report would say nothing. Ask for more parts."
        )
        yield Problem("query.column", text)


def _refused(lab: parameters.LocalCounts, data: Dataset) -> Refused:
    why: dict[str, Message] = {}
    if not any(p.stops for p in _asked(lab, data)):
        d = len(population(lab.query, data).labels)
        why = {kind.key: reason for kind in PROTOCOLS if (reason := kind().refuses(d)) is not None}
    return {"protocol": why, "query": refused_queries(data)}


def _suited(lab: parameters.LocalCounts, data: Dataset) -> parameters.LocalCounts:
    """With the nearest question that the table can answer, and a protocol that serves its
    values."""
    made = lab.with_(query=answerable(lab.query, data, ADD_REMOVE))
    if any(p.stops for p in _asked(made, data)):
        made = lab.with_(query=Count().with_(where=type(lab.query.where)()))
    if made.protocol.key in _refused(made, data)["protocol"]:
        made = made.with_(protocol=Direct(epsilon=min(max(made.protocol.claim, 0.001), 50.0)))
    return made


def _stages(lab: parameters.LocalCounts, context: Context) -> Iterator[CountsModel]:
    """A drag shows a few hundred surveys at each ε, and the rest where it comes to rest."""
    model = counts_model(lab, context)
    if not surveys.ready(model):
        yield replace(model, quick=True)
    yield model


def _answers(model: CountsModel) -> Answers:
    labels = () if model.asks else model.population.labels
    return Answers(surveys.replays(model), model.counts, model.part, labels, surveys.spans(model))


def _advice(model: CountsModel) -> Iterator[Problem]:
    return (Problem("query.attested", note, stops=False) for note in model.population.notes)


def _frame(lab: parameters.LocalCounts, findings: Findings, index: int) -> Findings:
    totals = findings.replays[index % len(findings.replays)]
    raw = lab.protocol.estimate(totals, findings.fact("asked").value)
    told = words.with_survey_words(findings, float(raw[findings.part]))
    return published_charts.with_survey(
        told, lab, totals, raw, findings.spans[index % len(findings.spans)]
    )


def _hero_frame(model: CountsModel, found: Findings, index: int) -> Findings:
    (published,), totals = found.figures, found.replays[index % len(found.replays)]
    raw = model.lab.protocol.estimate(totals, model.n)
    span = found.spans[index % len(found.spans)]
    truth = model.counts if model.lab.show_truth else None
    shown = surveys.processed(raw, model.n, model.lab.post)
    hero = published_charts.with_bars(published, truth, totals, span, shown)
    return replace(found, figures=(hero,))


PAGE = Page(
    stages=_stages,
    awaits=lambda model: model.quick,
    refines=("surveys", "post"),
    charts=lambda model: (made for chart in CHARTS if (made := chart(model)) is not None),
    facts=words.facts,
    leads=("answer", "cost"),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("winner", "rival", "spent", "central"),
    advice=_advice,
    answers=_answers,
    problems=_problems,
    refused=_refused,
    compared=error_words.compared,
    suited=_suited,
    reads=one_row_each,
    frame=_frame,
    hero_frame=_hero_frame,
)
