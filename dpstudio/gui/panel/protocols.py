"""The picker of a local protocol: by its short name and colour, with its full name and formula, and
what else it can be told."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from dpstudio.gui.panel.mechanisms import Picker
from dpstudio.gui.parts.buttons import Segments
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr

_DOT = 9
_LETTERS = 34  # in one row of buttons, each with a dot


class ProtocolField(Picker):
    """Buttons with the colour that each protocol has in the charts, and its name and formula."""

    def buttons(self) -> Segments:
        names = {key: kind.short for key, kind in self.family.items()}
        return Segments(names, fluid=True, room=_LETTERS)

    def about(self, kind: Any) -> str:
        return f"{tr(kind.label)}: {tr(kind.formula)}"

    def dress(self, look: Look) -> None:
        for key, button in self.segments.buttons.items():
            button.setIcon(_dot(self.family[key].ink, look))
            button.setIconSize(QSize(look.px(_DOT), look.px(_DOT)))


def _dot(ink: str, look: Look) -> QIcon:
    """A full circle in the colour of a protocol."""
    side, ratio = look.px(_DOT), 2
    picture = QPixmap(side * ratio, side * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.color(ink))
    painter.drawEllipse(QPointF(side / 2, side / 2), side / 2 - 0.5, side / 2 - 0.5)
    painter.end()
    return QIcon(picture)
