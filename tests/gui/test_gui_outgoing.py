"""The button of a page that lets something leave: the sheet before it, and the ways to what is
missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hand import LEFT, settle, turn_page
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from dpstudio.data.codebook import MERGED, About, Codebook
from dpstudio.files.write.leave_notes import LeaveNotes
from dpstudio.files.write.leaving import ColumnsStayError, MergedError, read_by_rows
from dpstudio.gui.parts.folder_dialog import NewFolder
from dpstudio.gui.shell.files import saving
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS
from dpstudio.labs.naming import lab_kind
from dpstudio.values.messages import say


def test_what_may_leave_a_page_has_a_button_and_a_sheet_there(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = studio.outgoing
    for about in LABS[:1]:
        assert lab_kind(about.key).page().releases is None
        assert out.button.isHidden()
    turn_page(studio, "components")
    settle(qtbot, studio)
    QTest.mouseClick(out.button, LEFT)
    qtbot.waitUntil(lambda: "sheet" in out.__dict__ and out.sheet.isVisible())
    assert not out.sheet.save.isEnabled()  # its noise is drawn in doubles
    QTest.keyClick(out.sheet, Qt.Key.Key_Escape)
    assert not out.sheet.isVisible()
    studio.store.choose("mechanism", "laplace_matrix")
    settle(qtbot, studio)
    out.ask()
    qtbot.waitUntil(lambda: out.sheet.isVisible())
    (link,) = (b for b in out.sheet.body.findChildren(QPushButton) if "capital-loss" in b.text())
    QTest.mouseClick(link, LEFT)
    assert (studio.page, studio.pages.data_page.column) == ("data", "capital-loss")
    turn_page(studio, "components")
    studio.store.set("features", ("age", "education-num"))
    settle(qtbot, studio)
    out.ask()
    qtbot.waitUntil(lambda: out.sheet.isVisible() and out.sheet.save.isEnabled())
    assert out.sheet.height() > 200
    path = tmp_path / "model.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.mouseClick(out.sheet.save, LEFT)
    qtbot.waitUntil(lambda: path.with_suffix(".py").exists())
    assert json.loads(path.read_text("utf-8"))["model"] == "components"
    qtbot.waitUntil(lambda: "costs" in studio.window.message.text.text())


def test_the_sheet_comes_back_until_all_is_told(studio: Studio, qtbot: QtBot) -> None:
    """Where something was told; where nothing was, or another page was looked at, it does not."""
    out, pages = studio.outgoing, studio.pages
    turn_page(studio, "components")
    studio.store.choose("mechanism", "laplace_matrix")
    settle(qtbot, studio)
    for told in (False, True):
        out.ask()
        qtbot.waitUntil(lambda: "sheet" in out.__dict__ and out.sheet.isVisible())
        links = [b for b in out.sheet.body.findChildren(QPushButton) if "Tell what" in b.text()]
        QTest.mouseClick(links[0], LEFT)
        assert pages.page == "data"
        column, before = pages.data_page.column, studio.store.data
        if told:
            pages.describer.describe(
                lambda book, c=column: book.with_about(c, About(low=0.0, high=9.0, attested=True))
            )
            qtbot.waitUntil(lambda b=before: studio.store.data is not b)
            settle(qtbot, studio)
            assert not out.sheet.isVisible()
        turn_page(studio, "components")
        settle(qtbot, studio)
        assert told or not out.sheet.isVisible()
    qtbot.waitUntil(lambda: out.sheet.isVisible() and out.sheet.save.isEnabled())
    out.sheet.leave()
    turn_page(studio, "explore")
    pages.describer.describe(lambda book: book.with_about("age", About(low=0.0, high=120.0)))
    settle(qtbot, studio)
    turn_page(studio, "components")
    settle(qtbot, studio)
    assert not out.sheet.isVisible()


def test_what_leaves_is_what_the_sheet_said(studio: Studio, qtbot: QtBot) -> None:
    """It goes, also before it has come, once another ε or page is there: it would say the old one
    of what would leave then."""
    out = studio.outgoing
    for change in (
        lambda: studio.store.set("epsilon", studio.store.lab.epsilon * 2),
        lambda: studio.show_page("ledger"),
        lambda: turn_page(studio, "learn"),
    ):
        turn_page(studio, "synthesis")
        settle(qtbot, studio)
        out.ask()
        qtbot.waitUntil(lambda: out.sheet.isVisible())
        change()
        assert not out.sheet.isVisible()
    turn_page(studio, "synthesis")
    settle(qtbot, studio)
    out.ask()
    studio.store.set("epsilon", 0.7)
    settle(qtbot, studio)
    qtbot.waitUntil(lambda: not studio.jobs.busy("notes"))
    assert not out.sheet.isVisible()


def test_a_sheet_that_is_open_follows_the_window_and_the_type(studio: Studio, qtbot: QtBot) -> None:
    sheet, why = studio.outgoing.sheet, say("Nobody told of columns. " * 9)
    sheet.ask(LeaveNotes(why, (why,), why, None, (), why), sheet.leave)
    before, window = sheet.height(), studio.window
    window.theme.set_scale(1.5)
    settle(qtbot, studio)
    qtbot.waitUntil(lambda: sheet.height() > before)
    assert sheet.height() == sheet.whole.totalHeightForWidth(sheet.width())
    size = window.size()
    window.resize(size.width() + 200, size.height() + 100)
    assert abs(sheet.geometry().center().x() - window.rect().center().x()) <= 1
    sheet.leave()
    window.resize(size)
    window.theme.set_scale(1.0)
    settle(qtbot, studio)


def test_a_sheet_with_ways_to_three_columns_cuts_no_word(studio: Studio, qtbot: QtBot) -> None:
    """Side by side they were wider than it, and it was too low; asked again behind it, it had no
    height; and as high as at the last size of type after another was chosen."""
    sheet, names = studio.outgoing.sheet, ("Department", "Length of stay", "Marital status")
    why = say("The bounds or words of three columns come from the data: this is not private. " * 3)
    missing = ColumnsStayError(why, names)
    notes = LeaveNotes(say("Save this table"), (why,), why, None, (missing,), why)
    for scale in (1.0, 1.0, 1.5, 1.0):
        if scale != studio.window.theme.look.scale:
            sheet.leave()
            studio.window.theme.set_scale(scale)
            settle(qtbot, studio)
        sheet.ask(notes, sheet.leave)
        settle(qtbot, studio)
        assert sheet.height() == sheet.whole.totalHeightForWidth(sheet.width())
        for part in sheet.body.findChildren(QLabel):
            assert part.height() >= part.heightForWidth(part.width()), part.text()
        links = sheet.body.findChildren(QPushButton)
        assert len(links) == 3
        assert all(link.width() >= link.sizeHint().width() for link in links)
    sheet.leave()


def test_a_sheet_that_says_more_than_the_window_is_high_is_scrolled(
    studio: Studio, qtbot: QtBot
) -> None:
    """By keys too; its buttons stay below."""
    sheet, why = studio.outgoing.sheet, say("Nobody told of columns.")
    missing = ColumnsStayError(why, tuple(f"column {k}" for k in range(40)))
    sheet.ask(LeaveNotes(why, (why,), why, None, (missing,), why), sheet.leave)
    settle(qtbot, studio)
    links, bar = sheet.body.findChildren(QPushButton), sheet.area.verticalScrollBar()
    assert len(links) == 40
    assert sheet.height() <= studio.window.height()
    assert sheet.back.geometry().bottom() < sheet.height()
    assert bar.value() == 0 < bar.maximum()
    links[0].setFocus()
    for _ in links[1:]:
        QTest.keyClick(studio.window.focusWidget(), Qt.Key.Key_Tab)
    assert links[-1].hasFocus()
    assert bar.value() > 0
    sheet.leave()


def test_spellings_that_keep_all_from_leaving_are_apart_by_one_click(
    studio: Studio, qtbot: QtBot
) -> None:
    """On the sheet, and in the bar where something else was to be exported."""
    merged = Codebook().with_about("occupation", About(type=MERGED))
    assert merged.apart.merged == ()
    for stays in (False, True):
        studio.pages.describer.describe(
            lambda book: book.with_about("occupation", merged.about("occupation"))
        )
        qtbot.waitUntil(lambda: studio.store.data.codebook.merged == ("occupation",))
        (why,) = read_by_rows(studio.store.data)
        assert isinstance(why, MergedError)
        if stays:
            studio.outgoing._stays(why)
            QTest.mouseClick(studio.window.message.action, LEFT)
        else:
            sheet, said = studio.outgoing.sheet, say("Save this table")
            sheet.ask(LeaveNotes(said, (said,), said, None, (why,), said), sheet.leave)
            (link,) = sheet.body.findChildren(QPushButton)
            QTest.mouseClick(link, LEFT)
            assert not sheet.isVisible()
        qtbot.waitUntil(lambda: studio.store.data.codebook.merged == ())
        settle(qtbot, studio)
        data = studio.store.data
        assert (data.digest, "occupation") in studio.twins._answered  # so it is not offered again
        studio.twins._answered.clear()


def test_the_next_empty_folder_is_looked_for_beside_the_last(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was asked for inside the one that had just been filled."""
    (tmp_path / "first").mkdir()
    monkeypatch.setattr(saving, "asked_folder", lambda *_: str(tmp_path / "first"))
    monkeypatch.setattr(studio.saver, "folder", lambda *_: None)
    for alone, kept in ((True, tmp_path), (False, tmp_path / "first")):
        studio.saver.ask_folder(alone=alone)
        assert Path(studio.window.kept.folder) == kept


def test_a_folder_that_is_not_there_is_made_by_its_name(qtbot: QtBot, tmp_path: Path) -> None:
    """Typed with real keys; what cannot be made is said in the dialog, which stays."""
    (tmp_path / "file").write_text("")
    for typed, made in (
        ("new one", True),
        ("a/b", True),
        ('"quoted" one', True),
        ("file/in it", False),
        ("~nobody-of-this-name/x", False),
        ("half\0of it", False),
    ):
        dialog = NewFolder(None, "Folder", str(tmp_path))
        qtbot.addWidget(dialog)
        dialog.show()
        QTest.keyClicks(dialog.named, typed.partition("\0")[0])
        dialog.named.setText(typed)  # no key is a NUL
        assert dialog.choose.isEnabled()
        QTest.keyClick(dialog.named, Qt.Key.Key_Return)
        assert dialog.isHidden() == made
        assert ("could not be made" in dialog.complaint.text()) != made
        if made:
            assert (tmp_path / typed).is_dir()
            assert dialog.selectedFiles() == [str(tmp_path / typed)]
