"""A pane that lies over the charts, at the right, so that the panel can be used meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QRect, Signal
from PySide6.QtWidgets import QApplication, QWidget

from dpstudio.gui.shell.frame.window import Window

WIDE, LEAST, GAP = 560, 400, 8  # px at normal type, and of the ground around it
_MOVED = QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide

# The pane: a widget with a signal `left`.
P = TypeVar("P", bound=Any)


class OverCharts(QObject, Generic[P]):
    """Opens such a pane, which `made` makes when it is first asked for, and closes it.
    `rearranged`: it came, or went."""

    rearranged = Signal()
    made: Callable[[], P]

    def __init__(self, window: Window):
        super().__init__(window)
        self.window = window
        self._before: QWidget | None = None

    @property
    def on(self) -> bool:
        """Whether it is to be seen."""
        return "pane" in self.__dict__ and not self.pane.isHidden()

    @property
    def parts(self) -> list[QWidget]:
        """What Tab goes through of it."""
        return [self.pane] if self.on else []

    @property
    def read(self) -> bool:
        """Whether a person reads in it already."""
        return self.on and self.pane.isAncestorOf(QApplication.focusWidget() or self.window)

    @cached_property
    def pane(self) -> P:
        """What it is read in."""
        window, pane = self.window, self.made()
        pane.hide()
        pane.setParent(window.centralWidget())
        window.style_sheets.add(pane)
        pane.left.connect(self.leave)
        window.theme.changed.connect(self._redress)
        window.presented.connect(self.leave)
        # Between the bars, which come and go, and the foot of the window.
        for beside in (window.nav, window.panel, window.question, window.message):
            beside.installEventFilter(self)
        return pane

    def come(self) -> None:
        """Show it, where it is not; the focus goes back to what has it now."""
        self.window.leave_presenting()
        if self.on:
            return
        self._before = self.window.focusWidget()
        self.pane.show()
        self.pane.raise_()
        self._redress()
        self.rearranged.emit()

    def leave(self) -> None:
        """Close it, and give the focus back."""
        if not self.on:
            return
        self.pane.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()
        self._before = None
        self.rearranged.emit()

    def dress(self) -> None:
        """Give what is in it the look of the window."""
        self.pane.dress(self.window.theme.look)

    def _redress(self) -> None:
        if self.on:
            self.pane.setGeometry(self._place())
            self.dress()

    def _place(self) -> QRect:
        """Between the bars and the foot."""
        window, nav, whole = self.window, self.window.nav, self.window.width()
        bars = [bar for bar in (window.question, window.message) if bar.isVisible()]
        top, below = nav.y() + GAP, sum(bar.height() + GAP for bar in bars)
        room = whole - nav.width() - 2 * GAP
        px, panel = window.theme.look.px, window.panel
        beside = room - panel.width() if panel.isVisible() else room
        wide = min(px(WIDE), max(beside, min(px(LEAST), room)))
        high = nav.y() + nav.height() - top - GAP - below
        return QRect(whole - wide - GAP, top, wide, high)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVED and self.on:
            self.pane.setGeometry(self._place())
        return False
