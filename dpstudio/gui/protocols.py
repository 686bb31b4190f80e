"""The picker of a local protocol: by its short name and colour, with its full name and formula, and what else it can be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QVBoxLayout

from dpstudio.core.findings import Findings
from dpstudio.core.params import OneOf
from dpstudio.core.wording import Say
from dpstudio.gui.editors import KindForm
from dpstudio.gui.form import Field
from dpstudio.gui.mechanisms import BUDGET
from dpstudio.gui.store import Store
from dpstudio.gui.theme import Look
from dpstudio.gui.tr import tr
from dpstudio.gui.widgets import Live, Segments

_DOT = 9
_LETTERS = 34  # in one row of buttons, each with a dot


class ProtocolField(Field):
    """Buttons with the colour that each protocol has in the charts; those that cannot serve are greyed with the reason."""

    def __init__(self, store: Store, path: str, domain: OneOf, look: Look):
        super().__init__(store, path, domain)
        self.family: dict[str, Any] = {kind.key: kind for kind in domain.family()}
        self.segments = Segments({key: kind.short for key, kind in self.family.items()}, fluid=True, room=_LETTERS)
        self.segments.chosen.connect(self._choose)
        self.formula = Live("muted", wrap=True)
        self.more = KindForm(store, path, BUDGET)
        self._refused: Mapping[str, Say] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        for widget in (self.segments, self.formula, self.more):
            layout.addWidget(widget)
        self.dress(look)

    def _choose(self, key: str) -> None:
        self.store.choose(self.path, key)

    def dress(self, look: Look) -> None:
        for key, button in self.segments.buttons.items():
            button.setIcon(_dot(self.family[key].ink, look))
            button.setIconSize(QSize(look.px(_DOT), look.px(_DOT)))

    def show_state(self) -> None:
        protocol = self.value()
        self.segments.show_choice(protocol.key, self._refused)
        self.formula.show_text(f"{tr(protocol.label)}: {tr(protocol.formula)}")
        self.more.show_state()

    def show_findings(self, findings: Findings) -> None:
        self._refused = findings.refused.get(self.path, {})
        self.segments.show_choice(self.value().key, self._refused)
        self.more.show_findings(findings)


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
