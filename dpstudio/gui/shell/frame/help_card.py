"""What F1 shows: a card beside the control that it explains, with an arrow at its height."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from dpstudio.gui.board.headline import unbroken
from dpstudio.gui.parts import buttons, labels
from dpstudio.gui.parts.explanation import Explanation
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr
from dpstudio.values.latex import latex
from dpstudio.values.messages import N_

WIDE, EDGE, ROUND = 400, 24, 8  # px at normal type
ARROW = 10  # px, and the room for the shadow around
SHADE = 5
COPY = N_("Copy as LaTeX")


class HelpCard(QFrame):
    """`left`: a person is done with it; `seen`: what shows the term is wanted; `terms`: the page of
    all terms; `manual`: the page of what is on the screen; `copied`: the formula is, as LaTeX."""

    left = Signal()
    seen = Signal()
    terms = Signal()
    manual = Signal()
    copied = Signal()

    def __init__(self, look: Look, parent: QWidget):
        super().__init__(parent)
        self.look, self.told = look, Explanation("", ())
        self._side, self._tip = "right", 0
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.column = QVBoxLayout(self)
        self.see = buttons.push(tr(N_("See it")), "link", tip=tr(N_("Open what shows it")))
        self.all = buttons.push(tr(N_("All terms")), "link")
        self.more = buttons.push(tr(N_("Manual")) + "  F1", "link")
        for button, signal in (
            (self.see, self.seen),
            (self.all, self.terms),
            (self.more, self.manual),
        ):
            button.clicked.connect(signal)
        self.title = labels.label("", "value", wrap=True)
        self.shut = buttons.push("Esc", "quiet", tip=tr(N_("Close: Esc")))
        self.shut.clicked.connect(self.left)
        head = QGridLayout()
        head.addWidget(self.title, 0, 0)
        head.addWidget(self.shut, 0, 1, Qt.AlignmentFlag.AlignTop)
        head.setColumnStretch(0, 1)
        self.body = QVBoxLayout()
        foot = QHBoxLayout()
        foot.setSpacing(12)
        for button in (self.see, self.all):
            foot.addWidget(button)
        foot.addStretch()
        foot.addWidget(self.more)
        for part in (head, self.body, foot):
            self.column.addLayout(part)
        self.parts: list[QWidget] = []
        self.hide()

    def tell(self, told: Explanation, look: Look) -> None:
        """Say this, in a look."""
        self.told, self.look = told, look
        for part in self.parts:
            self.body.removeWidget(part)
            part.hide()
            part.deleteLater()
        self.parts = []
        self.title.setText(told.title)
        for text in told.says:
            self._add(labels.label(unbroken(text), "", wrap=True))
        if told.formula:
            self._section(tr(N_("Formula")), (told.formula, "sentence"), (told.given, "muted"))
            copy = buttons.push(tr(COPY), "link", tip=tr(N_("Copy the formula as LaTeX")))
            copy.clicked.connect(self._on_copy)
            self._add(copy)
        if told.source:
            self._section(tr(N_("Source")), (told.source, "says"))
        self.see.setVisible(bool(told.see))
        self.all.setVisible(bool(told.heading))
        self.setAccessibleName(told.title)
        self.setAccessibleDescription("\n".join(told.says))

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(latex(self.told.formula))
        self.copied.emit()

    def _section(self, name: str, *texts: tuple[str, str]) -> None:
        self._add(labels.hair())
        self._add(labels.label(name, "head"))
        for text, style in texts:
            if text:
                self._add(labels.label(text, style, wrap=True))

    def _add(self, part: QWidget) -> None:
        self.parts.append(part)
        self.body.addWidget(part)

    def place(self, beside: QRect, within: QRect, spared: QRect) -> None:
        """Stand beside what it explains, where there is room: at its right, else its left, below or
        above it; where there is none, at the edge that is farthest from its middle. It gives way
        to what is `spared`, where there is room below that."""
        px, around = self.look.px, ARROW
        edge = px(EDGE) + around
        self.column.setContentsMargins(edge, edge - px(8), edge, edge - px(8))
        self.column.setSpacing(px(12))
        self.body.setSpacing(px(8))
        wide = min(px(WIDE) + 2 * around, within.width())
        self.setFixedWidth(wide)
        self.ensurePolished()
        self.column.activate()
        high = min(self.column.totalHeightForWidth(wide), within.height())
        self.setFixedHeight(high)
        self._side, corner = _beside(beside, within, wide, high)
        lower = spared.bottom() + 1 - ARROW
        fits = self._side in ("right", "left", "below") and lower + high <= within.bottom() + 1
        if fits and QRect(corner, self.size()).intersects(spared):
            away = lower - beside.bottom()  # of what it explains: no arrow reaches so far
            corner.setY(lower)
            if away >= ARROW:  # it leaves the controls free then
                far = within.right() - wide + 1
                corner.setX(max(corner.x(), min(spared.left() - ARROW, far)))
                self._side = ""
        self._tip = beside.center().y() - corner.y()
        if self._side in ("below", "above"):
            self._tip = beside.center().x() - corner.x()
        self.move(corner)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(ARROW, ARROW, -ARROW, -ARROW)
        shade = QColor(0, 0, 0, 12)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        for step in range(1, SHADE + 1):
            painter.drawRoundedRect(box.adjusted(-step, -step + 2, step, step + 2), ROUND, ROUND)
        path = QPainterPath()
        path.addRoundedRect(box, ROUND, ROUND)
        path = path.united(self._arrow(box))
        painter.setBrush(self.look.color("surface"))
        painter.setPen(QPen(self.look.color("muted"), 1))
        painter.drawPath(path)
        painter.end()

    def _arrow(self, box: QRectF) -> QPainterPath:
        """Towards what it explains."""
        path, upright = QPainterPath(), self._side in ("right", "left")
        if not self._side:
            return path
        low, high = (box.top(), box.bottom()) if upright else (box.left(), box.right())
        at = min(max(float(self._tip), low + ROUND + ARROW), high - ROUND - ARROW)
        near, out = {
            "right": (box.left() + 2, -ARROW - 2),
            "left": (box.right() - 2, ARROW + 2),
            "below": (box.top() + 2, -ARROW - 2),
            "above": (box.bottom() - 2, ARROW + 2),
        }[self._side]
        corners = [(near, at - ARROW), (near + out, at), (near, at + ARROW)]
        for place, (across, along) in enumerate(corners):
            point = QPointF(across, along) if upright else QPointF(along, across)
            path.lineTo(point) if place else path.moveTo(point)
        path.closeSubpath()
        return path


def _beside(beside: QRect, within: QRect, wide: int, high: int) -> tuple[str, QPoint]:
    """On which side of a rectangle there is room, and the corner of what stands there."""
    top = _held(beside.top() - ARROW, within.top(), within.bottom() - high + 1)
    left = _held(beside.left() - ARROW, within.left(), within.right() - wide + 1)
    corners = {
        "right": QPoint(beside.right() + 1, top),
        "left": QPoint(beside.left() - wide, top),
        "below": QPoint(left, beside.bottom() + 1),
        "above": QPoint(left, beside.top() - high),
    }
    for side, corner in corners.items():
        if within.contains(QRect(corner.x(), corner.y(), wide, high)):
            return side, corner
    far = within.left() if beside.center().x() > within.center().x() else within.right() - wide + 1
    return "", QPoint(far, within.bottom() - high + 1)


def _held(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))
