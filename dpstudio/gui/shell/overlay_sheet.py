"""A sheet that fills the middle of the window for a while, presenting or not."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.pages import Pages


class OverlaySheet(QObject):
    """Hides what stands in the middle, but for the bars that ask and say, and shows the sheet in
    its place. `rearranged`: it came, or went."""

    rearranged = Signal()

    def __init__(self, window: Window, pages: Pages, sheet: QWidget):
        super().__init__(window)
        self.window, self.sheet = window, sheet
        self._covered: list[QWidget] = []
        sheet.hide()
        window.middle.addWidget(sheet, 1)
        pages.turned.connect(self._on_page)

    @property
    def on(self) -> bool:
        """Whether it is to be seen."""
        return not self.sheet.isHidden()

    def cover(self) -> None:
        """Show the sheet."""
        if self.on:
            return
        column = self.window.middle
        holder = self.sheet.parentWidget() or self.window
        beside = (w for w in holder.children() if isinstance(w, QWidget))
        inside = [w for w in beside if column.indexOf(w) >= 0]
        self._covered = [w for w in inside if w.isVisible()]
        for widget in (*self._covered, *self._foot()):
            widget.hide()
        self.sheet.show()
        self.rearranged.emit()

    def uncover(self) -> None:
        """Show what stood there before."""
        if not self.on:
            return
        covered, self._covered = self._covered, []
        self.sheet.hide()
        for widget in (*covered, *self._foot()):
            widget.show()
        self.rearranged.emit()

    def _foot(self) -> list[QWidget]:
        """What belongs to the chart that is presented."""
        stage = self.window.studio.stage() if self.window.studio is not None else None
        return [stage.foot] if self.window.presenting and stage is not None else []

    def _on_page(self) -> None:
        """What the page holds is shown by whoever turned to it."""
        if self.on:
            self._covered = []
            self.uncover()
