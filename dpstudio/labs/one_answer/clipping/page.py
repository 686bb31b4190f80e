"""The page of the lab Clipping."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.charts.figure import array
from dpstudio.labs.context import Context
from dpstudio.labs.one_answer.clipping import best, law, parameters, words
from dpstudio.labs.one_answer.clipping import model as known
from dpstudio.labs.one_answer.clipping.charts import charts
from dpstudio.labs.one_answer.clipping.model import ClippingModel
from dpstudio.labs.one_answer.clipping.problems import advice, problems, refused, suited
from dpstudio.labs.page import Answers, Page
from dpstudio.labs.question import with_clipped_question
from dpstudio.privacy.queries import QUERIES
from dpstudio.values.parameters import Parameters, find, switch


def _stages(lab: parameters.Clipping, context: Context) -> Iterator[ClippingModel]:
    """Each better than the one before: the law of the answer takes a while, and so may the curve of
    the best bound."""
    model, level = known.clipping_model(lab, context), known.FIRST
    if lab.show_truth and not model.question.direct:
        if not law.dots_known(model):
            rough = law.noisy(model) and lab.statistic == "mean"
            yield replace(model, level=known.ROUGH if rough else known.FIRST, patient=False)
        level = known.LAW if law.off(model) else known.CHECKED
    quick = replace(model, level=level, patient=False)
    yield quick
    if lab.show_truth and best.best_by_epsilon(quick) is None:
        yield replace(model, level=level)


def _rough(model: ClippingModel) -> bool:
    """Whether the law of the answer is still to come."""
    early = model.level in (known.FIRST, known.ROUGH)
    return model.lab.show_truth and not model.question.direct and early


def _answers(model: ClippingModel) -> Answers:
    return Answers(truth=array([known.unclipped(model)])) if model.lab.show_truth else Answers()


def _planned(lab: parameters.Clipping) -> Parameters:
    return switch(find(QUERIES, lab.statistic), lab.handed)


PAGE = Page(
    stages=_stages,
    charts=charts,
    facts=words.facts,
    leads=("clipped", "bias", "private"),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("hidden", "error", "warning", "missed", "chosen", "parts"),
    advice=advice,
    awaits=_rough,
    refines=("error", "order"),
    answers=_answers,
    planned=_planned,
    problems=problems,
    refused=refused,
    suited=suited,
    taking=with_clipped_question,
)
