"""Bars over the foot of the page, each of which waits while a page is presented: nothing but the
page stands then."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

_MOVED = QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide


class WaitingBar(QFrame):
    """Hidden until there is something in it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("bar")
        self.busy = False  # whether something stands in it, to be seen now or later
        self._waits = self._aside = False
        self.hide()

    def fill(self, busy: bool, urgent: bool = True) -> None:
        """There is something in it, or nothing any more; what is not `urgent` can wait."""
        self.busy, self._waits = busy, self._aside and not urgent
        seen = self.busy and not self._waits
        if self.isHidden() == seen:
            self.setVisible(seen)

    def put_aside(self, aside: bool) -> None:
        """A page is presented, or none any more."""
        self._aside = aside
        self.fill(self.busy, not aside)


class Bars(QWidget):
    """A column of bars over the foot of what is `under` it, beside the panel where the `page` of a
    lab is seen, from edge to edge to hide least: nothing moves when one of them comes or goes.
    `covering(high)`: from now on they lie over so many px."""

    covering = Signal(int)

    def __init__(self, under: QWidget, page: QWidget, *bars: QFrame) -> None:
        super().__init__(under)
        self.under, self.page = under, page
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        for bar in bars:
            self.add(bar)
        for around in (under, page):
            around.installEventFilter(self)

    def add(self, bar: QFrame) -> None:
        """Another bar, below the others."""
        self.column.addWidget(bar)
        bar.installEventFilter(self)

    def place(self) -> None:
        """Be as high as what is in it, and above all else."""
        left = self.page.mapTo(self.under, QPoint()).x() if self.page.isVisible() else 0
        box, column = self.under.rect(), self.column
        wide = box.width() - left
        bars = self.findChildren(QFrame, options=Qt.FindChildOption.FindDirectChildrenOnly)
        seen = any(not bar.isHidden() for bar in bars)
        tall = column.hasHeightForWidth()  # else it says -1 for any width
        need = column.totalHeightForWidth(wide) if tall else column.totalSizeHint().height()
        high = min(need, box.height()) if seen else 0
        self.setGeometry(QRect(left, box.height() - high, wide, high))
        self.raise_()
        self.covering.emit(high)
        column.activate()
        if any(bar.height() < bar.heightForWidth(bar.width()) for bar in bars if bar.isVisible()):
            column.invalidate()  # it knew how high a bar was with what was in it before
            column.setGeometry(self.contentsRect())
        for bar in bars:  # what is in one that was just filled can be clicked at once
            if not bar.isHidden() and (inner := bar.layout()) is not None:
                # Where its layout has it: elsewhere both would lay it out in turn for ever.
                inner.setGeometry(bar.contentsRect())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.place()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ChildAdded and watched is self.under:
            self.raise_()  # a page that is made while something is asked would lie over it
        if event.type() in _MOVED:
            if watched.parent() is self:  # one that is seen can be clicked at once
                self.column.activate()
            self.place()
        return False
