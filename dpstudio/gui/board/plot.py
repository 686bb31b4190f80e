"""A plot (its area, the axes at the left and below, and nothing else) and a view that it fills.

Those of pyqtgraph come with a form, menus, a title, two more axes and ways to look about, none of
which is used: these cost more than all the rest."""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGraphicsItem, QGraphicsView, QWidget

from dpstudio.gui.board.axis_items import SideAxis
from dpstudio.gui.board.plot_area import PlotArea


class Plot(pg.GraphicsWidget):  # type: ignore[misc]
    """`margins`: px at the left, above, at the right and below."""

    def __init__(self) -> None:
        super().__init__()
        self.margins = (0, 0, 0, 0)
        self.vb = PlotArea()
        self.vb.setParentItem(self)
        self.axes = {"left": SideAxis("left"), "bottom": SideAxis("bottom")}
        for axis in self.axes.values():
            axis.linkToView(self.vb)
            axis.setParentItem(self)
            axis.setZValue(-0.5)  # below marks that stand on it
            axis.setFlag(QGraphicsItem.GraphicsItemFlag.ItemNegativeZStacksBehindParent)

    def resizeEvent(self, _: Any) -> None:
        self.lay_out()

    def lay_out(self) -> None:
        """Give the area the room that margins and axes leave."""
        size, (left, top, right, bottom) = self.size(), self.margins
        beside, below = self.axes["left"].room(), self.axes["bottom"].room()
        wide = max(0.0, size.width() - left - beside - right)
        high = max(0.0, size.height() - top - below - bottom)
        self.axes["left"].setGeometry(QRectF(left, top, beside, high))
        self.axes["bottom"].setGeometry(QRectF(left + beside, top + high, wide, below))
        # It comes last: who hears of its size may lay out anew.
        self.vb.setGeometry(QRectF(left + beside, top, wide, high))


class PlotFrame(QGraphicsView):
    """A view that one plot fills."""

    # Items of pyqtgraph ask for these while they are put into the scene.
    sigDeviceRangeChanged = Signal(object)
    sigDeviceTransformChanged = Signal(object)

    def __init__(self, parent: QWidget | None):
        super().__init__(parent)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAcceptDrops(False)  # files dropped here are the window's
        self.plot, self.stage = Plot(), pg.GraphicsScene(parent=self)
        self.setScene(self.stage)
        self.stage.addItem(self.plot)

    def fill(self) -> None:
        """Give the plot all the room."""
        room = QRectF(self.rect())
        self.setSceneRect(room)
        self.plot.setGeometry(room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fill()

    def leaveEvent(self, event: QEvent) -> None:
        self.stage.leaveEvent(event)  # what is under the pointer is so no more
