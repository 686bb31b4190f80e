"""What is typed into, slid and opened: boxes of one line and of several, sliders, lists of
choices."""

from __future__ import annotations

import re
from weakref import WeakSet

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QRegion,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionSlider,
    QStylePainter,
    QWidget,
)

from dpstudio.charts.ink_table import INKS
from dpstudio.charts.label_folding import folded
from dpstudio.gui.parts.labels import restyle
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.parts.turn_keys import PAGES

_NUMBER = r"[-+−]?[\d.,]+(e[-+]?\d+)?( ?%)?"
_HOLLOW = 2  # px of a line round nothing


class _Refusals(QObject):
    changed = Signal()


# Of all boxes: one was refused, or is so no more.
REFUSALS = _Refusals()
# Those that were: to look through a window for them at each step of a slider is felt.
_WRONG: WeakSet[LineBox | LinesBox] = WeakSet()


def _mark(box: LineBox | LinesBox, wrong: bool) -> None:
    if restyle(box, wrong=wrong):
        (_WRONG.add if wrong else _WRONG.discard)(box)
        REFUSALS.changed.emit()


def refused(under: QWidget) -> list[LineBox | LinesBox]:
    """The boxes to be seen there in which something stands that was typed and refused."""
    there = [box for box in _WRONG if shiboken6.isValid(box) and under.isAncestorOf(box)]
    return [box for box in there if box.isVisibleTo(under)]


class LinesBox(QPlainTextEdit):
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
        _mark(self, wrong=False)
        self._fit()

    def typing(self) -> bool:
        return self.document().isModified()

    def refuse(self) -> None:
        _mark(self, wrong=True)

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
            self.restore()
        else:
            super().keyPressEvent(event)

    def restore(self) -> None:
        """Take the typing back."""
        self.setPlainText(self.held)
        self.document().setModified(False)
        _mark(self, wrong=False)
        self.restored.emit()


class LineBox(QLineEdit):
    """A one-line box that gives up its text on Enter or when it is left; Esc takes the typing
    back. A text that is too long is cut by an ellipsis while it has not the focus. The click that
    brings the focus takes a number whole: what is typed next stands in its place."""

    given = Signal(str)
    restored = Signal()

    def __init__(self, name: str = "", chars: int = 0) -> None:
        super().__init__()
        self.setObjectName(name)
        self.held = self._cut = ""
        self._entered = False
        self.chars, self.least = chars, 0  # digits it is wide, and for which it keeps room
        if chars:
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.editingFinished.connect(self._finish)

    def sizeHint(self) -> QSize:
        """As wide as `chars` digits in the type of the moment, where that is given."""
        hint, digit = super().sizeHint(), self.fontMetrics().horizontalAdvance("0")
        edge = digit if self.objectName() == "large" else hint.height()  # which has no border
        return QSize(digit * self.chars + edge, hint.height()) if self.chars else hint

    def minimumSizeHint(self) -> QSize:
        if not self.chars:
            height = super().minimumSizeHint().height()
            digits = self.least * self.fontMetrics().horizontalAdvance("0")
            return QSize(digits + height if digits else 40, height)
        hint, large = self.sizeHint(), self.objectName() == "large"
        # Where there is no room for more: 0.1, not 0.0996.
        spared = 2 * self.fontMetrics().horizontalAdvance("0") if large else 0
        return QSize(hint.width() - spared, hint.height())

    def show_text(self, text: str) -> None:
        """Show a value, unless the person is typing another."""
        if self.isModified() and self.hasFocus():
            return
        self.held = text
        self._fit()
        _mark(self, wrong=False)

    def refuse(self) -> None:
        _mark(self, wrong=True)

    def _fit(self) -> None:
        """Show what is held, as much of it as has room."""
        text, room = self.held, self.width() - self.sizeHint().height() // 2
        if not self.hasFocus() and self.isVisible():
            text = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        if self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)
        self._cut = text

    def _finish(self) -> None:
        if self.isModified() or self.text() not in (self.held, self._cut):
            self.setModified(False)
            self.given.emit(self.text())

    def event(self, event: QEvent) -> bool:
        # Qt gives these keys to the box; where nothing is being typed they belong to the window.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
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

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.text() == self.held:
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.text() == self._cut:
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.text() == self._cut:
            self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self.text() == self._cut != self.held:
            self.setText(self.held)
        self._entered = event.reason() == Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._entered and not self.hasSelectedText() and re.fullmatch(_NUMBER, self.text()):
            self.selectAll()
        self._entered = False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A word of a text; but a number whole, of which Qt takes what is on one side of its dot:
        1 typed over 9.986 would be 9.1."""
        if re.fullmatch(_NUMBER, self.text()):
            self.selectAll()
        else:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.isModified() or self.text() != self.held):
            self.restore()
            event.accept()
            return
        super().keyPressEvent(event)

    def restore(self) -> None:
        """Take the typing back."""
        self.setModified(False)
        self.show_text(self.held)
        self.restored.emit()


class PanelSlider(QSlider):
    """A slider that does not take the wheel from the panel it is in, unless it has the focus. While
    a hand holds its knob a hollow one stays where that `began`."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.began: int | None = None
        self.sliderPressed.connect(lambda: self._begin(self.value()))
        self.sliderReleased.connect(lambda: self._begin(None))

    def _begin(self, began: int | None) -> None:
        self.began = began
        self.update()

    def _knob(self, value: int) -> QRect:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        option.sliderPosition = value
        part = QStyle.SubControl.SC_SliderHandle
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press beside the knob brings it there, and what follows is a drag of it."""
        knob, at = self._knob(self.sliderPosition()), event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and not knob.contains(at):
            self.setSliderDown(True)
            self.setSliderPosition(self._value_at(at.x(), knob.width()))
            middle = QPointF(self._knob(self.sliderPosition()).center())
            away = event.globalPosition() + middle - event.position()
            buttons = event.button(), event.buttons(), event.modifiers()
            event = QMouseEvent(event.type(), middle, away, *buttons, event.pointingDevice())
        super().mousePressEvent(event)

    def _value_at(self, x: int, knob: int) -> int:
        """The value at which the middle of the knob is at x."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderGroove
        groove = self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)
        ends, room = (self.minimum(), self.maximum()), groove.width() - knob
        at = x - groove.left() - knob // 2
        return QStyle.sliderValueFromPosition(*ends, at, room, option.upsideDown)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.began in (None, self.value()):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ellipse = QRegion.RegionType.Ellipse
        painter.setClipRegion(QRegion(self.rect()) - QRegion(self._knob(self.value()), ellipse))
        painter.setPen(QPen(QColor(INKS["ghost"].light), _HOLLOW))
        within = QRectF(self._knob(self.began)).adjusted(_HOLLOW, _HOLLOW, -_HOLLOW, -_HOLLOW)
        painter.drawEllipse(within)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of a remote turn pages on the screen, whatever a hand dragged last."""
        if event.key() in PAGES and getattr(self.window(), "presenting", False):
            event.ignore()
        else:
            super().keyPressEvent(event)

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


NAMES_DATA = Qt.ItemDataRole.UserRole + 1  # whether an entry is a word of the table


def add_name(box: QComboBox, name: str, held: object) -> None:
    """An entry that is a word of the table, and so the same in every language."""
    box.addItem(name, held)
    box.setItemData(box.count() - 1, True, NAMES_DATA)


class _Combo(QComboBox):
    """What is chosen takes further lines where the box is narrower, and is never cut by it."""

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(QStyledItemDelegate(self))  # Qt's own knows no padding
        self.currentTextChanged.connect(self._fit)

    def _inside(self, option: QStyleOptionComboBox) -> QRect:
        """Where the words stand."""
        part = QStyle.SubControl.SC_ComboBoxEditField
        whole = QStyle.ComplexControl.CC_ComboBox
        return self.style().subControlRect(whole, option, part, self)

    def _lines(self, option: QStyleOptionComboBox) -> tuple[str, ...]:
        """What is chosen, in lines; of a word that is wider than the box the end gives way."""
        metrics = QFontMetricsF(self.font())
        room = self._inside(option).width()
        lines = folded(self.currentText(), room, lambda text: (metrics.horizontalAdvance(text), 0))
        return tuple([metrics.elidedText(one, Qt.TextElideMode.ElideRight, room) for one in lines])

    def _fit(self) -> None:
        """As high as its lines."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        more = len(self._lines(option)) - 1
        high = self.sizeHint().height() + more * self.fontMetrics().lineSpacing()
        self.setMinimumHeight(high if more else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        lines = self._lines(option)
        if lines == (self.currentText(),):
            super().paintEvent(event)
            return
        painter = QStylePainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self._inside(option), left, "\n".join(lines))
        painter.end()

    def showPopup(self) -> None:
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + 2 * view.frameWidth())
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
