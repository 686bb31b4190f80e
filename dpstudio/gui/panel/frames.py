"""What the parts of a panel stand in."""

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QCursor, QMoveEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QVBoxLayout, QWidget

from dpstudio.gui.panel.folding import FoldingHead
from dpstudio.gui.parts.choice_list import OUTDENT
from dpstudio.gui.parts.labels import hair, label
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr

# px beside the words of a panel, also where type is large; rows of a list go beyond them.
_EDGE, _NARROW, _LARGE = 24, 16, 1.5
_GAP = 7
_TRIES, _LATE = 3, 20
_MOVING = QEvent.Type.LayoutRequest, QEvent.Type.Resize


class Part(QFrame):
    """A part of the panel under a hairline, with a small heading; what stands in it goes into its
    `column`. One that `folds` opens at its name, which tells meanwhile what is to be found in
    it."""

    def __init__(self, title: str, folds: bool) -> None:
        super().__init__()
        self.column = QVBoxLayout()
        self.column.setSpacing(_GAP)
        self.hair = hair()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0 if folds else 12)
        whole.setSpacing(0 if folds else _GAP)
        self.head: FoldingHead | None = None
        inset = QVBoxLayout()
        inset.setContentsMargins(OUTDENT, 0, OUTDENT, 0)
        inset.setSpacing(0 if folds else 12)
        inset.addWidget(self.hair)
        whole.addLayout(inset)
        if not folds:
            inset.addWidget(label(tr(title), "head", wrap=True))
            whole.addLayout(self.column)
            return
        self.column.setContentsMargins(0, 0, 0, 8)
        self.head = FoldingHead(tr(title))
        inset.addWidget(self.head)
        self.within = QWidget()
        self.within.setLayout(self.column)
        self.within.hide()
        self.head.toggled.connect(self.within.setVisible)
        whole.addWidget(self.within)

    @property
    def columns(self) -> list[QLayout]:
        """The layouts of what stands in it."""
        return [layout for layout in (self.layout(), self.column) if layout is not None]

    def lead(self) -> None:
        """Stand under the bar of the window, whose edge is its hairline."""
        self.hair.hide()
        self.setContentsMargins(0, 12, 0, 0)

    def unfold(self) -> None:
        """Let what is in it be seen."""
        if self.head is not None:
            self.head.setChecked(True)


def column_in(within: QWidget) -> QVBoxLayout:
    """A column with room for a scroll bar at its right edge."""
    column = QVBoxLayout(within)
    column.setSpacing(0)
    return column


def set_edges(look: Look, *columns: QLayout) -> None:
    """Keep these as far from the edges of the panel as the type allows."""
    edge = (_NARROW if look.scale >= _LARGE else _EDGE) - OUTDENT
    for column in columns:
        column.setContentsMargins(edge, 0, edge, 0)


class PanelScroll(QScrollArea):
    """What of a panel is not pinned; as high as there is room. What a hand is on stays where it is,
    whatever comes or goes above it: it scrolls against that, and has more room above or below where
    it is too short for it, until the pointer leaves."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._held: QWidget | None = None
        self._staying = False
        self._late = QTimer(self)  # parts within parts find their places one after the other
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._stay)
        self._at = self._above = self._below = self._left = 0

    def hold(self, widget: QWidget) -> None:
        """From now on this widget, which is in it, stays where it stands in it."""
        if widget is not self._held and widget.isVisible():
            self._held, self._at, self._left = widget, self._stands(widget), _LATE

    def ensureWidgetVisible(self, widget: QWidget, x: int = 50, y: int = 50) -> None:
        """Scroll to it, and while something is held no further than it must be; that stays from
        then on where this has brought it."""
        before = self.verticalScrollBar().value()
        super().ensureWidgetVisible(widget, x, 0 if self._held is not None else y)
        self._at -= self.verticalScrollBar().value() - before

    def bring_whole(self, widget: QWidget) -> None:
        """Scroll until all of it is seen, its head where it is higher than there is room; there it
        stays, whatever was held."""
        body, bar = self.widget(), self.verticalScrollBar()
        assert body is not None
        self.let_go()
        for _ in range(_TRIES):  # parts within parts find their places one after the other
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            top = self._stands(widget) - self._stands(body)
            wanted = max(bar.value(), top + widget.height() - self.viewport().height())
            bar.setValue(min(top, wanted))
        self.hold(widget)

    def let_go(self) -> None:
        """Nothing is held, and the room that was made for it is given back."""
        self._held = None
        self._make_room(0, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        done = super().eventFilter(watched, event)
        if event.type() in _MOVING and watched is self.widget():
            self._stay()
        return done

    def _stay(self) -> None:
        held, body = self._held, self.widget()
        column = body.layout() if body is not None else None
        if held is not None and not shiboken6.isValid(held):
            self._held = held = None
        if self._staying or held is None or body is None or column is None or not held.isVisible():
            return
        self._staying = True
        for _ in range(_TRIES):  # room that is made may change how high lines of words are
            column.activate()
            if self._stands(held) == self._at:
                break
            if self._left > 0:
                self._left -= 1
                self._late.start()
            scroll = held.mapTo(body, QPoint()).y() - self._above - self._at + self._stands(self)
            high = column.totalSizeHint().height()
            if column.hasHeightForWidth():
                high = column.totalHeightForWidth(body.width())
            below = max(0, scroll + self.viewport().height() - high + self._above + self._below)
            self._make_room(max(0, -scroll), below if scroll > 0 else 0)
            QCoreApplication.sendPostedEvents(body, QEvent.Type.LayoutRequest.value)
            self.verticalScrollBar().setValue(max(0, scroll))
        self._staying = False

    def _make_room(self, above: int, below: int) -> None:
        body = self.widget()
        column = body.layout() if body is not None else None
        if column is None or (above, below) == (self._above, self._below):
            return
        edges = column.contentsMargins()
        edges.setTop(edges.top() - self._above + above)
        edges.setBottom(edges.bottom() - self._below + below)
        self._above, self._below = above, below
        column.setContentsMargins(edges)

    def _stands(self, widget: QWidget) -> int:
        """How low a widget is in the whole panel."""
        return widget.mapTo(self.window(), QPoint()).y()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._stay()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stay()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.let_go()

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event)
        self._held = None


def hold_still(widget: QWidget) -> None:
    """A hand is on something in this: where it stands in what scrolls, it stays."""
    under = widget.childAt(widget.mapFromGlobal(QCursor.pos()))
    around = widget.parentWidget()
    while around is not None and not isinstance(around, PanelScroll):
        around = around.parentWidget()
    if around is not None:
        around.hold(under or widget)
