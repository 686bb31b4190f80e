"""Buttons and checks whose words take further lines where one is not wide enough."""

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QIcon, QPixmap, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QSizePolicy

from dpstudio.charts.label_folding import folded

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractButton as _Base
else:
    _Base = object


class _Wrapping(_Base):
    """Its hint is that of one line; a layout that gives less width asks how high it is then.
    `text()` is always the whole."""

    def __init__(self, text: str = "", parent: Any = None):
        super().__init__(parent)
        self._whole = ""
        # Layouts ask the same again and again, until words, icon or type change.
        self._hints: dict[str, QSize] = {}
        self._heights: dict[int, int] = {}
        self._edges: tuple[int, int] | None = None
        # A button's own policy would take its hint for the least.
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setText(text)

    def setText(self, text: str) -> None:
        before, self._whole = self._whole, text
        if text != before:
            self._forget()
            self._break()
            self.updateGeometry()

    def text(self) -> str:
        return self._whole

    def _metrics(self) -> QFontMetricsF:
        """Of the heavier type of a button that is down."""
        self.ensurePolished()
        font = self.font()
        font.setWeight(QFont.Weight.DemiBold)
        return QFontMetricsF(font)

    def _around(self) -> tuple[int, int]:
        """The px beside the words, and the height of a line, which Qt takes for whole px."""
        self.ensurePolished()  # before this its font is not that of the style sheet
        if self._edges is None:
            size = QFontMetricsF(self.font())
            wide = max(size.horizontalAdvance(line) for line in super().text().split("\n"))
            room = super().sizeHint().width() - wide
            self._edges = math.ceil(room), math.ceil(size.lineSpacing())
        return self._edges

    def _lines(self, width: int) -> tuple[str, ...]:
        size, room = self._metrics(), width - self._around()[0]
        return folded(self._whole, room, lambda text: (size.horizontalAdvance(text), 0.0))

    def _break(self) -> None:
        broken = "\n".join(self._lines(self.width()))
        if broken != super().text():
            super().setText(broken)
            self._forget()  # beside a high icon the height is not that of the lines alone

    def sizeHint(self) -> QSize:
        self.ensurePolished()  # which may bring another font, and forget
        if "whole" not in self._hints:
            self._hints["whole"] = self._room(self._metrics().horizontalAdvance(self._whole))
        return self._hints["whole"]

    def minimumSizeHint(self) -> QSize:
        self.ensurePolished()
        if "least" not in self._hints:
            wide = self._metrics().horizontalAdvance
            parts = folded(self._whole, 0.0, lambda text: (wide(text), 0.0))
            self._hints["least"] = self._room(max(map(wide, parts)))
        return self._hints["least"]

    def _room(self, words: float) -> QSize:
        return QSize(math.ceil(self._around()[0] + words), self._high(1))

    def _forget(self) -> None:
        self._hints, self._heights, self._edges = {}, {}, None

    def setIcon(self, icon: QIcon | QPixmap) -> None:
        super().setIcon(icon)
        self._forget()

    def setIconSize(self, size: QSize) -> None:
        super().setIconSize(size)
        self._forget()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._forget()

    def _high(self, lines: int) -> int:
        now = super().text().count("\n") + 1
        return super().sizeHint().height() + (lines - now) * self._around()[1]

    def heightForWidth(self, width: int) -> int:
        self.ensurePolished()
        if width not in self._heights:
            self._heights[width] = self._high(len(self._lines(width)))
        return self._heights[width]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._break()


class WrappingButton(_Wrapping, QPushButton):
    """A push button."""


class WrappingCheck(_Wrapping, QCheckBox):
    """A check box."""
