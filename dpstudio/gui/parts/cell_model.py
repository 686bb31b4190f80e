"""Texts under heads as a table of Qt reads them, numbers on the right."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_PARENT = QModelIndex()


class CellModel(QAbstractTableModel):
    """`right` says which columns stand on the right; rows are counted from `start`."""

    def __init__(self) -> None:
        super().__init__()
        self.heads: list[str] = []
        self.right: list[bool] = []
        self.cells: Sequence[Sequence[Any]] = ()
        self.start = 0

    def show_cells(
        self, heads: list[str], right: list[bool], cells: Sequence[Sequence[Any]]
    ) -> None:
        self.beginResetModel()
        self.heads, self.right, self.cells = heads, right, cells
        self.endResetModel()

    def rowCount(self, parent: Index = _PARENT) -> int:
        return 0 if parent.isValid() else len(self.cells)

    def columnCount(self, parent: Index = _PARENT) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        down = orientation == Qt.Orientation.Vertical
        if role in (Role.DisplayRole, Role.ToolTipRole):
            return f"{self.start + section + 1:,}" if down else self.heads[section]
        return _side(down or self.right[section]) if role == Role.TextAlignmentRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if role in (Role.DisplayRole, Role.ToolTipRole):
            return self.cells[index.row()][index.column()]
        return _side(self.right[index.column()]) if role == Role.TextAlignmentRole else None


def _side(right: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
