"""Lanes: each has its words in every column, which give way before names are cut; a lane is taken
anywhere along it; the screen and the export share where words stand."""

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest

from dpstudio.charts.figure import Axis, Column, Dots, Figure, Lanes, Rule
from dpstudio.charts.lanes import fitted, placed
from dpstudio.charts.readout import reading
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.parts.theme import Look
from dpstudio.labs.findings import Findings
from dpstudio.labs.named_rows import brackets
from dpstudio.labs.naming import every_lab
from dpstudio.labs.page import Lab
from dpstudio.values.messages import render
from dpstudio.values.parameters import put

NAMES = ("a rather long name", "b", "c")


def measure(text: str) -> tuple[float, float]:
    return 7.0 * len(text), 15.0


def figure(chosen: int = 1) -> Figure:
    ticks = tuple((2.0 - k, name) for k, name in enumerate(NAMES))
    picks = tuple(((("focus", name)),) for name in NAMES)
    lanes = Lanes(
        (
            Column("counted", ("12", "7", "3"), left=True),
            Column("main", ("0.500", "0.300", "0.200"), ("laplace",), strong=True),
            Column("beside", ("0.4", "0.4", "0.2"), ("gaussian",)),
        ),
        chosen,
        targets=Dots("lanes", "text", "", [0.5, 0.3, 0.2], [2, 1, 0], picks=picks),
        star=Dots("star", "answer", "drawn", [0], [0]),
    )
    layers = (
        Dots("d", "laplace", "", [0.5, 0.3, 0.2], [2, 1, 0]),
        Rule("r", "target", "even", 1 / 3),
    )
    x, y = Axis("share", range=(0.0, 1.0)), Axis("", range=(-0.5, 2.5), ticks=ticks)
    return Figure("k", "t", x, y, layers, lanes=lanes)


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_every_lane_has_its_words_and_can_be_taken(
    kind: type[Lab], default_findings: Callable[[type[Lab]], Findings]
) -> None:
    found = default_findings(kind)
    shown = kind().frame(found, 0) if len(found.replays) else found
    for figure in (each for each in shown.figures if each.lanes is not None):
        lanes, count = figure.lanes, len(figure.y.ticks)
        assert lanes is not None
        svg = figure_svg(figure, palette(False), 1400, 700)
        assert figure.y.range == (-0.5, count - 0.5)
        assert lanes.chosen < count
        assert len([column for column in lanes.columns if column.strong]) <= 1
        for column in lanes.columns:
            assert len(column.cells) == count, (figure.key, render(column.head))
            curves = column.curves or ((),) * count
            drawn = svg.count("<polyline") >= sum(map(bool, curves))
            cells = zip(column.cells, curves, strict=True)
            told = [render(cell) for cell, curve in cells if not curve]
            assert drawn
            assert all(f">{cell}<" in svg for cell in told if cell)
        for picks in lanes.targets.picks if lanes.targets is not None else ():
            for path, value in picks:
                put(kind(), path, str(value))


def test_columns_give_way_before_names_are_cut() -> None:
    """That of the chosen one last."""
    asked, before = figure(), 3
    assert asked.lanes is not None
    for width in range(900, 150, -5):
        fit = fitted(asked, asked.lanes, width, (measure,) * 3, render)
        held = [column for column, _ in (*fit.left_columns, *fit.right_columns)]
        assert len(held) <= before
        before = len(held)
        assert held == [] or asked.lanes.columns[1] in held
        cut = fit.name < measure(NAMES[0])[0]
        assert not (cut and held)
        assert width - fit.left - fit.gutter > 0.2 * width
    assert before == 0


@pytest.mark.parametrize("height", [60, 90, 120, 300])
def test_words_of_lanes_stand_apart(height: int) -> None:
    """In low lanes some are left out, never the chosen one's."""
    asked = figure()
    ticks = tuple((9.0 - k, f"name {k}") for k in range(10))
    lanes = Lanes((Column("n", tuple(str(k) for k in range(10))),), chosen=7)
    asked = replace(asked, y=Axis("", range=(-0.5, 9.5), ticks=ticks), lanes=lanes)
    laid = placed(asked, (500, height), 100, (measure,) * 3)
    names = [one for one in laid.labels if one.key.startswith("lane")]
    assert "name 7" in [one.text for one in names]
    for one, below in itertools.pairwise(names):
        assert one.y + 0.8 * one.height <= below.y
    assert len([one for one in laid.labels if one.key.startswith("cell")]) == len(names)


def test_a_lane_is_taken_anywhere_along_it(qapp: object) -> None:
    """By a click on its name or its numbers, by arrows and Enter; the wash lies under the chosen
    one, in the export too."""
    view = PlotView(Look())
    view.resize(700, 300)
    view.show_figure(figure())
    view.grab()
    got: list[object] = []
    view.picked.connect(lambda pairs, held: got.append(pairs))
    area = view.plot_area()
    for x in (4.0, area.center().x(), 690.0):
        for lane in range(3):
            at = QPointF(x, area.top() + (lane + 0.3) * area.height() / 3).toPoint()
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert got == [(("focus", name),) for name in NAMES] * 3
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(4, 2))
    assert len(got) == 9
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return):
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)
        view.keyPressEvent(event)
    assert got[9:] == [(("focus", NAMES[0]),)]
    axis = view.plot.axes["left"]
    assert axis.lane == (0.5, 1.5)
    assert axis.reach == pytest.approx(view.width() - axis.width(), abs=1)
    svg = figure_svg(figure(), palette(False))
    wash = f'fill="{palette(False)["ground"]}"'
    assert svg.count(wash) == 1
    assert wash not in figure_svg(figure(chosen=-1), palette(False))


def test_every_lane_leaves_a_ghost_where_the_hand_began(qapp: object) -> None:
    """Of the inks of the main column; it has a row below the names, and none in the export."""
    ends = {name: ([0.0, 0.0], [0.2 * (k + 1)] * 2) for k, name in enumerate("abc")}
    asked = figure()
    assert asked.lanes is not None
    first, main, *rest = asked.lanes.columns
    inks = ("laplace", "gaussian", "geometric")
    lanes = replace(asked.lanes, columns=(first, replace(main, inks=inks), *rest), star=None)

    def drawn(times: float) -> Figure:
        lines = [
            brackets(name, ink, [0.0], [times * high[0]], [2.0 - k], 3)
            for k, ((name, (_, high)), ink) in enumerate(zip(ends.items(), inks, strict=True))
        ]
        return replace(asked, layers=tuple(lines), lanes=lanes)

    view = PlotView(Look())
    view.resize(700, 300)
    view.show_figure(drawn(1.0))
    view.grab()
    view.hold()
    view.show_figure(drawn(0.5))
    ghosts = [key for key in view.area.layers.layers if key.startswith("ghost")]
    assert ghosts == ["ghost/a", "ghost/b", "ghost/c"]
    (row,) = [label for label in view.labels.layout.labels if label.text == "before"]
    assert row.sample is not None
    assert row.y > view.plot.vb.height()
    assert row.x + row.width < 0
    assert "before" not in figure_svg(drawn(0.5), palette(False))


def test_a_lane_is_read_with_its_numbers() -> None:
    """Wherever the pointer stands in it."""
    for x in (0.01, 0.9):
        told = [render(line) for line in reading(figure(), x, 0.7)]
        assert told == ["b", "counted 7", "main 0.300", "beside 0.4"]


def test_other_words_are_another_picture(qapp: object) -> None:
    """A step that changes the words of a lane alone is shown, and one that changes nothing is
    not painted."""
    view, one = PlotView(Look()), figure()
    view.resize(700, 300)
    view.show_figure(one)
    view.grab()
    assert one.lanes is not None
    first, *rest = one.lanes.columns
    other = replace(one.lanes, columns=(replace(first, cells=("13", "7", "3")), *rest))
    view.show_figure(replace(one, lanes=other))
    assert "13" in [label.text.strip(": ") for label in view.labels.layout.labels]
    before = view.labels.layout
    view.show_figure(replace(one, lanes=replace(other)))
    assert view.labels.layout is before
