"""The door of what leaves beside plans: every draw is booked before anything is made of it, so that
the same export gives the same draw again and no second one that could be averaged with it."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.files.ledgers.amounts import Cost, LedgerError, Spent, Terms, added, at_least
from dpstudio.files.ledgers.book import BOOKED, PAID, Answered, Book, Line, Plan, State
from dpstudio.files.ledgers.chained import Entry
from dpstudio.files.ledgers.own import OwnLedger, ledger_path, taken_over
from dpstudio.files.session import SessionError
from dpstudio.plans.exact import fraction_of
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import N_, Message, Num, plain, say

__all__ = ["Drawn", "Export", "Ledger", "ledger_path"]


@dataclass(frozen=True)
class Export:
    """What is to leave: its name, which tables are neighbours, and what it will ask for as far as
    that is known before, each with its promise."""

    name: str = "export"
    adjacency: str = ""
    foreseen: tuple[tuple[Sequence[Any], Guarantee], ...] = ()


@dataclass
class Ledger:
    """Where draws are booked: in the ledger that was named for their table, below its cap; else in
    that of the user at `path`. Neither holds an exact number or a digest: a draw is found by a
    keyed hash of the table and of what was drawn. Where nothing may be drawn `anew`, it gives what
    it has, and raises SessionError else.
    """

    path: Path
    randbelow: Callable[[int], int] = field(default_factory=lambda: secrets.randbelow)
    anew: bool = True

    @property
    def own(self) -> OwnLedger:
        """That of the user."""
        return OwnLedger(self.path)

    def draws_of(self, data: Dataset, export: Export | None = None) -> Drawn:
        """The one way to draw of this table for one export."""
        return Drawn(self, data, export or Export())

    def record(self, data: Dataset, name: str, made: str) -> None:
        """Note that a table which was `made` so of this one leaves without an ε. Raises
        SessionError."""
        state = self.own.state()
        assert state is not None
        named = self.own.of(data.origin, state)
        with _told(named):
            (named or self.own.book).record(name, data.digest or secrets.token_hex(16), made)


def refuse_broken(promise: Guarantee) -> None:
    """Raise NotDrawnError for a promise that is not kept: nothing leaves by it."""
    if not promise.kept:
        raise NotDrawnError(say(_BROKEN, why=promise.note, instead=promise.instead))


@dataclass
class Drawn:
    """The draws of one export of `data`, booked: `labs.context.Draws`."""

    ledger: Ledger
    data: Dataset
    export: Export
    _now: dict[str, Any] = field(default_factory=dict)
    _own: str = field(default_factory=lambda: secrets.token_hex(16))
    _told: dict[str, Message] = field(default_factory=dict)
    _plan: Plan | None = None

    @property
    def told(self) -> tuple[Message, ...]:
        """What each draw costs, and what went before."""
        return tuple(self._told.values())

    def draw(
        self,
        asked: Sequence[Any],
        promise: Guarantee,
        make: Callable[[Dataset, ReleaseRandom], Any],
    ) -> Any:
        """What left for this question: the draw that is kept, or a new one of `make` under this
        promise, which is kept from now on. Raises NotDrawnError where the promise is not kept."""
        refuse_broken(promise)
        text = json.dumps(asked)
        if text not in self._now:
            self._now[text] = self._drawn(text, asked, promise, make)
        return self._now[text]

    def _drawn(
        self,
        text: str,
        asked: Sequence[Any],
        promise: Guarantee,
        make: Callable[[Dataset, ReleaseRandom], Any],
    ) -> Any:
        own, table = self.ledger.own, self.data.digest or self._own
        state, line = own.state(self.ledger.anew), self._line(asked, promise)
        if state is None:
            raise SessionError(say(_NOT_HERE))
        named = own.of(self.data.origin, state)
        if (kept := self._kept(line, state, named)) is not None:
            self._told[text] = kept.told
            return kept.answer
        if not self.ledger.anew:
            raise SessionError(say(_NOT_HERE))
        with _told(named):
            plan = Plan(Terms(), (line,), "")
            if named is not None:
                plan = self._planned(line, state, named)
            drawn = (named or own.book).answer(
                replace(plan, digest=_mark(plan)),
                next(each.name for each in plan.lines if each.asked == line.asked),
                table,
                lambda: make(self.data, ReleaseRandom(self.ledger.randbelow)),
            )
        if not drawn.fresh:  # another program was quicker
            self._told[text] = say(_AGAIN)
            return drawn.answer
        if named is None:
            of_table, _ = taken_over(state, table, "")
            self._told[text] = _fresh(_costs(own.book.state(), drawn, of_table))
        elif drawn.told[0].text != PAID or not self._told:  # with all that is to leave beside it
            first, *_ = drawn.told
            population = plain(named.state().population)
            self._told[text] = say(_BOOKED, population=population, cost=first)
        return drawn.answer

    def _kept(self, line: Line, state: State, named: Book | None) -> _Kept | None:
        """The draw of a line that was made before, wherever it is kept."""
        table, price = self.data.digest or self._own, line.cost
        dear = Cost(*(at_least(float(each or 0)) for each in (price.epsilon, price.delta)))
        asked = line, replace(line, cost=dear)  # as it was booked when doubles were
        for book in (named, self.ledger.own.book):
            if book is None:
                continue
            with _told(book if book is named else None):
                there = book.state() if book is named else state
                known = (book.kept(Plan(Terms(), (e,), ""), table, there) for e in asked)
                kept = next((each[line.name] for each in known if each), None)
                taken = there.withdrawn(kept.n) if kept else None
            if kept and taken:
                told = say(_TAKEN_BACK, again=say(_AGAIN), why=taken.body["reason"])
                return _Kept(kept.body["answer"], told)
            if kept:
                return _Kept(kept.body["answer"], say(_AGAIN))
        _, before = taken_over(state, table, json.dumps([table, *line.asked]))
        return None if before is None else _Kept(before.body["answer"], say(_AGAIN))

    def _planned(self, line: Line, state: State, named: Book) -> Plan:
        """All that is to leave, as a plan that is paid whole before its first line is drawn,
        without what was drawn before; the line alone where nobody foresaw it."""
        if self._plan is None:
            lines = tuple(self._line(*each, n) for n, each in enumerate(self.export.foreseen, 1))
            plan = Plan(self._terms(), lines or (line,), "")
            if plan.terms != named.state().terms:
                raise LedgerError(say(_NEIGHBOURS, name=self.export.name))
            marked = replace(plan, digest=_mark(plan))
            if named.standing(marked, self.data.digest or self._own).paid is None:
                new = tuple(e for e in plan.lines if self._kept(e, state, named) is None)
                plan = replace(plan, lines=new or (line,))
            self._plan = plan
        if any(each.asked == line.asked for each in self._plan.lines):
            return self._plan
        return replace(self._plan, lines=(line,))

    def _terms(self) -> Terms:
        if not self.export.adjacency:
            raise LedgerError(say(_NO_NEIGHBOURS, name=self.export.name))
        return Terms(adjacency=self.export.adjacency)

    def _line(self, asked: Sequence[Any], promise: Guarantee, n: int = 1) -> Line:
        """A question as it is booked: at the decimals that are shown, which its noise costs no more
        than. Raises LedgerError for a promise that is no finite one."""
        name = self.export.name if n == 1 else f"{self.export.name} {n}"
        try:
            cost = Cost(fraction_of(float(promise.epsilon)), fraction_of(float(promise.delta)))
        except (OverflowError, ValueError):
            raise LedgerError(say(_NOT_FINITE, name=name)) from None
        return Line(name, self._whole(asked), cost)

    def _whole(self, asked: Sequence[Any]) -> list[Any]:
        """What is drawn of what. Two readings of a file are two tables, which share no draw, about
        the same people, so that the ε of both add up. A file that was edited is another one: its
        bytes do not tell whom it is about. Of a table without a digest nothing is known again."""
        return [self.data.content, self.data.codebook.without_roles.to_json(), *asked]


@dataclass(frozen=True)
class _Kept:
    """A draw that was made before, and what is said of it."""

    answer: Any
    told: Message


def _mark(plan: Plan) -> str:
    held = json.dumps([[line.name, line.asked, line.cost.to_json()] for line in plan.lines])
    return hashlib.sha256(held.encode()).hexdigest()


@contextmanager
def _told(named: Book | None) -> Iterator[None]:
    """Why the ledger of a population books nothing, with its place."""
    try:
        yield
    except LedgerError as error:
        if named is None:
            raise
        raise SessionError(say(_NAMED, path=named.path, why=error.sentence)) from error


_AGAIN = N_("This is the draw that was made before: it costs nothing more.")
_TAKEN_BACK = N_("{again} It was withdrawn since: {why}")
_NAMED = N_("What leaves of this table is booked in {path}. {why}")
_NEIGHBOURS = N_(
    "It counts by other neighbours, or another unit, than “{name}” does: choose its neighbours, or "
    "another ledger for this table on the page Ledger (--ledger FILE)."
)
_BOOKED = N_("Booked in the ledger of “{population}”. {cost}")
_NO_NEIGHBOURS = N_("“{name}” does not say which tables are neighbours: it is not booked here.")
_NOT_FINITE = N_("The promise of “{name}” is no finite ε and δ: it is not booked.")
_NOT_HERE = N_(
    "What this figure shows is not in the ledger of this machine for this table, and is not drawn "
    "anew: two draws of one answer could be averaged."
)
_BROKEN = N_("{why} So nothing of it leaves. {instead}")
_COSTS = {  # by whether there is a δ
    False: N_("ε = {epsilon}"),
    True: N_("ε = {epsilon} with δ = {delta}"),
}


def _costs(state: State, drawn: Answered, taken: Sequence[Entry]) -> list[Spent]:
    """What a draw costs, and then what each of the same table before it did."""
    (answer,) = (entry for entry in state.entries if entry.head == drawn.head)
    paid = next(entry for entry in state.entries if entry.n == answer.body["booked"])
    before = [
        entry
        for entry in state.of(BOOKED)
        if entry.n < paid.n and entry.body["table"] == paid.body["table"]
    ]
    return [state.priced(entry) for entry in (paid, *taken, *before)]


def _fresh(costs: Sequence[Spent]) -> Message:
    """What a new draw costs, the first of these, with those of the same table that left before it:
    ε and δ add up (Dwork & Roth 2014, Theorem 3.16)."""
    if len(costs) == 1:
        text = N_(
            "The first draw of this very file in the ledger of this machine: it costs {cost}. What "
            "is in another ledger, or left of another version of it, or of other tables about the "
            "same people, is not known here, and adds to that."
        )
        return say(text, cost=_added(costs))
    text = N_(
        "A new draw of this very file, after {n} {n:draw|draws} in the ledger of this machine: it "
        "costs {cost}, all of them together {total}."
    )
    if added(costs).delta >= 1:
        text = N_(
            "A new draw of this very file, after {n} {n:draw|draws} in the ledger of this machine: "
            "it costs {cost}. Together they have a δ of 1 or more, and so nothing is promised any "
            "longer."
        )
    values = {"n": Num(len(costs) - 1), "cost": _added(costs[:1]), "total": _added(costs)}
    return Message(text, values)


def _added(costs: Sequence[Spent]) -> Message:
    spent = added(costs)
    values = {
        "epsilon": Num(float(spent.amount), 5, "up"),
        "delta": Num(float(spent.delta), 3, "up"),
    }
    return Message(_COSTS[spent.delta > 0], values)
