"""The page of the lab Synthesis."""

from collections.abc import Iterator
from functools import partial

from dpstudio.charts.figure import Figure
from dpstudio.labs.context import Context
from dpstudio.labs.outcome import MadeTable, PublishedTable
from dpstudio.labs.page import Page
from dpstudio.labs.whole_tables.synthesis import charts, leaving, parameters, uses, words
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel, rows_made, stages
from dpstudio.labs.whole_tables.synthesis.pair_charts import matrix_charts, pair_charts
from dpstudio.labs.whole_tables.synthesis.problems import advice, problems, refused, suited
from dpstudio.labs.whole_tables.synthesis.use_charts import use_charts
from dpstudio.values.messages import say


def _stages(lab: parameters.Synthesis, context: Context) -> Iterator[SynthesisModel]:
    if context.leaving is not None:
        yield leaving.leaving_model(lab, context)
        return
    for model in stages(lab, context):
        if model.whole:
            yield from uses.last_stages(model, context)
        else:
            yield model


def _charts(model: SynthesisModel) -> Iterator[Figure]:
    yield charts.column_chart(model)
    if model.lab.view == "uses" and model.lab.show_truth:
        yield from use_charts(model)
        yield from charts.phantom_chart(model)
        return
    # The headline's pair is the darkest cell of the first.
    yield from matrix_charts(model)
    yield from pair_charts(model)
    yield from charts.distance_chart(model)
    yield charts.cells_chart(model)


def _outcomes(model: SynthesisModel) -> tuple[PublishedTable, ...]:
    """The table, where it was drawn to leave: a preview is no release, and is kept nowhere."""
    if not model.drawn:
        return ()
    title = say("A table that may leave")

    def made() -> MadeTable:
        return MadeTable("table", title, rows_made(model))

    return (PublishedTable("table", title, made, partial(leaving.sidecar, model), exact=False),)


PAGE = Page(
    row_by_row=True,
    stages=_stages,
    charts=_charts,
    facts=words.facts,
    leads=("true", "noisy", "made"),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("pairs", "range", "every_pair", "noisy"),
    problems=problems,
    advice=advice,
    refused=refused,
    suited=suited,
    outcomes=_outcomes,
    awaits=lambda model: not model.whole,
    refines=("distance", "used", "near", "attacked"),
    publishes=lambda lab, data: None,
    publishes_drawn=True,
)
