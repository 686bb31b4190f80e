"""Nothing moves but what the hand moves: what is under the pointer, and the first chart. The soak
presses on all that there is, in every lab."""

import pytest
from hand import settle, turn_page
from pytestqt.qtbot import QtBot
from still import pressed, targets

from dpstudio.gui.shell.studio import Studio


@pytest.mark.parametrize("key", ["survey", "guarantee"])
def test_what_is_under_the_pointer_and_the_hero_stand_still(
    studio: Studio, qtbot: QtBot, key: str
) -> None:
    studio.window.resize(1280, 800)
    turn_page(studio, key)
    settle(qtbot, studio)
    found = targets(studio)
    assert len(found) > 5
    for target in found:
        if target.isVisible():
            print(
                "DBG",
                [*pressed(studio, qtbot, target)],
                studio.panel.area._held,
                studio.panel.area._at,
                studio.panel.area._above,
                studio.panel.area._below,
                studio.panel.area.verticalScrollBar().value(),
            )
