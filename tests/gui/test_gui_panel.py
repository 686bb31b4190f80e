"""Panels open with what matters: choices as lists, one screen of controls, the rest folded under
names."""

import re
from itertools import pairwise

import pytest
from hand import LEFT, NONE, asking, field, handle_at, mouse, paint_now, settle, turn_page
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpstudio.charts.inks import known
from dpstudio.gui.panel.frames import Part
from dpstudio.gui.parts.choice_list import ChoiceList, ChoiceRow
from dpstudio.gui.parts.focus_ring import ringed
from dpstudio.gui.parts.theme import Look, style_sheet
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.naming import every_lab
from dpstudio.labs.publish.plan.editing import with_question
from dpstudio.plans.drafts import DRAFTS
from dpstudio.values.messages import Message
from dpstudio.values.parameters import OneOf, domains


def rows_of(studio: Studio, path: str) -> ChoiceList:
    held = field(studio, path).picker
    assert isinstance(held, ChoiceList)
    return held


def part_of(studio: Studio, path: str) -> Part:
    editor = studio.panel.field(path)
    return next(part for part in studio.panel.findChildren(Part) if part.isAncestorOf(editor))


@pytest.mark.parametrize("key", ["explore", "compress", "learn", "plan"])
def test_a_panel_opens_on_one_screen(studio: Studio, qtbot: QtBot, key: str) -> None:
    """The fullest of them, opened before all others; all are walked through by `tests/soak.py --only painted`."""
    studio.window.resize(1280, 800)
    turn_page(studio, key)
    settle(qtbot, studio)
    paint_now()
    assert studio.panel.area.verticalScrollBar().maximum() == 0


def test_every_choice_that_has_strokes_is_a_list() -> None:
    """Mechanisms, protocols, ways, learners: the domain says it, and all of its members have a
    stroke."""
    found = {}
    for lab in every_lab():
        for name, domain in domains(lab).items():
            if isinstance(domain, OneOf) and hasattr(domain.family()[0], "ink"):
                for kind in domain.family():
                    assert known(kind.ink), (lab.key, kind.key)  # type: ignore[attr-defined]
                    found[lab.key, name] = kind.editor
    assert len(found) > 15
    assert {*found.values()} == {"strokes"}


def test_rows_are_28_px_with_their_strokes_and_names_one_below_another(
    studio: Studio, qtbot: QtBot
) -> None:
    studio.window.resize(1280, 800)
    paint_now()
    rows = list(rows_of(studio, "mechanism").buttons.values())
    tops = [row.y() for row in rows]
    assert len(rows) == 8
    assert {row.height() for row in rows} == {28}
    assert {below - above for above, below in pairwise(tops)} == {28}
    assert {row.x() for row in rows} == {0}
    numbers = [row.number for row in rows if row.number.isVisible()]
    assert [number.text() for number in numbers[:2]] == ["±30.0", "±30"]
    assert len(numbers) == 8
    assert len({number.geometry().right() for number in numbers}) == 1
    assert all(re.search(r"±\d", row.accessibleDescription()) for row in rows)
    chosen, other = rows[0].grab().toImage(), rows[1].grab().toImage()
    text, wash = (studio.window.theme.look.color("text"), chosen.pixelColor(120, 2))
    assert [chosen.pixelColor(x, 14) == text for x in (0, 2, 4)] == [True, True, False]
    assert other.pixelColor(1, 14) != text
    assert other.pixelColor(120, 2) != wash


def test_arrows_ends_and_letters_choose_in_a_list(studio: Studio) -> None:
    rows = rows_of(studio, "mechanism").buttons
    tabbed = [k for k, row in rows.items() if row.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert tabbed == ["laplace"]
    rows["laplace"].setFocus()
    for key, then in (
        (Qt.Key.Key_Down, "geometric"),
        (Qt.Key.Key_End, "catastrophe"),
        (Qt.Key.Key_Down, "laplace"),
        (Qt.Key.Key_Up, "catastrophe"),
        (Qt.Key.Key_Home, "laplace"),
    ):
        held = QApplication.focusWidget()
        assert isinstance(held, ChoiceRow)
        QTest.keyClick(held, key)
        assert studio.store.lab.mechanism.key == then  # type: ignore[attr-defined]
        assert QApplication.focusWidget() is rows[then]
        assert [k for k, row in rows.items() if row.isChecked()] == [then]
    QTest.keyClicks(rows["laplace"], "d")
    QTest.keyClicks(QApplication.focusWidget(), "isc")
    assert studio.store.lab.mechanism.key == "discrete_gaussian"  # type: ignore[attr-defined]


def test_what_is_drawn_beside_is_said_and_turned_in_the_row(studio: Studio, qtbot: QtBot) -> None:
    """One beside it, or several: the rows say which, and the chosen one is not beside itself."""
    rows = rows_of(studio, "mechanism").buttons
    said = [key for key, row in rows.items() if row.beside and row.beside.isChecked()]
    assert said == ["gaussian"]
    assert all(row.beside is not None for row in rows.values())
    assert rows["laplace"].beside.isHidden()
    QTest.keyClick(rows["geometric"], Qt.Key.Key_Right)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert studio.store.lab.compare_with == "geometric"  # type: ignore[attr-defined]
    assert studio.store.lab.mechanism.key == "laplace"  # type: ignore[attr-defined]
    assert rows["geometric"].beside.accessibleName() == "Geometric, beside"
    QTest.mouseClick(rows["geometric"].beside, LEFT)
    assert studio.store.lab.compare_with == "none"  # type: ignore[attr-defined]
    studio.store.history.undo()
    assert rows["geometric"].beside.isChecked()
    turn_page(studio, "components")
    settle(qtbot, studio)
    ways = rows_of(studio, "mechanism").buttons
    QTest.mouseClick(ways["noisy_power"].beside, LEFT)
    assert "noisy_power" not in studio.store.lab.drawn  # type: ignore[attr-defined]


def test_a_name_has_the_same_room_whatever_is_said_beside_it(studio: Studio) -> None:
    """Where nothing was, a row took two lines from the first time that the type was another."""
    for row in rows_of(studio, "mechanism").buttons.values():
        if row.beside is not None:
            rooms = set()
            for text in ("", "+", row.beside.word):
                row.beside.setText(text)
                rooms.add(row.beside.wide("+"))
            row.place()
            assert len(rooms) == 1


def test_a_list_is_not_made_anew_by_a_step_of_the_slider(studio: Studio, qtbot: QtBot) -> None:
    rows = rows_of(studio, "mechanism")
    icons = {key: row.icon().cacheKey() for key, row in rows.buttons.items()}
    before = dict(rows.buttons)
    studio.store.set("mechanism.epsilon", 0.7)
    settle(qtbot, studio)
    assert rows.buttons == before
    assert {key: row.icon().cacheKey() for key, row in rows.buttons.items()} == icons


def test_what_is_folded_is_told_at_its_name_and_found(studio: Studio, qtbot: QtBot) -> None:
    """A setting that is not as it starts, or a complaint, and the way of Find to it."""
    part = part_of(studio, "answers")
    assert part.head is not None
    assert not part.within.isVisible()
    assert not part.head.found.isVisible()
    studio.store.set("answers", 300)
    settle(qtbot, studio)
    assert part.head.found.text() == "1 changed"
    assert part.head.accessibleName() == "Many answers, 1 changed"
    studio.store.history.undo()
    settle(qtbot, studio)
    assert not part.head.found.isVisible()
    studio.panel.field("answers").warn("Too many.", "bad")
    studio.panel.show_state()
    assert part.head.found.text() == "✕"
    studio.panel.go_to("answers")
    assert part.within.isVisible()
    assert studio.panel.field("answers").isAncestorOf(QApplication.focusWidget())
    QTest.keyClick(part.head, Qt.Key.Key_Left)
    assert not part.within.isVisible()
    studio.panel.go_to("compare_with")  # within the list of another
    assert studio.panel.field("mechanism").isAncestorOf(QApplication.focusWidget())


def test_what_waits_in_a_long_list_is_the_same_on_every_state_but_for_what_is_chosen(
    studio: Studio, qtbot: QtBot
) -> None:
    """Not what this label or this column cannot serve: that stands there with its reason."""
    turn_page(studio, "learn")
    settle(qtbot, studio)
    rows = rows_of(studio, "learner")

    def waiting() -> set[str]:
        return {key for key, row in rows.buttons.items() if row.isHidden()}

    before = waiting()
    assert "wishart_moments" in before
    field = studio.panel.field("learner")
    field.refused = dict.fromkeys(("decision_tree", "gaussian_moments"), Message("Why."))
    field.show_state()
    assert waiting() == before
    assert not rows.buttons["decision_tree"].isEnabled()
    studio.store.choose("learner", "wishart_moments")
    settle(qtbot, studio)
    assert waiting() == before - {"wishart_moments"}
    QTest.mouseClick(rows.all, LEFT)
    assert not waiting()


def test_the_ring_of_the_focus_is_for_the_keyboard(studio: Studio, qtbot: QtBot) -> None:
    """A click leaves none, in any widget that takes the focus by one; a key brings it to each."""
    window = studio.window
    with qtbot.waitActive(window):
        window.activateWindow()
    field(studio, "trials")
    paint_now()
    handle, clicked = window.windowHandle(), set()
    for widget in studio.panel.pinned.findChildren(QWidget) + studio.panel.body.findChildren(
        QWidget
    ):
        studio.panel.area.ensureWidgetVisible(widget)
        paint_now()
        takes = widget.focusPolicy() & Qt.FocusPolicy.ClickFocus and widget.isEnabled()
        at = widget.mapTo(window, widget.rect().center())
        lists = isinstance(widget, QComboBox)  # which would lay a window over this one
        if not takes or lists or not widget.isVisible() or window.childAt(at) is not widget:
            continue
        QTest.mousePress(handle, LEFT, Qt.KeyboardModifier.NoModifier, at)
        if widget.hasFocus():
            clicked.add(type(widget).__name__)
            assert not ringed(widget), widget
        QTest.mouseRelease(handle, LEFT, Qt.KeyboardModifier.NoModifier, at)
    assert {"LineBox", "PanelSlider", "ChoiceRow", "FoldingSentence"} <= clicked
    studio.panel.field("mechanism.epsilon").box.setFocus()
    for _ in range(12):
        QTest.keyClick(handle, Qt.Key.Key_Tab)
        held = QApplication.focusWidget()
        assert ringed(held), held
    assert not ringed(studio.panel.field("mechanism.epsilon").box)


def test_a_key_that_comes_from_what_is_pinned_scrolls_to_where_it_goes(
    studio: Studio, qtbot: QtBot
) -> None:
    """Into the part that scrolls, which was scrolled to its end before."""
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()
    studio.window.resize(1280, 500)
    asking(studio)
    paint_now()
    bar = studio.panel.area.verticalScrollBar()
    bar.setValue(bar.maximum())
    first = studio.panel.body.findChildren(Part)[0].head
    assert first is not None
    assert first.visibleRegion().isEmpty()
    studio.panel.field("mechanism.epsilon").slider.setFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert first.hasFocus()
    assert first.visibleRegion().boundingRect().height() == first.height()


def test_a_press_beside_the_knob_brings_it_there_and_the_drag_goes_on(
    studio: Studio, qtbot: QtBot
) -> None:
    """At the ends too; one step of the history, and the ghost stays where the hand began."""
    slider = field(studio, "mechanism.epsilon").slider
    paint_now()
    middle, before = slider.height() // 2, slider.value()

    def knob() -> int:
        return handle_at(slider).x()

    steps = studio.store.history.count()
    right = min(knob() + 60, slider.width() - 20)
    mouse(slider, QEvent.Type.MouseButtonPress, QPoint(right, 1), LEFT, LEFT)
    assert abs(knob() - right) <= 1
    assert slider.began == before
    mouse(slider, QEvent.Type.MouseMove, QPoint(right - 80, middle), NONE, LEFT)
    assert abs(knob() - (right - 80)) <= 1
    mouse(slider, QEvent.Type.MouseButtonRelease, QPoint(right - 80, middle), LEFT, NONE)
    assert slider.began is None
    assert not slider.isSliderDown()
    assert studio.store.history.count() == steps + 1
    for x, end in ((0, slider.minimum()), (slider.width() - 1, slider.maximum())):
        QTest.mouseClick(slider, LEFT, pos=QPoint(x, middle))
        assert slider.value() == end
    settle(qtbot, studio)


def test_the_type_of_the_window_has_four_sizes() -> None:
    sizes = set(re.findall(r"font-size: (\d+)px", style_sheet(Look())))
    assert sizes == {"12", "14", "20", "32"}


def test_a_slider_walks_through_the_steps_and_follows_them(studio: Studio, qtbot: QtBot) -> None:
    """It is of the screen, as Play is: no step of the history."""
    turn_page(studio, "clusters")
    settle(qtbot, studio)
    (stages,), card = studio.panel.rows.stages, studio.window.board.cards[0]
    steps = studio.store.history.count()
    assert (stages.slider.value(), stages.slider.maximum()) == (3, 5)  # as it opens
    headline = studio.window.headline.lines[0]
    for stage in (2, 1, 5):
        stages.slider.setValue(stage)
        assert card.subtitle.whole.startswith(f"step {stage} of 5")
        assert headline.text().startswith(f"In step {stage} ")
    stages.slider.setValue(3)
    card.step.click()
    assert (stages.slider.value(), stages.place.text()) == (4, "4 of 5")
    assert studio.store.history.count() == steps
    studio.store.set("steps", 1)
    settle(qtbot, studio)
    assert stages.isHidden()


def test_what_is_added_is_written_at_once_whatever_was_written_before(
    studio: Studio, qtbot: QtBot
) -> None:
    """Each kind of question has fields of its own, of which those of another once took the keys."""
    turn_page(studio, "plan")
    settle(qtbot, studio)
    buttons = studio.panel.findChildren(QPushButton)
    add = next(button for button in buttons if button.text() == "Add a question")
    for kind in ("count", "mean", "by_group", "mean"):
        studio.store.choose("asked", kind)
        settle(qtbot, studio)
        QTest.mouseClick(add, LEFT)
        name = QApplication.focusWidget()
        assert isinstance(name, QLineEdit)
        assert name.isVisible()
        QTest.keyClicks(name, f"After {kind}")
        QTest.keyClick(name, Qt.Key.Key_Return)
        assert studio.store.lab.asked.name == f"After {kind}"


def test_a_new_question_has_nothing_of_one_that_was_written_before(
    studio: Studio, qtbot: QtBot
) -> None:
    """A median once began with the share below, and the column, of another question."""
    turn_page(studio, "plan")
    settle(qtbot, studio)
    store = studio.store
    for name in ("Nine in ten", "Median age"):
        store.edit(with_question(store.lab, DRAFTS[0](name=name)))
        store.choose("asked", "quantile")
        begun = store.lab.asked
        store.set("asked.share", "0.9")
        store.set("asked.column", "capital gain")
    assert (float(begun.share), begun.column) == (0.5, "age")
