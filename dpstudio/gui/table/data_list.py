"""The list of columns on the data page: name, type, a tiny distribution and what is missing;
searched and sorted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from dpstudio.data.profile import Profile
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.table.column_cells import MARKS, BarsCell, NameCell
from dpstudio.values.messages import N_, Num

TYPES = {
    "integer": N_("whole numbers"),
    "number": N_("numbers"),
    "date": N_("dates"),
    "category": N_("words"),
    "text": N_("free text"),
    "identifier": N_("identifier"),
    "other": N_("other"),
}
SORTS = {
    "file": N_("as in the file"),
    "name": N_("by name"),
    "type": N_("by type"),
    "missing": N_("most missing first"),
    "distinct": N_("most values first"),
}
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
        self.bars = BarsCell(look)
        self.names = NameCell(look)
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
