"""A ledger in words: whom it is about, its caps, what was spent and is left, and each of its
entries. No name under its key is in them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpstudio.files.booked.approving import seen
from dpstudio.files.ledgers.amounts import EPSILON, NOTHING, PERSON_MONTH, Spent, promised, told
from dpstudio.files.ledgers.book import (
    BOOKED,
    DRAWN,
    MADE,
    NAMED,
    RAISED,
    RECORDED,
    TAKEN,
    WITHDRAWN,
    Standing,
    State,
)
from dpstudio.files.ledgers.chained import Entry
from dpstudio.plans.charge import Charge
from dpstudio.privacy.neighbours.attacker import right_of_100
from dpstudio.values.messages import N_, Message, Num, listed, named, plain, say

_TENTHS = 1000  # of a percent, that shares of a cap are told in
KINDS = {  # of entries
    MADE: N_("Opened"),
    BOOKED: N_("Paid"),
    DRAWN: N_("Published"),
    RAISED: N_("Cap raised"),
    WITHDRAWN: N_("Withdrawn"),
    RECORDED: N_("Left without an ε"),
    NAMED: N_("Ledger of a table"),
    TAKEN: N_("Drawn before"),
}
_NEAR = {"replace": N_("one is replaced"), "add_remove": N_("one is added or removed")}
_UNIT = N_("One unit is a {unit}; tables are neighbours where {near}.")
_MONTHS = N_("One unit is a {unit}, made for {n} of them; tables are neighbours where {near}.")
_OWN_NAME = N_("What left of tables without a ledger of their own")
_OWN = N_(
    "It has no cap and is about no one population: what each table cost is added up by itself, "
    "where it leaves."
)
_BARE = N_(
    "{n} {n:table|tables} left without an ε: what {n:it tells|they tell} is in no sum and below no "
    "cap."
)
_RAISED = N_("Cap: {cap}, raised after {spent} was spent. Reason: {why}")


def titled(state: State) -> Message:
    """Whom a ledger is about."""
    return say(_OWN_NAME) if state.cap.none else plain(state.population)


def heads(state: State) -> Iterator[Message]:
    """Who is protected, which caps were promised and why, what is spent, and what is left."""
    yield from fixed(state)
    if state.cap.none:
        return
    measure = state.cap.measure
    yield say("Spent: {amount}", amount=told(state.spent, measure))
    yield say("Left: {amount}", amount=told(state.cap.left(state.spent), measure, "down"))


def fixed(state: State) -> Iterator[Message]:
    """Who is protected, and which caps were promised and why."""
    if state.cap.none:
        yield say(_OWN)
        return
    terms = state.terms
    text = _MONTHS if terms.unit == PERSON_MONTH else _UNIT
    near = Message(_NEAR[terms.adjacency])
    values = {"unit": named(terms.unit), "near": near}
    yield Message(text, values | ({"n": plain(str(terms.periods))} if text == _MONTHS else {}))
    for promise in state.promises:
        spent = told(promise.spent, promise.cap.measure)
        text = _RAISED if promise.reason else N_("Cap: {cap}")
        more = {"spent": spent, "why": plain(promise.reason)} if promise.reason else {}
        yield Message(text, {"cap": promised(promise.cap), **more})
    if state.unfixed:
        yield say("The cap was raised: no bound was fixed beforehand for the whole.")
    yield from bare(state)


def bare(state: State) -> Iterator[Message]:
    """What no sum counts."""
    if left := state.of(RECORDED):
        yield say(_BARE, n=Num(len(left)))


def raising(state: State) -> Message:
    """What it means to raise the cap now."""
    if state.spent == NOTHING:
        return say(
            "Nothing was booked yet: the new cap, too, is fixed before any answer. Both caps and "
            "the reason stay in the ledger and in each certificate."
        )
    spent = told(state.spent, state.cap.measure)
    return say(
        "A raised cap is a new promise, made after answers that cost {spent}. Both caps, the "
        "reason and that sum stay in the ledger and in each certificate, which says that no bound "
        "was fixed beforehand for the whole.",
        spent=spent,
    )


def withdrawing() -> Message:
    """What it means to withdraw an answer."""
    return say(
        "What was published cannot be taken back, and nothing is refunded. The ledger keeps the "
        "answer and the reason; certificates that are written or verified from now on say so."
    )


def cost(state: State, entry: Entry) -> Message:
    """What an entry booked, and who planned, approved and drew it, where that is noted."""
    amount, people = told(state.priced(entry), state.cap.measure), entry.body.get("people")
    return say("{cost}. {people}", cost=amount, people=seen(people)) if people else amount


def what(state: State, entry: Entry) -> Message:
    """What an entry holds, after its kind; nothing of the first."""
    body = entry.body
    if body["kind"] == BOOKED:
        names = listed(name for name, _ in body["lines"])
        return say("{names}: {cost}", names=names, cost=cost(state, entry))
    if body["kind"] == TAKEN:
        return told(state.priced(entry), state.cap.measure)
    if body["kind"] in (RECORDED, NAMED):
        return plain(body["name" if body["kind"] == RECORDED else "ledger"])
    if body["kind"] == DRAWN:
        text = N_("{name}, paid for in entry {n}")
        return say(text, name=plain(body["name"]), n=plain(str(body["booked"])))
    if body["kind"] == WITHDRAWN:
        text = N_("entry {n}. Reason: {why}")
        if body["by"]:
            text = N_("entry {n}, superseded by entry {by}. Reason: {why}")
        values = {"n": str(body["of"]), "why": body["reason"], "by": str(body["by"])}
        used = {name: plain(each) for name, each in values.items() if f"{{{name}}}" in text}
        return Message(text, used)
    return plain(body["reason"]) if body["kind"] == RAISED else Message("")


def means(cost: Charge, state: State) -> Iterator[Message]:
    """What a plan does to one person, by the promise alone, and what would do more. A cap on months
    of a person bounds nothing of all of them."""
    text, held = N_("An even guess about one person is right at most {plan} times in 100."), {}
    if not state.cap.none and state.terms.unit != PERSON_MONTH:
        text = N_(
            "An even guess about one person is right at most {plan} times in 100 by this plan "
            "alone, and at most {cap} by all that the cap lets through; chance alone has 50 right."
        )
        held = {"cap": Num(right_of_100(*map(float, state.cap.promise)))}
    yield say(text, plan=Num(right_of_100(float(cost.epsilon), float(cost.delta))), **held)
    yield say(
        "Whatever is published about these people from now on belongs into this ledger: exact "
        "figures, or what another ledger lets through, can tell more of them than that."
    )


@dataclass(frozen=True)
class Parts:
    """The parts of a cap, which add up to 1: what was spent, what is to be paid now, what is left;
    of ε, or of ρ."""

    spent: Fraction
    now: Fraction
    left: Fraction


def parts(state: State, price: Spent) -> Parts:
    """Of what the cap counts; of what is over it nothing is left."""
    whole = state.cap.amount
    spent, now = state.spent.amount / whole, price.amount / whole
    return Parts(spent, now, max(Fraction(0), 1 - spent - now))


def asking_less(standing: Standing) -> Message:
    """The way on for a plan that the budget does not hold, with what it may cost at most, where
    more was asked of what the cap counts."""
    measure = standing.state.cap.measure
    left = standing.state.cap.left(standing.state.spent).amount
    if not 0 < left < standing.price.amount:
        return say("To the page Plan")
    text = N_("Ask for less: ε at most {left}")
    if measure != EPSILON:
        text = N_("Ask for less: ρ at most {left}")
    return say(text, left=Num(float(left), 4, "down"))


def takes(standing: Standing) -> Message:
    """What paying would take of the budget, for a headline."""
    if standing.paid is not None:
        return say("The plan is paid for: each of its lines costs nothing more.")
    if standing.refused is not None:
        return say("The budget does not hold this plan.")
    found = parts(standing.state, standing.price)
    # On one grid, so that the two never add up to more than there is.
    taken = Fraction(math.ceil(found.now * _TENTHS), _TENTHS)
    now = Num(float(taken), 3, percent=True)
    text = N_("The plan takes {now} of ε and leaves {left}.")
    if standing.state.cap.measure != EPSILON:
        text = N_("The plan takes {now} of ρ and leaves {left}.")
    if found.left < Fraction(1, _TENTHS):
        text = N_("The plan takes {now} of ε and leaves less than 0.1 %.")
        if standing.state.cap.measure != EPSILON:
            text = N_("The plan takes {now} of ρ and leaves less than 0.1 %.")
        return say(text, now=now)
    left = Fraction(math.floor(found.left * _TENTHS), _TENTHS)
    return say(text, now=now, left=Num(float(left), 3, percent=True))
