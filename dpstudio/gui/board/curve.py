"""A curve, or what fills below one, and dots, as they are painted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath

from dpstudio.charts.scaling import straightened

# How far in px a curve may run beside itself: its edge changes by a few of 256 shades.
_HAIR = 1 / 32


class Curve(pg.PlotCurveItem):  # type: ignore[misc]
    """A curve that is drawn wherever the plot is seen: its own extent, which pyqtgraph works out
    from every point anew, is not asked for.

    Of a line only the corners are drawn that can be seen: the strokes are what a step of a slider
    waits for longest.
    """

    def boundingRect(self) -> QRectF:
        view = self.getViewBox()
        return QRectF() if view is None else view.viewRect()

    def setData(self, *given: Any, **more: Any) -> None:
        if more or len(given) != 2:
            super().setData(*given, **more)
            return
        # Its extent is that of the plot: nobody has to be told of another one.
        self.xData, self.yData = map(np.asarray, given)
        self.path = self.fillPath = self._fillPathList = self._mouseShape = None
        self.update()

    def viewTransformChanged(self) -> None:
        super().viewTransformChanged()
        self.path = None  # it was made for the size that it had

    def generatePath(self, x: Any, y: Any) -> QPainterPath:
        view = self.getViewBox()
        if self.opts["connect"] == "finite" and view is not None:
            size, seen = view.rect(), view.viewRect()
            across, up = size.width() / (seen.width() or 1), size.height() / (seen.height() or 1)
            x, y = straightened(x * across, y * up, _HAIR)
            x, y = x / (across or 1), y / (up or 1)
        made: QPainterPath = super().generatePath(x, y)
        return made

    def paint(self, p: QPainter, opt: Any, widget: Any) -> None:
        """As pyqtgraph does, without what we never ask of it."""
        if self.xData is None or not len(self.xData):
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing, self.opts["antialias"])
        brush, pen = self.opts["brush"], self.opts["pen"]
        if self.opts["fillLevel"] == "enclosed":
            p.fillPath(self.getPath(), brush)
        elif self.opts["fillLevel"] is not None:
            for path in self._getFillPathList(widget):
                p.fillPath(path, brush)
        if pen is not None:
            p.setPen(pen)
            p.drawPath(self.getPath())

    def _construct_finite_segment_FillPathList(
        self, x: Any, y: Any, baseline: float, chunksize: int
    ) -> list[Any]:
        """In one piece: of our few points pieces take longer to make than they spare."""
        made: list[Any] = super()._construct_finite_segment_FillPathList(x, y, baseline, len(x))
        return made


class Spots(pg.ScatterPlotItem):  # type: ignore[misc]
    """Dots that are drawn wherever the plot is seen; their own extent is not asked for either."""

    def boundingRect(self) -> QRectF:
        view = self.getViewBox()
        return QRectF() if view is None else view.viewRect()

    def paint(self, p: QPainter, *args: Any) -> None:
        if len(self.data):
            super().paint(p, *args)


class Upright(pg.InfiniteLine):  # type: ignore[misc]
    """A line across the plot: as long as the plot is seen, which pyqtgraph finds by way of the
    screen."""

    def _computeBoundingRect(self) -> QRectF:
        view = self.getViewBox()
        if view is None:
            return QRectF()
        seen: QRectF = self.mapRectFromParent(view.viewRect())
        self._endPoints = seen.left(), seen.right()
        return seen
