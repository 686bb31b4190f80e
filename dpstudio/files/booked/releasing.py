"""A plan's lines released: booked whole, drawn exactly, kept with their spend, then shown."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import left_open, refuse_untold
from dpstudio.files.booked.approving import unapproved
from dpstudio.files.booked.drawing import WHOSE, as_planned, drawn, refused
from dpstudio.files.booked.of_plan import booked_plan
from dpstudio.files.ledgers.amounts import LedgerError, amount
from dpstudio.files.ledgers.book import Book, Standing, State
from dpstudio.files.ledgers.book import Plan as Priced
from dpstudio.files.ledgers.own import name_ledger
from dpstudio.files.read.choices import Choices
from dpstudio.files.session import SessionError
from dpstudio.files.tables import example, open_with_report
from dpstudio.files.write.leaving import UntoldError
from dpstudio.plans.confirmed import unconfirmed
from dpstudio.plans.exact import written
from dpstudio.plans.fitted import Answer, Fit, fits
from dpstudio.plans.plan import Plan, Share, digest
from dpstudio.plans.published import Cell, published
from dpstudio.plans.question import Question
from dpstudio.privacy.release import opendp_maps
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.messages import N_, Message, SentenceError, say
from dpstudio.values.parameters import ParamError, to_json


@dataclass(frozen=True)
class Source:
    """The table that is released from: how its file was told to be read, and the column that says
    whose row it is. `told_source` opens one."""

    table: Dataset
    reading: str = ""
    person: str = ""

    @property
    def key(self) -> str:
        """What a version of the table is known by in a ledger, which hides it under its key. Only
        what was told of the reading counts, and not what came of it."""
        return json.dumps([self.table.digest, self.reading, self.person])


def told_source(where: str, choices: Choices, person: str = "") -> Source:
    """The table of a file that may be released from: before it is opened it is refused unless all
    of its reading is told. Raises TableError."""
    refuse_untold(where, choices)
    reading = json.dumps(to_json(choices), sort_keys=True)
    own = None if example(where) is not None and choices == Choices() else choices
    return Source(open_with_report(where, choices=own, noted=False).data, reading, person)


@dataclass(frozen=True)
class Line:
    """One line as it was drawn: what the ledger keeps of it, and the hash of its entry."""

    question: Question
    share: Share
    answer: list[dict[str, Any]]
    head: str
    fresh: bool
    told: tuple[Message, ...]
    fit: Fit | None = None

    def cells(self, plan: Plan, base: Fraction | None = None) -> tuple[Cell, ...]:
        """Its published numbers, rounded to `base`."""
        if self.fit is not None:
            return self.fit.cells(base)
        return published(plan, self.question, self.share, self.answer, base)


@dataclass(frozen=True)
class Released:
    """What left, the ledger as it stands after it, and the column that says whose row it is."""

    plan: Plan
    lines: tuple[Line, ...]
    state: State
    person: str = ""

    @property
    def fitted(self) -> Released:
        """The same with what adds up fitted to each other by least squares: all that were not
        withdrawn."""
        whole = [e for e in self.lines if not self.state.withdrawn(int(e.head.partition(":")[0]))]
        found = fits(self.plan, [Answer(e.question, e.share, e.answer) for e in whole])
        names = {each.question.name for each in whole}
        return replace(
            self,
            lines=tuple(
                replace(e, fit=found.get(e.question.name)) if e.question.name in names else e
                for e in self.lines
            ),
        )


@dataclass(frozen=True)
class Finish:
    """What is made of published numbers, which touches no row: fitted to each other, and rounded to
    whole steps of a base."""

    fitted: bool = False
    base: Fraction | None = None

    def of(self, made: Released) -> Released:
        """A release, fitted where that is asked for."""
        return made.fitted if self.fitted else made


def base_of(text: str) -> Fraction | None:
    """What published numbers are whole steps of; None where nobody said. Raises LedgerError."""
    if not text.strip():
        return None
    base = amount(text)
    if not 0 < base <= 10**300 or "/" in written(base):
        raise LedgerError(say("What is rounded to is a number above 0 such as 5 or 0.1."))
    return base


def noted(source: Source, book: Book) -> Iterator[Message]:
    """Note that the ledger is the one of this table: what leaves of it elsewhere is booked there
    too. What is said once something was released: where that could not be noted, and of what state
    of a database it is."""
    if source.table.asked is not None:
        yield say(_SNAPSHOT)
    try:
        name_ledger(source.table.origin, book.path)
    except SessionError as error:
        yield say(_UNNOTED, why=error.sentence)


_SNAPSHOT = N_(
    "The table stays in its database and may change: this is of its rows as they were when it was "
    "asked. Where its mark shows that they changed, the same plan is drawn anew, and costs anew."
)
_UNNOTED = N_(
    "{why} So the program does not know that this is the ledger of the table: what else leaves of "
    "it is booked there with --ledger alone."
)


def asked(plan: Plan, names: Sequence[str]) -> list[tuple[Question, Share]]:
    """The lines of these names, all where there is none. Raises ParamError."""
    wanted = {plan.question(name).name for name in names}
    given = zip(plan.questions, plan.split, strict=True)
    return [(q, share) for q, share in given if not names or q.name in wanted]


def may_release(plan: Plan, book: Book, person: str) -> State:
    """The ledger, if the plan may be released against it: before a table is opened. Raises
    LedgerError."""
    for why in refused(plan, person):
        raise LedgerError(why)
    state = book.state()
    state.meets(booked_plan(plan))
    return state


PLAN, LEDGER, TABLE, READING, PERSONS = "plan", "ledger", "table", "reading", "persons"
APPROVAL, BUDGET = "approval", "budget"


@dataclass(frozen=True)
class Missing:
    """What stands between a plan and its release, of which of PLAN, LEDGER, TABLE, READING,
    PERSONS, APPROVAL and BUDGET, and why."""

    of: str
    why: Message


@dataclass(frozen=True)
class Looked:
    """A plan, a ledger and a table as they were looked at, before anything is paid or drawn: all
    that is missing, the table where it could be opened; and where nothing is missing, where the
    ledger stands."""

    plan: Plan | None
    missing: tuple[Missing, ...]
    state: State | None = None
    source: Source | None = None
    standing: Standing | None = None

    @property
    def ready(self) -> bool:
        """Whether lines may be drawn."""
        return not self.missing and self.standing is not None


def looked(
    plan: Plan | None,
    book: Book | None,
    where: str,
    choices: Choices,
    person: str = "",
    source: Source | None = None,
) -> Looked:
    """What a release would be refused for, by what refuses it; `source` is that table where it was
    opened before. Nothing is added to the ledger."""
    missing, state = list(_of_plan(plan, person)), None
    if not where:
        missing.append(Missing(TABLE, say("There is no table with a file of its own.")))
    elif (untold := _untold(where, choices)) is not None:
        missing.append(Missing(READING, untold))
    if book is None:
        missing.append(Missing(LEDGER, say("There is no ledger yet.")))
    else:
        try:
            state = book.state()
        except LedgerError as error:
            missing.append(Missing(LEDGER, error.sentence))
    if plan is None:
        return Looked(plan, tuple(missing), state)
    priced, of = None, PLAN
    try:
        priced = booked_plan(plan)
        of = LEDGER
        if state is not None:
            state.meets(priced)
    except (SentenceError, ParamError) as error:
        missing.append(Missing(of, error.sentence))
    try:
        if not {PLAN, PERSONS, TABLE, READING} & {each.of for each in missing}:
            source = source or told_source(where, choices, person)
            data = as_planned(plan, source.table, source.person)
            for question, share in asked(plan, ()):
                drawn(plan, question, share, data)  # as the release refuses it; nothing is made
    except (SentenceError, ParamError) as error:
        missing.append(Missing(TABLE, error.sentence))
    whole = Looked(plan, tuple(missing), state, source)
    if missing or priced is None or source is None or book is None:
        return whole
    try:
        standing = book.standing(priced, source.key)
    except LedgerError as error:
        return replace(whole, missing=(Missing(LEDGER, error.sentence),))
    found = () if standing.refused is None else (Missing(BUDGET, standing.refused),)
    return replace(whole, missing=found, standing=standing)


def _of_plan(plan: Plan | None, person: str) -> Iterator[Missing]:
    """All that stands between a plan and any release of it."""
    if plan is None:
        yield Missing(PLAN, say("There is no plan yet."))
        return
    for why in refused(plan, person):
        if why == unapproved(plan):
            signed = say(_SIGNED, why=why, digest=digest(plan)[:_DIGITS])
            yield Missing(APPROVAL, signed)
        elif why.text == WHOSE:
            yield Missing(PERSONS, say(_WHOSE, rows=plan.terms.rows))
        else:
            yield Missing(PLAN, why)


_DIGITS = 16  # of a digest, that are read
_SIGNED = N_(
    "{why} What is signed are all of its lines, what they cost and the population that it names, "
    "as they stand here (digest {digest}…); not which ledger or table it is released against."
)


def _untold(where: str, choices: Choices) -> Message | None:
    names = left_open(where, choices)
    return UntoldError(names).sentence if names else None


_WHOSE = N_(
    "The plan protects persons with up to {rows} rows each: choose the column that says whose row "
    "it is, so that no more of them are used."
)


def answered(found: Looked) -> Released | None:
    """The lines that the ledger holds of this plan and table: what releasing them again gives."""
    plan, standing = found.plan, found.standing
    if plan is None or standing is None or found.source is None or not standing.answers:
        return None
    given = zip(plan.questions, plan.split, strict=True)
    kept = [
        (q, share, standing.answers[q.name]) for q, share in given if q.name in standing.answers
    ]
    lines = [Line(q, share, e.body["answer"], e.head, False, ()) for q, share, e in kept]
    return Released(plan, tuple(lines), standing.state, found.source.person)


@dataclass(frozen=True)
class Desk:
    """Where plans are released: their ledger, and chance from the system."""

    book: Book
    chance: ReleaseRandom = field(default_factory=lambda: ReleaseRandom(secrets.randbelow))

    def release(self, plan: Plan, source: Source, names: Sequence[str] = ()) -> Released:
        """The lines of these names, each in a transaction that pays for the plan, draws and keeps;
        what was released before is given again. What is refused is refused before the first is
        drawn, and no row decides it. Raises LedgerError, ParamError, UntoldError."""
        may_release(plan, self.book, source.person)
        lines = asked(plan, names)
        data = as_planned(plan, source.table, source.person)
        draws = [drawn(plan, question, share, data) for question, share in lines]
        priced, made = booked_plan(plan), list[Line]()
        confirmed = self._confirmed(plan, source, lines, priced)
        for (question, share), draw in zip(lines, draws, strict=True):
            found = self.book.answer(
                priced,
                question.name,
                source.key,
                partial(draw.make, self.chance),
                confirmed,
                source.table.snapshot,
            )
            made.append(Line(question, share, found.answer, found.head, found.fresh, found.told))
        return Released(plan, tuple(made), self.book.state(), source.person)

    def _confirmed(
        self, plan: Plan, source: Source, lines: list[tuple[Question, Share]], priced: Priced
    ) -> str:
        """Who confirmed what the lines lose that were not drawn before: nobody where the extra is
        not installed. Raises LedgerError where it does not confirm one."""
        if not opendp_maps.there():
            return ""
        kept = self.book.kept(priced, source.key)
        new = [(q, s) for q, s in lines if q.name not in kept]
        why = unconfirmed(plan, new) if new else None
        if why is not None:
            raise LedgerError(why)
        return opendp_maps.named()
