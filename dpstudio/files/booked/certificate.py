"""The certificate of a release: what was asked, answered, drawn by and paid, who attests what, and
what ε does not cover. No row is in it. As JSON it has one form, a digest and the ledger's seal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from functools import partial
from typing import Any

from dpstudio import __version__
from dpstudio.files.booked.approving import approval
from dpstudio.files.booked.releasing import Line, Released, asked
from dpstudio.files.booked.telling import bare, means
from dpstudio.files.ledgers.amounts import LedgerError, promised, told
from dpstudio.files.ledgers.book import Book, State
from dpstudio.plans import methods
from dpstudio.plans.charge import BOUNDS
from dpstudio.plans.exact import written
from dpstudio.plans.plan import Plan, Share, canonical, digest, plan_json
from dpstudio.plans.question import Question
from dpstudio.values.messages import N_, Message, Translate, render, say, unchanged

VERSION = 1
MARK = "dpstudio_certificate"


@dataclass(frozen=True)
class Stated:
    """What the steward says, in own words: nothing of it is checked, nothing follows from it."""

    controller: str = ""
    basis: str = ""
    assessment: str = ""
    published: str = ""
    seen: str = ""


LABELS = {
    "controller": N_("Who is answerable"),
    "basis": N_("Legal basis, as stated"),
    "assessment": N_("Assessment, as stated"),
    "published": N_("Exact figures already published"),
    "seen": N_("Exact answers looked at before"),
}


def stated(words: Sequence[str]) -> Stated:
    """What was typed, each as name=words. Raises LedgerError."""
    known, found = [each.name for each in fields(Stated)], dict[str, str]()
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in known:
            text = N_("“{word}” is none of: {known}, each followed by = and words.")
            raise LedgerError(say(text, word=word, known=", ".join(known)))
        found[name] = value.strip()
    return Stated(**found)


def certificate(
    book: Book,
    made: Released,
    said: Stated | None = None,
    base: Fraction | None = None,
    translate: Translate = unchanged,
) -> dict[str, Any]:
    """Of lines that were drawn, its sentences in a language. Raises LedgerError."""
    lines = [(line.question, line.share, line) for line in made.lines]
    says = partial(render, translate=translate)
    held = _held(made.plan, made.state, lines, said or Stated(), made.person, says, base)
    return _sealed(book, held)


def planned_certificate(
    book: Book,
    plan: Plan,
    names: Sequence[str] = (),
    said: Stated | None = None,
    person: str = "",
    translate: Translate = unchanged,
) -> dict[str, Any]:
    """Of lines before they are drawn, without answers: no table is opened for it. Raises
    LedgerError and ParamError."""
    lines = [(question, share, None) for question, share in asked(plan, names)]
    says = partial(render, translate=translate)
    return _sealed(book, _held(plan, book.state(), lines, said or Stated(), person, says))


def _sealed(book: Book, held: dict[str, Any]) -> dict[str, Any]:
    sealed = {**held, "seal": book.seal(said_in(held))}
    return {**sealed, "digest": digest_of(sealed)}


def said_in(held: dict[str, Any]) -> str:
    """SHA-256 of all that a certificate says: what its ledger seals."""
    return _hashed({name: value for name, value in held.items() if name != "seal"})


def digest_of(held: dict[str, Any]) -> str:
    """SHA-256 of all that a certificate says, and of its seal."""
    return _hashed(held)


def _hashed(held: dict[str, Any]) -> str:
    own = {name: value for name, value in held.items() if name != "digest"}
    return hashlib.sha256(canonical(own)).hexdigest()


def certificate_text(held: dict[str, Any]) -> str:
    """The file of a certificate, to the byte."""
    return json.dumps(held, ensure_ascii=False, indent=1) + "\n"


_Lines = Sequence[tuple[Question, Share, Line | None]]
_Says = Callable[[Message], str]


def _held(
    plan: Plan,
    state: State,
    lines: _Lines,
    said: Stated,
    person: str,
    says: _Says,
    base: Fraction | None = None,
) -> dict[str, Any]:
    cost = plan.charge
    return {
        MARK: VERSION,
        "program": __version__,
        "plan": {
            "digest": digest(plan),
            **plan_json(plan)["terms"],
            "person": says(methods.one_person(plan, person)),
            "charged": {
                "epsilon": written(cost.epsilon),
                "delta": written(cost.delta),
                "rho": written(cost.rho),
                "accountant": says(Message(BOUNDS[cost.bound])),
            },
            "person_column": person,
            "protects": [says(each) for each in methods.protects(plan, person)],
        },
        "means": [says(each) for each in means(cost, state)],
        **_eyes(plan, says),
        "ledger": _ledger(state, says),
        "questions": [_question(plan, state, *each, says, base) for each in lines],
        "not_covered": [says(each) for each in _uncovered(plan, lines, state, said)],
        "stated": asdict(said),
    }


def _eyes(plan: Plan, says: _Says) -> dict[str, Any]:
    """Who planned and approved, where that is asked for; who drew stands with each line."""
    if not any(plan.terms.approver):
        return {}
    return {
        "approval": {
            "planned": plan.terms.planner,
            "approved": plan.terms.approval,
            "signature": plan.approved,
            "says": says(approval(plan)),
        }
    }


def _ledger(state: State, says: _Says) -> dict[str, Any]:
    """The promise that is kept, each that came before it and why, and what is spent below it."""
    measure = state.cap.measure
    return {
        "population": state.population,
        **asdict(state.terms),
        "caps": [
            {
                **(promise.cap.to_json() or {}),
                "says": says(promised(promise.cap)),
                "because": promise.reason,
                "spent_by_then": says(told(promise.spent, measure)),
            }
            for promise in state.promises
        ],
        "spent": says(told(state.spent, measure)),
        "spent_exactly": str(state.spent.amount),
        "left": says(told(state.cap.left(state.spent), measure, "down")),
        "hash": state.head,
    }


def _question(
    plan: Plan,
    state: State,
    question: Question,
    share: Share,
    line: Line | None,
    says: _Says,
    base: Fraction | None,
) -> dict[str, Any]:
    reach = question.reach(plan.terms.unit)
    held: dict[str, Any] = {
        "name": question.name,
        "kind": question.key,
        "asks": {says(label): text for label, text in methods.asked(question)},
        "mechanism": says(methods.mechanism(plan, question, share)),
        "noise": share.noise,
        "pays": says(methods.paid(share)),
        "attested_by": question.who or plan.terms.who,
        "from": question.origin or plan.terms.origin,
    }
    if not question.counted:
        held["moved_by"] = {"l1": written(reach.l1), "l2_squared": written(reach.l2_squared)}
    if line is not None:
        cells = line.cells(plan, base)
        entry = next(each for each in state.entries if each.head == line.head)
        withdrawn = state.withdrawn(entry.n)
        held |= {
            "entry": line.head,
            "drawn_at": entry.body["at"],
            **(
                {"snapshot": {**kept, "says": says(say(_SNAPSHOT, **kept))}}
                if (kept := entry.body.get("snapshot"))
                else {}
            ),
            "confirmed_by": entry.body.get("confirmed", ""),
            "withdrawn": withdrawn.body["reason"] if withdrawn else "",
            **({"drawn_by": people["drew"]} if (people := entry.body.get("people")) else {}),
            "interval": [says(each) for each in methods.intervals(plan, cells, base, line.fit)],
            "numbers": [{**asdict(cell), "labels": list(cell.labels)} for cell in cells],
        }
    return held


# Of which state of a table that may change a line was drawn.
_SNAPSHOT = N_(
    "Asked of “{table}” in {engine}, which was opened at {opened}. The table stays there and may "
    "change; how many rows it had is not said."
)


def _uncovered(plan: Plan, lines: _Lines, state: State, said: Stated) -> Iterator[Message]:
    yield from methods.uncovered(plan, [question for question, _, _ in lines])
    if not said.published:
        yield say(
            "Nobody said whether exact figures of these people were published: what those tell "
            "together with these numbers is not covered."
        )
    if not said.seen:
        yield say(
            "The program keeps no list of what was on a screen: whether exact answers of this "
            "table were looked at before bounds, groups or ε were typed is not known here."
        )
    yield say(
        "What was spent and is left is told as it was when this was written: later releases take "
        "from it, and the ledger alone tells what is left then."
    )
    if state.unfixed:
        yield say("The cap was raised after answers: no bound was fixed beforehand for the whole.")
    yield from bare(state)
