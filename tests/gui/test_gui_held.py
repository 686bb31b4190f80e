"""Axes stand still while a hand moves, a ghost stays where it began, and only the screen knows."""

import itertools
import random
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dragged import dragged, ghosts, ranges, views
from hand import chart, field, paint_now, settle, type_into
from page_frame import SMALL
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from running import LOOKS

import dpstudio.gui
from dpstudio.charts.figure import PART, Area, Axis, Columns, Dots, Figure, Handle, Line, Rule
from dpstudio.charts.ghost import INK, ghost_of
from dpstudio.charts.scaling import squared
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.gui.board.held import between, kept, stack_area, truly_flagged
from dpstudio.gui.parts import motion
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.carry_over import epsilon_path
from dpstudio.labs.worded import with_words
from dpstudio.values.messages import Num, render, say

KINDS = ("svg", "png", "pdf", "csv")


def pictures(studio: Studio) -> list[str]:
    """What would be written of the charts."""
    found = studio.saver.found()
    assert found is not None
    return [figure_svg(figure, palette(False)) for figure in found.figures]


@pytest.mark.parametrize(
    ("key", "words"),
    [("explore", ()), ("guarantee", ()), ("selection", ()), ("owners", LOOKS["owners"][1])],
)
def test_axes_stand_still_under_a_hand_and_ease_once(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, key: str, words: tuple[str, ...]
) -> None:
    """On all pages: `tests/soak.py --only painted`."""
    studio.show_page(key)
    studio.store.edit(with_words(studio.store.lab, words))
    settle(qtbot, studio)
    monkeypatch.setattr(motion, "EASE_MS", 20)
    began = ranges(studio)
    assert list(dragged(studio, qtbot)) == []
    assert ranges(studio) != began
    held = pictures(studio)
    studio.pictures.forget()
    studio.pictures.compute()
    settle(qtbot, studio)
    assert pictures(studio) == held
    hero = views(studio)[0]
    assert hero.figure is not None
    assert hero.given is not None
    own = squared(hero.given, hero.plot.vb.width(), hero.plot.vb.height())
    assert (hero.figure.x, hero.figure.y) == (own.x, own.y)


def test_a_picture_that_is_the_same_again_has_axes_that_stand(studio: Studio, qtbot: QtBot) -> None:
    """A table was opened again: its charts, which were there already, jumped under the next hand."""
    settle(qtbot, studio)
    board = studio.window.board
    board.show_figures([card.figure for card in board.cards if card.figure], 1, fresh=True)
    settle(qtbot, studio)
    qtbot.waitUntil(lambda: not board.busy, timeout=5_000)
    assert list(dragged(studio, qtbot)) == []


def test_a_point_that_is_dragged_stays_as_long_as_it_looks_the_same(
    studio: Studio, qtbot: QtBot
) -> None:
    """Other layers came and went in Plan, and each time its six points were made anew."""
    settle(qtbot, studio)
    view = chart(studio, "tradeoff")
    ((key, knob),) = view.area.knobs.items()
    figure = view.given
    assert figure is not None
    view.show_figure(replace(figure, layers=(*figure.layers, Rule("new", "muted", "", 1.0, "y"))))
    assert view.area.knobs == {key: knob}
    other = [replace(layer, ink="second") if layer.key == key else layer for layer in figure.layers]
    view.show_figure(replace(figure, layers=tuple(other)))
    assert view.area.knobs[key] is not knob
    assert knob.scene() is None
    view.show_figure(figure)


def test_curves_that_come_and_go_under_a_hand_give_no_room_back(
    studio: Studio, qtbot: QtBot
) -> None:
    """Or the plot would be wider while a curve has no name, and narrower when it is back."""
    settle(qtbot, studio)
    view, slider = views(studio)[0], field(studio, "mechanism.epsilon").slider
    slider.setSliderDown(True)
    slider.setValue(slider.value() + 10)
    settle(qtbot, studio)
    gutter, figure = view.labels.layout.gutter, view.figure
    assert figure is not None
    view._rebuild(figure)
    assert view.labels.layout.gutter == gutter > 0
    slider.setSliderDown(False)
    settle(qtbot, studio)
    view._rebuild(figure)
    assert view.labels.layout.gutter == 0
    view._again()


def test_flags_that_meet_while_the_axes_ease_do_not_push_the_plot(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From thousands to fractions three flags of the error stood one above the other on the way:
    its plot was 95 high for a moment. At rest it is at least 100 high, whatever is asked."""
    studio.window.resize(1440, 900)
    asked = [*itertools.product(("count", "sum", "mean", "histogram"), ("laplace", "gaussian"))]
    random.Random(53).shuffle(asked)
    for query, mechanism in [("sum", "gaussian"), ("mean", "laplace"), *asked]:
        view = chart(studio, "error")
        before = view.labels.layout.head
        monkeypatch.setattr(motion, "EASE_MS", 60_000)
        studio.store.choose("query", query)
        studio.store.choose("mechanism", mechanism)
        settle(qtbot, studio)
        for at in range(0, 60_001, 6_000) if view.held.easing else ():
            view.held._way.setCurrentTime(at)
            view.resize(view.size() + QSize(0, at % 4_000 // 2_000))  # what stands is placed anew
            view.grab()
            assert view.labels.layout.head <= before or not view.held.easing
        assert not view.held.easing
        paint_now()
        plots = [card.view.plot_area().height() for card in studio.window.board.items[1:3]]
        assert min(plots) >= SMALL, (query, mechanism)


def test_with_less_motion_the_axes_are_there_at_once(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(qtbot, studio)
    monkeypatch.setattr(motion, "EASE_MS", 60_000)
    slider, began = field(studio, "mechanism.epsilon").slider, ranges(studio)
    acts = {a.text(): a for a in studio.window.top.more.menu().actions()}
    acts["Less motion"].trigger()
    slider.setSliderDown(True)
    slider.setValue(slider.value() + 250)
    settle(qtbot, studio)
    slider.setSliderDown(False)
    settle(qtbot, studio)
    assert not any(view.held.easing for view in views(studio))
    assert ranges(studio) != began
    acts["Less motion"].trigger()
    assert motion.ease_ms() == 60_000
    # On every page: nothing else of the window moves by itself.
    files = Path(dpstudio.gui.__file__).parent.rglob("*.py")
    moves = re.compile(r"QVariantAnimation|QPropertyAnimation|QTimeLine|animateClick|OpacityEffect")
    assert [file.name for file in files if moves.search(file.read_text("utf-8"))] == ["held.py"]


def _files(studio: Studio, patch: pytest.MonkeyPatch, folder: Path) -> list[Any]:
    """The files of a chart, for the screen and for print."""
    saver, key = studio.saver, studio.window.board.items[0].key
    folder.mkdir()
    patch.setattr(saver, "_ask", lambda name, filters: str(folder / name))
    for what in (*KINDS, "print"):
        saver.chart(key, what)
    out = [file.read_bytes() for file in sorted(folder.iterdir())]
    for kind in ("svg", "pdf"):
        saver.chart(key, kind, saver.print_bar.paper)
    saver.print_bar.hide()
    return [*out, *(file.read_bytes() for file in sorted(folder.iterdir()))]


def _copies(studio: Studio) -> list[Any]:
    """What the clipboard gets, the page that is previewed, what a folder gets, and a step made of
    the screen."""
    saver, key = studio.saver, studio.window.board.items[0].key
    clipboard = QGuiApplication.clipboard()
    saver.chart(key, "copy")
    out: list[Any] = [clipboard.mimeData().data("image/svg+xml").data(), clipboard.image()]
    for copied in (partial(saver.chart, key, "copy-data"), saver.copy_words, saver.cite):
        copied()
        out.append(clipboard.text())
    page = saver._page(key)
    assert page is not None
    step = studio.talk.talks.making._state()
    return [*out, figure_svg(page.figure, palette(False)), page.lab, *pictures(studio), step]


@pytest.mark.parametrize("key", ["explore", "guarantee"])
def test_what_leaves_while_a_hand_holds_is_of_the_state_alone(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str
) -> None:
    studio.show_page(key)
    settle(qtbot, studio)
    slider = field(studio, epsilon_path(studio.store.lab)).slider
    slider.setSliderDown(True)
    slider.setValue(slider.value() + 250)
    settle(qtbot, studio)
    hero, files = views(studio)[0], partial(_files, studio, monkeypatch)
    assert hero.figure is not None
    assert hero.given is not None
    assert (hero.figure.x, hero.figure.y) != (hero.given.x, hero.given.y)
    assert ghosts(hero)
    assert studio.window.board.cards[0].figure == hero.given
    held = [*files(tmp_path / "held"), *_copies(studio)]
    studio.window.present()
    studio.pictures.stage.foot.lock.setChecked(True)
    staged = _copies(studio)
    studio.pictures.stage.foot.lock.setChecked(False)
    studio.window.leave_presenting()
    slider.setSliderDown(False)
    settle(qtbot, studio)
    # The same state by another way: worked out anew, on axes that nobody saw before.
    studio.pictures.forget()
    for view in views(studio):
        view.held.forget()
    studio.pictures.compute()
    settle(qtbot, studio)
    copied = _copies(studio)
    alone = [*files(tmp_path / "alone"), *copied]
    assert held == alone
    assert staged == copied


def test_dots_keep_their_size_under_a_hand_and_the_dial_shows_where_it_began(
    studio: Studio, qtbot: QtBot
) -> None:
    """The law above them grows as high as it must: its area is that of the dots."""
    slider, view = field(studio, "mechanism.epsilon").slider, chart(studio, "published")
    assert view.figure is not None
    before, began = stack_area(view.figure), slider.value()
    law = view.figure.layer("law_0")
    slider.setSliderDown(True)
    ground = slider.grab().toImage()
    for step in (90, -200):
        slider.setValue(began + step)
        settle(qtbot, studio)
        seen = view.figure
        assert stack_area(seen) == pytest.approx(before)
        assert stack_area(view.given) != pytest.approx(before, rel=0.1)
        assert seen.x.range[0] >= seen.layer("law_0").x[0]  # no law ends within the chart
        under = np.trapezoid(seen.layer("law_0").y, seen.layer("law_0").x)
        assert under == pytest.approx(before, rel=0.02)
        (ghost,) = (
            one for one in view.area.layers.layers.values() if one.key == f"{INK}{PART}law_0"
        )
        assert np.array_equal(ghost.y, law.y)
    at = slider._knob(began).center()
    top = QPoint(at.x(), slider._knob(began).top() + 2)
    assert slider.grab().toImage().pixelColor(top) != ground.pixelColor(QPoint(5, top.y()))
    slider.setSliderDown(False)
    settle(qtbot, studio)
    assert slider.began is None
    assert view.figure is not None
    assert stack_area(view.figure) == stack_area(view.given)


def test_a_step_keeps_its_axes_while_a_quarter_of_them_is_used(
    studio: Studio, qtbot: QtBot
) -> None:
    editor, view = field(studio, "mechanism.epsilon"), chart(studio, "published")
    before = view.plot.vb.viewRange()[0]
    type_into(editor.box, "0.2")
    settle(qtbot, studio)
    assert view.plot.vb.viewRange()[0] == before
    type_into(editor.box, "2")
    settle(qtbot, studio)
    narrow = view.plot.vb.viewRange()[0]
    assert narrow[1] - narrow[0] < 0.25 * (before[1] - before[0])
    type_into(editor.box, "0.1")
    settle(qtbot, studio)
    assert view.plot.vb.viewRange()[0] == before


@pytest.mark.parametrize(
    ("own", "stays"),
    [((0.0, 100.0), True), ((30.0, 56.0), True), ((30.0, 54.0), False), ((0.0, 101.0), False), ((-1.0, 50.0), False)],
)  # fmt: skip
def test_which_axes_ease(own: tuple[float, float], stays: bool) -> None:
    held, new = Axis("x", range=(0.0, 100.0)), Axis("x", range=own)
    assert kept(held, new, still=False).range == (held.range if stays else own)
    assert kept(held, new, still=True) == held
    # Words, units and logarithms are no matter of a range.
    for other in (Axis("y", range=own), Axis("x", range=own, ticks=((1.0, "a"),))):
        assert kept(held, other, still=True) == other
    log = Axis("x", log=True, range=(1.0, 1e4)), Axis("x", log=True, range=(1e2, 1e4))
    assert between(*log, 0.5).range == pytest.approx((10.0, 1e4))


def test_a_ghost_is_the_main_ink_alone_with_one_row() -> None:
    within = say("{name} ±{width}", name=say("Laplace"), width=Num(30.0))
    layers = (
        Line("law", "laplace", "", [0, 1], [0, 1]),
        Line("within", "laplace", within, [0, 1], [0, 0]),
        Line("other", "gaussian", say("Gaussian"), [0, 1], [1, 0]),
        Area("area", "laplace", "", [0, 1], [1]),
        Rule("truth", "truth", say("truth"), 1.0),
        Handle("here", "laplace", say("here"), 0.5, 0.5, "epsilon"),
    )
    figure = Figure("k", "t", Axis("x", range=(0, 1)), Axis("y", range=(0, 1)), layers)
    made = ghost_of(figure, layers)
    assert [type(one) for one in made] == [Line, Line, Dots]
    assert {one.ink for one in made} == {INK}
    assert [render(one.label) for one in made if one.label] == ["before ±30"]
    bars = Columns("bars", "oue", "", [1, 2], [3, 4])
    drawn = Figure("k", "t", figure.x, figure.y, (bars,))
    assert [list(one.y[:2]) for one in ghost_of(drawn, (bars,)) if isinstance(one, Line)] == [
        [3, 3]
    ]
    assert ghost_of(figure, ()) == ()


def test_a_flag_never_stands_at_an_edge_where_it_is_false() -> None:
    point = Handle("here", "laplace", say("here"), 5.0, 0.5, "epsilon")
    own = Figure("k", "t", Axis("x", range=(0, 10)), Axis("y", range=(0, 1)), (point,))
    for seen, told in (((0.0, 10.0), True), ((4.0, 6.0), True), ((0.0, 4.0), False)):
        shown = truly_flagged(replace(own, x=Axis("x", range=seen)), own)
        assert bool(shown.layer("here").label) == told


def test_a_zoom_is_left_by_its_button_and_the_wheel_is_its_own_while_large(studio: Studio) -> None:
    board = studio.window.board
    card = board.cards[0]
    assert card.view is not None
    assert not card.whole.isVisible()
    card.view.area.sigRangeChangedManually.emit([True, False])
    assert card.whole.isVisible()
    card.whole.click()
    assert not card.view.zoomed
    assert not card.whole.isVisible()
    board.fill(0)
    assert card.view.large
    board.fill(None)
    assert not card.view.large


def test_a_coarse_value_is_paler_where_it_stands_until_it_is_fine(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, window = studio.findings, studio.window
    assert found is not None
    tile, hero = window.strip.tiles[0], window.board.items[0]
    parts = tile.value, window.headline.lines[0], hero.title
    stood = [part.geometry() for part in parts]
    keys = frozenset({found.facts[0].key, found.headline[0], found.figures[0].key})
    for coarse in (keys, frozenset()):
        studio.pictures._show(replace(found, coarse=coarse))
        assert [part.coarse for part in parts] == [bool(coarse)] * 3
        assert [part.geometry() for part in parts] == stood
    assert not any(other.value.coarse for other in window.strip.tiles)
    assert not any(card.title.coarse for card in window.board.cards)


def test_the_wheel_zooms_with_ctrl_or_while_large_and_else_is_the_page_s(studio: Studio) -> None:
    view = chart(studio, "published")
    none, ctrl = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
    for held, large, zooms in ((none, False, False), (ctrl, False, True), (none, True, True)):
        view.large = large
        at = QPointF(view.plot_area().center())
        turned = QWheelEvent(
            at, QPointF(view.mapToGlobal(at)), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            held, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(view.viewport(), turned)
        assert view.zoomed == zooms
        view.mouseDoubleClickEvent(turned)  # type: ignore[arg-type]
        assert not view.zoomed
    view.large = False
