"""The page of the lab Averaging."""

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.many_answers.averaging import charts, parameters, words
from dpstudio.labs.many_answers.averaging import model as known
from dpstudio.labs.many_answers.averaging.model import AveragingModel
from dpstudio.labs.page import Page
from dpstudio.labs.series_model import series_problems, total_here
from dpstudio.values.problem import Problem


def _problems(lab: parameters.Averaging, data: Dataset) -> Iterator[Problem]:
    yield from series_problems(known.averaging_model(lab, data))


def _stages(lab: parameters.Averaging, context: Context) -> Iterator[AveragingModel]:
    yield known.averaging_model(lab, context.data, effort=context.effort)
    fine = known.averaging_model(lab, context.data, fine=True, effort=context.effort)
    for _ in _pieces(fine):
        context.check()
    yield fine


def _pieces(model: AveragingModel) -> Iterator[object]:
    """Work out what is slow piece by piece, so that a newer state can cut in between."""
    for bound in known.holding(model):
        yield total_here(model, bound)
        yield known.right_by(model, bound)
    yield known.cost_curve(model, known.cheapest(model)[0])


def _charts(model: AveragingModel) -> Iterator[Figure]:
    yield charts.attack_chart(model)
    yield charts.cost_chart(model)
    if model.equal:
        yield charts.against_chart(model)


PAGE = Page(
    stages=_stages,
    charts=_charts,
    facts=words.facts,
    leads=("deviation", "total", "needed"),
    sentences=words.sentences,
    headline=lambda model: ("attack", "cost", "allowed"),
    problems=_problems,
    awaits=lambda model: not model.fine,
    refines=("total", "allowed", "cost"),
)
