"""What is painted in our own way looks as pyqtgraph, whose way it stands for, paints it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
import pytest
from dpstudio.gui.board.curve import Curve
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpstudio.charts.figure import Area, Axis, Band, Figure, Handle, Line, Ribbon, Rule
from dpstudio.gui.board.axis_items import Side
from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.parts.theme import Look


def painted(item: pg.GraphicsObject, paint: Callable[..., None]) -> np.ndarray:
    """The pixels of an item alone, where it stands."""
    picture = QImage(460, 300, QImage.Format.Format_RGB32)
    picture.fill(0xFFFFFF)
    painter = QPainter(picture)
    painter.setTransform(item.sceneTransform())
    paint(item, painter, None, None)
    painter.end()
    held = np.frombuffer(picture.constBits(), np.uint8).reshape(300, 460, 4)
    return held[..., :3].astype(int)


def apart(item: Curve) -> int:
    """How far a curve that was painted differs in a pixel from one that pyqtgraph paints."""
    ours, path = painted(item, Curve.paint), item.path
    item.path = pg.PlotCurveItem.generatePath(item, item.xData, item.yData)
    theirs = painted(item, pg.PlotCurveItem.paint)
    item.path = path
    assert (ours != 255).any()
    return int(np.abs(ours - theirs).max())


def test_axes_and_curves_look_as_those_of_pyqtgraph(qtbot: QtBot) -> None:
    view = PlotView(Look())
    qtbot.addWidget(view)
    view.resize(460, 300)
    view.show()
    x = np.linspace(0.01, 10, 200)
    layers = (
        Line("line", "laplace", "a curve", x, np.exp(-x)),
        Area("area", "laplace", "", x[::10], np.exp(-x[5:200:10][:19])),
        Ribbon("ribbon", "gaussian", "", x, np.exp(-x) / 2, np.exp(-x / 2)),
        Band("band", "band", "", 2.0, 3.0),
    )
    for axes in (
        (Axis("ε", log=True, range=(0.01, 10.0)), Axis("error", range=(-1.0, 1.2))),
        (Axis("k", range=(0.0, 9.7)), Axis("error", log=True, range=(1e-5, 3.0), floored=True)),
    ):
        view.show_figure(Figure("chart", "", *axes, layers))
        view.grab()
        for side in ("left", "bottom"):
            axis = view.plot.getAxis(side)
            ours = painted(axis, Side.paint)
            axis.picture = None
            theirs = painted(axis, pg.AxisItem.paint)
            axis.picture = None
            assert (ours != 255).any()
            assert (ours == theirs).all()
        for key, most in (("line", 16), ("area", 0), ("ribbon", 0), ("band", 0)):
            for item in view._drawn[key].items:
                assert apart(item) <= most
    line = Line("line", "laplace", "", x, np.sin(x))
    figure = Figure("chart", "", Axis("k", range=(0.0, 10.0)), Axis("", range=(-1.0, 1.0)), (line,))
    for size in ((170, 120), (460, 300)):
        view.resize(*size)
        view.show_figure(figure)
        view.grab()
        assert apart(view._drawn["line"].items[0]) <= 16


def seen(picture: QImage) -> np.ndarray:
    """The pixels of a picture."""
    picture = picture.convertToFormat(QImage.Format.Format_RGB32)
    held = np.frombuffer(picture.constBits(), np.uint8)
    return held.reshape(picture.height(), picture.width(), 4)[..., :3].copy()


class Watch(QObject):
    """Which rooms of a widget were painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.painted: list[QRect] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.painted.append(event.region().boundingRect())
        return False


@pytest.mark.parametrize(("dash", "whole"), [("solid", False), ("dash", True)])
def test_under_the_hand_a_part_is_painted_as_the_whole(
    qtbot: QtBot, dash: str, whole: bool
) -> None:
    """A point that moves with its name: what the screen shows, painted in parts, is what is
    painted anew. A dashed curve is painted as a whole."""
    view = PlotView(Look())
    qtbot.addWidget(view)
    view.resize(460, 300)
    view.show()
    x = np.linspace(0.0, 10.0, 100)
    curve = Line("line", "laplace", "a curve", x, 1 + np.sin(x), dash=dash)
    rule = Rule("aim", "target", "an aim", 0.6, axis="y", dash="dash")
    ends = Axis("k", range=(0.0, 10.0)), Axis("error", range=(0.0, 2.0))
    watch = Watch(view.viewport())
    for step, at in enumerate((2.0, 3.0, 3.5, 9.0)):
        high = float(1 + np.sin(at))
        here = Handle("here", "laplace", f"k {at} → {high:.3g}", at, high, "k")
        watch.painted.clear()
        view.show_figure(Figure("chart", "", *ends, (curve, rule, here)))
        qtbot.waitUntil(lambda: bool(watch.painted))
        qtbot.wait(1)
        # At first the plot still takes the room that it has.
        assert step < 2 or (view.viewport().rect() in watch.painted) == whole
        shown = seen(view.screen().grabWindow(view.winId()).toImage())
        assert (shown == seen(view.grab().toImage())).all()
