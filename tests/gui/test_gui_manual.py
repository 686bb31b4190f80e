"""The manual beside the page: opened by a key, read, left, and found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hand import paint_now
from manual import HELP, keys
from PySide6.QtCore import QMessageLogContext, QPoint, Qt, QtMsgType, QUrl, qInstallMessageHandler
from PySide6.QtGui import (
    QDesktopServices,
    QGuiApplication,
    QPdfWriter,
    QTextDocument,
    QTextImageFormat,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpstudio.files.manual import INDEX, manual_page, manual_pages
from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.shell.frame.findable import manual
from dpstudio.gui.shell.frame.finding import best
from dpstudio.gui.shell.frame.known import CRAFT, TEXT, Known
from dpstudio.gui.shell.frame.manual import Manual
from dpstudio.gui.shell.frame.manual_pane import PageReader
from dpstudio.gui.shell.frame.ranking import plain_words
from dpstudio.gui.shell.pages import DATA_PAGE, LESSONS
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def told() -> Iterator[list[str]]:
    """What Qt complains of meanwhile."""
    texts = list[str]()

    def hear(kind: QtMsgType, where: QMessageLogContext, text: str) -> None:
        texts.append(text)

    before = qInstallMessageHandler(hear)
    yield texts
    qInstallMessageHandler(before)


@pytest.fixture
def reading(studio: Studio) -> Iterator[Manual]:
    """The manual of a window, which is closed after the test."""
    yield studio.pages.manual
    studio.pages.manual.leave()


def f1(studio: Studio) -> None:
    """Once, or twice where something is explained first."""
    QTest.keyClick(studio.window, Qt.Key.Key_F1)
    if studio.explaining.on:
        QTest.keyClick(studio.window, Qt.Key.Key_F1)
    paint_now()


def key_of(held: Manual) -> str:
    """The page that is read."""
    path = held.pane.reader.source().toLocalFile()
    return path.removeprefix(f"{HELP.as_posix()}/").removesuffix(".md")


def pictures(reader: PageReader) -> Iterator[QTextImageFormat]:
    block = reader.document().begin()
    while block.isValid():
        inside = block.begin()
        while not inside.atEnd():
            form = inside.fragment().charFormat()
            if form.isImageFormat():
                yield form.toImageFormat()
            inside += 1
        block = block.next()


def test_every_page_opens_without_a_complaint(
    reading: Manual, studio: Studio, told: list[str]
) -> None:
    """Its title is seen, none of its marks are, and every picture is there, no wider than it."""
    for page in manual_pages():
        reading.show(page)
        reader = reading.pane.reader
        assert key_of(reading) == page.key
        assert reader.toPlainText().startswith(page.title), page.key
        assert "<!--" not in reader.toPlainText(), page.key
        for form in pictures(reader):
            image = reader.document().resource(
                QTextDocument.ResourceType.ImageResource.value, QUrl(form.name())
            )
            wide = image.deviceIndependentSize().width()
            assert 0 < wide <= reader.viewport().width(), (page.key, form.name())
    assert told == []


def test_the_key_opens_the_page_of_what_is_on_the_screen(reading: Manual, studio: Studio) -> None:
    """Of each lab its own, of the table that of tables; and it closes what is being read."""
    assert not reading.on
    f1(studio)
    assert reading.on
    assert key_of(reading) == f"use/{studio.page}"
    f1(studio)
    assert not reading.on
    for page in (*(about.key for about in LABS), "no lab"):
        wanted = f"use/{page}" if (HELP / f"use/{page}.md").is_file() else INDEX
        held = Manual(studio.window, lambda page=page: page)
        assert held._found().key == wanted
        held.deleteLater()
    for page, wanted in ((DATA_PAGE, "use/tables"), (LESSONS.key, "use/talks")):
        studio.show_page(page)
        f1(studio)
        assert key_of(reading) == wanted
        reading.leave()


def test_links_lead_on_and_back_and_none_leads_away(
    reading: Manual, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alt with ← and → goes through what was read; an address outside is copied, and said."""
    opened = list[QUrl]()
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    reading.contents()
    reader = reading.pane.reader
    QTest.keyClick(reader, Qt.Key.Key_Tab)
    assert reader.textCursor().selectedText() == "the first five minutes"
    QTest.keyClick(reader, Qt.Key.Key_Return)
    assert key_of(reading) == "use/first"
    reader.anchorClicked.emit(QUrl("tables.md"))
    assert key_of(reading) == "use/tables"
    QTest.keyClick(reader, Qt.Key.Key_Left, ALT)
    QTest.keyClick(reader, Qt.Key.Key_Left, ALT)
    assert key_of(reading) == INDEX
    for _ in range(2):
        QTest.keyClick(reading.pane, Qt.Key.Key_Right, ALT)
    assert key_of(reading) == "use/tables"
    for away in ("https://example.org/a?b=1", "../../../LICENSE", "../../../README.md"):
        QGuiApplication.clipboard().clear()
        reader.anchorClicked.emit(QUrl(away))
        assert key_of(reading) == "use/tables"
        assert QGuiApplication.clipboard().text() == away
        assert away in reading.pane.note.text()
        assert reading.pane.note.isVisible()
    assert opened == []


def test_a_heading_that_is_asked_for_is_at_the_top(reading: Manual, studio: Studio) -> None:
    """Or as near to it as the end of the page lets it come."""
    page = manual_page("use/keys")
    for heading in page.headings:
        reading.show(page, heading)
        paint_now()
        reader = reading.pane.reader
        bar, top = reader.verticalScrollBar(), reader.viewport().rect().topLeft()
        first = reader.cursorForPosition(top).block()
        seen = [first.text(), first.next().text()]
        assert bar.value() > 0
        assert heading in seen or bar.value() == bar.maximum(), (heading, seen)


def test_it_lies_beside_the_panel_and_gives_the_focus_back(
    reading: Manual, studio: Studio, qtbot: QtBot
) -> None:
    """Over the charts, above what is said, which does not move it; Escape leaves it, and so does a chart that is presented.
    Tab comes to it after the charts."""
    window = studio.window
    window.activateWindow()
    window.top.seek.setFocus()
    f1(studio)
    pane, panel = reading.pane, window.panel
    assert pane.isAncestorOf(QApplication.focusWidget())
    right_of = pane.mapTo(window, pane.rect().topLeft()).x()
    assert right_of > panel.mapTo(window, panel.rect().topRight()).x()
    assert pane.mapTo(window, pane.rect().bottomRight()).x() < window.width()
    studio.tidy_tabs()
    chain = [window.top.seek.nextInFocusChain()]
    while chain[-1] not in (window.top.seek, pane.reader):
        chain.append(chain[-1].nextInFocusChain())
    assert {*window.board.findChildren(PlotView)} & {*chain}
    assert chain[-1] is pane.reader
    top = pane.y()
    window.say("Something went wrong.")
    paint_now()
    bar = window.message
    assert pane.mapTo(window, pane.rect().bottomLeft()).y() < bar.mapTo(window, QPoint()).y()
    assert pane.y() == top
    window.say("")
    paint_now()
    assert pane.y() == top
    window.resize(900, 600)
    paint_now()
    left = pane.mapTo(window, pane.rect().topLeft()).x()
    assert left > panel.mapTo(window, panel.rect().topRight()).x()
    QTest.keyClick(pane.reader, Qt.Key.Key_Escape)
    assert not reading.on
    assert QApplication.focusWidget() is window.top.seek
    f1(studio)
    window.present()
    assert not reading.on
    window.leave_presenting()


def test_its_inks_and_type_are_those_of_the_window(reading: Manual, studio: Studio) -> None:
    """Also when these change while it is read; the place in the page stays."""
    reading.show(manual_page("use/keys"))
    theme, reader = studio.window.theme, reading.pane.reader

    def seen() -> tuple[float, str]:
        block = reader.document().begin()
        size = block.begin().fragment().charFormat().font().pixelSize()
        studio.window.style_sheets.finish()
        paint_now()
        return size, reader.grab().toImage().pixelColor(4, 4).name()

    before = seen()
    theme.set_dark(not theme.look.dark)
    assert (seen()[0], seen()[1] != before[1]) == (before[0], True)
    reader.verticalScrollBar().setValue(200)
    theme.set_scale(1.5)
    assert seen()[0] == round(before[0] * 1.5)
    assert reader.verticalScrollBar().value() > 200
    theme.set_scale(1.0)
    theme.set_dark(not theme.look.dark)


def test_pages_are_found_by_title_and_heading(reading: Manual, studio: Studio) -> None:
    known = Known(manual(reading.show))
    assert {one.kind for one in known} == {TEXT, CRAFT}
    for page in manual_pages():
        first = best(page.title, known)[0]
        assert plain_words(first.name) == plain_words(page.title)
        for heading in page.headings[:2]:
            assert any(heading in one.name for one in best(f"{page.title} · {heading}", known))
    (one,) = [one for one in known if one.name == "While a chart is presented"]
    one.go()
    assert key_of(reading) == "use/keys"


def test_the_page_of_keys_is_as_the_window(reading: Manual, studio: Studio) -> None:
    """Written anew by `python tests/manual.py`; its entry in the menu opens it."""
    assert (HELP / "use/keys.md").read_text(encoding="utf-8") == keys(studio.window)
    reading.keys()
    assert key_of(reading) == "use/keys"


def test_all_of_it_is_searched(reading: Manual, studio: Studio) -> None:
    """From page to page, each time further; what stands nowhere is said."""
    reading.contents()
    pane = reading.pane
    QTest.keyClick(pane, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert pane.search.hasFocus()
    pane.search.setText("hockey-stick")
    places = list[tuple[str, int]]()
    for _ in range(12):
        QTest.keyClick(pane.search, Qt.Key.Key_Return)
        cursor = pane.reader.textCursor()
        assert cursor.selectedText().casefold() == "hockey-stick"
        places.append((key_of(reading), cursor.position()))
    assert len({*places}) > 1
    assert ("use/glossary/promise") in {key for key, _ in places}
    pane.search.setText("no such words")
    before = key_of(reading)
    QTest.keyClick(pane.search, Qt.Key.Key_Return)
    assert key_of(reading) == before
    assert "no such words" in pane.note.text()


def test_a_page_is_printed_dark_on_white(reading: Manual, studio: Studio, tmp_path: Path) -> None:
    reading.show(manual_page("use/glossary/attacks"))
    for dark in (False, True):
        studio.window.theme.set_dark(dark)
        paper = QPdfWriter(str(tmp_path / f"{dark}.pdf"))
        reading.pane.print_on(paper)
        del paper
    studio.window.theme.set_dark(False)
    sizes = [(tmp_path / f"{dark}.pdf").stat().st_size for dark in (False, True)]
    assert min(sizes) > 10_000
    assert abs(sizes[0] - sizes[1]) < 100
