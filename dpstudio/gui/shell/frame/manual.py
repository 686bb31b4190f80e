"""Where the manual lies: over the charts, at the right, so that the panel can be used meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Signal
from PySide6.QtWidgets import QApplication, QWidget

from dpstudio.files.manual import INDEX, ManualPage, NoPageError, manual_page
from dpstudio.gui.shell.frame.window import Window

if TYPE_CHECKING:
    from dpstudio.gui.shell.frame.manual_pane import ManualPane

KEYS, ABOUT = "use/keys", "use/about"
WIDE, LEAST, GAP = 560, 400, 8  # px at normal type, and of the ground around it


def over_the_charts(window: Window) -> QRect:
    """Where a pane lies over the charts, at the right, between the bars and the foot, so that the
    panel can be used meanwhile."""
    nav, whole = window.nav, window.width()
    bars = [bar for bar in (window.question, window.message) if bar.isVisible()]
    top, below = nav.y() + GAP, sum(bar.height() + GAP for bar in bars)
    room = whole - nav.width() - 2 * GAP
    px, panel = window.theme.look.px, window.panel
    beside = room - panel.width() if panel.isVisible() else room
    wide = min(px(WIDE), max(beside, min(px(LEAST), room)))
    high = nav.y() + nav.height() - top - GAP - below
    return QRect(whole - wide - GAP, top, wide, high)


class Manual(QObject):
    """Opens the manual at a page, and closes it. `here` gives the name of the page of the manual
    that tells of what is on the screen. `rearranged`: it came, or went."""

    rearranged = Signal()

    def __init__(self, window: Window, here: Callable[[], str]):
        super().__init__(window)
        self.window, self.here = window, here
        self._before: QWidget | None = None

    @property
    def on(self) -> bool:
        """Whether it is to be seen."""
        return "pane" in self.__dict__ and not self.pane.isHidden()

    @cached_property
    def pane(self) -> ManualPane:
        """What it is read in, made when it is first opened."""
        from dpstudio.gui.shell.frame.manual_pane import ManualPane

        window, pane = self.window, ManualPane()
        pane.hide()
        pane.setParent(window.centralWidget())
        window.style_sheets.add(pane)
        pane.left.connect(self.leave)
        pane.index.connect(self.contents)
        window.theme.changed.connect(self._dress)
        window.presented.connect(self.leave)
        # Between the bars, which come and go, and the foot of the window.
        for beside in (window.nav, window.panel, window.question, window.message):
            beside.installEventFilter(self)
        return pane

    @property
    def parts(self) -> list[QWidget]:
        """What Tab goes through of it."""
        return [self.pane] if self.on else []

    def toggle(self) -> None:
        """The page of what is on the screen, or the index where it has none; away where a person
        reads already."""
        if self.on and self.pane.isAncestorOf(QApplication.focusWidget() or self.window):
            self.leave()
        else:
            self.show(self._found())

    def _found(self) -> ManualPage:
        try:
            return manual_page(f"use/{self.here()}")
        except NoPageError:
            return manual_page(INDEX)

    def contents(self) -> None:
        """The index."""
        self.show(manual_page(INDEX))

    def about(self) -> None:
        """The page of the program itself."""
        self.show(manual_page(ABOUT))

    def keys(self) -> None:
        """The page of the keys."""
        self.show(manual_page(KEYS))

    def show(self, page: ManualPage, heading: str = "") -> None:
        """A page, from a heading of it where one is named."""
        self.window.leave_presenting()
        if not self.on:
            self._before = self.window.focusWidget()
            self.pane.reader.look = self.window.theme.look
            self._place()
            self.pane.show()
            self.pane.raise_()
            self.rearranged.emit()
        self.pane.reader.read(page, heading)
        self.pane.reader.setFocus()

    def leave(self) -> None:
        """Close it, and give the focus back."""
        if not self.on:
            return
        self.pane.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()
        self._before = None
        self.rearranged.emit()

    def _dress(self) -> None:
        if self.on:
            self._place()
            self.pane.reader.dress(self.window.theme.look)

    def _place(self) -> None:
        self.pane.setGeometry(over_the_charts(self.window))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moved = QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide
        if event.type() in moved and self.on:
            self._place()
        return False
