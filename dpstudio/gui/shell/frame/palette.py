"""A box in the bar to type into, and below it what is found, by groups; Enter goes there."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Look, frame_color
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.finding import EACH, GROUPS, Hit, best, grouped
from dpstudio.gui.shell.frame.known import FinderEntry, Known
from dpstudio.gui.shell.frame.window import Window
from dpstudio.values.messages import N_, plain, say

WIDTH, BOX, ROW, HEAD, EDGE, BAR = 592, 180, 28, 32, 24, 3  # px at normal type
_MOVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -3, Qt.Key.Key_PageDown: 3}
_HIT = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
LOOKED_IN = N_(
    "Nothing is called “{typed}”. Looked in pages and all that they hold, terms, settings, the "
    "columns of this table, tables, lessons, the texts and the manual."
)
NEAREST = N_("What is nearest:")


class Palette(QFrame):
    """It lies below the bar while its box, which lies over the button there, has the focus; and
    gives the focus back when it goes."""

    taken = Signal(object)  # a hit

    def __init__(self, window: Window):
        super().__init__(window)
        self._window = window
        self.setObjectName("card")
        self.box, self.list, self.said = QLineEdit(window), QListWidget(), label("", "muted", True)
        self.count = QLabel(self.box)
        self.count.setObjectName("muted")
        self.foot = label(
            tr(N_("↑ ↓ choose")) + "    " + tr(N_("↵ open")) + "    " + tr(N_("Esc close")), "muted"
        )
        window.style_sheets.add(self)
        window.style_sheets.add(self.box)
        self.box.setPlaceholderText(tr(N_("Find")))
        self.box.setAccessibleName(tr(N_("Find")))
        self.list.setAccessibleName(tr(N_("What was found")))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows = FoundRows(window.theme.look, self.list)
        self.list.setItemDelegate(self.rows)
        self._column = QVBoxLayout(self)
        for part in (self.said, self.list, self.foot):
            self._column.addWidget(part)
        self.found: list[Hit] = []
        self.known = Known()
        self._before: QWidget | None = None
        self.box.textEdited.connect(self._look)
        self.box.installEventFilter(self)
        self.list.itemClicked.connect(self._take)
        self.box.hide()
        self.hide()

    def ask(self, known: Iterable[FinderEntry], px: Callable[[int], int]) -> None:
        """Show it, empty, over all that is `known`."""
        self.known = Known(known)
        self._before = self.window().focusWidget()
        self.rows.look = self._window.theme.look
        self.box.clear()
        self._place(px)
        self._look("")
        for part in (self, self.box):
            part.show()
            part.raise_()
        self.box.setFocus()

    def know(self, more: Iterable[FinderEntry]) -> None:
        """More can be found, that had to be read first."""
        self.known = Known([*self.known, *more])
        if self.isVisible():
            self._look(self.box.text())

    def _place(self, px: Callable[[int], int]) -> None:
        """The box over the button of the bar, or where that gave way, at the right of the bar; the
        list below it, within the window."""
        top, edge, whole = self._window.top, px(EDGE), self._window.width()
        button = top.seek
        wide, high = px(BOX), button.sizeHint().height() + 2
        right = whole - edge
        if button.isVisible():
            right = button.mapTo(self._window, QPoint(button.width(), 0)).x()
            wide = max(wide, button.width())
        bar = top.mapTo(self._window, QPoint()).y()
        self.box.setGeometry(right - wide, bar + (top.height() - high) // 2, wide, high)
        self.setFixedWidth(min(px(WIDTH), whole - 2 * edge))
        self._column.setContentsMargins(px(8), px(12), px(8), px(12))
        self.said.setContentsMargins(px(16), 0, px(16), px(4))
        self.foot.setContentsMargins(px(16), px(4), px(16), 0)
        self.move(whole - edge - self.width(), bar + top.height() + 4)

    def _look(self, typed: str) -> None:
        px = self.rows.look.px
        room = self._window.height() - self.y() - px(96)
        found = best(typed, self.known)
        groups = grouped(found, max(EACH, (room - px(HEAD) * GROUPS) // px(ROW)))
        self.found = [hit for _, hits in groups for hit in hits]
        self.list.clear()
        self.list.setFixedHeight(0)
        high = 0
        for name, hits in groups:
            head = QListWidgetItem(tr(name), self.list)
            head.setFlags(Qt.ItemFlag.NoItemFlags)
            for hit in hits:
                item = QListWidgetItem(f"{hit.name} · {hit.more} · {hit.entry.where}", self.list)
                item.setData(_HIT, hit)
                item.setToolTip(hit.more)
            high += px(HEAD) + px(ROW) * len(hits)
        self.list.setFixedHeight(high)
        self.list.setVisible(bool(groups))
        if not found.lacks:  # what is but nearest is not gone to unasked
            self._step(1, -1)
        self._tell(typed.strip(), found.lacks)
        self.adjustSize()

    def _tell(self, typed: str, lacks: str) -> None:
        """How many were found, and where nothing was, where that was looked for."""
        count = 0 if lacks else len(self.found)
        self.count.setText(shown(say("{n} found", n=plain(str(count)))) if typed else "")
        self.count.adjustSize()
        self.count.move(
            self.box.width() - self.count.width() - self.rows.look.px(12),
            (self.box.height() - self.count.height()) // 2,
        )
        beside = self.count.width() + self.rows.look.px(20)  # what is typed ends before it
        self.box.setTextMargins(0, 0, beside if typed else 0, 0)
        empty = N_(
            "A page, a term, a setting, a column, a table, a place of the texts: type its name."
        )
        text = shown(say(LOOKED_IN, typed=plain(lacks or typed))) if typed else tr(empty)
        self.said.setText(f"{text} {tr(NEAREST)}" if self.found else text)
        self.said.setVisible(bool(lacks) or not self.found)

    def _take(self, _: object = None) -> None:
        item = self.list.currentItem()
        hit = item.data(_HIT) if item is not None else None
        if isinstance(hit, Hit):
            self.leave()
            self.taken.emit(hit)

    def leave(self) -> None:
        """Go, and give the focus back."""
        if self.isVisible():
            self._hide()
            if self._before is not None and self._before.isVisible():
                self._before.setFocus()
        self._before = None

    def _hide(self) -> None:
        self.hide()
        self.box.hide()

    def _step(self, by: int, start: int | None = None) -> None:
        """The next row that is none of a heading."""
        row = self.list.currentRow() if start is None else start
        way, left = (1 if by > 0 else -1), abs(by)
        while left and 0 <= row + way < self.list.count():
            row += way
            if self.list.item(row).data(_HIT) is not None:
                self.list.setCurrentRow(row)
                left -= 1

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self._hide()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take()
                return True
            if event.key() in _MOVES:
                self._step(_MOVES[Qt.Key(event.key())])
                return True
        return False


class FoundRows(QStyledItemDelegate):
    """Draws a heading, or a row: its name, what is said beside it, and where it leads."""

    def __init__(self, look: Look, parent: QObject):
        super().__init__(parent)
        self.look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        high = ROW if index.data(_HIT) is not None else HEAD
        return QSize(0, self.look.px(high))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, hit = self.look, index.data(_HIT)
        place: QRect = option.rect
        line = place.adjusted(look.px(16), 0, -look.px(16), 0)
        painter.save()
        if not isinstance(hit, Hit):
            if index.row():
                at = place.top() + look.px(6)
                painter.fillRect(line.left(), at, line.width(), 1, frame_color(look, "line"))
            head = line.adjusted(0, look.px(8) if index.row() else 0, 0, 0)
            _write(painter, look, head, index.data(), (12, 500), "muted")
        else:
            chosen = index.row() == _list_of(self).currentRow()
            if chosen:
                painter.fillRect(place, frame_color(look, "wash"))
                painter.fillRect(
                    QRect(place.topLeft(), QSize(BAR, place.height())), look.color("text")
                )
            # A name is cut last: what is said at the right end, such as a source, may be long.
            spare = min(_wide(look, hit.entry.where, (12, 400)), line.width() // 3) + look.px(16)
            named = line.adjusted(0, 0, -spare, 0)
            wide = _write(painter, look, named, hit.name, (14, 600), "text")
            line.setLeft(line.left() + wide + look.px(12))
            right = _write(painter, look, line, hit.entry.where, (12, 400), "muted", right=True)
            line.setRight(line.right() - right - look.px(16))
            _write(painter, look, line, hit.more, (12, 400), "muted")
        painter.restore()


def _list_of(rows: FoundRows) -> QListWidget:
    parent = rows.parent()
    assert isinstance(parent, QListWidget)
    return parent


def _wide(look: Look, text: str, type_: tuple[int, int]) -> int:
    return QFontMetrics(look.font(*type_)).horizontalAdvance(text)


def _write(
    painter: QPainter,
    look: Look,
    place: QRect,
    text: str,
    type_: tuple[int, int],
    ink: str,
    *,
    right: bool = False,
) -> int:
    """Write within a place, cut where it ends; how wide that is in px."""
    font = look.font(*type_)
    measure = QFontMetrics(font)
    cut = measure.elidedText(text, Qt.TextElideMode.ElideRight, max(0, place.width()))
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.setFont(font)
    painter.setPen(look.color(ink))
    painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, cut)
    return measure.horizontalAdvance(cut)
