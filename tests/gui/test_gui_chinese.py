"""The window in Chinese: every page, without a sentence of English on it, and nothing cut."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import marks
import pytest
from conftest import Open
from hand import clipped, settle
from marked import texts
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from soak_painted import screen

from dpstudio.files import language
from dpstudio.files.booked.approving import make_key
from dpstudio.gui.board import curve_labels
from dpstudio.gui.parts.theme import measured
from dpstudio.gui.shell.pages import NO_LABS
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS

KEYS = [kind.key for kind in LABS] + [key for key in NO_LABS if key != "import"]


@pytest.fixture
def chinese(open_window: Open) -> Iterator[Studio]:
    language.use(language.written(language.CHINESE), named=True)
    yield open_window(size=(1280, 800))
    language.use(language.written(language.ENGLISH))


def english(studio: Studio) -> set[str]:
    return {text for _, _, text in texts(studio) if marks.english(text)}


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


def test_no_sheet_or_bar_shows_a_sentence_of_english_or_is_cut(
    chinese: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """Sheets, bars, the stage, what is found and read, and files that are refused; half in dark."""
    s, left = chinese, {}
    broken = tmp_path / "broken.parquet"
    broken.write_text("PAR1 no")
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("who,age\n" + "".join(f"p{n},{n}{',0' * (n == 40)}\n" for n in range(99)))
    palette = partial(getattr, s.seeking, "palette")
    places: dict[str, tuple[Callable[[], object], Callable[[], QWidget | None]]] = {
        "databases": (s.databases.ask, lambda: s.databases),
        "found": (s.seeking.find, palette),
        "nothing found": (lambda: palette().box.setText("zzzz"), palette),
        "room": (s.rooms.toggle, lambda: s.rooms.sheet),
        "script": (s.scripting.toggle, lambda: s.scripting.pane),
        "help card": (s.explaining.ask, lambda: s.explaining.card),
        "talk": (s.talk.new, lambda: s.talk.talks.bar),
        "stage": (s.window.present, lambda: s.stage().foot),
        "asked": (partial(s.open, str(ragged)), lambda: None),
        "refused": (partial(s.open, str(broken)), lambda: None),
    }
    leaves = {
        "databases": s.databases.leave,
        "nothing found": lambda: palette().hide(),
        "room": s.rooms.leave,
        "script": s.scripting.toggle,
        "help card": s.explaining.leave,
        "stage": s.window.leave_presenting,
    }
    for place, (opens, part) in places.items():
        s.window.theme.set_dark(len(left) % 2 == 1)
        opens()
        settle(qtbot, s)
        qtbot.wait(1)  # the layout follows
        others = [each for each in (part(),) if each is not None]
        # A library that refuses says why in its own words, in quotes.
        found = {re.sub("“[^”]*”", "", text) for text in english(s)}
        left[place] = {text for text in found if marks.english(text)} | {*clipped(s, *others)}
        leaves.get(place, lambda: None)()
        settle(qtbot, s)
    s.talk.talks.leave()
    assert {place: sorted(found) for place, found in left.items() if found} == {}


def test_no_sheet_of_what_leaves_shows_a_sentence_of_english_or_is_cut(
    chinese: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing, is approved, leaves and is printed; and another key, which is refused."""
    s, left, dark = chinese, {}, False

    def look(place: str, part: QWidget) -> None:
        nonlocal dark
        s.window.theme.set_dark(dark := not dark)
        settle(qtbot, s)
        qtbot.wait(1)  # the layout follows
        assert part.isVisible(), place
        texts_ = {each.text() for each in part.findChildren(QLabel)} | english(s)
        left[place] = {*filter(marks.english, texts_), *clipped(s, part)}

    def plan(**changes: object) -> None:
        s.store.edit(s.store.lab.with_(**changes))
        settle(qtbot, s)

    def press(text: str) -> None:
        next(b for b in s.panel.findChildren(QPushButton) if text in b.text()).click()
        settle(qtbot, s)

    s.show_page("plan")
    settle(qtbot, s)
    plan(before=(), after=(), find="least", purpose="release", population="人", planner="Bo")
    press("发布此计划")
    look("missing", s.releasing._lacking)
    s.releasing._lacking.back.click()
    plan(who="steward", origin="form")
    press("用密钥批准")
    sheet = s.releasing._sheet
    look("approval", sheet)
    sheet.make.click()
    look("nobody named", sheet)
    for name, key in (("getSaveFileName", "ada"), ("getOpenFileName", "bo")):
        path = tmp_path / f"{key}.pem"
        monkeypatch.setattr(QFileDialog, name, lambda *_, path=path: (str(path), ""))
    make_key(tmp_path / "bo.pem")
    sheet.who.setText("Ada Lovelace")
    sheet.make.click()
    sheet.does.click()
    look("another key", sheet)
    sheet.back.click()
    for key in ("learn", "clusters", "synthesis", "anonymity", "masking"):
        s.show_page(key)
        settle(qtbot, s)
        s.outgoing.ask()
        qtbot.waitUntil(lambda: s.outgoing.sheet.isVisible())
        look(key, s.outgoing.sheet)
        s.outgoing.sheet.leave()
    s.show_page("explore")
    settle(qtbot, s)
    s.saver.chart("published", "print")
    look("print", s.saver.print_bar)
    assert {place: sorted(found) for place, found in left.items() if found} == {}


def test_names_in_charts_stand_on_the_line_of_their_values(chinese: Studio) -> None:
    """As words do that are painted from their baseline; letters of the other font are higher."""
    look, type_, rows = chinese.window.theme.look, (14.0, 500), []
    high = measured(look, *type_).ascent()
    for still in (True, False):
        image = QImage(120, 40, QImage.Format.Format_Grayscale8)
        image.fill(255)
        painter = QPainter(image)
        painter.setFont(look.font(*type_))
        if still:
            painter.drawStaticText(QPointF(4, 10), curve_labels._still("顺序组合"))
        else:
            painter.drawText(QPointF(4, 10 + high), "顺序组合")
        painter.end()
        seen = range(40)
        rows.append(
            [y for y in seen if any(image.pixelColor(x, y).value() < 99 for x in range(120))]
        )
    assert abs(rows[0][0] - rows[1][0]) <= 1
    assert abs(rows[0][-1] - rows[1][-1]) <= 1
