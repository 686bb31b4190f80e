"""A table of findings as a card: words left, numbers right, copied as tab-separated text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from dpstudio.files.write.tabular import cell_words, is_number
from dpstudio.gui.board.cards import Card
from dpstudio.gui.board.headline import unbroken
from dpstudio.gui.parts.cell_model import CellModel, Role
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import N_

if TYPE_CHECKING:
    from dpstudio.labs.findings import Table

_MOST = 520  # px at normal type
_WRAP = Qt.TextFlag.TextWordWrap.value


class _Model(CellModel):
    """The texts that are shown. A table of the same shape changes only the cells that differ."""

    def show_table(self, table: Table) -> bool:
        """True where columns or the number of rows are others than before."""
        heads = [shown(head) for head in table.heads] or [tr(name) for name, _ in table.columns]
        heads = list(map(unbroken, heads))
        rows = list(
            zip(
                *([cell_words(cell, tr) for cell in cells] for _, cells in table.columns),
                strict=True,
            )
        )
        right = [all(is_number(row[place]) for row in rows) for place in range(len(heads))]
        if (heads, right, len(rows)) != (self.heads, self.right, len(self.cells)):
            self.show_cells(heads, right, rows)
            return True
        changed = [
            place
            for place, (old, new) in enumerate(zip(self.cells, rows, strict=True))
            if old != new
        ]
        self.cells = rows
        if changed:
            self.dataChanged.emit(
                self.index(changed[0], 0), self.index(changed[-1], len(heads) - 1)
            )
        return False

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        held = super().headerData(section, orientation, role)
        return held.value | _WRAP if role == Role.TextAlignmentRole else held


class _View(QTableView):
    """Tab leaves it, arrows go through the cells, Ctrl+C copies what is chosen, or all."""

    copied = Signal()
    resized = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
            event.accept()
        elif getattr(self.window(), "presenting", False) and event.key() in (
            Qt.Key.Key_PageUp,
            Qt.Key.Key_PageDown,
        ):
            event.ignore()  # they turn to the next card
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        held = self.currentIndex().isValid()
        super().focusInEvent(event)
        if not held and event.reason() != Qt.FocusReason.MouseFocusReason:
            # Qt takes the first cell, which looks as if someone had chosen it.
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()


class TableCard(Card):
    """One table. Its columns are as wide as their texts, and wider while there is room; long words
    take several lines, and where that is not enough the names of columns of numbers do. `grown`: it
    needs another height."""

    grown = Signal()

    def __init__(self, look: Look):
        super().__init__(look)
        self.table: Table | None = None
        self._drawn: Table | None = None
        self.menu_button.setAccessibleName(tr(N_("Table menu")))
        self.model = _Model()
        self.view = _View()
        self.view.setModel(self.model)
        self.view.setShowGrid(False)
        self.view.setWordWrap(True)
        self.view.setTabKeyNavigation(False)
        self.view.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.view.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.view.setSelectionMode(QTableView.SelectionMode.ContiguousSelection)
        self.view.verticalHeader().hide()
        header = self.view.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(
            1
        )  # else Qt makes narrow columns wider than they were measured
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.copied.connect(self._copy)
        self.view.resized.connect(self._fit)
        self.view.installEventFilter(self)
        self.body.addWidget(self.view, 1)
        self._needs: list[int] = []
        self._least: list[int] = []
        self._wrapped = False
        self._tall = 0
        self._fitted: tuple[Any, ...] = ()

    def need(self) -> int:
        """Head, names of the columns and rows; above some height the rows scroll."""
        rows = sum(map(self.view.rowHeight, range(len(self.model.cells))))
        header = self.view.horizontalHeader()
        head = max(header.minimumHeight(), header.sizeHint().height())
        head += self.title.sizeHint().height()
        return min(self.look.px(_MOST), rows + head + self.look.px(12) + 24)

    def heart(self) -> QWidget | None:
        return self.view

    @property
    def drawn(self) -> bool:
        """Whether the texts of a table are there."""
        return self._drawn is not None

    def hold_table(self, table: Table) -> None:
        """Take a table, which `wake` shows; its name is known at once."""
        self.table, self.key = table, table.key
        title = shown(table.title)
        self._name(title)
        self.view.setAccessibleName(title)

    def show_table(self, table: Table) -> None:
        self.hold_table(table)
        self.show_held()

    def show_held(self) -> None:
        if self.waits or self.table is None:
            return
        self._drawn, self._fitted = self.table, ()
        if self.model.show_table(self.table):
            self._needs = []
        self._measure()

    def wake(self) -> None:
        if self.table is not self._drawn:
            self.show_held()

    def dress(self, look: Look) -> None:
        if look != self.look:
            self.look = look
            self._needs = []
            self._measure()

    def chosen(self) -> list[tuple[int, int]]:
        """The cells (row, column) that are chosen, row by row; none: the whole table."""
        return sorted(
            (index.row(), index.column()) for index in self.view.selectionModel().selectedIndexes()
        )

    def _measure(self) -> None:
        """The width that each column needs; it only grows while the table keeps its shape, so that
        nothing moves to and fro."""
        words, bold = QFontMetrics(self.look.font(14)), QFontMetrics(self.look.font(14, 600))
        gap = self._gap()
        needs, least = [], []
        for place, head in enumerate(self.model.heads):
            texts = [row[place] for row in self.model.cells]
            needs.append(
                max([bold.horizontalAdvance(head), *map(words.horizontalAdvance, texts)]) + gap
            )
            if self.model.right[place]:
                heads, parts = head.split(" "), texts
            else:
                heads, parts = [head], [part for text in texts for part in text.split()]
            longest = max(
                [*map(bold.horizontalAdvance, heads), *map(words.horizontalAdvance, parts)]
            )
            # Words may take several lines, but not one line each.
            fewest = 0 if self.model.right[place] else min(needs[-1], self.look.px(130))
            least.append(max(longest + gap, fewest))
        before = self._needs
        self._needs = [max(pair) for pair in zip(needs, before, strict=True)] if before else needs
        self._least = least
        if self._needs != before:
            self._fit()

    def _fit(self) -> None:
        """Share out the width anew where it, or what goes into it, is another: this is asked at
        every event of a layout."""
        if not self._needs:
            return
        room, head = self.view.viewport().width(), self.view.horizontalHeader().sizeHint().height()
        given = (room, head, self.look, self._needs, self._least)
        if given != self._fitted:
            self._share(room)
            self._fitted = given
        if self.need() != self._tall:
            self._tall = self.need()
            self.grown.emit()

    def _share(self, room: int) -> None:
        """What is left over of the width goes to the columns of words, what lacks is taken from the
        widest of them; rows and the head are as high as that makes them."""
        widths = list(self._needs)
        soft = [place for place, numeric in enumerate(self.model.right) if not numeric] or list(
            range(len(widths))
        )
        over = sum(widths) - room
        for places in (soft, range(len(widths))):
            while over > 0:
                place = max(places, key=lambda k: widths[k] - self._least[k])
                spare = widths[place] - self._least[place]
                if spare <= 0:
                    break
                taken = min(over, spare, max(1, spare // 3))
                widths[place] -= taken
                over -= taken
        if over < 0:
            # Not spread over a whole wide card: a number must stay near the words it belongs to.
            most = [round(0.5 * width) for width in widths]
            share = min(1.0, -over / max(1, sum(most)))
            widths = [width + int(more * share) for width, more in zip(widths, most, strict=True)]
        for place, width in enumerate(widths):
            self.view.setColumnWidth(place, width)
        high = self.look.px(28)
        self.view.verticalHeader().setDefaultSectionSize(high)
        wrapped = any(width < need for width, need in zip(widths, self._needs, strict=True))
        if wrapped or self._wrapped:
            # Qt's own measure of a row forgets the padding of the style sheet.
            words, gap = QFontMetrics(self.look.font(14)), self._gap()
            self._name_columns([width - gap for width in widths])
            for row, texts in enumerate(self.model.cells):
                boxes = [
                    words.boundingRect(0, 0, width - gap, 9999, _WRAP, text)
                    for width, text in zip(widths, texts, strict=True)
                ]
                tallest = max(box.height() for box in boxes)
                self.view.setRowHeight(row, max(high, tallest + self.look.px(11)))
        self._wrapped = wrapped

    def _name_columns(self, rooms: list[int]) -> None:
        """Give the names of the columns as many lines as they need in these widths."""
        bold, header = QFontMetrics(self.look.font(14, 600)), self.view.horizontalHeader()
        tallest = max(
            bold.boundingRect(0, 0, room, 9999, _WRAP, head).height()
            for room, head in zip(rooms, self.model.heads, strict=True)
        )
        more = tallest - bold.height()
        header.setMinimumHeight(header.sizeHint().height() + more if more else 0)
        self.view.updateGeometries()

    def _gap(self) -> int:
        """The padding of the style sheet on both sides of a cell, and a hair."""
        return self.look.px(16) + 14

    def _copy(self) -> None:
        self._want("copy-data")

    def _fill_menu(self) -> None:
        self.menu.clear()
        self._offer(
            (N_("Fill the window"), "present"),
            (N_("Copy data"), "copy-data"),
            (N_("Copy as LaTeX"), "copy-latex"),
            (N_("Copy as Markdown"), "copy-markdown"),
            (N_("Save as CSV …"), "csv"),
        )
