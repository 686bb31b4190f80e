"""Words on the screen: plain labels, those that change while a hand moves, those that give way, and
sentences of complaint."""

from bisect import bisect_left
from typing import Any

from PySide6.QtCore import QEvent, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import N_, Message


def label(text: str, name: str = "", wrap: bool = False) -> QLabel:
    """A label whose style is chosen by object name."""
    out = QLabel(text)
    out.setObjectName(name)
    out.setWordWrap(wrap)
    out.setTextFormat(Qt.TextFormat.PlainText)
    return out


def hair() -> QFrame:
    """A hairline between two parts."""
    out = QFrame()
    out.setObjectName("hair")
    return out


def restyle(widget: QWidget, **properties: Any) -> bool:
    """Set dynamic properties and let the style sheet see them, to which none is as one that is not
    so; whether any of them is another than before."""
    if all((widget.property(name) or False) == value for name, value in properties.items()):
        return False
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    return True


def retone(widget: QWidget, name: str) -> None:
    """Give a widget another object name, and with it another style."""
    if widget.objectName() != name:
        widget.setObjectName(name)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


SETTLE_MS = 250
COARSE = 0.6  # of the ink of words that a finer result may tell otherwise
_WRAP = Qt.TextFlag.TextWordWrap.value


def _breaking(text: str) -> str:
    """The same, with lines that may end within a list of names in Chinese quotes."""
    return text.replace("、“", "、\u200b“")


class LiveLabel(QLabel):
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
        self.coarse = False
        self.names_data = False  # a word of the table, which is the same in every language
        # What the layout knows of, and how high it is; asked for at every step.
        self._had: tuple[tuple[QRect, str], int] | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._sync)

    def show_text(self, text: str) -> None:
        before, self.whole = self.whole, text
        if text == before:
            return
        if self.isVisible() and super().text() and self._fits(text):
            self.update()
            self._settle.start()
        else:
            self._sync()

    def set_text(self, text: str) -> None:
        """Other words that need other room at once."""
        before, self.whole = self.whole, text
        if text != before or self._settle.isActive():
            self._sync()

    def mark(self, coarse: bool) -> None:
        """Whether a finer result may tell it otherwise: it is paler until then, and stands where it
        stands."""
        if coarse != self.coarse:
            self.coarse = coarse
            self.setAccessibleDescription(tr(N_("being refined")) if coarse else "")
            self.update()

    def text(self) -> str:
        """What is to be seen."""
        return self.whole

    def _sync(self) -> None:
        self._settle.stop()
        super().setText(_breaking(self.whole))

    def _fits(self, text: str) -> bool:
        room, size = self.contentsRect(), self.fontMetrics()
        if not self.wordWrap() or self.height() < 2 * size.height():
            one_line = size.horizontalAdvance(text) <= room.width()
            if one_line or not self.wordWrap():
                return one_line
        before = room, super().text()
        if self._had is None or self._had[0] != before:
            self._had = before, size.boundingRect(room, _WRAP, before[1]).height()
        high = size.boundingRect(room, _WRAP, _breaking(text)).height()
        # Fewer lines have room as well, and give it back after the drag: those that begin at the
        # top stand where they stood.
        top = bool(self.alignment() & Qt.AlignmentFlag.AlignTop)
        return high == self._had[1] or (top and high < self._had[1])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._had = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The layout gave another width to the words it knows; those that are seen may not fit.
        if self._settle.isActive() and not self._fits(self.whole):
            self._sync()

    def words(self) -> str:
        """What is painted."""
        return _breaking(self.whole)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)  # in the label's type and colour
        painter.setOpacity(COARSE if self.coarse else 1)
        flags = self.alignment().value | (_WRAP if self.wordWrap() else 0)
        painter.drawText(self.lines_room(), flags, self.words())
        painter.end()

    def lines_room(self) -> QRect:
        """Where the words are painted."""
        return self.contentsRect()


class BalancedLabel(LiveLabel):
    """A label that is broken into lines of about one length, no more of them than it needs: no last
    word stands alone."""

    def __init__(self, name: str) -> None:
        super().__init__(name, wrap=True)
        self._least: tuple[tuple[str, int], int] | None = None

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._least = None

    def lines_room(self) -> QRect:
        room = super().lines_room()
        asked = self.words(), room.width()
        if self._least is None or self._least[0] != asked:
            self._least = asked, self._width(room)
        room.setWidth(self._least[1])
        return room

    def _width(self, room: QRect) -> int:
        """The least in which the words need no more lines than in the whole room."""
        size, words, wide = self.fontMetrics(), self.words(), room.width()
        high = size.boundingRect(room, _WRAP, words).height()
        if high < 2 * size.height():
            return wide

        def fits(width: int) -> bool:
            box = size.boundingRect(QRect(0, 0, width, high), _WRAP, words)
            return box.height() <= high and box.width() <= width

        return wide // 2 + bisect_left(range(wide // 2, wide), x=True, key=fits)


class ElidedLabel(LiveLabel):
    """A one-line label that gives way: what does not fit ends in an ellipsis between two words, as
    “at most 5.00…” would be read as a number, and the whole is its tooltip. What is not to be
    `torn` loses its last clauses, each after a semicolon, or all."""

    def __init__(self, name: str):
        super().__init__(name)
        self.torn = True
        self.setMinimumWidth(20)

    def minimumSizeHint(self) -> QSize:
        return QSize(20, super().minimumSizeHint().height())

    def _fits(self, text: str) -> bool:
        return True

    def words(self) -> str:
        room, size, said = self.contentsRect().width(), self.fontMetrics(), self.whole
        if not self.torn:
            while said and size.horizontalAdvance(said) > room:
                said = said.rpartition("; ")[0]
            return said
        cut = size.elidedText(self.whole, Qt.TextElideMode.ElideRight, room)
        kept, _, torn = cut.removesuffix("…").rpartition(" ")
        within = cut != self.whole and not self.whole.startswith(f"{kept} {torn} ")
        return f"{kept} …" if kept and within else cut

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(self.whole if self.words() != self.whole else "")
        return super().event(event)


class ProblemLabel(QLabel):
    """The sentence under a field: hidden when there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setObjectName("bad")
        self.hide()

    def say(self, message: Message | str, tone: str = "bad") -> None:
        text = shown(message)
        if text != self.text() or tone != self.objectName():
            self.setObjectName(tone)
            self.setText(text)
            self.style().unpolish(self)
            self.style().polish(self)
        self.setVisible(bool(text))
