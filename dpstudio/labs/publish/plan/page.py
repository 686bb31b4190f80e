"""The page of the lab Plan. It reads no table."""

from collections.abc import Iterator
from fractions import Fraction

from dpstudio.data.dataset import Dataset
from dpstudio.data.proposed_condition import proposed_condition
from dpstudio.labs.page import Page, Part
from dpstudio.labs.publish.plan import charts, words
from dpstudio.labs.publish.plan.model import PlanModel, plan_models
from dpstudio.labs.publish.plan.parameters import Planning, planned
from dpstudio.labs.publish.plan.taking import taking
from dpstudio.plans.drafts import draft_of, finished
from dpstudio.plans.plan import RELEASE, unattested
from dpstudio.plans.question import Count, Question
from dpstudio.plans.target import Target
from dpstudio.values.messages import say
from dpstudio.values.parameters import Column, ParamError, domains
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


def _suited(lab: Planning, data: Dataset) -> Planning:
    """What somebody planned stays, whatever table is opened. The plan that a page opens with is
    about the census: elsewhere it is two counts, of which the second is proposed, and marked so
    that it is never released; no words or bounds are taken from rows."""
    start, columns = Planning(), {c for q in lab.questions for c in _columns(q)}
    if lab.questions != start.questions or all(data.has(name) for name in columns):
        return lab
    goal = Target(Fraction(max(1, data.rows // 100)))
    every = draft_of(Count(name="All rows", target=goal))
    where = proposed_condition(data)
    some = (draft_of(Count(name=str(where), where=where, target=goal)),) if where else ()
    asked = some[-1] if some else every
    return lab.with_(before=(every,) if some else (), asked=asked, after=(), given=())


def _columns(question: Question) -> Iterator[str]:
    yield from (test.column for test in question.where.tests())
    for name, domain in domains(type(question)).items():
        if isinstance(domain, Column):
            yield getattr(question, name)


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
    suited=_suited,
)
