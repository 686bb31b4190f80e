"""The stroke that a name has in the charts, as the icon of its button."""

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractButton

from dpstudio.charts.figure import Line
from dpstudio.charts.inks import known, seen_as, stroke
from dpstudio.gui.board.coordinates import pen
from dpstudio.gui.parts.theme import Look

_SIZE, _RATIO = (30, 8), 2


def with_stroke(button: QAbstractButton, ink: str, look: Look) -> None:
    """Give a button the stroke of an ink; none where it has none of its own."""
    if not known(ink):
        return
    width, height = map(look.px, _SIZE)
    picture = QPixmap(width * _RATIO, height * _RATIO)
    picture.setDevicePixelRatio(_RATIO)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setPen(pen(look, seen_as(ink), stroke(Line("", ink))))
    painter.drawLine(QPointF(0, height / 2), QPointF(width, height / 2))
    painter.end()
    button.setIcon(QIcon(picture))
    button.setIconSize(QSize(width, height))
