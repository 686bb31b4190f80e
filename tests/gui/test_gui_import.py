"""A table whose reading is not certain, a pasted one, and one that changes on the disk: with real
clicks and keys."""

import json
import threading
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from conftest import Open
from hand import LEFT, chart, clipped, drop, field, said, save, settle, tabbed, turn_page, type_into
from marked import untranslated
from PIL import Image
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpstudio.data.codebook import About
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import CancelledError
from dpstudio.files.session import read_session
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.table import reading
from dpstudio.gui.table.preview import PreviewPage

DATES = "who,born,pay\n" + "".join(
    f"p{i},{1 + i % 12}/{1 + i % 11}/2020,{i}.5\n" for i in range(60)
)
BAD = {18: "p17,20", 45: "p44,21,3,4,5", 51: "p50"}


def ragged(path: Path) -> Path:
    """60 rows, of which three do not fit."""
    lines = ["who,age,pay", *(f"p{i},{20 + i},{i}.5" for i in range(1, 61))]
    for line, text in BAD.items():
        lines[line - 1] = text
    path.write_text("\n".join(lines) + "\n")
    return path


def write(path: Path, text: str, encoding: str = "utf-8") -> str:
    path.write_bytes(text.encode(encoding))
    return str(path)


def preview(studio: Studio, qtbot: QtBot, where: str = "") -> PreviewPage:
    if where:
        studio.open(where)
    settle(qtbot, studio)
    page = studio.pages.import_page
    assert page is not None
    assert page.isVisible()
    assert studio.page == "import"
    return page


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT)


def option(page: PreviewPage, choice: str, words: str) -> QPushButton:
    (button,) = [
        b for b in page.choices.cards[choice].options.buttons.values() if words in b.text()
    ]
    return button


def cells(page: PreviewPage) -> list[tuple[str, ...]]:
    model = page.odd.model()
    return [
        tuple(model.index(row, column).data() for column in range(3))
        for row in range(model.rowCount())
    ]


def kinds(page: PreviewPage) -> list[str]:
    return [column.kind for column in page.rows.columns]


# The preview


def test_nothing_is_accepted_before_it_is_seen(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """Counts with every line; choices by a click, undone and redone; the old table until then;
    never asked twice for the same bytes."""
    path, data, state = ragged(tmp_path / "r.csv"), studio.store.data, studio.store.state
    page = preview(studio, qtbot, str(path))
    assert page.counts.text() == "59 rows are kept · 2 of them repaired · 1 row is left out"
    assert cells(page) == [
        ("18", "repaired", "It has 2 values where 3 are due."),
        ("45", "left out", "It has 5 values where 3 are due."),
        ("51", "repaired", "It has 1 value where 3 are due."),
    ]
    assert option(page, "ragged", "missing values").isChecked()
    assert QApplication.focusWidget() is option(page, "ragged", "missing values")
    assert studio.store.data is data
    assert not studio.window.top.undo.isEnabled()
    click(option(page, "ragged", "Leave out"))
    settle(qtbot, studio)
    assert page.counts.text() == "57 rows are kept · 3 rows are left out"
    QTest.keyClick(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, studio)
    assert page.counts.text().startswith("59 rows")
    click(studio.window.top.redo)
    settle(qtbot, studio)
    assert page.counts.text().startswith("57 rows")
    assert (studio.store.data, studio.store.state) == (data, state)
    click(page.accept)
    settle(qtbot, studio)
    assert studio.page == "explore"
    assert not studio.window.top.waiting.isVisible()
    assert studio.store.data is not None
    assert studio.store.data.rows == 57
    # It is kept with the session and with the file.
    save(studio, tmp_path / "s.dpstudio")
    reading = read_session(tmp_path / "s.dpstudio").reading
    assert reading is not None
    assert reading.ragged == "refuse"
    qtbot.waitUntil(lambda: not studio.opener.watcher.checker.busy)
    studio.open("adult")
    settle(qtbot, studio)
    for where in (path, tmp_path / "s.dpstudio"):
        studio.open(str(where))
        settle(qtbot, studio)
        assert studio.page == "explore"
        assert studio.store.data.rows == 57
        assert "3 rows were left out" in said(studio)
    # Other bytes: asked again.
    path.write_text(path.read_text() + "p99,30\n")
    for where in (path, tmp_path / "s.dpstudio"):
        page = preview(studio, qtbot, str(where))
        assert "has changed since" in page.note.text()
        assert page.counts.text().startswith("60 rows")
        QTest.keyClick(page, Qt.Key.Key_Escape)
        assert studio.page == "explore"
        assert studio.store.data.rows == 57


def test_nonsense_stays_at_its_field(studio: Studio, qtbot: QtBot, tmp_path: Path) -> None:
    page = preview(studio, qtbot, write(tmp_path / "d.csv", "Report\nof 2020\n\n" + DATES))
    card = page.choices.cards["skip"]
    assert card.field is not None
    for typed, why in (("abc", "whole number"), ("-1", "outside"), ("500", "no rows")):
        type_into(card.field.box, typed)  # type: ignore[attr-defined]
        settle(qtbot, studio)
        text = card.field.complaint.text() or card.complaint.text()  # type: ignore[attr-defined]
        assert why in text, (typed, text)
        assert not said(studio)
        assert page.counts.text().startswith("60 rows")
        assert page.accept.isEnabled()
        assert card.field.box.text() == typed  # type: ignore[attr-defined]
    QTest.keyClick(card.field.box, Qt.Key.Key_Escape)  # type: ignore[attr-defined]
    assert card.field.box.text() == "3"  # type: ignore[attr-defined]
    assert page.isVisible()
    click(page.choices.more.fold)
    types = page.choices.more.fields["types"]
    type_into(types.box, "pay=money")  # type: ignore[attr-defined]
    assert "pay=money" in types.complaint.text()
    assert not studio.opener.loader.busy
    assert not studio.opener.importer.can_undo
    the_types_are_chosen_in_the_head(studio, qtbot, write(tmp_path / "e.csv", DATES))


def the_types_are_chosen_in_the_head(studio: Studio, qtbot: QtBot, path: str) -> None:
    page = preview(studio, qtbot, path)
    assert kinds(page) == ["words", "date", "number"]
    page.rows.setCurrentIndex(page.rows.model().index(0, 2))
    QTest.keyClick(page.rows, Qt.Key.Key_Return)
    assert page.rows.menu.isVisible()
    next(a for a in page.rows.menu.actions() if a.text() == "words").trigger()
    page.rows.menu.close()
    settle(qtbot, studio)
    assert kinds(page) == ["words", "date", "words"]
    assert page.rows.head.chosen == {2}
    # What was in doubt still is, and is still offered.
    click(option(page, "dates", "Month first"))
    settle(qtbot, studio)
    assert page.choices.reading.wanted == Choices(dates="mdy", types=("pay=words",))
    click(page.accept)
    settle(qtbot, studio)
    assert studio.store.data is not None
    assert list(studio.store.data.cells(12, 13)[0][1:]) == [date(2020, 1, 2), "12.5"]


def test_cancelling_and_looking_elsewhere(studio: Studio, qtbot: QtBot, tmp_path: Path) -> None:
    data, figure = studio.store.data, chart(studio, "error").figure
    page = preview(studio, qtbot, write(tmp_path / "d.csv", DATES))
    turn_page(studio, "explore")
    assert chart(studio, "error").figure is figure
    assert chart(studio, "error").isVisible()
    click(studio.window.top.waiting)
    assert page.isVisible()
    click(page.leave)
    assert studio.page == "explore"
    assert studio.store.data is data
    assert chart(studio, "error").figure is figure
    assert studio.opener.importer.got is None
    # A damaged memory of how files were read is none.
    for damage in (
        "nonsense",
        "[1]",
        json.dumps({page.title.text(): 3}),
        json.dumps({str(tmp_path / "d.csv"): {"sha256": "", "reading": {}}}),
    ):
        studio.window.kept.held.setValue("files/readings", damage)
        click(preview(studio, qtbot, str(tmp_path / "d.csv")).leave)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_at_the_start_an_example_stands_behind(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    studio = open_window(write(tmp_path / "d.csv", DATES), charts=False)
    qtbot.waitUntil(lambda: studio.page == "import", timeout=10_000)
    page = preview(studio, qtbot)
    assert studio.store.data is not None
    assert studio.store.data.origin == "adult"
    drop(studio.window, page.rows.viewport(), ragged(tmp_path / "r.csv"))
    settle(qtbot, studio)
    assert "r.csv" in page.title.text()
    assert list(page.choices.cards) == ["ragged"]


def test_a_folder_of_pictures_is_asked_about_and_opened(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the menu's dialog: how small its pictures become is seen and chosen, their types are not;
    then the folder is found as it was, until a picture is another."""
    for place in range(6):
        (tmp_path / f"{place % 2}").mkdir(exist_ok=True)
        large = Image.new("L", (40, 40), 40 * place)
        large.save(tmp_path / f"{place % 2}" / f"{place}.png")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    studio.sessions.ask_folder()
    page = preview(studio, qtbot)
    assert list(page.choices.cards) == ["side"]
    assert "another type" not in page.state.text()
    click(option(page, "side", "20"))
    settle(qtbot, studio)
    click(page.accept)
    settle(qtbot, studio)
    data = studio.store.data
    assert data is not None
    assert (data.rows, len(data.columns)) == (6, 401)
    large.save(tmp_path / "0" / "0.png")  # which the folder itself shows nothing of
    studio.look_at_file()
    qtbot.waitUntil(lambda: "has changed on the disk" in said(studio), timeout=10_000)


def test_the_newest_choice_is_read_and_the_others_stop(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = write(tmp_path / "d.csv", DATES), reading.open_with_report
    page = preview(studio, qtbot, path)
    begun: list[Choices] = []
    times: dict[str, float] = {}

    def slow(where: str, progress: Any, cancelled: Any, choices: Choices) -> Any:
        begun.append(choices)
        if choices.dates != "words":
            progress(0.4)
            while not cancelled():
                threading.Event().wait(0.002)
            times["stopped"] = time.perf_counter()
            raise CancelledError
        return real(where, progress, cancelled, choices)

    monkeypatch.setattr(reading, "open_with_report", slow)
    click(option(page, "dates", "Month first"))
    qtbot.waitUntil(lambda: page.progress.value() == 40)
    assert not page.accept.isEnabled()
    assert kinds(page) == ["words", "date", "number"]
    times["asked"] = time.perf_counter()
    click(page.stop)
    settle(qtbot, studio)
    assert times["stopped"] - times["asked"] < 0.2
    assert option(page, "dates", "Day first").isChecked()
    assert not studio.opener.importer.can_undo
    click(option(page, "dates", "Month first"))
    qtbot.waitUntil(lambda: len(begun) == 2)
    click(option(page, "dates", "as words"))
    settle(qtbot, studio)
    assert [choices.dates for choices in begun] == ["mdy", "mdy", "words"]
    assert kinds(page) == ["words", "words", "number"]


# Paste


def test_a_table_is_pasted_where_no_box_is_typed_in(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    QGuiApplication.clipboard().setText("age\tpaid\n61\t1\n40\t2\n70\t3\n")
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    data, box = studio.store.data, field(studio, "mechanism.epsilon").box
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, studio)
    assert "61" in box.text()
    assert studio.store.data is data
    QTest.keyClick(box, Qt.Key.Key_Escape)
    chart(studio, "error").setFocus()
    QTest.keyClick(chart(studio, "error"), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, studio)
    assert studio.store.data is not None
    assert (studio.store.data.rows, studio.store.data.origin) == (3, "")
    assert studio.findings is not None
    assert studio.findings.truth is not None
    assert studio.findings.truth[0] == 2
    assert "" not in studio.window.kept.recent
    save(studio)  # no dialog: it is said at once
    assert "pasted table" in said(studio)
    save(studio, tmp_path / "s.dpstudio")
    assert not (tmp_path / "s.dpstudio").exists()
    QGuiApplication.clipboard().setText("who,n\na,1\nb\n")
    studio.opener.paste()
    page = preview(studio, qtbot)
    assert "pasted" in page.title.text()
    click(option(page, "ragged", "Leave out"))
    settle(qtbot, studio)
    assert page.counts.text() == "1 row is kept · 1 row is left out"
    QTest.keyClick(page, Qt.Key.Key_Escape)
    mime = QMimeData()
    QGuiApplication.clipboard().setMimeData(mime)
    studio.opener.paste()
    assert "clipboard" in said(studio)
    assert studio.store.data.rows == 3


# The file on the disk


def test_a_file_that_changed_is_said_and_read_again_when_asked(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    write(path, "age,pay\n" + "".join(f"{i},{i}\n" for i in range(20, 80)))
    studio = open_window(str(path))
    studio.opener.watcher.quiet.setInterval(20)
    studio.store.set("mechanism.epsilon", 0.7)
    studio.store.describe(studio.store.state.codebook.with_about("age", About(low=0, high=100)))
    qtbot.waitUntil(lambda: not studio.opener.watcher.checker.busy)
    state, data = studio.store.state, studio.store.data
    path.touch()
    studio.opener.watcher.check()
    qtbot.waitUntil(lambda: not studio.opener.watcher.checker.busy)
    assert not said(studio)  # touched, with the same bytes
    other = tmp_path / "new.csv"
    write(other, "age,pay\n" + "".join(f"{i},{i}\n" for i in range(20, 90)))
    other.replace(path)  # as editors save
    qtbot.waitUntil(lambda: "has changed on the disk" in said(studio))
    assert studio.store.data is data
    click(studio.window.message.action)
    settle(qtbot, studio)
    assert studio.store.data is not None
    assert studio.store.data.rows == 70
    assert studio.store.state == state
    assert studio.store.data.about("age") == About(low=0, high=100)
    assert studio.findings is not None
    assert studio.findings.truth is not None
    assert studio.findings.truth[0] == 39
    assert studio.store.history.canUndo()
    assert not said(studio)
    qtbot.waitUntil(lambda: not studio.opener.watcher.checker.busy)
    path.unlink()
    qtbot.waitUntil(lambda: "not there any more" in said(studio))
    write(path, "age,pay\n1,2\n3\n4,5\n6,7\n")
    QTest.keyClick(studio.window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    page = preview(studio, qtbot)
    assert studio.store.data.rows == 70
    click(page.accept)
    settle(qtbot, studio)
    assert studio.store.data.rows == 4
    assert studio.store.state == state
    # What was certain or chosen can be looked at, and read otherwise.
    studio.opener.read_otherwise()
    page = preview(studio, qtbot)
    click(page.accept)
    assert studio.page == "explore"


# How it looks


def test_nothing_is_clipped_and_all_is_reached_by_tab(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    studio.window.resize(1280, 800)
    text = "Report of the clinic\n\n" + DATES.replace(".5", ",5").replace(",", ";").replace(
        "who", "größe"
    )
    lines = text.splitlines()
    page = preview(
        studio,
        qtbot,
        write(
            tmp_path / "d.csv",
            "\n".join([*lines, "x;1/2/2020", "z;1/2/2020;2,5;3;4"]) + "\n",
            "latin-1",
        ),
    )
    assert {"encoding", "ragged", "dates"} <= set(page.choices.cards)
    page.choices.more.open(True)
    rest(page)
    assert not clipped(studio, page)
    studio.window.activateWindow()
    QTest.qWait(20)
    seen = tabbed(studio)
    for widget in (
        page.accept,
        page.leave,
        page.rows,
        page.odd,
        page.choices.more.fold,
        option(page, "encoding", "1252"),
    ):
        assert widget in seen
    studio.window.resize(1920, 1080)
    studio.window.theme.set_scale(1.5)
    rest(page)
    assert not clipped(studio, page)


def test_a_long_answer_takes_the_lines_that_its_button_has(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """It was broken by letters, and what that gave by its width again: three lines in two."""
    studio.window.resize(1280, 800)
    page = preview(studio, qtbot, write(tmp_path / "one.csv", "1e-3000\n"))
    rest(page)
    for button in page.choices.cards["header"].options.buttons.values():
        drawn = QPushButton.text(button).split("\n")
        assert len(drawn) * button.fontMetrics().lineSpacing() <= button.height()
        assert " ".join(drawn) == button.text()


def rest(page: PreviewPage) -> None:
    for _ in range(5):
        QApplication.processEvents()


def test_it_can_be_translated(
    marked: None, open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    studio = open_window()
    page = preview(studio, qtbot, str(ragged(tmp_path / "r.csv")))
    page.choices.more.open(True)
    QApplication.processEvents()
    assert not {text for text in untranslated(studio) if "r.csv" not in text}


def test_what_cannot_be_told_is_not_offered(studio: Studio, tmp_path: Path, qtbot: QtBot) -> None:
    """A table whose values hold line ends: an open quote could take the rows of others. Of a wide
    one the whole line stands in the bar."""
    path = tmp_path / "t.csv"
    for cell, names in (('"a\nb"', "n"), ("a", "name")):
        head = ",".join(f"{names}{place}" for place in range(60))
        path.write_text(f"{head}\n" + (",".join([cell] * 60) + "\n") * 9)
        studio.open(str(path))
        settle(qtbot, studio)
        studio.saver.folder(tmp_path / "out", without=True)
        settle(qtbot, studio)
        assert studio.window.message.action.isHidden() == (names == "n")
        assert ("newlines=none) if no value" in said(studio)) == (names == "n")
    assert "name59: words" in said(studio)
    assert not list(tmp_path.glob("out/*"))


STAYS = {
    "t.json": (b'{"a": {"x": 1, "y": 2}, "b": {"x": 3, "y": 4}}', "Save the table as JSON lines"),
    "t.csv": (b'a,b\n1,"x\ny"\n2,"z\nw"\n3,4,5\n', "Parquet or as JSON lines"),
    "lines.jsonl": (b'{"a": 1}\n{"a": 2}\n{"a": \n', ""),
}


@pytest.mark.parametrize("name", STAYS)
def test_the_page_says_what_never_leaves_before_it_is_opened(
    name: str, studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """And where it is exported nothing is offered that is refused after the click."""
    body, ways = STAYS[name]
    (tmp_path / name).write_bytes(body)
    page = preview(studio, qtbot, str(tmp_path / name))
    words = " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())
    assert ("can be saved without the exact answer" in words) == bool(ways)
    assert ways in words
    click(page.accept)
    settle(qtbot, studio)
    studio.saver.folder(tmp_path / "out", without=True)
    settle(qtbot, studio)
    assert studio.window.message.action.isHidden() == bool(ways)
    assert ways in said(studio)


def test_how_a_table_was_read_is_told_by_a_click_before_anything_leaves(
    studio: Studio, open_another: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    """Once: with the file and its session it stays. A line that was left out is a row then."""
    path, folder = ragged(tmp_path / "t.csv"), tmp_path / "out"
    page = preview(studio, qtbot, str(path))
    click(page.accept)
    settle(qtbot, studio)
    studio.store.set("query.where", "age > 30")
    settle(qtbot, studio)
    assert studio.store.data is not None
    assert studio.store.data.rows == 59
    studio.saver.folder(folder, without=True)
    settle(qtbot, studio)
    assert "Rows “Every record, without" in said(studio)
    assert "age: integer" in said(studio)
    assert "Export again" in said(studio)
    assert not list(folder.glob("*"))
    bar = studio.window.message
    assert bar.action.text() == "I know this from outside"
    click(bar.action)
    settle(qtbot, studio)
    assert studio.store.data.rows == 60
    assert studio.store.data.info("age").type == "integer"
    studio.saver.folder(folder, without=True)
    settle(qtbot, studio)
    assert list(folder.glob("*.svg"))
    save(studio, tmp_path / "mine.dpstudio")
    kept = read_session(tmp_path / "mine.dpstudio").reading
    assert kept is not None
    assert kept.rows == "every"
    other = open_another(str(tmp_path / "mine.dpstudio"))
    settle(qtbot, other)
    assert other.store.data is not None
    assert not other.store.data.spelling.found
