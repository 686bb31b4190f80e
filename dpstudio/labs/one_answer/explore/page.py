"""The page of the lab Explore."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.answer_charts import published_chart
from dpstudio.labs.answer_model import advice, answers, hasty_answer
from dpstudio.labs.answer_words import framed, hero_framed
from dpstudio.labs.context import Context
from dpstudio.labs.deployments_chart import everybody
from dpstudio.labs.first_picture import waits_for_library
from dpstudio.labs.one_answer.explore import charts, costs, parameters, words
from dpstudio.labs.one_answer.explore.model import ExploreModel, beside, explore_model
from dpstudio.labs.page import Lab, Page, Refused
from dpstudio.labs.question import answering_problems, mechanism_refused, with_answer
from dpstudio.privacy.queries import QUERIES
from dpstudio.privacy.release.answerable import refused_queries
from dpstudio.values.parameters import switch


def _refused(lab: parameters.Explore, data: Dataset) -> Refused:
    return {"mechanism": mechanism_refused(lab, data), "query": refused_queries(data)}


def _stages(lab: parameters.Explore, context: Context) -> Iterator[ExploreModel]:
    drawn = (lab.mechanism.key, lab.compare_with)
    model = explore_model(lab, context)
    if waits_for_library(drawn, drawn[:1]):
        alone, rows = lab.with_(compare_with="none"), 1 if beside(model) is None else 2
        yield replace(explore_model(alone, context), early=True, rows=rows)
    yield model
    if costs.refinable(model):
        yield replace(model, fine=True)


def _glance(lab: parameters.Explore, context: Context) -> ExploreModel | None:
    drawn = (lab.mechanism.key, lab.compare_with)
    if waits_for_library(drawn, drawn[:1]):
        return None
    model = explore_model(lab, context)
    quick = hasty_answer(model.answer)
    return None if quick is None else replace(model, answer=quick)


def _charts(model: ExploreModel) -> Iterator[Figure]:
    yield published_chart(model.answer, model.lab.dots, beside(model), model.rows)
    yield charts.error_chart(model)
    yield charts.tradeoff_chart(model)
    yield charts.cost_chart(model)
    others = everybody(model.register, model.lab.mechanism.epsilon)
    if others is not None:
        yield others


def _taking(lab: parameters.Explore, other: Lab) -> parameters.Explore | None:
    """The question of a lab that hands one over, with its column, rows and bounds; still by group
    where the same is asked by group."""
    handed = getattr(other, "handed", {})
    asked, same = lab.query, ("statistic", "column")
    if handed and asked.key == "grouped" and all(getattr(asked, n) == handed[n] for n in same):
        bounds = {name: handed[name] for name in ("low", "high", "where")}
        return lab.with_(query=asked.with_(attested=False, **bounds))
    kind = next((kind for kind in QUERIES if kind.key == handed.get("statistic")), None)
    return None if kind is None else lab.with_(query=switch(kind, handed))


PAGE: Page[parameters.Explore, ExploreModel] = Page(
    stages=_stages,
    glance=_glance,
    charts=_charts,
    source=lambda model: model.lab.mechanism.source,
    facts=words.facts,
    leads=("answer", "typical", "cost"),
    awaits=lambda model: costs.refinable(model) and not model.fine,
    refines=("cost",),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("interval", "sampling"),
    advice=lambda model: advice(model.answer),
    answers=lambda model: answers(model.answer),
    planned=lambda lab: lab.query,
    problems=answering_problems,
    refused=_refused,
    compared=lambda model: {} if model.early else words.compared(model),
    suited=with_answer,
    frame=framed,
    hero_frame=hero_framed,
    taking=_taking,
)
