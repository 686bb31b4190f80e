"""The page of the lab Audit."""

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.labs.context import Context
from dpstudio.labs.page import Page
from dpstudio.labs.promise.audit import charts, parameters, words
from dpstudio.labs.promise.audit.model import AuditModel, audit_model, stage_sizes, sweep, swept


def _stages(lab: parameters.Audit, context: Context) -> Iterator[AuditModel]:
    """Few draws, all draws, everyone."""
    for trials in stage_sizes(lab, context):
        yield audit_model(lab, context, trials)
    if not swept(lab, context):
        sweep(lab, context)
        yield audit_model(lab, context, trials)


def _charts(model: AuditModel) -> Iterator[Figure]:
    yield charts.bounds_chart(model)
    yield charts.outputs_chart(model)
    yield charts.events_chart(model)
    if model.catalogue:
        yield charts.catalogue_chart(model)


PAGE = Page(
    stages=_stages,
    charts=_charts,
    facts=words.facts,
    leads=("exact", "event", "ceiling"),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("verdict", "ground"),
    awaits=lambda model: model.trials < model.effort.of_draws(model.lab.trials),
    refines=("verdict", "bound", "ceiling", "event", "method", "outputs", "events"),
)
