"""The page of the lab Float leak."""

from __future__ import annotations

from dpstudio.charts.figure import Figure
from dpstudio.labs.attacks.float_leak.charts import (
    bits_chart,
    grid_chart,
    samplers_chart,
    share_chart,
)
from dpstudio.labs.attacks.float_leak.model import LeakModel, stages
from dpstudio.labs.attacks.float_leak.words import facts, sentences, tables
from dpstudio.labs.page import Page


def _charts(model: LeakModel) -> tuple[Figure, ...]:
    made = share_chart(model), grid_chart(model), bits_chart(model)
    return (*made, samplers_chart(model)) if model.every else made


PAGE = Page(
    stages=stages,
    charts=_charts,
    facts=facts,
    leads=("reverse", "rounding", "sampler"),
    sentences=sentences,
    tables=tables,
    headline=lambda model: ("verdict", "studio"),
)
