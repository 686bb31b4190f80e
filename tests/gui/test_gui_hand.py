"""The hand on sliders, boxes and points: one gesture is one step, and the charts end at the newest
state."""

from dataclasses import replace

import pytest
from hand import (
    LEFT,
    NONE,
    WAIT,
    along,
    chart,
    drag,
    facts,
    field,
    handle_at,
    knob_at,
    lab,
    mouse,
    settle,
    turn_page,
    type_into,
)
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpstudio.charts.figure import Axis, Handle
from dpstudio.gui.board import board, handles, headline, strip
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.tr import shown
from dpstudio.gui.shell import pictures
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.one_answer.clipping.parameters import Clipping
from dpstudio.values.parameters import put


def steps(studio: Studio) -> int:
    return studio.store.history.index()


def test_a_slider_drag_is_one_step(studio: Studio, qtbot: QtBot) -> None:
    slider, before = field(studio, "mechanism.epsilon").slider, studio.store.state
    drag(slider, along(handle_at(slider), 90, step=1))
    assert lab(studio).mechanism.epsilon > 0.2
    assert steps(studio) == 1
    settle(qtbot, studio)
    assert chart(studio, "tradeoff").figure.layer("here").x == lab(studio).mechanism.epsilon
    studio.store.history.undo()
    assert studio.store.state == before
    settle(qtbot, studio)
    assert chart(studio, "tradeoff").figure.layer("here").x == 0.1


class _Paints(QObject):
    """Writes down that what it watches is painted."""

    def __init__(self, told: list[str]) -> None:
        super().__init__()
        self.told = told

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.told.append("painted")
        return False


def test_under_the_hand_the_hero_is_painted_before_it_is_told(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def heard(holder: type, name: str, what: str) -> None:
        original = getattr(holder, name)
        monkeypatch.setattr(holder, name, lambda *a: (told.append(what), original(*a))[1])

    for holder in (strip.Strip, headline.Headline, Panel):
        heard(holder, "show_findings", "told")
    heard(board.Board, "show_figures", "shown")
    hero = studio.window.board.cards[0].view
    assert hero is not None
    view = hero.viewport()
    view.installEventFilter(paints := _Paints(told))
    slider = field(studio, "mechanism.epsilon").slider
    slider.setSliderDown(True)
    slider.setValue(slider.value() + 90)
    settle(qtbot, studio)
    assert list(dict.fromkeys(told)) == ["painted", "shown", "told"]
    view.removeEventFilter(paints)
    slider.setSliderDown(False)
    studio.store.set("trials", 2_000)
    told.clear()
    settle(qtbot, studio)
    assert list(dict.fromkeys(told))[:2] == ["told", "shown"]
    assert studio.findings is not None
    assert shown(studio.findings.facts[0].text) == studio.window.strip.tiles[0].value.text()


def test_under_the_hand_small_charts_wait_for_the_hero_but_not_the_one_that_is_held(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = [card for card in studio.window.board.cards if not card.waits]
    order: list[int] = []
    for place, card in enumerate(cards):
        show = card.show_held
        monkeypatch.setattr(card, "show_held", lambda p=place, s=show: (order.append(p), s())[1])
    slider = field(studio, "mechanism.epsilon").slider
    slider.setFocus()
    slider.setSliderDown(True)
    for now in ([], [1]):  # the hand is on the slider, then on the second chart
        order.clear()
        slider.setValue(slider.value() + 90)
        qtbot.waitUntil(lambda: bool(order), timeout=WAIT)
        assert order == [0, *now]
        settle(qtbot, studio)
        assert {*order} == {*range(len(cards))}
        held = cards[1].heart()
        assert held is not None
        held.setFocus()
    slider.setSliderDown(False)


def test_under_a_hand_that_never_rests_small_charts_wait_and_words_follow(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "STILL_MS", 3_600_000)
    monkeypatch.setattr(pictures, "WORDS_S", 0.0)
    monkeypatch.setattr("dpstudio.gui.state.jobs.REST_S", 3600.0)
    hero, *small = [card for card in studio.window.board.cards if card.view and not card.waits]
    told, before = studio.window.headline.show_findings, studio.pictures.drawn
    said: list[object] = []
    monkeypatch.setattr(
        studio.window.headline, "show_findings", lambda *a: (said.append(a), told(*a))
    )
    slider = field(studio, "mechanism.epsilon").slider
    slider.setSliderDown(True)
    slider.setValue(slider.value() + 90)
    qtbot.waitUntil(lambda: studio.pictures.drawn is not before and bool(said), timeout=WAIT)
    assert hero.view.given is hero.figure
    assert [card.view.given is card.figure for card in small] == [False] * len(small)
    slider.setSliderDown(False)
    settle(qtbot, studio)
    assert all(card.view.given is card.figure for card in small)


def test_where_the_hero_stands_still_the_first_chart_that_changes_is_followed(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.show_page("sensitivity")
    settle(qtbot, studio)
    views = [card.view for card in studio.window.board.cards if card.view and not card.waits]
    before, painted = [view.given for view in views], []
    slider = field(studio, "epsilon").slider
    slider.setSliderDown(True)
    monkeypatch.setattr(studio.pictures._rest, "start", lambda: painted.append(1))
    slider.setValue(slider.value() + 90)
    qtbot.waitUntil(lambda: bool(painted), timeout=WAIT)
    was = [figure for figure in before if figure is not None]
    assert [view.shows(old) for view, old in zip(views, was, strict=True)] == [True, False]
    assert not studio.window.board.on_hero  # nothing comes ahead, which would put off what moves
    monkeypatch.undo()
    studio.pictures._rest.start()
    slider.setSliderDown(False)
    settle(qtbot, studio)


@pytest.mark.parametrize("path", ["mechanism.epsilon", "dots"])
def test_a_slider_dragged_back_to_its_start_leaves_no_step(studio: Studio, path: str) -> None:
    slider, before = field(studio, path).slider, studio.store.state
    drag(slider, along(handle_at(slider), 60, -60, step=1))
    assert studio.store.state == before
    assert not studio.store.history.canUndo()


def test_a_drag_too_short_to_change_anything_leaves_no_step(studio: Studio) -> None:
    studio.store.set("dots", lab(studio).dots, studio.store.gesture())
    assert not studio.store.history.canUndo()


def test_two_drags_are_two_steps(studio: Studio) -> None:
    slider = field(studio, "mechanism.epsilon").slider
    for _ in range(2):
        drag(slider, along(handle_at(slider), 40))
    assert steps(studio) == 2


def test_the_newest_state_wins(studio: Studio, qtbot: QtBot) -> None:
    studio.store.set("trials", 1_000_000)
    for i in range(50):
        studio.store.set("mechanism.epsilon", 0.5 + i / 100)
    settle(qtbot, studio)
    assert chart(studio, "tradeoff").figure.layer("here").x == 0.99
    assert studio.findings is not None
    *_, expected = lab(studio).run(studio.store.data)  # type: ignore[arg-type]
    assert studio.findings.fact("interval") == expected.fact("interval")
    assert (
        chart(studio, "error").figure.layer("interval").high
        == expected.figure("error").layer("interval").high
    )


def test_keys_on_a_slider_and_on_a_point(studio: Studio) -> None:
    slider = field(studio, "mechanism.epsilon").slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    first = lab(studio).mechanism.epsilon
    assert first > 0.1
    view = chart(studio, "tradeoff")
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert lab(studio).mechanism.epsilon > first
    assert steps(studio) == 2
    cost = chart(studio, "cost")
    cost.setFocus()
    QTest.keyClick(cost, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert lab(studio).answers < 100


@pytest.mark.parametrize(("key", "path"), [("tradeoff", "mechanism.epsilon"), ("cost", "answers")])
def test_a_point_is_dragged_in_one_step(studio: Studio, qtbot: QtBot, key: str, path: str) -> None:
    view, before = chart(studio, key), studio.store.state
    start = knob_at(view)
    drag(view.viewport(), along(start, 60))
    settle(qtbot, studio)
    assert steps(studio) == 1
    moved = lab(studio).mechanism.epsilon if key == "tradeoff" else lab(studio).answers
    assert moved > (0.1 if key == "tradeoff" else 100)
    if key == "tradeoff":
        assert abs(knob_at(view).x() - start.x() - 60) <= 2
    studio.store.history.undo()
    assert studio.store.state == before
    settle(qtbot, studio)
    drag(view.viewport(), along(knob_at(view), 60, -60))
    assert studio.store.state == before
    assert not studio.store.history.canUndo()


def test_a_bound_without_a_slider_is_dragged_and_nudged(studio: Studio, qtbot: QtBot) -> None:
    """Bounds may be anything up to 10¹⁵, or nothing: the chart's axis says how far a step goes."""
    store = studio.store
    studio.show_page("clipping")
    store.set("column", "age")
    begun = store.lab
    for moving in ("upper", "lower", "both"):
        store.edit(begun)
        store.set("moving", moving)
        settle(qtbot, studio)
        a_bound_is_dragged_and_nudged(studio, qtbot, "low" if moving == "lower" else "high")
        assert not studio.window.message.isVisible()


def a_bound_is_dragged_and_nudged(studio: Studio, qtbot: QtBot, path: str) -> None:
    store, before = studio.store, studio.store.state
    assert getattr(store.lab, path) is None
    view = chart(studio, "error")
    handle = view.figure.layer("here")  # type: ignore[union-attr]
    assert handle.sets == path
    drag(view.viewport(), along(knob_at(view), -40 if path == "high" else 40))
    moved = getattr(store.lab, path)
    assert moved == int(moved)  # ages are whole
    assert (moved < handle.x) == (path == "high")
    settle(qtbot, studio)
    assert chart(studio, "error").figure.layer("here").x == moved
    store.history.undo()
    assert store.state == before
    settle(qtbot, studio)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Left if path == "high" else Qt.Key.Key_Right)
    assert 0 < abs(getattr(store.lab, path) - handle.x) <= 2
    store.set("low", 30.0)
    store.set("high", 31.0)
    for _ in range(9):  # against the other bound it stops
        QTest.keyClick(view, Qt.Key.Key_Left if path == "high" else Qt.Key.Key_Right)


def test_a_point_moves_what_its_newest_chart_moves(studio: Studio, qtbot: QtBot) -> None:
    """A chart of the same layers may move another parameter, as the other of two bounds does."""
    studio.show_page("clipping")
    settle(qtbot, studio)
    view, moved = chart(studio, "error"), set()
    view.dragged.connect(lambda path, *_: moved.add(path))
    assert view.given is not None
    handle = view.given.layer("here")
    assert isinstance(handle, Handle)
    for path in ("low", "high"):
        others = tuple(
            replace(layer, sets=path) if layer is handle else layer for layer in view.given.layers
        )
        view.show_figure(replace(view.given, layers=others))
        handle = view.given.layer("here")
        moved.clear()
        drag(view.viewport(), along(knob_at(view), -8, 8))
        assert moved == {path}


@pytest.mark.parametrize(
    ("log", "low", "high"), [(True, 0.5, 2e6), (False, -3.0, 1e9), (False, 0.0, 0.02)]
)
def test_where_a_handle_without_a_slider_lands(log: bool, low: float, high: float) -> None:
    lab, axis = Clipping(column="pay"), Axis("", log=log, range=(low, high))
    value = low + 0.123456789 * (high - low)
    found = handles.landed(lab, "high", value, axis, None)
    assert found == pytest.approx(
        value, rel=0.005 if log else 0, abs=0 if log else 0.005 * (high - low)
    )
    assert len(f"{found:.12g}".replace("e+", "e")) <= 9
    far, near = (
        (1.02 * value, 0.01 * value) if log else (value + (high - low) / 100, 0.003 * (high - low))
    )
    assert handles.nudged(lab, "high", 1, axis, value, None) == pytest.approx(far, abs=near)
    assert handles.nudged(put(lab, "high", 7.0), "high", 3, axis, value, None) > 7


def test_a_point_that_is_held_still_stays(studio: Studio, qtbot: QtBot) -> None:
    """A trembling hand on the cost chart: its axis must not run away below the pointer."""
    view = chart(studio, "cost")
    first, *rest = along(knob_at(view), 40)
    mouse(view.viewport(), QEvent.Type.MouseButtonPress, first, LEFT, LEFT)
    for point in rest:
        mouse(view.viewport(), QEvent.Type.MouseMove, point, NONE, LEFT)
        settle(qtbot, studio)
    there = lab(studio).answers
    for i in range(8):
        mouse(view.viewport(), QEvent.Type.MouseMove, rest[-1] + QPoint(i % 2, 0), NONE, LEFT)
        settle(qtbot, studio)
    mouse(view.viewport(), QEvent.Type.MouseButtonRelease, rest[-1], LEFT, NONE)
    assert lab(studio).answers == pytest.approx(there, rel=0.1)


def test_what_epsilon_cannot_be(studio: Studio) -> None:
    editor = field(studio, "mechanism.epsilon")
    for text in ("abc", "-1", "0", "nan", "60", ""):
        before = studio.store.state
        type_into(editor.box, text)
        assert studio.store.state == before
        assert editor.complaint.isVisible()
        assert editor.complaint.text().endswith(".")
        assert editor.box.property("wrong")
        QTest.keyClick(editor.box, Qt.Key.Key_Escape)
        assert editor.box.text() == "0.1"
        assert not editor.complaint.isVisible()
        type_into(editor.box, "0.25")
        assert lab(studio).mechanism.epsilon == 0.25
        assert not editor.complaint.isVisible()
        assert not editor.box.property("wrong")
        type_into(editor.box, "0.1")


def test_escape_takes_typing_back(studio: Studio) -> None:
    box = field(studio, "mechanism.epsilon").box
    high = box.sizeHint().height()
    type_into(box, "many")  # refused, and so styled anew while it has the ring of the focus
    assert box.property("wrong")
    assert box.sizeHint().height() == high
    type_into(box, "0.7", Qt.Key.Key_Escape)
    assert box.sizeHint().height() == high
    assert box.text() == "0.1"
    box.clearFocus()
    assert not studio.store.history.canUndo()


def test_a_slider_follows_the_box_and_the_strip_follows_both(studio: Studio, qtbot: QtBot) -> None:
    editor = field(studio, "mechanism.epsilon")
    type_into(editor.box, "10")
    assert editor.slider.value() == round(1000 * editor.real.position(10.0))
    settle(qtbot, studio)
    assert facts(studio)["Typical error"] == "±0.1"


@pytest.mark.parametrize(("text", "word"), [("120", "99.9"), ("abc", "number")])
def test_confidence_is_refused_in_its_own_unit(studio: Studio, text: str, word: str) -> None:
    editor = field(studio, "confidence")
    type_into(editor.box, text)
    assert lab(studio).confidence == 0.95
    assert word in editor.complaint.text()
    type_into(editor.box, "90 %")
    assert lab(studio).confidence == 0.9


def test_every_knob_of_a_plan_is_dragged_and_each_is_reached_by_keys(
    studio: Studio, qtbot: QtBot
) -> None:
    """A knob of another lane takes that lane first; arrows up and down with Enter do the same, left
    and right move the knob of the chosen lane."""
    turn_page(studio, "plan")
    settle(qtbot, studio)
    view, before = chart(studio, "shares"), studio.store.lab
    drag(view.viewport(), along(knob_at(view, "knob 3"), 40))
    settle(qtbot, studio)
    moved = studio.store.lab
    assert moved.row == 4
    assert moved.share > before.share
    assert moved.questions == before.questions
    studio.store.history.undo()  # the lane and its share are one step
    assert studio.store.lab == before
    studio.store.history.redo()
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert moved.share - 0.02 < studio.store.lab.share < moved.share
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert studio.store.lab.row == 2
    while studio.store.lab != before:
        assert studio.store.history.canUndo()
        studio.store.history.undo()
    settle(qtbot, studio)
