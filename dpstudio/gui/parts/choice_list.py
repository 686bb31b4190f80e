"""A choice as a list: one row for each option, with the stroke that it has in the charts, its name,
whether it is drawn beside the chosen one, and a number by which they are compared."""

import math
import time
from collections.abc import Collection, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.parts.buttons import plain_text
from dpstudio.gui.parts.explanation import tip_of
from dpstudio.gui.parts.tr import Again, shown, tr
from dpstudio.gui.parts.wrapping import WrappingButton
from dpstudio.values.messages import N_, Message, say, with_name

OUTDENT = 8  # px by which the wash of a row goes beyond its words, on either side
MANY = 8  # options beyond which some wait
_MARK, _GAP = "+", 8
_TYPED_S = 1.0  # letters that follow each other within this are one word
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}


class Beside(QPushButton):
    """Whether an option is drawn beside the chosen one: a `word`, or a mark where there is no room.
    It is offered only where a hand or the focus is on its row."""

    def __init__(self, row: "ChoiceRow"):
        self.word = tr(N_("beside"))
        super().__init__(self.word, row)
        self.row = row
        self.setToolTip(self.word)
        self.setObjectName("beside")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(shown(say("{name}, beside", name=row.text())))

    def retell(self, again: Again) -> None:
        """Its word in another language."""
        self.word = again(self.word)

    def wide(self, text: str) -> int:
        """The px that it takes with other words; a button without any has room for four letters."""
        size = self.fontMetrics()
        now = self.sizeHint().width() - size.horizontalAdvance(self.text() or "XXXX")
        return now + size.horizontalAdvance(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.offered():
            super().paintEvent(event)

    def offered(self) -> bool:
        """Whether it is seen."""
        focus = self.row.hasFocus() or self.hasFocus()
        return not self.isHidden() and (self.isChecked() or focus or self.row.underMouse())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.row.place()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.row.place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.row.remeasure()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Left:
            self.row.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif not self.row.list.moves(self.row, event):
            super().keyPressEvent(event)


class ChoiceRow(WrappingButton):
    """One option of a list."""

    beside: Beside | None = None

    def __init__(self, text: str, within: "ChoiceList", beside: bool):
        super().__init__(plain_text(text), within)
        self.list = within
        self.setObjectName("row")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.number = QLabel(self)
        self.number.setObjectName("muted")
        self.number.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.number.hide()
        if beside:
            self.beside = Beside(self)
            self.remeasure()

    def setText(self, text: str) -> None:
        """Another name may leave other room beside it."""
        super().setText(text)
        if "number" in self.__dict__:
            self.place()

    def show_number(self, number: str, what: str) -> None:
        """By what it is compared with the others; none where it is empty."""
        if number != self.number.text():
            self.number.setText(number)
            self.setAccessibleDescription(shown(with_name(what, number)) if number else "")
            self.place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def remeasure(self) -> None:
        """What is said of it has another size."""
        self._forget()
        self.updateGeometry()
        self.place()

    def place(self) -> None:
        """Put what is said of it at its right: in no layout, which would be asked how high the row
        is. Where both have no room beside the name, the number gives way while the word is seen;
        where it has none by itself, it is not said."""
        right, free = self.width() - OUTDENT, self.width() - self._named() - OUTDENT
        wide = self.number.sizeHint().width() + _GAP if self.number.text() else 0
        offered = self.beside is not None and self.beside.offered()
        both = self.beside is None or wide + self.beside.wide(_MARK) <= free
        said = 0 < wide <= free and (both or not offered)
        self.number.setVisible(said)
        if said:
            high = self.number.sizeHint().height()
            self.number.setGeometry(
                right - wide + _GAP, (self.height() - high) // 2, wide - _GAP, high
            )
        if self.beside is not None:
            taken = wide if said and both else 0
            word = self.beside.word if self._spelt(self.width() - taken) else _MARK
            self.beside.setText(word if both or not said else "")
            size = self.beside.sizeHint()
            left = right - taken - size.width()
            self.beside.setGeometry(QRect(QPoint(left, (self.height() - size.height()) // 2), size))

    def _named(self) -> int:
        """The px from its left edge to the end of its name in one line."""
        return super()._around()[0] + math.ceil(self._metrics().horizontalAdvance(self._whole))

    def _around(self) -> tuple[int, int]:
        around, high = super()._around()
        return around + (self.beside.wide(_MARK) if self.beside is not None else 0), high

    def _lines(self, width: int) -> tuple[str, ...]:
        return super()._lines(width - self._spelt(width))

    def _spelt(self, width: int) -> int:
        """The px that the word takes more than its mark, where the name has room beside it."""
        if self.beside is None:
            return 0
        more = self.beside.wide(self.beside.word) - self.beside.wide(_MARK)
        return more if self.minimumSizeHint().width() + more + _GAP <= width else 0

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (
            event.key() == Qt.Key.Key_Right
            and self.beside is not None
            and not self.beside.isHidden()
        ):
            self.beside.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif not self.list.moves(self, event):
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.setToolTip(tip_of(self.text(), self.toolTip()))
        self._offer()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._offer()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._offer()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._offer()

    def _offer(self) -> None:
        if self.beside is not None:
            self.place()
            self.beside.update()


class ChoiceList(QWidget):
    """Rows of which one is chosen (`chosen` asks for it), or, where it is not `single`, any. Of
    those in `beside` each may be drawn beside the chosen one: `flipped` asks to turn that over.

    Tab comes to the chosen row; from there arrows, Home, End and letters lead on, and choose where
    there is one to be chosen; Right leads to what is said of it. Of many some may wait until they
    are asked for.
    """

    chosen = Signal(str)
    flipped = Signal(str)

    def __init__(
        self,
        options: Mapping[str, str],
        single: bool = True,
        beside: Collection[str] = (),
        tips: Mapping[str, str] | None = None,
    ):
        super().__init__()
        self._single, self._tips = single, tips or {}
        self._shown: tuple[object, ...] = ()
        self._typed = ("", 0.0)
        self.buttons: dict[str, ChoiceRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for key, text in options.items():
            row = self.buttons[key] = ChoiceRow(tr(text), self, key in beside)
            row.setAutoExclusive(single)  # and is said to be one of several
            row.clicked.connect(partial(self._choose, key))
            if row.beside is not None:
                row.beside.clicked.connect(partial(self.flipped.emit, key))
            column.addWidget(row)
        self._few: frozenset[str] | None = None
        self.all = WrappingButton(parent=self)
        self.all.setObjectName("all")
        self.all.setCheckable(True)
        self.all.toggled.connect(self._unfold)
        self.all.hide()
        column.addWidget(self.all)

    def show_few(self, keys: Collection[str]) -> None:
        """Only these are seen, until all are asked for."""
        few = frozenset(keys)
        if few != self._few:
            self._few = few
            self._unfold(self.all.isChecked())

    def _unfold(self, opened: bool) -> None:
        few = self._few if self._few is not None else self.buttons.keys()
        for key, row in self.buttons.items():
            if row.isHidden() == (opened or key in few):
                row.setVisible(opened or key in few)
        waits = len(few) < len(self.buttons)
        if self.all.isHidden() == waits:
            self.all.setVisible(waits)
        text = N_("▾  All {n}") if opened else N_("▸  All {n}")
        self.all.setText(shown(say(text, n=len(self.buttons))))

    def _choose(self, key: str) -> None:
        self._shown = ()  # the state says whether it is chosen
        self.chosen.emit(key)

    def show_chosen(
        self, keys: Collection[str], refused: Mapping[str, Message] | None = None
    ) -> None:
        """Those that are chosen, and those that cannot be, each with its reason."""
        refused = refused or {}
        now = (tuple(keys), tuple(refused))
        if now == self._shown:
            return
        self._shown = now
        for key, row in self.buttons.items():
            why = refused.get(key)
            row.setChecked(key in keys)
            row.setEnabled(why is None or key in keys)
            row.setToolTip(shown(why) if why else self._tips.get(key, ""))
            if row.beside is not None and row.beside.isHidden() != (key in keys):
                row.beside.setHidden(key in keys)
                row.place()
        self._lead(next((self.buttons[key] for key in keys if key in self.buttons), None))

    def show_beside(
        self, keys: Collection[str], refused: Mapping[str, Message] | None = None
    ) -> None:
        """Those that are drawn beside the chosen one, and those that cannot be."""
        refused = refused or {}
        for key, row in self.buttons.items():
            if row.beside is not None:
                why = refused.get(key)
                if row.beside.isChecked() != (key in keys):
                    row.beside.setChecked(key in keys)
                    row.place()
                row.beside.setEnabled(why is None or key in keys)
                row.beside.setToolTip(shown(why) if why else row.beside.word)

    def show_numbers(self, what: str, numbers: Mapping[str, str]) -> None:
        """By what the rows are compared: one number each, but for those that have none."""
        for key, row in self.buttons.items():
            row.show_number(numbers.get(key, ""), what)

    def _lead(self, lead: ChoiceRow | None) -> None:
        """Let Tab come to one row."""
        lead = lead or next(iter(self._open()), None)
        for row in self.buttons.values():
            tab = Qt.FocusPolicy.StrongFocus if row is lead else Qt.FocusPolicy.ClickFocus
            row.setFocusPolicy(tab)

    def _open(self) -> list[ChoiceRow]:
        return [row for row in self.buttons.values() if row.isEnabled() and not row.isHidden()]

    def moves(self, at: ChoiceRow, event: QKeyEvent) -> bool:
        """Go on from a row where a key asks for that."""
        rows, key = self._open(), Qt.Key(event.key())
        if at not in rows:
            return False
        if key in _STEPS:
            goal = rows[(rows.index(at) + _STEPS[key]) % len(rows)]
        elif key in _ENDS:
            goal = rows[_ENDS[key]]
        else:
            found = self._named(at, rows, event)
            if found is None:
                return False
            goal = found
        goal.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._lead(goal)
        if self._single and not goal.isChecked():
            goal.click()
        return True

    def _named(self, at: ChoiceRow, rows: list[ChoiceRow], event: QKeyEvent) -> ChoiceRow | None:
        """The next row whose name begins with what is typed; Space presses, as on any button."""
        letter = event.text().casefold()
        held = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        before = self._typed[0] if time.monotonic() - self._typed[1] < _TYPED_S else ""
        if held or not letter.isprintable() or not (before + letter).strip():
            return None
        self._typed = before + letter, time.monotonic()
        start = rows.index(at) + (0 if before else 1)
        turned = rows[start:] + rows[:start]
        return next((r for r in turned if r.text().casefold().startswith(before + letter)), None)
