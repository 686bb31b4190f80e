"""What a teacher does in the window, and what a room sees of it: a lesson is written, taken back,
asked in large type, and at no size cut, covered, or pointing beside what it speaks of."""

from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
from conftest import Open
from hand import CTRL_SHIFT, WAIT, active, calm, choose, clipped, press, settle, type_into
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpstudio.files import handing_out, language, reporting
from dpstudio.files.assets import asset
from dpstudio.files.talk import Ask, Step, Talk, read_talk
from dpstudio.gui.parts.ring import OUT
from dpstudio.gui.parts.tr import shown
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.context import LITTLE
from dpstudio.labs.nobody.survey.parameters import Survey
from dpstudio.labs.one_answer.explore.parameters import Explore


def wrong(studio: Studio, part: QWidget) -> list[str]:
    """The words and boxes of a part of the window that are cut, lie on each other, or outside."""
    kinds = (QLabel, QPushButton, QLineEdit, QPlainTextEdit, QComboBox)
    leaves = [w for kind in kinds for w in part.findChildren(kind) if w.isVisible()]
    window, boxes = studio.window, list[QRect]()
    assert leaves
    for leaf in leaves:
        boxes.append(QRect(leaf.mapTo(window, QPoint()), leaf.size()))
    out = clipped(studio, part)
    out += [
        f"{w} at {box}"
        for w, box in zip(leaves, boxes, strict=True)
        if not window.rect().contains(box)
    ]
    for (one, a), (other, b) in combinations(zip(leaves, boxes, strict=True), 2):
        if a.intersects(b) and not (one.isAncestorOf(other) or other.isAncestorOf(one)):
            out.append(f"{one} lies on {other}")
    return out


def ringed(studio: Studio) -> bool:
    """Whether the ring is seen all around what it points at, or as much of it as has room."""
    ring = studio.talk.talks.pointing.ring
    assert ring is not None
    seen = ring.around.visibleRegion().boundingRect()
    area = studio.panel.area if studio.panel.isAncestorOf(ring) else studio.window.board.area
    most = min(ring.around.height(), area.viewport().height() - 2 * OUT)
    same = QRect(ring.mapTo(studio.window, QPoint()), ring.size())
    around = QRect(ring.around.mapTo(studio.window, QPoint()), ring.around.size())
    if studio.panel.isAncestorOf(ring):  # it covers no words there
        around.adjust(-OUT, -OUT, OUT, OUT)
    return ring.isVisible() and seen.height() >= most - 2 * OUT and same.contains(around)


@pytest.mark.parametrize(("size", "scale"), [((1024, 700), 1.0), ((1920, 1080), 1.5)])
def test_nothing_of_a_lesson_is_cut_or_covered(
    studio: Studio, qtbot: QtBot, size: tuple[int, int], scale: float
) -> None:
    shipped = [s for path in asset("lessons").glob("*.dptalk") for s in read_talk(path).steps]
    asks = [step.ask for step in shipped if step.ask is not None]
    long = max((ask for ask in asks if ask.options), key=lambda ask: len(" ".join(ask.options)))
    number = max((ask for ask in asks if not ask.options), key=lambda ask: len(ask.text))
    words = max((step.say for step in shipped), key=len)
    lab = Explore()
    steps = (
        Step("First", lab, "adult", words, ask=replace(long, text=max(a.text for a in asks))),
        Step("Typed", lab, "adult", words, point="query", ask=number),
        Step("Waits", lab, "adult", words, point="cost", ask=long),
    )
    studio.window.theme.set_scale(scale)
    studio.window.resize(*size)
    active(qtbot, studio)
    talks, window = studio.talk.talks, studio.window
    talks.teach(Talk("A lesson of which the name is long", steps, lesson=True))
    calm(qtbot, studio)
    assert talks.large.on  # before anything of it was seen
    assert not window.lab_page.isVisible()
    worn = talks.large.sheet.styleSheet()
    window.theme.set_dark(True)
    calm(qtbot, studio)
    assert talks.large.sheet.styleSheet() != worn
    assert wrong(studio, talks.large.sheet) + wrong(studio, talks.bar) == []
    press(Qt.Key.Key_2)
    calm(qtbot, studio)
    assert (talks.large.on, talks.player.answers) == (False, {0: 1.0})
    for place in range(1, len(steps)):
        talks.player.turn(1)
        qtbot.wait(1)
        assert wrong(studio, talks.bar) == []
        if talks.player.asking:
            talks.player.answer(1.0)
        calm(qtbot, studio)
        qtbot.wait(1)  # the layout follows
        assert wrong(studio, talks.bar) == []
        assert ringed(studio), steps[place].title
    window.present()
    window.showNormal()
    window.resize(*size)
    talks.player.answers.clear()
    for place in (0, 1):
        talks.player.go(place, ask=True)
        qtbot.wait(1)
        assert talks.large.on
        assert wrong(studio, talks.large.sheet) == []
        assert not studio.stage().foot.isVisible()
    type_into(talks.large.sheet.box, "20")
    calm(qtbot, studio)
    assert talks.player.place == 1  # Enter answers, and does not go on
    assert studio.stage().header.sentence.text().startswith("You said 20")
    assert studio.stage().foot.isVisible()
    window.leave_presenting()
    talks.bar.copied.emit()
    for page in talks.bar.editor.pages:
        talks.bar.editor.show_page(page)
        qtbot.wait(1)
        assert wrong(studio, talks.bar) == []
    talks.player.kept()
    talks.leave()
    settle(qtbot, studio)


def test_a_teacher_writes_a_lesson_in_the_window_and_takes_back_what_was_wrong(
    studio: Studio, qtbot: QtBot
) -> None:
    active(qtbot, studio)
    QTest.keyClick(studio.window, Qt.Key.Key_A, CTRL_SHIFT)
    talks = studio.talk.talks
    editor, player = talks.bar.editor, talks.player
    assert editor.isVisible()

    def text(box: QLineEdit) -> None:
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_End)

    text(editor.step.say)
    QTest.keyClicks(editor.step.say, "About ")
    editor.step.number.menu().aboutToShow.emit()
    entry = next(a for a in editor.step.number.menu().actions() if a.text().startswith("Typical"))
    entry.trigger()
    assert talks.bar.sentence.text() == "About ±10"
    choose(editor.step.point, "mechanism.epsilon")
    assert talks.pointing.at is studio.panel.field("mechanism.epsilon")
    QTest.mouseClick(editor.turn.buttons["ask"], Qt.MouseButton.LeftButton)
    QTest.keyClicks(editor.ask.text, "More or less?")
    choose(editor.ask.answer, "options")
    QTest.keyClicks(editor.ask.options, "more; less; the same")
    choose(editor.ask.right, 1)
    QTest.mouseClick(editor.turn.buttons["talk"], Qt.MouseButton.LeftButton)
    QTest.keyClick(editor.whole.lesson, Qt.Key.Key_Space)
    step = player.step
    assert step is not None
    assert step.ask == Ask("More or less?", ("more", "less", "the same"), 1)
    assert (step.say, step.point) == ("About {fact.typical}", "mechanism.epsilon")
    assert player.talk is not None
    assert player.talk.lesson

    studio.store.set("mechanism.epsilon", 0.5)
    settle(qtbot, studio)
    QTest.mouseClick(editor.retake, Qt.MouseButton.LeftButton)
    studio.store.set("mechanism.epsilon", 2.0)
    QTest.mouseClick(editor.remove, Qt.MouseButton.LeftButton)
    assert player.talk.steps == ()
    undo = partial(QTest.keyClick, studio.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    undo()  # the step is back …
    calm(qtbot, studio)
    assert [s.lab.mechanism.epsilon for s in player.talk.steps] == [0.5]  # type: ignore[attr-defined]
    while studio.window.top.undo.isEnabled():
        undo()
        calm(qtbot, studio)
    assert player.talk.steps == ()  # … and so is all before it, to the empty talk
    while studio.window.top.redo.isEnabled():
        studio.redo()
        calm(qtbot, studio)
    player.kept()
    talks.leave()
    settle(qtbot, studio)


def test_a_talk_is_handed_out_from_its_menu(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handing_out, "hand_out", partial(handing_out.hand_out, effort=LITTLE))
    active(qtbot, studio)
    top, message = studio.window.top, studio.window.message
    for button in (top.export, top.table):  # it is looked for in both
        message.say("")
        {a.text(): a for a in button.menu().actions()}["Hand out the talk …"].trigger()
        assert "No talk is open" in message.text.text()
    talks = studio.talk.talks
    talks.begin(Talk("Coins", (Step("One", Survey()), Step("Two", Survey(n=1000)))))
    calm(qtbot, studio)

    def save_to(name: str) -> Path:
        asked = (str(tmp_path / name), "PDF without solutions (*.pdf)")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: asked)
        {a.text(): a for a in talks.bar.more.menu().actions()}["Hand out …"].trigger()
        qtbot.waitUntil(lambda: not studio.jobs.busy("handout"), timeout=WAIT)
        return tmp_path / name

    told: list[str] = []
    talks.hand_out.writer.progress.connect(lambda share, doing: told.append(shown(doing)))
    assert save_to("coins").with_suffix(".pdf").read_bytes().startswith(b"%PDF")
    assert told == ["Step 1 of 2: One", "Step 2 of 2: Two"]
    assert message.text.text() == f"Saved {tmp_path / 'coins.pdf'}."
    assert "<h2>2 · Two</h2>" in save_to("coins.html").read_text(encoding="utf-8")
    save_to("no/where.html")
    assert "could not be written" in message.text.text()
    talks.hand_out.writer.progress.connect(message.action.click)  # who does not want to wait
    assert not save_to("not.html").exists()
    talks.hand_out.writer.progress.disconnect(message.action.click)
    assert message.isHidden()
    talks.leave()
    settle(qtbot, studio)


def test_the_pages_that_were_opened_are_reported_from_the_menu(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the exact answers or without them, as the kind of file that is chosen says."""
    small = partial(reporting.write_report, pages=["explore"], effort=LITTLE)
    monkeypatch.setattr(reporting, "write_report", small)
    active(qtbot, studio)
    acts = {a.text(): a for a in studio.window.top.export.menu().actions()}
    for kind, private in (("Web page (*.html)", True), (WITHOUT, False)):
        asked = (str(tmp_path / "r"), kind)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, asked=asked: asked)
        acts["A report of the pages that were opened …"].trigger()
        qtbot.waitUntil(lambda: not studio.jobs.busy("report"), timeout=WAIT)
        text = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert ("Contains the exact answer" in text) == private
        said = studio.window.message.text.text()
        assert said.startswith(f"Saved {tmp_path / 'r.html'}.")
        (tmp_path / "r.html").unlink()
    acts["Copy as a command"].trigger()
    assert QGuiApplication.clipboard().text().startswith("dpstudio run ")


WITHOUT = "Web page without the exact answers (*.html)"


def test_the_script_of_the_page_is_read_beside_it_and_saved(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It follows the page, says why a page has none, and a notebook holds all that were opened."""
    active(qtbot, studio)
    acts = {a.text(): a for a in studio.window.top.export.menu().actions()}
    acts["As script …"].trigger()
    pane = studio.scripting.pane
    assert pane.isVisible()
    assert "epsilon = 0.1" in pane.text.toPlainText()
    studio.store.set("mechanism.epsilon", 0.25)
    qtbot.waitUntil(lambda: "epsilon = 0.25" in pane.text.toPlainText(), timeout=WAIT)
    pane.copy.click()
    assert QGuiApplication.clipboard().text() == pane.text.toPlainText()
    studio.speak(language.CHINESE)
    assert "# 页面的状态。" in pane.text.toPlainText()
    studio.speak(language.ENGLISH)
    assert "# The state of the page." in pane.text.toPlainText()
    for place, ending in ((0, ".py"), (2, ".ipynb")):
        pane.kinds.setCurrentIndex(place)
        asked = (str(tmp_path / "page"), "")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, asked=asked: asked)
        pane.save.click()
        held = (tmp_path / f"page{ending}").read_text(encoding="utf-8")
        assert held == pane.text.toPlainText()
        assert "def laplace_cdf" in held
    pane.kinds.setCurrentIndex(1)
    studio.store.set("post_processing", "clamp")
    qtbot.waitUntil(lambda: pane.why.text().startswith("As OpenDP"), timeout=WAIT)
    assert not pane.save.isEnabled()
    qtbot.keyClick(pane.text, Qt.Key.Key_Escape)
    assert not studio.scripting.on


def test_a_condition_that_rows_proposed_is_one_click_from_a_script(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    """On an own table Explore opens on one, which no script holds."""
    path = tmp_path / "visits.csv"
    rows = (f"{'ab'[k % 2]},{k % 7}" for k in range(90))
    path.write_text("\n".join(["ward,days", *rows]), encoding="utf-8")
    studio = open_window(str(path))
    settle(qtbot, studio)
    assert studio.store.lab.query.where.proposed  # type: ignore[attr-defined]
    studio.scripting.toggle()
    pane = studio.scripting.pane
    assert "proposed the condition" in pane.why.text()
    qtbot.mouseClick(pane.all_rows, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(pane.save.isEnabled, timeout=WAIT)
    assert not pane.all_rows.isVisible()
    assert not studio.store.lab.query.where  # type: ignore[attr-defined]
    studio.store.history.undo()
    qtbot.waitUntil(pane.all_rows.isVisible, timeout=WAIT)
