"""The first rows as they will be read, with names and types above them, and the rows that do not
fit."""

from collections.abc import Mapping, Sequence
from heapq import nlargest
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QMenu, QTableView

from dpstudio.files.asking import sentence
from dpstudio.files.read.choices import COLUMN_TYPES
from dpstudio.files.read.outcome import ColumnRead, Counts, Preview
from dpstudio.gui.parts.cell_model import CellModel, Index, Role
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import N_

_WIDEST = 260
_LETTERS = 200
TYPES = {
    "auto": N_("as found"),
    "words": N_("words"),
    "number": N_("numbers"),
    "integer": N_("whole numbers"),
    "yes/no": N_("yes or no"),
    "date": N_("dates"),
    "time": N_("times"),
    "other": N_("other"),
}
_NUMERIC = ("number", "integer")
_OPENS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F4, Qt.Key.Key_Menu)


class _Grid(CellModel):
    """None is a missing value, and of a long text some letters are shown; `tips` lie on heads."""

    tips: Sequence[str] = ()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if role == Role.ToolTipRole:
            across = orientation == Qt.Orientation.Horizontal
            return (self.tips or self.heads)[section] if across else None
        said = Role.DisplayRole if role == Role.AccessibleTextRole else role
        return super().headerData(section, orientation, said)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        held = super().data(index, role)
        if role not in (Role.DisplayRole, Role.ToolTipRole):
            return held
        return "–" if held is None else held[:_LETTERS] if role == Role.DisplayRole else held


class _Head(QHeaderView):
    """The name of a column, and below it the type as which it is read, in colour where a person
    chose it."""

    def __init__(self, look: Look):
        super().__init__(Qt.Orientation.Horizontal)
        self.look = look
        self.kinds: list[str] = []
        self.chosen: set[int] = set()
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def lines(self) -> tuple[QFontMetrics, QFontMetrics]:
        return QFontMetrics(self.look.font(14, 600)), QFontMetrics(self.look.font(11))

    def sizeHint(self) -> QSize:
        return QSize(
            super().sizeHint().width(),
            sum(metrics.height() for metrics in self.lines()) + self.look.px(12),
        )

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.model()
        name, kind = (
            str(model.headerData(section, Qt.Orientation.Horizontal)),
            self.kinds[section] if section < len(self.kinds) else "",
        )
        side = model.headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        across = (
            Qt.AlignmentFlag.AlignRight
            if side & Qt.AlignmentFlag.AlignRight
            else Qt.AlignmentFlag.AlignLeft
        )
        pad, (bold, small) = self.look.px(8) + 3, self.lines()
        painter.save()
        painter.fillRect(rect, self.look.color("surface"))
        painter.setPen(self.look.color("grid"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        box = rect.adjusted(pad, self.look.px(5), -pad, 0)
        painter.setFont(self.look.font(14, 600))
        painter.setPen(self.look.color("text"))
        flags = int(across.value) | int(Qt.AlignmentFlag.AlignTop.value)
        painter.drawText(
            box, flags, bold.elidedText(name, Qt.TextElideMode.ElideMiddle, box.width())
        )
        painter.setFont(self.look.font(11, 600 if section in self.chosen else 400))
        painter.setPen(self.look.color("text" if section in self.chosen else "muted"))
        below = box.translated(0, bold.height())
        painter.drawText(
            below, flags, small.elidedText(kind, Qt.TextElideMode.ElideRight, box.width())
        )
        painter.restore()


class _Table(QTableView):
    """Arrows walk through the cells, Tab leaves, Enter asks for the type of a column."""

    asked = Signal(int)

    def __init__(self, name: str):
        super().__init__()
        self.grid = _Grid()
        self.setModel(self.grid)
        self.setAccessibleName(tr(name))
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        down = self.verticalHeader()
        down.setHighlightSections(False)
        down.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setMinimumSectionSize(1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _OPENS and self.currentIndex().isValid():
            self.asked.emit(self.currentIndex().column())
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()  # it belongs to the page
        else:
            super().keyPressEvent(event)

    def fit(self, look: Look, heads: Sequence[str], least: Sequence[str] = ()) -> None:
        """Columns as wide as what they show, within reason."""
        bold, words = QFontMetrics(look.font(14, 600)), QFontMetrics(look.font(14))
        gap = look.px(16) + 10
        for place, head in enumerate(heads):
            # Of as many letters some are wider than others.
            longest = nlargest(
                8, ((row[place] or "–")[:_LETTERS] for row in self.grid.cells), key=len
            )
            texts = [
                *map(words.horizontalAdvance, longest),
                *(words.horizontalAdvance(text) for text in least[place : place + 1]),
            ]
            need = max([bold.horizontalAdvance(head), *texts]) + gap
            self.setColumnWidth(place, min(need, look.px(_WIDEST)))
        self.verticalHeader().setDefaultSectionSize(look.px(26))
        self.verticalHeader().setFixedWidth(words.horizontalAdvance("000") + gap)


class FirstRows(_Table):
    """The first rows. `typed(column, type)`: a column is to be read as another type."""

    typed = Signal(str, str)

    def __init__(self, look: Look):
        super().__init__(N_("First rows as they will be read"))
        self.look = look
        self.columns: tuple[ColumnRead, ...] = ()
        self.typed_already = False  # by the file, whatever a person would have
        self.head = _Head(look)
        self.setHorizontalHeader(self.head)
        self.head.sectionClicked.connect(self.ask_type)
        self.asked.connect(self.ask_type)
        self.menu = QMenu(self)

    def show_preview(self, preview: Preview, chosen: Mapping[str, str]) -> None:
        """`chosen` are the types that the person gave columns."""
        depth, width = self.verticalScrollBar().value(), self.horizontalScrollBar().value()
        same = [c.name for c in self.columns] == [c.name for c in preview.columns]
        self.columns = preview.columns
        self.typed_already = preview.format in ("columnar", "pictures")
        mark = "" if self.typed_already else " ▾"
        self.head.kinds = [
            f"{tr(TYPES.get(c.kind, c.kind))}{f', {c.unit}' if c.unit else ''}{mark}"
            for c in preview.columns
        ]
        self.head.chosen = {
            place for place, c in enumerate(preview.columns) if c.name.strip() in chosen
        }
        names = [column.name for column in preview.columns]
        self.grid.tips = [_tip(column) for column in preview.columns]
        self.grid.show_cells(names, [c.kind in _NUMERIC for c in preview.columns], preview.rows)
        self.refit()
        if same:
            self.verticalScrollBar().setValue(depth)
            self.horizontalScrollBar().setValue(width)

    def refit(self) -> None:
        self.fit(self.look, self.grid.heads, self.head.kinds)

    def ask_type(self, place: int) -> None:
        """Offer the types as which a column may be read."""
        if place >= len(self.columns) or self.typed_already:
            return
        column = self.columns[place]
        self.menu.clear()
        held = column.kind if place in self.head.chosen else "auto"
        for kind in ("auto", *(k for k in COLUMN_TYPES if k != "auto")):
            action: QAction = self.menu.addAction(tr(TYPES[kind]))
            action.setCheckable(True)
            action.setChecked(kind == held)
            action.triggered.connect(
                lambda _=False, kind=kind, name=column.name: self.typed.emit(name, kind)
            )
        self.menu.popup(
            self.head.mapToGlobal(
                QPoint(self.head.sectionViewportPosition(place), self.head.height())
            )
        )

    def dress(self, look: Look) -> None:
        self.look = self.head.look = look
        self.refit()
        self.head.headerDataChanged(Qt.Orientation.Horizontal, 0, max(0, len(self.columns) - 1))


def _tip(column: ColumnRead) -> str:
    """What else is to be said of a column."""
    return "\n".join(
        [
            column.name,
            *(sentence(shown(note)) for note in column.notes),
            tr(N_("Click to read it as another type.")),
        ]
    )


class OddRows(_Table):
    """Every row that was repaired or left out, by its line in the file, and why."""

    def __init__(self, look: Look):
        super().__init__(N_("Rows that do not fit"))
        self.look = look
        self.verticalHeader().hide()
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        head.setStretchLastSection(True)
        head.setMinimumSectionSize(1)

    def show_counts(self, counts: Counts) -> None:
        both = ((counts.repaired, N_("repaired")), (counts.refused, N_("left out")))
        odd = sorted(
            ((row.line, tr(fate), row.why) for tally, fate in both for row in tally.first),
            key=lambda one: one[0],
        )
        cells = [(f"{line:,}", fate, sentence(shown(why))) for line, fate, why in odd]
        self.grid.show_cells(
            [tr(N_("Line")), tr(N_("Row")), tr(N_("Why"))], [True, False, False], cells
        )
        self.refit()

    def refit(self) -> None:
        self.fit(self.look, self.grid.heads)

    def dress(self, look: Look) -> None:
        self.look = look
        self.refit()
