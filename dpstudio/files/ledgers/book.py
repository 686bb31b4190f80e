"""The ledger of one population: what was asked, what it cost, and what is left below the cap.

A spend and its answer are one transaction, and only what is kept is shown. Whether something is
refused follows from costs alone, which a person may know; no row decides it. A `draw` may fail for
reasons alone that no row decides, as those of `dpstudio/privacy/sampling.py` do: where it fails,
nothing is spent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dpstudio import __version__
from dpstudio.files.ledgers.amounts import (
    LONGEST,
    NOTHING,
    Cap,
    Cost,
    LedgerError,
    Spent,
    Terms,
    added,
    cap_from,
    promised,
    told,
)
from dpstudio.files.ledgers.chained import Adding, Chained, Entry, make, refuse_remote
from dpstudio.values.messages import N_, Message, listed, plain, say

MADE, BOOKED, DRAWN, RAISED, WITHDRAWN = "made", "booked", "drawn", "raised", "withdrawn"
RECORDED = "recorded"  # a table that left without an ε
NAMED, TAKEN = "named", "taken"  # in the ledger of a user alone (`dpstudio/files/ledgers/own.py`)


@dataclass(frozen=True)
class Line:
    """One question of a plan: its name, all that decides its law (as JSON: the question, bounds,
    mechanism, noise), and what it costs alone."""

    name: str
    asked: Any
    cost: Cost


@dataclass(frozen=True)
class Plan:
    """Questions fixed before any answer. `whole` is what all of them cost together where that is
    known to be less than their sum; rounded up by who worked it out. `people` are noted with it:
    who planned, approved and draws. `population`: of whom alone it may be booked; empty: of any."""

    terms: Terms
    lines: tuple[Line, ...]
    digest: str
    whole: Cost | None = None
    people: Mapping[str, str] = field(default_factory=dict)
    population: str = ""

    def __post_init__(self) -> None:
        names = [line.name for line in self.lines]
        if not names or len({*names}) < len(names):
            raise LedgerError(say("A plan has one line or more, each with a name of its own."))

    def price(self, cap: Cap) -> Spent:
        """All of it, in what this cap counts. Raises LedgerError where it counts something else."""
        if self.whole is not None:
            return cap.price(self.whole)
        return added(cap.price(line.cost) for line in self.lines)

    def line(self, name: str) -> Line:
        """The line of that name. Raises LedgerError."""
        for line in self.lines:
            if line.name == name:
                return line
        raise LedgerError(say(_NO_LINE, name=name))


_NO_LINE = N_("“{name}” is no line of this plan, and none is added to a plan that is booked.")


@dataclass(frozen=True)
class Promise:
    """A cap, why it was raised to that (empty for the first), and what was spent by then."""

    cap: Cap
    reason: str
    spent: Spent


@dataclass(frozen=True)
class Answered:
    """What may be shown now: it is kept. `told` says what it cost, `head` is what a certificate
    notes."""

    answer: Any
    fresh: bool
    told: tuple[Message, ...]
    head: str


@dataclass(frozen=True)
class Standing:
    """Where a ledger stands to a plan of one table, before anything is paid or drawn: what the plan
    costs, the entry that paid for it, why it cannot be paid, of each line that was answered its
    entry, and which lines were asked of another version of the table alone."""

    state: State
    price: Spent
    paid: Entry | None
    refused: Message | None
    answers: Mapping[str, Entry]
    elsewhere: frozenset[str] = frozenset()

    @property
    def left(self) -> Spent:
        """What is left once it is paid for."""
        state, more = self.state, NOTHING if self.paid is not None else self.price
        return state.cap.left(state.spent + more)


@dataclass(frozen=True)
class State:
    """What the entries add up to."""

    entries: Sequence[Entry]

    def of(self, kind: str) -> list[Entry]:
        """The entries of one kind."""
        return [entry for entry in self.entries if entry.body["kind"] == kind]

    @property
    def population(self) -> str:
        """Whom it is about, as it was named."""
        return str(self.entries[0].body["population"])

    @property
    def terms(self) -> Terms:
        """What one unit is, and which tables are neighbours."""
        return Terms(**(self.entries[0].body["terms"] or {}))

    @property
    def promises(self) -> list[Promise]:
        """The first cap, and each that it was raised to."""
        first = Promise(cap_from(self.entries[0].body["cap"]), "", NOTHING)
        raised = [
            Promise(cap_from(each.body["cap"]), each.body["reason"], self.spent_by(each.n))
            for each in self.of(RAISED)
        ]
        return [first, *raised]

    @property
    def cap(self) -> Cap:
        """The one that holds now."""
        return self.promises[-1].cap

    @property
    def unfixed(self) -> bool:
        """Whether a cap was raised after answers, so that none was fixed beforehand for all."""
        return any(promise.spent != NOTHING for promise in self.promises[1:])

    @property
    def spent(self) -> Spent:
        """All that was booked."""
        return self.spent_by(len(self.entries))

    def spent_by(self, n: int) -> Spent:
        """What was booked up to that entry."""
        return added(self.priced(entry) for entry in self.of(BOOKED) if entry.n <= n)

    def priced(self, entry: Entry) -> Spent:
        """What an entry booked."""
        return Spent(*map(Fraction, entry.body["priced"]))

    @property
    def head(self) -> str:
        """What a certificate notes of it."""
        return self.entries[-1].head

    def meets(self, plan: Plan) -> None:
        """Raise LedgerError for a plan of another unit of privacy, other neighbours or another
        population; and for one of a file where there is no cap."""
        if self.cap.none:
            if plan.whole is not None:
                raise LedgerError(say(_NO_CAP))
            return
        if plan.terms != self.terms:
            raise LedgerError(say(_TERMS, ours=_worded(self.terms), theirs=_worded(plan.terms)))
        if plan.population not in ("", self.population):
            values = {"ours": plain(self.population), "theirs": plain(plan.population)}
            raise LedgerError(say(_POPULATION, **values))

    def holds(self, head: str) -> bool:
        """Whether the entry that was noted is still there, and with it all before."""
        return head in [entry.head for entry in self.entries]

    def withdrawn(self, n: int) -> Entry | None:
        """The last entry that takes an answer back, if one does."""
        return next((e for e in reversed(self.of(WITHDRAWN)) if e.body["of"] == n), None)


def make_ledger(path: Path, population: str, terms: Terms, cap: Cap) -> Book:
    """A new ledger, with what is fixed for good. Raises LedgerError."""
    if not population.strip():
        raise LedgerError(say("Say whom the ledger is about: one population, in words."))
    fixed = {"population": population.strip(), "terms": asdict(terms), "cap": cap.to_json()}
    refuse_remote(path)
    make(path, {"kind": MADE, "program": __version__, **now(), **fixed})
    return Book(path)


def now() -> dict[str, str]:
    """When an entry is made."""
    return {"at": datetime.now(UTC).isoformat(timespec="seconds")}


@dataclass(frozen=True)
class Book:
    """The ledger in a file. Every method raises LedgerError, and then nothing is kept. That of a
    user (`own`) has no cap and may lie on any drive."""

    path: Path
    own: bool = False

    @property
    def file(self) -> Chained:
        """What its entries are kept in."""
        return Chained(self.path, self.own)

    def state(self) -> State:
        """What is in it, checked from the first entry to the last."""
        entries = self.file.entries()
        for entry in entries:
            if not _sound(entry):
                raise LedgerError(say(_UNSOUND, path=self.path, n=entry.n))
        return State(entries)

    def standing(self, plan: Plan, table: str) -> Standing:
        """What paying for a plan of the table with this digest would do; nothing is added."""
        state = self.state()
        state.meets(plan)
        of_table, of_plan, lines = self._known(plan, table)
        price, paid, refused = plan.price(state.cap), None, None
        try:
            paid = _paid(state, plan, (of_plan, of_table), lines, price)
        except LedgerError as error:
            refused = error.sentence
        answers, drawn = _answers(state, of_table, lines), state.of(DRAWN)
        asked = {e.body["line"] for e in drawn} - {e.body["line"] for e in answers.values()}
        elsewhere = frozenset(name for name, key in lines if key in asked)
        return Standing(state, price, paid, refused, answers, elsewhere)

    def kept(self, plan: Plan, table: str, state: State | None = None) -> Mapping[str, Entry]:
        """The lines that were drawn of the table with this digest, whatever a plan costs now."""
        of_table, _, lines = self._known(plan, table)
        return _answers(state or self.state(), of_table, lines)

    def _known(self, plan: Plan, table: str) -> tuple[str, str, list[list[str]]]:
        """By which a table, a plan and each of its lines stand in the ledger."""
        of_table, of_plan, *of_lines = self.file.names(
            ("table", table),
            ("plan", plan.digest),
            *(("line", _asked(each)) for each in plan.lines),
        )
        lines = [[each.name, name] for each, name in zip(plan.lines, of_lines, strict=True)]
        return of_table, of_plan, lines

    def seal(self, text: str) -> str:
        """A hash of a certificate that only this ledger makes."""
        return self.file.seal(text)

    def book(self, plan: Plan, table: str) -> tuple[Message, ...]:
        """Pay for all of a plan, of the table with this digest; nothing if that was done."""
        with self.file.adding() as file:
            _, messages = _booked(file, plan, table)
        return messages

    def answer(
        self,
        plan: Plan,
        name: str,
        table: str,
        draw: Callable[[], Any],
        confirmed: str = "",
        snapshot: Mapping[str, str] = MappingProxyType({}),
    ) -> Answered:
        """One line's answer of the table with this digest: the one that is kept, or that of `draw`
        (as JSON holds it), for which the plan is paid whole if it is not yet, and of which another
        program `confirmed` what it loses. Where the table may change, `snapshot` names its state,
        and nothing of its rows."""
        line = plan.line(name)
        with self.file.adding() as file:
            of_table, asked = _drawn(file, line, table)
            kept = next((e for e in asked if e.body["table"] == of_table), None)
            if kept is not None:
                return _again(State(file.entries), kept)
            count = len(file.entries)
            booked, messages = _booked(file, plan, table)
            if asked:
                text = _OTHER_PAID if booked.n <= count else _OTHER
                messages += (say(text, name=name),)
            answer = json.loads(json.dumps(draw(), allow_nan=False))
            held = {"table": of_table, "line": _names(file, line, table)[1], "booked": booked.n}
            held |= {"answer": answer} | ({"confirmed": confirmed} if confirmed else {})
            held |= ({"snapshot": dict(snapshot)} if snapshot else {}) | _noted(plan)
            made = file.add({"kind": DRAWN, "name": name, **now(), **held})
        return Answered(answer, True, messages, made.head)

    def record(self, name: str, table: str, made: str) -> None:
        """Note, once, that something `made` so of the table with this digest leaves without an ε:
        no cap counts it."""
        with self.file.adding() as file:
            known = {"table": file.name("table", table), "made": file.name("made", made)}
            if not any(known.items() <= e.body.items() for e in State(file.entries).of(RECORDED)):
                file.add({"kind": RECORDED, "name": name, **now(), **known})

    def raise_cap(self, cap: Cap, reason: str) -> Entry:
        """A new promise, made after answers: both caps, the reason and the sum so far stay."""
        with self.file.adding() as file:
            state = State(file.entries)
            if not reason.strip():
                raise LedgerError(say("Write down why the cap is raised: certificates state it."))
            if not cap.raises(state.cap):
                raise LedgerError(say(_NO_RAISE, cap=promised(state.cap)))
            spent = [str(state.spent.amount), str(state.spent.delta)]
            held = {"cap": cap.to_json(), "reason": reason.strip(), "spent": spent}
            return file.add({"kind": RAISED, **now(), **held})

    def withdraw(self, n: int, reason: str, by: int | None = None) -> Entry:
        """Note that an answer is taken back, and which one takes its place: nothing is refunded."""
        with self.file.adding() as file:
            drawn = [entry.n for entry in State(file.entries).of(DRAWN)]
            if n not in drawn or (by is not None and (by not in drawn or by == n)):
                raise LedgerError(say(_NO_ANSWER, known=listed(drawn or "–")))
            if not reason.strip():
                raise LedgerError(say("Write down why the answer is withdrawn."))
            return file.add(
                {"kind": WITHDRAWN, "of": n, "by": by, "reason": reason.strip(), **now()}
            )


_HELD = {
    MADE: ("population", "terms", "cap"),
    BOOKED: ("plan", "table", "lines", "priced"),
    DRAWN: ("name", "table", "line", "booked", "answer"),
    RAISED: ("cap", "reason", "spent"),
    WITHDRAWN: ("of", "reason"),
    RECORDED: ("name", "table", "made"),
    NAMED: ("table", "ledger"),
    TAKEN: ("name", "table", "answer", "priced"),
}
_UNSOUND = N_(
    "{path} is no ledger that this program wrote: entry {n} lacks what it must say, or spends less "
    "than nothing. Nothing is spent from it; look for a copy from before."
)


def _sound(entry: Entry) -> bool:
    """Whether an entry is one that the program may have written: whoever makes a file by hand has
    its key, and so all of its hashes."""
    body = entry.body
    try:
        kind = body["kind"]
        if (kind == MADE) != (entry.n == 1) or not {"at", *_HELD[kind]} <= body.keys():
            return False
        if kind in (MADE, RAISED):
            cap_from(body["cap"])
        if kind == MADE:
            Terms(**(body["terms"] or {}))
        amount, delta = map(Fraction, body.get("priced", (0, 0)))
    except (LedgerError, LookupError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return False
    return min(amount, delta) >= 0


def _names(file: Adding, line: Line, table: str) -> tuple[str, str]:
    """What a table and a line are known by; a line by what is asked at which cost, under whatever
    name."""
    if not table:
        raise LedgerError(say("A table without a digest is never known again: it is not booked."))
    return file.name("table", table), file.name("line", _asked(line))


def _asked(line: Line) -> str:
    return json.dumps([line.asked, line.cost.to_json()], sort_keys=True, allow_nan=False)


def _answers(state: State, of_table: str, lines: list[list[str]]) -> dict[str, Entry]:
    drawn = {e.body["line"]: e for e in state.of(DRAWN) if e.body["table"] == of_table}
    return {name: drawn[key] for name, key in lines if key in drawn}


def _drawn(file: Adding, line: Line, table: str) -> tuple[str, list[Entry]]:
    """What a table is known by, and the answers of a line of whatever table."""
    of_table, of_line = _names(file, line, table)
    return of_table, [e for e in State(file.entries).of(DRAWN) if e.body["line"] == of_line]


def _booked(file: Adding, plan: Plan, table: str) -> tuple[Entry, tuple[Message, ...]]:
    """The entry that pays for a plan, made now if it is not there."""
    state = State(file.entries)
    state.meets(plan)
    names = [_names(file, line, table) for line in plan.lines]
    lines = [[line.name, of_line] for line, (_, of_line) in zip(plan.lines, names, strict=True)]
    of_plan, of_table = file.name("plan", plan.digest), names[0][0]
    price, cap = plan.price(state.cap), state.cap
    entry = _paid(state, plan, (of_plan, of_table), lines, price)
    if entry is not None:
        return entry, (say(PAID, n=entry.n),)
    total, measure = state.spent + price, cap.measure
    priced = [str(price.amount), str(price.delta)]
    cost = None if plan.whole is None else plan.whole.to_json()
    held = {"plan": of_plan, "table": of_table, "lines": lines, "priced": priced, "whole": cost}
    costs = [line.cost.to_json() for line in plan.lines]
    made = file.add({"kind": BOOKED, **now(), **held, "costs": costs, **_noted(plan)})
    if cap.none:
        return made, ()
    left = told(cap.left(total), measure, "down")
    text = _COSTS if plan.whole is None else _WHOLE
    return made, (say(text, cost=told(price, measure), left=left),)


def _noted(plan: Plan) -> dict[str, dict[str, str]]:
    return {"people": dict(plan.people)} if plan.people else {}


def _paid(
    state: State, plan: Plan, known: tuple[str, str], lines: list[list[str]], price: Spent
) -> Entry | None:
    """The entry that paid for a plan of a table, known by both names; None where it is still to be
    paid. Raises LedgerError where it cannot be."""
    priced, total = [str(price.amount), str(price.delta)], state.spent + price
    for entry in state.of(BOOKED):
        if (entry.body["plan"], entry.body["table"]) == known:
            if entry.body["lines"] != lines or entry.body["priced"] != priced:
                raise LedgerError(say(_ALTERED, n=entry.n))
            return entry
    if not state.cap.lets(total):
        measure = state.cap.measure
        left = told(state.cap.left(state.spent), measure, "down")
        raise LedgerError(say(_OVER, cost=told(price, measure), left=left))
    if max(total.amount.denominator, total.delta.denominator) > LONGEST:
        raise LedgerError(say(_LONG))
    return None


def _again(state: State, kept: Entry) -> Answered:
    messages = [say(_KEPT, n=kept.n)]
    if taken := state.withdrawn(kept.n):
        messages.append(say(_TAKEN_BACK, why=taken.body["reason"]))
    return Answered(kept.body["answer"], False, tuple(messages), kept.head)


def _worded(terms: Terms) -> str:
    months = f" × {terms.periods}" if terms.periods > 1 else ""
    return f"{terms.unit}{months}, {terms.adjacency}"


_TERMS = N_(
    "This ledger is kept for another promise ({ours}) than the plan's ({theirs}). Plan it anew for "
    "this one."
)
_POPULATION = N_(
    "This ledger is of “{ours}”, and the plan may be released of “{theirs}” alone. Choose that "
    "ledger, or plan it anew for this one."
)
_NO_CAP = N_(
    "This ledger has no cap and is of no population: it keeps what leaves beside plans. Choose "
    "another, or make one."
)
_ALTERED = N_("The plan was booked in entry {n} with other lines or costs, and none may change.")
_OVER = N_(
    "It costs {cost}, and of the cap {left} is left. Nothing was drawn. Ask for less; a raised cap "
    "is a new promise, and its reason is written down."
)
_LONG = N_("The sum would have thousands of digits: write costs with fewer of them.")
_COSTS = N_("It costs {cost}; {left} is left.")
_WHOLE = N_("The plan with all of its lines costs {cost}; {left} is left.")
PAID = N_("It was paid for with its plan in entry {n}: it costs nothing more.")
_KEPT = N_("This is the answer that was released before, entry {n}: it costs nothing more.")
_TAKEN_BACK = N_("It was withdrawn since: {why}")
_OTHER = N_("“{name}” was asked before of another version of the table: this is a new spend.")
_OTHER_PAID = N_("“{name}” was asked before of another version of the table: this is a new answer.")
_NO_RAISE = N_("A cap can only be raised, in the same measure: it is {cap}.")
_NO_ANSWER = N_("There is no such answer to withdraw or to take its place; there are: {known}.")
