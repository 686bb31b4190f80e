"""The budget of a ledger as one bar: what was spent, what would be paid now, and what is left."""

from fractions import Fraction

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from dpstudio.files.booked.telling import Parts, parts
from dpstudio.files.ledgers.amounts import EPSILON, NOTHING, Spent, promised, told
from dpstudio.files.ledgers.book import Standing, State
from dpstudio.gui.parts.labels import hair, label
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.plans.exact import typed
from dpstudio.values.messages import N_, Message, Num, say

_HIGH, _MARK = 16, 10


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


class _Mark(QWidget):
    """A square in the ink of one part of the bar, or an empty one."""

    def __init__(self, theme: Theme, ink: str):
        super().__init__()
        self.theme, self.ink = theme, ink

    def sizeHint(self) -> QSize:
        return QSize(self.theme.look.px(_MARK), self.theme.look.px(_MARK))

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = self.theme.look, QPainter(self)
        side = look.px(_MARK) - 1.0
        box = QRectF(0.5, (self.height() - side) / 2, side, side)
        if self.ink:
            painter.fillRect(box, look.color(self.ink))
        painter.setPen(look.color("axis"))
        painter.drawRect(box)
        painter.end()


class Budget(QFrame):
    """One bar, with its three amounts below it and the promise of the cap; `whole`: each with its
    δ, where there is room."""

    def __init__(self, theme: Theme, whole: bool = False):
        super().__init__()
        self.whole, self.bar, self.body = whole, _Bar(theme), QGridLayout()
        self.marks = [_Mark(theme, ink) for ink in _INKS]
        self.cap = label("", "muted", wrap=True)
        self.names = [label(tr(each), style) for each, style in zip(_ROWS, _STYLES, strict=True)]
        self.amounts = [label("", style) for style in _STYLES]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(hair())
        column.addWidget(label(tr(N_("Budget")), "page-name"))
        column.addWidget(self.bar)
        self.body.setColumnStretch(1, 1)
        self.body.setVerticalSpacing(8)
        for row, parts_ in enumerate(zip(self.marks, self.names, self.amounts, strict=True)):
            for place, part in enumerate(parts_):
                self.body.addWidget(part, row, place)
            parts_[-1].setAlignment(_RIGHT)
        column.addLayout(self.body)
        column.addWidget(self.cap)
        self.hide()

    def show_state(self, state: State | None, standing: Standing | None = None) -> None:
        """What is spent and left, and what a plan would take that is not paid for yet."""
        self.setVisible(state is not None and not state.cap.none)
        if state is None or state.cap.none:
            return
        price = NOTHING if standing is None or standing.paid is not None else standing.price
        now = standing is not None and standing.paid is None
        self.bar.parts = parts(state, price)
        self.bar.update()
        over = now and not state.cap.lets(state.spent + price)
        after = NOTHING if over else price  # a plan that is over the cap takes nothing
        left = state.cap.left(state.spent + after)
        for amount, spent, way in zip(
            self.amounts, (state.spent, price, left), ("up", "up", "down"), strict=True
        ):
            amount.setText(shown(self._amount(spent, state.cap.measure, way)))
            amount.setToolTip(exactly(spent))
        for each in (self.marks[1], self.names[1], self.amounts[1]):
            each.setVisible(now)
        self.names[2].setText(tr(_SHORT if over else _AFTER if now else _ROWS[2]))
        self.cap.setText(shown(say("Cap: {cap}", cap=promised(state.cap))))
        of_epsilon = state.cap.measure == EPSILON  # of the δ beside it something else may be left
        text = N_("{share} of ε is left.") if of_epsilon else N_("{share} of ρ is left.")
        said = say(text, share=_percent(parts(state, after)))
        self.bar.setAccessibleName(shown(said))
        self.bar.setToolTip(shown(said))

    def _amount(self, spent: Spent, measure: str, way: str) -> Message:
        return told(spent if self.whole else Spent(max(Fraction(0), spent.amount)), measure, way)


_ROWS, _AFTER = (N_("spent"), N_("this plan"), N_("left")), N_("left after it")
_SHORT = N_("left now: too little")
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_INKS, _STYLES = ("axis", "text", ""), ("", "title", "")


def _percent(found: Parts) -> Num:
    return Num(float(found.left), 3, "down", percent=True)


def exactly(spent: Spent) -> str:
    """An amount with all of its digits, where it is rounded on the page."""
    told = typed(spent.amount)
    return f"{told}, δ = {typed(spent.delta)}" if spent.delta else told
