"""What is done to a plan: a question more or less, one that is locked, a file out and in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.labs.panel import Lack
from dpstudio.labs.publish.plan.parameters import (
    HAND,
    SAME,
    Planning,
    at_row,
    finest,
    planned,
    split,
    waiting,
)
from dpstudio.plans.drafts import DRAFTS, draft_of, finished
from dpstudio.plans.plan import (
    MOST_QUESTIONS,
    RELEASE,
    Plan,
    digest,
    plan_text,
    read_plan,
    unattested,
)
from dpstudio.plans.question import AUTO, Question
from dpstudio.values.messages import N_, Message, plain, render, say
from dpstudio.values.parameters import ParamError


def named(lab: Planning, start: str) -> str:
    """A name that no question has yet, which begins so."""
    taken = {each.name for each in lab.questions}
    return next(n for k in range(1, 99) if (n := f"{start} {k}" if k > 1 else start) not in taken)


def with_question(lab: Planning, question: Question) -> Planning:
    """The lab with one more, which is being written. Raises ParamError."""
    if len(lab.questions) >= MOST_QUESTIONS:
        text = N_("A plan has at most {most} {most:question|questions}.")
        raise ParamError("", say(text, most=MOST_QUESTIONS))
    return at_row(lab, (*lab.questions, question), len(lab.questions) + 1)


def added(lab: Planning) -> Planning:
    """One more count. Raises ParamError."""
    name = named(lab, render(say("New question")))
    return with_question(lab, DRAFTS[0](name=name))


def dropped(lab: Planning) -> Planning:
    """Without the one that is being written. Raises ParamError for the last."""
    left = *lab.before, *lab.after
    if not left:
        raise ParamError("", say("This is the only question: write another one first."))
    return at_row(lab, left, min(lab.row, len(left)))


def locked(lab: Planning) -> Planning:
    """The question that is being written pays what it pays now, or is let go of. Raises
    ParamError."""
    if lab.asked.spend is not None:
        return lab.with_(asked=lab.asked.with_(spend=None, noise=AUTO))
    plan = _solved(lab)
    for question, share in zip(plan.questions, plan.split, strict=True):
        if question.name == lab.asked.name:
            held = lab.asked.with_(noise=share.noise, spend=share.cost)
            return lab.with_(asked=held)
    raise ParamError("", say("This question is not in the plan yet."))


def _solved(lab: Planning, *, fine: bool = True) -> Plan:
    plan = finest(lab) if fine else split(lab)
    if isinstance(plan, ParamError):
        raise plan
    return plan


def leaving(lab: Planning, *, fine: bool = True) -> Plan:
    """The plan as its file holds it: with all that is written and who pays what, which is known
    sooner where it is not `fine`. Raises ParamError for one that is not finished, or may be
    released and is not attested."""
    plan = _solved(lab, fine=fine)
    if left := waiting(lab, plan):
        text = N_("“{name}” is not written to the end: finish it, or take it out.")
        raise ParamError("asked", say(text, name=plain(left[0])))
    signature = lab.approved.rpartition(" ")[2]
    return replace(plan, terms=plan.terms.with_(purpose=lab.purpose), approved=signature)


def lacks(lab: Planning) -> Iterator[Lack]:
    """All that keeps its plan from the desk, whatever comes first, each with the way there. Raises
    ParamError."""
    for row, draft in enumerate(lab.questions, 1):
        try:
            finished(draft)
        except ParamError as error:
            there = at_row(lab, lab.questions, row)
            yield Lack(unfinished(draft, error), there, f"asked.{error.field}")
    if lab.purpose != RELEASE:
        yield Lack(Message(N_("The plan is one to look at: choose “to release”.")), lab, "purpose")
    rows = {each.name: row for row, each in enumerate(lab.questions, 1)}
    for name, field, why in unattested(planned(lab)):
        there = at_row(lab, lab.questions, rows[name]) if name else lab
        yield Lack(why, there, f"asked.{field}" if name else field)


def unfinished(draft: Question, error: ParamError) -> Message:
    """Why a question is not in the plan yet."""
    text = N_("“{name}” is not in the plan yet: {why}")
    return say(text, name=draft.name, why=error.sentence)


def to_approve(lab: Planning) -> str:
    """The file of a plan that is to be approved. Raises ParamError."""
    if lab.purpose != RELEASE:
        text = N_(
            "A plan to look at is never released, so nobody approves it: choose “to release”."
        )
        raise ParamError("purpose", Message(text))
    return text_of(lab)


def approved(lab: Planning, text: str) -> Planning:
    """The lab with what its file says of who must approve it, and with their signature. Raises
    ParamError."""
    plan = read_plan(text)
    return lab.with_(approval=plan.terms.approval, approved=_approval(plan))


def _approval(plan: Plan) -> str:
    return f"{digest(plan)} {plan.approved}" if plan.approved else ""


def text_of(lab: Planning) -> str:
    """Its file. Raises ParamError."""
    return plan_text(leaving(lab))


def read(lab: Planning, text: str) -> Planning:
    """The lab with the plan in a file. Raises ParamError."""
    plan = read_plan(text)
    if not plan.questions:
        raise ParamError("", say("This plan has no question yet."))
    terms, names = plan.terms, [question.name for question in plan.questions]
    made = at_row(lab, tuple(map(draft_of, plan.questions)), 1)
    return made.with_(
        purpose=terms.purpose,
        epsilon=float(terms.epsilon),
        delta=float(terms.delta),
        confidence=float(terms.confidence),
        given=tuple(zip(names, plan.split, strict=True)) if plan.split else (),
        find=HAND,
        approved=_approval(plan),
        **{name: getattr(terms, name) for name in SAME},
    )
