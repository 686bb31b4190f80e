"""How it looks and reads: zoom, play, presenting, type and theme; the keyboard; other languages;
nothing clipped."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hand import (
    NONE,
    WAIT,
    chart,
    clipped,
    facts,
    field,
    lab,
    mouse,
    paint_now,
    place,
    seen,
    settle,
    tabbed,
    turn_page,
    type_into,
)
from marked import SPOKEN, texts, unmarked
from page_frame import beside, box, listed, staged
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QPushButton,
    QStyle,
    QStyleOptionComboBox,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpstudio.charts.figure import Axis, Columns, Dots, Figure, Handle
from dpstudio.charts.label_folding import folded
from dpstudio.charts.readout import reading
from dpstudio.charts.scaling import ticks
from dpstudio.gui.board import more_line, plotview, strokes, table_card
from dpstudio.gui.board.cards import ChartCard
from dpstudio.gui.board.held import stack_area
from dpstudio.gui.board.strip import columns_for
from dpstudio.gui.panel import design
from dpstudio.gui.parts import boxes
from dpstudio.gui.parts import tr as translations
from dpstudio.gui.parts.boxes import combo
from dpstudio.gui.parts.labels import BalancedLabel, ElidedLabel, LiveLabel
from dpstudio.gui.parts.theme import LARGEST, Look, style_sheet
from dpstudio.gui.shell import app
from dpstudio.gui.shell.app import make_window
from dpstudio.gui.shell.frame.message import MessageBar
from dpstudio.gui.shell.frame.waiting import Bars
from dpstudio.gui.shell.frame.window import LARGER, PANEL_MOST, PRESENTED
from dpstudio.gui.shell.pages import DATA_PAGE, IMPORT_PAGE, LESSONS, NO_LABS
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.carry_over import lever_path
from dpstudio.labs.findings import Table
from dpstudio.labs.naming import every_lab
from dpstudio.labs.promise.printed.listings import ERRATA
from dpstudio.labs.worded import with_words
from dpstudio.values.messages import Num, render, say
from dpstudio.values.parameters import OneOf, domains, get, roles

LABS = every_lab()

# What the eye looks at, which is kept but not undone


def test_play_and_step_change_the_answer_but_not_the_history(studio: Studio, qtbot: QtBot) -> None:
    card, before = studio.window.board.cards[0], facts(studio)
    assert not studio.window.board.timer.isActive()
    QTest.mouseClick(card.step, Qt.MouseButton.LeftButton)
    after = facts(studio)
    assert [name for name in before if before[name] != after[name]] == ["Simulated answer"]
    second = studio.findings.replays[1][0]  # type: ignore[union-attr]
    # Where a picture was painted just before, the next one comes with the next frame.
    qtbot.waitUntil(lambda: chart(studio, "published").figure.layer("answer").at == second)
    chart(studio, "published").setFocus()
    QTest.keyClick(chart(studio, "published"), Qt.Key.Key_Space)
    assert studio.window.board.timer.isActive()
    qtbot.waitUntil(lambda: studio.window.board.index >= 2)
    QTest.keyClick(chart(studio, "published"), Qt.Key.Key_Space)
    assert not studio.window.board.timer.isActive()
    assert not studio.store.history.canUndo()
    assert studio.store.history.isClean()


def test_play_says_so_when_the_window_was_minimised(studio: Studio, qtbot: QtBot) -> None:
    board = studio.window.board
    board.cards[0].play.click()
    studio.window.showMinimized()
    studio.window.showNormal()
    assert board.timer.isActive() == board.cards[0].play.isChecked()


def test_a_hidden_curve_stays_hidden_and_is_not_undone(studio: Studio, qtbot: QtBot) -> None:
    card = studio.window.board.cards[2]
    card.menu.aboutToShow.emit()
    (action,) = [a for a in card.menu.actions() if a.text() == "Gaussian"]
    action.trigger()
    view = chart(studio, "tradeoff")
    assert "beside" in view.hidden
    assert "beside" not in view.area.layers.layers
    assert "Gaussian" not in [label.text for label in view.labels.layout.labels]
    studio.store.set("mechanism.epsilon", 0.5)
    settle(qtbot, studio)
    studio.store.history.undo()
    settle(qtbot, studio)
    assert "beside" not in view.area.layers.layers
    assert not studio.store.history.canUndo()


def wheel(
    view: plotview.PlotView,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.ControlModifier,
    turned: int = 480,
) -> None:
    middle = QPointF(view.plot_area().center())
    event = QWheelEvent(
        middle, QPointF(view.mapToGlobal(middle.toPoint())), QPoint(), QPoint(0, turned), Qt.MouseButton.NoButton,
        keys, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)


def test_a_zoom_leaves_no_empty_room_below_the_plot(studio: Studio, qtbot: QtBot) -> None:
    """Names that are cut at its edge would turn all of them upright, and the plot gave way."""
    studio.store.choose("query", "histogram")
    studio.store.set("query.column", "workclass")
    settle(qtbot, studio)
    view = chart(studio, "published")
    high = view.plot.vb.height()
    for _ in range(12):
        wheel(view, turned=60)
        assert view.plot.vb.height() == high
    view.reset_zoom()
    assert view.plot.vb.height() == high


def test_zoom_is_kept_by_a_slider_and_given_up_by_another_question(
    studio: Studio, qtbot: QtBot
) -> None:
    view, error = chart(studio, "published"), chart(studio, "error")
    whole = error.plot.vb.viewRange()[0]
    wheel(error, Qt.KeyboardModifier.NoModifier)  # it is the page's
    assert not error.zoomed
    for one in (view, error):
        wheel(one)
        assert one.zoomed
    zoomed = error.plot.vb.viewRange()[0]
    assert whole[0] < zoomed[0] < zoomed[1] < whole[1]
    studio.store.set("mechanism.epsilon", 0.11)
    settle(qtbot, studio)
    assert error.plot.vb.viewRange()[0] == zoomed
    assert not studio.store.history.index() > 1
    QTest.mouseDClick(
        error.viewport(), Qt.MouseButton.LeftButton, pos=error.plot_area().center().toPoint()
    )
    QTest.mouseRelease(error.viewport(), Qt.MouseButton.LeftButton)  # which Qt leaves held
    assert not error.zoomed
    studio.store.choose("query", "sum")
    settle(qtbot, studio)
    low, high = view.plot.vb.viewRange()[0]
    assert low < view.figure.layer("truth").at < high


def test_over_each_bar_of_a_group_both_values_of_that_group_are_read(
    studio: Studio, qtbot: QtBot
) -> None:
    studio.store.edit(with_words(studio.store.lab, ("query=histogram", "query.column=workclass")))
    settle(qtbot, studio)
    paint_now()
    view = chart(studio, "published")
    exact, noisy = view.figure.layer("truth"), view.figure.layer("answer")
    for at, bar in enumerate(exact.x):
        (name,) = [word for tick, word in view.figure.x.ticks if tick == round(float(bar) + 0.2)]
        for layer in (exact, noisy):
            for share in (-0.4, 0.0, 0.4):
                x = layer.x[at] + share * layer.width
                place = view.plot.vb.mapViewToScene(QPointF(x, view.figure.y.range[1] / 2))
                mouse(view.viewport(), QEvent.Type.MouseMove, view.mapFromScene(place), NONE, NONE)
                told = view.callout.lines
                assert f"{name} · " in told[0]
                values = (
                    f"exact {render(say('{n}', n=Num(exact.heights[at])))}",
                    f"simulated {render(say('{n}', n=Num(noisy.heights[at])))}",
                )
                assert sorted(told[1:]) == sorted(values)


def test_the_dark_board_is_apart_from_its_side(studio: Studio, qtbot: QtBot) -> None:
    """As they are painted, each in its own tone."""
    window = studio.window
    window.theme.set_dark(True)
    settle(qtbot, studio)
    paint_now()
    image, view = window.grab().toImage(), chart(studio, "published")

    def ink(widget: QWidget, at: QPoint) -> str:
        place = widget.mapTo(window, at) * image.devicePixelRatio()
        return str(image.pixelColor(place).name())

    assert ink(window.sheet, QPoint(3, 3)) == ink(view, QPoint(3, 3)) == "#15171a"
    assert ink(window.panel, QPoint(3, 3)) == ink(window.nav, QPoint(3, 3)) == "#1b1e22"


def test_another_table_is_seen_whole(studio: Studio, qtbot: QtBot) -> None:
    """Where its axes are the same too."""
    view = chart(studio, "error")
    whole = view.plot.vb.viewRange()[0]
    wheel(view)
    assert view.zoomed
    studio.open("adult")
    settle(qtbot, studio)
    assert not view.zoomed
    assert view.plot.vb.viewRange()[0] == whole


def test_presenting_and_back(studio: Studio, qtbot: QtBot) -> None:
    window, theme = studio.window, studio.window.theme
    theme.set_scale(1.15)
    with qtbot.waitActive(window):
        window.activateWindow()
    frames = [card.frameWidth() for card in window.board.cards]
    chart(studio, "tradeoff").setFocus(Qt.FocusReason.ShortcutFocusReason)
    edges = [card.grab().toImage() for card in window.board.cards[:3]]
    for across in (0, 1):  # the plot covers nothing of it
        inks = [edge.pixelColor(across, 60) for edge in edges]
        assert [ink == theme.look.color("text") for ink in inks] == [False, False, True]
    QTest.keyClick(window, Qt.Key.Key_F5)
    visible = [i for i, card in enumerate(window.board.cards) if card.isVisible()]
    assert visible == [2]
    # Type by the height of the screen, times what was chosen.
    assert window.isFullScreen()
    large = window.height() / PRESENTED * 1.15
    assert window.board.look.scale == chart(studio, "tradeoff").look.scale == large
    stage = studio.stage()
    assert stage.header.question.text() == "Privacy against utility"  # the sentence is of the first
    assert (stage.foot.epsilon.text(), stage.foot.noise.text()) == ("ε = 0.1", "Laplace")
    assert stage.header.place.text() == "3 / 5"
    assert not any(w.isVisible() for w in (window.top, window.nav, window.panel, window.strip))
    focus = QApplication.focusWidget()
    assert focus is chart(studio, "tradeoff")
    for turned in (3, 4, 0):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageDown)
        assert [i for i, card in enumerate(window.board.cards) if card.isVisible()] == [turned]
    for key, turned in (Qt.Key.Key_Right, 1), (Qt.Key.Key_Left, 0):
        QTest.keyClick(QApplication.focusWidget(), key)
        assert [i for i, card in enumerate(window.board.cards) if card.isVisible()] == [turned]
    assert lab(studio).mechanism.epsilon == 0.1
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up)
    assert lab(studio).mechanism.epsilon > 0.1
    settle(qtbot, studio)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert (theme.look.scale, window.board.look.scale) == (
        1.3,
        window.height() / PRESENTED * LARGER,
    )
    QTest.keyClick(
        QApplication.focusWidget(), Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier
    )
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert theme.look.scale == 1.15
    assert {card.view.look.scale for card in window.board.cards if card.view is not None} == {1.15}
    qtbot.waitUntil(lambda: window.width() == 1440)  # the platform follows in its own time
    assert all(
        w.isVisible() for w in (window.top, window.nav, window.panel, window.strip, window.board)
    )
    assert all(card.isVisible() != card.waits for card in window.board.cards)
    # The ring of the one that has the focus takes no room.
    assert [card.frameWidth() for card in window.board.cards] == frames


@pytest.mark.parametrize("key", ["explore", "compress", "survey"])
def test_all_on_a_stage_keeps_one_margin(studio: Studio, qtbot: QtBot, key: str) -> None:
    """On all pages: `tests/soak.py --only painted`."""
    studio.show_page(key)
    studio.window.present()
    for size in ((1920, 1080), (1024, 700)):
        studio.window.showNormal()
        studio.window.resize(*size)
        settle(qtbot, studio)
        paint_now()
        assert list(staged(studio)) == []


def test_nothing_but_the_page_stands_while_it_is_presented(studio: Studio) -> None:
    """What was said or offered before, and what nobody asked for, waits until it is seen again;
    answers to keys do not."""
    window = studio.window
    bar, question = window.message, window.question
    answers = (("Take it up", lambda: None), ("Later", lambda: None))
    question.ask("It is still there.", answers, held=False)
    window.say("It could not be written.")
    window.present()
    assert not bar.isVisible()
    assert not question.isVisible()
    question.ask("Another is still there.", answers, held=False)
    window.say("It was written anew.", tone="warn")
    bar.working("Reading …", 0.5, lambda: None)
    bar.working("Reading on …", 0.6, lambda: None)
    assert not bar.isVisible()
    assert not question.isVisible()
    assert bar.busy
    window.leave_presenting()
    assert bar.progress.isVisible()
    assert (bar.progress.value(), question.text.text()) == (60, "Another is still there.")
    assert question.isVisible()
    question.leave()
    window.present()
    window.say("Saved.", tone="good")
    held = window.focusWidget()
    question.ask("Write over it?", answers)
    assert bar.isVisible()
    assert question.isVisible()
    assert window.focusWidget() is question.buttons[0]
    question.leave()
    assert window.focusWidget() is held  # a button would take the arrow keys that move ε
    assert held is not None
    window.say("")
    window.leave_presenting()
    assert not bar.isVisible()
    assert not question.isVisible()


def test_no_bar_moves_anything(studio: Studio, qtbot: QtBot) -> None:
    """What is said, asked, printed or still worked out lies over the foot of the page, in every lab
    and on the page of the table: the target under the pointer stays."""
    window = studio.window
    bar, question = window.message, window.question

    def places() -> dict[QWidget, QRect]:
        paint_now()
        pages = (studio.pages.data_page,) if studio.pages.data_page is not None else ()
        parts = (window.top, window.nav, window.panel, window.sheet, *pages)
        seen_ = (w for part in parts for w in (part, *part.findChildren(QWidget)) if w.isVisible())
        free = (
            window.board.ground,
            window.board.bar,
        )  # there is more to scroll to, and nothing in it
        return {w: QRect(w.mapTo(window, QPoint()), w.size()) for w in seen_ if w not in free}

    for key in ("explore", "selection", "learn", DATA_PAGE):
        studio.pages.bring(key)
        settle(qtbot, studio)
        before = places()
        assert len(before) > 20, key
        window.say("It could not be written.")
        question.ask("Write over it?", (("Yes", lambda: None), ("Later", lambda: None)), held=False)
        assert bar.isVisible()
        assert question.isVisible()
        assert places() == before, key
        foot = window.bars.mapTo(window, QPoint()).y() + window.bars.height()
        assert foot == window.height()
        if key != DATA_PAGE:  # what they cover can be scrolled out from under them
            scroll = window.board.area.verticalScrollBar()
            scroll.setValue(scroll.maximum())
            ends = [one.mapTo(window, one.rect().bottomLeft()).y() for one in window.board.items]
            assert max(ends) < foot - window.bars.height(), key
            scroll.setValue(0)
        window.say("")
        question.leave()
        assert places() == before, key
        bar.working("Reading …", 0.5, lambda: None)
        assert places() == before, key
        window.say("")


@pytest.mark.parametrize("width", [1024, 1280])
def test_bars_are_laid_out_once(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    window = studio.window
    window.resize(width, 800)
    window.say("It could not be written.")
    window.question.ask("Write over it?", (("Yes", lambda: None),), held=False)
    studio.saver.chart("published", "print")
    paint_now()
    placed: list[object] = []
    with monkeypatch.context() as heard:
        heard.setattr(Bars, "place", lambda bars: placed.append(bars))
        qtbot.wait(20)
    assert not placed
    window.say("")
    window.question.leave()
    assert studio.saver.print_bar is not None
    studio.saver.print_bar.hide()


def test_nothing_below_a_chart_is_cut_on_a_narrow_screen(studio: Studio) -> None:
    window, store = studio.window, studio.store
    store.choose("mechanism", "discrete_gaussian")
    store.set("mechanism.epsilon", 0.001234)
    window.present()
    window.showNormal()
    window.resize(900, 900)
    paint_now()
    foot = studio.stage().foot
    assert (foot.epsilon.text(), foot.noise.text()) == ("ε = 0.001234", "Discrete Gaussian")
    assert not clipped(studio, foot)


def test_a_table_of_many_numbers_names_them_in_several_lines(qtbot: QtBot) -> None:
    """Before it scrolls sideways, which nobody can do from afar; in one line where there is room."""
    card = table_card.TableCard(Look())
    qtbot.addWidget(card)
    heads = tuple(f"mean absolute error {k} %" for k in range(5))
    columns = (("a", ("x y", "z")), *((head, (1.5, 20.25)) for head in heads))
    card.setStyleSheet(style_sheet(card.look))
    card.resize(560, 300)
    card.show()
    card.show_table(Table("t", "T", columns, shown=True))
    view, header = card.view, card.view.horizontalHeader()
    needs, high = card.need(), header.height()
    assert header.length() <= view.viewport().width()
    assert card.model.heads[1].endswith("0\u00a0%")  # no sign stands alone on a line
    assert high > 2 * header.fontMetrics().height()
    card.resize(1400, 300)
    assert header.height() < high
    assert card.need() < needs


def test_the_share_of_progress_is_not_written_on_its_bar(qtbot: QtBot) -> None:
    """Half of it was black on blue, in the dark white on pale blue."""
    bar = MessageBar()
    qtbot.addWidget(bar)
    for scale in (1.0, LARGEST):
        bar.setStyleSheet(style_sheet(Look(scale=scale)))
        bar.working("Reading …", 1.0, lambda: None)
        bar.adjustSize()
        named, groove = bar.progress.grab().toImage(), round(112 * scale)
        bar.progress.setTextVisible(False)
        bare = bar.progress.grab().toImage()
        bar.progress.setTextVisible(True)
        assert named != bare
        assert named.copy(0, 0, groove, named.height()) == bare.copy(0, 0, groove, bare.height())


def test_no_sentence_stands_over_the_page_of_another_lab(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the one that is turned to is drawn its name does."""
    studio.window.present()
    header, seen = studio.stage().header, list[str]()
    honest = header.sentence.set_text
    monkeypatch.setattr(header.sentence, "set_text", lambda text: (seen.append(text), honest(text)))
    place = 1 + list(studio.pages.buttons).index("selection")
    QTest.keyClick(studio.window, Qt.Key(Qt.Key.Key_0 + place), Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: studio.store.state.active == "selection")
    settle(qtbot, studio)
    assert seen[0] == "Selection"
    assert "the true winner" in header.sentence.text()


def test_a_click_leaves_the_arrow_keys_to_epsilon(studio: Studio) -> None:
    """Qt lets them go from button to button: after a click on one they moved nothing."""
    window, foot = studio.window, studio.stage().foot
    window.present(0)
    window.say("It could not be written.")
    held = window.focusWidget()
    for button in (foot.lock, window.board.cards[0].play, window.message.shut):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert window.focusWidget() is held
    assert held is not None
    assert not window.message.isVisible()


def test_a_page_without_charts_is_not_presented(studio: Studio) -> None:
    """ε stood below the list of lessons, and changed a chart that was not to be seen."""
    for key in (LESSONS.key, DATA_PAGE):
        studio.window.present()
        studio.pages.bring(key)
        assert not studio.window.presenting
        assert not studio.stage().foot.isVisible()
        assert studio.window.top.isVisible()


def test_a_lab_is_turned_by_what_leads_where_that_is_not_epsilon(studio: Studio) -> None:
    turn_page(studio, "compress")
    studio.window.present()
    studio.window.showNormal()
    studio.window.resize(1920, 1080)
    paint_now()
    foot, said = studio.stage().foot, studio.stage().header.sentence
    assert said.height() < 2 * said.fontMetrics().height()  # smaller, before it takes two lines
    foot.show_state()
    assert (foot.epsilon.text(), foot.noise.text()) == ("K = 3", "DCA")
    assert foot.lever.text() == "Directions K"
    studio.nudge_budget(5)
    assert studio.store.lab.k > 3
    foot.show_state()
    assert foot.epsilon.text() == f"K = {studio.store.lab.k}"
    for key, path in (
        ("owners", "looks.owners"),
        ("anonymity", "promise.k"),
        ("survey", "n"),
        ("room", "reports.people"),
        ("audit", "subject.epsilon"),
        ("printed", "erratum.asked"),
    ):
        assert lever_path(next(kind for kind in LABS if kind.key == key)()) == path


def test_no_lab_is_turned_by_how_it_is_looked_at() -> None:
    """A room that was presented with what its phones sent stood at “−1”, the part looked at."""
    for kind in LABS:
        lab = kind()
        families = [
            (name, domain.family())
            for name, domain in domains(kind).items()
            if isinstance(domain, OneOf)
        ]
        for name, family in families:
            for other in family:
                made = lab.with_(**{name: other()})
                outer, _, last = lever_path(made).rpartition(".")
                holder = get(made, outer) if outer else made
                assert not last or not roles(type(holder))[last].look, (kind.key, name, other.key)


def test_what_a_lab_is_turned_by_stands_in_no_folded_part() -> None:
    for kind in LABS:
        folded = [part for part in kind.beside("panel").PANEL if part.folded]
        rows = [row for part in folded for row in part.rows]
        assert lever_path(kind()) not in rows, kind.key


def test_axes_that_are_locked_stand_still_until_presenting_ends(
    studio: Studio, qtbot: QtBot
) -> None:
    """So that a small ε looks different from a large one; the budget has a bar to drag."""
    studio.window.present(0)
    foot = studio.stage().foot
    QTest.keyClick(studio.window, Qt.Key.Key_L)
    assert foot.lock.isChecked()
    view = chart(studio, "published")
    assert view.figure is not None
    before = view.figure.x.range, view.figure.y.range, stack_area(view.figure)
    assert foot.field is not None
    foot.field.slider.setFocus()
    turned = lab(studio).mechanism.epsilon, studio.window.board.filled
    QTest.keyClick(foot.field.slider, Qt.Key.Key_PageDown)  # turns the page, as anywhere
    assert lab(studio).mechanism.epsilon == turned[0]
    assert studio.window.board.filled != turned[1]
    QTest.keyClick(foot.field.slider, Qt.Key.Key_PageUp)
    assert studio.window.board.filled == turned[1]
    foot.field.slider.setValue(foot.field.slider.minimum() + 20)
    settle(qtbot, studio)
    assert lab(studio).mechanism.epsilon < 0.1
    assert foot.epsilon.text() == f"ε = {lab(studio).mechanism.epsilon:.4g}"
    assert (view.figure.x.range, view.figure.y.range, stack_area(view.figure)) == before
    assert studio.window.board.cards[0].figure == studio.findings.figure("published")
    studio.window.leave_presenting()
    assert view.figure.x.range[1] > before[0][1]


def test_the_slider_on_the_screen_stays_under_the_hand(studio: Studio, qtbot: QtBot) -> None:
    """However many digits its value has."""
    studio.window.present(0)
    foot, seen = studio.stage().foot, set()
    for epsilon in (1, 0.1, 0.00456, 12.3):
        studio.store.set("mechanism.epsilon", epsilon)
        settle(qtbot, studio)
        foot.epsilon._sync()  # as a moment after a drag
        paint_now()
        assert foot.epsilon.text() == f"ε = {epsilon}"
        seen.add(foot.field.slider.mapTo(foot, foot.field.slider.rect().topLeft()).x())
        seen.add(-foot.field.slider.width())
    assert len(seen) == 2


def test_hairlines_follow_the_pointer_while_presenting(studio: Studio, qtbot: QtBot) -> None:
    """With the value on each axis that has numbers."""
    window, view = studio.window, chart(studio, "tradeoff")
    for presenting in (False, True):
        if presenting:
            window.present(2)
            settle(qtbot, studio)
        middle = view.plot_area().center().toPoint()
        mouse(view.viewport(), QEvent.Type.MouseMove, middle, NONE, NONE)
        assert view.cross.isVisible() == presenting
    at = view.plot.vb.mapSceneToView(view.mapToScene(middle))
    assert view.cross.words[0] == f"{10 ** at.x():.3g}"
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert not view.cross.isVisible()


def test_a_new_window_is_no_larger_than_its_screen(qtbot: QtBot) -> None:
    window = make_window(None)
    qtbot.addWidget(window)
    room = window.screen().availableSize()
    assert window.height() <= room.height()
    assert window.width() <= max(room.width(), window.minimumWidth())


def test_a_window_that_is_closed_at_once_begins_nothing(qtbot: QtBot) -> None:
    """What it needs may still be on its way; nobody would close what is made of it."""
    window = make_window(None)
    qtbot.addWidget(window)
    window.close()
    window.prepared.emit()
    assert window.studio is None


def test_what_cannot_be_imported_behind_is_met_by_the_window(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window(None)
    qtbot.addWidget(window)
    window.close()
    monkeypatch.setattr(design, "panel_of", lambda kind: 1 / 0)
    with qtbot.waitSignal(window.prepared):
        app._prepare(window)


def test_words_of_buttons_and_titles_take_further_lines_before_they_are_cut(
    studio: Studio, qtbot: QtBot
) -> None:
    """At large type in a small window the panel keeps its share of it, and no card is wider than
    what is seen of the board: the bar lay on the headline."""
    studio.window.resize(1024, 700)
    studio.window.theme.set_scale(1.5)
    board = studio.window.board
    for key in ("explore", "sensitivity", "explore"):
        turn_page(studio, key)
        settle(qtbot, studio)
        qtbot.waitUntil(lambda: board.ground.width() == board.area.viewport().width())
        qtbot.waitUntil(
            lambda: studio.window.panel.width() <= PANEL_MOST * 1024 + 1 and not clipped(studio)
        )
    studio.window.resize(900, 600)
    studio.window.theme.set_scale(2.0)
    turn_page(studio, "sensitivity")
    settle(qtbot, studio)
    qtbot.waitUntil(lambda: board.cards[0].title.wordWrap() and not clipped(studio))


def test_a_lab_that_is_presented_before_its_charts_are_there_has_one_of_them(
    studio: Studio, qtbot: QtBot
) -> None:
    window, board = studio.window, studio.window.board
    studio.pages.panel_of("compare")
    studio.show_page("compare")
    # What was said of another lab does not stand there, nor does an empty card offer to play.
    assert {window.headline.isVisible(), window.strip.isVisible()} == {False}
    assert ChartCard(window.theme.look).play.isHidden()
    window.present()
    settle(qtbot, studio)
    assert [card.isVisible() for card in board.cards][:2] == [True, False]
    assert studio.pictures.stage.header.isVisible()
    window.leave_presenting()


def test_presenting_from_the_data_page_shows_a_chart(studio: Studio) -> None:
    studio.show_page("data")
    studio.window.present()
    assert any(card.isVisible() for card in studio.window.board.cards)


def test_type_and_theme_by_keys(studio: Studio, qtbot: QtBot) -> None:
    window = studio.window
    control = Qt.KeyboardModifier.ControlModifier
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_Plus, control)
    QTest.keyClick(window, Qt.Key.Key_Equal, control)
    assert window.theme.look.scale == 1.3
    QTest.keyClick(window, Qt.Key.Key_Minus, control)
    assert window.theme.look.scale == 1.15
    QTest.keyClick(window, Qt.Key.Key_0, control)
    assert window.theme.look.scale == 1.0
    QTest.keyClick(window, Qt.Key.Key_D, control)
    assert window.theme.look.dark
    assert not studio.store.history.canUndo()


def test_another_look_is_painted_when_all_that_is_seen_has_it(studio: Studio, qtbot: QtBot) -> None:
    """What is not seen, as a bar without words, takes it when it is."""
    window, before = studio.window, studio.window.style_sheets.sheet
    window.theme.set_dark(True)
    assert not window.updatesEnabled()
    assert window.top.styleSheet() == window.nav.styleSheet() == before
    settle(qtbot, studio)
    sheet = window.style_sheets.sheet
    assert window.updatesEnabled()
    assert {part.styleSheet() for part in (window.top, window.sheet, studio.panel)} == {sheet}
    assert window.message.styleSheet() == before != sheet
    window.say("Something")
    assert window.message.styleSheet() == sheet


def test_the_last_picture_of_a_lab_that_is_stopped_takes_another_look(
    studio: Studio, qtbot: QtBot
) -> None:
    window = studio.window
    studio.store.set("query.where", "nosuch > 5")
    settle(qtbot, studio)
    tiles = [tile for tile in window.strip.tiles if tile.isVisible()]
    light = {tile.ink for tile in tiles}
    window.theme.set_dark(True)
    settle(qtbot, studio)
    assert window.stopped.isVisible()
    assert light.isdisjoint(tile.ink for tile in tiles)


def test_around_a_chart_that_is_stopped_stand_its_sentence_and_the_newest_epsilon(
    studio: Studio, qtbot: QtBot
) -> None:
    studio.store.set("query.where", "nosuch > 5")
    settle(qtbot, studio)
    why = studio.window.stopped.why
    small = why.fontMetrics().height()
    studio.window.present()
    stage = studio.stage()
    assert "of answers are within" in stage.header.sentence.text()
    assert why.fontMetrics().height() > 1.5 * small  # that, too, is read from the last row
    QTest.keyClick(studio.window, Qt.Key.Key_Up)
    settle(qtbot, studio)
    assert studio.window.stopped.isVisible()
    assert studio.store.lab.mechanism.epsilon > 0.1  # type: ignore[attr-defined]
    assert stage.foot.epsilon.text() == f"ε = {studio.store.lab.mechanism.epsilon:.4g}"
    studio.window.leave_presenting()
    assert why.fontMetrics().height() == small


def test_names_of_pages_have_room_for_type_that_was_chosen_while_presenting(
    studio: Studio, qtbot: QtBot
) -> None:
    window, nav = studio.window, studio.window.nav
    window.present()
    window.theme.set_scale(1.5)
    settle(qtbot, studio)
    window.present()
    room = nav.width()
    window.fit_nav()
    assert nav.width() == room


def test_keys_undo_and_redo(studio: Studio, qtbot: QtBot) -> None:
    window, control = studio.window, Qt.KeyboardModifier.ControlModifier
    with qtbot.waitActive(window):
        window.activateWindow()
    chart(studio, "error").setFocus()
    studio.store.set("mechanism.epsilon", 0.5)
    QTest.keyClick(window, Qt.Key.Key_Z, control)
    assert lab(studio).mechanism.epsilon == 0.1
    QTest.keyClick(window, Qt.Key.Key_Y, control)
    assert lab(studio).mechanism.epsilon == 0.5
    QTest.keyClick(window, Qt.Key.Key_Z, control)
    QTest.keyClick(window, Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
    assert lab(studio).mechanism.epsilon == 0.5


# The keyboard


@pytest.mark.parametrize("query", ["count", "mean", "histogram"])
def test_tab_reaches_everything_in_reading_order_and_all_has_a_name(
    studio: Studio, qtbot: QtBot, query: str
) -> None:
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    studio.store.choose("query", query)
    settle(qtbot, studio)
    # An editor whose focus proxy it is, is reached as well.
    held = [
        w for w in seen(studio.window)
        if w.focusPolicy() != Qt.FocusPolicy.NoFocus and w.focusProxy() is None
    ]  # fmt: skip
    unnamed = [
        w for w in held
        if place(studio, w) and not w.accessibleName()
        and not (isinstance(w, QAbstractButton) and re.search(r"\w", w.text()))
    ]  # fmt: skip
    assert not unnamed
    order = tabbed(studio)
    missed = [
        f"{place(studio, w)} {type(w).__name__} {w.accessibleName()}"
        for w in held
        if w.isEnabled() and w.focusPolicy() & Qt.FocusPolicy.TabFocus and w not in order
    ]
    assert not missed
    parts = [place(studio, w) for w in order]
    runs = [part for i, part in enumerate(parts) if i == 0 or parts[i - 1] != part]
    assert runs == ["top", "nav", "panel", "border", "strip", "charts"]
    assert set(tabbed(studio, Qt.Key.Key_Backtab)) == set(order)


def test_the_focus_is_a_ring_and_nothing_within_it(qtbot: QtBot) -> None:
    """The style of Qt would colour what it stands around."""
    ground = QWidget()
    qtbot.addWidget(ground)
    column = QVBoxLayout(ground)
    buttons = [QPushButton("One"), QPushButton("Two"), QCheckBox("Three")]
    for button in buttons:
        column.addWidget(button)
    ground.setStyleSheet(style_sheet(Look()))
    with qtbot.waitActive(ground):
        ground.show()
        ground.activateWindow()
    before = [inside(button) for button in buttons[1:]]
    for button, was in zip(buttons[1:], before, strict=True):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert button.hasFocus()
        assert inside(button) == was


def inside(button: QWidget) -> QImage:
    return button.grab(button.rect().adjusted(8, 3, -8, -3)).toImage()


# Other languages


def test_every_text_passes_through_the_catalogue(
    marked: None, studio: Studio, qtbot: QtBot
) -> None:
    """Of every question, and of a table that cannot be opened; those of every other lab are read on
    the walk through them."""
    data, wrong = studio.store.data, set()
    assert data is not None
    studio.store.choose("mechanism", "gaussian")
    studio.window.board.unfold(more_line.MORE)
    for query in ("count", "sum", "mean", "histogram"):
        studio.store.choose("query", query)
        settle(qtbot, studio)
        for card in studio.window.board.cards:  # what is read under the pointer
            assert card.view is not None
            QTest.mouseMove(card.view.viewport(), card.view.plot_area().center().toPoint())
        studio.open("/nosuch.csv")
        qtbot.waitUntil(lambda: studio.window.message.isVisible() and not studio.opener.loader.busy)
        type_into(field(studio, "mechanism.epsilon").box, "abc")
        values = {column.name for column in data.columns} | {
            str(lab(studio).query.where),
            data.origin,
            "dpstudio",
            "nosuch.csv",
            *SPOKEN,
        }
        for widget, what, text in texts(studio):
            left = unmarked(text)
            for value in sorted(values, key=len, reverse=True):
                left = left.replace(value, "")
            # Keys stand in every language. (Single letters, such as ε, are not looked for.)
            left = re.sub(r"Ctrl|Shift|Esc|Space|Tab|F5", "", left)
            if re.search(r"[^\W\d_]{2,}", left):
                wrong.add(f"{query} {place(studio, widget)} {what}: {text}")
        studio.window.say("")
    assert not wrong, "\n".join(sorted(wrong))


# Room for everything


def test_nothing_is_clipped(studio: Studio, qtbot: QtBot) -> None:
    """Of any question, with either mechanism, at either size: any two of these meet."""
    found, mechanisms = {}, ("laplace", "gaussian")
    for room, (size, scale) in enumerate((((1280, 800), 1.0), ((1920, 1080), 1.5))):
        studio.window.resize(*size)
        studio.window.theme.set_scale(scale)
        for turn, query in enumerate(("count", "sum", "mean", "histogram")):
            mechanism = mechanisms[(room + turn) % 2]
            studio.store.choose("query", query)
            studio.store.choose("mechanism", mechanism)
            settle(qtbot, studio)
            for _ in range(3):  # style, layout, then labels that wrap
                QApplication.processEvents()
            assert (studio.window.width(), studio.window.height()) == size
            if clipped(studio):
                found[size, query, mechanism] = clipped(studio)
    assert not found, "\n".join(f"{key}: {text}" for key, many in found.items() for text in many)


def test_what_leads_stands_in_equal_columns_and_wraps_before_it_is_cut(studio: Studio) -> None:
    assert columns_for([100, 100, 200], 648, 24) == 3
    assert columns_for([100, 100, 200], 647, 24) == 2
    assert columns_for([100, 100, 200], 423, 24) == 1
    assert columns_for([100] * 6, 2000, 24) == 3
    assert columns_for([], 100, 24) == 1
    strip, found = studio.window.strip, studio.findings
    assert found is not None
    assert sum(tile.isVisible() for tile in strip.tiles) == 3
    QTest.mouseClick(strip.more, Qt.MouseButton.LeftButton)
    assert sum(tile.isVisible() for tile in strip.tiles) == len(found.facts)


def test_what_gives_way_ends_between_words(qtbot: QtBot) -> None:
    line = ElidedLabel("subtitle")
    qtbot.addWidget(line)
    whole = "advantage 4.88 %, at most 5.001 %"
    line.set_text(whole)
    line.ensurePolished()
    first = line.fontMetrics().horizontalAdvance("advantage 4…")  # a first word alone may be cut
    for width in range(first, line.fontMetrics().horizontalAdvance(whole)):
        line.resize(width, 20)
        kept = line.words().removesuffix("…").split()
        assert kept == whole.split()[: len(kept)], width
        assert len(kept) < len(whole.split()), width
    # Beside a title a clause fits, or is left out whole.
    line.torn, clauses = False, "50 answers; at a total δ of 10⁻⁵; of the table"
    line.set_text(clauses)
    seen = set()
    for width in range(line.fontMetrics().horizontalAdvance(clauses) + 3):
        line.resize(width, 20)
        seen.add(line.words())
        assert line.fontMetrics().horizontalAdvance(line.words()) <= width
    assert seen == {"", "50 answers", "50 answers; at a total δ of 10⁻⁵", clauses}


def test_lines_are_of_about_one_length_and_no_more_of_them(qtbot: QtBot) -> None:
    """A last word stood alone: “… prove that the answer was not / 1.”"""
    said = BalancedLabel("title")
    qtbot.addWidget(said)
    said.set_text("27.2 % of these outputs prove that the answer was not 1.")
    said.ensurePolished()
    size, words = said.fontMetrics(), said.text().split()
    whole = size.horizontalAdvance(said.text())
    for width in (whole + 2, whole - 8, round(0.7 * whole), round(0.4 * whole)):
        said.resize(width, 200)
        wide = said.lines_room().width()
        lines, greedy = (
            folded(said.text(), room, lambda text: (size.horizontalAdvance(text), 0.0))
            for room in (wide, width)
        )
        assert len(lines) == len(greedy)
        if len(lines) == 2:
            longest = min(
                max(size.horizontalAdvance(" ".join(part)) for part in (words[:k], words[k:]))
                for k in range(len(words))
            )
            assert abs(max(map(size.horizontalAdvance, lines)) - longest) <= 1, width


def test_a_list_of_names_in_chinese_ends_a_line_within(qtbot: QtBot) -> None:
    """No line may end before a quote: six columns made a panel as wide as all of them."""
    names = [f"“column_{k}”" for k in range(6)]
    said = LiveLabel(wrap=True)
    qtbot.addWidget(said)
    said.set_text("、".join(names))
    said.ensurePolished()
    size = said.fontMetrics()
    room = QRect(0, 0, max(map(size.horizontalAdvance, (f"{name}、、" for name in names))), 999)
    assert size.boundingRect(room, Qt.TextFlag.TextWordWrap, said.words()).width() <= room.width()
    assert said.text() == "、".join(names)  # what is read, copied and compared has no other mark


def test_what_is_chosen_from_a_list_takes_further_lines(qtbot: QtBot) -> None:
    box = combo("Shares of")
    qtbot.addWidget(box)
    box.addItem("any")
    box.addItem("by classes, any owner has any class (DCA)")
    box.resize(200, box.sizeHint().height())
    box.show()
    one = box.height()
    box.setCurrentIndex(1)
    assert box.height() == one + box.fontMetrics().lineSpacing()
    box.resize(500, box.height())
    assert not box.minimumHeight()


def test_longer_words_have_their_lines_at_once(studio: Studio) -> None:
    """A line that waited for events to come round was cut until then, and one ended before "%"."""
    found, strip = studio.findings, studio.window.strip
    assert found is not None
    words = "fair coins, Warner, SS, biased coins and GRR ±307"
    fact = replace(found.facts[0], text=words, note="mean absolute, 0.0082 % · exact")
    strip.show_findings(replace(found, facts=(fact, *found.facts[1:])), strip.look)
    assert strip.tiles[0].words.text().endswith("mean absolute, 0.0082\u00a0%\u00a0· exact")
    assert strip.tiles[0].value.heightForWidth(strip.tiles[0].width()) > strip.look.px(40)
    assert not [text for text in clipped(studio) if text.startswith("strip")]


def test_names_below_the_axis_are_whole_and_left_out_where_they_would_touch() -> None:
    names = ["L1 of everything", "L2", "a rather long name", "another long name"]
    axis = Axis(
        "", range=(-0.5, 3.5), ticks=tuple((float(i), name) for i, name in enumerate(names))
    )

    def measure(text: str) -> tuple[float, float]:
        return 7.0 * len(text), 12.0

    for length, many in ((80, 1), (260, 2), (420, 2), (640, 4)):
        found = ticks(axis, length, measure=measure)
        assert len(found) >= many
        assert all(text == names[round(at)] for at, text in found)
        half = [(at * length / 4, 3.5 * len(text)) for at, text in found]
        ends = [(middle - wide, middle + wide) for middle, wide in half]
        assert all(left[1] < right[0] for left, right in pairwise(ends))


def test_a_dot_beside_a_name_is_read_with_it(studio: Studio, qtbot: QtBot) -> None:
    studio.show_page("sensitivity")
    settle(qtbot, studio)
    figure = chart(studio, "noise").figure
    assert figure is not None
    for at, name in figure.y.ticks:
        (dot,) = [layer for layer in figure.layers if isinstance(layer, Dots) and layer.y[0] == at]
        text = f"{name} {Num(float(dot.x[0]))}"
        for x in (dot.x[0], dot.x[0] / 2, figure.x.range[1]):
            assert translations.shown(reading(figure, x, at + 0.3)[0]) == text


def test_bars_rise_from_the_low_end_of_a_log_axis(studio: Studio, qtbot: QtBot) -> None:
    studio.show_page("printed")
    studio.store.choose("erratum", "direct_encoding")
    settle(qtbot, studio)
    found = 0
    for card in studio.window.board.cards:
        view = card.view
        for layer in view.figure.layers if view is not None and view.figure is not None else ():
            if not isinstance(layer, Columns):
                continue
            assert view is not None
            axis, high = view.figure.y, view.area.layers.place.height
            left, right, foot, tops = strokes.bars(layer, view.area.layers.place)
            low, top = axis.range
            heights = layer.heights
            if axis.log:
                found += 1
                assert foot == pytest.approx(high)
                low, top = np.log10(axis.range)
                heights = np.log10(np.maximum(layer.heights, axis.range[0]))
            np.testing.assert_allclose(tops, (top - heights) / (top - low) * high)
            wide = view.area.layers.place.width / np.ptp(view.figure.x.range)
            np.testing.assert_allclose(right - left, layer.width * wide)
    assert found


def test_what_cannot_be_seen_takes_no_room(studio: Studio, qtbot: QtBot) -> None:
    """No new draws where nothing is drawn, no card without a row."""

    def cards() -> dict[str, bool]:
        return {
            section.title: frame.isVisibleTo(studio.panel)
            for section, frame, _ in studio.panel._cards
        }

    assert studio.window.strip.new.isVisible()
    studio.show_page("printed")
    settle(qtbot, studio)
    seen: set[tuple[str, bool]] = set()
    for key in ("wishart", *(kind.key for kind in ERRATA[::4] if kind.key != "wishart")):
        studio.store.choose("erratum", key)
        settle(qtbot, studio)
        keys = [s.key for s in studio.findings.sentences]  # type: ignore[union-attr]
        proof, audit = "proof_1" in keys, "verdict" in keys
        drawing = key == "wishart" or audit
        seen |= {("proof", proof), ("audit", audit)}
        assert cards() == {"Text": True, "Proof": proof, "Audit": audit, "Drawing": drawing}, key
        assert studio.window.strip.new.isVisible() == drawing
        before = studio.store.state
        studio.new_draws()
        assert (studio.store.state != before) == drawing
    assert len(seen) == 4  # each with and without
    studio.show_page("explore")
    assert studio.window.strip.new.isVisible()


def test_a_table_is_presented_whole_and_nothing_in_it_is_chosen(
    studio: Studio, qtbot: QtBot
) -> None:
    studio.window.resize(1920, 1080)
    studio.show_page("sensitivity")
    studio.store.choose("query", "counts")
    settle(qtbot, studio)
    board = studio.window.board
    place = next(i for i, card in enumerate(board.items) if isinstance(card, table_card.TableCard))
    dressed: list[tuple[int | None, float]] = []
    board.rearranged.connect(lambda: dressed.append((board.filled, board.look.scale)))
    studio.window.present(place)
    # Not first in the type of the window, and then in that of a hall.
    assert len({scale for filled, scale in dressed if filled == place}) == 1
    # The screen of the tests is smaller than that of a hall.
    studio.window.setWindowState(Qt.WindowState.WindowNoState)
    studio.window.resize(1920, 1080)
    for _ in range(4):
        QApplication.processEvents()
    view = board.items[place].view
    assert view.hasFocus()
    assert not view.horizontalScrollBar().maximum()
    assert not view.currentIndex().isValid()
    assert not view.selectionModel().hasSelection()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().isValid()


def test_a_complaint_is_written_in_a_few_lines(studio: Studio, qtbot: QtBot) -> None:
    studio.store.choose("query", "sum")
    settle(qtbot, studio)
    for path in ("target", "confidence", "query.low"):
        editor = field(studio, path)
        type_into(editor.box, "abc")
        QApplication.processEvents()
        said = editor.complaint
        assert said.isVisible(), path
        most = 3 * said.fontMetrics().lineSpacing() + 2
        assert said.heightForWidth(said.width()) <= most, path


def test_a_point_beyond_its_axis_is_an_arrow_on_the_screen(qtbot: QtBot) -> None:
    """A dot at the edge said that it stood there."""
    view = plotview.PlotView(Look())
    qtbot.addWidget(view)
    layers = (Dots("d", "text", "", [0.5, 3.0], [0.5, 0.5]), Handle("h", "text", "", 0.5, 9.0, "e"))
    x, y = Axis("x", range=(0, 1)), Axis("y", range=(0, 1))
    view.show_figure(Figure("k", "t", x, y, layers))
    view.grab()
    dot, arrow = view.area.layers.pieces("d")
    (marks, kind), wide = arrow.args, view.plot.vb.width()  # type: ignore[attr-defined]
    assert kind[0] == "t2"
    assert 0.9 * wide < marks.ndarray()[0, 0] < wide
    assert len(dot.args[0].ndarray()) == 1  # type: ignore[attr-defined]
    (knob,) = view.area.knobs.values()
    assert knob.symbol == "t1"
    assert 0.9 < knob.pos().y() < 1
    near = (layers[0], Handle("h", "text", "", 0.5, 0.5, "e"))
    view.show_figure(Figure("k", "t", x, y, near))
    assert knob.symbol == "o"


def test_charts_stand_still_under_the_hand(studio: Studio, qtbot: QtBot) -> None:
    """What is said above them may need more lines for a moment; they give way once at most."""
    slider, board = field(studio, "mechanism.epsilon").slider, studio.window.board
    seen: list[tuple[int, ...]] = []

    def look(_: object) -> None:
        seen.append(tuple(y for c in board.cards for y in (c.y(), c.height()) if not c.waits))

    studio.pictures.runner.value.connect(look)
    slider.setSliderDown(True)
    for position in range(300, 420, 15):
        slider.setValue(position)
        settle(qtbot, studio)
    slider.setSliderDown(False)
    studio.pictures.runner.value.disconnect(look)
    assert len(seen) >= 12  # a first and a refined picture for nearly each of them
    assert len(dict.fromkeys(seen)) <= 2
    assert seen[2:] == [seen[-1]] * len(seen[2:])


def test_a_list_of_choices_shows_all_its_words(studio: Studio) -> None:
    """With the style's own list the last of three words lay below its end, and a long one was cut
    in the box."""
    field = studio.panel.field("target_unit")
    studio.store.set("target_unit", "each")
    field.refresh()
    combo = field.combo
    shown = QStyleOptionComboBox()
    combo.initStyleOption(shown)
    room = combo.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, shown, QStyle.SubControl.SC_ComboBoxEditField, combo
    )
    assert combo.fontMetrics().horizontalAdvance(combo.currentText()) <= room.width()
    combo.showPopup()
    view = combo.view()
    rows = [view.visualRect(view.model().index(row, 0)) for row in range(combo.count())]
    assert view.viewport().rect().contains(rows[-1]), "a word is below the end of the list"
    combo.hidePopup()


def test_a_chosen_word_that_is_wider_than_its_box_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    """Of "occupation" stood "occupatio"."""
    combo = boxes._Combo()
    qtbot.addWidget(combo)
    combo.addItem("occupation, of those known")
    for width in range(60, 240, 12):
        combo.resize(width, 40)
        option = QStyleOptionComboBox()
        combo.initStyleOption(option)
        room, size = combo._inside(option).width(), QFontMetricsF(combo.font())
        lines = combo._lines(option)
        assert max(size.horizontalAdvance(line) for line in lines) <= room
        assert "…" in lines[0] or " ".join(lines) == combo.currentText()


def test_a_double_click_takes_a_number_whole(studio: Studio, qtbot: QtBot) -> None:
    """Of 9.986 Qt takes what lies on one side of the dot: 1 typed over it was 9.1."""
    box = studio.panel.field("mechanism.epsilon").box
    studio.store.set("mechanism.epsilon", 9.986)
    qtbot.waitUntil(lambda: box.text() == "9.986")
    qtbot.mouseDClick(box, Qt.MouseButton.LeftButton, pos=box.rect().center())
    assert box.selectedText() == "9.986"


@pytest.mark.parametrize(
    "key", ["explore", "sensitivity", "composition", "averaging", "float_leak", "membership"]
)
def test_the_hero_comes_first(studio: Studio, qtbot: QtBot, key: str) -> None:
    """The frame of the drawings: one left edge and one right edge, a low head, high plots, and the
    first chart seen whole. `tests/soak.py --only painted` looks at all labs."""
    window = studio.window
    window.resize(1280, 800)
    turn_page(studio, key)
    settle(qtbot, studio)
    paint_now()
    board = window.board
    # The numbers find their lines a moment after the window has another width.
    qtbot.waitUntil(lambda: not [*beside(window)], timeout=WAIT)
    bar = board.bar
    assert box(bar, window).left() >= 1256
    assert not [*listed(window)]
    assert bar.isVisible() == (board.area.verticalScrollBar().maximum() > 0)


@pytest.mark.parametrize("key", ["explore", "selection", "guarantee"])
def test_a_low_window_shows_the_whole_hero_and_folds_the_rest(
    studio: Studio, qtbot: QtBot, key: str
) -> None:
    """At type of x1.5 the page needs no scrolling; what gave way opens below the line that names
    it, under the hand of whoever opens it."""
    window, board = studio.window, studio.window.board
    window.resize(1024, 700)
    window.theme.set_scale(1.5)
    turn_page(studio, key)
    settle(qtbot, studio)
    paint_now()
    assert window.panel.width() + window.lab_page.handle(1).width() == 304
    assert [card.isVisible() for card in board.items] == [True] + [False] * (len(board.items) - 1)
    assert board.area.verticalScrollBar().maximum() == 0
    assert not [*beside(window), *listed(window)]
    hero, numbers = box(board.items[0], window), window.strip.numbers
    assert (hero.left() + 2, hero.right() - 1) == (368, 1000)
    assert not window.strip.isVisible()
    place = numbers.mapTo(window, QPoint())
    QTest.mouseClick(numbers, Qt.MouseButton.LeftButton)
    paint_now()
    assert numbers.mapTo(window, QPoint()) == place
    told = [tile.name for tile in window.strip.tiles if tile.isVisible()]
    assert studio.findings is not None
    assert len(told) == len(studio.findings.facts)
    assert (
        numbers.mapTo(board.ground, QPoint()).y() < window.strip.mapTo(board.ground, QPoint()).y()
    )
    QTest.mouseClick(board.foot.buttons["more"], Qt.MouseButton.LeftButton)
    paint_now()
    assert numbers.mapTo(window, QPoint()) == place
    assert all(card.isVisible() for card in board.cards)
    window.theme.set_scale(1.0)
    window.resize(1280, 800)
    settle(qtbot, studio)
    assert window.strip.parentWidget() is board.head
    assert [card.isVisible() for card in board.cards[:2]] == [True, True]


def test_pages_that_are_none_of_labs_have_names_and_are_reached_by_tab(
    studio: Studio, qtbot: QtBot
) -> None:
    """Table, lessons, texts, desk, ledger, each group, and the manual beside one."""
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    faults = list[tuple[str, str, str]]()
    for key in (*(each for each in NO_LABS if each != IMPORT_PAGE), "manual"):
        if key == "manual":
            studio.pages.manual.toggle()
        else:
            studio.show_page(key)
        settle(qtbot, studio)
        held = [
            w for w in seen(studio.window)
            if w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.focusProxy() is None
            and w.isEnabled()
        ]  # fmt: skip
        unnamed = [
            f"{type(w).__name__} {w.objectName()}"
            for w in held
            if not w.accessibleName()
            and not (isinstance(w, QAbstractButton) and re.search(r"\w", w.text()))
        ]
        faults += [(key, "unnamed", each) for each in unnamed]
        order = tabbed(studio, most=400)
        missed = [f"{type(w).__name__} {w.accessibleName()}" for w in held if w not in order]
        faults += [(key, "missed", each) for each in missed]
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize("key", ["owners", "plan"])
def test_what_leads_to_names_and_stands_for_them_is_painted(
    studio: Studio, qtbot: QtBot, key: str
) -> None:
    """Leaders, the curves in cells of lanes, and the parts of a whole."""
    studio.window.resize(1280, 800)
    turn_page(studio, key)
    settle(qtbot, studio)
    paint_now()
    seen = 0
    for card in [card for card in studio.window.board.cards if card.view and card.isVisible()]:
        assert card.view is not None
        area, image = card.view.plot_area(), card.view.grab().toImage()
        ground, ratio = card.view.look.color("surface"), image.devicePixelRatio()
        layout = card.view.labels.layout
        ways = [one.leader for one in layout.labels if one.leader]
        ways += [((one.x + 2, one.y + 2), (one.x + 4, one.y + 4)) for one in layout.grounds]
        for (x, y), (end, low) in [way[-2:] for way in ways]:
            at = QPointF(area.left() + (x + end) / 2, area.top() + (y + low) / 2).toPoint()
            near = [
                image.pixelColor(round((at.x() + i) * ratio), round((at.y() + j) * ratio))
                for i in (-1, 0, 1)
                for j in (-1, 0, 1)
            ]
            assert any(one != ground for one in near), (card.key, at)
            seen += 1
    assert seen > 1
