"""The small parts that panels are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import Say


def label(text: str, name: str = "", wrap: bool = False) -> QLabel:
    """A label whose style is chosen by object name."""
    out = QLabel(text)
    out.setObjectName(name)
    out.setWordWrap(wrap)
    out.setTextFormat(Qt.TextFormat.PlainText)
    return out


def plain_text(words: str) -> str:
    """Words as the text of a button: Qt reads a single & as a mnemonic."""
    return words.replace("&", "&&")


def restyle(widget: QWidget, **properties: Any) -> None:
    """Set dynamic properties and let the style sheet see them."""
    if all(widget.property(name) == value for name, value in properties.items()):
        return
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def retone(widget: QWidget, name: str) -> None:
    """Give a widget another object name, and with it another style."""
    if widget.objectName() != name:
        widget.setObjectName(name)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


SETTLE_MS = 250


class Live(QLabel):
    """A label whose words change with every step of a drag.

    QLabel.setText lays out the whole window anew, which costs more than a chart. This one paints
    new words at once and tells the layout only where they need more lines, or a moment after the
    drag.
    """

    def __init__(self, name: str = "", wrap: bool = False):
        super().__init__()
        self.setObjectName(name)
        self.setWordWrap(wrap)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.whole = ""
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._sync)

    def show_text(self, text: str) -> None:
        if text == self.whole:
            return
        self.whole = text
        if self._fits(text) and super().text() and self.isVisible():
            self.update()
            self._settle.start()
        else:
            self._sync()

    def set_text(self, text: str) -> None:
        """Other words that need other room at once."""
        if text != self.whole:
            self.whole = text
            self._sync()

    def text(self) -> str:
        """What is to be seen."""
        return self.whole

    def _sync(self) -> None:
        self._settle.stop()
        super().setText(self.whole)

    def _fits(self, text: str) -> bool:
        room = self.contentsRect()
        if not self.wordWrap():
            return self.fontMetrics().horizontalAdvance(text) <= room.width()
        flags = int(Qt.TextFlag.TextWordWrap.value)
        need, have = (
            self.fontMetrics().boundingRect(room, flags, words).height()
            for words in (text, super().text())
        )
        return need == have

    def words(self) -> str:
        """What is painted."""
        return self.whole

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        wrap = Qt.TextFlag.TextWordWrap.value if self.wordWrap() else 0
        painter.drawText(self.contentsRect(), int(self.alignment()) | wrap, self.words())
        painter.end()


class Elided(Live):
    """A one-line label that gives way: what does not fit ends in an ellipsis, and the whole is its
    tooltip."""

    def __init__(self, name: str):
        super().__init__(name)
        self.setMinimumWidth(20)

    def minimumSizeHint(self) -> QSize:
        return QSize(20, super().minimumSizeHint().height())

    def _fits(self, text: str) -> bool:
        return True

    def words(self) -> str:
        return self.fontMetrics().elidedText(
            self.whole, Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(self.whole if self.words() != self.whole else "")
        return super().event(event)


def order_tabs(containers: Sequence[QWidget]) -> None:
    """Chain everything that takes the focus by Tab, container after container, inside each from top
    to bottom and left to right."""
    chain: list[QWidget] = []
    for container in containers:
        window = container.window()
        inside = [
            w for w in container.findChildren(QWidget) if w.focusPolicy() & Qt.FocusPolicy.TabFocus
        ]
        # An open list of choices is a window of its own.
        inside = [w for w in inside if w.isVisibleTo(container) and w.window() is window]
        places = {id(w): w.mapTo(container, w.rect().center()) for w in inside}
        # Widgets of one row differ a little in height; twelve pixels are one row.
        chain += sorted(inside, key=lambda w: (places[id(w)].y() // 12, places[id(w)].x()))
    for before, after in pairwise(chain):
        QWidget.setTabOrder(before, after)


class Lines(QPlainTextEdit):
    """Entries, one a line, given up on Ctrl+Enter or when the box is left; Esc takes the typing
    back."""

    given = Signal(str)
    restored = Signal()
    MOST = 8

    def __init__(self) -> None:
        super().__init__()
        self.held = ""
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.textChanged.connect(self._fit)

    def show_text(self, text: str) -> None:
        """Show a value, unless the person is typing another."""
        if self.document().isModified() and self.hasFocus():
            return
        self.held = text
        if self.toPlainText() != text:
            self.setPlainText(text)
        self.document().setModified(False)
        restyle(self, wrong=False)
        self._fit()

    def typing(self) -> bool:
        return self.document().isModified()

    def refuse(self) -> None:
        restyle(self, wrong=True)

    def _fit(self) -> None:
        """As high as its lines, wrapped ones counted, up to eight."""
        rows = max(1, min(self.MOST, round(self.document().size().height())))
        margin = 2 * (self.frameWidth() + int(self.document().documentMargin())) + 6
        self.setFixedHeight(rows * self.fontMetrics().lineSpacing() + margin)

    def _finish(self) -> None:
        if self.toPlainText() != self.held:
            self.document().setModified(False)
            self.given.emit(self.toPlainText())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._finish()
        elif event.key() == Qt.Key.Key_Escape and self.toPlainText() != self.held:
            self.setPlainText(self.held)
            self.document().setModified(False)
            restyle(self, wrong=False)
            self.restored.emit()
        else:
            super().keyPressEvent(event)


class Complaint(QLabel):
    """The sentence under a field: hidden when there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setObjectName("bad")
        self.hide()

    def say(self, message: Say | str, tone: str = "bad") -> None:
        text = shown(message)
        if text != self.text() or tone != self.objectName():
            self.setObjectName(tone)
            self.setText(text)
            self.style().unpolish(self)
            self.style().polish(self)
        self.setVisible(bool(text))


class Box(QLineEdit):
    """A one-line box that gives up its text on Enter or when it is left; Esc takes the typing
    back."""

    given = Signal(str)
    restored = Signal()

    def __init__(self, name: str = "", chars: int = 0) -> None:
        super().__init__()
        self.setObjectName(name)
        self.held = ""
        self.chars = chars
        if chars:
            self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.editingFinished.connect(self._finish)

    def sizeHint(self) -> QSize:
        """As wide as `chars` digits in the type of the moment, where that is given."""
        hint = super().sizeHint()
        return (
            QSize(
                self.fontMetrics().horizontalAdvance("0") * self.chars + hint.height(),
                hint.height(),
            )
            if self.chars
            else hint
        )

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() if self.chars else QSize(40, super().minimumSizeHint().height())

    def show_text(self, text: str) -> None:
        """Show a value, unless the person is typing another."""
        if self.isModified() and self.hasFocus():
            return
        self.held = text
        if self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)
        restyle(self, wrong=False)

    def refuse(self) -> None:
        restyle(self, wrong=True)

    def _finish(self) -> None:
        if self.isModified() or self.text() != self.held:
            self.setModified(False)
            self.given.emit(self.text())

    def event(self, event: QEvent) -> bool:
        # Qt gives these keys to the box; where nothing is being typed they belong to the window.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            history = event.matches(QKeySequence.StandardKey.Undo) or event.matches(
                QKeySequence.StandardKey.Redo
            )
            end = (
                event.key() == Qt.Key.Key_E
                and event.modifiers() == Qt.KeyboardModifier.ControlModifier
            )
            if end or (history and not self.isModified()):
                event.ignore()
                return False
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.isModified() or self.text() != self.held):
            self.setModified(False)
            self.show_text(self.held)
            self.restored.emit()
            event.accept()
            return
        super().keyPressEvent(event)


class Slide(QSlider):
    """A slider that does not take the wheel from the panel it is in, unless it has the focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def combo(name: str = "") -> QComboBox:
    """A combo box that may be narrower than its longest entry and does not eat the wheel."""
    out = _Combo()
    out.setAccessibleName(tr(name))
    out.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    out.setMinimumContentsLength(4)
    out.setMaxVisibleItems(20)
    return out


class _Combo(QComboBox):
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def packed(texts: Sequence[str], room: int = 36, around: int = 2) -> list[list[int]]:
    """The places of words in rows of at most `room` letters, `around` for each, and as even as the
    order allows."""
    costs = [len(text) + around for text in texts]
    lines = 1
    while True:
        limit, rows = max([*costs, -(-sum(costs) // lines)]), [[]]  # type: ignore[var-annotated]
        while limit <= room:
            rows = [[]]
            for place, cost in enumerate(costs):
                if rows[-1] and sum(costs[k] for k in rows[-1]) + cost > limit:
                    rows.append([])
                rows[-1].append(place)
            if len(rows) <= lines:
                return rows
            limit += 1
        if lines >= len(costs):
            return [[place] for place in range(len(costs))]
        lines += 1


def _room(button: QPushButton) -> int:
    """The share of a row that a button's word takes in the heavier type of one that is down, with
    room around it for a dot."""
    font = button.font()
    font.setWeight(QFont.Weight.DemiBold)
    metrics = QFontMetricsF(font)
    return round(metrics.horizontalAdvance(button.text()) + metrics.height())


class Segments(QWidget):
    """A few buttons of which one is down; those that cannot work are greyed with the reason as
    tooltip.

    `fluid` buttons share the width, in as many rows as their words need, `room` letters in each;
    `columns` sets them in a grid.
    """

    chosen = Signal(str)

    def __init__(
        self,
        options: Mapping[str, str],
        columns: int = 0,
        fluid: bool = False,
        decorate: Callable[[QPushButton, str], None] | None = None,
        room: int = 36,
    ):
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        self._room = room
        self._shown: tuple[str, tuple[str, ...]] | None = None
        for key, text in options.items():
            button = QPushButton(plain_text(tr(text)))
            button.setCheckable(True)
            button.setObjectName("segment")
            button.setMinimumWidth(24)
            button.setSizePolicy(
                QSizePolicy.Policy.Ignored if fluid else QSizePolicy.Policy.Preferred,
                QSizePolicy.Policy.Fixed,
            )
            button.clicked.connect(partial(self._choose, key))
            if decorate:
                decorate(button, key)
            self.buttons[key] = button
        if columns:
            self._lay_in_columns(columns)
        else:
            self._lay_in_rows(fluid)

    def _lay_in_columns(self, columns: int) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        for place, button in enumerate(self.buttons.values()):
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            grid.addWidget(button, place // columns, place % columns)
        for column in range(columns):
            grid.setColumnStretch(column, 1)

    def _lay_in_rows(self, fluid: bool) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        buttons = list(self.buttons.values())
        for places in (
            packed([button.text() for button in buttons], self._room)
            if fluid
            else [list(range(len(buttons)))]
        ):
            row = QHBoxLayout()
            row.setSpacing(6)
            column.addLayout(row)
            for place in places:
                row.addWidget(buttons[place], _room(buttons[place]) if fluid else 0)

    def _choose(self, key: str) -> None:
        # A click on the one that is down would lift it; it stays down until the state says
        # otherwise.
        self.buttons[key].setChecked(True)
        self._shown = None
        self.chosen.emit(key)

    def show_choice(self, key: str, refused: Mapping[str, Say] | None = None) -> None:
        refused = refused or {}
        shown_now = (key, tuple(refused))
        if shown_now == self._shown:
            return
        self._shown = shown_now
        for name, button in self.buttons.items():
            button.setChecked(name == key)
            why = refused.get(name)
            button.setEnabled(why is None or name == key)
            button.setToolTip(shown(why) if why else "")


class Chips(QWidget):
    """Buttons of which several may be down; `flipped(key)` asks to turn one over."""

    flipped = Signal(str)

    def __init__(
        self, options: Mapping[str, str], decorate: Callable[[QPushButton, str], None] | None = None
    ):
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for key, text in options.items():
            button = QPushButton(plain_text(tr(text)))
            button.setCheckable(True)
            button.setObjectName("segment")
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            button.clicked.connect(partial(self._flip, key))
            if decorate:
                decorate(button, key)
            self.buttons[key] = button
        buttons = list(self.buttons.values())
        # With pictures they stand in two columns, as a picker's do.
        pairs = [list(range(len(buttons)))[k : k + 2] for k in range(0, len(buttons), 2)]
        for places in pairs if decorate else packed([b.text() for b in buttons]):
            row = QHBoxLayout()
            row.setSpacing(6)
            column.addLayout(row)
            for place in places:
                row.addWidget(buttons[place], 1 if decorate else _room(buttons[place]))
            if decorate and len(places) == 1:
                row.addStretch(1)
        self._shown: tuple[Any, ...] = ()

    def _flip(self, key: str) -> None:
        self._shown = ()
        self.flipped.emit(key)

    def show_chosen(self, keys: Sequence[str], refused: Mapping[str, Say] | None = None) -> None:
        refused = refused or {}
        now = (tuple(keys), tuple(refused))
        if now == self._shown:
            return
        self._shown = now
        for name, button in self.buttons.items():
            why = refused.get(name)
            button.setChecked(name in keys)
            button.setEnabled(why is None or name in keys)
            button.setToolTip(shown(why) if why else "")
