"""Heat maps: coloured cells with numbers in them, as one item of a plot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from dpstudio.gui.parts.theme import Look


class Cells(pg.GraphicsObject):  # type: ignore[misc]
    """Coloured cells between edges that need not be equally far apart: one picture where they are,
    else cell by cell.

    All hold their numbers, in type as small as it takes, or none does.
    """

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.fonts = [look.font(size) for size in (12, 11, 10, 9, 8)]
        first, other = look.color("text"), look.color("surface")
        self.inks = (first, other) if first.lightness() < other.lightness() else (other, first)
        self.words: list[tuple[int, int, str, bool]] = []
        self.x, self.y = np.array([0.0, 1.0]), np.array([0.0, 1.0])
        self.colours = np.zeros((1, 1, 3), dtype=np.uint8)
        self._picture: QImage | None = None

    def show_cells(
        self,
        x: np.ndarray,
        y: np.ndarray,
        colours: np.ndarray,
        words: list[tuple[int, int, str, bool]],
    ) -> None:
        """`colours` (rows, columns, 3) over the edges x and y in the plot's own coordinates, row 0
        at the bottom."""
        self.prepareGeometryChange()
        self.x, self.y, self.colours, self.words, self._picture = x, y, colours, words, None
        if all(
            len(edges) > 1 and np.allclose(np.diff(edges), edges[1] - edges[0]) for edges in (x, y)
        ):
            rows, columns, _ = colours.shape
            rgba = np.full((rows, columns, 4), 255, dtype=np.uint8)
            rgba[..., :3] = colours
            self._picture = QImage(
                rgba.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888
            ).copy()
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(self.x[0], self.y[0], self.x[-1] - self.x[0], self.y[-1] - self.y[0])

    def paint(self, painter: QPainter, *_: Any) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        if self._picture is not None:
            # The plot's y runs up, and so do the rows of the picture.
            painter.drawImage(self.boundingRect(), self._picture)
        else:
            self._fill(painter)
        self._write(painter)

    def _write(self, painter: QPainter) -> None:
        """The numbers, in pixels about the middle of their cells."""
        across, up = self.pixelWidth(), self.pixelHeight()
        if not across or not up:
            return
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing, True)
        boxes = [
            ((self.x[column + 1] - self.x[column]) / across, (self.y[row + 1] - self.y[row]) / up)
            for row, column, _, _ in self.words
        ]
        font = next((font for font in self.fonts if self._fit(font, boxes)), None)
        if font is None:
            return  # colour alone: a number in some of the cells would read as if others had none
        painter.setFont(font)
        for (row, column, words, dark), (wide, high) in zip(self.words, boxes, strict=True):
            painter.save()
            painter.translate(
                (self.x[column] + self.x[column + 1]) / 2, (self.y[row] + self.y[row + 1]) / 2
            )
            painter.scale(across, -up)
            painter.setPen(self.inks[1] if dark else self.inks[0])
            painter.drawText(
                QRectF(-wide / 2, -abs(high) / 2, wide, abs(high)),
                Qt.AlignmentFlag.AlignCenter,
                words,
            )
            painter.restore()

    def _fit(self, font: QFont, boxes: list[tuple[float, float]]) -> bool:
        """Whether every number has room in its cell, (width, height) in px."""
        metrics = QFontMetricsF(font)
        return all(
            metrics.horizontalAdvance(words) + 4 <= abs(wide) and metrics.height() <= abs(high)
            for (_, _, words, _), (wide, high) in zip(self.words, boxes, strict=True)
        )

    def _fill(self, painter: QPainter) -> None:
        for row in range(len(self.y) - 1):
            for column in range(len(self.x) - 1):
                box = QRectF(
                    self.x[column],
                    self.y[row],
                    self.x[column + 1] - self.x[column],
                    self.y[row + 1] - self.y[row],
                )
                painter.fillRect(box, QColor(*self.colours[row, column].tolist()))
