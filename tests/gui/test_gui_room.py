"""A room opened from the window: nothing is served before it is asked for, the address is seen from
afar, what arrives is in the lab without the window stalling, and closing the window closes it."""

from __future__ import annotations

import json
import secrets
import socket
import threading
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from conftest import Open
from hand import CTRL_SHIFT, LEFT, WAIT, active, clipped, press, settle, tabbed, turn_page
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from dpstudio.files.session import write_session
from dpstudio.files.tables import open_table
from dpstudio.gui.shell.frame import finding, found_actions, known
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.shell.survey import served
from dpstudio.gui.shell.survey.served import Wanted
from dpstudio.privacy.room import Question, Report, law, randomise
from dpstudio.serve import RoomError, Standing
from dpstudio.serve.intake import Counts
from dpstudio.values.messages import Message, say


@dataclass
class FakeRoom:
    """Stands for a server: what it was asked, and reports that a test lets arrive."""

    wanted: Wanted
    told: Callable[[], None]
    address: str = "http://192.168.178.123:45678/ABCDEFGHJKLM/"
    fingerprint: str | None = None
    reports: tuple[Report, ...] = ()
    refused: dict[str, int] = field(default_factory=dict)
    standing: dict[str, Standing] = field(default_factory=dict)
    stopped: bool = False

    def __post_init__(self) -> None:
        self.standing = {q.key: Standing() for q in self.wanted.questions}
        self.open(self.wanted.questions[-1].key)
        self.fingerprint = ":".join(["A9"] * 32) if self.wanted.tls else None
        self.codes = tuple(f"SEAT{i:04}" for i in range(self.wanted.seats))

    @property
    def questions(self) -> dict[str, Question]:
        return {q.key: q for q in self.wanted.questions}

    @property
    def counts(self) -> Counts:
        return Counts(len(self.reports), len(self.reports), self.refused)

    def open(self, key: str) -> None:
        self.standing[key] = replace(self.standing[key], open=True)

    def close(self, key: str) -> None:
        self.standing[key] = replace(self.standing[key], open=False)

    def reopen(self, key: str) -> None:
        self.standing[key] = Standing(True, self.standing[key].round + 1)

    def stop(self) -> None:
        self.stopped = True

    def arrive(self, n: int = 1) -> None:
        """So many reports of the last question, each told."""
        asked = self.wanted.questions[-1]
        epsilon = asked.epsilons[-1]
        for _ in range(n):
            value = randomise(asked, epsilon, 1, secrets.randbelow)
            made = Report(asked.key, law(asked, epsilon).mechanism, epsilon, value)
            self.reports = (*self.reports, made)
            self.told()


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[FakeRoom]:
    """The rooms that are opened, none of which serves anything."""
    made: list[FakeRoom] = []

    def start(wanted: Wanted, told: Callable[[], None]) -> FakeRoom:
        made.append(FakeRoom(wanted, told))
        return made[-1]

    monkeypatch.setenv("DPSTUDIO_ROOM", str(tmp_path / "room"))
    monkeypatch.setattr(served, "started", start)
    return made


def opened(qtbot: QtBot, studio: Studio, codes: bool = False, tls: bool = False) -> None:
    """Ask for a room, and wait until it is open."""
    studio.rooms.toggle()
    form = studio.rooms.sheet.form
    qtbot.waitUntil(lambda: form.host.count() > 0, timeout=WAIT)
    if codes:
        QTest.mouseClick(form.door.buttons["codes"], LEFT)
    if tls:
        QTest.mouseClick(form.way.buttons["https"], LEFT)
    QTest.mouseClick(form.open, LEFT)
    qtbot.waitUntil(lambda: studio.rooms.room is not None, timeout=WAIT)
    settle(qtbot, studio)


def arrived(studio: Studio) -> int:
    """How many reports the lab on the screen speaks of."""
    facts = studio.findings.facts if studio.findings is not None else ()
    notes = [
        fact.note for fact in facts if fact.key == "estimate" and isinstance(fact.note, Message)
    ]
    return int(notes[0].values["n"].value) if notes else 0


def test_it_is_off_until_it_is_asked_for(
    open_window: Open, qtbot: QtBot, rooms: list[FakeRoom]
) -> None:
    """By a key, by its name, in the lab; and the keyboard goes everywhere and back."""
    studio = open_window()
    assert studio.rooms.room is None
    assert "sheet" not in studio.rooms.__dict__
    active(qtbot, studio)
    found = finding.best(
        "open a room", known.Known(found_actions.actions(studio.window.top.table.menu()))
    )
    assert found[0].name.startswith("Open a room")
    QTest.keyClick(studio.window, Qt.Key.Key_R, CTRL_SHIFT)
    form = studio.rooms.sheet.form
    assert form.isVisible()
    assert studio.store.lab.key == "room"
    assert QApplication.focusWidget() is form.open
    assert not rooms
    reached = tabbed(studio)
    for widget in (form.open, form.back, form.host, form.port, *form.way.buttons.values()):
        assert widget in reached
    form.open.setFocus()
    press(Qt.Key.Key_Escape)
    assert not form.isVisible()
    assert studio.panel.isVisible()
    button = next(
        b for b in studio.panel.findChildren(type(form.open)) if b.text() == "Open a room …"
    )
    QTest.mouseClick(button, LEFT)
    assert form.isVisible()
    form.open.setFocus()
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: studio.rooms.room is not None, timeout=WAIT)
    room = studio.rooms.sheet.room
    assert button.text() == "Show the room"
    assert QApplication.focusWidget() is room.buttons["charts"]
    reached = tabbed(studio)
    assert {b for b in room.buttons.values() if b.isVisible()} <= set(reached)
    studio.unsaved.discard()
    studio.window.close()
    assert rooms[0].stopped


def test_what_is_chosen_is_what_is_opened(
    studio: Studio,
    qtbot: QtBot,
    rooms: list[FakeRoom],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Codes and HTTPS, with what each means said; another question at the same address; answers
    taken no more, and anew; the reports and codes in files; a session keeps the question alone."""
    studio.rooms.toggle()
    form = studio.rooms.sheet.form
    assert "replace the page" in form.tells[form.way].text()
    assert "answer often" in form.tells[form.door].text()
    # What one report could do is said before it is offered, and gone with it.
    offered = form.asked.fields[1]
    assert offered.advice is None
    studio.store.set("also", "0.05")
    studio.store.set("offered", ("4",))
    assert offered.advice is not None
    assert "nearer to one another" in offered.advice.text()
    studio.store.set("also", None)
    assert not offered.advice.text()
    studio.store.set("offered", ("0.5", "1", "2"))
    studio.rooms.toggle()
    opened(qtbot, studio, codes=True, tls=True)
    assert "fingerprint" in form.tells[form.way].text()
    wanted = rooms[0].wanted
    assert (wanted.seats, wanted.tls, wanted.port, wanted.anew) == (30, True, 0, False)
    assert [q.text for q in wanted.questions] == [studio.store.lab.asked.text]  # type: ignore[attr-defined]
    room = studio.rooms.sheet.room
    assert room.code.text == rooms[0].address == room.origin.text() + room.path.text()
    assert "A9:\u200bA9" in room.how.text()  # or it would be cut where it is too long
    rooms[0].refused = {"used": 2}
    rooms[0].arrive(3)
    qtbot.waitUntil(lambda: "3 reports" in room.counts.text(), timeout=WAIT)
    assert "before (2)" in room.refused.text()
    key = wanted.questions[0].key
    QTest.mouseClick(room.buttons["stand"], LEFT)
    assert not rooms[0].standing[key].open
    assert "no more are taken" in room.counts.text()
    QTest.mouseClick(room.buttons["again"], LEFT)
    assert rooms[0].standing[key] == Standing(True, 2)
    assert "asked anew" in studio.window.message.text.text()
    for name, button in (("room.csv", "save"), ("codes.html", "print")):
        path = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, p=path: (str(p), ""))
        QTest.mouseClick(room.buttons[button], LEFT)
        assert path.exists()
    assert open_table(str(tmp_path / "room.csv")).rows == 3
    assert all(code in (tmp_path / "codes.html").read_text() for code in rooms[0].codes)
    session = studio.sessions.session()
    assert session is not None
    write_session(session, tmp_path / "room.dpstudio")
    text = (tmp_path / "room.dpstudio").read_text()
    assert "Have you ever" in text
    assert "warner" not in text
    studio.store.set("asked.text", "Another one?")
    qtbot.wait(1)  # the layout follows
    assert "One question is asked at a time" in room.buttons["add"].toolTip()
    assert room.buttons["add"].isVisible()
    QTest.mouseClick(room.buttons["add"], LEFT)
    qtbot.waitUntil(lambda: len(rooms) == 2 and studio.rooms.room is rooms[1], timeout=WAIT)
    assert rooms[0].stopped
    assert [q.text for q in rooms[1].wanted.questions][1:] == ["Another one?"]
    # Back to the first and forth: one of them is open.
    for text, button, taking in (
        (wanted.questions[0].text, "stand", 0),
        ("Another one?", "again", 1),
    ):
        studio.store.set("asked.text", text)
        assert "at a time" in room.buttons["stand"].toolTip()
        QTest.mouseClick(room.buttons[button], LEFT)
        assert [now.open for now in rooms[1].standing.values()] == [taking == 0, taking == 1]
    # The same at another ε is asked anew, and its reports go with those of before.
    rooms[1].arrive(2)
    studio.store.set("also", "3")
    assert "Not asked yet" in room.counts.text()
    QTest.mouseClick(room.buttons["add"], LEFT)
    qtbot.waitUntil(lambda: len(rooms) == 3 and studio.rooms.room is rooms[2], timeout=WAIT)
    rooms[2].reports = rooms[1].reports
    rooms[2].arrive(3)
    qtbot.waitUntil(lambda: "5 reports" in room.counts.text(), timeout=WAIT)
    QTest.mouseClick(room.buttons["stop"], LEFT)
    assert rooms[2].stopped
    assert form.isVisible()
    assert "3" in [box.text() for box in form.asked.findChildren(QLineEdit)]


def test_no_bar_lies_over_the_buttons(studio: Studio, qtbot: QtBot, rooms: list[FakeRoom]) -> None:
    """Neither what was asked before the room is shown, nor what one of them says: and none of them
    moves, where the next press would be another's."""
    window = studio.window
    window.resize(1366, 768)
    window.question.ask("Who is a person?", [("One", lambda: None)], held=False)
    opened(qtbot, studio)

    def boxes() -> list[QRect]:
        seen = [b for b in studio.rooms.sheet.room.buttons.values() if b.isVisible()]
        assert all(b.width() >= b.sizeHint().width() for b in seen)
        return [QRect(b.mapTo(window, QPoint()), b.size()) for b in seen]

    def bar() -> QRect:
        return QRect(window.bars.mapTo(window, QPoint()), window.bars.size())

    assert window.question.isVisible()
    assert not any(box.intersects(bar()) for box in boxes())
    window.question.leave()
    settle(qtbot, studio)
    stood = boxes()
    QTest.mouseClick(studio.rooms.sheet.room.buttons["again"], LEFT)
    settle(qtbot, studio)
    assert window.message.isVisible()
    assert boxes() == stood
    assert not any(box.intersects(bar()) for box in stood)


def test_two_hundred_reports_stall_nothing(
    studio: Studio, qtbot: QtBot, rooms: list[FakeRoom], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However fast they come, from the room's own thread, few pictures are made of them, and the
    last has all."""
    opened(qtbot, studio)
    studio.rooms.leave()
    settle(qtbot, studio)
    pictures: list[int] = []
    compute = studio.pictures.compute
    monkeypatch.setattr(studio.pictures, "compute", lambda: (pictures.append(1), compute()))
    thread = threading.Thread(target=rooms[0].arrive, args=(200,))
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: bool(pictures), timeout=WAIT)
    settle(qtbot, studio)
    assert len(pictures) == 1
    assert arrived(studio) == 200
    monkeypatch.undo()
    turn_page(studio, "survey")
    settle(qtbot, studio)
    rooms[0].arrive(5)
    qtbot.waitUntil(lambda: not studio.rooms._soon.isActive(), timeout=WAIT)
    turn_page(studio, "room")
    settle(qtbot, studio)
    assert arrived(studio) == 205
    studio.rooms.stop()


@pytest.mark.parametrize(("size", "scale"), [((1024, 700), 1.5), ((1920, 1080), 1.0)])
def test_nothing_of_it_is_cut(
    open_window: Open, qtbot: QtBot, rooms: list[FakeRoom], size: tuple[int, int], scale: float
) -> None:
    """Before and after it is opened, presenting too; and the address stays below the chart."""
    studio = open_window(size=size)
    studio.window.theme.set_scale(scale)
    studio.window.resize(*size)
    studio.rooms.toggle()
    sheet = studio.rooms.sheet
    sheet.form.show_left(served.Left(37))
    qtbot.waitUntil(lambda: not studio.window.style_sheets.changing)
    qtbot.wait(1)
    assert clipped(studio, sheet) == []
    studio.rooms.toggle()
    opened(qtbot, studio, codes=True, tls=True)
    rooms[0].refused = {"used": 12, "late": 3}
    rooms[0].arrive(40)
    qtbot.waitUntil(lambda: "40 reports" in sheet.room.counts.text(), timeout=WAIT)
    qtbot.wait(1)
    assert clipped(studio, sheet) == []
    assert sheet.room.code.height() > size[1] / 4
    for text in ("Straßenverkehrszulassungsordnungsänderung?", "And it goes on and on? " * 12):
        studio.store.set("asked.text", text)
        settle(qtbot, studio)
        qtbot.wait(1)  # the layout follows
        assert clipped(studio, sheet) == []
        assert sheet.room.code.height() > size[1] / 4
        assert sheet.room.code.width() > size[0] / 5
    assert "Not asked yet" in sheet.room.counts.text()
    assert clipped(studio, sheet) == []
    studio.rooms.leave()
    studio.window.present()
    studio.window.showNormal()
    studio.window.resize(*size)
    settle(qtbot, studio)
    line = studio.rooms.line
    assert line.isVisible()
    assert line.address.text() == rooms[0].address
    # The parts of the foot ask for room one after the other.
    qtbot.waitUntil(lambda: clipped(studio, studio.stage().foot) == [], timeout=WAIT)
    QTest.keyClick(studio.window, Qt.Key.Key_R, CTRL_SHIFT)
    assert sheet.isVisible()
    assert not studio.stage().foot.isVisible()
    qtbot.wait(1)
    assert clipped(studio, sheet) == []
    press(Qt.Key.Key_Escape, sheet)
    assert studio.window.presenting
    assert studio.stage().foot.isVisible()


def test_a_real_room_on_this_machine(
    open_window: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A port that is taken is a sentence; a report arrives over loopback; closing the window closes
    the port; the next window offers what was kept, and goes on with it at the same address."""
    monkeypatch.setenv("DPSTUDIO_ROOM", str(tmp_path / "room"))
    monkeypatch.setattr("dpstudio.serve.addresses.addresses", tuple)
    studio = open_window()
    studio.rooms.toggle()
    form = studio.rooms.sheet.form
    qtbot.waitUntil(lambda: form.host.count() > 0, timeout=WAIT)
    assert "No network" in form.complaint.text()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        form.port.show_text(str(taken.getsockname()[1]))
        QTest.mouseClick(form.open, LEFT)
        qtbot.waitUntil(lambda: "No room can be opened" in form.complaint.text(), timeout=WAIT)
    form.port.show_text("")
    QTest.mouseClick(form.open, LEFT)
    qtbot.waitUntil(lambda: studio.rooms.room is not None, timeout=WAIT)
    room, asked = studio.rooms.room, studio.rooms.question
    address = room.address
    sent = {
        "question": asked.key,
        "round": 1,
        "mechanism": law(asked, 1.0).mechanism,
        "epsilon": 1.0,
        "value": 1,
        "pass": secrets.token_hex(16),
    }
    request = urllib.request.Request(f"{address}report", json.dumps(sent).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.status == 200
    qtbot.waitUntil(lambda: arrived(studio) == 1, timeout=WAIT)
    studio.unsaved.discard()
    studio.window.close()
    port = int(address.split(":")[2].split("/")[0])
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)
    again = open_window()
    bar = again.window.question
    qtbot.waitUntil(lambda: "1 report of an earlier room" in bar.text.text(), timeout=WAIT)
    QTest.mouseClick(bar.buttons[0], LEFT)
    form = again.rooms.sheet.form
    qtbot.waitUntil(lambda: form.before.isVisible(), timeout=WAIT)
    QTest.mouseClick(form.open, LEFT)
    qtbot.waitUntil(lambda: again.rooms.room is not None, timeout=WAIT)
    assert again.rooms.room.address == address
    assert len(again.rooms.room.reports) == 1
    again.store.set("asked.text", "And you?")
    QTest.mouseClick(again.rooms.sheet.room.buttons["stop"], LEFT)
    assert form.asked.findChildren(QPlainTextEdit)[0].toPlainText() == "And you?"
    QTest.mouseClick(form.door.buttons["codes"], LEFT)
    QTest.mouseClick(form.open, LEFT)
    qtbot.waitUntil(lambda: "other way in" in form.complaint.text(), timeout=WAIT)
    QTest.mouseClick(form.before.buttons["new"], LEFT)
    QTest.mouseClick(form.open, LEFT)
    qtbot.waitUntil(lambda: again.rooms.room is not None, timeout=WAIT)
    assert len(again.rooms.room.codes) == 30
    assert again.rooms.room.reports == ()
    assert served.left() is None  # so that a second window does not offer it
    with pytest.raises(BlockingIOError):
        served.forget()
    QTest.mouseClick(again.rooms.sheet.room.buttons["other"], LEFT)
    assert again.rooms.room is not None
    focused = QApplication.focusWidget()
    assert focused is not None
    assert again.panel.field("asked").isAncestorOf(focused)
    again.rooms.stop()
    assert served.left() == served.Left(0, codes=30)


def test_the_way_in_of_what_is_kept_is_proposed_until_somebody_chooses(
    studio: Studio, rooms: list[FakeRoom]
) -> None:
    """To go on with a room of codes was refused: an open address stood there."""
    studio.rooms.toggle()
    form = studio.rooms.sheet.form
    form._picked.clear()  # of tests before
    form.show_left(served.Left(2, codes=12))
    assert (form.chosen[form.door], form.seats.text()) == ("codes", "12")
    QTest.mouseClick(form.door.buttons["open"], LEFT)
    form.show_left(served.Left(2, codes=12))
    assert form.chosen[form.door] == "open"


def test_an_error_is_a_sentence(
    studio: Studio, qtbot: QtBot, rooms: list[FakeRoom], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RoomError(say("It is open in another window. Choose another folder."))

    monkeypatch.setattr(served, "started", fails)
    studio.rooms.toggle()
    form = studio.rooms.sheet.form
    qtbot.waitUntil(lambda: form.host.count() > 0, timeout=WAIT)
    QTest.mouseClick(form.open, LEFT)
    qtbot.waitUntil(lambda: "another window" in form.complaint.text(), timeout=WAIT)
    assert form.open.isEnabled()
    studio.rooms.leave()
