"""A scroll bar that takes no room: it lies over a margin of what scrolls, which is always kept."""

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtWidgets import QScrollArea, QScrollBar, QWidget

OVERLAY = 12  # px that a margin keeps for it


class OverlayBar(QScrollBar):
    """For an area, at the right edge of a widget around it; hidden where all is seen."""

    def __init__(self, area: QScrollArea, around: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, around)
        self.area, self.around = area, around
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = area.verticalScrollBar()
        inner.rangeChanged.connect(self._follow)
        inner.valueChanged.connect(self.setValue)
        self.valueChanged.connect(inner.setValue)
        area.installEventFilter(self)
        self.hide()

    def _follow(self, low: int, high: int) -> None:
        inner = self.area.verticalScrollBar()
        self.setPageStep(inner.pageStep())
        self.setSingleStep(inner.singleStep())
        self.setRange(low, high)
        self.setValue(inner.value())
        self._place()
        self.setVisible(high > low)

    def _place(self) -> None:
        wide, box = self.sizeHint().width(), self.area.geometry()
        left = self.around.width() - wide - 1
        self.setGeometry(QRect(left, box.top(), wide, box.height()))
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return False
