"""A plan: named questions under one budget, with what each pays once it is solved. As a file it has
one canonical form and its digest."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpstudio.data.codebook import FreeText
from dpstudio.plans.charge import Charge, Part, Unit, charge
from dpstudio.plans.disjoint import TYPES, lots
from dpstudio.plans.errors import Errors
from dpstudio.plans.exact import Exact, fraction_of, written
from dpstudio.plans.question import AUTO, GAUSSIAN, QUESTIONS, Question
from dpstudio.privacy.accounting import ADD_REMOVE, REPLACE
from dpstudio.values.fields import choice, integer
from dpstudio.values.lists import parted, parts
from dpstudio.values.messages import N_, Message, listed, plain, say
from dpstudio.values.parameters import ParamError, Parameters, from_json, param, to_json

VERSION = 1
LOOK, RELEASE = "look", "release"
PURPOSES = {LOOK: N_("to look at"), RELEASE: N_("to release")}
ADJACENCIES = {REPLACE: N_("one person is replaced"), ADD_REMOVE: N_("one person comes or goes")}
MOST_QUESTIONS = 60
_FIRST = 3  # questions in one sentence, of more the first
_LEAST = Fraction(1, 10**30)  # that a question pays: beyond it doubles end
ONE_ROW = (N_("one row"), N_("one row of the table"))  # who a person is as long as nobody says
_LATE = "planner", "approval", "whose", "population"  # which no digest of before has
_NAMED = re.compile("who “(.+)” names")  # by which plans said it that had no `whose`


EPSILON = Exact(N_("ε"), N_("Of all questions."), low=Fraction(1, 1000), high=Fraction(100))


def whom(person: str) -> Message:
    """Who a person is, as said in any language where the words are ours."""
    if found := _NAMED.fullmatch(person):
        return say("who “{column}” names", column=found[1])
    return Message(person) if person in ONE_ROW else plain(person)


def _typed(pieces: Sequence[tuple[str, str]]) -> bool:
    return all(column and kind in TYPES for column, kind in pieces)


class Whom(FreeText):
    """Who a person is, in words."""

    def said(self, value: Any) -> Message:
        return whom(value)


class Terms(Parameters):
    """What all questions of a plan have in common."""

    key = "plan"
    label = N_("Plan")

    purpose: str = choice(
        RELEASE,
        N_("Purpose"),
        N_("A plan to look at may use what a table shows; one to release reads none, ever."),
        options=PURPOSES,
    )
    epsilon: Fraction = param(Fraction(1), EPSILON)
    delta: Fraction = param(
        Fraction(1, 10**6),
        Exact(N_("δ"), N_("Of all questions."), low=Fraction(0), high=Fraction(1, 2)),
    )
    adjacency: str = choice(
        REPLACE, N_("Neighbours"), N_("Which two tables are told apart."), options=ADJACENCIES
    )
    person: str = param(ONE_ROW[0], Whom(N_("One person is"), N_("Who is protected, in words.")))
    rows: int = integer(
        1, N_("Rows"), N_("How many rows of one person are used at most."), low=1, high=1_000_000
    )
    confidence: Fraction = param(
        Fraction(95, 100),
        Exact(
            N_("Confidence"),
            N_("In which part of all releases every number of a question keeps its error."),
            low=Fraction(1, 2),
            high=Fraction(9999, 10000),
        ),
    )
    types: str = param(
        "",
        FreeText(
            N_("Types"),
            N_("Of columns in conditions, such as “age: integer, born: date”; attested with them."),
        ),
    )
    who: str = param("", FreeText(N_("Attested by"), N_("Who attests what is typed here.")))
    origin: str = param(
        "", FreeText(N_("Known from"), N_("Where that is known from, but this table."))
    )

    whose: str = param(
        "",
        FreeText(
            N_("Whose row it is"),
            N_("The column of the table that says so; empty: each row is a person."),
        ),
    )
    planner: str = param(
        "", FreeText(N_("Planned by"), N_("Who wrote it, for plans that another one approves."))
    )
    approval: str = param(
        "",
        FreeText(
            N_("Approval by"),
            N_("Who must approve it before a release: a name, and the public key as 64 digits."),
        ),
    )
    population: str = param(
        "",
        FreeText(
            N_("Population"),
            N_("Whose ledger it may be released against, as it is named there; empty: any."),
        ),
    )

    def agree(self) -> None:
        self.columns  # noqa: B018 - raises
        self.approver  # noqa: B018 - raises
        found = _NAMED.fullmatch(self.person)
        if self.whose and found and found[1] != self.whose:
            text = N_("One person is {person}, and “{whose}” is to say whose row it is: not both.")
            raise ParamError("whose", say(text, person=self.person, whose=self.whose))

    @property
    def naming(self) -> str:
        """The column that says whose row it is; empty where the plan names none."""
        found = _NAMED.fullmatch(self.person)
        return self.whose or (found[1] if found else "")

    @property
    def approver(self) -> tuple[str, str]:
        """Who must approve it, and by which key; empty where nobody must. Raises ParamError."""
        name, _, key = self.approval.rpartition(" ")
        if self.approval and not (name and re.fullmatch("[0-9a-f]{64}", key)):
            text = N_(
                "Write a name and then the public key, 64 digits from 0 to f, as dpstudio plan "
                "KEYFILE key prints it."
            )
            raise ParamError("approval", say(text))
        return name, key

    @property
    def columns(self) -> dict[str, str]:
        """The type of each column that was told. Raises ParamError."""
        pieces = [parted(piece) for piece in parts(self.types)]
        if not _typed(pieces):  # the name of a column may hold another mark than a comma
            told = filter(str.strip, self.types.split(","))
            halves = (re.split("[:：]", piece, maxsplit=1) for piece in told)
            pieces = [(each[0].strip(), each[-1].strip()) for each in halves]
        if not _typed(pieces):
            text = N_("Write columns and types such as “age: integer”; types are {types}.")
            raise ParamError("types", say(text, types=listed(TYPES)))
        return dict(pieces)

    @property
    def unit(self) -> Unit:
        """Whom the promise is to."""
        return Unit(self.adjacency, self.rows)


@dataclass(frozen=True)
class Share:
    """What one question pays each time it is asked: ε, or ρ where the noise is Gaussian."""

    noise: str
    cost: Fraction


@dataclass(frozen=True)
class Plan:
    """Questions in their order; `split` has a share for each once the plan is solved, else none.
    `approved` is a signature of who must approve it, of its digest as that was then."""

    terms: Terms = Terms()
    questions: tuple[Question, ...] = ()
    split: tuple[Share, ...] = ()
    approved: str = ""

    def __post_init__(self) -> None:
        names = [q.name for q in self.questions]
        if twice := next((n for n in names if names.count(n) > 1), ""):
            raise ParamError("name", say("Two questions are called “{name}”.", name=twice))
        if len(names) > MOST_QUESTIONS:
            text = N_("A plan has at most {most} {most:question|questions}.")
            raise ParamError("", say(text, most=MOST_QUESTIONS))
        if self.split and len(self.split) != len(names):
            raise ParamError("split", say("The split has another number of questions."))
        for question, share in zip(self.questions, self.split, strict=bool(self.split)):
            known = share.noise in question.noises
            known = known and not (share.noise == GAUSSIAN and self.terms.delta == 0)
            if not known or not _LEAST <= share.cost <= 1 / _LEAST:
                raise ParamError("split", say("“{name}” cannot pay this.", name=question.name))
        if self.terms.purpose == RELEASE:
            for _, _, refusal in unattested(self):
                raise ParamError("", refusal)

    def question(self, name: str) -> Question:
        """That of this name. Raises ParamError."""
        for question in self.questions:
            if question.name == name:
                return question
        names = listed(q.name for q in self.questions) if self.questions else "–"
        raise ParamError(
            "", say("There is no question “{name}”; there are: {names}.", name=name, names=names)
        )

    def changed(self, name: str, **changes: Any) -> Plan:
        """The plan with other settings of one question; what was solved is void."""
        self.question(name)
        new = tuple(q.with_(**changes) if q.name == name else q for q in self.questions)
        return replace(self, questions=new, split=())

    def without(self, name: str) -> Plan:
        """The plan without one question."""
        self.question(name)
        kept = tuple(q for q in self.questions if q.name != name)
        return replace(self, questions=kept, split=())

    @property
    def aimed(self) -> Plan:
        """The plan with those questions alone that have a target of a known size; unsolved."""
        known = tuple(q for q in self.questions if q.aim is not None)
        return replace(self, questions=known, split=())

    @cached_property
    def errors(self) -> tuple[Errors, ...]:
        """How far off each question is at a cost."""
        confidence = float(self.terms.confidence)
        return tuple(Errors(q, self.terms.unit, confidence) for q in self.questions)

    @cached_property
    def lots(self) -> tuple[int | None, ...]:
        """Which questions are about rows of which none is in two of them."""
        return lots([q.where for q in self.questions], self.terms.columns)

    def parts(self, noises: Sequence[str], costs: Sequence[Any]) -> tuple[Part, ...]:
        """The plan as it is charged where its questions have this noise and pay so much."""
        given = zip(self.errors, noises, costs, self.lots, strict=True)
        return tuple(
            Part(e.known(noise), cost, e.question.times, lot, e.steps(noise))
            for e, noise, cost, lot in given
        )

    @cached_property
    def charge(self) -> Charge:
        """What the split costs one person, by the tightest bound. The plan is solved."""
        parts = self.parts([s.noise for s in self.split], [s.cost for s in self.split])
        return charge(parts, self.terms.unit, self.terms.delta)

    @property
    def keeps(self) -> bool:
        """Whether the split costs no more than the plan may: exact."""
        return self.charge.epsilon <= self.terms.epsilon and self.charge.delta <= self.terms.delta


_NEITHER = N_(
    "Nobody attests what is typed of {names}: write “Attested by” (who) and “Known from” (origin), "
    "of the plan or of the question."
)
_NOBODY = N_(
    "Nobody attests what is typed of {names}: write “Attested by” (who), of the plan or of the "
    "question."
)
_NOWHERE = N_(
    "Nobody says where what is typed of {names} is known from: write “Known from” (origin), of the "
    "plan or of the question."
)


def unattested(plan: Plan) -> Iterator[tuple[str, str, Message]]:
    """What a plan for a release would need to know and nobody attests: it reads no table. Each with
    the question and its field where that is written; of the plan where no question is named."""
    who, origin = (
        [q.name for q in plan.questions if not (getattr(q, field) or getattr(plan.terms, field))]
        for field in ("who", "origin")
    )
    both = who == origin
    for field, bare, text in (
        ("who", who, _NEITHER if both else _NOBODY),
        ("origin", [] if both else origin, _NOWHERE),
    ):
        if bare:
            more = ("…",) if len(bare) > _FIRST else ()
            names = listed((*(f"“{name}”" for name in bare[:_FIRST]), *more))
            yield "", field, say(text, names=names)
    for q in plan.questions:
        if q.where.proposed:
            text = N_("“{name}” takes words of its condition from rows: write the condition anew.")
            yield q.name, "where", say(text, name=q.name)
        if q.target is not None and q.aim is None:
            text = N_(
                "The target of “{name}” is a part of an exact answer, which a plan for a release "
                "never reads. Type the size: 5 % of 10000."
            )
            yield q.name, "target", say(text, name=q.name)


def sized(plan: Plan, exact: Mapping[str, float]) -> Plan:
    """A plan to look at with the sizes of its targets from exact answers, by question. Raises
    ParamError for one that may be released: the two kinds never mix."""
    if plan.terms.purpose == RELEASE:
        raise ParamError("purpose", say("A plan for a release reads no exact answer."))
    new = []
    for q in plan.questions:
        target = q.target
        if target is not None and target.distance is None and exact.get(q.name):
            target = replace(target, of=Fraction(abs(exact[q.name])))
        new.append(q.with_(target=target))
    return replace(plan, questions=tuple(new))


def plan_json(plan: Plan) -> dict[str, Any]:
    """As JSON holds it: settings that stand as they start are left out of questions."""
    held: dict[str, Any] = {
        "terms": {
            k: v for k, v in to_json(plan.terms).items() if k != "kind" and (v or k not in _LATE)
        },
        "questions": [question_json(q) for q in plan.questions],
    }
    if plan.split:
        held["split"] = [{"noise": s.noise, "cost": written(s.cost)} for s in plan.split]
    return held


_STARTS = {"importance": "1", "times": 1, "noise": AUTO}


def question_json(question: Question) -> dict[str, Any]:
    """A question as JSON holds it in a plan."""
    empty: tuple[Any, ...] = (None, "", [], False)
    return {
        k: v
        for k, v in to_json(question).items()
        if not any(v is e or (v == e and type(v) is type(e)) for e in empty) and v != _STARTS.get(k)
    }


def canonical(held: Any) -> bytes:
    """The one way in which JSON is written where it is signed or hashed."""
    text = json.dumps(held, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")


def digest(plan: Plan) -> str:
    """SHA-256 of the canonical form: of what the plan says alone."""
    return hashlib.sha256(canonical(plan_json(plan))).hexdigest()


def plan_text(plan: Plan) -> str:
    """The file of a plan."""
    held = {"dpstudio_plan": VERSION, **plan_json(plan), "digest": digest(plan)}
    held |= {"approved": plan.approved} if plan.approved else {}
    return json.dumps(held, ensure_ascii=False, indent=1) + "\n"


def read_plan(text: str) -> Plan:
    """The plan in a file. Raises ParamError for what is none, is of another version, was edited
    without its digest, or cannot be paid so."""
    try:
        held = json.loads(text, parse_float=str)
        canonical(held)  # half a letter, "\\ud800", is hashed by nobody
        whole = isinstance(held, dict) and "dpstudio_plan" in held
    except (ValueError, RecursionError):
        whole = False
    if not whole:
        raise ParamError("", say("This is no plan of dpstudio."))
    if held["dpstudio_plan"] != VERSION:
        text = N_("This plan is of version {version}; what is read here is version {known}.")
        raise ParamError("", say(text, version=str(held["dpstudio_plan"]), known=VERSION))
    try:
        plan = Plan(_terms(held["terms"]), *_questions(held), str(held.get("approved", "")))
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        if isinstance(error, ParamError):
            raise
        raise ParamError("", say("This plan is damaged: a part of it is missing.")) from None
    if "digest" in held and held["digest"] != digest(plan):
        text = N_(
            "This plan was changed after it was written: its digest does not fit. Take the digest "
            "out of the file if the change is meant."
        )
        raise ParamError("digest", say(text))
    return plan


def _terms(held: Mapping[str, Any]) -> Terms:
    return from_json([Terms], {"kind": Terms.key, **held})


def _questions(held: Mapping[str, Any]) -> tuple[tuple[Question, ...], tuple[Share, ...]]:
    questions = []
    for each in held["questions"]:
        try:
            questions.append(from_json(QUESTIONS, each))
        except ParamError as error:
            name = each.get("name", "–") if isinstance(each, dict) else "–"
            raise error.within(f"“{name}”") from None
    split = tuple(
        Share(str(each["noise"]), fraction_of(each["cost"])) for each in held.get("split", ())
    )
    return tuple(questions), split
