"""The budget of a ledger as one bar: what was spent, what would be paid now, and what is left."""

from fractions import Fraction

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from dpstudio.files.booked.amounts import EPSILON, NOTHING, Spent, promised
from dpstudio.files.booked.book import Standing, State
from dpstudio.files.booked.telling import Parts, parts
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import N_, Message, Num, say

_HIGH = 16


class _Bar(QWidget):
    def __init__(self, theme: Theme):
        super().__init__()
        self.theme, self.parts = theme, Parts(Fraction(0), Fraction(0), Fraction(1))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(120, self.theme.look.px(_HIGH))

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = self.theme.look, QPainter(self)
        box, at = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 0.0
        for share, ink in ((self.parts.spent, "axis"), (self.parts.now, "text")):
            wide = box.width() * min(1.0, float(share))
            painter.fillRect(
                QRectF(box.left() + at, box.top(), wide, box.height()), look.color(ink)
            )
            at += wide
        painter.setPen(QColor(look.color("axis")))
        painter.drawRect(box)
        painter.end()


class Budget(QFrame):
    """One bar, with its three amounts below it and the promise of the cap."""

    def __init__(self, theme: Theme):
        super().__init__()
        self.bar, self.body = _Bar(theme), QGridLayout()
        self.cap = label("", "muted", wrap=True)
        self.names = [label(tr(each)) for each in _ROWS]
        self.amounts = [label("") for _ in _ROWS]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(label(tr(N_("Budget")), "page-name"))
        column.addWidget(self.bar)
        self.body.setColumnStretch(0, 1)
        self.body.setVerticalSpacing(8)
        for row, (name, amount) in enumerate(zip(self.names, self.amounts, strict=True)):
            self.body.addWidget(name, row, 0)
            self.body.addWidget(amount, row, 1, Qt.AlignmentFlag.AlignRight)
        column.addLayout(self.body)
        column.addWidget(self.cap)
        self.hide()

    def show_state(self, state: State | None, standing: Standing | None = None) -> None:
        """What is spent and left, and what a plan would take that is not paid for yet."""
        self.setVisible(state is not None)
        if state is None:
            return
        price = NOTHING if standing is None or standing.paid is not None else standing.price
        now = standing is not None and standing.paid is None
        found = self.bar.parts = parts(state, price)
        self.bar.update()
        left = state.cap.left(state.spent + price)
        of_epsilon, apart = state.cap.measure == EPSILON, state.cap.left(NOTHING).delta > 0
        text = N_("ε = {e}") if of_epsilon else N_("ρ = {e}")
        if apart:
            text = N_("ε = {e}, δ = {d}") if of_epsilon else N_("ρ = {e}, δ = {d}")
        for amount, spent, way in zip(
            self.amounts, (state.spent, price, left), ("up", "up", "down"), strict=True
        ):
            e, d = (float(max(Fraction(0), each)) for each in (spent.amount, spent.delta))
            values = {"e": Num(e, 4, way)} | ({"d": Num(d, 2, way)} if apart else {})
            amount.setText(shown(Message(text, values)))
            amount.setToolTip(_exactly(spent))
        for each in (self.names[1], self.amounts[1]):
            each.setVisible(now)
        self.cap.setText(shown(say("Cap: {cap}", cap=promised(state.cap))))
        text = N_("{share} of ε is left.") if of_epsilon else N_("{share} of ρ is left.")
        said = say(text, share=_percent(found))
        self.bar.setAccessibleName(shown(said))
        self.bar.setToolTip(shown(said))


_ROWS = (N_("spent"), N_("this plan"), N_("left"))


def _percent(found: Parts) -> Num:
    return Num(float(found.left), 3, "down", percent=True)


def _exactly(spent: Spent) -> str:
    return f"{spent.amount}, δ = {spent.delta}" if spent.delta else str(spent.amount)
