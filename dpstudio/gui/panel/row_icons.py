"""What stands before the names of a list of choices: the shape of a noise, or the stroke that an
ink has in the charts."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPolygonF
from PySide6.QtWidgets import QAbstractButton

from dpstudio.charts.figure import Line
from dpstudio.charts.inks import known, seen_as, stroke
from dpstudio.gui.board.coordinates import pen
from dpstudio.gui.parts.theme import Look
from dpstudio.labs.law_curves import sketched

_WIDE, _HIGH, _GAP = 40, 20, 12  # px; Qt leaves 4 more before the name
_RATIO, _EDGE = 2, 2


def inked(kinds: Mapping[str, Any]) -> bool:
    """Whether these, `Parameters` or mere names of inks, have strokes of their own in charts."""
    return any(known(getattr(kind, "ink", kind)) for kind in kinds.values())


def with_icons(rows: Mapping[str, QAbstractButton], kinds: Mapping[str, Any], look: Look) -> None:
    """Give each row the law of its kind as a curve, or its stroke; to those without either as much
    room."""
    for key, row in rows.items():
        row.setIcon(QIcon(shape(kinds[key], look)))
        row.setIconSize(QSize(look.px(_WIDE) + _GAP, look.px(_HIGH)))


def shape(kind: Any, look: Look) -> QPixmap:
    """The law of a kind as a curve in its ink, or its stroke; empty where it has neither."""
    picture = _empty(look)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ink = getattr(kind, "ink", kind)
    if known(ink):
        drawn = hasattr(kind, "sketch")
        line = Line("", ink, width=1.5) if drawn else Line("", ink)
        painter.setPen(pen(look, seen_as(ink), stroke(line)))
        painter.drawPolyline(_law(kind, look) if drawn else _straight(look))
    painter.end()
    return picture


def _empty(look: Look) -> QPixmap:
    picture = QPixmap((look.px(_WIDE) + _GAP) * _RATIO, look.px(_HIGH) * _RATIO)
    picture.setDevicePixelRatio(_RATIO)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


def _straight(look: Look) -> QPolygonF:
    middle = look.px(_HIGH) / 2
    return QPolygonF([QPointF(0, middle), QPointF(look.px(_WIDE), middle)])


def _law(mechanism: Any, look: Look) -> QPolygonF:
    width, height = look.px(_WIDE), look.px(_HIGH)
    high = height - 2 * _EDGE
    return QPolygonF(
        [QPointF(width * x, height - _EDGE - high * y) for x, y in sketched(mechanism)]
    )
