"""The page of the lab Plan. It reads no table."""

from collections.abc import Iterator
from fractions import Fraction

from dpstudio.data.dataset import Dataset
from dpstudio.data.proposed_condition import proposed_condition
from dpstudio.labs.page import Page, Part
from dpstudio.labs.publish.plan import charts, editing, words
from dpstudio.labs.publish.plan.fitting import columns_of, with_columns
from dpstudio.labs.publish.plan.model import PlanModel, plan_models, refined
from dpstudio.labs.publish.plan.parameters import Planning, planned
from dpstudio.labs.publish.plan.taking import taking
from dpstudio.plans.drafts import draft_of, finished
from dpstudio.plans.plan import RELEASE, unattested
from dpstudio.plans.question import Count, Question
from dpstudio.plans.target import Target
from dpstudio.plans.words import mixed
from dpstudio.privacy.queries.query import no_column, no_numbers
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import Column, ParamError, domains
from dpstudio.values.problem import Problem

_GOAL = Fraction(25)  # what a first count may err by: the same whatever the rows are


def _problems(lab: Planning, data: Dataset) -> Iterator[Problem]:
    """What is not written to the end, and what nobody attests."""
    for row, draft in enumerate(lab.questions, 1):
        try:
            finished(draft)
        except ParamError as error:
            told = editing.unfinished(draft, error)
            field = f"asked.{error.field}" if row == lab.row else ""
            yield Problem(field, error.sentence if row == lab.row else told, stops=False)
    for field, why in _advised(lab.asked, data):
        yield Problem(f"asked.{field}", why, stops=False)
    if data.person and lab.rows != data.contributions:
        text = N_(
            "Of this table it is told that “{person}” says whose row it is, with at most "
            "{most:# row|# rows} of each; this plan counts {rows:# row|# rows} of each."
        )
        values = {"most": Num(data.contributions), "rows": Num(lab.rows)}
        yield Problem("rows", say(text, person=data.person, **values), stops=False)
    if lab.whose and (lost := no_column(lab.whose, data)):
        yield Problem("whose", lost.say, stops=False)
    elif data.person and lab.whose != data.person:
        text = N_(
            "Of this table it is told that “{person}” says whose row it is: this plan names "
            "{whose}."
        )
        whose = plain(f"“{lab.whose}”") if lab.whose else say("no column")
        yield Problem("whose", say(text, person=data.person, whose=whose), stops=False)
    try:
        plan = planned(lab)
    except ParamError as error:
        yield Problem("asked.name" if error.field == "name" else error.field, error.sentence)
        return
    if not plan.questions:
        yield Problem("asked", say("This plan has no question yet."))
    elif lab.purpose == RELEASE:
        for name, field, why in unattested(plan):
            there = f"asked.{field}" if name == lab.asked.name else "" if name else field
            yield Problem(there, why, stops=False, grave=True)


def _suited(lab: Planning, data: Dataset) -> Planning:
    """What somebody planned stays, whatever table is opened. The plan that a page opens with is
    about the census: elsewhere it is two counts, of which the second is proposed, and marked so
    that it is never released; no words, bounds or targets are taken from rows. Whose row it is, and
    how many of each are used, is told of the table, and so taken from there."""
    start, columns = Planning(), {c for q in lab.questions for c in _columns(q)}
    if lab.questions != start.questions:
        return lab.with_(asked=with_columns(lab.asked, data, (*lab.before, *lab.after)))
    if data.person and (lab.person, lab.rows) == (start.person, start.rows):
        whose = {"person": f"who “{data.person}” names", "whose": data.person}
        lab = lab.with_(rows=data.contributions, **whose)
    if all(data.has(name) for name in columns):
        return lab
    goal = Target(_GOAL)
    every = draft_of(Count(name=_every(data), target=goal))
    where = proposed_condition(data)
    some = (draft_of(Count(name=str(where), where=where, target=goal)),) if where else ()
    asked = some[-1] if some else every
    return lab.with_(before=(every,) if some else (), asked=asked, after=(), given=())


# What a table proposes of a plan.
_PROPOSED = "before", "asked", "after", "given", "person", "whose", "rows"


def _retold(lab: Planning, before: Dataset, after: Dataset) -> Planning:
    """A plan that nobody wrote counts a person as it is told of the table by now."""
    was, now = (Planning().suited(data) for data in (before, after))
    if any(getattr(lab, name) != getattr(was, name) for name in _PROPOSED):
        return lab
    return lab.with_(**{name: getattr(now, name) for name in _PROPOSED})


def _every(data: Dataset) -> str:
    """What a count of all that is used is called: of persons, of whom so many rows are."""
    if not data.person:
        return "All rows"
    return "All people" if data.contributions == 1 else "Rows used"


def _advised(asked: Question, data: Dataset) -> Iterator[tuple[str, Message]]:
    """Fields of the question that is being written that another would serve better: this table has
    no such column, or one of words where numbers are asked for; nobody says of how many rows."""
    for name, domain in domains(type(asked)).items():
        if not isinstance(domain, Column):
            continue
        column = getattr(asked, name)
        if problem := no_column(column, data):
            yield name, problem.say
        elif domain.numeric and not data.info(column).numeric:
            yield name, no_numbers(column, data, N_("Choose a column of numbers."))
    if said := mixed(asked):
        yield "groups", said
    if asked.counted and asked.size is None:
        yield "size", say("Without a size, its error is that of a mean of one row.")


def _columns(question: Question) -> Iterator[str]:
    yield from (test.column for test in question.where.tests())
    yield from columns_of(question).values()


PAGE: Page[Planning, PlanModel] = Page(
    stages=plan_models,
    parts=(
        Part((charts.shares_chart,), words.facts, words.sentences, words.tables),
        Part((charts.frontier_chart, charts.dropping_chart), about=lambda model: model.trades),
    ),
    leads=("least", "without", "added"),
    headline=lambda model: ("met",),
    advice=words.advice,
    refines=refined,
    taking=taking,
    problems=_problems,
    suited=_suited,
    retold=_retold,
)
