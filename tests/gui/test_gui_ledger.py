"""The page of a ledger: a cap is raised and answers are withdrawn with a reason; and the desk under
hands: a double click, a window that is closed while it draws, two windows on one ledger."""

from __future__ import annotations

import threading
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import Open
from hand import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot
from test_gui_release import PLAN, laid, ledger, rest, words

from dpstudio.files.booked.approving import approved, make_key, unapproved
from dpstudio.files.booked.drawing import Draw
from dpstudio.files.ledger import Ledger, ledger_path
from dpstudio.files.ledgers.amounts import EPSILON, RHO, Cap, Terms
from dpstudio.files.ledgers.book import BOOKED, DRAWN, RAISED, Book, make_ledger
from dpstudio.files.plan_file import read_plan_file, write_plan_file
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.publish.plan import editing
from dpstudio.labs.publish.plan.parameters import Planning
from dpstudio.plans.plan import digest
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.values.messages import render


def page_of(studio: Studio, qtbot: QtBot, path: Path) -> Any:
    studio.window.kept.keep_ledger(str(path))
    studio.show_page("explore")
    studio.show_page("ledger")
    wait(qtbot, studio)
    return studio.releasing.ledger_page


def wait(qtbot: QtBot, studio: Studio) -> None:
    rest(qtbot, studio)
    qtbot.waitUntil(lambda: not studio.jobs.busy("change of a ledger"))


def typed(qtbot: QtBot, box: Any, text: str) -> None:
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, text)


def test_a_cap_is_raised_and_an_answer_withdrawn_with_a_reason(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    book = Book(ledger(tmp_path / "l.dpledger"))
    page = page_of(studio, qtbot, book.path)
    changes = page.changes
    assert not changes.to_withdraw.isEnabled()
    changes.to_raise.click()
    assert "before any answer" in words(changes.raised)
    laid(studio, qtbot, tmp_path).offer.pay.click()
    wait(qtbot, studio)
    page_of(studio, qtbot, book.path)
    assert changes.raised.isHidden(), "it meant another ledger"
    changes.to_raise.click()
    assert "made after answers that cost ε = " in words(changes.raised)
    assert not changes.apart.isVisible()
    typed(qtbot, changes.most, "2.5")
    for because, told in (("", "Write down why"), ("asked again", "")):
        typed(qtbot, changes.raised.because, because)
        qtbot.mouseClick(changes.raised.act, Qt.MouseButton.LeftButton)
        wait(qtbot, studio)
        assert changes.raised.isVisible() == bool(told)
        assert told in changes.raised.complaint.text()
    (raised,) = book.state().of(RAISED)
    assert raised.body["reason"] == "asked again"
    assert book.state().cap == Cap(EPSILON, Fraction(5, 2), Fraction(1, 10**5))
    assert "Reason: asked again" in words(page)
    assert "no bound was fixed beforehand" in words(page)
    changes.to_raise.click()
    typed(qtbot, changes.most, "1")
    typed(qtbot, changes.raised.because, "less")
    qtbot.keyClick(changes.raised.act, Qt.Key.Key_Return)
    wait(qtbot, studio)
    assert "can only be raised" in changes.raised.complaint.text()
    typed(qtbot, changes.most, "x")
    changes.raised.act.click()
    assert "is no amount" in changes.raised.complaint.text()
    changes.to_withdraw.click()
    assert changes.raised.isHidden()
    assert "nothing is refunded" in words(changes.withdrawn)
    typed(qtbot, changes.withdrawn.because, "a wrong form")
    changes.withdrawn.act.click()
    wait(qtbot, studio)
    (drawn,) = book.state().of(DRAWN)
    taken = book.state().withdrawn(drawn.n)
    assert taken is not None
    assert (taken.body["reason"], taken.body["by"]) == ("a wrong form", None)
    assert "a wrong form" in words(page.entries)


def test_room_for_other_deltas_is_raised_of_rho_alone(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    cap = Cap(RHO, Fraction(1, 8), Fraction(1, 10**6))
    book = make_ledger(tmp_path / "r.dpledger", "people", Terms(), cap)
    changes = page_of(studio, qtbot, book.path).changes
    changes.to_raise.click()
    assert changes.apart.isVisible()
    typed(qtbot, changes.apart, "1e-6")
    typed(qtbot, changes.raised.because, "others have their own")
    changes.raised.act.click()
    wait(qtbot, studio)
    assert book.state().cap.apart == Fraction(1, 10**6)
    assert book.state().cap.amount == Fraction(1, 8)


def test_no_old_ledger_stands_below_a_complaint(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(studio, qtbot, ledger(tmp_path / "l.dpledger"))
    text = tmp_path / "text.dpledger"
    text.write_text("no ledger" * 999)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(text), ""))
    page.check.click()
    wait(qtbot, studio)
    assert "is no certificate" in words(page.found)
    assert "people" in words(page)
    page.open.click()
    wait(qtbot, studio)
    assert "is no ledger" in page.trouble.text()
    assert "people" not in words(page)
    for part in (page.budget, page.changes):
        assert not part.isVisible()
    page_of(studio, qtbot, tmp_path / "l.dpledger")
    assert page.budget.isVisible()
    assert not page.trouble.isVisible()


def test_what_left_without_a_ledger_of_its_own_is_shown(studio: Studio, qtbot: QtBot) -> None:
    data = studio.store.data
    assert data is not None
    page = page_of(studio, qtbot, ledger_path().with_name("none"))
    page.to_own.click()
    wait(qtbot, studio)
    assert "no cap" in words(page)
    Ledger(ledger_path()).draws_of(data).draw(["x"], Guarantee(0.3, 2.0**-1000), lambda *_: 1)
    page = page_of(studio, qtbot, ledger_path())
    said = words(page)
    assert "Paid: export" in said
    assert "ε = 0.3 with δ = 9.333·10⁻³⁰²" in said
    assert not page.budget.isVisible()
    assert not page.changes.isVisible()


def twice(qtbot: QtBot, button: Any) -> None:
    """The events of a double click."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(button, Qt.MouseButton.LeftButton)


def test_a_double_click_pays_and_draws_once(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the first click has not come to its end as the second comes."""
    book, go_on = Book(ledger(tmp_path / "l.dpledger")), threading.Event()
    make, made = Draw.make, list[int]()

    def slow(self: Draw, chance: Any) -> Any:
        made.append(1)
        assert go_on.wait(60)
        return make(self, chance)

    monkeypatch.setattr(Draw, "make", slow)
    desk = laid(studio, qtbot, tmp_path)
    pay = desk.offer.pay
    twice(qtbot, pay)
    qtbot.waitUntil(lambda: bool(made))
    twice(qtbot, pay)
    qtbot.keyClick(pay, Qt.Key.Key_Space)
    assert "Paying" in words(desk.offer)
    go_on.set()
    wait(qtbot, studio)
    assert len(made) == 1
    assert [len(book.state().of(kind)) for kind in (BOOKED, DRAWN)] == [1, 1]


def test_a_window_that_is_closed_in_the_middle_of_a_draw_keeps_it(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window waits for the transaction that is under way, and begins no other."""
    book, within, make = Book(ledger(tmp_path / "l.dpledger")), threading.Event(), Draw.make

    def slow(self: Draw, chance: Any) -> Any:
        within.set()
        threading.Event().wait(0.3)
        return make(self, chance)

    monkeypatch.setattr(Draw, "make", slow)
    studio = open_window()
    rest(qtbot, studio)
    desk = laid(studio, qtbot, tmp_path)
    qtbot.mouseClick(desk.offer.pay, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(within.is_set)
    studio.unsaved.discard()
    assert studio.window.close()
    assert [entry.body["kind"] for entry in book.state().entries] == ["made", "booked", "drawn"]


def test_two_windows_on_one_ledger_spend_once_and_not_over_its_cap(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    """Each looked before either paid: the same line is given once more for nothing, another plan is
    refused where no budget is left for it."""
    book = Book(ledger(tmp_path / "l.dpledger", PLAN.charge.epsilon))
    other = replace(PLAN, questions=PLAN.questions[:1], split=PLAN.split[:1])
    studios, plans = [open_window(), open_window(), open_window()], (PLAN, PLAN, other)
    desks = []
    for i, (studio, plan) in enumerate(zip(studios, plans, strict=True)):
        (tmp_path / str(i)).mkdir()
        rest(qtbot, studio)
        studio.window.kept.keep_ledger(str(book.path))
        desks.append(laid(studio, qtbot, tmp_path, plan))
    for studio, desk in zip(studios, desks, strict=True):
        qtbot.mouseClick(desk.offer.pay, Qt.MouseButton.LeftButton)
        wait(qtbot, studio)
    assert [len(book.state().of(kind)) for kind in (BOOKED, DRAWN)] == [1, 1]
    assert "costs nothing more" in desks[1].trouble.text()
    assert "published" in words(desks[1].numbers)
    for studio in studios:
        studio.unsaved.discard()
        studio.window.close()


def test_the_desk_says_whose_approval_there_is(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan from a file; of one that is changed since, nothing can be paid. It is approved there
    by the key that it names, which its file keeps; nothing where another plan lies in that."""
    key = make_key(tmp_path / "ada.pem")
    ledger(tmp_path / "l.dpledger")
    plan = replace(PLAN, terms=PLAN.terms.with_(approval=f"Ada Lovelace {key}"))
    desk = laid(studio, qtbot, tmp_path, plan)
    assert "must be approved by Ada Lovelace" in words(desk.missing)
    assert digest(plan)[:16] in words(desk.missing)
    assert not desk.offer.pay.isVisible()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "bo.pem"), ""))
    desk._go("key")
    assert QGuiApplication.clipboard().text() in desk.trouble.text()

    def approve(name: str) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / name), ""))
            desk.ways["approve"].click()
        rest(qtbot, studio)

    path = tmp_path / "plan.json"
    approve("bo.pem")  # not the one that is named
    assert "this is the key" in desk.trouble.text()
    write_plan_file(path, PLAN)
    approve("ada.pem")
    assert "holds another plan by now" in desk.trouble.text()
    assert read_plan_file(path) == PLAN
    write_plan_file(path, plan)
    approve("ada.pem")
    assert "Approved by Ada Lovelace" in desk.approval.text()
    assert unapproved(read_plan_file(path)) is None
    assert desk.offer.pay.isVisible()
    desk = laid(studio, qtbot, tmp_path, approved(plan, tmp_path / "ada.pem"))
    assert "Approved by Ada Lovelace" in desk.approval.text()
    assert "no access control" in desk.approval.text()
    assert desk.offer.pay.isVisible()
    laid(studio, qtbot, tmp_path)
    assert not desk.approval.isVisible()


def test_a_plan_is_approved_where_it_is_planned(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key is made for who must approve it, what is signed is shown, another key is refused, and
    the approval is of this very plan: it goes with it to the desk and to its file, and is void
    after any change, as that itself undoes."""
    studio.show_page("plan")
    edit(studio, before=(), after=(), find="least", purpose="look", population="People")
    button = next(b for b in studio.panel.findChildren(QPushButton) if "with a key" in b.text())
    button.click()
    assert "nobody approves it" in studio.window.message.text.text()
    edit(studio, purpose="release", who="the steward", origin="the form", planner="Bo")
    button.click()
    sheet = studio.releasing._sheet
    assert not sheet.does.isEnabled()
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_: (str(tmp_path / "ada.pem"), ""))
    sheet.make.click()
    assert "Write who" in words(sheet)
    sheet.who.setText("Ada Lovelace")
    sheet.make.click()
    assert "must be approved by Ada Lovelace" in words(sheet)
    made = make_key(tmp_path / "bo.pem")
    assert made not in studio.store.lab.approval
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "bo.pem"), ""))
    sheet.does.click()
    assert "this is the key" in words(sheet)
    assert not studio.store.lab.approved
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "ada.pem"), ""))
    sheet.does.click()
    plan = editing.leaving(studio.store.lab)
    assert digest(plan) in words(sheet).replace(" ", "")
    assert "Approved by Ada Lovelace" in words(sheet)
    assert "“People”" in words(sheet)
    assert unapproved(plan) is None
    assert not sheet.does.isEnabled()
    sheet.back.click()
    again = editing.read(Planning(), editing.text_of(studio.store.lab))
    assert editing.leaving(again) == plan

    def said() -> str:
        settle(qtbot, studio)
        return render(studio.findings.sentence("approval").say)

    assert "stands with it" in said()
    edit(studio, confidence=0.9)
    assert "was changed since" in said()
    assert unapproved(editing.leaving(studio.store.lab)) is not None
    studio.undo()
    assert "stands with it" in said()
    studio.releasing.take(editing.text_of(studio.store.lab))
    rest(qtbot, studio)
    assert "Approved by Ada Lovelace" in studio.releasing.desk.approval.text()
    studio.show_page("plan")
    edit(studio, confidence=0.9)
    studio.releasing.take(editing.text_of(studio.store.lab))
    rest(qtbot, studio)
    assert "changed since" in words(studio.releasing.desk.missing)


def edit(studio: Studio, **changes: Any) -> None:
    studio.store.edit(studio.store.lab.with_(**changes))


def test_what_leaves_of_the_open_table_is_booked_where_a_person_says(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """In that of the user, then here, and in that of the user again."""
    page = page_of(studio, qtbot, ledger(tmp_path / "l.dpledger"))
    assert "booked without a cap" in page.of_table.text()
    page.of_this.click()
    wait(qtbot, studio)
    assert "booked without a cap" in page.of_table.text()  # one click tied the example to it
    assert page.means.text().startswith("“adult” is an example of this program, and no table")
    page.not_now.click()
    assert not page.asked.isVisible()
    page.of_this.click()
    page.book.click()
    wait(qtbot, studio)
    assert page.of_table.text() == "What leaves of “adult” is booked here."
    assert not page.of_this.isVisible()
    page.to_own.click()
    wait(qtbot, studio)
    assert "l.dpledger" in page.of_table.text()
    page.of_this.click()
    page.book.click()
    wait(qtbot, studio)
    assert "is booked here" in page.of_table.text()
    page_of(studio, qtbot, tmp_path / "l.dpledger")
    assert page.of_this.isVisible()
    said = f"“adult” was booked in {tmp_path / 'l.dpledger'} too"
    assert said not in words(page)
    page_of(studio, qtbot, ledger(tmp_path / "m.dpledger"))
    assert said in words(page)
    (tmp_path / "desk").mkdir()
    ledger(tmp_path / "desk" / "l.dpledger")
    desk = laid(studio, qtbot, tmp_path / "desk")
    assert said in desk.trouble.text()
    assert desk.offer.pay.isVisible()
