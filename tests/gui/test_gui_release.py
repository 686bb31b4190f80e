"""The release desk in the window: what is missing is said with the way there, one act pays and
publishes, and what is saved is what the command line writes of the same draws."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import Open
from hand import settle
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpstudio import cli
from dpstudio.data.codebook import EMPTY, MERGED, About
from dpstudio.files.booked import releasing
from dpstudio.files.booked.drawing import Draw
from dpstudio.files.ledgers.amounts import EPSILON, Cap, Terms, told
from dpstudio.files.ledgers.book import BOOKED, DRAWN, Book, make_ledger
from dpstudio.files.plan_file import write_plan_file
from dpstudio.gui.parts.buttons import Words, push
from dpstudio.gui.parts.tr import shown
from dpstudio.gui.shell.release import door
from dpstudio.gui.shell.release.budget import exactly
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.panel import TO_PLAN
from dpstudio.labs.worded import lab_of_words
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.plan import Terms as PlanTerms
from dpstudio.plans.question import GAUSSIAN, LAPLACE, ByGroup, Count, TwoWay

TOLD = PlanTerms(who="the steward", origin="the form")
TABLE = TwoWay(
    name="Income by sex",
    column="income",
    groups=("<=50K", ">50K"),
    other="sex",
    other_groups=("Female", "Male"),
)
PLAN = Plan(
    TOLD,
    (Count(name="Over 50", where="age > 50"), TABLE),
    (Share(LAPLACE, Fraction(1, 10)), Share(GAUSSIAN, Fraction(1, 100))),
)


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same draws each time: the system's are not."""
    monkeypatch.setattr(releasing.secrets, "randbelow", random.Random(7).randrange)


def rest(qtbot: QtBot, studio: Studio) -> None:
    """Wait until the desk has looked and written."""
    settle(qtbot, studio)
    qtbot.waitUntil(lambda: not studio.jobs.busy("desk", "release", "ledger", "certificate"))


def ledger(path: Path, most: Fraction = Fraction(2)) -> Path:
    make_ledger(path, "people", Terms(adjacency="replace"), Cap(EPSILON, most, Fraction(1, 10**5)))
    return path


def laid(studio: Studio, qtbot: QtBot, folder: Path, plan: Plan = PLAN) -> Any:
    """The desk with a plan and a ledger from files."""
    studio.window.kept.keep_ledger(str(folder / "l.dpledger"))
    write_plan_file(folder / "plan.json", plan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(folder / "plan.json"), ""))
        studio.show_page("release")
        studio.releasing.desk._go("open")
    rest(qtbot, studio)
    return studio.releasing.desk


def words(page: Any) -> str:
    return " ".join(one.text() for one in page.findChildren(QLabel) if one.isVisible())


def verified(
    studio: Studio, qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """What the page of the ledger says of a certificate, as it is and with one more byte."""
    page, said = studio.releasing.ledger_page, []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    for more in (b"", b" "):
        path.write_bytes(path.read_bytes() + more)
        page.check.click()
        rest(qtbot, studio)
        said.append(words(page.found))
    return said[0], said[1]


def test_one_act_writes_what_the_command_line_writes(
    studio: Studio,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    chance: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """To the byte, but for the ledger's own hashes and the time; nothing is published before."""
    book = Book(ledger(tmp_path / "l.dpledger"))
    desk = laid(studio, qtbot, tmp_path)
    assert len(book.state().entries) == 1
    assert not desk.certificate.isVisible()
    assert "leaves" in desk.offer.headline.text()
    assert desk.budget.bar.toolTip().endswith("of ε is left.")
    desk.offer.all.click()
    rest(qtbot, studio)
    assert [e.body["name"] for e in book.state().of(DRAWN)] == ["Over 50", "Income by sex"]
    said = words(desk.numbers)
    out = tmp_path / "window"
    out.mkdir()
    monkeypatch.setattr(door, "asked_folder", lambda *_: str(out))
    desk.certificate.save.click()
    rest(qtbot, studio)
    monkeypatch.setattr(releasing.secrets, "randbelow", random.Random(7).randrange)
    ledger(tmp_path / "c.dpledger")
    call = ["release", str(tmp_path / "plan.json"), "--ledger", str(tmp_path / "c.dpledger")]
    assert cli.main([*call, "--data", "adult", "--out", str(tmp_path / "cli")]) == 0
    capsys.readouterr()
    here, there = ({p.name: p for p in (tmp_path / at).iterdir()} for at in ("window", "cli"))
    assert {*here} - {"certificate.pdf"} == {*there}
    for name in there:
        if not name.startswith("certificate"):
            assert here[name].read_bytes() == there[name].read_bytes()
    assert cli.main(["verify", str(here["certificate.pdf"]), "--ledger", str(book.path)]) == 0
    value = here["over-50.csv"].read_text().splitlines()[1].split(",")[0]
    assert f"{int(value):,}" in said
    half, part = re.search(rf"{int(value):,} ±(\d+) ±([\d.]+)\s%", said).groups()  # type: ignore
    assert int(half) <= float(part) * int(value) / 100 < 1.1 * int(half)
    desk.certificate.save.click()  # the same folder once more
    rest(qtbot, studio)
    assert "not written over" in desk.trouble.text()


def test_numbers_are_finished_as_on_the_command_line(
    studio: Studio,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    chance: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Fitted and rounded, of the same draws: on the desk, in the tables and in the certificate."""
    book = Book(ledger(tmp_path / "l.dpledger"))
    by_sex = ByGroup(name="By sex", column="sex", groups=("Female", "Male"))
    plan = Plan(TOLD, (by_sex, *PLAN.questions), (PLAN.split[0], *PLAN.split))
    desk = laid(studio, qtbot, tmp_path, plan)
    assert not desk.finishing.isVisible()
    before, call = tmp_path / "before", ["--ledger", str(book.path), "--data", "adult"]
    call = ["release", str(tmp_path / "plan.json"), *call]
    before.mkdir()
    monkeypatch.setattr(door, "asked_folder", lambda *_: str(before))
    desk.offer.before.click()
    rest(qtbot, studio)
    assert cli.main([*call, "--without-answers", "--out", str(tmp_path / "planned")]) == 0
    name = "certificate.json"
    assert (before / name).read_bytes() == (tmp_path / "planned" / name).read_bytes()
    desk.offer.all.click()
    rest(qtbot, studio)
    entries = len(book.state().entries)
    desk.finishing.fit.click()
    desk.finishing.base.setText("0")
    desk.finishing.base.editingFinished.emit()
    assert "above 0" in desk.finishing.complaint.text()
    desk.finishing.base.setText("5")
    desk.finishing.base.editingFinished.emit()
    rest(qtbot, studio)
    assert "least squares" in words(desk.numbers)
    assert "whole steps of 5" in words(desk.numbers)
    out = tmp_path / "window"
    out.mkdir()
    monkeypatch.setattr(door, "asked_folder", lambda *_: str(out))
    desk.certificate.save.click()
    rest(qtbot, studio)
    call += ["--least-squares", "--base", "5", "--out", str(tmp_path / "cli")]
    assert cli.main(call) == 0
    capsys.readouterr()
    assert len(book.state().entries) == entries
    for there in (tmp_path / "cli").iterdir():
        here = (out / there.name).read_bytes()
        assert here == there.read_bytes() or there.stem == "certificate"
        assert b"least squares" in here or "over-50" in there.name
    lines = (out / "by-sex.csv").read_text().splitlines()[1:]
    assert all(int(line.split(",")[1]) % 5 == 0 for line in lines)


def test_what_is_missing_has_a_way_there(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without plan and ledger; a ledger is made with what the plan needs; then it may be paid."""
    studio.show_page("release")
    rest(qtbot, studio)
    desk = studio.releasing.desk
    assert {"open", "write", "ledger", "new"} == {*desk.ways}
    assert studio.window.top.isHidden()
    assert studio.window.nav.isHidden()
    lab = lab_of_words(
        ["plan", "purpose=release", "find=worst", "adjacency=replace", "who=me", "origin=a form"]
    )
    studio.store.turn_to(lab)
    desk.ways["write"].click()
    qtbot.waitUntil(lambda: studio.page == TO_PLAN.to)
    assert not studio.window.top.isHidden()
    rest(qtbot, studio)
    (button,) = (
        b for b in studio.window.findChildren(QPushButton) if b.text().startswith("Release this")
    )
    studio.store.set("who", "")
    rest(qtbot, studio)
    button.click()
    sheet = studio.releasing._lacking
    assert sheet.isVisible()
    assert "Nobody attests" in " ".join(part.text() for part in sheet.findChildren(QLabel))
    (way,) = sheet.ways
    way.click()
    assert not sheet.isVisible()
    assert studio.panel.field("who").isAncestorOf(studio.window.focusWidget())
    studio.store.set("who", "the steward")
    studio.store.set("population", "all who were asked")
    rest(qtbot, studio)
    button.click()
    assert not sheet.isVisible()
    rest(qtbot, studio)
    assert {*desk.ways} == {"ledger", "new"}
    desk.ways["new"].click()
    assert desk.form.population.text() == "all who were asked"
    desk.form.population.clear()
    desk.form.make.click()
    assert "population" in desk.form.complaint.text()
    path = tmp_path / "new.dpledger"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    desk.form.population.setText("all who were asked")
    desk.form.make.click()
    rest(qtbot, studio)
    assert not desk.missing.isVisible() or not desk.ways
    assert desk.offer.pay.isVisible()
    assert Book(path).state().terms.adjacency == "replace"


def test_spellings_that_are_merged_on_the_screen_are_apart_in_what_leaves(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """Said at the desk, where the plan asks about that column."""
    ledger(tmp_path / "l.dpledger")
    for column, said in (("race", False), ("income", True)):
        studio.store.describe(EMPTY.with_about(column, About(type=MERGED)))
        settle(qtbot, studio)
        assert ("merged for looking" in words(laid(studio, qtbot, tmp_path))) == said


def test_one_row_a_person_is_one_row_of_each(
    studio: Studio, qtbot: QtBot, tmp_path: Path, chance: None
) -> None:
    """Where the table tells a column that says whose row it is, a plan of one row a person leaves
    the others out, as one of two does: of all rows at most one counts for each of its words."""
    ledger(tmp_path / "l.dpledger")
    studio.store.describe(EMPTY.with_person("native-country"))
    settle(qtbot, studio)
    plan = Plan(TOLD, (Count(name="All rows"),), (Share(LAPLACE, Fraction(1)),))
    assert plan.terms.rows == 1
    desk = laid(studio, qtbot, tmp_path, plan)
    assert desk.person_row.isVisible()
    assert desk.person.currentText() == desk.seen.given.person == "native-country"
    desk.offer.pay.click()
    rest(qtbot, studio)
    (entry,) = Book(tmp_path / "l.dpledger").state().of(DRAWN)
    ((count,),) = (held["drawn"] for held in entry.body["answer"])
    assert count < 41 + 40  # of 32,561 rows one for each of 41 countries, and noise of scale 1


NEW = re.compile(r"\b(\d+:)?[0-9a-f]{14,64}\b|\d{4}-\d\d-\d\d(T[\d:+]+)?|base64,[A-Za-z0-9+/=]+")


def test_the_desk_says_and_writes_the_same_of_neighbouring_tables(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one row a person, whom the plan names by a column: one person is replaced, with all of
    their rows. All that is on the desk, the certificate before, and what is saved after are the
    same where the same is drawn, but for keyed hashes and the time."""
    terms = TOLD.with_(epsilon=20, whose="id", person="a patient")
    asked = (
        Count(name="Old", where="age > 50"),
        ByGroup(name="Sex", column="sex", groups=("F", "M")),
    )
    plan, drawn = Plan(terms, asked, (Share(LAPLACE, Fraction(1)),) * 2), dict[str, Any]()
    made, heard = Draw.make, dict[str, list[str]]()
    monkeypatch.setattr(
        Draw, "make", lambda d, chance: drawn.setdefault(d._question.name, made(d, chance))
    )
    for side, theirs in (("a", "51,F"), ("b", "23,M")):
        folder, texts = tmp_path / side, list[str]()
        folder.mkdir()
        monkeypatch.setenv("DPSTUDIO_LEDGER", str(folder / "own"))  # another machine, as it were
        rows = [f"{i % 20},{theirs if i % 20 == 7 else ('61,M', '40,F')[i % 2]}" for i in range(60)]
        (folder / "own.csv").write_text("\n".join(["id,age,sex", *rows, ""]))
        ledger(folder / "l.dpledger", Fraction(20))
        studio = open_window(str(folder / "own.csv"))
        desk = laid(studio, qtbot, folder, plan)
        assert (desk.person.currentText(), desk.person.isEnabled()) == ("id", False)
        for act, out in (
            (desk.ways["tell"], "none"),
            (desk.offer.before, "before"),
            (desk.offer.all, "none"),
            (desk.certificate.save, "after"),
        ):
            to = str(folder / out)
            (folder / out).mkdir(exist_ok=True)
            monkeypatch.setattr(door, "asked_folder", lambda *_, to=to: to)
            act.click()
            rest(qtbot, studio)
            texts += [
                words(desk),
                *(p.read_text() for p in sorted((folder / out).glob("*.[hjct]*"))),
            ]
        heard[side] = [NEW.sub("…", text.replace(str(folder), "")) for text in texts]
    assert len(heard["a"]) > 9
    assert heard["a"] == heard["b"]


def test_how_a_file_is_read_is_shown_before_it_is_told(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    """The line stands beside the button; then nothing of the reading is missing."""
    ledger(tmp_path / "l.dpledger")
    rows = "age,income,sex\n" + "51,<=50K,Male\n49,>50K,Female\n" * 20
    (tmp_path / "own.csv").write_text(rows)
    studio = open_window(str(tmp_path / "own.csv"))
    desk = laid(studio, qtbot, tmp_path)
    assert "Column types “age: integer, income: words" in words(desk.missing)
    desk.ways["tell"].click()
    rest(qtbot, studio)
    assert desk.offer.pay.isVisible()


def test_refused_states_are_sentences(studio: Studio, qtbot: QtBot, tmp_path: Path) -> None:
    """A budget that is too small; nothing can be paid then, and a ledger that is none is told."""
    ledger(tmp_path / "l.dpledger", Fraction(1, 100))
    desk = laid(studio, qtbot, tmp_path)
    assert "does not hold" in desk.offer.headline.text()
    assert "Nothing was drawn" in words(desk.missing)
    assert not desk.offer.pay.isVisible()
    assert [*desk.ways] == ["write"], "no second ledger on the same people"
    assert desk.ways["write"].text() == "Ask for less: ε at most 0.01"
    assert "left now: too little ε = 0.01 " in words(desk.budget)
    assert desk.budget.bar.toolTip() == "100 % of ε is left."
    (tmp_path / "other").write_text("no ledger")
    studio.releasing._use(tmp_path / "other")
    rest(qtbot, studio)
    assert "is no ledger of this program" in words(desk.missing)


def test_by_keys_alone(studio: Studio, qtbot: QtBot, tmp_path: Path, chance: None) -> None:
    """Arrows go between lines, Enter pays, Esc leaves; what was drawn is there again."""
    ledger(tmp_path / "l.dpledger")
    desk = laid(studio, qtbot, tmp_path)
    desk.lines.rows["Over 50"].setFocus()
    qtbot.keyClick(desk.lines.rows["Over 50"], Qt.Key.Key_Down)
    assert desk.lines.here == "Income by sex"
    qtbot.waitUntil(lambda: "the payment, and then “Income by sex”" in words(desk.entries))
    desk.offer.pay.setFocus()
    qtbot.keyClick(desk.offer.pay, Qt.Key.Key_Return)
    rest(qtbot, studio)
    desk.lines.choose("Over 50")
    qtbot.waitUntil(lambda: "“Over 50”, if you publish it" in words(desk.entries))
    desk.lines.choose("Income by sex")
    assert "Income by sex, published" in words(desk.numbers)
    qtbot.keyClick(desk, Qt.Key.Key_Escape)
    assert studio.page == studio.store.state.active
    assert not studio.window.top.isHidden()
    studio.show_page("release")
    rest(qtbot, studio)
    assert "Income by sex, published" in words(desk.numbers)


def test_a_window_that_is_closed_while_it_draws_keeps_what_was_paid(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    """It waits for the transaction; nothing is spent without its answer."""
    book = Book(ledger(tmp_path / "l.dpledger"))
    studio = open_window()
    rest(qtbot, studio)
    desk = laid(studio, qtbot, tmp_path)
    desk.offer.pay.click()
    studio.unsaved.discard()
    studio.window.close()
    assert [entry.body["kind"] for entry in book.state().entries] == ["made", "booked", "drawn"]


def test_a_ledger_is_shown_and_verified(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chance: None
) -> None:
    book = Book(ledger(tmp_path / "l.dpledger"))
    desk = laid(studio, qtbot, tmp_path)
    desk.offer.pay.click()
    rest(qtbot, studio)
    monkeypatch.setattr(door, "asked_folder", lambda *_: str(tmp_path / "out"))
    desk.certificate.save.click()
    rest(qtbot, studio)
    drawn = book.state().of(DRAWN)[0]
    book.withdraw(drawn.n, "a wrong form")
    studio.show_page("ledger")
    rest(qtbot, studio)
    page = studio.releasing.ledger_page
    said = words(page)
    assert "a wrong form" in said
    assert page.widget().width() == page.viewport().width(), "ground beside the page"
    state = book.state()
    assert said.count(shown(told(state.cap.left(state.spent), EPSILON, "down"))) == 1, "told once"
    assert drawn.mac[:16] in said
    paid = state.priced(state.of(BOOKED)[0])
    short = shown(told(paid, EPSILON))
    (one,) = (each for each in page.entries.findChildren(QLabel) if each.text() == short)
    assert one.toolTip() == exactly(paid) not in short, "all digits were in the way"
    whole, spoiled = verified(studio, qtbot, tmp_path / "out" / "certificate.html", monkeypatch)
    assert "its digest fits" in whole
    assert "is not checked" not in whole
    assert "was changed" in spoiled


def test_what_the_price_means_for_one_person_is_said_with_the_way_to_decide(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """A manager found neither on the desk; the dial stands at what the plan is charged."""
    ledger(tmp_path / "l.dpledger")
    desk = laid(studio, qtbot, tmp_path)
    assert "right at most" in desk.offer.means.text()
    assert "from now on" in desk.offer.means.text()
    (link,) = (b for b in desk.deciding.findChildren(QPushButton) if b.isVisible())
    link.click()
    settle(qtbot, studio)
    assert studio.store.lab.key == "decide"
    assert studio.pages.page == "decide"
    assert studio.store.lab.mechanism.epsilon == pytest.approx(float(PLAN.charge.epsilon))


def test_a_certificate_alone_is_verified_by_its_digest(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By who was given no ledger; that the entries need it is said."""
    ledger(tmp_path / "l.dpledger")
    desk = laid(studio, qtbot, tmp_path)
    monkeypatch.setattr(door, "asked_folder", lambda *_: str(tmp_path / "out"))
    desk.offer.before.click()
    rest(qtbot, studio)
    studio.window.kept.keep_ledger("")
    studio.show_page("ledger")
    rest(qtbot, studio)
    whole, spoiled = verified(studio, qtbot, tmp_path / "out" / "certificate.html", monkeypatch)
    assert "its digest fits" in whole
    assert "open that ledger here" in whole
    assert "was changed" in spoiled


def test_what_was_laid_there_since_is_looked_at_before_it_is_paid_for(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name stands there at once, and what it costs a moment later: in between nothing is paid."""
    books = [Book(ledger(tmp_path / name)) for name in ("l.dpledger", "other.dpledger")]
    desk = laid(studio, qtbot, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(studio.releasing.looker, "submit", lambda *_, **__: None)
        studio.releasing._use(books[1].path)
        assert desk.ledger_name.text() == "other.dpledger"
        desk.offer.pay.click()
        rest(qtbot, studio)
    assert [len(book.state().entries) for book in books] == [1, 1]
    studio.releasing.look()
    rest(qtbot, studio)
    desk.offer.pay.click()
    rest(qtbot, studio)
    assert [len(book.state().entries) for book in books] == [1, 3]


def test_no_act_lies_on_another_where_words_change_while_they_are_hidden(qtbot: QtBot) -> None:
    """Else a click at the act of one line may pay for all: such as for a second plan."""
    ground, acts = QWidget(), Words()
    QVBoxLayout(ground).addWidget(acts)
    qtbot.addWidget(ground)
    one, every = push("Publish"), push("Pay and publish all 2")
    holder, _ = acts.add(one), acts.add(every)
    ground.resize(700, 300)
    ground.show()
    qtbot.waitUntil(lambda: every.width() >= every.sizeHint().width())
    holder.hide()
    QApplication.processEvents()
    acts.hide()
    one.setText("Pay and publish “Service by quarter”")
    holder.show()
    acts.show()
    QApplication.processEvents()
    boxes = [QRect(act.mapTo(acts, QPoint()), act.size()) for act in (one, every)]
    assert boxes[0].right() < boxes[1].left()
    assert boxes[0].width() >= one.sizeHint().width()
