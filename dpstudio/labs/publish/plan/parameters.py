"""Plan: questions under one budget, of which one is being written, and what each was given by hand.
Nothing here reads a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from dpstudio.data.codebook import FreeText
from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.memo import once
from dpstudio.labs.page import Lab
from dpstudio.labs.publish.plan import ABOUT
from dpstudio.plans.by_hand import in_proportion, redivided
from dpstudio.plans.drafts import DRAFTS, Drafts, Given, finished
from dpstudio.plans.exact import fraction_of
from dpstudio.plans.example import DRAFTED
from dpstudio.plans.frontier import who_pays
from dpstudio.plans.plan import LOOK, MOST_QUESTIONS, ONE_ROW, PURPOSES, RELEASE, Plan, Share
from dpstudio.plans.plan import Terms as PlanTerms
from dpstudio.plans.question import Question
from dpstudio.plans.solve import best_weighted, least, nothing, tightened
from dpstudio.plans.spending import refined
from dpstudio.plans.worst import best_worst, levelled
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.values.fields import choice, integer
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import Integer, OneOf, ParamError, Real, Solved, domains, param

HAND, WORST, WEIGHTED, LEAST = "hand", "worst", "weighted", "least"
SPLITS = {
    HAND: N_("Shares by hand"),
    WORST: N_("The least worst error"),
    WEIGHTED: N_("The least weighted error"),
    LEAST: N_("The least ε"),
}
_TERMS = domains(PlanTerms)
_EYES = "planner", "approval", "population"
SAME = ("adjacency", "person", "whose", "rows", "who", "origin", "types", *_EYES)
ROW = Integer(N_("Question"), N_("Which one is being written."), low=1, high=MOST_QUESTIONS)
SHARE = Real(N_("Share"), N_("Its part of what all pay."), low=0.001, high=0.999)


class Planning(Lab, about=ABOUT):
    """Named questions fixed before any answer: `asked` is the one that is being written, others
    stand `before` and `after` it."""

    own_budget: ClassVar[bool] = True

    epsilon: float = param(1.0, EPSILON, own=True)
    delta: float = param(1e-6, replace(DELTA, zero=True), own=True)
    purpose: str = choice(
        LOOK,
        N_("The plan is"),
        N_("A plan to look at may use what a table shows; one to release reads none, ever."),
        options=PURPOSES,
        rows=True,
        own=True,
    )
    find: str = choice(
        HAND,
        N_("Solve for"),
        N_("Who gets how much: by hand, or what is the least that does."),
        options=SPLITS,
        rows=True,
        own=True,
    )
    asked: Question = param(
        DRAFTED[1],
        OneOf(N_("Kind"), N_("What is asked."), family=lambda: DRAFTS, several=True),
        own=True,
    )
    before: tuple[Question, ...] = param(DRAFTED[:1], Drafts(N_("Questions before it")), own=True)
    after: tuple[Question, ...] = param(DRAFTED[2:], Drafts(N_("Questions after it")), own=True)
    given: tuple[tuple[str, Share], ...] = param((), Given(N_("Given by hand")), own=True)
    adjacency: str = shared.adjacency()
    person: str = param(ONE_ROW[1], _TERMS["person"], own=True)
    whose: str = param("", _TERMS["whose"], own=True)
    rows: int = integer(
        1,
        N_("Rows of each person"),
        N_("How many rows of one person are used at most."),
        low=1,
        high=1_000_000,
        log=True,
        own=True,
    )
    confidence: float = shared.confidence(N_("In which part of all releases errors are kept."))
    who: str = param("", _TERMS["who"], own=True)
    origin: str = param("", _TERMS["origin"], own=True)
    types: str = param(
        "",
        FreeText(
            N_("Types"), N_("Of columns in conditions, such as “age: integer”; attested with them.")
        ),
        own=True,
    )

    planner: str = param("", _TERMS["planner"], own=True)
    approval: str = param("", _TERMS["approval"], own=True)
    population: str = param("", _TERMS["population"], own=True)
    approved: str = param(
        "",
        replace(
            FreeText(N_("Approved"), N_("The digest that was approved, and the signature.")),
            editor="elsewhere",
        ),
        own=True,
    )

    @property
    def questions(self) -> tuple[Question, ...]:
        """All of them, as far as they are written."""
        return *self.before, self.asked, *self.after

    def counted(self, data: Dataset) -> int:
        return 0 if self.purpose == RELEASE else data.rows

    @property
    def row(self) -> int:
        """Which of them is being written, counted from 1."""
        return len(self.before) + 1

    @property
    def share(self) -> float:
        """Its part of what all of them pay."""
        return _share(self)

    solved: ClassVar[Mapping[str, Solved]] = {
        "row": Solved(ROW, lambda lab, row: _parted(lab.questions, row)),
        "share": Solved(SHARE, lambda lab, share: _moved(lab, share)),
    }


def at_row(lab: Planning, questions: tuple[Question, ...], row: int) -> Planning:
    """The lab with these questions, of which that one, counted from 1, is being written."""
    return lab.with_(**_parted(questions, row))


def _parted(questions: tuple[Question, ...], row: int) -> dict[str, Any]:
    if not 1 <= row <= len(questions):
        text = N_("The plan has {n} {n:question|questions}.")
        raise ParamError("", say(text, n=len(questions)))
    return {"before": questions[: row - 1], "asked": questions[row - 1], "after": questions[row:]}


def planned(lab: Planning, purpose: str = LOOK) -> Plan:
    """The plan with all questions that are written to the end. Raises ParamError."""
    terms = PlanTerms(
        purpose=purpose,
        epsilon=fraction_of(lab.epsilon),
        delta=fraction_of(lab.delta),
        confidence=fraction_of(lab.confidence),
        **{name: getattr(lab, name) for name in SAME},
    )
    return Plan(terms, tuple(each for each in map(_written, lab.questions) if each is not None))


def waiting(lab: Planning, plan: Plan) -> tuple[str, ...]:
    """The names of the questions that its plan has not, since they are not written to the end."""
    written = {question.name for question in plan.questions}
    return tuple(each.name for each in lab.questions if each.name not in written)


@lru_cache(maxsize=256)
def _written(draft: Question) -> Question | None:
    try:
        return finished(draft)
    except ParamError:
        return None


@once
def split(lab: Planning) -> Plan | ParamError:
    """Who gets how much, or why there is no such split: by the bounds that are worked out at once,
    as fast as a hand moves, but up to a tenth of ε is given away. No such plan leaves."""
    how = {WORST: best_worst, WEIGHTED: best_weighted, LEAST: least}
    try:
        plan = planned(lab)
        if lab.find == HAND:
            return in_proportion(plan, dict(lab.given))
        return how[lab.find](plan, fine=False)
    except ParamError as error:
        return error


@once
def finest(lab: Planning, check: Callable[[], None] = nothing) -> Plan | ParamError:
    """The same with all of ε spent by the tightest bound: the plan that leaves. `check` may stop
    the search for it."""
    found = split(lab)
    if isinstance(found, ParamError):
        return found
    if lab.find == LEAST:
        return least(planned(lab))
    if lab.find == HAND:
        return refined(found)
    return (tightened if lab.find == WEIGHTED else levelled)(found, check)


def _share(lab: Planning) -> float:
    plan = split(lab)
    lines = () if isinstance(plan, ParamError) else who_pays(plan)
    return next((line.share for line in lines if line.name == lab.asked.name), SHARE.low)


def _moved(lab: Planning, share: float) -> dict[str, Any]:
    """What the question that is written pays is that part of all; who is not held pays more or less
    for it, all by the same factor."""
    plan = split(lab)
    if isinstance(plan, ParamError):
        raise ParamError("", plan.sentence)
    if lab.asked.spend is not None:
        raise ParamError("", say("“{name}” is held: let go of it first.", name=lab.asked.name))
    return {"find": HAND, "given": redivided(plan, lab.asked.name, share)}
