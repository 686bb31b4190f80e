"""The border between the panel and the board, which can be moved by pointer and by keys."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle

from dpstudio.gui.parts.focus_ring import ringed
from dpstudio.gui.parts.theme import Theme, frame_color
from dpstudio.gui.parts.tr import tr
from dpstudio.values.messages import N_

STEP = 16  # px that a key moves it
_WAYS = {Qt.Key.Key_Left: -STEP, Qt.Key.Key_Right: STEP}


class SplitterBorder(QSplitterHandle):
    """A border in the order of the tab key; ← and → move it."""

    def __init__(self, splitter: QSplitter, theme: Theme):
        super().__init__(Qt.Orientation.Horizontal, splitter)
        self.theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
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
        # Not by a style sheet: Qt would ask for that of the splitter, and of all within.
        look, painter, right = self.theme.look, QPainter(self), self.width() - 1
        tone = "wash" if self.underMouse() else "side"
        painter.fillRect(self.rect(), frame_color(look, tone))
        painter.fillRect(right, 0, 1, self.height(), frame_color(look, "line"))
        if ringed(self):
            painter.fillRect(self.rect(), look.color("text"))
        painter.end()


class SideSplitter(QSplitter):
    """Two parts beside each other, neither of which can be closed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.theme = theme
        self.setChildrenCollapsible(False)
        self.setHandleWidth(6)

    def createHandle(self) -> QSplitterHandle:
        return SplitterBorder(self, self.theme)
