"""The picker of a mechanism: by the shape of its noise, with its formula and what else it can be
told."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPolygonF
from PySide6.QtWidgets import QPushButton, QVBoxLayout

from dpstudio.charts.figure import Line
from dpstudio.charts.inks import stroke
from dpstudio.gui.board.coordinates import pen
from dpstudio.gui.panel import editors, form, legend
from dpstudio.gui.parts.buttons import Segments
from dpstudio.gui.parts.labels import LiveLabel
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.store import Store
from dpstudio.labs.findings import Findings
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.values.messages import N_, Message
from dpstudio.values.parameters import OneOf, domains

_ICON = (44, 20)


class FamilyPicker(form.Field):
    """Buttons for the `Parameters` of a family, those that cannot serve greyed with the reason;
    below them a line about the one that is chosen and what else it can be told; the budget has a
    card of its own. A member gives `buttons`, `about` and `dress`."""

    def __init__(self, store: Store, path: str, domain: OneOf, look: Look):
        super().__init__(store, path, domain)
        self.family: dict[str, Any] = {kind.key: kind for kind in domain.family()}
        self.segments = self.buttons()
        self.segments.chosen.connect(self._choose)
        self.formula = LiveLabel("muted", wrap=True)
        budget = (
            name
            for kind in domain.family()
            for name, held in domains(kind).items()
            if held.editor in ("budget", "failure")
        )
        self.more = editors.KindForm(store, path, budget)
        self._refused: Mapping[str, Message] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        for widget in (self.segments, self.formula, self.more):
            layout.addWidget(widget)
        self.dress(look)

    def buttons(self) -> Segments:
        """One for each member of the family."""
        raise NotImplementedError

    def about(self, kind: Any) -> str:
        """What the line says of the `Parameters` that is chosen."""
        raise NotImplementedError

    def dress(self, look: Look) -> None:
        raise NotImplementedError

    def _choose(self, key: str) -> None:
        self.store.choose(self.path, key)

    def changed(self) -> bool:
        return True  # its parts see for themselves

    def show_state(self) -> None:
        kind = self.value()
        self.segments.show_choice(kind.key, self._refused)
        self.formula.show_text(self.about(kind))
        self.more.show_state()

    def show_findings(self, findings: Findings) -> None:
        self._refused = findings.refused.get(self.path, {})
        self.segments.show_choice(self.value().key, self._refused)
        self.more.show_findings(findings)


class MechanismField(FamilyPicker):
    """Buttons with sketches of the noise, and its formula."""

    def buttons(self) -> Segments:
        names = {key: kind.label for key, kind in self.family.items()}
        return Segments(names, columns=2, decorate=as_mechanism)

    def about(self, kind: Any) -> str:
        promise = tr(N_("pure ε-DP")) if kind.pure else tr(N_("(ε, δ)-DP"))
        noise = tr(N_("noise {law}")).format(law=kind.formula)
        return f"{promise}  ·  {noise}"

    def dress(self, look: Look) -> None:
        sketched(self.segments.buttons, look)


def as_mechanism(button: QPushButton, key: str) -> None:
    """Give a button the look of those that pick a mechanism."""
    button.setObjectName("mechanism")


def sketched(buttons: Mapping[str, QPushButton], look: Look) -> None:
    """Give buttons that are named after mechanisms the shapes of their noise, and others their
    stroke."""
    known = {kind.key: kind for kind in MECHANISMS}
    for key, button in buttons.items():
        if key in known:
            button.setIcon(sketch(known[key], look))
            button.setIconSize(QSize(look.px(_ICON[0]), look.px(_ICON[1])))
        else:
            legend.with_stroke(button, key, look)


def sketch(mechanism: Any, look: Look) -> QIcon:
    """The shape of the noise as a small line."""
    import numpy as np

    law = mechanism.sketch()
    width, height, ratio = look.px(_ICON[0]), look.px(_ICON[1]), 2
    picture = QPixmap(width * ratio, height * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    x = np.linspace(-4, 4, 81)
    y = np.nan_to_num(law.density(np.round(x) if law.discrete else x))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen(look, mechanism.ink, stroke(Line("", mechanism.ink, width=1.5))))
    top = float(y.max()) or 1.0
    painter.drawPolyline(
        QPolygonF(
            [
                QPointF(width * (a + 4) / 8, height - 2 - (height - 4) * b / top)
                for a, b in zip(x, y, strict=True)
            ]
        )
    )
    painter.end()
    return QIcon(picture)
