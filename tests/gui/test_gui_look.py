"""How it looks and reads: zoom, play, presenting, type and theme; the keyboard; other languages; nothing clipped."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator

import pytest
from conftest import Open
from hand import chart, clipped, facts, field, lab, place, settle, tabbed, type_into
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from dpstudio.core.labs import LABS
from dpstudio.gui import tr as translations
from dpstudio.gui.form import Field
from dpstudio.gui.plotview import PlotView
from dpstudio.gui.studio import Studio
from dpstudio.gui.widgets import Elided

# What the eye looks at, which is kept but not undone


def test_play_and_step_change_the_answer_but_not_the_history(studio: Studio, qtbot: QtBot) -> None:
    card, before = studio.window.board.cards[0], facts(studio)
    assert not studio.window.board.timer.isActive()
    QTest.mouseClick(card.step, Qt.MouseButton.LeftButton)
    after = facts(studio)
    assert [name for name in before if before[name] != after[name]] == ["Simulated answer"]
    rule = chart(studio, "published").figure.layer("answer").at
    assert rule == studio.findings.replays[1][0]  # type: ignore[union-attr]
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
    assert "beside" not in view._drawn
    assert "Gaussian" not in [label.text() for label in view._labels.values()]
    studio.store.set("mechanism.epsilon", 0.5)
    settle(qtbot, studio)
    studio.store.history.undo()
    settle(qtbot, studio)
    assert "beside" not in view._drawn
    assert not studio.store.history.canUndo()


def wheel(view: PlotView) -> None:
    middle = QPointF(view.plot_area().center())
    event = QWheelEvent(
        middle, QPointF(view.mapToGlobal(middle.toPoint())), QPoint(), QPoint(0, 480), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)


def test_zoom_is_kept_by_a_slider_and_given_up_by_another_question(studio: Studio, qtbot: QtBot) -> None:
    view, error = chart(studio, "published"), chart(studio, "error")
    whole = error.plot.vb.viewRange()[0]
    for one in (view, error):
        wheel(one)
        assert one.zoomed
    zoomed = error.plot.vb.viewRange()[0]
    assert whole[0] < zoomed[0] < zoomed[1] < whole[1]
    studio.store.set("mechanism.epsilon", 0.11)
    settle(qtbot, studio)
    assert error.plot.vb.viewRange()[0] == zoomed
    assert not studio.store.history.index() > 1
    QTest.mouseDClick(error.viewport(), Qt.MouseButton.LeftButton, pos=error.plot_area().center().toPoint())
    assert not error.zoomed
    studio.store.choose("query", "sum")
    settle(qtbot, studio)
    low, high = view.plot.vb.viewRange()[0]
    assert low < view.figure.layer("truth").at < high


def test_presenting_and_back(studio: Studio, qtbot: QtBot) -> None:
    window, theme = studio.window, studio.window.theme
    theme.set_scale(1.15)
    with qtbot.waitActive(window):
        window.activateWindow()
    chart(studio, "tradeoff").setFocus()
    QTest.keyClick(window, Qt.Key.Key_F5)
    visible = [i for i, card in enumerate(window.board.cards) if card.isVisible()]
    assert visible == [2]
    assert window.board.look.scale == chart(studio, "tradeoff").look.scale == 2.3
    assert not any(w.isVisible() for w in (window.top, window.nav, window.panel, window.strip))
    focus = QApplication.focusWidget()
    assert focus is chart(studio, "tradeoff")
    QTest.keyClick(focus, Qt.Key.Key_PageDown)
    assert [i for i, card in enumerate(window.board.cards) if card.isVisible()] == [3]
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageDown)
    assert [i for i, card in enumerate(window.board.cards) if card.isVisible()] == [0]
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert lab(studio).mechanism.epsilon > 0.1
    settle(qtbot, studio)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert (theme.look.scale, window.board.look.scale) == (1.3, 2.6)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert theme.look.scale == 1.15
    assert {card.view.look.scale for card in window.board.cards if card.view is not None} == {1.15}
    assert all(w.isVisible() for w in (window.top, window.nav, window.panel, window.strip, window.board))
    assert all(card.isVisible() for card in window.board.cards)


def test_presenting_from_the_data_page_shows_a_chart(studio: Studio) -> None:
    studio.show_page("data")
    studio.window.present()
    assert any(card.isVisible() for card in studio.window.board.cards) or studio.window.top.isVisible()


def test_type_and_theme_by_keys_are_kept(open_window: Open, studio: Studio, qtbot: QtBot) -> None:
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
    window.close()
    assert open_window().window.theme.look.dark


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


def test_the_data_page_lists_every_column(studio: Studio, qtbot: QtBot) -> None:
    QTest.mouseClick(studio.page_buttons["data"], Qt.MouseButton.LeftButton)
    page = studio.data_page
    qtbot.waitUntil(lambda: page.model.rowCount() == 15)
    row = {page.model.data(page.model.index(r, 0)): r for r in range(15)}
    cells = [page.model.data(page.model.index(row["workclass"], c)) for c in range(4)]
    assert cells[1:3] == ["words", "5.6 %"]
    assert page.isVisible()
    QTest.mouseClick(studio.page_buttons["explore"], Qt.MouseButton.LeftButton)
    assert studio.window.board.isVisible()
    qtbot.waitUntil(lambda: not studio.profiler.busy)


# The keyboard


@pytest.mark.parametrize("query", ["count", "mean", "histogram"])
def test_tab_reaches_everything_in_reading_order(studio: Studio, qtbot: QtBot, query: str) -> None:
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    studio.store.choose("query", query)
    settle(qtbot, studio)
    order = tabbed(studio)
    # An editor whose focus proxy it is, is reached as well.
    wanted = [
        w for w in studio.window.findChildren(QWidget)
        if w.isVisible() and w.isEnabled() and w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.focusProxy() is None
    ]  # fmt: skip
    missed = [f"{place(studio, w)} {type(w).__name__} {w.accessibleName()}" for w in wanted if w not in order]
    assert not missed
    parts = [place(studio, w) for w in order]
    runs = [part for i, part in enumerate(parts) if i == 0 or parts[i - 1] != part]
    assert runs == ["top", "nav", "panel", "strip", "charts"]
    assert set(tabbed(studio, Qt.Key.Key_Backtab)) == set(order)


@pytest.mark.parametrize("query", ["count", "mean", "histogram"])
def test_everything_that_takes_the_focus_has_a_name(studio: Studio, qtbot: QtBot, query: str) -> None:
    studio.store.choose("query", query)
    settle(qtbot, studio)
    unnamed = [
        w for w in studio.window.findChildren(QWidget)
        if w.isVisible() and w.focusPolicy() != Qt.FocusPolicy.NoFocus and w.focusProxy() is None and place(studio, w)
        and not w.accessibleName() and not (isinstance(w, QAbstractButton) and re.search(r"\w", w.text()))
    ]  # fmt: skip
    assert not unnamed


# Other languages


class Marked(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"


@pytest.fixture
def marked() -> Iterator[None]:
    kept = translations._language.catalogue
    translations.use(Marked())
    yield
    translations.use(kept)


def texts(studio: Studio) -> Iterator[tuple[str, str]]:
    """(where, text) of everything that is written on the screen, in menus and in tooltips."""
    window = studio.window
    for widget in window.findChildren(QWidget):
        name = f"{place(studio, widget)} {type(widget).__name__}"
        if isinstance(widget, QMenu):
            widget.aboutToShow.emit()
        if widget.isHidden() and not isinstance(widget, QMenu):
            continue
        if isinstance(widget, Elided):
            yield name, widget.whole
        elif isinstance(widget, QLabel | QAbstractButton):
            yield name, widget.text()
        elif isinstance(widget, QComboBox):
            yield from ((name, widget.itemText(i)) for i in range(widget.count()))
        elif isinstance(widget, QLineEdit):
            yield name + " placeholder", widget.placeholderText()
        yield name + " tooltip", widget.toolTip()
        yield name + " accessible", widget.accessibleName()
        if isinstance(widget, PlotView):
            yield from ((f"{name} axis {side}", widget.plot.getAxis(side).labelText) for side in ("bottom", "left"))
            yield from ((f"{name} label", item.text()) for item in widget._labels.values())
    for action in window.findChildren(QAction):
        if action.text() == "Export...":
            continue  # of pyqtgraph, in a menu that is switched off
        yield "action", action.text()
        if action.toolTip() != re.sub("[&…]", "", action.text()).strip():
            yield "action tooltip", action.toolTip()
    yield "window", window.windowTitle()


def unmarked(text: str) -> str:
    """What of a text is written outside the marks."""
    depth, out = 0, ""
    for letter in text:
        depth += (letter == "⟦") - (letter == "⟧")
        out += letter if not depth and letter not in "⟦⟧" else ""
    return out


@pytest.mark.parametrize("query", ["count", "sum", "mean", "histogram"])
def test_every_text_passes_through_the_catalogue(marked: None, studio: Studio, qtbot: QtBot, query: str) -> None:
    studio.store.choose("query", query)
    studio.store.choose("mechanism", "gaussian")
    settle(qtbot, studio)
    data = studio.store.data
    assert data is not None
    values = {column.name for column in data.columns} | {str(lab(studio).query.where), data.origin, "dpstudio", "nosuch.csv"}
    for card in studio.window.board.cards:  # what is read under the pointer
        assert card.view is not None
        QTest.mouseMove(card.view.viewport(), card.view.plot_area().center().toPoint())
    studio.open("/nosuch.csv")
    qtbot.waitUntil(lambda: studio.window.message.isVisible() and not studio.opener.loader.busy)
    type_into(field(studio, "mechanism.epsilon").box, "abc")
    wrong = set()
    for where, text in texts(studio):
        left = unmarked(text)
        for value in sorted(values, key=len, reverse=True):
            left = left.replace(value, "")
        # Keys stand in every language. (Single letters, such as ε, are not looked for.)
        left = re.sub(r"Ctrl|Space|Tab|F5", "", left)
        if re.search(r"[^\W\d_]{2,}", left):
            wrong.add(f"{where}: {text}")
    assert not wrong, "\n".join(sorted(wrong))


@pytest.mark.parametrize("key", [kind.key for kind in LABS[1:]])
def test_every_lab_speaks_the_language(marked: None, studio: Studio, qtbot: QtBot, key: str) -> None:
    studio.show_page(key)
    settle(qtbot, studio)
    data = studio.store.data
    assert data is not None
    values = {column.name for column in data.columns} | {data.origin}
    values |= {word for column in data.columns if not column.numeric for word, _ in data.distinct(column.name)}
    values |= {str(f.domain.show(f.value())) for f in studio.panel.findChildren(Field) if f.present()}
    wrong = set()
    for where, text in texts(studio):
        left = unmarked(text)
        for value in sorted(values - {""}, key=len, reverse=True):
            left = left.replace(value, "")
        left = re.sub(r"Ctrl|Space|Tab|F5|dpstudio|Lap|exp|min|max|ln", "", left)
        if re.search(r"[^\W\d_]{3,}", left):
            wrong.add(f"{where}: {text}")
    assert not wrong, "\n".join(sorted(wrong))


# Room for everything


@pytest.mark.parametrize(("size", "scale"), [((1280, 800), 1.0), ((1920, 1080), 1.5)])
def test_nothing_is_clipped(open_window: Open, qtbot: QtBot, size: tuple[int, int], scale: float) -> None:
    studio = open_window(size=size)
    studio.window.theme.set_scale(scale)
    found = {}
    for query in ("count", "sum", "mean", "histogram"):
        for mechanism in ("laplace", "gaussian"):
            studio.store.choose("query", query)
            studio.store.choose("mechanism", mechanism)
            settle(qtbot, studio)
            for _ in range(3):  # style, layout, then labels that wrap
                QApplication.processEvents()
            assert (studio.window.width(), studio.window.height()) == size
            if clipped(studio):
                found[query, mechanism] = clipped(studio)
    assert not found, "\n".join(f"{key}: {text}" for key, many in found.items() for text in many)


@pytest.mark.parametrize("path", ["target", "confidence", "query.low"])
def test_a_complaint_is_written_in_a_few_lines(studio: Studio, qtbot: QtBot, path: str) -> None:
    studio.store.choose("query", "sum")
    settle(qtbot, studio)
    editor = field(studio, path)
    type_into(editor.box, "abc")
    QApplication.processEvents()
    assert editor.complaint.isVisible()
    assert editor.complaint.heightForWidth(editor.complaint.width()) <= 3 * editor.complaint.fontMetrics().lineSpacing() + 2
