"""What stands above the charts, and the room that it keeps."""

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

SETTLE_MS = 600  # in which a page that has just turned finds its room


class Header(QWidget):
    """Widgets one below the other. It grows as they do, and gives room back only where the page
    turns, folds or has another width: what stands below never moves for words that came and
    went."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(2)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLE_MS)
        self._settling.timeout.connect(self._fit)

    def need(self, width: int) -> int:
        """The px of height that it takes where it is so wide."""
        return max(0, self.column.heightForWidth(width), self.minimumHeight())

    def give_back(self) -> None:
        """Take no more than is needed, at once and until all has its place."""
        self.setMinimumHeight(0)
        self._settling.start()

    def _fit(self) -> None:
        self.setMinimumHeight(max(0, self.column.heightForWidth(self.width())))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            need = self.column.heightForWidth(self.width())
            if need > self.minimumHeight() and not self._settling.isActive():
                self.setMinimumHeight(need)
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.give_back()
