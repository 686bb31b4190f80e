"""Where the names of the pages stand: a column at the left that scrolls in a low window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget


class NavColumn(QFrame):
    """Empty until the studio puts the names into `names`."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("nav")
        # In a low window, or at large type, the names of the pages scroll.
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        held = QWidget()
        self.names = QVBoxLayout(held)
        self.names.setContentsMargins(8, 12, 8, 12)
        self.area.setWidget(held)
        within = QVBoxLayout(self)
        within.setContentsMargins(0, 0, 0, 0)
        within.addWidget(self.area)

    def need(self) -> int:
        """The px of width at which no name is cut."""
        names = [button.sizeHint().width() for button in self.findChildren(QPushButton)]
        margins = self.names.contentsMargins()
        return max([0, *names]) + margins.left() + margins.right()
