"""The page of the table: its columns, what is known of them, who a person is, and the rows, with
real keys and clicks."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hand import choose, clipped, settle, turn_page, type_into
from marked import untranslated
from odd_tables import peoples_tables
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpstudio.data import profile as profiling
from dpstudio.data.codebook import MERGED, About
from dpstudio.files.session import write_session
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.table import column_cells, data_list, data_page
from dpstudio.values.dates import days_of

LEFT = Qt.MouseButton.LeftButton


def turn(studio: Studio, qtbot: QtBot, column: str = "") -> data_page.DataPage:
    """The page, once every column is counted."""
    studio.show_page("data")
    page = studio.pages.data_page
    assert page is not None
    rest(studio, qtbot)
    if column:
        page.choose(column)
    return page


def rest(studio: Studio, qtbot: QtBot) -> None:
    settle(qtbot, studio)
    page = studio.pages.data_page
    assert page is not None
    qtbot.waitUntil(
        lambda: (
            not (
                page.describer.busy
                or studio.pages.profiler.busy
                or page.rows.reader.busy
                or studio.jobs.busy("lab")
            )
        )
    )
    for _ in range(3):
        QApplication.processEvents()


def listed(page: data_page.DataPage) -> list[list[str]]:
    return [
        [page.model.data(page.model.index(row, column)) for column in range(5)]
        for row in range(page.model.rowCount())
    ]


def about(studio: Studio, column: str) -> About:
    return studio.store.state.codebook.about(column)


@pytest.fixture
def visits(studio: Studio, qtbot: QtBot, tmp_path: Path) -> Studio:
    """300 rows of 100 patients; the day is written as words."""
    path = tmp_path / "visits.csv"
    days = [f"2020-{1 + k % 12:02d}-{1 + k % 28:02d}" for k in range(300)]
    frame = pd.DataFrame(
        {
            "patient": np.repeat(np.arange(100), 3),
            "day": days,
            "cost": np.arange(300.0),
            "ward": ["a", "b", "c"] * 100,
        }
    )
    frame.to_csv(path, index=False)
    studio.open(str(path))
    settle(qtbot, studio)
    return studio


# Columns


def test_every_column_is_listed_searched_and_sorted(studio: Studio, qtbot: QtBot) -> None:
    page = turn(studio, qtbot)
    assert page.isVisible()
    assert len(listed(page)) == 15
    assert next(row for row in listed(page) if row[0] == "workclass")[1::3] == ["words", "5.6 %"]
    assert all(len(seen.bars) > 1 for seen in page.model.rows)
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    QTest.keyClick(page, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(page.search, "EDUC")
    assert [row[0] for row in listed(page)] == ["education", "education-num"]
    assert page.name.text() == "education"
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    assert (page.name.text(), page.column) == ("education-num", "education-num")
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    assert len(listed(page)) == 15
    assert page.view.currentIndex().row() == 4
    choose(page.sort, "missing")
    assert [row[0] for row in listed(page)][:3] == ["occupation", "workclass", "native-country"]
    assert page.column == "education-num"
    QTest.keyClicks(page.search, "zz")
    assert page.none.isVisible()
    turn_page(studio, "explore")
    assert studio.window.board.isVisible()
    assert not page.isVisible()


def test_few_missing_values_fit_their_column(studio: Studio, qtbot: QtBot) -> None:
    page = turn(studio, qtbot, "age")
    seen = page.model.held["age"]
    for missing, said in ((0, "–"), (1, "<0.1 %"), (40, "0.12 %"), (seen.rows, "100 %")):
        page.model.show_profile(replace(seen, missing=missing))
        settle(qtbot, studio)
        assert listed(page)[[row[0] for row in listed(page)].index("age")][4] == said
        room = page.view.columnWidth(3) - 2 * page.look.px(8)
        assert page.view.fontMetrics().horizontalAdvance(said) <= room


def test_a_column_is_told_in_chart_numbers_and_words(studio: Studio, qtbot: QtBot) -> None:
    page = turn(studio, qtbot, "age")
    view = page.column_view
    facts = {
        tile.name.text(): tile.value.text()
        for part in (view.counts, view.quantiles)
        for tile in part.tiles
        if tile.isVisible()
    }
    assert facts["median"] == "37"
    assert (facts["min"], facts["max"], facts["Different values"]) == ("17", "90", "73")
    view.chart.wanted.emit("column", "copy-data")
    assert "Contains the exact answer: not private." in QGuiApplication.clipboard().text()
    page.choose("sex")
    assert view.words.model.cells[0][:2] == ("Male", "21,790")
    assert "the most common" not in view.chart.subtitle.text()
    view.words.wanted.emit("common", "copy-data")
    assert "21790" in QGuiApplication.clipboard().text()


def test_any_column_is_survived(
    studio: Studio,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    wide, broken = tmp_path / "wide.csv", tmp_path / "broken.csv"
    wide.write_text("far,near,word\n1.7e308,1,a\n-1.7e308,1,b\n3,1,a\n")
    broken.write_text("bad,good\n1,2\n3,4\n")
    page = turn(studio, qtbot)

    def summaries() -> list[tuple[str, str]]:
        return [(seen.name, seen.summary) for seen in page.model.rows]

    studio.open(str(wide))
    qtbot.waitUntil(
        lambda: (
            summaries() == [("far", "−1.7·10³⁰⁸ … 1.7·10³⁰⁸"), ("near", "1 … 1"), ("word", "a, b")]
        )
    )
    for name in ("near", "word", "far"):
        page.choose(name)
    honest = profiling.profile
    monkeypatch.setattr(
        profiling, "profile", lambda data, name: 1 / 0 if name == "bad" else honest(data, name)
    )
    studio.open(str(broken))
    qtbot.waitUntil(lambda: summaries() == [("bad", ""), ("good", "2 … 4")])
    assert not page.column_view.chart.isVisible()
    monkeypatch.setattr(profiling, "profiles", lambda *_: 1 / 0)
    studio.open(str(wide))
    qtbot.waitUntil(
        lambda: "columns of this table could not be summed up" in studio.window.message.text.text()
    )
    assert [row[0] for row in listed(page)] == [
        "far",
        "near",
        "word",
    ]  # of the new table; nothing of the one before
    assert not any(len(seen.bars) for seen in page.model.rows)
    assert "the page of the table" in capfd.readouterr().err


# What is known from outside


def test_words_are_typed_and_attested_by_one_click(studio: Studio, qtbot: QtBot) -> None:
    """The click that takes them was lost: its box waited for them. Of words that were merged for
    looking nothing is said that contradicts it."""
    page = turn(studio, qtbot, "sex")
    fields, says = page.column_view.about.fields, page.column_view.about.says
    check = fields["attested"].check
    box = fields["categories"].box
    box.setFocus()
    QTest.keyClicks(box, "Female")
    QTest.keyClick(box, Qt.Key.Key_Return)
    QTest.keyClicks(box, "Male")
    QTest.mouseClick(check, LEFT, pos=QPoint(8, check.height() // 2))
    rest(studio, qtbot)
    assert about(studio, "sex") == About(categories=("Female", "Male"), attested=True)
    studio.store.describe(
        studio.store.state.codebook.with_about("sex", replace(about(studio, "sex"), type=MERGED))
    )
    rest(studio, qtbot)
    assert "counts each spelling apart" in says.text()
    assert "What leaves takes it" not in says.text()


def test_bounds_are_typed_attested_saved_and_undone(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    page = turn(studio, qtbot, "age")
    fields = page.column_view.about.fields
    assert not fields["attested"].isEnabled()
    type_into(fields["low"].box, "15")
    type_into(fields["high"].box, "9")
    assert "must lie above" in fields["high"].complaint.text()
    type_into(fields["high"].box, "100")
    assert "from the data, not private" in page.column_view.about.says.text()
    QTest.mouseClick(
        fields["attested"].check, LEFT, pos=QPoint(8, fields["attested"].check.height() // 2)
    )
    type_into(fields["source"].box, "the form")
    rest(studio, qtbot)
    assert about(studio, "age") == About(low=15, high=100, attested=True, source="the form")
    assert page.model.marks("age") == ("public",)
    assert "takes it for numbers" in page.column_view.about.says.text()
    assert [layer.key for layer in page.column_view.findings.figures[0].layers] == [
        "rows",
        "low",
        "high",
        "median",
    ]
    data = studio.store.data
    assert data is not None
    write_session(studio.sessions.session(), tmp_path / "a.dpstudio")
    kept = (tmp_path / "a.dpstudio").read_text(encoding="utf-8")
    assert "the form" in kept
    assert "Private" not in kept  # a word of the table
    for _ in range(4):
        studio.store.history.undo()
    assert about(studio, "age") == About()
    assert page.isVisible()
    rest(studio, qtbot)
    assert [fields[key].box.text() for key in ("low", "high")] == ["", ""]


def test_what_the_data_holds_is_a_start(studio: Studio, qtbot: QtBot) -> None:
    page = turn(studio, qtbot, "sex")
    QTest.mouseClick(page.column_view.about.fill, LEFT)
    assert about(studio, "sex") == About(categories=("Female", "Male"))
    box = page.column_view.about.fields["categories"].box
    box.setFocus()
    box.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClick(box, Qt.Key.Key_Return)
    QTest.keyClicks(box, "other")
    QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert about(studio, "sex").categories == ("Female", "Male", "other")
    # The words of a column that is to be read in another way are no start until it was read so.
    card = page.column_view.about
    card.book.set("type", "merged")
    rest(studio, qtbot)
    assert (card.book.lab.type, card.read_as["sex"]) == ("merged", "merged")
    assert card.fill.isEnabled()
    card.read_as["sex"] = ""
    card.show_state()
    assert not card.fill.isEnabled()


def test_a_public_word_that_the_file_takes_for_missing_is_said(
    studio: Studio, qtbot: QtBot
) -> None:
    page = turn(studio, qtbot, "workclass")
    page.column_view.about.book.set("categories", ("Private", "?"))
    assert "“?” of “workclass” is read as a missing" in page.column_view.about.says.text()


def test_a_column_is_read_as_dates(visits: Studio, qtbot: QtBot) -> None:
    page = turn(visits, qtbot, "day")
    if listed(page)[1][1] != "dates":  # the reader may know them already
        choose(page.column_view.about.fields["type"].combo, "date")
        rest(visits, qtbot)
    assert listed(page)[1][1] == "dates"
    low = page.column_view.about.fields["low"]
    type_into(low.box, "2019-12-31")
    assert about(visits, "day").low == days_of("2019-12-31")
    assert low.box.text() == "2019-12-31"
    type_into(low.box, "soon")
    assert "is not a date" in low.complaint.text()
    high = page.column_view.about.fields["high"]
    type_into(high.box, "2018")
    assert "above the lowest (2019-12-31)" in high.complaint.text()
    choose(page.column_view.about.fields["type"].combo, "")  # the bound alone would say numbers
    rest(visits, qtbot)
    assert listed(page)[1][1] == "dates"
    page.column_view.about.book.set("attested", True)
    rest(visits, qtbot)
    assert about(visits, "day").type == "date"
    assert "takes it for dates" in page.column_view.about.says.text()


def test_the_unit_of_privacy_is_chosen_in_the_background(
    visits: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = turn(visits, qtbot, "patient")
    assert "One person, many rows: sensitivity grows." in page.column_view.said[2].text()
    store = visits.store
    chosen_on: list[bool] = []
    table: Any = type(store.data)
    honest = table._kept_rows

    def kept_rows(*given: Any) -> Any:
        chosen_on.append(threading.current_thread() is threading.main_thread())
        return honest(*given)

    monkeypatch.setattr(table, "_kept_rows", kept_rows)
    QTest.mouseClick(page.column_view.use, LEFT)
    qtbot.waitUntil(lambda: store.state.codebook.person == "patient")
    rest(visits, qtbot)
    assert page.unit.says.text() == "200 of 300 rows are left out: each person keeps one."
    assert page.model.told("patient") == "person"
    assert not page.column_view.use.isVisible()
    type_into(page.unit.most, "0")
    assert page.unit.complaint.isVisible()
    type_into(page.unit.most, "2")
    qtbot.waitUntil(lambda: store.state.codebook.most == 2)
    rest(visits, qtbot)
    assert (
        page.unit.says.text()
        == "100 of 300 rows are left out. Every sensitivity is multiplied by 2."
    )
    assert "200 rows" in page.title.text()
    type_into(page.unit.people, "0")
    assert page.unit.complaint.isVisible()
    type_into(page.unit.people, "100")
    qtbot.waitUntil(lambda: store.state.codebook.people == 100)
    rest(visits, qtbot)
    assert page.unit.people.text() == "100"
    days = About(type="date", low=days_of("2020"), high=days_of("2021"))
    page.describe(lambda book: book.with_about("day", days))
    qtbot.waitUntil(lambda: about(visits, "day").type == "date")
    assert chosen_on == [False, False, False]
    choose(page.unit.who, "")
    qtbot.waitUntil(lambda: not store.state.codebook.person)
    rest(visits, qtbot)
    assert "300 rows" in page.title.text()


# Rows


def test_rows_come_page_by_page_off_the_gui_thread(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = turn(studio, qtbot)
    rows, data = page.rows, studio.store.data
    assert data is not None
    asked: list[tuple[int, bool]] = []
    honest = type(data).cells

    def cells(self: Any, start: int, stop: int) -> Any:
        asked.append((start, threading.current_thread() is threading.main_thread()))
        return honest(self, start, stop)

    monkeypatch.setattr(type(data), "cells", cells)
    assert rows.model.rowCount() == 0  # nothing is read before it is looked at
    QTest.mouseClick(page.tabs.buttons["rows"], LEFT)
    qtbot.waitUntil(lambda: rows.model.rowCount() == 100)
    assert rows.model.cells[0][:3] == [str(value) for value in honest(data, 0, 1)[0][:3]]
    assert (rows.where.text(), rows.back.isEnabled()) == ("rows 1 – 100 of 32,561", False)
    QTest.mouseClick(rows.forth, LEFT)
    qtbot.waitUntil(lambda: rows.model.start == 100)
    type_into(rows.goto, "32 561")
    qtbot.waitUntil(lambda: rows.model.start == 32_500)
    assert rows.model.rowCount() == 61
    assert rows.view.currentIndex().row() == 60
    assert not rows.forth.isEnabled()
    type_into(rows.goto, "32562")
    assert "they go from 1 to 32,561" in rows.complaint.text()
    rows.view.scrollToTop()
    QTest.keyClick(rows.view, Qt.Key.Key_PageUp)
    qtbot.waitUntil(lambda: rows.model.start == 32_400)
    assert asked == [(0, False), (100, False), (32_500, False), (32_400, False)]
    studio.open("nosuch.csv")
    qtbot.waitUntil(lambda: studio.window.message.isVisible() and not studio.opener.loader.busy)
    assert rows.model.start == 32_400


# For every eye and hand


def test_nothing_is_clipped(studio: Studio, qtbot: QtBot) -> None:
    page, found = turn(studio, qtbot), {}
    for size, scale in (
        ((900, 600), 1.0),
        ((1024, 700), 1.0),
        ((1280, 800), 1.0),
        ((1920, 1080), 1.5),
    ):
        studio.window.theme.set_scale(scale)
        studio.window.resize(*size)
        for person, tab, name in (
            ("", "column", "age"),
            ("", "column", "native-country"),
            ("fnlwgt", "rows", "age"),
        ):
            page.describe(lambda book, person=person: book.with_person(person, 12))
            qtbot.waitUntil(lambda person=person: studio.store.state.codebook.person == person)
            page.choose(name)
            page.turn(tab)
            rest(studio, qtbot)
            assert (studio.window.width(), studio.window.height()) == size
            if clipped(studio, page):
                found[size, tab, name] = clipped(studio, page)
    assert not found, "\n".join(f"{key}: {text}" for key, many in found.items() for text in many)


def test_tab_goes_down_the_list_then_down_the_column(studio: Studio, qtbot: QtBot) -> None:
    page = turn(studio, qtbot, "age")
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    list(studio.pages.nav.heads.values())[-1].setFocus()  # the last of what stands on the left
    QCoreApplication.processEvents()
    order: list[QWidget] = []
    for _ in range(20):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        order.append(QApplication.focusWidget())
    about_fields = page.column_view.about.fields
    low, source = about_fields["low"].box, about_fields["source"].box
    places = [
        order.index(w)
        for w in (
            page.unit.who,
            page.search,
            page.sort,
            page.view,
            page.tabs.buttons["column"],
            low,
            source,
        )
    ]
    assert places == sorted(places)
    for widget in page.findChildren(QWidget):
        if (
            widget.isVisible()
            and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
            and widget.focusProxy() is None
        ):
            assert widget.accessibleName() or (
                isinstance(widget, QAbstractButton) and widget.text()
            ), widget


def test_it_speaks_the_language(marked: None, studio: Studio, qtbot: QtBot) -> None:
    page = turn(studio, qtbot, "workclass")
    page.describe(lambda book: book.with_person("fnlwgt", 2).with_about("age", About(low=3)))
    qtbot.waitUntil(lambda: bool(studio.store.state.codebook.person))
    rest(studio, qtbot)
    page.turn("rows")
    type_into(page.rows.goto, "x")
    rest(studio, qtbot)
    assert not untranslated(studio)


def test_a_role_is_chosen_of_a_column(open_window: Any, qtbot: QtBot, tmp_path: Path) -> None:
    """Proposed ones are marked as such, and told so to who does not see it; by a click on it or the
    enter key another is chosen, which undo takes back."""
    path = tmp_path / "visits.csv"
    peoples_tables()["visits"].to_csv(path, index=False)
    studio = open_window(str(path))
    page = turn(studio, qtbot, "Postcode")
    model, view, store = page.model, page.view, studio.store

    def said(name: str, what: Any = Qt.ItemDataRole.DisplayRole) -> Any:
        place = model.place(name)
        assert place is not None
        return model.index(place, data_list.ROLE).data(what)

    roles = {seen.name: said(seen.name) for seen in model.rows}
    assert (roles["Patient ID"], roles["Postcode"], roles["Cost"]) == ("person?", "place?", "")
    assert said("Postcode", column_cells.QUIET)
    assert "proposed" in said("Postcode", Qt.ItemDataRole.AccessibleTextRole)
    assert store.state.codebook.role("Postcode") == ""
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert view.menu.isVisible()
    words = [action.text() for action in view.menu.actions()]
    assert words[:2] == ["person", "as proposed: place"]
    assert [action.text() for action in view.menu.actions() if action.isChecked()] == words[1:2]
    view.menu.actions()[words.index("sensitive")].trigger()
    view.menu.close()
    rest(studio, qtbot)
    assert store.state.codebook.role("Postcode") == "sensitive"
    assert (said("Postcode"), said("Postcode", column_cells.QUIET)) == ("sensitive", False)
    before = store.data.rows
    row = model.place("Patient ID")
    spot = view.visualRect(model.index(row, data_list.ROLE)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=spot)
    view.menu.actions()[0].trigger()
    view.menu.close()
    rest(studio, qtbot)
    assert (store.state.codebook.person, said("Patient ID")) == ("Patient ID", "person")
    assert store.data.rows < before
    page._sort("role")
    assert model.rows[0].name == "Patient ID"
    studio.store.history.undo()
    studio.store.history.undo()
    rest(studio, qtbot)
    assert (said("Postcode"), said("Patient ID")) == ("place?", "person?")
    for width in (1024, 1280, 1920):
        studio.window.resize(width, 800)
        rest(studio, qtbot)
        assert view.columnWidth(data_list.NAME) >= page.look.px(90), width
        assert not view.isColumnHidden(data_list.ROLE)
