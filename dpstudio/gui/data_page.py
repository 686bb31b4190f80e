"""The columns of the table: type, missing share, and a tiny distribution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF
from PySide6.QtWidgets import QFrame, QHeaderView, QLabel, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QVBoxLayout, QWidget

from dpstudio.core.conditions import Where
from dpstudio.core.dataset import ColumnInfo, Dataset
from dpstudio.core.dates import date_text
from dpstudio.core.wording import N_, Num, number, say
from dpstudio.gui.theme import Look
from dpstudio.gui.tr import shown, tr
from dpstudio.gui.widgets import label

_TYPES = {"integer": N_("whole numbers"), "number": N_("numbers"), "date": N_("dates"), "category": N_("words"), "other": N_("other")}
_HEADS = (N_("Column"), N_("Type"), N_("Missing"), N_("Range or most common"), N_("Distribution"))
_BARS = 24


@dataclass(frozen=True, eq=False)
class Profile:
    """One column, summed up. `bars` are heights of a tiny histogram, or counts of the most common words.

    A column that could not be summed up is not `known`.
    """

    name: str
    type: str
    missing: float
    summary: str
    bars: np.ndarray
    words: bool
    known: bool = True


def profiles(data: Dataset) -> Iterator[Profile]:
    """Sum up every column; only looked at on this screen, never saved."""
    for info in data.columns:
        try:
            yield _profile(data, info)
        except Exception:
            # Whatever is in one column, the others are shown.
            yield Profile(info.name, info.type, 0.0, "", np.array([]), True, known=False)


def _profile(data: Dataset, info: ColumnInfo) -> Profile:
    missing = data.missing(info.name) / data.rows if data.rows else 0.0
    extent = data.extent(info.name) if info.ordered else None
    if extent is not None:
        edges = _edges(extent.low, extent.high)
        show = date_text if info.type == "date" else partial(number, digits=4)
        summary = f"{show(extent.low)} … {show(extent.high)}"
        return Profile(info.name, info.type, missing, summary, data.histogram(info.name, edges, Where()), False)
    if info.type == "category":
        common = data.distinct(info.name, _BARS)
        summary = ", ".join(word for word, _ in common[:3]) + (" …" if len(common) > 3 else "")
        return Profile(info.name, info.type, missing, summary, np.array([count for _, count in common]), True)
    return Profile(info.name, info.type, missing, "", np.array([]), True)


def _edges(low: float, high: float) -> tuple[float, ...]:
    """Equal steps from the lowest to the highest value, which may lie further apart than a float can say."""
    shares = np.linspace(0, 1, _BARS + 1)
    edges = low * (1 - shares) + high * shares
    if np.all(np.diff(edges / 2) > 0):
        return tuple(edges.tolist())
    # All values are alike, or nearly so.
    width = max(1.0, abs(low) * 1e-9)
    return tuple((low + width * shares).tolist())


class _Model(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Profile] = []

    def show_rows(self, rows: list[Profile]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return len(self.rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return len(_HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return tr(_HEADS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == 3:
            return row.summary
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        missing = str(Num(row.missing, 2, percent=True)) if row.missing else "–"
        summary = row.summary if row.known else tr(N_("cannot be summed up"))
        return (row.name, tr(_TYPES[row.type]), missing if row.known else "–", summary, "")[index.column()]


class _Bars(QStyledItemDelegate):
    """Draws the distribution: bars for words, a filled outline for numbers."""

    def __init__(self, look: Look):
        super().__init__()
        self.look = look

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        row: Profile = index.data(Qt.ItemDataRole.UserRole)
        if not len(row.bars) or not row.bars.max():
            return
        box = QRectF(option.rect).adjusted(8, 5, -8, -4)
        box.setWidth(min(box.width(), 260.0 * self.look.scale))
        color = QColor(self.look.color("accent"))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not row.words)
        painter.setPen(Qt.PenStyle.NoPen)
        heights = row.bars / row.bars.max() * box.height()
        step = box.width() / max(len(heights), 8)
        if row.words:
            painter.setBrush(color)
            for i, height in enumerate(heights):
                painter.drawRect(QRectF(box.left() + i * step, box.bottom() - height, max(1.0, step * 0.75), height))
        else:
            color.setAlphaF(0.75)
            painter.setBrush(color)
            points = [QPointF(box.left(), box.bottom())]
            for i, height in enumerate(heights):
                points += [
                    QPointF(box.left() + i * step, box.bottom() - height),
                    QPointF(box.left() + (i + 1) * step, box.bottom() - height),
                ]
            painter.drawPolygon(QPolygonF([*points, QPointF(box.left() + len(heights) * step, box.bottom())]))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self.look.px(200), self.look.px(34))


class DataPage(QWidget):
    """The table as columns. It is filled from a worker; until then it says so."""

    def __init__(self, look: Look):
        super().__init__()
        self.model = _Model()
        self.title: QLabel = label("", "title")
        self.note = label(
            tr(N_("Everything on this page is read from the data: it is not private and is never saved.")), "muted", wrap=True
        )
        self.view = QTableView()
        self.view.setModel(self.model)
        self.delegate = _Bars(look)
        self.view.setItemDelegateForColumn(4, self.delegate)
        self.view.setShowGrid(False)
        self.view.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.view.verticalHeader().hide()
        self.view.setAccessibleName(tr(N_("Columns of the table")))
        header = self.view.horizontalHeader()
        header.setHighlightSections(False)
        for place in (0, 1, 2):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(4, QHeaderView.ResizeMode.Interactive)
        frame = QFrame()
        frame.setObjectName("card")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(16, 12, 16, 12)
        for widget in (self.title, self.note, self.view):
            inside.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)
        self.dress(look)

    def clear(self) -> None:
        """Show no table until the next one is summed up."""
        self.title.setText("")
        self.model.show_rows([])

    def show_data(self, data: Dataset, rows: list[Profile]) -> None:
        self.title.setText(
            shown(
                say(
                    N_("{table} · {rows} rows · {columns} columns"),
                    table=tr(data.name),
                    rows=Num(data.rows),
                    columns=Num(len(data.columns)),
                )
            )
        )
        self.model.show_rows(rows)

    def dress(self, look: Look) -> None:
        self.delegate.look = look
        self.view.verticalHeader().setDefaultSectionSize(look.px(34))
        self.view.horizontalHeader().resizeSection(4, look.px(290))
        self.view.viewport().update()
