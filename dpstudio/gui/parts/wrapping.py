"""Buttons and checks whose words take further lines where one is not wide enough."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontMetricsF, QResizeEvent
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
        # A button's own policy would take its hint for the least.
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setText(text)

    def setText(self, text: str) -> None:
        if text != self._whole:
            self._whole = text
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

    def _around(self) -> tuple[int, float]:
        """The px beside the words, and the height of a line."""
        self.ensurePolished()  # before this its font is not that of the style sheet
        size = QFontMetricsF(self.font())
        wide = max(size.horizontalAdvance(line) for line in super().text().split("\n"))
        return math.ceil(super().sizeHint().width() - wide), size.lineSpacing()

    def _lines(self, width: int) -> tuple[str, ...]:
        size, room = self._metrics(), width - self._around()[0]
        return folded(self._whole, room, lambda text: (size.horizontalAdvance(text), 0.0))

    def _break(self) -> None:
        broken = "\n".join(self._lines(self.width()))
        if broken != super().text():
            super().setText(broken)

    def sizeHint(self) -> QSize:
        around = self._around()[0]
        return QSize(
            math.ceil(around + self._metrics().horizontalAdvance(self._whole)), self._high(1)
        )

    def minimumSizeHint(self) -> QSize:
        size = self._metrics()
        word = max((size.horizontalAdvance(word) for word in self._whole.split()), default=0.0)
        return QSize(math.ceil(self._around()[0] + word), self._high(1))

    def _high(self, lines: int) -> int:
        now = super().text().count("\n") + 1
        return math.ceil(super().sizeHint().height() + (lines - now) * self._around()[1])

    def heightForWidth(self, width: int) -> int:
        return self._high(len(self._lines(width)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._break()


class WrappingButton(_Wrapping, QPushButton):
    """A push button."""


class WrappingCheck(_Wrapping, QCheckBox):
    """A check box."""
