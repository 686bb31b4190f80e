"""Every lab of the catalogue, and one made up that shows everything a lab may show: pages, cards,
editors, sessions."""

from __future__ import annotations

import csv
import gc
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import KEPT, Open
from hand import (
    LEFT,
    NONE,
    WAIT,
    asking,
    breathe,
    chart,
    clipped,
    drag,
    facts,
    field,
    mouse,
    paint_now,
    place,
    save,
    seen,
    settle,
    tabbed,
    turn_page,
    type_into,
)
from many import Many
from marked import untranslated
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget, QWidgetItem
from pytestqt.qtbot import QtBot

from dpstudio.charts.scaling import share
from dpstudio.gui.board import grid, more_line, table_card
from dpstudio.gui.board.cards import ChartCard
from dpstudio.gui.board.cells import Cells
from dpstudio.gui.panel.design import has, panel_of, paths
from dpstudio.gui.panel.form import BoxField, ComboField, Field, FlagField, SliderField
from dpstudio.gui.panel.rows import Rows
from dpstudio.gui.parts import explanation
from dpstudio.gui.parts import tr as translations
from dpstudio.gui.shell.files.sessions import hidden_in
from dpstudio.gui.shell.pages import DATA_PAGE
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS as catalogue
from dpstudio.labs import About, Lab
from dpstudio.labs.naming import every_lab
from dpstudio.values.messages import Message
from dpstudio.values.parameters import Choice, Flag, OneOf, Parameters, Real, Several, domains, get

LABS = every_lab()


class Apart(About):
    """An entry of the catalogue whose lab lies beside the tests."""

    kind = property(lambda self: Many)  # type: ignore[assignment]


MANY = Apart(Many.key, Many.label, "What may a lab show?", Many.help, "one_answer")


@pytest.fixture(autouse=True)
def with_many() -> Iterator[None]:
    catalogue.append(MANY)
    yield
    while KEPT.studio is not None and KEPT.studio.jobs.busy("find"):
        breathe()  # what Find still reads is of this catalogue
    catalogue.remove(MANY)


@pytest.fixture
def many(studio: Studio, qtbot: QtBot) -> Studio:
    """The studio with the made up lab open."""
    if KEPT.owns(studio.window):
        KEPT.bring_aside()
    turn(studio, qtbot, "many")
    return studio


def turn(studio: Studio, qtbot: QtBot, key: str) -> None:
    turn_page(studio, key)
    settle(qtbot, studio)
    paint_now()  # what is measured afterwards is what is seen


def table(studio: Studio) -> table_card.TableCard:
    (card,) = [card for card in studio.window.board.items if isinstance(card, table_card.TableCard)]
    return card


def cells(card: table_card.TableCard) -> list[list[str]]:
    model = card.model
    return [
        [model.data(model.index(r, c)) for c in range(model.columnCount())]
        for r in range(model.rowCount())
    ]


KEYS = [kind.key for kind in LABS] + ["many"]

# Every lab

# Sizes of the window and scales of the type.
ROOMS = (((900, 600), 1.15), ((1280, 800), 1.5), ((1920, 1080), 2.0))


def test_every_lab_opens_whole_shows_its_editors_draws_is_presented_and_undone(
    marked: None, studio: Studio, qtbot: QtBot
) -> None:
    """One walk through all labs, in another language: opening each in a window of its own for each
    question takes half a minute. Each is opened in one room, where nothing of it is cut or clipped,
    and every third of a room is presented, and each edit of it undone; `tests/soak.py` presents and
    undoes all by its hands, and `--only painted` walks all of them through many rooms."""
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    studio.window.strip.unfold(True)
    for room, (size, scale) in enumerate(ROOMS):
        studio.window.resize(*size)
        studio.window.theme.set_scale(scale)
        for at, key in enumerate(KEYS[room :: len(ROOMS)]):
            turn(studio, qtbot, key)
            assert studio.store.state.active == key
            no_number_is_cut(studio, qtbot)
            assert not clipped(studio), (key, size, scale)
            assert not untranslated(studio), key
            every_parameter_has_an_editor_that_shows_it(studio, key)
            order = tabbed(studio)
            tab_goes_as_the_eye_does(studio, order)
            every_chart_and_every_control_is_explained(studio, order)
            if at % 3 == room:
                draws_and_can_be_presented(studio)
                every_edit_is_undone(studio)
                settle(qtbot, studio)
            assert studio.findings is not None
            assert not studio.window.message.isVisible()


def draws_and_can_be_presented(studio: Studio) -> None:
    board = studio.window.board
    assert studio.findings is not None
    assert len(board.items) == len(studio.findings.figures) + sum(
        t.shown for t in studio.findings.tables
    )
    assert board.items[0].isVisible()
    for key in (more_line.MORE, *(table.key for table in studio.findings.tables)):
        board.unfold(key)
    assert all(card.isVisible() for card in board.items)
    for card in board.items:
        assert not isinstance(card, ChartCard) or card.drawn
    studio.window.present()
    for number in (*range(len(board.items)), 0):
        assert [i for i, card in enumerate(board.items) if card.isVisible()] == [number]
        heart = QApplication.focusWidget() or board.items[number].heart()
        assert heart is not None
        if number == 0:
            the_stage_has_one_margin_and_no_title(studio)
        QTest.keyClick(heart, Qt.Key.Key_PageDown)
    studio.window.leave_presenting()
    assert all(card.isVisible() and card.tools.isVisible() for card in board.items)


def the_stage_has_one_margin_and_no_title(studio: Studio) -> None:
    """A 17th of the height at the left and the right of all; the title of a chart, which the
    sentence says again, is not there, and its buttons are beside the question."""
    window, stage, card = studio.window, studio.stage(), studio.window.board.items[0]
    paint_now()
    margin = window.height() // 17

    def edges(part: QWidget) -> tuple[int, int]:
        left = part.mapTo(window, QPoint()).x()
        return left, left + part.width()

    assert not card.title.isVisible()
    assert not card.subtitle.isVisible()
    assert card.tools.isVisible()
    assert not card.isAncestorOf(card.tools)
    leading = [stage.foot.epsilon] if stage.foot.epsilon.isVisible() else []
    heart = card.heart()
    lefts = [edges(part)[0] for part in (stage.header.sentence, *leading)]
    assert lefts == [margin] * len(lefts)
    assert heart is None or edges(heart) == (margin, window.width() - margin)
    assert edges(stage.foot.right)[1] == window.width() - margin


def editors(studio: Studio) -> list[Field]:
    return [f for f in studio.panel.findChildren(Field) if f.isVisible()]


def every_parameter_has_an_editor_that_shows_it(studio: Studio, key: str) -> None:
    lab = studio.store.lab
    covered = {f.path.split(".")[0] for f in studio.panel.findChildren(Field)} | {
        "query",
        *(name for name, domain in domains(type(lab)).items() if domain.editor == "elsewhere"),
    }
    assert set(domains(type(lab))) <= covered
    assert not [path for path in paths(panel_of(type(lab))) if not has(type(lab), path)]
    for editor in editors(studio):
        value = get(lab, editor.path)
        if isinstance(editor, SliderField):
            assert float(editor.box.text()) == pytest.approx(value, rel=1e-3)
        elif type(editor) is BoxField:
            seen, whole = editor.box.text(), editor.domain.show(value)
            assert whole.startswith(seen.rstrip("…").rstrip())
            editor.box.setFocus()  # who types has all of it
            assert editor.box.text() == whole or not editor.box.isVisible()
        elif isinstance(editor, ComboField):
            assert editor.combo.currentData() == value
        elif isinstance(editor, FlagField):
            assert editor.check.isChecked() == value


def no_number_is_cut(studio: Studio, qtbot: QtBot) -> None:
    """Tiles go into further rows, and none is left out; words of the top bar become shorter
    ones."""
    # The layout takes the events that it takes; then every number stands there whole.
    key, tiles = studio.store.state.active, [t for t in studio.window.strip.tiles if t.isVisible()]
    labels = [label for tile in tiles for label in (tile.value, tile.words)]
    qtbot.waitUntil(lambda: all(w.heightForWidth(w.width()) <= w.height() + 1 for w in labels))
    assert studio.findings is not None
    names = [fact.label for fact in studio.findings.facts]
    assert tiles, key
    assert [tile.name for tile in tiles] == [translations.shown(name) for name in names], key
    for label in labels:
        words = max(map(label.fontMetrics().horizontalAdvance, label.text().split() or [""]))
        assert words <= label.contentsRect().width(), key
    qtbot.waitUntil(lambda: not short_words(studio), timeout=WAIT)


def short_words(studio: Studio) -> list[str]:
    """Words of the top bar that are cut."""
    return [
        b.text()
        for b in studio.window.top.findChildren(QAbstractButton)
        if b.isVisible() and b.width() < b.sizeHint().width()
    ]


def tab_goes_as_the_eye_does(studio: Studio, order: list[QWidget]) -> None:
    wanted = [
        w for w in seen(studio.window)
        if w.isEnabled() and w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.focusProxy() is None
    ]  # fmt: skip
    assert not [
        f"{place(studio, w)} {type(w).__name__} {w.accessibleName()}"
        for w in wanted
        if w not in order
    ]
    parts = [place(studio, w) for w in order]
    runs = [part for i, part in enumerate(parts) if i == 0 or parts[i - 1] != part]
    assert [part for part in runs if part != "strip"] == ["top", "nav", "panel", "border", "charts"]
    unnamed = [
        w
        for w in wanted
        if place(studio, w)
        and not w.accessibleName()
        and not (isinstance(w, QAbstractButton) and w.text())
    ]
    assert not unnamed


def every_chart_and_every_control_is_explained(studio: Studio, order: list[QWidget]) -> None:
    """By F1, whatever has the focus, but in the bar of messages, which is a sentence itself."""
    assert studio.findings is not None
    for figure in studio.findings.figures:
        told = explanation.of_chart(figure)
        assert len(told.says) >= 3, (figure.key, told)
    named = [w for w in order if place(studio, w) not in ("", "border")]
    assert not [
        f"{place(studio, w)} {type(w).__name__} {w.accessibleName() or w.objectName()}"
        for w in named
        if studio.explaining.told(w) is None
    ]


def others(kind: type[Parameters], holder: Any) -> Iterator[tuple[str, Any]]:
    """Another value for each parameter that has an obvious one."""
    for name, domain in domains(kind).items():
        held = getattr(holder, name)
        if isinstance(domain, Several):
            yield (
                name,
                tuple(domain.words) if held != tuple(domain.words) else tuple(domain.words)[:2],
            )
        elif isinstance(domain, Choice):
            yield name, next(word for word in [*domain.words][::-1] if word != held)
        elif isinstance(domain, Flag):
            yield name, not held
        elif isinstance(domain, Real) and domain.low > -1e9 and domain.high < 1e9:
            yield name, domain.at(domain.position(held) * 0.9 + 0.02)
        elif isinstance(domain, OneOf) and name != "query" and len(domain.family()) > 1:
            yield name, next(k.key for k in domain.family() if k.key != held.key)


def every_edit_is_undone(studio: Studio) -> None:
    start = studio.store.state
    for name, value in others(type(start.lab), start.lab):
        try:
            studio.store.set(name, value)
        except ValueError:
            continue  # parameters that must agree
        assert (
            get(studio.store.lab, name) != get(start.lab, name)
            or not studio.store.history.canUndo()
        )
        while studio.store.history.canUndo():
            studio.store.history.undo()
        assert studio.store.state == start


# Pages


def test_a_page_is_made_while_the_pointer_comes_near(studio: Studio, qtbot: QtBot) -> None:
    """So that the click has only to show it."""
    panels = studio.pages.column.panels
    button = studio.pages.buttons["many"]
    button.show()
    at = QPointF(button.rect().center())
    QApplication.sendEvent(button, QEnterEvent(at, at, QPointF(button.mapToGlobal(at))))
    qtbot.waitUntil(lambda: "many" in panels)
    assert (studio.page, panels["many"].isHidden()) == ("explore", True)
    QTest.mouseClick(button, LEFT)
    assert (studio.page, panels["many"].isHidden()) == ("many", False)


def test_of_pages_that_are_not_there_yet_the_one_that_was_wanted_last_comes(
    studio: Studio, qtbot: QtBot
) -> None:
    bring = studio.pages.bring
    bring("many")
    assert (studio.page, studio.pages.buttons["many"].isChecked()) == ("explore", True)
    bring("compare")
    settle(qtbot, studio)
    assert (studio.page, [*studio.store.opened]) == ("compare", ["explore", "compare"])
    bring("many")
    studio.show_page("explore")  # turned to otherwise, meanwhile
    settle(qtbot, studio)
    assert studio.page == "explore"
    bring("many")
    studio.window.theme.set_dark(True)
    settle(qtbot, studio)
    assert studio.page == "many"


def test_a_page_that_is_not_wanted_any_more_does_not_come(studio: Studio, qtbot: QtBot) -> None:
    """And what was being worked out when it was wanted is worked out to its end."""
    bring, store, kept = studio.pages.bring, studio.store, studio.pictures.kept
    for wanted, back in (
        ("many", studio.pages.buttons["explore"].click),  # no other page than the one that stands
        ("compare", partial(studio.show_page, DATA_PAGE)),
        ("composition", studio.undo),
    ):
        store.set("mechanism.epsilon", store.lab.mechanism.epsilon + 0.25)  # type: ignore[attr-defined]
        bring(wanted)
        assert studio.pages.buttons[wanted].isChecked()
        back()
        settle(qtbot, studio)
        assert not studio.pages.column.waits
        assert studio.page != wanted
        marked = [key for key, button in studio.pages.buttons.items() if button.isChecked()]
        assert marked == ["explore"] * (studio.page == "explore")
        assert kept["explore"].newest.lab == store.lab
        studio.show_page("explore")


def test_a_page_that_is_wanted_comes_though_its_panel_was_needed_before(
    studio: Studio, qtbot: QtBot
) -> None:
    """A session of that lab is opened, meanwhile, behind the page of the table."""
    studio.show_page(DATA_PAGE)
    studio.pages.bring("many")
    studio.store.activate("many")
    settle(qtbot, studio)
    assert studio.page == "many"


def test_a_panel_that_was_made_in_two_looks_is_of_the_newer_one(studio: Studio) -> None:
    column, theme = studio.pages.column, studio.window.theme
    panel = column._begin("many")
    panel.make_next()
    theme.set_dark(True)
    assert column.panel_of("many") is panel
    assert panel._look == theme.look


def test_a_lab_that_cannot_be_imported_is_said_and_the_page_stays(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(kind: type[Lab]) -> Any:
        raise RuntimeError("no such page")

    monkeypatch.setattr(Many, "page", classmethod(broken))
    studio.store.set("mechanism.epsilon", 0.7)
    with qtbot.captureExceptions() as caught:
        studio.pages.bring("many")
        settle(qtbot, studio)
    assert [str(error) for _, error, _ in caught] == ["no such page"]
    assert (studio.page, studio.pages.buttons["explore"].isChecked()) == ("explore", True)
    assert (
        studio.pictures.kept["explore"].newest.lab == studio.store.lab
    )  # its picture came all the same


def test_a_panel_that_cannot_be_made_is_said_and_the_page_stays(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("no such row")

    with monkeypatch.context() as patch, qtbot.captureExceptions() as caught:
        patch.setattr(Rows, "add", broken)
        studio.pages.bring("many")
        settle(qtbot, studio)
    assert [str(error) for _, error, _ in caught] == ["no such row"]
    assert (studio.page, studio.pages.buttons["explore"].isChecked()) == ("explore", True)
    studio.pages.bring("many")  # no half of it is taken for the whole
    settle(qtbot, studio)
    assert (studio.page, bool(studio.panel.fields)) == ("many", True)


def test_an_undo_brings_back_the_page_of_what_it_undoes(many: Studio, qtbot: QtBot) -> None:
    store = many.store
    assert not store.history.canUndo()  # turning pages is no edit
    store.set("level", 7.0)
    turn(many, qtbot, "explore")
    store.set("mechanism.epsilon", 0.4)
    many.show_page("data")
    store.history.undo()
    assert (many.page, store.lab.mechanism.epsilon) == ("explore", 0.1)  # type: ignore[attr-defined]
    store.history.undo()
    settle(qtbot, many)
    assert (many.page, store.lab.level) == ("many", 2.0)  # type: ignore[attr-defined]
    assert chart(many, "curve").isVisible()
    store.history.redo()
    store.history.redo()
    settle(qtbot, many)
    assert (many.page, store.lab.mechanism.epsilon) == ("explore", 0.4)  # type: ignore[attr-defined]
    assert facts(many)["True answer"] == "6,460"


def test_a_lab_takes_over_what_it_shares_when_it_is_first_opened(
    studio: Studio, qtbot: QtBot
) -> None:
    store = studio.store
    store.set("adjacency", "replace")
    store.choose("query", "sum")
    store.choose("mechanism", "gaussian")
    store.set("mechanism.epsilon", 0.3)
    turn(studio, qtbot, "many")
    lab = store.lab
    assert (lab.query.key, lab.mechanism.key, lab.mechanism.epsilon, lab.adjacency) == (
        "sum",
        "gaussian",
        0.3,
        "replace",
    )  # type: ignore[attr-defined]
    store.set("mechanism.epsilon", 2.0)
    turn(studio, qtbot, "explore")
    assert store.lab.mechanism.epsilon == 0.3  # type: ignore[attr-defined]
    store.set("mechanism.epsilon", 0.5)
    turn(studio, qtbot, "many")
    assert store.lab.mechanism.epsilon == 2.0  # type: ignore[attr-defined]
    for _ in range(6):
        store.history.undo()
    turn(studio, qtbot, "many")
    # What was taken over was no edit, and no undo takes it back.
    assert store.lab.mechanism.epsilon == 0.3  # type: ignore[attr-defined]


def test_turning_back_shows_what_was_drawn_without_working(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn(studio, qtbot, "many")
    turn(studio, qtbot, "explore")
    ran: list[str] = []
    plain = Many.run
    monkeypatch.setattr(
        Many, "run", lambda self, *rest: (ran.append(self.key), plain(self, *rest))[1]
    )
    turn_page(studio, "many")
    assert chart(studio, "curve").isVisible()
    assert studio.window.headline.isVisible()
    settle(qtbot, studio)
    assert not ran
    studio.store.set("level", 9.0)
    settle(qtbot, studio)
    assert ran == ["many"]
    assert chart(studio, "curve").figure.layer("here").x == 9.0


def test_a_step_and_back_works_out_nothing_anew_but_after_a_failure(
    many: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[float] = []

    def run(self: Many, given: Any) -> Any:
        ran.append(self.level)
        if self.level == 9.0 and broken:
            raise RuntimeError
        return plain(self, given)

    plain, start, broken = Many.run, many.store.lab.level, False  # type: ignore[attr-defined]
    monkeypatch.setattr(Many, "run", run)
    many.store.set("level", 9.0)
    many.store.history.undo()
    settle(qtbot, many)
    assert set(ran) <= {9.0}
    assert chart(many, "curve").figure.layer("here").x == start
    broken = True
    many.store.set("level", 9.0)
    settle(qtbot, many)
    assert many.window.message.isVisible()
    many.store.history.undo()
    settle(qtbot, many)
    assert ran[-1] == start
    assert not many.window.message.isVisible()


def test_turning_away_too_early_loses_nothing(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lab whose findings come in two parts is left after the first: the second one comes when it
    is opened again."""
    go = threading.Event()

    def two(self: Many, given: Any) -> Any:
        (found,) = plain(self, given)
        yield replace(found, facts=())
        go.wait(5)
        if not given.cancelled():
            yield found

    plain = Many.run
    monkeypatch.setattr(Many, "run", two)
    turn_page(studio, "many")
    qtbot.waitUntil(lambda: "many" in studio.pictures.kept)
    turn_page(studio, "explore")
    go.set()
    settle(qtbot, studio)
    assert facts(studio)["True answer"] == "6,460"
    turn(studio, qtbot, "many")
    assert facts(studio) == {"Rows": "32,561"}
    go.clear()
    studio.store.set("level", 9.0)
    qtbot.waitUntil(lambda: studio.pictures.kept["many"].newest.lab == studio.store.lab)
    studio.pages.bring("compare")  # whose panel is still to be made when the run has ended
    go.set()
    studio.jobs.pool.waitForDone()
    settle(qtbot, studio)
    turn(studio, qtbot, "many")
    assert facts(studio) == {"Rows": "32,561"}


def test_pages_by_keys(studio: Studio, qtbot: QtBot) -> None:
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    shown = list(studio.pages.buttons)
    place = min(9, len(shown))
    QTest.keyClick(studio.window, Qt.Key(Qt.Key.Key_0 + place), Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, studio)
    assert studio.page == shown[place - 1]
    QTest.keyClick(studio.window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, studio)
    assert studio.page == shown[0]


def test_what_waits_is_asked_for_and_stays_as_it_was_left(
    many: Studio, open_window: Open, qtbot: QtBot
) -> None:
    board = many.window.board
    closed = [card for card in board.items if card.waits]
    assert closed
    assert not any(card.isVisible() for card in closed)
    assert len(board.foot.buttons) == 2  # the charts that wait, and the table
    for button in board.foot.buttons.values():
        QTest.mouseClick(button, LEFT)
    assert all(card.isVisible() for card in board.items)
    waited = [card in closed for card in board.cards]
    settle(qtbot, many)
    many.window.close()
    again = open_window()
    turn(again, qtbot, "many")
    assert all(card.isVisible() for card in again.window.board.items)
    QTest.mouseClick(again.window.board.foot.buttons[more_line.MORE], LEFT)
    assert [card.waits for card in again.window.board.cards] == waited


def test_neighbours_stay_in_their_place_and_say_why_they_do_not_apply(
    studio: Studio, qtbot: QtBot
) -> None:
    buttons = studio.window.top.neighbours.buttons
    places = [b.geometry() for b in buttons.values()]
    turn(studio, qtbot, "printed")
    assert all(b.isVisible() and not b.isEnabled() for b in buttons.values())
    assert {b.toolTip() for b in buttons.values()} == {
        "As printed asks nothing of neighbouring tables."
    }
    turn(studio, qtbot, "explore")
    assert all(b.isEnabled() for b in buttons.values())
    assert [b.geometry() for b in buttons.values()] == places


def test_a_session_keeps_every_lab_and_what_is_hidden_in_each(
    many: Studio, open_another: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "two.dpstudio"
    many.store.set("level", 7.0)
    many.window.board.cards[0].flip("curve")
    turn(many, qtbot, "explore")
    many.store.set("mechanism.epsilon", 0.7)
    many.window.board.cards[2].flip("target")
    turn(many, qtbot, "many")
    saved = many.store.state
    save(many, path)
    again = open_another(str(path))
    assert again.store.state == saved
    assert again.page == "many"
    assert chart(again, "curve").hidden == {"curve"}
    turn(again, qtbot, "explore")
    assert chart(again, "tradeoff").hidden == {"target"}
    assert again.store.lab.mechanism.epsilon == 0.7  # type: ignore[attr-defined]


def test_an_old_session_hides_what_it_hid(studio: Studio, qtbot: QtBot) -> None:
    view = {"hidden": {"tradeoff": ["target"], "error": "nonsense"}, "index": 0}
    studio.window.board.hide_layers(hidden_in(view, "explore"))
    assert chart(studio, "tradeoff").hidden == {"target"}
    assert chart(studio, "error").hidden == frozenset()


# The board


def test_cards_are_kept(many: Studio, qtbot: QtBot) -> None:
    board = many.window.board
    before = list(map(id, board.items))
    many.store.set("level", 3.0)
    settle(qtbot, many)
    turn(many, qtbot, "explore")
    first = list(map(id, board.items))
    turn(many, qtbot, "many")
    assert list(map(id, board.items)) == before
    turn(many, qtbot, "explore")
    assert list(map(id, board.items)) == first
    assert len(board.findChildren(ChartCard)) == len(board.card_pool.charts) + len(
        board.card_pool.spare
    )


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("more", [False, True])
def test_the_hero_has_half_the_board_and_what_waits_has_no_place(wide: bool, more: bool) -> None:
    """Over all numbers of charts and heights of the room: cells do not overlap, and the first chart
    takes more than half of what can be seen at once, or all that is left of it: it is seen whole
    wherever that is enough for one at all."""
    for charts, room, scale, abreast in product(
        range(1, 10), (300, 420, 560, 700, 1200), (1.0, 1.5), (1, 3)
    ):
        waits = grid.waiting(charts, wide)
        multiples, left = charts - 1 - waits, room - 120
        hero, small = grid.heights_for(multiples, wide, (left, room, 30), scale, 12, abreast)
        tables = [True, False]
        sizes = hero, small, 240
        places, foot = grid.places_for(charts, more, tables, wide, sizes, abreast=abreast)
        assert len(places) == charts + 2
        assert places.count(None) == 1 + (0 if more else waits)
        seen = [place for place in places if place is not None]
        cells = [
            (p.row + r, p.column + c) for p in seen for r in range(p.rows) for c in range(p.columns)
        ]
        assert len(cells) == len(set(cells))
        assert not {row for row, _ in cells} & {foot}
        assert seen[0].row == seen[0].column == 0
        assert wide or abreast > 1 or all(place.columns == 12 for place in seen)
        most = min(left, round(grid.SHARE * room))
        assert seen[0].columns / 12 * hero >= most * (2 / 3 if wide and multiples else 1) - 1
        assert wide or hero <= max(left, grid.LEAST * scale)
        assert all(p.column + p.columns <= 12 for p in seen)


def test_a_table_that_grows_while_it_is_laid_out_takes_no_card_from_the_layout(
    many: Studio, qtbot: QtBot
) -> None:
    """Qt still holds the cards of the grid then: a segmentation fault."""
    window, board = many.window, many.window.board
    for key in list(board.foot.buttons):
        board.unfold(key)
        settle(qtbot, many)
    board.opened.clear()
    window.resize(900, 600)
    assert [card.waits for card in board.items] == [card.isHidden() for card in board.items]
    assert table(many).waits


def test_no_place_of_what_moves_in_a_card_is_kept(many: Studio, qtbot: QtBot) -> None:
    """Qt deletes it when a subtitle goes into another line; what comes to lie there was then taken
    for it, and an action of a menu had no signals."""
    cards = [card for card in many.window.board.items if isinstance(card, ChartCard)]
    moving = {part for card in cards for part in (card.title, card.subtitle)}
    kept = [place for place in gc.get_objects() if isinstance(place, QWidgetItem)]
    assert cards
    assert not [place for place in kept if place.widget() in moving]


def test_cards_do_not_overlap_and_many_scroll(many: Studio, qtbot: QtBot) -> None:
    board = many.window.board
    for size in ((900, 600), (1500, 960)):
        many.window.resize(*size)
        for _ in range(5):
            QApplication.processEvents()
        boxes = [card.geometry() for card in board.items if not card.waits]
        assert not [1 for i, a in enumerate(boxes) for b in boxes[:i] if a.intersects(b)]
        assert min(box.height() for box in boxes) >= 190
        assert boxes[0].height() >= 0.5 * board.area.viewport().height()
        assert max(box.right() for box in boxes) < board.area.viewport().width()
        assert board.bar.isVisible() == (size[1] == 600)
        assert max(box.right() for box in boxes) < board.bar.x()


def test_the_headline_stands_above_the_charts_and_only_there(many: Studio, qtbot: QtBot) -> None:
    line = many.window.headline
    assert line.lines[0].isVisible()
    assert line.lines[0].text() == "At level 2 the winner is Laplace: ±6 against ±8."
    assert line.lines[0].objectName() == "headline"  # its sign alone is inked
    assert (line.said[0].sign.text(), line.said[0].sign.objectName()) == ("✓", "headline-good")
    many.store.set("level", 4.0)
    settle(qtbot, many)
    assert "±12" in line.lines[0].text()
    small = line.lines[0].fontMetrics().height()
    many.window.present()
    assert not line.isVisible()
    sentence = many.stage().header.sentence
    assert sentence.isVisible()
    assert sentence.text() == f"✓ {line.lines[0].text()}"
    assert sentence.fontMetrics().height() > 1.5 * small
    many.window.leave_presenting()
    assert line.isVisible()
    assert line.lines[0].fontMetrics().height() == small
    many.store.set("steps", 40)
    settle(qtbot, many)
    assert many.window.stopped.isVisible()  # over the last picture, with its sentence
    assert "±12" in line.lines[0].text()
    turn(many, qtbot, "explore")
    assert not many.window.stopped.isVisible()
    assert "±12" not in line.lines[0].text()


def test_a_page_that_computes_says_so(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, plain, working = threading.Event(), Many.run, studio.window.working

    def slow(self: Many, given: Any) -> Any:
        go.wait(5)
        yield from plain(self, given)

    monkeypatch.setattr(Many, "run", slow)
    QTest.mouseClick(studio.pages.buttons["many"], LEFT)
    qtbot.waitUntil(working.isVisible)
    go.set()
    settle(qtbot, studio)
    assert not working.isVisible()


# Tables


def test_a_table_is_shown_and_follows(many: Studio, qtbot: QtBot) -> None:
    card = table(many)
    assert card.title.text() == "Widths by row"
    many.window.board.unfold(card.key)  # one that is not to be seen waits
    assert card.model.heads == ["Row", "Width", "Share", "Remark"]
    assert [row[:3] for row in cells(card)] == [
        ["row 0", "2", "0"],
        ["row with a somewhat long name", "4", "0.3333"],
        ["row 2", "6", "0.6667"],
    ]
    resets: list[int] = []
    card.model.modelReset.connect(lambda: resets.append(1))
    many.store.set("level", 3.5)
    settle(qtbot, many)
    assert [row[1] for row in cells(card)] == ["3.5", "7", "10.5"]
    assert not resets
    many.store.set("size", "large")
    settle(qtbot, many)
    assert card.model.rowCount() == 40
    assert card.view.verticalScrollBar().maximum() > 0
    card.model.modelReset.disconnect()


def test_a_table_is_copied_and_saved(
    many: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = table(many)
    card.view.setFocus()
    QTest.keyClick(card.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].split("\t") == ["Row", "Width", "Share", "Remark"]
    assert lines[2].split("\t")[1:3] == ["4.0", repr(1 / 3)]
    QTest.mouseClick(
        card.view.viewport(), LEFT, pos=card.view.visualRect(card.model.index(0, 1)).center()
    )
    QTest.keyClick(card.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(card.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(card.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == f"2.0\t0.0\n4.0\t{1 / 3!r}"
    monkeypatch.setattr(many.saver, "_ask", lambda *_: str(tmp_path / "t.csv"))
    card.menu.aboutToShow.emit()
    (save,) = [action for action in card.menu.actions() if "CSV" in action.text()]
    save.trigger()
    text = (tmp_path / "t.csv").read_text()
    assert "not private" in text
    rows = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
    assert rows[0] == ["name", "width", "share", "note"]
    assert float(rows[2][2]) == 1 / 3


# What charts can do


def test_cells_are_drawn_where_the_edges_say(many: Studio) -> None:
    for key, wide in (("heat", 5), ("uneven", 15)):
        view = chart(many, key)
        (item,) = view.area.layers.pieces("cells")
        assert isinstance(item, Cells)
        area = view.plot.vb.size()
        left, right = (share(view.figure.x, end) * area.width() for end in (0, wide))
        assert (item.x[0], item.x[-1]) == pytest.approx((left, right))
        top, bottom = item.colours[-1, 0], item.colours[0, -1]
        assert item.y[-1] < item.y[0]  # the last row is above
        top, bottom = top.astype(int), bottom.astype(int)
        assert top[2] - top[0] > bottom[2] - bottom[0] + 50  # the bluest is above, on the left
    view = chart(many, "heat")
    at = view.mapFromScene(view.plot.vb.mapViewToScene(QPointF(0.5, 4.5)))
    mouse(view.viewport(), QEvent.Type.MouseMove, at, NONE, NONE)
    assert view.callout.text() == "difference 1.6 · first word 0 · second word 4"


def test_a_circle_is_round(many: Studio, qtbot: QtBot) -> None:
    for size in ((1440, 900), (1700, 760)):
        many.window.resize(*size)
        for _ in range(5):
            QApplication.processEvents()
        view = chart(many, "round")
        view.grab()  # one that is scrolled out of sight takes its size when it is seen
        box, ((left, right), (low, high)) = view.plot.vb.rect(), view.plot.vb.viewRange()
        assert box.width() / (right - left) == pytest.approx(box.height() / (high - low), rel=1e-6)
        assert left <= -1.2 + 1e-9
        assert high >= 1.2 - 1e-9


def dot_at(many: Studio, place: int) -> QPoint:
    view = chart(many, "dots")
    return view.mapFromScene(view.plot.vb.mapViewToScene(QPointF(place + 1.0, (place + 1.0) ** 2)))


def test_a_dot_is_taken_by_the_mouse(many: Studio, qtbot: QtBot) -> None:
    view, spot = chart(many, "dots"), dot_at(many, 3)
    mouse(view.viewport(), QEvent.Type.MouseMove, spot, NONE, NONE)
    assert view.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
    mouse(view.viewport(), QEvent.Type.MouseMove, spot + QPoint(0, 40), NONE, NONE)
    assert view.viewport().cursor().shape() != Qt.CursorShape.PointingHandCursor
    QTest.mouseClick(view.viewport(), LEFT, pos=spot)
    assert (many.store.lab.level, many.store.lab.fine) == (4.0, True)  # type: ignore[attr-defined]
    assert many.store.history.index() == 1
    settle(qtbot, many)
    drag(view.viewport(), [dot_at(many, 0), dot_at(many, 0) + QPoint(30, 0)])
    assert many.store.lab.level == 4.0  # type: ignore[attr-defined]


def test_a_dot_is_taken_by_keys(many: Studio, qtbot: QtBot) -> None:
    with qtbot.waitActive(many.window):
        many.window.activateWindow()
    view = chart(many, "dots")
    view.setFocus()
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert "level 2" in view.callout.text()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert many.store.lab.level == 2.0  # type: ignore[attr-defined]
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert many.store.lab.level == 3.0  # type: ignore[attr-defined]
    settle(qtbot, many)
    view.clearFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert many.store.history.index() == 1


# Panels


def test_problems_stand_at_their_field(many: Studio, qtbot: QtBot) -> None:
    level, steps = field(many, "level"), field(many, "steps")
    many.store.set("level", 60.0)
    settle(qtbot, many)
    assert level.advice.isVisible()
    assert level.advice.objectName() == "warn"
    many.store.set("level", 5.0)
    many.store.set("steps", 40)
    settle(qtbot, many)
    assert not level.advice.isVisible()
    assert steps.advice.objectName() == "bad"
    assert many.window.stopped.text() == "Forty steps are too many."


def test_a_choice_of_which_some_are_refused(
    many: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = {"large": Message("Too large for this table.")}
    sizes = field(many, "size")
    monkeypatch.setattr(
        Many, "refused", lambda self, data: {"size": why if self.fine else {}, "form": why}
    )
    assert sizes.segments.buttons["large"].isEnabled()
    many.store.set("fine", True)
    settle(qtbot, many)
    assert not sizes.isVisible()  # there is nothing to choose
    assert not sizes.caption.isVisible()
    many.store.set("size", "large")
    settle(qtbot, many)
    assert sizes.isVisible()  # what cannot work can be left
    many.store.set("size", "small")
    many.store.set("fine", False)
    settle(qtbot, many)
    assert sizes.isVisible()
    combo = field(many, "form")
    assert [combo.combo.model().item(i).isEnabled() for i in range(3)] == [True, False, True]
    assert combo.combo.model().item(1).toolTip() == "Too large for this table."


def test_some_of_several(many: Studio) -> None:
    editor = field(many, "colours")
    QTest.mouseClick(editor.chips.buttons["blue"], LEFT)
    assert many.store.lab.colours == ("red", "blue")  # type: ignore[attr-defined]
    for key in ("red", "blue"):
        QTest.mouseClick(editor.chips.buttons[key], LEFT)
    assert many.store.lab.colours == ("blue",)  # type: ignore[attr-defined]
    assert editor.complaint.isVisible()
    assert editor.chips.buttons["blue"].isChecked()


def test_a_mechanism_shows_its_own_parameters(many: Studio, qtbot: QtBot) -> None:
    assert not [f for f in editors(many) if f.path == "mechanism.delta"]
    many.store.choose("mechanism", "gaussian")
    assert field(many, "mechanism.delta").isVisible()
    many.store.choose("mechanism", "staircase")
    assert not [f for f in editors(many) if f.path in ("mechanism.delta", "mechanism.gamma")]
    combo: QComboBox = field(many, "mechanism.loss").combo
    combo.activated.emit(combo.findData("hand"))
    type_into(field(many, "mechanism.gamma").box, "0.25")
    assert many.store.lab.mechanism.gamma == 0.25  # type: ignore[attr-defined]


def test_every_query_can_be_asked_in_any_lab(many: Studio, qtbot: QtBot) -> None:
    for key, button in asking(many).kinds.buttons.items():
        if not button.isEnabled():
            continue
        QTest.mouseClick(button, LEFT)
        settle(qtbot, many)
        assert many.store.lab.query.key == key  # type: ignore[attr-defined]
        shown = {f.path for f in editors(many) if f.path.startswith("query.")}
        wanted = {
            f"query.{name}" for name in domains(type(many.store.lab.query)) if name != "where"
        }  # type: ignore[attr-defined]
        if key != "histogram":  # a column of numbers has no categories
            assert shown == wanted
        assert many.panel.need() <= many.window.panel.width()


def test_a_release_goes_from_explore_to_the_composition(studio: Studio, qtbot: QtBot) -> None:
    """One click adds one line; the page stays, undo takes the line back, and the bar leads
    there."""
    (button,) = [
        b
        for b in studio.panel.findChildren(QAbstractButton)
        if b.text() == "Add to the composition"
    ]

    def lines() -> tuple[str, ...]:
        return tuple(map(str, studio.store.state.held("composition").releases))

    first = lines()
    QTest.mouseClick(button, LEFT)
    assert lines() == ("laplace 0.1",)
    studio.store.set("mechanism.epsilon", 0.5)
    QTest.mouseClick(button, LEFT)
    assert lines() == ("laplace 0.1", "laplace 0.5")
    assert studio.page == "explore"
    for _ in range(3):
        studio.store.history.undo()
    assert lines() == first
    QTest.mouseClick(button, LEFT)
    studio.show_page("composition")
    settle(qtbot, studio)
    assert studio.store.lab.given == "list"
    assert lines() == ("laplace 0.1",)
    assert studio.findings is not None
    box = field(studio, "releases").box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "2 x gaussian 0.5 1e-6")
    QTest.keyClick(box, Qt.Key.Key_Return)
    QTest.keyClicks(box, "laplace 0.2")
    QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert lines() == ("2 x gaussian 0.5 1e-6", "laplace 0.2")
    QTest.keyClicks(box, " and more")
    QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert lines() == ("2 x gaussian 0.5 1e-6", "laplace 0.2")
    assert field(studio, "releases").complaint.isVisible()
    QTest.keyClick(box, Qt.Key.Key_Escape)


def test_a_release_is_locked_by_hand(studio: Studio, qtbot: QtBot) -> None:
    """Padlock, key and typed word are one thing; what is locked is neither changed nor taken out,
    but it may be moved and unlocked."""
    turn(studio, qtbot, "composition")
    alone = ("mechanism", "mechanism.epsilon", "answers", "view_k", "releases")
    assert [studio.panel.field(path).isHidden() for path in alone] == [
        False,
        False,
        False,
        False,
        True,
    ]
    assert studio.panel.lines["keeps"].isHidden()
    studio.store.set("given", "list")
    settle(qtbot, studio)
    assert [studio.panel.field(path).isHidden() for path in alone] == [
        True,
        True,
        True,
        True,
        False,
    ]
    editor = field(studio, "releases")
    box, locks = editor.box, editor.locks.buttons

    def lines() -> tuple[str, ...]:
        return tuple(map(str, studio.store.lab.releases))  # type: ignore[attr-defined]

    assert [lock.isVisible() for lock in locks] == [True] * 3
    assert [lock.y() for lock in locks] == sorted({lock.y() for lock in locks})
    assert "published or promised" in locks[1].toolTip()
    assert set(locks) <= set(tabbed(studio))
    QTest.mouseClick(locks[1], LEFT)
    assert lines() == ("3 x laplace 0.1", "gaussian 0.5 1e-6 locked", "(laplace 0.2 + laplace 0.3)")
    assert [lock.isChecked() for lock in locks] == [False, True, False]
    QApplication.processEvents()
    assert QApplication.focusWidget() is locks[1]
    studio.store.history.undo()
    assert [lock.isChecked() for lock in locks] == [False] * 3
    studio.store.history.redo()
    QTest.keyClick(locks[2], Qt.Key.Key_Space)
    assert lines()[2] == "(laplace 0.2 + laplace 0.3) locked"
    kept = lines()

    def typed(text: str) -> tuple[str, ...]:
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, text)
        QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        return lines()

    assert typed("laplace 1") == kept
    assert editor.complaint.isVisible()
    assert "gaussian 0.5 1e-6" in editor.complaint.text()
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert not editor.complaint.isVisible()
    box.go(1)
    QTest.keyClick(box, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert lines() == (kept[1], kept[0], kept[2])
    QTest.keyClick(box, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert lines() == ("gaussian 0.5 1e-6", kept[0], kept[2])
    # What is being typed is taken over before a lock is turned.
    assert typed("laplace 1 | (laplace 0.2 + laplace 0.3) locked") == ("laplace 1", kept[2])
    box.go(0)
    QTest.keyClicks(box, "1")
    QTest.mouseClick(locks[1], LEFT)
    assert lines() == ("laplace 11", "(laplace 0.2 + laplace 0.3)")


def test_the_list_is_fitted_to_its_budget(studio: Studio, qtbot: QtBot) -> None:
    """The button beside the sentence changes what is not locked, in one step."""
    turn(studio, qtbot, "composition")
    studio.store.set("given", "list")
    studio.store.set("releases", "laplace 1 locked | laplace 2")
    studio.store.set("budget", 2.0)
    settle(qtbot, studio)
    QTest.mouseClick(studio.panel.lines["keeps"].use, LEFT)
    first, second = studio.store.lab.releases  # type: ignore[attr-defined]
    assert str(first) == "laplace 1 locked"
    assert 1 <= second.mechanism.epsilon < 1.01


def test_the_ampersand_of_a_name_is_seen(studio: Studio, qtbot: QtBot) -> None:
    turn(studio, qtbot, "composition")
    assert "zCDP (Bun && Steinke)" in {
        button.text() for button in field(studio, "bounds").chips.buttons.values()
    }


def test_a_list_that_is_open_while_the_question_changes(studio: Studio, qtbot: QtBot) -> None:
    """What is chosen in it then belongs to no question any more."""
    studio.store.choose("query", "contingency")
    settle(qtbot, studio)
    editor = field(studio, "query.first")
    studio.store.choose("query", "count")
    before = studio.store.state
    editor.combo.activated.emit(0)
    assert studio.store.state == before


def test_a_demonstration_keeps_its_own_budget(
    whole_effort: None, studio: Studio, qtbot: QtBot
) -> None:
    """The 27 % of the float leak are those of ε = 1, whatever Explore spends; and Compare does not
    take that ε over."""
    turn(studio, qtbot, "float_leak")
    assert studio.store.lab.epsilon == 1.0  # type: ignore[attr-defined]
    assert "27" in facts(studio)["Prove x ≠ 1"]
    turn(studio, qtbot, "compare")
    assert studio.store.lab.epsilon == 0.1  # type: ignore[attr-defined]


def test_a_few_letters_find_pages_parameters_columns_and_actions(
    studio: Studio, qtbot: QtBot
) -> None:
    window = studio.window
    with qtbot.waitActive(window):
        window.activateWindow()

    def find(letters: str) -> None:
        chart(studio, "error").setFocus()
        QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        box = studio.seeking.palette.box
        assert box.hasFocus()
        QTest.keyClicks(box, letters)
        QTest.keyClick(box, Qt.Key.Key_Return)
        assert not studio.seeking.palette.isVisible()
        settle(qtbot, studio)

    find("epsilon")
    focus = QApplication.focusWidget()
    assert focus is not None
    assert studio.panel.fields["mechanism.epsilon"].isAncestorOf(focus)
    find("hours")
    assert studio.pages.data_page.column == "hours-per-week"
    find("explore")
    assert studio.page == "explore"
    find("staircase")
    assert studio.store.lab.mechanism.key == "staircase"
    find("dark")
    assert window.theme.look.dark
    find("cost together by every bound")
    assert studio.page == "composition"
    budget = field(studio, "mechanism.epsilon").box
    budget.setFocus()
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(studio.seeking.palette.box, Qt.Key.Key_Escape)
    assert budget.hasFocus()


def test_a_file_is_loaded_into_a_field(studio: Studio, qtbot: QtBot, tmp_path: Path) -> None:
    """A hierarchy of ARX becomes lines that can be changed; what is none is told at the field."""
    turn_page(studio, "anonymity")
    settle(qtbot, studio)
    studio.store.choose("algorithm", "full_domain")
    settle(qtbot, studio)
    file = tmp_path / "hierarchy-sex.csv"
    file.write_text("Male;*\nFemale;*\n", "utf-8")
    field(studio, "trees").load(file)
    assert studio.store.lab.trees == ("sex = Male; *", "sex = Female; *")
    file.write_text("Male;men;*\nFemale;*\n", "utf-8")
    field(studio, "trees").load(file)
    assert studio.store.lab.trees == ("sex = Male; *", "sex = Female; *")
    assert "Line 2 has 2 levels" in field(studio, "trees").complaint.text()
    field(studio, "trees").load(tmp_path / "none.csv")
    assert "none.csv cannot be read" in field(studio, "trees").complaint.text()


def test_a_score_tells_its_formula_and_a_model_with_noise_of_its_own_offers_no_mechanism(
    studio: Studio, qtbot: QtBot
) -> None:
    assert "Neyman & Pearson 1933" in studio.panel.lines["odds"].words.toolTip()
    turn(studio, qtbot, "membership")
    for attacker, there in (("membership", True), ("shadows", False)):
        studio.store.choose("attacker", attacker)
        settle(qtbot, studio)
        assert studio.panel.field("mechanism").isVisible() == there
        assert field(studio, "mechanism.epsilon").isVisible()
