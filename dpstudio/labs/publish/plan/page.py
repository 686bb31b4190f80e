"""The page of the lab Plan. It reads no table."""

from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.labs.page import Page, Part
from dpstudio.labs.publish.plan import charts, words
from dpstudio.labs.publish.plan.model import PlanModel, plan_models
from dpstudio.labs.publish.plan.parameters import Planning, planned
from dpstudio.labs.publish.plan.taking import taking
from dpstudio.plans.drafts import finished
from dpstudio.plans.plan import RELEASE, unattested
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem


def _problems(lab: Planning, data: Dataset) -> Iterator[Problem]:
    """What is not written to the end, and what nobody attests."""
    for row, draft in enumerate(lab.questions, 1):
        try:
            finished(draft)
        except ParamError as error:
            told = say(
                "“{name}” is not in the plan yet: {why}", name=draft.name, why=error.sentence
            )
            field = f"asked.{error.field}" if row == lab.row else ""
            yield Problem(field, error.sentence if row == lab.row else told, stops=False)
    try:
        plan = planned(lab)
    except ParamError as error:
        yield Problem("asked.name" if error.field == "name" else error.field, error.sentence)
        return
    if not plan.questions:
        yield Problem("asked", say("This plan has no question yet."))
    elif lab.purpose == RELEASE and (first := next(unattested(plan), None)) is not None:
        yield Problem("who", first, stops=False, grave=True)


PAGE: Page[Planning, PlanModel] = Page(
    stages=plan_models,
    parts=(
        Part((charts.shares_chart,), words.facts, words.sentences, words.tables),
        Part((charts.frontier_chart, charts.dropping_chart), about=lambda model: model.trades),
    ),
    leads=("least", "without", "added"),
    headline=lambda model: ("met",),
    advice=words.advice,
    awaits=lambda model: model.awaits,
    taking=taking,
    problems=_problems,
)
