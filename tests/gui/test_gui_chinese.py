"""The window in Chinese: every page, without a sentence of English on it, and nothing cut."""

import re
from collections.abc import Iterator

import pytest
from conftest import Open
from hand import clipped, settle
from marked import texts
from pytestqt.qtbot import QtBot
from soak_painted import screen

from dpstudio.files import language
from dpstudio.gui.shell.pages import NO_LABS
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS

# Four words of small letters in a row, with no sign of a formula, a path or a command among them.
SENTENCE = re.compile(r"(?<![\w=./-])(?:[A-Za-z][a-z’']+ ){3,}[a-z]{2,}(?![\w=/])")
KEYS = [kind.key for kind in LABS] + [key for key in NO_LABS if key != "import"]


@pytest.fixture
def chinese(open_window: Open) -> Iterator[Studio]:
    language.use(language.written(language.CHINESE), named=True)
    yield open_window(size=(1280, 800))
    language.use(language.written(language.ENGLISH))


def english(studio: Studio) -> set[str]:
    """What is cited stands in its own language: a source ends in a year."""
    found = {text for _, _, text in texts(studio) if SENTENCE.search(text)}
    return {text for text in found if not re.search(r"\b(18|19|20)\d\d\b", text)}


def test_no_page_shows_a_sentence_of_english_and_each_is_laid_out(
    chinese: Studio, qtbot: QtBot
) -> None:
    """Half in light, half in dark, of which no place depends."""
    left = {}
    for place, key in enumerate(KEYS):
        if place == len(KEYS) // 2:
            chinese.window.theme.set_dark(True)
        chinese.show_page(key)
        settle(qtbot, chinese)
        if found := english(chinese) | {*clipped(chinese), *screen(chinese)}:
            left[key] = sorted(found)[:5]
    assert left == {}
