"""The names on the left, and the tiles of a group: one group is open, nothing jumps under the hand,
and keys reach all."""

from itertools import pairwise, permutations

import pytest
from hand import LEFT, WAIT, paint_now, press, settle, turn_page
from lesson_pictures import drawn
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpstudio.files.assets import asset
from dpstudio.gui.shell.frame import findable
from dpstudio.gui.shell.frame.navigation import group_page
from dpstudio.gui.shell.pages import LESSONS, OTHERS
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS, QUESTIONS
from dpstudio.labs.naming import by_question

PAGES = {
    name: [*pages, *(about for about in OTHERS if about.question == name)]
    for name, pages in by_question().items()
}


def seen(studio: Studio) -> list[str]:
    """The pages whose names are to be seen."""
    return [key for key, button in studio.pages.buttons.items() if button.isVisible()]


def first_of(group: str) -> list[str]:
    return [about.key for about in PAGES[group] if not about.more]


def test_one_group_is_open_and_its_name_stays_under_the_hand(studio: Studio) -> None:
    """Whichever was open before; when the pointer has left, the column is as high as its names."""
    nav, window = studio.pages.nav, studio.window
    assert list(nav.heads) == [group for group in QUESTIONS if group in PAGES]
    assert seen(studio) == first_of("one_answer")
    # Each beside its neighbours, and the ends: above and below what was open.
    names = [*nav.heads]
    for before, name in [
        *pairwise(names),
        *pairwise(names[::-1]),
        (names[0], names[-1]),
        (names[-1], names[0]),
    ]:
        QTest.keyClick(nav.heads[before], Qt.Key.Key_Right)
        QApplication.sendEvent(nav, QEvent(QEvent.Type.Leave))
        QApplication.processEvents()
        head = nav.heads[name]
        place = head.mapTo(window, QPoint())
        QTest.mouseClick(head, LEFT)
        QApplication.processEvents()
        assert head.mapTo(window, QPoint()) == place
        assert seen(studio) == first_of(name)
        assert studio.page == group_page(name)
    QTest.keyClick(nav.heads["one_answer"], Qt.Key.Key_Right)
    last = [*nav.heads.values()][-1]
    QTest.mouseClick(last, LEFT)
    QApplication.processEvents()
    place = last.y()
    QApplication.sendEvent(nav, QEvent(QEvent.Type.Leave))
    QApplication.processEvents()
    assert last.y() == sum(head.height() for head in nav.heads.values()) - last.height() < place


def test_what_is_turned_to_otherwise_opens_its_group_and_what_waits_there(
    studio: Studio, qtbot: QtBot
) -> None:
    found = {entry.name for entry in findable.pages(studio.pages.bring, LABS)}
    assert found == {about.label for about in LABS}
    waits = [about for about in LABS if about.more]
    assert waits
    for about in waits:
        assert not studio.pages.buttons[about.key].isVisible()
    studio.show_page("dimension")
    assert {"explore", "dimension"} <= set(seen(studio))
    assert studio.pages.buttons["dimension"].isChecked()
    assert studio.pages.nav.heads["one_answer"].open
    settle(qtbot, studio)


def test_in_a_small_window_a_glyph_for_each_group_opens_its_names_over_the_page(
    studio: Studio, qtbot: QtBot
) -> None:
    """The page stays where it is; the names go when a page is chosen, at Escape, and when something
    else is pressed or has the focus."""
    window, nav, rail = studio.window, studio.pages.nav, studio.window.rail
    with qtbot.waitActive(window):
        window.activateWindow()
    assert not rail.isVisible()
    window.resize(1024, 700)
    window.theme.set_scale(1.5)
    settle(qtbot, studio)
    paint_now()
    assert (rail.width(), window.nav.isVisible()) == (40, False)
    drawn = [rail.grab(button.geometry()).toImage() for button in rail.buttons.values()]
    assert [*rail.buttons] == [*nav.heads]
    for name, button in rail.buttons.items():
        assert button.toolTip() == button.accessibleName() == QUESTIONS[name].label
    assert all(one != other for one, other in permutations(drawn, 2))
    place = window.lab_page.geometry()

    def opened() -> bool:
        assert window.lab_page.geometry() == place
        assert rail.open == window.nav.isVisible()
        return rail.open

    first, attacks = rail.buttons["one_answer"], rail.buttons["attacks"]
    first.setFocus()
    for _ in range(3):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    assert QApplication.focusWidget() is attacks
    QTest.keyClick(attacks, Qt.Key.Key_Right)
    assert opened()
    assert seen(studio) == first_of("attacks")
    names = window.nav.geometry()
    assert names.left() == rail.geometry().right() + 1
    assert names.width() == max(200, window.nav.need())
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not opened()
    assert QApplication.focusWidget() is attacks
    for leave in (
        lambda: QTest.mouseClick(window.headline, LEFT),
        lambda: window.top.export.setFocus(),
        lambda: QTest.mouseClick(attacks, LEFT),
        lambda: (window.present(), window.leave_presenting()),
        lambda: turn_page(studio, "compare"),
    ):
        QTest.mouseClick(attacks, LEFT)
        assert opened()
        leave()
        assert not opened()
    assert rail.buttons["one_answer"].property("here")
    window.resize(1700, 900)
    settle(qtbot, studio)
    assert window.nav.isVisible()
    assert not rail.isVisible()


def test_keys_go_through_every_name(studio: Studio, qtbot: QtBot) -> None:
    """Down opens nothing, Right does; Left goes back to the name of the group and folds it. Each
    says to who does not see it what it is, and whether it is open."""
    nav, reached = studio.pages.nav, list[str]()
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    nav.heads["start"].setFocus()
    names = {id(button): key for key, button in nav.buttons.items()}
    for group in nav.heads:
        head = QApplication.focusWidget()
        assert head is nav.heads[group]
        assert (
            head.accessibleName()
            == f"{QUESTIONS[group].label}, {'open' if head.open else 'folded'}"
        )
        assert head.accessibleDescription() == QUESTIONS[group].asks
        if not head.open:
            press(Qt.Key.Key_Right)
        assert head.accessibleName().endswith(", open")
        if group in nav.more:
            nav._show(nav.more[group], False)
        press(Qt.Key.Key_Down)
        while (here := QApplication.focusWidget()) not in nav.heads.values():
            assert here is not None
            assert here.accessibleName()
            if here is nav.more.get(group):
                press(Qt.Key.Key_Right)
            else:
                reached.append(names[id(here)])
            press(Qt.Key.Key_Down)
            if QApplication.focusWidget() is here:
                break  # the last of all
    assert reached == [about.key for pages in PAGES.values() for about in pages]
    last = [*nav.heads][-1]
    if last in nav.more:
        press(Qt.Key.Key_Left)
        assert QApplication.focusWidget() is nav.more[last]
        press(Qt.Key.Key_Left)  # folds it
    press(Qt.Key.Key_Left)
    assert QApplication.focusWidget() is nav.heads[last]
    press(Qt.Key.Key_Left)
    assert seen(studio) == []


@pytest.mark.parametrize("group", ["one_answer", "many_answers"])
def test_tiles_show_each_page_and_lead_there(studio: Studio, qtbot: QtBot, group: str) -> None:
    """By Enter, arrows and a click; a picture of each comes without being waited for, and none is
    drawn again while nothing changes."""
    nav, pages = studio.pages.nav, PAGES[group]
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    nav.heads[group].setFocus()
    press(Qt.Key.Key_Return)
    page = studio.pages.group_pages[group_page(group)]
    assert page.isVisible()
    assert not studio.window.lab_page.isVisible()
    assert [*page.tiles] == [about.key for about in pages]
    told = [tile.go.accessibleName() for tile in page.tiles.values()]
    assert told == [f"{about.label}: {about.asks}" for about in pages]
    qtbot.waitUntil(lambda: not studio.jobs.busy("tiles"), timeout=WAIT)
    assert all(not tile.picture.pixmap().isNull() for tile in page.tiles.values())
    page.begin()
    assert not studio.jobs.busy("tiles")
    for tile, about in zip(page.tiles.values(), pages, strict=True):
        assert tile.isVisible() is not about.more
    if any(about.more for about in pages):
        page.more.click()
    tiles = list(page.tiles.values())
    tiles[0].go.setFocus()
    for tile in tiles[1:]:
        press(Qt.Key.Key_Right)
        assert QApplication.focusWidget() is tile.go
        assert tile.isVisible()
    press(Qt.Key.Key_Up)
    press(Qt.Key.Key_Left)
    tiles[0].go.setFocus()
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: studio.page == pages[0].key, timeout=WAIT)
    assert not page.isVisible()
    settle(qtbot, studio)


def test_lessons_are_painted_with_their_pictures(studio: Studio, qtbot: QtBot) -> None:
    """They were drawn when the program was packaged: wherever one comes from, at the first paint of
    the page no tile is without; in dark they are others."""
    studio.show_page(LESSONS.key)
    page = studio.pages.lessons_page
    assert page.isVisible()
    assert len(page.tiles) == len(list(asset("lessons").glob("*.dptalk")))
    light = [tile.picture.pixmap().toImage() for tile in page.tiles.values()]
    assert not [image for image in light if image.isNull()]
    studio.window.theme.set_dark(True)
    studio.show_page("explore")
    studio.show_page(LESSONS.key)
    dark = [tile.picture.pixmap().toImage() for tile in page.tiles.values()]
    assert not [one for one, other in zip(light, dark, strict=True) if one == other]


def test_the_pictures_of_lessons_show_what_these_show() -> None:
    """`python tests/lesson_pictures.py` draws them anew."""
    for name, svg in drawn():
        path = (asset("lessons") / "pictures" / name).with_suffix(".svg")
        assert path.read_text(encoding="utf-8") == svg + "\n", name
