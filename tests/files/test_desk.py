"""What the release desk is told before anything is paid: the refusals of the release itself, what the
plan takes of the budget, and what the ledger holds already."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from test_booked_release import PLAN, TABLE, TOLD, ledger

from dpstudio.files.booked import releasing
from dpstudio.files.booked.releasing import Desk, Looked, Source, answered, looked
from dpstudio.files.booked.telling import parts, takes
from dpstudio.files.ledgers.amounts import EPSILON, Cap, LedgerError, Terms
from dpstudio.files.ledgers.book import Book, make_ledger
from dpstudio.files.read.choices import Choices
from dpstudio.plans.plan import Plan
from dpstudio.plans.question import Count
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError

SOURCE = Source(TABLE)
FEW = Plan(TOLD, PLAN.questions[:3], PLAN.split[:3])


def seen(plan: Plan | None, book: Book | None, where: str = "adult") -> Looked:
    """The table of `SOURCE` under the name of one whose reading is told."""
    return looked(plan, book, where, Choices(), "", SOURCE)


def test_what_is_missing_is_said_by_what_refuses_it(tmp_path: Path) -> None:
    """Each with where it is mended; nothing is spent by looking."""
    book = ledger(tmp_path)
    found = seen(None, None, "")
    assert [each.of for each in found.missing] == ["plan", "table", "ledger"]
    assert [each.of for each in seen(FEW, book, "own.csv").missing] == ["reading"]
    months = Plan(TOLD.with_(rows=3), FEW.questions, FEW.split)
    assert seen(months, book).missing[0].of == releasing.PERSONS
    other = make_ledger(tmp_path / "o", "people", Terms(), Cap(EPSILON, Fraction(9)))
    words = Count(name="words", where="g = u")  # of what the plan calls a number
    numbers = Plan(TOLD.with_(types="g: number"), (words,), FEW.split[:1])
    plans = (replace(FEW, split=()), FEW, numbers)
    for plan, at in zip(plans, (book, other, book), strict=True):
        (first, *_), spent = seen(plan, at).missing, at.state().spent
        with pytest.raises((LedgerError, ParamError)) as refused:
            Desk(at).release(plan, SOURCE)
        assert str(refused.value).endswith(render(first.why))
        assert at.state().spent == spent


def test_all_that_is_missing_is_said_at_once(tmp_path: Path) -> None:
    """What the plan, the table and the ledger refuse stand beside each other: nothing waits until
    something else is mended."""
    other = make_ledger(tmp_path / "o", "people", Terms(), Cap(EPSILON, Fraction(9)))
    words = Count(name="words", where="g = u")  # of what the plan calls a number
    often = Count(name="often", times=2)
    shares = (*FEW.split[:1], *FEW.split[:1])
    plan = Plan(TOLD.with_(types="g: number", rows=3), (words, often), shares)
    found = seen(plan, other)
    assert [each.of for each in found.missing] == [releasing.PERSONS, "plan", "ledger"]
    assert "often" in render(found.missing[1].why)
    numbers = Plan(TOLD.with_(types="g: number"), (words,), shares[:1])
    assert [each.of for each in seen(numbers, None).missing] == ["ledger", "table"]
    assert seen(FEW, None).source is SOURCE  # once opened it is not opened anew
    assert not seen(FEW, None).ready


def test_what_it_costs_is_known_before_and_paid_after(tmp_path: Path) -> None:
    """What is said beforehand is what the ledger then has; a line that was drawn before is given as
    the release gives it again."""
    book = ledger(tmp_path)
    before = seen(FEW, book)
    assert before.ready
    assert before.standing is not None
    assert answered(before) is None
    made = Desk(book).release(FEW, SOURCE, ["count", "groups"])
    cap, spent = made.state.cap, made.state.spent
    assert before.standing.left == cap.left(spent)
    found = parts(before.standing.state, before.standing.price)
    assert found.now == spent.amount / cap.amount
    assert found.spent + found.now + found.left == 1
    # Nothing was spent before, so that what it takes and what it leaves are all, to the last digit.
    took, left = re.findall(r"([0-9.]+) %", render(takes(before.standing)))
    assert Fraction(took) + Fraction(left) == 100
    assert Fraction(took) / 100 >= found.now
    after = seen(FEW, book)
    assert after.standing is not None
    assert after.standing.left == before.standing.left
    again = Desk(book).release(FEW, SOURCE, ["count", "groups"])
    kept = answered(after)
    assert kept is not None
    assert [replace(line, told=()) for line in again.lines] == list(kept.lines)
    assert kept.state == again.state
    assert "costs nothing more" in render(takes(after.standing))


def test_a_budget_that_is_too_small_is_said_before(tmp_path: Path) -> None:
    small = Cap(EPSILON, FEW.charge.epsilon - Fraction(1, 10**9), Fraction(1, 100))
    book = make_ledger(tmp_path / "s", "people", Terms(adjacency="replace"), small)
    found = seen(FEW, book)
    assert not found.ready
    assert found.standing is not None
    with pytest.raises(LedgerError) as refused:
        Desk(book).release(FEW, SOURCE)
    assert render(found.missing[0].why) == str(refused.value)
    assert "does not hold" in render(takes(found.standing))
