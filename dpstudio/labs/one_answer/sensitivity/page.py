"""The page of the lab Sensitivity."""

from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.one_answer.sensitivity import charts, parameters, words
from dpstudio.labs.one_answer.sensitivity.model import SensitivityModel, sensitivity_model
from dpstudio.labs.page import Page, Part, Refused
from dpstudio.labs.question import measured_if_possible, question_problems, with_question
from dpstudio.privacy.release.answerable import refused_queries
from dpstudio.values.messages import say
from dpstudio.values.problem import Problem


def _problems(lab: parameters.SensitivityLab, data: Dataset) -> Iterator[Problem]:
    return question_problems(lab.query, data, lab.adjacency)


def _refused(lab: parameters.SensitivityLab, data: Dataset) -> Refused:
    asked = measured_if_possible(lab.query, data, lab.adjacency)
    count = len(asked.measurements) if asked is not None else 1
    why = say("This question has no such measurement.")
    return {
        "query": refused_queries(data),
        "measured": {place: why for place in parameters.MEASURED_PLACES if int(place) >= count},
    }


def _stages(lab: parameters.SensitivityLab, context: Context) -> Iterator[SensitivityModel]:
    yield sensitivity_model(lab, context.data)


def _advice(model: SensitivityModel) -> Iterator[Problem]:
    return (Problem("query.attested", note, stops=False) for note in model.asked.openness)


PAGE = Page(
    stages=_stages,
    parts=(
        Part(
            (charts.move_chart, charts.norms_chart, charts.noise_chart),
            words.facts,
            words.sentences,
            words.tables,
        ),
    ),
    leads=("least", "reach", "l0"),
    headline=lambda model: ("mover", "noise"),
    advice=_advice,
    problems=_problems,
    refused=_refused,
    suited=with_question,
)
