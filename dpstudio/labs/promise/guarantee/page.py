"""The page of the lab Guarantee."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.deployments_chart import everybody
from dpstudio.labs.first_picture import waits_for_library
from dpstudio.labs.page import Page, Refused
from dpstudio.labs.promise.guarantee import attack_charts, charts, parameters, table_words, words
from dpstudio.labs.promise.guarantee.model import GuaranteeModel, guarantee_model, seen
from dpstudio.labs.question import (
    answering_problems,
    mechanism_refused,
    question_problems,
    with_answer,
)
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.privacy.release.answerable import refused_queries
from dpstudio.values.messages import Message, Num, say
from dpstudio.values.problem import Problem


def _row_refused(lab: parameters.Guarantee) -> Message | None:
    """Why no row can be taken out; None where one can."""
    if lab.adjacency != ADD_REMOVE:
        return say("Taking out a row needs the neighbours “add or remove one”.")
    if not lab.show_truth:
        return say("How far a row moves the answer is exact, and exact answers are hidden.")
    return None


def _problems(lab: parameters.Guarantee, data: Dataset) -> Iterator[Problem]:
    yield from answering_problems(lab, data)
    if lab.neighbour != parameters.ROW or any(
        p.stops for p in question_problems(lab.query, data, lab.adjacency)
    ):
        return
    why = _row_refused(lab)
    if why is not None:
        text = say("{why} The worst case is shown.", why=why)
        yield Problem("neighbour", text, stops=False)
    elif lab.row > data.rows:
        text = say("The table has {rows} {rows:row|rows}. Choose one of them.", rows=Num(data.rows))
        yield Problem("row", text)


def _refused(lab: parameters.Guarantee, data: Dataset) -> Refused:
    why = _row_refused(lab)
    return {
        "mechanism": mechanism_refused(lab, data),
        "query": refused_queries(data),
        "neighbour": {} if why is None else {parameters.ROW: why},
    }


def _suited(lab: parameters.Guarantee, data: Dataset) -> parameters.Guarantee:
    made = with_answer(lab, data)
    return made.with_(row=max(1, data.rows)) if made.row > data.rows else made


def _stages(lab: parameters.Guarantee, context: Context) -> Iterator[GuaranteeModel]:
    model = guarantee_model(lab, context)
    # The comparison with Gaussian noise needs the library, whatever the mechanism.
    if waits_for_library(("gaussian",), (lab.mechanism.key,)):
        yield replace(model, late=False)
    yield model


def _charts(model: GuaranteeModel) -> Iterator[Figure]:
    yield charts.odds_chart(model)
    yield charts.ratio_chart(model)
    yield charts.density_chart(model)
    yield attack_charts.tradeoff_chart(model)
    yield attack_charts.loss_chart(model)
    yield attack_charts.curve_chart(model)
    yield charts.posterior_chart(model)
    if model.late and seen(model).shift:
        yield attack_charts.fates_chart(model)
    if others := everybody(model.register, model.lab.mechanism.epsilon):
        yield others


def _headline(model: GuaranteeModel) -> tuple[str, ...]:
    if not seen(model).shift:
        return ("neighbour",)
    return ("odds", "certainty", "belief", "partial")


def _advice(model: GuaranteeModel) -> Iterator[Problem]:
    return (Problem("query.attested", note, stops=False) for note in model.asked.openness)


PAGE = Page(
    stages=_stages,
    charts=_charts,
    facts=words.facts,
    leads=("advantage", "hits", "posterior"),
    sentences=words.sentences,
    tables=table_words.tables,
    headline=_headline,
    advice=_advice,
    problems=_problems,
    refused=_refused,
    suited=_suited,
)
