"""The extent of a part of a plot, which Qt asks for many times in every frame."""

from PySide6.QtCore import QRectF, QSizeF


class Bounds:
    """Before a class of pyqtgraph: its extent is worked out once for each size."""

    beyond = 0  # px beyond its size in which it paints as well
    _sized, _bounds = QSizeF(-1, -1), QRectF()

    def boundingRect(self) -> QRectF:
        size = self.size()  # type: ignore[attr-defined]
        if size != self._sized:
            box, more = super().boundingRect(), self.beyond  # type: ignore[misc]
            self._sized, self._bounds = size, box.adjusted(-more, -more, more, more)
        return self._bounds
