"""A part of a page that has no panel: on the white board, under a hairline."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import tr

BETWEEN = 32  # px between two columns of parts


def board_part(
    title: str = "", frame: QFrame | None = None, first: bool = False
) -> tuple[QFrame, QVBoxLayout]:
    """A frame, or the one that is given, with a small heading; the `first` of a column has no
    hairline above it."""
    frame = frame if frame is not None else QFrame()
    frame.setObjectName("piece" if first else "part")
    column = QVBoxLayout(frame)
    column.setContentsMargins(0, 0 if first else 10, 0, 10)
    column.setSpacing(7)
    if title:
        column.addWidget(label(tr(title), "head", wrap=True))
    return frame, column


def on_board(page: QWidget) -> None:
    """Let a page stand on the white board."""
    page.setObjectName("plain")
    page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
