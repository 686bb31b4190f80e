"""The page of the lab Dimension."""

from collections.abc import Iterator

from dpstudio.labs.context import Context
from dpstudio.labs.one_answer.dimension import charts, parameters, words
from dpstudio.labs.one_answer.dimension.model import DimensionModel, dimension_model, guarantee
from dpstudio.labs.page import Page, Part
from dpstudio.values.problem import Problem


def _stages(lab: parameters.Dimension, context: Context) -> Iterator[DimensionModel]:
    yield dimension_model(lab, context)


def _advice(model: DimensionModel) -> Iterator[Problem]:
    """What is to be said of a promise that is not proven, or broken."""
    for key in model.lab.drawn:
        promise = guarantee(model, key)
        if not promise.sound:
            yield Problem("epsilon", promise.note, stops=False)


PAGE = Page(
    stages=_stages,
    parts=(
        Part(
            (charts.error_chart, charts.balls_chart, charts.crossing_chart),
            words.facts,
            words.sentences,
            words.tables,
        ),
    ),
    leads=("meeting", "sensitivity"),
    beside=0,
    headline=lambda model: ("winner", "change", "measured"),
    advice=_advice,
)
