"""The page of the lab Survey."""

from collections.abc import Iterator

from dpstudio.labs.context import Context
from dpstudio.labs.nobody.survey import again_charts, charts, parameters, words
from dpstudio.labs.nobody.survey.model import SurveyModel, few, survey_model
from dpstudio.labs.page import Page

CHARTS = (
    charts.people_chart,
    charts.reading_chart,
    charts.law_chart,
    again_charts.needed_chart,
    again_charts.again_chart,
    again_charts.belief_chart,
    again_charts.epsilon_chart,
)


def _stages(lab: parameters.Survey, context: Context) -> Iterator[SurveyModel]:
    yield survey_model(lab, context)


PAGE = Page(
    stages=_stages,
    charts=lambda model: (chart(model) for chart in CHARTS),
    facts=words.facts,
    leads=("half_width", "needed", "epsilon"),
    sentences=words.sentences,
    headline=lambda model: ("estimate", "few" if few(model) else "needed"),
)
