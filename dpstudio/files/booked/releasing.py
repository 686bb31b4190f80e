"""A plan's lines released: booked whole, drawn exactly, kept with their spend, then shown."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import refuse_untold
from dpstudio.files.booked.amounts import LedgerError
from dpstudio.files.booked.book import Book, State
from dpstudio.files.booked.book import Plan as Priced
from dpstudio.files.booked.drawing import as_planned, drawn, refused
from dpstudio.files.booked.of_plan import booked_plan
from dpstudio.files.read.choices import Choices
from dpstudio.files.tables import example, open_with_report
from dpstudio.plans.confirmed import unconfirmed
from dpstudio.plans.fitted import Answer, Fit, fits
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.published import Cell, published
from dpstudio.plans.question import Question
from dpstudio.privacy.release import opendp_maps
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.messages import Message
from dpstudio.values.parameters import to_json


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
    return Source(open_with_report(where, choices=own).data, reading, person)


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
                priced, question.name, source.key, partial(draw.make, self.chance), confirmed
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
        new = [(q, s) for q, s in lines if not self.book.kept(priced, q.name, source.key)]
        why = unconfirmed(plan, new) if new else None
        if why is not None:
            raise LedgerError(why)
        return opendp_maps.named()
