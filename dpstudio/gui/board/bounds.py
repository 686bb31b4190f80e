"""The extent of a part of a plot, which Qt asks for many times in every frame."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF


class Bounds:
    """Before a class of pyqtgraph: its extent is worked out once for each size."""

    _sized, _bounds = QSizeF(-1, -1), QRectF()

    def boundingRect(self) -> QRectF:
        size = self.size()  # type: ignore[attr-defined]
        if size != self._sized:
            self._sized, self._bounds = size, super().boundingRect()  # type: ignore[misc]
        return self._bounds
