"""Nothing moves but what the hand moves: what is under the pointer, and the first chart. The soak
presses on all that there is, in every lab."""

from dataclasses import replace

import pytest
from hand import LEFT, settle, turn_page
from page_frame import box
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from still import hero, pressed, targets

from dpstudio.gui.shell.studio import Studio


@pytest.mark.parametrize("key", ["survey", "guarantee"])
def test_what_is_under_the_pointer_and_the_hero_stand_still(
    studio: Studio, qtbot: QtBot, key: str
) -> None:
    studio.window.resize(1280, 800)
    turn_page(studio, key)
    settle(qtbot, studio)
    found = targets(studio)
    assert len(found) > 5
    for target in found:
        if target.isVisible():
            assert [*pressed(studio, qtbot, target)] == []


def test_words_of_another_length_leave_the_hero_where_it_is(studio: Studio, qtbot: QtBot) -> None:
    """A sentence that was too long for large type; numbers in other columns; a qualification."""
    turn_page(studio, "guarantee")
    studio.store.choose("mechanism", "catastrophe")
    settle(qtbot, studio)
    stood = hero(studio)
    for epsilon in (20.0, 0.1):
        studio.store.set("mechanism.epsilon", epsilon)
        settle(qtbot, studio)
        assert hero(studio) == stood
    turn_page(studio, "compare")
    settle(qtbot, studio)
    stood, chosen = hero(studio), studio.store.lab.mechanisms
    while len(chosen) > 1:
        chosen = chosen[1:]
        studio.store.set("mechanisms", chosen)
        settle(qtbot, studio)
        assert hero(studio) == stood, chosen
    assert all(line.text() for line in studio.window.headline.lines if line.isVisible())


def test_numbers_that_come_after_their_sentence_are_seen_where_they_had_their_room(
    studio: Studio, qtbot: QtBot
) -> None:
    """What would meet a plan's targets at another δ is known a moment later than the targets."""
    studio.window.resize(1280, 800)
    turn_page(studio, "plan")
    settle(qtbot, studio)
    stood, strip = hero(studio), studio.window.strip
    found = studio.findings
    assert found is not None
    studio.pictures._show(replace(found, facts=()))
    studio.window.show_around()
    assert strip.isHidden()
    studio.pictures._tell()
    assert [tile.value.text() for tile in strip.tiles if tile.isVisible()]
    assert hero(studio) == stood


def test_all_that_is_to_be_written_of_a_new_question_is_seen(studio: Studio, qtbot: QtBot) -> None:
    """Its fields opened below the foot of the panel. It has no target yet, so that the plan cannot
    be solved for the least ε, which is said above them while they stay where they are."""
    window = studio.window
    window.resize(1280, 800)
    turn_page(studio, "plan")
    studio.store.set("find", "least")
    settle(qtbot, studio)
    buttons = studio.panel.findChildren(QPushButton)
    add = next(button for button in buttons if button.text() == "Add a question")
    QCursor.setPos(add.mapToGlobal(add.rect().center()))
    area = studio.panel.area
    QTest.mouseClick(add, LEFT)
    name = QApplication.focusWidget()
    assert name is not None
    stood = box(name, window)
    settle(qtbot, studio)
    assert "has no target" in studio.panel.field("find").advice.text()
    assert box(name, window) == stood
    part = next(part for _, part, _ in studio.panel._cards if part.isAncestorOf(name))
    seen, whole = box(area.viewport(), window), box(part, window)
    assert seen.top() <= whole.top()
    assert whole.bottom() <= seen.bottom() or whole.top() == seen.top()
