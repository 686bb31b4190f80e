"""Nothing is lost: by closing, by a kill, by another window, or where a table moved."""

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock

import pytest
from conftest import Open
from hand import asking, field, save, saved, settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpstudio.files.session import SessionError, read_session, write_session
from dpstudio.gui.shell.files import sessions
from dpstudio.gui.shell.studio import Studio
from dpstudio.values.messages import say

WAIT = 10_000


def answer(studio: Studio, text: str) -> QPushButton:
    return next(b for b in studio.window.question.buttons if b.isVisible() and b.text() == text)


def epsilon(path: Path) -> Any:
    return read_session(path).lab("explore").mechanism.epsilon  # type: ignore[attr-defined]


def test_closing_asks(studio: Studio, tmp_path: Path, qtbot: QtBot) -> None:
    window, path = studio.window, tmp_path / "s.dpstudio"
    save(studio, path)
    box = field(studio, "mechanism.epsilon").box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "0.3")  # typed, and not yet given
    assert studio.store.history.isClean()
    window.close()
    assert window.isVisible()
    assert window.question.isVisible()
    with qtbot.waitActive(window):
        window.activateWindow()
    assert answer(studio, "Save").hasFocus()
    QTest.keyClick(answer(studio, "Save"), Qt.Key.Key_Escape)
    assert not window.question.isVisible()
    assert window.isVisible()
    studio.undo()  # back at what was saved there is nothing to ask
    assert studio.store.history.isClean()
    studio.redo()
    window.close()
    QTest.keyClick(answer(studio, "Save"), Qt.Key.Key_Return)
    assert saved(studio)
    assert not window.isVisible()
    assert epsilon(path) == 0.3


def test_the_window_waits_for_what_is_being_saved(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow disk holds neither the window nor what is set meanwhile, which is asked about; a disk
    that fails closes nothing."""
    window, path, slow, honest = studio.window, tmp_path / "s.dpstudio", Event(), write_session
    threads = []

    def written(*what: Any) -> str:
        threads.append(threading.current_thread())
        assert slow.wait(WAIT / 1e3)
        return honest(*what)

    monkeypatch.setattr(sessions, "write_session", written)
    studio.store.set("mechanism.epsilon", 0.3)
    studio.sessions.write(path)
    window.close()
    assert window.isVisible()
    assert not window.question.isVisible(), window.question.text.text()  # it is being saved
    studio.store.set("mechanism.epsilon", 0.4)
    slow.set()
    assert not saved(studio)  # what was set since is not
    assert threading.main_thread() not in threads
    assert window.question.isVisible()
    assert epsilon(path) == 0.3
    studio.undo()
    assert studio.store.history.isClean()  # but that is
    studio.store.set("mechanism.epsilon", 0.4)
    refuse = SessionError(say("The disk is full."))
    monkeypatch.setattr(sessions, "write_session", Mock(side_effect=refuse))
    window.close()
    answer(studio, "Save").click()
    assert not saved(studio)
    assert window.isVisible()
    assert "The disk is full." in window.message.text.text()
    assert epsilon(path) == 0.3
    monkeypatch.setattr(sessions, "write_session", honest)
    studio.sessions.write(tmp_path / "elsewhere.dpstudio")
    assert saved(studio)
    assert window.message.isHidden()  # it is written now
    window.say("Another sentence.", tone="warn")
    studio.store.set("mechanism.epsilon", 0.7)
    studio.sessions.save()
    assert saved(studio)
    assert window.message.text.text() == "Another sentence."
    assert not window.message.isHidden()


def test_saving_while_it_is_being_saved_keeps_the_last(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is asked whether this window's own work may be replaced; and what is saved under
    another name meanwhile keeps that name."""
    first, other, slow, honest = (
        tmp_path / "s.dpstudio",
        tmp_path / "t.dpstudio",
        Event(),
        write_session,
    )
    save(studio, first)

    def written(*what: Any) -> str:
        assert slow.wait(WAIT / 1e3)
        return honest(*what)

    monkeypatch.setattr(sessions, "write_session", written)
    for value in (0.3, 0.4, 0.5):
        studio.store.set("mechanism.epsilon", value)
        studio.sessions.save()
    slow.set()
    assert saved(studio)
    assert not studio.window.question.isVisible(), studio.window.question.text.text()
    assert epsilon(first) == 0.5
    slow.clear()
    studio.sessions.save()
    studio.sessions.write(other, sure=True)
    studio.store.set("mechanism.epsilon", 0.6)
    studio.sessions.save()
    slow.set()
    assert saved(studio)
    assert (epsilon(first), epsilon(other)) == (0.5, 0.6)
    assert studio.opener.session_path == other


def test_what_a_kill_left_is_offered(
    studio: Studio, open_window: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    path, drafts = tmp_path / "s.dpstudio", tmp_path / "drafts"
    save(studio, path)
    studio.store.set("mechanism.epsilon", 0.3)
    qtbot.waitUntil(lambda: bool(list(drafts.glob("*.dpstudio"))), timeout=WAIT)
    (own,) = drafts.glob("*.dpstudio")
    left = drafts / "1-00.dpstudio"
    shutil.copy(own, left)  # as a window that was killed leaves it
    studio.unsaved.discard()
    assert not own.exists()
    again = open_window()
    qtbot.waitUntil(again.window.question.isVisible, timeout=WAIT)
    assert "s.dpstudio" in again.window.question.text.text()
    answer(again, "Take it up").click()
    settle(qtbot, again)
    assert again.store.state == studio.store.state
    assert again.opener.session_path == path
    assert not again.store.history.isClean()
    qtbot.waitUntil(lambda: not left.exists(), timeout=WAIT)
    assert len(list(drafts.glob("*.dpstudio"))) == 1  # it is in the new window's own
    assert save(again)
    qtbot.waitUntil(lambda: not list(drafts.glob("*.dpstudio")), timeout=WAIT)
    assert epsilon(path) == 0.3


def test_another_session_over_unsaved_work(studio: Studio, tmp_path: Path, qtbot: QtBot) -> None:
    path, other = tmp_path / "s.dpstudio", tmp_path / "t.dpstudio"
    save(studio, other)
    save(studio, path)
    studio.store.set("mechanism.epsilon", 0.3)
    state = studio.store.state
    studio.open(str(other))
    settle(qtbot, studio)
    qtbot.waitUntil(studio.window.question.isVisible, timeout=WAIT)
    assert studio.store.history.isClean()
    answer(studio, "Take it up").click()
    settle(qtbot, studio)
    assert (studio.store.state, studio.opener.session_path) == (state, path)
    save(studio, path)
    studio.open("house_votes_84")
    settle(qtbot, studio)
    assert studio.store.history.isClean()
    studio.store.set("mechanism.epsilon", 0.4)
    studio.open("adult")  # the labs go on to it, in no file yet
    settle(qtbot, studio)
    assert not studio.store.history.isClean()


def test_two_windows_on_one_session(
    studio: Studio, open_window: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "s.dpstudio"
    save(studio, path)
    other = open_window(str(path))
    assert "another window" in other.window.question.text.text()
    answer(other, "Go on").click()
    studio.store.set("mechanism.epsilon", 0.3)
    assert save(studio)
    mine = path.read_bytes()
    other.store.set("mechanism.epsilon", 0.7)
    assert not save(other)
    assert epsilon(path) == 0.3
    answer(other, "Overwrite").click()
    assert saved(other)
    assert epsilon(path) == 0.7
    save(studio)  # what the other wrote is not replaced in silence either
    answer(studio, "Cancel").click()
    studio.open(str(path))
    settle(qtbot, studio)
    studio.store.set("mechanism.epsilon", 0.2)
    path.write_bytes(mine)  # nor where somebody brings back what this one wrote before
    assert not save(studio)
    assert answer(studio, "Overwrite").isVisible()


def test_a_name_without_its_ending_replaces_no_file_unasked(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.dpstudio"
    path.write_text("of somebody")
    typed = lambda *_: (str(tmp_path / "s"), "")  # noqa: E731
    monkeypatch.setattr(sessions.QFileDialog, "getSaveFileName", typed)
    studio.store.set("mechanism.epsilon", 0.3)
    studio.sessions.ask_save()
    assert not saved(studio)
    assert path.read_text() == "of somebody"
    assert answer(studio, "Overwrite").isVisible()


def test_a_table_that_moved_is_located(
    studio: Studio, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, moved = tmp_path / "people.csv", tmp_path / "else" / "persons.csv"
    table.write_text("age,pay\n" + "".join(f"{20 + i % 50},{i}\n" for i in range(200)))
    studio.open(str(table))
    settle(qtbot, studio)
    studio.store.choose("query", "sum")
    studio.store.set("query.column", "pay")
    settle(qtbot, studio)
    path, state = tmp_path / "s.dpstudio", studio.store.state
    save(studio, path)
    studio.open("adult")
    settle(qtbot, studio)
    moved.parent.mkdir()
    table.rename(moved)
    studio.open(str(path))
    settle(qtbot, studio)
    found = lambda *_: (str(moved), "")  # noqa: E731
    monkeypatch.setattr(sessions.QFileDialog, "getOpenFileName", found)
    assert "Locate" in studio.window.message.action.text()
    studio.window.message.action.click()
    settle(qtbot, studio)
    assert studio.store.data is not None
    assert studio.store.data.origin == str(moved)
    assert studio.store.state == state
    assert studio.opener.session_path == path
    assert not studio.store.history.isClean()
    assert save(studio)
    assert replace(read_session(path), table="", view={}) == replace(
        studio.sessions.session(),
        table="",
        view={},  # type: ignore[type-var]
    )
    assert read_session(path).table == str(moved)


def test_a_long_condition_is_text(studio: Studio, qtbot: QtBot) -> None:
    """A row of widgets for each of 1,500 comparisons held the window for half a minute."""
    studio.store.set("query.where", " or ".join(f"age = {i}" for i in range(1500)))
    settle(qtbot, studio)
    form = asking(studio).condition
    assert not form.rows
    assert form.box.isVisible()
