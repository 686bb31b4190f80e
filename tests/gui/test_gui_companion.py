"""The texts in the window: a place opens its state as a step of its chapter, and one's own work
waits meanwhile."""

from __future__ import annotations

from hand import settle
from pytestqt.qtbot import QtBot

from dpstudio.files.companion import place_named, texts
from dpstudio.files.reading_along import first_step
from dpstudio.gui.shell.companion_page import read_along
from dpstudio.gui.shell.studio import Studio


def test_a_place_is_two_clicks_away_and_work_waits(studio: Studio, qtbot: QtBot) -> None:
    mine = studio.store.lab
    studio.show_page("companion")
    page = studio.pages.companion_page
    assert not page.numbers["book"].isHidden()
    page.choice.buttons["coins"].click()
    assert page.numbers["book"].isHidden()
    page.choice.buttons["book"].click()
    page.show_chapter("book", "4")
    place = place_named("listing 4.10")
    assert set(page.rows) == set(page.chapter.places)
    page.rows[place].click()
    qtbot.waitUntil(lambda: studio.store.lab == place.lab())
    settle(qtbot, studio)
    player = studio.talk.talks.player
    assert player.step.title == "listing 4.10, table 4.2"
    assert "at least 1" in player.step.say
    player.leave()
    qtbot.waitUntil(lambda: studio.store.lab == mine)


def test_every_chapter_is_a_lesson_of_its_places() -> None:
    for text in texts():
        for chapter in text.chapters:
            lesson, begins = read_along(text, chapter)
            shown = [place for place in chapter.places if place.words]
            assert begins == 0
            assert [step.lab for step in lesson.steps if step.lab in {p.lab() for p in shown}]
            for place in shown:
                step = lesson.steps[first_step(chapter, place)]
                assert (step.lab, step.title) == (place.lab(), place.called)
                assert step.table == place.table


def test_a_chapter_asks_its_questions_as_a_talk(studio: Studio, qtbot: QtBot) -> None:
    studio.show_page("companion")
    page = studio.pages.companion_page
    page.show_chapter("book", "1")
    assert page.ask.isHidden()
    page.show_chapter("book", "6")
    page.ask.click()
    first = next(place for place in page.chapter.places if place.ask is not None)
    player = studio.talk.talks.player
    qtbot.waitUntil(lambda: bool(player.talk.steps) and player.step.ask == first.ask)
    settle(qtbot, studio)
    assert studio.store.lab != first.lab()  # before it is answered
    assert sum(step.ask is not None for step in player.talk.steps) == 7
    player.leave()
