"""A box to type a few letters into, and below it what they find; Enter goes there."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.finding import FinderEntry, best
from dpstudio.gui.shell.frame.window import Window
from dpstudio.values.messages import N_

WIDTH = 520
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class Palette(QFrame):
    """It lies over the window while it has the focus, and gives it back when it goes."""

    def __init__(self, window: Window):
        super().__init__(window)
        window.style_sheets.add(self)
        self.setObjectName("card")
        self.box, self.list = QLineEdit(), QListWidget()
        self.box.setPlaceholderText(
            tr(N_("A page, a parameter, a column, a choice, an action, the manual"))
        )
        self.box.setAccessibleName(tr(N_("Find")))
        self.list.setAccessibleName(tr(N_("What was found")))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.addWidget(self.box)
        column.addWidget(self.list)
        self.found: list[FinderEntry] = []
        self._known: Sequence[FinderEntry] = ()
        self._before: QWidget | None = None
        self.box.textEdited.connect(self._look)
        self.box.installEventFilter(self)
        self.list.itemClicked.connect(self._take)
        self.hide()

    def ask(self, known: Iterable[FinderEntry], width: Callable[[int], int]) -> None:
        """Show it, empty, over all that is `known`."""
        self._known = list(known)
        self._before = self.window().focusWidget()
        self.box.clear()
        room = self.window().width()
        self.setFixedWidth(min(width(WIDTH), room - 40))
        self._look("")
        self.move((room - self.width()) // 2, width(56))
        self.show()
        self.raise_()
        self.box.setFocus()

    def _look(self, typed: str) -> None:
        self.found = best(typed, self._known)
        self.list.clear()
        for one in self.found:
            item = QListWidgetItem(f"{one.name}   ·   {tr(one.kind)}", self.list)
            item.setToolTip(one.more)
        if not self.found:
            nothing = QListWidgetItem(tr(N_("Nothing of this name")), self.list)
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.setCurrentRow(0)
        rows = max(1, self.list.count())
        row = max(self.list.sizeHintForRow(0), self.fontMetrics().height())
        self.list.setFixedHeight(rows * row + 2 * self.list.frameWidth() + 4)
        self.adjustSize()

    def _take(self, _: object = None) -> None:
        row = self.list.currentRow()
        self.leave()
        if 0 <= row < len(self.found):
            self.found[row].go()

    def leave(self) -> None:
        """Go, and give the focus back."""
        if self.isVisible():
            self.hide()
            if self._before is not None and self._before.isVisible():
                self._before.setFocus()
        self._before = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take()
                return True
            if event.key() in _MOVES:
                step = -1 if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_PageUp) else 1
                row = self.list.currentRow() + step
                self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
                return True
        return False
