"""The texts in the window: a place opens its state as a step of its chapter, and one's own work
waits meanwhile."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hand import settle
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpstudio.cli.placing import words_of_place
from dpstudio.files.companion import place_named, places_named, said_so, texts
from dpstudio.files.reading_along import first_step
from dpstudio.gui.shell import companion_page
from dpstudio.gui.shell.companion_page import CompanionPage, entries, read_along
from dpstudio.gui.shell.frame.finding import EACH
from dpstudio.gui.shell.frame.known import FinderEntry
from dpstudio.gui.shell.frame.ranking import plain_words
from dpstudio.gui.shell.studio import Studio


def test_a_place_is_two_clicks_away_and_work_waits(studio: Studio, qtbot: QtBot) -> None:
    mine = studio.store.lab
    studio.show_page("companion")
    page = studio.pages.apart["companion"]
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
    studio.talk.talks.bar.leave.click()
    qtbot.waitUntil(lambda: studio.store.lab == mine)
    assert studio.pages.page == "companion"  # on at the next place


def test_every_chapter_is_a_lesson_of_its_places() -> None:
    for text in texts():
        for chapter in text.chapters:
            lesson, begins = read_along(text, chapter)
            shown = [place for place in chapter.places if place.words]
            assert begins == 0
            assert lesson.steps
            for place in shown:
                step = lesson.steps[first_step(chapter, place)]
                assert (step.lab, step.title) == (place.lab(), place.called)
                assert step.table == place.table


def test_every_place_opens_by_find_by_click_and_on_the_command_line(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By each of its names in both languages. What is out of scope leads to where that is said."""
    went = list[object]()
    monkeypatch.setattr(companion_page, "read_along", lambda text, chapter, place: (place, 0))
    monkeypatch.setattr(companion_page, "questions", lambda text, chapter: (chapter, 0))
    found = defaultdict[tuple[str, ...], list[FinderEntry]](list)
    for entry in entries(lambda place, _: went.append(place), lambda *keys: went.append(keys)):
        for typed in (entry.name, *entry.named.meant):
            if entry not in found[plain_words(typed)]:
                found[plain_words(typed)].append(entry)
    page = CompanionPage()
    qtbot.addWidget(page)
    page.chosen.connect(lambda place, _: went.append(place))
    for text in texts():
        for place in text.places:
            if place not in page.rows:
                page.show_chapter(text.key, place.chapter)
            leads = place if place.words else (text.key, place.chapter)
            for name in (*(s for each in place.names for s in said_so(each)), *place.also):
                first = found[plain_words(name)][:EACH]  # of which each is wholly what was typed
                went.clear()
                for entry in first:
                    entry.go()
                assert leads in went, f"{place.key} is not found by “{name}”"
                called = places_named(f"{text.key}:{name}")
                assert called if name in place.also else place in called, (place.key, name)
            went.clear()
            row = page.rows[place]
            assert place.called == row.text()  # type: ignore[attr-defined]
            if isinstance(row, QPushButton):
                row.click()
            assert went == [place] * bool(place.words)
            if place.words:
                call = words_of_place(["run", "--place", place.key])
                assert tuple(call[: len(place.words)]) == place.words


def test_a_chapter_asks_its_questions_as_a_talk(studio: Studio, qtbot: QtBot) -> None:
    studio.show_page("companion")
    page = studio.pages.apart["companion"]
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
