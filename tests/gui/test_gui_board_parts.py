"""Pages without a panel stand on the white board: hairlines, no cards, no capitals, no blue; four
sizes of type; and nothing of them is beyond an edge, however large type is."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hand import WAIT, settle
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpstudio.charts.readout import MOST
from dpstudio.gui.board.callout import Callout
from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.shell.pages import DATA_PAGE, IMPORT_PAGE, LESSONS
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.findings import Findings
from dpstudio.labs.models.components.parameters import Components
from dpstudio.labs.page import Lab
from dpstudio.values.messages import Num, say

SIZES = {Look().px(size) for size in (12, 14, 20, 32)}
UNSURE = "x;y;when\n" + "".join(
    f"{i},5;{i % 3};0{i % 9 + 1}/0{i % 7 + 1}/2020\n" for i in range(60)
)


def pages(studio: Studio, qtbot: QtBot, folder: Path) -> dict[str, QWidget]:
    """Each page or bar with what turns to it done, the last of them on the screen."""
    studio.show_page(DATA_PAGE)
    settle(qtbot, studio)
    studio.saver.chart("published", "print")
    studio.show_page(LESSONS.key)
    settle(qtbot, studio)
    path = folder / "unsure.csv"
    path.write_text(UNSURE)
    studio.open(str(path))
    qtbot.waitUntil(lambda: studio.page == IMPORT_PAGE, timeout=WAIT)
    assert studio.saver.print_bar is not None
    return {
        "data": studio.pages.data_page,
        "import": studio.pages.import_page,
        "print": studio.saver.print_bar,
        "lessons": studio.pages.lessons_page,
    }


def test_pages_without_a_panel_are_white_boards(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    for name, page in pages(studio, qtbot, tmp_path).items():
        parts = page.findChildren(QFrame)
        assert not [part for part in parts if part.objectName() == "card"], name
        words = [*page.findChildren(QLabel), *page.findChildren(QPushButton)]
        for one in words:
            one.ensurePolished()
            letters = [letter for letter in one.text() if letter.isalpha()]
            assert len(letters) < 5 or one.text() != one.text().upper(), (name, one.text())
            color = one.palette().color(one.foregroundRole())
            inks = color.red(), color.green(), color.blue()
            verdict = one.objectName() in ("warn", "bad", "good")
            assert verdict or max(inks) - min(inks) < 16, (name, one.text(), color.name())
            assert one.fontInfo().pixelSize() in SIZES, (name, one.text())


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_list_and_its_column_stand_beside_each_other(
    studio: Studio, qtbot: QtBot, scale: float
) -> None:
    """At the smallest window that is drawn for: neither over the other, nor beyond the page."""
    studio.window.resize(1024, 700)
    studio.window.theme.set_scale(scale)
    studio.show_page(DATA_PAGE)
    settle(qtbot, studio)
    page = studio.pages.data_page
    inside = page.contentsRect()
    for column in ("age", "workclass", "income"):
        page.choose(column)
        settle(qtbot, studio)
        assert page.left.geometry().right() < page.right.x()
        assert page.right.geometry().right() <= inside.right()
        view = page.column_view
        assert view.chart.geometry().bottom() < view.summary.y() or view.chart.isHidden()
        for part in (view.about, view.summary):
            right = part.mapTo(view.viewport(), QPoint(part.width(), 0)).x()
            assert right <= view.viewport().width(), (column, part)


@pytest.mark.parametrize("size", [(784, 416), (376, 184), (160, 110)])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_what_is_read_lies_whole_beside_the_pointer(
    qtbot: QtBot, size: tuple[int, int], scale: float
) -> None:
    view, look = QWidget(), Look(scale=scale)
    qtbot.addWidget(view)
    view.resize(*size)
    callout = Callout(view)
    told = [
        say("ε {x}", x=Num(0.5)),
        *[say("Sequential (adding up) {x}", x=Num(k)) for k in range(9)],
    ]
    for x in range(0, size[0], 29):
        for y in range(0, size[1], 23):
            at = QPoint(x, y)
            callout.say(told, at, look)
            assert view.rect().contains(callout.geometry())
            assert 1 <= len(callout.lines) <= MOST
            room = size[0] / 2 > callout.width() and size[1] / 2 > callout.height() + look.px(20)
            assert not (room and callout.geometry().contains(at))
    callout.say((), at, look)
    assert callout.text() == ""


def test_a_square_chart_finds_its_room(
    default_findings: Callable[[type[Lab]], Findings], qtbot: QtBot
) -> None:
    """What it shows depends on the room that names leave, and that on what it shows: at some sizes
    each gave way to the other for ever."""
    figure = default_findings(Components).figure("projection")
    for scale, width in product((1.5, 2.7), (633, 670)):
        view = PlotView(Look(scale=scale))
        qtbot.addWidget(view)
        view.resize(width, 480)
        view.show()
        view.show_figure(figure)
        view.grab()
