"""The border between the panel and the board, which can be moved by pointer and by keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QStyle, QStyleOption

from dpstudio.gui.parts.tr import tr
from dpstudio.values.messages import N_

STEP = 16  # px that a key moves it
_WAYS = {Qt.Key.Key_Left: -STEP, Qt.Key.Key_Right: STEP}


class Border(QSplitterHandle):
    """A border in the order of the tab key; ← and → move it."""

    def __init__(self, splitter: QSplitter):
        super().__init__(Qt.Orientation.Horizontal, splitter)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr(N_("Width of the panel")))
        self.setToolTip(tr(N_("Width of the panel: drag, or press ← and →")))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = _WAYS.get(Qt.Key(event.key()))
        if by is None:
            super().keyPressEvent(event)
            return
        self.moveSplitter(self.closestLegalPosition(self.x() + by))

    def paintEvent(self, event: QPaintEvent) -> None:
        # By its own style sheet: Qt would ask for that of the splitter, and of all within.
        option, painter = QStyleOption(), QPainter(self)
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        if self.hasFocus():
            painter.fillRect(self.rect(), self.palette().windowText())
        painter.end()


class Sides(QSplitter):
    """Two parts beside each other, neither of which can be closed."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(6)

    def createHandle(self) -> QSplitterHandle:
        return Border(self)
