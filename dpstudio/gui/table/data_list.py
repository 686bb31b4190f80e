"""The list of columns on the data page: name, type, a tiny distribution and what is missing;
searched and sorted."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QTableView

from dpstudio.data.codebook import AS_PROPOSED, NONE, ROLE_NAMES
from dpstudio.data.profile import Profile
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.table.column_cells import MARKS, QUIET, BarsCell, NameCell, QuietCell
from dpstudio.values.messages import N_, Message, Num, enumerated, plain, say

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
    "role": N_("by role"),
    "missing": N_("most missing first"),
    "distinct": N_("most values first"),
}
_HEADS = (N_("Column"), N_("Type"), N_("Role"), N_("Shape"), N_("Missing"))
_BY_HEAD = ("name", "type", "role", "distinct", "missing")
_KEYS: dict[str, Callable[[Profile], Any]] = {
    "name": lambda seen: seen.name.casefold(),
    "type": lambda seen: list(TYPES).index(seen.type),
    "missing": lambda seen: -seen.missing,
    "distinct": lambda seen: -(seen.spread.distinct if seen.spread is not None else 0),
}
_PARENT = QModelIndex()
NAME, TYPE, ROLE, BARS, MISSING = range(5)
_NAME = 96  # px that names have at least, where there is something to leave out
_EDGES = 28  # px about a name and its mark
_CHOOSE = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}


class ColumnModel(QAbstractTableModel):
    """Those of the columns that are looked for, in the order that is asked for. `marks(name)` is
    what else is to be said of one, `told(name)` the role that a person told of it."""

    def __init__(self, marks: Callable[[str], tuple[str, ...]], told: Callable[[str], str]) -> None:
        super().__init__()
        self.marks, self.told = marks, told
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
        elif self.sorted_by == "role":
            order = [key for key in ROLE_NAMES if key] + [AS_PROPOSED]
            found.sort(key=lambda seen: order.index(self.role(seen)))
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
            if index.column() == ROLE and said and not self.told(seen.name):
                text = N_("{role}: proposed, for looking only. Choose it to say so.")
                return shown(say(text, role=Message(ROLE_NAMES[seen.proposed])))
            return (
                shown(enumerated([plain(said), *map(Message, self.marks(seen.name))]))
                if index.column() == NAME
                else said
            )
        if role == QUIET:
            return index.column() == ROLE and not self.told(seen.name)
        if role == MARKS:
            return [tr(mark) for mark in self.marks(seen.name)]
        return None

    def role(self, seen: Profile) -> str:
        """The role that was told of a column, else the one that is proposed."""
        return self.told(seen.name) or seen.proposed

    def text(self, seen: Profile, column: int) -> str:
        if column == NAME:
            return seen.name
        if column == TYPE:
            return tr(TYPES[seen.type])
        if column == ROLE:
            told = self.told(seen.name)
            if told or not seen.proposed:
                return tr(ROLE_NAMES[told]) if told else ""
            return shown(say("{role}?", role=Message(ROLE_NAMES[seen.proposed])))
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
    clicked; `role(name, role)`: one was chosen, by a click on it or by the enter key."""

    chosen = Signal(str)
    sorting = Signal(str)
    role = Signal(str, str)

    def __init__(self, model: ColumnModel, look: Look):
        super().__init__()
        self.columns = model
        self.look = look
        self.setModel(model)
        self.bars = BarsCell(look)
        self.names = NameCell(look)
        self.setItemDelegateForColumn(NAME, self.names)
        self.quiet = QuietCell(look)
        self.setItemDelegateForColumn(ROLE, self.quiet)
        self.menu = QMenu(self)
        self.menu.setAccessibleName(tr(N_("Role")))
        self.clicked.connect(self._click)
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

    def _click(self, index: QModelIndex) -> None:
        if index.column() == ROLE:
            self.offer_roles()

    def offer_roles(self) -> None:
        """A menu of the roles, at that of the chosen column."""
        here = self.currentIndex()
        if not here.isValid():
            return
        seen = self.columns.rows[here.row()]
        told, proposed = self.columns.told(seen.name), Message(ROLE_NAMES[seen.proposed])
        self.menu.clear()
        for key, text in ROLE_NAMES.items():
            words = tr(text)
            if not key and seen.proposed:
                words = shown(say("as proposed: {role}", role=proposed))
            action = self.menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(key == told)
            action.triggered.connect(partial(self.role.emit, seen.name, key))
            if key == told:
                self.menu.setActiveAction(action)
        place = self.visualRect(self.columns.index(here.row(), ROLE)).bottomLeft()
        self.menu.popup(self.viewport().mapToGlobal(place))

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
        self.look = self.bars.look = self.names.look = self.quiet.look = look
        self.verticalHeader().setDefaultSectionSize(look.px(30))
        self._fit()
        self.viewport().update()

    def _fit(self) -> None:
        """The name has what the others leave."""
        room = self.viewport().width()
        words = QFontMetrics(self.look.font(14))
        missing, bars = self.look.px(72), max(self.look.px(58), round(0.11 * room))
        roles = [
            tr(text) + "?" for key, text in ROLE_NAMES.items() if key not in (AS_PROPOSED, NONE)
        ]
        kind, role = (
            max((words.horizontalAdvance(text) for text in texts), default=0)
            + self.look.px(16)
            + 12
            for texts in ([tr(TYPES[seen.type]) for seen in self.columns.held.values()], roles)
        )
        widths = {TYPE: kind, ROLE: role, BARS: bars, MISSING: missing}
        longest = max(map(words.horizontalAdvance, self.columns.held), default=0)
        name = max(self.look.px(_NAME), min(longest + self.look.px(_EDGES), room // 2))
        # What there is no room for is told of the chosen column beside the list.
        for spare in (TYPE, BARS):
            short = room - sum(widths.values()) < name
            self.setColumnHidden(spare, short)
            widths[spare] = 0 if short else widths[spare]
        widths[NAME] = max(1, room - sum(widths.values()))
        for place, width in widths.items():
            if width:
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
        elif event.key() in _CHOOSE:
            self.offer_roles()
        else:
            super().keyPressEvent(event)
