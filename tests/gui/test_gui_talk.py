"""Talks and lessons: recorded, gone through, asked, presented; and one's own work back again."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Open
from hand import (
    CTRL_SHIFT,
    WAIT,
    active,
    calm,
    clipped,
    facts,
    lab,
    press,
    settle,
    tabbed,
    turn_page,
    type_into,
)
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from dpstudio.files.assets import asset
from dpstudio.files.talk import Ask, Step, Talk, read_talk, write_talk
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.shell.pages import LESSONS
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.shell.talks import presenter
from dpstudio.labs.many_answers.averaging.parameters import Averaging
from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.values.parameters import put


def test_three_steps_are_recorded_presented_and_left(studio: Studio, qtbot: QtBot) -> None:
    active(qtbot, studio)
    store, window = studio.store, studio.window
    store.set("mechanism.epsilon", 0.2)
    settle(qtbot, studio)
    own, undo = store.state, store.history.count()
    QTest.keyClick(window, Qt.Key.Key_A, CTRL_SHIFT)
    talks = studio.talk.talks
    store.set("mechanism.epsilon", 1.6)
    settle(qtbot, studio)
    QTest.keyClick(window, Qt.Key.Key_A, CTRL_SHIFT)
    turn_page(studio, "composition")
    settle(qtbot, studio)
    QTest.mouseClick(talks.bar.add, Qt.MouseButton.LeftButton)
    type_into(talks.bar.editor.step.title, "In all")
    turn_page(studio, "compare")
    assert talks.bar.sentence.text() == "This step of the talk is on the page Composition."
    turn_page(studio, "composition")
    settle(qtbot, studio)
    talk = talks.player.talk
    assert talk is not None
    assert [step.title for step in talk.steps] == ["What would be published"] * 2 + ["In all"]
    assert [step.chart for step in talk.steps][:2] == ["published"] * 2
    assert [step.table for step in talk.steps] == ["adult", "adult", ""]

    window.present()
    calm(qtbot, studio)
    press(Qt.Key.Key_PageUp)
    press(Qt.Key.Key_PageUp)
    calm(qtbot, studio)
    assert (lab(studio).mechanism.epsilon, studio.page) == (0.2, "explore")
    header, drawn = studio.stage().header, []
    assert header.place.text() == "1 / 3"
    studio.pictures.arrived.connect(lambda: drawn.append(studio.store.lab))
    studio.stage().foot.field.slider.setFocus()  # a remote is heard wherever the hand was
    press(Qt.Key.Key_PageDown)
    calm(qtbot, studio)
    frames = {held.mechanism.epsilon for held in drawn if isinstance(held, Explore)}
    assert len({epsilon for epsilon in frames if 0.2 < epsilon < 1.6}) >= 3
    assert store.lab == talk.steps[1].lab
    assert studio.findings is not None
    assert studio.pictures.kept["explore"].newest.lab == talk.steps[1].lab
    assert "±" in header.sentence.text()
    press(Qt.Key.Key_PageDown)
    calm(qtbot, studio)
    assert (studio.page, window.board.items[window.board.filled or 0].key) == (
        "composition",
        talk.steps[2].chart,
    )
    press(Qt.Key.Key_N)
    assert talks.presenter.place.text() == "3 / 3"
    assert talks.presenter.notes.font().pixelSize() == Look().px(20)
    press(Qt.Key.Key_PageUp, talks.presenter)
    assert talks.presenter.next.text() == "Next: In all"
    press(Qt.Key.Key_N, talks.presenter)
    assert not talks.presenter.isVisible()
    window.leave_presenting()

    assert not studio.may_close()  # the talk is in no file
    window.question.buttons[1].click()  # it may go, and so may the window …
    assert not studio.talk.on
    assert (store.state, store.history.count()) == (own, undo)
    assert not window.isHidden()  # … but for one's own work, of which it is asked as ever
    assert "what you set" in window.question.text.text().lower()
    window.question.leave()


def test_a_lesson_is_played_to_its_end_by_keyboard(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = Explore()
    tight = put(wide, "mechanism.epsilon", 0.001)
    steps = (
        Step("One", wide, "adult", say="{fact.truth} are over 50.", point="mechanism.epsilon"),
        Step("Two", tight, "adult", ask=Ask("How wrong?", fact="typical"), point="error"),
        Step("Three", Composition(), ask=Ask("Dearer?", ("yes", "no"), 1)),
    )
    write_talk(Talk("Count", steps, lesson=True), tmp_path / "count.dptalk")
    (tmp_path / "pictures").mkdir()
    shipped = asset("lessons") / "pictures" / "01-count.svg"
    shutil.copy(shipped, tmp_path / "pictures" / "count.svg")
    monkeypatch.setattr("dpstudio.gui.shell.lessons.asset", lambda _: tmp_path)
    active(qtbot, studio)
    own = studio.store.state
    turn_page(studio, LESSONS.key)
    (card,) = studio.pages.lessons_page.tiles.values()
    assert not card.picture.pixmap().isNull()
    assert card.go in tabbed(studio)
    press(Qt.Key.Key_Return, card.go)
    calm(qtbot, studio)
    bar, pointing = studio.talk.talks.bar, studio.talk.talks.pointing
    assert bar.sentence.text() == "6,460 are over 50."
    assert pointing.at is studio.panel.field("mechanism.epsilon")
    press(Qt.Key.Key_Return)
    assert lab(studio).mechanism.epsilon == 0.1  # it asks before it shows
    assert pointing.at is None
    QTest.keyClicks(QApplication.focusWidget(), "100")
    press(Qt.Key.Key_Return)
    calm(qtbot, studio)
    assert studio.talk.talks.player.place == 1
    assert bar.verdict.text() == "You said 100, which is 10 times too little: it is ±1,000."
    assert pointing.at is studio.window.board.card("error")
    assert not clipped(studio, bar)
    press(Qt.Key.Key_Return)
    qtbot.wait(1)  # the layout follows
    assert not clipped(studio, bar)
    qtbot.waitUntil(lambda: "composition" in studio.pages.column.panels)  # before it is turned to
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Return)
    calm(qtbot, studio)
    assert (studio.page, bar.verdict.text()) == ("composition", "Right: no.")
    assert bar.on.text() == "Done"
    studio.window.say("An old table is gone.", "Open …")
    press(Qt.Key.Key_Return)
    settle(qtbot, studio)
    assert studio.window.focusWidget() is None  # not what stands above, which nobody turned to
    assert (studio.talk.on, studio.page, studio.store.state) == (False, "explore", own)
    assert facts(studio)["True answer"] == "6,460"


def table(path: Path, rows: int) -> Path:
    path.write_text("age\n" + "\n".join(str(20 + row % 60) for row in range(rows)) + "\n")
    return path


def test_a_step_brings_its_table_and_leaving_brings_mine_back(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = table(tmp_path / "one.csv", 90), table(tmp_path / "two.csv", 60)
    steps = [Step(path.stem, Explore(), str(path), "0" * 64) for path in (one, two)]
    gone = tmp_path / "gone" / "three.csv"
    steps.append(Step("three", Explore(), str(gone), "0" * 64))
    talk = tmp_path / "tables.dptalk"
    write_talk(Talk("Tables", tuple(steps)), talk)
    studio = open_window(str(talk))
    window, store = studio.window, studio.store

    def rows() -> int:
        assert store.data is not None
        return store.data.rows

    qtbot.waitUntil(lambda: studio.talk.on and rows() == 90, timeout=WAIT)
    calm(qtbot, studio)
    assert "has changed since" in window.message.text.text()
    press(Qt.Key.Key_PageDown, window)
    calm(qtbot, studio)
    assert rows() == 60
    press(Qt.Key.Key_PageDown, window)
    qtbot.waitUntil(lambda: window.message.action.text() == "Locate the table …", timeout=WAIT)
    assert "no file is there now" in window.message.text.text()
    asked: Any = lambda *_: (str(table(tmp_path / "found.csv", 30)), "")  # noqa: E731
    monkeypatch.setattr(QFileDialog, "getOpenFileName", asked)
    window.message.action.click()
    qtbot.waitUntil(lambda: rows() == 30, timeout=WAIT)
    calm(qtbot, studio)
    press(Qt.Key.Key_PageUp, window)
    calm(qtbot, studio)
    press(Qt.Key.Key_PageDown, window)  # what was found once is not looked for again
    calm(qtbot, studio)
    assert (rows(), studio.talk.talks.player.place) == (30, 2)
    studio.talk.talks.leave()
    settle(qtbot, studio)
    assert (rows(), facts(studio)["True answer"]) == (32_561, "6,460")
    assert window.windowTitle().startswith("Adult census")


def test_a_step_brings_the_table_beside_its_own(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """A step that has none sends it away, one whose file is gone says so and is shown without; what
    stood beside one's own table stands there again."""
    few, everybody, path = (tmp_path / name for name in ("few.csv", "all.csv", "a.dptalk"))
    few.write_text("age,sex\n" + "40,M\n41,F\n" * 3)
    everybody.write_text("age,sex\n" + "40,M\n41,F\n" * 5)
    active(qtbot, studio)
    studio.open(str(few))
    calm(qtbot, studio)
    turn_page(studio, "anonymity")
    settle(qtbot, studio)
    store, opener = studio.store, studio.opener

    def beside() -> int | None:
        calm(qtbot, studio)
        return None if store.second is None else store.second.rows

    studio.open(str(everybody), beside=True)
    settle(qtbot, studio)
    studio.talk.add_step()
    opener.beside.close()
    settle(qtbot, studio)
    studio.talk.add_step()
    talks = studio.talk.talks
    assert talks.files.write(path)
    steps = read_talk(path).steps
    assert [step.second and Path(step.second.table).name for step in steps] == ["all.csv", None]
    talks.bar.edit.setChecked(True)
    told = talks.bar.editor.step.beside
    for by, rows in ((-1, 10), (1, None), (-1, 10)):
        talks.player.turn(by)
        assert beside() == rows
        assert told.isVisible() == (rows is not None)
        assert not rows or told.text() == "Beside the table: all.csv"
    talks.leave()
    assert beside() == 10  # the talk was begun with it
    assert opener.beside.stands == steps[0].second
    studio.open(str(everybody))  # the talk brings both
    settle(qtbot, studio)
    everybody.rename(tmp_path / "moved.csv")
    studio.open(str(path))
    qtbot.waitUntil(lambda: studio.talk.on, timeout=WAIT)
    assert beside() is None
    assert (store.data and store.data.rows, store.lab) == (6, steps[0].lab)
    assert "all.csv" in studio.window.message.text.text()
    studio.open(str(tmp_path / "moved.csv"), beside=True)
    assert beside() == 10
    for by, rows in ((1, None), (-1, 10)):  # what was found once is not looked for again
        talks.player.turn(by)
        assert beside() == rows
    talks.leave()
    settle(qtbot, studio)


def test_a_talk_is_changed_and_saved(studio: Studio, qtbot: QtBot, tmp_path: Path) -> None:
    active(qtbot, studio)
    path = tmp_path / "mine.dptalk"
    step = Step("One", Explore(), "adult")
    write_talk(Talk("Mine", (step, replace(step, title="Two"))), path)
    studio.open(str(path))
    qtbot.waitUntil(lambda: studio.talk.on, timeout=WAIT)
    calm(qtbot, studio)
    bar = studio.talk.talks.bar
    QTest.mouseClick(bar.edit, Qt.MouseButton.LeftButton)
    bar.editor.step.notes.setPlainText("Slowly.")
    type_into(bar.editor.step.say, "{fact.truth} rows")
    assert bar.sentence.text() == "6,460 rows"
    QTest.mouseClick(bar.editor.later, Qt.MouseButton.LeftButton)
    assert studio.window.windowTitle().startswith("Mine •")
    QTest.keyClick(studio.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    saved = read_talk(path)
    assert [(s.title, s.say, s.notes) for s in saved.steps] == [
        ("Two", "", ""),
        ("One", "{fact.truth} rows", "Slowly."),
    ]
    assert studio.opener.session_path is None
    studio.talk.talks.leave()
    assert not studio.talk.on
    settle(qtbot, studio)


def test_the_chart_of_a_step_stands_first_until_the_talk_is_left(
    studio: Studio, qtbot: QtBot
) -> None:
    """Presenting or not: the chart that a step is about is the hero, and what a table says is
    unfolded; afterwards one's own page is as it was."""
    board, explore = studio.window.board, Explore()
    own = [card.key for card in board.cards]
    steps = [
        Step("1", explore, "adult", chart="tradeoff"),
        Step("2", explore, "adult", chart="cost"),
        Step("3", Averaging(), chart="against"),
        Step("4", explore, "adult", chart="published"),
        Step("5", explore, "adult"),
    ]
    talks = studio.talk.talks
    talks.begin(Talk("First", tuple(steps)))
    for step in steps:
        calm(qtbot, studio)
        chart = step.chart or own[0]
        hero = board.card(chart)
        assert hero is not None
        assert board.items[0] is hero
        assert hero.isVisible()
        assert hero.width() == max(card.width() for card in board.cards if card.isVisible())
        talks.making.retake()  # what is set now is the same step
        assert talks.player.step is not None
        assert talks.player.step.chart == chart
        studio.window.present()
        calm(qtbot, studio)
        assert board.filled == 0
        studio.window.leave_presenting()
        talks.player.turn(1)
    talks.player.go(0)
    calm(qtbot, studio)
    talks.leave()
    settle(qtbot, studio)
    assert [card.key for card in board.cards] == own


def test_presenting_a_step_that_is_written_asks_its_question(studio: Studio, qtbot: QtBot) -> None:
    steps = [Step("1", Explore(), "adult"), Step("2", put(Explore(), "mechanism.epsilon", 1.0))]
    steps[1] = replace(steps[1], table="adult", ask=Ask("Which?", ("this", "that"), 1))
    talks, window = studio.talk.talks, studio.window
    player = talks.player
    talks.begin(Talk("Asks", tuple(steps)))
    talks.bar.unfold(True)
    player.go(1)  # to write it
    calm(qtbot, studio)
    studio.store.set("mechanism.epsilon", 2.0)  # and to set it
    settle(qtbot, studio)
    for answer in (None, None, 1.0):
        assert not player.asking
        press(Qt.Key.Key_F5)
        calm(qtbot, studio)
        assert (window.presenting, player.asking, talks.large.on) == (True, True, True)
        if answer is not None:
            player.answer(answer)
            calm(qtbot, studio)
            assert (player.asking, talks.large.on) == (False, False)
        window.leave_presenting()
        calm(qtbot, studio)
        assert lab(studio).mechanism.epsilon == 2.0  # what was set is set still
    press(Qt.Key.Key_F5)
    assert not player.asking  # it was answered
    window.leave_presenting()
    assert player.step == steps[1]
    talks.leave()


def test_the_clock_of_the_speaker_tells_the_delay(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Minutes are typed of a step; late is what is past the end of its plan, early what is before
    it begins. From second to second nothing moves, and what says the same is not written again."""
    steps = [Step(str(n), Explore(), "adult", minutes=n) for n in (2.0, 3.0, 0.0)]
    studio.talk.talks.begin(Talk("Planned", tuple(steps)))
    calm(qtbot, studio)
    talks, now = studio.talk.talks, [1000.0]
    monkeypatch.setattr(presenter.time, "monotonic", lambda: now[0])
    talks.show_notes()
    shows = talks.presenter
    shows.restart()
    QApplication.processEvents()
    places = shows.clock.geometry(), shows.delay.geometry(), shows.plan.geometry()
    for place, passed, late in (
        (0, 0, "on time"), (0, 119, "on time"), (0, 125, "+0:05"), (1, 60, "−1:00"),
        (1, 120, "on time"), (1, 300, "on time"), (1, 450, "+2:30"), (2, 299, "−0:01"),
    ):  # fmt: skip
        talks.player.go(place)
        calm(qtbot, studio)
        now[0] = 1000.0 + passed
        shows._on_tick()
        QApplication.processEvents()
        assert (shows.clock.text(), shows.delay.text()) == (
            f"{passed // 60}:{passed % 60:02}", late,
        )  # fmt: skip
        assert (shows.clock.geometry(), shows.delay.geometry(), shows.plan.geometry()) == places
    assert shows.plan.text() == "this step until 5:00, all 5:00"
    editor = talks.bar.editor.step
    talks.bar.unfold(True)
    type_into(editor.minutes, "1.5")
    assert talks.player.step == replace(steps[2], minutes=1.5)
    assert shows.plan.text() == "this step until 6:30, all 6:30"
    talks.player.undo()
    assert editor.minutes.text() == ""
    for place in range(3):
        talks.player.place = place
        talks.player.change(minutes=0.0)
    assert shows.delay.isHidden()  # nothing is planned
    shows.close()
    talks.leave()


def test_a_talk_that_a_kill_left_is_offered(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    studio = open_window()
    studio.talk.add_step()
    drafts = tmp_path / "drafts"
    qtbot.waitUntil(lambda: bool(list(drafts.glob("*.dptalk"))), timeout=WAIT)
    (path,) = drafts.glob("*.dptalk")
    calm(qtbot, studio)
    left = path.read_bytes()
    studio.talk.talks.player.kept()
    qtbot.waitUntil(lambda: not path.exists(), timeout=WAIT)  # it was saved, or is not wanted
    (drafts / "1-killed.dptalk").write_bytes(left)
    again = open_window()
    question = again.window.question
    qtbot.waitUntil(question.isVisible, timeout=WAIT)
    assert question.text.text().startswith("A talk was left and not saved")
    question.buttons[0].click()
    qtbot.waitUntil(lambda: again.talk.on, timeout=WAIT)
    calm(qtbot, again)
    assert again.talk.talks.player.dirty
    qtbot.waitUntil(lambda: not (drafts / "1-killed.dptalk").exists(), timeout=WAIT)
    assert len(list(drafts.glob("*.dptalk"))) == 1
