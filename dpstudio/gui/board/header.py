"""What stands above the charts, and the room that it keeps."""

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

REST_MS = 1000


class Header(QWidget):
    """Widgets one below the other. It grows as they do, but gives room back only after a while in
    which they did without: a word that comes and goes under the hand must not move the charts."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(2)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.give_back)

    def need(self, width: int) -> int:
        """The px of height that it takes where it is so wide."""
        return max(0, self.column.heightForWidth(width), self.minimumHeight())

    def give_back(self) -> None:
        """Take no more than is needed, at once."""
        self._rest.stop()
        self.setMinimumHeight(0)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            need, kept = self.column.heightForWidth(self.width()), self.minimumHeight()
            if need >= kept:
                self._rest.stop()
                self.setMinimumHeight(need)
            elif not self._rest.isActive():
                self._rest.start()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.give_back()
