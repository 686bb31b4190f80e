"""The first minute: the doors over the foot of the first page, the page Start, and that nothing on
the screen flickers into another value."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Open
from hand import WAIT, press, seen, settle
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from dpstudio.charts.figure import Line
from dpstudio.data.conditions import Where, parse
from dpstudio.gui.parts.labels import LiveLabel
from dpstudio.gui.shell import lab_result
from dpstudio.gui.shell.frame.navigation import group_page
from dpstudio.gui.shell.start_page import LESSONS, StartPage, _ages
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.state.settings import Settings
from dpstudio.labs import LABS, MEANING
from dpstudio.labs.context import Context
from dpstudio.values.domains import number_of


@pytest.fixture
def first_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    def begun(self: Settings) -> bool:
        return bool(self.held.value("look/begun", False, type=bool))

    monkeypatch.setattr(Settings, "begun", property(begun))


def covers_a_chart(studio: Studio) -> bool:
    """Or the board at all, of which the rest is scrolled to."""
    board, bar = studio.window.board, studio.first_minute.bar
    low = board.mapTo(studio.window, board.rect().bottomLeft()).y()
    return bar.isVisible() and bar.mapTo(studio.window, QPoint()).y() < low


def test_doors_stand_below_the_charts_at_the_first_launch_and_once_closed_are_gone_for_good(
    first_launch: None, open_window: Open, qtbot: QtBot
) -> None:
    studio = open_window(size=(1280, 800))
    window, bar, nav = studio.window, studio.first_minute.bar, studio.pages.nav
    qtbot.waitUntil(bar.isVisible)
    assert nav.heads["start"].open
    assert studio.page == LABS[0].key
    assert len(bar.doors) == 4
    assert all(hint.isVisible() for hint in bar.hints)
    for size, scale in (((1024, 700), 1.5), ((1920, 1080), 1.0), ((1280, 800), 1.0)):
        window.resize(*size)
        window.theme.set_scale(scale)
        settle(qtbot, studio)
        qtbot.waitUntil(bar.isVisible)
        qtbot.waitUntil(lambda: not covers_a_chart(studio))
    qtbot.waitUntil(bar.isVisible)
    board = window.board
    before, hero = board.height(), board.cards[0].height()
    bar.shut.click()
    assert bar.isHidden()
    qtbot.waitUntil(lambda: board.height() > before)
    assert board.cards[0].height() == hero, "doors take nothing of the first chart"
    another = open_window(size=(1280, 800))
    qtbot.wait(50)
    assert another.first_minute.bar.isHidden()
    helped = another.window.top.help.menu().actions()
    next(action for action in helped if action.text() == "First minute").trigger()
    assert another.first_minute.bar.isVisible()
    [*another.first_minute.bar.doors.values()][2].click()
    qtbot.waitUntil(lambda: another.page == MEANING.key, timeout=WAIT)
    settle(qtbot, another)
    assert another.first_minute.bar.isHidden()


def test_who_has_opened_a_table_of_their_own_has_begun(
    first_launch: None, open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    """The doors came back to it after each message that had stood in their room."""
    studio = open_window(size=(1280, 800))
    bar = studio.first_minute.bar
    qtbot.waitUntil(bar.isVisible)
    studio.open("car")  # which is in their room meanwhile
    settle(qtbot, studio)
    assert studio.first_minute.on
    (tmp_path / "own.csv").write_text("ward,age\n" + "north,50\nsouth,60\n" * 20)
    studio.open(str(tmp_path / "own.csv"))
    settle(qtbot, studio)
    qtbot.waitUntil(bar.isHidden)
    assert not studio.first_minute.on
    assert studio.window.kept.begun
    studio.first_minute.again()
    studio.store.set("mechanism.epsilon", 0.3)
    settle(qtbot, studio)
    assert bar.isVisible()


def test_the_page_start_leads_by_keys_to_a_lesson_the_census_and_what_epsilon_means(
    studio: Studio, qtbot: QtBot
) -> None:
    studio.show_page(group_page("start"))
    page = studio.pages.group_pages[group_page("start")]
    assert isinstance(page, StartPage)
    qtbot.waitUntil(lambda: not studio.jobs.busy("start"), timeout=WAIT)
    assert len(page.lessons) == LESSONS
    pictures = [page.own, page.census, *page.lessons.values()]
    assert not [part for part in pictures if part.picture.pixmap().isNull()]
    assert studio.store.data is not None
    _, counts = _ages(studio.store.data)
    assert counts.sum() == studio.store.data.count(Where()) == 32_561
    told = number_of(page.census.told.text().partition(" ")[0].replace(",", ""))
    assert told == studio.store.data.count(parse("age > 50"))
    buttons = [b for b in page.findChildren(QAbstractButton) if b.isVisible()]
    assert all(button.accessibleName() for button in buttons)
    assert all(button.focusPolicy() & Qt.FocusPolicy.TabFocus for button in buttons)
    page.census.go.setFocus()
    press(Qt.Key.Key_Return)
    assert studio.page == LABS[0].key


DIGIT = re.compile(r"\d")


def values(studio_window: Any) -> dict[int, tuple[str, bool]]:
    """What is read that holds a number, by widget, and whether it is marked as coarse."""
    found = {}
    for widget in seen(studio_window):
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit) and DIGIT.search(widget.text()):
            coarse = isinstance(widget, LiveLabel) and widget.coarse
            found[id(widget)] = widget.text(), coarse
    return found


def test_nothing_flickers_into_another_value_in_the_first_seconds(
    open_window: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every number on the screen and the hero's curves, from the first paint on, at whole effort;
    what is marked coarse may, and what is drawn beside may come later."""
    monkeypatch.setattr(lab_result, "Context", Context)
    texts: dict[int, list[tuple[str, bool]]] = {}
    heroes: list[Any] = []

    def look() -> None:
        for window in QApplication.topLevelWidgets():
            if not window.isVisible() or not hasattr(window, "board"):
                continue
            for key, told in values(window).items():
                held = texts.setdefault(key, [])
                if not held or held[-1] != told:
                    held.append(told)
            card = window.board.cards[0] if window.board.cards else None
            figure = card.figure if card is not None and card.drawn else None
            if figure is not None and not any(figure is one for one in heroes):
                heroes.append(figure)

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(0)
    studio = open_window()
    settle(qtbot, studio)
    qtbot.wait(300)
    timer.stop()
    look()
    changed = {
        tuple(text for text, _ in told)
        for told in texts.values()
        for (text, coarse), (later, _) in pairwise(told)
        if text != later and not coarse
    }
    assert texts
    assert not changed
    first, last = heroes[0], heroes[-1]
    assert (first.title, first.x.range) == (last.title, last.x.range)
    for one in first.layers:
        other = [layer for layer in last.layers if layer.key == one.key]
        assert len(other) == 1, one.key
        if isinstance(one, Line) and np.all(np.diff(one.x) > 0):  # a curve
            finer = np.interp(one.x, other[0].x, other[0].y)  # whose points hold those of before
            assert np.allclose(one.y, finer, rtol=1e-9, atol=0), one.key
