"""Small things in which somebody new gets stuck."""

from hand import field, settle, turn_page
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from dpstudio.gui.shell.recent_names import named
from dpstudio.gui.shell.studio import Studio


def test_recent_files_of_one_name_show_as_many_folders_as_tell_them_apart() -> None:
    origins = ["adult", "/a/x/own.csv", "/b/x/own.csv", "/b/other.csv"]
    names = named(origins)
    assert [*names] == origins
    assert [*names.values()][1:] == ["a/x/own.csv", "b/x/own.csv", "other.csv"]


def test_what_was_typed_and_refused_goes_with_undo_and_nothing_else_does(
    studio: Studio, qtbot: QtBot
) -> None:
    store = studio.store
    store.set("mechanism.epsilon", 0.5)
    held, budget = store.lab, field(studio, "mechanism.epsilon")
    budget.box.setText("much")
    budget.box.given.emit("much")
    assert budget.box.property("wrong")
    assert not budget.complaint.isHidden()
    studio.undo()
    assert (budget.box.text(), budget.box.property("wrong")) == ("0.5", False)
    assert budget.complaint.isHidden()
    assert store.lab == held
    studio.undo()
    assert store.lab != held


def test_a_table_below_the_fold_scrolls_into_view_when_it_is_opened(
    studio: Studio, qtbot: QtBot
) -> None:
    turn_page(studio, "compare")
    settle(qtbot, studio)
    board = studio.window.board
    key, button = next(iter((k, b) for k, b in board.foot.buttons.items() if board.card(k)))
    button.click()
    card, bar = board.card(key), board.area.verticalScrollBar()
    assert card is not None
    qtbot.waitUntil(lambda: bar.value() > 0)
    top = card.geometry().top() - bar.value()
    assert 0 <= top < board.area.viewport().height() - min(card.height(), 100)
    board.unfold(key, False)


def test_a_talk_put_off_is_not_offered_at_the_next_table(studio: Studio) -> None:
    asked = studio.talk._looked
    submitted = []
    studio.talk._finder.submit = lambda *a, **k: submitted.append(a)  # type: ignore[method-assign]
    studio.talk.look()
    studio.talk.look()
    del studio.talk._finder.submit
    assert asked
    assert not submitted


def test_enter_presses_the_button_that_has_the_keyboard_and_ticks_no_box(
    studio: Studio, qtbot: QtBot
) -> None:
    done = list[str]()
    bar, box = studio.window.message, QCheckBox(studio.window)
    bar.say("Asked", "Answer", lambda: done.append("answered"))
    box.show()
    for widget in (bar.action, box):
        widget.setFocus()
        for mods in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier):
            QTest.keyClick(widget, Qt.Key.Key_Return, mods)
    assert done == ["answered"]
    assert not box.isChecked()
    box.deleteLater()
    bar.say("")


def test_the_keyboard_goes_on_at_the_page_that_was_turned_to(studio: Studio, qtbot: QtBot) -> None:
    """Not on an answer in a bar, which an Enter too many would give."""
    window, pages = studio.window, studio.pages
    turn_page(studio, "explore")
    window.message.say("Asked", "Answer", lambda: None)
    field(studio, "mechanism.epsilon").box.setFocus()
    pages.go_to_column("age")
    assert window.focusWidget() is pages.data_page.view
    turn_page(studio, "compare")
    assert window.focusWidget() is pages.buttons["compare"]
    window.message.say("")
