"""The page of the lab Decide."""

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.answer_charts import published_chart
from dpstudio.labs.answer_model import advice, answers
from dpstudio.labs.answer_words import hero_framed
from dpstudio.labs.context import Context
from dpstudio.labs.page import Page, Refused
from dpstudio.labs.question import answering_problems, with_answer
from dpstudio.labs.start.decide import charts, words
from dpstudio.labs.start.decide.model import DecideModel, decide_model
from dpstudio.labs.start.decide.parameters import Decide
from dpstudio.privacy.release.answerable import refused_queries


def _stages(lab: Decide, context: Context) -> Iterator[DecideModel]:
    yield decide_model(lab, context)


def _refused(lab: Decide, data: Dataset) -> Refused:
    return {"query": refused_queries(data)}


def _charts(model: DecideModel) -> Iterator[Figure]:
    others = charts.others_chart(model)
    if others is not None:
        yield others
    yield charts.guess_chart(model)
    yield published_chart(model.answer, 100)


PAGE: Page[Decide, DecideModel] = Page(
    stages=_stages,
    charts=_charts,
    facts=words.facts,
    leads=("right", "within", "others"),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("guess", "speaking", "sure"),
    advice=lambda model: advice(model.answer),
    answers=lambda model: answers(model.answer),
    problems=answering_problems,
    refused=_refused,
    suited=with_answer,
    frame=hero_framed,
    hero_frame=hero_framed,
)
