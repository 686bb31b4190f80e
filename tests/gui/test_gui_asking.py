"""What is said of a table that nobody was asked about, one question at a time, and what is remembered
for files of the same shape."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from conftest import Open  # noqa: F401
from hand import said, settle
from pytestqt.qtbot import QtBot
from test_gui_import import DATES, click, option, preview, write

from dpstudio.gui.shell.frame.message import LATE_MS, MessageBar
from dpstudio.gui.shell.studio import Studio


def test_notes_of_a_certain_reading_are_said(studio: Studio, qtbot: QtBot, tmp_path: Path) -> None:
    studio.open(write(tmp_path / "c.csv", "# by hand\n# twice\nn,n,w\n1,2,x\n?,3,y\n"))
    settle(qtbot, studio)
    assert studio.store.data is not None
    assert studio.store.data.rows == 2
    assert "2 lines that begin with" in said(studio)
    studio.open(write(tmp_path / "d.csv", "a,b\n1,x\n2,y\n"))
    settle(qtbot, studio)
    assert said(studio) == ""


def test_one_question_at_a_time(studio: Studio, qtbot: QtBot, tmp_path: Path) -> None:
    """The proposed answer first; the next comes when it was given."""
    page = preview(studio, qtbot, write(tmp_path / "r.csv", "Report\nof 2020\n\n" + DATES))

    def visible() -> list[str]:
        return [name for name, card in page.choices.cards.items() if card.isVisible()]

    assert list(page.choices.cards) == ["skip", "dates"]
    assert visible() == ["skip"]
    assert "1" in page.choices.later.text()
    click(option(page, "skip", "first 3"))
    settle(qtbot, studio)
    assert visible() == ["skip", "dates"]
    assert not page.choices.later.isVisible()


def test_what_is_asked_stays_over_a_page_that_is_made_meanwhile(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    studio.open(write(tmp_path / "c.csv", "# by hand\n# twice\nn,n,w\n1,2,x\n?,3,y\n"))
    settle(qtbot, studio)
    bar, window = studio.window.message, studio.window
    assert bar.isVisible()
    for name in ("attacks", "models"):
        click(studio.pages.nav.heads[name])
        settle(qtbot, studio)
        assert bar.isVisible()
        at = bar.mapTo(window, bar.rect().center())
        assert bar.isAncestorOf(window.childAt(at)) or window.childAt(at) is bar


def test_what_a_cap_costs_is_said_on_one_page_and_then_a_mark_at_the_table(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    rows = "".join(f"p{i % 40};{i % 3}\n" for i in range(400))
    studio.open(write(tmp_path / "visits.csv", "patient id;days\n" + rows))
    settle(qtbot, studio)
    bar, table = studio.window.message, studio.window.top.table
    qtbot.waitUntil(lambda: "Who is a person?" in said(studio))
    assert "!" not in table.text()
    click(bar.action)
    qtbot.waitUntil(lambda: "Where each person keeps 1 row" in said(studio))
    cost = bar.text.text()
    settle(qtbot, studio)
    for turn in (studio.pages.nav.heads["attacks"].click, partial(studio.show_page, "clipping")):
        turn()
        settle(qtbot, studio)
        assert cost not in said(studio)
        assert "!" in table.text()
        assert cost in table.toolTip()
    studio.store.describe(studio.store.state.codebook.with_person("patient id", 10))
    assert "!" not in table.text()


def test_files_of_the_same_shape_are_asked_about_once(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """Only a digest of the shape is kept: no name of a column, word or value."""
    page = preview(studio, qtbot, write(tmp_path / "jan.csv", DATES))
    click(option(page, "dates", "Month"))
    settle(qtbot, studio)
    click(page.accept)
    settle(qtbot, studio)
    assert studio.opener.kept.shapes
    kept = json.dumps(studio.opener.kept.shapes)
    assert not any(word in kept for word in ("born", "pay", "p12", "jan", "2020"))
    studio.open(write(tmp_path / "feb.csv", DATES.replace("2020", "2021")))
    settle(qtbot, studio)
    assert studio.page == "explore"
    assert "of the same shape" in said(studio)
    assert studio.opener.open_now is not None
    assert studio.opener.open_now.opened.report.choices.dates == "mdy"
    preview(studio, qtbot, write(tmp_path / "other.csv", DATES.replace("born", "died")))


def test_progress_is_shown_of_what_lasts(qtbot: QtBot) -> None:
    bar, told = MessageBar(), list[str]()
    qtbot.addWidget(bar)
    counting, opening = partial(told.append, "counting"), partial(told.append, "opening")
    bar.say("It stood here.", "Yes", lambda: None, "warn")
    bar.offer("No", partial(told.append, "no"))
    stood, long = bar.standing, LATE_MS + 1
    bar.say("")
    bar.soon("Counting", counting, 0.2, 20)
    bar.over(counting, stood)
    qtbot.wait(30)
    assert bar.isHidden()
    bar.soon("Counting", counting, 0.2, 1)
    bar.soon("Sorting", counting, 0.6, 1)
    assert bar.isHidden()
    qtbot.waitUntil(lambda: bar.busy)
    assert (bar.text.text(), bar.progress.value()) == ("Sorting", 60)
    bar.soon("Sorting", counting, 0.7, 1)
    assert bar.progress.value() == 70
    bar.over(counting, stood)
    assert (bar.text.text(), bar.progress.isHidden()) == ("It stood here.", True)
    assert not bar.other.isHidden()
    bar.soon("Opening", opening, 0.0, 1)
    for _ in range(2):  # while it waits, and while it stands
        bar.soon("Counting", counting, 0.4, long)
        bar.over(counting, stood)
        qtbot.waitUntil(lambda: bar.text.text() == "Opening")
    bar.action.click()
    assert (told, bar.busy) == (["opening"], False)
    bar.over(opening, stood)
    assert bar.text.text() == "It stood here."
    bar.other.click()
    assert told == ["opening", "no"]
