"""The page of the lab Survey."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.labs.context import Context
from dpstudio.labs.local.survey.again_charts import (
    again_chart,
    belief_chart,
    epsilon_chart,
    needed_chart,
)
from dpstudio.labs.local.survey.charts import law_chart, people_chart, reading_chart
from dpstudio.labs.local.survey.model import SurveyModel, few, survey_model
from dpstudio.labs.local.survey.parameters import Survey
from dpstudio.labs.local.survey.words import facts, sentences
from dpstudio.labs.page import Page

CHARTS = (
    people_chart,
    reading_chart,
    law_chart,
    needed_chart,
    again_chart,
    belief_chart,
    epsilon_chart,
)


def _stages(lab: Survey, context: Context) -> Iterator[SurveyModel]:
    yield survey_model(lab, context)


PAGE = Page(
    stages=_stages,
    charts=lambda model: (chart(model) for chart in CHARTS),
    facts=facts,
    leads=("half_width", "needed", "epsilon"),
    sentences=sentences,
    headline=lambda model: ("estimate", "few" if few(model) else "needed"),
)
