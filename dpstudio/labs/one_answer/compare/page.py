"""The page of the lab Compare."""

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.answer_charts import published_chart
from dpstudio.labs.answer_model import advice, answers
from dpstudio.labs.answer_words import framed, hero_framed
from dpstudio.labs.context import Context
from dpstudio.labs.first_picture import at_once, waits_for_library
from dpstudio.labs.one_answer.compare import charts, parameters, words
from dpstudio.labs.one_answer.compare.model import Comparison, comparison, hasty
from dpstudio.labs.page import Page, Refused
from dpstudio.labs.question import measured_if_possible, question_problems, with_question
from dpstudio.privacy.release.answerable import refused_mechanisms, refused_queries
from dpstudio.values.messages import Message, say
from dpstudio.values.problem import Problem


def _mechanisms_refused(lab: parameters.Compare, data: Dataset) -> dict[str, Message]:
    return refused_mechanisms(measured_if_possible(lab.query, data, lab.adjacency))


def _refused(lab: parameters.Compare, data: Dataset) -> Refused:
    why = _mechanisms_refused(lab, data)
    return {"mechanisms": why, "focus": why, "query": refused_queries(data)}


def _problems(lab: parameters.Compare, data: Dataset) -> Iterator[Problem]:
    found = list(question_problems(lab.query, data, lab.adjacency))
    yield from found
    if any(p.stops for p in found):
        return
    refused = _mechanisms_refused(lab, data)
    out = [key for key in lab.mechanisms if key in refused]
    if len(out) == len(lab.mechanisms):
        yield Problem("mechanisms", refused[out[0]])
    elif out:
        text = say("Integer noise needs integer answers, so it is left out here.")
        yield Problem("mechanisms", text, stops=False)


def _stages(lab: parameters.Compare, context: Context) -> Iterator[Comparison]:
    refused = _mechanisms_refused(lab, context.data)
    able = tuple(key for key in lab.mechanisms if key not in refused)
    early = at_once(able)
    if waits_for_library(able, early):
        yield comparison(lab.with_(mechanisms=early), context)
    yield comparison(lab, context)


def _glance(lab: parameters.Compare, context: Context) -> Comparison | None:
    refused = _mechanisms_refused(lab, context.data)
    able = tuple(key for key in lab.mechanisms if key not in refused)
    return None if waits_for_library(able, at_once(able)) else hasty(comparison(lab, context))


def _charts(model: Comparison) -> Iterator[Figure]:
    yield charts.lanes_chart(model)
    yield charts.relative_chart(model)
    yield published_chart(model.focus)
    yield charts.density_chart(model)
    yield charts.cdf_chart(model)
    yield charts.tail_chart(model)


PAGE = Page(
    stages=_stages,
    glance=_glance,
    charts=_charts,
    facts=words.facts,
    leads=("less", "last", "pure"),
    sentences=words.sentences,
    tables=words.tables,
    headline=words.headline,
    advice=lambda model: advice(model.focus),
    answers=lambda model: answers(model.focus),
    planned=lambda lab: lab.query,
    problems=_problems,
    refused=_refused,
    suited=with_question,
    frame=framed,
    hero_frame=hero_framed,
)
