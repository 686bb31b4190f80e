"""The page of the lab Audit."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.labs.attacks.audit.charts import (
    bounds_chart,
    catalogue_chart,
    events_chart,
    outputs_chart,
    verdict_chart,
)
from dpstudio.labs.attacks.audit.model import AuditModel, audit_model, stage_sizes, sweep, swept
from dpstudio.labs.attacks.audit.parameters import Audit
from dpstudio.labs.attacks.audit.words import facts, sentences, tables
from dpstudio.labs.context import Context
from dpstudio.labs.page import Page


def _stages(lab: Audit, context: Context) -> Iterator[AuditModel]:
    """Few draws, all draws, everyone."""
    for trials in stage_sizes(lab, context):
        yield audit_model(lab, context, trials)
    if not swept(lab, context):
        sweep(lab, context)
        yield audit_model(lab, context, trials)


def _charts(model: AuditModel) -> tuple[Figure, ...]:
    made = verdict_chart(model), bounds_chart(model), outputs_chart(model), events_chart(model)
    return (*made, catalogue_chart(model)) if model.catalogue else made


PAGE = Page(
    stages=_stages,
    charts=_charts,
    facts=facts,
    leads=("exact", "event", "ceiling"),
    sentences=sentences,
    tables=tables,
    headline=lambda model: ("verdict", "ground"),
)
