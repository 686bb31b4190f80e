"""Local privacy: the buttons of the protocols have room for their names, and shares are typed in
percent."""

from hand import LEFT, field, paint_now, settle, short, turn_page, type_into
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpstudio.gui.panel.editors import PercentField
from dpstudio.gui.parts.choice_list import ChoiceList
from dpstudio.gui.shell.studio import Studio
from dpstudio.values.parameters import get


def test_names_of_protocols_have_room(studio: Studio, qtbot: QtBot) -> None:
    """Also the one that is chosen, whose name is in heavier type."""
    studio.window.resize(1280, 800)
    for key in ("survey", "local_counts", "local_means"):
        turn_page(studio, key)
        settle(qtbot, studio)
        (rows,) = [w for w in studio.window.panel.findChildren(ChoiceList) if w.isVisible()]
        for button in rows.buttons.values():
            if button.isEnabled():
                QTest.mouseClick(button, LEFT)
                paint_now()
                button.ensurePolished()
                assert button.sizeHint().width() <= button.width(), (key, button.text())
                assert not [b.text() for b in rows.buttons.values() if short(b)], key
    settle(qtbot, studio)


def test_the_aim_is_typed_in_percent(studio: Studio, qtbot: QtBot) -> None:
    turn_page(studio, "survey")
    settle(qtbot, studio)
    aim = field(studio, "aim")
    assert isinstance(aim, PercentField)
    assert aim.box.text() == "3 %"
    type_into(aim.box, "2,5 %")
    settle(qtbot, studio)
    assert get(studio.store.lab, "aim") == 0.025
