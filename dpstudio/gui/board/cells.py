"""Heat maps: coloured cells with numbers in them."""

import math

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from dpstudio.charts.scaling import cell_word
from dpstudio.gui.parts.theme import Look

_SIZES, _GAP = (12, 11, 10, 9, 8), 4  # of the type, in px, and beside a number
_SOME = 16


def has_room(look: Look, values: np.ndarray, x: np.ndarray, y: np.ndarray) -> bool:
    """Whether some of the cells (rows, columns) between these edges could hold their numbers in the
    smallest type: where one could not, none is written, and no other needs to be worked out."""
    rows, columns = np.nonzero(np.isfinite(values))
    step = max(1, len(rows) // _SOME)
    metrics = QFontMetricsF(look.font(_SIZES[-1]))
    across, down = np.abs(np.diff(x)), np.abs(np.diff(y))
    return all(
        metrics.horizontalAdvance(cell_word(float(values[row, column]))) + _GAP <= across[column]
        and metrics.height() <= down[row]
        for row, column in zip(rows[::step], columns[::step], strict=True)
    )


class Cells:
    """Coloured cells between edges that need not be equally far apart: one picture where they are,
    else cell by cell.

    All hold their numbers, in type as small as it takes, or none does.
    """

    def __init__(
        self,
        look: Look,
        x: np.ndarray,
        y: np.ndarray,
        colours: np.ndarray,
        words: list[tuple[int, int, str, bool]],
    ) -> None:
        """`colours` (rows, columns, 3) over the edges x and y in px, row 0 at the bottom."""
        self.fonts = [look.font(size) for size in _SIZES]
        first, other = look.color("text"), look.color("surface")
        self.inks = (first, other) if first.lightness() < other.lightness() else (other, first)
        # Lists: they are asked for cell by cell.
        self.x, self.y, self.colours, self.words = x.tolist(), y.tolist(), colours, words
        self._font: QFont | None = None
        self._boxes: list[QRectF] | None = None
        self._picture: QImage | None = None
        if all(len(at) > 1 and np.allclose(np.diff(at), at[1] - at[0]) for at in (x, y)):
            rows, columns, _ = colours.shape
            rgba = np.full((rows, columns, 4), 255, dtype=np.uint8)
            rgba[..., :3] = colours[::-1]
            self._picture = QImage(
                rgba.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888
            ).copy()

    def __call__(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        rows, columns, _ = self.colours.shape
        if self._picture is not None:
            whole = self._box(0, 0).united(self._box(rows - 1, columns - 1))
            painter.drawImage(whole, self._picture)
        else:
            for row in range(rows):
                for column in range(columns):
                    color = QColor(*self.colours[row, column].tolist())
                    painter.fillRect(self._box(row, column), color)
        self._write(painter)

    def _box(self, row: int, column: int) -> QRectF:
        left, right = self.x[column : column + 2]
        low, high = self.y[row : row + 2]
        if math.isnan(left + right + low + high):
            return QRectF()  # it has no place
        return QRectF(left, high, right - left, low - high).normalized()

    def _write(self, painter: QPainter) -> None:
        """The numbers, about the middle of their cells."""
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing, True)
        if self._boxes is None:
            self._boxes = [self._box(row, column) for row, column, _, _ in self.words]
            self._font = next((font for font in self.fonts if self._fit(font, self._boxes)), None)
        if self._font is None:
            return  # colour alone: a number in some of the cells would read as if others had none
        painter.setFont(self._font)
        for (_, _, words, dark), box in zip(self.words, self._boxes, strict=True):
            painter.setPen(self.inks[1] if dark else self.inks[0])
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def _fit(self, font: QFont, boxes: list[QRectF]) -> bool:
        """Whether every number has room in its cell."""
        metrics = QFontMetricsF(font)
        high, kinds = metrics.height(), {words for _, _, words, _ in self.words}
        wide = {words: metrics.horizontalAdvance(words) + _GAP for words in kinds}
        return all(
            wide[words] <= box.width() and high <= box.height()
            for (_, _, words, _), box in zip(self.words, boxes, strict=True)
        )
