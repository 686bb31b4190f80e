"""The rows of the table as they stand in the file, a page at a time: fetched in the background,
never kept."""

from collections.abc import Iterator
from functools import partial
from heapq import nlargest
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from dpstudio.data.codebook import Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.gui.parts import boxes, labels, theme
from dpstudio.gui.parts.cell_model import CellModel
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.jobs import Channel, Work
from dpstudio.values.messages import N_, Num, say

PAGE = 100
_WIDEST = 260
Page = list[tuple[Any, ...]]


def cell_text(value: Any) -> str:
    """A value as it is in the table."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)


def fetch(data: Dataset, start: int, _: Work) -> Iterator[tuple[Dataset, int, Page]]:
    """A page of the table before any rows were left out."""
    yield data, start, data.whole.cells(start, start + PAGE)


def _read_alike(data: Dataset, other: Dataset) -> bool:
    """Whether both show the same values, whatever rows they leave out and whatever is known of
    them."""
    books = (one.codebook.reading.with_person("") for one in (data, other))
    return data.described(Codebook()) is other.described(Codebook()) and len(set(books)) == 1


class _Model(CellModel):
    def show_page(self, data: Dataset | None, start: int, cells: Page) -> None:
        columns = data.columns if data is not None else ()
        self.start = start
        self.show_cells(
            [info.name for info in columns],
            [info.numeric for info in columns],
            [[cell_text(value) for value in row] for row in cells],
        )


class _View(QTableView):
    """Page keys turn to the next page where there is no more to scroll."""

    turned = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_PageDown and bar.value() == bar.maximum():
            self.turned.emit(1)
        elif event.key() == Qt.Key.Key_PageUp and bar.value() == bar.minimum():
            self.turned.emit(-1)
        else:
            super().keyPressEvent(event)


class RowsView(QWidget):
    """One page of rows; `show_data` only when it is on the screen, for it reads the table."""

    def __init__(self, look: theme.Look, reader: Channel):
        super().__init__()
        self.look = look
        self.data: Dataset | None = None
        self.start = 0
        self.column = ""
        self._wanted: int | None = None
        self.reader = reader
        self.reader.value.connect(self._on_page)
        self.reader.failed.connect(self._on_failure)
        self.model = _Model()
        self.view = _View()
        self.view.setModel(self.model)
        self.view.setAccessibleName(tr(N_("Rows of the table")))
        self.view.setTabKeyNavigation(False)
        self.view.setWordWrap(False)
        self.view.setShowGrid(False)
        self.view.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.view.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        for header in (self.view.horizontalHeader(), self.view.verticalHeader()):
            header.setHighlightSections(False)
            header.setMinimumSectionSize(1)
            header.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.view.turned.connect(self.turn)
        self.complaint = labels.ProblemLabel()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.complaint)
        layout.addLayout(self._pager())

    def _pager(self) -> QHBoxLayout:
        self.back, self.forth = (
            QPushButton(tr(N_("Rows before"))),
            QPushButton(tr(N_("Rows after"))),
        )
        self.back.clicked.connect(lambda: self.turn(-1))
        self.forth.clicked.connect(lambda: self.turn(1))
        self.where = labels.ElidedLabel("muted")
        self.goto = boxes.LineBox("", 8)
        self.goto.setPlaceholderText(tr(N_("row")))
        self.goto.setAccessibleName(tr(N_("Go to row")))
        self.goto.setToolTip(tr(N_("Type the number of a row and press Enter")))
        self.goto.given.connect(self._go)
        self.goto.restored.connect(lambda: self.complaint.say(""))
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.back)
        line.addWidget(self.forth)
        line.addWidget(self.where, 1)
        line.addWidget(self.goto)
        return line

    def show_data(self, data: Dataset | None) -> None:
        """Another table, or another way to read it: from the first row, where it has others."""
        if data is self.data:
            return
        if data is not None and self.data is not None and _read_alike(data, self.data):
            self.data = data
            self._tell()
            return
        if (
            data is None
            or self.data is None
            or data.described(Codebook()) is not self.data.described(Codebook())
        ):
            self.start = 0
        self.data = data
        if data is None:
            self.reader.cancel()
            self.model.show_page(None, 0, [])
            self._tell()
        else:
            self.fetch()

    def show_column(self, name: str) -> None:
        """Bring a column into sight."""
        self.column = name
        if name in self.model.heads:
            place = self.model.heads.index(name)
            self.view.scrollTo(self.model.index(max(0, self.view.rowAt(0)), place))

    def fetch(self) -> None:
        if self.data is not None:
            self.reader.submit(partial(fetch, self.data, self.start), cancel=True)
            self._tell()

    def turn(self, by: int) -> None:
        """The page that follows, or the one before."""
        rows = self.data.whole.rows if self.data is not None else 0
        start = self.start + by * PAGE
        if 0 <= start < rows or (by < 0 < self.start):
            self.start = max(0, start)
            self.fetch()

    def _go(self, text: str) -> None:
        rows = self.data.whole.rows if self.data is not None else 0
        typed = text.strip().replace(",", "").replace(" ", "")
        if not typed:
            self.complaint.say("")
            return
        if not typed.isascii() or not typed.isdigit() or not 1 <= int(typed[:12]) <= rows:
            self.complaint.say(
                say(
                    "“{value}” is no row: they go from 1 to {rows}.",
                    value=text.strip(),
                    rows=Num(rows),
                )
            )
            self.goto.refuse()
            return
        self.complaint.say("")
        self.goto.show_text("")
        self.start = (int(typed) - 1) // PAGE * PAGE
        self._wanted = int(typed) - 1
        self.fetch()

    def _on_page(self, page: tuple[Dataset, int, Page]) -> None:
        data, start, cells = page
        if self.data is None or not _read_alike(data, self.data):
            return
        before = self.model.heads
        self.model.show_page(data, start, cells)
        if before != self.model.heads:
            self._fit()
            self.show_column(self.column)
        self.view.scrollToTop()
        if self._wanted is not None and start <= self._wanted < start + len(cells):
            self.view.selectRow(self._wanted - start)
            self.view.scrollTo(self.model.index(self._wanted - start, 0))
            self._wanted = None
        self._tell()

    def _on_failure(self, error: Exception) -> None:
        self.complaint.say(
            say("These rows could not be read: {error}.", error=type(error).__name__)
        )

    def _tell(self) -> None:
        rows = self.data.whole.rows if self.data is not None else 0
        self.back.setEnabled(self.start > 0)
        self.forth.setEnabled(self.start + PAGE < rows)
        text = N_("rows {a} – {b} of {rows}")
        if self.data is not None and self.data.dropped:
            text = N_("rows {a} – {b} of {rows}, also those left out")
        last = min(self.start + PAGE, rows)
        self.where.show_text(
            shown(say(text, a=Num(self.start + 1), b=Num(last), rows=Num(rows)))
            if rows
            else tr(N_("no rows"))
        )

    def _fit(self) -> None:
        """Columns as wide as what they show, within reason."""
        bold, words = QFontMetrics(self.look.font(14, 600)), QFontMetrics(self.look.font(14))
        gap = self.look.px(16) + 10
        for place, head in enumerate(self.model.heads):
            # Of as many letters some are wider than others.
            longest = nlargest(12, (row[place][:200] for row in self.model.cells), key=len)
            need = max([bold.horizontalAdvance(head), *map(words.horizontalAdvance, longest)]) + gap
            self.view.setColumnWidth(place, min(need, self.look.px(_WIDEST)))
        rows = self.data.whole.rows if self.data is not None else 0
        self.view.verticalHeader().setDefaultSectionSize(self.look.px(26))
        self.view.verticalHeader().setFixedWidth(words.horizontalAdvance(f"{rows:,}") + gap)

    def dress(self, look: theme.Look) -> None:
        self.look = look
        self._fit()
