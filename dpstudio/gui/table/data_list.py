"""The list of columns on the data page: name, type, a tiny distribution and what is missing;
searched and sorted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from dpstudio.data.profile import Profile
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr
from dpstudio.values.messages import N_, Num

TYPES = {
    "integer": N_("whole numbers"), "number": N_("numbers"), "date": N_("dates"), "category": N_("words"), "text": N_("free text"),
    "identifier": N_("identifier"), "other": N_("other"),
}  # fmt: skip
SORTS = {
    "file": N_("as in the file"), "name": N_("by name"), "type": N_("by type"), "missing": N_("most missing first"),
    "distinct": N_("most values first"),
}  # fmt: skip
_HEADS = (N_("Column"), N_("Type"), N_("Shape"), N_("Missing"))
_BY_HEAD = ("name", "type", "distinct", "missing")
_KEYS: dict[str, Callable[[Profile], Any]] = {
    "name": lambda seen: seen.name.casefold(),
    "type": lambda seen: list(TYPES).index(seen.type),
    "missing": lambda seen: -seen.missing,
    "distinct": lambda seen: -(seen.spread.distinct if seen.spread is not None else 0),
}
_PARENT = QModelIndex()
NAME, TYPE, BARS, MISSING = range(4)
MARKS = Qt.ItemDataRole.UserRole + 1


class ColumnModel(QAbstractTableModel):
    """Those of the columns that are looked for, in the order that is asked for. `marks(name)` is
    what else is to be said of one."""

    def __init__(self, marks: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self.marks = marks
        self.held: dict[str, Profile] = {}
        self.rows: list[Profile] = []
        self.sought, self.sorted_by = "", "file"

    def show_columns(self, columns: list[Profile]) -> None:
        """Other columns, in the order of the file."""
        self.held = {seen.name: seen for seen in columns}
        self.arrange()

    def show_profile(self, seen: Profile) -> None:
        """What one of the columns was found to hold."""
        if seen.name not in self.held:
            return
        self.held[seen.name] = seen
        place = self.place(seen.name)
        if place is not None:
            self.rows[place] = seen
            self.dataChanged.emit(self.index(place, 0), self.index(place, len(_HEADS) - 1))

    def tell_marks(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(_HEADS) - 1))

    def arrange(self, sought: str | None = None, sorted_by: str | None = None) -> None:
        """Look for other letters, or sort in another way."""
        self.sought = self.sought if sought is None else sought.strip().casefold()
        self.sorted_by = self.sorted_by if sorted_by is None else sorted_by
        found = [seen for seen in self.held.values() if self.sought in seen.name.casefold()]
        if self.sorted_by in _KEYS:
            found.sort(key=_KEYS[self.sorted_by])
        self.beginResetModel()
        self.rows = found
        self.endResetModel()

    def place(self, name: str) -> int | None:
        return next((place for place, seen in enumerate(self.rows) if seen.name == name), None)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _PARENT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _PARENT) -> int:
        return 0 if parent.isValid() else len(_HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(_HEADS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        return None

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        seen = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(seen, index.column())
        if role == Qt.ItemDataRole.UserRole:
            return seen
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            said = seen.summary if index.column() == BARS else self.text(seen, index.column())
            return (
                ", ".join([said, *map(tr, self.marks(seen.name))])
                if index.column() == NAME
                else said
            )
        if role == MARKS:
            return [tr(mark) for mark in self.marks(seen.name)]
        return None

    def text(self, seen: Profile, column: int) -> str:
        if column == NAME:
            return seen.name
        if column == TYPE:
            return tr(TYPES[seen.type])
        if column == MISSING and seen.spread is not None:
            # A thousandth is the least that the column has room for.
            few = 0 < seen.missing_share < 0.001
            share = Num(0.001 if few else seen.missing_share, 2, percent=True)
            return "–" if not seen.missing else f"<{share}" if few else str(share)
        return ""


def _side(column: int) -> Qt.AlignmentFlag:
    return (
        Qt.AlignmentFlag.AlignRight if column == MISSING else Qt.AlignmentFlag.AlignLeft
    ) | Qt.AlignmentFlag.AlignVCenter


class _Name(QStyledItemDelegate):
    """A name, and on its right what else is to be said of the column."""

    def __init__(self, look: Look):
        super().__init__()
        self.look = look

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        box = QRectF(option.rect)
        self.initStyleOption(option, index)
        style, text = option.widget.style(), option.text
        option.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words = self.look.font(13)
        left = box.left() + self.look.px(8) + 3
        room = box.right() - self.look.px(6) - left - QFontMetrics(words).horizontalAdvance(text)
        right = self._marks(painter, box, index.data(MARKS), room)
        painter.setFont(words)
        painter.setPen(self.look.color("text"))
        name = QFontMetrics(words).elidedText(text, Qt.TextElideMode.ElideRight, int(right - left))
        painter.drawText(
            QRectF(left, box.top(), right - left, box.height()),
            int(Qt.AlignmentFlag.AlignVCenter),
            name,
        )
        painter.restore()

    def _marks(self, painter: QPainter, box: QRectF, marks: list[str], room: float) -> float:
        """Each as a word in a frame, or as a dot where the name leaves no room; where they
        begin."""
        font, pad = self.look.font(11, 600), self.look.px(5)
        metrics = QFontMetrics(font)
        high = metrics.height() + self.look.px(2)
        dots = sum(metrics.horizontalAdvance(mark) + 3 * pad for mark in marks) > room
        right = box.right() - pad
        painter.setFont(font)
        painter.setPen(self.look.color("good"))
        for mark in reversed(marks):
            width = self.look.px(7) if dots else metrics.horizontalAdvance(mark) + 2 * pad
            tall = width if dots else high
            pill = QRectF(right - width, box.center().y() - tall / 2, width, tall)
            painter.setBrush(
                self.look.color("good") if dots else QColor(Qt.GlobalColor.transparent)
            )
            painter.drawRoundedRect(pill, tall / 2, tall / 2)
            if not dots:
                painter.drawText(pill, int(Qt.AlignmentFlag.AlignCenter), mark)
            right -= width + pad
        return right


class _Bars(QStyledItemDelegate):
    """Draws the distribution: bars for words, a filled outline for numbers."""

    def __init__(self, look: Look):
        super().__init__()
        self.look = look

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        seen: Profile = index.data(Qt.ItemDataRole.UserRole)
        bars = seen.bars
        if not len(bars):
            return
        box = QRectF(option.rect).adjusted(8, 5, -8, -4)
        color = QColor(self.look.color("accent"))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not seen.words)
        painter.setPen(Qt.PenStyle.NoPen)
        heights = bars / bars.max() * box.height()
        step = box.width() / max(len(heights), 8)
        if seen.words:
            painter.setBrush(color)
            for i, height in enumerate(heights):
                painter.drawRect(
                    QRectF(
                        box.left() + i * step, box.bottom() - height, max(1.0, step * 0.75), height
                    )
                )
        else:
            color.setAlphaF(0.75)
            painter.setBrush(color)
            points = [QPointF(box.left(), box.bottom())]
            for i, height in enumerate(heights):
                top = box.bottom() - height
                points += [
                    QPointF(box.left() + i * step, top),
                    QPointF(box.left() + (i + 1) * step, top),
                ]
            painter.drawPolygon(
                QPolygonF([*points, QPointF(box.left() + len(heights) * step, box.bottom())])
            )
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(self.look.px(90), self.look.px(30))


class ColumnList(QTableView):
    """The list itself. `chosen(name)`: another column is looked at; `sorting(key)`: a head was
    clicked."""

    chosen = Signal(str)
    sorting = Signal(str)

    def __init__(self, model: ColumnModel, look: Look):
        super().__init__()
        self.columns = model
        self.look = look
        self.setModel(model)
        self.bars = _Bars(look)
        self.names = _Name(look)
        self.setItemDelegateForColumn(NAME, self.names)
        self.setItemDelegateForColumn(BARS, self.bars)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(1)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(lambda place: self.sorting.emit(_BY_HEAD[place]))
        self.setAccessibleName(tr(N_("Columns of the table")))
        self.selectionModel().currentRowChanged.connect(self._tell)
        model.modelReset.connect(self._fit)
        self.dress(look)

    def _tell(self, now: QModelIndex, _: QModelIndex) -> None:
        if now.isValid():
            self.chosen.emit(self.columns.rows[now.row()].name)

    def choose(self, name: str) -> None:
        """Mark a column, and bring it into sight."""
        place = self.columns.place(name)
        if place is None:
            self.clearSelection()
        elif self.currentIndex().row() != place:
            self.setCurrentIndex(self.columns.index(place, 0))

    def step(self, by: int) -> None:
        """The column that stands so many further down."""
        rows = len(self.columns.rows)
        if rows:
            here = self.currentIndex().row()
            self.setCurrentIndex(
                self.columns.index(min(rows - 1, max(0, here + by)) if here >= 0 else 0, 0)
            )

    def dress(self, look: Look) -> None:
        self.look = self.bars.look = self.names.look = look
        self.verticalHeader().setDefaultSectionSize(look.px(30))
        self._fit()
        self.viewport().update()

    def _fit(self) -> None:
        """The name has what the others leave."""
        room = self.viewport().width()
        words = QFontMetrics(self.look.font(13))
        missing, bars = self.look.px(72), max(self.look.px(58), round(0.18 * room))
        kind = (
            max(
                (
                    words.horizontalAdvance(tr(TYPES[seen.type]))
                    for seen in self.columns.held.values()
                ),
                default=0,
            )
            + self.look.px(16)
            + 12
        )
        for place, width in (
            (TYPE, kind),
            (BARS, bars),
            (MISSING, missing),
            (NAME, max(1, room - kind - bars - missing)),
        ):
            self.setColumnWidth(place, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        held = self.currentIndex()
        super().focusInEvent(event)
        if held.isValid() and self.currentIndex().row() != held.row():
            self.setCurrentIndex(held)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Left and right would walk through the cells of a row, which is one thing here.
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()
        else:
            super().keyPressEvent(event)
