"""What the parts of a panel stand in."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import tr


def card(title: str) -> tuple[QFrame, QVBoxLayout]:
    """A frame with a small heading, on a page without a panel."""
    frame, layout = part(title)
    frame.setObjectName("card")
    layout.setContentsMargins(14, 10, 14, 12)
    return frame, layout


def part(title: str) -> tuple[QFrame, QVBoxLayout]:
    """A part of the panel under a hairline, with a small heading."""
    frame = QFrame()
    frame.setObjectName("part")
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(0, 12, 0, 12)
    layout.setSpacing(7)
    layout.addWidget(label(tr(title), "head", wrap=True))
    return frame, layout


def column_in(within: QWidget) -> QVBoxLayout:
    """A column with room for a scroll bar at its right edge."""
    column = QVBoxLayout(within)
    column.setContentsMargins(20, 0, 14, 0)
    column.setSpacing(0)
    return column


class PanelScroll(QScrollArea):
    """What of a panel is not pinned; as high as there is room."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
